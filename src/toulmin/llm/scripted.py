"""A model that replies what it is told to: for tests of methods, ours and users', without any patching."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from toulmin.errors import ModelError
from toulmin.llm.protocol import Completion, ModelRequest, Reply, Tokens

__all__ = ["ScriptedModel"]


class ScriptedModel:
    """Replies in order, or what a function makes of each request.

    Args:
        replies: texts, one per completion asked for, in order; or a function from a request to the text of a completion
            (called ``request.n`` times).

    Tokens are estimated (4 characters each); nothing costs money.

    Attributes:
        name: "scripted", or the name that was given.
        takes_grammar: whether it says that it keeps to grammars (it does not).
    """

    takes_grammar = False

    def __init__(self, replies: Sequence[str] | Callable[[ModelRequest], str], name: str = "scripted") -> None:
        self._replies = replies
        self._next = 0
        self.name = name
        self.requests: list[ModelRequest] = []

    async def complete(self, request: ModelRequest) -> Reply:
        """See ``Model.complete``.

        Raises:
            ModelError: no reply is left.
        """
        self.requests.append(request)
        texts = [self._text(request) for _ in range(request.n)]
        prompt = sum(_tokens(message.content) for message in request.messages)
        return Reply(tuple(map(Completion, texts)), Tokens(prompt, sum(map(_tokens, texts)), 0.0))

    async def close(self) -> None:
        """Nothing is held."""

    def _text(self, request: ModelRequest) -> str:
        if callable(self._replies):
            return self._replies(request)
        if self._next == len(self._replies):
            step = f" (asked by {request.step})" if request.step else ""
            raise ModelError(f"{self.name}: all {len(self._replies)} scripted replies are used up{step}")
        self._next += 1
        return self._replies[self._next - 1]


def _tokens(text: str) -> int:
    return -(-len(text) // 4)
