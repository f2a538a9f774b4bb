"""RDF: terms, names by their standing, annotations as qualifiers, errors; rdflib is the rival."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st

from toulmin.errors import SourceError
from toulmin.graph.readers import RawName, RawStatement, ReadOptions, Record, Rejected, read
from toulmin.graph.types import DESCRIPTION, Literal

PREFIXES = """@prefix : <http://x/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix schema: <http://schema.org/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
X = "http://x/"


def turtle(folder: Path, text: str, *, options: ReadOptions | None = None, name: str = "a.ttl") -> list[Record]:
    path = folder / name
    path.write_text(PREFIXES + text, encoding="utf-8")
    return list(read(path, options=options, strict=True))


def ntriples(folder: Path, text: str | bytes, name: str = "a.nt") -> list[Record]:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return list(read(path))


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (":b", X + "b"),
        ("_:b", "_:b"),
        ('"text"', Literal("text")),
        ('"texte"@FR', Literal("texte", lang="fr")),
        ('"1.50"^^xsd:decimal', Literal("1.50", "quantity")),
        ("007", Literal("007", "quantity")),
        ("1.0e3", Literal("1.0e3", "quantity")),
        ("true", Literal("true", "boolean")),
        ('"1995-03-12"^^xsd:date', Literal("1995-03-12", "time")),
        ('"1995-03"^^xsd:gYearMonth', Literal("1995-03", "time")),
        ('"1995"^^xsd:gYear', Literal("1995", "time")),
        ('"-0043-03-15"^^xsd:date', Literal("-0043-03-15", "time")),
        ('"2004-04-12T13:20:00Z"^^xsd:dateTime', Literal("2004-04-12T13:20:00Z", "time")),
        ('"Point(2.35 48.85)"^^<http://www.opengis.net/ont/geosparql#wktLiteral>', Literal("48.85,2.35", "coordinate")),
        ('"many"^^xsd:integer', Literal("many")),
        ('"two\\nlines\\u001f"', Literal("two\nlines")),
    ],
)
def test_terms(tmp_path: Path, written: str, expected: str | Literal) -> None:
    assert turtle(tmp_path, f":a :r {written} .") == [RawStatement(X + "a", X + "r", expected)]


def test_an_rdfs_label_wins_wherever_it_stands(tmp_path: Path) -> None:
    found = turtle(
        tmp_path,
        """:a schema:name "by schema" ; skos:prefLabel "by skos" ; rdfs:label "by rdfs"@en .
        :b foaf:name "by foaf" ; skos:prefLabel "Bee"@en, "Abeille"@fr ; skos:altLabel "bumble" .
        :c rdfs:label "" .""",
    )
    names = [record for record in found if isinstance(record, RawName)]
    assert len(names) == len(found)
    assert {name.form for name in names if name.id == X + "a" and name.kind == "label"} == {"by rdfs"}
    assert {name.form for name in names if name.id == X + "a" and name.kind == "alias"} == {"by schema", "by skos"}
    assert {name for name in names if name.id == X + "b" and name.kind == "label"} == {
        RawName(X + "b", "Bee", "label", "en"),
        RawName(X + "b", "Abeille", "label", "fr"),
    }
    assert {name.form for name in names if name.id == X + "b" and name.kind == "alias"} == {"by foaf", "bumble"}


def test_descriptions_are_statements_of_one_relation(tmp_path: Path) -> None:
    found = turtle(tmp_path, ':a rdfs:comment "one"@en ; schema:description "two" ; dct:description "drei"@de .')
    assert {record for record in found if isinstance(record, RawStatement)} == {
        RawStatement(X + "a", DESCRIPTION, Literal("one", lang="en")),
        RawStatement(X + "a", DESCRIPTION, Literal("two")),
        RawStatement(X + "a", DESCRIPTION, Literal("drei", lang="de")),
    }


