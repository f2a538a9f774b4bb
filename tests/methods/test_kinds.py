"""Questions whose words ask for a kind of value, or choose among values by time; the bundled graph and small ones."""

from __future__ import annotations

import pytest
from answer_sets import Ask, labels, named

from toulmin.graph.store import EmbeddedGraph
from toulmin.methods.asking import Asker
from toulmin.methods.fidelis import FidelisSettings
from toulmin.proof.checker import check

pytest_plugins = ("asked_graphs",)

ASKED = {
    "When was Julius Caesar killed?": {"-0043-03-15"},  # not by whom
    "Who is Marie Curie?": {"chemist", "physicist"},  # what she is by trade
    "What does Ada Lovelace do?": {"mathematician"},
    "Who took part in Apollo 11 as crew?": {"Neil Armstrong", "Buzz Aldrin", "Michael Collins"},  # not "astronaut"
    "Which award did Marie Curie win in 1903?": {"Nobel Prize in Physics"},
    "Which award did Marie Curie win in 1911?": {"Nobel Prize in Chemistry"},
}

SHELF = [
    ("Moby Dick", "tagged", "whale"),
    ("Moby Dick", "tagged", "sea"),
    ("Moby Dick", "classified", "Novel"),
    ("Moby Dick", "published in", "London"),
    ("Jaws", "tagged", "shark"),
    ("Jaws", "classified", "Thriller"),
    ("Jaws", "published in", "New York City"),
]


@pytest.mark.parametrize(("question", "expected"), ASKED.items())
def test_values_are_of_the_kind_and_of_the_time_that_is_asked_for(
    world: EmbeddedGraph, ask_world: Ask, question: str, expected: set[str]
) -> None:
    answer = ask_world(question)
    assert labels(answer) == expected
    assert check(answer, world).exit_code == 0


def test_a_year_that_no_statement_has_leaves_the_answers_as_they_are(ask_world: Ask) -> None:
    assert labels(ask_world("Which award did Marie Curie win in 1950?")) == {
        "Nobel Prize in Physics",
        "Nobel Prize in Chemistry",
    }


@pytest.mark.parametrize("question", ["Which words describe Moby Dick?", "Which topics is Moby Dick about?"])
def test_words_are_values_in_lower_case(question: str) -> None:
    with named(SHELF) as graph:
        answer = Asker(graph, settings=FidelisSettings(refused=0)).ask(question)
        assert labels(answer) == {"whale", "sea"}
        assert check(answer, graph).exit_code == 0
