"""Times as intervals of whole microseconds: what "1995", "March 1995" or "12th century" leaves open stays open.

Years are astronomical: 0000 is 1 BCE. Days are counted as Julian day numbers; a date of the Julian calendar is turned
into one. Month 00 and day 00 are "not given". The 12th century is 1101 to 1200, the 1990s are 1990 to 1999.

A second may be 60 (a leap second, which is the first of the next minute: days have 86,400 seconds here) and an hour 24
(the next midnight). A time of day without a zone is UTC, a date is the same day in every zone. A midnight to the second
without a precision is a whole day: so write those whose dates have times.
"""

import re
from functools import lru_cache
from typing import NamedTuple

SECOND = 1_000_000
DAY = 86_400 * SECOND
#: From fine to coarse: what is no longer than a day in microseconds, what is longer than a month in years.
_CLOCK = {"microsecond": 1, "second": SECOND, "minute": 60 * SECOND, "hour": 3600 * SECOND, "day": DAY}
_LONG = "ten_thousand_years hundred_thousand_years million_years ten_million_years hundred_million_years billion_years"
_COARSE = ("year", "decade", "century", "millennium", *_LONG.split())
_YEARS = {name: 10**power for power, name in enumerate(_COARSE)}
_ORDER = (*_CLOCK, "month", *_YEARS)


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
    fraction, sign = parts["fraction"] or "", parts["sign"]
    year, month, day, hour, minute, second, ahead, past = (int(parts[group] or 0) for group in _NUMBERS)
    days, hours = days_in_month(year, month, julian) if month else 0, 23 if minute or second else 24
    micro, offset = int(fraction[:6].ljust(6, "0")), ahead * 60 + past
    limits = ((month, 12), (day, days), (hour, hours), (minute, 59), (second, 60), (past, 59), (offset, 14 * 60))
    if any(number > limit for number, limit in limits):
        return None
    written = "day" if day else "month" if month else "year"
    clock = (hour * 3600 + minute * 60 + second) * SECOND + micro
    if written == "day" and parts[4] and (clock or precision):
        written = "microsecond" if micro else "second" if parts[6] else "minute" if parts[5] else "hour"
    if precision is None or _ORDER.index(precision) < _ORDER.index(written):
        precision = written
    if precision in _YEARS:
        return _years(year, precision, julian)
    first = julian_day(year, month, 1, julian)
    if precision == "month":
        return Interval(first * DAY, (first + days_in_month(year, month, julian)) * DAY, precision)
    start, length = (first + day - 1) * DAY, _CLOCK[precision]
    if precision != "day":
        start += clock // length * length - (-offset if sign == "-" else offset) * 60 * SECOND
    return Interval(start, start + length, precision)


def _years(year: int, precision: str, julian: bool = False) -> Interval:
    """Of centuries and millennia the last year is round, of other periods the first; before Christ they count back."""
    length = _YEARS[precision]
    number = year if year > 0 else 1 - year  # as people count: year 0 is 1 BCE
    from_one = precision in ("century", "millennium")
    begin = -(-number // length) * length - length + 1 if from_one else number // length * length
    low, high = max(begin, 1), begin + length - 1  # no year is numbered 0
    first, last = (low, high) if year > 0 else (1 - high, 1 - low)
    return Interval(julian_day(first, 1, 1, julian) * DAY, julian_day(last + 1, 1, 1, julian) * DAY, precision)


_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = r"(?P<month>[a-z]{3,9})\.?"
_ERA = r"(?:\s*(?P<era>BCE|BC|CE|AD|B\.C\.E?\.?|A\.D\.))?"
_YEAR = rf"(?P<year>\d{{1,4}}){_ERA}"
_TEXTS = (
    rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?{_MONTH},?\s+{_YEAR}",
    rf"{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+{_YEAR}",
    rf"{_MONTH},?\s+{_YEAR}",
    _YEAR,
    r"(?P<era>AD|A\.D\.)\s*(?P<year>\d{1,4})",
    rf"(?:the\s+)?(?P<decade>\d{{3,4}})s{_ERA}",
    rf"(?:the\s+)?(?P<count>\d{{1,2}})(?:st|nd|rd|th|\.)[\s-](?P<unit>century|millennium){_ERA}",
)


@lru_cache(maxsize=65_536)
def interval_of_text(text: str) -> Interval | None:
    """The interval of a text that says one time and nothing else, in ISO 8601 or English ("18 February 1997", "44 BC").

    A bare number is a year if it has three or four digits; shorter ones need an era.
    """
    text = text.strip(" \t\n\r\f\v")
    if not re.fullmatch(r"\d*", text, re.ASCII) and (found := interval_of(text)):
        return found
    parts = next((match.groupdict() for pattern in _TEXTS if (match := re.fullmatch(pattern, text, re.I | re.A))), None)
    if parts is None:
        return None
    part = {name: (text or "").lower() for name, text in parts.items()}
    digits = part.get("year") or part.get("decade") or part["count"]
    unit = part.get("unit") or ("decade" if part.get("decade") else "year")
    number = int(digits) * (_YEARS[unit] if part.get("count") else 1)
    if number == 0 or (len(digits) < 3 and unit == "year" and not part["era"]):
        return None
    year = 1 - number if part["era"].startswith("b") else number
    if unit != "year":
        return _years(year, unit)
    day, name = int(part.get("day") or 1), part.get("month", "")
    month = next((n for n, full in enumerate(_MONTHS, 1) if name in (full, full[:3], full[:4] if n == 9 else full)), 0)
    if (name and month == 0) or day == 0:
        return None
    return interval_of(iso_date((year, *([month] if name else []), *([day] if part.get("day") else []))))
