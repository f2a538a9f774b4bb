"""When the method says that it does not know."""

from __future__ import annotations

import pytest
from answer_sets import Ask, labels

import toulmin
from toulmin.errors import InputError, SettingsError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers import RawName, RawStatement
from toulmin.graph.store import EmbeddedGraph
from toulmin.graph.types import DESCRIPTION, Literal
from toulmin.methods.asker import Asker
from toulmin.methods.reader.settings import ReaderSettings

pytest_plugins = ("asked_graphs",)


@pytest.mark.parametrize("question", ["Does anybody know?", "why why why", "¿¡…!?", "?"])
def test_nothing_in_the_question_is_in_the_graph(world: EmbeddedGraph, ask_world_surely: Ask, question: str) -> None:
    answer = ask_world_surely(question)
    assert answer.abstained
    assert answer.values == ()
    assert answer.text == f"Not answerable from this graph: {answer.reason}"
    assert answer.check(world).exit_code == 0


@pytest.mark.parametrize("question", ["", " ", "\n\t ", "\u2003"])
def test_an_empty_question_is_refused(ask_world: Ask, question: str) -> None:
    with pytest.raises(InputError, match="question is empty"):
        ask_world(question)


def test_an_entity_of_which_nothing_is_said_but_its_description() -> None:
    records: list[RawStatement | RawName] = [
        RawName("e:zog", "Zog the Silent"),
        RawStatement("e:zog", DESCRIPTION, Literal("of whom nothing is known", lang="en")),
    ]
    with MemoryGraph.from_records(records) as graph:
        answer = toulmin.ask(graph, "Who was the mother of Zog the Silent?", method="reader")
        assert answer.abstained
        assert answer.reason is not None
        assert "Zog the Silent" in answer.reason
        assert answer.check(graph).exit_code == 0


def test_an_empty_graph_answers_nothing() -> None:
    with MemoryGraph.from_records([]) as graph:
        answer = toulmin.ask(graph, "Who directed Metropolis?")
        assert answer.abstained
        assert answer.check(graph).exit_code == 0


@pytest.mark.parametrize(
    "question",
    [
        "What is the phone number of Ada Lovelace?",
        "What is the shoe size of Alan Turing?",
        "What is the favourite colour of Isaac Newton?",
        "What did Frida Kahlo eat for breakfast?",
        "What is the password of NASA?",
    ],
)
def test_a_relation_that_the_graph_lacks(world: EmbeddedGraph, ask_world_surely: Ask, question: str) -> None:
    answer = ask_world_surely(question)
    assert answer.abstained
    assert answer.reason is not None
    assert "the nearest reading is: " in answer.reason
    assert answer.check(world).exit_code == 0


QUESTIONS = {
    "Who directed Spirited Away?": {"Hayao Miyazaki"},
    "Where was the director of Titanic born?": {"Kapuskasing"},
    "What is the capital of Canada?": {"Ottawa"},
    "What did Frida Kahlo eat today?": None,
    "What is the shoe size of Alan Turing?": None,
}


def test_the_more_is_to_be_refused_the_less_is_answered(world: EmbeddedGraph) -> None:
    before = dict.fromkeys(QUESTIONS, False)
    confidence: dict[str, float | None] = {}
    for refused in (0.0, 0.3, 0.5, 0.8, 1.0):
        ask = Asker(world, method="reader", settings=ReaderSettings(abstain_below=refused)).ask
        for question, expected in QUESTIONS.items():
            answer = ask(question)
            assert answer.confidence is not None
            assert answer.confidence == confidence.setdefault(question, answer.confidence)
            assert answer.abstained or not before[question], (question, refused)
            before[question] = answer.abstained
            if not answer.abstained and expected:
                assert labels(answer) == expected
            assert answer.check(world).exit_code == 0
    assert all(before[question] for question, expected in QUESTIONS.items() if expected is None)


def test_the_surest_are_answered_and_the_unsurest_are_not(ask_world: Ask, world: EmbeddedGraph) -> None:
    surest, unsurest = "What is the capital of Canada?", "What did Frida Kahlo eat today?"
    ask = Asker(world, method="reader", settings=ReaderSettings(abstain_below=0.8)).ask
    assert labels(ask(surest)) == {"Ottawa"}
    assert ask(unsurest).abstained
    assert ask_world(surest).confidence == ask(surest).confidence


@pytest.mark.parametrize("refused", [-0.1, 1.1, float("nan")])
def test_the_share_to_be_refused_is_a_share(refused: float) -> None:
    with pytest.raises(SettingsError, match="reader: abstain_below is"):
        ReaderSettings(abstain_below=refused)


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


def test_a_choice_is_no_question_of_yes_or_no(world: EmbeddedGraph) -> None:
    asked = "Is the sex or gender of Ada Lovelace male or female?"
    assert "yes or no" not in (toulmin.ask(world, asked, method="reader").reason or "")
