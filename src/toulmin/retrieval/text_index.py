"""Any text scorer in the place of the vector index: Path-RAG on words in common (papers/fidelis, table 3: BM25)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from toulmin.graph.subgraph import Subgraph
from toulmin.retrieval.ranking import Ranked, Scores, best
from toulmin.retrieval.scorers import TextScorer
from toulmin.retrieval.vectors import relation_texts

__all__ = ["TextIndex"]

_Query = tuple[Scores, Scores]


class TextIndex:
    """The labels of a graph's entities and relations, scored by ``scorer``; a query scores all of them at once.

    Each kind is a collection of its own, so that the weight of a word among relations is not that among entities.
    """

    def __init__(self, subgraph: Subgraph, scorer: TextScorer) -> None:
        self._n_entities = subgraph.n_entities
        self._named = ~subgraph.machine[: self._n_entities]
        labels = subgraph.tables.labels.many(np.arange(self._n_entities))
        self._entities = scorer.fit(
            [label if named else "" for label, named in zip(labels, self._named.tolist(), strict=True)]
        )
        self._relations = scorer.fit(relation_texts(subgraph.relations))

    def encode(self, query: str) -> _Query:
        """The scores of entities, float32[n_entities], 0 for machine ids, and of relations, float32[n_relations]."""
        return np.where(self._named, self._entities.scores(query), np.float32(0)), self._relations.scores(query)

    def entity_scores(self, query: _Query, numbers: NDArray[np.integer]) -> Scores:
        """The score of each node; 0 for literals and machine-id entities."""
        scores = np.zeros(len(numbers), dtype=np.float32)
        entities = np.asarray(numbers) < self._n_entities
        scores[entities] = query[0][numbers[entities]]
        return scores

    def relation_scores(self, query: _Query) -> Scores:
        """The score of every relation."""
        return query[1]

    def nearest_entities(self, query: _Query, k: int) -> Ranked:
        """The ``k`` entities of highest score: numbers and scores, best first."""
        return best(query[0], k)
