"""Values, and what follows from them: compared with three truth values (None: unknown), and reckoned with.

A time or quantity is an interval. A time of a day or finer counts as a point, a coarser one as a point within it.

A number of three or four digits is a year beside a time, and a number beside a quantity; as a text it is a year beside
another text (``"1999"`` < ``"2001"``). An entity stands for what its text says, a time or a quantity; else for itself.
"""

import math
import re
from collections.abc import Sequence
from fractions import Fraction
from statistics import mean
from typing import Any, NamedTuple

from .format import FORMAT, Label, LiteralValue, Node
from .quantities import Amount, converted, decimal_text, quantity, quantity_of_text, unit_of
from .times import DAY, Interval, date_of, days_in_month, interval_of, interval_of_text, iso_date, julian_day

Bounds = tuple[Fraction | int, Fraction | int]  # the least and the greatest that it may be


class PeriodBounds(NamedTuple):
    """What lasts: the bounds of its first and of its last moment, in microseconds."""

    start: tuple[int, int]
    end: tuple[int, int]
    resolution: int = DAY


Span = Node | PeriodBounds


def text_of(node: Node, label: Label) -> str:
    """What people read: of an entity its label, else its id; of a literal its value."""
    return node.value if isinstance(node, LiteralValue) else label(node) or node


def _kind(node: Span | None) -> str:
    return node.kind if isinstance(node, LiteralValue) else "entity" if isinstance(node, str) else "period"


def _time(node: Node, label: Label) -> Interval | None:
    if isinstance(node, LiteralValue) and node.kind == "time":
        return interval_of(node.value, node.precision, node.calendar == "julian")
    number = isinstance(node, LiteralValue) and node[1:4] == ("quantity", None, None)  # without a unit or bounds
    bare = number and re.fullmatch("[0-9]{3,4}", node[0])
    return interval_of_text(text_of(node, label)) if bare or _kind(node) in ("entity", "string") else None


def _quantity(node: Node, label: Label) -> Amount | None:
    if isinstance(node, LiteralValue) and node.kind == "quantity":
        return quantity(node.value, node.precision, node.unit)
    return quantity_of_text(text_of(node, label)) if _kind(node) in ("entity", "string") else None


def negated(truth: bool | None) -> bool | None:
    """Kleene's not."""
    return None if truth is None else not truth


def _truth(yes: bool, no: bool) -> bool | None:
    return True if yes else False if no else None


def compare(op: str, a: Span, b: Span, label: Label) -> bool | None:
    """Whether ``a op b``: = ≠ < ≤ > ≥ contains starts, or what format.json has for periods, which only that takes."""
    if op in FORMAT["periods"]:
        return _of_periods(FORMAT["periods"][op], a, b, label)
    if isinstance(a, PeriodBounds) or isinstance(b, PeriodBounds):
        return None
    if op == "≠":
        return negated(compare("=", a, b, label))
    kinds = {_kind(a), _kind(b)}
    if kinds & {"unknown_value", "no_value"}:
        return False if op == "=" and len(kinds) == 2 and "unknown_value" not in kinds else None
    if op in ("contains", "starts"):
        text, part = text_of(a, label).lower(), text_of(b, label).lower()
        return part in text if op == "contains" else text.startswith(part)
    if (kinds == {"entity"} and a == b) or (kinds == {"string"} and text_of(a, label) == text_of(b, label)):
        return op in ("=", "≤", "≥")
    bounds = _bounds(a, b, kinds, label)
    if bounds is None:
        return _equal(a, b, kinds, label) if op == "=" else None
    return _ordered(op, *bounds)


def _ordered(op: str, a: Bounds, b: Bounds) -> bool | None:
    """Whether ``a op b`` for all that they may be, or for none; of = < ≤ > ≥."""
    if op in (">", "≥"):
        return _ordered("<" if op == ">" else "≤", b, a)
    (low, high), (other_low, other_high) = a, b
    if op == "=":
        return _truth(low == high == other_low == other_high, high < other_low or other_high < low)
    if op == "<":
        return _truth(high < other_low, low >= other_high)
    return _truth(high <= other_low, low > other_high)


def _bounds(a: Node, b: Node, kinds: set[str], label: Label) -> Sequence[Bounds] | None:
    """Both as closed intervals on one scale: of times if one is a time or none a quantity, else of quantities."""
    first, second = (_time(a, label), _time(b, label)) if "time" in kinds or "quantity" not in kinds else (None, None)
    if first and second:
        step = min(first.resolution, second.resolution)
        if any(moment % step for moment in (*first[:2], *second[:2])):
            step = 1  # a zone of half an hour puts two hours out of step
        return (first.start, first.end - step), (second.start, second.end - step)
    amounts = [] if "time" in kinds else [_quantity(node, label) for node in (a, b)]
    keys = [_scaled(amount) for amount in amounts if amount]
    return [key[:2] for key in keys] if len(keys) == 2 and keys[0].dimension == keys[1].dimension else None


