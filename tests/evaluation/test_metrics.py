"""The definitions of the metrics, by hand and by their invariants."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.evaluation.datasets import PathRelation
from toulmin.evaluation.metrics import (
    coverage_ratio,
    hits_at_k,
    legacy_hit,
    legacy_mean,
    linking_success,
    set_scores,
    value_key,
    value_label,
    verdict_accuracy,
)
from toulmin.graph.types import Direction, Entity, Literal

LABELS = st.lists(
    st.sampled_from(["Ana", "ana", "Bo", "Bo!", "Ča", "united_kingdom", "-5", "5", "", "1967"]), max_size=8
)


def test_values_match_by_normalised_label() -> None:
    assert value_key("united_kingdom") == value_key("United  Kingdom")
    assert value_key("Spider-Man") == value_key("spider man")
    assert value_key("John") != value_key("John Smith")
    assert value_key("-5") == value_key("\u22125") != value_key("5")
    assert value_key("Café") != value_key("Cafe")


def test_what_a_node_is_compared_by() -> None:
    assert value_label(Entity("http://e/1", "Ana")) == "Ana"
    assert value_label(Entity("http://example.org/Ana_B")) == "Ana B"
    assert value_label(Literal("1.50", "quantity", unit="metre")) == "1.50"


def test_hits_at_1_counts_the_first_value_only() -> None:
    assert hits_at_k(["Bo", "Ana"], ["Ana"]) == 0
    assert hits_at_k(["ana", "Bo"], ["Ana"]) == 1
    assert hits_at_k([], ["Ana"]) == 0
    assert hits_at_k(["male"], ["female"]) == 0


def test_set_scores_by_hand() -> None:
    scores = set_scores(["Ana", "Bo", "Cy", "Di"], ["ana", "bo", "eve"])
    assert scores == pytest.approx((2 / 4, 2 / 3, 4 / 7, 0.0))
    assert set_scores([], ["a"]) == (0, 0, 0, 0)
    assert set_scores(["a"], []) == (0, 0, 0, 0)
    assert set_scores([], []) == (1, 1, 1, 1)


@given(LABELS, LABELS)
def test_set_scores_ignore_order_and_repetition_and_stay_in_bounds(values: list[str], gold: list[str]) -> None:
    scores = set_scores(values, gold)
    assert scores == set_scores([*reversed(values), *values], sorted(gold))
    assert all(0 <= score <= 1 for score in scores)
    assert min(scores.precision, scores.recall) - 1e-12 <= scores.f1 <= max(scores.precision, scores.recall) + 1e-12
    same = {value_key(value) for value in values} == {value_key(value) for value in gold}
    assert (scores.f1 == 1) is same is (scores.exact == 1)


@given(LABELS, LABELS)
def test_set_scores_swap_precision_and_recall(values: list[str], gold: list[str]) -> None:
    one, other = set_scores(values, gold), set_scores(gold, values)
    assert (one.precision, one.recall, one.f1) == (other.recall, other.precision, other.f1)


@given(LABELS, LABELS)
def test_a_strict_hit_is_a_legacy_hit(values: list[str], gold: list[str]) -> None:
    if value_key(values[0] if values else ""):
        assert legacy_hit(values, gold) >= hits_at_k(values, gold)


def test_legacy_hit_matches_substrings_both_ways() -> None:
    assert legacy_hit(["male"], ["female"]) == 1
    assert legacy_hit(["the year 1967 or so"], ["1967"]) == 1
    assert legacy_hit(["x", "y", "ana"], ["Ana"]) == 1
    assert legacy_hit([""], ["Ana"]) == 0


def test_legacy_mean_drops_what_was_not_answered() -> None:
    scores = {"a": 1.0, "b": 0.0, "c": 0.0}
    assert legacy_mean(scores, {"a", "b"}) == 0.5
    assert legacy_mean(scores, set()) is None


def test_verdicts() -> None:
    assert [verdict_accuracy(said, True) for said in (True, False, None)] == [1, 0, 0]
    assert [verdict_accuracy(said, False) for said in (True, False, None)] == [0, 1, 0]


def path(*steps: str) -> tuple[PathRelation, ...]:
    """``>r`` forward, ``<r`` backward, ``r`` either."""
    directions: dict[str, Direction] = {">": "forward", "<": "backward"}
    return tuple(PathRelation(step.lstrip("<>"), directions.get(step[0])) for step in steps)


def test_coverage_ratio_by_hand() -> None:
    gold = [path(">directed_by"), path("<starred_actors", ">release_year")]
    assert coverage_ratio([path(">directed by")], gold) == 0.5
    assert coverage_ratio([path("<directed_by")], gold) == 0
    assert coverage_ratio([path("directed_by"), path("<starred_actors", "release_year")], gold) == 1
    assert coverage_ratio([path("<starred_actors")], gold) == 0
    assert coverage_ratio([], gold) == 0
    assert coverage_ratio([path("a")], []) == 0


PATHS = st.lists(st.sampled_from(["a", "b", ">a", "<b"]), min_size=1, max_size=2).map(lambda steps: path(*steps))


@given(st.lists(PATHS, max_size=6), st.lists(PATHS, min_size=1, max_size=4))
def test_coverage_never_falls_with_more_paths(
    retrieved: list[tuple[PathRelation, ...]], gold: list[tuple[PathRelation, ...]]
) -> None:
    ratios = [coverage_ratio(retrieved[:k], gold) for k in range(len(retrieved) + 1)]
    assert ratios == sorted(ratios)
    assert 0 <= ratios[-1] <= 1
    assert coverage_ratio([*retrieved, *gold], gold) == 1


def test_linking_needs_every_gold_entity() -> None:
    mentions = [["x", "ana"], ["bo"]]
    gold = [{"ana"}, {"bo", "bo2"}]
    assert linking_success(mentions, gold, 1) == 0
    assert linking_success(mentions, gold, 2) == 1
    assert linking_success([["bo2"]], gold, 3) == 0
