"""The reasoning steps that lead from nodes: over one statement, or over two with a machine-id node between.

A step is named by *slots*: slot ``2r`` is relation number r walked forward, slot ``2r + 1`` the same walked backward. A
machine-id node says nothing and is never where a step ends: the step goes on to each of its neighbours except the node
that it came from, and has a second slot. Two machine-id nodes in a row are not walked.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toulmin.graph.csr import Ints, over
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
    direct = _over_one(subgraph, nodes)
    machine = subgraph.machine[direct.neighbour]
    if not machine.any():
        return direct
    into = direct.take(machine)
    onward = _over_one(subgraph, into.neighbour)
    first, end = into.take(onward.origin), onward.neighbour
    ends_there = (end != np.asarray(nodes, dtype=np.int32)[first.origin]) & ~subgraph.machine[end]
    left = first.origin, first.slot, first.statement
    through = Steps(*left, first.neighbour, onward.slot, onward.statement, end).take(ends_there)
    return _by_origin(direct.take(~machine), through)


def _over_one(subgraph: Subgraph, nodes: NDArray[np.integer]) -> Steps:
    """Both directions' edges of ``nodes``, wherever they end."""
    sides = []
    for csr, backward in ((subgraph.outgoing, 0), (subgraph.incoming, 1)):
        edges, origin = over(csr, nodes)
        none = np.full(len(edges), -1, dtype=np.int32)
        slot = 2 * csr.relation[edges] + np.int32(backward)
        leaves = origin.astype(np.int32), slot, csr.statement[edges]
        sides.append(Steps(*leaves, none, none, none, csr.neighbour[edges]))
    return _by_origin(*sides)


def _by_origin(first: Steps, second: Steps) -> Steps:
    """All of both, sorted by their origin; of one origin those of ``first`` before the others."""
    fields = (np.concatenate([getattr(first, name), getattr(second, name)]) for name in Steps.__slots__)
    both = Steps(*fields)
    return both.take(np.argsort(both.origin, kind="stable"))
