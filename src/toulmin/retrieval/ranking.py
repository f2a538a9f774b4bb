"""The best of many scores, in an order that depends on the scores and places alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from toulmin.errors import SettingsError
from toulmin.retrieval.embedders import Embedder

__all__ = ["Ranked", "Scores", "best", "likest"]

Scores = NDArray[np.float32]
Ranked = tuple[NDArray[np.int64], Scores]


def best(scores: Scores, k: int) -> Ranked:
    """The places of the ``k`` highest scores and these, best first; of equal scores the first place comes first.

    Raises:
        SettingsError: ``k`` is negative.
    """
    if k < 0:
        raise SettingsError(f"k is {k}: give 0 or more")
    places = np.arange(len(scores), dtype=np.int64)
    if 0 < k < len(scores):
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        places = np.flatnonzero(scores >= least)
    order = places[np.argsort(-scores[places], kind="stable")][:k]
    return order, scores[order]


def likest(embedder: Embedder, text: str, others: Sequence[str], k: int) -> list[int]:
    """The places of the ``k`` texts that are most like a text, by the cosine of their vectors, in ascending order."""
    distinct = list(dict.fromkeys(others))
    vectors = embedder.embed([text, *distinct])
    likeness = dict(zip(distinct, (vectors[1:] @ vectors[0]).tolist(), strict=True))
    places, _ = best(np.array([likeness[other] for other in others], dtype=np.float32), k)
    return sorted(places.tolist())
