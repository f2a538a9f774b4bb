"""The method that chooses a method: what it chooses for what, and that the answer is the chosen one's."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import pytest

import toulmin
from toulmin.errors import NothingUsableError, SettingsError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, Relation, Statement
from toulmin.graph.union import UnionGraph
from toulmin.llm.scripted import ScriptedModel
from toulmin.methods.auto import AutoSettings, Chosen
from toulmin.methods.protocol import Answered, Event
from toulmin.retrieval.knowledge import TemporalKnowledge

MILL, WEIR = Entity("e:mill", "Lower Mill"), Entity("e:weir", "Otter Weir")
OWNER = Entity("e:owner", "Ilse Brandt")


@pytest.fixture(scope="module")
def graph() -> Iterator[MemoryGraph]:
    statements = [
        Statement(MILL, Relation("r:owner", "owner"), OWNER),
        Statement(WEIR, Relation("r:owner", "owner"), OWNER),
        Statement(MILL, Relation("r:beside", "beside"), WEIR),
    ]
    with MemoryGraph.from_statements(statements) as graph:
        yield graph


def chosen(graph: Graph, request: str | toulmin.Request, settings: AutoSettings | None = None) -> Chosen:
    """What is chosen where there is a model, which then gives nothing usable; the reader is never sure enough."""
    never_sure = replace(settings or AutoSettings(), sure_beside_model=2.0)
    seen: list[Event] = []

    async def collect() -> None:
        model = ScriptedModel(lambda request: "nothing")
        async for event in toulmin.events(graph, request, method="auto", settings=never_sure, model=model):
            seen.append(event)  # noqa: PERF401  what was told before the error

    with suppress(NothingUsableError):
        asyncio.run(collect())
    last = [event for event in seen if isinstance(event, Chosen)][-1]
    assert isinstance(last, Chosen)
    return last


@pytest.mark.parametrize(
    ("question", "method", "why"),
    [
        ("Who is the owner of Lower Mill?", "fidelis:frugal", "path of relations"),
        ("Is Ilse Brandt the owner of Lower Mill?", "r3", "verdict"),
        ("Should Ilse Brandt close Otter Weir?", "r3", "verdict"),
        ("Which mill can Ilse Brandt not own?", "sparql", "leaves something out"),
        ("How many mills does Ilse Brandt own?", "sparql", "a number is asked for"),
        ("How many mills are there?", "sparql", "a number is asked for"),
        ("How was Lower Mill called?", "fidelis:frugal", "path of relations"),
        ("Which mills are not beside Otter Weir?", "sparql", "leaves something out"),
        ("Which mill has more than two owners?", "sparql", "compares or bounds"),
        ("Describe Lower Mill.", "open-ended", "a text is asked for"),
        ("Why does Ilse Brandt own Otter Weir?", "open-ended", "a text is asked for"),
    ],
)
def test_by_what_is_asked(graph: MemoryGraph, question: str, method: str, why: str) -> None:
    found = chosen(graph, question)
    assert (found.method, why in found.why) == (method, True), found


def test_by_what_is_beside_the_question(graph: MemoryGraph) -> None:
    assert chosen(graph, toulmin.Request("Who owns it?", options=("Ilse", "Otto"))).method == "r3"
    assert chosen(graph, toulmin.Request("Ilse Brandt owns Lower Mill.", "claim")).method == "r3"
    asked = toulmin.Request("Is it so?", knowledge=TemporalKnowledge(graph))
    assert chosen(graph, asked).method == "rr"
    of_one = AutoSettings(path="kaping")
    assert chosen(graph, "Who is the owner of Lower Mill?", of_one).method == "kaping"


def events(graph: Graph, question: str, settings: AutoSettings) -> tuple[list[str], Answered]:
    """The methods that are chosen without a model, and the answer."""

    async def asked() -> list[Event]:
        return [event async for event in toulmin.events(graph, question, method="auto", settings=settings)]

    seen = asyncio.run(asked())
    assert isinstance(seen[-1], Answered)
    return [event.method for event in seen if isinstance(event, Chosen)], seen[-1]


def test_without_a_model_what_is_no_question_for_the_reader_is_refused(graph: MemoryGraph) -> None:
    with pytest.raises(SettingsError, match="a claim needs a language model"):
        toulmin.ask(graph, toulmin.Request("Ilse Brandt owns Lower Mill.", "claim"))
    with pytest.raises(SettingsError, match="r3 needs a language model"):
        toulmin.ask(graph, toulmin.Request("Who owns it?", options=("Ilse", "Otto")))
    with pytest.raises(SettingsError, match="rr needs a language model"):
        toulmin.ask(graph, toulmin.Request("Who owns it?", knowledge=TemporalKnowledge(graph)))


@pytest.fixture(scope="module")
def classes(graph: MemoryGraph) -> Iterator[MemoryGraph]:
    kind = Relation("instance of", "instance of")
    statements = [
        Statement(MILL, Relation("r:owner", "owner"), OWNER),
        Statement(WEIR, Relation("r:owner", "owner"), OWNER),
        *(Statement(owned, kind, Entity("e:kind", "mill")) for owned in (MILL, WEIR)),
        Statement(OWNER, kind, Entity("e:person", "person")),
    ]
    with MemoryGraph.from_statements(statements) as made:
        yield made


@pytest.mark.parametrize("made", ["graph", "classes"])
@pytest.mark.parametrize(
    "question",
    ["Who is the owner of Lower Mill?", "How many mills does Ilse Brandt own?", "Describe Lower Mill.", "Is it so?"],
)
def test_without_a_model_the_reader_answers_whatever_is_asked(
    made: str, question: str, request: pytest.FixtureRequest
) -> None:
    graph: MemoryGraph = request.getfixturevalue(made)
    methods, last = events(graph, question, AutoSettings())
    assert methods == [last.answer.method] == ["reader"]
    assert last.answer.check(graph).exit_code == 0
    assert last.answer.values == toulmin.ask(graph, question, method="reader").values


@pytest.mark.parametrize("made", ["graph", "classes"])
@pytest.mark.parametrize("method", ["reader", "fidelis:embedding"])
def test_without_a_model_the_method_of_the_settings_answers(
    made: str, method: str, request: pytest.FixtureRequest
) -> None:
    graph: MemoryGraph = request.getfixturevalue(made)
    methods, last = events(graph, "Who is the owner of Lower Mill?", AutoSettings(reader=method))
    assert (methods, last.answer.values) == ([method], (OWNER,))
    assert last.answer.method == method.partition(":")[0]


def test_a_sure_reading_needs_no_model(classes: MemoryGraph) -> None:
    def never(request: object) -> str:
        raise AssertionError("the model is asked")

    answer = toulmin.ask(
        classes,
        "Who is the owner of Lower Mill?",
        settings=AutoSettings(sure_beside_model=0.0),
        model=ScriptedModel(never),
    )
    assert (answer.method, answer.values) == ("reader", (OWNER,))


def test_no_query_spans_several_graphs(graph: MemoryGraph) -> None:
    with MemoryGraph.from_statements([Statement(WEIR, Relation("r:built", "built"), OWNER)], name="other") as other:
        found = chosen(UnionGraph([graph, other]), "How many mills does Ilse Brandt own?")
    assert found.method == "fidelis:frugal"
    assert "no query spans several graphs" in found.why


def test_a_method_that_there_is_not(graph: MemoryGraph) -> None:
    with pytest.raises(SettingsError, match="no method is called 'sparkle'"):
        chosen(graph, "How many mills does Ilse Brandt own?", AutoSettings(computed="sparkle"))
