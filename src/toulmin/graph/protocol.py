"""What a graph can be asked. Synchronous and batched: one call for many entities, one for many statements."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from os import PathLike
from typing import Literal as Choice
from typing import Protocol, runtime_checkable

from toulmin.errors import InputError, SettingsError
from toulmin.graph.labels import is_nameless
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Entity, EntityInfo, Node, Relation, Statement

__all__ = ["Graph", "LabelMatch", "QueryResult", "Side", "check_asked", "check_opened", "crawl"]

_log = logging.getLogger(__name__)
_MOST_NODES = 5000

Side = Choice["outgoing", "incoming", "both"]


@dataclass(frozen=True, slots=True)
class LabelMatch:
    """An entity whose label or alias matches a text.

    Args:
        id: the entity.
        form: the label or alias that matched, as the graph writes it.
        alias: whether ``form`` is an alias, not the label.
        score: 1.0 for the same normalised form, less for near matches and full-text hits.
    """

    id: str
    form: str
    alias: bool
    score: float


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The rows of a SELECT (or ASK: one row, one boolean literal) in the order the engine gave them."""

    variables: tuple[str, ...]
    rows: tuple[tuple[Node | None, ...], ...]


@runtime_checkable
class Graph(Protocol):
    """A knowledge graph. Statements of deprecated rank are never returned."""

    @property
    def name(self) -> str:
        """A short name, used as prefix of statement ids in a union."""

    @property
    def fingerprint(self) -> str:
        """Names the content: the Merkle root of statements and names (of a union a digest); for an endpoint its URL."""

    def statements(
        self,
        entities: Sequence[str],
        *,
        side: Side = "both",
        relations: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> list[list[Statement]]:
        """The statements of each entity (aligned with ``entities``), at most ``limit`` for each entity and side.

        An entity that the graph does not know has none. With side "both" a self-loop is returned once.
        """

    def contains(self, statements: Sequence[Statement]) -> list[bool]:
        """Whether each statement, with exactly its qualifiers and rank, is in the graph. Labels play no part."""

    def describe(self, entities: Sequence[str]) -> list[EntityInfo | None]:
        """Label, aliases and description of each entity (also of relations); None for an unknown id."""

    def lookup(self, forms: Sequence[str]) -> list[list[LabelMatch]]:
        """Entities having exactly these labels or aliases after normalisation (``labels.normalise``), per form."""

    def search(self, text: str, limit: int = 10) -> list[LabelMatch]:
        """Entities by full text and near matches of their labels and aliases, best first."""

    def relations(self) -> list[tuple[Relation, int]]:
        """Every relation with its number of statements, most frequent first."""

    def subgraph(self, seeds: Sequence[str], hops: int) -> Subgraph:
        """Adjacency arrays that hold at least everything within ``hops`` of the seeds.

        Machine-id nodes count as no hop. A local graph returns all of itself without copying.
        """

    def query(self, sparql: str, *, timeout: float = 30.0, limit: int | None = None) -> QueryResult:
        """Run a read-only SPARQL query (SELECT or ASK). A union of graphs has no engine and refuses every query.

        Args:
            timeout: seconds.
            limit: rows after which to stop.

        Raises:
            QueryError: malformed, an update, slower than ``timeout``, or asked of a union.
        """

    def close(self) -> None:
        """Release files and connections."""


def check_asked(side: str, limit: int | None) -> None:
    """Check what ``Graph.statements`` is asked for.

    Raises:
        SettingsError: no such side, or a negative limit.
    """
    if side not in ("outgoing", "incoming", "both"):
        raise SettingsError(f"unknown side {side!r}: use outgoing, incoming or both")
    if limit is not None and limit < 0:
        raise SettingsError(f"limit is {limit}: give 0 or more")


def check_opened(graph: Graph) -> None:
    """Check that a graph is an opened one: not its name or folder, as the command line takes it, nor something else.

    Raises:
        InputError: it is not.
    """
    if isinstance(graph, str | PathLike):
        raise InputError(f"the graph is given by its name: open it first, with toulmin.open({str(graph)!r})")
    if not hasattr(graph, "fingerprint"):
        raise InputError(f"the graph is of type {type(graph).__name__}: give one that toulmin.open returned")


def crawl(graph: Graph, seeds: Sequence[str], hops: int, limit: int, *, most_nodes: int = _MOST_NODES) -> Subgraph:
    """A sub-graph of what lies within ``hops`` of the seeds, fetched hop by hop from a graph that is far away.

    Args:
        limit: statements taken for each node and side.
        most_nodes: nodes whose statements are asked for; beyond it a warning is logged and the rest left out.

    Raises:
        SettingsError: ``hops`` is negative.
    """
    if hops < 0:
        raise SettingsError(f"hops is {hops}: give 0 or more")
    statements: dict[str, Statement] = {}
    seen = dict.fromkeys(seeds)
    level = list(seen)
    asked = 0
    for hop in range(1, hops + 1):
        reached: dict[str, None] = {}
        while level:  # entities of this level, then the machine-id nodes beside them, which cost no hop
            if asked + len(level) > most_nodes:
                _log.warning("%s: hop %d is not whole: more than %d nodes", graph.name, hop, most_nodes)
                level = level[: most_nodes - asked]
            asked += len(level)
            through: list[str] = []
            for statement in chain.from_iterable(graph.statements(level, limit=limit)):
                statements.setdefault(statement.id, statement)
                for node in (statement.subject, statement.object):
                    if isinstance(node, Entity) and node.id not in seen:
                        seen[node.id] = None
                        if is_nameless(node.id, node.label):
                            through.append(node.id)
                        else:
                            reached[node.id] = None
            level = through
        level = list(reached)
    return Subgraph.from_statements(statements.values())
