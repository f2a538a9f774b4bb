"""Numbers and dates as a sentence writes them, compared with the values of a graph: rounded, scaled, converted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from toulmin.english.numbers import CARDINALS, NUMBER_WORDS, SCALES, read_number
from toulmin.english.words import FUNCTION_WORDS, word_set
from toulmin.graph.quantities import Quantity, converted, is_known_unit
from toulmin.graph.times import TimeInterval, parse_time

__all__ = [
    "Bound",
    "Value",
    "best_value",
    "bound_before",
    "is_beyond",
    "is_converted",
    "is_hedged",
    "same_value",
    "stated_values",
    "value_of",
    "values_in",
]

#: How words before a value bound it: what holds is more, no less, less, no more, or near it.
Bound = Literal["more", "no less", "less", "no more", "near"]

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?"
_DATE = re.compile(
    rf"\b(?:\d{{4}}-\d\d-\d\d|\d{{4}}/\d\d/\d\d|\d\d?/\d\d?/\d{{4}}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?(?: day)?(?: of)? {_MONTH},? (?:of )?\d{{3,4}}"
    rf"|{_MONTH} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?:,? (?:of )?|,)\d{{3,4}}|{_MONTH}(?:,| of)? \d{{4}}"
    r"|\d{1,4} (?:BCE?|CE|AD)|\d{1,2}(?:st|nd|rd|th)[ -]century|\d\d\d0'?s"
    r"|(?<=\b\d{4}[-–])(?:1\d{3}|20\d\d)(?![\d/–-]))\b",  # the end of a span of years
    re.IGNORECASE,
)
_ROUND_CENTURY = re.compile(r"1\d00'?s")
_NUMBER = re.compile(
    rf"(?<![\w.,/-])(?P<sign>[-−]?)(?P<number>\d{{1,3}}(?:,\d{{3}})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?(?![\d/–-]*[/–-]\d|\d*'s\b)|{NUMBER_WORDS})"
    rf"(?:\s+(?P<scale>{'|'.join(SCALES)}))?"
    r"(?:[\s-]?\"?\s?\(?(?P<unit>%|°[CF]|(?:square|cubic) [a-z]{3,20}|(?:sq|cu) [a-z]{1,3}"
    r"|[a-zA-Zµ]{1,30}(?:\sper\s[a-z]{3,20})?))?",
    re.IGNORECASE,
)
_WORD, _LETTERS = re.compile(r"\w+"), re.compile(r"[a-z]+")
_WORDED = CARDINALS.keys() | SCALES.keys() | {"dozen"}  # one of them is in each number in words
_WHOLE = re.compile(r"[-−+]?[\d.,]+(?:[eE][+-]?\d{1,3})?(?:\s*\"?\s*\(?[^\d()]*\)?)?")
_BOUNDS: dict[str, Bound] = {
    **dict.fromkeys(("at least", "no less than", "no fewer than"), "no less"),
    **dict.fromkeys(("at most", "up to", "no more than"), "no more"),
    **dict.fromkeys(("more than", "over", "above", "after"), "more"),
    **dict.fromkeys(("less than", "fewer than", "under", "below", "before"), "less"),
    **dict.fromkeys("about around nearly almost approximately roughly".split(), "near"),
}
_BOUND = re.compile(rf"\b({'|'.join(sorted(_BOUNDS, key=len, reverse=True))}) [£$€]?$", re.IGNORECASE)
_YEARS = range(1000, 2101)  # numbers of four digits that may be one
#: Before a value they make it a bound, an estimate, or one end of a span.
_HEDGES = word_set(
    """about above after almost approximately around before below beyond between by c ca circa exceeding from least less
    more most nearly or over roughly since than through till to toward towards under until up within"""
)
_PARTS = word_set("early mid late")  # of a time: in the sentence's words it is coarser than it seems
_BEFORE = 24  # characters before a value in which a hedge stands

# How far two numbers may be apart and be the same, as a share of the number of the graph.
_CONVERTED = Fraction(1, 200)  # from one unit to another
_ROUNDED = Fraction(1, 20)  # to the digits that are written
_CUT_OFF = Fraction(1, 100)  # after them
_NEAR = Fraction(1, 1000)  # a number with all its digits, taken from another source
_FINER, _AS_ROUNDED, _ALMOST = 0.6, 0.95, 0.75  # the agreement of a finer date, a rounded number, one that is near


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
    if not any(character.isdigit() for character in text) and _WORDED.isdisjoint(_LETTERS.findall(text.lower())):
        return ()
    values: list[Value] = []
    for match in _DATE.finditer(text):
        if "/" in match[0]:
            first, second, year = (int(part) for part in match[0].split("/"))
            if first > 99:  # year/month/day
                first, second, year = second, year, first
            month, day = (first, second) if first <= 12 else (second, first)  # American, unless it cannot be
            if time := parse_time(f"{year:04}-{month:02}-{day:02}"):
                values.append(Value(*match.span(), time=time))
            continue
        if _ROUND_CENTURY.fullmatch(match[0]):
            continue  # the first ten years of it, or all
        written = re.sub(r"\b(of|the|day)\b|'", " ", match[0].replace("-century", " century").replace("'s", "s"))
        if time := parse_time(" ".join(written.replace(",", ", ").split())):
            values.append(Value(*match.span(), time=time))
    for match in _NUMBER.finditer(text):
        taken = any(value.start < match.end("number") and match.start() < value.end for value in values)
        if not taken and (number := _number(match)) is not None:
            values.append(number)
    return tuple(sorted(values, key=lambda value: value.start))


def _number(match: re.Match[str]) -> Value | None:
    written = match["number"].lower()
    if written[0].isdigit():
        digits = written.replace(",", "")
        grain = SCALES[match["scale"].lower()] if match["scale"] else 1
        number = Fraction(digits) * grain
    else:
        read = read_number(written)
        if read is None:
            return None
        digits, number, grain = str(read), Fraction(read), SCALES.get(written.split()[-1], 1)
    unit = _unit(match["unit"])
    decimals = len(digits.partition(".")[2])
    time = None
    if unit is None and grain == 1 and not decimals and "," not in written and int(number) in _YEARS:
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


def same_value(stated: Value, held: Value) -> float | None:
    """How well a value of a sentence agrees with one of the graph, 0 to 1; None where they cannot be compared.

    A coarser date is the same ("1927" for 23 July 1927), a finer one may be; a number rounded to the digits it is
    written with is the same, and so is a conversion to half a percent.
    """
    if stated.time is not None and held.time is not None:
        a, b = stated.time, held.time
        if a.start <= b.start and b.end <= a.end:
            return 1.0
        return _FINER if b.start <= a.start and a.end <= b.end else 0.0
    if stated.quantity is None or held.quantity is None:
        return None
    first, second = stated.quantity, held.quantity
    units_differ = first.unit and second.unit and first.unit != second.unit
    if units_differ and (alike := converted(second, first.unit)) is not None:
        return 1.0 if is_converted(alike.low, first.low, stated.grain) else 0.0
    return _rounded(stated, first.low, second.low)


def is_converted(number: Fraction, other: Fraction, grain: Fraction = Fraction(0)) -> bool:
    """Whether a number that was converted to the other's unit is that, rounded to half a percent or to its digits."""
    return abs(number - other) <= max(_CONVERTED * abs(number), grain / 2)


