"""Reading JSON strictly, by the shapes of format.json: what is not so is refused in one line that says where."""

import json
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from .encoding import KernelError, Literal, Node, Statement, literal_from, refuse_if

FORMAT: dict[str, Any] = json.loads(Path(__file__).with_name("format.json").read_text("utf-8"))
MOST_BYTES, _DEEPEST, _MOST_MARKS = 100_000_000, 64, 10_000_000
_LONGEST = 1_000_000  # characters of one text, parts of one list
_LARGEST = 1e12  # of scores, weights and thresholds: sums of them do not overflow
#: A whole text (or all that follows a quotation mark that nothing closes), or a bracket outside of one.
_TEXT_OR_BRACKET = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\Z)|[\[\]{}]', re.DOTALL)
_DEEPER = {"[": 1, "{": 1, "]": -1, "}": -1}


def one_line(text: str, longest: int = 300) -> str:
    """A text as a report shows it: one line that nothing in it can break, hide or turn around."""
    some = text[: 10 * longest]  # of a very long one no more is looked at
    kept = "".join(c for c in some if c.isspace() or c.isprintable() or c in "\u200c\u200d")
    line = " ".join(kept.split())
    return line if len(line) <= longest and some == text else f"{line[: longest - 1]}…"


def wrong(where: str, must: str) -> Any:
    """Refuse what stands somewhere."""
    raise KernelError(f"{where}: must be {must}")


def read(given: str | bytes) -> Any:
    """The value of a JSON text; KernelError if it is too long or deep, gives a field twice, or is not as JSON is."""
    refuse_if(len(given) > MOST_BYTES, f"longer than {MOST_BYTES:,} bytes")
    try:
        text = given.decode("utf-8") if isinstance(given, bytes) else given
        depth = 0  # looked at before anything is made of the text
        for count, match in enumerate(_TEXT_OR_BRACKET.finditer(text)):
            depth += _DEEPER.get(match[0], 0)
            if depth > _DEEPEST or count > _MOST_MARKS:
                raise KernelError(f"nests too deeply, or holds too much, at character {match.start()}")
        return json.loads(text, object_pairs_hook=_unique, **_NUMBERS)
    except ValueError as error:
        raise KernelError(f"not JSON in UTF-8: {one_line(str(error), 100)}") from None


_NUMBERS: dict[str, Any] = {
    "parse_constant": lambda name: wrong(name, "a number"),
    "parse_int": lambda digits: int(digits) if len(digits) <= 15 else wrong("a number", "of at most 15 digits"),
    "parse_float": lambda t: float(t) if len(t) <= 1000 else wrong("a number", "of at most 1,000 characters"),
}


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise KernelError(f"the field {one_line(name, 60)!r} is given twice in one object")
        found[name] = value
    return found


def shaped(given: Any, shape: Any, where: str) -> Any:
    """What is given, if it is of a shape (else KernelError): lists as tuples, absent optional fields as None."""
    if isinstance(shape, list):
        part, least = shape
        if not isinstance(given, list) or len(given) < least:
            wrong(where, f"a list of {least} or more")
        refuse_if(len(given) > _LONGEST, f"{where}: must be a list of at most {_LONGEST:,}")
        return tuple(shaped(one, part, f"{where} {place}") for place, one in enumerate(given))
    if isinstance(shape, str):
        if not shape.startswith("="):
            return _RULES["integer" if shape.startswith("@") else shape](given, where)
        return given if given in shape[1:].split("|") else wrong(where, f"one of {shape[1:]}")
    if not isinstance(given, dict):
        wrong(where, "an object")
    names, found = _names(*shape), {}
    for name in given:
        if name not in names:
            raise KernelError(f"{where}: the field {one_line(name, 60)!r} is not known")
    for name, marked in names.items():
        value = given.get(name)
        if value is None and marked == name:
            raise KernelError(f"{where}: the field {name!r} is missing")
        found[name] = None if value is None else shaped(value, shape[marked], f"{where} {name}")
    return found


