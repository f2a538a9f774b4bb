"""Wikidata entity JSON: dumps (one entity a line), single entities, and what Special:EntityData serves.

Ids are the entities' IRIs, of relations too: ``http://www.wikidata.org/entity/P31``. Ranks and qualifiers are kept;
references and sitelinks are not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

from toulmin.errors import SourceError
from toulmin.graph.quantities import canonical_unit
from toulmin.graph.readers.minting import clean_text, clean_value
from toulmin.graph.readers.raw_statements import RawName, RawStatement, Record, Rejected
from toulmin.graph.readers.stream import ReadOptions, SourceStream
from toulmin.graph.types import DESCRIPTION, Literal, Rank
from toulmin.graph.xsd import wikidata_time

__all__ = ["read_wikidata"]

_ENTITY = "http://www.wikidata.org/entity/"
_RANKS: dict[str, Rank] = {"preferred": "preferred", "normal": "normal", "deprecated": "deprecated"}
_LEXICAL_CATEGORY = "http://wikiba.se/ontology#lexicalCategory"
_LANGUAGE = "http://purl.org/dc/terms/language"
_SENSE = "http://www.w3.org/ns/lemon/ontolex#sense"
_FORM = "http://www.w3.org/ns/lemon/ontolex#lexicalForm"

_ID = re.compile(r"(?:[QPLMEZ][1-9]\d*(?:-[FS][1-9]\d*)?)\Z", re.ASCII)
_PREFIXES = {"item": "Q", "property": "P", "lexeme": "L"}
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\Z", re.ASCII)


class _BrokenEntityError(Exception):
    """What is wrong with an entity, statement or value."""


_decode = json.JSONDecoder(parse_float=str).decode  # numbers with a decimal point stay as they were written

Lines = Iterator[tuple[int, str | None]]


def read_wikidata(source: SourceStream, options: ReadOptions) -> Iterator[Record]:
    """Facts and names of a Wikidata JSON file. In dumps, bad lines are rejected one by one.

    Raises:
        SourceError: a file that is one JSON document is malformed.
    """
    lines = source.lines()
    opening = _opening(lines)
    lines = chain(opening, lines)
    if _is_dump(opening):
        for number, line in lines:
            if line is None:
                yield Rejected(number, source.undecodable(number))
            else:
                yield from _line_records(number, line, options)
    else:
        document = _whole(lines, source)
        for entity in _entities(document):
            yield from _entity_records(entity, None, options)


def _opening(lines: Lines) -> list[tuple[int, str | None]]:
    """The lines up to the second that is not blank."""
    taken: list[tuple[int, str | None]] = []
    filled = 0
    while filled < 2 and (item := next(lines, None)) is not None:
        taken.append(item)
        filled += item[1] is None or bool(item[1].strip())
    return taken


def _is_dump(opening: list[tuple[int, str | None]]) -> bool:
    texts = [line.strip() for _, line in opening if line is not None and line.strip()]
    if texts and texts[0] == "[":
        texts.pop(0)
        if texts in ([], ["]"]):
            return True
    first = texts[0].rstrip(",") if texts else "{}"
    return first.startswith("{") and first.endswith("}") and first != "{"


def _whole(lines: Lines, source: SourceStream) -> Any:
    texts: list[str] = []
    for number, line in lines:
        if line is None:
            raise SourceError(source.undecodable(number), source.path, number)
        texts.append(line)
    try:
        return _decode("\n".join(texts))
    except json.JSONDecodeError as error:
        raise SourceError(f"not JSON: {error.msg} (column {error.colno})", source.path, error.lineno) from error
    except RecursionError as error:
        raise SourceError("JSON nested too deeply to be an entity", source.path) from error


def _line_records(number: int, line: str, options: ReadOptions) -> Iterator[Record]:
    text = line.strip().rstrip(",")
    if text in ("", "[", "]"):
        return
    try:
        document = _decode(text)
    except json.JSONDecodeError as error:
        yield Rejected(number, f"not JSON: {error.msg} (column {error.colno})")
        return
    except RecursionError:
        yield Rejected(number, "JSON nested too deeply to be an entity")
        return
    for entity in _entities(document):
        yield from _entity_records(entity, number, options)


def _entities(document: Any) -> list[Any]:
    if isinstance(document, dict) and "entities" in document and "id" not in document:
        entities = document["entities"]
        return list(entities.values()) if isinstance(entities, dict) else [entities]
    return document if isinstance(document, list) else [document]


def _entity_records(entity: Any, line: int | None, options: ReadOptions) -> Iterator[Record]:
    if not isinstance(entity, dict) or not isinstance(entity.get("id"), str):
        yield Rejected(line, "not an entity: a JSON object with an id is expected")
        return
    try:
        iri = _entity_iri(entity["id"])
    except _BrokenEntityError as error:
        yield Rejected(line, str(error))
        return
    if "missing" in entity:
        yield Rejected(line, f"{entity['id']} does not exist (Wikidata says that it is missing)")
        return
    yield from _names(iri, entity, options)
    yield from _claims(iri, entity, line)
    for kind, relation in (("forms", _FORM), ("senses", _SENSE)):
        for part in _list(entity.get(kind)):
            yield from _part(iri, relation, part, line, options)
    for field, relation in (("lexicalCategory", _LEXICAL_CATEGORY), ("language", _LANGUAGE)):
        if isinstance(value := entity.get(field), str) and entity.get("type") == "lexeme":
            yield RawStatement(iri, relation, _ENTITY + value)


def _part(iri: str, relation: str, part: Any, line: int | None, options: ReadOptions) -> Iterator[Record]:
    """A form or sense of a lexeme."""
    records = list(_entity_records(part, line, options))
    if isinstance(part, dict) and not (records and isinstance(records[0], Rejected)):
        yield RawStatement(iri, relation, _ENTITY + part["id"])
    yield from records


def _names(iri: str, entity: dict[str, Any], options: ReadOptions) -> Iterator[Record]:
    for field in ("labels", "lemmas", "representations"):
        for lang, text in _texts(entity.get(field), options):
            yield RawName(iri, text, "label", lang)
    for lang, text in _texts(entity.get("aliases"), options):
        yield RawName(iri, text, "alias", lang)
    for field in ("descriptions", "glosses"):
        for lang, text in _texts(entity.get(field), options):
            yield RawStatement(iri, DESCRIPTION, Literal(clean_value(text), lang=lang))


def _texts(field: Any, options: ReadOptions) -> Iterator[tuple[str | None, str]]:
    """Language and text of labels or aliases; an empty map may come as an empty list. "mul" is every language."""
    for entries in field.values() if isinstance(field, dict) else ():
        for entry in entries if isinstance(entries, list) else (entries,):
            if not isinstance(entry, dict) or not isinstance(entry.get("value"), str):
                continue
            lang = str(entry.get("language") or "mul").lower()
            kept = None if lang == "mul" else lang
            if options.wants(kept) and (text := clean_text(entry["value"])):
                yield kept, text


def _claims(iri: str, entity: dict[str, Any], line: int | None) -> Iterator[Record]:
    claims = entity.get("claims", entity.get("statements"))
    for name, statements in claims.items() if isinstance(claims, dict) else ():
        for statement in _list(statements):
            try:
                yield _fact(iri, statement)
            except _BrokenEntityError as error:
                yield Rejected(line, f"{entity['id']}, {name}: {error}")


def _fact(iri: str, statement: Any) -> RawStatement:
    if not isinstance(statement, dict):
        raise _BrokenEntityError("a statement must be a JSON object")
    stated = statement.get("rank", "normal")
    rank = _RANKS.get(stated) if isinstance(stated, str) else None
    if rank is None:
        raise _BrokenEntityError(f"rank {stated!r} is not one of {', '.join(_RANKS)}")
    relation, value = _snak_value(statement.get("mainsnak"))
    qualifiers = statement.get("qualifiers")
    snaks = qualifiers if isinstance(qualifiers, dict) else {}
    order = [name for name in _list(statement.get("qualifiers-order")) if name in snaks]
    names = dict.fromkeys([*order, *snaks])
    pairs = tuple(_snak_value(snak) for name in names for snak in _list(snaks[name]))
    return RawStatement(iri, relation, value, pairs, rank)


def _list(field: Any) -> list[Any]:
    return field if isinstance(field, list) else []


# The values of snaks: every value type of the data model, and the two snaks without a value.


def _entity_iri(identifier: object) -> str:
    """The IRI of an item, property, lexeme, form or sense."""
    if not isinstance(identifier, str) or not _ID.match(identifier):
        raise _BrokenEntityError(f"{identifier!r} is not an id of Wikidata")
    return _ENTITY + identifier


def _snak_value(snak: Any) -> tuple[str, str | Literal]:
    """The property's IRI and the value (an entity's IRI or a literal) of a snak."""
    if not isinstance(snak, dict):
        raise _BrokenEntityError("a snak must be a JSON object")
    relation = _entity_iri(snak.get("property"))
    kind = snak.get("snaktype")
    if kind == "somevalue":
        return relation, Literal("", "unknown_value")
    if kind == "novalue":
        return relation, Literal("", "no_value")
    datavalue = snak.get("datavalue")
    if kind != "value" or not isinstance(datavalue, dict) or "value" not in datavalue:
        raise _BrokenEntityError(f"snak of type {kind!r} without a value")
    try:
        return relation, _value(datavalue.get("type"), datavalue["value"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _BrokenEntityError(f"malformed value of type {datavalue.get('type')!r} ({error})") from error


def _value(kind: object, value: Any) -> str | Literal:
    if kind == "wikibase-entityid":
        return _entity_iri(value.get("id") or f"{_PREFIXES[value['entity-type']]}{value['numeric-id']}")
    if kind == "string":
        return Literal(clean_value(_text(value)))
    if kind == "monolingualtext":
        return Literal(clean_value(_text(value["text"])), lang=value["language"].lower())
    if kind == "time":
        return wikidata_time(value["time"], value["precision"], value.get("calendarmodel"))
    if kind == "quantity":
        return _quantity(value)
    if kind == "globecoordinate":
        return _coordinate(value)
    raise _BrokenEntityError(f"value type {kind!r} is not known")


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _quantity(value: dict[str, Any]) -> Literal:
    """The amount without its plus sign; bounds that leave room go into ``precision`` as ``lower..upper``."""
    amount = _number(value["amount"])
    lower, upper = (_number(value.get(bound) or amount) for bound in ("lowerBound", "upperBound"))
    precision = None if lower == upper else f"{lower}..{upper}"
    return Literal(amount, "quantity", unit=canonical_unit(value.get("unit")), precision=precision)


def _number(text: object) -> str:
    if not isinstance(text, str) or not _NUMBER.match(text):
        raise ValueError(f"{text!r} is not a number")
    return text.removeprefix("+")


def _coordinate(value: dict[str, Any]) -> Literal:
    """``latitude,longitude`` on Earth; a place on another globe is a text, since no distance to it makes sense."""
    latitude, longitude = value["latitude"], value["longitude"]
    if not -90 <= float(latitude) <= 90 or not -360 <= float(longitude) <= 360:
        raise ValueError(f"{latitude},{longitude} is outside the range of degrees")
    globe = value.get("globe") or _ENTITY + "Q2"
    if globe != _ENTITY + "Q2":
        return Literal(f"<{globe}> Point({longitude} {latitude})")
    return Literal(f"{latitude},{longitude}", "coordinate")
