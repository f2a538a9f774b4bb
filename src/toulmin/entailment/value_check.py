"""Numbers and dates of a sentence against those of its evidence, compared by code rather than by the network."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from toulmin.english.denials import denials
from toulmin.entailment.protocol import CONTRADICT, ENTAIL, UNKNOWN, Pair
from toulmin.entailment.statement_premise import has_several_values
from toulmin.graph.quantities import Quantity, in_common_unit, parse_quantity
from toulmin.graph.times import TimeInterval, parse_time

if TYPE_CHECKING:
    from toulmin.entailment.protocol import Scores

__all__ = ["Agreement", "agreement", "corrected"]

#: "same": each value of the sentence stands in the evidence; "differ": one is excluded by the evidence's only value of
#: its kind; "elsewhere": excluded by each of several; "open": nothing to compare, or it stays open.
Agreement = Literal["same", "differ", "elsewhere", "open"]

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?"
_TIME = re.compile(
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH},? \d{{3,4}}|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{3,4}}"
    rf"|{_MONTH}(?:,| of)? \d{{4}}|\d{{4}}-\d\d(?:-\d\d)?|\d{{1,4}} (?:BCE?|CE|AD)|\d\d[1-9]0s"
    r"|\d{1,2}(?:st|nd|rd|th)[ -]century|1\d{3}|20\d\d)\b(?![.,]\d|[-–]\d|')"
)
_UNIT = (
    r"kilomet(?:re|er)s?|centimet(?:re|er)s?|millimet(?:re|er)s?|met(?:re|er)s?|km|cm|mm|miles?|feet|foot|inch(?:es)?|yards?"
    r"|kilograms?|kg|grams?|pounds?|tonnes?|litres?|liters?|hectares?|acres?|hours?|minutes?|seconds?|days?|weeks?|months?"
    r"|percent|degrees?|watts?|volts?|USD|EUR|GBP"
)
_WORDS = {
    word: number
    for number, word in enumerate("two three four five six seven eight nine ten eleven twelve".split(), start=2)
}
_NUMBER = re.compile(
    rf"(?<![\w.,-])(?P<number>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?|{'|'.join(_WORDS)})"
    rf"(?:(?:\s|-)?(?P<unit>%|(?:{_UNIT})\b|(?<=\s)m\b)|\s(?P<noun>[a-z]{{3,}})|(?![\w-]))",
    re.IGNORECASE,
)
_SPACED = re.compile(r"\s+([,%])")  # as tokenised texts have them
#: Before a value they make it a bound, an estimate, or one end of a span.
_HEDGES = frozenset(
    """about above after almost approximately around before below beyond between by circa exceeding from least less more
    most nearly over roughly since than through till to under until up within""".split()
)


@dataclass(frozen=True, slots=True)
class _Mention:
    value: TimeInterval | Quantity
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
    if not any(character.isdigit() for character in hypothesis) and not _NUMBER.search(hypothesis):
        return "open"
    evidence = list(_mentions(premise))
    found: list[Agreement] = [_one(mention, evidence) for mention in _mentions(hypothesis)]
    for verdict in ("differ", "elsewhere", "open"):
        if verdict in found:
            return verdict
    return "same" if found else "open"


def corrected(pairs: Sequence[Pair], scores: Scores) -> Scores:
    """The scores float32[n, 3], where an excluded value leaves no entailment.

    What the network gave to entailment goes to contradiction where the evidence has one other value ("differ"), and to
    unknown where it has several ("elsewhere"), or is a statement of a relation with several: then another may be meant.
    """
    out = scores.copy()
    for row, (premise, hypothesis) in enumerate(pairs):
        found = agreement(premise, hypothesis)
        if found in ("differ", "elsewhere"):
            contradicts = found == "differ" and not has_several_values(premise)
            out[row, CONTRADICT if contradicts else UNKNOWN] += out[row, ENTAIL]
            out[row, ENTAIL] = 0.0
    return out


def _one(mention: _Mention, evidence: Sequence[_Mention]) -> Agreement:
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
    a, b = sentence.value, evidence.value
    if isinstance(a, TimeInterval) and isinstance(b, TimeInterval):
        return a.start <= b.start and b.end <= a.end
    if isinstance(a, Quantity) and isinstance(b, Quantity):
        if a.unit is None and b.unit is None:
            alike = evidence.last or (sentence.noun and sentence.noun == evidence.noun)
            return a.low == b.low if alike else None
        if a.unit is None or b.unit is None:
            return None
        both = in_common_unit(b, a)
        # A converted number is rounded in texts: half a percent is no other number.
        return (
            abs(both[0].low - both[1].low) * 200 <= abs(both[1].low)
            if both and a.unit != b.unit
            else (both[0].low == both[1].low if both else None)
        )
    return None


def _may_hold(sentence: _Mention, evidence: _Mention) -> bool:
    """Whether a coarser time of the evidence leaves the sentence's open: "1990" against "March 1990"."""
    a, b = sentence.value, evidence.value
    return isinstance(a, TimeInterval) and isinstance(b, TimeInterval) and b.start <= a.start and a.end <= b.end


def _mentions(text: str) -> Iterator[_Mention]:
    text = _SPACED.sub(r"\1", text)
    taken: list[tuple[int, int]] = []
    for match in _TIME.finditer(text):
        written = match[0].replace("-century", " century").replace(" of ", " ")
        if time := parse_time(written):
            taken.append(match.span())
            yield _Mention(time, "", False, _hedged(text, match.start()))
    for match in _NUMBER.finditer(text):
        if any(start < match.end() and match.start("number") < end for start, end in taken):
            continue
        number = str(_WORDS.get(match["number"].lower(), match["number"]))
        unit = "percent" if match["unit"] == "%" else match["unit"]
        quantity = parse_quantity(f"{number} {unit}" if unit else number)
        if quantity is not None:
            noun = (match["noun"] or "").lower().removesuffix("s")
            last = not noun and text[: match.start()].endswith(": ") and not text[match.end() :].strip(" .")
            yield _Mention(quantity, noun, last, _hedged(text, match.start()))


def _hedged(text: str, start: int) -> bool:
    before = re.findall(r"\w+", text[max(0, start - 24) : start])
    return any(word.lower() in _HEDGES for word in before[-1:]) or (
        len(before) > 1
        and ((before[-1] in ("the", "year") and before[-2].lower() in _HEDGES) or before[-2:] == ["as", "of"])
    )
