"""Fact selection (papers/rr, A.4): topics of sentences, and the most faithful sentence of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from toulmin.retrieval.embedders import Vectors

__all__ = ["selected", "topics"]


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


def selected(own: Sequence[str], groups: Sequence[Sequence[str]], terms: Mapping[str, float]) -> list[str]:
    """For each sentence of the best output the most faithful of its topic, in order, each once; of equals itself.

    Args:
        own: the sentences of the best output.
        groups: sentences by topic.
        terms: the faithfulness of each.
    """
    topic = {sentence: group for group in groups for sentence in group}
    return list(dict.fromkeys(max((fact, *topic[fact]), key=lambda one: terms[one]) for fact in own))
