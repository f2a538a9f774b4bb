"""Graphs that the tests of programs are about."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from program_graphs import FILMS, PEOPLE

from toulmin.graph.memory import MemoryGraph


@pytest.fixture
def people() -> Iterator[MemoryGraph]:
    """People with managers, births, salaries, offices held; some values missing, several, vague, unknown or none."""
    with MemoryGraph.from_statements(PEOPLE, name="people") as graph:
        yield graph


@pytest.fixture
def films() -> Iterator[MemoryGraph]:
    """Films and who made them."""
    with MemoryGraph.from_statements(FILMS, name="films") as graph:
        yield graph
