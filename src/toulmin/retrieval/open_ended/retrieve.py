"""The three forms of retrieval by name: question in, statements with scores out (papers/okgqa, section 4.1).

Paths are found greedily, as the paper has it (A.6), or exactly:

    S(P) = sum of p_v over its nodes + sum of (p_e - c_e) over its edges

A path starts at one of the nodes of highest prize, walks edges in either direction and meets no node twice. Both
searches extend paths from a priority queue. The greedy one takes the path of the highest score next, and ends after so
many. The exact one takes the path that could still come to the most: its score and the best that a walk of the
statements that are left could add, which never is too little; it ends when nothing in the queue could come to more
than the worst path that it gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import count, islice
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from toulmin.errors import SettingsError
from toulmin.graph.csr import Ints
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Literal, Statement
from toulmin.registry import known
from toulmin.retrieval.embedders import Embedder, Scores, Vectors
from toulmin.retrieval.open_ended.neighbourhood import Arcs, Floats, Neighbourhood, Prizes, RetrievalSettings, Search
from toulmin.retrieval.open_ended.steiner import steiner_tree
from toulmin.retrieval.vectors import LazyVectors, VectorIndex

__all__ = ["FORMS", "FoundPath", "Paths", "PrizeRetriever", "RankedStatements", "find_paths"]


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


def find_paths(
    around: Neighbourhood, prizes: Prizes, starts: Sequence[int], *, search: Search, depth: int, k: int, most: int
) -> Paths:
    """The best paths; of the greedy search, of those that A.6 comes to.

    Args:
        starts: nodes that paths start from.
        search: of the exact one, ``complete`` says whether ``most`` paths were enough to be certain.
        depth: edges of a path at most.
        k: how many paths are wanted.
        most: how many paths are looked at.
    """
    exact = search == "exact"
    ahead = _ahead(around.arcs, prizes, depth) if exact else np.zeros((depth + 1, len(around.nodes)))
    return _Search(around.arcs, prizes, ahead, depth, k).run(starts, most, stops=exact)


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
    """One search. The queue holds, for each path that was met, the best of its extensions that is not looked at yet."""

    def __init__(self, arcs: Arcs, prizes: Prizes, ahead: Floats, depth: int, k: int) -> None:
        self._arcs, self._prizes, self._ahead, self._depth, self._k = arcs, prizes, ahead, depth, k
        self._queue: list[tuple[float, float, int, FoundPath, Iterator[tuple[float, FoundPath]]]] = []
        self._order = count()
        self._kept: list[tuple[FoundPath, frozenset[int]]] = []
        self._explored: list[FoundPath] = []

    def run(self, starts: Sequence[int], most: int, *, stops: bool) -> Paths:
        for start in starts:
            self._push(self._extensions(FoundPath((start,), (), float(self._prizes.node[start]))))
        complete = True
        while self._queue:
            hope = -self._queue[0][0]
            if stops and len(self._kept) == self._k and hope <= self._kept[-1][0].score:
                break
            if len(self._explored) == most:
                complete = False
                break
            *_, path, beside = heappop(self._queue)
            self._push(beside)
            self._explored.append(path)
            self._keep(path)
            self._push(self._extensions(path))
        return Paths(_maximal(self._explored, self._k), complete, len(self._explored))

    def _extensions(self, path: FoundPath) -> Iterator[tuple[float, FoundPath]]:
        """The paths that are longer by an edge, in the order in which they are taken, with what each could come to."""
        left = self._depth - len(path.edges)
        if not left:
            return
        arcs, prizes = self._arcs, self._prizes
        here = slice(int(arcs.start[path.nodes[-1]]), int(arcs.start[path.nodes[-1] + 1]))
        ends, edges = arcs.end[here], arcs.edge[here]
        for node in path.nodes[:-1]:
            new = ends != node
            ends, edges = ends[new], edges[new]
        scores = path.score + prizes.node[ends] + prizes.edge[edges] - prizes.cost[edges]
        hopes = scores + self._ahead[left - 1][ends]
        like = prizes.node_similarity[ends] + prizes.edge_similarity[edges]
        for place in np.lexsort((-like, -scores, -hopes)).tolist():
            nodes = (*path.nodes, int(ends[place]))
            yield float(hopes[place]), FoundPath(nodes, (*path.edges, int(edges[place])), float(scores[place]))

    def _push(self, extensions: Iterator[tuple[float, FoundPath]]) -> None:
        """Put the next of a path's extensions into the queue, if there is one."""
        for hope, path in islice(extensions, 1):
            heappush(self._queue, (-hope, -path.score, next(self._order), path, extensions))

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


