"""Comparing runs: which figures, which tests over which questions, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats
from typer.testing import CliRunner

from toulmin.cli.main import app
from toulmin.errors import SettingsError, SourceError
from toulmin.evaluation.comparing import compare
from toulmin.evaluation.records import SUMMARY, RunFolder

Figures = Callable[[int], Mapping[str, float]]


def write(
    folder: Path, figures: Figures, numbers: range = range(24), *, questions: str = "d1", finished: bool = True
) -> Path:
    """A run on questions of these numbers; every sixth is abstained from."""
    with RunFolder(folder, {"dataset": "toy", "questions": questions, "method": folder.name}) as run:
        for number in numbers:
            record: dict[str, Any] = {
                "id": f"q{number}",
                "outcome": "abstained" if number % 6 == 5 else "answered",
                "metrics": dict(figures(number)),
                "seconds": 0.1 + number / 1000,
                "confidence": (number % 10) / 10,
            }
            run.append(record)
    if finished:
        (folder / SUMMARY).write_text("{}")
    return folder


def good(number: int) -> dict[str, float]:
    return {"hits_at_1": float(number % 3 > 0), "f1": (number % 5) / 4, "precision": 1.0}


def poor(number: int) -> dict[str, float]:
    return {"hits_at_1": float(number % 3 > 1), "f1": (number % 4) / 4, "precision": 0.5}


def test_pairs_are_tested_over_the_questions_that_both_have(tmp_path: Path) -> None:
    a, b = write(tmp_path / "a", good), write(tmp_path / "b", poor, range(4, 24), finished=False)
    found = compare([a, b])
    assert found.dataset == "toy"
    assert [run.name for run in found.runs] == ["a", "b"]
    assert [(run.n, run.finished) for run in found.runs] == [(24, True), (20, False)]
    assert found.runs[0].figures["hits_at_1"].estimate == pytest.approx(16 / 24)
    assert found.runs[0].figures["coverage"].estimate == pytest.approx(20 / 24)
    hits, f1 = found.compared
    common = range(4, 24)
    only = sum(number % 3 == 1 for number in common)
    assert (hits.metric, hits.test, hits.only_first, hits.only_second) == ("hits_at_1", "McNemar", only, 0)
    assert hits.p == pytest.approx(2 / 2**only)
    assert hits.difference.n == 20
    x, y = ([figures(number)["f1"] for number in common] for figures in (good, poor))
    assert f1.test == "paired t"
    assert f1.p == pytest.approx(stats.ttest_rel(x, y).pvalue)
    assert hits.corrected == pytest.approx(min(1, 2 * hits.p))  # Holm, of two tests: the smaller one twice
    assert f1.corrected == pytest.approx(max(f1.p, hits.corrected))
    assert compare([a, b], correction="none").compared[0].corrected == pytest.approx(hits.p)


def test_all_pairs_or_each_against_a_baseline(tmp_path: Path) -> None:
    runs = [write(tmp_path / name, good) for name in ("a", "b", "c")]
    pairs = [(one.first, one.second) for one in compare(runs, ["f1"]).compared]
    assert pairs == [("a", "b"), ("a", "c"), ("b", "c")]
    based = compare(runs, ["f1"], baseline=tmp_path / "b").compared
    assert [(one.first, one.second) for one in based] == [("b", "a"), ("b", "c")]
    assert {one.p for one in based} == {1.0}
    same_name = [write(tmp_path / folder / "run", good) for folder in ("x", "y")]
    assert [run.name for run in compare(same_name).runs] == ["x/run", "y/run"]


def test_two_samples_without_a_common_question_are_not_paired(tmp_path: Path) -> None:
    a, b = write(tmp_path / "a", good, range(12)), write(tmp_path / "b", poor, range(12, 24))
    hits, f1 = compare([a, b]).compared
    assert (hits.paired, hits.test, f1.test) == (False, "Fisher", "Welch")
    assert hits.p == pytest.approx(stats.fisher_exact(np.array([[8, 4], [4, 8]])).pvalue)
    assert hits.difference.n == 24


def test_costs_and_figures_of_whole_runs_are_compared_too(tmp_path: Path) -> None:
    a, b = write(tmp_path / "a", good), write(tmp_path / "b", poor)
    metrics = ["coverage", "selective_accuracy", "confidence_auc", "seconds", "model_calls"]
    found = {one.metric: one for one in compare([a, b], metrics).compared}
    assert [found[name].test for name in metrics] == ["McNemar", "bootstrap", "bootstrap", "Wilcoxon", "Wilcoxon"]
    assert found["seconds"].p == found["coverage"].p == 1
    selective = found["selective_accuracy"].difference
    right = [sum(figures(n)["hits_at_1"] for n in range(24) if n % 6 != 5) / 20 for figures in (good, poor)]
    assert selective.estimate == pytest.approx(right[0] - right[1])
    assert selective.low > 0
    assert found["selective_accuracy"].p < 0.05


def test_what_cannot_be_compared_is_refused(tmp_path: Path) -> None:
    a, b = write(tmp_path / "a", good), write(tmp_path / "b", poor)
    other = write(tmp_path / "other", good, questions="d2")
    empty = write(tmp_path / "empty", good, range(0))
    sparse = write(tmp_path / "sparse", lambda _: {"accuracy": 1.0})
    calls: list[tuple[str, Callable[[], object]]] = [
        ("at least two runs", lambda: compare([a, a])),
        ("different data", lambda: compare([a, other])),
        ("no record yet", lambda: compare([a, empty])),
        ("did you mean", lambda: compare([a, b], ["hits_at_one"])),
        ("no two of the runs", lambda: compare([a, sparse], ["accuracy"])),
        ("not among the runs", lambda: compare([a, b], baseline=other)),
    ]
    for message, call in calls:
        with pytest.raises(SettingsError, match=message):
            call()
    with pytest.raises(SourceError, match="not the folder of a run"):
        compare([a, tmp_path / "nothing"])


def test_the_command(tmp_path: Path) -> None:
    a, b = write(tmp_path / "a", good), write(tmp_path / "b", poor, finished=False)
    command = CliRunner().invoke
    told = command(app, ["compare", str(tmp_path)])
    assert told.exit_code == 0
    assert "a - b" in told.stdout
    assert "b is not finished: 24 questions so far" in told.stdout
    assert "corrected for 2 tests: holm" in told.stdout
    of_json = json.loads(command(app, ["compare", str(a), str(b), "--metric", "f1", "--json"]).stdout)
    assert [one["metric"] for one in of_json["compared"]] == ["f1"]
    assert of_json["runs"][0]["figures"]["f1"]["n"] == 24
    based = json.loads(command(app, ["compare", str(a), "--baseline", str(b), "--json"]).stdout)
    assert based["compared"][0]["first"] == "b"
    for wrong in (
        ["compare", str(a)],
        ["compare", str(tmp_path / "nothing"), str(a)],
        ["compare", str(a), str(b), "--metric", "nothing"],
        ["compare", str(a), str(b), "--correction", "bonferroni"],
    ):
        refused = command(app, wrong)
        assert refused.exit_code == 2
        assert len(refused.stderr.strip().splitlines()) == 1
