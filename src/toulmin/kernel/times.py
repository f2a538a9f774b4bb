"""Times as intervals of whole microseconds: what "1995", "March 1995" or "12th century" leaves open stays open.

Years are astronomical: 0000 is 1 BCE. Days are counted as Julian day numbers. Month 00 and day 00 are "not given". A
second may be 60 (the first of the next minute) and an hour 24. A time of day without a zone is UTC, and a midnight to
the second without a precision is a whole day: so write those whose dates have times."""

import re
from functools import lru_cache
from typing import NamedTuple

from .format import FORMAT

_GIVEN = FORMAT["times"]
_CLOCK: dict[str, int] = _GIVEN["clock"]  # microseconds of what is no longer than a day
_YEARS: dict[str, int] = _GIVEN["years"]  # years of what is longer than a month
_ORDER = (*_CLOCK, "month", *_YEARS)  # from fine to coarse
SECOND, DAY = _CLOCK["second"], _CLOCK["day"]


class Interval(NamedTuple):
    """From ``start`` to ``end`` (exclusive), in microseconds from the beginning of Julian day 0."""

    start: int
    end: int
    precision: str

    @property
    def resolution(self) -> int:
        """The smallest unit told apart, in microseconds: a day, or less where the time is given to less."""
        return _CLOCK.get(self.precision, DAY)


def julian_day(year: int, month: int, day: int, julian: bool = False) -> int:
    """The Julian day number of a date of the proleptic Gregorian, or the Julian, calendar."""
    years, months = (year, month - 3) if month > 2 else (year - 1, month + 9)  # years that begin in March
    days = 365 * years + years // 4 + (153 * months + 2) // 5 + day
    return days + 1_721_117 if julian else days - years // 100 + years // 400 + 1_721_119


def date_of(day: int) -> tuple[int, int, int]:
    """Year, month and day of a Julian day number in the proleptic Gregorian calendar."""
    guess = (day - 1_721_060) * 400 // 146_097  # of the average year: at most one off
    year = next(year for year in (guess + 1, guess, guess - 1) if julian_day(year, 1, 1) <= day)
    month = next(month for month in range(12, 0, -1) if julian_day(year, month, 1) <= day)
    return year, month, day - julian_day(year, month, 1) + 1


def iso_date(date: tuple[int, ...]) -> str:
    """A year, with its month, with its day, in ISO 8601."""
    return "-".join([f"{'-' if date[0] < 0 else ''}{abs(date[0]):04d}", *(f"{part:02d}" for part in date[1:])])


def days_in_month(year: int, month: int, julian: bool = False) -> int:
    """The number of days of a month."""
    return julian_day(year, month + 1, 1, julian) - julian_day(year, month, 1, julian)  # a month 13 is January


_CLOCKS = r"T(\d\d)(?::(\d\d)(?::(\d\d)(?:\.(?P<fraction>\d+))?)?)?"
_ISO = re.compile(
    rf"([+-]?\d{{4,16}})(?:-(\d\d)(?:-(\d\d))?)?(?:{_CLOCKS})?(?:Z|(?P<sign>[+-])(\d\d):(\d\d))?", re.ASCII
)
_NUMBERS = (1, 2, 3, 4, 5, 6, 9, 10)  # its groups from the year to the second, and hours and minutes of the zone


@lru_cache(maxsize=65_536)
def interval_of(text: str, precision: str | None = None, julian: bool = False) -> Interval | None:
    """The interval of an ISO 8601 time: as coarse as the coarser of its precision and what is written; else None."""
    parts = _ISO.fullmatch(text)
    if parts is None or precision not in (None, *_ORDER):
        return None
    year, month, day, hour, minute, second, ahead, past = (int(parts[group] or 0) for group in _NUMBERS)
    days, hours = days_in_month(year, month, julian) if month else 0, 23 if minute or second else 24
    micro, offset = int((parts["fraction"] or "")[:6].ljust(6, "0")), ahead * 60 + past
    limits = ((month, 12), (day, days), (hour, hours), (minute, 59), (second, 60), (past, 59), (offset, 14 * 60))
    if any(number > limit for number, limit in limits):
        return None
    written = "day" if day else "month" if month else "year"
    clock = (hour * 3600 + minute * 60 + second) * SECOND + micro
    if written == "day" and parts[4] and (clock or precision):
        written = "microsecond" if micro else "second" if parts[6] else "minute" if parts[5] else "hour"
    precision = max(precision or written, written, key=_ORDER.index)
    if precision in _YEARS:
        return _years(year, precision, julian)
    first = julian_day(year, month, 1, julian)
    if precision == "month":
        return Interval(first * DAY, (first + days_in_month(year, month, julian)) * DAY, precision)
    start, length = (first + day - 1) * DAY, _CLOCK[precision]
    if precision != "day":
        start += clock // length * length - (-offset if parts["sign"] == "-" else offset) * 60 * SECOND
    return Interval(start, start + length, precision)


def _years(year: int, precision: str, julian: bool = False) -> Interval:
    """The 12th century is 1101 to 1200, the 1990s are 1990 to 1999; before Christ they count back."""
    length = _YEARS[precision]
    number = year if year > 0 else 1 - year  # as people count: year 0 is 1 BCE
    from_one = precision in ("century", "millennium")  # of these the last year is round, of other periods the first
    begin = -(-number // length) * length - length + 1 if from_one else number // length * length
    low, high = max(begin, 1), begin + length - 1  # no year is numbered 0
    first, last = (low, high) if year > 0 else (1 - high, 1 - low)
    return Interval(julian_day(first, 1, 1, julian) * DAY, julian_day(last + 1, 1, 1, julian) * DAY, precision)


def _pattern(text: str) -> re.Pattern[str]:
    """A pattern of format.json, which both kernels read, with the parts that it names."""
    while (filled := re.sub(r"\{([a-z]+)\}", lambda name: _GIVEN["parts"][name[1]], text)) != text:
        text = filled
    return re.compile(text.replace("(?<", "(?P<"), re.ASCII)


_TEXTS = [_pattern(text) for text in _GIVEN["texts"]]
_MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec"


@lru_cache(maxsize=65_536)
def interval_of_text(text: str) -> Interval | None:
    """The interval of a text that says one time and nothing else, in ISO 8601 or English ("18 February 1997", "44 BC").

    A bare number is a year if it has three or four digits; shorter ones need an era."""
    text = text.strip(" \t\n\r\f\v")
    if not re.fullmatch(r"\d*", text, re.ASCII) and (interval := interval_of(text)):
        return interval
    matches = (pattern.fullmatch(text.lower()) for pattern in _TEXTS)
    part = next((match.groupdict() for match in matches if match), None)
    if part is None:
        return None
    number, unit = int(part.get("year") or part.get("decade") or part["count"]), part.get("unit")
    number *= _YEARS[unit] if unit else 1
    year = 1 - number if (part["era"] or "").startswith("b") else number
    if number == 0:
        return None
    if unit or part.get("decade"):
        return _years(year, unit or "decade")
    month = [_MONTHS.index(part["month"][:3]) // 3 + 1] if part.get("month") else []
    return interval_of(iso_date((year, *month, *([int(part["day"])] if part.get("day") else []))))
