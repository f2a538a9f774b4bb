"""Delimited triples: tab, comma (quoted as RFC 4180 has it), ``|`` or ``;``, with or without a header.

Columns are subject, relation, object. A header may name them in another order, and what it names beyond them are
qualifiers. Without a header, columns after the third are ignored: nothing says what they mean. A table, whose first
line names what its columns hold, is another format (``readers.tables``): ``is_table`` tells the two apart.
"""

from __future__ import annotations

import logging
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice
from operator import itemgetter
from typing import NamedTuple

from toulmin.errors import SettingsError, SourceError
from toulmin.graph.readers.fields import (
    OBJECT,
    RELATION,
    SUBJECT,
    WEAK_RELATION,
    Rows,
    best_delimiter,
    find_heading,
    is_triple_header,
    normal_heading,
    open_lines,
    sample_rows,
    split_rows,
    usual_width,
)
from toulmin.graph.readers.minting import (
    clean_text,
    entity_label,
    is_iri,
    mint_entity,
    mint_relation,
    plain_value,
    relation_label,
)
from toulmin.graph.readers.raw_statements import RawName, RawStatement, Record, Rejected
from toulmin.graph.readers.stream import ReadOptions, SourceStream
from toulmin.graph.readers.tables.cells import all_yes_no, yes_no
from toulmin.graph.readers.tables.columns import EARLIEST_YEAR, YEAR_WORDS, heading_words
from toulmin.graph.types import Literal
from toulmin.graph.values import literal_from_text

__all__ = ["read_delimited"]

_log = logging.getLogger(__name__)

_OfText = Callable[[str], str]
_Read = Callable[[str], Literal | None]
_REMEMBERED = 1_000_000  # names kept to announce each once; beyond that they are announced anew
_SAMPLED = 100_000  # rows by which it is told which relations hold values; a relation that comes later does not
_CODE = re.compile(r"0\d+", re.ASCII)
_MOST = 0.9  # share of a relation's objects that have to be numbers or dates


def read_delimited(source: SourceStream, options: ReadOptions) -> Iterator[Record]:
    """Facts and names of delimited triples.

    Raises:
        SourceError: no delimiter fits the first lines.
        SettingsError: the options name no such column.
    """
    opened = open_lines(source)
    if opened is None:
        return
    sample, blocks = opened
    delimiter = options.delimiter or best_delimiter(sample)
    if delimiter is None:
        raise SourceError(
            f"none of tab, '|', ',' and ';' gives three columns (lines read: {len(sample)}): name the delimiter",
            source.path,
        )
    sampled = sample_rows(sample, delimiter)
    layout = _Layout.of(sampled[0], usual_width(sampled), options)
    if layout.width > 3 + len(layout.qualifiers):
        _log.warning("%s: columns after the third are ignored; a header would make them qualifiers", source.path)
    rows = split_rows(blocks, delimiter, source.undecodable)
    if layout.header:
        next(rows, None)
    first = list(islice(rows, _SAMPLED)) if options.literals is None else []
    valued = _valued(first, layout) if options.literals is None else options.literals
    yield from _records(chain(first, rows), layout, valued)


class _Layout(NamedTuple):
    """Which column holds what."""

    subject: int
    relation: int
    object: int
    qualifiers: tuple[tuple[int, str], ...]
    width: int
    header: bool

    @classmethod
    def of(cls, first_row: list[str], width: int, options: ReadOptions) -> _Layout:
        names = [normal_heading(cell) for cell in first_row]
        header = options.header
        if header is None:
            header = is_triple_header(names)
        if options.columns is not None:
            first_row = list(options.columns)
            names = [normal_heading(cell) for cell in first_row]
        elif not header:
            return cls(0, 1, 2, (), width, header=False)
        subject, relation, obj = (find_heading(names, known) for known in (SUBJECT, RELATION | WEAK_RELATION, OBJECT))
        if subject is None or relation is None or obj is None:
            if options.columns is not None:
                raise SettingsError(f"columns {','.join(names)}: subject, relation and object must be among them")
            subject, relation, obj = 0, 1, 2
        facts = {subject, relation, obj}
        extra = tuple(
            (place, clean_text(cell)) for place, cell in enumerate(first_row) if place not in facts and clean_text(cell)
        )
        return cls(subject, relation, obj, extra, max(width, len(first_row)), header)


class _FieldIds(dict[str, str]):
    """The id that each field is or names, "" of no text; made as it is met, and each new name announced once.

    Args:
        text: what a field says.
        mint, label: of what it says.
        fresh: takes in the new names.
    """

    def __init__(self, text: _OfText, mint: _OfText, label: _OfText, fresh: list[RawName]) -> None:
        super().__init__()
        self._text, self._mint, self._label, self._fresh = text, mint, label, fresh

    def __missing__(self, field: str) -> str:
        text = self._text(field)
        if not text:
            return ""
        if len(self) >= _REMEMBERED:
            self.clear()
        iri = _as_iri(text)
        identifier = self[field] = iri or self._mint(text)
        if iri is None:
            self._fresh.append(RawName(identifier, self._label(text)))
        return identifier


