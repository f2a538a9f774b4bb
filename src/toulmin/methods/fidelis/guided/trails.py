"""Candidate paths from the linked entities, as numbers of the sub-graph, and how they grow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from toulmin.graph.csr import Ints
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import DESCRIPTION
from toulmin.methods.fidelis.guided.settings import GuidedSettings
from toulmin.methods.fidelis.starts import Start
from toulmin.methods.fidelis.walking import Hop
from toulmin.retrieval.ranking import Scores, best
from toulmin.retrieval.relation_paths import Hop as Slots
from toulmin.retrieval.steps import Steps, find_steps

__all__ = ["Grower", "Scoring", "Trail", "distinct", "ends_of", "fair", "roots", "sampled", "turns_back"]

_FOLLOWED = 32  # nodes of a trail from which it is extended
_BEAM = 32  # trails that are extended within one round, and continuations of one of them
_SURE = 5  # of the best trails, how many are listed even where they are roundabout
_HOP = 0.1  # what each hop after the first takes off a score: a mean does not grow with length, but luck does


@dataclass(frozen=True, slots=True)
class Trail:
    """A path from a start: its relations, and where they lead.

    Args:
        origin: the node number of the start.
        hops: the slots of each hop (``retrieval.steps``); the second is -1 but for a hop through a machine-id node.
        frontier: its ends as far as they are known, those of the best steps first; the first of them are extended.
        nodes: of unit "entity" the node after each hop; else empty.
        total: the sum of its hops' scores without look-ahead.
        score: what it is ranked by (``GuidedSettings.ranking``).
    """

    start: Start
    origin: int
    hops: tuple[Slots, ...]
    frontier: Ints = field(compare=False)
    nodes: tuple[int, ...] = ()
    total: float = field(default=0.0, compare=False)
    score: float = field(default=0.0, compare=False)

    def pattern(self, subgraph: Subgraph) -> tuple[Hop, ...]:
        """Its relations with their directions, machine-id nodes in between included."""
        return tuple(
            Hop(subgraph.relations[slot >> 1], "backward" if slot & 1 else "forward")
            for hop in self.hops
            for slot in hop
            if slot >= 0
        )

    def extends(self, other: Trail) -> bool:
        """Whether it is the other one, or goes on from it."""
        return self.start == other.start and self.hops[: len(other.hops)] == other.hops


class Scoring(Protocol):
    """What one question says of steps: ``PathRagQuery``, ``VanillaQuery`` or ``Unscored``."""

    def step_scores(self, nodes: NDArray[np.integer], steps: Steps) -> tuple[Scores, Scores]:
        """Scores of steps from ``nodes``: where the path goes on, and where it ends."""


class Grower:
    """Extends trails by one hop or several.

    Args:
        scoring: of the question's steps.
        settings: what a candidate is, what it is ranked by, and whether every step is one ("explore").
        doubt: what the doubt of a start takes off a score of ranking "paths".
    """

    def __init__(self, subgraph: Subgraph, scoring: Scoring, settings: GuidedSettings, *, doubt: float = 0.3) -> None:
        self._subgraph, self._scoring, self._doubt = subgraph, scoring, doubt
        self._single = settings.unit == "entity" and settings.search
        self._by_step = settings.ranking == "steps"
        every = settings.candidates == "explore"
        self._followed = None if every else _FOLLOWED
        self._most = None if every else settings.shown if self._by_step else _BEAM
        self._walked = np.array([relation.id != DESCRIPTION for relation in subgraph.relations], dtype=bool)

    def grown(self, trails: Sequence[Trail], hops: int) -> list[Trail]:
        """Every trail that is longer by 1 to ``hops`` hops, best first."""
        found: list[Trail] = []
        for _ in range(hops):
            longer = [new for trail in trails for new in self._longer(trail)]
            found.extend(longer)
            trails = sorted(longer, key=lambda trail: -trail.score)[:_BEAM]
        return sorted(found, key=lambda trail: -trail.score)

    def _longer(self, trail: Trail) -> list[Trail]:
        subgraph, start = self._subgraph, trail.start
        nodes = _first_distinct(trail.frontier, self._followed)
        nodes = nodes[nodes < subgraph.n_entities]
        steps = find_steps(subgraph, nodes)
        steps = steps.take((steps.neighbour != trail.origin) & self._walked[steps.slot >> 1])
        if trail.nodes:
            steps = steps.take(~np.isin(steps.neighbour, np.array(trail.nodes)))
        if not len(steps):
            return []
        walked, ended = self._scoring.step_scores(nodes, steps)
        single = self._single
        key = steps.neighbour if single else np.zeros(len(steps), dtype=np.int32)
        order = np.lexsort((-ended, key, steps.beyond, steps.slot))
        steps, walked, ended, key = steps.take(order), walked[order], ended[order], key[order]
        new = (np.diff(steps.slot) != 0) | (np.diff(steps.beyond) != 0) | (np.diff(key) != 0)
        firsts = np.flatnonzero(np.concatenate([[True], new]))
        counts = np.diff(firsts, append=len(steps))
        walked_means = (np.add.reduceat(walked, firsts) / counts).astype(np.float32)
        ended_means = (np.add.reduceat(ended, firsts) / counts).astype(np.float32)
        length = len(trail.hops) + 1
        grown: list[Trail] = []
        for at in best(ended_means, len(ended_means) if self._most is None else self._most)[0].tolist():
            first, count = int(firsts[at]), int(counts[at])
            hop = (int(steps.slot[first]), int(steps.beyond[first]))
            score = float(ended_means[at])
            if not self._by_step:
                score = (trail.total + score) / length - _HOP * (length - 1) - self._doubt * start.doubt
            grown.append(
                Trail(
                    start,
                    trail.origin,
                    (*trail.hops, hop),
                    steps.neighbour[first : first + count],
                    (*trail.nodes, int(steps.neighbour[first])) if single else (),
                    trail.total + float(walked_means[at]),
                    score,
                )
            )
        return grown


def _first_distinct(nodes: Ints, limit: int | None) -> Ints:
    _, places = np.unique(nodes, return_index=True)
    return nodes[np.sort(places)[:limit]]


def roots(subgraph: Subgraph, starts: Iterable[Start]) -> list[Trail]:
    """The trails of no hop, from those starts that the sub-graph holds."""
    numbered = [(start, subgraph.index(start.entity.id)) for start in starts]
    return [Trail(start, at, (), np.array([at], dtype=np.int32)) for start, at in numbered if at is not None]


def sampled(subgraph: Subgraph, trail: Trail) -> Trail:
    """A trail with nodes to go on from, where it has none yet."""
    if len(trail.frontier):
        return trail
    return replace(trail, frontier=ends_of(subgraph, trail))


def ends_of(subgraph: Subgraph, trail: Trail) -> Ints:
    """All nodes that the trail's relations lead to, but machine ids, and the start where there are others."""
    nodes = np.array([trail.origin], dtype=np.int32)
    for hop in trail.hops:
        for slot in hop:
            if slot >= 0:
                nodes = subgraph.follow(nodes[nodes < subgraph.n_entities], slot >> 1, backward=bool(slot & 1))
    nodes = nodes[~subgraph.machine[nodes]]
    others = nodes[nodes != trail.origin]
    return others if len(others) else nodes


