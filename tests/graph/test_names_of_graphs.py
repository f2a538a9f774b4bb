"""Graphs by the names that they have, or by the words of their IRIs: what is found, what is shown, what is proved."""

from __future__ import annotations

from pathlib import Path

import pytest

from toulmin.graph.memory import MemoryGraph
from toulmin.graph.merkle import ALIAS, LABEL
from toulmin.graph.readers import RawName, RawStatement, Record, read
from toulmin.graph.union import UnionGraph
from toulmin.graph.xsd import RDF
from toulmin.retrieval.linking import EntityLinker

HOSPITAL = """
@prefix : <http://hospital.example/onto#> . @prefix r: <http://hospital.example/id/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:IntensiveCareUnit rdfs:subClassOf :HospitalWard . :XRayScanner rdfs:subClassOf :MedicalDevice .
r:NorthWing a :IntensiveCareUnit ; :headNurse r:MariaLopez ; :has_room r:Room101B .
r:Icu%20East :adjacent-to r:NorthWing . r:scanner-7 a :XRayScanner ; :locatedIn r:Room101B .
r:McDonald :reportsTo r:MariaLopez .
"""


@pytest.fixture
def hospital(tmp_path: Path) -> MemoryGraph:
    (tmp_path / "hospital.ttl").write_text(HOSPITAL)
    return MemoryGraph.from_records(read(tmp_path / "hospital.ttl"))


def linked(graph: MemoryGraph, question: str) -> dict[str, str]:
    """What the words of a question are linked to."""
    return {one.text: one.candidates[0].entity.id.rpartition("/")[2] for one in EntityLinker(graph).link(question)}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who is the head nurse of the north wing?", {"north wing": "NorthWing"}),
        ("WHO IS THE HEAD NURSE OF NORTH WING?", {"NORTH WING": "NorthWing"}),
        ("who is head nurse of NorthWing", {"NorthWing": "NorthWing"}),
        ("What is next to Icu East?", {"Icu East": "Icu%20East"}),
        ("what is in room 101b", {"room 101b": "Room101B"}),
        ("to whom does mcdonald report", {"mcdonald": "McDonald"}),
        ("Which intensive care units are there?", {"intensive care units": "onto#IntensiveCareUnit"}),
        ("where is scanner 7", {"scanner 7": "scanner-7"}),
    ],
)
def test_a_graph_without_labels_is_found_by_the_words_of_its_iris(
    hospital: MemoryGraph, question: str, expected: dict[str, str]
) -> None:
    assert linked(hospital, question) == expected


def test_words_of_iris_are_names_that_can_be_proved(hospital: MemoryGraph) -> None:
    found = hospital.ranges.range("out", "http://hospital.example/id/NorthWing", None)
    names = {relation: value["value"] for _, relation, value, _, _ in found if relation in (LABEL, ALIAS)}
    assert names == {LABEL: "North Wing", ALIAS: "NorthWing"}
    subgraph = hospital.subgraph([], 0)
    assert {"intensive care unit", "hospital ward", "x ray scanner", "Maria Lopez", "scanner 7"} <= set(
        subgraph.labels(range(subgraph.n_entities))
    )
    assert {one.label for one, _ in hospital.relations()} == {
        *("type", "sub class of", "head nurse", "has room", "adjacent to", "located in", "reports to")
    }


def test_a_label_in_one_piece_is_found_by_its_words_and_stays_the_label() -> None:
    records: list[Record] = [RawName("x:a", "JaneRoe"), RawName("x:b", "Depot"), RawStatement("x:a", "x:runs", "x:b")]
    with MemoryGraph.from_records(records) as graph:
        assert [[match.id for match in some] for some in graph.lookup(["jane roe", "janeroe"])] == [["x:a"], ["x:a"]]
        info = graph.describe(["x:a"])[0]
        assert info is not None
        assert (info.entity.label, info.aliases) == ("JaneRoe", ("Jane Roe",))


def test_a_name_is_better_than_the_words_of_an_iri_in_a_union() -> None:
    imp = "http://game.example/BattleImp"
    plain = MemoryGraph.from_records([RawStatement("x:a", RDF + "type", imp)], name="plain")
    named = MemoryGraph.from_records([RawName(imp, "Imp of Battle"), RawStatement("x:b", "x:r", imp)], name="named")
    for graphs in ([plain, named], [named, plain]):
        info = UnionGraph(graphs).describe([imp])[0]
        assert info is not None
        assert info.entity.label == "Imp of Battle"
        assert "battle imp" in info.aliases


@pytest.mark.parametrize("name", ["ACME CORP", "acme corp", "Acme Corp"])
@pytest.mark.parametrize(
    "question", ["what is made by acme corp", "What is made by Acme Corp?", "WHAT IS MADE BY ACME CORP?"]
)
def test_names_are_found_in_upper_and_lower_case(name: str, question: str) -> None:
    records: list[Record] = [
        RawName("x:acme", name),
        RawName("x:seal", "SEAL RING"),
        RawStatement("x:seal", "x:maker", "x:acme"),
    ]
    with MemoryGraph.from_records(records) as graph:
        (mention,) = EntityLinker(graph).link(question)
        assert (mention.text.lower(), mention.candidates[0].entity.id) == ("acme corp", "x:acme")
        assert mention.candidates[0].how == "exact"
