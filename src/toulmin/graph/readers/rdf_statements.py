"""From triples to statements and names: labels by their standing, annotations as qualifiers.

RDF 1.2 annotates a triple through reifiers (``<< s p o >> q v`` and ``s p o {| q v |}``), RDF 1.0 through nodes of type
rdf:Statement. What is said of a reifier becomes the qualifiers of the statement; several reifiers of one triple are
several statements. A triple that is only talked about, not asserted, is no statement.

A node of which nothing is said but a number and its unit in the terms of QUDT is that quantity, wherever it stands.

Wikidata's layout is that of every Wikibase: truthy triples, and statement nodes with their qualifiers, ranks and full
values. What hangs on statement nodes is kept in memory until the file ends, since its triples may come in any order.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from toulmin.graph.quantities import canonical_unit
from toulmin.graph.readers.minting import clean_text
from toulmin.graph.readers.raw_statements import RawName, RawStatement, Record, Rejected
from toulmin.graph.readers.stream import ReadOptions
from toulmin.graph.types import DESCRIPTION, Literal
from toulmin.graph.xsd import RANKS, RDF, WIKIBASE, Value, WikibaseStatement, full_value, property_iri, simple_value

__all__ = ["ALIASES", "DESCRIPTIONS", "LABELS", "ReifiedTriple", "Triple", "find_structures", "statements"]

_log = logging.getLogger(__name__)

_SKOS = "http://www.w3.org/2004/02/skos/core#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_LABEL = _RDFS + "label"

#: Properties that name: the smaller the number, the better the label. rdfs:label stands at 0.
LABELS = {
    _LABEL: 0,
    _SKOS + "prefLabel": 1,
    "http://schema.org/name": 2,
    "https://schema.org/name": 2,
    "http://xmlns.com/foaf/0.1/name": 3,
}
ALIASES = (_SKOS + "altLabel", "http://schema.org/alternateName", "https://schema.org/alternateName")
#: The best first.
DESCRIPTIONS = (
    *(DESCRIPTION, "https://schema.org/description"),
    *("http://purl.org/dc/terms/description", "http://purl.org/dc/elements/1.1/description", _RDFS + "comment"),
)
_SPECIAL = frozenset({*LABELS, *ALIASES, *DESCRIPTIONS})

_QUDT = "http://qudt.org/schema/qudt/"
_NUMBER = _QUDT + "numericValue"
_UNITS = (_QUDT + "unit", _QUDT + "hasUnit")

_REIFIES = RDF + "reifies"
_TYPE, _STATEMENT = RDF + "type", RDF + "Statement"
_PARTS = (RDF + "subject", RDF + "predicate", RDF + "object")

_RANK = WIKIBASE + "rank"
_LEMMA = WIKIBASE + "lemma"
_LEXICAL_CATEGORY = WIKIBASE + "lexicalCategory"
_ABOUT = "http://schema.org/about"
_DERIVED_FROM = "http://www.w3.org/ns/prov#wasDerivedFrom"
_ROLES = ("statement", "statement/value", "qualifier", "qualifier/value")


class ReifiedTriple(NamedTuple):
    """A triple that is talked about."""

    subject: object
    relation: str
    object: object


Triple = tuple[str, str, str | Literal | ReifiedTriple]


class _Wikibase:
    """The nodes of a Wikibase, which a first reading of a file finds, and what its triples say in a second one."""

    def __init__(self) -> None:
        self._claims: dict[str, tuple[str, str]] = {}  # of each statement node, its entity and its relation
        self._nodes: dict[str, WikibaseStatement] = {}
        self._pages: set[str] = set()  # what is about an entity and is none: its data, its articles elsewhere
        self._is_wikibase = False  # whether a term of Wikibase's ontology was met; others have a schema:about, too
        self._values: dict[str, dict[str, str]] = {}
        self._full: list[tuple[WikibaseStatement, str, str, str]] = []  # values that may still come

    def look(self, subject: str, relation: str, obj: object) -> None:
        """Take in one triple of the first reading."""
        self._is_wikibase = self._is_wikibase or relation.startswith(WIKIBASE)
        if not isinstance(obj, str):
            return
        if relation == _ABOUT:
            if "/entity/" in obj:
                self._pages.add(subject)
        elif "/entity/statement/" in obj and (prop := property_iri(relation)) is not None and not prop.role:
            self._claims[obj] = subject, prop.relation
            self._nodes[obj] = WikibaseStatement()

    @cached_property
    def _stated(self) -> set[tuple[str, str]]:
        return set(self._claims.values())

    def records(self, subject: str, relation: str, obj: Value) -> tuple[Record, ...] | None:
        """What one triple says; None where it is no triple of a Wikibase's own."""
        if relation.startswith(WIKIBASE):
            return self._term(subject, relation, obj)
        if self._is_wikibase and subject in self._pages:
            return ()
        if (prop := property_iri(relation)) is not None:
            role, relation = prop.role, prop.relation
            if role == "direct":  # the same as its statement node says, where there is one
                stated = (subject, relation) in self._stated
                return () if stated else (RawStatement(subject, relation, simple_value(obj)),)
            if (node := self._nodes.get(subject)) is not None and role in _ROLES:
                if not role.endswith("/value"):
                    node.add(role, relation, simple_value(obj))
                elif isinstance(obj, str):
                    self._full.append((node, role, relation, obj))
                return ()
            return None if not role and obj not in self._nodes else ()
        if relation == _TYPE and isinstance(obj, str):
            if obj.startswith(WIKIBASE):
                return ()
            if (kind := property_iri(obj)) is not None and kind.role == "novalue":
                if subject in self._nodes:
                    self._nodes[subject].add_nothing(kind.relation)
                return ()
        return () if relation == _DERIVED_FROM and subject in self._nodes else None

    def _term(self, subject: str, relation: str, obj: Value) -> tuple[Record, ...]:
        """What a term of the ontology says: parts of nodes, or how things are kept, which is no knowledge."""
        if relation == _RANK and isinstance(obj, str) and subject in self._nodes:
            self._nodes[subject].rank = RANKS.get(obj, "normal")
        elif relation == _LEMMA and isinstance(obj, Literal) and (form := clean_text(obj.value)):
            return (RawName(subject, form, "label", obj.lang),)
        elif relation == _LEXICAL_CATEGORY:
            return (RawStatement(subject, relation, obj),)
        elif relation.startswith((WIKIBASE + "time", WIKIBASE + "quantity")):
            terms = self._values.setdefault(subject, {})
            terms[relation[len(WIKIBASE) :]] = obj if isinstance(obj, str) else obj.value
        return ()

    def facts(self) -> Iterator[RawStatement]:
        """The statements of the statement nodes."""
        for node, role, relation, value in self._full:
            if (full := full_value(self._values.get(value, {}))) is not None:
                node.add(role, relation, full)
        without = 0
        for identifier, (subject, relation) in self._claims.items():
            node = self._nodes[identifier]
            if (parts := node.parts(relation)) is None:
                without += 1
            else:
                yield RawStatement(subject, relation, *parts, node.rank)
        if without:
            _log.warning("%d statement nodes of Wikidata's layout have no main value, and are no statements", without)


