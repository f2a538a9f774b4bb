"""The integer face of a graph: adjacency arrays in both directions, on which all search runs.

Nodes are numbered 0 … n-1: entities first, then literals. Statements are numbered 0 … m-1. Every statement with subject
s, relation r and object o is one edge of ``outgoing`` at s and one of ``incoming`` at o. Within a node the edges are
sorted by (relation, neighbour), so that the neighbours over one relation are one slice.

A reasoning step leads from a node over one statement, or over two with a machine-id node between. It is named by
*slots*: slot ``2r`` is relation number r walked forward, slot ``2r + 1`` the same walked backward. A machine-id node
says nothing and is never where a step ends: the step goes on to each of its neighbours except the node that it came
from, and has a second slot. Two machine-id nodes in a row are not walked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toulmin.errors import SettingsError
from toulmin.graph.csr import Csr, Ints, distinct, gather, over
from toulmin.graph.tables import Tables
from toulmin.graph.types import Node, Statement

__all__ = ["Csr", "Hop", "Steps", "Subgraph", "find_steps"]


class Subgraph:
    """Adjacency of a graph or of a part of it, with the tables that turn numbers into nodes and statements.

    Attributes:
        outgoing, incoming: edges by subject and by object.
        n_entities, n_nodes, n_statements: counts; nodes ≥ ``n_entities`` are literals.
        relations: the relation of each relation number.
        relation_number: of each relation's id.
        machine: bool[n_nodes], true where the node's only label is a machine id: walked through, never an answer.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.n_entities, self.n_nodes, self.n_statements = tables.n_entities, tables.n_nodes, tables.n_statements
        self.relations, self.machine = tables.relations, tables.machine
        self.relation_number = {relation.id: number for number, relation in enumerate(tables.relations)}
        rows = np.arange(tables.n_statements, dtype=np.int32)
        self.outgoing = Csr(tables.out_start, tables.relation, tables.object, rows)
        self.incoming = Csr(tables.in_start, tables.in_relation, tables.in_subject, tables.in_statement)

    @classmethod
    def from_statements(cls, statements: Iterable[Statement], labels: Mapping[str, str] | None = None) -> Subgraph:
        """A sub-graph of these statements.

        Args:
            statements: equal ones merge, those of deprecated rank are dropped; each keeps its ``graph``.
            labels: labels of entity and relation ids, taken before those that the statements carry.

        Raises:
            SourceError: an id is empty or a text cannot be stored.
        """
        from toulmin.graph.assemble import Assembler

        assembler = Assembler()
        assembler.add_statements(statements, labels or {})
        return cls(assembler.finish().tables)

    def node(self, number: int) -> Node:
        """The entity (with its label) or literal of a node number."""
        return self.tables.nodes(np.array([number], dtype=np.int64))[0]

    def nodes(self, numbers: Sequence[int] | NDArray[np.integer]) -> list[Node]:
        """The entities (with their labels) and literals of node numbers."""
        return self.tables.nodes(np.asarray(numbers, dtype=np.int64))

    def labels(self, numbers: Sequence[int] | NDArray[np.integer]) -> list[str]:
        """What people read for each node: an entity's label (never empty), a literal's value with its unit."""
        return self.tables.texts(np.asarray(numbers, dtype=np.int64))

    def index(self, entity: str) -> int | None:
        """The node number of an entity id; None where the sub-graph does not hold it."""
        number = self.tables.find(entity)
        return number if number is not None and number < self.n_entities else None

    def statements(self, rows: Sequence[int] | NDArray[np.integer]) -> list[Statement]:
        """The statements of statement numbers, labels filled in."""
        return self.tables.statements(np.asarray(rows, dtype=np.int64))

    def objects(self, subject: int, relation: int | None = None) -> Ints:
        """The objects of a node over one relation, ascending; over all of them, relation by relation."""
        return self.outgoing.neighbour[self.outgoing.edges(subject, relation)]

    def subjects(self, of: int, relation: int | None = None) -> Ints:
        """The subjects of which a node is the object, over one relation, ascending; over all, relation by relation."""
        return self.incoming.neighbour[self.incoming.edges(of, relation)]

    def follow(self, nodes: Ints, relation: int, *, backward: bool = False) -> Ints:
        """The distinct nodes reached from any of ``nodes`` over one relation, ascending."""
        return (self.incoming if backward else self.outgoing).follow(np.asarray(nodes, dtype=np.int32), relation)

    def k_hop(self, seeds: Ints, hops: int) -> Ints:
        """The nodes within ``hops`` of the seeds in either direction (machine-id nodes count as no hop), ascending.

        With 0 hops the seeds and the machine-id nodes beside them.
        """
        if hops < 0:
            raise SettingsError(f"hops is {hops}: give 0 or more")
        seen = np.zeros(self.n_nodes, dtype=np.bool_)
        level = np.unique(np.asarray(seeds, dtype=np.int32))
        seen[level] = True
        levels = [level]
        for hop in range(hops + 1):
            beyond: list[Ints] = []  # one hop further
            while len(level):
                near = np.concatenate(
                    [edges.neighbour[gather(edges.indptr, level)] for edges in (self.outgoing, self.incoming)]
                )
                near = near[~seen[near]]
                at_no_cost = self.machine[near]
                beyond.append(near[~at_no_cost])
                level = distinct(near[at_no_cost], self.n_nodes)
                seen[level] = True
                levels.append(level)
            if hop == hops or not beyond:
                break
            level = distinct(np.concatenate(beyond), self.n_nodes)
            seen[level] = True
            levels.append(level)
        return np.sort(np.concatenate(levels))


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
