"""Graphs with machine-id nodes, loops and cycles, small enough to see every answer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from answer_sets import Ask, labels, named, walked

import toulmin
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers import RawName, RawStatement, read
from toulmin.graph.types import Entity
from toulmin.methods.asker import Asker
from toulmin.methods.reader.settings import ReaderSettings

SURE_OF_ANYTHING = ReaderSettings(abstain_below=0)

FREEBASE_NAMES = {
    "m.0bm": "Bob Marley",
    "m.0rm": "Rita Marley",
    "m.0zm": "Ziggy Marley",
    "m.0ja": "Jamaica",
    "m.0na": "Nine Mile",
    "m.0mi": "Miami",
    "m.0re": "Reggae",
    "m.0nb": "Natalie Portman",
    "m.0pd": "Padmé Amidala",
    "m.0sw": "The Phantom Menace",
    "m.0s4": "A New Hope",
    "m.0gl": "George Lucas",
    "m.0ew": "Ewan McGregor",
    "m.0ob": "Obi-Wan Kenobi",
    "m.0lk": "Luke Skywalker",
    "m.0mh": "Mark Hamill",
    "m.0js": "Jerusalem",
    "m.0is": "Israel",
    "m.0hv": "Harvard College",
    "m.0ps": "Psychology",
    "m.0oak": "Oakland",
    "m.0ca": "California",
}
FREEBASE = [  # nodes m.0x… have no name: a marriage, three performances, an education
    ("m.0bm", "people.person.spouse_s", "m.0x1"),
    ("m.0x1", "people.marriage.spouse", "m.0rm"),
    ("m.0rm", "people.person.spouse_s", "m.0x1"),
    ("m.0x1", "people.marriage.spouse", "m.0bm"),
    ("m.0bm", "people.person.children", "m.0zm"),
    ("m.0bm", "people.person.place_of_birth", "m.0na"),
    ("m.0bm", "people.person.nationality", "m.0ja"),
    ("m.0bm", "people.deceased_person.place_of_death", "m.0mi"),
    ("m.0bm", "music.artist.genre", "m.0re"),
    ("m.0na", "location.location.containedby", "m.0ja"),
    ("m.0nb", "film.actor.film", "m.0x2"),
    ("m.0x2", "film.performance.film", "m.0sw"),
    ("m.0x2", "film.performance.character", "m.0pd"),
    ("m.0ew", "film.actor.film", "m.0x3"),
    ("m.0x3", "film.performance.film", "m.0sw"),
    ("m.0x3", "film.performance.character", "m.0ob"),
    ("m.0mh", "film.actor.film", "m.0x4"),
    ("m.0x4", "film.performance.film", "m.0s4"),
    ("m.0x4", "film.performance.character", "m.0lk"),
    ("m.0sw", "film.film.directed_by", "m.0gl"),
    ("m.0s4", "film.film.directed_by", "m.0gl"),
    ("m.0nb", "people.person.place_of_birth", "m.0js"),
    ("m.0js", "location.location.containedby", "m.0is"),
    ("m.0nb", "people.person.education", "m.0x5"),
    ("m.0x5", "education.education.institution", "m.0hv"),
    ("m.0x5", "education.education.major_field_of_study", "m.0ps"),
    ("m.0mh", "people.person.place_of_birth", "m.0oak"),
    ("m.0oak", "location.location.containedby", "m.0ca"),
]
THROUGH_MEDIATORS = {
    "Who was Bob Marley married to?": {"Rita Marley"},
    "Who was the wife of Bob Marley?": {"Rita Marley"},
    "Which character did Natalie Portman play?": {"Padmé Amidala"},
    "Who played Obi-Wan Kenobi?": {"Ewan McGregor"},
    "What films did Ewan McGregor appear in?": {"The Phantom Menace"},
    "Where did Natalie Portman go to college?": {"Harvard College"},
    "Who directed the film in which Natalie Portman played?": {"George Lucas"},
    "Where was the actor of Luke Skywalker born?": {"Oakland"},
    "Where was the husband of Rita Marley born?": {"Nine Mile"},
}
DIRECT = {
    "Where did Bob Marley die?": {"Miami"},
    "what country was bob marley from": {"Jamaica"},
    "what kind of music did bob marley make": {"Reggae"},
    "Which films did George Lucas direct?": {"The Phantom Menace", "A New Hope"},
}


@pytest.fixture(scope="module")
def freebase() -> Iterator[MemoryGraph]:
    records = [RawName(identifier, form) for identifier, form in FREEBASE_NAMES.items()]
    with MemoryGraph.from_records([*records, *(RawStatement(*triple) for triple in FREEBASE)]) as graph:
        yield graph


@pytest.fixture(scope="module")
def ask_freebase(freebase: MemoryGraph) -> Ask:
    return Asker(freebase, method="reader", settings=SURE_OF_ANYTHING).ask


@pytest.mark.parametrize(("question", "expected"), [*THROUGH_MEDIATORS.items(), *DIRECT.items()])
def test_nodes_without_a_name_are_walked_through_and_never_answers(
    freebase: MemoryGraph, ask_freebase: Ask, question: str, expected: set[str]
) -> None:
    answer = ask_freebase(question)
    assert labels(answer) == expected
    assert all(isinstance(value, Entity) and not value.id.startswith("m.0x") for value in answer.values)
    if question in THROUGH_MEDIATORS:
        assert len(walked(answer)[0]) >= 2
    assert answer.check(freebase).exit_code == 0


CYCLES = [
    ("Narcissus", "loves", "Narcissus"),
    ("Echo", "loves", "Narcissus"),
    ("Narcissus", "birthplace", "Thespiae"),
    ("Hans Weber", "line manager", "Petra Koch"),
    ("Petra Koch", "line manager", "Ines Wolf"),
    ("Ines Wolf", "line manager", "Hans Weber"),
    ("Hans Weber", "birthplace", "Ulm"),
    ("Petra Koch", "birthplace", "Bonn"),
    ("Ines Wolf", "birthplace", "Kiel"),
]
ROUND_AND_ROUND = {
    "Who does Echo love?": {"Narcissus"},
    "Where was the one loved by Echo born?": {"Thespiae"},
    "Who is the line manager of Hans Weber?": {"Petra Koch"},
    "Where was the line manager of Petra Koch born?": {"Kiel"},
    "Where was the line manager of the line manager of Petra Koch born?": {"Ulm"},
}


@pytest.mark.parametrize(("question", "expected"), ROUND_AND_ROUND.items())
def test_loops_and_cycles(question: str, expected: set[str]) -> None:
    with named(CYCLES) as graph:
        answer = toulmin.ask(graph, question, settings=SURE_OF_ANYTHING)
        assert labels(answer) == expected
        assert answer.check(graph).exit_code == 0


def test_an_entity_may_be_the_answer_to_a_question_about_itself() -> None:
    with named([("Narcissus", "loves", "Narcissus"), ("Narcissus", "birthplace", "Thespiae")]) as graph:
        answer = toulmin.ask(graph, "Whom does Narcissus love?", settings=SURE_OF_ANYTHING)
        assert labels(answer) == {"Narcissus"}
        assert answer.check(graph).exit_code == 0


def test_an_entity_that_leads_only_to_a_nameless_node() -> None:
    records: list[RawStatement | RawName] = [RawName("e:ada", "Ada"), RawStatement("e:ada", "r:post", "m.0abc12")]
    with MemoryGraph.from_records(records) as graph:
        answer = toulmin.ask(graph, "What post did Ada hold?")
        assert answer.abstained
        assert answer.check(graph).exit_code == 0


WARD = """
@prefix h: <http://hospital.example/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix q: <http://qudt.org/schema/qudt/> . @prefix u: <http://qudt.org/vocab/unit/> .
h:Drug a owl:Class ; rdfs:label "drug" .
h:interactsWith a owl:ObjectProperty, owl:SymmetricProperty ; rdfs:label "interacts with" ; rdfs:range h:Drug .
h:rx a owl:DatatypeProperty ; rdfs:label "prescription only" ; rdfs:range xsd:boolean .
h:dose a owl:ObjectProperty ; rdfs:label "maximum daily dose" .
h:warfarin a h:Drug ; rdfs:label "warfarin" ; h:interactsWith h:amiodarone ; h:rx true .
h:amiodarone a h:Drug ; rdfs:label "amiodarone" ; h:rx true ; h:dose [ q:numericValue 400 ; q:unit u:MilliGM ] .
h:digoxin a h:Drug, owl:NamedIndividual ; rdfs:label "digoxin" ; h:interactsWith h:amiodarone ; h:rx true .
"""


@pytest.fixture(scope="module")
def ward(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryGraph]:
    path = tmp_path_factory.mktemp("ward") / "ward.ttl"
    path.write_text(WARD, "utf-8")
    with MemoryGraph.from_records(read(path)) as graph:
        yield graph


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which drugs interact with amiodarone?", {"warfarin", "digoxin"}),
        ("Which drugs interact with warfarin?", {"amiodarone"}),
        ("What is the maximum daily dose of amiodarone?", {"400 milligram"}),
    ],
)
def test_an_ontology_with_its_properties(ward: MemoryGraph, question: str, expected: set[str]) -> None:
    answer = Asker(ward, method="reader", settings=SURE_OF_ANYTHING).ask(question)
    assert labels(answer) == expected
    assert answer.check(ward).exit_code == 0


@pytest.mark.parametrize(
    "question",
    [
        "What is the prescription of digoxin?",
        "Who is the prescription of warfarin?",
        "What is the range of interacts with?",
        "What is digoxin?",
        "What is a drug?",
    ],
)
def test_no_truth_value_and_no_term_of_an_ontologys_language_is_an_answer(ward: MemoryGraph, question: str) -> None:
    answer = Asker(ward, method="reader", settings=SURE_OF_ANYTHING).ask(question)
    assert labels(answer).isdisjoint({"true", "Class", "NamedIndividual", "ObjectProperty", "boolean"})
    assert answer.check(ward).exit_code == 0
