"""Wikidata's RDF in files says what its JSON says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers import RawName, RawStatement, read
from toulmin.graph.relation_forms import relation_forms
from toulmin.graph.types import Literal, Statement

WD = "http://www.wikidata.org/entity/"
PREFIXES = """
@prefix wd: <http://www.wikidata.org/entity/> . @prefix wds: <http://www.wikidata.org/entity/statement/> .
@prefix wdv: <http://www.wikidata.org/value/> . @prefix wdref: <http://www.wikidata.org/reference/> .
@prefix wdata: <http://www.wikidata.org/wiki/Special:EntityData/> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> . @prefix wdtn: <http://www.wikidata.org/prop/direct-normalized/> .
@prefix p: <http://www.wikidata.org/prop/> . @prefix ps: <http://www.wikidata.org/prop/statement/> .
@prefix psv: <http://www.wikidata.org/prop/statement/value/> .
@prefix psn: <http://www.wikidata.org/prop/statement/value-normalized/> .
@prefix pq: <http://www.wikidata.org/prop/qualifier/> . @prefix pqv: <http://www.wikidata.org/prop/qualifier/value/> .
@prefix pr: <http://www.wikidata.org/prop/reference/> . @prefix wdno: <http://www.wikidata.org/prop/novalue/> .
@prefix prov: <http://www.w3.org/ns/prov#> . @prefix wikibase: <http://wikiba.se/ontology#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix schema: <http://schema.org/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
NAMES = """
wd:Q1 a wikibase:Item ; rdfs:label "Orla Finch"@en ; skos:prefLabel "Orla Finch"@en ; schema:name "Orla Finch"@en ;
    skos:altLabel "Granny Orla"@en ; schema:description "head of the Finch family"@en .
wd:Q2 rdfs:label "Sten Finch"@en .
wd:P26 a wikibase:Property ; rdfs:label "spouse"@en ; skos:altLabel "partner"@en ; wikibase:directClaim wdt:P26 ;
    wikibase:claim p:P26 ; wikibase:propertyType wikibase:WikibaseItem .
wd:P580 rdfs:label "start time"@en . wd:P569 rdfs:label "date of birth"@en .
"""
NODES = """
wdata:Q1 a schema:Dataset ; schema:about wd:Q1 ; schema:version 12 .
wd:Q1 wikibase:sitelinks 1 ; wdt:P26 wd:Q2 ; wdt:P569 "1931-01-01T00:00:00Z"^^xsd:dateTime ;
    p:P26 wds:a, wds:b ; p:P569 wds:c ; p:P570 wds:d ; p:P2048 wds:e ; p:P20 wds:f ; p:P856 wds:g .
wds:a a wikibase:Statement, wikibase:BestRank ; wikibase:rank wikibase:PreferredRank ; ps:P26 wd:Q2 ;
    pq:P580 "1955-01-01T00:00:00Z"^^xsd:dateTime ; pqv:P580 wdv:y ; a wdno:P582 ; prov:wasDerivedFrom wdref:x .
wds:b wikibase:rank wikibase:DeprecatedRank ; ps:P26 wd:Q3 .
wds:c wikibase:rank wikibase:NormalRank ; ps:P569 "1931-01-01T00:00:00Z"^^xsd:dateTime ; psv:P569 wdv:z .
wds:d wikibase:rank wikibase:NormalRank ; a wdno:P570 .
wds:e wikibase:rank wikibase:NormalRank ; ps:P2048 "+1.60"^^xsd:decimal ; psv:P2048 wdv:h ; psn:P2048 wdv:hn .
wds:f wikibase:rank wikibase:NormalRank ; ps:P20 <http://www.wikidata.org/.well-known/genid/0af> .
wds:g wikibase:rank wikibase:NormalRank ; ps:P856 <http://finch.example/> .
wdv:y a wikibase:TimeValue ; wikibase:timeValue "1955-01-01T00:00:00Z"^^xsd:dateTime ; wikibase:timePrecision 9 ;
    wikibase:timeTimezone 0 ; wikibase:timeCalendarModel wd:Q1985727 .
wdv:z wikibase:timeValue "1931-01-01T00:00:00Z"^^xsd:dateTime ; wikibase:timePrecision 10 ;
    wikibase:timeCalendarModel wd:Q1985727 .
wdv:h wikibase:quantityAmount "+1.60"^^xsd:decimal ; wikibase:quantityUnit wd:Q11573 .
wdv:hn wikibase:quantityAmount "+1.60"^^xsd:decimal ; wikibase:quantityUnit wd:Q11573 .
wdref:x a wikibase:Reference ; pr:P248 wd:Q9 .
<https://en.wikipedia.org/wiki/Orla> a schema:Article ; schema:about wd:Q1 ; schema:inLanguage "en" ;
    schema:isPartOf <https://en.wikipedia.org/> .
<https://en.wikipedia.org/> wikibase:wikiGroup "wikipedia" .
"""


def claim(number: int, kind: str, value: object, **more: object) -> dict[str, Any]:
    return {"rank": "normal", "mainsnak": snak(number, kind, value), **more}


def snak(number: int, kind: str, value: object = None) -> dict[str, Any]:
    if value is None:
        return {"snaktype": kind, "property": f"P{number}"}
    return {"snaktype": "value", "property": f"P{number}", "datavalue": {"type": kind, "value": value}}


def time(text: str, precision: int) -> dict[str, Any]:
    return {"time": text, "precision": precision, "calendarmodel": WD + "Q1985727"}


