"""The relations that say what is of which class."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from toulmin.graph.classes import ClassRelation, class_relation
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, Node

__all__ = ["MembershipRelations", "class_relations"]

_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_HIGHEST = 12  # steps up a hierarchy of classes


@dataclass(frozen=True, slots=True)
class MembershipRelations:
    """The ids of the relations that speak of classes.

    Args:
        closed: what is not said to be of a class is not.
    """

    instance: tuple[str, ...]
    subclass: tuple[str, ...]
    disjoint: tuple[str, ...]
    closed: bool = False


def class_relations(starts: Iterable[Node], graph: Graph, *, closed: bool) -> MembershipRelations:
    """The relations that speak of classes in what is said of some entities and of all classes above them."""
    found: dict[ClassRelation, dict[str, None]] = {"instance": {}, "subclass": {}, "disjoint": {}}
    level, seen = [one.id for one in starts if isinstance(one, Entity)], set[str]()
    for _ in range(_HIGHEST):
        level = [one for one in dict.fromkeys(level) if one not in seen]
        if not level:
            break
        seen.update(level)
        said = [s for some in graph.statements(level, side="outgoing") for s in some]
        level = []
        for one in said:
            kind = class_relation(one.relation)
            if kind is not None:
                found[kind][one.relation.id] = None
                level += [one.object.id] if kind != "disjoint" and isinstance(one.object, Entity) else []
    return MembershipRelations(
        tuple(found["instance"]) or (_TYPE,), tuple(found["subclass"]), tuple(found["disjoint"]), closed
    )
