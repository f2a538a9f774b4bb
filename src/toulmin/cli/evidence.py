"""Sentences of texts, passages and chains of thought, as a person reads them in a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.text import Text

from toulmin.cli.wording import shorten
from toulmin.proof.answer import Answer, Sentence
from toulmin.proof.chains.steps import Chain
from toulmin.proof.chains.wording import chain_words, sentence_words
from toulmin.proof.model import Verdict
from toulmin.proof.passages import Passage

__all__ = ["VERDICT_STYLES", "chain_lines", "passage_lines", "sentence_lines"]

VERDICT_STYLES: Mapping[Verdict, str] = {
    "supported": "green",
    "contradicted": "bold red",
    "not in the graph": "yellow",
    "not checked": "dim",
}


def sentence_lines(sentences: Sequence[Sentence]) -> list[Text]:
    """Each sentence of a text with its verdict and score, and beneath it why and by which statements."""
    lines: list[Text] = []
    for one in sentences:
        verdict = one.verdict or "not checked"
        score = "" if one.score is None or verdict == "not checked" else f" {one.score:.2f}"
        lines.append(Text.assemble((f"{verdict}{score}", VERDICT_STYLES[verdict]), f": {shorten(one.text)}"))
        cited = f" [{', '.join(one.statements)}]" if one.statements else ""
        lines.append(Text(f"  {shorten(one.reason or '')}{cited}", "dim"))
    return lines


def passage_lines(passages: Sequence[Passage]) -> list[Text]:
    """Each passage with its place."""
    return [
        Text.assemble(
            (f"[{one.id}] ", "dim"), f"{one.source}: “{shorten(one.text)}”", (f" ({one.start}-{one.end})", "dim")
        )
        for one in passages
    ]


def chain_lines(chains: Sequence[Chain], answer: Answer) -> list[Text]:
    """Each chain of thought with what it comes to and its weight, and its sentences with their scores."""
    steps = answer.proof.by_id()
    lines: list[Text] = []
    for one in chains:
        lines.append(Text.assemble((f"[{one.id}] ", "dim"), shorten(chain_words(one, steps))))
        lines += [Text(f"  {shorten(sentence)}", "dim") for sentence in sentence_words(one, steps)]
    return lines
