"""What stands in a cell: numbers with units and currencies as people write them, dates, yes and no, or nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal as Choice

from toulmin.graph.quantities import CURRENCIES, CURRENCY_SIGNS, currency_code, decimal_text, is_known_unit
from toulmin.graph.readers.minting import clean_text
from toulmin.graph.times import parse_time
from toulmin.graph.types import Literal
from toulmin.graph.values import time_from_text
from toulmin.graph.xsd import time_literal

__all__ = [
    "CellNumber",
    "DayOrder",
    "Decimal",
    "all_yes_no",
    "clean_cell",
    "date_literal",
    "day_orders",
    "decimal_evidence",
    "is_missing",
    "known_unit",
    "read_number",
    "scaled",
    "yes_no",
]

Decimal = Choice[".", ","]
#: Which of the first two numbers of "3/4/2021" is the day.
DayOrder = Choice["dmy", "mdy"]

#: Texts, in small letters, that say that no value is given.
_MISSING = frozenset(
    {"", "n/a", "#n/a", "(n/a)", "n.a.", "n. a.", "n/d", "nan", "null", "(null)", "…", "...", "?", "\\n"}
    | {"#ref!", "#div/0!", "#value!", "#name?", "#num!"}  # of spreadsheets
)
_DASHES = re.compile(r"[-\u2010-\u2015\u2212\s]+")
_FOOTNOTE = re.compile(r"\s*\[(?:\d{1,3}|[a-z]|(?:note|nb|n|fn)\.? ?\d{1,3}|citation needed|update)\]", re.IGNORECASE)
_DAGGERS = re.compile(r"\s*[†‡§]+\s*$")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MARKS = "*^†‡ "  # after a value
_BREAKS = re.compile(r"[\t\r\n\v\f\x85\u2028\u2029]+")

_SCALES = {
    "thousand": 3, "k": 3, "million": 6, "mil": 6, "mn": 6, "mio": 6, "m": 6, "billion": 9, "bn": 9, "b": 9,
    "mrd": 9, "trillion": 12, "tn": 12,
}  # fmt: skip
_SHORT_SCALES = frozenset({"k", "m", "b"})  # only beside a currency
_SIGN = r"[+\-\u2212\u2013]"
_CURRENCY = "|".join(map(re.escape, sorted({*CURRENCY_SIGNS, *CURRENCIES}, key=len, reverse=True)))
_NUMBER = re.compile(
    rf"(?P<open>\()?(?P<sign>{_SIGN})?\s*(?:(?P<before>{_CURRENCY})\s*)?(?P<inner>{_SIGN})?"
    r"(?P<digits>\d(?:[\d.,]|['’ \u00a0\u2009\u202f](?=\d))*|\.\d+)(?P<after>.*)\Z",
    re.ASCII | re.DOTALL,
)
_SPACED = r"\d{1,3}(?:['’ \u00a0\u2009\u202f]\d{3})+"
_DIGITS = {
    ".": re.compile(rf"(\d{{1,3}}(?:,\d{{3}})+|\d{{1,2}}(?:,\d\d)+,\d{{3}}|{_SPACED}|\d+)?(\.\d+)?", re.ASCII),
    ",": re.compile(rf"(\d{{1,3}}(?:\.\d{{3}})+|{_SPACED}|\d+)?(,\d+)?", re.ASCII),
}
_NO_DIGIT = re.compile(r"[^\d]+")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\Z", re.IGNORECASE)
_NO_WORD = re.compile(rf"\d|\A(?:[ap]\.?m\b|(?:{'|'.join(_MONTHS)})[a-z]*\b)", re.IGNORECASE)  # of times and dates
_CONVERSION = re.compile(r"(?P<unit>.*?)\s*\((?P<other>[^()]*\d[^()]*)\)\Z", re.DOTALL)
_SCALE_WORD = re.compile(rf"({'|'.join(sorted(_SCALES, key=len, reverse=True))})s?\.?(?![a-z/²³])\s*", re.IGNORECASE)
_WRITTEN_UNITS = {"°": "degree", "mcg": "µg", "sqm": "m²", "sqft": "ft²", "cbm": "m³", "km2": "km²", "m2": "m²",
                  "m3": "m³", "pct": "%", "percent": "%", "per cent": "%", "yrs": "year", "℃": "°C"}  # fmt: skip
_SQUARE = re.compile(r"sq\.? ?(?=[a-z])", re.IGNORECASE)
_CUBIC = re.compile(r"cu\.? (?=[a-z])", re.IGNORECASE)

_YES = frozenset({"yes", "true", "y", "✓", "✔", "✅", "☑", "ja", "oui", "sí"})
_NO = frozenset({"no", "false", "n", "✗", "✘", "❌", "☐", "nein", "non"})

_WEEKDAY = re.compile(r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+", re.IGNORECASE)
_CLOCK = re.compile(
    r"(?P<day>.*\d)(?:\s*,\s*|\s+(?:at\s+)?|T)(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.\d+)?)?"
    r"\s*(?P<half>[ap]\.?m\.?)?\Z",
    re.IGNORECASE | re.ASCII,
)
_NUMERIC_DATE = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d)\.?\Z", re.ASCII)
_YEAR_FIRST = re.compile(r"(\d{4})([./-])(\d{1,2})\2(\d{1,2})\Z", re.ASCII)
_SHORT_MONTH = re.compile(r"(\d{1,2})[-/ ]([A-Za-z]{3,9})\.?,?[-/ ]'?(\d{4}|\d\d)\Z", re.ASCII)
_MONTH_YEAR = re.compile(r"([A-Za-z]{3,9})[-/ ']+(\d{4})\Z", re.ASCII)
_PIVOT = 69  # two digits of a year from here on are of the last century, as POSIX has it


@lru_cache(maxsize=65_536)
def clean_cell(text: str) -> str:
    """A cell without footnote marks such as "[1]" and outer space; its line breaks are kept as ``\\n``."""
    if "[" in text:
        text = _FOOTNOTE.sub("", text)
    if not text.isascii():
        text = _DAGGERS.sub("", text)
    text = text.strip()
    if text.isascii() and text.isprintable():
        return text
    return "\n".join(line for part in _BREAKS.split(text) if (line := clean_text(part).replace("\u00a0", " ").strip()))


def is_missing(text: str) -> bool:
    """Whether a clean cell says that no value is given: empty, dashes, "n/a"."""
    return text.lower() in _MISSING or _DASHES.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class CellNumber:
    """A number as a cell has it.

    Args:
        value: in decimal notation.
        unit: as ``Literal.unit`` has it, as it is written where it is known; None: none is written.
        word: what is written after it and is no known unit ("12 goals").
        padded: it has leading zeros, as codes have and amounts do not.
    """

    value: str
    unit: str | None = None
    word: str = ""
    padded: bool = False


@lru_cache(maxsize=65_536)
def read_number(text: str, decimal: Decimal = ".") -> CellNumber | None:
    """The number that a clean cell is: "1,200 kg", "€ 3.50", "12 %", "$1.2 million", "(1,250.00)", "3rd"; else None.

    A conversion after it, "8,848 m (29,029 ft)", is passed over, and so is a mark such as "*".
    """
    text = text.rstrip(_MARKS)
    if not (match := _NUMBER.match(text)) or (match["sign"] and match["inner"]):
        return None
    written = match["digits"].rstrip()
    counted = written[-1:] == "." and not match["after"] and written[:-1].isdigit()  # "3." is the third
    digits = _plain_digits(written[:-1] if counted else written, decimal)
    if digits is None:
        return None
    after = match["after"].strip().rstrip(".").removesuffix(",-").removesuffix(".-")
    minus = (match["sign"] or match["inner"] or "+") != "+"
    if match["open"]:  # an accountant's minus
        if not after.endswith(")") or minus or not (match["before"] or re.search(r"[.,]", match["digits"])):
            return None
        after, minus = after[:-1].strip(), True
    elif other := _CONVERSION.match(after):
        if not other["unit"] or known_unit(other["unit"]) is None:
            if read_number(other["other"].strip(), decimal) is None:
                return None
        elif not other["other"].strip()[0].isdigit():
            return None
        after = other["unit"]
    if match["before"] and not match["before"].isalpha() and match["before"] not in CURRENCY_SIGNS:
        return None
    unit = currency_code(match["before"]) or match["before"] if match["before"] else None
    value = f"-{digits}" if minus and Fraction(digits) else digits
    padded = len(digits) > 1 and digits[0] == "0" and digits[1] != "."
    if counted or (unit is None and _ORDINAL.fullmatch(after) and digits.isdigit()):
        return CellNumber(value, padded=padded)
    if after and (scale := _SCALE_WORD.match(after)):
        rest = after[scale.end() :].strip()
        following = known_unit(rest) if rest else None
        money = unit is not None or following in CURRENCIES
        short = scale[1].lower() in _SHORT_SCALES
        if (money or not short) and (not rest or following is not None):
            return CellNumber(scaled(value, _SCALES[scale[1].lower()]), unit or following)
    if not after:
        return CellNumber(value, unit, padded=padded)
    if (known := known_unit(after)) is not None:
        return CellNumber(value, unit or known) if unit is None or unit == known else None
    if unit is None and len(after) <= 20 and after[0].isalpha() and not _NO_WORD.search(after):
        return CellNumber(value, word=after, padded=padded)
    return None


def scaled(value: str, power: int) -> str:
    """A number times ten to a power, exactly."""
    return decimal_text(Fraction(value) * 10**power, 40) if power else value


@lru_cache(maxsize=4096)
def known_unit(text: str) -> str | None:
    """A unit that converts, as it is written but for a few spellings, or the code of a currency; else None."""
    text = text.strip().rstrip(".")
    if code := currency_code(text):
        return code
    text = _WRITTEN_UNITS.get(text.lower(), text)
    text = _CUBIC.sub("cubic ", _SQUARE.sub("square ", text))
    if text and is_known_unit(text):
        return text
    lower = text.lower()
    return lower if len(text) > 3 and lower != text and is_known_unit(lower) else None


def _plain_digits(text: str, decimal: Decimal) -> str | None:
    match = _DIGITS[decimal].fullmatch(text)
    if match is None or not text:
        return None
    whole = _NO_DIGIT.sub("", match[1] or "") or "0"
    return whole + (f".{match[2][1:]}" if match[2] else "")


_EVIDENCE = {
    ",": re.compile(r"(?:^|[^\d.,])\d{1,3}(?:(?:\.\d{3})*|\d*),(?:\d{1,2}|\d{4,})(?![\d.,])|\.\d{3},\d", re.ASCII),
    ".": re.compile(r"(?:^|[^\d.,])\d{1,3}(?:(?:,\d{3})*|\d*)\.(?:\d{1,2}|\d{4,})(?![\d.,])|,\d{3}\.\d", re.ASCII),
}


def decimal_evidence(text: str) -> Decimal | None:
    """The decimal separator that a cell such as "12,5" or "1,200.50" must have; None where it leaves it open."""
    comma, point = _EVIDENCE[","].search(text), _EVIDENCE["."].search(text)
    return None if bool(comma) == bool(point) else "," if comma else "."


def yes_no(text: str) -> Literal | None:
    """The truth value that a cell is which says yes or no; None where it says something else."""
    lower = text.lower()
    return Literal("true" if lower in _YES else "false", "boolean") if lower in _YES | _NO else None


def all_yes_no(cells: Iterable[str]) -> bool:
    """Whether cells say yes or no and nothing else; one letter that is all there is says neither."""
    words = set[str]()
    for cell in cells:
        if yes_no(cell) is None:
            return False
        words.add(cell.lower())
    return any(len(word) > 1 or not word.isalpha() for word in words) or len(words) > 1


def day_orders(text: str) -> frozenset[DayOrder]:
    """How the numbers of a date such as "3/4/2021" can be read; empty where the text is no such date."""
    clock = _CLOCK.match(text)
    match = _NUMERIC_DATE.match(clock["day"] if clock else text)
    if match is None:
        return frozenset()
    first, second = int(match[1]), int(match[3])
    readings: list[tuple[DayOrder, int, int]] = [("dmy", first, second), ("mdy", second, first)]
    return frozenset(order for order, day, month in readings if 1 <= day <= 31 and 1 <= month <= 12)


@lru_cache(maxsize=65_536)
def date_literal(text: str, order: DayOrder | None = None) -> Literal | None:
    """The time that a cell is, to the day, month, year, decade or century, or to the minute; None where it is none.

    Args:
        order: of "3/4/2021"; None: only dates that leave no choice are read.
    """
    if len(text) > 60 or text.isdigit():
        return None
    text = text.rstrip(_MARKS)
    text = _WEEKDAY.sub("", text, count=1) if _WEEKDAY.match(text) else text
    clock = _CLOCK.match(text)
    day = _day_literal(clock["day"].rstrip(",") if clock else text, order)
    if clock is None or day is None or len(day.value.lstrip("-")) != 10:
        return day if clock is None else None
    hour = int(clock["hour"])
    if half := clock["half"]:
        hour = hour % 12 + (12 if half[0] in "pP" else 0)
    if hour > 23 or int(clock["minute"]) > 59 or int(clock["second"] or 0) > 59:
        return None
    second = f":{clock['second']}" if clock["second"] else ""
    if hour == 0 and clock["minute"] == "00" and second in ("", ":00"):
        return day  # midnight is how programs write a day
    return Literal(f"{day.value}T{hour:02d}:{clock['minute']}{second}", "time")


def _day_literal(text: str, order: DayOrder | None) -> Literal | None:
    if match := _YEAR_FIRST.match(text):
        return _iso(int(match[1]), int(match[3]), int(match[4]))
    if match := _NUMERIC_DATE.match(text):
        orders = day_orders(text)
        order = order if order in orders else next(iter(orders)) if len(orders) == 1 and order is None else None
        if order is None:
            return None
        first, second = int(match[1]), int(match[3])
        day, month = (first, second) if order == "dmy" else (second, first)
        return _iso(_full_year(match[4]), month, day)
    if (match := _SHORT_MONTH.match(text)) and (time := parse_time(f"{match[1]} {match[2]} {_full_year(match[3])}")):
        return time_literal(time.earliest)
    if match := _MONTH_YEAR.match(text):
        text = f"{match[1]} {match[2]}"
    return time_from_text(text)


def _full_year(digits: str) -> int:
    return int(digits) if len(digits) == 4 else int(digits) + (1900 if int(digits) >= _PIVOT else 2000)


def _iso(year: int, month: int, day: int) -> Literal | None:
    written = f"{year:04d}-{month:02d}-{day:02d}"
    return time_literal(written) if parse_time(written) else None
