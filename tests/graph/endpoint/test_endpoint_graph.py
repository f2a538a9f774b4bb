"""What an endpoint graph promises beyond plain answers: requests, limits, paging, blank nodes, queries, sub-graphs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import rdflib
from endpoint_servers import RdflibServer, Reply, Request, ScriptedServer

from toulmin.errors import EndpointError, QueryError, SettingsError
from toulmin.graph.endpoint.graph import EndpointGraph, open_endpoint
from toulmin.graph.endpoint.settings import ClientSettings
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.protocol import Graph, LabelMatch, crawl
from toulmin.graph.readers.rdf import read_turtle
from toulmin.graph.readers.stream import ReadOptions, SourceStream
from toulmin.graph.types import DESCRIPTION, Entity, EntityInfo, Literal, Relation, Statement

E = "http://example.org/"
UNCACHED = ClientSettings(cache_bytes=0, backoff=0.001)

LIVES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix schema: <http://schema.org/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .

:ada a :Person ;
    rdfs:label "Ada Lovelace"@en, "Ada Lovelace, comtesse de Lovelace"@fr ;
    skos:prefLabel "Augusta Ada King"@en ; skos:altLabel "Enchantress of Numbers"@en ;
    schema:description "mathématicienne"@fr, "English mathematician"@en ;
    :born "1815-12-10"^^xsd:date ; :knows :babbage, :ada ; :height 1.65 .
:babbage foaf:name "Charles Babbage" ; schema:name "Babbage"@en ; rdfs:comment "inventor"@en ; :knows :ada .
:engine skos:prefLabel "Analytical Engine" ; dct:description "a computer" ; :designer :babbage ;
    :site [ :city :london ] .
:london rdfs:label "London"@en-GB, "Londres"@fr ; :twin <http://example.org/m.0abc> .
<http://example.org/m.0abc> :partner :paris .
:paris rdfs:label "Paris" .
:knows rdfs:label "acquainted with"@en .
[] :visited :paris .
:marriage rdf:type rdf:Statement ; rdf:subject :ada ; rdf:predicate :knows ; rdf:object :babbage ;
    :since "1833"^^xsd:gYear ; :place :london .
"""


@pytest.fixture(scope="module")
def server() -> Iterator[RdflibServer]:
    with RdflibServer() as running:
        running.load(LIVES)
        yield running


@pytest.fixture(scope="module")
def lives(server: RdflibServer) -> Iterator[EndpointGraph]:
    with open_endpoint(server.url) as graph:
        yield graph


@pytest.fixture
def scripted() -> Iterator[ScriptedServer]:
    """rdflib behind a server whose requests are counted, and whose answers can be spoilt."""
    data = rdflib.Graph().parse(data=LIVES, format="turtle")

    def answer(request: Request) -> Reply:
        return Reply(body=data.query(request.query).serialize(format="json") or b"")

    with ScriptedServer() as running:
        running.answer = answer
        yield running


def ids(statements: list[Statement]) -> set[str]:
    return {statement.id for statement in statements}


def test_it_is_a_graph_named_after_its_address(lives: EndpointGraph, server: RdflibServer) -> None:
    graph: Graph = lives
    assert isinstance(graph, Graph)
    assert graph.fingerprint == server.url
    assert graph.name == server.url.removeprefix("http://").strip("/").replace(":", "-")


def test_the_same_file_read_locally_gives_the_same_graph(lives: EndpointGraph, tmp_path: Path) -> None:
    path = tmp_path / "lives.ttl"
    path.write_text(LIVES, encoding="utf-8")
    with SourceStream(path) as source:
        memory = MemoryGraph.from_records(read_turtle(source, ReadOptions()))
    names = [E + name for name in ("ada", "babbage", "engine", "london", "paris", "m.0abc", "knows", "born", "nothing")]
    with memory:
        for name, found, expected in zip(names, lives.statements(names), memory.statements(names), strict=True):
            known = [s for s in expected if not s.subject.id.startswith("_:")]
            nameless = {s.id for s in known if isinstance(s.object, Entity) and s.object.id.startswith("_:")}
            assert {s for s in found if _is_plain(s)} == {s for s in known if s.id not in nameless}, name
            assert len(found) == len(known), name
        assert [_unordered(info) for info in lives.describe(names)] == [
            _unordered(info) for info in memory.describe(names)
        ]


