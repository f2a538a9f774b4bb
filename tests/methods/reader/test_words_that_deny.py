"""Words that look like denials and are none, and denials that the graph's words, a way back or a difference read."""

from __future__ import annotations

import pytest
from answer_sets import labels

import toulmin
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Literal, Node, Relation, Statement

IS_A = Relation("http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "type")
RELATIONS = ("town", "No. of chalets", "beds", "licensed", "keeper", "guests in June", "guests in July")
HOSTELS: tuple[tuple[str | int, ...], ...] = (
    ("Alder", "Nordby", 3, 40, "true", "Ida Moll", 80, 95),
    ("Birch", "Nordby", 12, 90, "false", "Ola Berg", 60, 70),
    ("Cedar", "Sundby", 5, 200, "true", "Ola Berg", 20, 35),
)


def _entity(name: str) -> Entity:
    return Entity(f"e:{name}", name)


def _value(stated: str | int) -> Node:
    if isinstance(stated, int):
        return Literal(str(stated), "quantity")
    return Literal(stated, "boolean") if stated in ("true", "false") else _entity(stated)


@pytest.fixture(scope="module")
def hostels() -> MemoryGraph:
    statements = [Statement(_entity("Ida Moll"), Relation("r:apprentice", "apprentice of"), _entity("Ola Berg"))]
    for row in HOSTELS:
        name, values = str(row[0]), row[1:]
        statements.append(Statement(_entity(name), IS_A, _entity("hostel")))
        statements += [
            Statement(_entity(name), Relation(f"r:{label}", label), _value(stated))
            for label, stated in zip(RELATIONS, values, strict=True)
        ]
    return MemoryGraph.from_statements(statements)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which hostels have more than 4 chalets?", {"Birch", "Cedar"}),  # "No." is short for number
        ("Which hostels have five chalets or fewer?", {"Alder", "Cedar"}),
        ("unlicensed hostels", {"Birch"}),  # "licensed" is no
        ("Besides Alder, which hostels have its town?", {"Birch"}),  # there and back
        ("guests in July minus guests in June for Birch", {"10"}),
        ("Ida Moll was an apprentice of?", {"Ola Berg"}),  # asks for what is left out, not for yes or no
        ("How many beds do the hostels in Nordby have?", {"130"}),  # one number, not one for each
    ],
)
def test_is_answered(hostels: MemoryGraph, question: str, answer: set[str]) -> None:
    given = toulmin.ask(hostels, question, method="reader")
    assert labels(given) == answer
    assert given.check(hostels).exit_code == 0
