"""Faithfulness functions of papers/rr, A.2, on arrays: how well knowledge bears out what a reasoning path says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias
from typing import Literal as Choice

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    Floats: TypeAlias = NDArray[np.float64]

__all__ = ["FUNCTIONS", "Function", "Thresholds", "path_faithfulness", "sentence_faithfulness"]

Function = Choice["f1", "f2", "f3", "equal"]

#: f1: passages and tables. f2: temporal statements, whose contradiction scores are unreliable. f3: evidence of high
#: quality. equal: every path counts 1 (self-consistency).
FUNCTIONS: tuple[Function, ...] = ("f1", "f2", "f3", "equal")


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The paper's thresholds of similarity, entailment and contradiction."""

    T_m: float = 0.5
    T_e: float = 0.6
    T_c: float = 0.99


def sentence_faithfulness(
    function: Function,
    similarity: ArrayLike,
    entailment: ArrayLike,
    contradiction: ArrayLike,
    thresholds: Thresholds = Thresholds(),
) -> Floats:
    """What each sentence adds: float64[n].

    Args:
        function: with "equal" a sentence adds nothing; it is the path that counts.
        similarity: M, cosines float[n] of sentence and evidence; 0 where nothing was found.
        entailment, contradiction: E and C, probabilities float[n]; 0 where nothing was found.
    """
    m, e, c = (np.asarray(one, dtype=np.float64) for one in (similarity, entailment, contradiction))
    if function == "f1":
        return np.where(m >= thresholds.T_m, m, e) - c
    if function == "f2":
        return m + e
    if function == "f3":
        return e * (e >= thresholds.T_e) - c * (c >= thresholds.T_c)
    return np.zeros_like(m)


def path_faithfulness(
    function: Function,
    path: ArrayLike,
    count: int,
    similarity: ArrayLike,
    entailment: ArrayLike,
    contradiction: ArrayLike,
    thresholds: Thresholds = Thresholds(),
) -> Floats:
    """f(R) of each path: float64[count].

    Args:
        path: int[n], for each sentence the number of its path, from 0.
        count: of the paths; one without sentences has 0 (with "equal" 1, as every path).
        similarity, entailment, contradiction: of the sentences; see ``sentence_faithfulness``.
    """
    if function == "equal":
        return np.ones(count)
    terms = sentence_faithfulness(function, similarity, entailment, contradiction, thresholds)
    return np.bincount(np.asarray(path, dtype=np.int64), weights=terms, minlength=count).astype(np.float64)
