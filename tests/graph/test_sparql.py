"""Queries built from terms, answers turned into nodes, and the read-only check."""

from __future__ import annotations

import json
from typing import get_args

import pyoxigraph
import pytest
import rdflib
from hypothesis import example, given
from hypothesis import strategies as st

from toulmin.errors import QueryError
from toulmin.graph import sparql
from toulmin.graph.types import Entity, Literal, LiteralKind
from toulmin.graph.xsd import XSD, literal_to_rdf

HOSTILE = st.lists(
    st.sampled_from(
        ['"', "'", '"""', "\\", "\\u0022", "\\U00000022", "\\n", "\n", "\r", "\t", "\0", "} ", "{", "<", ">", "?s",
         "#", "@en", "^^", "; DROP ALL", "SERVICE <http://127.0.0.1/>", "u", "U0041", "é", "\u2028", "0022", "😀"]
    ) | st.text(st.characters(exclude_categories=["Cs"]), max_size=4),
    max_size=8,
).map("".join)  # fmt: skip


@example("\\\x07", None)
@example("\\\\u0022\\u", "en")
@given(HOSTILE, st.none() | st.sampled_from(["en", "pt-BR"]))
def test_no_text_leaves_its_literal(text: str, lang: str | None) -> None:
    query = f"SELECT ?x WHERE {{ {sparql.values(['x'], [[sparql.literal(text, lang=lang)]])} }}"
    answers = pyoxigraph.Store().query(query)
    assert isinstance(answers, pyoxigraph.QuerySolutions)
    assert [(row["x"].value, row["x"].language) for row in answers] == [(text, lang.lower() if lang else None)]


@pytest.mark.parametrize(
    "text", ['\\u0022 . ?a ?b "x', "a\\u00220041", "\\\\u0022", "\\U00000022", '"', "\r\n\t\b\f", "\\\x07", "\\\\\\u"]
)
def test_an_engine_that_expands_escapes_before_parsing_reads_the_same(text: str) -> None:
    rows = list(rdflib.Graph().query(f"SELECT ?x WHERE {{ VALUES ?x {{ {sparql.literal(text)} }} }}"))
    assert [str(row[0]) for row in rows if isinstance(row, rdflib.query.ResultRow)] == [text]


@given(HOSTILE)
def test_no_text_leaves_its_iri(text: str) -> None:
    for candidate in (text, f"http://example.org/{text}"):
        if sparql.is_iri(candidate):
            query = f"SELECT ?x WHERE {{ VALUES ?x {{ {sparql.iri(candidate)} }} }}"
            answers = pyoxigraph.Store().query(query)
            assert isinstance(answers, pyoxigraph.QuerySolutions)
            assert [row["x"] for row in answers] == [pyoxigraph.NamedNode(candidate)]
        else:
            with pytest.raises(QueryError, match="not an absolute IRI"):
                sparql.iri(candidate)


@pytest.mark.parametrize(
    "text", ["Q42", "", "_:b0", "http://a b", "http://a/> ?p ?o . <", "http://a/\\u003e", "a:\ud800"]
)
def test_what_is_no_iri_is_refused(text: str) -> None:
    with pytest.raises(QueryError, match="not an absolute IRI"):
        sparql.node(Entity(text))


def test_literals_that_cannot_be_written_are_refused() -> None:
    for arguments in [("a\ud800",), ("a", XSD + "string", "en@x"), ("a", "no iri")]:
        with pytest.raises(QueryError) as caught:
            sparql.literal(*arguments)
        assert "\n" not in str(caught.value)


LITERALS = st.builds(
    Literal,
    HOSTILE | st.from_regex(r"-?\d{4}(-0\d)?", fullmatch=True) | st.from_regex(r"\d\.\d", fullmatch=True),
    st.sampled_from(get_args(LiteralKind)),
    unit=st.none() | st.sampled_from(["metre", "http://www.wikidata.org/entity/Q11573"]),
    lang=st.none() | st.just("en"),
)


@given(LITERALS)
def test_a_node_comes_back_from_json(value: Literal) -> None:
    text, datatype, lang = literal_to_rdf(value)
    found = {"type": "literal", "value": text}
    if lang:
        found["xml:lang"] = lang
    elif datatype != XSD + "string":
        found["datatype"] = datatype
    assert sparql.node_from_json(found) == value


@given(LITERALS)
def test_a_query_names_the_literal_that_is_meant(value: Literal) -> None:
    pattern = f"{sparql.values(['x'], [[sparql.node(value)]])} FILTER(sameTerm(?x, {sparql.node(value)}))"
    answers = pyoxigraph.Store().query(f"SELECT ?x WHERE {{ {pattern} }}")
    assert isinstance(answers, pyoxigraph.QuerySolutions)
    (binding,) = json.loads(answers.serialize(format=pyoxigraph.QueryResultsFormat.JSON) or b"")["results"]["bindings"]
    found = sparql.node_from_json(binding["x"])
    assert isinstance(found, Literal)
    assert found == value or float(found.value) == float(value.value)  # the engine writes 0010 as 10


