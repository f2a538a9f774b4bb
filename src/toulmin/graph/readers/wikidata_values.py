"""The values of Wikidata's snaks: every value type of its data model, and the two snaks without a value."""

from __future__ import annotations

import re
from typing import Any

from toulmin.graph.readers.minting import clean_value
from toulmin.graph.types import Literal
from toulmin.graph.units import canonical_unit
from toulmin.graph.xsd import wikidata_time

__all__ = ["ENTITY", "Decimal", "MalformedError", "entity_iri", "snak_value"]

ENTITY = "http://www.wikidata.org/entity/"

_ID = re.compile(r"(?:[QPLMEZ][1-9]\d*(?:-[FS][1-9]\d*)?)\Z", re.ASCII)
_PREFIXES = {"item": "Q", "property": "P", "lexeme": "L"}
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\Z", re.ASCII)


class MalformedError(Exception):
    """What is wrong with an entity, statement or value."""


class Decimal(str):
    """A JSON number with a decimal point, as it was written."""

    __slots__ = ()


def entity_iri(identifier: object) -> str:
    """The IRI of an item, property, lexeme, form or sense.

    Raises:
        MalformedError: not an id of Wikidata.
    """
    if not isinstance(identifier, str) or not _ID.match(identifier):
        raise MalformedError(f"{identifier!r} is not an id of Wikidata")
    return ENTITY + identifier


def snak_value(snak: Any) -> tuple[str, str | Literal]:
    """The property's IRI and the value (an entity's IRI or a literal) of a snak.

    Raises:
        MalformedError: not a snak, or a value type that is not known.
    """
    if not isinstance(snak, dict):
        raise MalformedError("a snak must be a JSON object")
    relation = entity_iri(snak.get("property"))
    kind = snak.get("snaktype")
    if kind == "somevalue":
        return relation, Literal("", "unknown_value")
    if kind == "novalue":
        return relation, Literal("", "no_value")
    datavalue = snak.get("datavalue")
    if kind != "value" or not isinstance(datavalue, dict) or "value" not in datavalue:
        raise MalformedError(f"snak of type {kind!r} without a value")
    try:
        return relation, _value(datavalue.get("type"), datavalue["value"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise MalformedError(f"malformed value of type {datavalue.get('type')!r} ({error})") from error


def _value(kind: object, value: Any) -> str | Literal:
    if kind == "wikibase-entityid":
        return entity_iri(value.get("id") or f"{_PREFIXES[value['entity-type']]}{value['numeric-id']}")
    if kind == "string":
        return Literal(clean_value(_text(value)))
    if kind == "monolingualtext":
        return Literal(clean_value(_text(value["text"])), lang=value["language"].lower())
    if kind == "time":
        return wikidata_time(value["time"], value["precision"], value.get("calendarmodel"))
    if kind == "quantity":
        return _quantity(value)
    if kind == "globecoordinate":
        return _coordinate(value)
    raise MalformedError(f"value type {kind!r} is not known")


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _quantity(value: dict[str, Any]) -> Literal:
    """The amount without its plus sign; bounds that leave room go into ``precision`` as ``lower..upper``."""
    amount = _number(value["amount"])
    lower, upper = (_number(value.get(bound) or amount) for bound in ("lowerBound", "upperBound"))
    precision = None if lower == upper else f"{lower}..{upper}"
    return Literal(amount, "quantity", unit=canonical_unit(value.get("unit")), precision=precision)


def _number(text: object) -> str:
    if not isinstance(text, str) or not _NUMBER.match(text):
        raise ValueError(f"{text!r} is not a number")
    return text.removeprefix("+")


def _coordinate(value: dict[str, Any]) -> Literal:
    """``latitude,longitude`` on Earth; a place on another globe is a text, since no distance to it makes sense."""
    latitude, longitude = value["latitude"], value["longitude"]
    if not -90 <= float(latitude) <= 90 or not -360 <= float(longitude) <= 360:
        raise ValueError(f"{latitude},{longitude} is outside the range of degrees")
    globe = value.get("globe") or ENTITY + "Q2"
    if globe != ENTITY + "Q2":
        return Literal(f"<{globe}> Point({longitude} {latitude})")
    return Literal(f"{latitude},{longitude}", "coordinate")
