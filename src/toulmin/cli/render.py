"""What a person reads in a terminal: an answer and what the kernel found of it, and the events on the way to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel
from rich.console import Console
from rich.text import Text

from toulmin.check_text.checking import REFUSED
from toulmin.check_text.rules import VerdictRule
from toulmin.cli.console import counted, print_beside, shorten
from toulmin.cli.drawing import Pen, node_words
from toulmin.cli.options import SHOWN
from toulmin.graph.types import Direction, Entity, Relation, Statement
from toulmin.kernel import Report
from toulmin.methods.protocol import Answered, Called, Event, Linked, Searched, WalkedPath
from toulmin.program.answer import Answer, Usage, caution
from toulmin.program.checked_sentences import CheckedSentence

__all__ = ["print_answer", "print_checked", "print_event", "print_readings"]

_MARGIN = 14  # columns of the headings at the left
_NODES, _CHAINS = 40, 5
_SAID = ("entity", "statement", "passage")  # what was looked up stands in the sentence of the node
_Line = tuple[Text | str, Text]
_STYLES: Mapping[str, str] = {
    "holds": "green",
    "recomputed": "green",
    "judged": "yellow",
    "assumed": "yellow",
    "unverifiable": "magenta",
    "stale": "red",
    "fails": "bold red",
}
_VERDICTS: Mapping[str, tuple[str, str]] = {
    "supported": ("✓", "green"),
    "contradicted": ("✗", "bold red"),
    "not in the graph": ("?", "yellow"),
    "not checked": ("–", "dim"),
    "open": ("?", "yellow"),
    "uncited": ("–", "dim"),
}


def print_answer(console: Console, answer: Answer, report: Report, *, everything: bool = False) -> None:
    """Print the question, what was read of it, the answer, its program node by node, and whether it passes."""
    if answer.asked is not None:
        _print_cited(console, answer, report)
        return
    _block(console, "Question", [_question(answer)])
    if answer.certificate["program"] or not answer.abstained:
        _block(console, "Read as", [Text.assemble(report.read_as, (f"  ({report.judge})", "dim"))])
    _block(
        console, "Answer", [*_answer_lines(console, answer, report, everything=everything), _about(answer)], gap=True
    )
    # What the answer needs (of a variable its binder speaks), and what something is wrong with.
    needed = [n for n in report.nodes if (n["used"] and n["op"] != "it") or n["status"] in ("stale", "fails")]
    shown = needed if everything else needed[:_NODES]
    program = answer.certificate["program"]
    wide = len(f"[{shown[-1]['place']}] ") if shown else 0
    lines = [line for found in shown for line in _node(answer.question, program[found["place"]], found, wide)]
    lines += [("", _more(len(needed) - len(shown)))] if len(needed) > len(shown) else []
    _block(console, "Program", lines, gap=True)
    votes = [line for node in program if node["op"] == "vote" for line in _chains(dict(node), everything=everything)]
    _block(console, "Outputs", votes, gap=True)
    _block(console, "Checked", [*_check_lines(report)], gap=True)


def print_readings(console: Console, answer: Answer, *, only: Sequence[int] | None = None) -> None:
    """Print what the question may mean, each reading with its probability and what it yields.

    Args:
        only: the numbers of those that are printed; None: all.
    """
    lines: list[_Line] = []
    for number, reading in enumerate(answer.readings, 1):
        if only is None or number in only:
            yields, of = reading["yields"], reading["of"]
            values = ", ".join(yields) + (f" … ({of:,})" if of > len(yields) else "")
            says = Text.assemble(shorten(reading["says"]), (f"  {reading['probability']:.2f}", "dim"))
            lines.append((Text(f"[{number}] ", "cyan"), says))
            lines.append((Text(" " * len(f"[{number}] ")), Text(f"→ {values}", "dim")))
    trace = answer.certificate.get("trace") or {}
    words = [(answer.question[start:end], part) for start, end, part in trace.get("words", ())] if only is None else []
    if words:
        by = "; ".join(f"“{word}” {f'by {part}' if part else 'by nothing alone'}" for word, part in words)
        lines.append((Text("    "), Text(shorten(f"accounted for in [1]: {by}"), "dim")))
    _block(console, "Readings", lines or [Text("the method tells no other readings", "dim")], gap=True)


def _print_cited(console: Console, answer: Answer, report: Report) -> None:
    """Print a text that answers a question: each sentence with its verdict and the numbers of what it rests on."""
    _block(console, "Question", [Text(shorten(answer.asked or ""))])
    program, numbers = answer.certificate["program"], dict[int, int]()
    lines: list[_Line] = []
    for sentence in answer.sentences:
        seen = [place for claim in sentence.claims for place in program[claim].get("seen", ())]
        stated_by = [place for place in dict.fromkeys(seen) if program[place]["op"] != "entity"]
        cited = [numbers.setdefault(place, len(numbers) + 1) for place in stated_by]
        mark, style = _VERDICTS[sentence.verdict]
        notes = "".join(f"[{number}]" for number in cited)
        remark = _CITED.get(sentence.verdict) or f"  {sentence.verdict}: {_open(program, sentence)}"
        line = Text.assemble(shorten(sentence.text), (f" {notes}" if notes else "", "cyan"), (remark.rstrip(), style))
        lines.append((Text(f"{mark} ", style), line))
    _block(console, "Answer", [*lines, _about(answer)], gap=True)
    wide = len(f"[{len(numbers)}] ")
    stated: list[_Line] = []
    for place, number in numbers.items():
        node = report.nodes[place]
        statement = (node["statements"] or [node["sentence"]])[0]
        before = Text.assemble((f"{f'[{number}]':<{wide}}", "cyan"), (f"{node['status']:<6} ", _STYLES[node["status"]]))
        stated.append((before, Text(statement)))
    _block(console, "Rests on", stated, gap=True)
    _block(console, "Checked", [Text(report.judge, "dim"), *_check_lines(report)], gap=True)


def print_checked(console: Console, answer: Answer, report: Report, *, heading: str | None = None) -> None:
    """Print each sentence of a text with its verdict, its claims where it states several, and a summary.

    Args:
        heading: of this text, where there are several.
    """
    if heading is not None:
        console.print(Text(f"[{heading}]", "bold"))
    program, claims = answer.certificate["program"], 0
    rules = (answer.certificate.get("trace") or {}).get("rules") or [()] * len(answer.sentences)
    for sentence, rule_names in zip(answer.sentences, rules, strict=True):
        nodes = [(program[place], place) for place in sentence.claims]
        claims += len(nodes)
        scores = [node["score"] for node, _ in nodes if node["op"] == "judged"]
        score = f" {min(scores):.2f}" if scores and sentence.verdict != "not checked" else ""
        mark, style = _VERDICTS[sentence.verdict]
        print_beside(
            console,
            Text(f"{mark} ", style),
            Text.assemble(shorten(sentence.text), (f"  {sentence.verdict}{score}", style)),
        )
        if sentence.verdict == "not checked":
            print_beside(console, Text("    "), Text(shorten(sentence.reason or ""), "dim"))
        if not nodes:
            _print_rule(console, "    ", rule_names)
        for number, (node, place) in enumerate(nodes):
            if len(nodes) > 1 and node["op"] == "judged":
                mark, style = _VERDICTS[_DECIDED[node["decision"]]]
                claim = Text.assemble(shorten(node["says"]), (f"  {node['score']:.2f}", "dim"))
                print_beside(console, Text(f"    {mark} ", style), claim)
            indent = "        " if len(nodes) > 1 else "    "
            for line in _judged_by(report, node, place):
                print_beside(console, Text(indent), line)
            _print_rule(console, indent, rule_names[number : number + 1])
    console.print(_summary(answer, claims, report))


def _print_rule(console: Console, indent: str, names: Sequence[str]) -> None:
    """Print the rule that decided (``--explain``) and what it says."""
    for name in names:
        print_beside(console, Text(indent), Text(f"rule “{name}”: {VerdictRule(name).meaning}", "cyan"))


def _open(program: Sequence[Mapping[str, Any]], sentence: CheckedSentence) -> str:
    """Why what a sentence cites neither bears it out nor contradicts it."""
    by = (str(program[claim].get("by", "")) for claim in sentence.claims)
    refused = dict.fromkeys(reason.removeprefix(REFUSED) for reason in by if reason.startswith(REFUSED))
    return shorten("; ".join(refused) or "what it cites does not say it")


#: What is told of a sentence by what it cites, where that is the same of each.
_CITED = {
    "supported": " ",
    "contradicted": "  what it cites contradicts this",
    "uncited": "  uncited",
}
_DECIDED = {"yes": "supported", "no": "contradicted", "unknown": "not in the graph"}


def _judged_by(report: Report, node: Mapping[str, Any], place: int) -> list[Text]:
    """What a claim was judged by, in the kernel's words, or why no verdict is given."""
    by = node.get("by", "")
    if by.startswith(REFUSED):
        return [Text(shorten(f"no verdict is given: {by.removeprefix(REFUSED)}"))]
    judged = node["op"] == "judged"
    seen = [report.nodes[part] for part in (node["seen"] if judged else (place,))]
    lines = [text for part in seen if part["op"] != "entity" for text in part["statements"] or [part["sentence"]]]
    if not lines or node.get("decision") == "unknown":
        names = ", ".join(part["sentence"] for part in seen if part["op"] == "entity")
        lines = [f"the graph does not say this of {names}" if names else "it names nothing of the graph", *lines]
    return [Text(text, "dim") for text in dict.fromkeys(lines)]


