"""Tables from files: delimited text, Excel and OpenDocument, Parquet, SQLite."""

from __future__ import annotations

import datetime
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

from toulmin.errors import MissingExtraError, SourceError
from toulmin.graph.readers.fields import delimited_rows
from toulmin.graph.readers.raw_statements import Rejected
from toulmin.graph.readers.stream import ReadOptions, SourceStream, uncompressed_suffix
from toulmin.graph.readers.tables.layout import find_layout
from toulmin.graph.readers.tables.rows import RawTable

__all__ = ["TABLE_SUFFIXES", "names_apart", "tables_of"]

_SHEETS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
_DATABASES = (".sqlite", ".sqlite3", ".db")
#: Suffixes of files that hold tables whatever is in them.
TABLE_SUFFIXES = (*_SHEETS, ".parquet", *_DATABASES)
_EXTRA = "tables"

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
    layout = find_layout(rows, header=options.header, header_rows=header_rows(name))
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
        layout = find_layout(rows, header=options.header, header_rows=header_rows(name))
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
        return _list(value)
    return "" if isinstance(value, bytes) else str(value)


def _list(values: Iterable[Any]) -> str:
    return "; ".join(filter(None, map(_text, values)))


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
        number, base = 2, name
        while name in distinct:
            name, number = f"{base} ({number})", number + 1
        distinct.append(name)
    return distinct
