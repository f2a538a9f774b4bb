"""The model calls of one question: each is told as an event and counted, and the schemas that replies share."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import Any, Unpack

from toulmin.errors import InputError, ReplyError, SettingsError
from toulmin.llm.prompts import Prompts
from toulmin.llm.session import Check, RequestOptions, Session
from toulmin.methods.protocol import Called, Emit, FellBack, QuestionContext
from toulmin.program.answer import Usage

__all__ = ["Prompter", "fault_of", "number_schema", "numbers_schema", "object_schema", "together"]


class Prompter:
    """The model calls of one question.

    Args:
        prompts: of the method.
        emit: where each call is told as it ends.
        asks: whether the model is asked anything; False: what is recorded takes its place.
        defaults: how replies are asked for, where a step says nothing else.

    Attributes:
        asked: how many calls were tried, as far as they are told.

    Raises:
        SettingsError: there is no model.
    """

    def __init__(
        self,
        method: str,
        prompts: Prompts,
        context: QuestionContext,
        emit: Emit,
        *,
        asks: bool = True,
        **defaults: Unpack[RequestOptions],
    ) -> None:
        if asks and context.model is None:
            raise SettingsError(f"{method} needs a language model: give one, on the command line by --model")
        self._session = Session(context.model, context.budget) if asks and context.model is not None else None
        self._method, self._prompts, self._emit, self._defaults = method, prompts, emit, defaults
        self._began = time.perf_counter()
        self.asked = 0

    @property
    def session(self) -> Session:
        """The calls of the model."""
        assert self._session is not None  # noqa: S101  (who asks nothing has no business with it)
        return self._session

    @property
    def model(self) -> str:
        """The model's name, as an answer names it."""
        return self.session.model

    async def ask(
        self, step: str, values: Mapping[str, str], *, check: Check | None = None, **options: Unpack[RequestOptions]
    ) -> Any:
        """One reply to a prompt by its short name; see ``Session.ask``, also for what it raises."""
        try:
            return await self.session.ask(self._prompts[step], values, check=check, **(self._defaults | options))
        finally:
            self.tell()

    async def try_ask(self, step: str, values: Mapping[str, str], instead: str, **more: Any) -> Any:
        """As ``ask``; None where there is no usable reply, which an event tells with what is done instead."""
        try:
            return await self.ask(step, values, **more)
        except ReplyError as error:
            self._emit(FellBack(step=error.step, problem=error.problem, instead=instead))
            return None

    async def sample(
        self,
        step: str,
        values: Mapping[str, str],
        *,
        n: int,
        check: Check | None = None,
        **options: Unpack[RequestOptions],
    ) -> list[Any]:
        """Several replies to a prompt by its short name; see ``Session.sample``, also for what it raises."""
        try:
            return await self.session.sample(
                self._prompts[step], values, n=n, check=check, **(self._defaults | options)
            )
        finally:
            self.tell()

    def provenance(self) -> dict[str, Any]:
        """What a certificate tells of how it was made: for ``Builder.answer`` and its like."""
        seconds = time.perf_counter() - self._began
        if self._session is None:
            return {"method": self._method, "usage": Usage(seconds=seconds)}
        return {
            "method": self._method,
            "model": self._session.model,
            "prompts_hash": self._prompts.digest,
            "usage": self._session.usage(seconds),
        }

    def tell(self) -> None:
        """Tell the calls that have ended since as events."""
        for call in self.session.drain():
            self.asked += 1
            self._emit(Called(**asdict(call)))


def fault_of(read: Callable[[], object]) -> str | None:
    """What is wrong with a reply, by the ``InputError`` of reading it; None: nothing."""
    try:
        read()
    except InputError as error:
        return str(error)
    return None


async def together(*awaitables: Awaitable[Any]) -> list[Any]:
    """The results of all, once all have ended; if some raised, the first of their exceptions is raised then."""
    results = await asyncio.gather(*awaitables, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results


def object_schema(properties: Mapping[str, Any] = MappingProxyType({}), /, **more: Any) -> dict[str, Any]:
    """The JSON schema of an object that has all of some properties, and no others."""
    every = {**properties, **more}
    return {"type": "object", "properties": every, "required": list(every), "additionalProperties": False}


def number_schema(count: int) -> dict[str, Any]:
    """The JSON schema of a number from 1 to ``count``."""
    return {"type": "integer", "minimum": 1, "maximum": count}


def numbers_schema(count: int, most: int | None = None) -> dict[str, Any]:
    """The JSON schema of a list of numbers from 1 to ``count``, all of which it names; at most ``most`` of them."""
    if not count:
        return {"type": "array", "items": {"type": "integer"}, "maxItems": 0}
    items = {"type": "integer", "enum": list(range(1, count + 1))}
    return {"type": "array", "items": items, **({} if most is None else {"maxItems": most})}
