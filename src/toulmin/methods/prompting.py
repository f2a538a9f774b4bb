"""Asking a model the prompts of one method: each call is told as an event, and counted."""

from __future__ import annotations

import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from toulmin.errors import SettingsError
from toulmin.llm.prompts import Prompts
from toulmin.llm.session import Check, Session
from toulmin.methods.protocol import Called, Emit, QuestionContext

__all__ = ["Prompter", "numbers_schema", "object_schema"]


class Prompter:
    """The model calls of one question.

    Args:
        prompts: of the method.
        emit: where each call is told as it ends.

    Raises:
        SettingsError: there is no model.
    """

    def __init__(self, method: str, prompts: Prompts, context: QuestionContext, emit: Emit) -> None:
        if context.model is None:
            raise SettingsError(f"{method} needs a language model: give one, on the command line by --model")
        self.session = Session(context.model, context.budget)
        self._method, self._prompts, self._emit = method, prompts, emit
        self._began = time.perf_counter()

    async def ask(
        self,
        step: str,
        values: Mapping[str, str],
        *,
        schema: Mapping[str, Any] | None = None,
        check: Check | None = None,
        temperature: float = 0.0,
        max_tokens: int = 1024,
        grammar: str | None = None,
    ) -> Any:
        """One reply to a prompt by its short name; see ``Session.ask``, also for what it raises."""
        try:
            return await self.session.ask(
                self._prompts[step],
                values,
                schema=schema,
                check=check,
                temperature=temperature,
                max_tokens=max_tokens,
                grammar=grammar,
            )
        finally:
            self._tell()

    async def sample(
        self,
        step: str,
        values: Mapping[str, str],
        *,
        n: int,
        schema: Mapping[str, Any] | None = None,
        check: Check | None = None,
        temperature: float = 0.7,
        max_tokens: int = 1024,
        seed: int | None = None,
    ) -> list[Any]:
        """Several replies to a prompt by its short name; see ``Session.sample``, also for what it raises."""
        try:
            return await self.session.sample(
                self._prompts[step],
                values,
                n=n,
                schema=schema,
                check=check,
                temperature=temperature,
                max_tokens=max_tokens,
                seed=seed,
            )
        finally:
            self._tell()

    def told(self) -> dict[str, Any]:
        """What a certificate tells of how it was made: for ``Builder.answer`` and its like."""
        return {
            "method": self._method,
            "model": self.session.model,
            "prompts_hash": self._prompts.digest,
            "usage": self.session.usage(time.perf_counter() - self._began),
        }

    def _tell(self) -> None:
        for call in self.session.drain():
            self._emit(Called.of(call))


def object_schema(properties: Mapping[str, Any] = MappingProxyType({}), /, **more: Any) -> dict[str, Any]:
    """The JSON schema of an object that has all of some properties, and no others."""
    every = {**properties, **more}
    return {"type": "object", "properties": every, "required": list(every), "additionalProperties": False}


def numbers_schema(count: int, most: int | None = None) -> dict[str, Any]:
    """That of a list of numbers from 1 to ``count``, all of which it names; at most ``most`` of them."""
    if not count:
        return {"type": "array", "items": {"type": "integer"}, "maxItems": 0}
    items = {"type": "integer", "enum": list(range(1, count + 1))}
    return {"type": "array", "items": items, **({} if most is None else {"maxItems": most})}
