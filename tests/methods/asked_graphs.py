"""Graphs that the tests of methods ask, as a plugin: built once for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from answer_sets import Ask, built

from toulmin.graph.bundled import bundled_path
from toulmin.graph.readers import read
from toulmin.graph.store import EmbeddedGraph
from toulmin.methods.asker import Asker
from toulmin.methods.reader.settings import ReaderSettings


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedGraph]:
    """The bundled graph, with vectors."""
    graph = built(tmp_path_factory.mktemp("graphs") / "world", read(bundled_path(), strict=True))
    yield graph
    graph.close()


@pytest.fixture(scope="session")
def ask_world(world: EmbeddedGraph) -> Ask:
    """Answers questions from the bundled graph, however unsure the method is; each question is answered once."""
    return cache(Asker(world, method="reader", settings=ReaderSettings(abstain_below=0)).ask)


@pytest.fixture(scope="session")
def ask_world_surely(world: EmbeddedGraph) -> Ask:
    """Answers questions from the bundled graph, or abstains."""
    return Asker(world, method="reader").ask