def _is_plain(statement: Statement) -> bool:
    return not (isinstance(statement.object, Literal) and statement.object.kind == "unknown_value")


def _unordered(info: EntityInfo | None) -> object:
    return info and (info.entity, set(info.aliases), info.description)


def test_a_blank_node_is_an_unknown_value(lives: EndpointGraph) -> None:
    (found,) = lives.statements([E + "engine"], relations=[E + "site"])
    assert [statement.object for statement in found] == [Literal("", "unknown_value")]
    assert lives.contains(found) == [True]
    (visits,) = lives.statements([E + "paris"], side="incoming", relations=[E + "visited"])
    assert visits == []
    assert lives.statements(["_:b0"]) == [[]]
    assert lives.describe(["_:b0"]) == [None]


def test_qualifiers_are_part_of_a_statement(lives: EndpointGraph) -> None:
    (found,) = lives.statements([E + "ada"], side="outgoing", relations=[E + "knows"])
    qualified = next(statement for statement in found if statement.qualifiers)
    assert {(q.relation.label, q.value) for q in qualified.qualifiers} == {
        ("since", Literal("1833", "time")),
        ("place", Entity(E + "london", "London")),
    }
    bare = Statement(qualified.subject, qualified.relation, qualified.object)
    half = Statement(qualified.subject, qualified.relation, qualified.object, qualified.qualifiers[:1])
    swapped = Statement(qualified.subject, qualified.relation, qualified.object, qualified.qualifiers[::-1])
    preferred = Statement(qualified.subject, qualified.relation, qualified.object, qualified.qualifiers, "preferred")
    assert lives.contains([qualified, bare, half, swapped, preferred]) == [True, False, False, True, False]


def test_what_is_true_is_contained_whatever_its_number_looks_like(lives: EndpointGraph) -> None:
    ada, height = Entity(E + "ada"), Relation(E + "height")
    values = ["1.65", "1.650", "+1.65", "165e-2", "1.66", "nan", ""]
    statements = [Statement(ada, height, Literal(value, "quantity")) for value in values]
    assert lives.contains(statements) == [True, True, True, True, False, False, False]
    assert lives.contains([]) == []
    strange = [Statement(Entity("no iri"), height, ada), Statement(ada, Relation("no iri"), ada)]
    assert lives.contains([*strange, Statement(ada, height, Entity("no iri"))]) == [False, False, False]


def test_limits_are_for_each_entity_and_side(lives: EndpointGraph) -> None:
    everything = lives.statements([E + "ada", E + "babbage"])
    for limit in (1, 2, 100):
        for entity, found, all_of_it in zip(
            ("ada", "babbage"), lives.statements([E + "ada", E + "babbage"], limit=limit), everything, strict=True
        ):
            assert ids(found) <= ids(all_of_it)
            for outgoing in (True, False):
                side = [s for s in found if (s.subject.id == E + entity) == outgoing]
                whole = [s for s in all_of_it if (s.subject.id == E + entity) == outgoing]
                assert len(side) == min(limit, len(whole))
    assert lives.statements([E + "ada"], limit=0) == [[]]
    assert lives.statements([]) == []
    with pytest.raises(SettingsError, match="limit is -1"):
        lives.statements([E + "ada"], limit=-1)
    with pytest.raises(SettingsError, match="unknown side 'up'"):
        lives.statements([E + "ada"], side="up")  # type: ignore[arg-type]


def test_a_self_loop_is_returned_once(lives: EndpointGraph) -> None:
    loop = Statement(Entity(E + "ada"), Relation(E + "knows"), Entity(E + "ada")).id
    for side in ("both", "outgoing", "incoming"):
        (found,) = lives.statements([E + "ada"], side=side, relations=[E + "knows"])
        assert [statement.id for statement in found].count(loop) == 1


