"""Coverage of gold paths by retrieved ones: the experiment of papers/fidelis, figure 3 (a, b)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from toulmin.errors import SettingsError
from toulmin.evaluation.datasets.types import GoldPath, Question
from toulmin.evaluation.metrics import coverage_ratio
from toulmin.evaluation.statistics import ConfidenceInterval, bootstrap_interval, paired_difference

__all__ = ["CUTOFFS", "Coverage", "PathRetriever", "compare_coverage", "coverage_at"]

#: question -> candidate reasoning paths as relation sequences (labels, with directions where known), best first.
PathRetriever = Callable[[Question], Sequence[GoldPath]]
CUTOFFS = (1, 5, 10, 30)


@dataclass(frozen=True, slots=True)
class Coverage:
    """Mean CR at one cutoff: of two retrievers, and the paired difference first - second."""

    k: int
    first: ConfidenceInterval
    second: ConfidenceInterval
    difference: ConfidenceInterval


def coverage_at(retriever: PathRetriever, questions: Iterable[Question], cutoffs: Sequence[int]) -> list[list[float]]:
    """CR of the first k retrieved paths, [question][cutoff]; questions without a gold path are left out.

    Candidates that are the same relation sequence count once, at their best rank: CR is a ratio of such sequences.
    """
    if not cutoffs or min(cutoffs) < 1:
        raise SettingsError(f"cutoffs must be at least 1, not {list(cutoffs)}")
    ratios = []
    for question in questions:
        if question.gold_paths:
            ranked = list(dict.fromkeys(tuple(path) for path in retriever(question)))
            ratios.append([coverage_ratio(ranked[:k], question.gold_paths) for k in cutoffs])
    return ratios


def compare_coverage(
    questions: Sequence[Question],
    first: PathRetriever,
    second: PathRetriever,
    *,
    cutoffs: Sequence[int] = CUTOFFS,
    seed: int = 0,
) -> list[Coverage]:
    """Mean CR@k of two retrievers over the questions that have a gold path, with intervals, one for each cutoff.

    Args:
        seed: of the bootstrap.

    Raises:
        SettingsError: no question has a gold path, or a cutoff is below 1.
    """
    a, b = (coverage_at(retriever, questions, cutoffs) for retriever in (first, second))
    if not a:
        raise SettingsError("none of the questions has a gold path, so there is nothing to cover")
    compared = []
    for column, k in enumerate(cutoffs):
        x, y = [row[column] for row in a], [row[column] for row in b]
        compared.append(
            Coverage(
                k,
                first=bootstrap_interval(x, seed=seed),
                second=bootstrap_interval(y, seed=seed),
                difference=paired_difference(x, y, seed=seed),
            )
        )
    return compared
