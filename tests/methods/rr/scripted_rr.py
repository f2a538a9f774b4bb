"""Runs of RR with recorded chains and scripted models, on the bundled graph."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import toulmin
from toulmin.graph.protocol import Graph
from toulmin.llm.protocol import Model, ModelRequest
from toulmin.llm.scripted import ScriptedModel
from toulmin.llm.session import Budget
from toulmin.methods.protocol import Answered, Event
from toulmin.methods.request import Task
from toulmin.methods.rr import RRSettings
from toulmin.program.answer import Answer
from toulmin.retrieval.knowledge import Knowledge

LAPTOP = "Did Aristotle use a laptop?"
#: The running example of papers/rr, section 3.
R1 = "Aristotle died in 2000. The first laptop was invented in 1980. Thus, he used a laptop. So the answer is yes."
R2 = "Aristotle died in 322 BC. The first laptop was invented in 2000. Thus, he did not use one. So the answer is no."
R3 = "Aristotle died in 322 BC. The first laptop was invented in 1980. Thus, he did not use one. So the answer is no."
K1 = "Aristotle was a Greek philosopher. Aristotle died in 322 BC in Euboea."
K2 = "The first laptop, the Epson HX-20, was invented in 1980 by Yukio Yokozawa."

Said = str | Mapping[str, Any] | Callable[[str], Any]
E = TypeVar("E", bound=Event)


def told(
    graph: Graph,
    question: str,
    settings: RRSettings | None = None,
    *,
    knowledge: Knowledge | None = None,
    chains: Sequence[str] = (),
    model: Model | None = None,
    budget: Budget | None = None,
    task: Task = "question",
) -> list[Event]:
    """Every event of a run."""

    async def collect() -> list[Event]:
        request = toulmin.Request(question, task, (), chains, knowledge)
        run = toulmin.events(graph, request, method="rr", settings=settings, model=model, budget=budget)
        return [event async for event in run]

    return asyncio.run(collect())


def answer_of(seen: Sequence[Event]) -> Answer:
    """The answer of a run."""
    last = seen[-1]
    assert isinstance(last, Answered)
    return last.answer


def first(seen: Sequence[Event], kind: type[E]) -> E:
    """The first event of a kind."""
    return next(event for event in seen if isinstance(event, kind))


def model(**steps: Said | list[Said]) -> ScriptedModel:
    """A model that replies by step; a list is used up in order, a function gets the user message."""
    used: dict[str, int] = {}

    def reply(request: ModelRequest) -> str:
        step = request.step.removeprefix("rr/")
        said: Any = steps[step]
        if isinstance(said, list):
            place = min(used.get(step, 0), len(said) - 1)
            used[step] = used.get(step, 0) + 1
            said = said[place]
        if callable(said):
            said = said(request.messages[-1].content)
        return said if isinstance(said, str) else json.dumps(said)

    return ScriptedModel(reply)


def steps_of(scripted: ScriptedModel) -> list[str]:
    """The steps that were asked, in order."""
    return [request.step.removeprefix("rr/") for request in scripted.requests]
