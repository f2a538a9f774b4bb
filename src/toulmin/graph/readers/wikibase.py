"""Wikibase's RDF in files: truthy triples, and statement nodes with their qualifiers, ranks and full values.

What hangs on statement nodes is kept in memory until the file ends, since its triples may come in any order.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

from toulmin.graph.readers.minting import clean_text
from toulmin.graph.readers.raw_statements import RawName, RawStatement, Record
from toulmin.graph.types import Literal
from toulmin.graph.wikibase import RANKS, WIKIBASE, Value, WikibaseStatement, full_value, property_iri, simple_value
from toulmin.graph.xsd import RDF

__all__ = ["WikibaseLayout", "WikibaseReading"]

_log = logging.getLogger(__name__)

_RANK = WIKIBASE + "rank"
_LEMMA = WIKIBASE + "lemma"
_LEXICAL_CATEGORY = WIKIBASE + "lexicalCategory"
_ABOUT = "http://schema.org/about"
_TYPE = RDF + "type"
_DERIVED_FROM = "http://www.w3.org/ns/prov#wasDerivedFrom"
_ROLES = ("statement", "statement/value", "qualifier", "qualifier/value")


class WikibaseLayout:
    """What a first reading of a file finds out.

    Attributes:
        claims: of each statement node, its entity and its relation.
    """

    def __init__(self) -> None:
        self.claims: dict[str, tuple[str, str]] = {}
        self._pages: set[str] = set()
        self._is_wikibase = False  # whether a term of Wikibase's ontology was met; others have a schema:about, too

    def look(self, subject: str, relation: str, obj: object) -> None:
        """Take in one triple."""
        self._is_wikibase = self._is_wikibase or relation.startswith(WIKIBASE)
        if not isinstance(obj, str):
            return
        if relation == _ABOUT:
            if "/entity/" in obj:
                self._pages.add(subject)
        elif "/entity/statement/" in obj and (prop := property_iri(relation)) is not None and not prop.role:
            self.claims[obj] = subject, prop.relation

    @property
    def pages(self) -> set[str]:
        """What is about an entity and is none: its data, its articles elsewhere."""
        return self._pages if self._is_wikibase else set()


class WikibaseReading:
    """Turns the triples of a Wikibase into records.

    Args:
        layout: of the same file; empty where it has neither statement nodes nor pages.
    """

    def __init__(self, layout: WikibaseLayout) -> None:
        self._claims, self._pages = layout.claims, layout.pages
        self._stated = set(layout.claims.values())
        self._nodes = {node: WikibaseStatement() for node in layout.claims}
        self._values: dict[str, dict[str, str]] = {}
        self._full: list[tuple[WikibaseStatement, str, str, str]] = []  # values that may still come

    def records(self, subject: str, relation: str, obj: Value) -> tuple[Record, ...] | None:
        """What one triple says; None where it is no triple of a Wikibase's own."""
        if relation.startswith(WIKIBASE):
            return self._term(subject, relation, obj)
        if subject in self._pages:
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
