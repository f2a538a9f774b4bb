"""Tables from files: delimited text, Excel and OpenDocument, Parquet, SQLite; and where in these a table begins."""

from __future__ import annotations

import datetime
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from toulmin.errors import MissingExtraError, SourceError
from toulmin.graph.readers.fields import delimited_rows
from toulmin.graph.readers.raw_statements import Rejected
from toulmin.graph.readers.stream import ReadOptions, SourceStream, uncompressed_suffix
from toulmin.graph.readers.tables.cells import clean_cell, date_literal, is_missing, read_number
from toulmin.graph.readers.tables.columns import name_apart
from toulmin.graph.readers.tables.rows import RawTable

__all__ = ["TABLE_SUFFIXES", "names_apart", "tables_of"]

_SHEETS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
_DATABASES = (".sqlite", ".sqlite3", ".db")
#: Suffixes of files that hold tables whatever is in them.
TABLE_SUFFIXES = (*_SHEETS, ".parquet", *_DATABASES)
_EXTRA = "tables"
_ABOVE = 10  # lines above a header that are looked at
_SAMPLE = 200  # rows below it
_LONGEST_HEADING = 80  # characters
_MOST = 0.75  # the share of a column's cells that have to be values

HeaderRows = Callable[[str], int | None]


def tables_of(stream: SourceStream, options: ReadOptions, header_rows: HeaderRows | None = None) -> list[RawTable]:
    """The tables of a source that hold a row.

    Args:
        stream: the source.
        options: of delimited text.
        header_rows: of how many lines a table's header is, by its name; None: as the tables say.

    Raises:
        SourceError: the source is no such file.
        MissingExtraError: what reads it is not installed.
    """
    path = stream.path
    suffix = uncompressed_suffix(path)
    lines = header_rows or (lambda _: None)
    if suffix in TABLE_SUFFIXES and path.suffix.lower() != suffix:
        raise SourceError("is compressed; unpack it first: only delimited text is unpacked while reading", path)
    if suffix in _SHEETS:
        tables = _sheets(path, options, lines)
    elif suffix == ".parquet":
        tables = _parquet(path)
    elif suffix in _DATABASES:
        tables = list(_database(path))
    else:
        tables = [_delimited(stream, options, lines)]
    return [table for table in tables if table.rows]


def _stem(path: Path) -> str:
    name = path.name
    while (suffix := Path(name).suffix) and len(suffix) <= 8 and not suffix[1:].isdigit():
        name = name.removesuffix(suffix)
    return name or path.name


def _delimited(stream: SourceStream, options: ReadOptions, header_rows: HeaderRows) -> RawTable:
    rows: list[list[str]] = []
    numbers: list[int] = []
    rejected: list[Rejected] = []
    for number, row in delimited_rows(stream, options):
        if isinstance(row, str):
            rejected.append(Rejected(number, row))
        elif len(row) > 1 or row[0].strip():
            rows.append(row)
            numbers.append(number)
    name = _stem(stream.path)
    layout = _find_layout(rows, header=options.header, header_rows=header_rows(name))
    width = len(layout.header)
    kept: list[int] = []
    for at in range(layout.first, len(rows)):
        if width and any(cell.strip() for cell in rows[at][width:]):
            rejected.append(Rejected(numbers[at], f"{len(rows[at])} fields where the header has {width}"))
        elif [cell.strip() for cell in rows[at]] != list(layout.header):
            kept.append(at)
    return RawTable(
        name,
        layout.header,
        [rows[at][:width] if width else rows[at] for at in kept],
        str(stream.path),
        [numbers[at] for at in kept],
        rejected=tuple(rejected),
        notes=layout.notes,
    )


