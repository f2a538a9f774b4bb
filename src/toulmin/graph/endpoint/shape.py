"""How statements lie in triples: what a dialect has to say of it, and those that are triples themselves.

These have qualifiers on reifiers, where the endpoint has such (RDF 1.0 or RDF 1.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Protocol

from toulmin.errors import EndpointError, QueryError
from toulmin.graph.endpoint.client import SparqlClient
from toulmin.graph.endpoint.transport import Term
from toulmin.graph.protocol import Side
from toulmin.graph.readers.minting import clean_value
from toulmin.graph.sparql import iri, is_iri, node_from_json, values
from toulmin.graph.types import DESCRIPTION, Entity, Literal, Node, Qualifier, Rank, Relation, Statement
from toulmin.graph.xsd import RDF

__all__ = [
    "Reification",
    "Row",
    "StatementShape",
    "TripleShape",
    "choices",
    "find_reification",
    "in_languages",
    "node_of",
    "number_of",
    "union",
]

_MOST_PAIRS = 2000
_LOOKED_AT = 500  # triples of a relation, for examples of it

#: On a reifier: the rank of the statement, as Toulmin's own store writes it.
_RANK = "urn:toulmin:rank"

_PLUMBING = frozenset(RDF + name for name in ("reifies", "subject", "predicate", "object"))

#: One row of an answer: variable to term; unbound variables are missing.
Row = Mapping[str, Term]


class StatementShape(Protocol):
    """Turns questions for statements into SPARQL patterns, and rows of answers into statements without labels."""

    @property
    def required(self) -> tuple[str, ...]:
        """The variables that ``around`` and ``like`` bind in every row."""

    @property
    def optional(self) -> tuple[str, ...]:
        """The variables that they may bind."""

    def around(
        self, entities: Sequence[str], side: Side, relations: Sequence[str] | None, limit: int | None
    ) -> str | None:
        """A pattern of the statements of these entities; None where there can be none.

        Args:
            entities: absolute IRIs.
            limit: triples for each entity and side; which ones is left to the server.
        """

    def like(self, statements: Sequence[Statement]) -> str | None:
        """A pattern of every statement that could be one of these; None where there can be none."""

    def examples(self, relations: Sequence[str], limit: int) -> str | None:
        """A pattern of about ``limit`` statements of each relation, without their qualifiers; None where none can be.

        The server looks through no more than some hundreds of each, however many there are.
        """

    def read(self, rows: Iterable[Row]) -> list[Statement]:
        """The distinct statements of all rows of one pattern."""

    def counts(self) -> str:
        """A pattern that binds ``?p`` and its number of statements, ``?n``."""

    def relation(self, predicate: str) -> str:
        """The relation's id that ``?p`` of ``counts`` stands for."""


def node_of(term: Term) -> Node:
    """The node of a term. A blank node says that a value exists and no more, since its name means nothing elsewhere."""
    node = node_from_json(term)
    if isinstance(node, Entity):
        return Literal("", "unknown_value") if node.id.startswith("_:") else node
    value = clean_value(node.value)
    return node if value == node.value else replace(node, value=value)


def number_of(term: Term) -> int:
    """The number of a COUNT. Raises EndpointError if it is none."""
    try:
        return int(term["value"])
    except (ValueError, TypeError):
        raise EndpointError(f"the endpoint counted {str(term['value'])[:80]!r}, which is no number") from None


def choices(first: str, firsts: Sequence[str], second: str, seconds: Sequence[str] | None) -> str:
    """A pattern: one variable is one of these IRIs, the other one of those (None: any).

    As pairs, as long as these are not too many: some engines join two VALUES before they look anything up.
    """
    if seconds is None:
        return values([first], [[iri(left)] for left in firsts])
    if len(firsts) * len(seconds) <= _MOST_PAIRS:
        return values([first, second], [(iri(left), iri(right)) for left in firsts for right in seconds])
    wanted = ", ".join(map(iri, seconds))
    return f"{values([first], [[iri(left)] for left in firsts])} FILTER(?{second} IN ({wanted}))"


def union(parts: Sequence[str]) -> str:
    """Any of the patterns."""
    return parts[0] if len(parts) == 1 else " UNION ".join(f"{{ {part} }}" for part in parts)


