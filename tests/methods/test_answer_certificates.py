"""Stored answers of the method: unaltered they check on their graph, altered they do not, elsewhere they do not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from answer_sets import Ask, named, operations

import toulmin
from toulmin.graph.store import EmbeddedGraph
from toulmin.kernel import check
from toulmin.methods.fidelis import FidelisSettings
from toulmin.program.answer import Answer

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
OTHER = "world:Danube"


def altered(certificate: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """A certificate with one thing changed on which its answer depends, and what that is."""

    def copy() -> dict[str, Any]:
        return deepcopy(certificate)

    for place in range(len(certificate["answer"]["values"])):
        made = copy()
        made["answer"]["values"][place] = OTHER
        yield f"value {place} is another", made
        made = copy()
        del made["answer"]["values"][place]
        yield f"value {place} is left out", made
    made = copy()
    made["answer"]["values"].insert(0, OTHER)
    yield "one value more", made
    made = copy()
    made["graphs"][0]["root"] = "0" * 64
    yield "another graph", made
    for place, node in enumerate(certificate["program"]):
        if node["op"] == "entity":
            made = copy()
            made["program"][place]["id"] = OTHER
            yield f"node {place} is another entity", made
        if node["op"] == "follow":
            made = copy()
            made["program"][place]["relations"] = ["world:no_such_relation"]
            yield f"node {place} follows another relation", made
            made = copy()
            made["program"][place]["direction"] = "forward" if node["direction"] == "backward" else "backward"
            yield f"node {place} follows it the other way", made


@pytest.mark.parametrize("question", ALTERED)
def test_nothing_in_an_answer_can_be_altered_unnoticed(world: EmbeddedGraph, ask_world: Ask, question: str) -> None:
    answer = ask_world(question)
    assert answer.check(world).exit_code == 0
    passed = []
    for what, made in altered(answer.certificate):
        report = Answer(made).check(world)
        passed += [what] if report.exit_code == 0 and what != "another graph" else []
        if what == "another graph":
            assert "another graph" in report.graphs[0]
    assert passed == []


def test_nor_is_what_was_tried_an_answer(world: EmbeddedGraph) -> None:
    asked = "What did Frida Kahlo eat today?"
    answer = toulmin.ask(world, asked, method="fidelis", settings=FidelisSettings(abstain_below=1))
    assert answer.abstained
    assert answer.check(world).exit_code == 0
    made = deepcopy(answer.certificate)
    made["answer"]["reasons"] = [{"code": "other", "says": "nothing was found"}]
    assert Answer(made).check(world).exit_code == 1, "what was tried yields something, and nothing says why it is none"
    made["answer"]["reasons"] = [{"code": "nothing", "of": made["answer"]["tried"][0]}]
    assert Answer(made).check(world).exit_code == 1


def test_a_stored_answer_checks_when_it_is_read_again(world: EmbeddedGraph, ask_world: Ask, tmp_path: Path) -> None:
    answer = ask_world("Which films share a director with Seven Samurai?")
    stored = tmp_path / "answer.json"
    stored.write_text(answer.to_json(), "utf-8")
    read = Answer.read(stored)
    assert read == answer
    assert read.values == answer.values
    assert str(read.check(world)) == str(answer.check(world))


def test_on_another_graph_it_does_not_hold(ask_world: Ask) -> None:
    answer = ask_world("Who directed Spirited Away?")
    with named([("Spirited Away", "director", "Isao Takahata")]) as other:
        report = answer.check(other)
    assert report.status == "stale"
    assert report.exit_code == 1


def test_a_reading_of_a_question_is_judged_and_nothing_more(world: EmbeddedGraph, ask_world: Ask) -> None:
    answer = ask_world("Who directed Spirited Away?")
    report = answer.check(world)
    assert report.status == "judged"
    assert {node["status"] for node in report.nodes} <= {"holds", "recomputed", "judged"}
    assert answer.check(world, strict=True).exit_code == 1


def test_what_cannot_be_checked_without_the_graph_is_not_said_to_hold(ask_world: Ask) -> None:
    report = check(json.loads(ask_world("Who directed Spirited Away?").to_json()))
    assert report.status == "unverifiable"


@pytest.mark.parametrize(
    ("question", "does"),
    [
        ("Where did the father of Ada Lovelace die?", ["follow", "follow"]),
        ("Which films share a director with Seven Samurai?", ["follow", "follow", "difference"]),
        ("Which award did Marie Curie receive in 1903?", ["follow"]),
        ("What was Akira Kurosawa's first film?", ["instances", "follow", "intersection", "follow", "first"]),
    ],
)
def test_programs_say_no_more_than_they_must(ask_world: Ask, question: str, does: list[str]) -> None:
    answer = ask_world(question)
    assert not answer.abstained
    assert operations(answer) == does
