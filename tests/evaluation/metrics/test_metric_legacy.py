"""What published scripts compute, against their steps written down again."""

from __future__ import annotations

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.evaluation.metrics.answers import (
    hits_at_k,
    legacy_contained,
    legacy_f1,
    legacy_hit,
    legacy_mean,
    set_scores,
    value_key,
)

LABELS = st.lists(
    st.sampled_from(["Ana", "ana", "An", "the Bo", "Bo!", "united_kingdom", "", "The", "1967"]), max_size=6
)


def published(text: str) -> str:
    """The normalisation of these scripts, step by step."""
    kept = "".join(character for character in text.lower() if character not in set(string.punctuation))
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", kept).split())


@given(LABELS.filter(bool), LABELS.filter(bool))
def test_hit_and_f1_of_the_scripts(values: list[str], gold: list[str]) -> None:
    text = published(" ".join(values))
    matched = sum(published(one) in text for one in gold)
    assert legacy_contained(values, gold) == float(matched > 0)
    p, r = matched / len(values), matched / len(gold)
    assert legacy_f1(values, gold) == pytest.approx(2 * p * r / (p + r) if p + r else 0)


def test_their_f1_may_be_over_one_and_their_hit_too_kind() -> None:
    values, gold = ["Ana, Bo and Cy"], ["Ana", "Bo", "Cy"]
    assert legacy_f1(values, gold) == pytest.approx(2 * 3 * 1 / (3 + 1))
    assert set_scores(values, gold).f1 == hits_at_k(values, gold) == 0
    assert legacy_contained(["female"], ["male"]) == 1
    assert legacy_contained(["male"], ["female"]) == 0
    assert legacy_contained(["anything"], ["The"]) == 1
    assert legacy_contained([], ["Ana"]) == legacy_f1([], ["Ana"]) == 0


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