@dataclass(frozen=True, slots=True)
class Reification:
    """How an endpoint says something of a triple.

    Args:
        of_triple: a pattern: ``?st`` is a reifier of ``?s ?p ?o``.
        itself: a pattern: ``?s`` is a reifier.
    """

    of_triple: str
    itself: str


_RDF_12 = Reification(f"?st <{RDF}reifies> <<( ?s ?p ?o )>> .", f"?s <{RDF}reifies> ?reified .")
_RDF_10 = Reification(
    f"?st <{RDF}subject> ?s ; <{RDF}predicate> ?p ; <{RDF}object> ?o .",
    f"?s <{RDF}subject> ?reified ; <{RDF}predicate> ?by ; <{RDF}object> ?with .",
)


def find_reification(client: SparqlClient) -> Reification | None:
    """How this endpoint has reifiers; None where it has none."""
    rdf_12, rdf_10 = client.matching([_RDF_12.itself, _RDF_10.itself])
    if rdf_12:
        try:
            if client.ask(_RDF_12.of_triple, blame=QueryError):
                return _RDF_12
        except QueryError:  # stored, but this server's SPARQL has no syntax for it: then it cannot be asked for either
            return None
    return _RDF_10 if rdf_10 else None


def in_languages(variable: str, languages: Sequence[str]) -> str:
    """A condition: the text is in one of the languages, in none, or in all ("mul")."""
    tests = [f'LANG(?{variable}) = ""', f'LANG(?{variable}) = "mul"']
    tests += [f'LANGMATCHES(LANG(?{variable}), "{language}")' for language in languages]
    return f"({' || '.join(tests)})"