def test_languages_can_be_chosen(tmp_path: Path) -> None:
    text = ':a rdfs:label "Wien"@de, "Vienna"@en, "Vienna"@en-GB, "Vindobona" ; rdfs:comment "Stadt"@de .'
    found = turtle(tmp_path, text, options=ReadOptions(languages=("en",)))
    assert {record.lang for record in found if isinstance(record, RawName)} == {"en", "en-gb", None}
    assert not any(isinstance(record, RawStatement) for record in found)


def test_annotations_become_qualifiers_without_a_plain_copy(tmp_path: Path) -> None:
    assert turtle(tmp_path, ':a :r :b {| :since "1999"^^xsd:gYear ; :by :c |} . :a :r :d .') == [
        RawStatement(X + "a", X + "r", X + "d"),
        RawStatement(X + "a", X + "r", X + "b", ((X + "since", Literal("1999", "time")), (X + "by", X + "c"))),
    ]


def test_annotations_may_come_before_or_long_after_the_triple(tmp_path: Path) -> None:
    lines = [
        "_:r <http://x/since> <http://x/y> .",
        "<http://x/a> <http://x/r> <http://x/b> .",
        *(f"<http://x/{number}> <http://x/r> <http://x/b> ." for number in range(50)),
        "_:r <http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies> <<( <http://x/a> <http://x/r> <http://x/b> )>> .",
    ]
    expected = RawStatement(X + "a", X + "r", X + "b", ((X + "since", X + "y"),))
    for text in ("\n".join(lines), "\n".join(reversed(lines))):
        found = ntriples(tmp_path, text)
        assert found.count(expected) == 1
        assert len(found) == 51


def test_each_reifier_of_a_triple_is_a_statement(tmp_path: Path) -> None:
    found = turtle(
        tmp_path,
        """:frida :spouse :diego ~ :first {| :from "1929"^^xsd:gYear |} .
        :frida :spouse :diego ~ :second {| :from "1940"^^xsd:gYear |} .
        :frida :spouse :diego ~ :copy {| :from "1940"^^xsd:gYear |} .""",
    )
    assert [record.qualifiers for record in found if isinstance(record, RawStatement)] == [
        ((X + "from", Literal("1929", "time")),),
        ((X + "from", Literal("1940", "time")),),
    ]
    assert len(found) == 2


def test_classic_reification(tmp_path: Path) -> None:
    text = """:s a rdf:Statement ; rdf:subject :a ; rdf:predicate :knows ; rdf:object :b ; :since 1999 .
    :a :knows :b ."""
    assert turtle(tmp_path, text) == [
        RawStatement(X + "a", X + "knows", X + "b", ((X + "since", Literal("1999", "quantity")),))
    ]


