"""What the rows of a table are: things of a class, identified by a key and named so that people recognise them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from toulmin.errors import SettingsError
from toulmin.graph.labels import is_machine_label
from toulmin.graph.readers.minting import clean_text, is_iri, mint_entity, relation_label
from toulmin.graph.readers.raw_statements import Rejected
from toulmin.graph.readers.tables.cells import Decimal, clean_cell, decimal_evidence, is_missing
from toulmin.graph.readers.tables.columns import (
    Column,
    infer_column,
    is_code_name,
    labels,
    read_heading,
    without_code_word,
)
from toulmin.graph.readers.tables.mapping import TableSettings

__all__ = [
    "RawTable",
    "ReadTable",
    "call_by_key",
    "class_name",
    "header_target",
    "identify",
    "named_by_heading",
    "read_table",
]

_NAMES = frozenset({"name", "title", "label", "full name", "fullname"})
_FIRST_NAMES = frozenset({"first name", "given name", "forename", "firstname"})
_LAST_NAMES = frozenset({"last name", "family name", "surname", "lastname"})
_TELLING = 0.85  # different texts, of those of a column, from which on rows with a key are called by it
_THEIRS = 0.9  # of the names of rows, from which on they are those of another table's
_LONGEST_NAME = 60  # characters in the mean, of a column that names rows
_CODE = re.compile(r"(?=\S*\d)\S{1,40}\Z")
_WORD = re.compile(r"[^\W_]+", re.UNICODE)


@dataclass(frozen=True, slots=True)
class RawTable:
    """A table as its source has it.

    Args:
        name: of the file, sheet or database table; "" where there is none.
        header: the texts of its header; shorter than the rows where columns have none.
        rows: the cells as texts; a short row lacks its last cells.
        source: the file, as messages and provenance name it.
        numbers: of each row in the source (lines, rows of a sheet); empty: 2, 3, 4 …
        key: the header of the column that the source declares as key.
        sheet: of a workbook or database, the name of the sheet or table.
        links: columns that the source declares as links, and to which table.
        rejected: lines that could not be read. notes: what was done with the lines above the rows.
    """

    name: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    source: str = ""
    numbers: Sequence[int] = ()
    key: str | None = None
    sheet: str | None = None
    links: Mapping[str, str] = field(default_factory=dict)
    rejected: tuple[Rejected, ...] = ()
    notes: tuple[str, ...] = ()

    def number(self, place: int) -> int:
        """The number of a row in the source."""
        return self.numbers[place] if self.numbers else place + 2


@dataclass(slots=True)
class ReadTable:
    """A table and what it was taken for.

    Args:
        table: as the source has it.
        class_name: of its rows.
        columns: all columns, in order.
        cells: clean cells by column: cells[column][row], "" where no value is given.
        key: the place of the key column; None: rows have no key.
        names: the places of the columns that rows are called by; empty: by their key or number.
        ids: of each row's thing; "" for an empty row.
        row_labels: what people read for each row.
        pair: the places of its only two columns, where both are links: a row is no thing then, but a statement that
            the first thing is linked to the second.
        by_key: whether rows are called by their key alone.
    """

    table: RawTable
    class_name: str
    columns: list[Column]
    cells: list[list[str]]
    key: int | None = None
    names: tuple[int, ...] = ()
    ids: list[str] = field(default_factory=list)
    row_labels: list[str] = field(default_factory=list)
    pair: tuple[int, int] | None = None
    by_key: bool = False

    @property
    def class_id(self) -> str:
        """The id of the class of the rows."""
        return mint_entity(self.class_name)

    def thing(self, key: str) -> str:
        """The id of the thing that a key identifies: the key itself where it is an IRI."""
        iri = key.startswith(("http://", "https://", "urn:")) and is_iri(key)
        return key if iri else mint_entity(f"{self.class_name}/{key}")


@lru_cache(maxsize=4096)
def class_name(name: str) -> str:
    """The name of a class from the name of its table: "employee" for "employees"; "row" where that has no letter."""
    from lemminflect import getLemma

    words = relation_label(clean_text(name)).split()
    if not any(map(str.isalpha, name)):
        return "row"
    last = words[-1]
    if last.lower() == "people":  # which lemminflect keeps
        words[-1] = "person"
    elif last.isalpha() and last.isascii() and len(last) > 2:
        lemma = getLemma(last.lower(), upos="NOUN")
        if lemma and lemma[0] != last.lower():
            words[-1] = lemma[0] if not last.isupper() else last
    if all(word[:1].isupper() and word[1:].islower() for word in words):
        words = [word.lower() for word in words]
    return " ".join(words)


def read_table(table: RawTable, settings: TableSettings) -> ReadTable:
    """What a table's columns and rows are; links to rows of other tables come after (``links.find_links``).

    Raises:
        SettingsError: the settings name a column that the table does not have, or a key that is none.
    """
    width = max([len(table.header), *map(len, table.rows)], default=0)
    headings = [read_heading(table.header[at] if at < len(table.header) else "") for at in range(width)]
    cells = [[_cell(row, at) for row in table.rows] for at in range(width)]
    given = [[cell for cell in column if cell] for column in cells]
    decimal = _decimal(given)
    placed = _Places(table, [heading.text for heading in headings])
    wanted = placed.of(settings.given("type"))
    placed.of(settings.given("link"))
    ignored = {placed.find(name) for name in settings.ignore}
    columns: list[Column] = []
    for at in range(width):
        type, _, order = wanted.get(at, "").partition(":")
        column = infer_column(headings[at], given[at], decimal, type or None)
        if order in ("dmy", "mdy"):
            column.order = "dmy" if order == "dmy" else "mdy"
            column.notes.clear()
        if at in ignored:
            column.type = "empty"
        columns.append(column)
    for at, separator in placed.of(settings.given("separator")).items():
        columns[at].separator = separator
    for at, unit in placed.of(settings.given("unit")).items():
        columns[at].type, columns[at].unit, columns[at].power = "number", unit, 0
    for column, label in zip(columns, labels(headings, [column.type == "number" for column in columns]), strict=True):
        says = column.word and column.word.casefold() not in label.casefold()
        column.label = f"{label} ({column.word})" if says else label
    for at, label in placed.of(settings.given("label")).items():
        columns[at].label = label
    read = ReadTable(table, settings.class_name or class_name(table.name.rpartition("/")[2]), columns, cells)
    read.key = placed.find(settings.key) if settings.key else _key(read, placed)
    if read.key is not None and settings.key and not _is_unique(cells[read.key]):
        raise SettingsError(f"{_where(table)}: column {settings.key!r} is no key: a value is missing or comes twice")
    if read.key is not None and read.key not in wanted:
        _read_ids(columns[read.key], cells[read.key])
    read.names = (placed.find(settings.name),) if settings.name else _names(read)
    _identify(read)
    return read


class _Places:
    """Finds columns by their headers."""

    def __init__(self, table: RawTable, headers: Sequence[str]) -> None:
        self._table, self._headers = table, headers
        self._place = {header.casefold(): at for at, header in reversed(list(enumerate(headers)))}

    def find(self, header: str) -> int:
        place = self._place.get(header.strip().casefold())
        if place is None:
            known = ", ".join(header for header in self._headers if header)
            raise SettingsError(f"{_where(self._table)}: no column {header!r}; its columns are {known}")
        return place

    def of(self, by_header: dict[str, str]) -> dict[int, str]:
        return {self.find(header): value for header, value in by_header.items()}


def _where(table: RawTable) -> str:
    return f"{table.source}, {table.sheet}" if table.sheet else table.source or table.name


def _cell(row: Sequence[str], at: int) -> str:
    if at >= len(row):
        return ""
    cell = clean_cell(row[at])
    return "" if is_missing(cell) else cell


def _decimal(columns: Sequence[Sequence[str]]) -> Decimal:
    """The decimal separator that most cells of a table must have."""
    separators = [separator for column in columns for cell in column[:200] if (separator := decimal_evidence(cell))]
    return "," if separators.count(",") > separators.count(".") else "."


def _is_unique(cells: Sequence[str]) -> bool:
    return bool(cells) and all(cells) and len(set(cells)) == len(cells)


def _key(read: ReadTable, placed: _Places) -> int | None:
    """The column that identifies a row; None where no column has a value of its own in every row.

    Declared by the source; else an id by its header, before a name, before another text, before a date or a whole
    number that stands first.
    """
    if read.table.key is not None:
        return placed.find(read.table.key)
    filled = [any(column) for column in zip(*read.cells, strict=True)] if read.cells else []
    rows = [at for at, full in enumerate(filled) if full]
    if not rows:
        return None
    ranked = [(rank, at) for at, column in enumerate(read.columns) if (rank := _key_rank(read, at, column)) is not None]
    return next((at for _, at in sorted(ranked) if _is_unique([read.cells[at][row] for row in rows])), None)


def _key_rank(read: ReadTable, at: int, column: Column) -> int | None:
    """How good a key a column would make, 0 the best; None: none."""
    header = column.heading.text
    if column.type == "empty" or column.separator is not None:
        return None
    if column.type == "text":
        if is_code_name(header):
            return 0 if at == 0 else 1
        if _mean_length(read, at) > _LONGEST_NAME:
            return 7 if at == 0 and _mean_length(read, at) <= 2 * _LONGEST_NAME else None
        return 2 if relation_label(header).lower() in _NAMES else 3
    if column.type == "number" and column.unit is None and all(cell.isdigit() for cell in read.cells[at] if cell):
        return (0 if at == 0 else 1) if is_code_name(header) else 5 if at == 0 else None
    if column.type == "date":
        return 4 if at == 0 else 6
    return None


def _read_ids(column: Column, cells: Sequence[str]) -> None:
    """Take the key column for text where its header says what it is a number of: 1200 of "part_no" is no amount."""
    header = column.heading.text
    if column.type == "number" and is_code_name(header) and without_code_word(header) and all(map(str.isdigit, cells)):
        column.type = "text"


def identify(read: ReadTable, named: str) -> None:
    """Give the rows another class, and ids and names that go with it."""
    read.class_name = named
    read.names = read.names or (() if read.by_key else _names(read))
    _identify(read)


def _names(read: ReadTable) -> tuple[int, ...]:
    """The columns that name the rows for people."""
    headers = [relation_label(column.heading.text).lower() for column in read.columns]
    texts = [
        at
        for at, column in enumerate(read.columns)
        if column.type == "text" and column.separator is None and any(read.cells[at])
    ]
    first = next((at for at in texts if headers[at] in _FIRST_NAMES), None)
    last = next((at for at in texts if headers[at] in _LAST_NAMES), None)
    if first is not None and last is not None:
        return (first, last)
    if (named := next((at for at in texts if _is_name(read, at)), None)) is not None:
        return (named,)
    if read.key is not None and read.key in texts and not _is_code(read, read.key):
        return (read.key,)
    if read.key is not None and read.columns[read.key].type == "date":
        return (read.key,)
    texts = [at for at in texts if at != read.key and not _is_code(read, at)]
    short = [at for at in texts if _mean_length(read, at) <= _LONGEST_NAME]
    least = _TELLING if read.key is not None else 0.5
    telling = [at for at in short if len(set(read.cells[at]) - {""}) > least * sum(map(bool, read.cells[at]))]
    if telling or read.key is not None:
        return (telling[0],) if telling else ()
    return (short[0],) if short else ()


def _is_name(read: ReadTable, at: int) -> bool:
    """Whether a column's heading says that it holds names: "name", "employee name" of employees."""
    heading = relation_label(read.columns[at].heading.text).lower()
    return heading in _NAMES or heading in {f"{read.class_name} {name}" for name in _NAMES}


