"""Arithmetic on times and quantities, as far as they are known: bounds in, bounds out; None where nothing follows."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from toulmin.graph.quantities import Quantity, converted, decimal_text
from toulmin.graph.times import DAY, TimeInterval, days_in_month, julian_day
from toulmin.graph.types import Literal, Node
from toulmin.graph.values import compare, quantity_of, time_of
from toulmin.graph.values import distance as kilometres

__all__ = ["aggregate", "arithmetic"]

_MOST_DIGITS = 1000
_LAST_YEAR = 10**16  # exclusive; ISO 8601 is read up to 16 digits
Date = tuple[int, int, int]


def arithmetic(do: str, left: Node, right: Node | None) -> Literal | None:
    """The value of an operation; None: unknown, or there is none.

    Args:
        do: add, subtract, multiply, divide, round, floor, duration, days, distance, convert; without ``right`` year,
            month, day, century, decade_of_century.
        left, right: times, quantities, coordinates, or what reads as one. The result of vague ones has bounds, of which
            the lower is its value.
    """
    if right is None:
        return _numbered(do, time_of(left))
    if do in ("duration", "days"):
        return _duration(left, right, do)
    if do == "distance":
        apart = kilometres(left, right)
        return _exact(Fraction(f"{apart:.3f}"), "kilometre") if apart is not None else None
    if do in ("add", "subtract") and _is_time(left):
        if do == "subtract" and _is_time(right):
            return _duration(right, left)
        return _shifted(left, right, 1 if do == "add" else -1)
    amount, other = quantity_of(left), quantity_of(right)
    if amount is None or other is None:
        return None
    if do == "convert":
        return _converted(left, amount, other.unit)
    return _combined(do, amount, other)


def aggregate(do: str, values: Sequence[Node]) -> Literal | None:
    """The sum, mean, min or max of quantities in the unit of the first, or the time that is surely min or max.

    None of none, or where one is neither or of another dimension.
    """
    times = [value for value in values if isinstance(value, Literal) and value.kind == "time"]
    if times:
        op = {"min": "<=", "max": ">="}.get(do)
        if op is None or len(times) < len(values) or None in map(time_of, times):
            return None
        different = list(dict.fromkeys(times))
        for value in different:
            if all(other == value or compare(op, value, other) for other in different):
                return value
        return None
    amounts = [quantity_of(value) for value in values]
    if not amounts or amounts[0] is None:
        return None
    unit = amounts[0].unit
    known = [alike for amount in amounts if amount and (alike := converted(amount, unit))]
    if len(known) < len(values):
        return None
    lows, highs = [amount.low for amount in known], [amount.high for amount in known]
    if do == "min":
        return _quantity(min(lows), min(highs), unit)
    if do == "max":
        return _quantity(max(lows), max(highs), unit)
    share = Fraction(1, len(known)) if do == "mean" else Fraction(1)
    return _quantity(sum(lows) * share, sum(highs) * share, unit)


def _is_time(node: Node) -> bool:
    """A bare number can be read as a year, but is none here."""
    return time_of(node) is not None and not (isinstance(node, Literal) and node.kind == "quantity")


def _exact(number: Fraction, unit: str | None) -> Literal | None:
    return _quantity(number, number, unit)


def _quantity(low: Fraction, high: Fraction, unit: str | None, value: Fraction | None = None) -> Literal | None:
    first, last = decimal_text(low), decimal_text(high)
    written = first if value is None else decimal_text(value)
    if any(abs(int(text.partition("E")[2] or "0")) > 999 for text in (first, last, written)):
        return None  # no number is read with an exponent of more than three digits
    return Literal(written, "quantity", unit=unit, precision=f"{first}..{last}" if first != last else None)


def _converted(node: Node, amount: Quantity, unit: str | None) -> Literal | None:
    value = Fraction(node.value) if isinstance(node, Literal) and node.kind == "quantity" else amount.low
    bounds, middle = converted(amount, unit), converted(Quantity(value, value, amount.unit), unit)
    return _quantity(bounds.low, bounds.high, unit, middle.low) if bounds and middle else None


def _combined(do: str, left: Quantity, right: Quantity) -> Literal | None:
    if do == "multiply":
        if left.unit and right.unit:
            return None
        ends = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
        return _quantity(min(ends), max(ends), left.unit or right.unit)
    if do == "divide":
        if right.low <= 0 <= right.high or (right.unit is not None and right.unit != left.unit):
            return None
        ends = [a / b for a in (left.low, left.high) for b in (right.low, right.high)]
        return _quantity(min(ends), max(ends), left.unit if right.unit is None else None)
    if do == "round":
        digits = right.low
        if right.unit or digits != right.high or digits.denominator != 1 or abs(digits) > _MOST_DIGITS:
            return None
        low, high = (Fraction(round(end, int(digits))) for end in (left.low, left.high))
        return _quantity(low, high, left.unit)
    alike = converted(left, right.unit) if do in ("add", "subtract", "floor") else None
    if alike is None:
        return None
    if do == "floor":
        low, high = (end // right.low * right.low if right.low > 0 else end for end in (alike.low, alike.high))
        return _quantity(low, high, right.unit) if right.low == right.high > 0 else None
    if do == "add":
        return _quantity(alike.low + right.low, alike.high + right.high, right.unit)
    return _quantity(alike.low - right.high, alike.high - right.low, right.unit)


def _duration(start: Node, end: Node, do: str = "duration") -> Literal | None:
    """The years, or days, from one time to another, by the calendar: 25 years exactly on the 25th anniversary."""
    first, last = time_of(start), time_of(end)
    if first is None or last is None:
        return None
    apart, unit = (_years, "year") if do == "duration" else (_days, "day")
    low = apart(_date(first.latest), _date(last.earliest))
    return _quantity(low, apart(_date(first.earliest), _date(last.latest)), unit)


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


def _days(first: Date, last: Date) -> Fraction:
    return Fraction(_on(last, last[0]) - _on(first, first[0]))


def _on(date: Date, year: int) -> int:
    """The number of the day of a year's anniversary of a date."""
    return julian_day(year, *date[1:])


