"""What a chat model is: a request with messages in, a reply with completions out; what wrappers around one share."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar
from typing import Literal as Choice

__all__ = [
    "Completion",
    "Finish",
    "Message",
    "Model",
    "ModelRequest",
    "Reply",
    "Role",
    "Token",
    "Tokens",
    "WrappedModel",
    "gathered",
    "identity_of",
    "in_parts",
    "takes_grammar",
]

_SURROGATES = re.compile("[\ud800-\udfff]")

Role = Choice["system", "user", "assistant"]
Finish = Choice["stop", "length", "refusal", "other"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation. Halves of characters (lone surrogates) are replaced: nothing can send them."""

    role: Role
    content: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "content", _well_formed(self.content))


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """Everything that changes what a model replies.

    Args:
        schema: a JSON schema that each completion must satisfy; None: free text. Endpoints that can constrain their
            output do; the reply is validated in any case (``llm.session``).
        temperature: 0 is greedy.
        top_p: the share of probability that is sampled from; None: what the endpoint does by itself.
        max_tokens: the most tokens of one completion.
        n: how many completions.
        seed: where the endpoint takes one.
        logprobs: whether the log-probabilities of the completion's tokens are wanted.
        step: what asks ("r3/axiom"), for messages and transcripts; it does not change the reply and no key holds it.
        grammar: a grammar in GBNF that each completion must satisfy, in place of a schema, for models that take one
            (``takes_grammar``).
        sample: which of several samples of one prompt this is, where they are asked for one by one; it keeps them
            apart in caches and logs.
        top_logprobs: with ``logprobs``: how many likeliest tokens are wanted beside each (``Token.likeliest``).
    """

    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None
    temperature: float = 0.0
    max_tokens: int = 1024
    n: int = 1
    seed: int | None = None
    logprobs: bool = False
    top_p: float | None = None
    step: str = field(default="", compare=False)
    grammar: str | None = None
    sample: int = 0
    top_logprobs: int = 0


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a completion with its log-probability (natural logarithm).

    Args:
        likeliest: the likeliest tokens in its place, itself among them, where they were asked for and the model has
            them.
    """

    text: str
    logprob: float
    likeliest: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Completion:
    """One completion as the model gave it; nothing is parsed or repaired here.

    Args:
        finish: why it ended; "length": it is cut off.
        tokens: with log-probabilities, where they were asked for and the model has them.

    Halves of characters are replaced, as in ``Message``.
    """

    text: str
    finish: Finish = "stop"
    tokens: tuple[Token, ...] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", _well_formed(self.text))


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a request cost.

    Args:
        prompt, completion: tokens, as the endpoint counts them; of a reply from the cache or a replay: what it took
            when it was made, so that a run reports the same figures when it is repeated.
        cost: money, where a price is known; of a reply from the cache or a replay: 0.
    """

    prompt: int = 0
    completion: int = 0
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """The completions of a request (``request.n`` of them) and what they cost.

    Args:
        called: whether a model was run for it; False: it came from a cache or a replay.
    """

    completions: tuple[Completion, ...]
    usage: Tokens
    called: bool = True


def _well_formed(text: str) -> str:
    return _SURROGATES.sub("\ufffd", text)


class Model(Protocol):
    """A chat model, or a wrapper around one.

    One whose name does not tell its replies from another's has a property ``identity`` (name, address) for the cache;
    one that takes a grammar has ``takes_grammar``, which is True (see the function); one whose endpoint may give fewer
    completions than are asked for has ``part``, which returns what one request to it brings, so that each part can be
    kept as it comes (``WrappedModel``).
    """

    @property
    def name(self) -> str:
        """What an answer names it by, as ``--model`` takes it: ``openai:NAME``, ``gguf:FILE`` …; no secrets."""

    async def complete(self, request: ModelRequest) -> Reply:
        """Reply to a request. May be called concurrently; cancelling the task gives up the call.

        Raises:
            ModelError: no reply can be had (refused, timed out, after all retries).
            BudgetError: a wrapper's budget is used up.
        """

    async def close(self) -> None:
        """Release connections, files and memory."""


def takes_grammar(model: Model) -> bool:
    """Whether a model, or the one that it wraps, keeps its replies to a grammar."""
    return bool(getattr(model, "takes_grammar", False))


def identity_of(model: Model) -> str:
    """What tells a model's replies from another's: its ``identity`` (name and address), else its name."""
    identity: str = getattr(model, "identity", model.name)
    return identity


T = TypeVar("T")


async def gathered(works: Iterable[Awaitable[T]]) -> list[T]:
    """What things come to that are done at once; where one fails, the others are cancelled before its error goes on."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


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
    missing = (
        part(replace(request, n=1, sample=number, seed=None if seed is None else seed + number))
        for number in range(count, request.n)
    )
    parts = [first, *await gathered(missing)]
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
