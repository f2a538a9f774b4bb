"""A text that was checked, as a person reads it in a terminal: each sentence with its facts and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.text import Text

from toulmin.cli.console import print_beside
from toulmin.cli.evidence import VERDICT_STYLES
from toulmin.cli.wording import counted, shorten
from toulmin.entailment.text.checking import REFUSED
from toulmin.proof.answer import Answer, Sentence
from toulmin.proof.checker import CheckReport
from toulmin.proof.model import Fact, Judgement, Step, Verdict
from toulmin.proof.texts.steps import Claim

__all__ = ["print_checked"]

_MARKS: Mapping[Verdict, str] = {"supported": "✓", "contradicted": "✗", "not in the graph": "?", "not checked": "–"}


def print_checked(console: Console, answer: Answer, report: CheckReport, *, heading: str | None = None) -> None:
    """Print each sentence with its verdict, the facts where it states several, and a summary.

    Args:
        heading: of this text, where there are several.
    """
    steps = answer.proof.by_id()
    if heading is not None:
        console.print(Text(f"[{heading}]", "bold"))
    claims = 0
    for sentence in answer.sentences:
        stated = [step for one in sentence.citations if isinstance(step := steps[one], Claim)]
        claims += sum(one.verdict != "not checked" for one in stated)
        _print_sentence(console, sentence, stated, steps)
    console.print(_summary(answer, claims, report))


def _print_sentence(console: Console, sentence: Sentence, stated: Sequence[Claim], steps: Mapping[str, Step]) -> None:
    verdict = sentence.verdict or "not checked"
    score = f" {sentence.score:.2f}" if sentence.score is not None and verdict != "not checked" else ""
    said = Text.assemble(shorten(sentence.text), (f"  {verdict}{score}", VERDICT_STYLES[verdict]))
    print_beside(console, _mark(verdict, 0), said)
    if len(stated) == 1:
        print_beside(console, Text("    "), _why(stated[0], steps))
        return
    for claim in stated:
        print_beside(console, _mark(claim.verdict, 4), Text.assemble(claim.text, (f"  {claim.score:.2f}", "dim")))
        print_beside(console, Text("        "), _why(claim, steps))


def _mark(verdict: Verdict, indent: int) -> Text:
    return Text.assemble(" " * indent, (f"{_MARKS[verdict]} ", VERDICT_STYLES[verdict]))


def _why(claim: Claim, steps: Mapping[str, Step]) -> Text:
    """The reason of a claim with the ids of the statements that it names, or why no verdict is given."""
    judged = steps.get(claim.judgement)
    if isinstance(judged, Judgement) and judged.by.startswith(REFUSED):
        return Text(shorten(f"no verdict is given: {judged.by.removeprefix(REFUSED)}"))
    cited = [step.statement_id for one in claim.rests_on if isinstance(step := steps[one], Fact)]
    ids = f" [{', '.join(cited)}]" if cited else ""
    return Text.assemble(shorten(claim.reason), (ids, "dim"))


def _summary(answer: Answer, claims: int, report: CheckReport) -> Text:
    count = Counter(sentence.verdict or "not checked" for sentence in answer.sentences)
    told: list[str | tuple[str, str]] = [f"{counted(len(answer.sentences), 'sentence')}, {counted(claims, 'fact')}: "]
    for verdict in VERDICT_STYLES:
        if count[verdict]:
            told += [", "] * (len(told) > 1) + [(f"{count[verdict]} {verdict}", VERDICT_STYLES[verdict])]
    about = [f"{answer.usage.seconds:.1f} s"]
    if answer.model:
        failed = sum(answer.usage.failures.values())
        about += [shorten(answer.model), counted(answer.usage.model_calls, "call")]
        about += [f"{counted(failed, 'reply')} not usable"] if failed else []
    proof = "the proof checks" if report.exit_code == 0 else f"the proof does not check: {'; '.join(report.problems)}"
    return Text.assemble(*told, (f"  ({', '.join(about)}; {proof})", "dim"))
