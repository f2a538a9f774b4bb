"""SPARQL on a local graph: what comes back, what is refused, and that a slow query really stops."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
from graph_strategies import model, records
from hypothesis import given, settings

from toulmin.errors import QueryError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers.raw_statements import RawName, RawStatement, Record
from toulmin.graph.types import Entity, Literal, Node, node_key

RECORDS: list[Record] = [
    RawName("http://example.org/obama", "Barack Obama"),
    RawName("http://example.org/spouse", "spouse"),
    RawStatement(
        "http://example.org/obama",
        "http://example.org/spouse",
        "http://example.org/michelle",
        (("http://example.org/start", Literal("1992-10-03", "time")),),
        "preferred",
    ),
    RawStatement("http://example.org/obama", "http://example.org/height", Literal("1.870", "quantity")),
    RawStatement("http://example.org/michelle", "http://example.org/height", Literal("180", "quantity", "centimetre")),
    RawStatement("Kismet", "directed by", "_:b0"),
]
#: Looks at 10^15 combinations.
ENDLESS = "SELECT (COUNT(*) AS ?n) { " + " ".join(f"?a{n} ?b{n} ?c{n} ." for n in range(15)) + " }"


@pytest.fixture(scope="module")
def graph() -> MemoryGraph:
    many = [RawStatement(f"n{n}", "r", f"n{n + 1}") for n in range(10)]
    return MemoryGraph.from_records([*RECORDS, *many])


def test_rows_are_nodes_with_labels(graph: MemoryGraph) -> None:
    result = graph.query("PREFIX x: <http://example.org/> SELECT ?p ?o ?none { x:obama ?p ?o } ORDER BY ?p")
    assert result.variables == ("p", "o", "none")
    assert result.rows == (
        (Entity("http://example.org/height", "height"), Literal("1.87", "quantity"), None),
        (Entity("http://example.org/spouse", "spouse"), Entity("http://example.org/michelle", "michelle"), None),
    )


def test_ask_is_one_boolean(graph: MemoryGraph) -> None:
    assert graph.query("ASK { ?s ?p <http://example.org/michelle> }").rows == ((Literal("true", "boolean"),),)
    assert graph.query("ASK { <http://example.org/michelle> ?p ?o . ?o ?q ?r }").rows == (
        (Literal("false", "boolean"),),
    )


def test_qualifiers_and_ranks_are_in_a_graph_of_their_own(graph: MemoryGraph) -> None:
    (row,) = graph.query(
        """PREFIX x: <http://example.org/>
        SELECT ?statement ?start ?rank { GRAPH toulmin:qualifiers {
            x:obama x:spouse ?who ~ ?statement {| x:start ?start ; toulmin:rank ?rank |} } }"""
    ).rows
    (stored,) = graph.statements(["http://example.org/obama"], relations=["http://example.org/spouse"])[0]
    assert row == (
        Entity(f"urn:toulmin:statement:{stored.id}"), Literal("1992-10-03", "time"), Literal("preferred")
    )  # fmt: skip


def test_names_are_in_a_graph_of_their_own(graph: MemoryGraph) -> None:
    rows = graph.query('SELECT ?x { GRAPH toulmin:names { ?x rdfs:label "Barack Obama" } }').rows
    assert rows == ((Entity("http://example.org/obama", "Barack Obama"),),)


def test_ids_that_are_no_iris_are_under_the_empty_prefix(graph: MemoryGraph) -> None:
    assert graph.query("SELECT ?p ?o { :Kismet ?p ?o }").rows == (
        (Entity("directed by", "directed by"), Entity("_:b0", "_:b0")),
    )


@given(records)
@settings(max_examples=20)
def test_the_default_graph_is_every_statement_and_nothing_else(found: list[Record]) -> None:
    expected = {(s.subject.id, s.relation.id, comparable(s.object)) for s in model(found).values()}
    with MemoryGraph.from_records(found) as graph:
        rows = graph.query("SELECT ?s ?p ?o { ?s ?p ?o }").rows
    assert len(rows) == len({tuple(map(repr, row)) for row in rows})
    got = set()
    for subject, relation, obj in rows:
        assert isinstance(subject, Entity) and isinstance(relation, Entity) and obj is not None
        got.add((subject.id, relation.id, comparable(obj)))
    assert got == expected


def comparable(node: Node) -> str:
    """The engine writes numbers in its own way ("1.5" for "1.50"), and a date with month 00 is none to it."""
    if isinstance(node, Literal) and node.kind == "quantity" and node.unit is None:
        return f"number {float(node.value)}"
    return node_key(node)


def test_a_slow_query_is_stopped_and_the_next_is_answered(graph: MemoryGraph) -> None:
    began = time.monotonic()
    with pytest.raises(QueryError, match=r"after 0\.5 s"):
        graph.query(ENDLESS, timeout=0.5)
    assert time.monotonic() - began < 20  # it would take years
    assert len(graph.query("SELECT ?s { ?s ?p ?o } LIMIT 2").rows) == 2
    with pytest.raises(QueryError, match="stopped"):
        graph.query("ASK { ?s ?p ?o }", timeout=0)


def test_threads_wait_for_each_other_no_longer_than_their_timeout(graph: MemoryGraph) -> None:
    graph.query("ASK { }")
    problems: list[str] = []

    def ask() -> None:
        try:
            graph.query(ENDLESS, timeout=1)
        except QueryError as error:
            problems.append(str(error))

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert len(problems) == 3
    assert graph.query("ASK { ?s ?p ?o }").rows


needs_proc = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc to list processes with")


@needs_proc
def test_a_process_that_dies_is_told_and_replaced(graph: MemoryGraph) -> None:
    graph.query("ASK { }")
    before = children()

    def kill() -> None:
        time.sleep(0.5)
        for pid in before:
            os.kill(pid, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    with pytest.raises(QueryError, match="ended"):
        graph.query(ENDLESS, timeout=60)
    killer.join()
    assert graph.query("ASK { ?s ?p ?o }").rows


def children() -> set[int]:
    """The query processes of this process."""
    found = set()
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError):  # gone meanwhile
            ours = f"PPid:\t{os.getpid()}\n" in status.read_text()
            if ours and "query_worker" in status.with_name("cmdline").read_text():
                found.add(int(status.parent.name))
    return found


@needs_proc
def test_closing_ends_the_process_and_removes_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    others = children()
    graph = MemoryGraph.from_records(RECORDS)
    graph.query("ASK { }")
    assert len(children() - others) == 1
    assert list(tmp_path.iterdir())
    graph.close()
    assert children() == others
    assert not list(tmp_path.iterdir())


def test_a_program_that_forgets_to_close_leaves_nothing(tmp_path: Path) -> None:
    program = (
        "from toulmin.graph.memory import MemoryGraph\n"
        "from toulmin.graph.readers.raw_statements import RawStatement\n"
        "graph = MemoryGraph.from_records([RawStatement('a', 'r', 'b')])\n"
        "print(graph.query('ASK { ?s ?p ?o }').rows[0][0].value)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True, text=True, check=False, env={**os.environ, "TMPDIR": str(tmp_path)}, timeout=60,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("true\n", "")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?s { ?s",
        "INSERT DATA { <http://a> <http://b> <http://c> }",
        "CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }",
        "SELECT * { SERVICE <http://localhost:1/> { ?s ?p ?o } }",
        "SELECT ?s { ?s unknown:prefix ?o }",
        "",
    ],
)
def test_what_is_malformed_or_does_not_only_read_is_refused(graph: MemoryGraph, query: str) -> None:
    with pytest.raises(QueryError) as caught:
        graph.query(query)
    assert "\n" not in str(caught.value)


def test_an_answer_too_large_for_a_pipe_comes_whole() -> None:
    text = "long " * 200_000
    with MemoryGraph.from_records([RawStatement("a", "says", Literal(text + str(n))) for n in range(5)]) as graph:
        rows = graph.query("SELECT ?o { :a :says ?o }").rows
    assert {row[0] for row in rows} == {Literal(text + str(n)) for n in range(5)}
