"""The same of every engine: ask, check, find, check-text, long requests, names with percent signs, answers in parts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from endpoint_servers import (
    ISQL,
    OXIGRAPH,
    VIRTUOSO,
    VIRTUOSO_ROWS,
    RdflibServer,
    oxigraph_serves,
    oxigraph_store,
    virtuoso_serves,
)

import toulmin
from toulmin.errors import QueryError
from toulmin.graph.endpoint.graph import EndpointGraph, open_endpoint
from toulmin.graph.types import Entity, Literal, Relation, Statement
from toulmin.program.answer import Answer

pytestmark = pytest.mark.usefixtures("own_cache")

E, R = "http://example.org/e/", "http://example.org/r/"
MANY = 250
CITY = quote("Zürich & 100% more")

TURTLE = f"""
@prefix e: <{E}> . @prefix r: <{R}> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
e:pump rdfs:label "Delta pump"@en ; r:manufacturer e:harbour ; r:weight 41.5 ; r:introduced "2011-04-02"^^xsd:date .
e:valve rdfs:label "Cobalt valve"@en ; skos:altLabel "CV-9" ; r:manufacturer e:norden ; r:part e:seal .
e:seal rdfs:label "Cobalt seal"@en ; r:manufacturer e:harbour .
e:motor rdfs:label "Delta motor"@en ; r:manufacturer e:norden ; r:part e:seal .
e:harbour rdfs:label "Harbour Works"@en ; r:seat <{E}{CITY}> .
e:norden rdfs:label "Norden Fabrik"@en ; r:seat e:oslo .
e:oslo rdfs:label "Oslo"@en . <{E}{CITY}> rdfs:label "Zurich"@en .
r:manufacturer rdfs:label "manufacturer"@en . r:seat rdfs:label "headquarters"@en . r:part rdfs:label "part"@en .
r:weight rdfs:label "weight"@en . r:introduced rdfs:label "date of introduction"@en .
""" + "\n".join(
    f'e:store r:item e:item{number} . e:item{number} rdfs:label "Item no. {number}" .' for number in range(MANY)
)

TEXT = "The manufacturer of the Delta pump is Harbour Works. The manufacturer of the Delta motor is Harbour Works."


@pytest.fixture(scope="module", params=["rdflib", "oxigraph", "virtuoso"])
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with the triples above."""
    directory = tmp_path_factory.mktemp("engine")
    if request.param == "rdflib":
        with RdflibServer() as server:
            server.load(TURTLE)
            yield server.url
    elif request.param == "oxigraph":
        if OXIGRAPH is None:
            pytest.skip("the oxigraph server is not installed (pip install oxigraph)")
        with oxigraph_serves(oxigraph_store(directory, TURTLE)) as url:
            yield url
    else:
        if VIRTUOSO is None or ISQL is None:
            pytest.skip("Virtuoso is not installed (apt-get install virtuoso-opensource-7-bin)")
        with virtuoso_serves(directory, TURTLE) as url:
            yield url


@pytest.fixture
def graph(engine: str) -> Iterator[EndpointGraph]:
    with open_endpoint(engine) as opened:
        yield opened


def test_ask_and_check(graph: EndpointGraph, engine: str) -> None:
    answer = toulmin.ask(graph, "Who is the manufacturer of the Cobalt valve?")
    assert "Norden Fabrik" in answer.text
    stored = answer.to_json()
    with open_endpoint(engine) as later:
        assert toulmin.check(Answer.from_json(stored), later).exit_code == 0
        false = json.loads(stored.replace(E + "norden", E + "harbour").replace("Norden Fabrik", "Harbour Works"))
        assert toulmin.check(Answer.from_json(json.dumps(false)), later).exit_code == 1


def test_a_second_hop(graph: EndpointGraph) -> None:
    answer = toulmin.ask(graph, "Where is the headquarters of the manufacturer of the Delta motor?")
    assert "Oslo" in answer.text
    assert toulmin.check(answer, graph).exit_code == 0


