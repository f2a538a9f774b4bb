"""What is a name misspelt, and what is another name that is spelt alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toulmin
from toulmin.check_text.judge.spelling import is_another_name, is_another_word, may_be_one, says_no_more
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Relation, Statement

ALIKE = [  # the graph's object, and another thing that is named alike
    ("Tehran", "capital of", "Iran", "Tehran is the capital of Iraq."),
    ("Vienna", "country", "Austria", "Vienna is in Australia."),
    ("Oak", "family", "Rosaceae", "Oak is a member of the family Rutaceae."),
    ("Munich", "mayor", "Dieter Reiter", "Munich's mayor is Peter Reiter."),
    ("Buick", "owner", "General Electric", "Buick is owned by General Motors."),
    ("Soda Fair", "owner", "Dr Pepper", "The owner of the Soda Fair is Dr Oetker."),
    ("Edward VI", "father", "Henry VIII", "The father of Edward VI was Henry VII."),
    ("Louisa", "father", "John Adams", "Louisa's father is John Quincy Adams."),
    ("Dune", "author", "Frank Herbert", "Dune was written by Brian Herbert."),
    ("Fargo Hall", "located in", "North Dakota", "Fargo Hall is located in South Dakota."),
]
SILENT = [  # the same, of which neither excludes the other for sure
    ("Rust", "designer", "Graydon Hoare", "Rust was designed by Grayson Hoare."),
    ("Chile", "capital", "Santiago", "Santiago de Cuba is the capital of Chile."),
    ("Disgrace", "author", "J. M. Coetzee", "Disgrace was written by John Maxwell Coetzee."),
    ("Louvre Pyramid", "architect", "Ieoh Ming Pei", "The architect of the Louvre Pyramid was I. M. Pei."),
    ("Long Walk to Freedom", "author", "Nelson Mandela", "Long Walk to Freedom was written by President Mandela."),
    ("Juba", "country", "South Sudan", "Juba is in Sudan."),
    ("Microsoft", "founder", "Bill Gates", "Microsoft was founded by Bill Gates III."),
    ("Bafata", "country", "Guinea-Bissau", "Bafata is in Guinea."),
    ("Bonn", "country", "Germany", "Bonn is in East Germany."),
    ("W. H. Auden", "place of birth", "York", "W. H. Auden was born in New York."),
    ("Loser", "performer", "Beck", "Loser was performed by Jeff Beck."),
    ("Believe", "performer", "Cher", "Believe was performed by Cher Lloyd."),
    ("Diego", "place of birth", "Mexico", "Diego was born in Mexico City."),
    ("Northfield Clinic", "located in", "Leeds", "Southfield Clinic is located in Leeds."),
    ("Trench Foot Battle", "part of", "World War I", "The Trench Foot Battle was part of World War II."),
]
SAME = [
    ("Marie Curie", "place of birth", "Warsaw", "Marie Curie was born in Warsow."),
    ("Mozart", "place of birth", "Salzburg", "Mozart was born in Salzbourg."),
    ("Otto Lind", "place of birth", "Austin, Texas", "Otto Lind was born in Austin."),
    (
        "Tay Hall",
        "operator",
        "Tay County Hall Office",
        "Tay Country Hall Office operates Tay Hall.",
    ),
    ("Otto Bell", "place of birth", "Southern California", "Otto Bell was born in South California."),
    ("Jaws", "director", "Steven Spielberg", "Jaws was directed by Stephen Spielberg."),
    ("Sam Fife", "place of birth", "New South Wales", "Sam Fife was born in NSW."),
    ("Bratislava", "capital of", "Slovakia", "Bratislava is the Slovak capital."),
    ("Westbrook Clinic", "located in", "Hull", "Westbrok Clinic is located in Hull."),
    ("Lodz Fair", "location", "Łódź", "The location of the Lodz Fair is Lodz."),
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
        ("southfield", "northfield", True),
        ("mastfield", "eastfield", True),
        ("northfeild", "northfield", False),
        ("warsow", "warsaw", False),
        ("katherine", "catherine", False),
        ("stephen", "steven", False),
        ("southern", "south", False),
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
        ("Elizabeth I", "Elizabeth II", True),
        ("Martin Luther King Sr.", "Martin Luther King Jr.", True),
        ("Sammy Davis Junior", "Sammy Davis Jr.", False),
        ("Santiago de Cuba", "Santiago", True),
        ("Shah Jahan II", "Shah Jahan", True),
        ("Sudan", "South Sudan", True),
        ("Royal Australian Air Force", "Royal Air Force", True),
        ("British Royal Navy", "Royal Navy", False),
        ("Wolfgang Mozart", "Mozart", False),
        ("Mt. Vernon", "Mount Vernon", False),
        ("rand", "South African rand", False),
        ("NSW", "New South Wales", False),
        ("St Petersburg", "Saint Petersburg", False),
        ("Apple Inc", "Apple", False),
        ("Einstein", "Albert Einstein", False),
        ("Paris", "Paris, Texas", False),
        ("New York", "New York City", False),
        ("Washington", "Washington, D.C.", False),
    ],
)
def test_names(said: str, name: str, another: bool) -> None:
    assert is_another_name(said, name) == another


@pytest.mark.parametrize(
    ("said", "name", "one"),
    [
        ("J. M. Coetzee", "John Maxwell Coetzee", True),
        ("Stephen Spielberg", "Steven Spielberg", True),
        ("Lev Tolstoy", "Leo Tolstoy", True),
        ("Joseph Conforte", "Joe Conforte", True),
        ("James Joyner", "James Joyce", False),
        ("Brian Herbert", "Frank Herbert", False),
        ("Henry V", "Henry VI", False),
        ("Henry V", "Henry Vaughan", False),
        ("V. S. Naipaul", "Vidiadhar Surajprasad Naipaul", True),
        ("North Dakota", "South Dakota", False),
        ("Iraq", "Iran", False),
    ],
)
def test_what_may_be_one(said: str, name: str, one: bool) -> None:
    assert may_be_one(said, name) == may_be_one(name, said) == one


@given(st.text(max_size=30))
def test_a_name_is_no_other_than_itself(name: str) -> None:
    assert not is_another_name(name, name)
    assert not is_another_word(name, name)
    assert says_no_more(name, name)
