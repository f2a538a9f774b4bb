"""Path-RAG: reasoning steps scored by relation, entity and what lies one hop further (papers/fidelis, section 2.1).

    S((r, e)) = S_rel(r) + S_ent(e) + alpha * max over (r', e') in N(e) of (S_rel(r') + S_ent(e'))          (eq. 3)

What is ours in it: relations are walked in both directions, so N(e) would always hold the step straight back, and the
maximum would mostly be about the node that one comes from. That node is left out of N(e), unless ``looks_back``. Where
nothing is near, the maximum is 0. Literals have no vector, and S_ent 0. A step through a machine-id node has two
relations; its S_rel is their mean. By default every entity and relation has its cosine, not the top m of eq. 2 alone.

Beside it the plain vector retriever of section 3.3, with which the paper compares it: it has neither keywords nor
look-ahead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from toulmin.errors import SettingsError
from toulmin.graph.csr import Ints
from toulmin.graph.subgraph import Steps, Subgraph, find_steps
from toulmin.retrieval.embedders import Embedder, Scores, Vectors, best
from toulmin.retrieval.vectors import relation_texts

__all__ = ["GraphIndex", "PathRag", "PathRagQuery", "PathRagSettings", "VanillaQuery", "VanillaRetriever"]

Outside = Literal["cosine", "zero"]
Keywords = Literal["concatenated", "one_by_one"]


class GraphIndex(Protocol):
    """What scores a graph's entities and relations for a query: ``VectorIndex``, or ``TextIndex`` for any scorer."""

    def encode(self, query: str) -> Any:
        """The query as the other methods take it."""

    def entity_scores(self, query: Any, numbers: NDArray[np.integer]) -> Scores:
        """S_ent of node numbers, float32[len(numbers)]; 0 for nodes without words."""

    def relation_scores(self, query: Any) -> Scores:
        """S_rel of every relation, float32[n_relations]."""

    def nearest_entities(self, query: Any, k: int) -> tuple[NDArray[np.int64], Scores]:
        """The ``k`` entities of highest score."""


@dataclass(frozen=True, slots=True)
class PathRagSettings:
    """How Path-RAG scores.

    Args:
        alpha: the weight of what lies one hop further (papers/fidelis, table 9: 0.3); 0: it is not looked at.
        m: how many entities and relations eq. 2 retrieves. The paper does not say. Only ``outside`` "zero" uses it.
        outside: the score of an entity or relation that is not among these: its similarity all the same, or 0. The
            paper leaves it open.
        keywords: one query of all keywords (eq. 2), or one for each, the highest of whose scores counts (algorithm 1).
        looks_back: whether N(e) holds the way back to the node that a step comes from, as eq. 3 has it.
    """

    alpha: float = 0.3
    m: int = 100
    outside: Outside = "cosine"
    keywords: Keywords = "concatenated"
    looks_back: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.alpha <= 1:
            raise SettingsError(f"alpha is {self.alpha}: give a number from 0 to 1")
        if self.m < 1:
            raise SettingsError(f"m is {self.m}: give 1 or more")
        if self.outside not in ("cosine", "zero"):
            raise SettingsError(f"unknown outside {self.outside!r}: use cosine or zero")
        if self.keywords not in ("concatenated", "one_by_one"):
            raise SettingsError(f"unknown keywords {self.keywords!r}: use concatenated or one_by_one")


