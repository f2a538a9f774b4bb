"""The plain vector retriever of papers/fidelis, section 3.3: what Path-RAG is compared with.

Each reasoning step is put into words, its relation and then its entity, and scored by the cosine of these words with
the question. It has neither keywords nor look-ahead.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toulmin.graph.subgraph import Subgraph
from toulmin.retrieval.embedders import Embedder, Vectors
from toulmin.retrieval.ranking import Scores
from toulmin.retrieval.steps import Steps
from toulmin.retrieval.vectors import relation_texts

__all__ = ["VanillaQuery", "VanillaRetriever"]

_CHUNK = 4096  # step texts embedded at a time


class VanillaRetriever:
    """Cosine of step texts with the question.

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
        keys, first, which = self._distinct(steps)
        self._add(keys, first, steps)
        return self._vectors[np.searchsorted(self._keys, keys)].astype(np.float32), which

    def _distinct(self, steps: Steps) -> tuple[NDArray[np.int64], NDArray[np.intp], NDArray[np.intp]]:
        """The keys of steps, ascending, where each is first, and which of them is each step's."""
        count = len(self._texts) + 1
        second = np.where(steps.beyond < 0, -1, steps.beyond >> 1) + 1
        keys = ((steps.slot >> 1) * np.int64(count) + second) * self.subgraph.n_nodes + steps.neighbour
        return np.unique(keys, return_index=True, return_inverse=True)

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
