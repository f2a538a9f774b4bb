"""Relation paths as programs: a chain of ``follow``, with a second entity that constrains it on the way."""

from __future__ import annotations

from dataclasses import dataclass

from toulmin.graph.types import Direction, Entity, Node, Relation
from toulmin.program.builder import Builder
from toulmin.program.nodes import EntityNode, Window

__all__ = ["Hop", "Meeting", "Walk", "end_set", "is_start", "walk"]


@dataclass(frozen=True, slots=True)
class Hop:
    """A relation walked forward (subject to object) or backward."""

    relation: Relation
    direction: Direction

    @property
    def back(self) -> Direction:
        """The other direction."""
        return "backward" if self.direction == "forward" else "forward"

    def returns(self, before: Hop) -> bool:
        """Whether it walks the relation of the hop before it back."""
        return self.relation.id == before.relation.id and self.direction != before.direction


@dataclass(frozen=True, slots=True)
class Meeting:
    """Only nodes count, after ``position`` hops, from which ``hop`` leads to an entity.

    Args:
        entity: its place in the program.
    """

    position: int
    hop: Hop
    entity: int


@dataclass(frozen=True, slots=True)
class Walk:
    """All nodes at the end of any path of a pattern that does not go straight back to the node it came from.

    Args:
        start: the place of the entity that it starts from.
    """

    start: int
    hops: tuple[Hop, ...]
    meeting: Meeting | None = None
    window: Window | None = None


def walk(builder: Builder, path: Walk) -> int:
    """The place of what a path leads to, nodes without a name and the start itself among it."""
    meeting, reached = path.meeting, [path.start]  # before a constraint
    at = path.start
    for position, hop in enumerate(path.hops, 1):
        window = path.window if position == len(path.hops) else None
        back = position > 1 and hop.returns(path.hops[position - 2])
        if back and meeting is not None and meeting.position == position - 1:
            at = _from_elsewhere(builder, at, reached[-2], hop, window)
        else:
            at = builder.follow(at, hop.relation, hop.direction, window=window, not_back=back)
        reached.append(at)
        if meeting is not None and meeting.position == position:
            at = builder.intersection(at, builder.follow(meeting.entity, meeting.hop.relation, meeting.hop.back))
    return at


def _from_elsewhere(builder: Builder, at: int, before: int, hop: Hop, window: Window | None) -> int:
    """A hop straight back from a constrained set: to what is not the only node that its nodes are entered from."""
    ends = builder.follow(at, hop.relation, hop.direction, window=window)
    if builder.program[before].op == "entity":
        return builder.difference(ends, before)

    def entered(end: int) -> int:
        through = builder.intersection(builder.follow(end, hop.relation, hop.back, window=window), at)
        return builder.some(
            through,
            lambda node: builder.exists(
                builder.difference(builder.intersection(builder.follow(node, hop.relation, hop.direction), before), end)
            ),
        )

    return builder.where(ends, entered)


def end_set(builder: Builder, at: int, start: int) -> tuple[int, tuple[Node, ...]]:
    """Of what a path leads to that which may be an answer, and its nodes.

    Nodes without a name are none; nor is the entity that the path starts from, where it leads to anything else.
    """
    named = builder.named(at)
    nodes = builder.nodes(named)
    place = named if len(nodes) < len(builder.nodes(at)) else at  # the sentence says no more than it must
    others = tuple(node for node in nodes if not is_start(builder, node, start))
    if not others or len(others) == len(nodes):
        return place, nodes
    return builder.difference(place, start), others


def is_start(builder: Builder, node: Node, start: int) -> bool:
    """Whether a node is the entity at a place of the program; labels play no part."""
    begin = builder.program[start]
    return isinstance(node, Entity) and isinstance(begin, EntityNode) and node.id == begin.id
