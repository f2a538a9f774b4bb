"""How faithful a chain of thought is to the evidence found for its sentences (Rethinking with Retrieval, A.2)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal as Choice

__all__ = ["FUNCTIONS", "Function", "Scores", "Thresholds", "faithfulness"]

#: "equal": each chain weighs the same, which is self-consistency; f1, f2, f3: of A.2.
Function = Choice["equal", "f1", "f2", "f3"]


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
    """T_m, T_e and T_c of A.2."""

    similarity: float
    entailment: float
    contradiction: float


def _f1(one: Scores, at: Thresholds) -> tuple[float, ...]:
    return (one.similarity if one.similarity >= at.similarity else one.entailment, -one.contradiction)


def _f2(one: Scores, at: Thresholds) -> tuple[float, ...]:
    return (one.similarity, one.entailment)


def _f3(one: Scores, at: Thresholds) -> tuple[float, ...]:
    entailed = one.entailment if one.entailment >= at.entailment else 0.0
    return (entailed, -one.contradiction if one.contradiction >= at.contradiction else 0.0)


#: What one sentence adds to the sum, term by term.
FUNCTIONS: Mapping[Function, Callable[[Scores, Thresholds], tuple[float, ...]]] = {"f1": _f1, "f2": _f2, "f3": _f3}


def faithfulness(function: Function, sentences: Sequence[Scores], thresholds: Thresholds) -> float:
    """The faithfulness of a chain, f(R) of A.2; 1 for "equal". Summed exactly, so that no order changes it."""
    if function == "equal":
        return 1.0
    terms = FUNCTIONS[function]
    return math.fsum(term for one in sentences for term in terms(one, thresholds))
