"""Think-on-Graph: what is explored, pruned and cited are numbers of what was shown; memory is marked as such."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from answer_sets import labels, named, walked
from random_replies import HOSTILE

from drawn import RandomModel
from toulmin.errors import NothingUsableError, SettingsError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.store import EmbeddedGraph
from toulmin.llm.protocol import ModelRequest
from toulmin.llm.scripted import ScriptedModel
from toulmin.llm.session import Budget
from toulmin.methods.asker import Asker
from toulmin.methods.protocol import Event
from toulmin.methods.registry import get_method
from toulmin.methods.request import Request
from toulmin.methods.tog import ToGSettings
from toulmin.methods.trace import answer_from
from toulmin.program.answer import Answer

pytest_plugins = ("asked_graphs",)

LINE = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)
FOUND = re.compile(r"^#(\d+) (.*)$", re.MULTILINE)
GUESTS = [f"guest {number}" for number in range(30)]
TRIPLES = [
    ("Pim Tallow", "apprentice of", "Greta Wick"),
    ("Pim Tallow", "sells", "beeswax candles"),
    ("Pim Tallow", "sells", "rushlights"),
    ("Greta Wick", "workshop", "Snuff Lane"),
    ("Greta Wick", "cat", "Soot"),
    ("Snuff Lane", "guild", "Chandlers"),
    ("Chandlers", "founded in", "Lantern Yard"),
    *(("Lantern Yard", "visited by", guest) for guest in GUESTS),
]
QUESTION = "Which guild does the workshop of the master of Pim Tallow belong to?"
WAY = ("apprentice of", "workshop", "guild")


@pytest.fixture(scope="module")
def yard() -> MemoryGraph:
    return named(TRIPLES)


class Guide:
    """A model that wants certain relations and entities, by pieces of their lines.

    Args:
        enough: what must stand in the statements for them to suffice; None: they never do.
        answer: names of what was found, or a verdict; ``cited``: pieces of the statements.
    """

    def __init__(
        self,
        relations: Sequence[str] = WAY,
        entities: Sequence[str] = (),
        enough: str | None = "Chandlers",
        answer: Sequence[str] | str = ("Chandlers",),
        cited: Sequence[str] = ("guild",),
        replies: Mapping[str, str] | None = None,
    ) -> None:
        self.relations, self.entities, self.enough = relations, entities, enough
        self.answer, self.cited, self.replies = answer, cited, replies or {}
        self.model = ScriptedModel(self.reply)

    @property
    def steps(self) -> list[str]:
        return [request.step.removeprefix("tog/") for request in self.model.requests]

    def reply(self, request: ModelRequest) -> str:
        step, text = request.step.removeprefix("tog/"), request.messages[-1].content
        if step in self.replies:
            return self.replies[step]
        if step in ("relations", "entities"):
            wanted = self.relations if step == "relations" else self.entities
            lines = [(int(number), line) for number, line in LINE.findall(text)]
            chosen = [number for piece in wanted for number, line in lines if self._fits(line, piece, step)]
            return json.dumps({step: [{"number": number, "score": 0.5} for number in chosen][:3]})
        if step == "sufficient":
            return json.dumps({"sufficient": "yes" if self.enough is not None and self.enough in text else "no"})
        if step.startswith("memory"):
            return json.dumps({"answer": "no" if step == "memory_claim" else ["Wax Hall"]})
        numbers = [int(number) for number, line in LINE.findall(text) if any(piece in line for piece in self.cited)]
        found = {name: int(number) for number, name in FOUND.findall(text)}
        answer = self.answer if isinstance(self.answer, str) else [found[name] for name in self.answer]
        return json.dumps({"thought": "so it is", "statements": numbers, "answer": answer})

    @staticmethod
    def _fits(line: str, piece: str, step: str) -> bool:
        return line.endswith((f"—{piece}→", f"←{piece}—")) if step == "relations" else line.endswith(piece)


def ask(
    graph: Any, model: Any, asked: str | Request, budget: Budget | None = None, **settings: Any
) -> tuple[Answer, list[Event]]:
    made = settings.pop("made", None) or ToGSettings(**settings)
    asker = Asker(graph, method="tog", settings=made, model=model, budget=budget)

    async def told() -> list[Event]:
        return [event async for event in asker.events(asked)]

    from toulmin.methods.asker import wait_for

    events = wait_for(told())
    answer = answer_from(events)
    report = Answer.from_json(answer.to_json()).check(graph)
    assert report.exit_code == 0, (report.problems, report.nodes)
    return answer, events


def test_it_explores_until_what_it_found_suffices(yard: MemoryGraph) -> None:
    guide = Guide()
    answer, events = ask(yard, guide.model, QUESTION)
    assert labels(answer) == {"Chandlers"}
    assert walked(answer) == [WAY]
    assert answer.grounded
    assert guide.steps == ["relations", "sufficient"] * 3 + ["answer"]  # so few entities need no pruning
    told = [event.event for event in events if event.event != "called"]
    assert told == ["linked", *["relations pruned", "entities pruned", "sufficiency"] * 3, "decided", "answered"]
    assert answer.certificate["trace"]["cited"] == [["Snuff Lane", "guild", "Chandlers"]]


def test_the_values_of_a_chosen_end_are_judged_to_be_meant(yard: MemoryGraph) -> None:
    guide = Guide(["sells"], enough="rushlights", answer=["rushlights"], cited=["rushlights"])
    answer, _ = ask(yard, guide.model, "What does Pim Tallow sell?")
    assert labels(answer) == {"rushlights"}
    (among,) = [node for node in answer.certificate["program"] if node["op"] == "among"]
    assert among["by"] == "scripted"


def test_every_number_that_may_be_replied_was_shown(yard: MemoryGraph) -> None:
    guide = Guide()
    ask(yard, guide.model, QUESTION, made=ToGSettings.paper())
    for request in guide.model.requests:
        assert request.schema is not None
        text = request.messages[-1].content
        lines = len(LINE.findall(text))
        step = request.step.removeprefix("tog/")
        if step in ("relations", "entities"):
            items = request.schema["properties"][step]["items"]["properties"]["number"]
            assert items["enum"] == list(range(1, lines + 1))
        if step == "answer":
            assert request.schema["properties"]["statements"]["items"]["enum"] == list(range(1, lines + 1))
            (_, numbers) = request.schema["properties"]["answer"]["anyOf"]
            assert numbers["items"]["enum"] == list(range(1, len(FOUND.findall(text)) + 1))


def test_many_entities_are_sampled_by_the_seed_and_pruned_by_the_model(yard: MemoryGraph) -> None:
    def entities(seed: int) -> list[str]:
        guide = Guide(["visited by"], GUESTS, enough="guest", answer="unknown", cited=())
        ask(yard, guide.model, "Who went to Lantern Yard?", seed=seed)
        (asked,) = [one for one in guide.model.requests if one.step == "tog/entities"]
        return [line for _, line in LINE.findall(asked.messages[-1].content)]

    assert len(entities(0)) == 5
    assert entities(0) == entities(0)
    assert entities(0) != entities(1)


def test_random_pruning_asks_for_no_entities(yard: MemoryGraph) -> None:
    guide = Guide(["visited by"], enough="guest", answer="unknown", cited=())
    _, events = ask(yard, guide.model, "Who went to Lantern Yard?", made=ToGSettings.paper(pruning="random"))
    assert "entities" not in guide.steps
    (pruned,) = [event for event in events if event.event == "entities pruned"]
    assert len(pruned.kept) == 3  # type: ignore[attr-defined]


@pytest.mark.parametrize("relations", [WAY, ()])
def test_what_does_not_suffice_is_an_abstention_unless_memory_is_wanted(
    yard: MemoryGraph, relations: Sequence[str]
) -> None:
    answer, _ = ask(yard, Guide(relations, enough=None).model, QUESTION)
    assert answer.abstained
    answer, events = ask(yard, Guide(relations, enough=None).model, QUESTION, fallback="memory")
    assert labels(answer) == {"Wax Hall"}
    assert answer.grounded is False
    assert answer.certificate["trace"]["grounded"] is False
    assert any(event.event == "fell back" for event in events)
    claim = Request("Pim Tallow is rich.", task="claim")
    answer, _ = ask(yard, Guide(relations, enough=None).model, claim, fallback="memory")
    assert (answer.verdict, answer.grounded) == (False, False)


def test_a_claim_is_judged_by_the_statements_cited(yard: MemoryGraph) -> None:
    claim = Request("The master of Pim Tallow kept a cat.", task="claim")
    guide = Guide(["apprentice of", "cat"], enough="Soot", answer="yes", cited=["Soot"])
    answer, _ = ask(yard, guide.model, claim)
    assert (answer.verdict, answer.grounded) == (True, True)
    (judged,) = [node for node in answer.certificate["program"] if node["op"] == "judged"]
    assert len(judged["seen"]) == 1


def test_a_verdict_without_a_statement_is_sent_back(yard: MemoryGraph) -> None:
    claim = Request("The master of Pim Tallow kept a cat.", task="claim")
    guide = Guide(["apprentice of", "cat"], enough="Soot", answer="yes", cited=())
    with pytest.raises(NothingUsableError, match="cites the numbers"):
        ask(yard, guide.model, claim)


def test_one_list_without_a_usable_reply_is_no_end(yard: MemoryGraph) -> None:
    calls = 0

    def reply(request: ModelRequest) -> str:
        nonlocal calls
        if request.step == "tog/relations" and "Pim Tallow —sells→" in request.messages[3 * 2 + 1].content:
            calls += 1
            return "no"
        return guide.reply(request)

    guide = Guide(["visited by"], enough="guest", answer="unknown", cited=())
    question = "Did Pim Tallow go to Lantern Yard?"
    _, events = ask(yard, ScriptedModel(reply), question, made=ToGSettings.paper())
    assert calls == 2
    assert any(event.event == "fell back" for event in events)


def test_the_budget_is_kept(yard: MemoryGraph) -> None:
    for calls in range(7):
        answer, _ = ask(yard, Guide().model, QUESTION, Budget(calls=calls))
        assert answer.certificate["answer"]["reasons"] == [{"code": "stopped", "what": "calls"}]
    assert not ask(yard, Guide().model, QUESTION, Budget(calls=7))[0].abstained


@pytest.mark.parametrize("form", ["together", "paper", "paper-r"])
def test_no_more_calls_than_it_says(yard: MemoryGraph, form: str) -> None:
    guide = Guide(["visited by", "founded in", "guild"], GUESTS, enough=None)
    method = get_method(f"tog:{form}")
    ask(yard, guide.model, "Which of Pim Tallow, Greta Wick and Lantern Yard is the Chandlers'?", made=method.settings)
    most = method.most_calls()
    assert most is not None
    assert len(guide.model.requests) <= most


def test_settings_out_of_range() -> None:
    with pytest.raises(SettingsError, match="width is 0"):
        ToGSettings(width=0)
    with pytest.raises(SettingsError, match="unknown fallback"):
        ToGSettings(fallback="guess")  # type: ignore[arg-type]


@pytest.mark.parametrize("form", ["together", "paper", "paper-r"])
def test_random_replies(world: EmbeddedGraph, form: str) -> None:
    asked: Sequence[str | Request] = (
        "Where was the father of Ada Lovelace born?",
        Request("Paris is larger than Berlin.", task="claim"),
        "Did Marie Curie and Pierre Curie work in the same field?",
    )
    answered = 0
    for seed in range(15):
        budget = Budget(calls=seed % 7) if seed % 4 == 3 else None
        settings = get_method(f"tog:{form}").settings
        try:
            answer, _ = ask(world, RandomModel(seed, sound=0.9), asked[seed % 3], budget, made=settings)
        except NothingUsableError:
            continue
        answered += not answer.abstained
        if answer.grounded is False:
            assert answer.certificate["trace"]["grounded"] is False
    assert answered > 0


@pytest.mark.parametrize("reply", HOSTILE)
def test_hostile_replies_are_the_models_failure(yard: MemoryGraph, reply: str) -> None:
    with pytest.raises(NothingUsableError):
        ask(yard, ScriptedModel(lambda _: reply), QUESTION)
