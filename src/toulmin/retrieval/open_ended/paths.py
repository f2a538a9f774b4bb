"""Path retrieval (papers/okgqa, section 4.1 and A.6), greedy as the paper has it, and exact.

    S(P) = sum of p_v over its nodes + sum of (p_e - c_e) over its edges

A path starts at one of the nodes of highest prize, walks edges in either direction and meets no node twice. Both
searches extend paths from a priority queue. The greedy one takes the path of the highest score next, and ends after so
many. The exact one takes the path that could still come to the most: its score and the best that a walk of the
statements that are left could add, which never is too little; it ends when nothing in the queue could come to more
than the worst path that it gives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count

import numpy as np
from numpy.typing import NDArray

from toulmin.retrieval.open_ended.neighbourhood import Arcs, Floats, Neighbourhood, Prizes

__all__ = ["FoundPath", "Paths", "exact_paths", "greedy_paths"]


@dataclass(frozen=True, slots=True)
class FoundPath:
    """A path in the numbers of a neighbourhood: ``nodes`` has one more than ``edges``; ``score`` is S(P)."""

    nodes: tuple[int, ...]
    edges: tuple[int, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Paths:
    """Paths, best first, none of which lies within a better one.

    Args:
        complete: whether it is certain that every path of a higher score than the last lies within one of these.
        explored: how many paths were looked at.
    """

    found: tuple[FoundPath, ...]
    complete: bool
    explored: int


def greedy_paths(
    around: Neighbourhood, prizes: Prizes, starts: Sequence[int], *, depth: int, k: int, most: int
) -> Paths:
    """The best of the paths that A.6 comes to.

    Args:
        starts: nodes that paths start from.
        depth: edges of a path at most.
        k: how many paths are wanted.
        most: how many paths are looked at.
    """
    none = np.zeros((depth + 1, len(around.nodes)))
    return _Search(around.arcs, prizes, none, depth, k).run(starts, most, stops=False)


def exact_paths(
    around: Neighbourhood, prizes: Prizes, starts: Sequence[int], *, depth: int, k: int, most: int
) -> Paths:
    """The best paths; ``complete`` says whether ``most`` paths were enough to be certain. See ``greedy_paths``."""
    return _Search(around.arcs, prizes, _ahead(around.arcs, prizes, depth), depth, k).run(starts, most, stops=True)


def _ahead(arcs: Arcs, prizes: Prizes, depth: int) -> Floats:
    """The most that a walk of up to r edges from each node can add, float64[depth + 1, n].

    A walk may meet a node again, where a path may not: the bound is never too little.
    """
    bound = np.zeros((depth + 1, len(arcs.start) - 1))
    if not len(arcs.end):
        return bound
    leaving = np.flatnonzero(np.diff(arcs.start))
    gain = prizes.node[arcs.end] + prizes.edge[arcs.edge] - prizes.cost[arcs.edge]
    for left in range(1, depth + 1):
        most = np.maximum.reduceat(gain + bound[left - 1][arcs.end], arcs.start[leaving])
        bound[left, leaving] = np.maximum(0, most)
    return bound


class _Search:
    """One search. The queue holds, for each path that was met, its extensions in order; the next best is looked at."""

    def __init__(self, arcs: Arcs, prizes: Prizes, ahead: Floats, depth: int, k: int) -> None:
        self._arcs, self._prizes, self._ahead, self._depth, self._k = arcs, prizes, ahead, depth, k
        self._queue: list[tuple[float, float, int, int, _Extensions]] = []
        self._order = count()
        self._kept: list[tuple[FoundPath, frozenset[int]]] = []
        self._explored: list[FoundPath] = []

    def run(self, starts: Sequence[int], most: int, *, stops: bool) -> Paths:
        for start in starts:
            self._extend(FoundPath((start,), (), float(self._prizes.node[start])))
        complete = True
        while self._queue:
            hope = -self._queue[0][0]
            if stops and len(self._kept) == self._k and hope <= self._kept[-1][0].score:
                break
            if len(self._explored) == most:
                complete = False
                break
            _, _, _, place, extensions = heappop(self._queue)
            self._push(extensions, place + 1)
            path, end, edge = extensions.path, int(extensions.ends[place]), int(extensions.edges[place])
            path = FoundPath((*path.nodes, end), (*path.edges, edge), float(extensions.scores[place]))
            self._explored.append(path)
            self._keep(path)
            self._extend(path)
        return Paths(_maximal(self._explored, self._k), complete, len(self._explored))

    def _extend(self, path: FoundPath) -> None:
        left = self._depth - len(path.edges)
        if not left:
            return
        arcs, prizes = self._arcs, self._prizes
        here = slice(int(arcs.start[path.nodes[-1]]), int(arcs.start[path.nodes[-1] + 1]))
        ends, edges = arcs.end[here], arcs.edge[here]
        for node in path.nodes[:-1]:
            new = ends != node
            ends, edges = ends[new], edges[new]
        if not len(ends):
            return
        scores = path.score + prizes.node[ends] + prizes.edge[edges] - prizes.cost[edges]
        hopes = scores + self._ahead[left - 1][ends]
        like = prizes.node_similarity[ends] + prizes.edge_similarity[edges]
        order = np.lexsort((-like, -scores, -hopes)) if len(ends) > 1 else np.zeros(1, dtype=np.int64)
        self._push(_Extensions(path, ends[order], edges[order], scores[order], hopes[order]), 0)

    def _push(self, extensions: _Extensions, place: int) -> None:
        if place < len(extensions.ends):
            hope, score = float(extensions.hopes[place]), float(extensions.scores[place])
            heappush(self._queue, (-hope, -score, next(self._order), place, extensions))

    def _keep(self, path: FoundPath) -> None:
        """Hold the ``k`` best in ``kept``, by which the exact search knows when to end."""
        if len(self._kept) == self._k and path.score <= self._kept[-1][0].score:
            return
        edges = frozenset(path.edges)
        if any(edges <= others for kept, others in self._kept if kept.score >= path.score):
            return
        self._kept = [(kept, others) for kept, others in self._kept if kept.score > path.score or not others <= edges]
        self._kept.append((path, edges))
        self._kept.sort(key=lambda pair: -pair[0].score)
        del self._kept[self._k :]


@dataclass(frozen=True, slots=True)
class _Extensions:
    """A path and the edges that it can go on with, in the order in which they are taken."""

    path: FoundPath
    ends: NDArray[np.int64]
    edges: NDArray[np.int64]
    scores: Floats
    hopes: Floats


def _maximal(paths: Sequence[FoundPath], k: int) -> tuple[FoundPath, ...]:
    """The ``k`` best that lie within no better one; of equal ones the longer is the better."""
    kept: list[tuple[FoundPath, frozenset[int]]] = []
    for path in sorted(paths, key=lambda path: (-path.score, -len(path.edges))):
        if len(kept) == k:
            break
        edges = frozenset(path.edges)
        if not any(edges <= others for _, others in kept):
            kept.append((path, edges))
    return tuple(path for path, _ in kept)
