"""Values, and what follows from them: compared with three truth values (None: unknown), and reckoned with.

A time or quantity is an interval. A time of a day or finer counts as a point, a coarser one as a point within it.

- A number of three or four digits is a year beside a time, and a number beside a quantity. As a text it is a year
  beside another text (``"1999"`` < ``"2001"``); a quantity with a unit or bounds is never a year.
- An entity stands for what its text says, a time or a quantity; else for itself.
- Two texts of the same characters are equal, whatever they say.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from .encoding import Label, Literal, Node, literal_from, text_of
from .quantities import Quantity, base_bounds, converted, decimal_text, quantity, quantity_of_text, unit_named
from .times import DAY, Interval, date_of, days_in_month, interval_of, interval_of_text, iso_date, julian_day

__all__ = ["Literal", "Node", "literal_from", "text_of"]


def _kind(node: object) -> str:
    return node.kind if isinstance(node, Literal) else "entity" if isinstance(node, str) else "period"


def _says(node: Node, label: Label) -> str:
    return node.value if isinstance(node, Literal) else text_of(node, label)


def _time(node: Node, label: Label) -> Interval | None:
    if isinstance(node, str):
        return interval_of_text(text_of(node, label))
    if node.kind == "time":
        return interval_of(node.value, node.precision, node.calendar == "julian")
    bare = node.kind == "quantity" and node.unit is node.precision is None and re.fullmatch("[0-9]{3,4}", node.value)
    return interval_of_text(node.value) if bare or node.kind == "string" else None


def _quantity(node: Node, label: Label) -> Quantity | None:
    if isinstance(node, Literal) and node.kind == "quantity":
        return quantity(node.value, node.precision, node.unit)
    return quantity_of_text(_says(node, label)) if _kind(node) in ("entity", "string") else None


def _truth(yes: bool, no: bool) -> bool | None:
    return True if yes else False if no else None


def compare(op: str, a: Span, b: Span, label: Label) -> bool | None:
    """Whether ``a op b``, for = ≠ < ≤ > ≥ contains starts overlaps within; periods for the last two only."""
    if op in ("overlaps", "within"):
        return (overlaps if op == "overlaps" else within)(a, b, label)
    if isinstance(a, Period) or isinstance(b, Period):
        return None
    if op == "≠":
        equal = compare("=", a, b, label)
        return None if equal is None else not equal
    if op in (">", "≥"):
        return compare("<" if op == ">" else "≤", b, a, label)
    kinds = {_kind(a), _kind(b)}
    if "unknown_value" in kinds or "no_value" in kinds:
        return False if op == "=" and len(kinds) == 2 and "unknown_value" not in kinds else None
    if op in ("contains", "starts"):
        text, part = _says(a, label).lower(), _says(b, label).lower()
        return part in text if op == "contains" else text.startswith(part)
    if (kinds == {"entity"} and a == b) or (kinds == {"string"} and _says(a, label) == _says(b, label)):
        return op != "<"
    bounds = _bounds(a, b, kinds, label)
    if bounds is None:
        return _equal(a, b, label) if op == "=" else None
    (low, high), (other_low, other_high) = bounds
    if op == "=":
        return _truth(low == high == other_low == other_high, high < other_low or other_high < low)
    if op == "<":
        return _truth(high < other_low, low >= other_high)
    return _truth(high <= other_low, low > other_high)


def _bounds(a: Node, b: Node, kinds: set[str], label: Label) -> Sequence[tuple[Fraction | int, Fraction | int]] | None:
    """Both as closed intervals on one scale: of times if one is a time or none a quantity, else of quantities."""
    if "time" in kinds or "quantity" not in kinds:
        first, second = _time(a, label), _time(b, label)
        if first and second:
            step = min(first.resolution, second.resolution)
            if any(moment % step for moment in (*first[:2], *second[:2])):
                step = 1  # a zone of half an hour puts two hours out of step
            return (first.start, first.end - step), (second.start, second.end - step)
        if "time" in kinds:
            return None
    amount, other = _quantity(a, label), _quantity(b, label)
    same = converted(amount, other.unit) if amount and other else None
    return ((same.low, same.high), (other.low, other.high)) if same and other else None


_TRUTHS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def _equal(a: Node, b: Node, label: Label) -> bool | None:
    """Equality of what has no order."""
    if isinstance(a, str) or isinstance(b, str):
        texts = {_kind(a), _kind(b)} == {"entity", "string"} and _says(a, label) == _says(b, label)
        return _truth(texts, isinstance(a, str) and isinstance(b, str))
    kinds = {a.kind, b.kind}
    if kinds == {"coordinate"}:
        first, second = _place(a, label), _place(b, label)
        pairs = list(zip(first, second, strict=True)) if first and second else []
        apart = any(abs(x - y) > max(half, other) for (x, half), (y, other) in pairs)  # than their decimals leave open
        return _truth(bool(pairs) and all(x == y for (x, _), (y, _) in pairs), apart)
    if "boolean" in kinds and kinds <= {"boolean", "string"}:
        truths = {_TRUTHS.get(node.value.lower()) for node in (a, b)}
        return None if None in truths else len(truths) == 1
    return False if kinds == {"string"} and not (a.lang and b.lang and a.lang != b.lang) else None


_Place = list[tuple[Fraction, Fraction]]


def _place(node: Node, label: Label, *texts: str) -> _Place | None:
    """Latitude and longitude in degrees, each with half a unit of its last decimal; also of these kinds of texts."""
    number = r" *([+-]?\d{1,3}(?:\.\d{0,99})?) *"
    written = _says(node, label).strip("()") if _kind(node) in ("coordinate", *texts) else ""
    found = re.fullmatch(f"{number},{number}", written, re.ASCII)
    if found is None or abs(Fraction(found[1])) > 90 or abs(Fraction(found[2])) > 360:
        return None
    return [(Fraction(text), Fraction(1, 2 * 10 ** len(text.partition(".")[2]))) for text in found.groups()]


class Period(NamedTuple):
    """What lasts: its first and its last moment lie between these bounds, in microseconds."""

    earliest_start: int
    latest_start: int
    earliest_end: int
    latest_end: int
    resolution: int = DAY


Span = Node | Period
_ALWAYS = 10**30  # microseconds: beyond any year that can be written
_UNKNOWN = 10**31  # and what may be even beyond that


def period(start: Node | None, end: Node | None, label: Label) -> Period | None:
    """From a start to an end. A side that is missing or unknown may be anything; an end of *no value* has not come."""
    first, last = _side(start, label), _side(end, label)
    if first is None or last is None:
        return None
    (begun, begun_by, step), (ended, ended_by, other) = first, last
    begun_by = ended_by if begun_by == _UNKNOWN else begun_by
    ended = _ALWAYS if end is not None and _kind(end) == "no_value" else begun if ended == -_UNKNOWN else ended
    return Period(begun, begun_by, ended, ended_by, min(step, other))


def _side(node: Node | None, label: Label) -> tuple[int, int, int] | None:
    """The bounds of a start or end, and its resolution; None where it is no time."""
    if node is None or _kind(node) in ("unknown_value", "no_value"):
        return -_UNKNOWN, _UNKNOWN, DAY
    time = _time(node, label)
    return (time.start, time.end - 1, time.resolution) if time else None


def _period(span: Span, label: Label) -> Period | None:
    time = span if isinstance(span, Period) else _time(span, label)
    if time is None or isinstance(time, Period):
        return time
    return Period(time.start, time.start, time.end - 1, time.end - 1, time.resolution)


def overlaps(a: Span, b: Span, label: Label) -> bool | None:
    """Whether they share a moment; a time is the whole of its span."""
    x, y = _period(a, label), _period(b, label)
    if x is None or y is None:
        return None
    shared = x.latest_start <= y.earliest_end and y.latest_start <= x.earliest_end
    return _truth(shared, x.latest_end < y.earliest_start or y.latest_end < x.earliest_start)


def within(a: Span, b: Span, label: Label) -> bool | None:
    """Whether ``a`` lies within ``b``, first and last day (or finer step) included; a time is a point in its span."""
    inner, outer = _period(a, label), _period(b, label)
    if inner is None or outer is None:
        return None
    step = min(inner.resolution, outer.resolution)
    begun, begun_by, ended, ended_by = (bound // step for bound in inner[:4])
    first, first_by, last, last_by = (bound // step for bound in outer[:4])
    if not isinstance(a, Period):  # a point misses only if it does wherever it is, a period with one of its ends
        begun_by, ended = ended_by, begun
    return _truth(first_by <= begun and ended_by <= last, begun_by < first or last_by < ended)


def holds_in_window(
    point: Node | None, start: Node | None, end: Node | None, first: Node | None, last: Node | None, label: Label
) -> bool | None:
    """Whether what holds at a point, else from start to end, holds at some time from ``first`` to ``last``."""
    since, until = (_time(bound, label) if bound is not None else None for bound in (first, last))
    if (first is not None and since is None) or (last is not None and until is None):
        return None
    begin, finish = since.start if since else -_ALWAYS, until.end - 1 if until else _ALWAYS
    window = Period(begin, begin, finish, finish)
    lasted = period(start, end, label)
    return within(point, window, label) if point is not None else overlaps(lasted, window, label) if lasted else None


class OrderKey(NamedTuple):
    """Bounds on the scale of a dimension: ``time`` (microseconds), or a quantity's (``""``: plain numbers)."""

    low: Fraction
    high: Fraction
    dimension: str


