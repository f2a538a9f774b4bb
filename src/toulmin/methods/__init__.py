"""One module or package per method: question + graph -> Answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toulmin.methods.protocol import Event
    from toulmin.program.answer import Answer

__all__ = ["answer_from"]


def answer_from(events: Iterable[Event | Mapping[str, Any]]) -> Answer:
    """The answer that events tell, as a method yielded them or as they were stored in JSON.

    Raises:
        InputError: none of them is the answer.
    """
    from toulmin.methods.trace import answer_from as told

    return told(events)
