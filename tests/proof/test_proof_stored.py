"""Answers that were stored by this format's first readers are read, check, and are written as they were.

An auditor opens them months later. Where a test here fails, the format is another one, and needs another number.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from evidence_worlds import documents
from producers import small_world

from toulmin.graph.memory import MemoryGraph
from toulmin.proof.answer import Answer
from toulmin.proof.checker import check

STORED = sorted((Path(__file__).parent / "stored").glob("*.json"))


@pytest.fixture(scope="module")
def graph() -> Iterator[MemoryGraph]:
    with small_world() as world:
        yield world


def test_there_are_some() -> None:
    assert [path.stem for path in STORED] == ["passage", "selection", "text", "values", "vote"]


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_stored_answers_are_read_and_check(path: Path, graph: MemoryGraph) -> None:
    answer = Answer.read(path)
    report = check(answer, graph, passages=documents)
    assert (report.exit_code, report.graph_changed, report.unused) == (0, False, ())
    assert answer.to_json(indent=None) + "\n" == path.read_text("utf-8")
