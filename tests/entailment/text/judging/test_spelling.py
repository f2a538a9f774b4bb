"""What is a name misspelt, and what is another name that is spelt alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toulmin
from toulmin.entailment.text.judging.spelling import is_another_name, is_another_word, says_no_more
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Relation, Statement

ALIKE = [  # the graph's object, and another thing that is named alike
    ("Tehran", "capital of", "Iran", "Tehran is the capital of Iraq."),
    ("Vienna", "country", "Austria", "Vienna is in Australia."),
    ("Lemon", "family", "Rosaceae", "Lemon is a member of the family Rutaceae."),
    ("Munich", "mayor", "Dieter Reiter", "Munich's mayor is Peter Reiter."),
    ("Rust", "designer", "Graydon Hoare", "Rust was designed by Grayson Hoare."),
    ("Edward VI", "father", "Henry VIII", "The father of Edward VI was Henry VII."),
    ("Louisa", "father", "John Adams", "Louisa's father is John Quincy Adams."),
    ("Dune", "author", "Frank Herbert", "Dune was written by Brian Herbert."),
    ("Fargo Hall", "located in", "North Dakota", "Fargo Hall is located in South Dakota."),
]
SILENT = [  # the same, of which neither excludes the other for sure
    ("Bafata", "country", "Guinea-Bissau", "Bafata is in Guinea."),
    ("Bonn", "country", "Germany", "Bonn is in East Germany."),
    ("Diego", "place of birth", "Mexico", "Diego was born in Mexico City."),
    ("Trench Foot Battle", "part of", "World War I", "The Trench Foot Battle was part of World War II."),
]
SAME = [
    ("Marie Curie", "place of birth", "Warsaw", "Marie Curie was born in Warsow."),
    ("Mozart", "place of birth", "Salzburg", "Mozart was born in Salzbourg."),
    ("Otto Lind", "place of birth", "Austin, Texas", "Otto Lind was born in Austin."),
    (
        "Andrews Airport",
        "operator",
        "Andrews County Airport Office",
        "Andrews Country Airport Office operates Andrews Airport.",
    ),
    ("Wuthering Heights", "author", "Emily Brontë", "Wuthering Heights was written by Emily Bronte."),
]


def verdict(case: tuple[str, str, str, str]) -> str | None:
    *_, text = case
    known = {name: Entity(f"e:{name}", name) for one in (*ALIKE, *SILENT, *SAME) for name in (one[0], one[2])}
    graph = MemoryGraph.from_statements(
        [Statement(known[a], Relation(f"r:{r}", r), known[b]) for a, r, b, _ in (*ALIKE, *SILENT, *SAME)]
    )
    return toulmin.check_text(graph, text).sentences[0].verdict


@pytest.mark.parametrize("case", ALIKE, ids=lambda case: case[3])
def test_another_thing_that_is_named_alike_contradicts(case: tuple[str, str, str, str]) -> None:
    assert verdict(case) == "contradicted"


@pytest.mark.parametrize("case", SILENT, ids=lambda case: case[3])
def test_another_thing_that_may_be_meant_too_is_not_taken_for_it(case: tuple[str, str, str, str]) -> None:
    assert verdict(case) != "supported"


@pytest.mark.parametrize("case", SAME, ids=lambda case: case[3])
def test_a_name_that_is_misspelt_or_short_is_taken_for_it(case: tuple[str, str, str, str]) -> None:
    assert verdict(case) == "supported"


@pytest.mark.parametrize(
    ("said", "name", "another"),
    [
        ("iraq", "iran", True),
        ("slovenia", "slovakia", True),
        ("nigeria", "niger", True),
        ("physician", "physicist", True),
        ("grayson", "graydon", True),
        ("warsow", "warsaw", False),
        ("katherine", "catherine", False),
        ("ben", "benjamin", False),
        ("austrian", "austria", False),
        ("tomatoes", "tomato", False),
        ("colour", "color", False),
        ("12", "11", False),  # numbers are compared as such, elsewhere
    ],
)
def test_words(said: str, name: str, another: bool) -> None:
    assert is_another_word(said, name) == another


@pytest.mark.parametrize(
    ("said", "name", "another"),
    [
        ("Henry VII", "Henry VIII", True),
        ("Otto I", "Otto III", True),
        ("Henry", "Henry VIII", False),
        ("Guinea", "Guinea-Bissau", True),
        ("West Virginia", "Virginia", True),
        ("George W. Bush", "George H. W. Bush", True),
        ("Einstein", "Albert Einstein", False),
        ("Paris", "Paris, Texas", False),
        ("New York", "New York City", False),
        ("Washington", "Washington, D.C.", False),
    ],
)
def test_names(said: str, name: str, another: bool) -> None:
    assert is_another_name(said, name) == another


@given(st.text(max_size=30))
def test_a_name_is_no_other_than_itself(name: str) -> None:
    assert not is_another_name(name, name)
    assert not is_another_word(name, name)
    assert says_no_more(name, name)