def entity(identifier: str, label: str, *aliases: str, **more: object) -> dict[str, Any]:
    def text(value: str) -> dict[str, str]:
        return {"language": "en", "value": value}

    return {"id": identifier, "labels": {"en": text(label)}, "aliases": {"en": [text(one) for one in aliases]}, **more}


SPOUSE = claim(26, "wikibase-entityid", {"id": "Q2"}, rank="preferred") | {
    "qualifiers": {"P580": [snak(580, "time", time("+1955-00-00T00:00:00Z", 9))], "P582": [snak(582, "novalue")]}
}
JSON = [
    entity(
        "Q1",
        "Orla Finch",
        "Granny Orla",
        descriptions={"en": {"language": "en", "value": "head of the Finch family"}},
        claims={
            "P26": [SPOUSE, claim(26, "wikibase-entityid", {"id": "Q3"}) | {"rank": "deprecated"}],
            "P569": [claim(569, "time", time("+1931-01-00T00:00:00Z", 10))],
            "P570": [claim(570, "novalue", None)],
            "P2048": [claim(2048, "quantity", {"amount": "+1.60", "unit": WD + "Q11573"})],
            "P20": [claim(20, "somevalue", None)],
            "P856": [claim(856, "string", "http://finch.example/")],
        },
    ),
    entity("Q2", "Sten Finch"),
    entity("P26", "spouse", "partner"),
    entity("P580", "start time"),
    entity("P569", "date of birth"),
]


def graph_of(path: Path, text: str) -> MemoryGraph:
    path.write_text(text)
    return MemoryGraph.from_records(read(path))


def statements(graph: MemoryGraph) -> dict[str, Statement]:
    subgraph = graph.subgraph([], 0)
    return {statement.id: statement for statement in subgraph.statements(range(subgraph.n_statements))}


def test_statement_nodes_are_the_statements_and_names_of_the_json(tmp_path: Path) -> None:
    by_json = graph_of(tmp_path / "a.json", json.dumps(JSON))
    turtle = graph_of(tmp_path / "a.ttl", PREFIXES + NAMES + NODES)
    backwards = graph_of(tmp_path / "b.ttl", PREFIXES + NODES + NAMES)
    assert statements(turtle) == statements(backwards) == statements(by_json)
    assert turtle.fingerprint == by_json.fingerprint
    spouse = next(one for one in statements(turtle).values() if one.relation.id == WD + "P26")
    assert (spouse.relation.label, spouse.rank, spouse.qualifiers[0].relation.label) == (
        *("spouse", "preferred"),
        "start time",
    )


def test_the_json_names_relations_by_the_property_entities_of_the_file(tmp_path: Path) -> None:
    graph = graph_of(tmp_path / "a.json", json.dumps(JSON))
    assert relation_forms(graph)[WD + "P26"].forward == ("spouse", "partner")
    assert graph.lookup(["spouse", "start time"]) == [[], []]


def test_truthy_triples_are_statements_of_the_property_and_keep_their_names(tmp_path: Path) -> None:
    direct, label = "http://www.wikidata.org/prop/direct/", "http://www.w3.org/2000/01/rdf-schema#label"
    lines = [
        f'<{WD}Q1> <{label}> "Orla Finch"@en .',
        f'<{WD}P26> <{label}> "spouse"@en .',
        f"<{WD}Q1> <{direct}P26> <{WD}Q2> .",
        f"<{WD}Q1> <{direct}P856> <http://finch.example/> .",
        f"<{WD}Q1> <{direct}P20> <http://www.wikidata.org/.well-known/genid/0af> .",
        f"<{WD}Q1> <{direct}-normalized/P227> <http://d-nb.example/1> .".replace("/-", "-"),
        f'<{WD}Q1> <{direct}P2048> "+1.6"^^<http://www.w3.org/2001/XMLSchema#decimal> .',
    ]
    path = tmp_path / "truthy.nt"
    path.write_text("\n".join(lines))
    assert list(read(path)) == [
        RawName(WD + "Q1", "Orla Finch", "label", "en"),
        RawName(WD + "P26", "spouse", "label", "en"),
        RawStatement(WD + "Q1", WD + "P26", WD + "Q2"),
        RawStatement(WD + "Q1", WD + "P856", Literal("http://finch.example/")),
        RawStatement(WD + "Q1", WD + "P20", Literal("", "unknown_value")),
        RawStatement(WD + "Q1", WD + "P2048", Literal("1.6", "quantity")),
    ]
    graph = MemoryGraph.from_records(read(path))
    assert relation_forms(graph)[WD + "P26"].forward == ("spouse",)


def test_another_wikibase_is_read_alike(tmp_path: Path) -> None:
    graph = graph_of(tmp_path / "own.ttl", (PREFIXES + NAMES + NODES).replace("www.wikidata.org", "kb.example"))
    assert len(statements(graph)) == 7
    assert {one.label for one, _ in graph.relations()} >= {"spouse", "date of birth"}


def test_what_only_looks_like_a_wikibase_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text(
        "@prefix : <http://shop.example/entity/> . @prefix p: <http://shop.example/prop/> . "
        "@prefix schema: <http://schema.org/> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . "
        ":a p:P7 :b . <http://shop.example/page/1> schema:about :a . "
        ":s a rdf:Statement ; rdf:subject :a ; rdf:predicate p:size ; rdf:object 3 . "
    )
    assert list(read(tmp_path / "a.ttl")) == [
        RawStatement("http://shop.example/entity/a", "http://shop.example/prop/P7", "http://shop.example/entity/b"),
        RawStatement("http://shop.example/page/1", "http://schema.org/about", "http://shop.example/entity/a"),
    ]