def order_key(node: Node, label: Label) -> OrderKey | None:
    """The key of a node, for order: ``a.high < b.low`` is ``compare("<", a, b)``. None: neither time nor quantity."""
    time = _time(node, label) if _kind(node) != "quantity" else None
    if time:
        return OrderKey(Fraction(time.start), Fraction(time.end - 1), "time")
    amount = _quantity(node, label)
    return OrderKey(*base_bounds(amount)) if amount else None


def arithmetic(do: str, left: Node, right: Node | None, label: Label) -> Literal | None:
    """The value of an operation; None where there is none. Bounds in, bounds out; the value is then the lower one."""
    time, amount = _time(left, label), _quantity(left, label)
    if right is None:
        return _part(do, *_dates(time)) if time else None
    to, by = _time(right, label), _quantity(right, label)
    if do == "distance":
        return _distance(*(_place(node, label, "entity", "string") for node in (left, right)))
    if do in ("add", "subtract") and time and _kind(left) != "quantity":  # a number may be a year, but is none here
        if not (do == "subtract" and to and _kind(right) != "quantity"):
            return _moved(time, by, 1 if do == "add" else -1) if by else None
        time, to, do = to, time, "duration"
    if do == "duration":
        return _duration(time, to)
    return _reckoned(do, amount, by) if amount and by else None


