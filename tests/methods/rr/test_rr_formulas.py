"""Faithfulness functions and votes against the formulas of papers/rr (A.2, eq. 1), written out here once more."""

from __future__ import annotations

from collections import Counter
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.methods.rr.sentence_scores import Entailed, faithfulness_of
from toulmin.program.weighing import Function, Scores, Thresholds, Ties, faithfulness, tally

AT = Thresholds(0.5, 0.6, 0.99)

score = st.floats(0, 1, width=32)
sentences = st.lists(st.builds(Scores, score, score, st.floats(-1, 1, width=32)), max_size=6)


def by_the_paper(function: str, m: float, e: float, c: float) -> float:
    """One term of a sum of A.2; brackets are 1 or 0."""
    if function == "f1":
        return m * (m >= 0.5) + e * (m < 0.5) - c
    if function == "f2":
        return m + e
    return e * (e >= 0.6) - c * (c >= 0.99)


@pytest.mark.parametrize("function", ["f1", "f2", "f3"])
@given(path=sentences)
def test_faithfulness_is_that_of_the_paper(function: Function, path: list[Scores]) -> None:
    terms = [by_the_paper(function, one.similarity, one.entailment, one.contradiction) for one in path]
    assert faithfulness(function, path) == pytest.approx(sum(terms))
    said = [Entailed("s", (), one.similarity, one.entailment, 0.0, one.contradiction) for one in path]
    assert faithfulness_of(said, function, AT) == pytest.approx(terms)


@pytest.mark.parametrize(
    ("function", "scores", "value"),
    [
        ("f1", (0.3, 0.1, 0.5), 0.5 - 0.1),  # similar enough: M counts
        ("f1", (0.3, 0.1, 0.49), 0.3 - 0.1),  # else E does
        ("f2", (0.3, 0.1, 0.49), 0.49 + 0.3),
        ("f3", (0.6, 0.99, 0.0), 0.6 - 0.99),
        ("f3", (0.59, 0.98, 0.9), 0.0),
        ("equal", (0.3, 0.1, 0.5), 1.0),
    ],
)
def test_the_functions_of_the_paper_in_numbers(
    function: Function, scores: tuple[float, float, float], value: float
) -> None:
    assert faithfulness(function, [Scores(*scores)], AT) == pytest.approx(value)
    twice = faithfulness(function, [Scores(*scores)] * 2, AT)
    assert twice == pytest.approx(1.0 if function == "equal" else 2 * value)
    assert faithfulness(function, [], AT) == (1.0 if function == "equal" else 0.0)


def test_thresholds_can_be_others() -> None:
    assert faithfulness("f3", [Scores(0.59, 0.98, 0.0)], Thresholds(0.5, 0.5, 0.5)) == pytest.approx(0.59 - 0.98)
    assert faithfulness("f1", [Scores(0.3, 0.1, 0.5)], Thresholds(0.6)) == pytest.approx(0.3 - 0.1)


def test_a_weight_by_mean_entailment_is_1_and_the_mean() -> None:
    scores = [Scores(0.5, 0.25, 0.75), Scores(1.0, 0.0, 0.25)]
    assert faithfulness("mean-entailment", scores) == 1.75
    assert faithfulness("mean-entailment", scores, Thresholds(1.0, 1.0, 1.0, (9.0, 9.0, 9.0), (9.0, 9.0))) == 1.75
    assert faithfulness("mean-entailment", []) == 1.0


def test_a_calibrated_weight_is_a_base_means_and_shares() -> None:
    scores = [Scores(0.5, 0.25, 0.75), Scores(1.0, 0.0, 0.25)]
    at = Thresholds(weights=(2.0, 1.0, -1.0))
    assert faithfulness("calibrated", scores, at, 0.5) == pytest.approx(0.5 + 2 * 0.75 + 0.5 - 0.125)
    assert faithfulness("calibrated", [], at, 0.5) == 0.5
    assert faithfulness("calibrated", scores) == pytest.approx(1 + 0.75)
    told = Thresholds(weights=(0.0, 0.0, 0.0), words=(1.0, -2.0))
    assert faithfulness("calibrated", scores, told, 0.5, (0.5, 0.25)) == pytest.approx(0.5 + 0.5 - 0.5)


@given(
    st.lists(st.tuples(st.sampled_from(["yes", "no", "Tim Pawlenty", None]), st.integers(-8, 8)), max_size=10),
    st.sampled_from(get_args(Ties)),
    st.booleans(),
)
def test_the_vote_is_eq_1(outputs: list[tuple[str | None, int]], ties: Ties, voting: bool) -> None:
    predictions, weights = [said for said, _ in outputs], [float(weight) for _, weight in outputs]
    counted = tally(predictions, weights, ties, voting=voting)
    behind: dict[str, list[float]] = {}
    for said, weight in zip(predictions, weights, strict=True):
        if said is not None:
            behind.setdefault(said, []).append(weight)
    totals = {said: sum(some) if voting else max(some) for said, some in behind.items()}
    if not totals:
        assert counted is None
        return
    best = [said for said, total in totals.items() if total == max(totals.values())]
    tied = len(best) > 1
    if ties == "majority":
        best = [said for said in best if len(behind[said]) == max(len(behind[one]) for one in best)]
    assert counted is not None
    assert counted.scores == totals
    assert counted.prediction == ("no" if "no" in best and ties != "first" else best[0])
    assert counted.tied is tied
    assert predictions[counted.best] == counted.prediction
    assert weights[counted.best] == max(behind[counted.prediction])


@given(st.lists(st.sampled_from(["yes", "no"]), min_size=1, max_size=9))
def test_equal_weights_are_the_majority(said: list[str]) -> None:
    counts, counted = Counter(said), tally(said, [1.0] * len(said))
    assert counted is not None
    assert (counted.prediction == "yes") is (counts["yes"] > counts["no"])


def test_ties() -> None:
    even = (["yes", "yes", "no"], [1.0, 1.0, 2.0])
    assert [tally(*even, ties=ties).prediction for ties in ("no", "first", "majority")] == ["no", "yes", "yes"]  # type: ignore[union-attr]
    split = tally(["yes", "no"], [0.0, 0.0], "majority")
    assert split is not None
    assert split.prediction == "no"


@given(st.permutations([0.1] * 3 + [0.2] * 3 + [0.3] * 2), st.integers(0, 2**32 - 1))
def test_the_order_of_outputs_breaks_no_tie(weights: list[float], seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(weights))
    counted = tally(["yes"] * 8 + ["no"] * 8, [*weights, *(weights[place] for place in order)], "no")
    assert counted is not None
    assert counted.prediction == "no"
