"""How similar is a query to each of these texts: one protocol for embeddings and for words in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from toulmin.graph.subgraph import Subgraph
from toulmin.registry import Registry, without_argument
from toulmin.retrieval.bm25 import BM25
from toulmin.retrieval.embedders import Embedder, Vectors, embedder_names, get_embedder
from toulmin.retrieval.ranking import Ranked, Scores, best
from toulmin.retrieval.vectors import relation_texts

__all__ = ["Cosine", "FittedCosine", "FittedScorer", "TextIndex", "TextScorer", "get_text_scorer", "scorer_names"]


class FittedScorer(Protocol):
    """A scorer that knows its texts."""

    def scores(self, query: str) -> Scores:
        """The similarity of the query to each text, float32[n]; higher is more alike."""

    def top(self, query: str, k: int) -> Ranked:
        """The ``k`` most similar texts (fewer where there are fewer): places and scores, best first."""


class TextScorer(Protocol):
    """A measure of similarity between texts."""

    @property
    def name(self) -> str:
        """The name under which ``get_text_scorer`` finds it."""

    def fit(self, texts: Sequence[str]) -> FittedScorer:
        """Take in the texts that queries will be compared with."""


class Cosine:
    """The cosine of embeddings, in [-1, 1].

    Args:
        embedder: the model.
        name: the scorer's name, if it is not the model's.
    """

    def __init__(self, embedder: Embedder, name: str | None = None) -> None:
        self.embedder, self.name = embedder, name or embedder.name

    def fit(self, texts: Sequence[str]) -> FittedCosine:
        """Embed the texts."""
        return FittedCosine(self.embedder, self.embedder.embed(texts))


class FittedCosine:
    """Embedded texts; ``vectors`` is float32[n, d]."""

    def __init__(self, embedder: Embedder, vectors: Vectors) -> None:
        self.embedder, self.vectors = embedder, vectors

    def scores(self, query: str) -> Scores:
        """The cosine with each text, float32[n]."""
        return np.asarray(self.vectors @ self.embedder.embed([query])[0], dtype=np.float32)

    def top(self, query: str, k: int) -> Ranked:
        """The ``k`` texts of highest cosine: places and scores, best first."""
        return best(self.scores(query), k)


def _bm25(argument: str) -> TextScorer:
    without_argument("bm25", argument)
    return BM25()


def _registry() -> Registry[Callable[[str], TextScorer]]:
    """Every embedder is a scorer as well, those that packages bring among them."""
    cosines = {name: partial(_cosine, name) for name in embedder_names()}
    return Registry("text scorer", "toulmin.scorers", {**cosines, "bm25": _bm25})


def _cosine(name: str, argument: str) -> TextScorer:
    name = f"{name}:{argument}" if argument else name
    return Cosine(get_embedder(name), name)


def scorer_names() -> tuple[str, ...]:
    """What ``get_text_scorer`` knows: every embedder, ``bm25``, and entry points of the group ``toulmin.scorers``."""
    return _registry().names()


def get_text_scorer(name: str) -> TextScorer:
    """The scorer of a name, ``NAME``, or ``NAME:WHICH`` where it needs to know which.

    A scorer of the entry-point group is a function from what follows the colon (a text, empty where nothing does) to a
    scorer.

    Raises:
        SettingsError: no scorer has this name, or it cannot be loaded.
        MissingExtraError: an embedding model whose package is not installed.
    """
    kind, _, argument = name.partition(":")
    return _registry().get(kind)(argument)


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
