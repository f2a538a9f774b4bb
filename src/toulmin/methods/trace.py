"""A trace: all events of one question as JSON, from which the answer can be rebuilt."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from toulmin.errors import InputError
from toulmin.kernel import KernelError
from toulmin.kernel.format import read
from toulmin.methods.protocol import Answered, Event
from toulmin.program.answer import Answer

__all__ = ["KIND", "answer_from", "answer_of_json", "trace_json"]

KIND = "toulmin trace"
_VERSION = 1


def trace_json(events: Iterable[Event]) -> str:
    """The events of one question as JSON, in their order; the last one holds the answer."""
    dumped = [event.model_dump(mode="json") for event in events]
    return json.dumps({"kind": KIND, "version": _VERSION, "events": dumped}, ensure_ascii=False, indent=2)


def answer_of_json(text: str | bytes) -> Answer:
    """The answer that JSON holds: a stored answer, or a trace.

    Raises:
        InputError: it is neither, or gives a field twice.
    """
    try:
        value = read(text)
    except KernelError as error:
        raise InputError(f"not a stored answer: {error}") from None
    if not isinstance(value, dict) or value.get("kind") != KIND:
        return Answer.from_json(text)
    if value.get("version") != _VERSION:
        raise InputError(f"a trace of version {value.get('version')!r}, this Toulmin reads version {_VERSION}")
    if not isinstance(value.get("events"), list):
        raise InputError("not a trace: its events are missing")
    return answer_from(value["events"])


def answer_from(events: Iterable[Event | Mapping[str, Any]]) -> Answer:
    """The answer that events tell, as a method yielded them or as they were stored in JSON.

    Raises:
        InputError: none of them is the answer.
    """
    for event in reversed(list(events)):
        if isinstance(event, Answered):
            return event.answer
        if isinstance(event, Mapping) and event.get("event") == "answered":
            return Answer.from_json(json.dumps(event.get("answer")))
    raise InputError("the events tell no answer: the trace was cut off, or is of something else")
