"""What the kernel asks of a graph, and the evidence that it verifies: of every kind of graph the same statements."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from endpoint_servers import RdflibServer

from toulmin.errors import InputError
from toulmin.graph.build import build_graph
from toulmin.graph.build_directory import build_directory
from toulmin.graph.endpoint.graph import open_endpoint
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.readers.raw_statements import RawName, RawStatement, Record
from toulmin.graph.store import open_graph
from toulmin.graph.types import Literal
from toulmin.graph.union import UnionGraph
from toulmin.kernel import KernelError
from toulmin.kernel.certificate import Source
from toulmin.kernel.format import LiteralValue
from toulmin.program.ranges import GraphRanges

E = "http://example.org/"
LABEL, ALIAS = "http://www.w3.org/2000/01/rdf-schema#label", "http://www.w3.org/2004/02/skos/core#altLabel"
FOUND: list[Record] = [
    RawStatement(E + "ada", E + "spouse", E + "bill"),
    RawStatement(E + "ada", E + "knows", E + "bob"),
    RawStatement(E + "ada", E + "age", Literal("36", "quantity")),
    RawStatement(E + "bob", E + "age", Literal("36", "quantity")),
    RawStatement(E + "bill", E + "born", Literal("1805-02-21", "time")),
    RawName(E + "ada", "Ada"),
    RawName(E + "ada", "Countess of Lovelace", "alias"),
    RawName(E + "bob", "Bob"),
    RawName(E + "bill", "Bill"),
    RawName(E + "knows", "knows"),
]
TURTLE = """
PREFIX : <http://example.org/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
:ada :spouse :bill ; :knows :bob ; :age 36 ; rdfs:label "Ada" ; skos:altLabel "Countess of Lovelace" .
:bob :age 36 ; rdfs:label "Bob" .
:bill :born "1805-02-21"^^xsd:date ; rdfs:label "Bill" .
:knows rdfs:label "knows" .
"""
AGE = {"value": "36", "kind": "quantity"}
ASKED: list[tuple[str, Any, str | None, set[tuple[str, str]]]] = [
    ("out", E + "ada", E + "knows", {("ada", "knows")}),
    ("out", E + "ada", None, {("ada", one) for one in ("spouse", "knows", "age", LABEL, ALIAS)}),
    ("out", E + "ada", LABEL, {("ada", LABEL)}),
    ("out", E + "knows", LABEL, {("knows", LABEL)}),
    ("out", E + "nobody", None, set()),
    ("in", E + "bob", None, {("ada", "knows")}),
    ("in", E + "bob", E + "spouse", set()),
    ("in", AGE, E + "age", {("ada", "age"), ("bob", "age")}),
    ("in", AGE, None, {("ada", "age"), ("bob", "age")}),
    ("in", {"value": "1805-02-21", "kind": "time"}, None, {("bill", "born")}),
    ("in", {"value": "Ada", "kind": "string"}, None, {("ada", LABEL)}),
    ("in", {"value": "Countess of Lovelace", "kind": "string"}, ALIAS, {("ada", ALIAS)}),
    ("in", {"value": "countess of lovelace", "kind": "string"}, None, set()),
    ("out", AGE, None, set()),
]


@pytest.fixture(params=["memory", "built", "endpoint"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Graph]:
    if request.param == "memory":
        yield MemoryGraph.from_records(FOUND, name="g")
    elif request.param == "built":
        with build_directory(tmp_path / "graph") as work:
            build_graph([("records", FOUND)], work, name="g")
        with open_graph(tmp_path / "graph") as opened:
            yield opened
    else:
        with RdflibServer() as server:
            server.load(TURTLE)
            with open_endpoint(server.url, name="g") as opened:
                yield opened


def test_every_graph_gives_the_same_ranges(graph: Graph) -> None:
    ranges, expected = GraphRanges(graph), GraphRanges(MemoryGraph.from_records(FOUND))
    assert ranges.roots() == [graph.fingerprint]
    for side, node, relation, wanted in ASKED:
        found = ranges.range(0, side, node, relation)  # type: ignore[arg-type]
        assert {(one[0].removeprefix(E), one[1].removeprefix(E)) for one in found} == wanted
        assert found == expected.range(0, side, node, relation)  # type: ignore[arg-type]


def test_the_kernel_verifies_the_evidence(graph: Graph) -> None:
    ranges = GraphRanges(graph)
    given = ranges.evidence([(0, side, node, relation) for side, node, relation, _ in ASKED + ASKED])  # type: ignore[misc]
    rooted = "://" not in graph.fingerprint
    graphs = [{"name": "g", "root": graph.fingerprint if rooted else None}]  # as the kernel reads the field
    evidence = Source(None, json.loads(json.dumps(given)), graphs)
    assert evidence.roots == [graph.fingerprint if rooted else None]
    for side, node, relation, wanted in ASKED:
        end = LiteralValue(**node) if isinstance(node, dict) else node
        assert len(evidence.statements(0, side, end, relation)) == len(wanted)


def test_a_statement_left_out_is_told_by_the_kernel() -> None:
    graph = MemoryGraph.from_records(FOUND)
    given = GraphRanges(graph).evidence([(0, "in", AGE, E + "age")])
    given[0]["in"]["ranges"][0]["statements"].pop()
    with pytest.raises(KernelError):
        Source(None, given, [{"name": "g", "root": graph.fingerprint}])


def test_a_union_is_asked_graph_by_graph() -> None:
    mine = MemoryGraph.from_records([RawStatement(E + "ada", E + "knows", E + "eve")], name="mine")
    union = UnionGraph([MemoryGraph.from_records(FOUND, name="shared"), mine])
    ranges = GraphRanges(union)
    assert ranges.roots() == [member.fingerprint for member in union.graphs.values()]
    ends = [[one[2] for one in ranges.range(place, "out", E + "ada", E + "knows")] for place in (0, 1)]
    assert ends == [[E + "bob"], [E + "eve"]]
    given = ranges.evidence([(1, "out", E + "ada", None)])
    evidence = Source(None, given, [{"name": name, "root": one.fingerprint} for name, one in union.graphs.items()])
    assert evidence.roots == ranges.roots()
    assert len(evidence.statements(1, "out", E + "ada", None)) == 2  # with the label that its id gives it


def test_documents_and_what_is_not_there() -> None:
    graph = MemoryGraph.from_records(FOUND)
    assert GraphRanges(graph).document("a") is None
    assert GraphRanges(graph, {"a": "text"}.get).document("a") == "text"
    with pytest.raises(InputError, match="there is no graph 1"):
        GraphRanges(graph).range(1, "out", E + "ada", None)
    with pytest.raises(InputError, match="there is no graph -1"):
        GraphRanges(graph).evidence([(-1, "out", E + "ada", None)])
