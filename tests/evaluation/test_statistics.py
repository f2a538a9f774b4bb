"""Intervals and paired tests against scipy and against values that can be worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.contingency_tables import mcnemar as rival_mcnemar
from statsmodels.stats.inter_rater import cohens_kappa as rival_kappa
from statsmodels.stats.inter_rater import to_table
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import ttest_ind

from toulmin.errors import SettingsError
from toulmin.evaluation.statistics import (
    Weights,
    bootstrap_interval,
    bootstrap_statistic,
    cohens_kappa,
    corrected,
    fisher,
    mcnemar,
    mean_interval,
    paired_difference,
    paired_t,
    pearson,
    unpaired_difference,
    welch,
    wilcoxon,
)

BOOLEANS = st.lists(st.booleans(), min_size=1, max_size=40)
RATINGS = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=60)
NUMBERS = st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=4, max_size=40)
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


@pytest.mark.parametrize("right", [0, 1])
@pytest.mark.parametrize("n", [1, 10, 60])
def test_a_share_of_none_or_all_has_a_width(right: int, n: int) -> None:
    found = mean_interval([float(right)] * n)
    bound = 0.025 ** (1 / n)  # the chance of n in a row
    assert (found.low, found.high) == pytest.approx((bound, 1) if right else (0, 1 - bound))
    assert found.estimate == right
    assert mean_interval([0.5] * n) == bootstrap_interval([0.5] * n)
    assert mean_interval([0.0, 1.0] * n) == bootstrap_interval([0.0, 1.0] * n)


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
    assert ours == pytest.approx(theirs.pvalue)


def test_paired_t_without_spread() -> None:
    assert paired_t([0.5, 1.0], [0.5, 1.0]) == 1.0
    assert paired_t([1.0, 1.0, 1.0], [0.5, 0.5, 0.5]) == 0.0


def test_different_questions_are_resampled_apart() -> None:
    generator = np.random.default_rng(4)
    first, second = generator.random(200) + 0.1, generator.random(300)
    difference = unpaired_difference(first, second, seed=1)
    half = 1.96 * math.sqrt(first.var() / 200 + second.var() / 300)
    mean = first.mean() - second.mean()
    assert difference.n == 500
    assert (difference.low, difference.estimate, difference.high) == pytest.approx(
        (mean - half, mean, mean + half), abs=0.004
    )


def test_any_figure_is_resampled_by_question() -> None:
    rows = np.random.default_rng(8).random((300, 2))
    found = bootstrap_statistic(lambda at: float((rows[at, 0] - rows[at, 1]).mean()), 300, resamples=4_000)
    apart = paired_difference(rows[:, 0], rows[:, 1])
    assert found is not None
    interval, p = found
    assert (interval.low, interval.high) == pytest.approx((apart.low, apart.high), abs=0.004)
    assert p == pytest.approx(paired_t(rows[:, 0], rows[:, 1]), abs=0.03)


def test_undefined_figures() -> None:
    assert bootstrap_statistic(lambda _: math.nan, 2) is None
    sure = bootstrap_statistic(lambda _: 1.0, 2, resamples=99)
    assert sure is not None
    interval, p = sure
    assert p == pytest.approx(2 / 100)
    assert (interval.low, interval.high) == (1.0, 1.0)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
@settings(max_examples=50, deadline=None)
def test_mcnemar_agrees_with_statsmodels(pairs: list[tuple[bool, bool]]) -> None:
    table = np.zeros((2, 2))
    for a, b in pairs:
        table[int(a), int(b)] += 1
    ours = mcnemar([a for a, _ in pairs], [b for _, b in pairs])
    assert ours.p == pytest.approx(min(1.0, rival_mcnemar(table, exact=True).pvalue))


@given(BOOLEANS, BOOLEANS)
@settings(max_examples=50, deadline=None)
def test_fisher_adds_up_what_is_no_likelier(first: list[bool], second: list[bool]) -> None:
    """Worked out from the hypergeometric distribution: all tables with these margins."""
    right, one, both = sum(first) + sum(second), len(first), len(first) + len(second)
    chances = {k: stats.hypergeom.pmf(k, both, right, one) for k in range(one + 1)}
    seen = chances[sum(first)]
    assert fisher(first, second) == pytest.approx(sum(p for p in chances.values() if p <= seen * (1 + 1e-7)))


@given(NUMBERS)
@settings(max_examples=50, deadline=None)
def test_tests_of_numbers_agree_with_other_implementations(pairs: list[tuple[int, int]]) -> None:
    a, b = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    if np.ptp(a) or np.ptp(b):
        assert welch(a, b) == pytest.approx(ttest_ind(a, b, usevar="unequal")[1], nan_ok=True)
    if len(differences := (a - b)[a != b]) > 0:
        assert wilcoxon(a, b) == pytest.approx(stats.wilcoxon(differences).pvalue)
    else:
        assert wilcoxon(a, b) == 1.0


def test_welch_without_spread() -> None:
    assert (welch([1.0, 1.0], [1.0, 1.0]), welch([1.0, 1.0], [0.0, 0.0])) == (1.0, 0.0)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
@settings(max_examples=100, deadline=None)
def test_corrections_agree_with_statsmodels(ps: list[float]) -> None:
    assert corrected(ps, "holm") == pytest.approx(multipletests(ps, method="holm")[1])
    assert corrected(ps, "benjamini-hochberg") == pytest.approx(multipletests(ps, method="fdr_bh")[1])
    assert corrected(ps, "none") == ps
    assert corrected([], "holm") == corrected([], "benjamini-hochberg") == []


@given(RATINGS, st.sampled_from([None, "linear", "quadratic"]))
@settings(max_examples=150, deadline=None)
def test_kappa_agrees_with_statsmodels_and_sklearn(pairs: list[tuple[int, int]], weights: Weights | None) -> None:
    first, second = (list(side) for side in zip(*pairs, strict=True))
    ours = cohens_kappa(first, second, weights=weights)
    # Rows and columns for every rating, so that distances are those of the ratings.
    table, _ = to_table(np.array([*pairs, *((k, k) for k in range(1, 6))]))
    table -= np.eye(5)
    with np.errstate(all="ignore"):
        theirs = rival_kappa(table, wt=weights)
    if ours is None:
        assert len({*first, *second}) == 1
        return
    assert ours.estimate == pytest.approx(theirs.kappa)
    assert ours.estimate == pytest.approx(cohen_kappa_score(first, second, weights=weights, labels=[1, 2, 3, 4, 5]))
    half = np.nan_to_num(stats.norm.ppf(0.975) * theirs.std_kappa)  # NaN there: the root of what rounds below 0
    ends = max(-1, theirs.kappa - half), min(1, theirs.kappa + half)
    assert (ours.low, ours.high) == pytest.approx(ends, abs=1e-6)


def test_kappa_of_words() -> None:
    same = cohens_kappa(["a", "b", "a"], ["a", "b", "a"])
    assert same is not None
    assert (same.low, same.estimate, same.high, same.n) == (1, 1, 1, 3)
    assert cohens_kappa(["a", "a"], ["a", "a"]) is None


@given(NUMBERS)
@settings(max_examples=50, deadline=None)
def test_pearson_by_its_formula(pairs: list[tuple[int, int]]) -> None:
    a, b = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    found = pearson(a, b)
    if not np.ptp(a) or not np.ptp(b):
        assert found is None
        return
    assert found is not None
    r = float(np.corrcoef(a, b)[0, 1])
    assert found.estimate == pytest.approx(r, abs=1e-9)
    if abs(r) < 1 - 1e-9:
        half = stats.norm.ppf(0.975) / math.sqrt(len(a) - 3)
        ends = math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)
        assert (found.low, found.high) == pytest.approx(ends, abs=1e-9)


@pytest.mark.parametrize(
    "call",
    [
        lambda: fisher([0.5], [1.0]),
        lambda: corrected([1.5], "holm"),
        lambda: cohens_kappa([1], [1, 2]),
        lambda: cohens_kappa([], []),
        lambda: cohens_kappa(["a", "b"], ["a", "a"], weights="linear"),
        lambda: pearson([1.0], [1.0]),
        lambda: bootstrap_statistic(lambda _: 0.0, 0),
        lambda: bootstrap_interval([]),
        lambda: bootstrap_interval([0.5, float("nan")]),
        lambda: paired_difference([0.5], [0.5, 1.0]),
        lambda: paired_t([0.5], [0.5]),
        lambda: mcnemar([0.5], [1]),
    ],
)
def test_what_cannot_be_computed_is_refused(call: object) -> None:
    assert callable(call)
    with pytest.raises(SettingsError):
        call()
