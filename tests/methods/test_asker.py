"""Asking: events, running loops, settings, and methods by name."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from answer_sets import labels, named, walked

import toulmin
from toulmin.errors import InputError, NothingUsableError, SettingsError
from toulmin.graph.memory import MemoryGraph
from toulmin.llm.scripted import ScriptedModel
from toulmin.methods.asker import Asker
from toulmin.methods.fidelis import Fidelis, FidelisSettings
from toulmin.methods.protocol import Answered, Event, Linked, Searched
from toulmin.methods.registry import get_method, method_names
from toulmin.program.answer import Answer

FILMS = [
    ("Metropolis", "director", "Fritz Lang"),
    ("M", "director", "Fritz Lang"),
    ("Metropolis", "screenwriter", "Thea von Harbou"),
    ("Fritz Lang", "spouse", "Thea von Harbou"),
    ("Fritz Lang", "place of birth", "Vienna"),
    ("Vienna", "country", "Austria"),
    ("Austria", "capital", "Vienna"),
    ("Casablanca", "director", "Michael Curtiz"),
    ("Michael Curtiz", "place of birth", "Budapest"),
]
THREE_HOPS = "In which country was the director of Metropolis born?"


@pytest.fixture(scope="module")
def films() -> Iterator[MemoryGraph]:
    with named(FILMS) as graph:
        yield graph


async def collected(question: str, graph: MemoryGraph, settings: FidelisSettings | None = None) -> list[Event]:
    return [event async for event in toulmin.events(graph, question, settings=settings or FidelisSettings())]


@pytest.mark.parametrize("question", [THREE_HOPS, "Who directed Casablanca?", "Does anybody know?"])
def test_events_come_in_order_and_the_last_is_the_answer(films: MemoryGraph, question: str) -> None:
    events = asyncio.run(collected(question, films))
    kinds = [type(event) for event in events]
    linked = events[0]
    assert isinstance(linked, Linked)
    assert kinds == [Linked, *([Searched] * len(linked.entities)), Answered]
    assert [event.event for event in events] == [kind.__name__.lower() for kind in kinds]
    searched = [event for event in events if isinstance(event, Searched)]
    assert [event.start for event in searched] == [entity.entity for entity in linked.entities]
    for event in searched:
        scores = [path.score for path in event.paths]
        assert scores == sorted(scores, reverse=True)
    for entity in linked.entities:
        assert question[entity.start : entity.end] == entity.text


def test_events_are_json_and_back(films: MemoryGraph) -> None:
    for event in asyncio.run(collected(THREE_HOPS, films)):
        assert type(event).model_validate_json(event.model_dump_json()) == event


def test_the_answer_can_be_made_again_from_the_events(films: MemoryGraph) -> None:
    events = asyncio.run(collected(THREE_HOPS, films, FidelisSettings(abstain_below=0)))
    last = events[-1]
    assert isinstance(last, Answered)
    stored = Answer.from_json(last.answer.to_json())
    assert stored == last.answer
    assert stored.check(films).exit_code == 0
    (link,) = (node for node in stored.certificate["program"] if node["op"] == "entity")
    (search,) = (one for one in events if isinstance(one, Searched) and one.start.label == "Metropolis")
    assert (THREE_HOPS[slice(*link["words"])], link["id"]) == ("Metropolis", search.start.id)
    best = [relation.label if way == "forward" else f"^{relation.label}" for relation, way in search.paths[0].relations]
    assert walked(stored) == [tuple(best)]
    reached = {search.start.id}
    for relation, way in search.paths[0].relations:
        onward = films.statements(
            sorted(reached), side="outgoing" if way == "forward" else "incoming", relations=[relation.id]
        )
        ends = [one.object if way == "forward" else one.subject for some in onward for one in some]
        reached = {end.id for end in ends if isinstance(end, toulmin.Entity)}
    assert {value.id for value in stored.values if isinstance(value, toulmin.Entity)} == reached


def test_answers_do_not_depend_on_how_or_how_often_one_asks(films: MemoryGraph) -> None:
    ask = Asker(films).ask
    answers = [ask(THREE_HOPS), ask(THREE_HOPS), toulmin.ask(films, THREE_HOPS), toulmin.ask(films, THREE_HOPS)]
    last = asyncio.run(collected(THREE_HOPS, films))[-1]
    assert isinstance(last, Answered)
    assert {one.replaced(usage=answers[0].usage).to_json() for one in (*answers, last.answer)} == {answers[0].to_json()}
    assert all(one.usage.seconds > 0 and one.usage.model_calls == 0 for one in answers)


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


@pytest.mark.parametrize("name", ["depth", "verified", "starts"])
@pytest.mark.parametrize("value", [0, -1])
def test_settings_out_of_range(name: str, value: int) -> None:
    with pytest.raises(SettingsError, match=f"fidelis: {name} is {value}"):
        FidelisSettings(**{name: value})


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_no_path_is_longer_than_the_depth(films: MemoryGraph, depth: int) -> None:
    settings = FidelisSettings(depth=depth, abstain_below=0)
    for question in (THREE_HOPS, "Where was the director of Casablanca born?", "Who directed Metropolis?"):
        events = asyncio.run(collected(question, films, settings))
        lengths = [len(path.relations) for event in events if isinstance(event, Searched) for path in event.paths]
        assert lengths
        assert max(lengths) <= depth
        last = events[-1]
        assert isinstance(last, Answered)
        assert all(len(path) <= depth for path in walked(last.answer))


@pytest.mark.parametrize(
    "settings", [FidelisSettings(verified=1), FidelisSettings(starts=1)]
)
def test_the_narrowest_search_still_answers(films: MemoryGraph, settings: FidelisSettings) -> None:
    answer = toulmin.ask(films, "Where was the director of Casablanca born?", settings=settings)
    assert labels(answer) == {"Budapest"}
    assert answer.check(films).exit_code == 0


@pytest.mark.parametrize("starts", [1, 2, 5])
def test_no_more_starts_than_asked_for(films: MemoryGraph, starts: int) -> None:
    events = asyncio.run(
        collected("Did Fritz Lang or Michael Curtiz direct Casablanca?", films, FidelisSettings(starts=starts))
    )
    assert sum(isinstance(event, Searched) for event in events) == min(starts, 3)


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