def test_one_request_for_a_batch_of_statements_and_one_for_their_names(scripted: ScriptedServer) -> None:
    everyone = [E + name for name in ("ada", "babbage", "engine", "london", "paris", "m.0abc", "nobody")]
    with open_endpoint(scripted.url) as graph:
        opened = len(scripted.requests)
        found = graph.statements(everyone)
        assert len(scripted.requests) == opened + 2
        graph.statements(everyone, limit=3)
        assert len(scripted.requests) == opened + 3  # all of them come in one answer, and the names are known already
        every = [statement for some in found for statement in some]
        assert all(graph.contains(every))
        assert len(scripted.requests) == opened + 4
        assert opened <= 3


def test_a_limit_is_asked_for_each_entity_where_one_answer_does_not_hold_all(scripted: ScriptedServer) -> None:
    several = ClientSettings(page_size=4, backoff=0.001)
    with open_endpoint(scripted.url, settings=several) as graph, open_endpoint(scripted.url) as whole:
        names = [E + name for name in ("ada", "babbage", "engine")]
        everything = whole.statements(names)
        for found, all_of_it in zip(graph.statements(names, limit=1), everything, strict=True):
            assert 1 <= len(found) <= 2 and ids(found) <= ids(all_of_it)


def test_predicates_of_names_that_are_not_in_use_are_not_asked_for(scripted: ScriptedServer) -> None:
    with open_endpoint(scripted.url) as graph:
        opened = len(scripted.requests)
        graph.describe([E + "ada"])
    assert "prefLabel" in scripted.requests[opened].query
    assert "alternateName" not in scripted.requests[opened].query
    with ScriptedServer() as nameless:
        nameless.answer = lambda request: Reply(
            body=rdflib.Graph().query(request.query).serialize(format="json") or b""
        )
        with open_endpoint(nameless.url) as graph:
            opened = len(nameless.requests)
            assert graph.lookup(["ada"]) == [[]] and graph.search("ada") == []
            assert len(nameless.requests) == opened


def test_examples_of_relations(lives: EndpointGraph) -> None:
    relations = [E + "knows", DESCRIPTION, E + "born", E + "nothing", "no iri"]
    knows, described, born, nothing, no_iri = lives.examples(relations, 8)
    assert {(s.subject.label, s.object) for s in knows} == {
        ("Ada Lovelace", Entity(E + "babbage", "Babbage")),
        ("Ada Lovelace", Entity(E + "ada", "Ada Lovelace")),
        ("Babbage", Entity(E + "ada", "Ada Lovelace")),
    }
    assert len({s.object for s in described}) == 4 and {s.object for s in born} == {Literal("1815-12-10", "time")}
    assert nothing == no_iri == []


def test_a_server_that_caps_rows_gives_all_of_them_in_pages(scripted: ScriptedServer) -> None:
    many = rdflib.Graph()
    for number in range(137):
        many.add((rdflib.URIRef(E + "hub"), rdflib.URIRef(E + "p"), rdflib.Literal(number)))

    def answer(request: Request) -> Reply:
        document = json.loads(many.query(request.query).serialize(format="json") or b"")
        if "results" in document:
            document["results"]["bindings"] = document["results"]["bindings"][:60]
        return Reply(body=json.dumps(document).encode())

    scripted.answer = answer
    with open_endpoint(scripted.url, settings=UNCACHED) as graph:
        (found,) = graph.statements([E + "hub"])
    assert {statement.object for statement in found} == {Literal(str(number), "quantity") for number in range(137)}


