"""What a question asks for is no value of another kind: a cause no day, people no share, awards no number."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from answer_sets import labels, named

import toulmin
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers import RawName, RawStatement
from toulmin.graph.types import Literal

STUD: list[tuple[str, str, str | Literal]] = [
    ("Bellatrix", "date of death", Literal("2009-03-14", "time")),
    ("Bellatrix", "owner", "Rosa Pinto"),
    ("Turbo Nana", "awards", Literal("5", "quantity")),
    ("Turbo Nana", "director", "Ida Moll"),
    ("Turbo Nana", "audience share", Literal("92", "quantity", unit="percent")),
    ("Bread Strike", "awards", Literal("2", "quantity")),
    ("Bread Strike", "director", "Ida Moll"),
    ("Bread Strike", "prizes won", Literal("4", "quantity")),
    ("Bread Strike", "length", Literal("3", "quantity", unit="kilometre")),
]


@pytest.fixture(scope="module")
def stud() -> Iterator[MemoryGraph]:
    with named(STUD) as graph:
        yield graph


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What did Bellatrix die of?", "2009-03-14"),
        ("Which awards did Turbo Nana win?", "5"),
        ("How many people saw Turbo Nana?", "92 percent"),
        ("Which prizes did Bread Strike win?", "4"),
    ],
)
def test_a_value_of_another_kind_is_no_answer(stud: MemoryGraph, question: str, value: str) -> None:
    answer = toulmin.ask(stud, question, method="reader")
    assert value not in labels(answer)
    assert answer.check(stud).exit_code == 0


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("When did Bellatrix die?", "2009-03-14"),
        ("How many awards did Turbo Nana win?", "5"),
        ("What is the audience share of Turbo Nana?", "92 percent"),
        ("How many more awards has Turbo Nana than Bread Strike?", "3"),
        ("How many metres is the length of Bread Strike?", "3 kilometre"),
    ],
)
def test_a_value_of_the_kind_is_an_answer(stud: MemoryGraph, question: str, value: str) -> None:
    answer = toulmin.ask(stud, question, method="reader")
    assert labels(answer) == {value}
    assert answer.check(stud).exit_code == 0


def test_a_way_back_does_not_read_not(stud: MemoryGraph) -> None:
    answer = toulmin.ask(stud, "Who is not the director of Turbo Nana?", method="reader")
    assert "Bread Strike" not in labels(answer)
    assert answer.check(stud).exit_code == 0


def test_a_class_that_nobody_asked_for_cuts_no_answer() -> None:
    works = [("The Hollow Tide", "novel"), ("Northern Notes", "essay"), ("The Kelp Year", "novel")]
    triples: list[tuple[str, str, str | Literal]] = [(title, "instance of", kind) for title, kind in works]
    triples += [(title, "author", "Ada Brook") for title, _ in works]
    with named(triples) as graph:
        answer = toulmin.ask(graph, "What did Ada Brook write?", method="reader")
        assert labels(answer) == {title for title, _ in works}
        assert answer.check(graph).exit_code == 0


def test_relations_of_one_word_are_told_apart_by_their_domain() -> None:
    names = {"m.01": "Ida Moll", "m.02": "Dawn", "m.03": "Dusk"}
    facts = [RawStatement("m.01", "film.director.film", "m.02"), RawStatement("m.01", "film.actor.film", "m.03")]
    with MemoryGraph.from_records([*(RawName(*pair) for pair in names.items()), *facts]) as graph:
        answer = toulmin.ask(graph, "Which film did Ida Moll direct?", method="reader")
        assert labels(answer) == {"Dawn"}
        assert answer.check(graph).exit_code == 0
