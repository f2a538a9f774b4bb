"""The plain vector retriever of papers/fidelis, section 3.3: what Path-RAG is compared with.

Each reasoning step is put into words, its relation and then its entity, and scored by the cosine of these words with
the question. It has neither keywords nor look-ahead. Relation paths are ranked by the same search as Path-RAG's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toulmin.graph.subgraph import Subgraph
from toulmin.retrieval.embedders import Embedder, Vectors
from toulmin.retrieval.path_rag import Candidates
from toulmin.retrieval.ranking import Scores, best
from toulmin.retrieval.relation_paths import RelationPath, rank_relation_paths
from toulmin.retrieval.steps import Steps, find_steps
from toulmin.retrieval.vectors import relation_texts

__all__ = ["VanillaQuery", "VanillaRetriever"]


class VanillaRetriever:
    """Cosine of step texts with the question. The vectors of step texts are made on demand and kept."""

    def __init__(self, subgraph: Subgraph, embedder: Embedder) -> None:
        self.subgraph, self.embedder = subgraph, embedder
        self._texts = relation_texts(subgraph.relations)
        self._row: dict[int, int] = {}
        self._vectors: Vectors = np.empty((0, embedder.dimension), dtype=np.float32)

    def query(self, question: str) -> VanillaQuery:
        """The question, embedded."""
        return VanillaQuery(self, self.embedder.embed([question])[0])

    def candidates(self, node: int, query: VanillaQuery, limit: int | None = None) -> Candidates:
        """The steps from a node, best first, at most ``limit``."""
        nodes = np.array([node], dtype=np.int32)
        steps = find_steps(self.subgraph, nodes)
        order, scores = best(query.step_scores(nodes, steps)[1], len(steps) if limit is None else limit)
        return Candidates(steps.take(order), scores)

    def relation_paths(self, node: int, query: VanillaQuery, hops: int, k: int) -> list[RelationPath]:
        """The ``k`` best distinct relation paths of 1 to ``hops`` hops from a node, best first."""
        return rank_relation_paths(self.subgraph, node, query, hops=hops, k=k)

    def vectors(self, steps: Steps) -> tuple[Vectors, NDArray[np.intp]]:
        """The vectors of the distinct step texts, float32[distinct, d], and which of them is each step's."""
        count = len(self._texts) + 1
        second = np.where(steps.beyond < 0, -1, steps.beyond >> 1) + 1
        keys = ((steps.slot >> 1) * np.int64(count) + second) * self.subgraph.n_nodes + steps.neighbour
        distinct, first, which = np.unique(keys, return_index=True, return_inverse=True)
        new = [place for place, key in enumerate(distinct.tolist()) if key not in self._row]
        if new:
            fresh = steps.take(first[new])
            labels = self.subgraph.labels(fresh.neighbour)
            relations = zip((fresh.slot >> 1).tolist(), (second[first[new]] - 1).tolist(), strict=True)
            texts = [
                " ".join([self._texts[r], *([self._texts[b]] if b >= 0 else []), label])
                for (r, b), label in zip(relations, labels, strict=True)
            ]
            rows = range(len(self._row), len(self._row) + len(new))
            self._row.update(zip(distinct[new].tolist(), rows, strict=True))
            self._keep(rows.start, self.embedder.embed(texts))
        return self._vectors[[self._row[key] for key in distinct.tolist()]], which

    def _keep(self, start: int, vectors: Vectors) -> None:
        end = start + len(vectors)
        if end > len(self._vectors):
            grown = np.empty((max(end, 2 * len(self._vectors)), vectors.shape[1]), dtype=np.float32)
            grown[:start] = self._vectors[:start]
            self._vectors = grown
        self._vectors[start:end] = vectors


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