_TRUTHS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def _equal(a: Node, b: Node, kinds: set[str], label: Label) -> bool | None:
    """Equality of what has no order."""
    if kinds == {"entity"}:
        return False
    if kinds == {"entity", "string"}:
        return _truth(text_of(a, label) == text_of(b, label), False)
    if isinstance(a, str) or isinstance(b, str):
        return None
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
    written = text_of(node, label).strip("()") if _kind(node) in ("coordinate", *texts) else ""
    pair = re.fullmatch(f"{number},{number}", written, re.ASCII)
    if pair is None or abs(Fraction(pair[1])) > 90 or abs(Fraction(pair[2])) > 360:
        return None
    return [(Fraction(text), Fraction(1, 2 * 10 ** len(text.partition(".")[2]))) for text in pair.groups()]


_ALWAYS = Interval(-(10**30), 10**30 + 1, "day")  # beyond any year that can be written
_ANY = Interval(-(10**31), 10**31 + 1, "day")  # and what may be even beyond that


def period(start: Node | None, end: Node | None, label: Label) -> PeriodBounds | None:
    """From a start to an end. A side that is missing or unknown may be anything; an end of *no value* has not come."""
    unsaid = ("unknown_value", "no_value")
    first, last = (_ANY if node is None or _kind(node) in unsaid else _time(node, label) for node in (start, end))
    if first is None or last is None:
        return None
    begun_by, ended = (last if first is _ANY else first).end - 1, (first if last is _ANY else last).start
    if end is not None and _kind(end) == "no_value":
        ended = _ALWAYS.end - 1
    return PeriodBounds((first.start, begun_by), (ended, last.end - 1), min(first.resolution, last.resolution))


def _of_periods(rule: Any, a: Span, b: Span, label: Label) -> bool | None:
    """Whether the conditions of a rule of format.json hold, such as "start ≤ end": the one's start, the other's end."""
    first, second, step = _period(a, label), _period(b, label), 1
    if first is None or second is None:
        return None
    if rule["time"] == "point":  # the first, if it is a time, is one somewhere within its span
        step, span = min(first.resolution, second.resolution), (first.start[0], first.end[1])
        first = first if first is a else PeriodBounds(span, span)

    def bounds(one: PeriodBounds, side: str) -> Bounds:
        low, high = getattr(one, side)
        return low // step, high // step

    conditions = (condition.split(" ") for condition in rule["if"])
    truths = [_ordered(op, bounds(first, side), bounds(second, other)) for side, op, other in conditions]
    return _truth(all(truths), False in truths)


def _period(span: Span, label: Label) -> PeriodBounds | None:
    """A period; of a time the whole of its span."""
    time = span if isinstance(span, PeriodBounds) else _time(span, label)
    if not isinstance(time, Interval):
        return time
    return PeriodBounds((time.start,) * 2, (time.end - 1,) * 2, time.resolution)


def holds_in_window(
    point: Node | None, start: Node | None, end: Node | None, first: Node | None, last: Node | None, label: Label
) -> bool | None:
    """Whether what holds at a point, else from start to end, holds at some time from ``first`` to ``last``."""
    since, until = (_ALWAYS if bound is None else _time(bound, label) for bound in (first, last))
    held = period(start, end, label) if point is None else point
    if since is None or until is None or held is None:
        return None
    window = PeriodBounds((since.start,) * 2, (until.end - 1,) * 2)
    return compare("overlaps" if point is None else "within", held, window, label)


class OrderKey(NamedTuple):
    """Bounds on the scale of a dimension: ``time`` (microseconds), or the base units of a quantity."""

    low: Fraction
    high: Fraction
    dimension: str


def order_key(node: Node, label: Label) -> OrderKey | None:
    """The key of a node, for order: ``a.high < b.low`` is ``compare("<", a, b)``. None: neither time nor quantity."""
    time = _time(node, label) if _kind(node) != "quantity" else None
    if time:
        return OrderKey(Fraction(time.start), Fraction(time.end - 1), "time")
    amount = _quantity(node, label)
    return _scaled(amount) if amount else None


def _scaled(amount: Amount) -> OrderKey:
    unit = unit_of(amount.unit)
    low, high = ((number + unit.offset) * unit.factor for number in amount[1:3])
    return OrderKey(low, high, " ".join(f"{base}{power}" for base, power in unit.dimension))


def arithmetic(do: str, left: Node, right: Node | None, label: Label) -> LiteralValue | None:
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
    if do in ("duration", "days") and time and to:
        (earliest, latest), (first, last) = _dates(time), _dates(to)
        apart, unit = (_years, "year") if do == "duration" else (_days, "day")
        return _result((apart(latest, first), apart(earliest, last)), unit)
    return _reckoned(do, amount, by) if amount and by else None


def _result(bounds: Sequence[Fraction], unit: str | None, value: Fraction | None = None) -> LiteralValue | None:
    low, high, text = map(decimal_text, (min(bounds), max(bounds), min(bounds) if value is None else value))
    if any(len(number.partition("E")[2]) > 4 for number in (low, high, text)):
        return None  # an exponent of four digits is no number here
    return LiteralValue(text, "quantity", unit, f"{low}..{high}" if low != high else None)


