"""Delimited triples: tab, comma (quoted as RFC 4180 has it), ``|`` or ``;``, with or without a header.

Columns are subject, relation, object. A header may name them in another order, and what it names beyond them are
qualifiers. Without a header, columns after the third are ignored: nothing says what they mean. A table, whose first
line names what its columns hold, is refused: its second column holds no relations.
"""

from __future__ import annotations

import csv
import logging
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain

from toulmin.errors import SettingsError, SourceError
from toulmin.graph.readers.minting import (
    clean_text,
    entity_label,
    is_iri,
    mint_entity,
    mint_relation,
    plain_value,
    relation_label,
)
from toulmin.graph.readers.options import ReadOptions
from toulmin.graph.readers.protocol import Fact, Name, Record, Rejected
from toulmin.graph.readers.stream import SourceStream
from toulmin.graph.types import Literal

__all__ = ["looks_delimited", "read_delimited"]

_log = logging.getLogger(__name__)

_DELIMITERS = ("\t", "|", ",", ";")  # in the order in which a tie is decided
_QUOTING = (",", ";")
_SAMPLE_LINES = 100
_QUOTED_LINES = 100  # a quoted field may span this many lines; beyond that the quote is taken for a slip
_REMEMBERED = 1_000_000  # names kept to announce each once; beyond that they are announced anew

_SUBJECT = frozenset({"subject", "subj", "s", "head", "h", "source", "from", "start", "start_id", "entity1"})
_RELATION = frozenset({"relation", "rel", "predicate", "pred", "property", "relationship"})
_KEY = frozenset(
    {"id", "name", "title", "key", "code", "number", "no", "nr", "label", "uuid"}
)  # of a table's first column
_LONGEST_HEADING = 40  # characters
_CONTROL = re.compile("[\\x00-\\x08\\x0e-\\x1f]")  # no text holds one
_MANY_ROWS = 10  # from which on a relation that does not come again tells
_WEAK_RELATION = frozenset({"r", "p", "edge", "type"})  # tell a header only beside names of both other columns
_OBJECT = frozenset({"object", "obj", "o", "tail", "t", "target", "to", "end", "end_id", "value", "entity2"})

Rows = Iterator[tuple[int, list[str] | str]]


def looks_delimited(lines: list[str]) -> bool:
    """Whether most of the lines split into at least three fields by one of the known delimiters."""
    return bool(lines) and _best_delimiter(lines) is not None


def read_delimited(source: SourceStream, options: ReadOptions) -> Iterator[Record]:
    """Facts and names of a delimited file.

    Raises:
        SourceError: no delimiter fits the first lines.
        SettingsError: the options name no such column.
    """
    blocks = source.line_blocks()
    first = next(blocks, None)
    if first is None:
        return
    blocks = chain([first], blocks)
    sample = [line for line in first[1][:_SAMPLE_LINES] if line and not line.isspace()]
    head = first[1][:_SAMPLE_LINES]
    unreadable = [number for number, line in enumerate(head, 1) if line is None or "\0" in line]
    if 2 * len(unreadable) >= len(head):
        if source.holds_control or any(_CONTROL.search(line) for line in head if line is not None):
            what = "is binary: half of its first lines or more are no text; name a file of triples"
            raise SourceError(what, source.path)
        raise SourceError(source.undecodable(unreadable[0]), source.path, unreadable[0])
    if not sample:
        return
    delimiter = options.delimiter or _best_delimiter(sample)
    if delimiter is None:
        raise SourceError(
            f"none of tab, '|', ',' and ';' gives three columns (lines read: {len(sample)}): name the delimiter",
            source.path,
        )
    sampled = _sample_rows(sample, delimiter)
    if options.header is None and options.columns is None and _is_table(sampled):
        raise SourceError(_table_refused(sampled, delimiter), source.path, 1)
    layout = _Layout.of(sampled[0], _usual_width(sampled), options)
    if layout.ignored:
        _log.warning("%s: columns after the third are ignored; a header would make them qualifiers", source.path)
    rows = _rows(blocks, delimiter, source.undecodable)
    if layout.header:
        next(rows, None)
    yield from _Names(layout, options).records(rows)