@dataclass(frozen=True, slots=True)
class RankedStatements:
    """Statements of a sub-graph, in the order in which they are told.

    Args:
        rows: int64[k], statement numbers of ``subgraph``, each once.
        scores: float64[k]: of a triple or of a statement of a sub-graph, the prizes of its parts (of a triple with
            ``hubs`` less what it costs); of a path, S(P).
        groups: paths: for each, the places of its statements in ``rows``, as it is walked; else none.
        total: S of a sub-graph or of the best path; the sum of the triples' scores.
        complete: whether the search for paths was long enough to be certain.
    """

    subgraph: Subgraph
    rows: NDArray[np.int64]
    scores: Floats
    groups: tuple[tuple[int, ...], ...] = ()
    total: float = 0.0
    complete: bool = True

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def statements(self) -> list[Statement]:
        """The statements, aligned with ``rows``."""
        return self.subgraph.statements(self.rows)


#: One form: from a neighbourhood with prizes to statements.
Retrieval = Callable[[Neighbourhood, Prizes, RetrievalSettings], RankedStatements]


def _triplets(around: Neighbourhood, prizes: Prizes, settings: RetrievalSettings) -> RankedStatements:
    """The triples of the highest prize of subject, relation and object; of equal ones the most like the question.

    With ``hubs`` those alone that are worth more than they cost.
    """
    total = _of_triples(around, prizes)
    k = min(settings.triplets, len(total))
    if settings.hubs:
        total = total - prizes.cost
        k = min(k, int((total > 0).sum()))
    places = np.arange(len(total))
    if 0 < k < len(total):
        places = np.flatnonzero(total >= np.partition(total, len(total) - k)[len(total) - k])
    return _ordered(around, prizes, total, places, k)


def _paths(around: Neighbourhood, prizes: Prizes, settings: RetrievalSettings) -> RankedStatements:
    """The statements of the best paths from the nodes of highest prize."""
    starts = np.argsort(-prizes.node, kind="stable")[: settings.nodes]
    starts = starts[prizes.node[starts] > 0]
    sizes = {"depth": settings.depth, "k": settings.paths, "most": settings.explored}
    paths = find_paths(around, prizes, starts.tolist(), search=settings.search, **sizes)
    scores: dict[int, float] = {}
    for path in paths.found:
        for edge in path.edges:
            scores.setdefault(edge, path.score)
    place = {edge: number for number, edge in enumerate(scores)}
    ranked = RankedStatements(
        around.subgraph,
        around.rows[np.fromiter(scores, dtype=np.int64, count=len(scores))].astype(np.int64),
        np.array(list(scores.values()), dtype=np.float64),
        tuple(tuple(place[edge] for edge in path.edges) for path in paths.found),
        paths.found[0].score if paths.found else 0.0,
        paths.complete,
    )
    return _filled(ranked, around, prizes, list(scores), settings.fill)


def _subgraph(around: Neighbourhood, prizes: Prizes, settings: RetrievalSettings) -> RankedStatements:
    """The statements of one prize-collecting Steiner tree."""
    tree = steiner_tree(around, prizes, settings.limit)
    ranked = _ordered(around, prizes, _of_triples(around, prizes), tree.edges, len(tree.edges))
    return _filled(replace(ranked, total=tree.score), around, prizes, tree.edges.tolist(), settings.fill)


def _filled(
    ranked: RankedStatements, around: Neighbourhood, prizes: Prizes, edges: Sequence[int], up_to: int
) -> RankedStatements:
    """Adds statements of the linked entities up to a number, the most like the question first, scored by prizes."""
    if len(ranked) >= up_to or not len(around.seeds):
        return ranked
    is_seed = np.zeros(len(around.nodes), dtype=np.bool_)
    is_seed[around.seeds] = True
    beside = is_seed[around.subject] | is_seed[around.object]
    beside[np.asarray(edges, dtype=np.int64)] = False
    places = np.flatnonzero(beside)
    other = np.where(is_seed[around.subject[places]], around.object[places], around.subject[places])
    like = prizes.edge_similarity[places] + prizes.node_similarity[other]
    places = places[np.lexsort((-around.nearness[other], -like))][: up_to - len(ranked)]
    return replace(
        ranked,
        rows=np.concatenate([ranked.rows, around.rows[places].astype(np.int64)]),
        scores=np.concatenate([ranked.scores, _of_triples(around, prizes)[places]]),
    )


