"""JSON as models write it: a reader of one value at a position of a text."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["CutOffError", "NotJsonError", "read_value", "skip_brackets"]

_DEEPEST = 64
_LONGEST_NUMBER = 400
_BLANK = re.compile(r"[ \t\r\n\u00a0\ufeff]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?(?![\w.+-])")
_WORD = re.compile(r"[A-Za-z]+")
_CONSTANTS = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}
_ESCAPES = {'"': '"', "'": "'", "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_HEX = re.compile(r"[0-9a-fA-F]{4}")
_AFTER_STRING = re.compile(r"[ \t\r\n]*(?:[,:}\]]|\Z)")


class NotJsonError(ValueError):
    """What stands here has no one reading as JSON. For use inside this package."""


class CutOffError(NotJsonError):
    """The text ends inside a value. For use inside this package."""


def read_value(text: str, start: int) -> tuple[Any, int]:
    """The value that begins at a position, and the position after it.

    Beside JSON: strings in single quotes, a comma after the last element, ``True``, ``False`` and ``None``, line ends
    inside strings.

    Raises:
        NotJsonError: it is none, it has a key twice, a number that is none, or is nested too deeply.
        CutOffError: it is not closed before the text ends.
    """
    return _value(text, start, 0)


def skip_brackets(text: str, start: int) -> int | None:
    """The position after the bracket that closes the one at ``start``; None: none does. For values that are broken."""
    depth, position, quoted = 0, start, False
    while position < len(text):
        character = text[position]
        if character == "\\" and quoted:
            position += 1
        elif character == '"':
            quoted = not quoted
        elif not quoted and character in "[{":
            depth += 1
        elif not quoted and character in "]}":
            depth -= 1
            if depth == 0:
                return position + 1
        position += 1
    return None


def _blank(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    return match.end() if match else position


def _at(text: str, position: int, problem: str) -> NotJsonError:
    """The problem at a position, or that the text ends there."""
    if position >= len(text):
        return CutOffError("it ends inside a JSON value")
    near = " ".join(text[position : position + 20].split())
    return NotJsonError(f"it is not valid JSON: {problem} at {near!r} (character {position + 1})")


def _value(text: str, position: int, depth: int) -> tuple[Any, int]:
    position = _blank(text, position)
    first = text[position : position + 1]
    if depth > _DEEPEST:
        raise NotJsonError(f"it is nested more than {_DEEPEST} levels deep")
    if first == "{":
        return _object(text, position + 1, depth)
    if first == "[":
        return _array(text, position + 1, depth)
    if first in ('"', "'"):
        return _string(text, position)
    if first == "-" or first.isdecimal():
        return _number(text, position)
    word = _WORD.match(text, position)
    if word and word[0] in _CONSTANTS:
        return _CONSTANTS[word[0]], word.end()
    raise _at(text, position, "no value")


def _object(text: str, position: int, depth: int) -> tuple[dict[str, Any], int]:
    members: dict[str, Any] = {}
    while True:
        position = _blank(text, position)
        if text[position : position + 1] == "}":
            return members, position + 1
        if text[position : position + 1] not in ('"', "'"):
            raise _at(text, position, "no key in quotes")
        at = position
        key, position = _string(text, position)
        if key in members:
            raise _at(text, at, "a key that is given twice")
        position = _blank(text, position)
        if text[position : position + 1] != ":":
            raise _at(text, position, "no colon after a key")
        members[key], position = _value(text, position + 1, depth + 1)
        position = _blank(text, position)
        if text[position : position + 1] == ",":
            position += 1
        elif text[position : position + 1] != "}":
            raise _at(text, position, "neither comma nor closing brace")


def _array(text: str, position: int, depth: int) -> tuple[list[Any], int]:
    values: list[Any] = []
    while True:
        position = _blank(text, position)
        if text[position : position + 1] == "]":
            return values, position + 1
        value, position = _value(text, position, depth + 1)
        values.append(value)
        position = _blank(text, position)
        if text[position : position + 1] == ",":
            position += 1
        elif text[position : position + 1] != "]":
            raise _at(text, position, "neither comma nor closing bracket")


def _number(text: str, position: int) -> tuple[int | float, int]:
    match = _NUMBER.match(text, position)
    if match is None or len(match[0]) > _LONGEST_NUMBER:
        raise _at(text, position, "no number")
    if match[1] is None and match[2] is None:
        return int(match[0]), match.end()
    number = float(match[0])
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
        if character == "\\":
            part, position = _escape(text, position + 1)
            parts.append(part)
        else:
            parts.append(character)
            position += 1
    raise CutOffError("it ends inside a JSON value")


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
