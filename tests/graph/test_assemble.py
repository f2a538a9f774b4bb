"""From records to statements: what an ontology says of itself is no statement, what it says of properties holds."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from toulmin.graph.assemble import DERIVED
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers import RawName, RawStatement, Record
from toulmin.graph.types import DESCRIPTION, Entity, Literal
from toulmin.graph.xsd import RDF, XSD

RDFS, OWL = "http://www.w3.org/2000/01/rdf-schema#", "http://www.w3.org/2002/07/owl#"
TYPE = RDF + "type"
SYMMETRIC = RawStatement("h:beside", TYPE, OWL + "SymmetricProperty")
INVERSE = RawStatement("h:heads", OWL + "inverseOf", "h:head")

Row = tuple[str, str, str, dict[str, str]]


def stated(records: Iterable[Record]) -> list[Row]:
    """Each statement of a graph with its qualifiers."""
    with MemoryGraph.from_records(records) as graph:
        subgraph = graph.subgraph([], 0)
        return sorted(
            (
                one.subject.id,
                one.relation.id,
                one.object.id if isinstance(one.object, Entity) else one.object.value,
                {said.relation.id: getattr(said.value, "value", "") for said in one.qualifiers},
            )
            for one in subgraph.statements(range(subgraph.n_statements))
        )


def test_what_an_ontology_says_of_itself_is_no_statement() -> None:
    things = [
        RawStatement("h:Ward", RDFS + "subClassOf", "h:Place"),
        RawStatement("h:north", TYPE, "h:Ward"),
        RawStatement("h:north", OWL + "sameAs", "h:n"),
        RawStatement("h:north", "h:beside", "h:south"),
    ]
    schema = [
        RawStatement("h:Ward", TYPE, OWL + "Class"),
        RawStatement("h:north", TYPE, OWL + "NamedIndividual"),
        RawStatement("h:beside", TYPE, OWL + "ObjectProperty"),
        RawStatement("h:beside", RDFS + "domain", "h:Ward"),
        RawStatement("h:beside", RDFS + "range", "h:Ward"),
        RawStatement("h:age", RDFS + "range", XSD + "integer"),
        RawStatement("h:beside", OWL + "deprecated", Literal("true", "boolean")),
        RawStatement("h:", OWL + "versionInfo", Literal("2.1")),
    ]
    assert stated([*schema[:4], *things, *schema[4:]]) == stated(things)
    assert len(stated(things)) == len(things)


def test_a_relation_is_not_found_as_a_thing_though_something_is_said_of_it() -> None:
    records: list[Record] = [
        RawName("h:beside", "beside"),
        RawName("h:north", "north"),
        RawStatement("h:beside", DESCRIPTION, Literal("Which wards share a corridor.")),
        RawStatement("h:north", "h:beside", "h:south"),
    ]
    with MemoryGraph.from_records(records) as graph:
        assert len(graph.lookup(["beside"])[0]) == 0
        assert len(graph.lookup(["north"])[0]) == 1
        assert len(graph.statements(["h:beside"])[0]) == 1


def test_a_symmetric_relation_holds_in_both_directions_and_says_what_was_added() -> None:
    why = {DERIVED: "owl:SymmetricProperty"}
    fact = RawStatement("h:north", "h:beside", "h:south", (("h:since", Literal("1999")),), "preferred")
    for records in ([SYMMETRIC, fact], [fact, SYMMETRIC], [fact, SYMMETRIC, fact]):
        assert stated(records) == [
            ("h:north", "h:beside", "h:south", {"h:since": "1999"}),
            ("h:south", "h:beside", "h:north", {"h:since": "1999", **why}),
        ]
    assert len(stated([fact])) == 1


def test_inverse_relations_are_told_in_both() -> None:
    why = {DERIVED: "owl:inverseOf"}
    assert stated([RawStatement("h:ada", "h:heads", "h:north"), INVERSE]) == [
        ("h:ada", "h:heads", "h:north", {}),
        ("h:north", "h:head", "h:ada", why),
    ]
    assert stated([INVERSE, RawStatement("h:north", "h:head", "h:ada")]) == [
        ("h:ada", "h:heads", "h:north", why),
        ("h:north", "h:head", "h:ada", {}),
    ]


def test_values_have_no_other_direction() -> None:
    assert stated([SYMMETRIC, RawStatement("h:north", "h:beside", Literal("the garden"))]) == [
        ("h:north", "h:beside", "the garden", {})
    ]


IDS = st.sampled_from(["h:a", "h:b", "h:c", "h:d"])


@given(st.lists(st.tuples(IDS, IDS), max_size=12))
def test_a_symmetric_relation_is_symmetric_whatever_is_stated(pairs: list[tuple[str, str]]) -> None:
    found = stated([SYMMETRIC, *(RawStatement(one, "h:beside", other) for one, other in pairs)])
    ends = [(one, other) for one, _, other, _ in found]
    assert len(ends) == len(set(ends))
    assert set(ends) == {*pairs, *((other, one) for one, other in pairs)}
    assert {(one, other) for one, _, other, said in found if not said} == set(pairs)
