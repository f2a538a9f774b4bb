"""What an OpenAI-compatible endpoint sends back, read without trusting its shape."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from toulmin.llm.protocol import Completion, Finish, Token

__all__ = ["completions", "counted", "error_of", "likeliest", "one_line", "payload"]

_FINISHES: Mapping[str, Finish] = {
    "stop": "stop",
    "eos": "stop",
    "length": "length",
    "max_tokens": "length",
    "content_filter": "refusal",
    "refusal": "refusal",
}


def one_line(text: str) -> str:
    """A text as one line that a terminal can show: without control characters."""
    return " ".join("".join(character for character in text if character.isprintable() or character.isspace()).split())


def payload(content: bytes) -> dict[str, Any]:
    """The JSON object of a body; empty where it is none (cut off, HTML, …)."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def error_of(body: Mapping[str, Any], content: bytes) -> tuple[str, str | None, str]:
    """Message, parameter and code of an error, each in one line; the beginning of the body where it has none."""
    error = body.get("error", body.get("detail", body.get("message")))
    if isinstance(error, Mapping):
        message = error.get("message") or json.dumps(error, ensure_ascii=False)
        parameter, code = error.get("param"), error.get("code") or error.get("type")
    else:
        message = error if isinstance(error, str) else content.decode("utf-8", "replace")
        parameter, code = None, body.get("code")
    return one_line(str(message))[:400], parameter if isinstance(parameter, str) else None, str(code or "")


def completions(body: Mapping[str, Any]) -> list[Completion]:
    """The completions of a reply's ``choices``."""
    choices = body.get("choices")
    given = choices if isinstance(choices, list) else ()
    return [_completion(choice) for choice in given if isinstance(choice, Mapping)]


def counted(body: Mapping[str, Any]) -> tuple[int, int] | None:
    """Prompt and completion tokens of a reply's ``usage``; None where it has none."""
    usage = body.get("usage")
    if not isinstance(usage, Mapping):
        return None
    prompt, completion = usage.get("prompt_tokens"), usage.get("completion_tokens", 0)
    if type(prompt) is not int or type(completion) is not int or prompt < 0 or completion < 0:
        return None
    return prompt, completion


def _completion(choice: Mapping[str, Any]) -> Completion:
    message = choice.get("message")
    message = message if isinstance(message, Mapping) else {}
    finish = _FINISHES.get(str(choice.get("finish_reason") or "stop"), "other")
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal:
        return Completion(refusal, "refusal")
    return Completion(_text(message.get("content")), finish, _tokens(choice.get("logprobs")))


def _text(content: Any) -> str:
    """A message's content: a text, or parts of which some are texts."""
    if isinstance(content, list):
        return "".join(_text(part.get("text")) for part in content if isinstance(part, Mapping))
    return content if isinstance(content, str) else ""


def _tokens(logprobs: Any) -> tuple[Token, ...] | None:
    content = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    if not isinstance(content, list):
        return None
    read = [
        Token(token["token"], float(token["logprob"]), likeliest(token.get("top_logprobs")))
        for token in content
        if _is_token(token)
    ]
    return tuple(read) if len(read) == len(content) else None


def likeliest(tokens: Any) -> tuple[tuple[str, float], ...]:
    """The tokens with their log-probabilities of a token's ``top_logprobs``; none where it is of another shape."""
    if not isinstance(tokens, list) or not all(map(_is_token, tokens)):
        return ()
    return tuple((token["token"], float(token["logprob"])) for token in tokens)


def _is_token(value: Any) -> bool:
    if not isinstance(value, Mapping) or not isinstance(value.get("token"), str):
        return False
    return isinstance(value.get("logprob"), int | float)
