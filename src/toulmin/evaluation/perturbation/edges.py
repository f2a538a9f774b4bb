"""The edges of a graph as numbers: what scorers are trained on and graphs compared by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from toulmin.graph.tables import Tables
from toulmin.graph.types import DESCRIPTION

__all__ = ["Rows", "Triples", "edges", "groups"]

Rows = NDArray[np.int64]


def edges(tables: Tables) -> Rows:
    """The statements that count as edges, ascending: all but descriptions, which are texts about one node."""
    text = [number for number, relation in enumerate(tables.relations) if relation.id == DESCRIPTION]
    return np.flatnonzero(~np.isin(tables.relation, text))


def groups(*columns: NDArray[np.integer]) -> Rows:
    """A number for each row of parallel columns, int64[n]: equal rows have the same one."""
    order = np.lexsort(columns)
    new = np.zeros(len(order), dtype=np.bool_)
    for column in columns:
        ordered = column[order]
        new[1:] |= ordered[1:] != ordered[:-1]
    numbers = np.empty(len(order), dtype=np.int64)
    numbers[order] = np.cumsum(new)
    return numbers


@dataclass(frozen=True, slots=True)
class Triples:
    """Edges by numbers; nodes are entities and literals.

    Attributes:
        subject, relation, object: parallel, int64[m].
        n_nodes, n_relations: the numbers are below them.
    """

    subject: Rows
    relation: Rows
    object: Rows
    n_nodes: int
    n_relations: int

    @classmethod
    def of(cls, tables: Tables) -> Self:
        """The edges of a graph."""
        rows = edges(tables)
        subject, relation, obj = (c[rows].astype(np.int64) for c in (tables.subject, tables.relation, tables.object))
        return cls(subject, relation, obj, tables.n_nodes, len(tables.relations))

    @classmethod
    def numbered_as(cls, tables: Tables, others: Tables) -> Self:
        """The edges of a graph by the numbers of another one; what that one lacks is numbered from its counts on."""
        triples = cls.of(tables)
        nodes = others.find_many(tables.keys.many(np.arange(tables.n_nodes)))
        new = np.flatnonzero(nodes < 0)
        nodes[new] = others.n_nodes + np.arange(len(new))
        known = {relation.id: number for number, relation in enumerate(others.relations)}
        number = np.array([known.setdefault(relation.id, len(known)) for relation in tables.relations], dtype=np.int64)
        columns = nodes[triples.subject], number[triples.relation], nodes[triples.object]
        return cls(*columns, others.n_nodes + len(new), len(known))

    def __len__(self) -> int:
        return len(self.subject)

    def take(self, rows: Rows) -> Triples:
        """Some of the edges."""
        return Triples(self.subject[rows], self.relation[rows], self.object[rows], self.n_nodes, self.n_relations)
