"""Events of a question, and the answer rebuilt from them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

import toulmin
from toulmin import methods
from toulmin.errors import InputError, SettingsError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Relation, Statement
from toulmin.llm.protocol import Message, ModelRequest
from toulmin.llm.scripted import ScriptedModel
from toulmin.llm.session import Budget
from toulmin.methods.protocol import Answered, Emit, Event, Linked, Method, QuestionContext
from toulmin.methods.registry import get_method, method_class, method_names, settings_from
from toulmin.methods.trace import answer_of_json, trace_json
from toulmin.program.builder import Builder
from toulmin.program.reasons import Other

QUESTION = "Who directed Heat?"
HEAT, MANN = Entity("e:heat", "Heat"), Entity("e:mann", "Michael Mann")


@pytest.fixture(scope="module")
def graph() -> Iterator[MemoryGraph]:
    said = Statement(HEAT, Relation("r:directed_by", "directed by"), MANN)
    with MemoryGraph.from_statements([said]) as graph:
        yield graph


async def told(graph: MemoryGraph, **asked: Any) -> list[Event]:
    return [event async for event in toulmin.events(graph, QUESTION, **asked)]


def test_the_answer_is_rebuilt_from_the_events_and_from_their_json(graph: MemoryGraph) -> None:
    events = asyncio.run(told(graph))
    assert isinstance(events[1], Linked)
    assert isinstance(events[-1], Answered)
    answer = methods.answer_from(events)
    assert answer.values == (MANN,)
    stored = trace_json(events)
    assert answer_of_json(stored) == answer
    assert methods.answer_from(json.loads(stored)["events"]) == answer
    assert answer_of_json(answer.to_json()) == answer
    assert answer_of_json(stored).check(graph) == toulmin.check(answer, graph)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"kind": "toulmin trace", "version": 1, "events": [{"event": "linked"}]}', "the events tell no answer"),
        ('{"kind": "toulmin trace", "version": 1, "events": [{"event": "answered"}]}', "not a stored answer"),
        ('{"kind": "toulmin trace", "version": 1, "events": {}}', "its events are missing"),
        ('{"kind": "toulmin trace", "version": 7, "events": []}', "a trace of version 7"),
        ("[" * 100_000, "not a stored answer"),
        ("no JSON", "not a stored answer"),
    ],
)
def test_what_holds_no_answer_is_told(text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as raised:
        answer_of_json(text)
    assert "\n" not in str(raised.value)


def test_asking_is_the_same_awaited_and_within_a_running_loop(graph: MemoryGraph) -> None:
    async def in_a_notebook() -> tuple[toulmin.Answer, toulmin.Answer, list[Event]]:
        events = [event async for event in toulmin.events(graph, QUESTION)]
        return await toulmin.aask(graph, QUESTION), toulmin.ask(graph, QUESTION), events

    awaited, asked, events = asyncio.run(in_a_notebook())
    for answer in (awaited, asked, methods.answer_from(events), toulmin.ask(graph, QUESTION)):
        assert answer.values == (MANN,)


@dataclass(frozen=True)
class Nothing:
    """No settings."""


class Echo(Method):
    """A method that asks its model one thing, and abstains with what it replies."""

    name: ClassVar[str] = "echo"
    takes = frozenset({"claim", "options"})

    @classmethod
    def forms(cls) -> Mapping[str, Nothing]:
        return {"default": Nothing()}

    async def answer(self, request: toulmin.Request, context: QuestionContext, emit: Emit) -> toulmin.Answer:
        assert context.model is not None
        reply = await context.model.complete(ModelRequest((Message("user", request.question),)))
        said = f"{request.task} {'/'.join(request.options)} {context.budget} {reply.completions[0].text}"
        builder = Builder(request.question, context.graph)
        return builder.abstain(Other(says=said), method=self.name, model=context.model.name)


def test_a_method_gets_model_budget_task_and_options(graph: MemoryGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toulmin.methods.asker.get_method", lambda *_, **__: Echo())
    model = ScriptedModel(["yes", "no"])
    answer = toulmin.ask(
        graph, toulmin.Request("tea", options=("a", "b")), method="echo", model=model, budget=Budget(calls=3)
    )
    assert f"question a/b {Budget(calls=3)} yes" in str(answer.reason)
    assert answer.model == "scripted"
    assert "claim None no" in str(
        toulmin.ask(graph, toulmin.Request("tea is hot", "claim"), method="echo", model=model).reason
    )


@pytest.mark.parametrize(
    ("options", "problem"),
    [(("a",), "two options or more"), (("a", "a"), "'a' is an option twice"), (("a", " "), "the option is empty")],
)
def test_options_that_cannot_be_chosen_from(options: tuple[str, ...], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        toulmin.Request(QUESTION, options=options)


def test_an_address_without_the_name_of_a_model(graph: MemoryGraph) -> None:
    with pytest.raises(SettingsError, match="base_url is of a model given by its name"):
        toulmin.ask(graph, QUESTION, base_url="http://127.0.0.1:9/v1")
    with pytest.raises(SettingsError, match="write KIND:NAME"):
        toulmin.ask(graph, QUESTION, model="gpt")


def test_forms_are_settings_with_a_name() -> None:
    assert {"fidelis", "r3"} <= set(method_names())
    for name in ("fidelis", "r3"):
        for form, settings in method_class(name).forms().items():
            assert get_method(f"{name}:{form}").settings == settings
    assert settings_from("fidelis", {}) == ("fidelis", method_class("fidelis").forms()["embedding"])
    assert settings_from("fidelis", {}, model=True) == ("fidelis", method_class("fidelis").forms()["model"])
    _, changed = settings_from("fidelis:frugal", {"depth": "2", "calls": "none", "reader": "false"}, model=True)
    assert (changed.search, changed.depth, changed.calls, changed.reader) == (False, 2, None, False)
    _, several = settings_from("r3", {"complete": "r:child,r:spouse"})
    assert several.complete == ("r:child", "r:spouse")


@pytest.mark.parametrize(
    ("name", "given", "problem"),
    [
        ("fidelis:fruga", {}, "no form 'fruga'; did you mean 'frugal'"),
        ("oracle", {}, "no method is called 'oracle'"),
        ("fidelis", {"dept": "1"}, "no setting 'dept'; did you mean 'depth'"),
        ("fidelis", {"depth": "deep"}, "depth is 'deep'"),
        ("fidelis", {"depth": "0"}, "give 1 or more"),
        ("fidelis:paper", {"verifier": "oracle"}, "verifier is 'oracle'"),
    ],
)
def test_settings_that_do_not_exist(name: str, given: dict[str, str], problem: str) -> None:
    with pytest.raises(SettingsError, match=problem):
        settings_from(name, given)


def test_a_form_takes_no_other_settings() -> None:
    with pytest.raises(SettingsError, match="names its settings"):
        get_method("fidelis:frugal", method_class("fidelis").forms()["paper"])
