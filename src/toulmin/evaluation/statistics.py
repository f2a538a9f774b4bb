"""Intervals, paired and unpaired tests, corrections for many of them, and agreement of two raters.

Which test is for what (papers/r3, appendix B): McNemar's for right or wrong on the same questions, the paired t for
numbers on the same questions, Fisher's exact and Welch's t where no question is common. Whatever scipy has is scipy's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal as Choice
from typing import TypeAlias

import numpy as np
import scipy
from numpy.typing import NDArray

from toulmin.errors import SettingsError

__all__ = [
    "CORRECTIONS",
    "ConfidenceInterval",
    "Correction",
    "McNemar",
    "Weights",
    "bootstrap_interval",
    "bootstrap_statistic",
    "cohens_kappa",
    "corrected",
    "fisher",
    "mcnemar",
    "mean_interval",
    "paired_difference",
    "paired_t",
    "pearson",
    "unpaired_difference",
    "welch",
    "wilcoxon",
]

Array: TypeAlias = NDArray[np.float64]
Values: TypeAlias = Sequence[float] | Array
Weights = Choice["linear", "quadratic"]
Correction = Choice["holm", "benjamini-hochberg", "none"]
#: Of p-values for having been several: Holm's bounds the chance of any false finding, Benjamini and Hochberg's the
#: share of false ones among the findings.
CORRECTIONS: tuple[Correction, ...] = ("holm", "benjamini-hochberg", "none")

_LEVEL = 0.95
_RESAMPLES = 10_000
_CELLS = 4_000_000  # how many counts are drawn at a time: 32 MB


@dataclass(frozen=True, slots=True)
class ConfidenceInterval:
    """A figure, mostly a mean, with its confidence interval over ``n`` questions."""

    estimate: float
    low: float
    high: float
    n: int
    level: float = _LEVEL


@dataclass(frozen=True, slots=True)
class McNemar:
    """How many questions only the first got right, only the second, and the exact two-sided p-value."""

    only_first: int
    only_second: int
    p: float


def _finite(values: Values, least: int) -> Array:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or len(array) < least:
        raise SettingsError(f"a statistic needs a list of at least {least} values, not an array of shape {array.shape}")
    if not np.isfinite(array).all():
        raise SettingsError("a statistic needs finite values: NaN or infinity is among them")
    return array


def _pair(first: Values, second: Values, least: int) -> tuple[Array, Array]:
    a, b = _finite(first, least), _finite(second, least)
    if len(a) != len(b):
        raise SettingsError(f"paired values must be of the same questions: {len(a)} and {len(b)} of them")
    return a, b


def _right_or_wrong(values: Sequence[bool] | Values, test: str) -> Array:
    array = _finite(np.asarray(values, dtype=np.float64), 1)
    if not np.isin(array, (0.0, 1.0)).all():
        raise SettingsError(f"{test} needs right or wrong for each question, not other numbers")
    return array


# -- intervals -------------------------------------------------------------------------------------------------------


def bootstrap_interval(values: Values, *, resamples: int = _RESAMPLES, seed: int = 0) -> ConfidenceInterval:
    """The percentile bootstrap interval of the mean (Efron and Tibshirani 1993, chapter 13).

    Args:
        values: one figure for each question, [n].
        resamples: number of bootstrap samples, at least 1.
        seed: of the random numbers.

    Raises:
        SettingsError: no values, or values that are not finite.
    """
    array = _finite(values, 1)
    means = _resampled_means(array, resamples, np.random.default_rng(seed))
    return _interval(float(array.mean()), means, len(array))


def mean_interval(values: Values, *, seed: int = 0) -> ConfidenceInterval:
    """The interval of a mean of figures in [0, 1]: the bootstrap's, as ``bootstrap_interval`` has it.

    Where all n figures are 0, or all are 1, resamples are all alike, and the bootstrap's interval has no width. There
    it is the exact one of a share (Clopper and Pearson 1934).
    """
    interval = bootstrap_interval(values, seed=seed)
    array = np.asarray(values, dtype=np.float64)
    if np.ptp(array) or array[0] not in (0.0, 1.0):
        return interval
    exact = scipy.stats.binomtest(int(array.sum()), len(array)).proportion_ci(_LEVEL, method="exact")
    return ConfidenceInterval(interval.estimate, float(exact.low), float(exact.high), len(array))


def _resampled_means(array: Array, resamples: int, generator: np.random.Generator) -> Array:
    """The means of resamples. How often each distinct value is drawn is multinomial: far fewer numbers than indices."""
    distinct, counts = np.unique(array, return_counts=True)
    means = np.empty(resamples)
    block = max(1, _CELLS // len(distinct))
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        draws = generator.multinomial(len(array), counts / len(array), size=size)
        means[start : start + size] = draws @ distinct / len(array)
    return means


def _interval(estimate: float, resampled: Array, n: int) -> ConfidenceInterval:
    low, high = np.quantile(resampled, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2])
    return ConfidenceInterval(estimate, float(low), float(high), n)


def paired_difference(first: Values, second: Values, *, seed: int = 0) -> ConfidenceInterval:
    """The bootstrap interval of mean(first) - mean(second) over the same questions, which are resampled as pairs."""
    a, b = _pair(first, second, 1)
    return bootstrap_interval(a - b, seed=seed)


def unpaired_difference(first: Values, second: Values, *, seed: int = 0) -> ConfidenceInterval:
    """The bootstrap interval of mean(first) - mean(second) over different questions, each list resampled by itself.

    Its ``n`` is the number of questions of both.
    """
    a, b = _finite(first, 1), _finite(second, 1)
    generator = np.random.default_rng(seed)
    means = _resampled_means(a, _RESAMPLES, generator) - _resampled_means(b, _RESAMPLES, generator)
    return _interval(float(a.mean() - b.mean()), means, len(a) + len(b))


def bootstrap_statistic(
    statistic: Callable[[NDArray[np.int64]], float], n: int, *, resamples: int = 1_000, seed: int = 0
) -> tuple[ConfidenceInterval, float] | None:
    """The percentile bootstrap interval of any figure of ``n`` questions, and the two-sided p-value of its being 0.

    A difference of two runs on the same questions is a figure of them, too: they are then resampled as pairs.
    p = 2 min(P(figure <= 0), P(figure >= 0)) over the resamples, at most 1 and never 0, since the questions themselves
    count as one (Davison and Hinkley 1997, section 4.2).

    Args:
        statistic: of the questions with these numbers, int64[n] from 0 to n - 1, some of them more than once; NaN
            where it is undefined, such resamples are left out.

    Returns:
        None where the figure of the questions themselves, or of every resample, is undefined.
    """
    if n < 1:
        raise SettingsError(f"a statistic needs at least one question, not {n}")
    estimate = statistic(np.arange(n))
    if np.isnan(estimate):
        return None
    generator = np.random.default_rng(seed)
    figures = np.array([statistic(generator.integers(n, size=n)) for _ in range(resamples)])
    figures = figures[~np.isnan(figures)]
    if not len(figures):
        return None
    tail = min((figures <= 0).sum(), (figures >= 0).sum())
    p = min(1.0, 2 * (int(tail) + 1) / (len(figures) + 1))
    return _interval(float(estimate), figures, n), p


# -- tests -----------------------------------------------------------------------------------------------------------


def mcnemar(first: Sequence[bool] | Values, second: Sequence[bool] | Values) -> McNemar:
    """McNemar's exact test: among the questions on which two methods differ, a binomial test against one half."""
    a, b = (_right_or_wrong(values, "McNemar's test") for values in (first, second))
    a, b = _pair(a, b, 1)
    only_first, only_second = int((a > b).sum()), int((b > a).sum())
    differ = only_first + only_second
    p = float(scipy.stats.binomtest(only_first, differ).pvalue) if differ else 1.0
    return McNemar(only_first, only_second, p)


