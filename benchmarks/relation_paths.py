"""Relation paths from a node, ranked by the scores of the reasoning steps that follow them.

Where many entities are reached over one relation path, what counts is the path: it is found by a beam search over
relation paths, in which a path stands for all its reasoning steps and is extended from the best of them.

    S(P) = (T_1 + … + T_{n-1} + S_n) / n

T_i is the mean score of its i-th steps, S_n that of its last ones with what lies ahead of them: for n = 1 the mean of
eq. 3 of papers/fidelis over the steps of a relation. Means, since otherwise paths would win by their length and
relations by the number of their steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from toulmin.errors import SettingsError
from toulmin.graph.csr import Ints
from toulmin.graph.subgraph import Hop, Steps, Subgraph, find_steps
from toulmin.retrieval.embedders import Scores, best

BEAM = 64  # relation paths of one length that are extended
FOLLOWED = 32  # entities from which each of them is extended


@dataclass(frozen=True, slots=True)
class RelationPath:
    """A sequence of hops that reasoning paths from the start node follow, and its score."""

    hops: tuple[Hop, ...]
    score: float


class StepScoring(Protocol):
    """What one question says of steps."""

    def step_scores(self, nodes: NDArray[np.integer], steps: Steps) -> tuple[Scores, Scores]:
        """Scores of steps from ``nodes``, float32[len(steps)]: where the path goes on, and where it ends."""


def step_candidates(
    subgraph: Subgraph, scoring: StepScoring, node: int, limit: int | None = None
) -> tuple[Steps, Scores]:
    """The steps from a node and their scores, best first (of equal ones in the order of the graph)."""
    nodes = np.array([node], dtype=np.int32)
    steps = find_steps(subgraph, nodes)
    order, scores = best(scoring.step_scores(nodes, steps)[1], len(steps) if limit is None else limit)
    return steps.take(order), scores


@dataclass(frozen=True, slots=True)
class _State:
    """A relation path in the beam: where it leads, and the sum of T."""

    hops: tuple[Hop, ...]
    nodes: Ints
    walked: float


def rank_relation_paths(
    subgraph: Subgraph,
    start: int,
    scoring: StepScoring,
    *,
    hops: int,
    k: int,
    beam: int = BEAM,
    followed: int = FOLLOWED,
) -> list[RelationPath]:
    """The ``k`` best distinct relation paths of 1 to ``hops`` hops, best first. Paths do not come back to ``start``.

    Raises:
        SettingsError: ``hops``, ``beam`` or ``followed`` is below 1, or ``k`` is negative.
    """
    if min(hops, beam, followed) < 1:
        raise SettingsError(f"hops, beam and followed are {hops}, {beam} and {followed}: give 1 or more")
    states = [_State((), np.array([start], dtype=np.int32), 0.0)]
    found: list[RelationPath] = []
    for _ in range(hops):
        states, paths = _extend(subgraph, start, scoring, states, beam, followed)
        found.extend(paths)
        if not states:
            break
    order, _ = best(np.array([path.score for path in found], dtype=np.float32), k)
    return [found[place] for place in order.tolist()]


def _extend(
    subgraph: Subgraph, start: int, scoring: StepScoring, states: list[_State], beam: int, followed: int
) -> tuple[list[_State], list[RelationPath]]:
    """All paths one hop longer, and the states of the best of them."""
    nodes = np.concatenate([state.nodes for state in states])
    owner = np.repeat(np.arange(len(states)), [len(state.nodes) for state in states])
    steps = find_steps(subgraph, nodes)
    steps = steps.take(steps.neighbour != start)
    if not len(steps):
        return [], []
    walked, ended = scoring.step_scores(nodes, steps)
    state = owner[steps.origin]
    order = np.lexsort((-ended, steps.beyond, steps.slot, state))
    steps, walked, ended, state = steps.take(order), walked[order], ended[order], state[order]
    new = (np.diff(state) != 0) | (np.diff(steps.slot) != 0) | (np.diff(steps.beyond) != 0)
    starts = np.flatnonzero(np.concatenate([[True], new]))
    state, slot, beyond = state[starts], steps.slot[starts], steps.beyond[starts]

    before = np.array([one.walked for one in states], dtype=np.float32)[state]
    length = len(states[0].hops) + 1
    scores = (before + _means(ended, starts)) / np.float32(length)
    totals = before + _means(walked, starts)

    ends = np.append(starts[1:], len(steps))
    paths = [
        RelationPath((*states[one].hops, hop), score)
        for one, hop, score in zip(
            state.tolist(), zip(slot.tolist(), beyond.tolist(), strict=True), scores.tolist(), strict=True
        )
    ]
    kept = best(scores, beam)[0].tolist()
    return [
        _State(
            paths[place].hops,
            _first_distinct(steps.neighbour[starts[place] : ends[place]], followed),
            float(totals[place]),
        )
        for place in kept
    ], paths


def _means(scores: Scores, starts: NDArray[np.int64]) -> Scores:
    """The mean of each group of scores."""
    counts = np.diff(starts, append=len(scores))
    return np.asarray(np.add.reduceat(scores, starts) / counts, dtype=np.float32)


def _first_distinct(nodes: Ints, limit: int) -> Ints:
    """The first ``limit`` distinct nodes."""
    _, places = np.unique(nodes, return_index=True)
    return nodes[np.sort(places)[:limit]]
