"""How similar is a query to each of these texts: one protocol for embeddings and for words in common (BM25, by bm25s).

    score(q, d) = sum over the words w of q of  idf(w) * tf(w, d) / (tf(w, d) + k1 * (1 - b + b * |d| / mean |d|))
    idf(w) = ln(1 + (n - df(w) + 0.5) / (df(w) + 0.5))

The term weight is that of Robertson and Zaragoza 2009 (eq. 3.15), who find 1.2 < k1 < 2 and 0.5 < b < 0.8 good; the
idf is Lucene's, which is positive also for a word of more than half of the texts: among the few relations of a graph
there are such words. A word said twice in the query counts twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from toulmin.errors import SettingsError
from toulmin.graph.labels import normalise
from toulmin.graph.subgraph import Subgraph
from toulmin.registry import Registry, without_argument
from toulmin.retrieval.embedders import Embedder, Ranked, Scores, best, embedder_names, get_embedder
from toulmin.retrieval.vectors import relation_texts

__all__ = [
    "BM25",
    "Cosine",
    "FittedScorer",
    "TextIndex",
    "TextScorer",
    "get_text_scorer",
]


class FittedScorer(Protocol):
    """A scorer that knows its texts."""

    def scores(self, query: str, /) -> Scores:
        """The similarity of the query to each text, float32[n]; higher is more alike."""


@dataclass(frozen=True, slots=True)
class _Fitted:
    scores: Callable[[str], Scores]


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

    def fit(self, texts: Sequence[str]) -> FittedScorer:
        """Embed the texts."""
        vectors = self.embedder.embed(texts)
        return _Fitted(lambda query: np.asarray(vectors @ self.embedder.embed([query])[0], dtype=np.float32))


class BM25:
    """The scorer ``bm25``: of words that are normalised as labels are (case, width, punctuation), not stemmed.

    Args:
        k1: how slowly repeated words lose weight, 0 or more.
        b: how far long texts are held back, 0 to 1.
    """

    name = "bm25"

    def __init__(self, *, k1: float = 1.5, b: float = 0.75) -> None:
        if not (k1 >= 0 and 0 <= b <= 1):
            raise SettingsError(f"k1 is {k1} and b is {b}: give k1 of 0 or more and b from 0 to 1")
        self.k1, self.b = k1, b

    def fit(self, texts: Sequence[str]) -> FittedScorer:
        """Index the texts; their scores are 0 or more."""
        import bm25s

        corpus = [normalise(text).split() for text in texts]
        count, has_words = len(corpus), any(corpus)
        index = bm25s.BM25(method="lucene", k1=self.k1, b=self.b)
        if has_words:
            index.index(corpus, show_progress=False)

        def scores(query: str) -> Scores:
            known = index.get_tokens_ids(normalise(query).split()) if has_words else []
            if not known:
                return np.zeros(count, dtype=np.float32)
            return np.asarray(index.get_scores_from_ids(known), dtype=np.float32)

        return _Fitted(scores)


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


def get_text_scorer(name: str) -> TextScorer:
    """The scorer of a name, ``NAME``, or ``NAME:WHICH`` where it needs to know which: every embedder, and ``bm25``.

    A scorer of the entry-point group ``toulmin.scorers`` is a function from what follows the colon (a text, empty where
    nothing does) to a scorer.

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
