"""What the terms of an axiom are in a graph, and what is taken for granted of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from toulmin.graph.classes import ClassRelation, class_relation
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Direction, Entity, Node
from toulmin.graph.xsd import RDF

__all__ = ["Assumptions", "Extent", "Link", "Meanings", "MembershipRelations", "UnnamedWords"]

_HIGHEST = 12  # steps up a hierarchy of classes


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What the caller takes for granted of what the graph does not say.

    Args:
        closed_world: what it does not say is not so.
        complete: ids of relations of which it says all there is.
        stated: of the properties that the axiom says so of, where it says any, it says all.
    """

    closed_world: bool = False
    complete: frozenset[str] = frozenset()
    stated: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """Words of the question that stand for an entity: ``question[start:end]``, matched with its name ``form``."""

    entity: Entity
    start: int
    end: int
    form: str


@dataclass(frozen=True, slots=True)
class UnnamedWords:
    """Words that no entity of the graph bears; ``complete``: and so it is none of these.

    Without that it may be one of them under another name.
    """

    text: str
    complete: bool = False


@dataclass(frozen=True, slots=True)
class Extent:
    """Some relations, walked in one direction, whose statements give the values of a property.

    Args:
        ends: only statements that lead to one of these are meant; None: all are.
        qualified: of these the statements with this qualifier alone.
        complete: there are no others, by what the caller assumes.
    """

    relations: tuple[str, ...]
    direction: Direction
    ends: tuple[Node, ...] | None = None
    qualified: tuple[str, Node] | None = None
    complete: bool = False


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

    @classmethod
    def of(cls, starts: Iterable[Node], graph: Graph, *, closed: bool) -> MembershipRelations:
        """The relations that speak of classes in what is said of some entities and of all classes above them."""
        by_kind: dict[ClassRelation, dict[str, None]] = {"instance": {}, "subclass": {}, "disjoint": {}}
        level, seen = [node.id for node in starts if isinstance(node, Entity)], set[str]()
        for _ in range(_HIGHEST):
            level = [entity_id for entity_id in dict.fromkeys(level) if entity_id not in seen]
            if not level:
                break
            seen.update(level)
            rows = [row for statements in graph.statements(level, side="outgoing") for row in statements]
            level = []
            for row in rows:
                kind = class_relation(row.relation)
                if kind is not None:
                    by_kind[kind][row.relation.id] = None
                    level += [row.object.id] if kind != "disjoint" and isinstance(row.object, Entity) else []
        return cls(
            tuple(by_kind["instance"]) or (RDF + "type",),
            tuple(by_kind["subclass"]),
            tuple(by_kind["disjoint"]),
            closed,
        )


@dataclass(slots=True)
class Meanings:
    """What the terms of a program are.

    Attributes:
        named: of entities and options the node, or the words that no entity bears.
        extents: of each property.
        qualifiers: of each qualifier term the ids of its relations, and whether there is none where none is given.
        classes: of each clause of membership the relations that decide it.
    """

    named: dict[str, int | UnnamedWords] = field(default_factory=dict)
    extents: dict[str, tuple[Extent, ...]] = field(default_factory=dict)
    qualifiers: dict[str, tuple[str, bool]] = field(default_factory=dict)
    classes: dict[str, MembershipRelations] = field(default_factory=dict)