@dataclass(frozen=True)
class _Structures:
    """The nodes of a file that stand for something else.

    Args:
        reifiers: the triples that each stands for.
        quantities: the quantity that each is.
        wikibase: the statement nodes and pages of a Wikibase.
    """

    reifiers: dict[str, list[ReifiedTriple]]
    quantities: dict[str, Literal]
    wikibase: _Wikibase


def find_structures(triples: Iterable[Triple]) -> _Structures:
    """The nodes that stand for triples, with the triples they stand for, and those that are quantities."""
    reifiers: dict[str, list[ReifiedTriple]] = {}
    parts: dict[str, dict[str, str | Literal]] = {}
    measured: dict[str, dict[str, list[str | Literal]]] = {}
    others: set[str] = set()  # nodes of QUDT's terms of which more is said
    wikibase = _Wikibase()
    for node, relation, obj in triples:
        wikibase.look(node, relation, obj)
        if relation.startswith(_QUDT) and not isinstance(obj, ReifiedTriple):
            measured.setdefault(node, {}).setdefault("unit" if relation in _UNITS else relation, []).append(obj)
        elif relation != _TYPE:
            others.add(node)
        if relation == _REIFIES:
            if isinstance(obj, ReifiedTriple):
                reifiers.setdefault(node, []).append(obj)
        elif relation in _PARTS and not isinstance(obj, ReifiedTriple):
            parts.setdefault(node, {})[relation] = obj
    for node, reified in parts.items():
        subject, predicate, value = (reified.get(part) for part in _PARTS)
        if isinstance(subject, str) and isinstance(predicate, str) and value is not None:
            reifiers.setdefault(node, []).append(ReifiedTriple(subject, predicate, value))
    quantities = {node: _quantity(terms) for node, terms in measured.items() if node not in others}
    known = {node: quantity for node, quantity in quantities.items() if quantity is not None}
    return _Structures(reifiers, known, wikibase)


