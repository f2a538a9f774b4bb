"""The normal form of names, and which ids are meant for machines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.graph.labels import (
    is_machine_id,
    is_machine_label,
    is_nameless,
    normalise,
    readable_id,
    readable_relation,
    similarity,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  The  Matrix ", "the matrix"),
        ("the_matrix", "the matrix"),
        ("Spider-Man", "spider man"),
        ("Spider\u2013Man", "spider man"),
        ("Schindler's List", "schindler s list"),
        ("Schindler\u2019s List", "schindler s list"),
        ("\u201cHeroes\u201d", "heroes"),
        ("Tom & Jerry", "tom and jerry"),
        ("Airplane!", "airplane"),
        ("Monsters, Inc.", "monsters inc"),
        ("$9.99", "$9 99"),
        ("!!!", "!!!"),
        ("...", "..."),
        ("+1", "+1"),
        ("8½", "8 1 2"),
        ("8 1/2", "8 1 2"),
        ("C#", "c#"),
        ("C++", "c++"),
        ("\uff26\uff35\uff2c\uff2c", "full"),
        ("Straße", "strasse"),
        ("東京", "東京"),
        ("हिन्दी", "हिन्दी"),
        ("cafe\u0301", "café"),
        ("soft\u00adhyphen", "softhyphen"),
        ("a\ud800b", "a b"),
        ("a\nb\tc", "a b c"),
        ("", ""),
        ("   ", ""),
    ],
)
def test_normal_forms(text: str, expected: str) -> None:
    assert normalise(text) == expected


@given(st.text())
def test_a_normal_form_is_its_own(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)
    normalise(text).encode()


@given(st.text(st.characters(codec="utf-8")))
def test_case_and_outer_space_make_no_difference(text: str) -> None:
    assert normalise(f"  {text.casefold()}\n") == normalise(text)


@given(st.text(st.characters(codec="ascii"), min_size=1).filter(lambda text: text.isprintable() and text.strip()))
def test_something_always_remains(text: str) -> None:
    assert normalise(text)


@pytest.mark.parametrize(
    "identifier",
    [
        "m.0abc", "g.11b6x", "/m/0abc", "http://rdf.freebase.com/ns/m.0abc", "urn:toulmin:e:m.0abc", "Q42",
        "http://www.wikidata.org/entity/Q42", "http://www.wikidata.org/entity/L3-F1",
        "http://www.wikidata.org/entity/statement/q1-F078E5B3-F9A8-480E-B7AC-D97778CBBEF9",
        "Q1$F078E5B3-F9A8-480E-B7AC-D97778CBBEF9", "s/Q1-F078E5B3-F9A8-480E-B7AC-D97778CBBEF9", "_:b0",
        "http://example.org/.well-known/genid/17", "f078e5b3-f9a8-480e-b7ac-d97778cbbef9",
        "urn:uuid:f078e5b3-f9a8-480e-b7ac-d97778cbbef9", "d41d8cd98f00b204e9800998ecf8427e",
    ],
)  # fmt: skip
def test_machine_ids(identifier: str) -> None:
    assert is_machine_id(identifier)


@pytest.mark.parametrize(
    "identifier",
    ["Kismet", "M.I.A.", "m.butterfly", "Q", "Q and A", "http://example.org/Q_and_A", "1999", "defaced",
     "Quantum of Solace", "urn:toulmin:e:The%20Matrix", "_", "8f", "effaceddefaceddecade"],
)  # fmt: skip
def test_names_are_no_machine_ids(identifier: str) -> None:
    assert not is_machine_id(identifier)


def test_a_short_code_given_as_a_label_is_a_name() -> None:
    assert not is_machine_label("Q7")
    assert not is_machine_label("P24")
    assert is_machine_label("Q123456")
    assert is_machine_label("m.0abc")


@pytest.mark.parametrize(
    ("identifier", "label"),
    [
        ("http://dbpedia.org/resource/Barack_Obama", "Barack Obama"),
        ("http://example.org/people#Ada", "Ada"),
        ("http://example.org/Am%C3%A9lie/", "Amélie"),
        ("http://example.org/a%0Ab", "a b"),
        ("ludwig_ii_of_bavaria", "ludwig ii of bavaria"),
        ("urn:toulmin:e:The%20Matrix", "The Matrix"),
        ("http://rdf.freebase.com/ns/m.0_ab", "m.0_ab"),
        ("Mission: Impossible", "Mission: Impossible"),
        ("BattleImp", "BattleImp"),
        ("http://example.org/a#BattleImp", "Battle Imp"),
        ("http://example.org/a#HTTPServer", "HTTP Server"),
        ("http://example.org/ListOfURLs", "List Of URLs"),
        ("http://example.org/Room101B", "Room 101B"),
        ("http://example.org/Ward3North", "Ward 3 North"),
        ("http://example.org/2ndFloor", "2nd Floor"),
        ("http://example.org/\u00c9coleNormale", "\u00c9cole Normale"),
        ("http://example.org/Dr.AnnaKlein", "Dr.Anna Klein"),
        ("http://example.org/north-wing-2", "north wing 2"),
        ("http://example.org/Jean-Paul", "Jean-Paul"),
        ("urn:example:pump7", "pump 7"),
        *(
            (f"http://example.org/{code}", code)
            for code in ("CO2", "H2O", "COVID19", "EMP001", "PhD", "aB3xZ9Qk", "10432")
        ),
        ("http://www.wikidata.org/entity/Q42", "Q42"),
        ("urn:uuid:f078e5b3-f9a8-480e-b7ac-d97778cbbef9", "f078e5b3-f9a8-480e-b7ac-d97778cbbef9"),
    ],
)
def test_ids_read_as_labels(identifier: str, label: str) -> None:
    assert readable_id(identifier) == label


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("BattleImp", "battle imp"),
        ("HTTPServer", "HTTP server"),
        ("Ward", "ward"),
        ("MRI", "MRI"),
        ("ICUs", "ICUs"),
        ("PhD", "PhD"),
        ("north-wing", "north wing"),
        ("Intensive_Care_Unit", "intensive care unit"),
    ],
)
def test_classes_are_written_small_but_for_abbreviations(name: str, label: str) -> None:
    assert readable_id(f"http://example.org/{name}", common=True) == label


@pytest.mark.parametrize(
    ("identifier", "label"),
    [
        ("http://dbpedia.org/ontology/birthPlace", "birth place"),
        ("directed_by", "directed by"),
        ("film.film.directed_by", "film.film.directed_by"),
        ("urn:toulmin:r:capital%20of", "capital of"),
        ("http://example.org/has-part", "has part"),
        ("http://example.org/usesHTTPServer", "uses HTTP server"),
        ("http://example.org/P42", "P42"),
    ],
)
def test_relations_read_as_labels(identifier: str, label: str) -> None:
    assert readable_relation(identifier) == label


@pytest.mark.parametrize(
    ("identifier", "label", "nameless"),
    [
        ("m.0abc", None, True),
        ("m.0abc", "m.0abc", True),
        ("http://rdf.freebase.com/ns/m.0abc", "m.0abc", True),
        ("http://rdf.freebase.com/ns/m.0abc", "http://rdf.freebase.com/ns/m.0abc", True),
        ("m.0abc", "Metropolis", False),
        ("http://www.wikidata.org/entity/Q7", None, True),
        ("http://www.wikidata.org/entity/Q7", "Q8", False),
        ("http://example.org/Metropolis", None, False),
        ("http://example.org/Metropolis", "Metropolis", False),
        ("urn:toulmin:e:m.0abc", "m.0abc", True),
    ],
)
def test_an_entity_without_a_name(identifier: str, label: str | None, nameless: bool) -> None:
    assert is_nameless(identifier, label) == nameless


@given(st.text(max_size=12), st.text(max_size=12))
def test_likeness_of_spellings(a: str, b: str) -> None:
    assert 0 <= similarity(a, b) == similarity(b, a) <= 1
    assert (similarity(a, b) == 1) == (normalise(a) == normalise(b))


def test_likeness_is_an_indel_distance() -> None:
    assert similarity("Warior", "WARRIOR") == pytest.approx(1 - 1 / 13)
