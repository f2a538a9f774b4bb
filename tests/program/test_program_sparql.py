"""Programs as SPARQL queries give what the evaluator gives, where there are neither vague nor several values."""

from __future__ import annotations

import pytest
from program_graphs import FILMS, PEOPLE, amount, entity, said
from sparql_of_programs import to_sparql

from toulmin.errors import QueryError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.ranges import plain_node
from toulmin.graph.types import Literal, Node
from toulmin.kernel.evaluate import STATUSES
from toulmin.program.builder import Builder
from toulmin.program.from_sparql import from_sparql
from toulmin.program.value import Nodes, Rows


def ran(b: Builder, place: int) -> list[str]:
    """What the query of a node gives, in an order of its own."""
    rows = b.graph.query(to_sparql(b.program, place)).rows
    return sorted(str(plain_node(row[0])) for row in rows if row[0] is not None)


def evaluated(b: Builder, place: int) -> list[str]:
    return sorted(str(plain_node(node)) for node in b.nodes(place))


@pytest.fixture
def b(films: MemoryGraph) -> Builder:
    return Builder("Which films?", films)


def test_sets(b: Builder) -> None:
    dan = b.follow(b.entity("dan"), "directed", "backward")
    cast = b.follow(dan, "starred")
    again = b.follow(cast, "starred", "backward", not_back=True)
    eli = b.follow(b.entity("eli"), "directed", "backward")
    nineties = b.follow(b.literal(Literal("1995", "time")), "year", "backward")
    either = b.union(dan, eli)
    for place in (
        *(dan, cast, again, either, nineties, b.intersection(dan, nineties), b.difference(either, nineties)),
        b.follow(b.entity("one"), ["starred", "directed"]),
        b.where(either, lambda it: b.some(b.follow(it, "starred"), lambda who: b.compare("=", who, b.entity("ben")))),
        b.where(either, lambda it: b.not_(b.compare("=", b.follow(it, "directed"), b.entity("dan")))),
        b.where(either, lambda it: b.exists(b.follow(it, "starred"))),
    ):
        found = ran(b, place)
        assert found == evaluated(b, place), to_sparql(b.program, place)
        assert found != []


def test_sparql_knows_neither_several_values_nor_an_open_world(b: Builder) -> None:
    films = b.follow(b.entity("dan"), "directed", "backward")
    ann = b.where(films, lambda it: b.compare("=", b.follow(it, "starred"), b.entity("ann")))
    assert (ran(b, ann), evaluated(b, ann)) == (["one", "two"], ["one"])  # Ann and Ben in the other
    bare = b.where(films, lambda it: b.not_(b.exists(b.follow(it, "dubbed"))))
    assert (ran(b, bare), evaluated(b, bare)) == (["one", "two"], [])


def test_counts_orders_and_truth(b: Builder) -> None:
    dan = b.follow(b.entity("dan"), "directed", "backward")
    count = b.count(dan)
    assert b.graph.query(to_sparql(b.program, count)).rows == ((amount("2"),),)
    first = b.first(dan, lambda it: b.follow(it, "year"))
    assert ran(b, first) == evaluated(b, first) == ["one"]
    last = b.last(dan, lambda it: b.follow(it, "year"))
    assert ran(b, last) == evaluated(b, last) == ["two"]
    for value, answer in (("1990", "true"), ("1999", "false")):
        year = b.follow(b.entity("one"), "year")
        truth = b.compare("=", year, b.literal(Literal(value, "time")))
        assert b.graph.query(to_sparql(b.program, truth)).rows == ((Literal(answer, "boolean"),),)


def test_texts_are_terms_and_nothing_else() -> None:
    """Whatever stands in an id or a value, the query asks for it and does nothing else."""
    strange: list[Node] = [Literal('x" } UNION { ?x ?p ?o } #'), Literal("a\\b\nc"), Literal("'; DROP")]
    with MemoryGraph.from_statements([said("one", "titled", value) for value in strange]) as graph:
        b = Builder("What?", graph)
        for value in strange:
            assert isinstance(value, Literal)
            assert ran(b, b.follow(b.literal(value), "titled", "backward")) == ["one"]
        odd = b.follow(b.entity(entity("no > such } thing")), "titled")
        assert ran(b, odd) == []


