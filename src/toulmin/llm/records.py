"""Requests and replies as JSON: for keys, the cache and transcripts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from typing import Any, get_args

from toulmin.errors import InputError
from toulmin.llm.protocol import Completion, Finish, Message, ModelRequest, Reply, Role, Token, Tokens

__all__ = ["read_reply_record", "read_request_record", "reply_record", "request_key", "request_record"]


#: What older records and keys do not have: it is left out where it is not given.
_LATER = {"top_p": None, "grammar": None, "sample": 0, "top_logprobs": 0}


def request_record(request: ModelRequest) -> dict[str, Any]:
    """A request as JSON."""
    record = asdict(request) | {"temperature": float(request.temperature)}
    if request.top_p is not None:
        record["top_p"] = float(request.top_p)
    return {
        name: value
        for name, value in record.items()
        if name != "step" and not (name in _LATER and value == _LATER[name])
    }


def request_key(request: ModelRequest, identity: str = "") -> str:
    """A hash of everything that changes the reply, and of whose reply it is."""
    text = json.dumps([identity, request_record(request)], sort_keys=True)
    return sha256(text.encode()).hexdigest()


def reply_record(reply: Reply) -> dict[str, Any]:
    """A reply as JSON."""
    return {
        "completions": [
            {
                "text": completion.text,
                "finish": completion.finish,
                "tokens": None if completion.tokens is None else [_token_record(token) for token in completion.tokens],
            }
            for completion in reply.completions
        ],
        "prompt_tokens": reply.usage.prompt,
        "completion_tokens": reply.usage.completion,
    }


def read_request_record(record: Mapping[str, Any]) -> ModelRequest:
    """What ``request_record`` wrote.

    Raises:
        InputError: it is no such record.
    """
    try:
        return ModelRequest(
            messages=tuple(_message(message) for message in record["messages"]),
            schema=record["schema"],
            temperature=float(record["temperature"]),
            max_tokens=int(record["max_tokens"]),
            n=int(record["n"]),
            seed=record["seed"],
            logprobs=bool(record["logprobs"]),
            top_p=None if record.get("top_p") is None else float(record["top_p"]),
            grammar=None if record.get("grammar") is None else str(record["grammar"]),
            sample=int(record.get("sample", 0)),
            top_logprobs=int(record.get("top_logprobs") or 0),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"no request of a model ({type(error).__name__}: {error})") from None


def read_reply_record(record: Mapping[str, Any]) -> Reply:
    """What ``reply_record`` wrote, as a reply that no model was called for.

    Raises:
        InputError: it is no such record.
    """
    try:
        completions = tuple(_completion(completion) for completion in record["completions"])
        usage = Tokens(int(record["prompt_tokens"]), int(record["completion_tokens"]), 0.0)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"no reply of a model ({type(error).__name__}: {error})") from None
    return Reply(completions, usage, called=False)


def _message(record: Mapping[str, Any]) -> Message:
    role, content = record["role"], record["content"]
    if role not in get_args(Role) or not isinstance(content, str):
        raise ValueError("a message has a role and a text")
    return Message(role, content)


def _completion(record: Mapping[str, Any]) -> Completion:
    text, finish, tokens = record["text"], record["finish"], record["tokens"]
    if finish not in get_args(Finish) or not isinstance(text, str):
        raise ValueError("a completion has a text and why it ended")
    return Completion(text, finish, None if tokens is None else tuple(_token(*token) for token in tokens))


def _token_record(token: Token) -> list[Any]:
    likeliest = [[word, logprob] for word, logprob in token.likeliest]
    return [token.text, token.logprob, *([likeliest] if likeliest else [])]


def _token(text: str, logprob: float, likeliest: Sequence[tuple[str, float]] = ()) -> Token:
    return Token(str(text), float(logprob), tuple((str(word), float(number)) for word, number in likeliest))