def paired_t(first: Values, second: Values) -> float:
    """The two-sided p-value of Student's paired t-test; 1 where every pair is equal."""
    a, b = _pair(first, second, 2)
    differences = a - b
    if np.ptp(differences) == 0:  # t is undefined (all pairs equal) or infinite (all differ by the same amount)
        return 0.0 if differences.mean() else 1.0
    return float(scipy.stats.ttest_rel(a, b).pvalue)


def wilcoxon(first: Values, second: Values) -> float:
    """The two-sided p-value of Wilcoxon's signed-rank test: for paired numbers far from normal; 1 for equal pairs.

    Pairs that are equal are left out (Wilcoxon's own treatment).
    """
    a, b = _pair(first, second, 1)
    differences = (a - b)[a != b]  # with zeros among them, scipy takes the normal approximation also of a few
    return float(scipy.stats.wilcoxon(differences).pvalue) if len(differences) else 1.0


def fisher(first: Sequence[bool] | Values, second: Sequence[bool] | Values) -> float:
    """The two-sided p-value of Fisher's exact test: right or wrong on *different* questions.

    On the same questions it is the wrong test, since it takes pairs for independent (papers/r3, appendix B).
    """
    counts = [
        (int(values.sum()), int(len(values) - values.sum()))
        for values in (_right_or_wrong(side, "Fisher's test") for side in (first, second))
    ]
    return float(scipy.stats.fisher_exact(np.array(counts)).pvalue)


