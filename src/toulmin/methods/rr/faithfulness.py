"""The faithfulness functions of papers/rr, A.2, on arrays: for many outputs at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toulmin.proof.chains.faithfulness import Function, Scores, Thresholds, faithfulness
from toulmin.proof.chains.words import Shares

if TYPE_CHECKING:
    Floats: TypeAlias = NDArray[np.float64]

__all__ = ["THRESHOLDS", "path_faithfulness", "sentence_faithfulness"]

#: The paper's.
THRESHOLDS = Thresholds(similarity=0.5, entailment=0.6, contradiction=0.99)


def sentence_faithfulness(
    function: Function,
    similarity: ArrayLike,
    entailment: ArrayLike,
    contradiction: ArrayLike,
    thresholds: Thresholds = THRESHOLDS,
) -> Floats:
    """What each sentence adds by itself: float64[n]; with "equal" nothing, of a mean its part before the division.

    Args:
        similarity: M, cosines float[n] of sentence and evidence; 0 where nothing was found.
        entailment, contradiction: E and C, probabilities float[n]; 0 where nothing was found.
    """
    if function == "equal":
        return np.zeros(len(np.asarray(similarity)))
    scores = _scores(similarity, entailment, contradiction)
    return np.array([faithfulness(function, [one], thresholds, 0.0) for one in scores], dtype=np.float64)


def path_faithfulness(
    function: Function,
    path: ArrayLike,
    count: int,
    similarity: ArrayLike,
    entailment: ArrayLike,
    contradiction: ArrayLike,
    thresholds: Thresholds = THRESHOLDS,
    base: ArrayLike = 1.0,
    shares: Sequence[Shares] = (),
) -> Floats:
    """f(R) of each path: float64[count].

    Args:
        path: int[n], for each sentence the number of its path, from 0.
        count: of the paths; one without sentences has 0 (with "equal" 1, as every path).
        similarity, entailment, contradiction: of the sentences; see ``sentence_faithfulness``.
        base: of each path, for "mean-entailment" and "calibrated".
        shares: of each path, for "calibrated"; empty: its words tell nothing.
    """
    bases = np.broadcast_to(np.asarray(base, dtype=np.float64), (count,)).tolist()
    said: list[list[Scores]] = [[] for _ in range(count)]
    places = np.asarray(path, dtype=np.int64).tolist()
    for place, scores in zip(places, _scores(similarity, entailment, contradiction), strict=True):
        said[place].append(scores)
    rows = zip(said, bases, shares or [Shares()] * count, strict=True)
    return np.array([faithfulness(function, one, thresholds, *own) for one, *own in rows], dtype=np.float64)


def _scores(similarity: ArrayLike, entailment: ArrayLike, contradiction: ArrayLike) -> list[Scores]:
    m, e, c = (np.asarray(one, dtype=np.float64).tolist() for one in (similarity, entailment, contradiction))
    return [Scores(entailment=e_, contradiction=c_, similarity=m_) for m_, e_, c_ in zip(m, e, c, strict=True)]
