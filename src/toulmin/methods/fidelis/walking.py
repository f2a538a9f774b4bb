"""Relation paths as programs: a chain of ``follow``; where a search starts, and the candidate paths from there.

What they lead to is a node of the program, of which a model may choose some. A start is a linked entity; what it costs
to doubt the linker's first choice is counted. Candidate paths are numbers of the sub-graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from toulmin.graph.csr import Ints
from toulmin.graph.subgraph import Hop as Slots
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Direction, Entity, Node, Relation, node_key
from toulmin.methods.protocol import Linked, LinkedEntity, WalkedPath
from toulmin.program.builder import Builder
from toulmin.program.nodes import EntityNode, Window
from toulmin.retrieval.linking import Candidate, Mention

__all__ = ["DirectedRelation", "Ends", "Start", "Trail", "chosen_nodes", "edges_of", "end_set", "walk", "walked_path"]


@dataclass(frozen=True, slots=True)
class DirectedRelation:
    """A relation walked forward (subject to object) or backward."""

    relation: Relation
    direction: Direction

    def returns(self, before: DirectedRelation) -> bool:
        """Whether it walks back over the relation of the hop before it."""
        return self.relation.id == before.relation.id and self.direction != before.direction


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

    @classmethod
    def of(cls, builder: Builder, start: int, patterns: Iterable[tuple[DirectedRelation, ...]]) -> Ends:
        """The named nodes at the end of any of these paths from a node of the program; the start itself only if alone.

        Args:
            patterns: one or more.
        """
        led = builder.union(*(walk(builder, start, pattern) for pattern in patterns))
        return cls(*end_set(builder, led, start))


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


# Set by hand: what it costs to start from the least likely mention, from a name nothing like the words, from each
# candidate that the linker prefers another to.
_UNLIKELY, _UNLIKE, _RANK = 0.6, 0.3, 0.1


@dataclass(frozen=True, slots=True)
class Start:
    """A linked entity to search from.

    Args:
        doubt: what it costs to start here: 0 for the linker's first choice.
    """

    mention: Mention
    candidate: Candidate
    doubt: float

    @property
    def entity(self) -> Entity:
        """The entity of the candidate."""
        return self.candidate.entity

    def place(self, builder: Builder) -> int:
        """The node of a program that it is: an entity with the words it was read from."""
        mention, candidate = self.mention, self.candidate
        return builder.entity(candidate.entity, (mention.start, mention.end), candidate.form)

    @classmethod
    def likely(cls, mentions: Sequence[Mention], most: int) -> list[Start]:
        """The likeliest entities to search from, at most so many.

        Mentions that are surely names come first, and of each the candidates that the linker prefers.
        """
        best = max((mention.weight for mention in mentions), default=1.0) or 1.0
        starts: list[Start] = []
        for mention in mentions:
            for rank, candidate in enumerate(mention.candidates):
                worse = max(0.0, mention.candidates[0].score - candidate.score)
                preference = _RANK * rank + worse + _UNLIKE * (1 - candidate.score)
                starts.append(cls(mention, candidate, _UNLIKELY * (1 - mention.weight / best) + preference))
        return sorted(starts, key=lambda start: start.doubt)[:most]

    @staticmethod
    def linked(starts: Iterable[Start]) -> Linked:
        """What the trace says of starts."""
        return Linked(entities=tuple(LinkedEntity.of(start.mention, start.candidate) for start in starts))


@dataclass(frozen=True, slots=True)
class Trail:
    """A path from a start: its relations, and where they lead.

    Args:
        origin: the node number of the start.
        hops: the slots of each hop (``graph.subgraph``); the second is -1 but for a hop through a machine-id node.
        frontier: its ends as far as they are known, those of the best steps first; the first of them are extended.
        nodes: of unit "entity" the node after each hop; else empty.
        total: the sum of its hops' scores without look-ahead.
        score: what it is ranked by (``GuidedSettings.ranking``).
        passed: how much was stated of the nodes between its hops, in doublings.
    """

    start: Start
    origin: int
    hops: tuple[Slots, ...]
    frontier: Ints = field(compare=False)
    nodes: tuple[int, ...] = ()
    total: float = field(default=0.0, compare=False)
    score: float = field(default=0.0, compare=False)
    passed: float = field(default=0.0, compare=False)

    @classmethod
    def roots(cls, subgraph: Subgraph, starts: Iterable[Start]) -> list[Trail]:
        """The trails of no hop, from those starts that the sub-graph holds."""
        numbered = [(start, subgraph.index(start.entity.id)) for start in starts]
        return [cls(start, at, (), np.array([at], dtype=np.int32)) for start, at in numbered if at is not None]

    def pattern(self, subgraph: Subgraph) -> tuple[DirectedRelation, ...]:
        """Its relations with their directions, machine-id nodes in between included."""
        ways: tuple[Direction, Direction] = ("forward", "backward")
        return tuple(DirectedRelation(subgraph.relations[slot >> 1], ways[slot & 1]) for slot in self.slots)

    @property
    def slots(self) -> tuple[int, ...]:
        """The slot of each edge: twice the number of its relation, and 1 more where it is walked backward."""
        return edges_of(self.hops)

    def reached(self, subgraph: Subgraph, hops: int | None = None) -> Ints:
        """The distinct nodes that its hops, or the first so many, lead to; machine ids among them."""
        nodes = np.array([self.origin], dtype=np.int32)
        for slot in edges_of(self.hops[:hops]):
            nodes = subgraph.follow(nodes[nodes < subgraph.n_entities], slot >> 1, backward=bool(slot & 1))
        return nodes

    def ends(self, subgraph: Subgraph, hops: int | None = None) -> Ints:
        """All nodes that its hops, or the first so many, lead to, but machine ids; the start only where it is alone."""
        nodes = self.reached(subgraph, hops)
        nodes = nodes[~subgraph.machine[nodes]]
        others = nodes[nodes != self.origin]
        return others if len(others) else nodes

    def extends(self, shorter: Trail) -> bool:
        """Whether it is the other one, or goes on from it."""
        return self.start == shorter.start and self.hops[: len(shorter.hops)] == shorter.hops


def edges_of(hops: Iterable[Slots]) -> tuple[int, ...]:
    """The slot of each edge of hops."""
    return tuple(slot for hop in hops for slot in hop if slot >= 0)