class _View:
    """S_rel, S_ent and the look-ahead of one encoded query; what lies ahead of a node is computed once."""

    def __init__(self, subgraph: Subgraph, index: GraphIndex, settings: PathRagSettings, query: Any) -> None:
        self._subgraph, self._index, self._query, self._back = subgraph, index, query, settings.looks_back
        self.relations = index.relation_scores(query)
        self._entities = np.zeros(subgraph.n_nodes, dtype=np.float32)
        self._scored = np.full(subgraph.n_nodes, settings.outside == "zero")
        if settings.outside == "zero":
            nearest, scores = best(self.relations, settings.m)
            self.relations = np.zeros_like(self.relations)
            self.relations[nearest] = scores
            numbers, scores = index.nearest_entities(query, settings.m)
            self._entities[numbers] = scores
        # What lies ahead of a node: the best step, where it ends, and the best step that ends elsewhere.
        self._known = np.zeros(subgraph.n_nodes, dtype=np.bool_)
        self._first, self._second = (np.zeros(subgraph.n_nodes, dtype=np.float32) for _ in range(2))
        self._end = np.zeros(subgraph.n_nodes, dtype=np.int32)

    def entities(self, numbers: NDArray[np.integer]) -> Scores:
        """S_ent of nodes."""
        missing = np.unique(numbers[~self._scored[numbers]])
        if len(missing):
            self._entities[missing] = self._index.entity_scores(self._query, missing)
            self._scored[missing] = True
        return np.asarray(self._entities[numbers])

    def step_scores(self, steps: Steps) -> Scores:
        """S_rel + S_ent of steps."""
        relation = self.relations[steps.slot >> 1]
        through = steps.beyond >= 0
        if through.any():
            relation[through] = (relation[through] + self.relations[steps.beyond[through] >> 1]) / 2
        return np.asarray(relation + self.entities(steps.neighbour))

    def ahead(self, nodes: Ints, start: NDArray[np.integer]) -> Scores:
        """The maximum of eq. 3 at each of ``nodes``; of steps that end in the ``start`` beside it only to look back."""
        missing = np.unique(nodes[~self._known[nodes]])
        if len(missing):
            self._look(missing)
        leaves_out = (self._end[nodes] == start) & (not self._back)
        return np.asarray(np.where(leaves_out, self._second[nodes], self._first[nodes]))

    def _look(self, nodes: Ints) -> None:
        self._known[nodes] = True
        steps = find_steps(self._subgraph, nodes)
        self._end[nodes] = -1
        if not len(steps):
            return
        scores = self.step_scores(steps)
        starts = np.flatnonzero(np.diff(steps.origin, prepend=-1))
        counts = np.diff(starts, append=len(steps))
        owners = nodes[steps.origin[starts]]
        first = np.maximum.reduceat(scores, starts)
        is_first = scores == np.repeat(first, counts)
        # of equally good steps, the one that ends in the node of the lowest number
        end = np.minimum.reduceat(np.where(is_first, steps.neighbour, np.iinfo(np.int32).max), starts)
        elsewhere = np.where(steps.neighbour == np.repeat(end, counts), -np.inf, scores)
        second = np.maximum.reduceat(elsewhere, starts)
        self._first[owners], self._end[owners] = first, end
        self._second[owners] = np.where(np.isneginf(second), 0, second)


class PathRagQuery:
    """Eq. 2 for one question; use ``PathRag.query``. It remembers what was computed for the question.

    ``views`` holds one for each query of eq. 2.
    """

    def __init__(self, views: Sequence[_View], settings: PathRagSettings) -> None:
        self.views, self._settings = tuple(views), settings

    def step_scores(self, nodes: NDArray[np.integer], steps: Steps) -> tuple[Scores, Scores]:
        """S_rel + S_ent, and S((r, e)) of eq. 3, of steps from ``nodes``: float32[len(steps)] each."""
        start = np.asarray(nodes, dtype=np.int32)[steps.origin]
        alpha = np.float32(self._settings.alpha)
        plain, ahead = (np.full(len(steps), -np.inf, dtype=np.float32) for _ in range(2))
        for view in self.views:
            scores = view.step_scores(steps)
            np.maximum(plain, scores, out=plain)
            np.maximum(ahead, scores + alpha * view.ahead(steps.neighbour, start) if alpha else scores, out=ahead)
        return plain, ahead


