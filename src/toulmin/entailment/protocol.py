"""What an entailment scorer is: pairs in, three probabilities out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Scores: TypeAlias = NDArray[np.float32]

__all__ = ["CONTRADICT", "ENTAIL", "UNKNOWN", "Pair", "Scorer"]

#: A premise (the evidence) and a hypothesis (the sentence to judge).
Pair: TypeAlias = tuple[str, str]

#: Columns of the scores.
ENTAIL, UNKNOWN, CONTRADICT = 0, 1, 2


class Scorer(Protocol):
    """Judges whether evidence supports, leaves open or contradicts a sentence."""

    @property
    def name(self) -> str:
        """Names the model and its version; it stands in all that it judges."""

    def score(self, pairs: Sequence[Pair]) -> Scores:
        """Probabilities float32[n, 3] of entailment, unknown (neutral) and contradiction; each row sums to 1."""
