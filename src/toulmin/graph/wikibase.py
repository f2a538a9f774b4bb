"""Wikibase's mapping to RDF, which Wikidata uses: statement nodes, full values, and which IRIs belong to a property.

The relation of a statement is the property's entity (``…/entity/P31``), and values are as the reader of Wikidata's JSON
has them, so that a statement has one id wherever it comes from.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import unquote

from toulmin.graph.quantities import canonical_unit
from toulmin.graph.types import Literal, Rank
from toulmin.graph.xsd import wikidata_time

__all__ = [
    "RANKS",
    "WIKIBASE",
    "PropertyIri",
    "Value",
    "WikibaseStatement",
    "full_value",
    "property_iri",
    "simple_value",
]

WIKIBASE = "http://wikiba.se/ontology#"
RANKS: Mapping[str, Rank] = {
    WIKIBASE + "PreferredRank": "preferred",
    WIKIBASE + "NormalRank": "normal",
    WIKIBASE + "DeprecatedRank": "deprecated",
}
_SOME_VALUE = "/.well-known/genid/"
_COMMONS = "http://commons.wikimedia.org/wiki/Special:FilePath/"
_PROPERTY_IRI = re.compile(r"(.*/)prop/((?:[a-z-]+/){0,2})(P[1-9]\d*)", re.ASCII)

#: An entity's id, or a literal.
Value = str | Literal


class PropertyIri(NamedTuple):
    """What an IRI under ``…/prop/`` stands for.

    Args:
        relation: the property's entity.
        role: ``""`` (from an entity to its statement nodes), ``direct``, ``statement``, ``statement/value``,
            ``qualifier``, ``novalue``, ….
    """

    relation: str
    role: str


def property_iri(iri: str) -> PropertyIri | None:
    """What an IRI of a property stands for; None where it is none."""
    if "/prop/" not in iri or (match := _PROPERTY_IRI.fullmatch(iri)) is None:
        return None
    return PropertyIri(f"{match[1]}entity/{match[3]}", match[2].rstrip("/"))


class WikibaseStatement:
    """What is said of one statement node, in any order."""

    def __init__(self) -> None:
        self.rank: Rank = "normal"
        self._plain: dict[tuple[str, str], list[Value]] = {}
        self._full: dict[tuple[str, str], list[Value]] = {}
        self._nothing: list[str] = []

    def add(self, role: str, relation: str, value: Value) -> None:
        """Take in a value.

        Args:
            role: ``statement`` or ``qualifier``; with ``/value`` the value was a full one.
        """
        base = role.removesuffix("/value")
        known = (self._plain if base == role else self._full).setdefault((base, relation), [])
        if value not in known:
            known.append(value)

    def add_nothing(self, relation: str) -> None:
        """Take in that the relation, main one or qualifier, has no value."""
        self._nothing.append(relation)

    def parts(self, relation: str) -> tuple[Value, tuple[tuple[str, Value], ...]] | None:
        """The main value and the qualifiers of a statement of a relation; None where it has no main value."""
        terms = {key: list(values) for key, values in self._plain.items()}
        for key, values in self._full.items():  # a full value says all that its plain twin says, but what is unknown
            plain = [value for value in terms.get(key, ()) if isinstance(value, Literal)]
            terms[key] = values + [value for value in plain if value.kind == "unknown_value"]
        nothing = list(self._nothing)
        main = terms.pop(("statement", relation), [])
        if not main and relation in nothing:
            nothing.remove(relation)
            main = [Literal("", "no_value")]
        if not main:
            return None
        pairs = [(name, value) for (role, name), values in terms.items() if role == "qualifier" for value in values]
        return main[0], (*pairs, *((name, Literal("", "no_value")) for name in nothing))


def simple_value(value: Value) -> Value:
    """The value of a plain term. Addresses and files of Commons, which have IRIs too, are texts."""
    if isinstance(value, Literal):
        return Literal(value.value.removeprefix("+"), "quantity") if value.kind == "quantity" else value
    if value.startswith("_:") or _SOME_VALUE in value:
        return Literal("", "unknown_value")
    if value.startswith(_COMMONS):
        return Literal(unquote(value[len(_COMMONS) :]))
    return value if "/entity/" in value else Literal(value)


def full_value(terms: Mapping[str, str]) -> Literal | None:
    """The literal of a full value: a quantity with unit and bounds, or a time with precision and calendar.

    Args:
        terms: by its term of Wikibase's ontology (``timeValue``), the lexical form or IRI.

    Returns:
        None: of another kind (a coordinate), whose plain value says enough.
    """
    amount, unit = terms.get("quantityAmount"), terms.get("quantityUnit")
    if amount is not None and unit is not None:
        lower, upper = (terms.get(f"quantity{end}Bound", amount).removeprefix("+") for end in ("Lower", "Upper"))
        room = None if lower == upper else f"{lower}..{upper}"
        return Literal(amount.removeprefix("+"), "quantity", canonical_unit(unit), room)
    time, precision = terms.get("timeValue"), terms.get("timePrecision")
    if time is None or precision is None:
        return None
    try:
        return wikidata_time(time, int(precision), terms.get("timeCalendarModel"), rdf=True)
    except ValueError:  # dates that no calendar has, such as 30 February, are kept as text
        return Literal(time)
