"""Runs that several tests of the report read, made once."""

from __future__ import annotations

from pathlib import Path

import pytest
from harbour_runs import HOSTILE, make_run


@pytest.fixture(scope="session")
def plain_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three methods on one data set, whose questions have types and hops, judged by two metrics."""
    folder = tmp_path_factory.mktemp("plain")
    for method, right, calls in (("anchor", 0.85, 1), ("buoy", 0.6, 3), ("chart", 0.4, 60)):
        make_run(folder / method, method=method, right=right, calls=calls, judged={"factscore": 0.6, "safe": 0.4})
    return folder


@pytest.fixture(scope="session")
def swept_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One method with settings that vary, and on perturbed graphs."""
    folder = tmp_path_factory.mktemp("swept")
    for width in (1, 4):
        for depth in (1, 2):
            make_run(folder / f"{width}-{depth}", settings={"width": width, "depth": depth, "plan": "tide"}, count=10)
    for level in (0.2, 0.6):
        settings = {"width": 4, "depth": 2, "plan": "tide"}
        make_run(folder / f"deleted-{level}", settings=settings, count=10, perturbation=("edge-deletion", level))
    return folder


@pytest.fixture(scope="session")
def hostile_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs whose questions, labels, types and methods are meant to get out of where they stand."""
    folder = tmp_path_factory.mktemp("hostile")
    for number, text in enumerate(HOSTILE):
        for method in ("anchor", "buoy"):
            make_run(folder / f"{method}{number}", method=method, count=6, hostile=text, data=f"harbours/{text}")
    return folder
