"""Asking: events, running loops, settings, and methods by name."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from answer_sets import FILMS, THREE_HOPS, labels, named

import toulmin
from toulmin.errors import InputError, NothingUsableError, SettingsError
from toulmin.graph.memory import MemoryGraph
from toulmin.llm.scripted import ScriptedModel
from toulmin.methods.asker import Asker
from toulmin.methods.fidelis import Fidelis, FidelisSettings
from toulmin.methods.protocol import Answered, Event, Linked
from toulmin.methods.registry import get_method, method_names
from toulmin.program.answer import Answer

METHODS = ("auto", "reader", "fidelis")  # those that need no language model


@pytest.fixture(scope="module")
def films() -> Iterator[MemoryGraph]:
    with named(FILMS) as graph:
        yield graph


async def collected(question: str, graph: MemoryGraph, method: str | None = None) -> list[Event]:
    return [event async for event in toulmin.events(graph, question, method=method)]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("question", [THREE_HOPS, "Who directed Casablanca?", "Does anybody know?"])
def test_events_have_names_and_the_last_alone_is_the_answer(films: MemoryGraph, question: str, method: str) -> None:
    events = asyncio.run(collected(question, films, method))
    assert [event.event for event in events] == [type(event).__name__.lower() for event in events]
    assert [isinstance(event, Answered) for event in events] == [False] * (len(events) - 1) + [True]
    (first,) = (event for event in events if isinstance(event, Linked))
    for entity in first.entities:
        assert question[entity.start : entity.end] == entity.text


@pytest.mark.parametrize("method", METHODS)
def test_events_are_json_and_back(films: MemoryGraph, method: str) -> None:
    for event in asyncio.run(collected(THREE_HOPS, films, method)):
        assert type(event).model_validate_json(event.model_dump_json()) == event


@pytest.mark.parametrize("method", METHODS)
def test_answers_do_not_depend_on_how_or_how_often_one_asks(films: MemoryGraph, method: str) -> None:
    ask = Asker(films, method=method).ask
    answers = [ask(THREE_HOPS), ask(THREE_HOPS), *(toulmin.ask(films, THREE_HOPS, method=method) for _ in range(2))]
    last = asyncio.run(collected(THREE_HOPS, films, method))[-1]
    assert isinstance(last, Answered)
    first = answers[0]
    assert labels(first) == {"Austria"}
    made = {answer.replaced(usage=first.usage).to_json() for answer in (*answers, last.answer)}
    assert made == {first.to_json()}
    assert all(answer.usage.seconds > 0 and answer.usage.model_calls == 0 for answer in answers)


def test_asking_where_an_event_loop_runs_already(films: MemoryGraph) -> None:
    ask = Asker(films).ask

    async def cell() -> tuple[Answer, Answer]:
        return ask("Who directed Casablanca?"), toulmin.ask(films, "Who directed Casablanca?")

    for answer in asyncio.run(cell()):
        assert labels(answer) == {"Michael Curtiz"}


def test_an_empty_question_where_an_event_loop_runs_already(films: MemoryGraph) -> None:
    async def cell() -> None:
        toulmin.ask(films, " ")

    with pytest.raises(InputError, match="question is empty"):
        asyncio.run(cell())
    with pytest.raises(InputError, match="question is empty"):
        asyncio.run(collected("", films))


def test_a_question_that_is_no_unicode_text(films: MemoryGraph) -> None:
    with pytest.raises(InputError, match="no Unicode text at character 5"):
        toulmin.ask(films, "Who \udcff directed Metropolis?")


def test_an_unknown_method_is_an_error_with_a_suggestion(films: MemoryGraph) -> None:
    with pytest.raises(SettingsError, match="no method is called 'fideli'; did you mean 'fidelis'") as caught:
        toulmin.ask(films, "Who directed Metropolis?", method="fideli")
    assert "\n" not in str(caught.value)
    with pytest.raises(SettingsError, match=r"no method is called 'zzz' \(known: auto, fidelis"):
        Asker(films, method="zzz")


@pytest.mark.parametrize("settings", [{"depth": 2}, "depth=2", 3, False, ()])
def test_settings_of_another_type(films: MemoryGraph, settings: object) -> None:
    with pytest.raises(
        SettingsError, match=f"fidelis takes FidelisSettings or GuidedSettings, not {type(settings).__name__}"
    ):
        toulmin.ask(films, "Who directed Metropolis?", method="fidelis", settings=settings)
    with pytest.raises(SettingsError, match=f"settings of type {type(settings).__name__} are of no method"):
        toulmin.ask(films, "Who directed Metropolis?", settings=settings)


def test_methods_by_name() -> None:
    assert "fidelis" in method_names()
    method = get_method("fidelis")
    assert isinstance(method, Fidelis)
    assert (method.name, method.settings) == ("fidelis", FidelisSettings())
    assert get_method("fidelis", FidelisSettings(depth=1)).settings == FidelisSettings(depth=1)


PLUG_IN = """
from dataclasses import dataclass
from toulmin.methods.protocol import Answered, Method
from toulmin.program.builder import Builder
from toulmin.program.reasons import Other

