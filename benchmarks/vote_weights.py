"""Weights of eq. 1 fitted on questions with answers, for benchmarks/rr.py: logistic regression, cross-fitted.

The weight of a path is linear, base of its source + w · (what its evidence and its words tell), so that the vote of
eq. 1 is the log odds of "yes" in a logistic regression whose columns are sums over the paths of +x for "yes" and -x for
"no". There is no constant: what the paths do not say is not learnt.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["columns", "cross_fitted", "fit", "from_few"]

Floats = NDArray[np.float64]

_PENALTIES = (1.0, 3.0, 10.0, 30.0, 100.0)
_FOLDS = 10
_STEPS = 25


def columns(signs: Floats, told: Floats | None, *, by_source: bool) -> Floats:
    """The columns float64[n, k] of the regression.

    Args:
        signs: float64[n, 8]: +1 for a path that says yes, -1 for no, 0 for one without a prediction.
        told: float64[8 n, m] of the paths (``Scores.columns``, or some of them); None: nothing but the votes.
        by_source: whether each source has its base; else one base for all.
    """
    parts = [signs if by_source else signs.sum(axis=1, keepdims=True)]
    if told is not None:
        parts.append((signs[:, :, None] * told.reshape(*signs.shape, -1)).sum(axis=1))
    return np.concatenate(parts, axis=1)


def fit(x: Floats, yes: NDArray[np.bool_]) -> Floats:
    """The weights float64[k], with the penalty that predicts best within these questions."""
    scale = np.sqrt((x**2).mean(axis=0)) + 1e-9
    x = x / scale
    fold = np.random.default_rng(0).permutation(len(x)) % _FOLDS
    sign = np.where(yes, 1.0, -1.0)
    losses = []
    for penalty in _PENALTIES:
        odds = np.zeros(len(x))
        for one in range(_FOLDS):
            odds[fold == one] = x[fold == one] @ _newton(x[fold != one], yes[fold != one], penalty)
        losses.append(float(np.logaddexp(0, -sign * odds).sum()))
    return np.asarray(_newton(x, yes, _PENALTIES[int(np.argmin(losses))]) / scale)


def _newton(x: Floats, yes: NDArray[np.bool_], penalty: float) -> Floats:
    """The weights of logistic regression with a ridge penalty, by Newton's method."""
    weights = np.zeros(x.shape[1])
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-(x @ weights)))
        slope = x.T @ (p - yes) + penalty * weights
        curvature = (x * (p * (1 - p))[:, None]).T @ x + penalty * np.eye(x.shape[1])
        step = np.linalg.solve(curvature, slope)
        weights -= step
        if np.abs(step).max() < 1e-9:
            break
    return weights


def cross_fitted(x: Floats, yes: NDArray[np.bool_], *, rounds: int = 5) -> Floats:
    """Log odds of yes, float64[n]: of each question by weights fitted without it, averaged over random divisions."""
    odds = np.zeros(len(x))
    for seed in range(rounds):
        fold = np.random.default_rng(seed).permutation(len(x)) % _FOLDS
        for one in range(_FOLDS):
            odds[fold == one] += x[fold == one] @ fit(x[fold != one], yes[fold != one]) / rounds
    return odds


def from_few(x: Floats, yes: NDArray[np.bool_], *, labels: int, rounds: int = 50) -> tuple[float, float]:
    """Accuracy on the other questions of weights fitted on a random few: the mean and the deviation over draws."""
    shares: list[float] = []
    for seed in range(rounds):
        order: Sequence[int] = np.random.default_rng(seed).permutation(len(x)).tolist()
        few, rest = order[:labels], order[labels:]
        shares.append(float(((x[rest] @ fit(x[few], yes[few]) > 0) == yes[rest]).mean()))
    return float(np.mean(shares)), float(np.std(shares))
