"""How answers agree with gold ones: by hand, by invariants, and against an independent SQuAD script."""

from __future__ import annotations

import collections
import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.evaluation.metrics.answers import (
    exact_match,
    hits_at_k,
    set_scores,
    token_f1,
    value_key,
    value_label,
    verdict_accuracy,
)
from toulmin.graph.types import Entity, Literal

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


@given(LABELS, LABELS)
def test_a_hit_stays_one_with_more_values(values: list[str], gold: list[str]) -> None:
    hits = [hits_at_k(values, gold, k) for k in range(1, 10)]
    assert hits == sorted(hits)
    assert hits[-1] == float(bool(gold) and set_scores(values, gold).recall > 0)


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


def test_verdicts() -> None:
    assert [verdict_accuracy(said, True) for said in (True, False, None)] == [1, 0, 0]
    assert [verdict_accuracy(said, False) for said in (True, False, None)] == [0, 1, 0]


# The reference: the steps that Rajpurkar et al. 2016 state, written for this test.


def reference_words(text: str) -> list[str]:
    kept = "".join(character for character in text.lower() if character not in string.punctuation)
    return [word for word in re.sub(r"\b(a|an|the)\b", " ", kept).split() if word]


def reference_f1(text: str, gold: str) -> float:
    said, wanted = reference_words(text), reference_words(gold)
    same = sum((collections.Counter(said) & collections.Counter(wanted)).values())
    if same == 0:
        return 0.0
    precision, recall = same / len(said), same / len(wanted)
    return 2 * precision * recall / (precision + recall)


TEXTS = st.one_of(
    st.text(alphabet="aAtThHeEnN .,-_'é9", max_size=14),
    st.lists(st.sampled_from(["The", "an", "oak", "Oak", "pear-tree", "tree", "1,5", "a"]), max_size=5).map(" ".join),
)


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3))
def test_squad_metrics_equal_the_reference(text: str, gold: list[str]) -> None:
    assert token_f1(text, gold) == pytest.approx(max(reference_f1(text, one) for one in gold))
    assert exact_match(text, gold) == max(float(reference_words(text) == reference_words(one)) for one in gold)


def test_squad_metrics_by_hand() -> None:
    assert exact_match("The  Old-Mill!", ["old mill", "oldmill"]) == 1
    assert exact_match("old mill", ["a mill"]) == 0
    assert token_f1("the old red mill", ["red mill", "harbour"]) == pytest.approx(2 * 2 / (3 + 2))
    assert token_f1("mill mill", ["mill"]) == pytest.approx(2 * 1 / (2 + 1))
    assert token_f1("the", ["an"]) == 0
    assert token_f1("mill", []) == exact_match("mill", []) == 0
