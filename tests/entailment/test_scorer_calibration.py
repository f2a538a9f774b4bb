"""A temperature for any scorer, from labelled pairs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.entailment.calibration import (
    Calibrated,
    PairRecord,
    column_of,
    fit_temperature,
    log_loss,
    read_pairs,
)
from toulmin.entailment.protocol import CONTRADICT, ENTAIL, UNKNOWN, Pair, Scorer
from toulmin.errors import SettingsError, SourceError


class Stated:
    """Scores that stand in the premise: "0.7 0.2 0.1"."""

    name = "stated"

    def score(self, pairs: Sequence[Pair]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
        return np.array([[float(x) for x in premise.split()] for premise, _ in pairs], dtype=np.float32).reshape(-1, 3)


def stated(rows: Sequence[Sequence[float]]) -> list[Pair]:
    return [(" ".join(map(repr, row)), "") for row in rows]


def drawn(temperature: float, n: int = 4000) -> tuple[np.ndarray[tuple[int, int], np.dtype[np.float32]], list[int]]:
    """Scores of a scorer that is over- or underconfident by a temperature, and labels from the true probabilities."""
    generator = np.random.default_rng(3)
    logits = generator.normal(size=(n, 3)) * 2
    true = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    claimed = np.exp(logits * temperature)
    labels = [int(generator.choice(3, p=row)) for row in true]
    return (claimed / claimed.sum(axis=1, keepdims=True)).astype(np.float32), labels


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.5])
def test_the_temperature_is_found_again(temperature: float) -> None:
    scores, labels = drawn(temperature)
    fitted = fit_temperature(scores, labels)
    assert fitted == pytest.approx(temperature, rel=0.08)
    scorer: Scorer = Calibrated(Stated(), fitted)
    mended = scorer.score(stated(scores.tolist()))
    assert log_loss(mended, labels) <= log_loss(scores, labels) + 1e-9
    assert np.array_equal(mended.argmax(axis=1), scores.argmax(axis=1))
    assert scorer.name == f"stated/T={fitted:g}"


@given(st.lists(st.floats(0.01, 1), min_size=3, max_size=3), st.floats(0.1, 10))
def test_rows_still_sum_to_1(row: list[float], temperature: float) -> None:
    whole = [x / sum(row) for x in row]
    (mended,) = Calibrated(Stated(), temperature).score(stated([whole]))
    assert mended.sum() == pytest.approx(1, abs=1e-5)
    assert Calibrated(Stated(), 1.0).score(stated([whole])) == pytest.approx(np.array([whole]), abs=1e-5)


def test_what_code_excluded_stays_excluded() -> None:
    scores = Calibrated(Stated(), 3.0).score(stated([[0.0, 0.1, 0.9]]))
    assert scores[0, ENTAIL] == 0
    assert Calibrated(Stated(), 3.0).score([]).shape == (0, 3)


def test_too_few_labels_and_no_temperature() -> None:
    scores, labels = drawn(1.0, 9)
    with pytest.raises(SettingsError, match="needs 10 labelled pairs"):
        fit_temperature(scores, labels)
    for temperature in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(SettingsError, match="give one from"):
            Calibrated(Stated(), temperature)


@pytest.mark.parametrize(
    ("label", "column"),
    [("Entailment", ENTAIL), ("NOT_ENTAILMENT", UNKNOWN), ("NOT ENOUGH INFO", UNKNOWN), ("REFUTES", CONTRADICT)],
)
def test_names_of_classes(label: str, column: int) -> None:
    assert column_of(label) == column
    assert column_of("LABEL_1") is None


def test_files_of_pairs(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(
        '{"premise": "a", "hypothesis": "b"}\n\n{"premise": "c", "hypothesis": "d", "label": "neutral"}\n', "utf-8"
    )
    assert list(read_pairs(path)) == [PairRecord(("a", "b"), None), PairRecord(("c", "d"), UNKNOWN)]
    path.write_bytes(b'{"premise": "\xff", "hypothesis": "b"}')
    with pytest.raises(SourceError, match=r"pairs\.jsonl:1: is no JSON"):
        list(read_pairs(path))
    path.write_text("[" * 100_000, "utf-8")
    with pytest.raises(SourceError, match=r"pairs\.jsonl:1: is no JSON"):
        list(read_pairs(path))