def test_entities_blank_nodes_and_triple_terms() -> None:
    entity, blank = Entity("http://example.org/é"), Entity("_:b1")
    assert sparql.node_from_json({"type": "uri", "value": entity.id}) == entity
    assert sparql.node_from_json({"type": "bnode", "value": "b1"}) == blank
    with pytest.raises(QueryError, match="triple term"):
        sparql.node_from_json({"type": "triple", "value": {}})


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * WHERE { ?s ?p ?o }",
        "select ?s { ?s ?p 'a SERVICE <http://x/> { }' } limit 3",
        "ASK { ?s ?p ?o }",
        "BASE <http://example.org/> PREFIX a: <b#> # a SERVICE { is not called\nASK { a:x <y> ?o }",
        'SELECT * { ?s ?p """ DELETE "quoted" \' INSERT """ }',
        "PREFIX a: <http://example.org/> SELECT * { a:customerServiceNumber a:p\\#q ?service }",
        "SELECT (COUNT(*) AS ?n) { ?s ?p ?o FILTER(?o<3&&?o>1) } GROUP BY ?s HAVING (COUNT(*) > 1)",
        "SELECT * { { SELECT ?s { ?s ?p ?o } LIMIT 1 } FILTER NOT EXISTS { ?s ?q 1.5e3 } }",
        "SELECT * { ?r <http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies> <<( ?s ?p ?o )>> }",
        "SELECT * { ?s ?p 'é\\u00e9 FROM <http://example.org/g>' }",
        "PREFIX a: <http://a/> SELECT ?from { ?from a:validFrom 'from' ; a:from <http://a/FROM> }",
        "SELECT * { VALUES ?x { " + "1 " * 20_000 + "} }",
    ],
)
def test_reading_passes(query: str) -> None:
    sparql.check_read_only(query)


@pytest.mark.parametrize(
    ("query", "position", "reason"),
    [
        ("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", "1:1", "only SELECT and ASK"),
        ("DESCRIBE <http://example.org/a>", "1:1", "only SELECT and ASK"),
        ("# comment\n  DELETE WHERE { ?s ?p ?o }", "2:3", "only SELECT and ASK"),
        ("PREFIX select: <http://a/> INSERT DATA { select:a select:b 1 }", "1:28", "only SELECT and ASK"),
        ("LOAD <http://example.org/a>", "1:1", "only SELECT and ASK"),
        ("SELECT * {\n ?s ?p ?o .\n SERVICE <http://example.org/> { ?s ?p ?o } }", "3:2", "SERVICE"),
        ("PREFIX a: <http://a/> SELECT * { sErViCe SILENT a:b { ?s ?p ?o } }", "1:34", "SERVICE"),
        ("PREFIX a: <http://127.0.0.1/> SELECT * { SERVICEa:b { ?s ?p ?o } }", "1:42", "SERVICE"),
        ("SELECT * { ?s ?p trueSERVICE <http://127.0.0.1/> { } }", "1:18", "SERVICE"),
        ("PREFIX a: <http://a/> SELECT * { ?s ?p a:b\\#c SERVICE <http://b/> { } }", "1:47", "SERVICE"),
        ("SELECT * { ?s ?p '\\u0027 SERVICE <http://b/> {} #' }", "1:19", "write the character itself"),
        ("SELECT * FROM <http://b/> { ?s ?p ?o }", "1:10", "FROM"),
        ("ASK\nfrom NAMED <http://b/> { GRAPH ?g { ?s ?p ?o } }", "2:1", "FROM is not accepted"),
        ("SELECT (EXISTS { ?a ?b ?c } AS ?x)FROM<http://b/> { }", "1:35", "FROM"),
        ("SELECT ((1<2)&&3>0 AS ?x) FROMNAMED<http://b/> { }", "1:27", "FROM"),
        ("PREFIX a: <http://a/> SELECT * FROMa:b { ?s ?p ?o }", "1:32", "FROM"),
        ("SELECT * { \\u0053ERVICE <http://b/> {} }", "1:12", "write the character itself"),
        ("SELECT * { ?s ?p ?o } ; DROP ALL", "1:", "expected"),
        ("SELECT * {\n ?s ?p }", "2:", "expected"),
        ("SELECT * { wd:Q42 ?p ?o }", "1:12", "the prefix wd: is not declared"),
        ("", "1:1", "expected"),
        ("SELECT * " + "{" * 5000 + "}" * 5000, "1:74", "nested"),
        ("SELECT * { FILTER(" + "!" * 20_000 + "1) }", "1:1018", "operators"),
        ("SELECT * { " + "{ ?s ?p 1 } " * 3000 + "}", "1:", "patterns"),
    ],
)
def test_everything_else_is_refused_in_one_line_with_its_position(query: str, position: str, reason: str) -> None:
    with pytest.raises(QueryError) as caught:
        sparql.check_read_only(query)
    message = str(caught.value)
    assert message.startswith("SPARQL query: error at " + position)
    assert reason in message
    assert "\n" not in message


def test_size_and_unicode_are_checked() -> None:
    with pytest.raises(QueryError, match="at most 200,000"):
        sparql.check_read_only("SELECT * { ?s ?p '" + "a" * 300_000 + "' }")
    with pytest.raises(QueryError, match="1:20: not valid Unicode"):
        sparql.check_read_only("SELECT * { ?s ?p 'a\ud800' }")


def test_names_that_a_server_declares_count_as_declared() -> None:
    sparql.check_read_only("SELECT * { wd:Q42 ?p ?o }", {"wd": "http://www.wikidata.org/entity/"})


def test_nothing_is_run() -> None:
    numbers = " ".join(str(number) for number in range(400))
    cross = " ".join(f"VALUES ?{name} {{ {numbers} }}" for name in "abcdef")
    sparql.check_read_only(f"ASK {{ {cross} FILTER(?a + ?b + ?c + ?d + ?e + ?f < -1) }}")
    sparql.check_read_only(f"SELECT * {{ {cross} }} ORDER BY ?f")
