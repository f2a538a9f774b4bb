"""What ``print`` and a debugger show of an answer and of a report, and their copies in other processes."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from producers import follow, hop, small_world

from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Literal
from toulmin.proof.answer import Answer, shown
from toulmin.proof.builder import ProofBuilder
from toulmin.proof.checker import CheckReport, check
from toulmin.proof.model import Fact, Proof

QUESTION = "Who directed the films that Ruth Negga acted in?"
STORED = Path(__file__).parent / "stored"


@pytest.fixture(scope="module")
def graph() -> Iterator[MemoryGraph]:
    with small_world() as world:
        yield world


@pytest.fixture
def answer(graph: MemoryGraph) -> Answer:
    return follow(QUESTION, "Ruth Negga", hop("acted in"), hop("directed by"), graph=graph)


def test_print_shows_the_question_the_answer_and_how_to_check_it(answer: Answer) -> None:
    question, text, about = str(answer.model_copy(update={"confidence": 0.625})).split("\n")
    assert (question, text) == (QUESTION, answer.text)
    assert about.startswith(f"confidence 0.62, method {answer.method}; proof of {len(answer.proof.steps)} steps")
    assert "answer.proof.check(graph)" in about
    assert "confidence" not in str(answer.model_copy(update={"confidence": None}))


def test_an_abstention_says_why(graph: MemoryGraph) -> None:
    builder = ProofBuilder("Who is it?", graph)
    abstained = builder.answer(builder.abstain("nothing is named"), method="m")
    assert str(abstained).split("\n")[1] == "Not answerable from this graph: nothing is named"
    assert "proof of 1 step," in str(abstained)


def test_what_is_long_is_cut_and_nothing_breaks_a_line(answer: Answer) -> None:
    many = tuple(Literal(f"value {number}") for number in range(5000))
    long = answer.model_copy(update={"values": many, "text": "x" * 9999, "question": "a\n\x1b[2J\u202eb " * 999})
    assert "… (5,000 values)" in str(long)
    assert len(str(long)) < 1000
    assert len(str(long).split("\n")) == 3
    assert "\x1b" not in str(long)
    assert "\u202e" not in str(long)


def test_a_debugger_shows_a_line(answer: Answer, graph: MemoryGraph) -> None:
    report = check(answer, graph)
    for one in (answer, answer.proof, report):
        assert len(repr(one)) < 400
        assert "\n" not in repr(one)
    assert repr(answer).startswith(f"Answer(question={QUESTION!r}, text={answer.text!r}")
    assert f"Proof(steps={len(answer.proof.steps)}, " in repr(answer)


def test_a_report_says_what_is_wrong(answer: Answer, graph: MemoryGraph) -> None:
    assert str(check(answer, graph)).startswith("passes: ")
    stored = json.loads(answer.to_json())
    stored["values"] = []
    wrong = check(Answer.from_json(json.dumps(stored)), graph)
    first, *rest = str(wrong).split("\n")
    assert first.startswith("does not pass: ")
    assert len(rest) == len(wrong.problems) + sum(step.status in ("stale", "fails") for step in wrong.steps) > 0


def test_what_travels_to_another_process_is_the_same_there(answer: Answer, graph: MemoryGraph) -> None:
    report = check(answer, graph)
    facts = [step.statement for step in answer.proof.steps if isinstance(step, Fact)]
    values = [answer, answer.proof, *answer.proof.steps, report, *facts, *answer.values, Entity("e:1", "One")]
    for one in values:
        for other in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):  # noqa: S301
            assert other == one
            assert type(other) is type(one)
            assert repr(other) == repr(one)
            if isinstance(other, Answer):
                assert other.to_json() == answer.to_json()
                assert other.proof.check(graph) == check(other, graph) == report
            if isinstance(other, CheckReport):
                assert other.exit_code == 0
    travelled: Proof = pickle.loads(pickle.dumps(answer.proof))  # noqa: S301
    assert travelled.check(graph) == report
    assert [one.id for one in pickle.loads(pickle.dumps(facts))] == [one.id for one in facts]  # noqa: S301


@pytest.mark.parametrize("stored", sorted(STORED.glob("*.json")), ids=lambda path: path.stem)
def test_answers_of_every_kind_are_printed_and_travel(stored: Path) -> None:
    answer = Answer.read(stored)
    travelled = pickle.loads(pickle.dumps(answer))  # noqa: S301
    assert travelled == answer
    assert travelled.to_json() == answer.to_json()
    assert str(travelled) == str(answer)
    assert str(answer).startswith(shown(answer.question))
    assert len(str(answer)) < 2000
    assert len(repr(answer)) < 700


@given(st.text())
def test_a_shown_text_is_one_line_that_can_be_read(text: str) -> None:
    line = shown(text)
    assert len(line) <= 300
    assert all(one.isprintable() or one in "\u200c\u200d" for one in line)
    assert shown(line) == line
