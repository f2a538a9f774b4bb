"""What speaks for a verdict: kinds of subjects, opposites, classes before names, relations that mean the same."""

from __future__ import annotations

import pytest

import toulmin
from toulmin.check_text.judge.relation_statistics import statistics_of
from toulmin.check_text.judge.verdicts import FactVerdict, judge, prepare
from toulmin.entailment.registry import get_scorer
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, Relation, Statement
from toulmin.retrieval.retriever import Retriever


def entity(name: str) -> Entity:
    return Entity("http://example.org/" + name.replace(" ", "_"), name)


def statement(subject: str, relation: str, value: str) -> Statement:
    return Statement(
        entity(subject), Relation("http://example.org/r/" + relation.replace(" ", "_"), relation), entity(value)
    )


SHOWS = {"Blue Hour": "1983-10-03", "Red Barn": "1991-02-11", "Tin Whistle": "2001-05-20", "Long Road": "1979-01-05"}
TOWNS = {"Harlow": "Norway", "Brixby": "Norway", "Tenby": "Sweden", "Ashdown": "Sweden", "Milford": "Finland"}


@pytest.fixture(scope="module")
def graph() -> MemoryGraph:
    statements = [statement(show, "first aired", date) for show, date in SHOWS.items()]
    statements += [statement(show, "genre", "comedy") for show in SHOWS]
    statements += [statement(town, "country", country) for town, country in TOWNS.items()]
    statements += [
        statement("Norway", "owner name", "Carl A. Berg"),
        statement("Sweden", "owner name", "Don Lind"),
        statement("Finland", "owner", "Eva Salo"),
        statement("Norway", "capital", "Harlow"),
    ]
    for band in ("Owls", "Hares"):
        statements += [statement(band, "member", f"{name} of the {band}") for name in ("Ann", "Bob", "Cid")]
        statements.append(statement(band, "founded in", "Tenby"))
    return MemoryGraph.from_statements(statements)


def verdict(graph: Graph, text: str) -> FactVerdict:
    return judge(text, [text], Retriever(graph), get_scorer())[0]


def mentions(graph: MemoryGraph, text: str) -> list[str]:
    (fact,) = prepare([text], Retriever(graph))
    return [mention.text for mention in fact.mentions if not mention.plain]


def test_a_class_before_a_name_is_not_a_relation_of_it(graph: MemoryGraph) -> None:
    right, wrong = (verdict(graph, f"Harlow is in the country of {name}.") for name in ("Norway", "Sweden"))
    assert right.verdict == "supported", right.reason
    assert wrong.verdict == "contradicted", wrong.reason


def test_the_opposite_of_a_relation_is_not_held_against_it(graph: MemoryGraph) -> None:
    found = verdict(graph, "Blue Hour last aired on 3 May 1986.")
    assert found.verdict == "not in the graph", found.reason
    found = verdict(graph, "Blue Hour first aired on 3 May 1986.")
    assert found.verdict == "contradicted", found.reason


def test_opposites_are_found_by_forms_of_words(graph: MemoryGraph) -> None:
    died = MemoryGraph.from_statements([statement("Ann", "death date", "1901-01-01")])
    statistics = statistics_of(Retriever(died))
    assert statistics.opposed("was born on").tolist() == [1.0]
    assert statistics.opposed("was born and died on").tolist() == [0.0]
    assert statistics.opposed("lived until").tolist() == [0.0]


def test_initials_and_first_names_are_part_of_a_name(graph: MemoryGraph) -> None:
    assert "Carl A Berg" in mentions(graph, "Carl A Berg owns Norway.")
    assert "Don Lind" in mentions(graph, "The owner of Sweden is Don Lind.")
    assert "Mary O'Connor" in mentions(graph, "The founder is Mary O'Connor.")


def test_capitals_are_part_of_a_name_unless_all_is_in_capitals(graph: MemoryGraph) -> None:
    assert "AS Tenby" in mentions(graph, "The manager of AS Tenby is Don Lind.")
    assert "US Navy" in mentions(graph, "Don Lind served in the US Navy.")
    assert "DON LIND" in mentions(graph, "THE OWNER OF SWEDEN IS DON LIND.")


def test_a_role_is_no_name(graph: MemoryGraph) -> None:
    assert "President" not in mentions(graph, "Mary Hill is the President of Norway.")
    assert "Mary Hill" in mentions(graph, "Mary Hill is the President of Norway.")


def test_a_relation_that_means_the_same(graph: MemoryGraph) -> None:
    for text in ("Don Lind is the owner of Sweden.", "The owner of Sweden is Don Lind."):
        assert verdict(graph, text).verdict == "supported"
    assert verdict(graph, "Carl A. Berg is the owner of Sweden.").verdict == "contradicted"


def test_a_statement_that_tells_a_part_does_not_support_the_date_beside_it() -> None:
    known = [("Red Barn", "cancelled"), ("Tin Whistle", "running"), ("Long Road", "ended"), ("Blue Hour", "cancelled")]
    shows = MemoryGraph.from_statements([statement(show, "status", status) for show, status in known])
    assert verdict(shows, "Red Barn was cancelled.").verdict == "supported"
    assert verdict(shows, "Red Barn was cancelled in 1986.").verdict != "supported"


def test_what_a_qualifier_says_is_no_other_value() -> None:
    world = toulmin.open("bundled")
    assert verdict(world, "Barack Obama was followed by Donald Trump.").verdict != "contradicted"
    assert verdict(world, "Barack Obama was born in Chicago.").verdict == "contradicted"


def test_a_subject_with_several_values_may_have_more(graph: MemoryGraph) -> None:
    assert verdict(graph, "A member of the Owls is Dan Field.").verdict == "not in the graph"


def test_the_share_with_one_value_is_that_of_the_kind(graph: MemoryGraph) -> None:
    statements = [statement(f"film {n}", "director", f"person {n}") for n in range(12)]
    statements += [statement(f"film {n}", "studio", "S") for n in range(12)]
    statements += [statement(f"game {n}", "director", f"person {n + m}") for n in range(12) for m in (20, 40)]
    statements += [statement(f"game {n}", "engine", "E") for n in range(12)]
    statements += [statement("game 99", "director", "person 99"), statement("game 99", "engine", "E")]
    statistics = statistics_of(Retriever(MemoryGraph.from_statements(statements)))
    director = next(n for n, one in enumerate(statistics.subgraph.relations) if one.label == "director")
    film, game = (statistics.subgraph.index(entity(name).id) for name in ("film 3", "game 99"))
    assert film is not None and game is not None
    assert statistics.has_one(film, director) and statistics.has_one(game, director)
    assert statistics.single_of(film, director) > 0.8
    assert statistics.single_of(game, director) < 0.3


def test_a_town_and_its_county_are_one_value(graph: MemoryGraph) -> None:
    statements = [statement(f"town {n}", "county", f"county {n % 3}") for n in range(9)]
    statements += [statement("Ann", "born in", "town 1"), statement("Ann", "born in", "county 1")]
    statements += [statement("Bob", "born in", "town 2"), statement("Bob", "born in", "county 1")]
    statistics = statistics_of(Retriever(MemoryGraph.from_statements(statements)))
    born = next(n for n, one in enumerate(statistics.subgraph.relations) if one.label == "born in")
    ann, bob = (statistics.subgraph.index(entity(name).id) for name in ("Ann", "Bob"))
    assert ann is not None and bob is not None
    assert statistics.has_one(ann, born)
    assert not statistics.has_one(bob, born)
