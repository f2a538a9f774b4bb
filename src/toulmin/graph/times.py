"""Times as intervals: what "1995", "March 1995" or "12th century" leaves open stays open.

A time is written as ISO 8601 and XSD 1.1 have it, with an optional sign and astronomical years: year 0000 is 1 BCE, so
that 15 March 44 BCE is ``-0043-03-15``. Zero months and days (``2009-00-00``, as Wikidata has it) mean "not given". The
centuries are those people count: the 12th is 1101 to 1200, and so is any year in it with precision ``century``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from toulmin.graph.types import Literal

__all__ = [
    "DAY",
    "MONTHS",
    "PRECISIONS",
    "TimeInterval",
    "calendar_date",
    "days_in_month",
    "is_time",
    "julian_day",
    "literal_interval",
    "parse_time",
]

_MICROSECOND, _SECOND = 1, 1_000_000
_MINUTE, _HOUR, DAY = 60 * _SECOND, 3600 * _SECOND, 86_400 * _SECOND

#: Precisions from fine to coarse: the length of the unit in microseconds (up to a day) or in years.
PRECISIONS: dict[str, int] = {
    "microsecond": _MICROSECOND,
    "second": _SECOND,
    "minute": _MINUTE,
    "hour": _HOUR,
    "day": DAY,
    "month": 0,
    "year": 1,
    "decade": 10,
    "century": 100,
    "millennium": 1000,
    "ten_thousand_years": 10_000,
    "hundred_thousand_years": 100_000,
    "million_years": 1_000_000,
    "ten_million_years": 10_000_000,
    "hundred_million_years": 100_000_000,
    "billion_years": 1_000_000_000,
}
_ORDER = list(PRECISIONS)
_DAY_RANK, _YEAR_RANK = _ORDER.index("day"), _ORDER.index("year")

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_MONTH_NUMBERS = {
    **{name[:length].lower(): number for number, name in enumerate(MONTHS, 1) for length in (3, len(name))},
    "sept": 9,
}
_MONTH_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

_ISO = re.compile(
    r"(?P<year>[+-]?\d{4,16})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?"
    r"(?:T(?P<hour>\d\d)(?::(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.(?P<fraction>\d+))?)?)?)?"
    r"(?P<zone>Z|[+-]\d\d:\d\d)?\Z",
    re.ASCII,
)
_ERA = r"(?:\s*(?P<era>BCE|BC|CE|AD|B\.C\.E?\.?|A\.D\.))?"
_MONTH = r"(?P<month>[A-Za-z]{3,9})\.?"
_TEXTS = tuple(
    re.compile(pattern + r"\Z", re.IGNORECASE | re.ASCII)
    for pattern in (
        rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?{_MONTH},?\s+(?P<year>\d{{1,4}}){_ERA}",
        rf"{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{1,4}}){_ERA}",
        rf"{_MONTH},?\s+(?P<year>\d{{1,4}}){_ERA}",
        rf"(?P<year>\d{{1,4}}){_ERA}",
        r"(?P<era>AD|A\.D\.)\s*(?P<year>\d{1,4})",
        rf"(?:the\s+)?(?P<year>\d{{3,4}})s{_ERA}",
        rf"(?:the\s+)?(?P<count>\d{{1,2}})(?:st|nd|rd|th|\.)[\s-](?P<unit>century|millennium){_ERA}",
    )
)
_DECADE_PATTERN = 5


@dataclass(frozen=True, slots=True)
class TimeInterval:
    """The span of time within which something lies.

    Args:
        start, end: microseconds since noon-less Julian day 0 (proleptic Gregorian), ``end`` exclusive.
        precision: one of ``PRECISIONS``.
    """

    start: int
    end: int
    precision: str

    @property
    def resolution(self) -> int:
        """The length in microseconds of the smallest unit told apart: a day, unless the time is given finer."""
        return min(DAY, PRECISIONS[self.precision]) if _ORDER.index(self.precision) <= _DAY_RANK else DAY

    @property
    def earliest(self) -> str:
        """The first day, ISO 8601 (proleptic Gregorian)."""
        return _iso_day(self.start // DAY)

    @property
    def latest(self) -> str:
        """The last day, ISO 8601 (proleptic Gregorian)."""
        return _iso_day((self.end - 1) // DAY)


def is_time(text: str) -> bool:
    """Whether ``text`` is an ISO 8601 time such as 1995, 1995-03, 1995-03-12, -0043-03-15 or 2004-04-12T13:20:00Z."""
    return _iso_interval(text, None, julian=False) is not None


def literal_interval(literal: Literal) -> TimeInterval | None:
    """The interval of a time literal; None where its text is no time or its precision is not known."""
    return _iso_interval(literal.value, literal.precision, julian=literal.calendar == "julian")


@lru_cache(maxsize=65_536)
def parse_time(text: str) -> TimeInterval | None:
    """The interval of a text that names one time, ISO or English ("18 February 1997", "12. century", "44 BC").

    Years have three or four digits, fewer only with an era. None for other texts; "c. 1500" names no interval either.
    """
    text = text.strip(" \t\n\r\f\v")
    if not text.isdigit() and (interval := _iso_interval(text, None, julian=False)):
        return interval
    for number, pattern in enumerate(_TEXTS):
        if match := pattern.match(text):
            return _text_interval(match.groupdict(), decade=number == _DECADE_PATTERN)
    return None


def _text_interval(parts: dict[str, str | None], *, decade: bool) -> TimeInterval | None:
    before = (parts.get("era") or "").upper().startswith("B")
    if count := parts.get("count"):
        unit = str(parts["unit"]).lower()
        years = PRECISIONS[unit] * int(count)
        return _years_interval(1 - years if before else years, unit) if int(count) else None
    digits = str(parts["year"])
    year = int(digits)
    if year == 0 or (len(digits) < 3 and not parts["era"]) or parts.get("day") in ("0", "00"):
        return None
    year = 1 - year if before else year
    if decade:
        return _years_interval(year, "decade")
    month = 0
    if name := parts.get("month"):
        month = _MONTH_NUMBERS.get(name.lower(), 0)
        if not month:
            return None
    return _calendar_interval(year, month, int(parts.get("day") or 0), None, julian=False)


@lru_cache(maxsize=65_536)
def _iso_interval(text: str, precision: str | None, *, julian: bool) -> TimeInterval | None:
    match = _ISO.match(text)
    if match is None or (precision is not None and precision not in PRECISIONS):
        return None
    year, month, day = (int(match[part] or 0) for part in ("year", "month", "day"))
    whole = _calendar_interval(year, month, day, precision, julian=julian)
    clock = _clock(match)
    if whole is None or clock is None or match["hour"] is None or whole.precision != "day":
        return None if clock is None else whole  # Wikidata's zeros with a time of day: the time of day says nothing
    if precision == "day" or (precision is None and not clock[0]):
        return whole  # midnight to the second is how data models without a date type write a day
    moment, offset, given = clock
    if precision is not None and _ORDER.index(precision) > _ORDER.index(given):
        given = precision
    length = PRECISIONS[given]
    start = (whole.start + moment) // length * length - offset
    return TimeInterval(start, start + length, given)


def _clock(match: re.Match[str]) -> tuple[int, int, str] | None:
    """The time of day and the offset of its zone in microseconds, and its precision; None where there is no such."""
    hour, minute, second = (int(match[part] or 0) for part in ("hour", "minute", "second"))
    if hour > 24 or minute > 59 or second > 60 or (hour == 24 and (minute or second)):
        return None
    fraction = int((match["fraction"] or "0")[:6].ljust(6, "0"))
    given = "microsecond" if fraction else "second" if match["second"] else "minute" if match["minute"] else "hour"
    offset = 0
    if (zone := match["zone"]) and zone != "Z":
        offset = (int(zone[1:3]) * _HOUR + int(zone[-2:]) * _MINUTE) * (-1 if zone[0] == "-" else 1)
        if abs(offset) > 14 * _HOUR or int(zone[-2:]) > 59:
            return None
    return hour * _HOUR + minute * _MINUTE + second * _SECOND + fraction, offset, given


def _calendar_interval(year: int, month: int, day: int, precision: str | None, *, julian: bool) -> TimeInterval | None:
    given = "day" if day and month else "month" if month else "year"
    if month > 12 or day > (days_in_month(year, month, julian=julian) if month else 0):
        return None
    if precision is not None and _ORDER.index(precision) > _ORDER.index(given):
        given = precision
    if _ORDER.index(given) > _YEAR_RANK:
        return _years_interval(year, given, julian=julian)
    if given == "year":
        return _span(year, year, "year", julian=julian)
    first = julian_day(year, month, day if given == "day" else 1, julian=julian)
    days = 1 if given == "day" else days_in_month(year, month, julian=julian)
    return TimeInterval(first * DAY, (first + days) * DAY, given)


def _years_interval(year: int, precision: str, *, julian: bool = False) -> TimeInterval:
    """Decades and longer periods begin at the round number (1990s: 1990), centuries and millennia after it (1901)."""
    length = PRECISIONS[precision]
    historical = year if year > 0 else 1 - year  # the number people use, AD or BCE
    if precision in ("century", "millennium"):
        last = -(-historical // length) * length
        low, high = last - length + 1, last
    else:
        low = historical // length * length
        high = low + length - 1
    if year <= 0:
        return _span(1 - high, 1 - max(low, 1), precision, julian=julian)
    return _span(max(low, 1), high, precision, julian=julian)


def _span(first_year: int, last_year: int, precision: str, *, julian: bool) -> TimeInterval:
    start = julian_day(first_year, 1, 1, julian=julian) * DAY
    end = julian_day(last_year + 1, 1, 1, julian=julian) * DAY
    return TimeInterval(start, end, precision)


def julian_day(year: int, month: int, day: int, *, julian: bool = False) -> int:
    """The Julian day number of a date of the proleptic Gregorian, or of the Julian, calendar (astronomical years)."""
    shift = (14 - month) // 12
    years, months = year + 4800 - shift, month + 12 * shift - 3
    days = day + (153 * months + 2) // 5 + 365 * years + years // 4
    return days - 32_083 if julian else days - years // 100 + years // 400 - 32_045


def days_in_month(year: int, month: int, *, julian: bool = False) -> int:
    """The number of days of a month (astronomical years)."""
    leap = year % 4 == 0 and (julian or year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and leap else _MONTH_LENGTHS[month - 1]


def calendar_date(number: int, *, julian: bool = False) -> tuple[int, int, int]:
    """Year, month and day of a Julian day number in the proleptic Gregorian, or in the Julian, calendar."""
    days, centuries = number + 32_082, 0
    if not julian:
        centuries = (4 * (number + 32_044) + 3) // 146_097
        days = number + 32_044 - 146_097 * centuries // 4
    years = (4 * days + 3) // 1461
    days -= 1461 * years // 4
    months = (5 * days + 2) // 153
    year = 100 * centuries + years - 4800 + months // 10
    return year, months + 3 - 12 * (months // 10), days - (153 * months + 2) // 5 + 1


def _iso_day(number: int) -> str:
    """The proleptic Gregorian date of a Julian day number."""
    year, month, day = calendar_date(number)
    return f"{'-' * (year < 0)}{abs(year):04d}-{month:02d}-{day:02d}"