def _rounded(stated: Value, a: Fraction, b: Fraction) -> float:
    if a == b:
        return 1.0
    tens = stated.grain
    if tens == 1 and a and a.denominator == 1:  # "about 18,000": trailing zeros may be rounding
        zeros = len(str(abs(a.numerator))) - len(str(abs(a.numerator)).rstrip("0"))
        tens = Fraction(10 ** min(zeros, len(str(abs(a.numerator))) - 2)) if zeros else tens
    apart = abs(a - b)
    if apart * 2 <= tens or (apart < stated.grain and apart <= _CUT_OFF * abs(b)):
        return _AS_ROUNDED if apart <= _ROUNDED * abs(b) else 0.0
    return _ALMOST if apart <= _NEAR * abs(b) else 0.0


def is_hedged(text: str, start: int, *, parts: bool = True) -> bool:
    """Whether the words before a value make it a bound, an estimate, or one end of a span: "about", "as of".

    Args:
        parts: whether a part of a time does, too: "the mid-1990s".
    """
    before = [word.lower() for word in _WORD.findall(text[max(0, start - _BEFORE) : start])][-2:]
    if len(before) > 1 and (before == ["as", "of"] or (before[1] in ("the", "year") and before[0] in _HEDGES)):
        return True
    return bool(before) and (before[-1] in _HEDGES or (parts and before[-1] in _PARTS))


def stated_values(text: str) -> list[Value]:
    """The dates and numbers of a sentence, without "one", which mostly stands for a noun."""
    return [value for value in values_in(text) if text[value.start : value.end].lower() != "one"]


def bound_before(text: str, start: int) -> Bound | None:
    """How the words before a value, which begins at a character of a text, bound it; None where they do not."""
    match = _BOUND.search(text, 0, start)
    return _BOUNDS[match[1].lower()] if match is not None else None


def is_beyond(bound: Bound, stated: Value, held: Value) -> bool:
    """Whether a value of the graph lies on the wrong side of a bound, or cannot be held against it."""
    if bound == "near":
        return False
    if stated.quantity is None or held.quantity is None:
        return True
    theirs, ours = (converted(held.quantity, stated.quantity.unit) or held.quantity).low, stated.quantity.low
    return {"more": theirs <= ours, "no less": theirs < ours, "less": theirs >= ours, "no more": theirs > ours}[bound]


def best_value(values: Sequence[Value], held: Value) -> tuple[float, Value] | None:
    """The value of a sentence that agrees best; None where none can be compared."""
    scored = [(score, value) for value in values if (score := same_value(value, held)) is not None]
    return max(scored, key=lambda item: item[0], default=None)