def _block(console: Console, heading: str, lines: Sequence[Text | _Line], *, gap: bool = False) -> None:
    """Print lines beside a heading; of a pair, what is too long for a line hangs below its second part."""
    if not lines:
        return
    if gap:
        console.print()
    for number, given in enumerate(lines):
        before, line = given if isinstance(given, tuple) else ("", given)
        margin = Text(f"{heading if number == 0 else '':<{_MARGIN}}", "bold blue")
        print_beside(console, margin + (before if isinstance(before, Text) else Text(before)), line)


def _more(number: int) -> Text:
    return Text(f"… and {number:,} more (--all shows them)", "dim")


def _question(answer: Answer) -> Text:
    question = Text(answer.question)
    for node in answer.certificate["program"]:
        if node["op"] in ("entity", "literal") and node.get("words"):
            question.stylize("bold underline", *node["words"])
    return question


def _answer_lines(console: Console, answer: Answer, report: Report, *, everything: bool) -> list[Text]:
    if answer.abstained:
        reasons = "; ".join(text.removeprefix("none: ") for text in report.answer)
        return [Text(f"Not answerable from this graph: {reasons}", "yellow")]
    if not answer.values or any(isinstance(value, Entity) for value in answer.values):
        return [Text(text, "bold green") for text in report.answer]  # labels of the graph, not the answer's own
    shown = answer.values if everything else answer.values[:SHOWN]
    at_least = "at least " if answer.at_least else ""
    lines = Pen(console).row([f"{at_least}{node_words(value)}" for value in shown], "bold green", _MARGIN)
    hidden = len(answer.values) - len(shown)
    return [*lines, *([_more(hidden)] if hidden else [])]


