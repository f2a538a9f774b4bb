"""Wikidata's shape: statement nodes with qualifiers, ranks, full values, unknown and no value."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from endpoint_servers import RdflibServer

from toulmin.errors import QueryError
from toulmin.graph.endpoint.graph import EndpointGraph, open_endpoint
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers.stream import ReadOptions, SourceStream
from toulmin.graph.readers.wikidata import read_wikidata
from toulmin.graph.types import DESCRIPTION, Entity, Literal, Qualifier, Rank, Relation, Statement

WD = "http://www.wikidata.org/entity/"

#: In the form of Wikidata's RDF dump; values follow its export: Gregorian astronomical dates, signed decimals.
DATA = """
@prefix wd: <http://www.wikidata.org/entity/> .
@prefix wds: <http://www.wikidata.org/entity/statement/> .
@prefix wdv: <http://www.wikidata.org/value/> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix wdno: <http://www.wikidata.org/prop/novalue/> .
@prefix wdref: <http://www.wikidata.org/reference/> .
@prefix p: <http://www.wikidata.org/prop/> .
@prefix ps: <http://www.wikidata.org/prop/statement/> .
@prefix psv: <http://www.wikidata.org/prop/statement/value/> .
@prefix psn: <http://www.wikidata.org/prop/statement/value-normalized/> .
@prefix pq: <http://www.wikidata.org/prop/qualifier/> .
@prefix pqv: <http://www.wikidata.org/prop/qualifier/value/> .
@prefix pr: <http://www.wikidata.org/prop/reference/> .
@prefix prov: <http://www.w3.org/ns/prov#> .
@prefix geo: <http://www.opengis.net/ont/geosparql#> .
@prefix wikibase: <http://wikiba.se/ontology#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix schema: <http://schema.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

wd:Q1 a wikibase:Item ; rdfs:label "Adeline"@en, "Adelina"@es ; skos:altLabel "Ada of Ghent"@en, "Adela"@es ;
    schema:description "medieval councillor"@en, "concejala"@es ; schema:version 7 ; wikibase:sitelinks 3 ;
    wdt:P39 wd:Q3 ; wdt:P26 wd:Q2 ;
    p:P39 wds:Q1-office1, wds:Q1-office2, wds:Q1-false ; p:P26 wds:Q1-spouse ; p:P40 wds:Q1-nochild ;
    p:P569 wds:Q1-born ; p:P570 wds:Q1-died ; p:P571 wds:Q1-decade ; p:P2048 wds:Q1-height ; p:P625 wds:Q1-place ;
    p:P856 wds:Q1-site ; p:P18 wds:Q1-image ; p:P20 wds:Q1-somewhere ; p:P1082 wds:Q1-count ; p:P1 wds:Q1-self .
wds:Q1-office1 a wikibase:Statement, wikibase:BestRank ; wikibase:rank wikibase:PreferredRank ; ps:P39 wd:Q3 ;
    pq:P580 "1301-01-01T00:00:00Z"^^xsd:dateTime ; pqv:P580 wdv:y1301 ;
    pq:P582 <http://www.wikidata.org/.well-known/genid/abc> ; pq:P642 wd:Q4, wd:Q2 ; a wdno:P1365 ;
    prov:wasDerivedFrom wdref:r1 .
wds:Q1-office2 wikibase:rank wikibase:NormalRank ; ps:P39 wd:Q3 ;
    pq:P580 "1310-03-01T00:00:00Z"^^xsd:dateTime ; pqv:P580 wdv:m1310 .
