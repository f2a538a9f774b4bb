"""The check of a certificate, and its report: every word of it comes from here, from format.json and from the graph."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from itertools import product
from typing import Any

from .certificate import AWAY, NOT_HELD, Certificate, Missing, OpNode, Source, beneath, label_of, read_certificate
from .evaluate import LOST, STATUSES, Evaluator, NodeSet
from .format import ALIAS, FORMAT, LABEL, KernelError, LiteralValue, Node, one_line, read
from .sentence import LONGEST, filled, folded, name, node_text, quoted, sentences, statement_text

_SEEN = ("statement", "passage", "follow", "instances")


@dataclass(slots=True)
class Report:
    """What a check found."""

    read_as: str = ""  # the program as a sentence
    judge: str = ""  # who judged that the question means it, with the score
    answer: list[str] = field(default_factory=list)  # what the answer says, a line each
    status: str = "fails"  # the weakest of what the answer needs
    exit_code: int = 2  # 0 passes, 1 does not, 2 is no certificate
    #: Of each node its place, op, sentence, status, reason, statements, and whether the answer needs it ("used").
    nodes: list[dict[str, Any]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)  # what is wrong beside single nodes
    graphs: list[str] = field(default_factory=list)  # of each graph what its statements were held against

    def __str__(self) -> str:
        lines = [f"Read as: {self.read_as}; {self.judge}"] if self.read_as else []
        lines += [f"Answer: {text}" for text in self.answer]
        for node in self.nodes:
            counts = "" if node["used"] else " (not needed: supports nothing)"
            lines.append(f"{node['place']:>4} {node['status']:<12} {node['sentence']}{counts}")
            lines += [f"{'':18}{text}" for text in (node["reason"], *node["statements"]) if text]
        lines += [f"Graph: {text}" for text in self.graphs] + [f"Problem: {text}" for text in self.problems]
        counted = [node["status"] for node in self.nodes if node["used"]]
        counts = ", ".join(f"{counted.count(status)} {status}" for status in STATUSES if status in counted)
        passes = ("passes", "does not pass", "not checked")[self.exit_code]
        return "\n".join([*lines, f"{passes}: {self.status}{f' ({counts})' if counts else ''}"])

    def to_json(self) -> str:
        """The report as JSON."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1)


def check(
    given: str | bytes | dict[str, Any],
    graph: Any = None,
    *,
    root: str | Iterable[str] | None = None,
    strict: bool = False,
    seconds: float = 10.0,
    shown: int = 20,
) -> Report:
    """Check a certificate, as JSON or read from it, against the evidence that it holds, or against a graph.

    Args:
        root: from somebody trusted, of its graph; of several all. strict: weaker than recomputed does not pass.
        seconds: that the evaluation may take. shown: so many statements of a node, values or rows of the answer."""
    try:
        certificate = read_certificate(read(given) if isinstance(given, (str, bytes)) else given)
        return _Check(certificate, graph, root, seconds, shown).report(strict)
    except KernelError as error:
        return Report(problems=[one_line(str(error))])


def spellings(words: str) -> Iterable[str]:
    """Words as they stand, and as else a name may be written: in single spaces, in small, large and first letters."""
    single = " ".join(words.split())
    first = " ".join(word[0].upper() + word[1:].lower() for word in single.split())
    return dict.fromkeys((words, single, single.lower(), single.upper(), first))


