"""Statements like the question in the prompt: of the linked entities (KAPING), or of the whole graph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scripted_baselines import HOLLIS, QUAY, TERN, answer_of, number_of, scripted, told
from tabled_vectors import TabledEmbedder

import toulmin
from toulmin.errors import NothingUsableError, SettingsError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.store import EmbeddedGraph
from toulmin.graph.types import Entity, Relation, Statement
from toulmin.llm.session import Budget
from toulmin.methods.answering import StatementsRetrieved
from toulmin.methods.kaping import Kaping, KapingSettings, PlainVectors, PlainVectorsSettings
from toulmin.methods.protocol import Linked, Working
from toulmin.retrieval.embedders import get_embedder
from toulmin.retrieval.triples import TripleVectors, around, nearest, triple_text

pytest_plugins = ("asked_graphs", "harbour_world")

METHODS = ("kaping", "plain-vectors")


@pytest.mark.parametrize("method", METHODS)
def test_the_answer_is_reached_over_what_was_cited(method: str, harbour: MemoryGraph) -> None:
    def reply(step: str, prompt: str) -> Any:
        return {"statements": [number_of(prompt, "Tern", "built by")], "answer": ["Hollis Yard"]}

    events = told(method, "Who built the Tern?", harbour, scripted(reply))
    answer = answer_of(events)
    assert answer.values == (HOLLIS,)
    assert answer.grounded
    assert answer.usage.model_calls == 1
    kinds = [type(event) for event in events]
    assert kinds.index(Linked) < kinds.index(StatementsRetrieved)


def test_two_steps_are_walked_from_the_entity_of_the_question(harbour: MemoryGraph) -> None:
    def reply(step: str, prompt: str) -> Any:
        cited = [number_of(prompt, "Tern", "built by"), number_of(prompt, "Hollis Yard", "seat")]
        return {"statements": cited, "answer": ["Quillport"]}

    question = "In which town is the yard that built the Tern?"
    answer = answer_of(told("plain-vectors", question, harbour, scripted(reply)))
    assert answer.values == (QUAY,)
    program = answer.certificate["program"]
    assert [node["relations"] for node in program if node["op"] == "follow"] == [["w:built"], ["w:seat"]]
    assert [node["id"] for node in program if node["op"] == "entity" and node.get("words")] == [TERN.id]


def test_only_statements_of_linked_entities_are_candidates(harbour: MemoryGraph) -> None:
    model = scripted(lambda step, prompt: {"statements": [], "answer": []})
    events = told("kaping", "Who built the Tern?", harbour, model)
    (retrieved,) = [event for event in events if isinstance(event, StatementsRetrieved)]
    assert retrieved.candidates == 4
    assert all(TERN in (one.subject, one.object) for one in retrieved.statements)
    assert answer_of(events).abstained


def test_k_statements_are_shown_the_likest_first(harbour: MemoryGraph) -> None:
    model = scripted(lambda step, prompt: {"statements": [], "answer": []})
    events = told("kaping", "When was the Tern launched?", harbour, model, settings=KapingSettings(k=1))
    (retrieved,) = [event for event in events if isinstance(event, StatementsRetrieved)]
    assert [one.relation.id for one in retrieved.statements] == ["w:launched"]
    assert "[1] Tern | launched" in model.requests[0].messages[-1].content


def test_without_an_entity_the_model_is_alone_and_that_is_told(harbour: MemoryGraph) -> None:
    model = scripted(lambda step, prompt: {"answer": ["Quillport"]})
    answer = answer_of(told("kaping", "zzz?", harbour, model))
    assert answer.grounded is False
    assert "(none)" in model.requests[0].messages[-1].content


@pytest.mark.parametrize("method", METHODS)
def test_claims_and_choices(method: str, harbour: MemoryGraph) -> None:
    claim = toulmin.Request("The Tern was built by Hollis Yard.", "claim")
    yes = scripted(lambda step, prompt: {"statements": [number_of(prompt, "built by")], "answer": "yes"})
    answer = answer_of(told(method, claim, harbour, yes))
    assert (answer.verdict, answer.grounded) == (True, True)
    choice = toulmin.Request("Who built the Tern?", options=("Hollis Yard", "Munt & Sons"))
    first = scripted(lambda step, prompt: {"statements": [number_of(prompt, "built by")], "answer": 1})
    assert answer_of(told(method, choice, harbour, first)).text == "Hollis Yard"


@pytest.mark.parametrize("method", METHODS)
def test_the_paper_shows_no_examples(method: str, harbour: MemoryGraph) -> None:
    model = scripted(lambda step, prompt: {"statements": [], "answer": []})
    told(f"{method}:paper", "Who built the Tern?", harbour, model)
    assert len(model.requests[0].messages) == 2


@pytest.mark.parametrize("method", METHODS)
def test_budgets_and_junk(method: str, harbour: MemoryGraph) -> None:
    model = scripted(lambda step, prompt: "no JSON")
    assert answer_of(told(method, "Who built the Tern?", harbour, model, budget=Budget(calls=0))).abstained
    with pytest.raises(NothingUsableError):
        told(method, "Who built the Tern?", harbour, model)


def test_a_graph_that_is_too_large_is_not_embedded_whole(harbour: MemoryGraph) -> None:
    model = scripted(lambda step, prompt: {"statements": [], "answer": []})
    whole = told("plain-vectors", "Who built the Tern?", harbour, model)
    near = told(
        "plain-vectors", "Who built the Tern?", harbour, model, settings=PlainVectorsSettings(largest=3, hops=1)
    )
    assert [event.of for event in whole if isinstance(event, Working)][-1] == 8
    assert not [event for event in near if isinstance(event, Working)]
    counts = [
        event.candidates for events in (whole, near) for event in events if isinstance(event, StatementsRetrieved)
    ]
    assert counts == [8, 4]


def test_vectors_of_a_built_graph_are_kept(world: EmbeddedGraph, own_cache: Path) -> None:
    embedder = TabledEmbedder("x", {"(Metropolis, director, Fritz Lang)": 0.9})
    first = TripleVectors(world, embedder)
    assert not first.is_made
    assert list(first.make())[-1] == (len(first), len(first))
    again = TripleVectors(world, embedder)
    assert again.is_made
    assert [triple_text(one) for one in again.nearest("x", 1)] == ["(Metropolis, director, Fritz Lang)"]
    assert [one.id for one in again.nearest("x", 5)] == [one.id for one in first.nearest("x", 5)]
    (kept,) = (own_cache / "toulmin" / "triples").iterdir()
    kept.write_bytes(b"no array")
    assert not TripleVectors(world, embedder).is_made


def test_nodes_with_a_machine_id_alone_count_as_no_hop() -> None:
    event, prize = Entity("m.0abc12"), Entity("w:9", "Silver Oar")
    statements = [
        Statement(TERN, Relation("w:won", "won"), event),
        Statement(event, Relation("w:prize", "prize"), prize),
        Statement(prize, Relation("w:maker", "maker"), HOLLIS),
    ]
    with MemoryGraph.from_statements(statements) as graph:
        found = around(graph, [TERN.id])
        assert [one.relation.id for one in found] == ["w:won", "w:prize"]
        assert len(TripleVectors(graph, get_embedder())) == 1


def test_of_many_statements_those_of_the_likest_relations_are_compared() -> None:
    embedder = get_embedder()
    statements = [
        Statement(TERN, Relation("w:rope", "number of ropes"), Entity(f"w:x{n}", f"x{n}")) for n in range(600)
    ]
    statements.append(Statement(TERN, Relation("w:captain", "captain"), HOLLIS))
    best = nearest("Who is the captain of the Tern?", statements, 1, embedder)
    assert triple_text(best[0]) == "(Tern, captain, Hollis Yard)"
    assert nearest("x", [], 3, embedder) == nearest("x", statements, 0, embedder) == []


@pytest.mark.parametrize("settings", [{"k": 0}, {"hops": 0}, {"demonstrations": 3}, {"temperature": 9.0}])
def test_settings_out_of_range(settings: dict[str, Any]) -> None:
    for kind in (KapingSettings, PlainVectorsSettings):
        with pytest.raises(SettingsError):
            kind(**settings)
    with pytest.raises(SettingsError):
        PlainVectorsSettings(largest=-1)


def test_one_call() -> None:
    assert Kaping().most_calls() == PlainVectors().most_calls() == 1
