"""Asking a method: its events as they come, its answer alone, and the synchronous way for scripts and notebooks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from toulmin.errors import InputError, SettingsError
from toulmin.graph.protocol import Graph
from toulmin.llm.budget import Budget
from toulmin.llm.protocol import Model
from toulmin.methods.protocol import Answered, Context, Event, Task
from toulmin.methods.registry import get_method
from toulmin.program.answer import Answer
from toulmin.retrieval.retriever import Retriever

if TYPE_CHECKING:
    from toulmin.retrieval.knowledge import Knowledge

__all__ = ["DEFAULT", "Asker", "answer_from", "wait_for"]

#: The method where none is named.
DEFAULT = "fidelis"

_LONGEST_QUESTION = 1_000  # characters: what is longer is a text, and reading it takes too long
_LONGEST_CHAIN = 20_000
_WITHOUT = frozenset({"fidelis", "r3"})  # of our methods those that look into nothing but the graph
T = TypeVar("T")


class Asker:
    """A method on a graph; vectors and the method are opened once for many questions.

    Args:
        method: its name.
        settings: of the method's own type; None: its defaults.
        model: the language model; None: the method does without, or says that it needs one.
        budget: of one question; None: no limit.
        knowledge: beside the graph, for methods that look sentences up (rr); None: none.

    Raises:
        SettingsError: no such method, settings of another type, or a budget that is none.
    """

    def __init__(
        self,
        graph: Graph,
        *,
        method: str = DEFAULT,
        settings: Any = None,
        model: Model | None = None,
        budget: Budget | None = None,
        knowledge: Knowledge | None = None,
    ) -> None:
        if budget is not None and not isinstance(budget, Budget):
            raise SettingsError(f"the budget is of type {type(budget).__name__}: give a toulmin.Budget")
        self.method = get_method(method, settings)
        self._graph, self._retriever, self._model, self._budget = graph, Retriever(graph), model, budget
        self._knowledge = knowledge

    async def events(
        self,
        question: str,
        *,
        task: Task = "question",
        options: Sequence[str] = (),
        chains: Sequence[str] = (),
    ) -> AsyncIterator[Event]:
        """What happens while a question is answered; the last event is ``Answered``.

        Args:
            task: "claim": the text is a claim to be decided, not a question.
            options: of a multiple choice: texts, one of which is the answer.
            chains: recorded chains of thought, in place of those that a model would sample (rr).

        Raises:
            InputError: a question, option or chain that is empty, too long or no Unicode text; a single option; a claim
                with options; no such task.
            SettingsError: knowledge or chains for a method that takes none.
            ModelError: the model cannot be reached, or gave nothing usable.
        """
        if task not in get_args(Task):
            raise InputError(f"no task is called {task!r} (known: {', '.join(get_args(Task))})")
        if task == "claim" and options:
            raise InputError("a claim has no options: leave them out, or ask a question")
        question = _text(question, "question")
        chosen = tuple(_options(options, question))
        recorded = tuple(_chains(chains))
        if self.method.name in _WITHOUT and (recorded or self._knowledge is not None):
            idle = "chains" if recorded else "knowledge"
            raise SettingsError(f"{self.method.name} takes no {idle}: leave it out, or take the method rr")
        context = Context(
            self._graph, self._retriever, self._model, self._budget, task, chosen, self._knowledge, recorded
        )
        async for event in self.method.run(question, context):
            yield event

    async def aask(
        self,
        question: str,
        *,
        task: Task = "question",
        options: Sequence[str] = (),
        chains: Sequence[str] = (),
    ) -> Answer:
        """The answer alone; see ``events``."""
        async for event in self.events(question, task=task, options=options, chains=chains):
            if isinstance(event, Answered):
                return event.answer
        raise RuntimeError(f"method {self.method.name!r} ended without an answer")

    def ask(
        self,
        question: str,
        *,
        task: Task = "question",
        options: Sequence[str] = (),
        chains: Sequence[str] = (),
    ) -> Answer:
        """The answer alone, also where an event loop is running already; see ``events``."""
        return wait_for(self.aask(question, task=task, options=options, chains=chains))

    __call__ = ask


def answer_from(events: Iterable[Event | Mapping[str, Any]]) -> Answer:
    """The answer that events tell, as a method yielded them or as they were stored in JSON.

    Raises:
        InputError: none of them is the answer.
    """
    told: Answered | Mapping[str, Any] | None = None
    for event in events:
        if isinstance(event, Answered) or (isinstance(event, Mapping) and event.get("event") == "answered"):
            told = event
    if told is None:
        raise InputError("the events tell no answer: the trace was cut off, or is of something else")
    return told.answer if isinstance(told, Answered) else Answer.from_json(json.dumps(told.get("answer")))


def wait_for(coroutine: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns; in a notebook, where a loop is running in this thread already, by way of another."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        try:
            return asyncio.run(coroutine)
        finally:
            coroutine.close()  # an interrupt may come before it has begun
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def _options(options: Sequence[str], question: str) -> list[str]:
    if isinstance(options, str):
        raise InputError(f"the options are one text, {options!r}: give a list of texts")
    if not isinstance(options, Sequence):
        raise InputError(f"the options are of type {type(options).__name__}: give a list of texts")
    if len(options) == 1:
        raise InputError(f"a multiple choice needs two options or more, {question!r} has one")
    seen: set[str] = set()
    for option in options:
        folded = " ".join(_text(option, "option").split()).casefold()
        if folded in seen:
            raise InputError(f"{option!r} is an option twice")
        seen.add(folded)
    return list(options)


def _chains(chains: Sequence[str]) -> list[str]:
    if isinstance(chains, str):
        raise InputError("the chains are one text: give a list of texts, one for each recorded chain")
    if not isinstance(chains, Sequence):
        raise InputError(f"the chains are of type {type(chains).__name__}: give a list of texts")
    # a model may have completed nothing: that is no fault of the record
    return [_text(chain, "chain", _LONGEST_CHAIN) if chain != "" else "" for chain in chains]


def _text(text: str, what: str, longest: int = _LONGEST_QUESTION) -> str:
    if not isinstance(text, str):
        raise InputError(f"the {what} is of type {type(text).__name__}: give a text")
    if not text.strip():
        example = ': ask something, for example "who directed Metropolis?"' if what == "question" else ""
        raise InputError(f"the {what} is empty{example}")
    if len(text) > longest:
        raise InputError(f"the {what} has {len(text):,} characters: give at most {longest:,}")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"the {what} is no Unicode text at character {error.start + 1}: give it in UTF-8") from None
    return text
