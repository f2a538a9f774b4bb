"""Values, and what follows from them: compared with three truth values (None: unknown), and reckoned with.

A time or quantity is an interval. A time of a day or finer counts as a point, a coarser one as a point somewhere within.

- A number of three or four digits is a year beside a time, and a number beside a quantity. As a text it is a year
  beside another text (``"1999"`` < ``"2001"``); a quantity literal with a unit or bounds is never a year.
- An entity stands for what its text says, a time or a quantity; else for itself. No value of arithmetic is an entity.
- Two texts of the same characters are equal, whatever they say.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from .errors import KernelError
from .quantities import Quantity, base_bounds, converted, decimal_text, quantity, quantity_of_text, total
from .times import DAY, Interval, date_of, days_in_month, interval_of, interval_of_text, julian_day
from .units import unit_named

__all__ = [
    "Label", "Literal", "Node", "OrderKey", "Period", "Span", "arithmetic", "compare", "holds_in_window", "literal_from",
    "mean_of", "order_key", "overlaps", "period", "sum_of", "text_of", "within",
]  # fmt: skip

KINDS = ("string", "quantity", "time", "coordinate", "boolean", "unknown_value", "no_value")
_TEXT_LIMIT, _NUMBER_LIMIT = 100_000, 1000


class Literal(NamedTuple):
    """A value with its kind; an entity is a ``str``, its id."""

    value: str
    kind: str
    unit: str | None = None
    precision: str | None = None
    lang: str | None = None
    calendar: str | None = None


Node = str | Literal
Label = Callable[[str], str | None]  # the label of an entity, given its id


def literal_from(value: object) -> Literal:
    """The literal of a JSON object.

    Raises:
        KernelError: it is none, with a line that says why.
    """
    if not isinstance(value, dict):
        raise KernelError("a literal must be an object")
    if unknown := sorted(map(repr, value.keys() - set(Literal._fields))):
        raise KernelError(f"a literal has no field {unknown[0][:60]}")
    for name, text in value.items():
        if not isinstance(text, str) and (text is not None or name in ("value", "kind")):
            raise KernelError(f"{name} of a literal must be a text")
        if text is not None and len(text) > _TEXT_LIMIT:
            raise KernelError(f"{name} of a literal has more than {_TEXT_LIMIT:,} characters")
        if text == "" and name != "value":
            raise KernelError(f"{name} of a literal must not be empty")
    if "value" not in value or value.get("kind") not in KINDS:
        raise KernelError(f"a literal needs a value, and a kind among {', '.join(KINDS)}")
    literal = Literal(**value)
    numbers = (literal.value, *(literal.precision or "").split("..")) if literal.kind == "quantity" else ()
    if any(len(number) > _NUMBER_LIMIT for number in numbers):
        raise KernelError(f"a number has more than {_NUMBER_LIMIT:,} characters")
    if literal.calendar not in (None, "gregorian", "julian"):
        raise KernelError("calendar of a literal must be gregorian or julian")
    return literal


def text_of(node: Node, label: Label) -> str:
    """What people read: of an entity its label, else its id; of a literal its value and unit."""
    if isinstance(node, str):
        return label(node) or node
    return f"{node.value} {label(node.unit) or node.unit}" if node.unit else node.value


def _kind(node: Node) -> str:
    return node.kind if isinstance(node, Literal) else "entity"


def _time(node: Node, label: Label) -> Interval | None:
    if isinstance(node, str):
        return interval_of_text(text_of(node, label))
    if node.kind == "time":
        return interval_of(node.value, node.precision, node.calendar == "julian")
    bare = node.kind == "quantity" and node.unit is node.precision is None and re.fullmatch("[0-9]{3,4}", node.value)
    return interval_of_text(node.value) if bare or node.kind == "string" else None


def _quantity(node: Node, label: Label) -> Quantity | None:
    if isinstance(node, str):
        return quantity_of_text(text_of(node, label))
    if node.kind == "quantity":
        return quantity(node.value, node.precision, node.unit)
    return quantity_of_text(node.value) if node.kind == "string" else None


# Truth


def compare(op: str, a: Node, b: Node, label: Label) -> bool | None:
    """Whether ``a op b``, for = ≠ < ≤ > ≥ contains starts."""
    if op in ("≠", ">", "≥"):
        if op != "≠":
            return compare("<" if op == ">" else "≤", b, a, label)
        equal = compare("=", a, b, label)
        return None if equal is None else not equal
    kinds = {_kind(a), _kind(b)}
    if "unknown_value" in kinds:
        return None
    if "no_value" in kinds:
        return False if op == "=" and len(kinds) == 2 else None
    if op in ("contains", "starts"):
        text, part = ((text_of(x, label) if isinstance(x, str) else x.value).lower() for x in (a, b))
        return part in text if op == "contains" else text.startswith(part)
    if kinds == {"entity"} and a == b:
        return op != "<"
    if isinstance(a, Literal) and isinstance(b, Literal) and kinds == {"string"} and a.value == b.value:
        return op != "<"
    bounds = _bounds(a, b, label)
    if bounds is None:
        return _equal(a, b, label) if op == "=" else None
    (low, high), (other_low, other_high) = bounds
    if op == "=":
        return (
            False if high < other_low or other_high < low else True if low == high == other_low == other_high else None
        )
    if op == "<":
        return True if high < other_low else False if low >= other_high else None
    return True if high <= other_low else False if low > other_high else None


_Bounds = tuple[Fraction | int, Fraction | int]


def _bounds(a: Node, b: Node, label: Label) -> tuple[_Bounds, _Bounds] | None:
    """Both as closed intervals on one scale: of times if one is a time or none a quantity, else of quantities."""
    kinds = {_kind(a), _kind(b)}
    if "time" in kinds or "quantity" not in kinds:
        first, second = _time(a, label), _time(b, label)
        if first and second:
            step = _step(first, second)
            return (first.start, first.end - step), (second.start, second.end - step)
        if "time" in kinds:
            return None
    amount, other = _quantity(a, label), _quantity(b, label)
    same = converted(amount, other.unit) if amount and other else None
    return ((same.low, same.high), (other.low, other.high)) if same and other else None


def _step(first: Interval, second: Interval) -> int:
    """The finer resolution, by whose steps both count; a microsecond if a zone of half an hour puts them out of step."""
    step = min(first.resolution, second.resolution)
    return step if all(moment % step == 0 for moment in (first.start, first.end, second.start, second.end)) else 1


_TRUTHS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def _equal(a: Node, b: Node, label: Label) -> bool | None:
    """Equality of what has no order."""
    if isinstance(a, str) and isinstance(b, str):
        return a == b
    if isinstance(a, str) or isinstance(b, str):
        entity, literal = (a, b) if isinstance(a, str) else (b, a)
        same = (
            isinstance(literal, Literal) and literal.kind == "string" and literal.value == text_of(str(entity), label)
        )
        return True if same else None
    if a.kind == b.kind == "coordinate":
        return _same_place(a, b)
    if "boolean" in (a.kind, b.kind) and {a.kind, b.kind} <= {"boolean", "string"}:
        first, second = _TRUTHS.get(a.value.lower()), _TRUTHS.get(b.value.lower())
        return None if first is None or second is None else first == second
    if a.kind == b.kind == "string":  # of different characters
        return None if a.lang and b.lang and a.lang != b.lang else False
    return None


def _place(literal: Literal) -> list[tuple[Fraction, Fraction]] | None:
    """Latitude and longitude in degrees, each with half a unit of its last decimal."""
    numbers = [number.strip(" ") for number in literal.value.split(",")]
    plain = r"[+-]?\d{1,3}(\.\d{0,100})?"
    if literal.kind != "coordinate" or len(numbers) != 2 or not all(re.fullmatch(plain, n, re.ASCII) for n in numbers):
        return None
    place = [(Fraction(n), Fraction(1, 2 * 10 ** len(n.partition(".")[2]))) for n in numbers]
    return place if abs(place[0][0]) <= 90 and abs(place[1][0]) <= 360 else None


def _same_place(a: Literal, b: Literal) -> bool | None:
    """No if they are further apart than their decimals leave open."""
    first, second = _place(a), _place(b)
    if first is None or second is None:
        return None
    pairs = list(zip(first, second, strict=True))
    if all(number == other for (number, _), (other, _) in pairs):
        return True
    return False if any(abs(number - other) > max(half, half2) for (number, half), (other, half2) in pairs) else None


# Periods


class Period(NamedTuple):
    """What lasts: first and last moment lie between these bounds, in microseconds; None: no bound."""

    earliest_start: int | None
    latest_start: int | None
    earliest_end: int | None
    latest_end: int | None
    resolution: int = DAY


Span = Node | Period
_FOREVER = 10**30  # microseconds: beyond any year that can be written


def period(start: Node | None, end: Node | None, label: Label) -> Period | None:
    """From a start to an end. A side that is missing or unknown may be anything; an end of *no value* has not come."""
    sides = [_side(start, label), _side(end, label)]
    if None in sides:
        return None
    (earliest, latest, step), (earliest_end, latest_end, other) = (side or (None, None, DAY) for side in sides)
    return Period(
        earliest,
        latest_end if latest is None else latest,
        _FOREVER
        if end is not None and _kind(end) == "no_value"
        else earliest
        if earliest_end is None
        else earliest_end,
        latest_end,
        min(step, other),
    )


def _side(node: Node | None, label: Label) -> tuple[int | None, int | None, int] | None:
    if node is None or _kind(node) in ("unknown_value", "no_value"):
        return None, None, DAY
    time = _time(node, label)
    return (time.start, time.end - 1, time.resolution) if time else None


def _as_period(span: Span, label: Label) -> Period | None:
    if isinstance(span, Period):
        return span
    time = _time(span, label)
    return Period(time.start, time.start, time.end - 1, time.end - 1, time.resolution) if time else None


def _le(a: int | None, b: int | None) -> bool:
    return a is not None and b is not None and a <= b


def _lt(a: int | None, b: int | None) -> bool:
    return a is not None and b is not None and a < b


def overlaps(a: Span, b: Span, label: Label) -> bool | None:
    """Whether they share a moment; a time is the whole of its span."""
    x, y = _as_period(a, label), _as_period(b, label)
    if x is None or y is None:
        return None
    if _le(x.latest_start, y.earliest_end) and _le(y.latest_start, x.earliest_end):
        return True
    return False if _lt(x.latest_end, y.earliest_start) or _lt(y.latest_end, x.earliest_start) else None


def within(a: Span, b: Span, label: Label) -> bool | None:
    """Whether ``a`` lies within ``b``, first and last day (or finer step) included; a time is a point in its span."""
    inner, outer = _as_period(a, label), _as_period(b, label)
    if inner is None or outer is None:
        return None
    step = min(inner.resolution, outer.resolution)
    start, start_by, end_from, end = (None if bound is None else bound // step for bound in inner[:4])
    first, first_by, last_from, last = (None if bound is None else bound // step for bound in outer[:4])
    if _le(first_by, start) and _le(end, last_from):
        return True
    if isinstance(a, Period):  # it sticks out as soon as one of its ends does
        return False if _lt(start_by, first) or _lt(last, end_from) else None
    return False if _lt(end, first) or _lt(last, start) else None


def holds_in_window(
    point: Node | None, start: Node | None, end: Node | None, first: Node | None, last: Node | None, label: Label
) -> bool | None:
    """Whether what holds at a point, else from start to end, holds at some time from ``first`` to ``last``."""
    since, until = (_side(bound, label) for bound in (first, last))
    if since is None or until is None:
        return None
    begin = -_FOREVER if since[0] is None else since[0]
    finish = _FOREVER if until[1] is None else until[1]
    window = Period(begin, begin, finish, finish)
    if point is not None:
        return within(point, window, label)
    lasted = period(start, end, label)
    return overlaps(lasted, window, label) if lasted else None


class OrderKey(NamedTuple):
    """Bounds on the scale of a dimension: ``time`` (microseconds), or that of a quantity; ``""`` for plain numbers."""

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


# Arithmetic: bounds in, bounds out. A result with bounds has the lower one for its value.


def arithmetic(do: str, left: Node, right: Node | None, label: Label) -> Literal | None:
    """The value of an operation; None where there is none."""
    time, amount = _time(left, label), _quantity(left, label)
    if right is None:
        return _part(do, time) if time else None
    other_time, other = _time(right, label), _quantity(right, label)
    if do == "duration":
        return _duration(time, other_time)
    if do == "distance":
        return _distance(left, right)
    if do in ("add", "subtract") and time and _kind(left) != "quantity":  # a number may be a year, but is none here
        if do == "subtract" and other_time and _kind(right) != "quantity":
            return _duration(other_time, time)
        return _moved(time, other, 1 if do == "add" else -1) if other else None
    return _reckoned(do, amount, other) if amount and other else None


def _result(low: Fraction, high: Fraction, unit: str | None, value: Fraction | None = None) -> Literal | None:
    texts = [decimal_text(number) for number in (low if value is None else value, low, high)]
    if any(len(text.partition("E")[2]) > 4 for text in texts):
        return None  # an exponent of four digits is no number here
    bounds = f"{texts[1]}..{texts[2]}" if texts[1] != texts[2] else None
    return Literal(texts[0], "quantity", unit, bounds)


def _reckoned(do: str, a: Quantity, b: Quantity) -> Literal | None:
    if do == "multiply":
        products = [x * y for x in a[1:3] for y in b[1:3]]
        return None if a.unit and b.unit else _result(min(products), max(products), a.unit or b.unit)
    if do == "divide":
        if b.low <= 0 <= b.high or b.unit not in (None, a.unit):
            return None
        parts = [x / y for x in a[1:3] for y in b[1:3]]
        return _result(min(parts), max(parts), None if b.unit else a.unit)
    if do == "round":
        if b.unit or b.low != b.high or b.low.denominator != 1 or abs(b.low) > _NUMBER_LIMIT:
            return None
        return _result(round(a.low, int(b.low)), round(a.high, int(b.low)), a.unit)
    same = converted(a, b.unit)
    if same is None or do not in ("convert", "add", "subtract"):
        return None
    if do == "convert":
        return _result(same.low, same.high, b.unit, same.value)
    return (
        _result(same.low + b.low, same.high + b.high, b.unit)
        if do == "add"
        else _result(same.low - b.high, same.high - b.low, b.unit)
    )


def sum_of(values: Sequence[Node], label: Label = lambda _: None, divisor: int = 1) -> Literal | None:
    """The sum in the unit of the first; None of none, or where one is no quantity or does not convert."""
    amounts = [_quantity(value, label) for value in values]
    whole = total([amount for amount in amounts if amount])
    return _result(whole.low / divisor, whole.high / divisor, whole.unit) if whole and None not in amounts else None


def mean_of(values: Sequence[Node], label: Label = lambda _: None) -> Literal | None:
    """Their sum, divided by their number before it is rounded."""
    return sum_of(values, label, len(values))


def _distance(left: Node, right: Node) -> Literal | None:
    """By haversine; of floating-point numbers, and so to a metre only."""
    a, b = (_place(node) if isinstance(node, Literal) else None for node in (left, right))
    if a is None or b is None:
        return None
    lat, lon, lat2, lon2 = (math.radians(float(number)) for number, _ in (*a, *b))
    half = math.sin((lat2 - lat) / 2) ** 2 + math.cos(lat) * math.cos(lat2) * math.sin((lon2 - lon) / 2) ** 2
    far = Fraction(f"{2 * 6371.0088 * math.asin(min(1.0, math.sqrt(half))):.3f}")
    return _result(far, far, "kilometre")


def _days(time: Interval) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Its first and its last date."""
    return date_of(time.start // DAY), date_of((time.end - 1) // DAY)


def _duration(start: Interval | None, end: Interval | None) -> Literal | None:
    if start is None or end is None:
        return None
    (earliest, latest), (earliest_end, latest_end) = _days(start), _days(end)
    return _result(_years(latest, earliest_end), _years(earliest, latest_end), "year")


def _years(first: tuple[int, int, int], last: tuple[int, int, int]) -> Fraction:
    """Whole years, and the part of the year that began on the last anniversary; 29 February is 1 March where there is none."""
    if last < first:
        return -_years(last, first)
    whole = last[0] - first[0] - (last[1:] < first[1:])
    before, after = (julian_day(first[0] + whole + more, *first[1:]) for more in (0, 1))
    return whole + Fraction(julian_day(*last) - before, after - before)


def _moved(time: Interval, by: Quantity, sign: int) -> Literal | None:
    """A year, month or day moved by whole months (if its unit is a number of them: a year) or else by whole days."""
    unit, month, day = (unit_named(name or "") for name in (by.unit, "month", "day"))
    if unit is None or month is None or day is None or unit.dimension != day.dimension or by.low != by.high:
        return None
    year, number, date = date_of(time.start // DAY)
    by_month = (unit.factor / month.factor).denominator == 1
    count = by.low * unit.factor / (month.factor if by_month else day.factor) * sign
    if count.denominator != 1 or abs(count) > 10**19:
        return None
    if not by_month:
        if time.precision != "day":
            return None
        year, number, date = date_of(time.start // DAY + int(count))
    else:
        aligned = date == 1 if time.precision == "month" else (number, date) == (1, 1)
        if time.precision != "day" and not aligned:
            return None  # a month or year of the Julian calendar
        year, number = (year * 12 + number - 1 + int(count)) // 12, (number - 1 + int(count)) % 12 + 1
        date = min(date, days_in_month(year, number))
    text = f"{'-' if year < 0 else ''}{abs(year):04d}"
    texts = {"year": text, "month": f"{text}-{number:02d}", "day": f"{text}-{number:02d}-{date:02d}"}
    whole = time.precision != "year" or number == 1
    return Literal(texts[time.precision], "time") if whole and time.precision in texts and abs(year) < 10**16 else None


def _part(do: str, time: Interval) -> Literal | None:
    """The number of a part of a date of the Gregorian calendar. Centuries and decades are those since year 1."""
    (year, month, day), (last_year, last_month, last_day) = _days(time)
    low = high = None
    if do == "year":
        low, high = year, last_year
    elif do == "month" and year == last_year:
        low, high = month, last_month
    elif do == "day" and (year, month) == (last_year, last_month):
        low, high = day, last_day
    elif do == "century" and year > 0:
        low, high = -(-year // 100), -(-last_year // 100)
    elif do == "decade_of_century" and year > 0 and year // 10 == last_year // 10:
        # The last year of a century is the first of a decade: of which century, is not agreed.
        low = high = None if year == last_year and year % 100 == 0 else year // 10 % 10 + 1
    return _result(Fraction(low), Fraction(high), None) if low is not None and high is not None else None
