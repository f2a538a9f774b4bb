"""Faithfulness functions and votes against the formulas of papers/rr (A.2, eq. 1), written out here once more."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.methods.rr.faithfulness import path_faithfulness, sentence_faithfulness
from toulmin.proof.chains.faithfulness import Function, Thresholds
from toulmin.proof.chains.voting import best_output, weighted_vote

score = st.floats(0, 1, width=32)
sentences = st.lists(st.tuples(st.floats(-1, 1, width=32), score, score), max_size=6)
paths = st.lists(sentences, min_size=1, max_size=6)


def by_the_paper(function: str, m: float, e: float, c: float) -> float:
    """One term of a sum of A.2; brackets are 1 or 0."""
    if function == "f1":
        return m * (m >= 0.5) + e * (m < 0.5) - c
    if function == "f2":
        return m + e
    return e * (e >= 0.6) - c * (c >= 0.99)


@pytest.mark.parametrize("function", ["f1", "f2", "f3"])
@given(paths=paths)
def test_faithfulness_is_that_of_the_paper(function: Function, paths: list[list[tuple[float, float, float]]]) -> None:
    flat = [(place, *one) for place, path in enumerate(paths) for one in path]
    place, m, e, c = zip(*flat, strict=True) if flat else ((), (), (), ())
    found = path_faithfulness(function, place, len(paths), m, e, c)
    wanted = [sum(by_the_paper(function, *one) for one in path) for path in paths]
    assert found == pytest.approx(wanted)
    each = sentence_faithfulness(function, m, e, c)
    assert each == pytest.approx([by_the_paper(function, *one) for path in paths for one in path])


def test_thresholds_count_from_their_value_on() -> None:
    m, e, c = [0.5, 0.49], [0.2, 0.2], [0.1, 0.1]
    assert sentence_faithfulness("f1", m, e, c) == pytest.approx([0.4, 0.1])
    e, c = [0.6, 0.59, 0.9], [0.99, 0.98, 0.0]
    assert sentence_faithfulness("f3", [0.0] * 3, e, c) == pytest.approx([-0.39, 0.0, 0.9])
    assert sentence_faithfulness("f3", [0.0] * 3, e, c, Thresholds(0.5, 0.5, 0.5)) == pytest.approx([-0.39, -0.39, 0.9])


def test_every_path_counts_one_in_self_consistency() -> None:
    assert path_faithfulness("equal", [0, 0, 2], 3, [1.0] * 3, [1.0] * 3, [1.0] * 3).tolist() == [1, 1, 1]


@given(st.lists(st.tuples(st.sampled_from(["yes", "no", None]), st.integers(-8, 8)), min_size=1, max_size=10))
def test_the_vote_is_eq_1(outputs: list[tuple[str | None, int]]) -> None:
    predictions, weights = [said for said, _ in outputs], [float(weight) for _, weight in outputs]
    vote = weighted_vote(predictions, weights, "no")
    sums: dict[str, int] = {
        said: sum(w for p, w in outputs if p == said) for said in ("yes", "no") if said in predictions
    }
    if not sums:
        assert vote is None
        assert best_output(predictions, weights) is None
        return
    assert vote is not None
    assert vote.scores == sums
    assert sums[vote.prediction] == max(sums.values())
    if len(set(sums.values())) < len(sums):
        assert vote.prediction == "no"
    backing = [place for place, said in enumerate(predictions) if said == vote.prediction]
    assert vote.path in backing
    assert weights[vote.path] == max(weights[place] for place in backing)
    best = best_output(predictions, weights, "first")
    counted = [place for place, said in enumerate(predictions) if said is not None]
    assert best is not None
    assert weights[best.path] == max(weights[place] for place in counted)


def test_ties() -> None:
    even = (["yes", "yes", "no"], [1.0, 1.0, 2.0])
    assert [weighted_vote(*even, ties=ties).prediction for ties in ("no", "first", "majority")] == ["no", "yes", "yes"]  # type: ignore[union-attr]
    split = weighted_vote(["yes", "no"], [0.0, 0.0], "majority")
    assert split is not None
    assert split.prediction == "no"


@given(st.permutations([0.1] * 3 + [0.2] * 3 + [0.3] * 2), st.integers(0, 2**32 - 1))
def test_the_order_of_outputs_breaks_no_tie(weights: list[float], seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(weights))
    vote = weighted_vote(["yes"] * 8 + ["no"] * 8, [*weights, *(weights[place] for place in order)], "no")
    assert vote is not None
    assert vote.prediction == "no"


def test_short_answers_are_counted_as_exact_match_compares_them() -> None:
    vote = weighted_vote(["The Beatles", "Queen", "beatles."], [1.0, 1.5, 1.0], "first")
    assert vote is not None
    assert (vote.prediction, vote.path) == ("The Beatles", 0)
    assert vote.scores == {"beatles": 2.0, "queen": 1.5}
