"""SPARQL that is no program: recorded, unverifiable by the kernel, and run again by the store that is at hand."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from endpoint_servers import OXIGRAPH, RdflibServer, oxigraph_serves, oxigraph_store

from toulmin.errors import QueryError
from toulmin.graph.endpoint.graph import open_endpoint
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.union import UnionGraph
from toulmin.kernel import Report
from toulmin.program.answer import Answer
from toulmin.program.builder import Builder
from toulmin.program.evidence import attach

SAME, OTHER = "run again by the store: the same rows", "run again by the store: other rows"
QUAY = """PREFIX : <http://harbour.example/>
:north :berth 4 ; :keeper :ines . :south :berth 9 ; :keeper :olu . :east :berth 4 .
"""
BERTHS = "SELECT ?quay ?n { ?quay <http://harbour.example/berth> ?n } ORDER BY ?n ?quay"
SUM = "SELECT (SUM(?n) AS ?all) { ?quay <http://harbour.example/berth> ?n }"
FILMS = "SELECT ?film (COUNT(?who) AS ?n) { ?film :starred ?who } GROUP BY ?film"


def asked(graph: Graph, text: str, place: int = 0) -> Answer:
    builder = Builder("How many?", graph)
    return builder.answer(builder.query(text, graph=place), by="nobody", score=1.0, method="by hand")


def found(report: Report) -> tuple[str, str, int]:
    """Status and reason of the query, and the exit code."""
    (node,) = report.nodes
    return node["status"], node["reason"], report.exit_code


def changed(answer: Answer, **fields: Any) -> Answer:
    """The same with other fields of the query, and the rows of the answer made to follow."""
    certificate = deepcopy(answer.certificate)
    certificate["program"][0] |= fields
    rows = certificate["program"][0]["rows"]
    certificate["answer"]["rows"] = [[[] if cell is None else [cell] for cell in row] for row in rows]
    return Answer(certificate)


def test_the_kernel_alone_cannot_say(films: MemoryGraph) -> None:
    answer = asked(films, FILMS)
    assert found(attach(answer, films).check()) == ("unverifiable", "what SPARQL gave", 0)
    assert found(answer.check(films)) == ("unverifiable", SAME, 0)
    assert answer.check(films, strict=True).exit_code == 1


@pytest.mark.parametrize("change", ["left out", "added", "another value", "another column", "another query"])
def test_other_rows_fail(films: MemoryGraph, change: str) -> None:
    answer = asked(films, FILMS)
    rows = answer.certificate["program"][0]["rows"]
    other = {
        "left out": {"rows": rows[1:]},
        "added": {"rows": [*rows, rows[0]]},
        "another value": {"rows": [[rows[0][0], {"value": "7", "kind": "quantity"}], *rows[1:]]},
        "another column": {"columns": ["film", "m"]},
        "another query": {"text": FILMS.replace("starred", "directed")},
    }[change]
    assert found(changed(answer, **other).check(films)) == ("fails", OTHER, 1)


def test_order_counts_where_it_is_asked_for(films: MemoryGraph) -> None:
    for text, status in ((FILMS, "unverifiable"), (f"{FILMS} ORDER BY ?film", "fails")):
        answer = asked(films, text)
        turned = changed(answer, rows=answer.certificate["program"][0]["rows"][::-1])
        assert found(turned.check(films))[0] == status, text


def test_on_a_graph_that_changed_since_it_is_stale(films: MemoryGraph) -> None:
    answer = asked(films, FILMS)
    statements = [one for film in ("one", "two") for one in films.statements([film], side="outgoing")[0]]
    with MemoryGraph.from_statements(statements, name="films") as fewer:
        assert found(answer.check(fewer)) == ("stale", OTHER, 1)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("INSERT DATA { <http://a> <http://b> <http://c> }", "only SELECT and ASK"),
        ("SELECT ?x { SERVICE <http://127.0.0.1:1/> { ?x ?y ?z } }", "SERVICE is not accepted"),
        ("SELECT ?x {", "SPARQL query"),
        ("SELECT (COUNT(*) AS ?n) { " + "".join(f"?a{n} ?b{n} ?c{n} . " for n in range(15)) + "}", "0.5 s"),
    ],
)
def test_what_the_store_does_not_run_stays_unverifiable_and_says_why(films: MemoryGraph, text: str, why: str) -> None:
    status, reason, code = found(changed(asked(films, FILMS), text=text).check(films, seconds=1.0))
    assert (status, code) == ("unverifiable", 0)
    assert reason.startswith("not run again: ")
    assert why in reason
    assert len(films.query("SELECT ?s { ?s ?p ?o }").rows) == 10  # and nothing was written


def test_no_more_rows_are_made_than_are_needed(films: MemoryGraph) -> None:
    endless = "SELECT ?a ?c { " + "".join(f"?a{n} ?b{n} ?c{n} . " for n in range(12)) + "?a ?b ?c }"
    assert len(films.query(endless, limit=3).rows) == 3
    assert found(changed(asked(films, "SELECT ?a ?c { ?a :directed ?c }"), text=endless).check(films))[1] == OTHER
    with pytest.raises(QueryError, match="more than 100,000 rows"):
        Builder("What?", films).query(endless)


def test_in_a_union_the_graph_that_it_names_is_asked(films: MemoryGraph, people: MemoryGraph) -> None:
    union = UnionGraph([people, films])
    assert found(asked(union, FILMS, 1).check(union)) == ("unverifiable", SAME, 0)
    assert found(changed(asked(union, FILMS, 1), graph=0).check(union))[1] == OTHER


@pytest.mark.parametrize("text", [BERTHS, SUM, "ASK { ?quay <http://harbour.example/keeper> ?who }"])
def test_an_endpoint_is_asked_again(text: str) -> None:
    with RdflibServer() as server:
        server.load(QUAY)
        with open_endpoint(server.url) as graph:
            answer = asked(graph, text)
            assert found(answer.check(graph)) == ("unverifiable", SAME, 0)
            assert found(attach(answer, graph).check()) == ("unverifiable", "what SPARQL gave", 0)
            server.load(QUAY.replace("4", "5") if "keeper" not in text else "")
            assert found(answer.check(graph)) == ("fails", OTHER, 1)  # though the same graph was asked before


@pytest.mark.skipif(OXIGRAPH is None, reason="the oxigraph server is not installed (pip install oxigraph)")
def test_a_second_engine_gives_the_same_rows(tmp_path: Path) -> None:
    with oxigraph_serves(oxigraph_store(tmp_path, QUAY)) as url, open_endpoint(url) as graph:
        for text in (BERTHS, SUM):
            assert found(asked(graph, text).check(graph)) == ("unverifiable", SAME, 0)
        with pytest.raises(QueryError, match="blank nodes"):
            Builder("What?", graph).query("SELECT (BNODE() AS ?b) { }")
