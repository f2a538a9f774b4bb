"""Which way a question asks over a relation, where the words beside the name leave no doubt."""

from __future__ import annotations

import pytest
from answer_sets import labels, named

import toulmin
from toulmin.graph.types import Entity, Literal
from toulmin.methods.reader.beside_names import Voice
from toulmin.methods.reader.forms import Condition, Constant, Hop, Join, Key, Kind, Restricted, Things

FORWARD, BACKWARD = "forward", "backward"


@pytest.mark.parametrize(
    ("question", "label", "asked"),
    [
        ("What came after Brook?", "successor", FORWARD),
        ("What came after Brook?", "successor of", BACKWARD),
        ("What came after Brook?", "follows in the rotation", BACKWARD),
        ("What came before the Brook?", "replaces", FORWARD),
        ("What came before the Brook?", "replaced by", BACKWARD),
        ("Who was named after Brook?", "successor", None),
        ("Who is Brook's doctor?", "doctor", FORWARD),
        ("Name the doctor of Brook.", "doctor", FORWARD),
        ("Who does Brook have as a doctor?", "doctor", FORWARD),
        ("Whose doctor is Brook?", "doctor", BACKWARD),
        ("Who has Brook as doctor?", "doctor", BACKWARD),
        ("Brook is the doctor of which patients?", "doctor", BACKWARD),
        ("Whom does Brook treat?", "treats", FORWARD),
        ("Patients that Brook treated", "treats", FORWARD),
        ("Who treats Brook?", "treats", BACKWARD),
        ("Whoever was treated by Brook", "treats", FORWARD),
        ("Who is Brook treated by?", "treats", BACKWARD),
        ("By whom was Brook treated", "treats", None),
        ("Who treats Brook?", "treated by", FORWARD),
        ("Who was treated by Brook?", "treated by", BACKWARD),
        ("What does Brook drain into?", "drains into", FORWARD),
        ("Which rivers drain into Brook?", "drains into", BACKWARD),
        ("Which rivers drain away from Brook?", "drains into", None),
        ("Who is Brook's employer?", "employs", BACKWARD),
        ("Whose employer is Brook?", "employs", FORWARD),
        ("Brook and her doctor", "doctor", None),
        ("Who was treated by the Brook clinic?", "treats", None),  # which is not by Brook
        ("Who treats Brook patients?", "treats", None),
        ("Which patients have a doctor of Brook?", "doctor", None),
        ("Who is treated by Brook in May?", "treats", FORWARD),
        ("Who does Brook coach?", "coach", BACKWARD),
        ("Who is Brook's mother?", "child of", FORWARD),
        ("Brook's sons", "child of", BACKWARD),
        ("Who is the coach of Brook?", "coach", FORWARD),
        ("What does Brook consist of?", "part of", BACKWARD),
        ("Which parts does Brook contain", "part of", BACKWARD),
        ("What is Brook part of?", "part of", None),
    ],
)
def test_the_words_beside_a_name(question: str, label: str, asked: str | None) -> None:
    start = question.index("Brook")
    brook = Constant("Brook", Entity("e:brook", "Brook"), words=(start, start + len("Brook")))
    voice = Voice(question)
    for walked in (FORWARD, BACKWARD):
        hop = Hop(label, backward=walked == BACKWARD)
        against = asked is not None and asked != walked
        assert (voice.turned(Join(brook, hop)) == brook) == against
        # of a condition the hop goes from each thing to the name
        condition = Condition(Key((hop.turned(),)), "=", (brook,))
        assert (voice.turned(Restricted(Things(Kind("thing")), (condition,))) == brook) == against


def test_values_have_no_relations() -> None:
    question = "Which towns have the population of 71?"
    population = Join(Constant("71", Literal("71", "quantity"), words=(35, 37)), Hop("population", backward=True))
    assert Voice(question).turned(population) is None


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who does Ida Moll supervise?", {"Rui Tomas"}),
        ("Who supervises Ida Moll?", {"Vera Lind"}),
        ("Whose supervisor is Ida Moll?", {"Rui Tomas"}),
        ("Who is Ida Moll's supervisor?", {"Vera Lind"}),
    ],
)
def test_no_reading_goes_against_them(question: str, answer: set[str]) -> None:
    with named([("Vera Lind", "supervises", "Ida Moll"), ("Ida Moll", "supervises", "Rui Tomas")]) as graph:
        given = toulmin.ask(graph, question, method="reader")
        assert given.abstained or labels(given) == answer
        assert given.check(graph).exit_code == 0
