"""Relation paths as programs: a chain of ``follow``, with a second entity that constrains it on the way.

What they lead to is a node of the program, of which a model may choose some.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from toulmin.graph.csr import Ints
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Direction, Entity, Node, Relation, node_key
from toulmin.methods.protocol import WalkedPath
from toulmin.program.builder import Builder
from toulmin.program.nodes import EntityNode, Window

__all__ = [
    "Constraint",
    "DirectedRelation",
    "Ends",
    "Walk",
    "chosen_nodes",
    "directed_relations",
    "end_set",
    "ends_of",
    "follow_slots",
    "walk",
    "walked_path",
]


@dataclass(frozen=True, slots=True)
class DirectedRelation:
    """A relation walked forward (subject to object) or backward."""

    relation: Relation
    direction: Direction

    @property
    def back(self) -> Direction:
        """The other direction."""
        return "backward" if self.direction == "forward" else "forward"

    def returns(self, before: DirectedRelation) -> bool:
        """Whether it walks back over the relation of the hop before it."""
        return self.relation.id == before.relation.id and self.direction != before.direction


@dataclass(frozen=True, slots=True)
class Constraint:
    """After ``position`` hops only those nodes count from which ``hop`` leads to an entity.

    Args:
        entity: its place in the program.
    """

    position: int
    hop: DirectedRelation
    entity: int


@dataclass(frozen=True, slots=True)
class Walk:
    """All nodes at the end of any path of a pattern that does not go straight back to the node it came from.

    Args:
        start: the place of the entity that it starts from.
    """

    start: int
    hops: tuple[DirectedRelation, ...]
    constraint: Constraint | None = None
    window: Window | None = None

    def returns(self, position: int) -> bool:
        """Whether the hop at a position (from 1) goes back over the hop before it."""
        return position > 1 and self.hops[position - 1].returns(self.hops[position - 2])


def directed_relations(subgraph: Subgraph, slots: Iterable[int]) -> tuple[DirectedRelation, ...]:
    """The relations of slots: twice the number of a relation, and 1 more where it is walked backward."""
    ways: tuple[Direction, Direction] = ("forward", "backward")
    return tuple(DirectedRelation(subgraph.relations[slot >> 1], ways[slot & 1]) for slot in slots)


def follow_slots(subgraph: Subgraph, start: int, slots: Iterable[int]) -> Ints:
    """The distinct nodes that slots lead to, one after another, from a node; machine ids among them."""
    nodes = np.array([start], dtype=np.int32)
    for slot in slots:
        nodes = subgraph.follow(nodes[nodes < subgraph.n_entities], slot >> 1, backward=bool(slot & 1))
    return nodes


def walked_path(subgraph: Subgraph, slots: Iterable[int], score: float) -> WalkedPath:
    """What an event shows of a path."""
    relations = directed_relations(subgraph, slots)
    return WalkedPath(relations=tuple((hop.relation, hop.direction) for hop in relations), score=score)


def walk(builder: Builder, path: Walk) -> int:
    """The place of what a path leads to, nodes without a name and the start itself among it."""
    constraint, levels = path.constraint, [path.start]
    for position, hop in enumerate(path.hops, 1):
        window = path.window if position == len(path.hops) else None
        at, back = levels[-1], path.returns(position)
        if back and builder.program[at].op != "follow":
            at = _from_elsewhere(builder, path, levels, window)
        else:
            at = builder.follow(at, hop.relation, hop.direction, window=window, not_back=back)
        if constraint is not None and constraint.position == position:
            at = builder.intersection(
                at, builder.follow(constraint.entity, constraint.hop.relation, constraint.hop.back)
            )
        levels.append(at)
    return levels[-1]


def _from_elsewhere(builder: Builder, path: Walk, levels: Sequence[int], window: Window | None) -> int:
    """A hop straight back over the relation of the hop before it, from a set that a constraint has cut.

    A node counts where something that leads to it can itself be entered from another node. (Of a mere ``follow`` the
    program says so by ``not_back``.)

    Args:
        levels: the start, and what each hop before this one leads to.
    """
    position, at = len(levels), levels[-1]
    hop = path.hops[position - 1]
    ends = builder.follow(at, hop.relation, hop.direction, window=window)
    if position == 2:  # everything is entered from the start
        return builder.difference(ends, path.start)

    def enters(position: int, node: int, excluded: int) -> int:
        """That a node which so many hops lead to can be entered from something other than ``excluded``."""
        hop = path.hops[position - 1]
        origins = builder.intersection(builder.follow(node, hop.relation, hop.back), levels[position - 1])
        entries = builder.difference(origins, excluded)
        if not path.returns(position):
            return builder.exists(entries)
        return builder.some(entries, lambda origin: enters(position - 1, origin, node))

    def reached(end: int) -> int:
        through = builder.intersection(builder.follow(end, hop.relation, hop.back, window=window), at)
        return builder.some(through, lambda node: enters(position - 1, node, end))

    return builder.where(ends, reached)


def end_set(builder: Builder, at: int, start: int) -> tuple[int, tuple[Node, ...]]:
    """The place of those ends of a path that may be an answer, and these nodes.

    Nodes without a name are none; nor is the entity that the path starts from, where it leads to anything else.
    """
    named = builder.named(at)
    nodes = builder.nodes(named)
    place = named if len(nodes) < len(builder.nodes(at)) else at  # the sentence says no more than it must
    begin = builder.program[start]
    begin_id = begin.id if isinstance(begin, EntityNode) else None
    answers = tuple(node for node in nodes if not (isinstance(node, Entity) and node.id == begin_id))
    if not answers or len(answers) == len(nodes):
        return place, nodes
    return builder.difference(place, start), answers


@dataclass(frozen=True, slots=True)
class Ends:
    """What relation paths lead to.

    Args:
        place: of the node that yields it.
        nodes: in canonical order; none: the paths lead nowhere.
    """

    place: int
    nodes: tuple[Node, ...]


def ends_of(builder: Builder, start: int, patterns: Iterable[tuple[DirectedRelation, ...]]) -> Ends:
    """The named nodes at the end of any of these paths from a node of the program; the start itself only if alone.

    Args:
        patterns: one or more.
    """
    led = builder.union(*(walk(builder, Walk(start, pattern)) for pattern in patterns))
    return Ends(*end_set(builder, led, start))


def chosen_nodes(builder: Builder, picks: Sequence[tuple[Ends, Sequence[Node]]], *, by: str) -> int:
    """Of several sets the nodes that a model chose, together.

    Args:
        picks: of each set the nodes that are kept; those that it does not hold are no part of it. One at least is.
        by: whose choice it is.
    """
    chosen: dict[int, dict[str, Node]] = {}
    sets: dict[int, Ends] = {}
    for ends, nodes in picks:
        keys = {node_key(node) for node in nodes}
        held = {node_key(node): node for node in ends.nodes if node_key(node) in keys}
        if held:
            sets[ends.place] = ends
            chosen.setdefault(ends.place, {}).update(held)
    if len(sets) == 1:
        ((place, ends),) = sets.items()
        if len(chosen[place]) == len(ends.nodes):
            return place
        return builder.among(place, [n for n in ends.nodes if node_key(n) in chosen[place]], by=by, score=1.0)
    return builder.union(*(_picked(builder, sets[place], chosen[place].values(), by) for place in sets))


def _picked(builder: Builder, ends: Ends, nodes: Iterable[Node], by: str) -> int:
    """Some nodes of a set, in a form from which more is computed, as it is not from ``among``."""
    keys = {node_key(node) for node in nodes}
    picked = [node for node in ends.nodes if node_key(node) in keys]
    if len(picked) == len(ends.nodes):
        return ends.place
    places = [builder.entity(node) if isinstance(node, Entity) else builder.literal(node) for node in picked]
    judged = builder.judged("these are asked for", by=by, score=1.0, decision="yes", seen=[ends.place])
    return builder.where(builder.intersection(ends.place, builder.union(*places)), lambda _: judged)
