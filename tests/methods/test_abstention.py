"""When the method says that it does not know."""

from __future__ import annotations

import pytest
from answer_sets import Ask, labels, named

from toulmin import methods
from toulmin.errors import InputError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers import Fact, Name
from toulmin.graph.store import EmbeddedGraph
from toulmin.graph.types import DESCRIPTION, Literal
from toulmin.methods.fidelis import FidelisSettings
from toulmin.proof.checker import check

pytest_plugins = ("asked_graphs",)


@pytest.mark.parametrize("question", ["Does anybody know?", "why why why", "¿¡…!?", "?"])
def test_nothing_in_the_question_is_in_the_graph(world: EmbeddedGraph, ask_world_surely: Ask, question: str) -> None:
    answer = ask_world_surely(question)
    assert answer.abstained
    assert answer.values == ()
    assert answer.text == f"Not answerable from this graph: {answer.reason}"
    assert check(answer, world).exit_code == 0


@pytest.mark.parametrize("question", ["", " ", "\n\t ", "\u2003"])
def test_an_empty_question_is_refused(ask_world: Ask, question: str) -> None:
    with pytest.raises(InputError, match="question is empty"):
        ask_world(question)


def test_an_entity_of_which_nothing_is_said_but_its_description() -> None:
    records: list[Fact | Name] = [
        Name("e:zog", "Zog the Silent"),
        Fact("e:zog", DESCRIPTION, Literal("of whom nothing is known", lang="en")),
    ]
    with MemoryGraph.from_records(records) as graph:
        answer = methods.ask("Who was the mother of Zog the Silent?", graph)
        assert answer.abstained
        assert answer.reason is not None
        assert "Zog the Silent" in answer.reason
        assert check(answer, graph).exit_code == 0


def test_an_empty_graph_answers_nothing() -> None:
    with MemoryGraph.from_records([]) as graph:
        answer = methods.ask("Who directed Metropolis?", graph)
        assert answer.abstained
        assert check(answer, graph).exit_code == 0


def test_what_the_graph_does_not_say_of_anybody() -> None:
    with named([("Ada", "employer", "Acme"), ("Bert", "employer", "Acme"), ("Acme", "industry", "Anvils")]) as graph:
        answer = methods.ask("What is the blood type of Ada?", graph)
        assert answer.abstained, answer.text
        assert answer.confidence is not None
        assert answer.confidence < FidelisSettings().threshold
        assert check(answer, graph).exit_code == 0


@pytest.mark.parametrize("threshold", [0.0, 0.3, 0.6, 1.0])
def test_the_threshold_is_the_least_confidence_of_an_answer(world: EmbeddedGraph, threshold: float) -> None:
    ask = methods.answerer(world, settings=FidelisSettings(threshold=threshold))
    for question in ("Who directed Spirited Away?", "Where was Ada Lovelace born?", "What did Frida Kahlo eat today?"):
        answer = ask(question)
        assert answer.confidence is not None
        assert answer.abstained == (answer.confidence < threshold)
        assert check(answer, world).exit_code == 0


def test_the_threshold_changes_whether_and_not_what_is_answered(world: EmbeddedGraph, ask_world: Ask) -> None:
    lenient = ask_world("Where was the director of Titanic born?")
    strict = methods.ask(
        "Where was the director of Titanic born?", world, settings=FidelisSettings(threshold=lenient.confidence or 0)
    )
    assert labels(strict) == labels(lenient)
    assert strict.confidence == lenient.confidence


def test_what_the_graph_says_it_is_surer_of_than_what_it_does_not_say(ask_world: Ask) -> None:
    pairs = {
        "Who is the mother of Ada Lovelace?": "Who is the hairdresser of Ada Lovelace?",
        "What is the atomic number of radium?": "What is the melting point of radium?",
        "Where is Alan Turing educated?": "What is the shoe size of Alan Turing?",
        "What is the capital of Canada?": "What is the motto of Canada?",
    }
    for answerable, unanswerable in pairs.items():
        sure, unsure = ask_world(answerable).confidence, ask_world(unanswerable).confidence
        assert sure is not None
        assert unsure is not None
        assert sure > unsure, unanswerable