def test_a_server_that_is_busy_every_other_time_is_borne_with(scripted: ScriptedServer) -> None:
    honest = scripted.answer
    assert honest is not None

    def answer(request: Request) -> Reply:
        busy = len(scripted.requests) % 2
        return Reply(503, headers={"Retry-After": "0"}) if busy else honest(request)

    scripted.answer = answer
    with open_endpoint(scripted.url, settings=UNCACHED) as graph:
        (found,) = graph.statements([E + "ada"])
        assert len(found) == 8
        assert graph.contains(found) == [True] * 8


def test_names_in_every_spelling(lives: EndpointGraph) -> None:
    forms = [
        "ada lovelace",
        "ADA LOVELACE",
        "enchantress of numbers",
        "paris",
        "charles babbage",
        "acquainted with",
        "",
    ]
    found = lives.lookup(forms)
    assert [[match.id.removeprefix(E) for match in some] for some in found] == [
        ["ada"], ["ada"], ["ada"], ["paris"], ["babbage"], [], []
    ]  # fmt: skip
    assert found[2] == [LabelMatch(E + "ada", "Enchantress of Numbers", alias=True, score=1.0)]


def test_search_finds_parts_of_names(lives: EndpointGraph) -> None:
    assert [match.id for match in lives.search("engine")] == [E + "engine"]
    best, *others = lives.search("Ada Lovelace")
    assert (best.id, best.score) == (E + "ada", 1.0)
    assert all(match.score < 1 for match in others)
    assert lives.search("numbers enchantress")[0].form == "Enchantress of Numbers"
    assert lives.search("") == lives.search("?!") == lives.search('") } #') == []
    assert len(lives.search("a", limit=1)) <= 1


def test_search_without_time_for_a_scan_finds_exact_names(scripted: ScriptedServer) -> None:
    honest = scripted.answer
    assert honest is not None
    scripted.answer = lambda request: Reply(500, b"timeout") if "CONTAINS" in request.query else honest(request)
    with open_endpoint(scripted.url) as graph:
        assert [match.id for match in graph.search("paris")] == [E + "paris"]
        found = graph.search_names("paris")
        assert "the server's time limit ran out" in (found.why_not or "")


def test_languages(server: RdflibServer) -> None:
    with open_endpoint(server.url, languages=("fr", "en")) as graph:
        (info,) = graph.describe([E + "ada"])
        assert info is not None
        assert info.entity.label == "Ada Lovelace, comtesse de Lovelace"
        assert info.description == "mathématicienne"
    with pytest.raises(SettingsError, match="not a language tag"):
        open_endpoint(server.url, languages=('en") } #',))


def test_relations_and_their_counts(lives: EndpointGraph) -> None:
    counts = {relation.id: (relation.label, count) for relation, count in lives.relations()}
    assert counts[E + "knows"] == ("acquainted with", 3)
    assert counts[DESCRIPTION] == ("description", 4)
    assert not any("label" in relation.lower() or "schema.org/name" in relation for relation in counts)


def test_descriptions_are_statements(lives: EndpointGraph) -> None:
    (found,) = lives.statements([E + "babbage"], relations=[DESCRIPTION])
    assert [(s.relation.id, s.object) for s in found] == [(DESCRIPTION, Literal("inventor", lang="en"))]
    assert lives.contains(found) == [True]


def test_queries(lives: EndpointGraph) -> None:
    result = lives.query(
        "PREFIX : <http://example.org/>\nSELECT ?who ?x { ?who :designer ?whom OPTIONAL { ?who :no ?x } }"
    )
    assert set(result.variables) == {"who", "x"}
    (row,) = result.rows
    assert dict(zip(result.variables, row, strict=True)) == {
        "who": Entity(E + "engine", "Analytical Engine"),
        "x": None,
    }
    assert lives.query("ASK { ?s rdfs:label ?o }").rows == ((Literal("true", "boolean"),),)
    assert lives.query("ASK { ?s rdfs:nothing ?o }").rows == ((Literal("false", "boolean"),),)
    for bad, message in [
        ("SELECT * { ?s ?p }", "error at 1:"),
        ("DELETE WHERE { ?s ?p ?o }", "only SELECT and ASK"),
        ("SELECT * { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }", "must stay on its graph"),
        ("SELECT * { ?s nope:p ?o }", "the prefix nope: is not declared"),
    ]:
        with pytest.raises(QueryError, match=message):
            lives.query(bad)
    with pytest.raises(SettingsError, match="timeout is 0"):
        lives.query("ASK { ?s ?p ?o }", timeout=0)


