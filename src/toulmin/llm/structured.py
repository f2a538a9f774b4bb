"""From the text of a completion to a value that satisfies a JSON schema, or to what is wrong with it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from toulmin.errors import InputError
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
    for number, (value, broken) in enumerate(_values(text, schema)):
        if number == _MOST:
            raise InputError(f"there are more than {_MOST} values in it")
        if isinstance(broken, _CutOffError):  # what stands before it was not meant to be the whole reply
            raise InputError(str(broken))
        fault = _fault(value, schema) if broken is None else str(broken)
        if fault is None:
            fitting[json.dumps(value, sort_keys=True)] = value
        else:
            problem = fault or problem
    if len(fitting) > 1:
        raise InputError(f"there are {len(fitting)} different JSON values in it: give one")
    if not fitting:
        raise InputError(problem)
    return next(iter(fitting.values()))


def _values(text: str, schema: Mapping[str, Any]) -> Iterator[tuple[Any, _NotJsonError | None]]:
    """The JSON values of a text, and what is broken: the whole text, or what is fenced, or what is bracketed."""
    stripped = text.strip()
    with suppress(_NotJsonError):  # looked at bracket by bracket below, where the same problem is found if it is one
        value, end = _value(stripped, 0)
        if end == len(stripped):
            yield value, None
            if not isinstance(value, str) or _fault(value, schema) is None:
                return
            text = value  # prose in quotation marks, or JSON written as a string: the value may stand in it
    fenced = [match[1].strip() for match in _FENCE.finditer(text)]
    for part in fenced or [text]:
        yield from _bracketed(part)


def _bracketed(text: str) -> Iterator[tuple[Any, _NotJsonError | None]]:
    """The outermost bracketed values of a text. What stands inside a broken value is never taken for one."""
    position = 0
    while match := _BRACKET.search(text, position):
        try:
            value, position = _value(text, match.start())
            yield value, None
        except _NotJsonError as error:
            yield None, error
            position = _after_brackets(text, match.start())


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


# What follows reads JSON as models write it: one value at a position of a text.
_DEEPEST = 64
_LONGEST_NUMBER = 400
_BLANK = re.compile(r"[ \t\r\n\u00a0\ufeff]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.+-])")
_WORD = re.compile(r"[A-Za-z]+")
_CONSTANTS = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}
_ESCAPES = {'"': '"', "'": "'", "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_HEX = re.compile(r"[0-9a-fA-F]{4}")
_AFTER_STRING = re.compile(r"[ \t\r\n]*(?:[,:}\]]|\Z)")
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)


class _NotJsonError(ValueError):
    """What stands here has no one reading as JSON."""


class _CutOffError(_NotJsonError):
    """The text ends inside a value."""


def _after_brackets(text: str, start: int) -> int:
    """The position after the bracket that closes the one at ``start``, else the end. For values that are broken."""
    depth = 0
    for part in _STRING_OR_BRACKET.finditer(text, start):
        depth += (part[0] in ("[", "{")) - (part[0] in ("]", "}"))
        if depth == 0:
            return part.end()
    return len(text)


def _blank(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    return match.end() if match else position


def _at(text: str, position: int, problem: str) -> _NotJsonError:
    """The problem at a position, or that the text ends there."""
    if position >= len(text):
        return _CutOffError("it ends inside a JSON value")
    near = " ".join(text[position : position + 20].split())
    return _NotJsonError(f"it is not valid JSON: {problem} at {near!r} (character {position + 1})")


def _value(text: str, position: int, depth: int = 0) -> tuple[Any, int]:
    """The value that begins at a position, and the position after it.

    Beside JSON: strings in single quotes, a comma after the last element, ``True``, ``False`` and ``None``, line ends
    inside strings.

    Raises:
        _NotJsonError: it is none, it has a key twice, a number that is none, or is nested too deeply.
        _CutOffError: it is not closed before the text ends.
    """
    position = _blank(text, position)
    first = text[position : position + 1]
    if depth > _DEEPEST:
        raise _NotJsonError(f"it is nested more than {_DEEPEST} levels deep")
    if first in ("{", "["):
        return _collection(text, position, depth)
    if first in ('"', "'"):
        return _string(text, position)
    if first == "-" or first.isdecimal():
        return _number(text, position)
    word = _WORD.match(text, position)
    if word and word[0] in _CONSTANTS:
        return _CONSTANTS[word[0]], word.end()
    raise _at(text, position, "no value")


def _collection(text: str, position: int, depth: int) -> tuple[dict[str, Any] | list[Any], int]:
    """The object or array whose opening bracket stands at a position."""
    keyed = text[position] == "{"
    closing, called = ("}", "brace") if keyed else ("]", "bracket")
    members: dict[Any, Any] = {}  # those of an array by their places
    position = _blank(text, position + 1)
    while not text.startswith(closing, position):
        key, position = _key(text, position, members) if keyed else (len(members), position)
        members[key], position = _value(text, position, depth + 1)
        position = _blank(text, position)
        if text.startswith(",", position):
            position = _blank(text, position + 1)
        elif not text.startswith(closing, position):
            raise _at(text, position, f"neither comma nor closing {called}")
    return members if keyed else list(members.values()), position + 1


def _key(text: str, position: int, members: Mapping[str, Any]) -> tuple[str, int]:
    """A key that is none of the members', with its colon."""
    if not text.startswith(('"', "'"), position):
        raise _at(text, position, "no key in quotes")
    key, end = _string(text, position)
    if key in members:
        raise _at(text, position, "a key that is given twice")
    end = _blank(text, end)
    if not text.startswith(":", end):
        raise _at(text, end, "no colon after a key")
    return key, end + 1


def _number(text: str, position: int) -> tuple[int | float, int]:
    match = _NUMBER.match(text, position)
    if match is None or len(match[0]) > _LONGEST_NUMBER:
        raise _at(text, position, "no number")
    number: int | float = json.loads(match[0])
    if number in (float("inf"), float("-inf")):
        raise _at(text, position, "a number that is too large")
    return number, match.end()


def _string(text: str, position: int) -> tuple[str, int]:
    """A string in double or single quotes. A quote that is not escaped ends it; what follows must allow that."""
    quote, position = text[position], position + 1
    parts: list[str] = []
    while position < len(text):
        character = text[position]
        if character == quote:
            if not _AFTER_STRING.match(text, position + 1):
                raise _at(text, position, "a quote inside a string that is not escaped")
            return "".join(parts), position + 1
        part, position = _escape(text, position + 1) if character == "\\" else (character, position + 1)
        parts.append(part)
    raise _CutOffError("it ends inside a JSON value")


def _escape(text: str, position: int) -> tuple[str, int]:
    """The character of an escape, after its backslash."""
    letter = text[position : position + 1]
    if letter in _ESCAPES:
        return _ESCAPES[letter], position + 1
    if letter != "u":
        raise _at(text, position, "an unknown escape")
    code, position = _unit(text, position + 1)
    if 0xD800 <= code < 0xDC00 and text.startswith("\\u", position):
        low, end = _unit(text, position + 2)
        if 0xDC00 <= low < 0xE000:
            return chr(0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)), end
    if 0xD800 <= code < 0xE000:
        raise _at(text, position, "half a character")
    return chr(code), position


def _unit(text: str, position: int) -> tuple[int, int]:
    match = _HEX.match(text, position)
    if match is None:
        raise _at(text, min(position + 4, len(text)), "a broken escape")
    return int(match[0], 16), position + 4