def _sheets(path: Path, options: ReadOptions, header_rows: HeaderRows) -> list[RawTable]:
    try:
        from python_calamine import CalamineError, CalamineWorkbook, SheetVisibleEnum
    except ImportError:
        raise MissingExtraError(f"{path}: reading a workbook", _EXTRA) from None
    try:
        with CalamineWorkbook.from_path(str(path)) as book:
            visible = [sheet.name for sheet in book.sheets_metadata if sheet.visible == SheetVisibleEnum.Visible]
            sheets = [(name, book.get_sheet_by_name(name)) for name in visible]
            contents = [(name, sheet.start, sheet.to_python(skip_empty_area=True)) for name, sheet in sheets]
    except (CalamineError, OSError) as error:
        raise SourceError(f"is no workbook that can be read ({_line(error)})", path) from None
    contents = [(name, start, rows) for name, start, rows in contents if rows]
    tables: list[RawTable] = []
    for sheet, start, values in contents:
        name = sheet if len(contents) > 1 else _stem(path)
        rows = [[_text(value) for value in row] for row in values]
        layout = _find_layout(rows, header=options.header, header_rows=header_rows(name))
        offset = (start[0] if start else 0) + 1
        kept = [at for at in range(layout.first, len(rows)) if any(map(str.strip, rows[at]))]
        numbers = [at + offset for at in kept]
        tables.append(
            RawTable(
                name, layout.header, [rows[at] for at in kept], str(path), numbers, sheet=sheet, notes=layout.notes
            )
        )
    return tables


def _parquet(path: Path) -> list[RawTable]:
    try:
        import duckdb
    except ImportError:
        raise MissingExtraError(f"{path}: reading Parquet", _EXTRA) from None
    offline: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
    }
    try:
        with closing(duckdb.connect(config=offline)) as connection:
            result = connection.execute("SELECT * FROM read_parquet(?)", [str(path)])
            header = [str(column[0]) for column in result.description or ()]
            rows = [[_text(value) for value in row] for row in result.fetchall()]
    except duckdb.Error as error:
        raise SourceError(f"is no Parquet file that can be read ({_line(error)})", path) from None
    return [RawTable(_stem(path), header, rows, str(path), range(1, len(rows) + 1))]


def _database(path: Path) -> Iterator[RawTable]:
    """The tables of an SQLite file with their declared keys and links; its views and inner tables are left out."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            connection.text_factory = lambda data: data.decode("utf-8", "replace")
            names = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
            for (name,) in connection.execute(f"{names} ORDER BY rowid").fetchall():
                quoted = '"' + name.replace('"', '""') + '"'
                columns = connection.execute(f"PRAGMA table_info({quoted})").fetchall()
                links = connection.execute(f"PRAGMA foreign_key_list({quoted})").fetchall()
                rows = connection.execute(f"SELECT * FROM {quoted}").fetchall()  # noqa: S608 (quoted)
                keys = [column[1] for column in columns if column[5]]
                yield RawTable(
                    name,
                    [column[1] for column in columns],
                    [[_text(value) for value in row] for row in rows],
                    str(path),
                    range(1, len(rows) + 1),
                    key=keys[0] if len(keys) == 1 else None,
                    sheet=name,
                    links={link[3]: link[2] for link in links},
                )
    except sqlite3.Error as error:
        raise SourceError(f"is no SQLite database that can be read ({_line(error)})", path) from None


def _text(value: Any) -> str:
    """A value of a typed source as text that reads as the same value."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            return ""
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else format(Decimal(repr(value)), "f")
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, datetime.datetime):
        return value.isoformat(timespec="seconds").removesuffix("T00:00:00").replace("+00:00", "Z")
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return "; ".join(filter(None, map(_text, value)))
    return "" if isinstance(value, bytes) else str(value)


def _line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)


def names_apart(tables: Sequence[RawTable]) -> list[str]:
    """A name of its own for each table: where two have one, with the workbook or folder before it, or a number."""
    names = [table.name for table in tables]
    distinct: list[str] = []
    for table in tables:
        path, name = Path(table.source), table.name
        if names.count(name) > 1:
            name = f"{_stem(path) if table.sheet else path.resolve().parent.name}/{name}"
        distinct.append(name_apart(name, distinct))
    return distinct


@dataclass(frozen=True, slots=True)
class _TableLayout:
    """The header, and the place of the first row below it.

    Args:
        header: its texts; empty where there is none.
        first: the place of the first row.
        notes: what was passed over or put together, for people.
    """

    header: tuple[str, ...]
    first: int
    notes: tuple[str, ...] = ()


