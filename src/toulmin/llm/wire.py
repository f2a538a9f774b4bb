"""What an OpenAI-compatible endpoint takes, learned from what it refuses, and what it sends back, of whatever shape."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any
from typing import Literal as Choice

from toulmin.llm.protocol import Completion, Finish, ModelRequest, Token

__all__ = ["Dialect", "Format", "completions", "counted", "error_of", "likeliest", "one_line", "payload"]

#: How the shape of a reply is asked for: by a schema, by "some JSON object", or in words alone.
Format = Choice["json_schema", "json_object", "words"]

_OPTIONAL = ("temperature", "top_p", "seed", "logprobs", "top_logprobs", "n")
_TOO_LONG = re.compile(r"context[ _](length|size|window)|too (long|many tokens)|maximum context", re.IGNORECASE)

_FINISHES: Mapping[str, Finish] = {
    "stop": "stop",
    "eos": "stop",
    "length": "length",
    "max_tokens": "length",
    "content_filter": "refusal",
    "refusal": "refusal",
}


class Dialect:
    """One endpoint's dialect: begins with everything, gives up what is refused, for all later requests."""

    def __init__(self) -> None:
        self._format: Format = "json_schema"
        self._by_schema: dict[str, Format] = {}
        self._schema_worked = False
        self._refused: set[str] = set()
        self._limit = "max_tokens"

    def takes(self, parameter: str) -> bool:
        """Whether the endpoint has not refused a parameter."""
        return parameter not in self._refused

    def format_for(self, schema: Mapping[str, Any] | None) -> Format:
        """How to ask for a schema, as far as is known."""
        if schema is None:
            return "words"
        return self._by_schema.get(_key(schema), self._format)

    def body(self, model: str, request: ModelRequest, how: Format) -> dict[str, Any]:
        """The body of a chat-completions request."""
        messages = [{"role": message.role, "content": message.content} for message in request.messages]
        body: dict[str, Any] = {"model": model, "messages": messages, self._limit: request.max_tokens}
        options = {
            "temperature": request.temperature,
            "top_p": request.top_p,
            "seed": request.seed,
            "logprobs": request.logprobs or None,
            "top_logprobs": request.top_logprobs or None,
            "n": request.n if request.n > 1 else None,
        }
        body.update({name: value for name, value in options.items() if value is not None and self.takes(name)})
        if "logprobs" not in body:  # the one without the other is refused
            body.pop("top_logprobs", None)
        if request.schema is None:
            return body
        if how == "json_schema":
            name = re.sub(r"[^a-zA-Z0-9_-]", "_", request.step)[:64] or "reply"  # endpoints allow no others
            schema = {"name": name, "schema": dict(request.schema), "strict": _is_strict(request.schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
            return body
        if how == "json_object":
            body["response_format"] = {"type": "json_object"}
        text = json.dumps(request.schema, ensure_ascii=False)
        messages[-1]["content"] += (
            f"\n\nReply with one JSON value that satisfies this JSON schema, and with nothing else:\n{text}"
        )
        return body

    def learn(self, body: Mapping[str, Any], message: str, parameter: str | None) -> bool:
        """Whether a refusal names a parameter that can be left out or renamed, so that trying again makes sense."""
        if "max_completion_tokens" in message and self._limit == "max_tokens":
            self._limit = "max_completion_tokens"
            return True
        for name in _OPTIONAL:
            if name in body and (parameter == name or re.search(rf"['\"`]{name}['\"`]", message)):
                self._refused.add(name)
                return True
        return False

    def lower(self, how: Format, request: ModelRequest, message: str) -> Format | None:
        """What to try after a refusal that may be about the shape of the reply; None: nothing is left to try."""
        if request.schema is None or how == "words" or _TOO_LONG.search(message):
            return None
        is_object = request.schema.get("type") == "object"
        return "json_object" if how == "json_schema" and is_object else "words"

    def accepted(self, how: Format, schema: Mapping[str, Any] | None) -> None:
        """Note that a way of asking worked: for all schemas, or for this one where schemas have worked before."""
        if schema is None:
            return
        if how == "json_schema":
            self._schema_worked = True
        elif self._schema_worked:
            self._by_schema[_key(schema)] = how
        else:
            self._format = how


def _key(schema: Mapping[str, Any]) -> str:
    return json.dumps(schema, sort_keys=True)


def _is_strict(schema: Any) -> bool:
    """Whether OpenAI's strict mode takes a schema: every object is closed and requires all of its properties."""
    if isinstance(schema, list):
        return all(map(_is_strict, schema))
    if not isinstance(schema, Mapping):
        return True
    properties = schema.get("properties")
    if schema.get("type") == "object" or isinstance(properties, Mapping):
        names = properties if isinstance(properties, Mapping) else {}
        if schema.get("additionalProperties") is not False or set(schema.get("required", ())) != set(names):
            return False
    return all(map(_is_strict, schema.values()))


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
    if not isinstance(content, list) or not all(map(_is_token, content)):
        return None
    return tuple(Token(t["token"], float(t["logprob"]), likeliest(t.get("top_logprobs"))) for t in content)


def likeliest(tokens: Any) -> tuple[tuple[str, float], ...]:
    """The tokens with their log-probabilities of a token's ``top_logprobs``; none where it is of another shape."""
    if not isinstance(tokens, list) or not all(map(_is_token, tokens)):
        return ()
    return tuple((token["token"], float(token["logprob"])) for token in tokens)


def _is_token(value: Any) -> bool:
    if not isinstance(value, Mapping) or not isinstance(value.get("token"), str):
        return False
    return isinstance(value.get("logprob"), int | float)
