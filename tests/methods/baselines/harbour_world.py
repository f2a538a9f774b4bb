"""The world of these tests, as a plugin."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from scripted_baselines import STATEMENTS

from toulmin.graph.memory import MemoryGraph


@pytest.fixture(scope="module")
def harbour() -> Iterator[MemoryGraph]:
    """A harbour, one of whose labels would like to give orders."""
    graph = MemoryGraph.from_statements(STATEMENTS)
    yield graph
    graph.close()
