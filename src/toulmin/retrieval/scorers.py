"""How similar is a query to each of these texts: one protocol for embeddings and for words in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import entry_points
from typing import Protocol

import numpy as np

from toulmin.errors import SettingsError
from toulmin.retrieval.bm25 import BM25
from toulmin.retrieval.embedders import Embedder, Vectors, embedder_names, get_embedder, is_embedder
from toulmin.retrieval.ranking import Ranked, Scores, best

__all__ = ["Cosine", "FittedCosine", "FittedScorer", "TextScorer", "get_scorer", "scorer_names"]

_ENTRY_POINTS = "toulmin.scorers"


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
        """The name under which ``get_scorer`` finds it."""

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


_SCORERS: Mapping[str, Callable[[], TextScorer]] = {"bm25": BM25}


def scorer_names() -> tuple[str, ...]:
    """What ``get_scorer`` knows: every embedder, ``bm25``, and the entry points of the group ``toulmin.scorers``."""
    return (*embedder_names(), *_SCORERS, *sorted(point.name for point in entry_points(group=_ENTRY_POINTS)))


def get_scorer(name: str) -> TextScorer:
    """The scorer of a name.

    Raises:
        SettingsError: no scorer has this name.
        MissingExtraError: an embedding model whose package is not installed.
    """
    if name in _SCORERS:
        return _SCORERS[name]()
    if is_embedder(name):
        return Cosine(get_embedder(name), name)
    for point in entry_points(group=_ENTRY_POINTS):
        if point.name == name:
            scorer: TextScorer = point.load()()
            return scorer
    raise SettingsError(f"no scorer is called {name!r}; known: {', '.join(scorer_names())}")
