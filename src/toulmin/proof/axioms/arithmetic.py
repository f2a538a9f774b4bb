"""Arithmetic on times and quantities, as far as they are known: bounds in, bounds out; None where nothing follows."""

from __future__ import annotations

from calendar import isleap, monthrange
from fractions import Fraction

from toulmin.graph.quantities import Quantity, decimal_text, in_common_unit
from toulmin.graph.times import TimeInterval
from toulmin.graph.types import Literal, Node
from toulmin.graph.values import distance as kilometres
from toulmin.graph.values import quantity_of, time_of

__all__ = ["apply"]

_MONTH, _DAY = "month", "day"
Date = tuple[int, int, int]


def apply(kind: str, left: Node, right: Node | None) -> Literal | None:
    """The value of a term of an arithmetic kind from those of ``of`` and ``to``; None: unknown."""
    if right is None:
        return _numbered(kind, time_of(left))
    if kind == "duration":
        return _duration(left, right)
    if kind == "distance":
        apart = kilometres(left, right) if isinstance(left, Literal) and isinstance(right, Literal) else None
        return Literal(f"{apart:.3f}", "quantity", unit="kilometre") if apart is not None else None
    if _is_time(left):
        if kind == "difference" and _is_time(right):
            return _duration(right, left)
        return _shifted(left, right, {"sum": 1, "difference": -1}.get(kind, 0))
    return _combined(kind, quantity_of(left), quantity_of(right))


def _is_time(node: Node) -> bool:
    """A bare number can be read as a year, but is none here."""
    return time_of(node) is not None and not (isinstance(node, Literal) and node.kind == "quantity")


def _quantity(low: Fraction, high: Fraction, unit: str | None) -> Literal:
    first, last = decimal_text(low), decimal_text(high)
    return Literal(first, "quantity", unit=unit, precision=f"{first}..{last}" if first != last else None)


def _combined(kind: str, left: Quantity | None, right: Quantity | None) -> Literal | None:
    if left is None or right is None:
        return None
    if kind == "product":
        if left.unit and right.unit:
            return None
        ends = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
        return _quantity(min(ends), max(ends), left.unit or right.unit)
    pair = in_common_unit(left, right)
    if pair is None:
        return None
    left, right = pair
    if kind == "sum":
        return _quantity(left.low + right.low, left.high + right.high, right.unit)
    return _quantity(left.low - right.high, left.high - right.low, right.unit)


def _duration(start: Node, end: Node) -> Literal | None:
    """The years from one time to another, by the calendar: 25 exactly on the 25th anniversary."""
    first, last = time_of(start), time_of(end)
    if first is None or last is None:
        return None
    low = _years(_date(first.latest), _date(last.earliest))
    return _quantity(low, _years(_date(first.earliest), _date(last.latest)), "year")


def _date(iso: str) -> Date:
    year, month, day = iso.rsplit("-", 2)
    return int(year), int(month), int(day)


def _years(first: Date, last: Date) -> Fraction:
    if last < first:
        return -_years(last, first)
    whole = last[0] - first[0] - (last[1:] < first[1:])
    before = _on(first, first[0] + whole)
    length = _on(first, first[0] + whole + 1) - before
    return whole + Fraction(_on(last, last[0]) - before, length)


def _on(date: Date, year: int) -> int:
    """The number of the day of a year's anniversary of a date; any count of days will do."""
    _, month, day = date
    before = year - 1
    passed = sum(29 if number == 2 and isleap(year) else _LENGTHS[number - 1] for number in range(1, month))
    return before * 365 + before // 4 - before // 100 + before // 400 + passed + day


_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def _shifted(time: Node, by: Node, sign: int) -> Literal | None:
    """A time moved by whole months or days, at its own precision of year, month or day; else None."""
    interval, amount = time_of(time), quantity_of(by)
    if interval is None or amount is None or not sign or amount.low != amount.high or amount.unit is None:
        return None
    months, days = (in_common_unit(amount, Quantity(Fraction(0), Fraction(0), unit)) for unit in (_MONTH, _DAY))
    if months is not None and months[0].low.denominator == 1:
        return _months_later(interval, sign * int(months[0].low))
    if days is not None and days[0].low.denominator == 1 and interval.precision == "day":
        day = 86_400_000_000
        moved = TimeInterval(interval.start + sign * int(days[0].low) * day, interval.end, "day")
        return Literal(moved.earliest, "time")
    return None


def _months_later(interval: TimeInterval, months: int) -> Literal | None:
    year, month, day = _date(interval.earliest)
    count = year * 12 + month - 1 + months
    year, month = count // 12, count % 12 + 1
    sign, digits = "-" if year < 0 else "", f"{abs(year):04d}"
    if interval.precision == "year" and months % 12 == 0:
        return Literal(f"{sign}{digits}", "time")
    if interval.precision == "month":
        return Literal(f"{sign}{digits}-{month:02d}", "time")
    if interval.precision == "day" and 0 < year < 10_000:
        return Literal(f"{sign}{digits}-{month:02d}-{min(day, monthrange(year, month)[1]):02d}", "time")
    return None


def _numbered(kind: str, time: TimeInterval | None) -> Literal | None:
    """The number of the year, of the century, or of the decade in its century; only of years AD but for the year."""
    if time is None:
        return None
    years = [_date(time.earliest)[0], _date(time.latest)[0]]
    if kind == "year":
        return _quantity(Fraction(years[0]), Fraction(years[1]), None)
    if years[0] < 1:
        return None
    if kind == "century":
        return _quantity(Fraction(-(-years[0] // 100)), Fraction(-(-years[1] // 100)), None)
    if years[0] == years[1] and years[0] % 100 == 0:
        return None  # the last year of its century, and yet the first of a decade: which century's is not agreed
    low, high = (year // 10 for year in years)
    return _quantity(Fraction(low % 10 + 1), Fraction(low % 10 + 1), None) if low == high else None