def _quantity(terms: dict[str, list[str | Literal]]) -> Literal | None:
    """The quantity of one number and at most one unit."""
    numbers, units = terms.get(_NUMBER, []), terms.get("unit", [])
    if len(numbers) != 1 or len(units) > 1:
        return None
    number, unit = numbers[0], units[0] if units else None
    if not isinstance(number, Literal) or number.kind != "quantity":
        return None
    named = unit.value if isinstance(unit, Literal) else unit
    return Literal(number.value, "quantity", unit=canonical_unit(named))


def statements(triples: Iterable[Triple | Rejected], structures: _Structures, options: ReadOptions) -> Iterator[Record]:
    """The records of triples; what reifiers annotate, and statement nodes of a Wikibase, come last.

    Args:
        structures: of the same triples, from ``find_structures``; kept in memory with what reifiers annotate.
    """
    names = _RdfNames(options)
    reifiers, quantities, wikibase = structures.reifiers, structures.quantities, structures.wikibase
    annotations = _Annotations(reifiers)
    for triple in triples:
        if isinstance(triple, Rejected):
            yield triple
            continue
        if quantities:
            if triple[0] in quantities:
                continue
            if isinstance(triple[2], str) and (quantity := quantities.get(triple[2])):
                triple = (triple[0], triple[1], quantity)
        if reifiers and annotations.take(triple):
            continue
        subject, relation, obj = triple
        if isinstance(obj, ReifiedTriple):
            continue
        if (records := wikibase.records(subject, relation, obj)) is not None:
            yield from records
        elif relation in _SPECIAL and isinstance(obj, Literal):
            yield from names.records(subject, relation, obj)
        else:
            yield RawStatement(subject, relation, obj)
    yield from names.postponed()
    yield from annotations.facts()
    yield from wikibase.facts()


class _Annotations:
    def __init__(self, reifiers: dict[str, list[ReifiedTriple]]) -> None:
        self._reifiers = reifiers
        self._annotated = {triple for reified in reifiers.values() for triple in reified}
        self._asserted: dict[ReifiedTriple, None] = {}
        self._qualifiers: dict[str, list[tuple[str, str | Literal]]] = {}

    def take(self, triple: Triple) -> bool:
        """Whether the triple belongs to an annotation; then it is kept for the end."""
        subject, relation, obj = triple
        if subject in self._reifiers:
            plumbing = relation == _REIFIES or relation in _PARTS or (relation == _TYPE and obj == _STATEMENT)
            if not plumbing and not isinstance(obj, ReifiedTriple):
                self._qualifiers.setdefault(subject, []).append((relation, obj))
            return True
        reified = ReifiedTriple(subject, relation, obj)
        if reified in self._annotated:
            self._asserted[reified] = None
            return True
        return False

    def facts(self) -> Iterator[RawStatement]:
        by_triple: dict[ReifiedTriple, dict[tuple[tuple[str, str | Literal], ...], None]] = {}
        for node, reified in self._reifiers.items():
            for triple in reified:
                by_triple.setdefault(triple, {})[tuple(self._qualifiers.get(node, ()))] = None
        unasserted = 0
        for triple, variants in by_triple.items():
            subject, relation, obj = triple
            if triple not in self._asserted or not isinstance(subject, str) or not isinstance(obj, str | Literal):
                unasserted += 1
                continue
            for qualifiers in variants:
                yield RawStatement(subject, relation, obj, qualifiers)
        if unasserted:
            _log.warning("%d reified triples are not asserted in the file and so are no statements", unasserted)


class _RdfNames:
    """Labels of other properties wait for the end, since an rdfs:label may still come."""

    def __init__(self, options: ReadOptions) -> None:
        self._options = options
        self._labelled: set[int] = set()  # hashes of ids: a hundred million ids would not fit
        self._waiting: dict[str, list[tuple[int, str, str | None]]] = {}

    def records(self, subject: str, relation: str, value: Literal) -> Iterator[Record]:
        if not self._options.wants(value.lang):
            return
        if relation in DESCRIPTIONS:
            yield RawStatement(subject, DESCRIPTION, value)
            return
        form = clean_text(value.value)
        if not form:
            return
        if relation == _LABEL:
            self._labelled.add(hash(subject))
            yield RawName(subject, form, "label", value.lang)
        elif relation in ALIASES:
            yield RawName(subject, form, "alias", value.lang)
        else:
            self._waiting.setdefault(subject, []).append((LABELS[relation], form, value.lang))

    def postponed(self) -> Iterator[Record]:
        for subject, forms in self._waiting.items():
            best = 0 if hash(subject) in self._labelled else min(standing for standing, _, _ in forms)
            for standing, form, lang in dict.fromkeys(forms):
                yield RawName(subject, form, "label" if standing == best else "alias", lang)
