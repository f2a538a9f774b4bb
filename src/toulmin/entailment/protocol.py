"""What an entailment scorer is: pairs in, three probabilities out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["CONTRADICT", "ENTAIL", "UNKNOWN", "Pair", "Scorer", "Scores", "by_length", "probabilities"]

#: float32[n, 3], in the columns below.
Scores: TypeAlias = NDArray[np.float32]

#: A premise (the evidence) and a hypothesis (the sentence to judge).
Pair: TypeAlias = tuple[str, str]

#: Columns of the scores.
ENTAIL, UNKNOWN, CONTRADICT = 0, 1, 2


def probabilities(logits: Scores) -> Scores:
    """The softmax of logits, row by row; float[n, classes] to the same."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    made: Scores = powers / powers.sum(axis=1, keepdims=True)
    return made


def by_length(lengths: Sequence[int], most: int) -> Iterator[list[int]]:
    """The places of texts, the longest first, in batches of at most ``most`` tokens (or one text), padding included."""
    order = sorted(range(len(lengths)), key=lambda place: -lengths[place])
    start = 0
    while start < len(order):
        places = order[start : start + max(1, most // lengths[order[start]])]
        yield places
        start += len(places)


class Scorer(Protocol):
    """Judges whether evidence supports, leaves open or contradicts a sentence."""

    @property
    def name(self) -> str:
        """Names the model, its version, and whether code compares values; it stands in all that it judges."""

    def score(self, pairs: Sequence[Pair]) -> Scores:
        """Probabilities float32[n, 3] of entailment, unknown (neutral) and contradiction; each row sums to 1."""
