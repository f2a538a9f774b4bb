"""Axioms on the bundled graph: real labels, qualifiers and classes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from small_axioms import clause, constant, entity, of, program, reason, status, term

import toulmin
from toulmin.graph.protocol import Graph
from toulmin.methods.r3.axioms.language import Program


@pytest.fixture(scope="module")
def graph() -> Iterator[Graph]:
    opened = toulmin.open("bundled")
    yield opened
    opened.close()


def silver(one: str, other: str) -> Program:
    return program(
        "A couple celebrated a silver anniversary if they were married for 25 years.",
        [
            entity("a", one),
            entity("b", other),
            of("m", "spouse", "a", to="b"),
            term("s", "qualifier", "m", text="start time"),
            term("e", "qualifier", "m", text="end time"),
            term("years", "duration", "s", "e"),
            constant("k", "25 years"),
        ],
        [clause("long", ">=", "years", "k")],
    )


def profession(one: str, other: str) -> Program:
    return program(
        "Two people share a profession if one of the one's is one of the other's.",
        [
            entity("a", one),
            entity("b", other),
            of("x", "occupation", "a", take="some"),
            of("y", "occupation", "b", take="some"),
        ],
        [clause("same", "=", "x", "y")],
    )


def earlier_prize(one: str, other: str) -> Program:
    """The same prize, of each the statement that says it, and when."""
    return program(
        "Somebody won a prize before somebody else if the year of the award is earlier.",
        [
            entity("a", one),
            entity("b", other),
            entity("prize", "Nobel Prize in Physics"),
            of("x", "award received", "a", to="prize"),
            of("y", "award received", "b", to="prize"),
            term("then", "qualifier", "x", text="point in time"),
            term("later", "qualifier", "y", text="point in time"),
        ],
        [clause("before", "<", "then", "later")],
    )


CURIE, EINSTEIN, BOHR = "Marie Curie", "Albert Einstein", "Niels Bohr"


@pytest.mark.parametrize(
    ("question", "axiom", "verdict"),
    [
        ("Did Niels Bohr and Margrethe Nørlund celebrate it?", silver(BOHR, "Margrethe Nørlund"), True),
        ("Did Marie Curie and Pierre Curie celebrate it?", silver(CURIE, "Pierre Curie"), False),
        ("Did Marie Curie and Niels Bohr celebrate it?", silver(CURIE, BOHR), None),
        ("Do Marie Curie and Niels Bohr share a profession?", profession(CURIE, BOHR), True),
        ("Do Ada Lovelace and Niels Bohr share a profession?", profession("Ada Lovelace", BOHR), None),
        ("Did Marie Curie win it before Albert Einstein ?", earlier_prize(CURIE, EINSTEIN), True),
        ("Did Niels Bohr win it before Albert Einstein ?", earlier_prize(BOHR, EINSTEIN), False),
    ],
)
def test_answers_recomputed(graph: Graph, question: str, axiom: Program, verdict: bool | None) -> None:
    answer, evaluation = reason(question, axiom, graph)
    assert answer.verdict is verdict
    assert answer.abstained == (verdict is None)
    assert not evaluation.judged
    assert bool(evaluation.missing) == (verdict is None)
    status(answer, graph)