wds:Q1-false wikibase:rank wikibase:DeprecatedRank ; ps:P39 wd:Q4 .
wds:Q1-spouse wikibase:rank wikibase:NormalRank ; ps:P26 wd:Q2 .
wds:Q1-self wikibase:rank wikibase:NormalRank ; ps:P1 wd:Q1 .
wds:Q1-nochild wikibase:rank wikibase:NormalRank ; a wdno:P40 .
wds:Q1-born wikibase:rank wikibase:NormalRank ; ps:P569 "1280-06-08T00:00:00Z"^^xsd:dateTime ; psv:P569 wdv:julian .
wds:Q1-died wikibase:rank wikibase:NormalRank ; ps:P570 [] .
wds:Q1-decade wikibase:rank wikibase:NormalRank ; ps:P571 "1270-01-01T00:00:00Z"^^xsd:dateTime ; psv:P571 wdv:d1270 .
wds:Q1-height wikibase:rank wikibase:NormalRank ; ps:P2048 "+1.70"^^xsd:decimal ; psv:P2048 wdv:h ; psn:P2048 wdv:hn .
wds:Q1-count wikibase:rank wikibase:NormalRank ; ps:P1082 "+12"^^xsd:decimal ; psv:P1082 wdv:c .
wds:Q1-place wikibase:rank wikibase:NormalRank ; ps:P625 "Point(3.72 51.05)"^^geo:wktLiteral ; psv:P625 wdv:g .
wds:Q1-somewhere wikibase:rank wikibase:NormalRank ; ps:P20 <http://www.wikidata.org/.well-known/genid/def> .
wds:Q1-site wikibase:rank wikibase:NormalRank ; ps:P856 <http://example.org/adeline> .
wds:Q1-image wikibase:rank wikibase:NormalRank ;
    ps:P18 <http://commons.wikimedia.org/wiki/Special:FilePath/Ad%C3%A9line%20a.jpg> .
wdv:y1301 wikibase:timeValue "1301-01-01T00:00:00Z"^^xsd:dateTime ; wikibase:timePrecision 9 ;
    wikibase:timeCalendarModel wd:Q1985727 .
wdv:m1310 wikibase:timeValue "1310-03-01T00:00:00Z"^^xsd:dateTime ; wikibase:timePrecision 10 ;
    wikibase:timeCalendarModel wd:Q1985727 .
wdv:julian wikibase:timeValue "1280-06-08T00:00:00Z"^^xsd:dateTime ; wikibase:timePrecision 11 ;
    wikibase:timeCalendarModel wd:Q1985786 .
wdv:d1270 wikibase:timeValue "1270-01-01T00:00:00Z"^^xsd:dateTime ; wikibase:timePrecision 8 .
wdv:h wikibase:quantityAmount "+1.70"^^xsd:decimal ; wikibase:quantityUnit wd:Q11573 ;
    wikibase:quantityLowerBound "+1.65"^^xsd:decimal ; wikibase:quantityUpperBound "+1.75"^^xsd:decimal .
