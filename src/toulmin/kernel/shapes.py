"""Reading JSON strictly: what is not exactly as the format has it is refused, in one line that says where.

A shape is a rule (a function of what is given and where), a tuple of the texts that are allowed, a list of one shape (and the
least number of parts), or a dictionary of fields; a field whose name ends in "?" may be absent or null.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

from .encoding import Statement
from .errors import KernelError
from .values import Node, literal_from

MOST_BYTES = 100_000_000
_DEEPEST = 64
_MOST_MARKS = 10_000_000
_LONGEST = 1_000_000  # characters of one text
#: A whole text (or all that follows a quotation mark that nothing closes), or a bracket outside of one.
_TEXT_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\Z)|[\[\]{}]', re.DOTALL)


def one_line(text: str, longest: int = 300) -> str:
    """A text as a report shows it: one line that nothing in it can break, hide or turn around."""
    kept = "".join(" " if c.isspace() else c for c in text if c.isspace() or c.isprintable() or c in "\u200c\u200d")
    line = " ".join(kept.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def read(given: str | bytes) -> Any:
    """The value of a JSON text.

    Raises:
        KernelError: it is too long, too deep, no JSON, gives a field twice or holds a number that is none.
    """
    if len(given) > MOST_BYTES:
        raise KernelError(f"longer than {MOST_BYTES:,} bytes")
    try:
        text = given.decode("utf-8") if isinstance(given, bytes) else given
    except UnicodeDecodeError as error:
        raise KernelError(f"not UTF-8: byte {error.start}") from None
    depth = 0  # looked at before anything is made of the text
    for count, match in enumerate(_TEXT_OR_BRACKET.finditer(text)):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(match[0], 0)
        if depth > _DEEPEST or count > _MOST_MARKS:
            raise KernelError(f"nests too deeply, or holds too much, at character {match.start()}")
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number, parse_int=_whole)
    except json.JSONDecodeError as error:
        raise KernelError(f"not JSON: line {error.lineno}, column {error.colno}: {error.msg}") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise KernelError(f"the field {one_line(name, 60)!r} is given twice in one object")
        found[name] = value
    return found


def _no_number(name: str) -> NoReturn:
    raise KernelError(f"{name} is no number")


def _whole(digits: str) -> int:
    return int(digits) if len(digits) <= 16 else wrong("a number", "of at most 16 digits")


def wrong(where: str, must: str) -> Any:
    """Refuse what stands somewhere."""
    raise KernelError(f"{where}: must be {must}")


def shaped(given: object, shape: Any, where: str) -> Any:
    """What is given, if it is of a shape; optional fields that are absent are None.

    Raises:
        KernelError: it is not.
    """
    if isinstance(shape, dict):
        if not isinstance(given, dict):
            wrong(where, "an object")
        names = {name.rstrip("?"): name for name in shape}
        for name in given:
            if name not in names:
                raise KernelError(f"{where}: the field {one_line(name, 60)!r} is not known")
        found = {}
        for name, marked in names.items():
            absent = given.get(name) is None
            if absent and marked == name:
                raise KernelError(f"{where}: the field {name!r} is missing")
            found[name] = None if absent else shaped(given[name], shape[marked], f"{where} {name}")
        return found
    if isinstance(shape, list):
        if not isinstance(given, list) or len(given) < (shape[1] if len(shape) > 1 else 0):
            wrong(where, f"a list of {shape[1]} or more" if len(shape) > 1 else "a list")
        return tuple(shaped(part, shape[0], f"{where} {place}") for place, part in enumerate(given))
    if isinstance(shape, tuple):
        return given if isinstance(given, str) and given in shape else wrong(where, " or ".join(shape))
    return shape(given, where)


def text(given: object, where: str) -> str:
    """A text that UTF-8 can hold."""
    if not isinstance(given, str) or len(given) > _LONGEST:
        return wrong(where, "a text that is not too long")
    if not given.isascii() and any("\ud800" <= character <= "\udfff" for character in given):
        wrong(where, "a text without half surrogates")
    return given


def integer(given: object, where: str) -> int:
    """A whole number, not negative."""
    return given if type(given) is int and given >= 0 else wrong(where, "a whole number, 0 or more")


def positive(given: object, where: str) -> int:
    """A whole number from 1 on."""
    return integer(given, where) or wrong(where, "1 or more")


def number(given: object, where: str) -> float:
    """A finite number."""
    return float(given) if type(given) in (int, float) and math.isfinite(given) else wrong(where, "a number")  # type: ignore[arg-type]


def share(given: object, where: str) -> float:
    """A number from 0 to 1."""
    return number(given, where) if 0 <= number(given, where) <= 1 else wrong(where, "from 0 to 1")


def boolean(given: object, where: str) -> bool:
    """True or false."""
    return given if isinstance(given, bool) else wrong(where, "true or false")


def anything(given: object, where: str) -> object:
    """What is told and not looked at."""
    return given


def span(given: object, where: str) -> tuple[int, int]:
    """Where words start and end, in characters."""
    start, end = shaped(given, [integer], where) if isinstance(given, list) and len(given) == 2 else (1, 0)
    return (start, end) if start < end else wrong(where, "[start, end], the start before the end")


def node(given: object, where: str) -> Node:
    """An entity's id, or a literal."""
    return text(given, where) if isinstance(given, str) else literal(given, where)


def literal(given: object, where: str) -> Any:
    """A literal."""
    try:
        return literal_from(given)
    except KernelError as error:
        raise KernelError(f"{where}: {error}") from None


def _qualifier(given: object, where: str) -> tuple[str, Node]:
    relation, value = given if isinstance(given, list) and len(given) == 2 else wrong(where, "[relation, value]")
    return text(relation, where), node(value, where)


def statement(given: object, where: str, graph: int = 0) -> Statement:
    """A statement [subject, relation, object, qualifiers, rank] of the graph at a place."""
    parts = given if isinstance(given, list) and len(given) == 5 else wrong(where, "a statement of five parts")
    pairs = tuple(shaped(parts[3], [_qualifier], f"{where} qualifiers"))
    rank = shaped(parts[4], ("normal", "preferred"), f"{where} rank")
    return Statement(graph, text(parts[0], where), text(parts[1], where), node(parts[2], where), pairs, rank)