def call_by_key(read: ReadTable, others: Sequence[ReadTable]) -> None:
    """Call rows with a key by it alone where they are called as rows of another table are: jobs by their machine."""
    if read.key is None or len(read.names) != 1 or read.key in read.names or _is_name(read, read.names[0]):
        return
    values = {cell for cell in read.cells[read.names[0]] if cell}
    for other in others:
        rows = {*other.row_labels, *(other.cells[other.key] if other.key is not None else ())}
        if other is not read and len(values & rows) >= _THEIRS * len(values):
            read.names, read.by_key = (), True
            _identify(read)
            return


def named_by_heading(read: ReadTable) -> str:
    """What the heading of the key, or of names beside a number, calls each row: "patient" for "Patient name"; or ""."""
    if len(read.names) != 1 or not _is_unique(read.cells[read.names[0]]):
        return ""
    column, keyed = read.columns[read.names[0]], read.key is not None and read.key not in read.names
    if column.type != "text" or (keyed and not is_code_name(read.columns[read.key or 0].heading.text)):
        return ""
    heading = relation_label(column.heading.text).casefold()
    words = [] if heading in _NAMES else heading.split()
    if words and words[-1] in _NAMES:
        words.pop()
    called = class_name(" ".join(words))
    return called if words and called.isalpha() and not is_code_name(called) else ""


