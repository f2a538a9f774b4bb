"""Variant II, fact generation (papers/rr, 5.3 and A.4): facts from questions that the evidence answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toulmin.methods.rr.chain_prompter import ChainPrompter, FactQuestion
from toulmin.methods.rr.chains import normalised, parse_chain

if TYPE_CHECKING:
    from toulmin.retrieval.knowledge import Evidence

__all__ = ["GeneratedStatement", "generate"]

_BEFORE = re.compile(r"^(?:(?:about|around|at|by|for|from|in|near|of|on|since|to|until|with)\s+)+(?=\S)")


@dataclass(frozen=True, slots=True)
class GeneratedStatement:
    """A statement made from evidence.

    Args:
        question: asked about a fact.
        answer: words of the evidence.
    """

    question: FactQuestion
    answer: str
    evidence: Evidence
    text: str


async def generate(
    asker: ChainPrompter, facts: Sequence[str], evidence: Sequence[Sequence[Evidence]]
) -> list[GeneratedStatement]:
    """Ask about facts, keep the questions that their facts answer back, answer them from evidence, state the answers.

    An answer that the fact gives itself is not stated: it would only say the fact in other words.

    Args:
        evidence: for each fact what its questions are answered from.
    """
    questions = await asker.questions(facts)
    # Filtering (Honovich et al., 2021): asked of the fact itself, a good question is answered by the span it is about.
    back = await _answered(asker, questions, [[fact] for fact in facts])
    good = [
        question
        for question, answer in zip(questions, back, strict=True)
        if answer is not None and _bare(answer[1]) == _bare(question.span)
    ]
    answers = await _answered(asker, good, [[piece.text for piece in some] for some in evidence])
    found = [(question, *answer) for question, answer in zip(good, answers, strict=True) if answer is not None]
    pairs = [(question, place, answer) for question, place, answer in found if _bare(answer) != _bare(question.span)]
    if not pairs:
        return []
    stated = await asker.statements([(question.text, answer) for question, _, answer in pairs])
    return [
        GeneratedStatement(question, answer, evidence[question.fact][place], text)
        for (question, place, answer), text in zip(pairs, stated, strict=True)
        # what does not read as one sentence cannot be weighed as one
        if text and text not in facts and parse_chain(text).sentences == (text,)
    ]


def _bare(span: str) -> str:
    """A span as it is compared: "in Ulm" and "Ulm", "about 30" and "30" answer alike."""
    return _BEFORE.sub("", normalised(span))


async def _answered(
    asker: ChainPrompter, questions: Sequence[FactQuestion], texts: Sequence[Sequence[str]]
) -> list[tuple[int, str] | None]:
    """Answers to questions, each from the texts of its fact: which of them, and the words."""
    asked = [question for question in questions if texts[question.fact]]
    lines = list(dict.fromkeys(text for question in asked for text in texts[question.fact]))
    if not lines:
        return [None] * len(questions)
    place = {text: at for at, text in enumerate(lines)}
    allowed = [sorted(place[text] for text in texts[question.fact]) for question in asked]
    replies = await asker.answers([question.text for question in asked], lines, allowed)
    found = {
        question: (list(texts[question.fact]).index(lines[reply.line]), reply.answer)
        for question, reply in zip(asked, replies, strict=True)
        if reply is not None
    }
    return [found.get(question) for question in questions]