def test_what_does_not_translate_is_refused(b: Builder) -> None:
    films = b.follow(b.entity("dan"), "directed", "backward")
    for place in (b.table(films, []), b.period(films, None), b.qualifier(films, "role"), b.named(films)):
        with pytest.raises(QueryError, match="does not translate"):
            to_sparql(b.program, place)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?x WHERE { ?x :directed :dan.}",
        "SELECT DISTINCT ?who WHERE { ?film :directed :dan ; :starred ?who . }",
        "SELECT ?who WHERE { ?film :directed/^:directed :two . ?film :starred ?who }",
        "SELECT ?x { { ?x :directed :dan } UNION { ?x :starred :cal } }",
        "SELECT ?x { ?x :directed :dan . ?x :year ?y . FILTER(?y > '1992'^^xsd:gYear) }",
        "SELECT ?x { ?x :directed :dan . ?x :year ?y . FILTER(YEAR(?y) = 1995 || YEAR(?y) = 1 && !(?y < 5)) }",
        "SELECT ?x { ?x :directed|:starred :dan }",
        "SELECT ?x { ?x :year '1995'^^xsd:gYear FILTER NOT EXISTS { ?x :directed :dan } }",
        "SELECT ?x { ?x :directed :dan MINUS { ?x :starred ?y FILTER(?y = :ben) } }",
        "SELECT ?x { ?x :directed :dan FILTER EXISTS { ?x :starred :ben } }",
        "SELECT (COUNT(DISTINCT ?who) AS ?n) { ?film :directed :dan . ?film :starred ?who }",
        "SELECT (COUNT(?x) AS ?n) { ?x :directed :dan }",
        "SELECT ?x { ?x :directed :dan . ?x :year ?y } ORDER BY DESC(?y) LIMIT 1",
        "SELECT ?x { ?x :directed :dan . ?x :year ?y } ORDER BY ?y LIMIT 1 OFFSET 1",
        "SELECT ?x { ?x :directed :dan . ?x :starred ?who } GROUP BY ?x ORDER BY DESC(COUNT(?who)) LIMIT 1",
        "SELECT ?x { ?x :directed :dan . ?x :starred ?who FILTER NOT EXISTS { ?film :starred ?who ; :directed :eli } }",
        "SELECT ?x { ?x :directed :dan ; :starred ?who MINUS { ?film :starred ?who . ?film :year '1990'^^xsd:gYear } }",
        "SELECT ?x { ?x :year '1995'^^xsd:gYear FILTER EXISTS { ?x :starred ?w MINUS { :two :starred ?w } } }",
    ],
)
def test_a_query_read_as_a_program_yields_its_rows(b: Builder, text: str) -> None:
    place = from_sparql(text, b)
    rows = b.graph.query(text).rows
    expected = sorted({_plain(row[0]) for row in rows if row[0] is not None})
    assert sorted(map(_plain, b.nodes(place))) == expected
    assert expected


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?x ?y { ?x :directed :dan ; :year ?y }",
        "SELECT ?x ?y { ?x :directed :dan OPTIONAL { ?x :dubbed ?y } }",
        "SELECT ?d (COUNT(DISTINCT ?x) AS ?n) { ?x :directed ?d . VALUES ?d { :dan :eli } } GROUP BY ?d",
        "SELECT ?d (COUNT(DISTINCT ?x) AS ?n) { ?x :directed ?d VALUES ?d { :dan :eli } } GROUP BY ?d "
        "ORDER BY DESC(?n) LIMIT 1",
        "SELECT ?x { ?x :directed :dan OPTIONAL { ?x :dubbed ?y } FILTER(!BOUND(?y)) }",
        "SELECT ?x { ?x :directed :dan . ?x :year ?y FILTER(YEAR(?y) IN (1995, 1990)) }",
        "SELECT ?x { ?x :directed :dan GRAPH toulmin:names { ?x rdfs:label ?l } FILTER(CONTAINS(LCASE(?l), 'tw')) }",
        "SELECT ?x { ?x :directed :dan GRAPH toulmin:names { ?x rdfs:label ?l } FILTER(REGEX(?l, '^o', 'i')) }",
        "SELECT ?x ?l { ?x :directed :dan GRAPH toulmin:names { ?x rdfs:label ?l } }",
    ],
)
def test_columns_groups_and_functions_yield_the_rows_of_the_query(b: Builder, text: str) -> None:
    value = b.value(from_sparql(text, b, compared=True))
    rows = {tuple("" if cell is None else _plain(cell) for cell in row) for row in b.graph.query(text).rows}
    assert rows
    if isinstance(value, Rows):
        assert {tuple(" ".join(map(_plain, cell)) for cell in row) for row in value.rows} == rows
    else:
        assert isinstance(value, Nodes)
        assert {(_plain(node),) for node in value.nodes} == rows


def _plain(node: Node) -> str:
    return node.value if isinstance(node, Literal) else node.id


