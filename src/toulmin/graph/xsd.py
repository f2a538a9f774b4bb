"""RDF literals to Toulmin's and back: one mapping for readers, the embedded store and endpoints.

``literal_from_rdf(*literal_to_rdf(literal)) == literal`` for every literal. What XSD can say is said in XSD, so that
SPARQL compares it; the rest (units, precisions coarser than a year, calendars, unknown and no value) goes into a
datatype of our own, ``urn:toulmin:literal?kind=quantity&unit=metre``.

And Wikibase's mapping to RDF, which Wikidata uses: statement nodes, full values, and which IRIs belong to a property.
The relation of a statement is the property's entity (``…/entity/P31``), and values are as the reader of Wikidata's JSON
has them, so that a statement has one id wherever it comes from.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple, cast, get_args
from urllib.parse import parse_qsl, unquote, urlencode

from toulmin.graph.quantities import canonical_unit, dbpedia_unit
from toulmin.graph.times import PRECISIONS, calendar_date, julian_day
from toulmin.graph.types import Literal, LiteralKind, Rank

__all__ = [
    "COMMON_PREFIXES",
    "RANKS",
    "RDF",
    "WIKIBASE",
    "WKT",
    "XSD",
    "PropertyIri",
    "Value",
    "WikibaseStatement",
    "full_value",
    "literal_from_rdf",
    "literal_to_rdf",
    "property_iri",
    "simple_value",
    "time_literal",
    "wikidata_time",
]

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
XSD = "http://www.w3.org/2001/XMLSchema#"
#: Declared in queries of every graph.
COMMON_PREFIXES = {
    "rdf": RDF,
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "xsd": XSD,
    "schema": "http://schema.org/",
}
WKT = "http://www.opengis.net/ont/geosparql#wktLiteral"
_OWN_DATATYPE = "urn:toulmin:literal"

_NUMBERS = frozenset(
    XSD + name
    for name in """decimal double float integer int long short byte unsignedInt unsignedLong unsignedShort unsignedByte
    nonNegativeInteger nonPositiveInteger positiveInteger negativeInteger""".split()
)
_TIMES = frozenset(XSD + name for name in ("gYear", "gYearMonth", "date", "dateTime", "dateTimeStamp"))
_KINDS = frozenset(get_args(LiteralKind))

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?P<exponent>[eE][+-]?\d+)?", re.ASCII)
_TIME = re.compile(
    r"-?(?:[1-9]\d{4,}|\d{4})(?:-(?P<month>0[1-9]|1[0-2])(?:-(?P<day>0[1-9]|[12]\d|3[01])"
    r"(?P<clock>T(?:[01]\d|2[0-4]):[0-5]\d:[0-5]\d(?:\.\d+)?)?)?)?(?:Z|[+-]\d\d:\d\d)?",
    re.ASCII,
)
_ZERO_PART = re.compile(r"(-?\d{4,}(?:-(?:0[1-9]|1[0-2]))?)(?:-00){1,2}(?:T[\d:.]*)?Z?", re.ASCII)
_LANGUAGE = re.compile(r"[a-z]{1,8}(?:-[a-z0-9]{1,8})*", re.ASCII)
_COORDINATE = re.compile(r"([+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?),([+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)", re.ASCII)
_POINT = re.compile(
    r"\s*(?:<(?P<crs>[^>]*)>\s*)?POINT\s*\(\s*(?P<first>\S+)\s+(?P<second>[^\s)]+)\s*\)\s*", re.IGNORECASE | re.ASCII
)
#: Reference systems on Earth with longitude first. Another globe's point is no coordinate of ours.
_LONGITUDE_FIRST = frozenset(
    {None, "http://www.opengis.net/def/crs/OGC/1.3/CRS84", "http://www.wikidata.org/entity/Q2"}
)
_LATITUDE_FIRST = frozenset({"http://www.opengis.net/def/crs/EPSG/0/4326"})

_DBPEDIA = "http://dbpedia.org/datatype/"  # its datatypes are units
_WIKIDATA_PRECISIONS = [*PRECISIONS][::-1]  # by number: 0 is a billion years, 11 a day
_WIKIDATA_TIME = re.compile(r"([+-]?)(\d+)-(\d\d)-(\d\d)(T[^Z]*)?Z?", re.ASCII)
_JULIAN = "http://www.wikidata.org/entity/Q1985786"


def literal_from_rdf(value: str, datatype: str, lang: str | None) -> Literal:
    """The literal of an RDF term. What is ill-typed ("abc" as xsd:integer) or of an unknown datatype is a string.

    Args:
        value: the lexical form; kept as it is, except that a date's zero month or day is cut off ("2009-00-00" is
            "2009") and that a point becomes ``lat,lon``.
        datatype: its IRI ("" counts as xsd:string).
        lang: the language tag (lowered: tags do not differ by case).
    """
    if lang:
        return Literal(value, lang=lang.lower())
    if datatype in _NUMBERS:
        return Literal(value, "quantity") if _NUMBER.fullmatch(value) else Literal(value)
    if datatype in _TIMES:
        if _TIME.fullmatch(value):
            return Literal(value, "time")
        cut = _ZERO_PART.fullmatch(value)
        return Literal(cut[1], "time") if cut else Literal(value)
    if datatype == XSD + "boolean":
        return Literal(value, "boolean") if value in ("true", "false", "1", "0") else Literal(value)
    if datatype == WKT:
        return _point(value)
    if datatype.startswith(_OWN_DATATYPE):
        return _decoded(value, datatype)
    if datatype.startswith(_DBPEDIA):
        unit = dbpedia_unit(datatype[len(_DBPEDIA) :])
        if unit is not None and _NUMBER.fullmatch(value):
            return Literal(value, "quantity", unit)
    return Literal(value)


def literal_to_rdf(literal: Literal) -> tuple[str, str, str | None]:
    """The lexical form, datatype IRI and language tag of a literal; ``literal_from_rdf`` gives the literal back."""
    value, kind = literal.value, literal.kind
    bare = literal.unit is None and literal.precision is None and literal.calendar is None
    if bare and kind == "string":
        if literal.lang is None:
            return value, XSD + "string", None
        if _LANGUAGE.fullmatch(literal.lang):
            return value, RDF + "langString", literal.lang
    if bare and literal.lang is None:
        native = _native(value, kind)
        if native is not None:
            return *native, None
    fields = ((name, getattr(literal, name)) for name in ("kind", "unit", "precision", "lang", "calendar"))
    given = {name: field for name, field in fields if field is not None}
    return value, f"{_OWN_DATATYPE}?{urlencode(given)}", None


def _time_precision(value: str) -> str | None:
    """What a time's lexical form has: ``year``, ``month``, ``day`` or ``second``; None where it is no XSD time."""
    match = _TIME.fullmatch(value)
    if match is None:
        return None
    return "second" if match["clock"] else "day" if match["day"] else "month" if match["month"] else "year"