def test_find(graph: EndpointGraph) -> None:
    assert [match.id for match in graph.search("cobalt VALVE")] == [E + "valve"]
    assert [(match.id, match.form) for match in graph.search("cv-9")] == [(E + "valve", "CV-9")]
    parts = graph.search_names("cobalt")
    assert {match.id for match in parts.matches} == {E + "valve", E + "seal"} and parts.why_not is None
    assert graph.search_names("pump delta").matches[0].id == E + "pump"
    assert graph.search("Cobolt vallve") == []
    for hostile in ('"', "') } #", "a' OR 'b", "\\"):
        graph.search(hostile)


def test_check_text(graph: EndpointGraph) -> None:
    answer = toulmin.check_text(graph, TEXT)
    assert [one.verdict for one in answer.sentences] == ["supported", "contradicted"]
    assert toulmin.check(answer, graph).exit_code == 0


def test_statements_are_read_as_they_were_written(graph: EndpointGraph) -> None:
    (found,) = graph.statements([E + "pump"])
    assert {(s.relation.label, s.object) for s in found} == {
        ("manufacturer", Entity(E + "harbour", "Harbour Works")),
        ("weight", Literal("41.5", "quantity")),
        ("date of introduction", Literal("2011-04-02", "time")),
    }
    assert all(graph.contains(found))
    assert graph.contains([Statement(found[0].subject, found[0].relation, Entity(E + "oslo"))]) == [False]


def test_a_long_request_keeps_its_percent_signs(graph: EndpointGraph) -> None:
    seat = Statement(Entity(E + "harbour"), Relation(R + "seat"), Entity(E + CITY))
    others = [Statement(Entity(f"{E}nothing{number}"), seat.relation, seat.object) for number in range(45)]
    assert graph.contains([seat, *others]) == [True] + [False] * 45
    asked = [E + CITY, *(f"{E}nothing{number}" for number in range(45))]
    about, *unknown = graph.describe(asked)
    assert about is not None and about.entity.label == "Zurich" and not any(unknown)


def test_answers_that_come_in_parts_are_read_to_the_end(graph: EndpointGraph) -> None:
    (found,) = graph.statements([E + "store"])
    assert {s.object for s in found} == {Entity(f"{E}item{n}", f"Item no. {n}") for n in range(MANY)}
    items = [f"{E}item{number}" for number in range(MANY)]
    together = graph.statements([E + "store", *items], limit=7)
    assert len(together[0]) == 7 and [len(some) for some in together[1:]] == [1] * MANY


def test_questions_of_yes_and_no(graph: EndpointGraph) -> None:
    for query, truth in ((f"ASK {{ <{E}pump> ?p ?o }}", "true"), (f"ASK {{ <{E}nothing> ?p ?o }}", "false")):
        assert graph.query(query).rows == ((Literal(truth, "boolean"),),)
    with pytest.raises(QueryError):
        graph.query("SELECT * { ?s ?p }")


def test_a_query_that_the_server_cuts_short_is_no_answer(graph: EndpointGraph, engine: str) -> None:
    query = f"SELECT ?item {{ <{E}store> <{R}item> ?item }}"
    if "default-graph-uri" not in engine:  # the others send all that there is
        assert len(graph.query(query).rows) == MANY
        return
    with pytest.raises(QueryError, match=f"the server sends {VIRTUOSO_ROWS} rows at most"):
        graph.query(query)
    assert len(graph.query(query + " LIMIT 20").rows) == 20


def test_relations_are_counted(graph: EndpointGraph) -> None:
    counts = {relation.label: count for relation, count in graph.relations()}
    assert (counts["manufacturer"], counts["item"], counts["headquarters"]) == (4, MANY, 2)


def test_the_schema_is_kept_and_asked_for_again_when_it_is_forgotten(
    graph: EndpointGraph, engine: str, own_cache: Path
) -> None:
    from toulmin.retrieval.schema import kept_file

    assert kept_file(graph).asked is None
    text = "The manufacturer of the Delta motor is Vulcan Works."
    first = toulmin.check_text(graph, text)
    kept = kept_file(graph)
    assert kept.asked is not None and len(kept.rows) >= 2 and own_cache in kept.path.parents
    before = kept.path.read_bytes()
    with open_endpoint(engine) as later:
        again = toulmin.check_text(later, text)
        assert again.text == first.text
        assert kept.path.read_bytes() == before
        kept_file(later).forget()
        assert kept_file(later).asked is None
