"""Figures of a whole run: what was answered, how right that is, whether confidence tells right from wrong, the cost.

Their rows are questions, float64[n, 3]: whether it was answered, the confidence of the answer (NaN where it has none),
whether it is right (NaN where the question has no gold). What judges confidence is of the answered questions that have
both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from toulmin.evaluation.metrics.declared import declared
from toulmin.evaluation.records import Score
from toulmin.evaluation.statistics import ConfidenceInterval, bootstrap_interval, bootstrap_statistic, mean_interval

__all__ = [
    "COSTS",
    "RUN_METRICS",
    "Kept",
    "Levels",
    "area_under_risk",
    "brier_score",
    "calibration_error",
    "confidence_auc",
    "figure_of",
    "is_right",
    "mean_figure",
    "outcome_rows",
    "risk_coverage",
    "run_figure",
]

Array: TypeAlias = NDArray[np.float64]

BINS = 10  # of the expected calibration error
ANSWERED, CONFIDENCE, RIGHT = 0, 1, 2

#: What a question costs, by name: of ``Score.usage``, and ``seconds``.
COSTS = ("model_calls", "prompt_tokens", "completion_tokens", "cost", "seconds")


def is_right(score: Score) -> float | None:
    """Accuracy, else Hits@1; None of a question without gold."""
    return score.metrics.get("accuracy", score.metrics.get("hits_at_1"))


def outcome_rows(scores: Iterable[Score]) -> Array:
    """The rows of this module: answered, confidence, right; float64[n, 3]."""
    rows = [(score.outcome == "answered", score.confidence, is_right(score)) for score in scores]
    return np.array(rows, dtype=np.float64).reshape(-1, 3)  # None becomes NaN


class Levels(NamedTuple):
    """Answers by their confidence, each level once, highest first: how many are right, and how many wrong."""

    confidence: Array
    right: Array
    wrong: Array

    @classmethod
    def of(cls, confidence: Array, right: Array) -> Levels:
        """The levels of answers, float64[k] each; right is 1 or 0."""
        return _counted(*_placed(confidence, right))

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many answers are of each level."""
        return (self.right + self.wrong).astype(np.int64)


class Kept(NamedTuple):
    """Answers with at least this confidence: their share of all questions, and the share of wrong ones among them."""

    confidence: float
    coverage: float
    risk: float


def _placed(confidence: Array, right: Array) -> tuple[Array, NDArray[np.int64]]:
    """The levels, highest first, and for each answer its cell: twice its level's place, and 1 more if it is wrong."""
    levels, places = np.unique(-confidence, return_inverse=True)
    return -levels, 2 * places.astype(np.int64) + (right == 0)


def _counted(levels: Array, cells: NDArray[np.int64]) -> Levels:
    counts = np.bincount(cells, minlength=2 * len(levels))[: 2 * len(levels)].astype(np.float64)
    return Levels(levels, counts[::2], counts[1::2])


def risk_coverage(levels: Levels, n: int) -> list[Kept]:
    """The risk–coverage curve (El-Yaniv and Wiener 2010): a point for each confidence that occurs, highest first.

    Args:
        n: all questions, of which coverage is a share.
    """
    answered = np.cumsum(levels.sizes)
    columns = (levels.confidence, answered / n, np.cumsum(levels.wrong) / answered)
    return [Kept(*map(float, point)) for point in zip(*columns, strict=True)]


def area_under_risk(levels: Levels) -> float:
    """AURC; equal confidences in every order, in the mean. NaN of no answer."""
    if not levels.sizes.sum():
        return float("nan")
    # Within a level each further answer adds, in the mean over its orders, the level's share of wrong ones.
    wrong = np.cumsum(np.repeat(levels.wrong / np.maximum(levels.sizes, 1), levels.sizes))
    return float((wrong / np.arange(1, len(wrong) + 1)).mean())


def calibration_error(levels: Levels) -> float:
    """ECE over bins of equal width, (0, 1 / BINS] and so on, the first with 0. NaN of no answer."""
    if not levels.sizes.sum():
        return float("nan")
    place = np.clip(np.ceil(levels.confidence * BINS).astype(np.int64) - 1, 0, BINS - 1)
    apart = np.bincount(place, weights=levels.right - levels.confidence * levels.sizes, minlength=BINS)
    return float(np.abs(apart).sum() / levels.sizes.sum())


def brier_score(levels: Levels) -> float:
    """The mean squared distance of confidence from right. NaN of no answer."""
    n = levels.sizes.sum()
    apart = (levels.right * (1 - levels.confidence) ** 2 + levels.wrong * levels.confidence**2).sum()
    return float(apart / n) if n else float("nan")


def confidence_auc(levels: Levels) -> float:
    """The area under the ROC curve of confidence. NaN where all are right, or all wrong."""
    right, wrong = levels.right.sum(), levels.wrong.sum()
    if not right or not wrong:
        return float("nan")
    below = wrong - np.cumsum(levels.wrong) + levels.wrong / 2
    return float((levels.right * below).sum() / (right * wrong))


_CALIBRATION: Mapping[str, Callable[[Levels], float]] = {
    "risk_area": area_under_risk,
    "calibration_error": calibration_error,
    "brier_score": brier_score,
    "confidence_auc": confidence_auc,
}
#: Figures of whole runs, by name.
RUN_METRICS = ("coverage", "selective_accuracy", *_CALIBRATION)


def figure_of(name: str, rows: Array) -> Callable[[NDArray[np.int64]], float]:
    """A figure of ``RUN_METRICS``, of those rows whose numbers are given; NaN where it is undefined.

    What judges confidence sorts it once, not for each resample.
    """
    answered = rows[:, ANSWERED] == 1
    if name == "coverage":
        return lambda places: float(answered[places].mean())
    if name == "selective_accuracy":
        right = np.where(answered, rows[:, RIGHT], np.nan)
        return lambda places: _mean(right[places])
    both = answered & ~np.isnan(rows).any(axis=1)  # a confidence, and gold
    levels, placed = _placed(rows[both, CONFIDENCE], rows[both, RIGHT])
    cells = np.full(len(rows), 2 * len(levels))  # the others, which are counted and left out
    cells[both] = placed
    figure = _CALIBRATION[name]
    return lambda places: figure(_counted(levels, cells[places]))


def _mean(values: Array) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")


def mean_figure(name: str, values: Sequence[float], *, seed: int = 0) -> ConfidenceInterval:
    """The mean of a metric of questions with its interval; of one that is a share, also where all or none have it."""
    of = declared().get(name)
    interval = mean_interval if of is not None and of.high == 1 else bootstrap_interval
    return interval(values, seed=seed)


def run_figure(name: str, scores: Iterable[Score], *, seed: int = 0) -> ConfidenceInterval | None:
    """A figure of ``RUN_METRICS`` with its interval over questions; None where it is undefined."""
    rows = outcome_rows(scores)
    if name in _CALIBRATION:
        resampled = bootstrap_statistic(figure_of(name, rows), len(rows), seed=seed)
        return None if resampled is None else resampled[0]
    values = rows[:, ANSWERED] if name == "coverage" else rows[rows[:, ANSWERED] == 1, RIGHT]
    values = values[~np.isnan(values)]
    return mean_interval(values, seed=seed) if len(values) else None
