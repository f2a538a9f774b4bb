"""What an OpenAI-compatible endpoint takes, learned from what it refuses with HTTP 400."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any
from typing import Literal as Choice

from toulmin.llm.protocol import ModelRequest

__all__ = ["Dialect", "Format"]

#: How the shape of a reply is asked for: by a schema, by "some JSON object", or in words alone.
Format = Choice["json_schema", "json_object", "words"]

_OPTIONAL = ("temperature", "top_p", "seed", "logprobs", "top_logprobs", "n")
_TOO_LONG = re.compile(r"context[ _](length|size|window)|too (long|many tokens)|maximum context", re.IGNORECASE)


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
            schema = {"name": _name(request.step), "schema": dict(request.schema), "strict": _is_strict(request.schema)}
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


def _name(step: str) -> str:
    """A name for the schema: endpoints allow letters, digits, _ and -."""
    return re.sub(r"[^a-zA-Z0-9_-]", "_", step)[:64] or "reply"


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