class _Layout:
    """Which column holds what."""

    def __init__(
        self, subject: int, relation: int, obj: int, qualifiers: tuple[tuple[int, str], ...], width: int, header: bool
    ) -> None:
        self.subject, self.relation, self.object = subject, relation, obj
        self.qualifiers, self.width, self.header = qualifiers, width, header

    @property
    def plain(self) -> bool:
        return (self.subject, self.relation, self.object) == (0, 1, 2) and not self.qualifiers

    @property
    def ignored(self) -> bool:
        return self.width > 3 + len(self.qualifiers)

    @classmethod
    def of(cls, first_row: list[str], width: int, options: ReadOptions) -> _Layout:
        names = [_normal(cell) for cell in first_row]
        header = options.header
        if header is None:
            header = _is_header(names)
        if options.columns is not None:
            first_row = list(options.columns)
            names = [_normal(cell) for cell in first_row]
        elif not header:
            return cls(0, 1, 2, (), width, header=False)
        subject, relation, obj = _find(names, _SUBJECT), _find(names, _RELATION | _WEAK_RELATION), _find(names, _OBJECT)
        if subject is None or relation is None or obj is None:
            if options.columns is not None:
                raise SettingsError(f"columns {','.join(names)}: subject, relation and object must be among them")
            subject, relation, obj = 0, 1, 2
        facts = {subject, relation, obj}
        extra = tuple(
            (place, clean_text(cell)) for place, cell in enumerate(first_row) if place not in facts and clean_text(cell)
        )
        return cls(subject, relation, obj, extra, max(width, len(first_row)), header)


class _Names:
    """Turns the fields of rows into ids, and announces each new name once."""

    def __init__(self, layout: _Layout, options: ReadOptions) -> None:
        self._layout = layout
        self._literals = options.literals
        self._entities: dict[str, str] = {}
        self._relations: dict[str, str] = {}
        self._values: dict[str, Literal | None] = {}
        self._fresh: list[Name] = []

    def records(self, rows: Rows) -> Iterator[Record]:
        layout, fresh = self._layout, self._fresh
        entities, relations = self._entities, self._relations
        fast = layout.plain and not self._literals
        for number, row in rows:
            if isinstance(row, str):
                yield Rejected(number, row)
                continue
            if not 3 <= len(row) <= layout.width:
                if len(row) > 1 or row[0].strip():
                    yield Rejected(number, f"{len(row)} fields where {layout.width} are expected")
                continue
            if fast:
                subject, relation, obj = row[0], row[1], row[2]
            else:
                subject, relation, obj = self._cells(row)
            subject_id = entities.get(subject) or self._entity(subject)
            relation_id = relations.get(relation) or self._relation(relation)
            object_id = (self._literals and self._value(obj)) or entities.get(obj) or self._entity(obj)
            if fresh:
                yield from fresh
                fresh.clear()
            if not (subject_id and relation_id and object_id):
                yield Rejected(number, "an empty subject, relation or object")
            elif layout.qualifiers:
                qualifiers = self._qualifiers(row)
                yield from fresh
                fresh.clear()
                yield Fact(subject_id, relation_id, object_id, qualifiers)
            else:
                yield Fact(subject_id, relation_id, object_id)

    def _cells(self, row: list[str]) -> tuple[str, str, str]:
        layout, width = self._layout, len(row)
        places = (layout.subject, layout.relation, layout.object)
        subject, relation, obj = (row[place] if place < width else "" for place in places)
        return subject, relation, obj

    def _qualifiers(self, row: list[str]) -> tuple[tuple[str, str | Literal], ...]:
        found: list[tuple[str, str | Literal]] = []
        for place, name in self._layout.qualifiers:
            cell = row[place] if place < len(row) else ""
            value = (self._literals and self._value(cell)) or self._entity(cell)
            if value:
                found.append((self._relation(name), value))
        return tuple(found)

    def _entity(self, field: str) -> str:
        if len(self._entities) >= _REMEMBERED:
            self._entities.clear()
        text = plain_value(clean_text(field))
        if not text:
            return ""
        iri = _as_iri(text)
        identifier = iri or mint_entity(text)
        self._entities[field] = identifier
        if iri is None:
            self._fresh.append(Name(identifier, entity_label(text)))
        return identifier

    def _relation(self, field: str) -> str:
        known = self._relations.get(field)
        if known is not None:
            return known
        text = clean_text(field)
        if not text:
            return ""
        iri = _as_iri(text)
        identifier = iri or mint_relation(text)
        self._relations[field] = identifier
        if iri is None:
            self._fresh.append(Name(identifier, relation_label(text)))
        return identifier

    def _value(self, field: str) -> Literal | None:
        if field in self._values:
            return self._values[field]
        from toulmin.graph.values import literal_from_text

        if len(self._values) >= _REMEMBERED:
            self._values.clear()
        value = self._values[field] = literal_from_text(plain_value(clean_text(field)))
        return value


