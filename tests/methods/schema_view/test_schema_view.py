"""What a model is shown of a graph: all of a small one, what the question needs of a large one; in terms that parse."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from harbour import VOCAB, harbour, thing
from hypothesis import given
from hypothesis import strategies as st

from toulmin.graph.memory import MemoryGraph
from toulmin.graph.rdf_store import PREFIXES, id_of_iri
from toulmin.graph.types import Entity, Relation, Statement
from toulmin.methods.schema_view.schema_reader import SchemaReader, reader_of
from toulmin.methods.schema_view.view import QueryTerms, SchemaView
from toulmin.retrieval.retriever import Retriever


@pytest.fixture(scope="module")
def retriever() -> Iterator[Retriever]:
    with harbour() as graph:
        yield Retriever(graph)


@pytest.fixture(scope="module")
def view(retriever: Retriever) -> SchemaView:
    question = "Who keeps the North Quay?"
    return SchemaReader(retriever).view(question, retriever.linker.link(question))


def line(view: SchemaView, name: str) -> str:
    (found,) = (one for one in view.relation_lines() if f"vocab:{name} " in one)
    return found


def test_classes_with_counts_examples_and_what_is_above(view: SchemaView) -> None:
    shown = [one.partition("] ")[2] for one in view.class_lines()]
    assert 'vocab:Boat "boat" | 3 things, such as example:linnea "Linnea"' in shown
    assert any(one.startswith('vocab:Ferry "ferry" | 1 thing') and "subclass of vocab:Boat" in one for one in shown)


def test_relations_with_ends_kinds_units_values_and_qualifiers(view: SchemaView) -> None:
    assert "| vocab:Boat, vocab:Ferry -> vocab:Quay | 4 statements |" in line(view, "mooredAt")
    assert "-> quantity in metre | 3 statements" in line(view, "length")
    assert "-> number | 4 statements" in line(view, "seats")
    assert "-> number in a text | 2 statements" in line(view, "berths")
    assert "qualified by vocab:since" in line(view, "keeper")
    assert any(seen.units for seen in view.relations)
    assert any(seen.qualifiers for seen in view.relations)
    assert view.left_out == (0, 0)


def test_few_values_are_all_shown() -> None:
    statements = [
        Statement(thing(f"b{number}"), Relation(VOCAB + "hull"), thing(("oak", "steel")[number % 2]))
        for number in range(20)
    ]
    with MemoryGraph.from_statements(statements) as graph:
        view = SchemaReader(Retriever(graph)).view("Which boats are of oak?")
    assert 'only: example:oak "Oak"; example:steel "Steel"' in view.relation_lines()[0]


def test_a_small_graph_is_shown_alike_for_every_question(retriever: Retriever) -> None:
    reader = reader_of(retriever)
    assert reader is reader_of(retriever)
    one, other = reader.view("Who keeps the quay?"), reader.view("How long is the Oda?")
    assert one.class_lines() == other.class_lines()
    assert one.relation_lines() == other.relation_lines()
    assert one.prologue == other.prologue


def test_of_a_large_one_what_is_near_the_question_is_shown_first() -> None:
    words = "tide harvest tariff spouse invoice pilot salary altitude winner chapel".split()
    statements = [
        Statement(thing("a"), Relation(f"{VOCAB}{word}{n}", f"{word} {n}"), thing("b"))
        for word in words
        for n in range(20)
    ]
    statements.append(Statement(thing("oda"), Relation(VOCAB + "zq", "zq"), thing("b")))
    with MemoryGraph.from_statements(statements) as graph:
        retriever = Retriever(graph)
        question = "Which tide is highest for Oda?"
        view = SchemaReader(retriever).view(question, retriever.linker.link(question), tokens=600)
    labels = [one.relation.label or "" for one in view.relations]
    assert len(labels) < 40
    assert view.left_out[1] == len(statements) - len(labels)
    assert sum(label.startswith("tide") for label in labels) >= len(labels) / 2
    assert "zq" in labels  # what the named entity has
    assert sum(len(one.encode()) + 1 for one in (*view.class_lines(), *view.relation_lines())) <= 2400


def test_what_is_named_is_the_example_also_beyond_a_node_without_a_name() -> None:
    words = "harvest tariff invoice pilot altitude winner chapel".split()
    contract = Entity("urn:x:m.0k7x2q")
    statements = [
        *(
            Statement(thing("a"), Relation(f"{VOCAB}{word}{n}", f"{word} {n}"), thing("b"))
            for word in words
            for n in range(20)
        ),
        *(Statement(thing(other), Relation(VOCAB + "zq", "zq"), thing("c")) for other in "abc"),
        Statement(thing("oda"), Relation(VOCAB + "zq", "zq"), contract),
        Statement(contract, Relation(VOCAB + "wv", "wv"), thing("quay")),
    ]
    with MemoryGraph.from_statements(statements) as graph:
        retriever = Retriever(graph)
        question = "What has Oda?"
        view = SchemaReader(retriever).view(question, retriever.linker.link(question), tokens=600, ids=False)
    lines = [view.relation_line(one) for one in view.relations if one.relation.label in ("zq", "wv")]
    assert len(lines) == 2
    assert all("m.0k7x2q" in one for one in lines)
    assert not any(VOCAB in one or "vocab:" in one for one in lines)


_names = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=12)
_ids = st.one_of(_names, _names.map("http://a.example/v/".__add__), _names.map("urn:x:".__add__))


@given(st.lists(_ids, min_size=1, max_size=6))
def test_a_term_that_is_shown_is_the_id_in_a_query(ids: list[str]) -> None:
    import pyoxigraph

    terms = QueryTerms(PREFIXES, [*ids, *ids])
    prologue = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in terms.prefixes.items())
    for identifier in ids:
        term = terms.write(identifier)
        if term is not None:
            query = f"{prologue}SELECT ({term} AS ?x) {{}}"
            ((found,),) = pyoxigraph.Store().query(query, prefixes=PREFIXES)  # type: ignore[misc]
            assert id_of_iri(found.value) == identifier


def test_a_relation_of_wikidata_is_written_as_its_direct_property() -> None:
    statements = [
        Statement(
            Entity("http://www.wikidata.org/entity/Q1", "one"),
            Relation("http://www.wikidata.org/entity/P31", "part"),
            Entity("http://www.wikidata.org/entity/Q2", "two"),
        )
    ]
    with MemoryGraph.from_statements(statements) as graph:
        view = SchemaReader(Retriever(graph)).view("What is one part of?")
    assert (
        'wdt:P31 "part"' in view.relation_lines()[0]
        or "<http://www.wikidata.org/prop/direct/P31>" in view.relation_lines()[0]
    )
