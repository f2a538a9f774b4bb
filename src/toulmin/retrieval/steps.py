"""The reasoning steps that lead from nodes: over one statement, or over two with a machine-id node between.

A step is named by *slots*: slot ``2r`` is relation number r walked forward, slot ``2r + 1`` the same walked backward. A
machine-id node says nothing and is never where a step ends: the step goes on to each of its neighbours except the node
that it came from, and has a second slot. Two machine-id nodes in a row are not walked.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toulmin.graph.csr import Ints, gather
from toulmin.graph.subgraph import Subgraph

__all__ = ["Hop", "Steps", "find_steps"]

#: The slot of a step, and the slot beyond a machine-id node or -1.
Hop = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Steps:
    """Steps as parallel arrays, int32[n], in the order of the nodes asked for.

    Args:
        origin: the place, among the nodes asked for, of the node that the step leads from.
        slot, statement: how it leaves that node.
        via: the machine-id node that it walks through; -1 where it walks through none.
        beyond, statement_beyond: the slot and statement that lead on from ``via``; -1 without one.
        neighbour: where it ends.
    """

    origin: Ints
    slot: Ints
    statement: Ints
    via: Ints
    beyond: Ints
    statement_beyond: Ints
    neighbour: Ints

    def __len__(self) -> int:
        return len(self.origin)

    def take(self, places: NDArray[np.integer] | NDArray[np.bool_]) -> Steps:
        """Some of them."""
        return Steps(*(getattr(self, name)[places] for name in self.__slots__))


def find_steps(subgraph: Subgraph, nodes: NDArray[np.integer]) -> Steps:
    """All steps from ``nodes``; a self-loop is a step in each direction."""
    origin, slot, statement, neighbour = _edges(subgraph, nodes)
    none = np.full(len(origin), -1, dtype=np.int32)
    machine = subgraph.machine[neighbour]
    if not machine.any():
        return Steps(origin, slot, statement, none, none, none, neighbour)
    at = np.flatnonzero(machine)
    via = neighbour[at]
    place, beyond, statement_beyond, end = _edges(subgraph, via)
    back = end == np.asarray(nodes, dtype=np.int32)[origin[at]][place]
    kept = np.flatnonzero(~back & ~subgraph.machine[end])
    first = at[place[kept]]
    straight = Steps(origin, slot, statement, none, none, none, neighbour).take(~machine)
    left = origin[first], slot[first], statement[first]
    through = (*left, via[place[kept]], beyond[kept], statement_beyond[kept], end[kept])
    order = np.argsort(np.concatenate([straight.origin, origin[first]]), kind="stable")
    both = zip((getattr(straight, name) for name in Steps.__slots__), through, strict=True)
    return Steps(*(np.concatenate(pair)[order] for pair in both))


def _edges(subgraph: Subgraph, nodes: NDArray[np.integer]) -> tuple[Ints, Ints, Ints, Ints]:
    """Both directions' edges of ``nodes`` as (origin, slot, statement, neighbour), sorted by origin."""
    sides: list[tuple[Ints, Ints, Ints, Ints]] = []
    for csr, backward in ((subgraph.outgoing, 0), (subgraph.incoming, 1)):
        starts = csr.indptr[nodes]
        counts = csr.indptr[np.asarray(nodes, dtype=np.int64) + 1] - starts
        if len(nodes) == 1:
            edges: slice | NDArray[np.int64] = slice(int(starts[0]), int(starts[0] + counts[0]))
        else:
            edges = gather(csr.indptr, nodes)
        origin = np.repeat(np.arange(len(nodes), dtype=np.int32), counts)
        sides.append((origin, 2 * csr.relation[edges] + np.int32(backward), csr.statement[edges], csr.neighbour[edges]))
    if len(nodes) == 1:
        joined = [np.concatenate(pair) for pair in zip(*sides, strict=True)]
    else:
        order = np.argsort(np.concatenate([sides[0][0], sides[1][0]]), kind="stable")
        joined = [np.concatenate(pair)[order] for pair in zip(*sides, strict=True)]
    origin, slot, statement, neighbour = joined
    return origin, slot, statement, neighbour
