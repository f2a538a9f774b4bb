"""Chains of genitives: each "'s" and "of the" is a step, and a reading with fewer steps is none."""

from __future__ import annotations

import pytest
from answer_sets import FILMS, labels, named, walked

import toulmin
from toulmin.graph.types import Literal
from toulmin.methods.reader.beside_names import genitive_chain
from toulmin.methods.reader.network import shipped_network
from toulmin.methods.reader.reading import question_reader
from toulmin.methods.reader.settings import ReaderSettings
from toulmin.retrieval.retriever import Retriever


@pytest.mark.parametrize(
    ("question", "steps"),
    [
        ("Who is Brook?", 0),
        ("Who is Brook's boss?", 1),
        ("Brook's boss's wage", 2),
        ("what is the wage of Brook's boss's cousin?", 3),
        ("the wage of the boss of the father of Brook", 3),
        ("Brook's date of birth", 1),
        ("Brook's in Rome", 0),
        ("When was Brook's husband's father born?", 3),
        ("Was Brook's boss fired?", 2),
        ("What is Brook's boss called?", 1),
        ("Where is Brook's office located?", 1),
        ("Where was Brook's body buried?", 1),  # perhaps by one relation
        ("the location of the headquarters of Brook", 2),
        ("Brook's start art gallery's owner", 2),
        ("Brook's married", 0),
        ("the date of birth of Brook's father", 2),  # one noun, not two
        ("the name of Brook's father", 1),
        ("Brook's father's name", 1),
        ("the year of Brook's promotion", 1),  # when Brook was promoted
        ("the number of the boss of Brook", 1),
        ("Does Brook's boss's car have a roof?", 2),
        ("What's the wage of Brook", 1),
        ("Brook's the boss of whom?", 0),
        ("all of Brook", 0),
    ],
)
def test_steps_of_a_chain(question: str, steps: int) -> None:
    start = question.index("Brook")
    assert len(genitive_chain(question, (start, start + len("Brook")))[0]) == steps


def test_a_place_beside_its_name_is_no_step() -> None:
    question = "the mayor of the city of Brook"
    assert genitive_chain(question, (question.index("Brook"), len(question)))[0] == []
    assert genitive_chain("the mayor of Brook", (13, 18))[0] == ["mayor"]


FAMILY: list[tuple[str, str, str | Literal]] = [
    ("Ann Lee", "spouse", "Ben Oak"),
    ("Ben Oak", "parents", "Cid Oak"),
    ("Cid Oak", "profession", "baker"),
    ("Ben Oak", "profession", "miller"),
    ("Ann Lee", "parents", "Dan Lee"),
    ("Dan Lee", "profession", "smith"),
]


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("what is the profession of Ann Lee's husband's father?", {"baker"}),
        ("Ann Lee's partner's profession", {"miller"}),
        ("the profession of the father of Ann Lee", {"smith"}),
    ],
)
def test_no_step_is_passed_over(question: str, right: set[str]) -> None:
    with named(FAMILY) as graph:
        answer = toulmin.ask(graph, question, method="reader")
        assert not answer.abstained
        assert labels(answer) == right
        assert answer.check(graph).exit_code == 0


BOARDS: list[tuple[str, str, str | Literal]] = [
    ("Nordwind", "board member", "Eva Strand"),
    ("Nordwind", "board member", "Olaf Lie"),
    ("Red Harbour", "cast member", "Eva Strand"),
    ("Red Harbour", "cast member", "Olaf Lie"),
    ("Red Harbour", "director", "Mia Moe"),
]


@pytest.mark.parametrize(
    "question", ["Who are the members of the board of Nordwind?", "Who are the members of the cast of Red Harbour?"]
)
def test_words_of_one_label_are_one_step(question: str) -> None:
    with named(BOARDS) as graph:
        answer = toulmin.ask(graph, question, method="reader")
        assert labels(answer) == {"Eva Strand", "Olaf Lie"}
        assert [len(path) for path in walked(answer)] == [1]


@pytest.mark.parametrize("read", [1, 4, 7, 12])
def test_no_more_is_read_than_asked_for(read: int) -> None:
    with named(FAMILY) as graph:
        retriever, settings = Retriever(graph), ReaderSettings(read=read)
        question = "what is the profession of Ann Lee's husband's father?"
        readings = question_reader(retriever).read(question, shipped_network(), settings)
        assert 1 <= len(readings.candidates) <= read


def test_there_and_back_is_a_step() -> None:
    with named([*FILMS, ("Fury", "director", "Fritz Lang")]) as graph:
        answer = toulmin.ask(graph, "which films share the director of Metropolis?", method="reader")
        assert labels(answer) == {"M", "Fury"}
