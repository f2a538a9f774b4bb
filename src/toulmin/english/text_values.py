"""Numbers and dates as a sentence writes them, compared with the values of a graph: rounded, scaled, converted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from toulmin.english.numbers import NUMBER_WORDS, SCALES, read_number
from toulmin.english.words import FUNCTION_WORDS
from toulmin.graph.quantities import Quantity, in_common_unit, is_known_unit
from toulmin.graph.times import TimeInterval, parse_time

__all__ = ["Bound", "Value", "best_value", "bound_before", "is_beyond", "same_value", "value_of", "values_in"]

#: How words before a value bound it: what holds is more, no less, less, no more, or near it.
Bound = Literal["more", "no less", "less", "no more", "near"]

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?"
_DATE = re.compile(
    rf"\b(?:\d{{4}}-\d\d-\d\d|\d{{4}}/\d\d/\d\d|\d\d?/\d\d?/\d{{4}}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?(?: day)?(?: of)? {_MONTH},? (?:of )?\d{{3,4}}"
    rf"|{_MONTH} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?:,? (?:of )?|,)\d{{3,4}}|{_MONTH}(?:,| of)? \d{{4}}"
    r"|\d{1,4} (?:BCE?|CE|AD)|\d{1,2}(?:st|nd|rd|th)[ -]century|\d\d\d0s)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    rf"(?<![\w.,/-])(?P<sign>[-−]?)(?P<number>\d{{1,3}}(?:,\d{{3}})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?(?![\d/–-]*[/–-]\d)|{NUMBER_WORDS})"
    rf"(?:\s+(?P<scale>{'|'.join(SCALES)}))?"
    r"(?:\s?\"?\s?\(?(?P<unit>%|°[CF]|(?:square|cubic) [a-z]{3,20}|(?:sq|cu) [a-z]{1,3}"
    r"|[a-zA-Zµ]{1,30}(?:\sper\s[a-z]{3,20})?))?",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"[-−+]?[\d.,]+(?:[eE][+-]?\d{1,3})?(?:\s*\"?\s*\(?[^\d()]*\)?)?")
_BOUNDS: dict[str, Bound] = {
    "at least": "no less",
    "no less than": "no less",
    "no fewer than": "no less",
    "at most": "no more",
    "up to": "no more",
    "no more than": "no more",
    "more than": "more",
    "over": "more",
    "above": "more",
    "after": "more",
    "less than": "less",
    "fewer than": "less",
    "under": "less",
    "below": "less",
    "before": "less",
    **dict.fromkeys("about around nearly almost approximately roughly".split(), "near"),
}
_BOUND = re.compile(rf"\b({'|'.join(sorted(_BOUNDS, key=len, reverse=True))}) [£$€]?$", re.IGNORECASE)
_FINEST = Fraction(1, 200)  # half a percent: how far a converted number may be off


@dataclass(frozen=True, slots=True)
class Value:
    """A number or a date, ``text[start:end]`` of what it stands in.

    Args:
        quantity: its number in full ("75 million" is 75,000,000).
        grain: one unit of the last digit written: 1/10 in "2.5", 1,000,000 in "75 million".
    """

    start: int
    end: int
    time: TimeInterval | None = None
    quantity: Quantity | None = None
    grain: Fraction = Fraction(1)


@lru_cache(maxsize=4096)
def values_in(text: str) -> tuple[Value, ...]:
    """The dates and numbers of a sentence, in order."""
    found: list[Value] = []
    for match in _DATE.finditer(text):
        if "/" in match[0]:
            first, second, year = (int(part) for part in match[0].split("/"))
            if first > 99:  # year/month/day
                first, second, year = second, year, first
            month, day = (first, second) if first <= 12 else (second, first)  # American, unless it cannot be
            if time := parse_time(f"{year:04}-{month:02}-{day:02}"):
                found.append(Value(*match.span(), time=time))
            continue
        written = re.sub(r"\b(of|the|day)\b", " ", match[0].replace("-century", " century"))
        if time := parse_time(" ".join(written.replace(",", ", ").split())):
            found.append(Value(*match.span(), time=time))
    for match in _NUMBER.finditer(text):
        taken = any(value.start < match.end("number") and match.start() < value.end for value in found)
        if not taken and (number := _number(match)) is not None:
            found.append(number)
    return tuple(sorted(found, key=lambda value: value.start))


def _number(match: re.Match[str]) -> Value | None:
    written = match["number"].lower()
    if written[0].isdigit():
        digits = written.replace(",", "")
        grain = SCALES[match["scale"].lower()] if match["scale"] else 1
        number = Fraction(digits) * grain
    else:
        said = read_number(written)
        if said is None:
            return None
        digits, number, grain = str(said), Fraction(said), SCALES.get(written.split()[-1], 1)
    unit = _unit(match["unit"])
    decimals = len(digits.partition(".")[2])
    time = None
    if unit is None and grain == 1 and not decimals and "," not in written and len(digits) == 4:
        time = parse_time(digits)  # a year, perhaps
    end = match.end("unit") if unit else match.end("scale") if match["scale"] else match.end("number")
    number = -number if match["sign"] else number
    return Value(match.start(), end, time, Quantity(number, number, unit), Fraction(grain, 10**decimals))


def _unit(written: str | None) -> str | None:
    if written is None or written.lower() in FUNCTION_WORDS:
        return None
    if written == "%":
        return "percent"
    unit = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", written).lower() if len(written) > 3 else written
    return unit if is_known_unit(unit) else None


@lru_cache(maxsize=65_536)
def value_of(text: str) -> Value | None:
    """The value that a node's text is, all of it: "1927-07-23", "507", "258.2 (square kilometres)"; None for names."""
    if not any(character.isdigit() for character in text):
        return None
    if (time := parse_time(text)) is not None and not text.strip().isdigit():
        return Value(0, len(text), time=time)
    if not _WHOLE.match(text) or not re.match(r"[-−+]?\d", text):
        return None
    number = re.match(r"([-−+]?[\d,]*\.?\d+)(?:[eE]([+-]?\d{1,3}))?", text)
    if number is None:
        return None
    rest = text[number.end() :].strip().strip('"').strip()
    if rest and (any(character.isdigit() for character in rest) or rest[0] in "-–/:.,"):
        return None
    digits = number[1].replace(",", "").replace("−", "-")
    size = Fraction(digits) * Fraction(10) ** int(number[2] or 0)
    words = rest.strip("()").split(None, 1) if rest else []
    scale = SCALES.get(words[0].lower(), 1) if words else 1
    unit_words = " ".join(words[1:] if scale != 1 else words).strip("() ")
    unit = _unit(unit_words) if unit_words else None
    if rest and rest[0] not in "(°%" and scale == 1 and unit is None:
        return None  # "12 Mill Lane"
    quantity = Quantity(size * scale, size * scale, unit)
    decimals = len(digits.partition(".")[2].rstrip("0"))
    return Value(0, len(text), parse_time(text), quantity, Fraction(scale, 10**decimals))


