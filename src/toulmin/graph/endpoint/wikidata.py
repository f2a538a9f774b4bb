"""Wikidata's statement nodes: ``wd:Q1 p:P2 [ps:P2 value; pq:P3 qualifier; wikibase:rank …]``, full values included.

The relation of a statement is the property's entity (``…/entity/P31``), and values are as the reader of Wikidata's JSON
has them, so that a statement has one id wherever it comes from. Deprecated statements do not exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from toulmin.graph.endpoint.shape import Row, choices, in_languages, node_of, union
from toulmin.graph.protocol import Side
from toulmin.graph.sparql import iri, is_iri, values
from toulmin.graph.types import DESCRIPTION, Entity, Literal, Node, Qualifier, Relation, Statement
from toulmin.graph.xsd import RANKS, RDF, WIKIBASE, Value, WikibaseStatement, full_value, property_iri, simple_value

__all__ = ["WikidataShape"]

#: The parts of full values, and the variables of a query for them.
_TERMS = (
    *("timeValue", "timePrecision", "timeCalendarModel"),
    *("quantityAmount", "quantityUnit", "quantityLowerBound", "quantityUpperBound"),
)
_PROPERTY = re.compile(r"P[1-9]\d*", re.ASCII)
_BASE = "http://www.wikidata.org/"
_IS_CLAIM = f'FILTER(STRSTARTS(STR(?claim), "{_BASE}prop/P"))'
_LIVE = f"?st <{WIKIBASE}rank> ?rank . FILTER(?rank != <{WIKIBASE}DeprecatedRank>)"
_DETAILS = (
    f"OPTIONAL {{ ?v <{WIKIBASE}timePrecision> ?timePrecision ; <{WIKIBASE}timeValue> ?timeValue . "
    f"OPTIONAL {{ ?v <{WIKIBASE}timeCalendarModel> ?timeCalendarModel }} }} "
    f"OPTIONAL {{ ?v <{WIKIBASE}quantityUnit> ?quantityUnit ; <{WIKIBASE}quantityAmount> ?quantityAmount . OPTIONAL {{ "
    f"?v <{WIKIBASE}quantityLowerBound> ?quantityLowerBound ; <{WIKIBASE}quantityUpperBound> ?quantityUpperBound }} }}"
)


@dataclass(frozen=True)
class WikidataShape:
    """Statement nodes of Wikidata.

    Args:
        languages: of descriptions.
    """

    languages: Sequence[str] = ("en",)

    #: The entity, and one thing said of its statement node, or of itself.
    required: ClassVar = ("s", "p", "v")
    #: The statement node, and the parts of a full value.
    optional: ClassVar = ("claim", "st", *_TERMS)

    def around(
        self, entities: Sequence[str], side: Side, relations: Sequence[str] | None, limit: int | None
    ) -> str | None:
        """The statement nodes of these entities with all that hangs on them, and their descriptions."""
        numbers = None if relations is None else [number for number in map(self._number, relations) if number]
        parts: list[str] = []
        if numbers is None or numbers:
            for end, unwanted in (("s", "incoming"), ("o", "outgoing")):
                if side == unwanted:
                    continue
                # A self-loop is outgoing, and must not take the place of another incoming one.
                loops = "FILTER(?s != ?o)" if (end, side) == ("o", "both") else ""
                if limit is None:
                    parts.append(f"{self._nodes(end, entities, numbers)} {loops}")
                    continue
                nodes = [f"{self._nodes(end, [entity], numbers)} {loops}" for entity in entities]
                parts += [f"{{ SELECT ?s ?claim ?st WHERE {{ {node} }} LIMIT {limit} }}" for node in nodes]
        patterns = [self._whole(parts)] if parts else []
        if side != "incoming" and (relations is None or DESCRIPTION in relations):
            patterns.append(self._descriptions(entities))
        return union(patterns) if patterns else None

    def like(self, statements: Sequence[Statement]) -> str | None:
        """The statement nodes with the subject, the relation and, where it is an entity, the object of one of these."""
        triples: dict[tuple[str, str, str, str], None] = {}
        pairs: dict[tuple[str, str], None] = {}
        described: dict[str, None] = {}
        for statement in statements:
            subject, obj, number = statement.subject.id, statement.object, self._number(statement.relation.id)
            if not is_iri(subject):
                continue
            if statement.relation.id == DESCRIPTION:
                described[subject] = None
            elif number and isinstance(obj, Literal):
                pairs[iri(subject), iri(f"{_BASE}prop/{number}")] = None
            elif number and isinstance(obj, Entity) and is_iri(obj.id):
                claim, value = f"{_BASE}prop/{number}", f"{_BASE}prop/statement/{number}"
                triples[iri(subject), iri(claim), iri(value), iri(obj.id)] = None
        parts: list[str] = []
        if triples:
            parts.append(f"{values(['s', 'claim', 'main', 'o'], triples)} ?s ?claim ?st . ?st ?main ?o .")
        if pairs:
            parts.append(f"{values(['s', 'claim'], pairs)} ?s ?claim ?st .")
        patterns = [self._whole(parts)] if parts else []
        if described:
            patterns.append(self._descriptions(list(described)))
        return union(patterns) if patterns else None

    def examples(self, relations: Sequence[str], limit: int) -> str | None:
        """Statement nodes of each property, and descriptions of whatever comes first."""
        parts = [
            f"{{ SELECT ?s ?claim ?st WHERE {{ {values(['claim'], [[iri(f'{_BASE}prop/{number}')]])} "
            f"?s ?claim ?st . {_LIVE} }} LIMIT {limit} }}"
            for number in map(self._number, relations)
            if number
        ]
        patterns = [self._whole(parts)] if parts else []
        if DESCRIPTION in relations:
            described = f"{values(['p'], [[iri(DESCRIPTION)]])} ?s ?p ?v . FILTER{in_languages('v', self.languages)}"
            patterns.append(f"{{ SELECT ?s ?p ?v WHERE {{ {described} }} LIMIT {limit} }}")
        return union(patterns) if patterns else None

    def read(self, rows: Iterable[Row]) -> list[Statement]:
        """The distinct statements of the rows."""
        statements: dict[str, Statement] = {}
        nodes: dict[tuple[str, str, str], list[Row]] = {}
        for row in rows:
            if row["s"]["type"] == "bnode":
                continue
            if "st" in row and "claim" in row:
                nodes.setdefault((row["s"]["value"], row["claim"]["value"], row["st"]["value"]), []).append(row)
            else:
                text = node_of(row["v"])
                described = Statement(Entity(row["s"]["value"]), Relation(DESCRIPTION), text)
                statements.setdefault(described.id, described)
        for (subject, claim, _), about in nodes.items():
            statement = self._statement(subject, claim, about)
            if statement is not None:
                statements.setdefault(statement.id, statement)
        return list(statements.values())

    def counts(self) -> str:
        """Statement nodes by property. Descriptions are not counted."""
        return (
            f"{{ SELECT (?claim AS ?p) (COUNT(*) AS ?n) WHERE {{ ?s ?claim ?st . {_LIVE} {_IS_CLAIM} }} "
            "GROUP BY ?claim }"
        )

    def relation(self, predicate: str) -> str:
        """The property's entity."""
        return f"{_BASE}entity/{predicate.rsplit('/', 1)[-1]}"

    def _number(self, relation: str) -> str | None:
        """``P31`` of a property's entity; None for other ids."""
        number = relation.removeprefix(f"{_BASE}entity/")
        return number if number != relation and _PROPERTY.fullmatch(number) else None

    def _nodes(self, end: str, entities: Sequence[str], numbers: Sequence[str] | None) -> str:
        """Statement nodes ``?st`` by ``?claim`` of ``?s``, whose main value is ``?o`` where that is the end given."""
        by, path = ("claim", "prop/") if end == "s" else ("main", "prop/statement/")
        predicates = None if numbers is None else [f"{_BASE}{path}{number}" for number in numbers]
        given = choices(end, entities, by, predicates)
        only = f'FILTER(STRSTARTS(STR(?{by}), "{_BASE}{path}P"))' if numbers is None else ""
        if end == "s":
            return f"{given} ?s ?claim ?st . {_LIVE} {only}"
        return f"{given} ?st ?main ?o . {_LIVE} {only} ?s ?claim ?st . {_IS_CLAIM}"

    def _whole(self, parts: Sequence[str]) -> str:
        """All triples of the statement nodes that these patterns find, but for references; full values opened up."""
        kept = f'STRSTARTS(STR(?p), "{_BASE}prop/") || ?p IN (<{WIKIBASE}rank>, <{RDF}type>)'
        return f"{{ {union(parts)} }} {_LIVE} ?st ?p ?v . FILTER({kept}) {_DETAILS}"

    def _descriptions(self, entities: Sequence[str]) -> str:
        given = values(["s"], [[iri(entity)] for entity in entities])
        return f"{given} {values(['p'], [[iri(DESCRIPTION)]])} ?s ?p ?v . FILTER{in_languages('v', self.languages)}"

    def _statement(self, subject: str, claim: str, rows: Iterable[Row]) -> Statement | None:
        """One statement node; None where it has no main value."""
        about = WikibaseStatement()
        for row in rows:
            predicate, value = row["p"]["value"], row["v"]
            texts = {name: term["value"] for name, term in row.items()}
            if predicate == WIKIBASE + "rank":
                about.rank = RANKS.get(value["value"], "normal")
            elif predicate == RDF + "type":
                if (kind := property_iri(value["value"])) is not None and kind.role == "novalue":
                    about.add_nothing(kind.relation)
            elif (prop := property_iri(predicate)) is not None:
                if prop.role in ("statement", "qualifier"):
                    node = node_of(value)
                    about.add(prop.role, prop.relation, simple_value(node.id if isinstance(node, Entity) else node))
                elif prop.role in ("statement/value", "qualifier/value") and (full := full_value(texts)):
                    about.add(prop.role, prop.relation, full)
        relation = self.relation(claim)
        parts = about.parts(relation)
        if parts is None:
            return None
        qualifiers = tuple(Qualifier(Relation(name), _node(value)) for name, value in parts[1])
        return Statement(Entity(subject), Relation(relation), _node(parts[0]), qualifiers, about.rank)


def _node(value: Value) -> Node:
    return Entity(value) if isinstance(value, str) else value
