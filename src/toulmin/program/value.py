"""What nodes of a program yield: sets of nodes with their marks, truth, rows, periods."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property

import numpy as np

from toulmin.graph.types import Entity, Node, Statement, canonical_key, node_key
from toulmin.program.graph_source import Edges, GraphSource, Numbers
from toulmin.program.periods import Period

__all__ = ["Nodes", "Result", "Rows", "Truth", "canonical"]

#: Yes, no, or unknown.
Truth = bool | None


def canonical(node: Node) -> tuple[bool, str]:
    """Where a node stands in canonical order: entities by id, then literals by their key."""
    return (False, node.id) if isinstance(node, Entity) else (True, canonical_key(node))


@dataclass(eq=False, repr=False)
class Nodes:
    """A set of nodes, as numbers of a source until somebody wants to see them.

    Attributes:
        source: whose numbers they are.
        numbers: int64, ascending, distinct.
        open: there may be more than the graph lists.
        hole: an unknown value was among what was read.
        none: the graph says that there is none.
        at_least: it is one number, of which it is known only that it is no less.
        preferred: those of ``numbers`` that a preferred statement leads to; None where that plays no part.
        edges: of a ``follow``, and of some of what it leads to, the statements that lead to each node.
    """

    source: GraphSource
    numbers: Numbers
    _: KW_ONLY
    open: bool = False
    hole: bool = False
    none: bool = False
    at_least: bool = False
    preferred: Numbers | None = None
    edges: Edges | None = None

    def __len__(self) -> int:
        return len(self.numbers)

    def __repr__(self) -> str:
        marks = [name for name in ("open", "hole", "none", "at_least") if getattr(self, name)]
        return f"Nodes({len(self):,} nodes{''.join(f', {mark}' for mark in marks)})"

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes in canonical order."""
        return tuple(sorted(self.source.nodes(self.numbers), key=canonical))

    @cached_property
    def deciding(self) -> Numbers:
        """The numbers that a comparison takes: of several statements those of preferred rank decide."""
        return self.numbers if self.preferred is None or not len(self.preferred) else self.preferred

    def only(self, numbers: Numbers, *, open: bool | None = None, hole: bool | None = None) -> Nodes:
        """Some of these nodes, with the same marks but for those given."""
        preferred, edges = self.preferred, self.edges
        if preferred is not None:
            preferred = np.intersect1d(preferred, numbers, assume_unique=True)
        if edges is not None:
            edges = edges.where(np.isin(edges.end, numbers))
        open, hole = self.open if open is None else open, self.hole if hole is None else hole
        return replace(self, numbers=numbers, preferred=preferred, edges=edges, open=open, hole=hole)

    @cached_property
    def arrivals(self) -> dict[str, list[tuple[Node, Statement]]]:
        """By the key of each node a ``follow`` leads to (``node_key``): from where, and by which statement."""
        if self.edges is None:
            return {}
        arrivals: dict[str, list[tuple[Node, Statement]]] = {node_key(node): [] for node in self.nodes}
        edges = self.edges
        nodes = [self.source.nodes(numbers) for numbers in (edges.origin, edges.end)]
        for origin, end, statement in zip(*nodes, self.source.statements(edges.row), strict=True):
            arrivals[node_key(end)].append((origin, statement))
        return arrivals

    def leading_to(self, end: Node) -> list[tuple[Node, Statement]]:
        """From where a ``follow`` leads to one node, and by which statements."""
        if self.edges is None:
            return []
        mine = self.edges.where(self.edges.end == self.source.number(end))
        return list(zip(self.source.nodes(mine.origin), self.source.statements(mine.row), strict=True))


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of cells, each a tuple of nodes in canonical order."""

    rows: tuple[tuple[tuple[Node, ...], ...], ...]


Result = Nodes | Truth | Rows | Period
