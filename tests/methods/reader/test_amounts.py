"""Amounts with the unit in a relation's name, in a text, or asked for by "can"; months and years; what can be."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from answer_sets import labels, named

import toulmin
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Literal

PUMPS: list[tuple[str, str, str | Literal]] = []
for name, bore, mass, year, litres, maker, hire, day, delivered, heated in (
    ("Delta", "80", "12.5 kg", "1998", "300", "Ohlsen", "18", "2023-03-30", "2001-03-10", "true"),
    ("Gamma", "1200", "9 kg", "2011", "450", "Ohlsen", "35", "2023-04-02", "2014-03-09", "false"),
    ("Kappa", "640", "31 kg", "2004", "120", "Brandt", "12.5", "2023-08-31", "2009-01-15", ""),
):
    PUMPS += [
        (name, "is a", "pump"),
        (name, "bore in mm", Literal(bore, "quantity")),
        (name, "weight", Literal(mass)),
        (name, "first built", Literal(year, "time")),
        (name, "capacity in litres", Literal(litres, "quantity")),
        (name, "maker", maker),
        (name, "hire (EUR/day)", Literal(hire, "quantity")),
        (name, "inspected on", Literal(day, "time")),
        (name, "delivered", Literal(delivered, "time")),
        *([(name, "heated", Literal(heated, "boolean"))] if heated else []),
    ]
PUMPS += [
    ("Kappa", "replacement for", "Delta"),
    ("Ohlsen", "is a", "firm"),
    ("Brandt", "is a", "firm"),
    ("Ohlsen", "prepared for", "Brandt"),
]


@pytest.fixture(scope="module")
def pumps() -> Iterator[MemoryGraph]:
    with named(PUMPS) as graph:
        yield graph


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Which pumps have a bore of less than 1 m?", {"Delta", "Kappa"}),
        ("Which pumps have a bore of more than 100 mm?", {"Gamma", "Kappa"}),
        ("Which pump has the highest weight?", {"Kappa"}),
        ("How many years lie between the first building of Delta and that of Gamma?", {"13"}),
        ("How many days lie between the delivery of Delta and that of Gamma?", {"4747 day"}),
        ("How many full years lie between the delivery of Delta and that of Gamma?", {"12 year"}),
        ("Which pumps hold exactly 450 litres?", {"Gamma"}),
        ("How many litres can Gamma hold?", {"450"}),
        ("Which pump can replace Delta?", {"Kappa"}),
        ("Which pumps have a hire of less than 20 euros a day?", {"Delta", "Kappa"}),
        ("Which pumps were inspected between March and May 2023?", {"Delta", "Gamma"}),
        ("What is the averrage bore of the pumps?", {"640"}),  # slips of spelling
        ("What is the capcity of Gamma", {"450"}),
    ],
)
def test_amounts(pumps: MemoryGraph, question: str, values: set[str]) -> None:
    answer = toulmin.ask(pumps, question, method="reader")
    assert set(labels(answer)) == values, answer.reason
    assert answer.check(pumps).exit_code == 0


@pytest.mark.parametrize(("question", "verdict"), [("Is Gamma heated?", False), ("Is pump Gamma heated?", False)])
def test_what_is_not_known_of_others_is_beside_the_point(pumps: MemoryGraph, question: str, verdict: bool) -> None:
    answer = toulmin.ask(pumps, question, method="reader")  # of Kappa nothing is said
    assert set(labels(answer)) == {"false"} or answer.verdict is verdict, answer.reason


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("which is heavier, Delta or Kappa?", {"Kappa"}),
        ("2 heaviest pumps", {"Kappa", "Delta"}),
        ("the two heaviest pumps", {"Kappa", "Delta"}),
    ],
)
def test_one_of_two_and_the_first_of_several(pumps: MemoryGraph, question: str, values: set[str]) -> None:
    assert set(labels(toulmin.ask(pumps, question, method="reader"))) == values


def test_a_taxonomy_of_is_a_counts_no_class_as_a_thing() -> None:
    people = [("Anna", "is a", "woman"), ("Bert", "is a", "man"), ("Cleo", "is a", "woman")]
    classes: list[tuple[str, str, str | Literal]] = [("woman", "is a", "person"), ("man", "is a", "person")]
    with named([*people, *classes]) as graph:
        assert "2" not in labels(toulmin.ask(graph, "How many people are there?", method="reader"))


@pytest.mark.parametrize(
    "question",
    [
        "Which pumps have a bore of less than 5 kg?",  # a bore is no weight
        "How many pumps can Ohlsen repair?",
        "Which pumps can I drink from?",
        "Can I replace Delta by Kappa?",  # whether one may is not said
        "So can I replace Delta by Kappa?",
        "When could Gamma be delivered?",
        "Which pumps have a hire of less than 100 euros a week?",  # it is by the day
        "How many months lie between the delivery of Delta and that of Gamma?",
        "Is pump Kappa heated?",  # nothing is said of it
    ],
)
def test_what_no_amount_answers(pumps: MemoryGraph, question: str) -> None:
    assert toulmin.ask(pumps, question, method="reader").abstained
