"""Numbers and dates of a sentence against those of its evidence, compared by code rather than by the network."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from toulmin.english.denials import denials
from toulmin.english.numbers import SCALES
from toulmin.english.text_values import Value, is_converted, is_hedged, stated_values
from toulmin.entailment.protocol import CONTRADICT, ENTAIL, UNKNOWN, Pair, Scores
from toulmin.entailment.statement_premise import has_several_values
from toulmin.graph.quantities import converted

__all__ = ["Agreement", "agreement", "corrected"]

#: "same": each value of the sentence stands in the evidence; "differ": one is excluded by the evidence's only value of
#: its kind; "elsewhere": excluded by each of several; "open": nothing to compare, or it stays open.
Agreement = Literal["same", "differ", "elsewhere", "open"]

_NOUN = re.compile(r"\s([a-z]{3,})", re.IGNORECASE)
_SUM, _SCALE = re.compile(r"([$€£¥])\s?$"), re.compile(rf"(?:{'|'.join(SCALES)})$", re.IGNORECASE)
_SPACED = re.compile(r"\s+([,%])")  # as tokenised texts have them


@dataclass(frozen=True, slots=True)
class _Mention:
    value: Value
    noun: str  # what is counted, where a number has no unit
    last: bool  # a bare number that is the value of a statement: "population: 5000."
    hedged: bool


def agreement(premise: str, hypothesis: str) -> Agreement:
    """Whether the evidence gives the numbers and dates of the sentence.

    Numbers are compared within a dimension, or where they count the same noun; a value under a hedge ("about",
    "before", "at least") excludes nothing and is excluded by nothing. A sentence that denies stays open.
    """
    if denials(hypothesis):
        return "open"
    mentions = _mentions(hypothesis)
    evidence = _mentions(premise) if mentions else []
    verdicts: list[Agreement] = [_agreement_of(mention, evidence) for mention in mentions]
    for verdict in ("differ", "elsewhere", "open"):
        if verdict in verdicts:
            return verdict
    return "same" if verdicts else "open"


def corrected(pairs: Sequence[Pair], scores: Scores) -> Scores:
    """The scores float32[n, 3], where an excluded value leaves no entailment.

    What the network gave to entailment goes to contradiction where the evidence has one other value ("differ"), and to
    unknown where it has several ("elsewhere"), or is a statement of a relation with several: then another may be meant.
    """
    out = scores.copy()
    for row, (premise, hypothesis) in enumerate(pairs):
        verdict = agreement(premise, hypothesis)
        if verdict in ("differ", "elsewhere"):
            contradicts = verdict == "differ" and not has_several_values(premise)
            out[row, CONTRADICT if contradicts else UNKNOWN] += out[row, ENTAIL]
            out[row, ENTAIL] = 0.0
    return out


def _agreement_of(mention: _Mention, evidence: Sequence[_Mention]) -> Agreement:
    if mention.hedged:
        return "open"
    results = [(_same(mention, other), other.hedged) for other in evidence]
    comparable = [same for same, hedged in results if same is not None and not hedged]
    if any(comparable):
        return "same"
    if not comparable or any(hedged and same is not None for same, hedged in results):
        return "open"
    if any(_may_hold(mention, other) for other in evidence):
        return "open"
    return "differ" if len(comparable) == 1 else "elsewhere"


def _same(sentence: _Mention, evidence: _Mention) -> bool | None:
    """Whether the evidence's value is the sentence's, or a finer one of it; None where they cannot be compared."""
    if (a := sentence.value.time) and (b := evidence.value.time):
        return a.start <= b.start and b.end <= a.end
    stated, held = sentence.value.quantity, evidence.value.quantity
    if stated is None or held is None or sentence.value.time or evidence.value.time:
        return None  # a year counts nothing
    if stated.unit is None and held.unit is None:
        alike = evidence.last or (sentence.noun and sentence.noun == evidence.noun)
        return stated.low == held.low if alike else None
    theirs = converted(held, stated.unit) if stated.unit and held.unit else None
    if theirs is None:
        return None
    return theirs.low == stated.low if stated.unit == held.unit else is_converted(theirs.low, stated.low)


def _may_hold(sentence: _Mention, evidence: _Mention) -> bool:
    """Whether a coarser time of the evidence leaves the sentence's open: "1990" against "March 1990"."""
    a, b = sentence.value.time, evidence.value.time
    return a is not None and b is not None and b.start <= a.start and a.end <= b.end


@lru_cache(maxsize=4096)
def _mentions(text: str) -> list[_Mention]:
    text = _SPACED.sub(r"\1", text)
    mentions = []
    for value in stated_values(text):
        if text[value.end : value.end + 1].isalpha():
            continue  # "1st" is no number of anything
        counted = _NOUN.match(text, value.end) if value.quantity and not value.quantity.unit else None
        noun = counted[1].lower().removesuffix("s") if counted else ""
        if (sum_of := _SUM.search(text[: value.start])) is not None:
            noun = sum_of[1]  # of two sums of money, or of two millions, one excludes the other
        elif not noun and (scale := _SCALE.search(text[value.start : value.end])) is not None:
            noun = scale[0].lower()
        last = not noun and text[: value.start].endswith(": ") and not text[value.end :].strip(" .")
        mentions.append(_Mention(value, noun, last, is_hedged(text, value.start, parts=False)))
    return mentions
