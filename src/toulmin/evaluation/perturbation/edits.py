"""What a perturbation makes of a graph's statements, as arrays: every kind writes into the same ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from toulmin.evaluation.perturbation.edges import Rows, Triples, groups
from toulmin.evaluation.perturbation.scorer import TripleScorer
from toulmin.graph.readers.raw_statements import RawStatement
from toulmin.graph.tables import RANKS, Tables, literal_from_key
from toulmin.graph.types import Entity, Literal, canonical_key, node_key, statement_digest

__all__ = ["Edits", "digest", "said"]


def said(tables: Tables) -> Rows:
    """Numbers the qualifiers and rank of each statement, int64[m]: statements with the same ones have one number."""
    numbers = tables.rank.astype(np.int64)
    distinct: dict[tuple[int, bytes], int] = {}
    starts = tables.qualifier_start
    for row in np.flatnonzero(np.diff(starts)).tolist():
        at = slice(starts[row], starts[row + 1])
        pairs = np.stack([tables.qualifier_relation[at], tables.qualifier_value[at]], axis=1)
        key = int(numbers[row]), pairs[np.lexsort(pairs.T)].tobytes()
        numbers[row] = distinct.setdefault(key, len(RANKS) + len(distinct))
    return numbers


@dataclass
class Edits:
    """The statements after a perturbation; made equal to those of ``tables``, then written into.

    Attributes:
        origin: the statement of ``tables`` that each is made of: what is not written otherwise is as there.
        subject, relation, object: node and relation numbers; an object from ``tables.n_nodes`` on is one of ``values``.
        kept: false where a statement is removed.
        qualifier_value: node numbers, parallel to ``tables.qualifier_value``, with ``values`` in the same way.
        qualifier_kept: false where a qualifier is removed.
        values: literals that ``tables`` lacks, with their numbers, which ascend.
        renamed: new labels of entities.
        merged: entities that are taken for another one, which takes over their names.
    """

    tables: Tables
    origin: Rows
    subject: Rows
    relation: Rows
    object: Rows
    kept: NDArray[np.bool_]
    qualifier_value: Rows
    qualifier_kept: NDArray[np.bool_]
    values: dict[Literal, int] = field(default_factory=dict)
    renamed: dict[int, str] = field(default_factory=dict)
    merged: dict[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, tables: Tables) -> Edits:
        """No change yet."""
        m, q = tables.n_statements, len(tables.qualifier_value)
        return cls(
            tables,
            np.arange(m),
            tables.subject.astype(np.int64),
            tables.relation.astype(np.int64),
            tables.object.astype(np.int64),
            np.ones(m, dtype=np.bool_),
            tables.qualifier_value.astype(np.int64),
            np.ones(q, dtype=np.bool_),
        )

    @cached_property
    def scorer(self) -> TripleScorer:
        """A scorer of the graph as it was."""
        return TripleScorer(Triples.of(self.tables))

    @cached_property
    def said(self) -> Rows:
        """``said`` of the tables."""
        return said(self.tables)

    def value(self, literal: Literal) -> int:
        """The node number of a literal that is written into the statements."""
        number = self.tables.find(node_key(literal))
        if number is not None:
            return number
        return self.values.setdefault(literal, self.tables.n_nodes + len(self.values))

    def add(self, rows: Rows, objects: Rows) -> None:
        """Beside each of ``rows`` a statement that says the same of another object."""
        self.origin = np.concatenate([self.origin, rows])
        self.subject = np.concatenate([self.subject, self.subject[rows]])
        self.relation = np.concatenate([self.relation, self.relation[rows]])
        self.object = np.concatenate([self.object, objects])
        self.kept = np.concatenate([self.kept, np.ones(len(rows), dtype=np.bool_)])

    @property
    def added(self) -> Rows:
        """The statements that stand beside the one they are made of."""
        return np.arange(self.tables.n_statements, len(self.origin))

    @property
    def removed(self) -> Rows:
        """The statements that are gone."""
        return np.flatnonzero(~self.kept)

    @property
    def altered(self) -> Rows:
        """The statements that say something else than before."""
        tables, m = self.tables, self.tables.n_statements
        changed = self.subject[:m] != tables.subject
        changed |= self.relation[:m] != tables.relation
        changed |= self.object[:m] != tables.object
        qualifiers = np.flatnonzero((self.qualifier_value != tables.qualifier_value) | ~self.qualifier_kept)
        changed[np.searchsorted(tables.qualifier_start, qualifiers, side="right") - 1] = True
        return np.flatnonzero(changed & self.kept[:m])

    def taken(self, rows: Rows, subject: Rows, relation: Rows, obj: Rows) -> NDArray[np.bool_]:
        """Which of ``rows`` would become a statement that the graph has already, or that an earlier row becomes.

        Qualifiers count. Such a change would be lost, or the statement would be true.
        """
        tables = self.tables
        group = groups(
            np.concatenate([tables.subject, subject]),
            np.concatenate([tables.relation, relation]),
            np.concatenate([tables.object, obj]),
            np.concatenate([self.said, self.said[rows]]),
        )
        first = np.full(group.max(initial=-1) + 1, len(group), dtype=np.int64)
        np.minimum.at(first, group, np.arange(len(group)))
        m = tables.n_statements
        return np.asarray(first[group[m:]] != np.arange(m, len(group)))

    @cached_property
    def _ids(self) -> list[str]:
        return self.tables.keys.many(np.arange(self.tables.n_entities))

    @cached_property
    def _literals(self) -> list[Literal]:
        keys = self.tables.keys.many(np.arange(self.tables.n_entities, self.tables.n_nodes))
        return [literal_from_key(key) for key in keys]

    def facts(self, rows: Rows, *, before: bool = False) -> Iterator[RawStatement]:
        """The statements after the perturbation, or as they are in ``tables``."""
        tables = self.tables
        ids = self._ids
        nodes: list[str | Literal] = [*ids, *self._literals, *self.values]
        relations = [relation.id for relation in tables.relations]
        spo = (tables.subject, tables.relation, tables.object) if before else (self.subject, self.relation, self.object)
        origin = self.origin[rows]
        starts, ends = tables.qualifier_start[origin], tables.qualifier_start[origin + 1]
        columns = (*(column[rows] for column in spo), tables.rank[origin], starts, ends)
        qualifier = tables.qualifier_relation.tolist()
        value = (tables.qualifier_value if before else self.qualifier_value).tolist()
        kept = [True] * len(value) if before else self.qualifier_kept.tolist()
        for s, r, o, rank, start, end in zip(*(column.tolist() for column in columns), strict=True):
            qualifiers = tuple((relations[qualifier[at]], nodes[value[at]]) for at in range(start, end) if kept[at])
            yield RawStatement(ids[s], relations[r], nodes[o], qualifiers, RANKS[rank])


def digest(fact: RawStatement) -> bytes:
    """The digest of a statement (``graph.types.Statement.digest``)."""

    def key(node: str | Literal) -> str:
        return canonical_key(Entity(node) if isinstance(node, str) else node)

    qualifiers = [(relation, key(value)) for relation, value in fact.qualifiers]
    return statement_digest(fact.subject, fact.relation, key(fact.object), qualifiers, fact.rank)
