"""How faithful a chain of thought is to the evidence found for its sentences (Rethinking with Retrieval, A.2).

Beside the functions of the paper two of ours: 1 + the mean entailment of a chain's sentences; and a calibrated one:
what its source is worth, the means of its sentences' scores, and what its words tell.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal as Choice

from toulmin.proof.chains.words import Shares

__all__ = ["FUNCTIONS", "Function", "Scores", "Thresholds", "faithfulness"]

#: "equal": each chain weighs the same, which is self-consistency; f1, f2, f3: of A.2. Not of the paper:
#: "mean-entailment", 1 + the mean over its sentences; "calibrated", what its source is worth, means over its sentences,
#: and what its words tell.
Function = Choice["equal", "f1", "f2", "f3", "mean-entailment", "calibrated"]


@dataclass(frozen=True, slots=True)
class Scores:
    """Of one sentence: E, C and M of A.2.

    Attributes:
        entailment, contradiction: probabilities that its evidence says so, or says otherwise.
        similarity: cosine of the sentence and its evidence; 0 where no evidence was found.
    """

    entailment: float
    contradiction: float
    similarity: float


@dataclass(frozen=True, slots=True)
class Thresholds:
    """T_m, T_e and T_c of A.2, and the weights of "calibrated".

    Attributes:
        weights: w_e, w_m and w_c, of the means of entailment, similarity and contradiction.
        words: w_g and w_d, of the grounded and the disputed share (``words.Shares``).
    """

    similarity: float = 0.5
    entailment: float = 0.6
    contradiction: float = 0.99
    weights: tuple[float, float, float] = (1.0, 0.0, 0.0)
    words: tuple[float, float] = (0.0, 0.0)


_PAPER = Thresholds()
_NOTHING = Shares()


def _f1(one: Scores, at: Thresholds) -> tuple[float, ...]:
    return (one.similarity if one.similarity >= at.similarity else one.entailment, -one.contradiction)


def _f2(one: Scores, at: Thresholds) -> tuple[float, ...]:
    return (one.similarity, one.entailment)


def _f3(one: Scores, at: Thresholds) -> tuple[float, ...]:
    entailed = one.entailment if one.entailment >= at.entailment else 0.0
    return (entailed, -one.contradiction if one.contradiction >= at.contradiction else 0.0)


#: What one sentence adds to the sum, term by term.
FUNCTIONS: Mapping[Function, Callable[[Scores, Thresholds], tuple[float, ...]]] = {"f1": _f1, "f2": _f2, "f3": _f3}


def faithfulness(
    function: Function,
    sentences: Sequence[Scores],
    thresholds: Thresholds = _PAPER,
    base: float = 1.0,
    shares: Shares = _NOTHING,
) -> float:
    """The faithfulness of a chain, f(R) of A.2; 1 for "equal". Summed exactly, so that no order changes it.

    Args:
        base: of "mean-entailment" and "calibrated", to which the mean entailment, or each weight times the mean of its
            score or its share, is added: all that a chain without sentences has. Of "calibrated" the log odds of the
            chain's source being right, 1 where that is not known.
        shares: of the chain, for "calibrated".
    """
    if function == "equal":
        return 1.0
    if function == "mean-entailment":
        return base + (math.fsum(one.entailment for one in sentences) / len(sentences) if sentences else 0.0)
    if function == "calibrated":
        rows = [(one.entailment, one.similarity, one.contradiction) for one in sentences]
        means = [math.fsum(column) / len(rows) for column in zip(*rows, strict=True)] if rows else [0.0] * 3
        weights = (*thresholds.weights, *thresholds.words)
        values = (*means, shares.grounded, shares.disputed)
        return math.fsum((base, *(weight * value for weight, value in zip(weights, values, strict=True))))
    terms = FUNCTIONS[function]
    return math.fsum(term for one in sentences for term in terms(one, thresholds))