def distinct(subgraph: Subgraph, trails: Iterable[Trail], limit: int) -> list[Trail]:
    """The first ``limit`` trails that lead somewhere, without those that say the same as an earlier one backwards.

    Some graphs store relations and their inverses ("founders", "organizations founded"): a model need not see both.
    They are told by leading to the same nodes in opposite directions. A trail that takes more hops to the nodes of an
    earlier one, or that turns back over a relation, may still say something else ("born in the same city"): but for
    the best few it comes after all others, where there is room. Of unit "entity" each trail counts.
    """
    kept: dict[Trail, None] = {}
    after: dict[Trail, None] = {}
    said: dict[tuple[int, bytes], list[Trail]] = {}
    for trail in trails:
        roundabout = False
        if not trail.nodes:
            ends = ends_of(subgraph, trail)
            same = said.setdefault((trail.origin, ends.tobytes()), [])
            if not len(ends) or any(_inverse(trail, other) for other in same):
                continue
            roundabout = turns_back(trail) or any(len(other.hops) < len(trail.hops) for other in same)
            same.append(trail)
        if roundabout and len(kept) >= _SURE:
            after.setdefault(trail)
            continue
        kept.setdefault(trail)
        if len(kept) == limit:
            break
    return [*kept, *after][:limit]


def turns_back(trail: Trail) -> bool:
    """Whether a hop goes back over the relations of the hop before it."""
    return any(_reversed(one) == _walked(other) for one, other in pairwise(trail.hops))


def _walked(hop: Slots) -> tuple[int, ...]:
    return tuple(slot for slot in hop if slot >= 0)


def _reversed(hop: Slots) -> tuple[int, ...]:
    return tuple(slot ^ 1 for slot in reversed(_walked(hop)))


def fair(subgraph: Subgraph, trails: Sequence[Trail], limit: int) -> list[Trail]:
    """``distinct``, with a share for each mention: what compares two things needs paths from both.

    The mentions that paths start from have half of the places in equal shares; the best trails of any have the others.
    """
    mentions = dict.fromkeys(trail.start.mention.start for trail in trails)
    if len(mentions) < 2:
        return distinct(subgraph, trails, limit)
    share = max(1, limit // (2 * len(mentions)))
    kept: dict[int, Trail] = {}
    for mention in mentions:
        own = [trail for trail in trails if trail.start.mention.start == mention]
        kept.update((id(trail), trail) for trail in distinct(subgraph, own, share))
    for trail in distinct(subgraph, trails, limit):
        if len(kept) < limit:
            kept[id(trail)] = trail
    return [trail for trail in trails if id(trail) in kept][:limit]


def _inverse(one: Trail, other: Trail) -> bool:
    """Whether each hop of a trail is the other's, or walked in the opposite direction."""
    slots, others = ([slot for hop in trail.hops for slot in hop if slot >= 0] for trail in (one, other))
    if len(one.hops) != len(other.hops) or len(slots) != len(others):
        return False
    return all(a == b or (a ^ b) & 1 for a, b in zip(slots, others, strict=True))