class _Check(Evaluator):
    def __init__(self, certificate: Certificate, graph: Any, root: Any, seconds: float, shown: int):
        self.data, program, self.answer = certificate
        graphs, held = self.data["graphs"], self.data["evidence"]
        source = Source(graph, held or (), graphs if held else ())
        super().__init__(program, source, len(graphs), self.data["question"], seconds)
        self.result, self.shown = Report(), shown
        self.changed = self._hold(graphs, graph is not None, {root} if isinstance(root, str) else {*(root or ())})
        self.run()
        #: The graphs whose labels are shown: not those of an endpoint beside a graph with a root.
        self.named_by = list(filter(source.proved, self.graphs)) or self.graphs
        self.sentences = sentences(program, self.name_of)

    def name_of(self, identifier: str) -> str | None:
        """The label of an entity or relation, where it is at hand."""
        self.step()
        try:
            return label_of(self.source.statements, self.named_by, identifier)
        except Missing:
            return None

    def problem_if(self, is_so: object, what: str) -> None:
        """Note what is wrong, where it is."""
        if is_so:
            self.result.problems.append(what)

    def report(self, strict: bool) -> Report:
        """The whole report."""
        result, kind, reading = self.result, self.answer["kind"], self.data["reading"]
        needed, statuses = {"text": self._text, "none": self._none}.get(kind, self._value)()
        for place, node in enumerate(self.program):
            unseen = "recomputed" if place in needed else "unverifiable"  # under a binder, of nothing
            status, used = self.status[place] or unseen, list(self.statements[place])
            status = "stale" if status == "fails" and self.changed else status
            shown = [statement_text(statement, self.name_of) for statement in used[: self.shown]]
            shown += [self._more(used)[1:]] if len(used) > self.shown else []
            result.nodes.append({
                "place": place, "op": node.op, "sentence": self.sentences[place], "status": status,
                "reason": one_line(self.reason[place]), "statements": shown, "used": place in needed,
            })  # fmt: skip
        used_nodes = [result.nodes[place] for place in needed]
        statuses += [node["status"] for node in used_nodes]
        if result.read_as == self.question and needed and kind != "text" and self._means_one_thing(needed):
            result.judge = "as it was asked"
        elif reading:
            result.judge = f"judged by {quoted(reading['by'])}, {reading['score']:.2f}"
            statuses.append("judged")
        else:
            result.judge = "nobody says that the question means this"
            statuses.append("unverifiable")
        if result.problems:
            statuses.append("stale" if self.changed else "fails")
        result.status = max(statuses, key=STATUSES.index)
        wrong = {"stale", "fails"} & {result.status, *(node["status"] for node in result.nodes)}
        rooted = all(graph["root"] for graph in self.data["graphs"])
        unshown = rooted and any(node["reason"] in (NOT_HELD, AWAY, LOST) for node in used_nodes)
        limit = "recomputed" if strict else "unverifiable"
        result.exit_code = int(bool(wrong) or unshown or STATUSES.index(result.status) > STATUSES.index(limit))
        return result

    def _means_one_thing(self, needed: Iterable[int]) -> bool:
        """Whether the sentence of some nodes is whole, and each name in it, as the graph writes it, is of one thing."""
        labels = dict[str, str | None]()

        def label(identifier: str) -> str | None:
            return labels.setdefault(identifier, self.name_of(identifier))

        for place in sorted(needed):
            filled(FORMAT["nodes"][self.program[place].op], self.program[place].data, self.sentences, label)
        whole = all(len(self.sentences[place]) <= LONGEST for place in needed)
        return whole and all(self._is_alone(identifier, text) for identifier, text in labels.items())

    def _is_alone(self, identifier: str, label: str | None) -> bool:
        shown = name(identifier, lambda _: label)
        if label is None:
            return shown == f"⟨{identifier}⟩"
        return shown == label and self._subjects("in", [LiteralValue(label, "string")], (LABEL, ALIAS)) == {identifier}

    def _subjects(self, side: str, nodes: Iterable[Node], relations: Iterable[str]) -> set[str | None]:
        """The subjects of the statements of some ranges, in all graphs; None too where one is not at hand."""
        subjects = set[str | None]()
        for graph, node, relation in product(self.graphs, nodes, relations):
            try:
                subjects |= {statement.subject for statement in self.source.statements(graph, side, node, relation)}
            except Missing:
                subjects.add(None)
        return subjects

    def _hold(self, graphs: Sequence[Any], some_at_hand: bool, given: set[str]) -> bool:
        """Hold the graphs against the roots they should have; whether a graph at hand is another one."""
        changed = False
        for place, part in enumerate(graphs):
            has = self.source.roots[place] if place < len(self.source.roots) else None
            at_hand = place in self.source.at_hand
            if part["root"] is None:
                text = f"as {one_line(part['endpoint'], 100)} said ({one_line(part['asked'] or 'no time given', 40)})"
                text += "" if at_hand else "; no root proves it"
            elif has is None:
                text = "no evidence is given"
            elif has == part["root"]:
                text = f"held against the root {'given' if has in given else 'that the certificate names'}, {has}"
            else:
                text, changed = "another graph, or changed since", changed or at_hand
                self.problem_if(not at_hand, f"the evidence leads to the root {has}, not to the certificate's")
            if self.data["evidence"] and some_at_hand and not at_hand:
                text = f"not at hand, so by its evidence: {text}"
            self.result.graphs.append(f"{place}, which the certificate calls {quoted(part['name'])}: {text}")
        other = given and given != {part["root"] for part in graphs} - {None}
        self.problem_if(other, "the certificate is about graphs of another root than the one given")
        return changed

    def _value(self) -> tuple[set[int], list[str]]:
        """Hold an answer of nodes, truth or rows against what follows."""
        answer, place, at_least = self.answer, self.answer["of"], bool(self.answer.get("at_least"))
        value, kind = self.values[place], answer["kind"]
        self.result.read_as = ("whether " if kind == "truth" else "") + self.sentences[place]
        if kind == "truth":
            self.result.answer, same = [answer["value"]], value is (answer["value"] == "yes")
        elif kind == "nodes":
            values = f"{self._texts(answer['values'][: self.shown])}{self._more(answer['values'])}"
            self.result.answer = [f"at least {values}" if at_least else values]
            same = isinstance(value, NodeSet) and (value.items, value.at_least) == (answer["values"], at_least)
        else:
            self.result.answer = [" | ".join(map(self._texts, row)) for row in answer["rows"][: self.shown]]
            self.result.answer += filter(None, [self._more(answer["rows"])])
            same = isinstance(value, list) and tuple(map(tuple, value)) == answer["rows"]
        self.problem_if(not (same or self.lost(place)), "the answer is not what follows from the program")
        return beneath(self.program, [place]), []

    def _texts(self, nodes: Iterable[Node]) -> str:
        return ", ".join(node_text(node, self.name_of) for node in nodes)

    def _more(self, listed: Sequence[object]) -> str:
        return f" … and {len(listed) - self.shown:,} more" if len(listed) > self.shown else ""

    def _text(self) -> tuple[set[int], list[str]]:
        """Give each sentence of a text the verdict that follows from its claims."""
        every, statuses, sentences = list[int](), list[str](), self.answer["sentences"]
        self.result.read_as = "what the claims of this text say"
        ends = [0, *(sentence[end] for sentence in sentences for end in ("start", "end")), len(self.question)]
        between = (self.question[end:start] for end, start in zip(ends[::2], ends[1::2], strict=True))
        whole = ends == sorted(ends) and not any(letter.isalnum() for text in between for letter in text)
        self.problem_if(not whole, "the sentences leave out, or take twice, some of the text")
        for sentence in sentences:
            start, end, claims = sentence["start"], sentence["end"], sentence["claims"]
            places = [claim["of"] for claim in claims]
            truths = [self.values[place] for place in places]
            known = "supported" if truths and None not in truths else "not in the graph"
            verdict = "contradicted" if False in truths else known
            if sentence["unchecked"] is not None and not places:
                verdict = f"not checked ({quoted(sentence['unchecked'])}, judged)"
                statuses.append("judged")
            taken = "".join(f"; taken for: {self.sentences[place]}" for place in places)
            self.result.answer.append(f"{verdict}: {quoted(self.question[start:end])}{taken}")
            every += places
            spans = [claim["words"] for claim in claims if claim["words"]]
            beyond = any(words[0] < start or words[1] > end for words in spans)
            self.problem_if(beyond, "a claim is taken for words that are not of its sentence")
            below = [self.program[place] for place in beneath(self.program, places)]
            self.step(len(below))
            for node in below:
                if node.op == "vote" or (node.op == "judged" and node["decision"] != "unknown"):
                    self._judged(node, start, end)
        return beneath(self.program, every), statuses

    def _judged(self, node: OpNode, start: int, end: int) -> None:
        """Hold a judgement on a claim of a sentence against what it has seen."""
        seen = [(self.program[place], self.statements[place]) for place in node.parts]
        says = any(part.op == "passage" or (part.op in _SEEN and used) for part, used in seen)
        self.problem_if(not says, "a claim is judged by nothing that a statement or passage says")
        entities = (part for part, _ in seen if part.op == "entity")
        named = {entity["id"] for entity in entities if self._is_said(entity, node, start, end)}
        enough = any if node.data.get("decision") == "no" else all
        for statement in (statement for part, used in seen if part.op in _SEEN for statement in used):
            ends = [part for part in (statement.subject, statement.object) if isinstance(part, str)]
            of_it = enough(part in named for part in ends)
            self.problem_if(not of_it, "a claim is judged by a statement about something that it does not name")

    def _is_said(self, entity: OpNode, node: OpNode, start: int, end: int) -> bool:
        """Whether the text names an entity, no later than in this sentence; and this sentence, or the claim, does."""
        self.step()
        first, last = entity["words"] or (end, end + 1)
        names = [folded(self.question[first:last]), folded(entity["name"] or "")]
        claimed = any(name in folded(node.data.get("says") or "") for name in names)
        return all(names) and last <= end and (first >= start or claimed)

    def _none(self) -> tuple[set[int], list[str]]:
        """Check an abstention: each of its reasons, and that nothing which was tried is an answer."""
        reasons, tried = self.answer["reasons"], self.answer["tried"] or ()
        statuses, about, excused = list[str](), {*tried}, set[int]()
        for reason in reasons:
            spec, of = FORMAT["reasons"][reason["code"]], reason.get("of", tried)
            self.result.answer.append(f"none: {filled(spec, reason, self.sentences, self.name_of, self.question)}")
            statuses.append(self._reason(reason))
            of = {of} if isinstance(of, int) else {*of}
            about |= of
            excused |= of if "excuses" in spec else set()
        unsaid = "what was tried yields something, and no reason says why it is no answer"
        for place in tried:
            self.problem_if(self._yields(place) and place not in excused, unsaid)
        self.result.read_as = self.sentences[max(about)] if about else "nothing"
        return beneath(self.program, about), statuses

    def _reason(self, reason: dict[str, Any]) -> str:
        """How far a reason of an abstention is checked."""
        code, of, status = reason["code"], reason.get("of"), str(FORMAT["reasons"][reason["code"]]["status"])
        there = status == "recomputed" and isinstance(of, int) and self._yields(of)
        subjects = set[str | None]()
        if code == "lacks":
            side = "out" if reason["direction"] == "forward" else "in"
            subjects = self._subjects(side, [reason["entity"]], [reason["relation"]])
        elif code == "unnamed":
            forms = [LiteralValue(form, "string") for form in spellings(self.question[slice(*reason["words"])])]
            subjects = self._subjects("in", forms, (LABEL, ALIAS))
        sure = code == "unsure" and reason["score"] >= reason["needed"]
        self.problem_if(subjects - {None} or there or sure, f"the reason {code!r} is not so")
        unproved = code in ("lacks", "unnamed") and not all(map(self.source.proved, self.graphs))
        return "unverifiable" if None in subjects or unproved else status

    def _yields(self, place: int) -> bool:
        value = self.values[place]
        return bool(value.items) if isinstance(value, NodeSet) else value is not None and value != []
