"""Scripted models for R³: each step replies from what stands in its prompt, as a model would."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import toulmin
from toulmin.graph.protocol import Graph
from toulmin.llm.protocol import Model, ModelRequest
from toulmin.llm.scripted import ScriptedModel
from toulmin.llm.session import Budget
from toulmin.methods.protocol import Answered, Event
from toulmin.methods.r3 import R3Settings
from toulmin.methods.request import Task
from toulmin.program.answer import Answer

Reply = str | Mapping[str, Any] | Callable[[str], Any]


def asked(request: ModelRequest) -> str:
    """What the user message of a request says, without the demonstrations."""
    return request.messages[-1].content


def number_of(prompt: str, *parts: str, block: str = "statements") -> int:
    """The number of the first line of a list that holds all these parts."""
    inside = prompt.split(f"<{block}>")[1].split(f"</{block}>")[0]
    lines = [line for line in inside.splitlines() if all(part in line for part in parts)]
    assert lines, f"no line with {parts} in {inside}"
    match = re.match(r"\[(\d+)\]", lines[0])
    assert match
    return int(match[1])


def model(**steps: Reply | Sequence[Reply]) -> ScriptedModel:
    """A model that replies by step; a list is used up in order, a function gets the prompt."""
    used: dict[str, int] = {}
    defaults: dict[str, Reply] = {
        "entities": {"entities": []},
        "pick": {"statements": []},
        "missing": {"need": "nothing", "entity": 0},
        "ground": {"groundings": [], "judgements": []},
        "ground_option": {"groundings": [], "judgements": []},
        "ground_options": {"groundings": [], "options": []},
        "judge": {"judgements": []},
    }

    def reply(request: ModelRequest) -> str:
        step = request.step.removeprefix("r3/")
        said: Any = steps.get(step, defaults.get(step))
        if isinstance(said, list):
            place = min(used.get(step, 0), len(said) - 1)
            used[step] = used.get(step, 0) + 1
            said = said[place]
        if callable(said):
            said = said(asked(request))
        return said if isinstance(said, str) else json.dumps(said)

    return ScriptedModel(reply)


def surfaced(*programs: Mapping[str, Any]) -> dict[str, Any]:
    """The reply of a step that surfaces axioms."""
    return {"thought": "", "axioms": list(programs)}


def told(
    question: str,
    graph: Graph,
    scripted: Model,
    settings: R3Settings | None = None,
    *,
    task: Task = "question",
    options: Sequence[str] = (),
    budget: Budget | None = None,
) -> list[Event]:
    """Every event of a run."""

    async def collect() -> list[Event]:
        request = toulmin.Request(question, task, options)
        run = toulmin.events(graph, request, method="r3", settings=settings, model=scripted, budget=budget)
        return [event async for event in run]

    return asyncio.run(collect())


def answer_of(seen: Sequence[Event]) -> Answer:
    """The answer of a run."""
    last = seen[-1]
    assert isinstance(last, Answered)
    return last.answer


def steps_of(scripted: ScriptedModel) -> list[str]:
    """The steps that were asked, in order."""
    return [request.step.removeprefix("r3/") for request in scripted.requests]


def nodes_of(answer: Answer, op: str) -> list[dict[str, Any]]:
    """The nodes of one kind in the program of an answer."""
    return [node for node in answer.certificate["program"] if node["op"] == op]
