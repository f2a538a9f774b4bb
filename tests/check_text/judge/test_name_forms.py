"""Names in other forms: without points, with an abbreviation; nouns that name a relation."""

from __future__ import annotations

import pytest

from toulmin.check_text.judge.relation_statistics import statistics_of
from toulmin.check_text.judge.sentence_words import SentenceWords, capitalised_runs
from toulmin.check_text.judge.verdicts import FactVerdict, judge, prepare
from toulmin.entailment.registry import get_scorer
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Relation, Statement
from toulmin.retrieval.retriever import Retriever

CLUBS = {
    "A.C. Velda": ("Velda", "Ivo Lang", "21.2 m"),
    "A.S. Torro": ("Torro", "Nils Aker", "8.3 m"),
    "F.C. Marl": ("Marl", "Otto Brand", "30 m"),
    "Rovers": ("Marl", "Udo Kern", "12 m"),
}


def statement(subject: str, relation: str, value: str) -> Statement:
    ids = ["http://example.org/" + name.replace(" ", "_") for name in (subject, relation, value)]
    return Statement(Entity(ids[0], subject), Relation(ids[1], relation), Entity(ids[2], value))


@pytest.fixture(scope="module")
def graph() -> MemoryGraph:
    statements = []
    for club, (town, manager, width) in CLUBS.items():
        statements += [statement(club, "town", town), statement(club, "manager", manager)]
        statements += [statement(club, "goal width", width), statement(town, "country", "Norway")]
    statements += [
        statement(parent, "child", child) for parent, child in (("Ada Berg", "Eva Berg"), ("Jon Dahl", "Liv"))
    ]
    statements += [statement("Norway", "capital", "City of Velda"), statement("Sweden", "capital", "Torro")]
    statements += [statement("Denmark", "capital", "Marl"), statement("Finland", "capital", "Oulu")]
    return MemoryGraph.from_statements(statements)


def verdict(graph: MemoryGraph, text: str) -> FactVerdict:
    return judge(text, [text], Retriever(graph), get_scorer())[0]


@pytest.mark.parametrize(
    ("text", "club"),
    [
        ("AC Velda is managed by Ivo Lang.", "A.C. Velda"),
        ("The manager of AS Torro is Nils Aker.", "A.S. Torro"),
    ],
)
def test_a_club_is_meant_without_its_points(graph: MemoryGraph, text: str, club: str) -> None:
    found = verdict(graph, text)
    assert found.verdict == "supported", found.reason
    assert club in {link.entity.label for link in found.links}


def test_another_manager_contradicts_though_the_town_has_a_name_of_its_own(graph: MemoryGraph) -> None:
    found = verdict(graph, "The manager of AC Velda is Otto Brand.")
    assert found.verdict == "contradicted", found.reason


def test_a_unit_may_follow_its_number_without_a_space(graph: MemoryGraph) -> None:
    right, wrong = (verdict(graph, f"The goal width of Rovers is {width}.") for width in ("12m", "8.3m"))
    assert (right.verdict, wrong.verdict) == ("supported", "contradicted")


def test_a_shorter_name_of_the_value_is_no_other_value(graph: MemoryGraph) -> None:
    assert verdict(graph, "The capital of Norway is Velda.").verdict != "contradicted"
    assert verdict(graph, "The capital of Finland is Marl.").verdict == "contradicted"


def test_a_parent_of_the_child_turns_the_relation_round(graph: MemoryGraph) -> None:
    found = verdict(graph, "Eva Berg's parent is Ada Berg.")
    assert found.verdict == "supported", found.reason


def test_another_child_never_contradicts(graph: MemoryGraph) -> None:
    assert verdict(graph, "Jon Dahl's child is Eva Berg.").verdict != "contradicted"


def test_an_abbreviation_belongs_to_the_name_before_it() -> None:
    words = SentenceWords("The owner of Rovers is Rovers Holding S.p.A. since 1990.")
    named = [words.text[start:end] for start, end in capitalised_runs(words)]
    assert "Rovers Holding S.p.A." in named
    words = SentenceWords("In May A.S. Torro has 5300 members.")
    assert "A.S. Torro" in " | ".join(words.text[start:end] for start, end in capitalised_runs(words))


@pytest.fixture(scope="module")
def counties() -> MemoryGraph:
    statements = []
    for county, state, country in (("Lee", "Alba", "Norway"), ("Orr", "Alba", "Sweden"), ("Tay", "Brea", "Denmark")):
        statements += [statement(f"{county} County, {state}", "country", country)]
        statements += [statement(f"{county} County, {state}", "ownername", f"Ann {county}son")]
    statements += [statement("Alba", "country", "Norway"), statement("Brea", "country", "Denmark")]
    return MemoryGraph.from_statements(statements)


def test_what_tells_where_a_name_lies_is_not_what_is_spoken_of(counties: MemoryGraph) -> None:
    found = verdict(counties, "Orr County in Alba is in Norway.")  # Alba is, the county is in Sweden
    assert found.verdict != "supported", found.reason
    assert verdict(counties, "Alba is in Norway.").verdict == "supported"


def test_the_kind_of_a_thing_excludes_nothing(graph: MemoryGraph) -> None:
    assert verdict(graph, "Velda is a dish.").verdict == "not in the graph"


def test_a_label_in_one_word_is_known_by_its_parts(counties: MemoryGraph) -> None:
    words = statistics_of(Retriever(counties)).label_words
    assert "owner" in words and "ownername" not in words  # "name" tells nothing


def test_part_of_a_whole_name_means_nothing_else() -> None:
    statements = [statement("Una Township, Lee County, Alba", "country", "Sweden")]
    statements += [
        statement("Lee County, Alba", "country", "Norway"),
        statement("Tay County, Brea", "country", "Denmark"),
    ]
    graph = MemoryGraph.from_statements(statements)
    (fact,) = prepare(["Una Township, Lee County, Alba is in Norway."], Retriever(graph))
    assert fact.mentions[0].text == "Una Township, Lee County, Alba"
    assert [bearer.form for bearer in fact.mentions[0].bearers.values()] == [fact.mentions[0].text]
    assert verdict(graph, "Una Township, Lee County, Alba is in Norway.").verdict != "supported"


def test_a_label_that_says_more_is_another_relation() -> None:
    codes = {"Velda Airport": ("VLD", "EKVE"), "Torro Airport": ("TRO", "EKTO"), "Marl Airport": ("MRL", "")}
    statements = [statement(airport, "order number", code) for airport, (code, _) in codes.items()]
    statements += [statement(airport, "internal order number", code) for airport, (_, code) in codes.items() if code]
    graph = MemoryGraph.from_statements(statements)
    asked = verdict(graph, "The internal order number of Marl Airport is EKMA.")
    assert asked.verdict == "not in the graph", asked.reason  # MRL is its location identifier, of another kind
    assert verdict(graph, "The internal order number of Velda Airport is EKMA.").verdict == "contradicted"
