"""Our own format: JSON lines, one entity or statement each. ``docs/format.md`` describes it.

{"id": "world:Paris", "label": "Paris", "aliases": ["City of Light"], "description": "capital of France"}
{"subject": "world:Paris", "relation": "world:country", "object": "world:France"}
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn, get_args

from toulmin.graph.readers.minting import (
    clean_text,
    clean_value,
    entity_label,
    is_iri,
    mint_entity,
    mint_relation,
    plain_value,
    relation_label,
)
from toulmin.graph.readers.raw_statements import RawName, RawStatement, Record, Rejected
from toulmin.graph.readers.stream import ReadOptions, SourceStream
from toulmin.graph.times import PRECISIONS, is_time
from toulmin.graph.types import DESCRIPTION, Literal, Rank
from toulmin.graph.xsd import time_literal

__all__ = ["read_jsonl"]

_ENTITY_FIELDS = frozenset({"id", "label", "aliases", "description", "lang"})
_STATEMENT_FIELDS = frozenset({"subject", "relation", "object", "qualifiers", "rank"})
_RANKS: tuple[str, ...] = get_args(Rank)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_REMEMBERED = 1_000_000  # minted ids kept to announce each name once

# Value forms: the key that says the kind, and the keys that may stand beside it.
_VALUE_FIELDS: Mapping[str, frozenset[str]] = {
    "id": frozenset(),
    "name": frozenset(),
    "string": frozenset({"lang"}),
    "time": frozenset({"precision", "calendar"}),
    "quantity": frozenset({"unit"}),
    "coordinate": frozenset(),
    "boolean": frozenset(),
    "unknown_value": frozenset(),
    "no_value": frozenset(),
}


class _Lexical(str):
    """A JSON number as it was written, so that 1.50 stays 1.50."""

    __slots__ = ()


class _MalformedError(Exception):
    """What is wrong with a line."""


def _no_constant(text: str) -> NoReturn:
    raise _MalformedError(f"{text} is not a number")


_decode: Callable[[str], Any] = json.JSONDecoder(
    parse_int=_Lexical, parse_float=_Lexical, parse_constant=_no_constant
).decode


def read_jsonl(source: SourceStream, options: ReadOptions) -> Iterator[Record]:
    """Facts and names of a file in our own format; malformed lines are rejected one by one."""
    names = _JsonIds()
    for number, line in source.lines():
        if line is None:
            yield Rejected(number, source.undecodable(number))
            continue
        if not line or line.isspace():
            continue
        names.fresh.clear()
        try:
            records = _records(line, names, options)
        except _MalformedError as error:
            yield Rejected(number, str(error))
        else:
            yield from names.announced()
            yield from records


class _JsonIds:
    """Ids of names, and the labels that are new in a line."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, bool], str] = {}
        self.fresh: dict[tuple[str, bool], RawName] = {}

    def entity(self, text: str) -> str:
        return text if is_iri(text) else self.named(text)

    def relation(self, text: str) -> str:
        return text if is_iri(text) else self._mint(text, relation=True)

    def named(self, text: str) -> str:
        return self._mint(plain_value(text), relation=False)

    def announced(self) -> list[RawName]:
        self._known.update((key, name.id) for key, name in self.fresh.items())
        return list(self.fresh.values())

    def _mint(self, text: str, *, relation: bool) -> str:
        key = (text, relation)
        if (known := self._known.get(key)) is not None:
            return known
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        identifier = mint_relation(text) if relation else mint_entity(text)
        self.fresh[key] = RawName(identifier, relation_label(text) if relation else entity_label(text))
        return identifier


def _records(line: str, names: _JsonIds, options: ReadOptions) -> list[Record]:
    try:
        record = _decode(line)
    except json.JSONDecodeError as error:
        raise _MalformedError(f"not JSON: {error.msg} (column {error.colno})") from error
    except RecursionError as error:
        raise _MalformedError("not JSON that can be read: nested too deeply") from error
    if not isinstance(record, dict):
        raise _MalformedError("not a JSON object")
    if "subject" in record:
        return [_statement(record, names)]
    if "id" in record:
        return _entity(record, options)
    raise _MalformedError('has neither "subject" (a statement) nor "id" (an entity or relation)')


def _entity(record: dict[str, Any], options: ReadOptions) -> list[Record]:
    _only(record, _ENTITY_FIELDS)
    identifier = _id(record, "id")
    lang = _lang(record)
    aliases = record.get("aliases", [])
    if not isinstance(aliases, list):
        raise _MalformedError('field "aliases": must be a list of texts')
    names: list[Record] = []
    if "label" in record:
        names.append(RawName(identifier, _text(record, "label"), "label", lang))
    names.extend(RawName(identifier, _checked(alias, "aliases"), "alias", lang) for alias in aliases)
    if "description" in record:
        names.append(RawStatement(identifier, DESCRIPTION, Literal(_long_text(record, "description"), lang=lang)))
    return names if options.wants(lang) else []


def _statement(record: dict[str, Any], names: _JsonIds) -> RawStatement:
    _only(record, _STATEMENT_FIELDS)
    for field in ("relation", "object"):
        if field not in record:
            raise _MalformedError(f'field "{field}" is missing')
    rank = record.get("rank", "normal")
    if rank not in _RANKS:
        raise _MalformedError(f'field "rank": {rank!r} is not one of {", ".join(_RANKS)}')
    subject = _value(record["subject"], "subject", names)
    if isinstance(subject, Literal):
        raise _MalformedError('field "subject": must be an entity, not a value')
    return RawStatement(
        subject,
        names.relation(_text(record, "relation")),
        _value(record["object"], "object", names),
        _qualifiers(record.get("qualifiers", {}), names),
        rank,
    )


