"""Figures of a whole run: what was answered, how right that is, whether confidence tells right from wrong, the cost.

Their rows are questions, float64[n, 3]: whether it was answered, the confidence of the answer (NaN where it has none),
whether it is right (NaN where the question has no gold). What judges confidence is of the answered questions that have
both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from toulmin.evaluation.metrics.declared import Metric, declared
from toulmin.evaluation.statistics import Interval, bootstrap_interval, bootstrap_statistic, mean_interval

if TYPE_CHECKING:
    from toulmin.evaluation.records import Score

__all__ = [
    "BINS",
    "COSTS",
    "METRICS",
    "RUN_METRICS",
    "Kept",
    "area_under_risk",
    "brier_score",
    "calibration_error",
    "confidence_auc",
    "is_right",
    "judged",
    "mean_figure",
    "outcome_rows",
    "risk_coverage",
    "run_figure",
]

Array: TypeAlias = NDArray[np.float64]

BINS = 10  # of the expected calibration error
ANSWERED, CONFIDENCE, RIGHT = 0, 1, 2

_CONFIDENT = "runs whose answers have a confidence"
_RIGHT = "Right is accuracy, else hits_at_1."

METRICS = (
    Metric(
        "coverage",
        "Answered questions / all questions; those abstained from, crashed and timed out are not answered.",
        "El-Yaniv and Wiener 2010, section 2",
        of="run",
    ),
    Metric("abstention_rate", "Questions abstained from / all questions.", "ours", of="run", better=None),
    Metric(
        "selective_accuracy",
        f"Right answers / answered questions: 1 less the selective risk. {_RIGHT} Only beside coverage does it mean "
        "anything.",
        "El-Yaniv and Wiener 2010, section 2",
        "questions with gold",
        of="run",
    ),
    Metric(
        "risk_area",
        "AURC: the mean over k of the share of wrong ones among the k most confident answers, k from 1 to their "
        f"number; where confidences are equal its expectation over their orders. {_RIGHT}",
        "Geifman et al. 2019, section 3 (AURC)",
        _CONFIDENT,
        of="run",
        better="low",
    ),
    Metric(
        "calibration_error",
        f"ECE: \u03a3 |B| / n · |share of right ones in B - mean confidence in B| over {BINS} bins of equal width, "
        f"(0, 0.1], (0.1, 0.2] …, the first with 0. {_RIGHT}",
        "Guo et al. 2017, equation 3, after Naeini et al. 2015",
        _CONFIDENT,
        of="run",
        better="low",
    ),
    Metric(
        "brier_score",
        f"The mean of (confidence - right)², right being 1 or 0. {_RIGHT}",
        "Brier 1950",
        _CONFIDENT,
        of="run",
        better="low",
    ),
    Metric(
        "confidence_auc",
        "The chance that a right answer has more confidence than a wrong one; equal ones count one half. Undefined "
        f"where all are right, or all wrong. {_RIGHT}",
        "Hanley and McNeil 1982",
        _CONFIDENT,
        of="run",
    ),
    *(
        Metric(name, definition, source, needs, high=None, better="low")
        for name, definition, source, needs in (
            (
                "model_calls",
                "Requests to the language model for the question, repairs included.",
                "papers/fidelis, section 3.4, table 6",
                "",
            ),
            ("prompt_tokens", "Tokens of its prompts, as the endpoint counts them.", "papers/fidelis, table 6", ""),
            ("completion_tokens", "Tokens of its replies, as the endpoint counts them.", "papers/fidelis, table 6", ""),
            ("cost", "Tokens times their price, in the currency of --prices.", "ours", "models with a price"),
            (
                "seconds",
                "Wall time of the method; of a question that timed out, until then.",
                "papers/fidelis, table 6",
                "",
            ),
        )
    ),
)

#: What a question costs, by name: of ``Score.usage``, and ``seconds``.
COSTS = ("model_calls", "prompt_tokens", "completion_tokens", "cost", "seconds")


def is_right(score: Score) -> float | None:
    """Accuracy, else Hits@1; None of a question without gold."""
    return score.metrics.get("accuracy", score.metrics.get("hits_at_1"))


def outcome_rows(scores: Iterable[Score]) -> Array:
    """The rows of this module: answered, confidence, right; float64[n, 3]."""
    rows = [(one.outcome == "answered", one.confidence, is_right(one)) for one in scores]
    return np.array(rows, dtype=np.float64).reshape(-1, 3)  # None becomes NaN


def judged(rows: Array) -> tuple[Array, Array]:
    """Confidence and right of the answered questions that have both."""
    kept = rows[(rows[:, ANSWERED] == 1) & ~np.isnan(rows).any(axis=1)]
    return kept[:, CONFIDENCE], kept[:, RIGHT]


class Kept(NamedTuple):
    """Answers with at least this confidence: their share of all questions, and the share of wrong ones among them."""

    confidence: float
    coverage: float
    risk: float


def risk_coverage(confidence: Array, right: Array, n: int | None = None) -> list[Kept]:
    """The risk–coverage curve (El-Yaniv and Wiener 2010): a point for each confidence that occurs, highest first.

    Args:
        confidence, right: of answers, float64[k].
        n: all questions, of which coverage is a share; default k.
    """
    levels, inverse = np.unique(-confidence, return_inverse=True)
    kept = np.cumsum(np.bincount(inverse, minlength=len(levels)))
    wrong = np.cumsum(np.bincount(inverse, weights=1 - right, minlength=len(levels)))
    columns = (-levels, kept / (n or max(len(confidence), 1)), wrong / np.maximum(kept, 1))
    return [Kept(*map(float, point)) for point in zip(*columns, strict=True)]


def area_under_risk(confidence: Array, right: Array) -> float:
    """AURC; equal confidences in every order, in the mean. NaN of no answer."""
    if not len(confidence):
        return float("nan")
    levels, inverse, sizes = np.unique(-confidence, return_inverse=True, return_counts=True)
    share = np.bincount(inverse, weights=1 - right, minlength=len(levels)) / sizes
    # Within a level each further answer adds, in the mean over its orders, the level's share of wrong ones.
    wrong = np.cumsum(np.repeat(share, sizes))
    return float((wrong / np.arange(1, len(confidence) + 1)).mean())


def calibration_error(confidence: Array, right: Array, bins: int = BINS) -> float:
    """ECE over bins of equal width, (0, 1 / bins] and so on, the first with 0. NaN of no answer."""
    if not len(confidence):
        return float("nan")
    place = np.clip(np.ceil(confidence * bins).astype(int) - 1, 0, bins - 1)
    return float(np.abs(np.bincount(place, weights=right - confidence, minlength=bins)).sum() / len(confidence))


def brier_score(confidence: Array, right: Array) -> float:
    """The mean squared distance of confidence from right. NaN of no answer."""
    return float(((confidence - right) ** 2).mean()) if len(confidence) else float("nan")


def confidence_auc(confidence: Array, right: Array) -> float:
    """The area under the ROC curve of confidence. NaN where all are right, or all wrong."""
    from scipy.stats import rankdata

    n, positive = len(right), int(right.sum())
    if positive in (0, n):
        return float("nan")
    ranks = rankdata(confidence)[right == 1].sum()
    return float((ranks - positive * (positive + 1) / 2) / (positive * (n - positive)))


def mean_figure(name: str, values: Sequence[float], *, seed: int = 0) -> Interval:
    """The mean of a metric of questions with its interval; of one that is a share, also where all or none have it."""
    of = declared().get(name)
    interval = mean_interval if of is not None and of.high == 1 else bootstrap_interval
    return interval(values, seed=seed)


def run_figure(name: str, scores: Iterable[Score], *, seed: int = 0) -> Interval | None:
    """A figure of ``RUN_METRICS`` with its interval over questions; None where it is undefined."""
    rows = outcome_rows(scores)
    if name in _SHARES:
        values = _SHARES[name](rows)
        return mean_interval(values, seed=seed) if len(values) else None
    found = bootstrap_statistic(RUN_METRICS[name], rows, seed=seed)
    return None if found is None else found.interval


def _answered(rows: Array) -> Array:
    return rows[:, ANSWERED]


def _right_if_answered(rows: Array) -> Array:
    right: Array = rows[(rows[:, ANSWERED] == 1) & ~np.isnan(rows[:, RIGHT]), RIGHT]
    return right


def _mean(values: Array) -> float:
    return float(values.mean()) if len(values) else float("nan")


_SHARES = {"coverage": _answered, "selective_accuracy": _right_if_answered}
#: Figures of rows by name; NaN where they are undefined.
RUN_METRICS: Mapping[str, Callable[[Array], float]] = {
    "coverage": lambda rows: _mean(_answered(rows)),
    "selective_accuracy": lambda rows: _mean(_right_if_answered(rows)),
    "risk_area": lambda rows: area_under_risk(*judged(rows)),
    "calibration_error": lambda rows: calibration_error(*judged(rows)),
    "brier_score": lambda rows: brier_score(*judged(rows)),
    "confidence_auc": lambda rows: confidence_auc(*judged(rows)),
}
