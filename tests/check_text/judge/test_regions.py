"""Things of one name in two regions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toulmin
from toulmin.check_text.judge.regions import (
    is_foreign,
    is_namesake,
    is_regional,
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
    ("region", "name", "namesake"),
    [
        ("texas", "Paris", True),
        ("texas", "Paris, France", True),
        ("ohio", "Springfield, Illinois", True),  # two states of one country
        ("poland", "Lviv, Ukraine", False),
        ("east germany", "Dresden, Germany", False),
        ("texas", "Qwzx", False),
    ],
)
def test_what_is_known_to_be_another_place(region: str, name: str, namesake: bool) -> None:
    assert is_namesake(region, name, ()) == namesake


def test_one_lies_within_the_other() -> None:
    assert lies_within("Austin", "Texas")
    assert lies_within("Texas", "Austin, Texas")
    assert lies_within("England", "United Kingdom")
    assert not lies_within("France", "Texas")
    assert not lies_within("Qwzx", "Texas")
    assert not lies_within("finger", "hand")


@pytest.mark.parametrize(
    ("text", "region"),
    [
        ("Paris, Texas.", "texas"),
        ("Paris (France) is large", "france"),
        ("Paris (city), France", ""),
        ("Paris, County", ""),
        ("Paris, London and Rome", ""),  # a list
        ("Paris, a town in Texas", "texas"),
        ("Paris is in Texas", ""),
    ],
)
def test_the_region_after_a_name(text: str, region: str) -> None:
    assert region_after(text, 0, len("Paris")) == region


@pytest.mark.parametrize(
    ("text", "region"),
    [
        ("born in Paris in the United States of America", "united states of america"),
        ("born near Paris in the US state of Texas", "texas"),
        ("born in Paris in March", ""),
        ("met Paris in Texas", ""),  # where they met
        ("In Paris in Texas", "texas"),
    ],
)
def test_the_region_after_a_place(text: str, region: str) -> None:
    start = text.index("Paris")
    assert region_after(text, start, start + len("Paris")) == region


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


PIECES = st.sampled_from(
    ["Paris", "Texas", "France", "American", "US", " in ", ", ", " (", ") ", " ", "the ", "a town in ", "Union", "\n"]
)


@given(st.lists(PIECES, max_size=8).map("".join), st.integers(0, 40), st.integers(0, 10))
def test_any_text_has_regions_or_none(text: str, start: int, length: int) -> None:
    start = min(start, len(text))
    before, after = region_before(text, start), region_after(text, start, min(start + length, len(text)))
    assert text[:start].endswith(f"{before} ") or not before
    assert not after or is_regional(after)  # also what is cut out of a name: "pa", "america"
    if after:
        assert lies_in(after, "Paris", (after,)) is True
        assert lies_in(after, f"Paris, {after}", ()) is True


@pytest.mark.parametrize(
    ("triple", "text"),
    [
        (("Bo Falk", "place of birth", "Oslo (city)"), "Bo Falk was born in Oslo, Norway."),
        (("Bo Falk", "place of birth", "Dresden, Germany"), "Bo Falk was born in Dresden, East Germany."),
        (("Obama", "place of birth", "Honolulu"), "Barack Obama was born in Honolulu."),
        (("Nemo", "creator", "Jules Verne"), "Captain Nemo was created by Jules Verne."),
        (("Michael Smith", "place of birth", "Leeds"), "Michael Jordan Smith was born in Leeds."),
        (("Zakir Hussain", "instrument", "tabla"), "The instrument of Zakir Hussain is the Indian tabla."),
    ],
)
def test_what_is_no_other_thing_is_supported(triple: tuple[str, str, str], text: str) -> None:
    assert told(text, triple) == "supported"


@pytest.mark.parametrize(
    ("triple", "text"),
    [
        (("Edinburgh", "capital of", "Scotland"), "Edinburgh is the capital of the United Kingdom."),
        (("Bo Falk", "mayor of", "London"), "Bo Falk is the mayor of England."),
    ],
)
def test_a_whole_is_another_value_where_it_says_no_place(triple: tuple[str, str, str], text: str) -> None:
    assert told(text, triple) == "contradicted"


def told(text: str, triple: tuple[str, str, str]) -> str | None:
    subject, relation, value = triple
    statements = [(subject, relation, value), ("Ann Roe", relation, "Lyon")]
    graph = MemoryGraph.from_statements(
        [Statement(Entity(f"e:{a}", a), Relation(f"r:{r}", r), Entity(f"e:{b}", b)) for a, r, b in statements]
    )
    return toulmin.check_text(graph, text).sentences[0].verdict


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
