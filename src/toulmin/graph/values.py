"""Values compared as far as they can be: Kleene's three truth values, with None for unknown.

A time of day precision or finer is a point; a coarser one is a point somewhere within it: 1876 < 2009-01 is true, 1995
against 1995-03 unknown, and so is whether two events of 1995 were at the same time. Quantities convert within a
dimension; unlike dimensions and different currencies are unknown. An entity equals itself; else entities compare by
what their labels say ("1999"), and by id where these say no time and no quantity.

*unknown value* makes every comparison unknown. *no value* equals nothing: ``=`` is false, ``≠`` true, an order unknown;
two of them are unknown. Two texts of the same characters are equal, even where they say no more than a year.

And literals as people write them: dates, quantities, coordinates.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Literal as Choice
from typing import get_args

from toulmin.errors import SettingsError
from toulmin.graph.labels import readable_id
from toulmin.graph.quantities import Quantity, converted, literal_quantity, parse_quantity, written_quantity
from toulmin.graph.times import MONTHS, PRECISIONS, TimeInterval, literal_interval, parse_time
from toulmin.graph.types import Entity, Literal, Node
from toulmin.graph.xsd import time_literal

__all__ = ["compare", "distance", "literal_from_text", "literal_words", "quantity_of", "time_from_text", "time_of"]

_Operator = Choice["=", "≠", "<", "≤", ">", "≥", "contains", "starts"]
_SPELLINGS = {"==": "=", "!=": "≠", "<=": "≤", ">=": "≥"}
_EARTH_RADIUS = 6371.0088  # km, mean radius of the IUGG

_YEAR_NUMBER = re.compile(r"\d{3,4}\Z", re.ASCII)
_LIKELY_YEAR = re.compile(r"1\d{3}\Z|20\d\d\Z|2100\Z", re.ASCII)
_DEGREES = r" *([+-]?\d{1,3}(?:\.\d{0,99})?) *"
_COORDINATE = re.compile(f"{_DEGREES},{_DEGREES}", re.ASCII)
_BOOLEANS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def compare(op: str, a: Node, b: Node) -> bool | None:
    """Whether ``a op b``; None: unknown.

    Args:
        op: one of = ≠ < ≤ > ≥ (also ==, !=, <=, >=), contains and starts (of the texts, whatever their case).

    Raises:
        SettingsError: another operator.
    """
    operator = _SPELLINGS.get(op, op)
    if operator not in get_args(_Operator):
        raise SettingsError(f"operator {op!r}: must be one of {' '.join(get_args(_Operator))}")
    if operator == "≠":
        same = compare("=", a, b)
        return None if same is None else not same
    kinds = {node.kind for node in (a, b) if isinstance(node, Literal)}
    if "unknown_value" in kinds:
        return None
    if "no_value" in kinds:
        both = all(isinstance(node, Literal) and node.kind == "no_value" for node in (a, b))
        return False if operator == "=" and not both else None
    if operator in ("contains", "starts"):
        text, part = _text(a).lower(), _text(b).lower()
        return part in text if operator == "contains" else text.startswith(part)
    same_text = _means("string", a) and _means("string", b) and _text(a) == _text(b)
    if same_text or (isinstance(a, Entity) and isinstance(b, Entity) and a.id == b.id):
        return operator in ("=", "≤", "≥")
    bounds = _comparable(a, b)
    if bounds is not None:
        return _compare_bounds(operator, *bounds)
    return _equal(a, b) if operator == "=" else None


def distance(a: Node, b: Node) -> float | None:
    """The great-circle distance in kilometres (haversine) of two coordinates; None where one is none.

    A text or label that is written as one counts too: "(48.85, 2.35)".
    """
    first, second = _degrees(a), _degrees(b)
    if first is None or second is None:
        return None
    (lat1, lon1), (lat2, lon2) = (tuple(math.radians(float(angle)) for angle in place) for place in (first, second))
    half = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 2 * _EARTH_RADIUS * math.asin(min(1.0, math.sqrt(half)))


def time_of(node: Node) -> TimeInterval | None:
    """The time a node stands for: a time literal, a text or label such as "18 February 1997", a number such as 1999."""
    if isinstance(node, Entity) or node.kind == "string":
        return parse_time(_text(node))
    if node.kind == "time":
        return literal_interval(node)
    if node.kind == "quantity" and node.unit is node.precision is None and _YEAR_NUMBER.match(node.value):
        return parse_time(node.value)
    return None


def quantity_of(node: Node) -> Quantity | None:
    """The quantity a node stands for: a quantity literal, or a text or label such as "120 kilometre per hour"."""
    if isinstance(node, Entity) or node.kind == "string":
        return parse_quantity(_text(node))
    return literal_quantity(node) if node.kind == "quantity" else None


def time_from_text(text: str) -> Literal | None:
    """The time that a text such as "18 February 1997" or "12th century" is, to its precision; None where it is none."""
    interval = parse_time(text)
    if interval is None:
        return None
    day, precision = interval.earliest, interval.precision
    written = {"day": day, "month": day[:-3], "year": day[:-6]}.get(precision)
    if precision in ("hour", "minute", "second", "microsecond"):  # with a clock it is written as times are
        return time_literal(text.strip())
    return time_literal(written) if written else time_literal(day[:-6], precision)


def literal_from_text(text: str) -> Literal | None:
    """The literal a bare text most likely is: a date, a year from 1000 to 2100, a number with or without a unit."""
    number = text.replace(",", "").isdigit() and not _LIKELY_YEAR.match(text)
    if not number and (time := time_from_text(text)):
        return time
    amount = written_quantity(text)
    return Literal(amount[0], "quantity", unit=amount[1]) if amount else None


def _text(node: Node) -> str:
    return node.value if isinstance(node, Literal) else node.label or node.id


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
    alike = converted(amount, other.unit) if amount and other else None
    return ((alike.low, alike.high), (other.low, other.high)) if alike and other else None


def _means(kind: str, node: Node) -> bool:
    return isinstance(node, Literal) and node.kind == kind


def _points(time: TimeInterval, unit: int) -> tuple[Fraction, Fraction]:
    return Fraction(time.start), Fraction(time.end - unit)


def _compare_bounds(op: str, a: tuple[Fraction, Fraction], b: tuple[Fraction, Fraction]) -> bool | None:
    if op in (">", "≥"):
        return _compare_bounds("<" if op == ">" else "≤", b, a)
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


def _degrees(node: Node) -> tuple[Fraction, Fraction] | None:
    """Latitude and longitude of a coordinate, or of a text or label that is written as one."""
    may_be_one = isinstance(node, Entity) or node.kind in ("coordinate", "string")
    if not may_be_one or not (match := _COORDINATE.fullmatch(_text(node).strip("()"))):
        return None
    latitude, longitude = map(Fraction, match.groups())
    return (latitude, longitude) if abs(latitude) <= 90 and abs(longitude) <= 360 else None


_NUMBER = re.compile(r"([+-]?)(\d+)(\.\d+)?", re.ASCII)
_TIME = re.compile(r"([+-]?\d+)(?:-(\d\d)(?:-(\d\d))?)?(?:T([\d:.]+)(Z|[+-]\d\d:?\d\d)?)?", re.ASCII)


def literal_words(literal: Literal) -> str:
    """A literal in words: ``10 December 1815``, ``8,848.86 metre``, ``48.8567° N, 2.3522° E``."""
    match literal.kind:
        case "unknown_value" | "no_value":
            return literal.kind.replace("_", " ")
        case "time":
            return _time_words(literal)
        case "quantity":
            return _quantity_words(literal)
        case "coordinate":
            return _coordinate_words(literal.value)
    return literal.value


def _quantity_words(literal: Literal) -> str:
    match = _NUMBER.fullmatch(literal.value)
    number = f"{match[1].replace('+', '')}{int(match[2]):,}{match[3] or ''}" if match else literal.value
    if not literal.unit:
        return number
    unit = readable_id(literal.unit) if ":" in literal.unit else literal.unit.replace("_", " ")
    unit = unit.replace(" ** 2", "²").replace(" ** 3", "³")
    return f"{number} {unit}"


def _coordinate_words(value: str) -> str:
    try:
        latitude, longitude = (float(part) for part in value.split(","))
    except ValueError:
        return value
    north, east = "N" if latitude >= 0 else "S", "E" if longitude >= 0 else "W"
    return f"{abs(latitude):g}° {north}, {abs(longitude):g}° {east}"


def _time_words(literal: Literal) -> str:
    interval, match = literal_interval(literal), _TIME.fullmatch(literal.value)
    if interval is None or match is None:
        return literal.value
    year, month, day = int(match[1]), int(match[2] or 0), int(match[3] or 0)
    historical = year if year > 0 else 1 - year
    era = " BCE" if year <= 0 else " CE" if year < 1000 else ""
    match interval.precision:
        case "year":
            words = f"{historical}{era}"
        case "month":
            words = f"{MONTHS[month - 1]} {historical}{era}"
        case "decade":
            words = f"{historical // 10 * 10}s{era}"
        case "century" | "millennium":
            words = f"{_ordinal(-(-historical // PRECISIONS[interval.precision]))} {interval.precision}"
            words += " BCE" if year <= 0 else ""
        case precision if precision.endswith("_years"):
            words = f"{historical:,}{era} (to {precision.replace('_', ' ')})"
        case precision:
            words = f"{day} {MONTHS[month - 1]} {historical}{era}"
            if precision != "day":
                words += f", {match[4]} {(match[5] or '').replace('Z', 'UTC')}".rstrip()
    return f"{words} (Julian)" if literal.calendar == "julian" else words


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
