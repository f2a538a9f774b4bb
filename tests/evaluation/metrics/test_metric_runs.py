"""The figures of whole runs, against scikit-learn, against their definitions one by one, and by hand."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss, roc_auc_score

from toulmin.evaluation.metrics.runs import (
    Levels,
    area_under_risk,
    brier_score,
    calibration_error,
    confidence_auc,
    risk_coverage,
)
from toulmin.evaluation.records import Outcome, Score
from toulmin.evaluation.summary import summarise

ANSWERS = st.lists(
    st.tuples(st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.1, 0.5, 1.0])), st.booleans()), min_size=1, max_size=40
)
Pairs = list[tuple[float, bool]]


def columns(pairs: Pairs) -> tuple[np.ndarray, np.ndarray]:
    confidence, right = zip(*pairs, strict=True)
    return np.array(confidence, dtype=float), np.array(right, dtype=float)


@given(ANSWERS)
@settings(deadline=None)
def test_auc_and_brier_score_agree_with_sklearn(pairs: Pairs) -> None:
    confidence, right = columns(pairs)
    assert brier_score(Levels.of(confidence, right)) == pytest.approx(brier_score_loss(right, confidence, pos_label=1))
    if len(set(right)) == 1:
        assert math.isnan(confidence_auc(Levels.of(confidence, right)))
    else:
        assert confidence_auc(Levels.of(confidence, right)) == pytest.approx(roc_auc_score(right, confidence))


@given(ANSWERS)
@settings(deadline=None)
def test_calibration_error_bin_by_bin(pairs: Pairs) -> None:
    confidence, right = columns(pairs)
    error = 0.0
    for b in range(10):
        inside = [
            (c, r) for c, r in zip(confidence, right, strict=True) if b / 10 < c <= (b + 1) / 10 or (b == 0 and c == 0)
        ]
        if inside:
            error += abs(sum(r for _, r in inside) - sum(c for c, _ in inside)) / len(pairs)
    ours = calibration_error(Levels.of(confidence, right))
    # A confidence on an edge may round to either side of it.
    if not any(abs(c * 10 - round(c * 10)) < 1e-9 and c not in (0.0, 0.5, 1.0) for c in confidence):
        assert ours == pytest.approx(error)
    assert 0 <= ours <= 1


def test_a_calibrated_run_has_no_error() -> None:
    confidence = np.repeat([0.75, 0.25], 4)
    right = np.array([1, 1, 1, 0, 1, 0, 0, 0], dtype=float)
    assert calibration_error(Levels.of(confidence, right)) == pytest.approx(0)
    assert calibration_error(Levels.of(np.ones(4), np.array([1.0, 0, 0, 0]))) == pytest.approx(0.75)


@given(st.lists(st.tuples(st.sampled_from([0.2, 0.5, 0.9]), st.booleans()), min_size=1, max_size=6))
@settings(deadline=None, max_examples=40)
def test_the_area_under_risk_is_the_mean_over_all_orders_of_equal_confidence(pairs: Pairs) -> None:
    areas = []
    for order in permutations(pairs):
        if [c for c, _ in order] != sorted((c for c, _ in pairs), reverse=True):
            continue
        wrong = np.cumsum([not right for _, right in order])
        areas.append((wrong / np.arange(1, len(order) + 1)).mean())
    assert area_under_risk(Levels.of(*columns(pairs))) == pytest.approx(float(np.mean(areas)))


@given(ANSWERS)
@settings(deadline=None)
def test_the_risk_coverage_curve_threshold_by_threshold(pairs: Pairs) -> None:
    confidence, right = columns(pairs)
    n = len(pairs) + 3
    curve = risk_coverage(Levels.of(confidence, right), n)
    assert [point.confidence for point in curve] == sorted(set(confidence), reverse=True)
    for point in curve:
        kept = right[confidence >= point.confidence]
        assert point.coverage == pytest.approx(len(kept) / n)
        assert point.risk == pytest.approx(1 - kept.mean())


def score(name: str, outcome: Outcome, confidence: float | None = None, right: float | None = None) -> Score:
    metrics = {} if right is None else {"hits_at_1": right}
    return Score(name, outcome, metrics, 0.1, {}, None, None, confidence=confidence)


def test_a_run_counts_what_is_not_answered() -> None:
    scores = [
        score("1", "answered", 0.9, 1.0),
        score("2", "answered", 0.4, 0.0),
        score("3", "abstained", 0.3, 0.0),
        score("4", "crashed", None, 0.0),
    ]
    found = {name: interval.estimate for name, interval in summarise({}, scores).whole.items()}
    assert found["coverage"] == found["selective_accuracy"] == 0.5
    assert found["confidence_auc"] == 1
    assert found["risk_area"] == pytest.approx((0 + 1 / 2) / 2)
    assert found["calibration_error"] == pytest.approx((0.1 + 0.4) / 2)
    assert found["brier_score"] == pytest.approx((0.1**2 + 0.4**2) / 2)
    summary = summarise({}, scores)
    assert summary.metrics["hits_at_1"].estimate == 0.25
    assert summary.whole["selective_accuracy"].estimate == 0.5
    assert summary.whole["coverage"].n == 4


def test_without_confidence_or_gold_nothing_is_said_of_them() -> None:
    assert set(summarise({}, [score("1", "answered", None, 1.0)]).whole) == {"coverage", "selective_accuracy"}
    assert set(summarise({}, [score("1", "answered", 0.5)]).whole) == {"coverage"}
    assert set(summarise({}, [score("1", "abstained", None, 0.0)]).whole) == {"coverage"}
