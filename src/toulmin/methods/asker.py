"""Asking a method: its events as they come, its answer alone, and the synchronous way for scripts and notebooks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from toulmin.errors import RefusedError, SettingsError
from toulmin.graph.protocol import Graph
from toulmin.llm.protocol import Model
from toulmin.llm.session import Budget
from toulmin.methods.protocol import Answered, Event, Method, QuestionContext
from toulmin.methods.registry import get_method, method_names, method_of
from toulmin.methods.request import Beside, Request
from toulmin.program.answer import Answer
from toulmin.retrieval.retriever import Retriever

__all__ = ["DEFAULT", "Asker", "check_request", "opened_model", "wait_for"]

#: The method where none is named.
DEFAULT = "auto"

_REFUSALS: Mapping[Beside, str] = {
    "claim": "decides no claims",
    "options": "chooses among no options",
    "chains": "takes no chains",
    "knowledge": "takes no knowledge",
}
T = TypeVar("T")


class Asker:
    """A method on a graph; vectors and the method are opened once for many questions.

    Args:
        method: its name, or that of one of its forms; None: the one that the settings are of, else ``DEFAULT``.
        settings: of the method's own type; None: its defaults.
        model: the language model; None: the method does without, or says that it needs one.
        budget: of one question; None: no limit.

    Raises:
        SettingsError: no such method, settings of another type, or a budget that is none.
    """

    def __init__(
        self,
        graph: Graph,
        *,
        method: str | None = None,
        settings: Any = None,
        model: Model | None = None,
        budget: Budget | None = None,
    ) -> None:
        if budget is not None and not isinstance(budget, Budget):
            raise SettingsError(f"the budget is of type {type(budget).__name__}: give a toulmin.Budget")
        if method is None:
            method = DEFAULT if settings is None else method_of(settings)
        self.method = get_method(method, settings, model=model is not None)
        self._context = QuestionContext(graph, Retriever(graph), model, budget)

    async def events(self, request: str | Request) -> AsyncIterator[Event]:
        """What happens while a request is answered; the last event is ``Answered``.

        Raises:
            InputError: what is asked is no request.
            SettingsError: the method needs a model, or does not take what the request holds beside a question.
            ModelError: the model cannot be reached, or gave nothing usable.
        """
        request = Request.of(request)
        check_request(self.method, request, model=self._context.model is not None)
        async for event in self.method.run(request, self._context):
            yield event

    async def aask(self, request: str | Request) -> Answer:
        """The answer alone; see ``events``."""
        async for event in self.events(request):
            if isinstance(event, Answered):
                return event.answer
        raise RuntimeError(f"method {self.method.name!r} ended without an answer")

    def ask(self, request: str | Request) -> Answer:
        """The answer alone, also where an event loop is running already; see ``events``."""
        return wait_for(self.aask(request))

    __call__ = ask


def check_request(method: Method, request: Request, *, model: bool) -> None:
    """Whether a method can answer a request.

    Args:
        model: whether there is a language model.

    Raises:
        RefusedError: it does not take what the request holds beside a question, or refuses it.
        SettingsError: it needs a model.
    """
    for held in request.beside:
        if held not in method.takes:
            able = [name for name in method_names() if held in get_method(name, model=True).takes]
            without = " without a language model" if method.name in able else ""
            raise RefusedError(
                f"{method.name}{without} {_REFUSALS[held]}: take one that does ({', '.join(able)}), by --method"
            )
    if (why := method.refusal(request)) is not None:
        raise RefusedError(f"{method.name} {why}")
    if method.needs_model and not model and not request.chains:
        instead = ", or recorded outputs in its place, by --chains" if "chains" in method.takes else ""
        # Another form may need none.
        form = "" if get_method(method.name).needs_model else " in this form"
        raise SettingsError(
            f"{method.name}{form} needs a language model: give one, on the command line by --model{instead}"
        )


def wait_for(coroutine: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns; in a notebook, where a loop is running in this thread already, by way of another."""
    returned: list[T] = []

    async def waited() -> None:  # a task that has a result is worded with it at its end, which takes long for many rows
        returned.append(await coroutine)

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        try:
            asyncio.run(waited())
        finally:
            coroutine.close()  # an interrupt may come before it has begun
    else:
        with ThreadPoolExecutor(1) as pool:
            pool.submit(asyncio.run, waited()).result()
    return returned[0]


@asynccontextmanager
async def opened_model(model: Model | str | None, *, base_url: str | None = None) -> AsyncIterator[Model | None]:
    """A model; one that is opened here, since it is given by its name, is closed at the end.

    Raises:
        SettingsError: no such model, what is no model, or an address for what takes none.
    """
    if base_url is not None and not isinstance(model, str):
        raise SettingsError("base_url is of a model given by its name: openai:NAME")
    if not isinstance(model, str):
        if model is not None and not callable(getattr(model, "complete", None)):
            raise SettingsError(
                f"the model is of type {type(model).__name__}: give a model, or the name of one, such as openai:NAME"
            )
        yield model
        return
    from toulmin.llm.registry import get_model

    opened = get_model(model, base_url=base_url)
    try:
        yield opened
    finally:
        await opened.close()
