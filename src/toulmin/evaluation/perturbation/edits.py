"""What a perturbation makes of a graph's statements: arrays that every kind writes into, and the list of its changes.

The list is ``changes.jsonl``, one change a line (docs/perturbation.md).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toulmin.errors import SourceError
from toulmin.evaluation.perturbation.scorer import Rows, Triples, TripleScorer, groups
from toulmin.graph.ranges import plain_node
from toulmin.graph.readers.raw_statements import RawStatement
from toulmin.graph.tables import RANKS, Tables, literal_from_key
from toulmin.graph.types import Entity, Literal, Node, Qualifier, Relation, Statement, node_key
from toulmin.graph.values import literal_words

__all__ = ["CHANGES", "Edits", "changes", "false_statements", "read_changes"]

CHANGES = "changes.jsonl"


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

    def __init__(self, tables: Tables) -> None:
        m = tables.n_statements
        self.tables, self.origin = tables, np.arange(m)
        self.subject, self.relation, self.object = (
            column.astype(np.int64) for column in (tables.subject, tables.relation, tables.object)
        )
        self.kept = np.ones(m, dtype=np.bool_)
        self.qualifier_value = tables.qualifier_value.astype(np.int64)
        self.qualifier_kept = np.ones(len(tables.qualifier_value), dtype=np.bool_)
        self.values: dict[Literal, int] = {}
        self.renamed: dict[int, str] = {}
        self.merged: dict[int, int] = {}

    @cached_property
    def scorer(self) -> TripleScorer:
        """A scorer of the graph as it was."""
        return TripleScorer(Triples.of(self.tables))

    @cached_property
    def _said(self) -> Rows:
        """Numbers the qualifiers and rank of each statement, int64[m]: those with the same ones have one number."""
        tables, starts = self.tables, self.tables.qualifier_start
        numbers = tables.rank.astype(np.int64)
        distinct: dict[tuple[int, bytes], int] = {}
        for row in np.flatnonzero(np.diff(starts)).tolist():
            at = slice(starts[row], starts[row + 1])
            pairs = np.stack([tables.qualifier_relation[at], tables.qualifier_value[at]], axis=1)
            key = int(numbers[row]), pairs[np.lexsort(pairs.T)].tobytes()
            numbers[row] = distinct.setdefault(key, len(RANKS) + len(distinct))
        return numbers

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
            np.concatenate([self._said, self._said[rows]]),
        )
        first = np.full(group.max(initial=-1) + 1, len(group), dtype=np.int64)
        np.minimum.at(first, group, np.arange(len(group)))
        m = tables.n_statements
        return np.asarray(first[group[m:]] != np.arange(m, len(group)))

    @cached_property
    def _nodes(self) -> tuple[list[str], list[Literal]]:
        n, keys = self.tables.n_entities, self.tables.keys.many(np.arange(self.tables.n_nodes))
        return keys[:n], [literal_from_key(key) for key in keys[n:]]

    def facts(self, rows: Rows, *, before: bool = False) -> Iterator[RawStatement]:
        """The statements after the perturbation, or as they are in ``tables``."""
        tables, (ids, literals) = self.tables, self._nodes
        nodes: list[str | Literal] = [*ids, *literals, *self.values]
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


def changes(edits: Edits) -> Iterator[dict[str, Any]]:
    """Each change, as a line of ``changes.jsonl`` has it."""
    tables, stated = edits.tables, _stating(edits.tables)
    for number, label in edits.renamed.items():
        yield {"change": "renamed", "entity": tables.keys[number], "before": tables.labels[number], "after": label}
    for number, into in edits.merged.items():
        yield {"change": "merged", "entity": tables.keys[number], "into": tables.keys[into]}
    for fact in edits.facts(edits.removed, before=True):
        yield {"change": "removed", "before": _told(stated(fact))}
    for change, beside, rows in (("altered", "before", edits.altered), ("added", "beside", edits.added)):
        after = list(map(stated, edits.facts(rows)))
        true = tables.holds([new.digest for new in after])  # where merging entities makes two statements one
        before = map(stated, edits.facts(edits.origin[rows], before=True))
        for old, new, holds in zip(before, after, true, strict=True):
            yield {"change": change, beside: _told(old), "after": _told(new) | ({"true": True} if holds else {})}


def _stating(tables: Tables) -> Callable[[RawStatement], Statement]:
    """Makes of what a reader would yield a statement with the labels of the graph."""
    numbers = np.arange(tables.n_entities)
    labels = dict(zip(tables.keys.many(numbers), tables.labels.many(numbers), strict=True))
    relations = {relation.id: relation for relation in tables.relations}

    def node(raw: str | Literal) -> Node:
        return raw if isinstance(raw, Literal) else Entity(raw, labels[raw])

    def stated(fact: RawStatement) -> Statement:
        subject = Entity(fact.subject, labels[fact.subject])
        qualifiers = tuple(Qualifier(relations[relation], node(value)) for relation, value in fact.qualifiers)
        return Statement(subject, relations[fact.relation], node(fact.object), qualifiers, fact.rank)

    return stated


def _told(statement: Statement) -> dict[str, Any]:
    """A statement for people and programs to read: its id, its content, and the content in words."""
    parts = (statement.subject, statement.relation, statement.object)
    qualifiers = [f"{_words(more.relation)}: {_words(more.value)}" for more in statement.qualifiers]
    content: dict[str, Any] = {
        "id": statement.id,
        "text": " | ".join([*map(_words, parts), *qualifiers]),
        "subject": statement.subject.id,
        "relation": statement.relation.id,
        "object": plain_node(statement.object),
    }
    if statement.qualifiers:
        content["qualifiers"] = [[more.relation.id, plain_node(more.value)] for more in statement.qualifiers]
    if statement.rank != "normal":
        content["rank"] = statement.rank
    return content


def _words(part: Node | Relation) -> str:
    return literal_words(part) if isinstance(part, Literal) else part.label or part.id


def read_changes(folder: str | Path) -> Iterator[dict[str, Any]]:
    """What was changed in a perturbed graph.

    Raises:
        SourceError: the folder holds no list of changes, or one that is damaged.
    """
    path = Path(folder) / CHANGES
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                change = json.loads(line)
                if not isinstance(change, dict) or "change" not in change:
                    raise SourceError("not a change as `toulmin perturb` writes it", path, number)
                yield change
    except OSError as error:
        raise SourceError(
            f"cannot be read ({error.strerror}): is it of a graph that `toulmin perturb` made?", path
        ) from None
    except ValueError as error:
        raise SourceError(f"not JSON ({error})", path) from None


def false_statements(folder: str | Path) -> frozenset[str]:
    """The ids of the statements of a perturbed graph that the graph it was made of lacks.

    Raises:
        SourceError: as ``read_changes``.
    """
    return frozenset(
        change["after"]["id"]
        for change in read_changes(folder)
        if change["change"] in ("altered", "added") and not change["after"].get("true")
    )
