"""Values compared as far as they can be: Kleene's three truth values, with None for unknown.

A time of day precision or finer is a point; a coarser one is a point somewhere within it: 1876 < 2009-01 is true, 1995
against 1995-03 unknown, and so is whether two events of 1995 were at the same time. Quantities convert within a
dimension; unlike dimensions and different currencies are unknown. An entity equals itself; else entities compare by
what their labels say ("1999"), and by id where these say no time and no quantity.

*unknown value* makes every comparison unknown. *no value* equals nothing: ``=`` is false, ``≠`` true, an order unknown;
two of them are unknown. Two texts of the same characters are equal, even where they say no more than a year.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal as Choice
from typing import cast, get_args

from toulmin.errors import SettingsError
from toulmin.graph.quantities import (
    Quantity,
    in_common_unit,
    literal_quantity,
    parse_quantity,
    written_quantity,
)
from toulmin.graph.times import DAY, TimeInterval, literal_interval, parse_time
from toulmin.graph.types import Entity, Literal, Node
from toulmin.graph.xsd import time_literal

__all__ = [
    "Operator",
    "Period",
    "compare",
    "distance",
    "holds_in_window",
    "literal_from_text",
    "overlaps",
    "period",
    "quantity_of",
    "time_of",
    "within",
]

Operator = Choice["=", "≠", "<", "≤", ">", "≥", "contains", "starts"]
_SPELLINGS = {"==": "=", "!=": "≠", "<=": "≤", ">=": "≥"}
_EARTH_RADIUS = 6371.0088  # km, mean radius of the IUGG

_YEAR_NUMBER = re.compile(r"\d{3,4}\Z", re.ASCII)
_LIKELY_YEAR = re.compile(r"1\d{3}\Z|20\d\d\Z|2100\Z", re.ASCII)
_DEGREES = r" *([+-]?\d{1,3}(?:\.\d{0,99})?) *"
_COORDINATE = re.compile(f"{_DEGREES},{_DEGREES}", re.ASCII)
_BOOLEANS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


@dataclass(frozen=True, slots=True)
class Period:
    """Something that lasts from a start to an end, each known within bounds: microseconds as in ``TimeInterval``.

    Args:
        earliest_start, latest_start: the start lies between them, inclusive; None: no bound.
        earliest_end, latest_end: the last moment lies between them, inclusive; None: no bound.
        resolution: the smallest unit told apart, in microseconds.
    """

    earliest_start: int | None
    latest_start: int | None
    earliest_end: int | None
    latest_end: int | None
    resolution: int


Span = Node | Period


def compare(op: str, a: Node, b: Node) -> bool | None:
    """Whether ``a op b``; None: unknown.

    Args:
        op: one of = ≠ < ≤ > ≥ (also ==, !=, <=, >=), contains and starts (of the texts, whatever their case).

    Raises:
        SettingsError: another operator.
    """
    operator = _SPELLINGS.get(op, op)
    if operator not in get_args(Operator):
        raise SettingsError(f"operator {op!r}: must be one of {' '.join(get_args(Operator))}")
    kinds = {node.kind for node in (a, b) if isinstance(node, Literal)}
    if "unknown_value" in kinds:
        return None
    if "no_value" in kinds:
        both = all(isinstance(node, Literal) and node.kind == "no_value" for node in (a, b))
        return None if both or operator not in ("=", "≠") else operator == "≠"
    if operator in ("contains", "starts"):
        text, part = _text(a).lower(), _text(b).lower()
        return part in text if operator == "contains" else text.startswith(part)
    if (isinstance(a, Entity) and isinstance(b, Entity) and a.id == b.id) or _are_same_text(a, b):
        return operator in ("=", "≤", "≥")
    bounds = _comparable(a, b)
    if bounds is not None:
        return _compare_bounds(cast(Operator, operator), *bounds)
    equal = _equal(a, b)
    if equal is None or operator not in ("=", "≠"):
        return None
    return equal if operator == "=" else not equal


def overlaps(a: Span, b: Span) -> bool | None:
    """Whether two periods share a moment; a time stands for the whole of its year, month or day. None: unknown."""
    first, second = _as_period(a), _as_period(b)
    if first is None or second is None:
        return None
    if _not_after(first.latest_start, second.earliest_end) and _not_after(second.latest_start, first.earliest_end):
        return True
    if _before(first.latest_end, second.earliest_start) or _before(second.latest_end, first.earliest_start):
        return False
    return None


def within(a: Span, b: Span) -> bool | None:
    """Whether ``a`` lies within ``b``, first and last day included; None: unknown.

    A time is a point somewhere in its year, month or day: 1995 within 1995-03 is unknown, within 1990 to 2000 true.
    """
    inner, outer = _as_period(a), _as_period(b)
    if inner is None or outer is None:
        return None
    unit = min(inner.resolution, outer.resolution)
    inner, outer = _in_units(inner, unit), _in_units(outer, unit)
    if _not_after(outer.latest_start, inner.earliest_start) and _not_after(inner.latest_end, outer.earliest_end):
        return True
    # A period misses as soon as one of its ends lies outside, a point only if it lies outside wherever it is.
    starts, ends = (
        (inner.latest_start, inner.earliest_end) if isinstance(a, Period) else (inner.latest_end, inner.earliest_start)
    )
    return False if _before(starts, outer.earliest_start) or _before(outer.latest_end, ends) else None


def period(start: Node | None, end: Node | None) -> Period | None:
    """The period from a start time to an end time, such as the qualifiers of a position held.

    A side that is missing (None) or *unknown value* may be anything; *no value* as end: it has not ended. None where a
    side is no time.
    """
    first, last = _bound(start), _bound(end)
    if first is None or last is None:
        return None
    lasting = isinstance(end, Literal) and end.kind == "no_value"
    return Period(
        earliest_start=first[0],
        latest_start=last[1] if first[1] is None else first[1],
        earliest_end=_FOREVER if lasting else first[0] if last[0] is None else last[0],
        latest_end=last[1],
        resolution=min(first[2], last[2]),
    )


_FOREVER = 10**30  # microseconds, far beyond any date


def holds_in_window(
    point: Node | None, start: Node | None, end: Node | None, first: Node | None, last: Node | None
) -> bool | None:
    """Whether what holds at a point, else from a start to an end, holds at some time from ``first`` to ``last``.

    A side of the window that is None is unbounded; None where the window is no time, or the times leave it open.
    """
    since, until = (time_of(bound) if bound is not None else None for bound in (first, last))
    if (first is not None and since is None) or (last is not None and until is None):
        return None
    begin, finish = since.start if since else -_FOREVER, until.end - 1 if until else _FOREVER
    window = Period(begin, begin, finish, finish, DAY)
    if point is not None:  # a point is somewhere in its year: in a day of that year it may be, or not
        return within(point, window)
    lasted = period(start, end)
    return overlaps(lasted, window) if lasted is not None else None


def distance(a: Node, b: Node) -> float | None:
    """The great-circle distance in kilometres (haversine) of two coordinates; None where one is none.

    A text or label that is written as one counts too: "(48.85, 2.35)".
    """
    first, second = (_degrees(_as_coordinate(node)) for node in (a, b))
    if first is None or second is None:
        return None
    (lat1, lon1), (lat2, lon2) = (tuple(math.radians(float(angle)) for angle in place) for place in (first, second))
    half = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 2 * _EARTH_RADIUS * math.asin(min(1.0, math.sqrt(half)))


def time_of(node: Node) -> TimeInterval | None:
    """The time a node stands for: a time literal, a text or label such as "18 February 1997", a number such as 1999."""
    if isinstance(node, Entity):
        return parse_time(_text(node))
    if node.kind == "time":
        return literal_interval(node)
    if node.kind == "string":
        return parse_time(node.value)
    if node.kind == "quantity" and node.unit is node.precision is None and _YEAR_NUMBER.match(node.value):
        return parse_time(node.value)
    return None


def quantity_of(node: Node) -> Quantity | None:
    """The quantity a node stands for: a quantity literal, or a text or label such as "120 kilometre per hour"."""
    if isinstance(node, Entity):
        return parse_quantity(_text(node))
    if node.kind == "quantity":
        return literal_quantity(node)
    return parse_quantity(node.value) if node.kind == "string" else None


def literal_from_text(text: str) -> Literal | None:
    """The literal a bare text most likely is: a date, a year from 1000 to 2100, a number with or without a unit."""
    number = text.replace(",", "").isdigit() and not _LIKELY_YEAR.match(text)
    if not number and (interval := parse_time(text)):
        day, precision = interval.earliest, interval.precision
        written = {"day": day, "month": day[:-3], "year": day[:-6]}.get(precision)
        return time_literal(written) if written else time_literal(day[:-6], precision)
    amount = written_quantity(text)
    return Literal(amount[0], "quantity", unit=amount[1]) if amount else None


def _text(node: Node) -> str:
    return node.value if isinstance(node, Literal) else node.label or node.id


def _are_same_text(a: Node, b: Node) -> bool:
    return _means("string", a) and _means("string", b) and _text(a) == _text(b)


def _comparable(a: Node, b: Node) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]] | None:
    """Both as closed intervals on one scale, of time or of quantity; None where there is none."""
    must_be_times = _means("time", a) or _means("time", b)
    if must_be_times or not (_means("quantity", a) or _means("quantity", b)):
        first, second = time_of(a), time_of(b)
        if first and second:
            unit = min(first.resolution, second.resolution)
            if any(moment % unit for time in (first, second) for moment in (time.start, time.end)):
                unit = 1  # hours of two zones that are half an hour apart
            return _points(first, unit), _points(second, unit)
        if must_be_times:
            return None
    amount, other = quantity_of(a), quantity_of(b)
    pair = in_common_unit(amount, other) if amount and other else None
    return ((pair[0].low, pair[0].high), (pair[1].low, pair[1].high)) if pair else None


def _means(kind: str, node: Node) -> bool:
    return isinstance(node, Literal) and node.kind == kind


def _points(time: TimeInterval, unit: int) -> tuple[Fraction, Fraction]:
    return Fraction(time.start), Fraction(time.end - unit)


def _compare_bounds(op: Operator, a: tuple[Fraction, Fraction], b: tuple[Fraction, Fraction]) -> bool | None:
    if op in (">", "≥"):
        return _compare_bounds("<" if op == ">" else "≤", b, a)
    if op == "≠":
        equal = _compare_bounds("=", a, b)
        return None if equal is None else not equal
    (low, high), (other_low, other_high) = a, b
    if op == "=":
        if high < other_low or other_high < low:
            return False
        return True if low == high == other_low == other_high else None
    if op == "<":
        return True if high < other_low else False if low >= other_high else None
    return True if high <= other_low else False if low > other_high else None


def _equal(a: Node, b: Node) -> bool | None:
    """Equality of what has no order: entities by id, texts by their characters, booleans, coordinates."""
    if isinstance(a, Entity) and isinstance(b, Entity):
        return a.id == b.id
    if isinstance(a, Entity) or isinstance(b, Entity):
        entity, literal = (a, b) if isinstance(a, Entity) else (b, a)
        same = isinstance(literal, Literal) and literal.kind == "string" and _text(entity) == literal.value
        return True if same else None
    if a.kind == b.kind == "coordinate":
        return _same_place(a, b)
    if "boolean" in (a.kind, b.kind) and {a.kind, b.kind} <= {"boolean", "string"}:
        first, second = _BOOLEANS.get(a.value.lower()), _BOOLEANS.get(b.value.lower())
        return None if first is None or second is None else first == second
    if a.kind == b.kind == "string":
        if a.value == b.value:
            return True
        return None if a.lang and b.lang and a.lang != b.lang else False
    return None


def _same_place(a: Literal, b: Literal) -> bool | None:
    """True for the same degrees; false where the places differ by more than their decimals leave open."""
    first, second = _degrees(a), _degrees(b)
    if first is None or second is None:
        return None
    if first == second:
        return True
    for number, other, text, other_text in zip(first, second, a.value.split(","), b.value.split(","), strict=True):
        if abs(number - other) > max(_half_step(text), _half_step(other_text)):
            return False
    return None


def _half_step(text: str) -> Fraction:
    return Fraction(1, 2 * 10 ** len(text.strip(" ()").partition(".")[2]))


def _as_coordinate(node: Node) -> Literal:
    """A text as the coordinate that it may be written as; another literal as it is."""
    if isinstance(node, Literal) and node.kind != "string":
        return node
    return Literal(_text(node), "coordinate")


def _degrees(literal: Literal) -> tuple[Fraction, Fraction] | None:
    if literal.kind != "coordinate" or not (match := _COORDINATE.fullmatch(literal.value.strip("()"))):
        return None
    latitude, longitude = map(Fraction, match.groups())
    return (latitude, longitude) if abs(latitude) <= 90 and abs(longitude) <= 360 else None


def _as_period(span: Span) -> Period | None:
    if isinstance(span, Period):
        return span
    time = time_of(span)
    return Period(time.start, time.start, time.end - 1, time.end - 1, time.resolution) if time else None


def _in_units(span: Period, unit: int) -> Period:
    bounds = (span.earliest_start, span.latest_start, span.earliest_end, span.latest_end)
    starts, starts_by, ends, ends_by = (None if bound is None else bound // unit for bound in bounds)
    return Period(starts, starts_by, ends, ends_by, unit)


def _bound(side: Node | None) -> tuple[int | None, int | None, int] | None:
    """Between which moments a start or end lies, and its resolution."""
    if side is None or (isinstance(side, Literal) and side.kind in ("unknown_value", "no_value")):
        return None, None, DAY
    time = time_of(side)
    return (time.start, time.end - 1, time.resolution) if time else None


def _not_after(a: int | None, b: int | None) -> bool:
    return a is not None and b is not None and a <= b


def _before(a: int | None, b: int | None) -> bool:
    return a is not None and b is not None and a < b
