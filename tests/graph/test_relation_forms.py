"""What relations are called, walked forward and backward."""

from __future__ import annotations

from pathlib import Path

import pytest

from toulmin.graph.build import build_graph
from toulmin.graph.build_directory import build_directory
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers import RawName, RawStatement, Record
from toulmin.graph.relation_forms import relation_forms
from toulmin.graph.store import open_graph
from toulmin.graph.types import Literal
from toulmin.graph.union import UnionGraph
from toulmin.graph.xsd import RDF

OWL, SCHEMA, WD = "http://www.w3.org/2002/07/owl#", "http://schema.org/", "http://www.wikidata.org/entity/"
FACT = RawStatement("h:nora", "h:manager", "h:omar")


def told(records: list[Record]) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    with MemoryGraph.from_records(records) as graph:
        return {one: (forms.forward, forms.backward) for one, forms in relation_forms(graph).items()}


def test_labels_beside_the_first_and_aliases_are_forward_forms_and_the_label_is_first() -> None:
    names: list[Record] = [
        RawName("h:manager", "reports to", "alias"),
        RawName("h:manager", "jefe", lang="es"),
        RawName("h:manager", "manager", lang="en"),
        RawName("h:manager", "boss", "alias", "en"),
    ]
    (forward, backward) = told([FACT, *names])["h:manager"]
    assert forward[0] == "manager"
    assert set(forward) == {"manager", "jefe", "reports to", "boss"}
    assert backward == ()


def test_an_inverse_form_is_a_name_and_neither_a_thing_nor_a_statement() -> None:
    records: list[Record] = [FACT, RawName("h:manager", "manager"), RawName("h:manager", "leads", "inverse")]
    assert told(records)["h:manager"] == (("manager",), ("leads",))
    with MemoryGraph.from_records(records) as graph:
        assert graph.subgraph([], 0).n_statements == 1
        assert graph.lookup(["leads"]) == [[]]
        assert graph.search("leads") == []
        assert [relation.id for relation, _ in graph.relations()] == ["h:manager"]
        assert graph.describe(["h:manager"])[0].aliases == ()  # type: ignore[union-attr]


def test_the_names_of_a_declared_inverse_are_backward_forms_of_both() -> None:
    for declared in (OWL + "inverseOf", SCHEMA + "inverseOf", "https://schema.org/inverseOf"):
        records: list[Record] = [
            RawStatement("h:leads", declared, "h:manager"),
            RawName("h:leads", "leads"),
            RawName("h:leads", "is in charge of", "alias"),
            RawName("h:manager", "manager"),
            FACT,
        ]
        forms = told(records)
        assert forms["h:manager"] == (("manager",), ("leads", "is in charge of"))
        assert forms["h:leads"] == (("leads", "is in charge of"), ("manager",))


def test_a_symmetric_relation_is_called_the_same_both_ways() -> None:
    records: list[Record] = [
        FACT,
        RawStatement("h:manager", RDF + "type", OWL + "SymmetricProperty"),
        RawName("h:manager", "works with"),
        RawName("h:manager", "colleague", "alias"),
    ]
    assert told(records)["h:manager"] == (("works with", "colleague"), ("works with", "colleague"))


def test_an_inverse_without_a_name_is_called_by_its_id() -> None:
    assert told([RawStatement("http://h.example/headOf", OWL + "inverseOf", "h:manager"), FACT])["h:manager"][1] == (
        "head of",
    )
    assert told([RawStatement(WD + "P9", OWL + "inverseOf", "h:manager"), FACT])["h:manager"][1] == ()


def test_wikidatas_inverse_is_loose_and_names_only_where_it_is_the_only_one() -> None:
    father, mother, child, inverse = WD + "P22", WD + "P25", WD + "P40", WD + "P1696"
    records: list[Record] = [
        *(
            RawName(father, "father"),
            RawName(mother, "mother"),
            RawName(child, "child"),
            RawName(inverse, "inverse property"),
        ),
        *(RawStatement(father, inverse, child), RawStatement(mother, inverse, child)),
        *(RawStatement(child, inverse, father), RawStatement(child, inverse, mother)),
        *(
            RawStatement(WD + "Q1", child, WD + "Q2"),
            RawStatement(WD + "Q2", father, WD + "Q3"),
            RawStatement(WD + "Q2", mother, WD + "Q4"),
        ),
    ]
    forms = told([*records])
    assert (forms[father][1], forms[mother][1], forms[child][1]) == (("child",), ("child",), ())
    with MemoryGraph.from_records(records) as graph:
        assert graph.subgraph([], 0).n_statements == 7
        assert graph.lookup(["father"]) == [[]]


def test_a_relation_that_is_declared_but_of_which_no_statement_is_made_is_no_thing() -> None:
    records: list[Record] = [
        FACT,
        RawStatement("h:mentor", RDF + "type", OWL + "ObjectProperty"),
        RawName("h:mentor", "mentor"),
        RawStatement("h:mentor", SCHEMA + "description", Literal("Who trains whom.")),
    ]
    with MemoryGraph.from_records(records) as graph:
        assert graph.lookup(["mentor"]) == [[]]


@pytest.fixture
def built(tmp_path: Path) -> Path:
    with build_directory(tmp_path / "g") as work:
        records: list[Record] = [FACT, RawName("h:manager", "manager"), RawName("h:manager", "leads", "inverse")]
        build_graph([("a", records)], work, name="g")
    return tmp_path / "g"


def test_a_built_graph_and_a_union_keep_them(built: Path) -> None:
    other = MemoryGraph.from_records(
        [FACT, RawName("h:manager", "boss", "alias"), RawName("h:manager", "heads", "inverse")], name="other"
    )
    with UnionGraph([open_graph(built), other]) as both:
        forms = relation_forms(both)["h:manager"]
        assert forms.relation.label == "manager"
        assert set(forms.forward) >= {"manager", "boss"}
        assert forms.backward == ("leads", "heads")
        assert relation_forms(both, ["h:nothing"]) == {}