def test_a_query_that_takes_too_long_is_the_query_s_fault(scripted: ScriptedServer) -> None:
    with open_endpoint(scripted.url, dialect="dbpedia") as graph:
        scripted.answer = lambda request: Reply(body=b'{"head":{"vars":["n"]},"results":{"bindings":[The SPARQL')
        with pytest.raises(QueryError, match="the server's time limit ran out"):
            graph.query("SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f }")
        with pytest.raises(EndpointError, match="the server's time limit ran out"):
            graph.statements([E + "ada"])


def test_a_subgraph_goes_through_machine_ids_at_no_cost(lives: EndpointGraph) -> None:
    def reached(hops: int) -> set[str]:
        part = lives.subgraph([E + "london"], hops)
        found = part.nodes(range(part.n_entities))
        return {node.id.removeprefix(E) for node in found if isinstance(node, Entity)}

    assert reached(0) == set()
    assert {"london", "m.0abc", "paris"} <= reached(1)
    assert "engine" not in reached(1)
    part = lives.subgraph([E + "london"], 1)
    machine: Mapping[str, bool] = {
        node.id: bool(part.machine[n])
        for n, node in enumerate(part.nodes(range(part.n_entities)))
        if isinstance(node, Entity)
    }
    assert machine[E + "m.0abc"]
    assert not machine[E + "paris"]
    with pytest.raises(SettingsError, match="hops is -1"):
        lives.subgraph([E + "london"], -1)
    assert lives.subgraph(["no iri", E + "nobody"], 2).n_statements == 0


def test_a_subgraph_takes_a_limited_number_of_each_node_s_statements(server: RdflibServer) -> None:
    with open_endpoint(server.url, limit=1) as graph:
        assert graph.subgraph([E + "ada"], 1).n_statements <= 2


def test_a_subgraph_that_grows_too_large_says_that_it_is_not_whole(
    lives: EndpointGraph, caplog: pytest.LogCaptureFixture
) -> None:
    part = crawl(lives, [E + "ada", E + "london"], 3, 100, most_nodes=1)
    assert "hop 1 is not whole: more than 1 nodes" in caplog.text
    assert {s.id for s in part.statements(range(part.n_statements))} == ids(lives.statements([E + "ada"])[0])


def test_many_relations_at_once(lives: EndpointGraph) -> None:
    entities = [E + "ada", *(f"{E}nobody{number}" for number in range(40))]
    relations = [E + "knows", *(f"{E}relation{number}" for number in range(60))]
    found = lives.statements(entities, side="outgoing", relations=relations)
    assert ids(found[0]) == ids(lives.statements([E + "ada"], side="outgoing", relations=[E + "knows"])[0]) != set()
    assert not any(found[1:])


def test_settings_of_opening(server: RdflibServer) -> None:
    for wrong in ({"limit": 0}, {"batch_size": 0}):
        with pytest.raises(SettingsError, match="must be at least 1"):
            open_endpoint(server.url, **wrong)  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match=r"no dialect is called 'klingon' \(known: wikidata, .*, rdf"):
        open_endpoint(server.url, dialect="klingon")
    with open_endpoint(server.url, name="mine") as graph:
        assert graph.name == "mine"


def test_hostile_ids_and_names_stay_text(lives: EndpointGraph) -> None:
    hostile = ["http://example.org/> } ; DROP ALL #", 'x" } #', "http://example.org/\\u003e", "\x00", "http://a/\ud800"]
    assert lives.statements(hostile) == [[]] * len(hostile)
    assert lives.describe(hostile) == [None] * len(hostile)
    assert lives.lookup([*hostile[:4], "a\\u0022b"]) == [[]] * 5