def _as_iri(text: str) -> str | None:
    """Web addresses (also in angle brackets) and blank nodes are ids as they stand; other texts are names."""
    if text.startswith("<") and text.endswith(">"):
        text = text[1:-1]
    return text if text.startswith(("http://", "https://", "_:")) and is_iri(text) else None


def _rows(
    blocks: Iterator[tuple[int, list[str | None]]], delimiter: str, undecodable: Callable[[int], str] = str
) -> Rows:
    """The fields of each line; a text instead of fields says why the line cannot be split.

    Args:
        undecodable: says why a line is no text, by its number.
    """
    if delimiter in _QUOTING:
        yield from _quoted_rows(blocks, delimiter, undecodable)
        return
    for first, lines in blocks:
        for number, line in enumerate(lines, first):
            if line is None:
                yield number, undecodable(number)
            elif '"' in line:
                yield number, [_unwrap(field) for field in line.split(delimiter)]
            else:
                yield number, line.split(delimiter)


def _quoted_rows(
    blocks: Iterator[tuple[int, list[str | None]]], delimiter: str, undecodable: Callable[[int], str]
) -> Rows:
    numbered = ((number, line) for first, lines in blocks for number, line in enumerate(lines, first))
    waiting: list[tuple[int, str | None]] = []
    while True:
        item = waiting.pop(0) if waiting else next(numbered, None)
        if item is None:
            return
        number, line = item
        if line is None:
            yield number, undecodable(number)
        elif '"' not in line:
            yield number, line.split(delimiter)
        else:
            taken: list[tuple[int, str | None]] = []
            text: str = line
            row = _parse_quoted(text, delimiter)
            while row is None and len(taken) < _QUOTED_LINES:
                following = waiting.pop(0) if waiting else next(numbered, None)
                if following is None:
                    break
                taken.append(following)
                if following[1] is None:
                    break
                text += "\n" + following[1]
                row = _parse_quoted(text, delimiter)
            if row is None:
                waiting[:0] = taken
                yield number, "a quoted field is not closed"
            else:
                yield number, row


def _parse_quoted(text: str, delimiter: str) -> list[str] | str | None:
    """The fields, None while a quote is open, or what is wrong."""
    if csv.field_size_limit() <= len(text):
        csv.field_size_limit(2 * len(text))
    try:
        return next(csv.reader([text], delimiter=delimiter, strict=True))
    except csv.Error as error:
        return None if "unexpected end of data" in str(error) else f"badly quoted: {error}"


def _unwrap(field: str) -> str:
    r"""A field of an unquoted format: a pair of quotes around all of it is dropped, ``\"`` and ``""`` are quotes."""
    field = field.replace('\\"', '"') if "\\" in field else field
    inner = field.strip()
    if len(inner) >= 2 and inner[0] == inner[-1] == '"':
        inner = inner[1:-1]
        if '"' not in inner.replace('""', ""):
            return inner.replace('""', '"')
    return field


