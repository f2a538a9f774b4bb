"""Variant II, fact generation (papers/rr, 5.3 and A.4): facts from questions that evidence answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toulmin.methods.rr.asking import Asker, Extracted, Question
from toulmin.methods.rr.chains import normalised
from toulmin.methods.rr.evidence import Entailed, Found
from toulmin.methods.rr.faithfulness import Thresholds

if TYPE_CHECKING:
    from toulmin.retrieval.knowledge import Evidence

__all__ = ["GeneratedFact", "generate", "replaced"]


@dataclass(frozen=True, slots=True)
class GeneratedFact:
    """A statement made from evidence.

    Args:
        question: asked about a selected fact.
        entailed: the statement, scored with the evidence that the answer stands in.
    """

    question: Question
    answer: str
    entailed: Entailed


async def generate(
    asker: Asker,
    facts: Sequence[Found],
    score: Callable[[Sequence[tuple[str, Evidence]]], list[Entailed]],
    candidates: int,
) -> list[GeneratedFact]:
    """Ask about facts, answer from the evidence, keep questions that their facts answer back, state the answers.

    Args:
        facts: selected facts with the evidence found for them.
        score: scores statements with a piece of evidence each.
        candidates: pieces of evidence that a fact's questions are answered from, at most.
    """
    questions = await asker.questions([one.sentence for one in facts])
    # Filtering (Honovich et al., 2021): asked of the fact itself, a good question is answered by the span it is about.
    back = await _answered(asker, questions, [[one.sentence] for one in facts])
    good = [
        question
        for question, answer in zip(questions, back, strict=True)
        if answer is not None and normalised(answer[1]) == normalised(question.span)
    ]
    pieces = [one.evidence[:candidates] for one in facts]
    answers = await _answered(asker, good, [[piece.text for piece in some] for some in pieces])
    pairs = [
        (question, answer[1], pieces[question.fact][answer[0]])
        for question, answer in zip(good, answers, strict=True)
        if answer is not None
    ]
    if not pairs:
        return []
    stated = await asker.statements([(question.text, answer) for question, answer, _ in pairs])
    made = [(*pair, statement) for pair, statement in zip(pairs, stated, strict=True) if statement]
    scored = await asyncio.to_thread(score, [(statement, piece) for _, _, piece, statement in made])
    return [
        GeneratedFact(question, answer, one)
        for (question, answer, _, _), one in zip(made, scored, strict=True)
    ]


def replaced(
    selected: Sequence[Entailed], generated: Sequence[GeneratedFact], thresholds: Thresholds
) -> list[Entailed | GeneratedFact]:
    """The supporting facts in the end: a selected fact that its evidence does not bear out gives way.

    The rule (the paper has "simple rules based on the entailment and contradiction scores"): a fact whose entailment
    reaches T_e and whose contradiction does not reach T_c stays. Another gives way to what was generated for it and is
    entailed by at least T_e, not contradicted by T_c, and better entailed than the fact; where there is nothing of the
    kind it stays too, unless its contradiction reaches T_c and something else is left.
    """
    facts: list[Entailed | GeneratedFact] = []
    for place, fact in enumerate(selected):
        good = [
            one
            for one in generated
            if one.question.fact == place
            and one.entailed.entailment >= max(thresholds.T_e, fact.entailment)
            and one.entailed.contradiction < thresholds.T_c
        ]
        borne_out = fact.entailment >= thresholds.T_e and fact.contradiction < thresholds.T_c
        if borne_out or not good:
            facts.append(fact)
        else:
            facts.extend({one.entailed.sentence: one for one in good}.values())
    kept = [one for one in facts if isinstance(one, GeneratedFact) or one.contradiction < thresholds.T_c]
    return kept or facts


async def _answered(
    asker: Asker, questions: Sequence[Question], texts: Sequence[Sequence[str]]
) -> list[tuple[int, str] | None]:
    """Answers to questions from the texts of their facts: the position of the text, and the words."""
    lines = list(dict.fromkeys(text for question in questions for text in texts[question.fact]))
    if not lines:
        return [None] * len(questions)
    place = {text: at for at, text in enumerate(lines)}
    answerable = [question for question in questions if texts[question.fact]]
    allowed = [[place[text] for text in texts[question.fact]] for question in answerable]
    found = dict(
        zip(
            map(id, answerable),
            await asker.answers([question.text for question in answerable], lines, allowed),
            strict=True,
        )
    )
    return [_placed(found.get(id(question)), lines, texts[question.fact]) for question in questions]


def _placed(answer: Extracted | None, lines: Sequence[str], texts: Sequence[str]) -> tuple[int, str] | None:
    return None if answer is None else (list(texts).index(lines[answer.line]), answer.answer)