def _valued(rows: Sequence[tuple[int, list[str] | str]], layout: _Layout) -> dict[str, _Read]:
    """The relations and qualifiers, as they are written, whose objects are values, and how these are read.

    All objects say yes or no ("NO" alone is Norway), or most objects, or objects of most rows, are numbers or dates.
    Digits behind a zero are a code, as postcodes are. Numbers that are subjects, too, are keys or names: where most of
    a relation's numbers are, its objects are things. Digits are no years beside amounts, nor before 1800 where the
    relation's name says nothing of years.
    """
    subjects, objects = set[str](), defaultdict[str, Counter[str]](Counter)
    for _, row in rows:
        if isinstance(row, list) and len(row) == layout.width:
            subjects.add(row[layout.subject])
            objects[row[layout.relation]][row[layout.object]] += 1
            for at, name in layout.qualifiers:
                objects[name][row[at]] += 1
    valued = dict[str, _Read]()
    for name, fields in objects.items():
        del fields[""]
        named = 2 * len(fields.keys() & subjects) >= len(fields)  # a band is called "Yes"
        if fields.keys() != {"NO"} and not named and all_yes_no(map(_plain, fields)):
            valued[name] = _truth
            continue
        values = {field: value for field in fields if (value := _value(field)) is not None}
        most = len(values) >= _MOST * len(fields) or sum(map(fields.__getitem__, values)) >= _MOST * fields.total()
        if (
            values
            and most
            and 2 * len(values.keys() & subjects) < len(values)
            and not any(map(_CODE.fullmatch, fields))
        ):
            early = any(field.isdigit() and int(field) < EARLIEST_YEAR for field in values)
            amounts = any(value.kind == "quantity" for value in values.values())
            numbers = amounts or (early and YEAR_WORDS.isdisjoint(heading_words(name)))
            valued[name] = _number_first if numbers else _value
    return valued


def _plain(field: str) -> str:
    return plain_value(clean_text(field))


def _value(field: str) -> Literal | None:
    return literal_from_text(_plain(field))


def _number_first(field: str) -> Literal | None:
    return Literal(field, "quantity") if field.isdigit() else _value(field)


def _truth(field: str) -> Literal | None:
    return yes_no(_plain(field))


def _records(rows: Rows, layout: _Layout, valued: Mapping[str, _Read] | bool) -> Iterator[Record]:
    """The records of rows.

    Args:
        valued: relations and qualifiers whose objects are literals (``_valued``); True: all that are numbers or dates,
            False: none.
    """
    readers: dict[_Read, _Read] = {read: lru_cache(_REMEMBERED)(read) for read in (_value, _number_first, _truth)}

    def node(name: str, field: str) -> str | Literal:
        read = (_value if valued else None) if isinstance(valued, bool) else valued.get(name)
        return (readers[read](field) if read is not None else None) or entities[field]

    fresh: list[RawName] = []
    entities = _FieldIds(_plain, mint_entity, entity_label, fresh)
    relations = _FieldIds(clean_text, mint_relation, relation_label, fresh)
    cells, width = itemgetter(layout.subject, layout.relation, layout.object), layout.width
    for number, row in rows:
        if isinstance(row, str):
            yield Rejected(number, row)
            continue
        if (lacking := width - len(row)) != 0:
            if len(row) < 3 or lacking < 0:
                if len(row) > 1 or row[0].strip():
                    yield Rejected(number, f"{len(row)} fields where {width} are expected")
                continue
            row += [""] * lacking
        subject, relation, obj = cells(row)
        ids = entities[subject], relations[relation], node(relation, obj)
        qualifiers: tuple[tuple[str, str | Literal], ...] = ()
        if layout.qualifiers and all(ids):
            said = ((name, node(name, row[at])) for at, name in layout.qualifiers)
            qualifiers = tuple((relations[name], value) for name, value in said if value)
        if fresh:
            yield from fresh
            fresh.clear()
        if all(ids):
            yield RawStatement(*ids, qualifiers)
        else:
            yield Rejected(number, "an empty subject, relation or object")


def _as_iri(text: str) -> str | None:
    """Web addresses (also in angle brackets) and blank nodes are ids as they stand; other texts are names."""
    if text.startswith("<") and text.endswith(">"):
        text = text[1:-1]
    return text if text.startswith(("http://", "https://", "_:")) and is_iri(text) else None
