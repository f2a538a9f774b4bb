"""Intervals and paired tests against scipy and against values that can be worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from toulmin.errors import SettingsError
from toulmin.evaluation.statistics import bootstrap_interval, mcnemar, paired_difference, paired_t

FIGURES = st.lists(st.floats(0, 1, allow_nan=False), min_size=1, max_size=40)


@pytest.mark.parametrize("kind", ["right or wrong", "continuous"])
def test_the_interval_agrees_with_scipy(kind: str) -> None:
    generator = np.random.default_rng(5)
    values = generator.random(300) if kind == "continuous" else (generator.random(300) < 0.7).astype(float)
    ours = bootstrap_interval(values, resamples=20_000, seed=1)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(2)
    ).confidence_interval
    # Both are random: their ends have a standard error of about 0.0005 here.
    assert ours.low == pytest.approx(theirs.low, abs=0.004)
    assert ours.high == pytest.approx(theirs.high, abs=0.004)
    assert ours.estimate == pytest.approx(values.mean())


def test_the_interval_of_a_share_is_about_the_normal_one() -> None:
    values = [1.0] * 800 + [0.0] * 200
    interval = bootstrap_interval(values)
    half = 1.96 * math.sqrt(0.8 * 0.2 / 1000)
    assert (interval.low, interval.high) == pytest.approx((0.8 - half, 0.8 + half), abs=0.003)
    assert interval.n == 1000


def test_drawing_in_blocks_gives_what_one_draw_gives() -> None:
    values = np.sort(np.random.default_rng(0).random(1000))
    interval = bootstrap_interval(values, resamples=5_000, seed=3)
    draws = np.random.default_rng(3).multinomial(1000, np.full(1000, 1 / 1000), size=5_000)
    assert (interval.low, interval.high) == pytest.approx(tuple(np.quantile(draws @ values / 1000, [0.025, 0.975])))


@given(FIGURES, st.integers(0, 5))
@settings(max_examples=60, deadline=None)
def test_the_interval_is_reproducible_ordered_and_within_the_values(values: list[float], seed: int) -> None:
    interval = bootstrap_interval(values, resamples=200, seed=seed)
    again = bootstrap_interval(sorted(values), resamples=200, seed=seed)
    assert (interval.low, interval.high) == (again.low, again.high)
    assert min(values) - 1e-12 <= interval.low <= interval.high <= max(values) + 1e-12


def test_a_wider_level_gives_a_wider_interval() -> None:
    values = np.random.default_rng(3).random(80)
    narrow, wide = bootstrap_interval(values, level=0.5), bootstrap_interval(values, level=0.99)
    assert wide.low < narrow.low < narrow.high < wide.high


def test_pairing_narrows_the_interval_of_a_difference() -> None:
    generator = np.random.default_rng(7)
    hard = generator.random(400)
    first, second = hard + 0.05 + generator.normal(0, 0.01, 400), hard
    difference = paired_difference(first, second)
    assert 0.04 < difference.low < difference.estimate < difference.high < 0.06


def test_a_method_does_not_differ_from_itself() -> None:
    values = [0.0, 1.0, 1.0, 0.5]
    difference = paired_difference(values, values)
    assert (difference.low, difference.estimate, difference.high) == (0.0, 0.0, 0.0)


def test_mcnemar_by_hand() -> None:
    # 10 questions differ, 9 in favour of the first: p = 2 · (C(10,0) + C(10,1)) / 2^10 = 22/1024.
    first = [True] * 9 + [False] * 1 + [True] * 30
    second = [False] * 9 + [True] * 1 + [True] * 30
    result = mcnemar(first, second)
    assert (result.only_first, result.only_second) == (9, 1)
    assert result.p == pytest.approx(22 / 1024)
    assert mcnemar(first, first).p == 1.0
    assert mcnemar(second, first).p == pytest.approx(result.p)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
@settings(max_examples=50, deadline=None)
def test_mcnemar_is_symmetric_and_a_probability(pairs: list[tuple[bool, bool]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    one, other = mcnemar(first, second), mcnemar(second, first)
    assert 0 < one.p <= 1
    assert one.p == pytest.approx(other.p)
    assert one.only_first == other.only_second


def test_paired_t_agrees_with_a_one_sample_test_of_the_differences() -> None:
    generator = np.random.default_rng(11)
    first, second = generator.random(30), generator.random(30)
    ours, theirs = paired_t(first, second), stats.ttest_1samp(first - second, 0.0)
    assert (ours.t, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue))
    assert ours.difference == pytest.approx(first.mean() - second.mean())


def test_paired_t_without_spread() -> None:
    same = paired_t([0.5, 1.0], [0.5, 1.0])
    assert (same.difference, same.t, same.p) == (0.0, 0.0, 1.0)
    apart = paired_t([1.0, 1.0, 1.0], [0.5, 0.5, 0.5])
    assert (apart.t, apart.p) == (math.inf, 0.0)


@pytest.mark.parametrize(
    "call",
    [
        lambda: bootstrap_interval([]),
        lambda: bootstrap_interval([0.5, float("nan")]),
        lambda: bootstrap_interval([0.5], level=1.0),
        lambda: bootstrap_interval([0.5], resamples=0),
        lambda: paired_difference([0.5], [0.5, 1.0]),
        lambda: paired_t([0.5], [0.5]),
        lambda: mcnemar([0.5], [1]),  # type: ignore[list-item]
    ],
)
def test_what_cannot_be_computed_is_refused(call: object) -> None:
    assert callable(call)
    with pytest.raises(SettingsError):
        call()