@dataclass(frozen=True)
class Mood:
    mild: bool = True

class Oracle(Method):
    name = "oracle"
    needs_model = False
    @classmethod
    def forms(cls):
        return {"mild": Mood(), "stern": Mood(mild=False)}
    async def answer(self, request, context, emit):
        builder = Builder(request.question, context.graph)
        return builder.abstain(Other(says="the oracle is silent"), method=self.name)

class Mute(Oracle):
    async def run(self, request, context):
        return
        yield
"""


@pytest.fixture
def installed(distribution: Callable[..., None]) -> None:
    """A distribution that brings methods of its own."""
    points = ["oracle = Oracle", "mute = Mute", "broken = Nothing"]
    distribution("toulmin-oracle", PLUG_IN, "toulmin.methods", points)


@pytest.mark.usefixtures("installed")
def test_a_method_of_another_distribution(films: MemoryGraph) -> None:
    assert {"fidelis", "oracle"} <= set(method_names())
    answer = toulmin.ask(films, "Who directed Metropolis?", method="oracle")
    assert "the oracle is silent" in str(answer.reason)
    assert answer.method == "oracle"
    assert answer.check(films).exit_code == 0
    assert get_method("oracle:stern").settings.mild is False
    with pytest.raises(SettingsError, match="oracle takes Mood, not dict"):
        get_method("oracle", {"any": "settings"})
    with pytest.raises(SettingsError, match="did you mean 'oracle'"):
        get_method("orakle")


@pytest.mark.usefixtures("installed")
def test_a_method_of_another_distribution_that_is_broken(films: MemoryGraph) -> None:
    with pytest.raises(SettingsError, match=r"the method 'broken' of toulmin-oracle cannot be loaded"):
        get_method("broken")
    with pytest.raises(RuntimeError, match="without an answer"):
        toulmin.ask(films, "Who directed Metropolis?", method="mute")


def test_a_graph_that_is_not_open_is_an_error_in_one_line(films: MemoryGraph) -> None:
    answer = toulmin.ask(films, THREE_HOPS)
    for used in (
        lambda graph: toulmin.check_text(graph, "Vienna is in Austria."),
        lambda graph: toulmin.check(answer, graph),
    ):
        with pytest.raises(InputError, match=r"open it first, with toulmin\.open\('films'\)"):
            used("films")


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"options": ["Vienna"]}, "needs two options or more"),
        ({"options": ["Vienna", " vienna  "]}, "' vienna  ' is an option twice"),
        ({"options": ["Vienna", " "]}, "the option is empty"),
        ({"options": "Vienna"}, "give a list of texts"),
        ({"options": 3}, "the options are of type int: give a list of texts"),
        ({"chains": 3}, "the chains are of type int: give a list of texts"),
        ({"method": 3}, "the method is of type int: give its name .known: auto, fidelis, "),
        ({"model": 3}, "the model is of type int: give a model, or the name"),
        ({"budget": 3}, "the budget is of type int: give a toulmin.Budget"),
        ({"options": ["Vienna", 3]}, "the option is of type int: give a text"),
        ({"task": "claim", "options": ["Vienna", "Graz"]}, "a claim has no options"),
        ({"task": "essay"}, r"no task is called 'essay' \(known: question, claim\)"),
        ({"question": 3}, "the question is of type int: give a text"),
        ({"graph": "bundled"}, r"open it first, with toulmin\.open\('bundled'\)"),
        ({"task": "claim"}, "a claim needs a language model"),
        ({"options": ["Vienna", "Graz"]}, "r3 needs a language model"),
        ({"task": "claim", "method": "fidelis"}, r"without a language model decides no claims: take one that does"),
        ({"options": ["Vienna", "Graz"], "method": "fidelis"}, r"take one that does \(.*r3.*\)"),
    ],
)
def test_what_cannot_be_asked_is_an_error_in_one_line(films: MemoryGraph, asked: dict[str, Any], words: str) -> None:
    asked = dict(asked)
    with pytest.raises(InputError, match=words) as caught:
        held = {name: asked.pop(name) for name in ("question", "task", "options", "chains") if name in asked}
        toulmin.ask(**{"graph": films, "request": toulmin.Request(**{"question": THREE_HOPS, **held}), **asked})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("question", ["Who directed Metropolis?", "In which country was Fritz Lang born?"])
def test_r3_refuses_what_is_no_question_for_yes_or_no(films: MemoryGraph, question: str) -> None:
    with pytest.raises(SettingsError, match=r"r3 answers yes or no, and “\w+” asks for something else: take fidelis"):
        toulmin.ask(films, question, method="r3", model=ScriptedModel("{}"))
    with pytest.raises(NothingUsableError):  # what is asked of an option is for yes or no
        toulmin.ask(
            films, toulmin.Request(question, options=("Vienna", "Budapest")), method="r3", model=ScriptedModel("{}")
        )
