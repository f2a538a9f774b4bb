"""The command perturb: what it prints, and how it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.fixture(scope="module")
def quay(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("perturb")
    lines = [f"berth {number}\tkept by\twarden {number % 5}" for number in range(30)]
    lines += [f"warden {number}\tlives in\tharbour {number % 2}" for number in range(5)]
    (folder / "quay.tsv").write_text("\n".join(lines), "utf-8")
    assert run("build", folder / "quay.tsv", "--out", folder / "quay", "--no-vectors").exit_code == 0
    return folder / "quay"


def test_it_tells_what_was_changed_and_how_alike_the_graphs_are(run: Run, quay: Path, tmp_path: Path) -> None:
    out = tmp_path / "rewired"
    asked = ("perturb", quay, "--kind", "edge-rewiring", "--level", "0.4", "--out", out)
    told = run(*asked)
    assert told.exit_code == 0
    assert "14 statements altered; 35 could be changed so" in told.stdout
    assert all(name in told.stdout for name in ("ATS 0.", "AUC of the scorer", "SC2D ", "SD2 0."))
    assert len((out / "changes.jsonl").read_text("utf-8").splitlines()) == 14
    printed = json.loads(run(*asked, "--json").stdout)
    assert printed["perturbation"] == {"kind": "edge-rewiring", "level": 0.4, "seed": 0}
    assert (printed["altered"], printed["before"], printed["after"]) == (14, 35, 35)
    assert set(printed["similarity"]) == {"ats", "ats_before", "auc", "sc2d", "sd2"}
    shown = run("info", out)
    assert "edge-rewiring 0.4, seed 0" in shown.stdout.replace("\n", " ")


@pytest.mark.parametrize(
    ("kind", "level", "why"),
    [
        ("shuffling", "0.3", "no perturbation is called 'shuffling': use one of relation-swapping"),
        ("edge-deletion", "1.5", "give a share from 0 to 1"),
        ("date-shift", "0.5", "it needs dates"),
    ],
)
def test_bad_input_ends_in_one_line(run: Run, quay: Path, tmp_path: Path, kind: str, level: str, why: str) -> None:
    told = run("perturb", quay, "--kind", kind, "--level", level, "--out", tmp_path / "out")
    assert (told.exit_code, told.stdout, len(told.stderr.splitlines())) == (2, "", 1)
    assert why in told.stderr
    assert not (tmp_path / "out").exists()


def test_a_graph_that_is_none_or_the_same_ends_in_one_line(run: Run, quay: Path, tmp_path: Path) -> None:
    for graph, out in (
        (tmp_path / "none", tmp_path / "out"),
        (quay, quay),
        ("http://localhost:1/sparql", tmp_path / "out"),
    ):
        told = run("perturb", graph, "--kind", "edge-deletion", "--level", "0.3", "--out", out)
        assert (told.exit_code, len(told.stderr.splitlines())) == (2, 1)
