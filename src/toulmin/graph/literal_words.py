"""Literals as people write them: dates, quantities, coordinates."""

from __future__ import annotations

import re

from toulmin.graph.labels import readable_id
from toulmin.graph.times import MONTHS, PRECISIONS, literal_interval
from toulmin.graph.types import Literal

__all__ = ["literal_words"]

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
