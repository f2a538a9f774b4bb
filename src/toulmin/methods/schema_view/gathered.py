"""What is known of a graph before a question is asked: its relations, the classes of its nodes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from toulmin.graph.classes import ClassRelation, class_relation
from toulmin.graph.csr import Ints
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Entity, Literal, Node, Relation
from toulmin.methods.schema_view.view import ClassSeen, RelationSeen

__all__ = ["Gathered"]

_SHOWN_ENDS = 6  # classes of subjects, of objects
_SAMPLE = 20_000  # statements of a relation that are looked at
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?", re.ASCII)
_NUMBERS = "number in a text"
_FEW = 6  # values that are all shown
_LEADING = 3  # relations that lead to a value, shown of it
_WALKED = 400  # nodes without a name beside what a question names
_QUALIFIED_ROWS = 1000  # qualified statements of a relation that are looked at
_QUALIFIED = 8  # relations that qualify, shown of one relation


@dataclass(frozen=True)
class Gathered:
    """A graph, or examples of what an endpoint says.

    Args:
        subgraph: its statements.
        counts: statements of each relation; None: not counted.
        whole: whether the sub-graph is all of the graph; else it holds examples.
        class_counts: things of each class by its id, where somebody else counted them.
    """

    subgraph: Subgraph
    counts: Mapping[str, int] | None
    whole: bool
    class_counts: Mapping[Entity, int] | None = None

    @cached_property
    def relations(self) -> tuple[Relation, ...]:
        """Every relation that leads from one thing to another; those that say what is of which class are not shown."""
        used = self.subgraph.tables.relation_counts if self.whole else None
        return tuple(
            relation
            for number, relation in enumerate(self.subgraph.relations)
            if (used is None or used[number] > 0) and class_relation(relation) != "instance"
        )

    def saying(self, kind: ClassRelation) -> list[Relation]:
        """The relations that say something of classes."""
        return [relation for relation in self.subgraph.relations if class_relation(relation) == kind]

    def _rows(self, relations: Iterable[Relation]) -> NDArray[np.int64]:
        tables, numbers = self.subgraph.tables, self.subgraph.relation_number
        rows = [np.flatnonzero(tables.relation == numbers[relation.id]) for relation in relations]
        return np.concatenate([*rows, np.empty(0, dtype=np.int64)]).astype(np.int64)

    @cached_property
    def _class_of(self) -> Ints:
        """The number of a class of each node; -1 where none is stated."""
        tables = self.subgraph.tables
        rows = self._rows(self.saying("instance"))[::-1]  # of several the first in the order of statements stays
        class_of = np.full(tables.n_nodes, -1, dtype=np.int32)
        class_of[tables.subject[rows]] = tables.object[rows]
        return class_of

    @cached_property
    def classes(self) -> tuple[ClassSeen, ...]:
        """The classes that things are of, the largest first."""
        tables = self.subgraph.tables
        rows = self._rows(self.saying("instance"))
        numbers, first, counts = np.unique(tables.object[rows], return_index=True, return_counts=True)
        order = np.argsort(-counts, kind="stable")
        kinds = self.subgraph.nodes(numbers[order])
        examples = self.subgraph.nodes(tables.subject[rows[first[order]]])
        above = self._above()
        seen = []
        for kind, example, count in zip(kinds, examples, counts[order].tolist(), strict=True):
            if isinstance(kind, Entity) and isinstance(example, Entity):
                seen.append(ClassSeen(kind, count if self.whole else None, example, above.get(kind.id, ())))
        if self.class_counts is None:
            return tuple(seen)
        example_of = {class_seen.entity.id: class_seen.example for class_seen in seen}
        counted = sorted(self.class_counts.items(), key=lambda item: -item[1])
        counted_classes = [ClassSeen(kind, count, example_of.get(kind.id)) for kind, count in counted]
        return (*counted_classes, *(class_seen for class_seen in seen if class_seen.entity not in self.class_counts))

    def _above(self) -> dict[str, tuple[Entity, ...]]:
        above: dict[str, list[Entity]] = {}
        for statement in self.subgraph.statements(self._rows(self.saying("subclass"))[:_SAMPLE]):
            if isinstance(statement.object, Entity):
                above.setdefault(statement.subject.id, []).append(statement.object)
        return {kind: tuple(parents[:_FEW]) for kind, parents in above.items()}

    def classes_of(self, node: Node) -> tuple[Entity, ...]:
        """A class of an entity, where one is stated."""
        number = self.subgraph.index(node.id) if isinstance(node, Entity) else None
        class_number = self._class_of[number] if number is not None else -1
        kind = self.subgraph.node(int(class_number)) if class_number >= 0 else None
        return (kind,) if isinstance(kind, Entity) else ()

    def relation(self, relation: Relation) -> RelationSeen:
        """All that is shown of a relation but its description."""
        tables = self.subgraph.tables
        rows = np.flatnonzero(tables.relation == self.subgraph.relation_number[relation.id])
        count = len(rows) if self.whole else None if self.counts is None else self.counts.get(relation.id)
        rows = rows[:_SAMPLE]
        subjects, objects = tables.subject[rows], tables.object[rows]
        literal = objects >= tables.n_entities
        ends = np.unique(objects)
        values = self.subgraph.nodes(ends[ends >= tables.n_entities][:_SAMPLE])
        kinds = Counter(value.kind for value in values if isinstance(value, Literal))
        texts = [value.value for value in values if isinstance(value, Literal) and value.kind == "string"]
        numbers = all(map(_NUMBER.fullmatch, texts))
        value_kinds = [_NUMBERS if kind == "string" and numbers else kind for kind, _ in kinds.most_common()]
        units = Counter(value.unit for value in values if isinstance(value, Literal) and value.unit)
        few = tuple(self.subgraph.nodes(ends)) if self.whole and len(ends) <= _FEW < len(rows) else ()
        middle = len(subjects) // 2  # of examples the first ones are often odd
        return RelationSeen(
            relation,
            count,
            self._common(subjects),
            self._common(objects[~literal]),
            tuple(value_kinds),
            tuple(unit for unit, _ in units.most_common(_FEW)),
            few,
            self.statement((int(subjects[middle]), int(objects[middle]))) if len(subjects) else None,
            bool(len(np.unique(subjects)) < len(rows)),
            self._qualifiers(rows),
        )

    def _common(self, nodes: Ints) -> tuple[Entity, ...]:
        kinds, counts = np.unique(self._class_of[nodes], return_counts=True)
        by_count = kinds[np.argsort(-counts, kind="stable")]
        classes = self.subgraph.nodes(by_count[by_count >= 0][:_SHOWN_ENDS])
        return tuple(kind for kind in classes if isinstance(kind, Entity))

    def _qualifiers(self, rows: NDArray[np.int64]) -> tuple[Relation, ...]:
        tables = self.subgraph.tables
        if not len(tables.qualifier_relation):
            return ()
        starts, ends = tables.qualifier_start[rows], tables.qualifier_start[rows + 1]
        qualified = rows[ends > starts]
        counts: Counter[int] = Counter()
        for row in qualified[:_QUALIFIED_ROWS].tolist():
            places = slice(tables.qualifier_start[row], tables.qualifier_start[row + 1])
            counts.update(tables.qualifier_relation[places].tolist())
        return tuple(self.subgraph.relations[number] for number, _ in counts.most_common(_QUALIFIED))

    def leading_to(self, number: int) -> Sequence[Relation]:
        """The relations that lead to a node, by its number, the most frequent first."""
        edges = self.subgraph.incoming
        relations = edges.relation[edges.edges(number)].tolist()
        return [self.subgraph.relations[relation] for relation, _ in Counter(relations).most_common(_LEADING)]

    def near(self, entities: Iterable[str]) -> dict[str, tuple[tuple[int, int], ...]]:
        """The relations of some entities in either direction, and of the nodes beside them that have no name.

        What has no name is walked through: a team that a player is in by a node for the contract is near the player.

        Returns:
            Of each relation's id a statement that leads from such a node and one that leads to it, as far as there
            are any: the numbers of subject and object.
        """
        edges: dict[int, dict[bool, tuple[int, int]]] = {}
        first = [number for number in map(self.subgraph.index, entities) if number is not None]
        ends = (neighbour for number in first for neighbour in self._edges(number, edges))
        beside = dict.fromkeys(neighbour for neighbour in ends if self.subgraph.machine[neighbour])
        for number in list(beside)[:_WALKED]:
            self._edges(number, edges)
        return {
            self.subgraph.relations[relation].id: tuple(dict.fromkeys(such.values()))
            for relation, such in edges.items()
        }

    def _edges(self, number: int, first_edges: dict[int, dict[bool, tuple[int, int]]]) -> list[int]:
        """The neighbours of a node; the first statement of each relation and direction is noted."""
        beside: list[int] = []
        for outgoing in (True, False):
            edges = self.subgraph.outgoing if outgoing else self.subgraph.incoming
            place = edges.edges(number)
            neighbours = edges.neighbour[place].tolist()
            for relation, neighbour in zip(edges.relation[place].tolist(), neighbours, strict=True):
                first_edges.setdefault(relation, {}).setdefault(
                    outgoing, (number, neighbour) if outgoing else (neighbour, number)
                )
            beside += neighbours
        return beside

    def statement(self, ends: tuple[int, int]) -> tuple[Entity, Node] | None:
        """The subject and the object of these numbers."""
        subject, value = self.subgraph.nodes(ends)
        return (subject, value) if isinstance(subject, Entity) else None
