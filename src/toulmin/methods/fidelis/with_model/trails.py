"""Candidate paths from the linked entities, as numbers of the sub-graph, and how they grow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from toulmin.graph.csr import Ints
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import DESCRIPTION
from toulmin.methods.fidelis.starts import Start
from toulmin.methods.fidelis.walking import DirectedRelation, directed_relations, follow_slots
from toulmin.methods.fidelis.with_model.settings import GuidedSettings
from toulmin.retrieval.ranking import Scores, best
from toulmin.retrieval.relation_paths import Hop as Slots
from toulmin.retrieval.steps import Steps, find_steps

__all__ = ["Grower", "StepScorer", "Trail", "edges_of", "ends_of", "ends_over", "roots", "sampled"]

_FOLLOWED = 32  # nodes of a trail from which it is extended
_BEAM = 32  # trails that are extended within one round, and continuations of one of them
_HUB = 0.02  # what a node that a hop walks through takes off, for each doubling of its statements from 16 on
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

    def extends(self, other: Trail) -> bool:
        """Whether it is the other one, or goes on from it."""
        return self.start == other.start and self.hops[: len(other.hops)] == other.hops


class StepScorer(Protocol):
    """What one question says of steps: ``PathRagQuery``, ``VanillaQuery`` or ``Unscored``."""

    def step_scores(self, nodes: NDArray[np.integer], steps: Steps) -> tuple[Scores, Scores]:
        """Scores of steps from ``nodes``: where the path goes on, and where it ends."""


class Grower:
    """Extends trails by one hop or several.

    Args:
        scorer: of the question's steps.
        settings: what a candidate is, what it is ranked by, and whether every step is one ("explore").
        doubt: what the doubt of a start takes off a score of ranking "paths".
    """

    def __init__(self, subgraph: Subgraph, scorer: StepScorer, settings: GuidedSettings, *, doubt: float = 0.3) -> None:
        self._subgraph, self._scorer, self._doubt = subgraph, scorer, doubt
        self._single = settings.unit == "entity" and settings.search
        self._by_step = settings.ranking == "steps"
        every = settings.candidates == "explore"
        self._followed = None if every else _FOLLOWED
        self._most = None if every else settings.shown if self._by_step else _BEAM
        degree = np.diff(subgraph.outgoing.indptr) + np.diff(subgraph.incoming.indptr)
        self._passed = np.log2(np.maximum(degree, 1) / 16).clip(0).astype(np.float32)
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
        walked, ended = self._scorer.step_scores(nodes, steps)
        single = self._single
        key = steps.neighbour if single else np.zeros(len(steps), dtype=np.int32)
        order = np.lexsort((-ended, key, steps.beyond, steps.slot))
        steps, walked, ended, key = steps.take(order), walked[order], ended[order], key[order]
        new = (np.diff(steps.slot) != 0) | (np.diff(steps.beyond) != 0) | (np.diff(key) != 0)
        firsts = np.flatnonzero(np.concatenate([[True], new]))
        passed = self._passed[nodes][steps.origin] if trail.hops else np.zeros(len(steps), dtype=np.float32)
        counts = np.diff(firsts, append=len(steps))
        walked_means = (np.add.reduceat(walked, firsts) / counts).astype(np.float32)
        ended_means = (np.add.reduceat(ended, firsts) / counts).astype(np.float32)
        passed_means = np.add.reduceat(passed, firsts) / counts
        length = len(trail.hops) + 1
        grown: list[Trail] = []
        for at in best(ended_means, len(ended_means) if self._most is None else self._most)[0].tolist():
            first, count = int(firsts[at]), int(counts[at])
            hop = (int(steps.slot[first]), int(steps.beyond[first]))
            score = float(ended_means[at])
            if not self._by_step:
                score = (trail.total + score) / length - _HOP * (length - 1) - self._doubt * start.doubt
                score -= _HUB * (trail.passed + float(passed_means[at]))
            grown.append(
                Trail(
                    start,
                    trail.origin,
                    (*trail.hops, hop),
                    steps.neighbour[first : first + count],
                    (*trail.nodes, int(steps.neighbour[first])) if single else (),
                    trail.total + float(walked_means[at]),
                    score,
                    trail.passed + float(passed_means[at]),
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


def edges_of(hops: Iterable[Slots]) -> tuple[int, ...]:
    """The slot of each edge of hops."""
    return tuple(slot for hop in hops for slot in hop if slot >= 0)


def ends_of(subgraph: Subgraph, trail: Trail) -> Ints:
    """All nodes that the trail's relations lead to, but machine ids, and the start where there are others."""
    return ends_over(subgraph, trail.origin, trail.hops)


def ends_over(subgraph: Subgraph, origin: int, hops: Iterable[Slots]) -> Ints:
    """The same of any hops from a node."""
    nodes = follow_slots(subgraph, origin, edges_of(hops))
    nodes = nodes[~subgraph.machine[nodes]]
    others = nodes[nodes != origin]
    return others if len(others) else nodes
