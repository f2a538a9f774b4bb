"""Variant I, fact selection (papers/rr, A.4): sentences of all outputs by topic, the most faithful of each topic."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from toulmin.retrieval.embedders import Vectors

__all__ = ["select", "topics"]

_SAME = 1e-9


def topics(vectors: Vectors, threshold: float) -> list[list[int]]:
    """Greedy clustering: each sentence joins the topic whose first sentence is most similar to it, or opens one.

    Args:
        vectors: of the sentences, unit length, float32[n, d]; those of the best output first.
        threshold: cosine from which sentences are of one topic.

    Returns:
        Positions of sentences by topic; the first one is the topic's own.
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


def select(best: Sequence[int], groups: Sequence[Sequence[int]], faithfulness: Sequence[float]) -> list[int]:
    """For each fact of the best output the most faithful fact of its topic, each fact once.

    Args:
        best: positions of the best output's facts.
        groups: as ``topics`` gives them.
        faithfulness: of each sentence by itself.
    """
    topic = {place: group for group in groups for place in group}
    chosen = []
    for fact in best:
        most = max(faithfulness[place] for place in topic[fact])
        kept = faithfulness[fact] >= most - _SAME  # of equals the output's own fact stays
        chosen.append(fact if kept else next(place for place in topic[fact] if faithfulness[place] >= most - _SAME))
    return list(dict.fromkeys(chosen))