def _shifted(time: Node, by: Node, sign: int) -> Literal | None:
    """A time moved by whole months or days, at its own precision of year, month or day; else None.

    By months in a unit that is a number of them, such as the year: four years are more than 1461 days.
    """
    interval, amount = time_of(time), quantity_of(by)
    if interval is None or amount is None or amount.low != amount.high or amount.unit is None:
        return None
    single = Quantity(Fraction(1), Fraction(1), amount.unit)
    month, day = converted(single, "month"), converted(single, "day")
    if month is None or day is None:
        return None
    if month.low.denominator == 1:
        months = amount.low * month.low
        return _months_later(interval, sign * int(months)) if months.denominator == 1 else None
    days = amount.low * day.low
    if days.denominator != 1 or abs(days) > 1000 * _LAST_YEAR or interval.precision != "day":
        return None
    moved = TimeInterval(interval.start + sign * int(days) * DAY, interval.end, "day").earliest
    return Literal(moved, "time") if abs(_date(moved)[0]) < _LAST_YEAR else None


def _months_later(interval: TimeInterval, months: int) -> Literal | None:
    year, month, day = _date(interval.earliest)
    if interval.precision != "day" and (day != 1 or (interval.precision == "year" and month != 1)):
        return None  # a month or year of the Julian calendar
    count = year * 12 + month - 1 + months
    year, month = count // 12, count % 12 + 1
    if abs(year) >= _LAST_YEAR:
        return None
    text = f"{'-' if year < 0 else ''}{abs(year):04d}"
    if interval.precision == "year" and months % 12 == 0:
        return Literal(text, "time")
    if interval.precision == "month":
        return Literal(f"{text}-{month:02d}", "time")
    if interval.precision == "day":
        return Literal(f"{text}-{month:02d}-{min(day, days_in_month(year, month)):02d}", "time")
    return None


def _numbered(do: str, time: TimeInterval | None) -> Literal | None:
    """The number of the year, month or day, of the century, or of the decade in its century; the last two AD only."""
    if time is None:
        return None
    first, last = _date(time.earliest), _date(time.latest)
    if do in ("year", "month", "day"):
        place = ("year", "month", "day").index(do)  # what is coarser must be known
        return _quantity(Fraction(first[place]), Fraction(last[place]), None) if first[:place] == last[:place] else None
    if first[0] < 1:
        return None
    if do == "century":
        return _quantity(Fraction(-(-first[0] // 100)), Fraction(-(-last[0] // 100)), None)
    if do != "decade_of_century" or (first[0] == last[0] and first[0] % 100 == 0):
        return None  # the last year of its century, and yet the first of a decade: which century's is not agreed
    low, high = first[0] // 10, last[0] // 10
    return _exact(Fraction(low % 10 + 1), None) if low == high else None
