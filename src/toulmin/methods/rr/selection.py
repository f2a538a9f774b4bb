"""Topics of sentences, for fact selection (papers/rr, A.4)."""

from __future__ import annotations

import numpy as np

from toulmin.retrieval.embedders import Vectors

__all__ = ["topics"]


def topics(vectors: Vectors, threshold: float) -> list[list[int]]:
    """Greedy clustering: each sentence joins the topic whose first sentence is most similar to it, or opens one.

    Args:
        vectors: of the sentences, unit length, float32[n, d]; those of the best output first.
        threshold: cosine from which sentences are of one topic.

    Returns:
        Positions of sentences by topic.
    """
    groups: list[list[int]] = []
    for place, vector in enumerate(vectors):
        if groups:
            cosines = vectors[[group[0] for group in groups]] @ vector
            nearest = int(np.argmax(cosines))
            if cosines[nearest] >= threshold:
                groups[nearest].append(place)
                continue
        groups.append([place])
    return groups
