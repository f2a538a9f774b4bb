"""Against the oxigraph server (``pip install oxigraph``): RDF 1.2 annotations, its time limit, Toulmin's own store."""

from __future__ import annotations

from pathlib import Path

import pytest
from endpoint_servers import OXIGRAPH, oxigraph_serves, oxigraph_store

from toulmin.errors import QueryError
from toulmin.graph.build import build_graph
from toulmin.graph.build_directory import build_directory
from toulmin.graph.endpoint.graph import open_endpoint
from toulmin.graph.readers.raw_statements import RawName, RawStatement, Record
from toulmin.graph.store import open_graph
from toulmin.graph.types import Entity, Literal, Qualifier, Relation, Statement

pytestmark = pytest.mark.skipif(OXIGRAPH is None, reason="the oxigraph server is not installed (pip install oxigraph)")

E = "http://example.org/"
ANNOTATED = """
PREFIX : <http://example.org/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
:ada rdfs:label "Ada" ; :spouse :bill {| :from 1835 ; :place :london |} ; :knows :bob ;
    :office :chair {| :from 1 |} {| :from 2 |} .
:bob rdfs:label "Bob" .
:rumour rdfs:label "a rumour" .
<< :ada :spouse :bob >> :source :rumour .
"""


def test_annotations_are_qualifiers(tmp_path: Path) -> None:
    with oxigraph_serves(oxigraph_store(tmp_path, ANNOTATED)) as url, open_endpoint(url) as graph:
        (found,) = graph.statements([E + "ada"])
        said = {(s.relation.label, frozenset((q.relation.label, q.value) for q in s.qualifiers)) for s in found}
        number = {n: Literal(str(n), "quantity") for n in (1, 2, 1835)}
        assert said == {
            ("spouse", frozenset({("from", number[1835]), ("place", Entity(E + "london", "london"))})),
            ("knows", frozenset()),
            ("office", frozenset({("from", number[1])})),
            ("office", frozenset({("from", number[2])})),
        }
        assert all(graph.contains(found))
        bare = [Statement(s.subject, s.relation, s.object) for s in found if s.qualifiers]
        assert not any(graph.contains(bare))
        assert graph.statements([E + "rumour"]) == [[]]  # what is said of a triple is no statement about its reifier
        (limited,) = graph.statements([E + "ada"], limit=1)
        assert {s.relation.id for s in limited} <= {E + "spouse", E + "knows", E + "office"}
        assert graph.relations() == [(Relation(E + name, name), 1) for name in ("knows", "office", "spouse")]


def test_an_answer_that_its_time_limit_cuts_off_is_recognised(tmp_path: Path) -> None:
    turtle = "\n".join(f"<http://e/{n}> <http://e/p> <http://e/{n * 7 % 2000}> ." for n in range(2000))
    with oxigraph_serves(oxigraph_store(tmp_path, turtle), "--timeout-s", "1") as url, open_endpoint(url) as graph:
        with pytest.raises(QueryError, match="the server's time limit ran out"):
            graph.query("SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }")
        assert graph.query("ASK { ?a ?b ?c }").rows == ((Literal("true", "boolean"),),)


def test_a_graph_that_toulmin_built_is_the_same_behind_a_server(tmp_path: Path) -> None:
    records: list[Record] = [
        RawStatement(E + "ada", E + "spouse", E + "bill", ((E + "from", Literal("1835", "time")),), "preferred"),
        RawStatement(E + "ada", E + "born", Literal("1815-12-10", "time")),
        RawStatement(E + "ada", E + "height", Literal("1.6", "quantity", "metre")),
        RawStatement(E + "bill", E + "knows", "urn:toulmin:e:Zo%C3%AB"),
        RawName(E + "ada", "Ada Lovelace"),
        RawName(E + "ada", "Countess", "alias"),
        RawName("urn:toulmin:e:Zo%C3%AB", "Zoë"),
    ]
    directory = tmp_path / "graph"
    with build_directory(directory) as work:
        build_graph([("records", records)], work, name="built")
    ids = [E + "ada", E + "bill", "urn:toulmin:e:Zo%C3%AB"]
    with open_graph(directory) as built:
        expected, infos = built.statements(ids), built.describe(ids)
    with (
        oxigraph_serves(directory / "sparql", "--union-default-graph") as url,
        open_endpoint(url, dialect="rdf") as graph,
    ):
        assert [set(some) for some in graph.statements(ids)] == [set(some) for some in expected]
        assert graph.describe(ids) == infos
        assert all(graph.contains([statement for some in expected for statement in some]))
        (spouse,) = graph.statements([E + "ada"], relations=[E + "spouse"])[0]
        assert (spouse.rank, spouse.qualifiers) == (
            "preferred",
            (Qualifier(Relation(E + "from", "from"), Literal("1835", "time")),),
        )
