"""An answer and what the kernel found of it, as a person reads them in a terminal, in the kernel's words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from toulmin.cli.console import print_beside
from toulmin.cli.drawing import Pen
from toulmin.cli.wording import counted, node_words, shorten
from toulmin.entailment.text.checking import REFUSED
from toulmin.kernel import Report
from toulmin.program.answer import Answer, Usage

__all__ = ["SHOWN", "print_answer", "print_checked"]

#: Statements of a node, and values of an answer, that are shown unless all are asked for.
SHOWN = 10
_MARGIN = 14  # columns of the headings at the left
_NODES, _CHAINS = 40, 5
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
}


def print_answer(console: Console, answer: Answer, report: Report, *, everything: bool = False) -> None:
    """Print the question, what was read of it, the answer, its program node by node, and whether it passes."""
    _block(console, "Question", [_question(answer)])
    _block(
        console, "Read as", [Text.assemble(report.read_as, (f"  ({report.judge})", "dim"))] if report.read_as else []
    )
    _block(console, "Answer", [*_said(console, answer, report, everything=everything), _about(answer)], gap=True)
    needed = [node for node in report.nodes if node["used"] or node["status"] in ("stale", "fails")]
    shown = needed if everything else needed[:_NODES]
    lines = [line for node in shown for line in _node(node)]
    lines += [Text(f"… and {len(needed) - len(shown):,} more", "dim")] if len(needed) > len(shown) else []
    _block(console, "Proof", lines, gap=True)
    chains = [chain for node in answer.certificate["program"] if node["op"] == "vote" for chain in node["chains"]]
    _block(console, "Outputs", _chains(chains if everything else chains[:_CHAINS]), gap=True)
    _block(console, "Checked", [*_found(report)], gap=True)


def print_checked(console: Console, answer: Answer, report: Report, *, heading: str | None = None) -> None:
    """Print each sentence of a text with its verdict, its claims where it states several, and a summary.

    Args:
        heading: of this text, where there are several.
    """
    if heading is not None:
        console.print(Text(f"[{heading}]", "bold"))
    program, claims = answer.certificate["program"], 0
    for sentence in answer.sentences:
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
        for node, place in nodes:
            if len(nodes) > 1 and node["op"] == "judged":
                mark, style = _VERDICTS[_DECIDED[node["decision"]]]
                said = Text.assemble(shorten(node["says"]), (f"  {node['score']:.2f}", "dim"))
                print_beside(console, Text(f"    {mark} ", style), said)
            for line in _seen(report, node, place):
                print_beside(console, Text("        " if len(nodes) > 1 else "    "), line)
    console.print(_summary(answer, claims, report))


_DECIDED = {"yes": "supported", "no": "contradicted", "unknown": "not in the graph"}


def _seen(report: Report, node: Mapping[str, Any], place: int) -> list[Text]:
    """What a claim was judged by, in the kernel's words, or why no verdict is given."""
    by = node.get("by", "")
    if by.startswith(REFUSED):
        return [Text(shorten(f"no verdict is given: {by.removeprefix(REFUSED)}"))]
    seen = [report.nodes[part] for part in node.get("seen", ())] or [report.nodes[place]]
    told = [text for part in seen if part["op"] != "entity" for text in part["statements"] or [part["sentence"]]]
    return [Text(text, "dim") for text in dict.fromkeys(told)]


def _block(console: Console, heading: str, lines: Sequence[Text], *, gap: bool = False) -> None:
    if not lines:
        return
    if gap:
        console.print()
    for number, line in enumerate(lines):
        print_beside(console, Text(f"{heading if number == 0 else '':<{_MARGIN}}", "bold blue"), line)


def _question(answer: Answer) -> Text:
    question = Text(answer.question)
    for node in answer.certificate["program"]:
        if node["op"] in ("entity", "literal") and node.get("words"):
            question.stylize("bold underline", *node["words"])
    return question


def _said(console: Console, answer: Answer, report: Report, *, everything: bool) -> list[Text]:
    if answer.abstained or not answer.values:
        style = "yellow" if answer.abstained else "bold green"
        return [Text(text, style) for text in report.answer]
    shown = answer.values if everything else answer.values[:SHOWN]
    at_least = "at least " if answer.at_least else ""
    lines = Pen(console).row([f"{at_least}{node_words(value)}" for value in shown], "bold green", _MARGIN)
    left = len(answer.values) - len(shown)
    return [*lines, *([Text(f"… and {left:,} more", "dim")] if left else [])]


def _about(answer: Answer) -> Text:
    about = [f"{len(answer.values):,} answers"] if len(answer.values) > 1 else []
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


def _node(node: Mapping[str, Any]) -> Iterable[Text]:
    status = node["status"]
    yield Text.assemble((f"{node['place']:>3} ", "dim"), (f"{status:<12} ", _STYLES[status]), node["sentence"])
    told = () if node["op"] == "entity" else node["statements"]  # that a name is one is said already
    for text in (node["reason"], *told):
        if text:
            yield Text(f"{'':17}{text}", "dim")


def _chains(chains: Sequence[Mapping[str, Any]]) -> list[Text]:
    lines = []
    for chain in chains:
        lines.append(Text(f"{chain.get('prediction') or 'no prediction'}: {shorten(chain['text'])}"))
        for one in chain["sentences"]:
            scores = f"entailed {one['entailment']:.2f}, contradicted {one['contradiction']:.2f}"
            lines.append(Text(f"  {shorten(one['text'])}  ({scores})", "dim"))
    return lines


def _found(report: Report) -> Iterable[Text]:
    for text in report.graphs:
        yield Text(text, "dim")
    for text in report.problems:
        yield Text(text, "bold red")
    passes = ("passes", "does not pass", "is not a certificate")[report.exit_code]
    yield Text(f"{passes}: {report.status}", _STYLES[report.status] if report.exit_code == 0 else "bold red")


def _summary(answer: Answer, claims: int, report: Report) -> Text:
    count: Counter[str] = Counter(sentence.verdict for sentence in answer.sentences)
    parts = [(f"{count[verdict]} {verdict}", style) for verdict, (_, style) in _VERDICTS.items() if count[verdict]]
    told: list[str | tuple[str, str]] = [f"{counted(len(answer.sentences), 'sentence')}, {counted(claims, 'fact')}: "]
    for number, part in enumerate(parts):
        told += [*([", "] if number else []), part]
    about = [f"{answer.usage.seconds:.1f} s"]
    if answer.model:
        about += [shorten(answer.model), *_cost(answer.usage)[:1]]
    checks = "its certificate checks" if report.exit_code == 0 else f"does not check: {'; '.join(report.problems)}"
    return Text.assemble(*told, (f"  ({', '.join(about)}; {checks})", "dim"))
