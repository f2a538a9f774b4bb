"""Delimited triples: tab, comma (quoted as RFC 4180 has it), ``|`` or ``;``, with or without a header.

Columns are subject, relation, object. A header may name them in another order, and what it names beyond them are
qualifiers. Without a header, columns after the third are ignored: nothing says what they mean. A table, whose first
line names what its columns hold, is another format (``readers.tables``): ``is_table`` tells the two apart.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from functools import lru_cache
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
from toulmin.graph.types import Literal

__all__ = ["read_delimited"]

_log = logging.getLogger(__name__)

_REMEMBERED = 1_000_000  # names kept to announce each once; beyond that they are announced anew


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
    yield from _FieldIds(layout, options).records(rows)


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


class _FieldIds:
    """Turns the fields of rows into ids, and announces each new name once."""

    def __init__(self, layout: _Layout, options: ReadOptions) -> None:
        self._layout = layout
        self._literals = options.literals
        self._entities: dict[str, str] = {}
        self._relations: dict[str, str] = {}
        self._value = lru_cache(_REMEMBERED)(_literal)
        self._fresh: list[RawName] = []

    def records(self, rows: Rows) -> Iterator[Record]:
        layout, width, fresh = self._layout, self._layout.width, self._fresh
        entities, relations, literals = self._entities, self._relations, self._literals
        cells = itemgetter(layout.subject, layout.relation, layout.object)
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
            subject_id = entities.get(subject) or self._entity(subject)
            relation_id = relations.get(relation) or self._relation(relation)
            object_id = (literals and self._value(obj)) or entities.get(obj) or self._entity(obj)
            stated = subject_id and relation_id and object_id
            qualifiers = self._qualifiers(row) if layout.qualifiers and stated else ()
            if fresh:
                yield from fresh
                fresh.clear()
            if stated:
                yield RawStatement(subject_id, relation_id, object_id, qualifiers)
            else:
                yield Rejected(number, "an empty subject, relation or object")

    def _qualifiers(self, row: list[str]) -> tuple[tuple[str, str | Literal], ...]:
        qualifiers: list[tuple[str, str | Literal]] = []
        for place, name in self._layout.qualifiers:
            field = row[place]
            value = (self._literals and self._value(field)) or self._entities.get(field) or self._entity(field)
            if value:
                qualifiers.append((self._relation(name), value))
        return tuple(qualifiers)

    def _entity(self, field: str) -> str:
        if len(self._entities) >= _REMEMBERED:
            self._entities.clear()
        return self._identified(field, plain_value(clean_text(field)), self._entities, mint_entity, entity_label)

    def _relation(self, field: str) -> str:
        known = self._relations
        return known.get(field) or self._identified(field, clean_text(field), known, mint_relation, relation_label)

    def _identified(
        self, field: str, text: str, known: dict[str, str], mint: Callable[[str], str], label: Callable[[str], str]
    ) -> str:
        """The id that the text of a field is or names, kept among those known; "" of no text."""
        if not text:
            return ""
        iri = _as_iri(text)
        identifier = known[field] = iri or mint(text)
        if iri is None:
            self._fresh.append(RawName(identifier, label(text)))
        return identifier


def _literal(field: str) -> Literal | None:
    from toulmin.graph.values import literal_from_text

    return literal_from_text(plain_value(clean_text(field)))


def _as_iri(text: str) -> str | None:
    """Web addresses (also in angle brackets) and blank nodes are ids as they stand; other texts are names."""
    if text.startswith("<") and text.endswith(">"):
        text = text[1:-1]
    return text if text.startswith(("http://", "https://", "_:")) and is_iri(text) else None
