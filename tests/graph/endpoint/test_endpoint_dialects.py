"""DBpedia, Freebase, and how a dialect is found."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from endpoint_servers import RdflibServer

from toulmin.graph.endpoint.dialects import DIALECTS
from toulmin.graph.endpoint.graph import open_endpoint
from toulmin.graph.types import DESCRIPTION, Entity, Literal

DBR, NS = "http://dbpedia.org/resource/", "http://rdf.freebase.com/ns/"

DBPEDIA = """
@prefix dbr: <http://dbpedia.org/resource/> . @prefix dbo: <http://dbpedia.org/ontology/> .
@prefix dt: <http://dbpedia.org/datatype/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix prov: <http://www.w3.org/ns/prov#> .
dbr:Berlin rdfs:label "Berlin"@en, "Берлин"@ru ; foaf:name "City of Berlin"@en ;
    dbo:abstract "Berlin is the capital of Germany."@en, "Berlin ist die Hauptstadt."@de ;
    rdfs:comment "Berlin is a city."@en ; dbo:country dbr:Germany ; dbo:motto "Berlin!"@en, "Берлин!"@ru ;
    dbo:areaTotal "891.7"^^dt:squareKilometre ; dbo:populationTotal 3644826 ;
    dbo:wikiPageWikiLink dbr:Hamburg, dbr:Spree ; owl:sameAs <http://www.wikidata.org/entity/Q64> ;
    dbo:wikiPageID 3354 ; prov:wasDerivedFrom <http://en.wikipedia.org/wiki/Berlin?oldid=1> .
dbr:Berlin_City rdfs:label "Berlin City"@en ; dbo:wikiPageRedirects dbr:Berlin .
dbr:Germany rdfs:label "Germany"@en .
dbo:country rdfs:label "country"@en .
"""

FREEBASE = """
@prefix ns: <http://rdf.freebase.com/ns/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
ns:m.0abc ns:type.object.name "Jane Wyman"@en ; ns:common.topic.alias "Sarah Jane Mayfield"@en ;
    ns:common.topic.description "American actress"@en ; ns:people.person.spouse_s ns:m.0med .
ns:m.0def ns:type.object.name "Ronald Reagan"@en ; ns:people.person.spouse_s ns:m.0med .
ns:m.0med ns:people.marriage.spouse ns:m.0abc, ns:m.0def ; ns:people.marriage.from "1940-01-26"^^xsd:date .
"""


@pytest.fixture(scope="module")
def server() -> Iterator[RdflibServer]:
    with RdflibServer() as running:
        yield running


def test_dbpedia(server: RdflibServer) -> None:
    server.load(DBPEDIA)
    with open_endpoint(server.url) as graph:
        assert graph.dialect.name == "dbpedia"
        (info,) = graph.describe([DBR + "Berlin"])
        assert info is not None
        assert info.entity.label == "Berlin"
        assert set(info.aliases) == {"City of Berlin", "Berlin City"}
        assert info.description == "Berlin is the capital of Germany."
        (found,) = graph.statements([DBR + "Berlin"])
        assert {(s.relation.label, s.object) for s in found} == {
            ("country", Entity(DBR + "Germany", "Germany")),
            ("motto", Literal("Berlin!", lang="en")),
            ("area total", Literal("891.7", "quantity", "kilometre ** 2")),
            ("population total", Literal("3644826", "quantity")),
            ("description", Literal("Berlin is the capital of Germany.", lang="en")),
            ("description", Literal("Berlin is a city.", lang="en")),
        }
        assert {s.relation.id for s in found if s.relation.label == "description"} == {DESCRIPTION}
        assert all(graph.contains(found))
        by_name = graph.lookup(["berlin city", "berlin", "city of berlin", "Берлин"])
        assert [[(m.id.removeprefix(DBR), m.alias) for m in some] for some in by_name] == [
            [("Berlin_City", False), ("Berlin", True)], [("Berlin", False)], [("Berlin", False)], []
        ]  # fmt: skip
        assert len(graph.query("SELECT * { dbr:Berlin dbo:country ?where }").rows) == 1


def test_freebase_goes_through_mediators(server: RdflibServer) -> None:
    server.load(FREEBASE)
    with open_endpoint(server.url) as graph:
        assert graph.dialect.name == "freebase"
        (info,) = graph.describe([NS + "m.0abc"])
        assert info is not None
        assert (info.entity.label, info.aliases, info.description) == (
            "Jane Wyman", ("Sarah Jane Mayfield",), "American actress"
        )  # fmt: skip
        part = graph.subgraph([NS + "m.0abc"], 1)
        assert part.index(NS + "m.0def") is not None
        mediator = part.index(NS + "m.0med")
        assert mediator is not None
        assert part.machine.nonzero()[0].tolist() == [mediator]
        assert [match.id for match in graph.lookup(["ronald reagan"])[0]] == [NS + "m.0def"]


def test_an_empty_endpoint_is_plain(server: RdflibServer) -> None:
    server.load("")
    with open_endpoint(server.url) as graph:
        assert graph.dialect.name == "rdf"
        assert graph.relations() == []
        assert graph.statements([DBR + "Berlin"]) == [[]]
        assert graph.subgraph([DBR + "Berlin"], 2).n_statements == 0


def test_a_dialect_given_is_not_asked_for(server: RdflibServer) -> None:
    server.load(DBPEDIA)
    with open_endpoint(server.url, dialect="rdf") as graph:
        assert graph.dialect is DIALECTS["rdf"]
        (found,) = graph.statements([DBR + "Berlin"], side="outgoing")
        assert len(found) > 10