wdv:hn wikibase:quantityAmount "+170"^^xsd:decimal ; wikibase:quantityUnit wd:Q174728 .
wdv:c wikibase:quantityAmount "+12"^^xsd:decimal ; wikibase:quantityUnit wd:Q199 .
wdv:g wikibase:geoLatitude 51.05e0 ; wikibase:geoLongitude 3.72e0 .
wdref:r1 pr:P854 <http://example.org/source> .
wd:Q2 rdfs:label "Boudewijn"@nl ; p:P26 wds:Q2-spouse .
wds:Q2-spouse wikibase:rank wikibase:NormalRank ; ps:P26 wd:Q1 .
wd:Q3 rdfs:label "councillor"@en .
wd:Q4 rdfs:label "Ghent"@mul .
wd:P26 a wikibase:Property ; rdfs:label "spouse"@en ; wikibase:claim p:P26 .
wd:P39 a wikibase:Property ; rdfs:label "position held"@en ; skos:altLabel "councillor"@en ; wikibase:claim p:P39 .
wd:P580 rdfs:label "start time"@en .
"""

#: The same entity as Special:EntityData serves it.
JSON = {
    "id": "Q1",
    "labels": {"en": {"language": "en", "value": "Adeline"}, "es": {"language": "es", "value": "Adelina"}},
    "aliases": {"en": [{"language": "en", "value": "Ada of Ghent"}]},
    "descriptions": {"en": {"language": "en", "value": "medieval councillor"}},
    "claims": {},
}


def snak(number: int, kind: str | None = None, value: object = None, *, snaktype: str = "value") -> dict[str, object]:
    found: dict[str, object] = {"property": f"P{number}", "snaktype": snaktype}
    return found | ({"datavalue": {"type": kind, "value": value}} if kind else {})


def time(text: str, precision: int, calendar: int = 1985727) -> dict[str, object]:
    return {"time": text, "precision": precision, "calendarmodel": f"{WD}Q{calendar}"}


def claims() -> list[dict[str, object]]:
    place = {"latitude": 51.05, "longitude": 3.72, "globe": f"{WD}Q2", "precision": 0.01}
    height = {"amount": "+1.70", "unit": f"{WD}Q11573", "lowerBound": "+1.65", "upperBound": "+1.75"}
    first = {
        "P580": [snak(580, "time", time("+1301-00-00T00:00:00Z", 9))],
        "P582": [snak(582, snaktype="somevalue")],
        "P642": [snak(642, "wikibase-entityid", {"id": "Q4"}), snak(642, "wikibase-entityid", {"id": "Q2"})],
        "P1365": [snak(1365, snaktype="novalue")],
    }
    second = {"P580": [snak(580, "time", time("+1310-03-00T00:00:00Z", 10))]}
    office = snak(39, "wikibase-entityid", {"id": "Q3"})
    return [
        {"mainsnak": office, "rank": "preferred", "qualifiers": first},
        {"mainsnak": office, "rank": "normal", "qualifiers": second},
        {"mainsnak": snak(39, "wikibase-entityid", {"id": "Q4"}), "rank": "deprecated"},
        {"mainsnak": snak(26, "wikibase-entityid", {"id": "Q2"}), "rank": "normal"},
        {"mainsnak": snak(1, "wikibase-entityid", {"id": "Q1"}), "rank": "normal"},
        {"mainsnak": snak(40, snaktype="novalue"), "rank": "normal"},
        {"mainsnak": snak(569, "time", time("+1280-06-01T00:00:00Z", 11, 1985786)), "rank": "normal"},
        {"mainsnak": snak(570, snaktype="somevalue"), "rank": "normal"},
        {"mainsnak": snak(571, "time", time("+1270-00-00T00:00:00Z", 8)), "rank": "normal"},
        {"mainsnak": snak(2048, "quantity", height), "rank": "normal"},
        {"mainsnak": snak(1082, "quantity", {"amount": "+12", "unit": "1"}), "rank": "normal"},
        {"mainsnak": snak(625, "globecoordinate", place), "rank": "normal"},
        {"mainsnak": snak(20, snaktype="somevalue"), "rank": "normal"},
        {"mainsnak": snak(856, "string", "http://example.org/adeline"), "rank": "normal"},
        {"mainsnak": snak(18, "string", "Adéline a.jpg"), "rank": "normal"},
    ]


@pytest.fixture(scope="module")
def graph() -> Iterator[EndpointGraph]:
    with RdflibServer() as server:
        server.load(DATA)
        with open_endpoint(server.url) as opened:
            yield opened


def entity(number: int, label: str | None = None) -> Entity:
    return Entity(f"{WD}Q{number}", label)


def prop(number: int, label: str | None = None) -> Relation:
    return Relation(f"{WD}P{number}", label)


def of(graph: EndpointGraph, number: int) -> list[Statement]:
    (found,) = graph.statements([f"{WD}Q1"], side="outgoing", relations=[f"{WD}P{number}"])
    return found


def test_it_is_recognised(graph: EndpointGraph) -> None:
    assert graph.dialect.name == "wikidata"


def test_qualifiers_and_ranks_are_kept_and_deprecated_statements_are_not(graph: EndpointGraph) -> None:
    first, second = sorted(of(graph, 39), key=lambda statement: -len(statement.qualifiers))
    assert (first.subject, first.relation, first.object) == (
        entity(1, "Adeline"), prop(39, "position held"), entity(3, "councillor")
    )  # fmt: skip
    assert (first.rank, second.rank) == ("preferred", "normal")
    assert set(first.qualifiers) == {
        Qualifier(prop(580, "start time"), Literal("1301", "time")),
        Qualifier(prop(582, "P582"), Literal("", "unknown_value")),
        Qualifier(prop(642, "P642"), entity(4, "Ghent")),
        Qualifier(prop(642, "P642"), entity(2, "Boudewijn")),
        Qualifier(prop(1365, "P1365"), Literal("", "no_value")),
    }
    assert second.qualifiers == (Qualifier(prop(580, "start time"), Literal("1310-03", "time")),)


@pytest.mark.parametrize(
    ("number", "value"),
    [
        (569, Literal("1280-06-01", "time", calendar="julian")),
        (570, Literal("", "unknown_value")),
        (571, Literal("1270", "time", precision="decade")),
        (2048, Literal("1.70", "quantity", "metre", "1.65..1.75")),
        (1082, Literal("12", "quantity")),
        (625, Literal("51.05,3.72", "coordinate")),
        (20, Literal("", "unknown_value")),
        (40, Literal("", "no_value")),
        (26, entity(2, "Boudewijn")),
    ],
)
def test_every_kind_of_value(graph: EndpointGraph, number: int, value: Literal | Entity) -> None:
    (statement,) = of(graph, number)
    assert (statement.object, statement.qualifiers) == (value, ())


def test_both_sides_and_the_description(graph: EndpointGraph) -> None:
    outgoing, incoming, both = (
        graph.statements([f"{WD}Q1"], side=side)[0] for side in ("outgoing", "incoming", "both")
    )
    assert len(outgoing) == 15
    assert [s.object for s in outgoing if s.relation.id == DESCRIPTION] == [Literal("medieval councillor", lang="en")]
    assert {(s.subject.id, s.relation.id) for s in incoming} == {(f"{WD}Q2", f"{WD}P26"), (f"{WD}Q1", f"{WD}P1")}
    assert len(both) == len({s.id for s in both}) == 16
    assert {s.id for s in both} == {s.id for s in (*outgoing, *incoming)}
    (councillors,) = graph.statements([f"{WD}Q3"], side="incoming")
    assert len(councillors) == 2
    assert graph.statements([f"{WD}Q4"], side="incoming") == [[]]  # only qualifiers and a deprecated statement name it


def test_limits_count_statements(graph: EndpointGraph) -> None:
    for limit in (1, 2, 5):
        (found,) = graph.statements([f"{WD}Q1"], limit=limit)
        assert len([s for s in found if s.subject.id == f"{WD}Q1"]) == limit
        assert len([s for s in found if s.subject.id != f"{WD}Q1"]) == 1
    full = {s.id for s in graph.statements([f"{WD}Q1"])[0]}
    assert {s.id for s in graph.statements([f"{WD}Q1"], limit=5)[0]} <= full


def test_examples_are_statements_of_the_property(graph: EndpointGraph) -> None:
    offices, births, described, other = graph.examples(
        [f"{WD}P39", f"{WD}P569", DESCRIPTION, "http://example.org/p"], 5
    )
    assert {s.object for s in offices} == {entity(3, "councillor")} and other == []
    assert {s.id for s in offices} == {s.id for s in of(graph, 39)}
    assert [s.object for s in births] == [of(graph, 569)[0].object]
    assert described and {s.relation.id for s in described} == {DESCRIPTION}


def test_relations_are_properties(graph: EndpointGraph) -> None:
    counts = dict(graph.relations())
    assert counts[prop(39, "position held")] == 2
    assert counts[prop(26, "spouse")] == 2
    assert counts[prop(40, "P40")] == 1
    (found,) = graph.statements([f"{WD}Q1"], relations=[f"{WD}P26", f"{WD}Q3", "http://example.org/P39", "P39"])
    assert {s.relation.id for s in found} == {f"{WD}P26"}
    assert graph.statements([f"{WD}Q1"], relations=["http://example.org/P39"]) == [[]]
    (described,) = graph.statements([f"{WD}Q1"], relations=[DESCRIPTION])
    assert len(described) == 1


def test_contains_takes_qualifiers_rank_and_value_seriously(graph: EndpointGraph) -> None:
    (every,) = graph.statements([f"{WD}Q1"])
    assert all(graph.contains(every))
    first, second = sorted(of(graph, 39), key=lambda statement: -len(statement.qualifiers))
    (born,), (height,) = of(graph, 569), of(graph, 2048)

    def changed(
        statement: Statement,
        obj: Entity | Literal | None = None,
        qualifiers: tuple[Qualifier, ...] | None = None,
        rank: Rank | None = None,
    ) -> Statement:
        kept = statement.qualifiers if qualifiers is None else qualifiers
        return Statement(statement.subject, statement.relation, obj or statement.object, kept, rank or statement.rank)

    wrong = [
        changed(first, qualifiers=()),
        changed(first, qualifiers=first.qualifiers[1:]),
        changed(first, rank="normal"),
        changed(second, rank="preferred"),
        changed(second, qualifiers=first.qualifiers),
        changed(first, entity(4)),
        changed(born, Literal("1280-06-01", "time")),
        changed(born, Literal("1280", "time", calendar="julian")),
        changed(height, Literal("1.70", "quantity")),
        Statement(entity(1), prop(39), entity(4), (), "deprecated"),
        Statement(entity(1), prop(39), entity(4)),
        Statement(entity(1), prop(40), Literal("", "unknown_value")),
        Statement(entity(1), Relation(DESCRIPTION), Literal("medieval councillor")),
        Statement(entity(3), prop(39), entity(1)),
    ]
    assert graph.contains(wrong) == [False] * len(wrong)
    right = [
        changed(height, Literal("1.7", "quantity", "metre", "1.65..1.750")),
        changed(first, qualifiers=first.qualifiers[::-1]),
    ]
    assert graph.contains(right) == [True, True]


def test_names(graph: EndpointGraph) -> None:
    adeline, ghent, nobody, position = graph.describe([f"{WD}Q1", f"{WD}Q4", f"{WD}Q99", f"{WD}P39"])
    assert adeline is not None
    assert (adeline.entity.label, adeline.aliases, adeline.description) == (
        "Adeline", ("Ada of Ghent",), "medieval councillor"
    )  # fmt: skip
    assert ghent is not None
    assert ghent.entity.label == "Ghent"
    assert nobody is None
    assert position is not None
    assert position.entity.label == "position held"
    found = graph.lookup(["adeline", "ada of ghent", "ghent", "councillor", "Adela"])
    assert [[match.id.removeprefix(WD) for match in some] for some in found] == [["Q1"], ["Q1"], ["Q4"], ["Q3"], []]
    assert [match.id for match in graph.search("adeline")] == [f"{WD}Q1"]
    assert graph.search("deline") == []


def test_users_write_wikidata_s_prefixes_without_declaring_them(graph: EndpointGraph) -> None:
    result = graph.query("SELECT ?who { wd:Q1 wdt:P26 ?who . wd:Q1 p:P39 [ pq:P580 ?since ] } ORDER BY ?since LIMIT 1")
    assert result.rows == ((entity(2, "Boudewijn"),),)
    with pytest.raises(QueryError, match="SERVICE is not accepted"):
        graph.query('SELECT * { wd:Q1 ?p ?o SERVICE wikibase:label { bd:serviceParam wikibase:language "en" } }')


def test_a_subgraph(graph: EndpointGraph) -> None:
    part = graph.subgraph([f"{WD}Q2"], 2)
    held = {statement.id for statement in part.statements(range(part.n_statements))}
    assert held == {statement.id for some in graph.statements([f"{WD}Q1", f"{WD}Q2"]) for statement in some}


def test_the_same_entity_in_json_has_the_same_statements(graph: EndpointGraph, tmp_path: Path) -> None:
    path = tmp_path / "Q1.json"
    path.write_text(json.dumps(JSON | {"claims": {"all": claims()}}), encoding="utf-8")
    with SourceStream(path) as source, MemoryGraph.from_records(read_wikidata(source, ReadOptions())) as memory:
        ((local,), (remote,)) = (each.statements([f"{WD}Q1"], side="outgoing") for each in (memory, graph))
        assert {s.id for s in local} == {s.id for s in remote}
        assert all(graph.contains(local))
        assert all(memory.contains(remote))