class PathRag:
    """Path-RAG over a sub-graph.

    Args:
        subgraph: where steps are looked for.
        index: of the same graph.
        settings: how steps are scored.
    """

    def __init__(self, subgraph: Subgraph, index: GraphIndex, settings: PathRagSettings | None = None) -> None:
        self.subgraph, self.index, self.settings = subgraph, index, settings or PathRagSettings()

    def query(self, keywords: Sequence[str]) -> PathRagQuery:
        """Eq. 2: score entities and relations for the keywords of a question.

        Raises:
            SettingsError: there is no keyword.
        """
        if not keywords:
            raise SettingsError("Path-RAG needs at least one keyword")
        texts = list(keywords) if self.settings.keywords == "one_by_one" else [" ".join(keywords)]
        views = [_View(self.subgraph, self.index, self.settings, self.index.encode(text)) for text in texts]
        return PathRagQuery(views, self.settings)


_CHUNK = 4096  # step texts embedded at a time


class VanillaRetriever:
    """The plain vector retriever: the cosine of the words of a step (its relation, then its entity) with the question.

    The vectors of step texts are kept, as float16, from when they are first asked for.
    """

    def __init__(self, subgraph: Subgraph, embedder: Embedder) -> None:
        self.subgraph, self.embedder = subgraph, embedder
        self._texts = relation_texts(subgraph.relations)
        # A step's key is made of its relations and its end; keys ascend, and the vectors are parallel to them.
        self._keys: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._vectors: NDArray[np.float16] = np.empty((0, embedder.dimension), dtype=np.float16)

    def query(self, question: str) -> VanillaQuery:
        """The question, embedded."""
        return VanillaQuery(self, self.embedder.embed([question])[0])

    def vectors(self, steps: Steps) -> tuple[Vectors, NDArray[np.intp]]:
        """The vectors of the distinct step texts, float32[distinct, d], and which of them is each step's."""
        second = np.where(steps.beyond < 0, -1, steps.beyond >> 1) + 1
        relations = (steps.slot >> 1) * np.int64(len(self._texts) + 1) + second
        of_steps = relations * self.subgraph.n_nodes + steps.neighbour
        keys, first, which = np.unique(of_steps, return_index=True, return_inverse=True)
        self._add(keys, first, steps)
        return self._vectors[np.searchsorted(self._keys, keys)].astype(np.float32), which

    def _add(self, keys: NDArray[np.int64], first: NDArray[np.intp], steps: Steps) -> None:
        """Embed the words of those keys that are new."""
        new = ~np.isin(keys, self._keys, assume_unique=True)
        if not new.any():
            return
        fresh = steps.take(first[new])
        texts = self._words(fresh)
        made = np.empty((len(texts), self.embedder.dimension), dtype=np.float16)
        by_length = np.argsort([len(text) for text in texts], kind="stable")  # a batch then holds little padding
        for start in range(0, len(texts), _CHUNK):
            places = by_length[start : start + _CHUNK]
            made[places] = self.embedder.embed([texts[place] for place in places.tolist()])
        joined = np.concatenate([self._keys, keys[new]])
        order = np.argsort(joined, kind="stable")
        self._keys, self._vectors = joined[order], np.concatenate([self._vectors, made])[order]

    def _words(self, steps: Steps) -> list[str]:
        """The words of steps: the relation or, through a machine-id node, both, and then the entity."""
        labels = self.subgraph.labels(steps.neighbour)
        relations = zip((steps.slot >> 1).tolist(), steps.beyond.tolist(), strict=True)
        return [
            " ".join([self._texts[r], *([self._texts[b >> 1]] if b >= 0 else []), label])
            for (r, b), label in zip(relations, labels, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class VanillaQuery:
    """A question for the plain retriever; use ``VanillaRetriever.query``."""

    retriever: VanillaRetriever
    vector: Vectors

    def step_scores(self, nodes: NDArray[np.integer], steps: Steps) -> tuple[Scores, Scores]:
        """The cosine of each step's words with the question, float32[len(steps)], wherever the path ends."""
        vectors, which = self.retriever.vectors(steps)
        scores = np.asarray((vectors @ self.vector)[which], dtype=np.float32)
        return scores, scores