@pytest.mark.parametrize(
    ("text", "status", "told"),
    [
        ("SELECT ?x { ?x :year '1995'^^xsd:gYear FILTER NOT EXISTS { ?x :directed :dan } }", "assumed", "Three"),
        ("SELECT ?x { ?x :directed :dan MINUS { ?x :starred :ben } }", "assumed", "One"),
        (
            "SELECT ?x { ?x :directed :dan . ?x :starred ?w FILTER NOT EXISTS { ?f :starred ?w ; :directed :eli } }",
            "assumed",
            "One, Two",
        ),
        ("ASK { ?x :directed :dan FILTER NOT EXISTS { ?x :starred :cal } }", "assumed", "yes"),
        ("SELECT (COUNT(?x) AS ?n) { ?x :directed :dan MINUS { ?x :starred :ben } }", "assumed", "at least 1"),
        ("SELECT (COUNT(?x) AS ?n) { ?x :directed :dan }", "recomputed", "at least 2"),
        ("SELECT (SUM(?s) AS ?n) { ?x :manager :cy . ?x :salary ?s }", "assumed", "5 kilogram"),
        ("SELECT (AVG(?s) AS ?n) { ?x :manager :cy . ?x :salary ?s }", "assumed", "2.5 kilogram"),
        ("SELECT (MAX(?y) AS ?n) { ?x :directed :dan . ?x :year ?y FILTER(YEAR(?y) < 1994) }", "assumed", "1990"),
        ("SELECT (MAX(?s) AS ?n) { ?x :manager :cy . ?x :salary ?s }", "assumed", "3 kilogram"),
        ("SELECT ?x { ?x :directed :dan . ?x :year ?y } ORDER BY DESC(?y) LIMIT 1", "assumed", "Two"),
    ],
)
def test_what_takes_the_graph_for_all_there_is_is_assumed(text: str, status: str, told: str) -> None:
    """NOT EXISTS, MINUS, aggregates and orders over an open world; a count says "at least" instead."""
    with MemoryGraph.from_statements([*FILMS, *PEOPLE]) as graph:
        b = Builder(text, graph)
        answer = b.answer(from_sparql(text, b), by="nobody", score=1.0, method="by hand")
        report = answer.check(graph)
    assert answer.text == told
    assert max((node["status"] for node in report.nodes), key=STATUSES.index) == status
    assert report.exit_code == 0


def test_ask_is_read(b: Builder) -> None:
    assert b.truth(from_sparql("ASK { :one :directed :dan }", b)) is True
    assert b.truth(from_sparql("ASK { :one :directed :eli }", b)) is None  # the world is open
    assert b.truth(from_sparql("ASK { ?x :directed :dan . ?x :starred :ben }", b)) is True


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?x { ?x ?p :dan }",
        "SELECT ?x { ?x :starred ?y . ?y :starred ?x . ?x :directed :dan }",
        "SELECT ?x { ?x :starred ?y }",
        "SELECT ?x { ?x :directed :dan . ?y :starred :ben }",
        "SELECT ?x ?y { ?x :starred ?y }",
        "SELECT (AVG(?y) AS ?n) { ?x :year ?y }",
        "SELECT (SUM(DISTINCT ?y) AS ?n) { ?x :directed :dan . ?x :year ?y }",
        "SELECT (MAX(?y) AS ?n) { ?x :directed :dan . ?x :starred ?who . ?x :year ?y }",
        "SELECT (MAX(?y) AS ?n) { ?x :directed :dan . ?x :year ?y } GROUP BY ?y",
        "SELECT ?x { ?x :directed :dan FILTER NOT EXISTS { :one :dubbed ?z } }",
        "SELECT ?x { ?x :directed :dan FILTER NOT EXISTS { ?x :starred ?z . ?q :dubbed ?r } }",
        "SELECT ?x { ?x :directed :dan . ?x :starred ?y FILTER NOT EXISTS { ?x :dubbed ?y } }",
        "SELECT ?x { ?x :directed :dan . ?x :starred ?y { ?x :dubbed ?y } UNION { ?x :voiced ?y } }",
        "SELECT ?x { ?x :directed :dan . { ?y :starred :cal } UNION { ?y :starred :ben } }",
        "SELECT ?x { ?x :directed :dan FILTER(?y > 5) }",
        "SELECT ?x { ?x :directed :dan FILTER NOT EXISTS { ?x :starred ?z FILTER(?y > 5) } }",
        "ASK { ?x :directed :dan . ?y :starred :ben }",
        "SELECT (COUNT(?who) AS ?n) { ?film :directed :dan . ?film :starred ?who }",
        "SELECT ?x { ?x :directed :dan } LIMIT 1",
        "SELECT ?x { ?x :directed+ :dan }",
        "SELECT ?x { ?x :directed other:dan }",
        "SELECT ?x { ?x :directed :dan",
        "CONSTRUCT { ?x :a ?y } WHERE { ?x :b ?y }",
        "SELECT ?x " + "{" * 60 + "}" * 60,
        "",
    ],
)
def test_what_is_not_read_is_refused_in_one_line(b: Builder, text: str) -> None:
    with pytest.raises(QueryError) as error:
        from_sparql(text, b)
    assert "\n" not in str(error.value)
