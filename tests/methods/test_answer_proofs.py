"""Stored answers of the method: unaltered they check on their graph, altered they do not, elsewhere they do not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from answer_sets import Ask, named

import toulmin
from toulmin.graph.store import EmbeddedGraph
from toulmin.methods.fidelis import FidelisSettings
from toulmin.proof.answer import Answer
from toulmin.proof.checker import check

sys.path.append(str(Path(__file__).resolve().parents[1] / "proof"))

from mutations import survivors

pytest_plugins = ("asked_graphs",)

ALTERED = [
    "Who directed Spirited Away?",
    "Who was married to Mary Shelley?",
    "When was Alan Turing born?",
    "Which films star Toshirō Mifune?",
    "Where did the father of Ada Lovelace die?",
    "Which films share a director with Seven Samurai?",
    "In which country was the director of Paris, Texas born?",
    "How tall is the Mona Lisa?",
]


@pytest.mark.parametrize("question", ALTERED)
def test_nothing_in_an_answer_can_be_altered_unnoticed(world: EmbeddedGraph, ask_world: Ask, question: str) -> None:
    answer = ask_world(question)
    assert check(answer, world).exit_code == 0
    assert survivors(answer, world, limit=250) == []


def test_nor_in_an_abstention(world: EmbeddedGraph) -> None:
    answer = toulmin.ask(world, "What did Frida Kahlo eat today?", settings=FidelisSettings(refused=1))
    assert answer.abstained
    assert check(answer, world).exit_code == 0
    assert survivors(answer, world, limit=250) == []


def test_a_stored_answer_checks_when_it_is_read_again(world: EmbeddedGraph, ask_world: Ask, tmp_path: Path) -> None:
    answer = ask_world("Which films share a director with Seven Samurai?")
    stored = tmp_path / "answer.json"
    stored.write_text(answer.to_json(), "utf-8")
    read = Answer.read(stored)
    assert read == answer
    assert check(read, world) == check(answer, world)


def test_on_another_graph_it_does_not_hold(ask_world: Ask) -> None:
    answer = ask_world("Who directed Spirited Away?")
    with named([("Spirited Away", "director", "Isao Takahata")]) as other:
        report = check(answer, other)
    assert report.graph_changed
    assert report.exit_code == 1


def test_a_reading_of_a_question_is_judged_and_nothing_more(world: EmbeddedGraph, ask_world: Ask) -> None:
    answer = ask_world("Who directed Spirited Away?")
    assert check(answer, world).status == "judged"
    assert check(answer, world, strict=True).exit_code == 1