def _find_layout(
    rows: Sequence[Sequence[str]], *, header: bool | None = None, header_rows: int | None = None
) -> _TableLayout:
    """The layout of a table.

    Args:
        rows: all rows.
        header: whether there is one; None: as the first row and those below it say.
        header_rows: of how many lines it is; None: one, or two where the first line spans several columns.
    """
    clean = [[" ".join(clean_cell(cell).split()) for cell in row] for row in rows[: _ABOVE + _SAMPLE]]
    first = next((at for at, row in enumerate(clean) if any(row)), len(clean))
    notes: list[str] = []
    if header is not False and header_rows is None:
        above = _above(clean, first)
        if above > first:
            notes.append(f"passed over {above - first} line{'s' if above - first > 1 else ''} above the header")
            first = above
    if first >= len(clean):
        return _TableLayout((), first, tuple(notes))
    below = clean[first + 1 :]
    if header is False or (header is None and header_rows is None and not _is_header(clean[first], below)):
        notes.append("no header: columns are called column 1, column 2 …")
        return _TableLayout((), first, tuple(notes))
    lines = header_rows or (2 if _spans(clean[first], below) else 1)
    if lines > 1:
        notes.append(f"{lines} lines of header put together")
    return _TableLayout(_joined(clean[first : first + lines]), first + lines, tuple(notes))


def _above(rows: Sequence[Sequence[str]], first: int) -> int:
    """The place of the first row that fills more than one cell and at least half of the usual width."""
    filled = [sum(1 for cell in row if cell) for row in rows]
    usual = max(Counter(filled[first:]).items(), key=lambda item: (item[1], item[0]), default=(0, 0))[0]
    if usual < 2:
        return first
    for at in range(first, min(first + _ABOVE, len(rows))):
        if filled[at] > 1 and 2 * filled[at] >= usual:
            return at
    return first


def _column(rows: Sequence[Sequence[str]], at: int) -> list[str]:
    return [row[at] for row in rows if at < len(row) and not is_missing(row[at])]


def _is_value(text: str) -> bool:
    number = read_number(text)
    return (number is not None and not number.word) or any(date_literal(text, order) for order in ("dmy", "mdy"))


def _of_values(rows: Sequence[Sequence[str]], at: int) -> bool:
    cells = _column(rows, at)
    return bool(cells) and sum(map(_is_value, cells)) >= _MOST * len(cells)


def _is_header(row: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether a row names columns: no text of it comes again below it, and none stands for a value among values.

    A row that comes again as a whole is a header that is repeated. Years may head columns of numbers.
    """
    if any(list(row) == list(other) for other in below):
        return True
    if any(len(cell) > _LONGEST_HEADING for cell in row):
        return False
    valued = [at for at, cell in enumerate(row) if cell and _of_values(below, at)]
    if any(not _is_value(row[at]) for at in valued):
        return True
    if valued:
        years = [row[at] for at in valued]
        headed = all(year.isdigit() and len(year) == 4 for year in years) and len(set(years)) == len(years) > 1
        return headed and not all(_is_value(cell) for cell in row if cell)
    texts = [at for at, cell in enumerate(row) if cell]
    if all(_is_value(row[at]) for at in texts):
        return False
    return not any(row[at] in _column(below, at) for at in texts)


def _spans(row: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether a header's first line names groups of columns, and the line below it the columns."""
    if len(below) < 2:
        return False
    second, rest = below[0], below[1:]
    width = max(len(row), len(second))
    open_places = [at for at in range(width) if at >= len(row) or not row[at] or row[at] in row[:at]]
    named = [at for at, cell in enumerate(second) if cell]
    if not open_places or not set(open_places) <= set(named) or any(_is_value(second[at]) for at in named):
        return False
    if not any(at and at - 1 < len(row) and row[at - 1] for at in open_places):
        return False
    return any(_of_values(rest, at) for at in named)


def _joined(lines: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The texts of several lines over each column; a text of an upper line goes on to the right over empty cells."""
    width = max(map(len, lines))
    texts: list[list[str]] = [[] for _ in range(width)]
    for number, line in enumerate(lines):
        before = ""
        for at in range(width):
            cell = line[at] if at < len(line) else ""
            spans = number + 1 < len(lines) and any(at < len(lower) and lower[at] for lower in lines[number + 1 :])
            before = cell or (before if spans else "")
            if before and before not in texts[at]:
                texts[at].append(before)
    return tuple(" ".join(parts) for parts in texts)
