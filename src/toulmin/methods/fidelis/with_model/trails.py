"""Candidate paths from the linked entities, as numbers of the sub-graph, and what they lead to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from toulmin.graph.csr import Ints
from toulmin.graph.subgraph import Subgraph
from toulmin.methods.fidelis.starts import Start
from toulmin.methods.fidelis.walking import DirectedRelation, directed_relations, follow_slots
from toulmin.retrieval.steps import Hop as Slots

__all__ = ["Trail", "edges_of", "ends_of", "ends_over", "roots"]


@dataclass(frozen=True, slots=True)
class Trail:
    """A path from a start: its relations, and where they lead.

    Args:
        origin: the node number of the start.
        hops: the slots of each hop (``retrieval.steps``); the second is -1 but for a hop through a machine-id node.
        frontier: its ends as far as they are known, those of the best steps first; the first of them are extended.
        nodes: of unit "entity" the node after each hop; else empty.
        total: the sum of its hops' scores without look-ahead.
        score: what it is ranked by (``GuidedSettings.ranking``).
        passed: how much was stated of the nodes between its hops, in doublings.
    """

    start: Start
    origin: int
    hops: tuple[Slots, ...]
    frontier: Ints = field(compare=False)
    nodes: tuple[int, ...] = ()
    total: float = field(default=0.0, compare=False)
    score: float = field(default=0.0, compare=False)
    passed: float = field(default=0.0, compare=False)

    def pattern(self, subgraph: Subgraph) -> tuple[DirectedRelation, ...]:
        """Its relations with their directions, machine-id nodes in between included."""
        return directed_relations(subgraph, self.slots)

    @property
    def slots(self) -> tuple[int, ...]:
        """The slot of each edge."""
        return edges_of(self.hops)

    def extends(self, shorter: Trail) -> bool:
        """Whether it is the other one, or goes on from it."""
        return self.start == shorter.start and self.hops[: len(shorter.hops)] == shorter.hops


def roots(subgraph: Subgraph, starts: Iterable[Start]) -> list[Trail]:
    """The trails of no hop, from those starts that the sub-graph holds."""
    numbered = [(start, subgraph.index(start.entity.id)) for start in starts]
    return [Trail(start, at, (), np.array([at], dtype=np.int32)) for start, at in numbered if at is not None]


def edges_of(hops: Iterable[Slots]) -> tuple[int, ...]:
    """The slot of each edge of hops."""
    return tuple(slot for hop in hops for slot in hop if slot >= 0)


def ends_of(subgraph: Subgraph, trail: Trail) -> Ints:
    """All nodes that the trail's relations lead to, but machine ids, and the start where there are others."""
    return ends_over(subgraph, trail.origin, trail.hops)


def ends_over(subgraph: Subgraph, origin: int, hops: Iterable[Slots]) -> Ints:
    """The same of any hops from a node."""
    nodes = follow_slots(subgraph, origin, edges_of(hops))
    nodes = nodes[~subgraph.machine[nodes]]
    others = nodes[nodes != origin]
    return others if len(others) else nodes