def _result(bounds: Sequence[Fraction], unit: str | None, value: Fraction | None = None) -> Literal | None:
    low, high, text = map(decimal_text, (min(bounds), max(bounds), min(bounds) if value is None else value))
    if any(len(number.partition("E")[2]) > 4 for number in (low, high, text)):
        return None  # an exponent of four digits is no number here
    return Literal(text, "quantity", unit, f"{low}..{high}" if low != high else None)


def _reckoned(do: str, a: Quantity, b: Quantity) -> Literal | None:
    if do == "multiply":
        return None if a.unit and b.unit else _result([x * y for x in a[1:3] for y in b[1:3]], a.unit or b.unit)
    if do == "divide":
        possible = b.unit in (None, a.unit) and not b.low <= 0 <= b.high
        return _result([x / y for x in a[1:3] for y in b[1:3]], None if b.unit else a.unit) if possible else None
    if do == "round":
        possible = b.low == b.high and b.low.denominator == 1 and not b.unit and abs(b.low) <= 1000
        return _result([Fraction(round(x, int(b.low))) for x in a[1:3]], a.unit) if possible else None
    same = converted(a, b.unit)
    if same is None or do not in ("convert", "add", "subtract"):
        return None
    if do == "convert":
        return _result(same[1:3], b.unit, same.value)
    low, high = (b.low, b.high) if do == "add" else (-b.high, -b.low)
    return _result((same.low + low, same.high + high), b.unit)


