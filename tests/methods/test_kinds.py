"""Questions whose words ask for a kind of value, or choose among values by time; the bundled graph."""

from __future__ import annotations

import pytest
from answer_sets import Ask, labels

from toulmin.graph.store import EmbeddedGraph

pytest_plugins = ("asked_graphs",)

ASKED = {
    "When was Julius Caesar killed?": {"-0043-03-15"},  # not by whom
    "What does Ada Lovelace do?": {"mathematician"},
    "Who took part in Apollo 11 as crew?": {"Neil Armstrong", "Buzz Aldrin", "Michael Collins"},  # not "astronaut"
    "Which award did Marie Curie win in 1903?": {"Nobel Prize in Physics"},
    "Which award did Marie Curie win in 1911?": {"Nobel Prize in Chemistry"},
}


@pytest.mark.parametrize(("question", "expected"), ASKED.items())
def test_values_are_of_the_kind_and_of_the_time_that_is_asked_for(
    world: EmbeddedGraph, ask_world: Ask, question: str, expected: set[str]
) -> None:
    answer = ask_world(question)
    assert labels(answer) == expected
    assert answer.check(world).exit_code == 0


@pytest.mark.parametrize("time", ["1950", "December 1903", "5 May 1903", "the 19th century"])
def test_a_time_that_no_statement_is_known_to_hold_at_is_not_answered(
    world: EmbeddedGraph, ask_world_surely: Ask, time: str
) -> None:
    answer = ask_world_surely(f"Which award did Marie Curie win in {time}?")
    assert answer.abstained
    assert answer.check(world).exit_code == 0