def _sample_rows(sample: list[str], delimiter: str) -> list[list[str]]:
    rows = _rows(iter([(1, list[str | None](sample))]), delimiter)
    return [row if isinstance(row, list) else [] for _, row in rows]


def _usual_width(rows: list[list[str]]) -> int:
    widths = Counter(len(row) for row in rows if len(row) >= 3)
    return max(widths, key=lambda width: (widths[width], -width)) if widths else 3


def _best_delimiter(sample: list[str]) -> str | None:
    """The delimiter that gives most lines the same number of columns, at least three; None where none does for half."""

    def share(delimiter: str) -> float:
        rows = _sample_rows(sample, delimiter)
        width = _usual_width(rows)
        return sum(len(row) == width for row in rows) / len(rows)

    best = max(_DELIMITERS, key=share)
    return best if share(best) >= 0.5 else None


def _normal(cell: str) -> str:
    return re.sub(r"[\s-]+", "_", clean_text(cell).lstrip("#:").casefold())


def _is_header(names: list[str]) -> bool:
    ends = [_find(names, known) is not None for known in (_SUBJECT, _OBJECT)]
    return (any(ends) and _find(names, _RELATION) is not None) or (
        all(ends) and _find(names, _WEAK_RELATION) is not None
    )


def _find(names: list[str], known: frozenset[str]) -> int | None:
    return next((place for place, name in enumerate(names) if name in known), None)


def _is_table(rows: list[list[str]]) -> bool:
    """Whether the first row names the columns of a table.

    No cell of it comes again in its column or is a value; and the first column is a key by its name, or a column but
    the third holds nothing but values, or all that the second column holds comes again but its first cell, or nothing
    in it is written like its first cell (in small letters where that has a capital, or the other way round): relations
    come again and look alike, a column's name and content do not.
    """
    headings, *others = ([clean_text(cell) for cell in row] for row in rows if row)
    if not others or len(headings) < 3 or _is_header([_normal(cell) for cell in headings]):
        return False
    columns = [[row[place] for row in others if place < len(row) and row[place]] for place in range(len(headings))]
    distinct = len({heading.casefold() for heading in headings}) == len(headings)
    if not distinct or not all(map(_is_heading, headings, columns)):
        return False
    if re.split(r"[_\W]+|(?<=[a-z])(?=[A-Z])", headings[0])[-1].casefold() in _KEY:
        return True
    if len(others) < 2:
        return False
    values = any(column and all(map(_is_value, column)) for place, column in enumerate(columns) if place != 2)
    if values or (len(columns[1]) >= _MANY_ROWS and min(Counter(columns[1]).values()) > 1):
        return True
    small = headings[1][0].islower()
    return bool(columns[1]) and all(cell[0].isalpha() and cell[0].islower() != small for cell in columns[1])


def _is_heading(text: str, column: list[str]) -> bool:
    short = 0 < len(text) <= _LONGEST_HEADING and text[0].isalpha() and not is_iri(text)
    return short and all(cell.casefold() != text.casefold() for cell in column)


def _is_value(text: str) -> bool:
    """Whether a text begins like a number, an amount of money or a date."""
    return text.lstrip("+-$€£¥ ")[:1].isdigit()


def _table_refused(rows: list[list[str]], delimiter: str) -> str:
    headings, first = ([clean_text(cell)[:_LONGEST_HEADING] for cell in row] for row in list(filter(None, rows))[:2])
    triple = delimiter.join([first[0], headings[1], *first[1:2]])
    return (
        f"looks like a table with the columns {', '.join(headings)}, and tables are not read; a triple is a subject, a "
        f'relation and an object, such as "{triple}". If these are triples, say so: --no-header, or --header with '
        "--columns subject,relation,object"
    )