def test_a_triple_that_is_only_talked_about_is_no_statement(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        found = turtle(tmp_path, ":bob :said :claim . << :earth :shape :flat ~ :claim >> :in :forum .")
    assert found == [RawStatement(X + "bob", X + "said", X + "claim")]
    assert "1 reified triples are not asserted" in caplog.text


QUDT = "@prefix q: <http://qudt.org/schema/qudt/> . @prefix u: <http://qudt.org/vocab/unit/> . @prefix : <http://x/> . "
DOSE = RawStatement("http://x/a", "http://x/dose", Literal("0.5", "quantity", unit="milligram"))


@pytest.mark.parametrize(
    "text",
    [
        ":a :dose [ a q:QuantityValue ; q:numericValue 0.5 ; q:unit u:MilliGM ] .",
        ":a :dose [ q:numericValue 0.5 ; q:hasUnit u:MilliGM ; q:hasQuantityKind <http://qudt.org/x/Mass> ] .",
        ":v q:numericValue 0.5 . :a :dose :v . :v q:unit u:MilliGM ; a q:QuantityValue .",
    ],
)
def test_a_quantity_of_qudt_stands_where_its_node_does(tmp_path: Path, text: str) -> None:
    assert turtle(tmp_path, QUDT + text) == [DOSE]
    lines = rdflib.Graph().parse(data=QUDT + text, format="turtle").serialize(format="nt")
    assert ntriples(tmp_path, lines) == [DOSE]


def test_two_things_may_have_one_quantity(tmp_path: Path) -> None:
    found = turtle(tmp_path, QUDT + ":a :dose :v . :b :dose :v . :v q:numericValue 0.5 ; q:unit u:MilliGM .")
    assert found == [DOSE, DOSE._replace(subject="http://x/b")]


@pytest.mark.parametrize(
    "text",
    [
        ":v q:numericValue 0.5 ; q:unit u:MilliGM ; :measuredBy :b . :a :dose :v .",  # more is said of it
        ":v q:numericValue 0.5, 0.6 ; q:unit u:MilliGM . :a :dose :v .",
        ":v q:numericValue 0.5 ; q:unit u:MilliGM, u:GM . :a :dose :v .",
        ":v q:numericValue 'much' ; q:unit u:MilliGM . :a :dose :v .",
        ":v q:unit u:MilliGM . :a :dose :v .",
    ],
)
def test_a_node_that_is_no_single_quantity_stays_one(tmp_path: Path, text: str) -> None:
    found = turtle(tmp_path, QUDT + text)
    assert RawStatement("http://x/a", "http://x/dose", "http://x/v") in found
    assert any(record.subject == "http://x/v" for record in found if isinstance(record, RawStatement))


def test_blank_nodes_without_a_label_get_the_same_ids_each_time(tmp_path: Path) -> None:
    text = ":a :r [ :r [ :r :b ] ], _:x ."
    first = turtle(tmp_path, text)
    assert first == turtle(tmp_path, text)
    named = {X + "a", X + "r", X + "b", "_:x"}
    here = {part for record in first for part in record[:3]}
    assert named < here
    assert len(here - named) == 2
    assert here & {part for record in turtle(tmp_path, text, name="b.ttl") for part in record[:3]} == named


def test_relative_iris_do_not_depend_on_where_the_file_lies(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    assert turtle(tmp_path, "<#me> :r <other> .") == turtle(tmp_path / "sub", "<#me> :r <other> .")


def test_bad_lines_are_rejected_and_the_rest_is_read(tmp_path: Path) -> None:
    good = "<http://x/a> <http://x/r> <http://x/{}> .\n"
    text = good.format(1) + "<http://x/a> nonsense .\n" + good.format(2) + "<http://x/a> <rel> <http://x/b> .\n# c\n"
    found = ntriples(tmp_path, text + good.format(3))
    assert [record for record in found if isinstance(record, RawStatement)] == [
        RawStatement(X + "a", X + "r", X + name) for name in "123"
    ]
    bad = [record for record in found if isinstance(record, Rejected)]
    assert [record.line for record in bad] == [2, 4]
    assert "No scheme found" in bad[1].reason
    assert not any("line" in record.reason for record in bad)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.ttl", "@prefix : <http://x/> .\n:a :r :b .\n:a ! :b .\n", r"a\.ttl:3: ! is not a valid predicate"),
        ("a.trig", "<http://x/g> {\n<http://x/a> <http://x/r> }\n", r"a\.trig:2: "),
        ("a.rdf", "<rdf:RDF>\n</rdf:RDF>", r"a\.rdf"),
        ("a.jsonld", '{"@id": "http://x/a",\n "http://x/r" 1}', r"a\.jsonld:2: "),
        ("a.jsonld", '{"@context": "https://schema.org/", "name": "x"}', "put it into the file"),
    ],
)
def test_an_error_in_a_document_names_its_line(tmp_path: Path, name: str, text: str, told: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(SourceError, match=told) as error:
        list(read(path))
    assert "\n" not in str(error.value)


def _rdfxml(entities: str, text: str) -> str:
    return (
        f'<?xml version="1.0"?>\n<!DOCTYPE rdf:RDF [\n{entities}\n]>\n<rdf:RDF xmlns="http://x/"'
        ' xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n'
        f'<rdf:Description rdf:about="http://x/a"><r>{text}</r></rdf:Description>\n</rdf:RDF>'
    )


def test_entities_of_a_document_stand_for_their_values(tmp_path: Path) -> None:
    path = tmp_path / "a.rdf"
    path.write_text(_rdfxml('<!ENTITY x "http://x/">\n<!ENTITY y "why">', "&x;&y;"))
    objects = [record.object for record in read(path) if isinstance(record, RawStatement)]
    assert [found.value for found in objects if isinstance(found, Literal)] == ["http://x/why"]


@pytest.mark.parametrize("padding", [0, 1 << 20, (1 << 20) - 1500])
@pytest.mark.parametrize(
    ("entities", "told"),
    [
        ("\n".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(40)), r"a\.rdf:4: .*write its value out"),
        ('<!ENTITYe1\n"&#38;e0;">', r"a\.rdf:4: .*write its value out"),
        (f'<!ENTITY e1 "{"e" * 1001}">', r"a\.rdf:4: .*1,000 bytes"),
        (f'<!ENTITY{" " * 3000}e1 "&e0;">', r"a\.rdf:4: .*1,000 bytes"),
        (f'<!ENTITY e1 "{"e" * 3_000_000}">', r"a\.rdf:4: .*1,000 bytes"),
    ],
)
def test_entities_that_stand_for_too_much_are_not_expanded(
    tmp_path: Path, entities: str, told: str, padding: int
) -> None:
    path = tmp_path / "a.rdf"
    path.write_text(_rdfxml(f'<!ENTITY e0 "lol"><!--{" " * padding}-->\n{entities}', "&e1;"))
    with pytest.raises(SourceError, match=told) as error:
        list(read(path))
    assert "\n" not in str(error.value)


