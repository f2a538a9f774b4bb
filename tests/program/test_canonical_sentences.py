"""What a program says in English, in both kernels alike."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest
from agreement import certificate
from javascript import Recorded, called
from program_graphs import said, time

from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Literal
from toulmin.kernel import check
from toulmin.program.builder import Builder
from toulmin.program.nodes import Window
from toulmin.program.ranges import GraphRanges

YEAR, MONTH = Literal("1903", "time", precision="year"), Literal("1903-04", "time", precision="month")
QUAY = [said("petrel", "part of", "fleet"), said("petrel", "home of", "ines"), said("petrel", "berth", "north")]


def agreed(builder: Builder) -> list[str]:
    """The sentences of all nodes, as both kernels write them."""
    text, asked = json.dumps(certificate(builder)), Recorded(GraphRanges(builder.graph))
    report = asdict(check(text, asked))
    assert called([asked.case(text)]) == [report]
    return [node["sentence"] for node in report["nodes"]]


@pytest.mark.parametrize(
    ("first", "last", "told"),
    [
        (YEAR, YEAR, "at some time in 1903"),
        (time("1903"), YEAR, "at some time in 1903"),
        (MONTH, MONTH, "at some time in 1903-04"),
        (YEAR, MONTH, "at some time from 1903 to 1903-04"),
        (time("-0043", "year"), time("-0043"), "at some time in -0043"),
        (time("1903-00-00", "year"), YEAR, "at some time from 1903-00-00 (year) to 1903"),
        (time("1900", "decade"), time("1900", "decade"), "at some time in 1900 (decade)"),
        (time("1900", "decade"), YEAR, "at some time from 1900 (decade) to 1903"),
        (YEAR, None, "at some time from 1903 to any time"),
        (None, None, "at some time from any time to any time"),
        (Literal("1903", "quantity", precision="year"), YEAR, "at some time from 1903 (year) to 1903"),
    ],
)
def test_a_window_of_time(first: Any, last: Any, told: str) -> None:
    window = Window(from_=first, to=last, point=("date",))
    with MemoryGraph.from_statements(QUAY) as graph:
        builder = Builder("Where?", graph)
        builder.follow(builder.entity("petrel"), "berth", window=window)
        assert agreed(builder)[1] == f"the berth ({told}; at ⟨date⟩) of Petrel"


def test_a_relation_that_ends_with_of_is_set_apart() -> None:
    with MemoryGraph.from_statements(QUAY) as graph:
        builder = Builder("Whose?", graph)
        petrel = builder.entity("petrel")
        builder.follow(petrel, "part of")
        builder.follow(petrel, ["berth", "home of"])
        builder.follow(builder.entity("fleet"), "part of", "backward")
        assert agreed(builder)[1:] == [
            "the “part of” of Petrel",
            "the berth or “home of” of Petrel",
            "Fleet",
            "everything whose “part of” is Fleet",
        ]