def same_value(said: Value, held: Value) -> float | None:
    """How well a value of a sentence agrees with one of the graph, 0 to 1; None where they cannot be compared.

    A coarser date is the same ("1927" for 23 July 1927), a finer one may be; a number rounded to the digits it is
    written with is the same, and so is a conversion to half a percent.
    """
    if said.time is not None and held.time is not None:
        a, b = said.time, held.time
        if a.start <= b.start and b.end <= a.end:
            return 1.0
        return 0.6 if b.start <= a.start and a.end <= b.end else 0.0
    if said.quantity is None or held.quantity is None:
        return None
    a_unit, b_unit = said.quantity.unit, held.quantity.unit
    first, second = said.quantity, held.quantity
    if a_unit and b_unit and a_unit != b_unit:
        both = in_common_unit(held.quantity, said.quantity)
        if both is None:
            return _rounded(said, first.low, second.low)
        return 1.0 if abs(both[0].low - both[1].low) <= max(_FINEST * abs(both[0].low), said.grain / 2) else 0.0
    return _rounded(said, first.low, second.low)


def _rounded(said: Value, a: Fraction, b: Fraction) -> float:
    if a == b:
        return 1.0
    tens = said.grain
    if tens == 1 and a and a.denominator == 1:  # "about 18,000": trailing zeros may be rounding
        zeros = len(str(abs(a.numerator))) - len(str(abs(a.numerator)).rstrip("0"))
        tens = Fraction(10 ** min(zeros, len(str(abs(a.numerator))) - 2)) if zeros else tens
    if abs(a - b) * 2 <= tens or (abs(a - b) < said.grain and abs(a - b) * 100 <= abs(b)):  # cut off, not rounded
        return 0.95 if abs(a - b) * 20 <= abs(b) else 0.0
    return 0.75 if abs(a - b) * 1000 <= abs(b) else 0.0


def bound_before(text: str, start: int) -> Bound | None:
    """How the words before a value, which begins at a character of a text, bound it; None where they do not."""
    match = _BOUND.search(text, 0, start)
    return _BOUNDS[match[1].lower()] if match is not None else None


def is_beyond(bound: Bound, said: Value, held: Value) -> bool:
    """Whether a value of the graph lies on the wrong side of a bound, or cannot be held against it."""
    if bound == "near":
        return False
    if said.quantity is None or held.quantity is None:
        return True
    both = in_common_unit(held.quantity, said.quantity)
    theirs, ours = (both[0].low, both[1].low) if both is not None else (held.quantity.low, said.quantity.low)
    return {"more": theirs <= ours, "no less": theirs < ours, "less": theirs >= ours, "no more": theirs > ours}[bound]


def best_value(values: Sequence[Value], held: Value) -> tuple[float, Value] | None:
    """The value of a sentence that agrees best; None where none can be compared."""
    scored = [(score, value) for value in values if (score := same_value(value, held)) is not None]
    return max(scored, key=lambda one: one[0], default=None)
