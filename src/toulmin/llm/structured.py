"""From the text of a completion to a value that satisfies a JSON schema, or to what is wrong with it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from toulmin.errors import InputError
from toulmin.llm.json_text import CutOffError, NotJsonError, read_value, skip_brackets
from toulmin.llm.protocol import Completion
from toulmin.llm.wire import one_line

__all__ = ["read_json", "read_reply"]

_LONGEST = 1_000_000  # characters of a reply that are looked at
_MOST = 100  # bracketed values of a reply that are looked at
_THOUGHTS = re.compile(r"\A\s*<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[\w+-]*[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL)
_BRACKET = re.compile(r"[\[{]")


def read_reply(completion: Completion, schema: Mapping[str, Any] | None) -> Any:
    """The value of a completion: its text where ``schema`` is None, else JSON that satisfies it.

    Raises:
        InputError: it cannot be used; the message is what the repair call shows.
    """
    if completion.finish == "refusal":
        refusal = one_line(completion.text)[:200]
        raise InputError(f"the model refused: {refusal}" if refusal else "the model refused")
    text = _THOUGHTS.sub("", completion.text).strip()
    if not text:
        raise InputError("it is cut off before it begins" if completion.finish == "length" else "it is empty")
    if schema is None:
        return text
    try:
        return read_json(text, schema)
    except InputError:
        if completion.finish == "length":
            raise InputError("it is cut off because it is too long: be brief") from None
        raise


def read_json(text: str, schema: Mapping[str, Any]) -> Any:
    """The one JSON value in a text that satisfies a schema.

    Accepted around it: prose, code fences. Accepted in it: what models write in place of JSON and what has only one
    reading: single quotes, trailing commas, Python's constants. Refused: a value that is not closed, keys given twice,
    numbers that are none, several different values that satisfy the schema.

    Raises:
        InputError: there is no such value, or more than one.
    """
    if len(text) > _LONGEST:
        raise InputError(f"it has {len(text)} characters, which is too long")
    fitting: dict[str, Any] = {}
    problem = "there is no JSON in it"
    for number, candidate in enumerate(_values(text, schema)):
        if number == _MOST:
            raise InputError(f"there are more than {_MOST} values in it")
        if isinstance(candidate, CutOffError):  # what stands before it was not meant to be the whole reply
            raise InputError(str(candidate))
        fault = str(candidate) if isinstance(candidate, NotJsonError) else _fault(candidate.value, schema)
        if fault is None and not isinstance(candidate, NotJsonError):
            fitting[json.dumps(candidate.value, sort_keys=True)] = candidate.value
        else:
            problem = fault or problem
    if len(fitting) > 1:
        raise InputError(f"there are {len(fitting)} different JSON values in it: give one")
    if not fitting:
        raise InputError(problem)
    return next(iter(fitting.values()))


@dataclass(frozen=True, slots=True)
class _JsonValue:
    value: Any


def _values(text: str, schema: Mapping[str, Any]) -> Iterator[_JsonValue | NotJsonError]:
    """The JSON values of a text and what is broken: the whole text, or what is fenced, or what is bracketed."""
    stripped = text.strip()
    try:
        value, end = read_value(stripped, 0)
        if end == len(stripped):
            yield _JsonValue(value)
            if not isinstance(value, str) or _fault(value, schema) is None:
                return
            text = value  # prose in quotation marks, or JSON written as a string: the value may stand in it
    except NotJsonError:
        pass  # looked at bracket by bracket below, where the same problem is found if it is one
    fenced = [match[1].strip() for match in _FENCE.finditer(text)]
    for part in fenced or [text]:
        yield from _bracketed(part)


def _bracketed(text: str) -> Iterator[_JsonValue | NotJsonError]:
    """The outermost bracketed values of a text. What stands inside a broken value is never taken for one."""
    position = 0
    while match := _BRACKET.search(text, position):
        try:
            value, position = read_value(text, match.start())
            yield _JsonValue(value)
        except NotJsonError as error:
            yield error
            end = skip_brackets(text, match.start())
            if end is None:
                return
            position = end


def _fault(value: Any, schema: Mapping[str, Any]) -> str | None:
    """What in a value the schema does not allow, in one line; None: nothing."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    error = best_match(Draft202012Validator(schema).iter_errors(value))
    if error is None:
        return None
    where = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path).lstrip(".")
    message = " ".join(error.message.split())
    if len(message) > 300:
        message = f"{message[:200]} … {message[-100:]}"
    return f"at {where}: {message}" if where else message
