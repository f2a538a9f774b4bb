"""The integer face of a graph: adjacency arrays in both directions, on which all search runs.

Nodes are numbered 0 … n-1: entities first, then literals. Statements are numbered 0 … m-1. Every statement with subject
s, relation r and object o is one edge of ``outgoing`` at s and one of ``incoming`` at o. Within a node the edges are sorted by
(relation, neighbour), so that the neighbours over one relation are one slice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toulmin.graph.types import Node, Relation, Statement

__all__ = ["Csr", "Subgraph"]

Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Csr:
    """Compressed sparse rows: the edges of node i are ``indptr[i]:indptr[i+1]`` of the three parallel arrays."""

    indptr: NDArray[np.int64]
    relation: Ints
    neighbour: Ints
    statement: Ints


class Subgraph:
    """Adjacency of a graph or of a part of it, with the tables that turn numbers into nodes and statements.

    Attributes:
        outgoing, incoming: edges by subject and by object.
        n_entities, n_nodes, n_statements: counts; nodes ≥ ``n_entities`` are literals.
        relations: the relation of each relation number.
        machine: bool[n_nodes], true where the node's only label is a machine id: walked through, never an answer.
    """

    outgoing: Csr
    incoming: Csr
    n_entities: int
    n_nodes: int
    n_statements: int
    relations: tuple[Relation, ...]
    machine: NDArray[np.bool_]

    def node(self, number: int) -> Node:
        """The entity (with its label) or literal of a node number."""
        raise NotImplementedError

    def labels(self, numbers: Sequence[int] | Ints) -> list[str]:
        """What people read for each node: an entity's label (its id where it has none), a literal's value with its unit."""
        raise NotImplementedError

    def index(self, entity: str) -> int | None:
        """The node number of an entity id; None where the sub-graph does not hold it."""
        raise NotImplementedError

    def statement(self, row: int) -> Statement:
        """The statement of a statement number, labels filled in."""
        raise NotImplementedError

    def follow(self, nodes: Ints, relation: int, *, backward: bool = False) -> Ints:
        """The distinct nodes reached from any of ``nodes`` over one relation, ascending."""
        raise NotImplementedError

    def k_hop(self, seeds: Ints, hops: int) -> Ints:
        """The nodes within ``hops`` of the seeds in either direction (machine-id nodes count as no hop), ascending."""
        raise NotImplementedError

    def pagerank(self, seeds: Ints, *, damping: float = 0.85, tol: float = 1e-6, max_iter: int = 100) -> NDArray[np.float64]:
        """Personalised PageRank over edges in both directions (papers/okgqa A.5); sums to 1.

        Stops where the L1 change of one iteration is below ``tol``; raises GraphError if ``max_iter`` were not enough.
        """
        raise NotImplementedError