def time_literal(value: str, precision: str | None = None, calendar: str | None = None) -> Literal:
    """A time in its canonical form: no precision where the lexical form has it, no calendar where it is gregorian."""
    if precision is not None and precision == _time_precision(value):
        precision = None
    return Literal(value, "time", precision=precision, calendar=None if calendar == "gregorian" else calendar)


def wikidata_time(time: str, precision: int, calendar_model: str | None = None, *, rdf: bool = False) -> Literal:
    """Wikidata's time value, cut to its precision: ``+1995-03-00T00:00:00Z`` at 10 is ``1995-03``.

    Args:
        time: as in entity JSON, where -0044 is 44 BCE; ours is astronomical, ``-0043``.
        precision: Wikidata's number, 0 (a billion years) … 11 (day) … 14 (second).
        calendar_model: the entity IRI of the calendar.
        rdf: ``time`` is as in Wikidata's RDF: astronomical, and days of the Julian calendar turned into Gregorian ones.

    Raises:
        ValueError: not a time of Wikidata, or an unknown precision.
    """
    match = _WIKIDATA_TIME.fullmatch(time)
    if match is None or not 0 <= precision <= 14:
        raise ValueError(f"not a time of Wikidata: {time!r} at precision {precision}")
    sign, digits, month_text, day_text, clock = match.groups()
    year, month, day = int(digits), int(month_text), int(day_text)
    if sign == "-":
        year = -year if rdf else 1 - year
    julian = calendar_model == _JULIAN
    if rdf and julian and precision >= 11 and month and day:
        year, month, day = calendar_date(julian_day(year, month, day), julian=True)
    value = f"{'-' * (year < 0)}{abs(year):04d}"
    # Some statements claim a finer precision than they give: 1995-00-00 at "day" says no more than the year.
    if precision >= 10 and month:
        value += f"-{month:02d}"
        if precision >= 11 and day:
            value += f"-{day:02d}"
            if precision >= 12 and clock:
                value += f"{clock}Z"
    name = _WIKIDATA_PRECISIONS[precision] if precision <= 8 else None
    return time_literal(value, name, "julian" if julian else None)


def _native(value: str, kind: LiteralKind) -> tuple[str, str] | None:
    """Lexical form and XSD datatype that mean exactly this value; None where XSD has none."""
    if kind == "quantity" and (number := _NUMBER.fullmatch(value)):
        whole = value.lstrip("+-").isdigit()
        return value, XSD + ("integer" if whole else "double" if number["exponent"] else "decimal")
    if kind == "time" and (precision := _time_precision(value)):
        return value, XSD + {"year": "gYear", "month": "gYearMonth", "day": "date", "second": "dateTime"}[precision]
    if kind == "boolean" and value in ("true", "false", "1", "0"):
        return value, XSD + "boolean"
    if kind == "coordinate" and (point := _COORDINATE.fullmatch(value)):
        return f"Point({point[2]} {point[1]})", WKT
    return None


def _point(value: str) -> Literal:
    match = _POINT.fullmatch(value)
    if match is None:
        return Literal(value)
    if match["crs"] in _LONGITUDE_FIRST:
        text = f"{match['second']},{match['first']}"
    elif match["crs"] in _LATITUDE_FIRST:
        text = f"{match['first']},{match['second']}"
    else:
        return Literal(value)
    return Literal(text, "coordinate") if _COORDINATE.fullmatch(text) else Literal(value)


def _decoded(value: str, datatype: str) -> Literal:
    fields = dict(parse_qsl(datatype[len(_OWN_DATATYPE) :].removeprefix("?"), keep_blank_values=True))
    kind = fields.pop("kind", None)
    if kind not in _KINDS or not fields.keys() <= {"unit", "precision", "lang", "calendar"}:
        return Literal(value)
    return Literal(value, cast(LiteralKind, kind), **fields)


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
