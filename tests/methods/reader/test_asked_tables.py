"""Tables as people have them, one of which joins the others: right answers, and no row of a join for who and what."""

from __future__ import annotations

import pytest
from answer_sets import labels
from reader_worlds import DOGS

from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers.tables import RawTable, read_tables
from toulmin.methods.asker import Asker

WALKERS = [["walker", "phone", "max dogs"], ["Teo Brandt", "555-0101", "4"], ["Nora Quist", "555-0144", "6"]]
WALKS = [
    ["walk no", "dog", "walker", "day", "minutes"],
    ["W1", "Bruno", "Teo Brandt", "2024-05-02", "40"],
    ["W2", "Lotte", "Nora Quist", "2024-05-02", "25"],
    ["W3", "Bruno", "Nora Quist", "2024-05-04", "55"],
    ["W4", "Asta", "Teo Brandt", "2024-05-07", "60"],
]


@pytest.fixture(scope="module")
def asker() -> Asker:
    named = {"dogs": DOGS, "walkers": WALKERS, "walks": WALKS}
    reading = read_tables([RawTable(name, rows[0], rows[1:]) for name, rows in named.items()])
    return Asker(MemoryGraph.from_records(reading.records()), method="reader")


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("which spaniel is not vaccinated", {"Wolke"}),
        ("how many whippets are there?", {"2"}),
        ("the oldest spaniel", {"Bruno"}),
        ("the lightest dog", {"Lotte"}),
        ("unvaccinated dogs", {"Wolke", "Lotte"}),
        ("who walked Asta?", {"Teo Brandt"}),
        ("how many dogs can Nora Quist take?", {"6"}),
    ],
)
def test_right_answers(asker: Asker, question: str, values: set[str]) -> None:
    assert labels(asker.ask(question)) == values


def test_yes_and_no_for_true_and_false(asker: Asker) -> None:
    assert asker.ask("is Wolke vaccinated?").verdict is False


@pytest.mark.parametrize("question", ["who walked Bruno?", "whom did Teo Brandt walk", "what did Nora Quist do"])
def test_no_row_that_joins_is_who_or_what(asker: Asker, question: str) -> None:
    answer = asker.ask(question)
    assert answer.abstained or labels(answer).isdisjoint({"W1", "W2", "W3", "W4"})