@dataclass(frozen=True)
class TripleShape:
    """One triple, one statement; or as many as it has reifiers.

    Args:
        names: predicates whose literals are labels and aliases, and so no statements.
        descriptions: predicates whose literals are descriptions.
        left_out: predicates that say nothing of the entity itself.
        languages: leave out texts in other languages; None keeps all.
        reification: of ``find_reification``.
    """

    names: Sequence[str]
    descriptions: Sequence[str] = (DESCRIPTION,)
    left_out: Sequence[str] = ()
    languages: Sequence[str] | None = None
    reification: Reification | None = None
    required: ClassVar = ("s", "p", "o")  # the triple

    @cached_property
    def _filters(self) -> str:
        filters = ["FILTER(!isBlank(?s))"]
        if self.names:
            filters.append(f"FILTER(!isLiteral(?o) || ?p NOT IN ({', '.join(map(iri, self.names))}))")
        if self.left_out:
            filters.append(f"FILTER(?p NOT IN ({', '.join(map(iri, self.left_out))}))")
        if self.languages is not None:
            filters.append(f"FILTER(!isLiteral(?o) || {in_languages('o', self.languages)})")
        if self.reification:  # what is said of a reifier is a qualifier
            filters.append(f"FILTER NOT EXISTS {{ {self.reification.itself} }}")
        return " ".join(filters)

    @property
    def optional(self) -> tuple[str, ...]:
        """The reifier, and one thing said of it."""
        return ("st", "q", "v") if self.reification else ()

    def around(
        self, entities: Sequence[str], side: Side, relations: Sequence[str] | None, limit: int | None
    ) -> str | None:
        """The triples of these entities."""
        predicates = None if relations is None else self._predicates(relations)
        if predicates == []:
            return None
        parts: list[str] = []
        for end, unwanted in (("s", "incoming"), ("o", "outgoing")):
            if side == unwanted:
                continue
            # A self-loop is outgoing, and must not take the place of another incoming one.
            loops = "FILTER(?s != ?o)" if (end, side) == ("o", "both") else ""
            pattern = f"?s ?p ?o . {self._filters} {loops}"
            if limit is None:
                parts.append(f"{choices(end, entities, 'p', predicates)} {pattern}")
            else:  # SPARQL has no limit per group, so each entity gets a SELECT of its own
                given = [choices(end, [entity], "p", predicates) for entity in entities]
                parts += [f"{{ SELECT ?s ?p ?o WHERE {{ {one} {pattern} }} LIMIT {limit} }}" for one in given]
        return self._with_reifiers(parts) if parts else None

    def like(self, statements: Sequence[Statement]) -> str | None:
        """Triples with the subject, the relation and, where it is an entity, the object of one of these."""
        triples: dict[tuple[str, str, str], None] = {}
        pairs: dict[tuple[str, str], None] = {}
        for statement in statements:
            obj = statement.object
            if not is_iri(statement.subject.id) or (isinstance(obj, Entity) and not is_iri(obj.id)):
                continue
            for predicate in self._predicates([statement.relation.id]):
                if isinstance(obj, Entity):
                    triples[iri(statement.subject.id), iri(predicate), iri(obj.id)] = None
                else:
                    pairs[iri(statement.subject.id), iri(predicate)] = None
        parts: list[str] = []
        if triples:
            parts.append(f"{values(['s', 'p', 'o'], triples)} ?s ?p ?o .")
        if pairs:
            parts.append(f"{values(['s', 'p'], pairs)} ?s ?p ?o . FILTER(!isIRI(?o))")
        return self._with_reifiers(parts) if parts else None

    def examples(self, relations: Sequence[str], limit: int) -> str | None:
        """Triples of each relation; half of them with different objects, since engines often have these in order."""
        parts: list[str] = []
        for predicate in self._predicates(relations):
            triples = f"VALUES ?p {{ {iri(predicate)} }} ?s ?p ?o . {self._filters}"
            first = f"{{ SELECT ?s ?p ?o WHERE {{ {triples} }} LIMIT {_LOOKED_AT} }}"
            apart = f"{{ SELECT (SAMPLE(?s) AS ?of) ?p ?o WHERE {{ {first} }} GROUP BY ?p ?o LIMIT {limit // 2} }}"
            parts += [f"{apart} BIND(?of AS ?s)", f"{{ SELECT ?s ?p ?o WHERE {{ {triples} }} LIMIT {limit // 2} }}"]
        return union(parts) if parts else None

    def read(self, rows: Iterable[Row]) -> list[Statement]:
        """The distinct statements of the rows."""
        annotated: dict[tuple[str, ...], tuple[Row, list[Qualifier]]] = {}
        ranks: dict[tuple[str, ...], Rank] = {}
        for row in rows:
            obj = row["o"]
            if row["s"]["type"] == "bnode" or obj["type"] == "triple":
                continue
            key = (row["s"]["value"], row["p"]["value"], repr(sorted(obj.items())), row.get("st", {}).get("value", ""))
            _, qualifiers = annotated.setdefault(key, (row, []))
            annotation = row["q"]["value"] if "q" in row else None
            if annotation == _RANK:
                ranks[key] = "preferred" if row["v"]["value"] == "preferred" else "normal"
            elif annotation is not None and annotation not in _PLUMBING and row["v"]["type"] != "triple":
                statement_type = annotation == RDF + "type" and row["v"]["value"] == RDF + "Statement"
                qualifier = Qualifier(Relation(annotation), node_of(row["v"]))
                if not statement_type and qualifier not in qualifiers:
                    qualifiers.append(qualifier)
        statements: dict[str, Statement] = {}
        for place, (row, qualifiers) in annotated.items():
            subject, predicate, value = row["s"]["value"], row["p"]["value"], node_of(row["o"])
            relation = self.relation(predicate) if isinstance(value, Literal) else predicate
            rank = ranks.get(place, "normal")
            statement = Statement(Entity(subject), Relation(relation), value, tuple(qualifiers), rank)
            statements.setdefault(statement.id, statement)
        return list(statements.values())

    def counts(self) -> str:
        """Triples by predicate."""
        return f"{{ SELECT ?p (COUNT(*) AS ?n) WHERE {{ ?s ?p ?o . {self._filters} }} GROUP BY ?p }}"

    def relation(self, predicate: str) -> str:
        """The predicate itself; for each predicate of descriptions the relation ``DESCRIPTION``."""
        return DESCRIPTION if predicate in self.descriptions else predicate

    def _predicates(self, relations: Sequence[str]) -> list[str]:
        """The predicates that may stand for these relations."""
        predicates = dict.fromkeys(relation for relation in relations if is_iri(relation))
        if DESCRIPTION in predicates:
            predicates |= dict.fromkeys(self.descriptions)
        return list(predicates)

    def _with_reifiers(self, parts: Sequence[str]) -> str:
        if not self.reification:
            return union(parts)
        return f"{{ {union(parts)} }} OPTIONAL {{ {self.reification.of_triple} OPTIONAL {{ ?st ?q ?v }} }}"