def _reckoned(do: str, a: Amount, b: Amount) -> LiteralValue | None:
    ends = [(x, y) for x in a[1:3] for y in b[1:3]]
    if do == "multiply":
        return None if a.unit and b.unit else _result([x * y for x, y in ends], a.unit or b.unit)
    if do == "divide":
        possible = b.unit in (None, a.unit) and not b.low <= 0 <= b.high
        return _result([x / y for x, y in ends], None if b.unit else a.unit) if possible else None
    if do == "round":
        possible = b.low == b.high and b.low.denominator == 1 and not b.unit and abs(b.low) <= 1000
        return _result([Fraction(round(x, int(b.low))) for x in a[1:3]], a.unit) if possible else None
    same = converted(a, b.unit)
    if same is None or do == "convert":
        return same and _result(same[1:3], b.unit, same.value)
    if do == "floor":
        return _result([x // b.low * b.low for x in same[1:3]], b.unit) if b.low == b.high > 0 else None
    signed = {"add": (b.low, b.high), "subtract": (-b.high, -b.low)}.get(do)  # no other is of numbers
    return signed and _result((same.low + signed[0], same.high + signed[1]), b.unit)


_OVER: dict[str, Any] = {"sum": sum, "mean": mean, "min": min, "max": max}


def aggregate(do: str, values: Sequence[Node], label: Label) -> LiteralValue | None:
    """The sum, mean, min or max of quantities, in the unit of the first; of times the one that is surely min or max.
    None of none, or where one is neither or of another dimension."""
    least = do == "min"
    if {_kind(value) for value in values} == {"time"}:
        keys = {time: key for time in values if (key := order_key(time, label))}
        if do not in ("min", "max") or len(keys) < len({*values}):
            return None
        ends = {time: (key.high, key.low) if least else (-key.low, -key.high) for time, key in keys.items()}
        best = min(keys, key=lambda time: ends[time])  # no other can be surely first, or it is the same point of time
        first = all(time == best or compare("≤" if least else "≥", best, time, label) for time in keys)
        return best if first and isinstance(best, LiteralValue) else None
    amounts = [_quantity(value, label) for value in values]
    unit = amounts[0].unit if amounts and amounts[0] else None
    same = [part for amount in amounts if amount and (part := converted(amount, unit))]
    if not values or len(same) < len(values):
        return None
    lows, highs = [part.low for part in same], [part.high for part in same]
    return _result((_OVER[do](lows), _OVER[do](highs)), unit)


def _distance(a: _Place | None, b: _Place | None) -> LiteralValue | None:
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


def _years(first: _Date, last: _Date) -> Fraction:
    """Whole years, and the part of the year since the last anniversary (of 29 February in a short year: 1 March)."""
    if last < first:
        return -_years(last, first)
    whole = last[0] - first[0] - (last[1:] < first[1:])
    before, after = (julian_day(first[0] + years, *first[1:]) for years in (whole, whole + 1))
    return whole + Fraction(julian_day(*last) - before, after - before)


def _days(first: _Date, last: _Date) -> Fraction:
    return Fraction(julian_day(*last) - julian_day(*first))


def _moved(time: Interval, by: Amount, sign: int) -> LiteralValue | None:
    """A year, month or day moved by whole months (in a unit that is a number of them, as the year) or whole days."""
    unit, month, day = map(unit_of, (by.unit, "month", "day"))
    parts = {"year": 1, "month": 2, "day": 3}.get(time.precision)
    if parts is None or unit.dimension != day.dimension or by.low != by.high:
        return None
    months = (unit.factor / month.factor).denominator == 1
    count = sign * by.low * unit.factor / (month.factor if months else day.factor)
    if count.denominator != 1 or abs(count) > 10**19 or (parts < 3 and not months):
        return None
    first = moved = date_of(time.start // DAY + (0 if months else int(count)))
    if months:
        year, number = divmod(first[0] * 12 + first[1] - 1 + int(count), 12)
        if first[parts:] != (1, 1)[parts - 1 :] or (parts == 1 and number):
            return None  # a year or month that is none of the Gregorian calendar; a year and some months
        moved = (year, number + 1, min(first[2], days_in_month(year, number + 1)))
    return LiteralValue(iso_date(moved[:parts]), "time") if abs(moved[0]) < 10**16 else None


def _part(do: str, first: _Date, last: _Date) -> LiteralValue | None:
    """The number of a part of a date of the Gregorian calendar; of decades and centuries those since year 1."""
    (year, *_), (last_year, *_), bounds = first, last, tuple[int, ...]()
    if do in ("year", "month", "day"):
        at = ("year", "month", "day").index(do)
        bounds = (first[at], last[at]) if first[:at] == last[:at] else ()
    elif do == "century" and year > 0:
        bounds = -(-year // 100), -(-last_year // 100)
    elif do == "decade_of_century" and year > 0 and year // 10 == last_year // 10:
        bounds = (year // 10 % 10 + 1,) if year % 100 or year < last_year else ()  # 1900 ends a century
    return _result([Fraction(number) for number in bounds], None) if bounds else None