def test_a_literal_of_ten_megabytes_and_one_that_is_too_long(tmp_path: Path) -> None:
    line = '<http://x/a> <http://x/r> "{}" .\n'
    found = ntriples(tmp_path, line.format("x" * 10_000_000) + line.format("y" * 20_000_000) + line.format("z"))
    values = [record.object for record in found if isinstance(record, RawStatement)]
    assert [len(value.value) for value in values if isinstance(value, Literal)] == [10_000_000, 1]
    assert [record.line for record in found if isinstance(record, Rejected)] == [2]


def test_names_of_graphs_are_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.trig"
    path.write_text("@prefix : <http://x/> . :g1 { :a :r :b } :g2 { :a :r :b } :a :r :c .")
    assert {record[:3] for record in read(path)} == {(X + "a", X + "r", X + "b"), (X + "a", X + "r", X + "c")}


iris = st.sampled_from([f"http://x/{name}" for name in "abcd"]).map(rdflib.URIRef)
texts = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=8)
literals = st.one_of(
    texts.map(rdflib.Literal),
    texts.map(lambda text: rdflib.Literal(text, lang="en")),
    st.integers(-(10**15), 10**15).map(rdflib.Literal),  # beyond, JSON-LD's own numbers are floating
    st.dates().map(rdflib.Literal),
)


@given(
    st.lists(st.tuples(iris, iris, iris | literals), max_size=8), st.sampled_from(["nt", "turtle", "xml", "json-ld"])
)
def test_what_rdflib_writes_is_read(
    tmp_path_factory: pytest.TempPathFactory,
    triples: list[tuple[rdflib.URIRef, rdflib.URIRef, rdflib.URIRef | rdflib.Literal]],
    rdf_format: str,
) -> None:
    graph = rdflib.Graph()
    for triple in triples:
        graph.add(triple)
    suffix = {"nt": "nt", "turtle": "ttl", "xml": "rdf", "json-ld": "jsonld"}[rdf_format]
    path = tmp_path_factory.mktemp("rdflib") / f"a.{suffix}"
    graph.serialize(path, format=rdf_format, encoding="utf-8")
    expected = sorted(
        (str(s), str(p), str(o), str(o.language or "") if isinstance(o, rdflib.Literal) else "id") for s, p, o in graph
    )
    found = []
    for record in read(path, strict=True):
        assert isinstance(record, RawStatement)
        value = record.object
        text, lang = (value.value, value.lang or "") if isinstance(value, Literal) else (value, "id")
        found.append((record.subject, record.relation, text, lang))
    assert sorted(found) == expected
