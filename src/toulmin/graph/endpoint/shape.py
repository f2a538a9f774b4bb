"""What a dialect has to say of how statements lie in its triples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from toulmin.errors import EndpointError
from toulmin.graph.endpoint.transport import Term
from toulmin.graph.protocol import Side
from toulmin.graph.readers.minting import clean_value
from toulmin.graph.sparql import iri, node_from_json, values
from toulmin.graph.types import Entity, Literal, Node, Statement

__all__ = ["Row", "StatementShape", "choices", "node_of", "number_of", "union"]

_MOST_PAIRS = 2000

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
    return node if value == node.value else Literal(value, node.kind, node.unit, node.precision, node.lang)


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
