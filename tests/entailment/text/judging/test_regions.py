"""Things of one name in two regions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toulmin
from toulmin.entailment.text.judging.regions import (
    has_such,
    is_foreign,
    lies_in,
    lies_within,
    region_after,
    region_before,
)
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Relation, Statement

OTHER = [  # the graph's object, and another thing of its name
    ("Otto Lind", "place of birth", "Paris, Texas", "Otto Lind was born in Paris, France."),
    ("Ada Moor", "place of birth", "Paris (France)", "Ada Moor was born in Paris, Texas."),
    ("Bo Falk", "place of birth", "London, Ontario", "Bo Falk was born in London, England."),
    ("Cy Rand", "place of birth", "Springfield, Illinois", "Cy Rand was born in Springfield, Ohio."),
    ("Dee Vane", "place of birth", "Birmingham", "Dee Vane was born in Birmingham, Alabama."),
    ("Eva Dorn", "place of birth", "Athens, Georgia", "Eva Dorn was born in Athens in Greece."),
    ("Dee Vane", "place of birth", "Birmingham", "Dee Vane was born in Birmingham in Alabama."),
    ("Douglas Bader", "military branch", "Royal Air Force", "Douglas Bader was in the Royal Australian Air Force."),
    ("Canada", "currency", "Canadian dollar", "Canada uses the American dollar."),
    ("Switzerland", "currency", "Swiss franc", "The currency of Switzerland is the French franc."),
    ("plague", "cause", "Yersinia pestis", "The plague is caused by Yersinia enterocolitica."),
]
SAME = [
    ("Otto Lind", "place of birth", "Paris, Texas", "Otto Lind was born in Paris, Texas, United States."),
    ("Fay Bell", "place of birth", "Austin, Texas", "Fay Bell was born in Austin, United States."),
    ("Dee Vane", "place of birth", "Birmingham", "Dee Vane was born in Birmingham, England."),
    ("Dee Vane", "place of birth", "Birmingham", "Dee Vane was born in Birmingham in the United Kingdom."),
    ("George Washington", "place of death", "Mount Vernon", "George Washington died at Mt. Vernon."),
    ("Gus Holt", "place of birth", "Saint Petersburg", "Gus Holt was born in St Petersburg, Russia."),
    ("Canada", "currency", "Canadian dollar", "The currency of Canada is the dollar."),
    ("plague", "cause", "Yersinia pestis", "The plague is caused by Yersinia pestis."),
]


def verdict(text: str) -> str | None:
    triples = [*(case[:3] for case in (*OTHER, *SAME)), ("Birmingham", "country", "United Kingdom")]
    known = {name: Entity(f"e:{name}", name) for one in triples for name in (one[0], one[2])}
    graph = MemoryGraph.from_statements(
        [Statement(known[a], Relation(f"r:{r}", r), known[b]) for a, r, b in dict.fromkeys(triples)]
    )
    return toulmin.check_text(graph, text).sentences[0].verdict


@pytest.mark.parametrize("case", OTHER, ids=lambda case: case[3])
def test_a_thing_of_its_name_in_another_region_contradicts(case: tuple[str, str, str, str]) -> None:
    assert verdict(case[3]) == "contradicted"


@pytest.mark.parametrize("case", SAME, ids=lambda case: case[3])
def test_a_region_that_holds_changes_nothing(case: tuple[str, str, str, str]) -> None:
    assert verdict(case[3]) == "supported"


@pytest.mark.parametrize(
    ("region", "name", "said_of", "lies"),
    [
        ("texas", "Paris, France", (), False),
        ("england", "Cambridge (Massachusetts)", (), False),
        ("united states", "Austin, Texas", (), True),
        ("texas", "Austin, United States", (), True),  # for all that is known
        ("texas", "Paris, Lamar County", (), None),  # nothing is known of the county
        ("texas", "Paris", (), None),
        ("texas", "Paris", ("capital", "France"), False),
        ("france", "Paris", ("capital", "France"), True),
        ("", "Paris, France", (), False),
    ],
)
def test_where_a_place_lies(region: str, name: str, said_of: tuple[str, ...], lies: bool | None) -> None:
    assert lies_in(region, name, said_of) is lies


@pytest.mark.parametrize(
    ("region", "name", "such"),
    [("texas", "Paris", True), ("texas", "Paris, France", True), ("texas", "Berlin", False), ("texas", "Qwzx", False)],
)
def test_places_of_a_name(region: str, name: str, such: bool) -> None:
    assert has_such(region, name) == such


def test_one_lies_within_the_other() -> None:
    assert lies_within("Austin", "Texas")
    assert lies_within("Texas", "Austin, Texas")
    assert lies_within("England", "United Kingdom")
    assert not lies_within("France", "Texas")
    assert not lies_within("Qwzx", "Texas")


@pytest.mark.parametrize(
    ("text", "region"),
    [
        ("Paris, Texas.", "texas"),
        ("Paris (France) is large", "france"),
        ("Paris in the United States of America", "united states of america"),
        ("Paris, London and Rome", ""),  # a list
        ("Paris, a town in Texas", "texas"),
        ("Paris in the US state of Texas", "texas"),
        ("Paris in March", ""),
        ("Paris is in Texas", ""),
    ],
)
def test_the_region_after_a_name(text: str, region: str) -> None:
    assert region_after(text, len("Paris")) == region


@pytest.mark.parametrize(
    ("before", "name", "foreign"),
    [
        ("American", "Canadian dollar", True),
        ("U.S.", "Canadian dollar", True),
        ("US", "United States dollar", False),
        ("British", "English dollar", False),  # England is a part of it
        ("New", "Canadian dollar", False),
        ("American", "dollar", False),
    ],
)
def test_the_region_before_a_name(before: str, name: str, foreign: bool) -> None:
    text = f"they use the {before} dollar"
    assert is_foreign(region_before(text, text.index("dollar")), "dollar", name) == foreign


@given(st.text(max_size=30), st.integers(0, 30))
def test_any_text_has_regions_or_none(text: str, place: int) -> None:
    before, after = region_before(text, place), region_after(text, place)
    assert before in text
    assert not is_foreign(before, text, text)
    assert lies_in(after, "Qwzx", (after,)) in (None, True)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Ada Lovelace was born in London, England.", "supported"),  # the graph: London's country is the United Kingdom
        ("London is in Canada.", "supported"),  # there is another one in Ontario
        ("London is in France.", "contradicted"),
        ("Marie Curie was born in Warsaw in Poland.", "supported"),
        ("Marie Curie was born in Warsaw, Texas.", "contradicted"),
    ],
)
def test_of_two_places_of_a_name_the_one_in_the_region_is_meant(text: str, verdict: str) -> None:
    (sentence,) = toulmin.check_text(toulmin.open("bundled"), text).sentences
    assert sentence.verdict == verdict