def welch(first: Values, second: Values) -> float:
    """The two-sided p-value of Welch's t-test: numbers on *different* questions, whose spreads may differ."""
    a, b = _finite(first, 2), _finite(second, 2)
    if np.ptp(a) == 0 and np.ptp(b) == 0:
        return float(a[0] == b[0])
    return float(scipy.stats.ttest_ind(a, b, equal_var=False).pvalue)


def corrected(ps: Sequence[float], correction: Correction) -> list[float]:
    """P-values of several tests, corrected for their number, in the order given.

    Holm 1979: the k-th smallest of m becomes max over j <= k of min(1, (m - j + 1) p_j). Benjamini and Hochberg 1995:
    min over j >= k of min(1, m p_j / j).
    """
    array = np.asarray(ps, dtype=np.float64)
    if not ((array >= 0) & (array <= 1)).all():
        raise SettingsError("a p-value is in [0, 1]")
    if correction == "benjamini-hochberg" and len(array):
        array = np.asarray(scipy.stats.false_discovery_control(array, method="bh"), dtype=np.float64)
    elif correction == "holm":
        order = np.argsort(array, kind="stable")
        steps = np.arange(len(array), 0, -1) * array[order]
        array = np.minimum(1.0, np.maximum.accumulate(steps))[np.argsort(order)]
    return list(map(float, array))


# -- agreement -------------------------------------------------------------------------------------------------------


def pearson(first: Values, second: Values) -> ConfidenceInterval | None:
    """Pearson's correlation with the interval of Fisher's transformation; None where one of the lists has no spread.

    Raises:
        SettingsError: fewer than two pairs, lists of two lengths, values that are not finite.
    """
    a, b = _pair(first, second, 2)
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return None
    correlation = scipy.stats.pearsonr(a, b)
    ends = correlation.confidence_interval(_LEVEL)
    return ConfidenceInterval(float(correlation.statistic), float(ends.low), float(ends.high), len(a))


def cohens_kappa(
    first: Sequence[object], second: Sequence[object], *, weights: Weights | None = None
) -> ConfidenceInterval | None:
    """Cohen's kappa of two raters, with its asymptotic interval within [-1, 1] (Fleiss, Cohen and Everitt 1969).

    κ = (p_o - p_e) / (1 - p_e), where p_o is how often they agree and p_e how often they would by chance, each keeping
    to their own frequencies. With ``weights`` (Cohen 1968) labels are numbers, and two of them agree by 1 - d / d_max,
    where d is their distance or its square: papers/okgqa's scores from 1 to 10, say.

    Args:
        first, second: the label that each gives to each thing, [n].

    Returns:
        None where it is undefined: both give one and the same label throughout.

    Raises:
        SettingsError: no pairs, lists of two lengths, or weights with labels that are no numbers.
    """
    if len(first) != len(second) or not len(first):
        raise SettingsError(f"two raters must label the same things, at least one: {len(first)} and {len(second)}")
    if weights is None:
        labels = list(dict.fromkeys((*first, *second)))
        agreement = np.eye(len(labels))
    else:
        numbers = _finite([*_numbers(first), *_numbers(second)], 1)
        labels = np.unique(numbers).tolist()
        distance = np.abs(np.subtract.outer(labels, labels)) ** (1 if weights == "linear" else 2)
        agreement = 1 - distance / max(distance.max(), 1e-300)  # no division by 0 where labels are all equal
    place = {label: number for number, label in enumerate(labels)}
    table = np.zeros((len(labels), len(labels)))
    np.add.at(table, ([place[label] for label in first], [place[label] for label in second]), 1 / len(first))
    of_first, of_second = table.sum(axis=1), table.sum(axis=0)
    observed, expected = (agreement * table).sum(), of_first @ agreement @ of_second
    if np.isclose(expected, 1.0, rtol=0, atol=1e-12):  # but for rounding
        return None
    kappa = (observed - expected) / (1 - expected)
    means = np.add.outer(agreement @ of_second, of_first @ agreement)
    spread = (table * (agreement - means * (1 - kappa)) ** 2).sum() - (kappa - expected * (1 - kappa)) ** 2
    half = scipy.stats.norm.ppf((1 + _LEVEL) / 2) * np.sqrt(max(spread, 0.0) / len(first)) / (1 - expected)
    low, high = max(-1.0, kappa - half), min(1.0, kappa + half)
    return ConfidenceInterval(float(kappa), float(low), float(high), len(first))


def _numbers(labels: Sequence[object]) -> list[float]:
    if not all(isinstance(label, (int, float)) for label in labels):
        raise SettingsError("weights of agreement need labels that are numbers")
    return [float(label) for label in labels if isinstance(label, (int, float))]
