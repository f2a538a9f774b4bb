"""The check of a certificate, and its report: every word of it comes from here, from format.json and from the graph."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from .certificate import Certificate, read_certificate
from .encoding import LABEL, Statement
from .errors import KernelError
from .evaluate import STATUSES, Evaluator, Nodes
from .evidence import Evidence, Graph, Missing, Source, label_of
from .sentence import filled, node_text, quoted, sentences, statement_text
from .shapes import FORMAT, one_line, read
from .values import Literal

_SEEN = ("statement", "passage", "follow", "instances")
_EXCUSES = ("unsure", "unread", "unnamed", "direction", "opposite")
_CHECKED, _TOLD = ("nothing", "unknown", "lacks", "split"), ("other", "unusable", "stopped")


@dataclass(slots=True)
class Report:
    """What a check found.

    Attributes:
        read_as: the program as a sentence. judge: who judged that the question means it, with the score.
        answer: what the answer says, a line each.
        status: the weakest of what the answer needs. exit_code: 0 passes, 1 does not, 2 is no certificate.
        nodes: of each node its place, op, sentence, status, reason, statements, and whether the answer needs it.
        problems: what is wrong beside single nodes.
        graphs: of each graph what its statements were held against.
    """

    read_as: str = ""
    judge: str = ""
    answer: list[str] = field(default_factory=list)
    status: str = "fails"
    exit_code: int = 2
    nodes: list[dict[str, Any]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    graphs: list[str] = field(default_factory=list)

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
    graph: Graph | None = None,
    *,
    root: str | None = None,
    strict: bool = False,
    seconds: float = 10.0,
    shown: int = 20,
) -> Report:
    """Check a certificate against the evidence that it holds, or against a graph.

    Args:
        given: the certificate, as JSON or read from it.
        root: the root that the graph must have, from somebody who is trusted.
        strict: what is weaker than recomputed does not pass.
        seconds: that the evaluation may take.
        shown: of each node so many statements, of the answer so many values or rows.
    """
    try:
        certificate = read_certificate(read(given) if isinstance(given, (str, bytes)) else given)
        return _Check(certificate, graph, root, seconds, shown).report(strict)
    except KernelError as error:
        return Report(problems=[one_line(str(error))])


class _Check:
    """The check of one certificate."""

    def __init__(
        self, certificate: Certificate, graph: Graph | None, root: str | None, seconds: float, shown: int
    ) -> None:
        self.certificate, self.found, self.shown = certificate, Report(), shown
        self.kind, self.question, self.program = certificate.answer["kind"], certificate.question, certificate.program
        graphs, held = certificate.data["graphs"], certificate.data["evidence"]
        self.source = Source(graph) if graph is not None else Evidence(held or (), graphs if held else ())
        self.changed = self._hold(graphs, graph, root)
        self.evaluator = Evaluator(self.program, self.source, len(graphs), self.question, seconds)
        self.evaluator.run()
        self.said = sentences(self.program, self.label)

    def label(self, identifier: str) -> str | None:
        """The label of an entity or relation, where it is at hand."""
        try:
            return label_of(self.source, len(self.certificate.data["graphs"]), identifier)
        except Missing:
            return None

    def text(self, node: Any) -> str:
        """What is shown for a node."""
        return node_text(node, self.label)

    def report(self, strict: bool) -> Report:
        """The whole report."""
        found = self.found
        needed, statuses = {"text": self._text, "none": self._none}.get(self.kind, self._value)()
        for place, node in enumerate(self.program):
            status, used = self.evaluator.status[place] or "unverifiable", list(self.evaluator.statements[place])
            status = "stale" if status == "fails" and self.changed else status
            statuses += [status] if place in needed else []
            shown = [statement_text(one, self.label) for one in used[: self.shown]]
            shown += [f"… and {len(used) - self.shown:,} more"] if len(used) > self.shown else []
            found.nodes.append({
                "place": place, "op": node.op, "sentence": self.said[place], "status": status,
                "reason": one_line(self.evaluator.reason[place]), "statements": shown, "used": place in needed,
            })  # fmt: skip
        reading = self.certificate.data["reading"]
        if found.read_as == self.question:
            found.judge = "as it was asked"
        else:
            told = f"judged by {one_line(reading['by'], 100)}, {reading['score']:.2f}" if reading else ""
            found.judge = told or "nobody says that the question means this"
            statuses.append("judged" if reading else "unverifiable")
        if found.problems:
            statuses.append("stale" if self.changed else "fails")
        found.status = max(statuses, key=STATUSES.index)
        wrong = {"stale", "fails"} & {found.status, *(node["status"] for node in found.nodes)}
        limit = "recomputed" if strict else "unverifiable"
        found.exit_code = int(bool(wrong) or STATUSES.index(found.status) > STATUSES.index(limit))
        return found

    def _hold(self, graphs: Sequence[Any], graph: Graph | None, root: str | None) -> bool:
        """Hold the graphs against the roots they should have; whether a graph at hand is another one."""
        roots = graph.roots() if graph is not None else self.source.roots if isinstance(self.source, Evidence) else []
        changed = False
        for place, part in enumerate(graphs):
            has = roots[place] if place < len(roots) else None
            if part["root"] is None:
                told = f"as {one_line(part['endpoint'], 100)} said ({one_line(part['asked'] or 'no time given', 40)})"
                told += "; no root proves it" if graph is None else ""
            elif has is None:
                told = "no evidence is given"
            elif has == part["root"]:
                told = f"held against the root {'given' if root == has else 'that the certificate names'}, {has}"
            else:
                told, changed = "another graph, or changed since", True
                if graph is None:
                    self.found.problems.append(f"the evidence leads to the root {has}, not to the certificate's")
            self.found.graphs.append(f"{one_line(part['name'], 60)}: {told}")
        if root is not None and root not in [part["root"] for part in graphs]:
            self.found.problems.append("the certificate is about graphs of another root than the one given")
        return changed and graph is not None

    def _beneath(self, places: Iterable[int]) -> set[int]:
        """The nodes that some need, themselves included."""
        found: set[int] = set()
        queue = list(places)
        while queue:
            place = queue.pop()
            if place not in found:
                found.add(place)
                node = self.program[place]
                queue += [*node.parts, *(part for variable, inner in node.under for part in (variable, *inner))]
        return found

    def _value(self) -> tuple[set[int], list[str]]:
        """Hold an answer of nodes, truth or rows against what follows."""
        answer, place = self.certificate.answer, self.certificate.answer["of"]
        value, same = self.evaluator.values[place], False
        self.found.read_as = ("whether " if self.kind == "truth" else "") + self.said[place]
        if self.kind == "truth":
            self.found.answer, same = [answer["value"]], value is (answer["value"] == "yes")
        elif self.kind == "nodes":
            values = ", ".join(map(self.text, answer["values"][: self.shown]))
            self.found.answer = [f"at least {values}" if answer["at_least"] else values]
            same = isinstance(value, Nodes) and (value.items, value.at_least) == (
                answer["values"],
                bool(answer["at_least"]),
            )
        else:
            cells = [[", ".join(map(self.text, cell)) for cell in row] for row in answer["rows"][: self.shown]]
            self.found.answer = [" | ".join(row) for row in cells]
            same = isinstance(value, list) and tuple(map(tuple, value)) == answer["rows"]
        if not same and self.evaluator.status[place] not in ("unverifiable", "fails"):
            self.found.problems.append("the answer is not what follows from the program")
        return self._beneath([place]), []

    def _text(self) -> tuple[set[int], list[str]]:
        """Give each sentence of a text the verdict that follows from its claims."""
        at, every = 0, []
        self.found.read_as = "what the claims of this text say"
        for sentence in (*self.certificate.answer["sentences"], None):
            start, end = (sentence["start"], sentence["end"]) if sentence else (len(self.question),) * 2
            if not at <= start <= end <= len(self.question) or any(map(str.isalnum, self.question[at:start])):
                self.found.problems.append(f"the sentences leave out, or take twice, what stands from {at} to {start}")
            at = end
            if sentence is None:
                break
            places = [claim["of"] for claim in sentence["claims"]]
            truths = [self.evaluator.values[place] for place in places]
            verdict = (
                "contradicted"
                if False in truths
                else "supported"
                if truths and None not in truths
                else "not in the graph"
            )
            if sentence["unchecked"] is not None and not places:
                verdict = f"not checked ({quoted(sentence['unchecked'])}, judged)"
            self.found.answer.append(f"{verdict}: {quoted(self.question[start:end])}")
            every += places
            for node in (self.program[place] for place in places):
                if (
                    node.op == "judged"
                    and node["decision"] != "unknown"
                    and not any(self.program[part].op in _SEEN for part in node["seen"])
                ):
                    self.found.problems.append("a claim is judged by nothing that a statement or passage says")
        return self._beneath(every), []

    def _none(self) -> tuple[set[int], list[str]]:
        """Check an abstention: each of its reasons, and that nothing which was tried is an answer."""
        reasons, tried = self.certificate.answer["reasons"], self.certificate.answer["tried"] or ()
        statuses, about = [], set(tried)
        for reason in reasons:
            told = filled(FORMAT["reasons"][reason["code"]], reason, self.said, self.label, self.question)
            self.found.answer.append(f"none: {told}")
            statuses.append(self._reason(reason))
            of = reason.get("of", ())
            about |= set(of) if isinstance(of, tuple) else {of}
        for value in (self.evaluator.values[place] for place in tried):
            yields = value.items if isinstance(value, Nodes) else value is not None and value != []
            if yields and not any(reason["code"] in _EXCUSES for reason in reasons):
                self.found.problems.append("what was tried yields something, and no reason says why it is no answer")
        self.found.read_as = self.said[max(about)] if about else "nothing"
        return self._beneath(about), statuses

    def _reason(self, reason: dict[str, Any]) -> str:
        """How far a reason of an abstention is checked."""
        code, of = reason["code"], reason.get("of")
        value = self.evaluator.values[of] if isinstance(of, int) else None
        found: list[Statement] = []
        try:
            for graph in range(len(self.certificate.data["graphs"])):
                if code == "lacks":
                    side = "out" if reason["direction"] == "forward" else "in"
                    found += self.source.statements(graph, side, reason["entity"], reason["relation"])
                elif code == "unnamed":
                    words = Literal(self.question[slice(*reason["words"])], "string")
                    found += self.source.statements(graph, "in", words, LABEL)
        except Missing:
            return "unverifiable"
        yields = value.items if isinstance(value, Nodes) else value is not None
        if found or (code in _CHECKED and yields):
            self.found.problems.append(f"the reason {code!r} is not so")
        return "recomputed" if code in _CHECKED else "unverifiable" if code in _TOLD else "judged"