def _about(answer: Answer) -> Text:
    about = [warning] if (warning := caution(answer)) else []
    about += [f"{len(answer.values):,} answers"] if len(answer.values) > 1 else []
    about += [f"confidence {answer.confidence:.2f}"] if answer.confidence is not None else []
    about += [f"method {shorten(answer.method)}"]
    about += [f"model {shorten(answer.model)}"] if answer.model else []
    about += [f"{answer.usage.seconds:.2f} s"] if answer.usage.seconds else []
    about += _cost(answer.usage) if answer.usage.model_calls else []
    return Text(", ".join(about), "dim")


def _cost(usage: Usage) -> list[str]:
    failed = sum(usage.failures.values())
    cost = [f"{usage.cost:.4f} $"] if usage.cost is not None else []
    unusable = [f"{counted(failed, 'reply')} not usable"] if failed else []
    tokens = f"{usage.prompt_tokens:,} + {usage.completion_tokens:,} tokens"
    return [counted(usage.model_calls, "model call"), tokens, *cost, *unusable]


def _node(question: str, node: Mapping[str, Any], found: Mapping[str, Any], wide: int) -> Iterable[_Line]:
    """What was found of a node; of an entity also the words that are taken for it, and its id."""
    status, place, sentence = found["status"], f"[{found['place']}]", found["sentence"]
    if node["op"] == "entity":
        words = f"“{shorten(question[slice(*node['words'])])}” is " if node.get("words") else ""
        sentence = f"{words}{sentence} ⟨{shorten(node['id'])}⟩"
    yield Text.assemble((f"{place:<{wide}}", "dim"), (f"{status:<12} ", _STYLES[status])), Text(sentence)
    statements = () if found["op"] in _SAID else found["statements"]
    for text in (found["reason"], *statements):
        if text:
            yield "    ", Text(text, "dim")


def _chains(node: dict[str, Any], *, everything: bool) -> Iterable[_Line]:
    """The outputs of a vote, each with its weight and the scores of its sentences."""
    from toulmin.program.nodes import Vote
    from toulmin.program.weighing import weight

    vote = Vote.model_validate(node)
    shown = vote.chains if everything else vote.chains[:_CHAINS]
    for chain in shown:
        prediction = shorten(chain.prediction) if chain.prediction else "no prediction"
        yield Text(f"{prediction}, {weight(vote, chain):.2f}  ", "bold"), Text(shorten(chain.text))
        for sentence in chain.sentences:
            scores = f"  (entailed {sentence.entailment:.2f}, contradicted {sentence.contradiction:.2f})"
            yield "    ", Text.assemble(shorten(sentence.text), (scores, "dim"))
    if len(vote.chains) > len(shown):
        yield "", _more(len(vote.chains) - len(shown))


