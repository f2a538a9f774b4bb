"""Relation paths as programs: a chain of ``follow``.

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
    "DirectedRelation",
    "Ends",
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

    def returns(self, before: DirectedRelation) -> bool:
        """Whether it walks back over the relation of the hop before it."""
        return self.relation.id == before.relation.id and self.direction != before.direction


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


def walked_path(path: Iterable[DirectedRelation], score: float) -> WalkedPath:
    """What an event shows of a path."""
    return WalkedPath(relations=tuple((hop.relation, hop.direction) for hop in path), score=score)


def walk(builder: Builder, start: int, hops: Sequence[DirectedRelation], window: Window | None = None) -> int:
    """The place of all nodes at the end of any path of relations that does not go straight back to where it came from.

    Nodes without a name and the start itself are among them.

    Args:
        start: the place of the entity that it starts from.
        window: of time, of the last relation.
    """
    at = start
    for number, hop in enumerate(hops, 1):
        within = window if number == len(hops) else None
        back = number > 1 and hop.returns(hops[number - 2])
        at = builder.follow(at, hop.relation, hop.direction, window=within, not_back=back)
    return at


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
    led = builder.union(*(walk(builder, start, pattern) for pattern in patterns))
    return Ends(*end_set(builder, led, start))


def chosen_nodes(builder: Builder, picks: Sequence[tuple[Ends, Sequence[Node]]], *, by: str) -> int:
    """Of several sets the nodes that a model chose, together.

    Args:
        picks: of each set the nodes that are kept; those that it does not hold are no part of it. One at least is.
        by: whose choice it is.
    """
    chosen: dict[int, set[str]] = {}
    sets: dict[int, Ends] = {}
    for ends, nodes in picks:
        held = set(map(node_key, nodes)) & set(map(node_key, ends.nodes))
        if held:
            sets[ends.place] = ends
            chosen.setdefault(ends.place, set()).update(held)
    parts = []
    for place, ends in sets.items():
        kept = [node for node in ends.nodes if node_key(node) in chosen[place]]
        if len(kept) == len(ends.nodes):
            parts.append(place)
        elif len(sets) == 1:
            parts.append(builder.among(place, kept, by=by, score=1.0))
        else:
            parts.append(_picked(builder, place, kept, by))
    return builder.union(*parts)


def _picked(builder: Builder, place: int, nodes: Iterable[Node], by: str) -> int:
    """Some nodes of a set, in a form from which more is computed, as it is not from ``among``."""
    places = [builder.entity(node) if isinstance(node, Entity) else builder.literal(node) for node in nodes]
    judged = builder.judged("these are asked for", by=by, score=1.0, decision="yes", seen=[place])
    return builder.where(builder.intersection(place, builder.union(*places)), lambda _: judged)
