"""From the claims of a text to the verdict on each of its sentences, and the check of the conclusion from them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from toulmin.proof.answer import Sentence
from toulmin.proof.context import Context, Finding
from toulmin.proof.model import Conclusion, Fact, Step, Verdict
from toulmin.proof.texts.steps import Claim
from toulmin.proof.texts.values import numbers_of

__all__ = ["check_text_conclusion", "coverage_problem", "sentences_of"]

#: The number of a list item, which belongs to its sentence and states nothing.
_LIST_NUMBER = re.compile(r"^\s*\(?\d{1,3}[.)]\s+")
#: The first of these that a claim of the sentence has is the sentence's. Supported are all its numbers, or it is not.
_DECISIVE: tuple[Verdict, ...] = ("contradicted", "not in the graph", "supported", "not checked")

_WINDOW = 100  # characters before the end of a sentence that are looked at
_OPENING = " \t\r\n\f\v\u00a0\"'“‘«([{*_"  # what may stand before the next sentence, and ends none


def sentences_of(claims: Iterable[Claim], text: str, steps: Mapping[str, Step]) -> tuple[Sentence, ...]:
    """The sentences that claims are about, in the order of the text, each with what follows from its claims."""
    of_span: dict[tuple[int, int], list[Claim]] = {}
    for claim in claims:
        of_span.setdefault((claim.start, claim.end), []).append(claim)
    return tuple(_sentence(text, some, steps) for _, some in sorted(of_span.items()))


def _sentence(text: str, claims: Sequence[Claim], steps: Mapping[str, Step]) -> Sentence:
    found = {claim.verdict for claim in claims}
    verdict = next(one for one in _DECISIVE if one in found)
    deciding = [claim for claim in claims if claim.verdict == verdict]
    scores = [claim.score for claim in deciding]
    sentence = text[claims[0].start : claims[0].end]
    facts = [steps[one] for claim in deciding for one in claim.rests_on]
    reason = "; ".join(dict.fromkeys(claim.reason for claim in deciding))
    stated = {number for claim in claims for number in numbers_of(claim.text)}
    left = [number for number in numbers_of(_LIST_NUMBER.sub("", sentence)) if number not in stated]
    if verdict == "supported" and left:
        verdict, facts, reason = "not in the graph", [], f"no claim of it says {', '.join(dict.fromkeys(left))}"
    return Sentence(
        text=sentence,
        citations=tuple(claim.id for claim in claims),
        start=claims[0].start,
        end=claims[0].end,
        verdict=verdict,
        score=min(scores) if deciding[0].verdict == "supported" else max(scores),
        reason=reason,
        statements=tuple(dict.fromkeys(one.statement_id for one in facts if isinstance(one, Fact))),
    )


def coverage_problem(sentences: Sequence[Sentence], text: str) -> str | None:
    """What sentences leave out of a text, take twice, or cut in two; None where they cover all letters and digits."""
    at = 0
    for one in sentences:
        start, end = one.start or 0, one.end or 0
        if start < at:
            return f"two sentences share the text from {start} to {at}"
        if any(character.isalnum() for character in text[at:start]):
            return f"no claim is about the text from {at} to {start}"
        if _is_cut(text[max(0, at - _WINDOW) : at], text[at:start]):
            return f"a sentence is cut in two at {at}"
        at = end
    left = any(character.isalnum() for character in text[at:])
    return f"no claim is about the text from {at} to {len(text)}" if left else None


def _is_cut(before: str, between: str) -> bool:
    """Whether a sentence stops without an end: after a letter, digit or comma, and in the middle of a line."""
    told = (before + between).rstrip(_OPENING)
    return bool(told) and (told[-1].isalnum() or told[-1] == ",") and "\n" not in (before + between)[len(told) :]


def check_text_conclusion(step: Conclusion, context: Context) -> Finding:
    """The conclusion rests on every claim of the proof, and the answer's sentences are what follows from them."""
    if step.of is not None or step.values or step.verdict is not None or step.at_least or step.reason is not None:
        return Finding("fails", "concludes something beside what its claims say")
    premises = context.premises(step)
    claims = [one for one in premises if isinstance(one, Claim)]
    if others := [one.id for one in premises if not isinstance(one, Claim)]:
        return Finding("fails", f"rests on {others[0]}, which is no claim")
    if not claims:
        return Finding("fails", "rests on no claim")
    every = [one.id for one in context.steps.values() if isinstance(one, Claim)]
    if left_out := sorted(set(every) - set(step.rests_on)):
        return Finding("fails", f"leaves out the claim {left_out[0]}")
    sentences = sentences_of(claims, context.answer.question, context.steps)
    if wrong := coverage_problem(sentences, context.answer.question):
        return Finding("fails", wrong)
    if sentences != context.answer.sentences:
        return Finding("fails", _difference(sentences, context.answer.sentences))
    return Finding("recomputed", f"the verdict on each of {len(sentences)} sentences follows from its claims")


def _difference(computed: Sequence[Sentence], recorded: Sequence[Sentence]) -> str:
    for number, (here, there) in enumerate(zip(computed, recorded, strict=False), 1):
        for field in Sentence.model_fields:
            if getattr(here, field) != getattr(there, field):
                return f"the {field} of sentence {number} is not what follows from its claims"
    return f"{len(computed)} sentences follow from the claims, not {len(recorded)}"