def _qualifiers(field: Any, names: _JsonIds) -> tuple[tuple[str, str | Literal], ...]:
    if not isinstance(field, dict):
        raise _MalformedError('field "qualifiers": must be an object {relation: value or list of values}')
    qualifiers: list[tuple[str, str | Literal]] = []
    for key, values in field.items():
        relation = names.relation(_checked(key, "qualifiers"))
        qualifiers.extend(
            (relation, _value(value, key, names)) for value in (values if isinstance(values, list) else [values])
        )
    return tuple(qualifiers)


def _value(field: Any, where: str, names: _JsonIds) -> str | Literal:
    if isinstance(field, _Lexical):
        return Literal(str(field), "quantity")
    if isinstance(field, str):
        return names.entity(_checked(field, where))
    if isinstance(field, bool):
        return Literal("true" if field else "false", "boolean")
    if isinstance(field, dict):
        return _typed_value(field, where, names)
    raise _MalformedError(f'field "{where}": {json.dumps(field)[:60]} is not a value')


def _typed_value(field: dict[str, Any], where: str, names: _JsonIds) -> str | Literal:
    kinds = [kind for kind in _VALUE_FIELDS if kind in field]
    if len(kinds) != 1:
        raise _MalformedError(f'field "{where}": needs exactly one of {", ".join(_VALUE_FIELDS)}')
    kind = kinds[0]
    _only(field, _VALUE_FIELDS[kind] | {kind}, where)
    if kind == "id":
        return _id(field, where)
    if kind == "name":
        return names.named(_text(field, "name"))
    if kind == "string":
        return Literal(_long_text(field, "string"), lang=_lang(field))
    if kind == "time":
        return _time(field, where)
    if kind == "quantity":
        return Literal(_number(field["quantity"], where), "quantity", unit=_optional(field, "unit"))
    if kind == "coordinate":
        return _coordinate(field["coordinate"], where)
    if not isinstance(field[kind], bool) or (kind != "boolean" and not field[kind]):
        raise _MalformedError(f'field "{where}": "{kind}" must be true')
    if kind == "boolean":
        return Literal("true" if field[kind] else "false", "boolean")
    return Literal("", "unknown_value" if kind == "unknown_value" else "no_value")


def _id(field: dict[str, Any], where: str) -> str:
    identifier = _text(field, "id")
    if not is_iri(identifier):
        raise _MalformedError(f'field "{where}": {identifier!r} is not an id such as "my:Paris" or an IRI')
    return identifier


def _time(field: dict[str, Any], where: str) -> Literal:
    text = _text(field, "time")
    precision, calendar = _optional(field, "precision"), _optional(field, "calendar")
    if not is_time(text):
        raise _MalformedError(
            f'field "{where}": {text!r} is not a time such as 1995, 1995-03, 1995-03-12 or -0043-03-15'
        )
    if precision is not None and precision not in PRECISIONS:
        raise _MalformedError(f'field "{where}": precision {precision!r} is not one of {", ".join(PRECISIONS)}')
    if calendar not in (None, "gregorian", "julian"):
        raise _MalformedError(f'field "{where}": calendar {calendar!r} is not gregorian or julian')
    return time_literal(text, precision, calendar)


def _number(value: Any, where: str) -> str:
    text = value.strip() if isinstance(value, str) else ""
    if not _NUMBER.fullmatch(text):
        raise _MalformedError(f'field "{where}": {value!r} is not a number')
    return str(text)


def _coordinate(value: Any, where: str) -> Literal:
    parts = value if isinstance(value, list) else str(value).split(",")
    if len(parts) != 2:
        raise _MalformedError(f'field "{where}": a coordinate is [latitude, longitude]')
    latitude, longitude = (_number(part, where) for part in parts)
    if abs(float(latitude)) > 90 or abs(float(longitude)) > 360:
        raise _MalformedError(f'field "{where}": {latitude},{longitude} is outside the range of degrees')
    return Literal(f"{latitude},{longitude}", "coordinate")


def _only(record: dict[str, Any], known: frozenset[str] | set[str], where: str | None = None) -> None:
    for key in record:
        if key not in known:
            place = f'field "{where}": ' if where else ""
            raise _MalformedError(f'{place}unknown field "{key}"; known: {", ".join(sorted(known))}')


def _lang(record: dict[str, Any]) -> str | None:
    lang = _optional(record, "lang")
    return lang.lower() if lang else None


def _optional(record: dict[str, Any], field: str) -> str | None:
    return _text(record, field) if record.get(field) is not None else None


def _text(record: dict[str, Any], field: str) -> str:
    return _checked(record[field], field)


def _long_text(record: dict[str, Any], field: str) -> str:
    """The text of a literal: may be empty, keeps its line breaks."""
    value = record[field]
    if isinstance(value, _Lexical) or not isinstance(value, str):
        raise _MalformedError(f'field "{field}": must be a text')
    return clean_value(value)


def _checked(value: Any, field: str) -> str:
    if isinstance(value, _Lexical) or not isinstance(value, str):
        raise _MalformedError(f'field "{field}": must be a text')
    text = clean_text(value)
    if not text:
        raise _MalformedError(f'field "{field}": is empty')
    return text
