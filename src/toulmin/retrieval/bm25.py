"""BM25 over short texts, by bm25s.

    score(q, d) = sum over the words w of q of  idf(w) * tf(w, d) / (tf(w, d) + k1 * (1 - b + b * |d| / mean |d|))
    idf(w) = ln(1 + (n - df(w) + 0.5) / (df(w) + 0.5))

The term weight is that of Robertson and Zaragoza 2009 (eq. 3.15), who find 1.2 < k1 < 2 and 0.5 < b < 0.8 good; the
idf is Lucene's, which is positive also for a word of more than half of the texts: among the few relations of a graph
there are such words. A word said twice in the query counts twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from toulmin.errors import SettingsError
from toulmin.graph.labels import normalise
from toulmin.retrieval.ranking import Ranked, Scores, best

__all__ = ["BM25", "FittedBM25", "tokens"]


def tokens(text: str) -> list[str]:
    """The words of a text: normalised as labels are (case, width, punctuation), not stemmed."""
    return normalise(text).split()


class BM25:
    """The scorer ``bm25``.

    Args:
        k1: how slowly repeated words lose weight, 0 or more.
        b: how far long texts are held back, 0 to 1.
    """

    name = "bm25"

    def __init__(self, *, k1: float = 1.5, b: float = 0.75) -> None:
        if not (k1 >= 0 and 0 <= b <= 1):
            raise SettingsError(f"k1 is {k1} and b is {b}: give k1 of 0 or more and b from 0 to 1")
        self.k1, self.b = k1, b

    def fit(self, texts: Sequence[str]) -> FittedBM25:
        """Index the texts."""
        import bm25s

        corpus = [tokens(text) for text in texts]
        if not any(corpus):
            return FittedBM25(None, len(texts))
        index = bm25s.BM25(method="lucene", k1=self.k1, b=self.b)
        index.index(corpus, show_progress=False)
        return FittedBM25(index, len(texts))


class FittedBM25:
    """Indexed texts."""

    def __init__(self, index: Any, count: int) -> None:
        self._index, self._count = index, count

    def scores(self, query: str) -> Scores:
        """BM25 of each text, float32[n], 0 or more."""
        known = [] if self._index is None else self._index.get_tokens_ids(tokens(query))
        if not known:
            return np.zeros(self._count, dtype=np.float32)
        return np.asarray(self._index.get_scores_from_ids(known), dtype=np.float32)

    def top(self, query: str, k: int) -> Ranked:
        """The ``k`` texts of highest score: places and scores, best first."""
        return best(self.scores(query), k)
