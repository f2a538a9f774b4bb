"""The arrays of a graph on this machine, as the evaluation reads them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from toulmin.graph.csr import gather, over
from toulmin.graph.local import LocalGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Direction, Node, Statement
from toulmin.graph.union import UnionGraph
from toulmin.program.graph_source import NOTHING, AskedSource, Edges, GraphSource, Numbers

__all__ = ["ArraySource", "open_source"]

_SPECIAL = re.compile(b"13:unknown_value|8:no_value")  # as ``node_key`` writes a kind

T = TypeVar("T")


def open_source(graph: Graph) -> GraphSource:
    """The source of a graph."""
    members = list(graph.graphs.values()) if isinstance(graph, UnionGraph) else [graph]
    if all(isinstance(member, LocalGraph) for member in members):
        return ArraySource(graph)
    return AskedSource(graph)


# What is looked up once for each graph, however many programs there are over it.
_SPECIALS: WeakKeyDictionary[Subgraph, tuple[Numbers, Numbers]] = WeakKeyDictionary()


class ArraySource(GraphSource):
    """The arrays of a graph on this machine, or of a union of such graphs."""

    def __init__(self, graph: Graph) -> None:
        self._subgraph = graph.subgraph((), 0)
        self._tables = self._subgraph.tables
        super().__init__(graph, self._tables.n_nodes, self._tables.n_statements)
        self._relation = self._subgraph.relation_number

    @cached_property
    def _relation_nodes(self) -> Numbers:
        """The relations that statements speak of as well; their names name them as relations."""
        numbers = self._tables.find_many(list(self._relation))
        return numbers[numbers >= 0]

    def _known(self, key: str) -> int | None:
        return self._tables.find(key)

    def nodes(self, numbers: Numbers) -> list[Node]:
        """The nodes of numbers, with labels."""
        return _mixed(numbers, self._n, self._tables.nodes, super().nodes)

    def statements(self, rows: Numbers) -> list[Statement]:
        """The statements of numbers, with labels."""
        return _mixed(rows, self._m, self._tables.statements, super().statements)

    def _edges(self, nodes: Numbers, relations: Sequence[str], direction: Direction, graph: int | None) -> Edges:
        present = [self._relation[relation] for relation in relations if relation in self._relation]
        csr = self._subgraph.outgoing if direction == "forward" else self._subgraph.incoming
        inside = nodes[nodes < self._n]
        if not present or not len(inside):
            return Edges(NOTHING, NOTHING, NOTHING)
        places, owner = over(csr, inside, np.unique(np.array(present, dtype=np.int32)))
        rows = csr.statement[places].astype(np.int64)
        edges = Edges(inside[owner], csr.neighbour[places].astype(np.int64), rows)
        if graph is None or len(self.graphs) == 1:
            return edges
        names, name = self._tables.graph_names, self.graphs[graph]
        if self._tables.graph is None:  # all statements are of one graph
            return edges.where(np.full(len(rows), name in names))
        return edges.where(self._tables.graph[rows] == (names.index(name) if name in names else -1))

    def _as_compared(self, numbers: Numbers) -> list[Node]:
        if len(self.graphs) > 1 or (numbers >= self._n).any():
            return super()._as_compared(numbers)
        nodes = self.nodes(numbers)
        machine = self._tables.machine[numbers]
        for at in np.flatnonzero(machine).tolist():
            nodes[at] = super()._as_compared(numbers[at : at + 1])[0]
        return nodes

    def preferred(self, rows: Numbers) -> NDArray[np.bool_]:
        """Which statements are of preferred rank."""
        preferred = np.zeros(len(rows), dtype=np.bool_)
        inside = rows < self._m
        preferred[inside] = self._tables.rank[rows[inside]] == 1
        return preferred

    def qualifiers(self, rows: Numbers, relations: Sequence[str] | None = None) -> tuple[Numbers, Numbers]:
        """The qualifiers (of any of these relations; None: all) of statements: the place in ``rows``, the value."""
        inside = np.flatnonzero(rows < self._m)
        starts = self._tables.qualifier_start
        counts = starts[rows[inside] + 1] - starts[rows[inside]]
        if not counts.any():
            return NOTHING, NOTHING
        at, owner = gather(starts, rows[inside]), np.repeat(inside, counts)
        if relations is not None:
            numbers = [self._relation[relation] for relation in relations if relation in self._relation]
            chosen = np.isin(self._tables.qualifier_relation[at], numbers)
            at, owner = at[chosen], owner[chosen]
        return owner, self._tables.qualifier_value[at].astype(np.int64)

    def special(self, numbers: Numbers) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which nodes are *unknown value*, and which *no value*."""
        unknown, none = self._specials()
        beyond = numbers >= self._n
        if not len(unknown) and not len(none) and not beyond.any():
            return np.zeros(len(numbers), dtype=np.bool_), np.zeros(len(numbers), dtype=np.bool_)
        masks = np.isin(numbers, unknown), np.isin(numbers, none)
        if beyond.any():
            more = super().special(numbers[beyond])
            masks[0][beyond], masks[1][beyond] = more
        return masks

    def _specials(self) -> tuple[Numbers, Numbers]:
        if self._subgraph not in _SPECIALS:
            keys, first = self._tables.keys, self._tables.n_entities
            begin = int(keys.offsets[first]) if len(keys) > first else 0
            blob = keys.blob[begin:].data if len(keys) > first else b""
            at = np.array([match.start() + begin for match in _SPECIAL.finditer(blob)], dtype=np.int64)
            suspects = np.unique(np.searchsorted(keys.offsets, at, side="right") - 1)
            kinds = [getattr(node, "kind", "") for node in self._tables.nodes(suspects)]
            _SPECIALS[self._subgraph] = tuple(  # type: ignore[assignment]
                suspects[[node_kind == kind for node_kind in kinds]] if len(suspects) else NOTHING
                for kind in ("unknown_value", "no_value")
            )
        return _SPECIALS[self._subgraph]

    def labelled(self, numbers: Numbers) -> NDArray[np.bool_]:
        """Which nodes have a label, or are literals."""
        labelled = np.ones(len(numbers), dtype=np.bool_)
        inside = numbers < self._n
        labelled[inside] = ~self._tables.machine[numbers[inside]] | np.isin(numbers[inside], self._relation_nodes)
        if not inside.all():
            labelled[~inside] = super().labelled(numbers[~inside])
        return labelled


def _mixed(
    numbers: Numbers, n: int, inside: Callable[[Numbers], list[T]], beyond: Callable[[Numbers], list[T]]
) -> list[T]:
    """What arrays have by their numbers, and the rest by theirs."""
    base = numbers < n
    if base.all():
        return inside(numbers)
    if not base.any():
        return beyond(numbers)
    first, further = iter(inside(numbers[base])), iter(beyond(numbers[~base]))
    return [next(first) if is_inside else next(further) for is_inside in base.tolist()]
