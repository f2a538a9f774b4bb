"""The evaluators agree: over arrays, over a graph that is asked, and the kernel's."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from agreement import disagreement, shown
from random_programs import random_graph, random_program

from toulmin.errors import InputError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.protocol import Graph
from toulmin.program.builder import Builder
from toulmin.program.graph_source import AskedSource
from toulmin.program.nodes import as_json


@pytest.mark.parametrize("seed", range(24))
def test_random_programs_mean_the_same_to_the_kernel(seed: int) -> None:
    """10,000 and more are run by ``agreement.run``; these are the first."""
    rng = Random(seed)
    with random_graph(rng) as graph:  # type: ignore[attr-defined]
        told = [disagreement(random_program(rng, graph)[0], graph) for _ in range(20)]
    assert [one for one in told if one] == []


class Asked:
    """A graph that can only be asked: not one of this machine, as far as anybody can tell."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self.requests = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._graph, name)

    def statements(self, *arguments: Any, **options: Any) -> Any:
        """The statements, counted as one request."""
        self.requests += 1
        return self._graph.statements(*arguments, **options)


def _value(builder: Builder, place: int) -> Any:
    try:
        return shown(builder.value(place))
    except InputError as error:
        return str(error)


@pytest.mark.parametrize("seed", range(100, 112))
def test_a_graph_that_is_asked_gives_the_same(seed: int) -> None:
    rng = Random(seed)
    with random_graph(rng) as graph:  # type: ignore[attr-defined]
        if not isinstance(graph, MemoryGraph):
            return
        for _ in range(8):
            builder, _ = random_program(rng, graph)
            other = Builder(builder.question, Asked(graph))
            assert isinstance(other._evaluator.source, AskedSource)
            for node in builder.program:
                other.add(as_json(node))
            for place in range(len(builder.program)):
                if not builder.static(place).free:
                    assert _value(other, place) == _value(builder, place), as_json(builder.program[place])


def test_what_stands_under_a_variable_is_asked_for_in_batches(people: MemoryGraph) -> None:
    asked = Asked(people)
    b = Builder("Who?", asked)
    everybody = b.follow(b.union(b.entity("mayor"), b.entity("judge")), "office", "backward")
    b.value(b.where(everybody, lambda it: b.some(b.follow(it, "lives"), lambda home: b.exists(b.follow(home, "in")))))
    assert asked.requests == 3  # offices, homes, what the homes are in; however many people there are
