"""Membership in classes: an instance of a class is one of every wider class; an instance of an instance is not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal as Choice

from toulmin.graph.labels import normalise, readable_relation
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, Node, Relation, Statement

__all__ = ["above", "apart", "class_relation", "deciding", "way"]

ClassRelation = Choice["instance", "subclass", "disjoint"]

#: What relations say of classes, by label or id.
_RELATIONS: dict[str, ClassRelation] = {
    "instance of": "instance",
    "type": "instance",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#type": "instance",
    "subclass of": "subclass",
    "sub class of": "subclass",
    "subclassof": "subclass",
    "http://www.w3.org/2000/01/rdf-schema#subClassOf": "subclass",
    "disjoint with": "disjoint",
    "disjoint from": "disjoint",
    "http://www.w3.org/2002/07/owl#disjointWith": "disjoint",
}
_HIGHEST = 12  # steps up a hierarchy of classes


def class_relation(relation: Relation) -> ClassRelation | None:
    """What a relation says of classes; None: nothing."""
    return _RELATIONS.get(relation.id) or _RELATIONS.get(normalise(relation.label or readable_relation(relation.id)))


def above(starts: Iterable[Node], graph: Graph) -> list[Statement]:
    """All statements about classes from some entities upwards, and of disjointness; at most 12 levels."""
    found: dict[str, Statement] = {}
    level, seen = [one.id for one in starts if isinstance(one, Entity)], set[str]()
    for _ in range(_HIGHEST):
        level = [one for one in dict.fromkeys(level) if one not in seen]
        if not level:
            break
        seen.update(level)
        new = [s for some in graph.statements(level, side="outgoing") for s in some if class_relation(s.relation)]
        found.update({statement.id: statement for statement in new})
        wider = [s for s in new if class_relation(s.relation) != "disjoint"]
        level = [s.object.id for s in wider if isinstance(s.object, Entity)]
    return list(found.values())


def _ways(start: Entity, statements: Sequence[Statement]) -> dict[str, list[Statement]]:
    """A shortest way to each class of an entity, itself included: by one "instance of" at most, and that first."""
    statements = sorted(statements, key=lambda one: one.id)  # of several ways the same, whatever else is known
    ways: dict[str, list[Statement]] = {start.id: []}
    queue = [start.id]
    for at in queue:
        for one in statements:
            said = class_relation(one.relation)
            up = said == "subclass" or (said == "instance" and at == start.id)
            if one.subject.id == at and up and isinstance(one.object, Entity) and one.object.id not in ways:
                ways[one.object.id] = [*ways[at], one]
                queue.append(one.object.id)
    return ways


def way(one: Entity, cls: Entity, statements: Sequence[Statement]) -> list[Statement] | None:
    """The statements that show that an entity is of a class, or is that class; None where none do."""
    return _ways(one, statements).get(cls.id)


def apart(one: Entity, cls: Entity, statements: Sequence[Statement]) -> list[Statement] | None:
    """The statements that show that an entity is not of a class, by classes declared disjoint; None where none do."""
    classes = [said for said in statements if class_relation(said.relation) != "instance"]
    mine, theirs = _ways(one, statements), _ways(cls, classes)
    for said in sorted(statements, key=lambda one: one.id):
        if class_relation(said.relation) == "disjoint" and isinstance(said.object, Entity):
            for first, second in ((said.subject.id, said.object.id), (said.object.id, said.subject.id)):
                if first in mine and second in theirs:
                    return [*mine[first], said, *theirs[second]]
    return None


def deciding(ones: Iterable[Node], classes: Iterable[Node], statements: Sequence[Statement]) -> list[Statement]:
    """Of some statements those that show which of some entities are, or are not, of which classes; else all of them.

    Of these alone the same are taken again.
    """
    bounds = [one for one in classes if isinstance(one, Entity)]
    pairs = [(one, cls) for one in ones if isinstance(one, Entity) for cls in bounds]
    shown = [way(*pair, statements) or apart(*pair, statements) or [] for pair in pairs]
    return list({one.id: one for some in shown for one in some}.values()) or list(statements)