def aggregate(do: str, values: Sequence[Node], label: Label) -> Literal | None:
    """The sum, mean, min or max of quantities, in the unit of the first; of times the one that is surely min or max.

    None of none, or where one is neither or of another dimension.
    """
    amounts = [_quantity(value, label) for value in values]
    units = [amount.unit for amount in amounts[:1] if amount]
    same = [converted(amount, units[0]) for amount in amounts if amount and units]
    parts = [part for part in same if part]
    if values and len(parts) == len(values) and "time" not in map(_kind, values):
        lows, highs = [part.low for part in parts], [part.high for part in parts]
        if do in ("min", "max"):
            return _result((min(lows), min(highs)) if do == "min" else (max(lows), max(highs)), units[0])
        over = len(parts) if do == "mean" else 1
        return _result((sum(lows) / Fraction(over), sum(highs) / Fraction(over)), units[0])
    op = {"min": "≤", "max": "≥"}.get(do)
    times = [value for value in values if isinstance(value, Literal) and value.kind == "time"]
    keys = {value: key for value in times if (key := order_key(value, label))}
    if op is None or not values or any(value not in keys for value in values):
        return None
    bounds = {value: (key.high, key.low) if do == "min" else (-key.low, -key.high) for value, key in keys.items()}
    best = min(keys, key=lambda value: bounds[value])  # no other can be surely first, or it is the same point of time
    return best if all(value == best or compare(op, best, value, label) for value in keys) else None


def _distance(a: _Place | None, b: _Place | None) -> Literal | None:
    """By haversine, in floating-point numbers, and so to three decimals only."""
    if a is None or b is None:
        return None
    lat, lon, lat2, lon2 = (math.radians(float(number)) for number, _ in (*a, *b))
    half = math.sin((lat2 - lat) / 2) ** 2 + math.cos(lat) * math.cos(lat2) * math.sin((lon2 - lon) / 2) ** 2
    return _result([Fraction(f"{2 * 6371.0088 * math.asin(min(1.0, math.sqrt(half))):.3f}")], "kilometre")


_Date = tuple[int, int, int]


def _dates(time: Interval) -> tuple[_Date, _Date]:
    """Its first and its last date."""
    return date_of(time.start // DAY), date_of((time.end - 1) // DAY)


def _duration(start: Interval | None, end: Interval | None) -> Literal | None:
    if start is None or end is None:
        return None
    (earliest, latest), (from_, to) = _dates(start), _dates(end)
    return _result((_years(latest, from_), _years(earliest, to)), "year")


def _years(first: _Date, last: _Date) -> Fraction:
    """Whole years, and the part of the year since the last anniversary (of 29 February in a short year: 1 March)."""
    if last < first:
        return -_years(last, first)
    whole = last[0] - first[0] - (last[1:] < first[1:])
    before, after = (julian_day(first[0] + years, *first[1:]) for years in (whole, whole + 1))
    return whole + Fraction(julian_day(*last) - before, after - before)


def _moved(time: Interval, by: Quantity, sign: int) -> Literal | None:
    """A year, month or day moved by whole months (in a unit that is a number of them, as the year) or whole days."""
    unit, month, day = (unit_named(name) for name in (by.unit or "%", "month", "day"))
    if unit is None or month is None or day is None or unit.dimension != day.dimension or by.low != by.high:
        return None
    months = (unit.factor / month.factor).denominator == 1
    count = sign * by.low * unit.factor / (month.factor if months else day.factor)
    if count.denominator != 1 or abs(count) > 10**19 or time.precision not in ("year", "month", "day"):
        return None
    first = date_of(time.start // DAY)
    if not months:
        moved = date_of(time.start // DAY + int(count))
        return Literal(iso_date(moved), "time") if time.precision == "day" and abs(moved[0]) < 10**16 else None
    year, number = divmod(first[0] * 12 + first[1] - 1 + int(count), 12)
    parts = {"year": 1, "month": 2, "day": 3}[time.precision]
    if abs(year) >= 10**16 or first[parts:] != (1, 1)[parts - 1 :] or (parts == 1 and number):
        return None  # a year or month that is none of the Gregorian calendar; a year and some months
    moved = (year, number + 1, min(first[2], days_in_month(year, number + 1)))
    return Literal(iso_date(moved[:parts]), "time")


def _part(do: str, first: _Date, last: _Date) -> Literal | None:
    """The number of a part of a date of the Gregorian calendar; of decades and centuries those since year 1."""
    (year, month, day), (last_year, last_month, last_day) = first, last
    decade = year // 10 == last_year // 10 and (year % 100 or year < last_year)  # 1900 ends a century, begins a decade
    bounds = {
        "year": (year, last_year),
        "month": (month, last_month) if year == last_year else (),
        "day": (day, last_day) if first[:2] == last[:2] else (),
        "century": (-(-year // 100), -(-last_year // 100)) if year > 0 else (),
        "decade_of_century": (year // 10 % 10 + 1,) if year > 0 and decade else (),
    }.get(do)
    return _result([Fraction(number) for number in bounds], None) if bounds else None
