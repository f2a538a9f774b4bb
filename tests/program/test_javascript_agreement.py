"""Both kernels find the same on random programs over random graphs: values, marks, statuses, words."""

from __future__ import annotations

import json
from dataclasses import asdict
from random import Random
from typing import Any

import pytest
from agreement import certificate
from javascript import Recorded, called
from random_programs import random_graph, random_program

from toulmin.kernel import KernelError, check
from toulmin.kernel.certificate import OpNode, Source, read_certificate
from toulmin.kernel.evaluate import Evaluator, NodeSet
from toulmin.kernel.format import LiteralValue
from toulmin.program.ranges import GraphRanges

__all__ = ["disagreements"]


def _json(node: Any) -> Any:
    return {k: v for k, v in node._asdict().items() if v is not None} if isinstance(node, LiteralValue) else node


def _shown(node: OpNode, place: int, kernel: Evaluator) -> Any:
    value = kernel.values[place]
    if node.free or node.yields == "period" or kernel.lost(place):
        return None
    if isinstance(value, NodeSet):
        best = [one for one in value.items if one in value.preferred]
        marks = [value.open, value.hole, value.none, value.at_least]
        return [list(map(_json, value.items)), marks, list(map(_json, best))]
    return [[list(map(_json, cell)) for cell in row] for row in value] if isinstance(value, list) else [value]


def disagreements(seed: int, programs: int = 20) -> list[str]:
    """What differs on so many programs over one random graph."""
    rng = Random(seed)
    cases: list[Any] = []
    expected: list[Any] = []
    with random_graph(rng) as graph:  # type: ignore[attr-defined]
        for _ in range(programs):
            builder, _ = random_program(rng, graph)
            given = certificate(builder)
            text, asked = json.dumps(given), Recorded(GraphRanges(graph))
            expected.append(asdict(check(text, asked, seconds=60)))
            cases.append(asked.case(text, seconds=60))
            try:
                read = read_certificate(json.loads(text))
                graphs, question = len(read.data["graphs"]), read.data["question"]
                kernel = Evaluator(read.program, Source(GraphRanges(graph)), graphs, question, 60.0)
                kernel.run()
                expected.append([_shown(node, place, kernel) for place, node in enumerate(read.program)])
            except KernelError as error:
                expected.append(["thrown", str(error)])
            cases.append(asked.case(text, "evaluated", seconds=60))
        found = called(cases)
    pairs = enumerate(zip(json.loads(json.dumps(expected)), found, strict=True))
    return [f"seed {seed}, case {number}: {one} and {other}" for number, (one, other) in pairs if one != other]


@pytest.mark.parametrize("seed", range(4))
def test_both_kernels_find_the_same(seed: int) -> None:
    assert disagreements(seed) == []
