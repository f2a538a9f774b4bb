"""Intervals and paired tests (papers/r3, appendix B: McNemar for right or wrong, paired t for numbers)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toulmin.errors import SettingsError

__all__ = ["Interval", "McNemar", "PairedT", "bootstrap_interval", "mcnemar", "paired_difference", "paired_t"]

_CELLS = 4_000_000  # how many counts are drawn at a time: 32 MB


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with its confidence interval over ``n`` questions."""

    estimate: float
    low: float
    high: float
    n: int
    level: float = 0.95


@dataclass(frozen=True, slots=True)
class McNemar:
    """How many questions only the first got right, only the second, and the exact two-sided p-value."""

    only_first: int
    only_second: int
    p: float


@dataclass(frozen=True, slots=True)
class PairedT:
    """The mean difference first - second, the t statistic with ``n - 1`` degrees of freedom, the two-sided p-value."""

    difference: float
    t: float
    p: float
    n: int


def _finite(values: Sequence[float] | NDArray[np.float64], least: int) -> NDArray[np.float64]:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or len(array) < least:
        raise SettingsError(f"a statistic needs a list of at least {least} values, not an array of shape {array.shape}")
    if not np.isfinite(array).all():
        raise SettingsError("a statistic needs finite values: NaN or infinity is among them")
    return array


def _pair(
    first: Sequence[float] | NDArray[np.float64], second: Sequence[float] | NDArray[np.float64], least: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    a, b = _finite(first, least), _finite(second, least)
    if len(a) != len(b):
        raise SettingsError(f"paired values must be of the same questions: {len(a)} and {len(b)} of them")
    return a, b


def bootstrap_interval(
    values: Sequence[float] | NDArray[np.float64], *, level: float = 0.95, resamples: int = 10_000, seed: int = 0
) -> Interval:
    """The percentile bootstrap interval of the mean (Efron and Tibshirani 1993, chapter 13).

    Args:
        values: one figure for each question, [n].
        level: confidence level in (0, 1).
        resamples: number of bootstrap samples.
        seed: of the random numbers.

    Raises:
        SettingsError: no values, values that are not finite, a level or number of resamples out of range.
    """
    array = _finite(values, 1)
    if not 0 < level < 1 or resamples < 1:
        raise SettingsError(f"level must be in (0, 1) and resamples at least 1, not {level} and {resamples}")
    # A resample is how often each distinct value was drawn, which is multinomial: far fewer numbers than n indices.
    distinct, counts = np.unique(array, return_counts=True)
    generator = np.random.default_rng(seed)
    means = np.empty(resamples)
    block = max(1, _CELLS // len(distinct))
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        draws = generator.multinomial(len(array), counts / len(array), size=size)
        means[start : start + size] = draws @ distinct / len(array)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(array.mean()), float(low), float(high), len(array), level)


def paired_difference(
    first: Sequence[float] | NDArray[np.float64],
    second: Sequence[float] | NDArray[np.float64],
    *,
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> Interval:
    """The bootstrap interval of mean(first) - mean(second) over the same questions, which are resampled as pairs."""
    a, b = _pair(first, second, 1)
    return bootstrap_interval(a - b, level=level, resamples=resamples, seed=seed)


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> McNemar:
    """McNemar's exact test: among the questions on which two methods differ, a binomial test against one half."""
    from scipy.stats import binomtest

    a, b = _pair(np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64), 1)
    if not np.isin(np.concatenate([a, b]), (0.0, 1.0)).all():
        raise SettingsError("McNemar's test needs right or wrong for each question, not other numbers")
    only_first, only_second = int((a > b).sum()), int((b > a).sum())
    differ = only_first + only_second
    p = float(binomtest(only_first, differ).pvalue) if differ else 1.0
    return McNemar(only_first, only_second, p)


def paired_t(first: Sequence[float] | NDArray[np.float64], second: Sequence[float] | NDArray[np.float64]) -> PairedT:
    """Student's paired t-test of the difference first - second; p = 1 where every pair is equal."""
    from scipy.stats import ttest_rel

    a, b = _pair(first, second, 2)
    differences = a - b
    mean = float(differences.mean())
    if np.ptp(differences) == 0:
        # No spread: t is undefined (all pairs equal) or infinite (all differ by the same amount).
        return PairedT(mean, float(np.sign(mean)) * float("inf") if mean else 0.0, 0.0 if mean else 1.0, len(a))
    result = ttest_rel(a, b)
    return PairedT(mean, float(result.statistic), float(result.pvalue), len(a))
