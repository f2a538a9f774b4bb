"""What wrappers around a model share, and replies that come in parts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from toulmin.llm.protocol import Model, ModelRequest, Reply, Tokens, takes_grammar
from toulmin.llm.records import identity_of

__all__ = ["WrappedModel", "in_parts"]

Part = Callable[[ModelRequest], Awaitable[Reply]]


async def in_parts(request: ModelRequest, part: Part) -> Reply:
    """The reply to a request, with all its ``n`` completions, from a source that may give fewer of them at a time.

    Args:
        part: gives one completion or more. Each that is wanting is asked for alone, all of them at once; ``sample``
            and, where there is one, ``seed`` tell these requests apart.
    """
    first = await part(request)
    count = len(first.completions)
    if count >= request.n or count == 0:
        return replace(first, completions=first.completions[: request.n])
    seed = request.seed
    missing = [
        asyncio.ensure_future(part(replace(request, n=1, sample=number, seed=None if seed is None else seed + number)))
        for number in range(count, request.n)
    ]
    try:
        parts = [first, *await asyncio.gather(*missing)]
    finally:
        for task in missing:
            task.cancel()
    costs = [reply.usage.cost for reply in parts]
    return Reply(
        tuple(completion for reply in parts for completion in reply.completions)[: request.n],
        Tokens(
            sum(reply.usage.prompt for reply in parts),
            sum(reply.usage.completion for reply in parts),
            None if None in costs else sum(cost for cost in costs if cost is not None),
        ),
        any(reply.called for reply in parts),
    )


class WrappedModel:
    """A model around another: a subclass says what it does with each ``part`` of a reply."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._part: Part = getattr(model, "part", model.complete)

    @property
    def name(self) -> str:
        """The model's."""
        return self._model.name

    @property
    def identity(self) -> str:
        """The model's."""
        return identity_of(self._model)

    @property
    def takes_grammar(self) -> bool:
        """Whether the model does."""
        return takes_grammar(self._model)

    async def complete(self, request: ModelRequest) -> Reply:
        """See ``Model.complete``."""
        return await in_parts(request, self.part)

    async def part(self, request: ModelRequest) -> Reply:
        """See ``Model``: some of the completions.

        Raises:
            ModelError: what the model raises, or a file can no longer be read or written.
        """
        raise NotImplementedError

    async def close(self) -> None:
        """Close the model; files are open only while they are used."""
        await self._model.close()