#: The forms of retrieval by name.
FORMS: Mapping[str, Retrieval] = {"triplet": _triplets, "path": _paths, "subgraph": _subgraph}


def _of_triples(around: Neighbourhood, prizes: Prizes) -> Floats:
    return prizes.node[around.subject] + prizes.edge + prizes.node[around.object]


def _ordered(
    around: Neighbourhood, prizes: Prizes, total: Floats, places: NDArray[np.int64], k: int
) -> RankedStatements:
    like = prizes.node_similarity[around.subject[places]] + prizes.edge_similarity[places]
    like = like + prizes.node_similarity[around.object[places]]
    near = around.nearness[around.subject[places]] + around.nearness[around.object[places]]
    order = places[np.lexsort((-near, -like, -total[places]))][:k]
    scores = total[order]
    return RankedStatements(around.subgraph, around.rows[order].astype(np.int64), scores, total=float(scores.sum()))


class PrizeRetriever:
    """Retrieves for questions from one sub-graph.

    Each distinct relation and label is embedded once: those of entities are in the index (stored with a built graph, or
    kept from when they are first asked for), those of texts that are no entities are kept here.

    Args:
        index: of the same sub-graph; None: made of ``embedder``.
        embedder: of ``index`` where it is given.
    """

    def __init__(
        self,
        subgraph: Subgraph,
        embedder: Embedder,
        *,
        index: VectorIndex | None = None,
        settings: RetrievalSettings | None = None,
    ) -> None:
        self.subgraph, self.embedder = subgraph, embedder
        self.index = index if index is not None else LazyVectors(subgraph, embedder)
        self.settings = settings or RetrievalSettings()
        self._texts: dict[int, Vectors | None] = {}  # of literals; None: no words
        self._whole: Neighbourhood | None = None
        self._lock = Lock()  # vectors are made as they are asked for

    def retrieve(self, question: str, form: str, seeds: Sequence[str] = ()) -> RankedStatements:
        """The statements for a question. May be called from several threads.

        Args:
            form: one of ``FORMS``.
            seeds: ids of the entities that the question names. Without any that the sub-graph holds, all of it is
                looked at.

        Raises:
            SettingsError: no such form.
        """
        retrieval = self.form(form)
        with self._lock:
            around = self.around(seeds)
            prizes = self.prizes(question, around)
        return retrieval(around, prizes, self.settings)

    @staticmethod
    def form(name: str) -> Retrieval:
        """The form of a name.

        Raises:
            SettingsError: there is none.
        """
        if name not in FORMS:
            raise SettingsError(f"there is no retrieval {name!r}{known(name, tuple(FORMS))}")
        return FORMS[name]

    def around(self, seeds: Sequence[str]) -> Neighbourhood:
        """Where statements are looked for."""
        numbers = [number for seed in seeds if (number := self.subgraph.index(seed)) is not None]
        if numbers:
            return Neighbourhood.of(self.subgraph, np.array(numbers, dtype=np.int32), self.settings)
        if self._whole is None:
            self._whole = Neighbourhood.of(self.subgraph, np.empty(0, dtype=np.int32), self.settings)
        return self._whole

    def prizes(self, question: str, around: Neighbourhood) -> Prizes:
        """The prizes for a question."""
        vector = self.index.encode(question)
        return Prizes.of(around, self._nodes(vector, around), self.index.relation_scores(vector), self.settings)

    def _nodes(self, vector: Vectors, around: Neighbourhood) -> Scores:
        nodes = around.nodes
        scores = self.index.entity_scores(vector, nodes)
        scores[(nodes >= self.subgraph.n_entities) | self.subgraph.machine[nodes]] = np.nan
        literals = np.flatnonzero(nodes >= self.subgraph.n_entities)
        if self.settings.literals is not None and len(literals) > self.settings.literals:
            literals = literals[np.argsort(-around.nearness[literals], kind="stable")[: self.settings.literals]]
        self._embed(nodes[literals])
        for place in literals.tolist():
            text = self._texts[int(nodes[place])]
            if text is not None:
                scores[place] = text @ vector
        return scores

    def _embed(self, literals: Ints) -> None:
        new = [int(number) for number in literals if int(number) not in self._texts]
        values = {}
        for number, node in zip(new, self.subgraph.nodes(new), strict=True):
            self._texts[number] = None
            if isinstance(node, Literal) and node.kind == "string" and any(map(str.isalpha, node.value)):
                values[number] = node.value
        if values:
            self._texts.update(zip(values, self.embedder.embed(list(values.values())), strict=True))
