"""Where a search starts, what it costs to doubt the linker's first choice, and the candidate paths from there.

Paths are numbers of the sub-graph; a start is a linked entity.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from toulmin.graph.csr import Ints
from toulmin.graph.subgraph import Hop as Slots
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Entity
from toulmin.methods.fidelis.walking import DirectedRelation, directed_relations, follow_slots
from toulmin.methods.protocol import Linked, LinkedEntity
from toulmin.program.builder import Builder
from toulmin.retrieval.linking import Candidate, Mention

__all__ = ["Start", "Trail", "edges_of", "likely_starts", "linked", "roots"]

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


def likely_starts(mentions: Sequence[Mention], most: int) -> list[Start]:
    """The likeliest entities to search from, at most so many.

    Mentions that are surely names come first, and of each the candidates that the linker prefers.
    """
    best = max((mention.weight for mention in mentions), default=1.0) or 1.0
    starts: list[Start] = []
    for mention in mentions:
        for rank, candidate in enumerate(mention.candidates):
            worse = max(0.0, mention.candidates[0].score - candidate.score)
            preference = _RANK * rank + worse + _UNLIKE * (1 - candidate.score)
            starts.append(Start(mention, candidate, _UNLIKELY * (1 - mention.weight / best) + preference))
    return sorted(starts, key=lambda start: start.doubt)[:most]


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

    def pattern(self, subgraph: Subgraph) -> tuple[DirectedRelation, ...]:
        """Its relations with their directions, machine-id nodes in between included."""
        return directed_relations(subgraph, self.slots)

    @property
    def slots(self) -> tuple[int, ...]:
        """The slot of each edge."""
        return edges_of(self.hops)

    def ends(self, subgraph: Subgraph, hops: int | None = None) -> Ints:
        """All nodes that its hops, or the first so many, lead to, but machine ids; the start only where it is alone."""
        nodes = follow_slots(subgraph, self.origin, edges_of(self.hops[:hops]))
        nodes = nodes[~subgraph.machine[nodes]]
        others = nodes[nodes != self.origin]
        return others if len(others) else nodes

    def extends(self, shorter: Trail) -> bool:
        """Whether it is the other one, or goes on from it."""
        return self.start == shorter.start and self.hops[: len(shorter.hops)] == shorter.hops


def roots(subgraph: Subgraph, starts: Iterable[Start]) -> list[Trail]:
    """The trails of no hop, from those starts that the sub-graph holds."""
    numbered = [(start, subgraph.index(start.entity.id)) for start in starts]
    return [Trail(start, at, (), np.array([at], dtype=np.int32)) for start, at in numbered if at is not None]


def edges_of(hops: Iterable[Slots]) -> tuple[int, ...]:
    """The slot of each edge of hops."""
    return tuple(slot for hop in hops for slot in hop if slot >= 0)