def _check_lines(report: Report) -> Iterable[Text]:
    for text in report.graphs:
        yield Text(f"graph {text}", "dim")
    for text in report.problems:
        yield Text(text, "bold red")
    passes = ("passes", "does not pass", "is not a certificate")[report.exit_code]
    yield Text(f"{passes}: {report.status}", _STYLES[report.status] if report.exit_code == 0 else "bold red")


def _summary(answer: Answer, claims: int, report: Report) -> Text:
    count: Counter[str] = Counter(sentence.verdict for sentence in answer.sentences)
    parts = [Text(f"{count[verdict]} {verdict}", style) for verdict, (_, style) in _VERDICTS.items() if count[verdict]]
    total = f"{counted(len(answer.sentences), 'sentence')}, {counted(claims, 'fact')}: "
    about = [f"{answer.usage.seconds:.1f} s"]
    if answer.model:
        about += [shorten(answer.model), *_cost(answer.usage)[:1]]
    checks = "its certificate checks" if report.exit_code == 0 else f"does not check: {'; '.join(report.problems)}"
    return Text.assemble(total, Text(", ").join(parts), (f"  ({', '.join(about)}; {checks})", "dim"))


_PATHS = 10  # the best of a search
_INDENT = Text("  ")


def print_event(console: Console, event: Event) -> None:
    """Print one event; the last, which holds the answer, is left to those who print answers."""
    match event:
        case Answered():
            return
        case Linked():
            console.print(Text("linked", "bold"))
            for link in event.entities:
                words = f"{link.score:.2f}  “{link.text}” is {node_words(link.entity)} ⟨{link.entity.id}⟩ ({link.how})"
                print_beside(console, _INDENT, Text(words))
        case Searched():
            console.print(Text(f"searched from {node_words(event.start)}", "bold"))
            for path in event.paths[:_PATHS]:
                for line in _drawn(console, path):
                    print_beside(console, _INDENT, line)
        case Called():
            how = "" if event.called else ", from the cache or a replay"
            tokens = f"{event.prompt_tokens:,} + {event.completion_tokens:,} tokens"
            console.print(
                Text.assemble(("asked the model", "bold"), f" for {event.step}: {tokens}, {event.seconds:.2f} s{how}")
            )
            reply = f"not usable: {event.problem}" if event.problem else event.reply
            print_beside(console, _INDENT, Text(shorten(reply)))
        case _:  # of one method only
            console.print(Text(event.event, "bold"))
            for field in type(event).model_fields:
                if field != "event":
                    for line in _field(console, field, getattr(event, field)):
                        print_beside(console, _INDENT, line)


def _field(console: Console, name: str, value: object) -> list[Text]:
    """A field of an event: paths and statements drawn, names and texts as they are, all else as JSON."""
    items = value if isinstance(value, tuple) else (value,)
    if value is None or value == "" or not items:
        return []
    lines: list[Text] = []
    words: list[str] = []
    for item in items[:_PATHS]:
        if isinstance(item, WalkedPath):
            lines += _drawn(console, item)
        elif isinstance(item, Statement):
            lines += Pen(console).statement(item, len(_INDENT))
        else:
            words.append(_words(item))
    if words:
        lines.append(Text(f"{name}: {'; '.join(words)}"))
    if len(items) > _PATHS:
        lines.append(Text(f"… and {len(items) - _PATHS:,} more {name}", "dim"))
    return lines


def _words(value: object) -> str:
    """A text, a name, an axiom by its sentence, a clause with its truth, a number; else JSON."""
    match value:
        case bool() | None:
            return {True: "yes", False: "no", None: "unknown"}[value]
        case str() | int() | float():
            return shorten(str(value))
        case Entity():
            return node_words(value)
        case BaseModel():
            words = getattr(value, "words", getattr(value, "text", None))
            return shorten(words) if isinstance(words, str) else shorten(value.model_dump_json(exclude_defaults=True))
    if (text := getattr(value, "text", None)) is not None:  # a clause with its truth
        truth = [_words(value.truth)] if hasattr(value, "truth") else []
        how = [f"({shorten(value.how)})"] if hasattr(value, "how") else []
        return " ".join([shorten(text), *truth, *how])
    return shorten(str(value))


def _drawn(console: Console, path: WalkedPath) -> list[Text]:
    hops: list[tuple[Relation, Direction, str]] = [
        (relation, "backward" if direction == "backward" else "forward", f"?{number}")
        for number, (relation, direction) in enumerate(path.relations, 1)
    ]
    return Pen(console).chain(f"{path.score:.2f} ", hops, len(_INDENT))