def _mean_length(read: ReadTable, at: int) -> float:
    cells = [cell for cell in read.cells[at] if cell]
    return sum(map(len, cells)) / len(cells) if cells else 0.0


def _is_code(read: ReadTable, at: int) -> bool:
    if is_code_name(read.columns[at].heading.text):
        return True
    cells = [cell for cell in read.cells[at] if cell]
    return bool(cells) and sum(_CODE.match(cell) is not None for cell in cells) >= 0.8 * len(cells)


def _identify(read: ReadTable) -> None:
    read.ids, read.row_labels = [], []
    keys = read.cells[read.key] if read.key is not None else None
    base = read.class_name
    if read.table.name and keys is None:
        base = read.table.name
    for row in range(len(read.table.rows)):
        if not any(column[row] for column in read.cells):
            read.ids.append("")
            read.row_labels.append("")
            continue
        number = read.table.number(row)
        key = keys[row] if keys is not None else ""
        read.ids.append(read.thing(key) if key else mint_entity(f"{base}/row {number}"))
        name = " ".join(filter(None, (read.cells[at][row].replace("\n", " ") for at in read.names)))
        read.row_labels.append(name or _called(read, key, number))


def _called(read: ReadTable, key: str, number: int) -> str:
    """What a row without a name is called: by its key, with the class beside a bare number or machine id."""
    if not key:
        return f"{read.class_name} {number}" if read.class_name != "row" else f"row {number}"
    return f"{read.class_name} {key}" if key.isdigit() or is_machine_label(key) else key


def header_target(column: Column) -> str:
    """What a link's header says that it names: "department" for ``department_id``; the header where it has no "id"."""
    return without_code_word(column.heading.text) or " ".join(_WORD.findall(column.heading.text.lower()))