@lru_cache
def _names(*marked: str) -> dict[str, str]:
    """Fields as they are given, and as they stand in a shape."""
    return {name.rstrip("?"): name for name in marked}


def places(value: Any, shape: Any) -> Iterator[tuple[int, str]]:
    """The nodes that a value of a shape names, each with what it must yield."""
    if isinstance(shape, str) or value is None:
        yield from [(value, shape[1:])] if value is not None and shape.startswith("@") else []
    elif isinstance(shape, dict):
        for name, part in shape.items():
            yield from places(value[name.rstrip("?")], part)
    else:
        for one in value:
            yield from places(one, shape[0])


def text(given: object, where: str) -> str:
    """A text that UTF-8 can hold."""
    if not isinstance(given, str) or len(given) > _LONGEST:
        return wrong(where, "a text that is not too long")  # type: ignore[no-any-return]
    if not given.isascii() and any("\ud800" <= character <= "\udfff" for character in given):
        wrong(where, "a text without half surrogates")
    return given


def _number(given: Any, where: str) -> Any:
    fits = isinstance(given, (int, float)) and not isinstance(given, bool) and abs(given) <= _LARGEST
    return float(given) if fits else wrong(where, "a number")


def _span(given: object, where: str) -> Any:
    start, end = shaped(given, ["integer", 2], where)[:2]
    fits = start < end and given == [start, end]
    return (start, end) if fits else wrong(where, "[start, end], the start before the end")


def _marked(given: object, where: str) -> Any:
    start, end, what = _list_of(3, given, where)
    return (*_span([start, end], where), text(what, where))


def _list_of(length: int, given: object, where: str) -> Any:
    return given if isinstance(given, list) and len(given) == length else wrong(where, f"a list of {length}")


def node(given: object, where: str) -> Node:
    """An entity's id, or a literal."""
    return text(given, where) if isinstance(given, str) else _literal(given, where)


def _literal(given: object, where: str) -> Literal:
    try:
        made = literal_from(given)
    except KernelError as error:
        raise KernelError(f"{where}: {error}") from None
    for part in made:
        text(part or "", where)
    return made


def statement(given: object, where: str, graph: int = 0) -> Statement:
    """A statement [subject, relation, object, qualifiers, rank] of the graph at a place."""
    subject, relation, value, qualifiers, rank = _list_of(5, given, where)
    pairs = [_list_of(2, pair, where) for pair in shaped(qualifiers, ["anything", 0], where)]
    said = tuple((text(name, where), node(part, where)) for name, part in pairs)
    ranked = shaped(rank, "=normal|preferred", where)
    return Statement(graph, text(subject, where), text(relation, where), node(value, where), said, ranked)


def _graph(given: object, where: str) -> Any:
    found = shaped(given, {"name": "text", "endpoint?": "text", "asked?": "text", "root?": "text"}, where)
    return found if (found["root"] is None) != (found["endpoint"] is None) else wrong(where, "of a root or an endpoint")


def _reason(given: object, where: str) -> Any:
    code = given.get("code") if isinstance(given, dict) else None
    if not isinstance(code, str) or code not in FORMAT["reasons"]:
        wrong(where, "a reason with a known code")
    return shaped(given, {"code": "text", **FORMAT["reasons"][code]["fields"]}, where)


_RULES: dict[str, Callable[[Any, str], Any]] = {
    "text": text, "number": _number, "span": _span, "marked": _marked, "node": node, "literal": _literal,
    "statement": statement, "graph": _graph, "reason": _reason, "anything": lambda given, _: given,
    "integer": lambda n, where: n if type(n) is int and n >= 0 else wrong(where, "a whole number, 0 or more"),
    "positive": lambda n, where: _RULES["integer"](n, where) or wrong(where, "1 or more"),
    "share": lambda n, where: _number(n, where) if 0 <= _number(n, where) <= 1 else wrong(where, "0 to 1"),
    "boolean": lambda given, where: given if isinstance(given, bool) else wrong(where, "true or false"),
    "cell": lambda given, where: None if given is None else node(given, where),
}  # fmt: skip
