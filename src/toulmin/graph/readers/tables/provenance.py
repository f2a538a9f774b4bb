"""Where a statement of a built graph comes from: the file, row and column of a table; and what tables were taken for.

``tables.sqlite`` in the graph's directory, beside what the Merkle root covers: it points back at the source, and is no
part of what a statement says. ``source``: one row a table, with its columns; ``row``: the thing of each row.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from toulmin.errors import GraphError
from toulmin.graph.readers.minting import mint_relation
from toulmin.graph.readers.tables.columns import Column
from toulmin.graph.readers.tables.rows import ReadTable
from toulmin.graph.readers.tables.table_statements import INSTANCE_OF, TableReading

__all__ = ["Place", "TakenColumn", "TakenTable", "places_of", "save_places", "taken"]

_EXAMPLE = 24  # characters
_FILE = "tables.sqlite"
_SCHEMA = """
CREATE TABLE source (number INTEGER PRIMARY KEY, file TEXT NOT NULL, sheet TEXT, columns TEXT NOT NULL);
CREATE TABLE row (thing TEXT NOT NULL, source INTEGER NOT NULL, number INTEGER NOT NULL);
"""


@dataclass(frozen=True, slots=True)
class Place:
    """A cell, or (``column`` None) a row as a whole.

    Args:
        file: as it was given to the build. sheet: in a workbook or database.
        row: its number in the source: a line, or a row of a sheet, as an editor shows it.
        column: the header.
    """

    file: str
    sheet: str | None
    row: int
    column: str | None

    def __str__(self) -> str:
        sheet = f", {self.sheet}" if self.sheet else ""
        column = f", column {self.column}" if self.column else ""
        return f"{self.file}{sheet}, row {self.row}{column}"


def save_places(reading: TableReading, directory: Path) -> None:
    """Write where each row comes from into the directory of the graph that was built of it.

    Raises:
        GraphError: it cannot be written.
    """
    try:
        with closing(sqlite3.connect(directory / _FILE, isolation_level=None)) as connection:
            connection.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {_SCHEMA} BEGIN;")
            for number, read in enumerate(reading.tables):
                table = read.table
                columns = [
                    (mint_relation(column.label), column.heading.text or column.label)
                    for column in read.columns
                    if column.type != "empty"
                ]
                connection.execute(
                    "INSERT INTO source VALUES (?, ?, ?, ?)",
                    (number, table.source, table.sheet, json.dumps(columns, ensure_ascii=False)),
                )
                connection.executemany(
                    "INSERT INTO row VALUES (?, ?, ?)",
                    ((thing, number, table.number(row)) for row, thing in enumerate(read.ids) if thing),
                )
            connection.execute("CREATE INDEX row_thing ON row (thing)")
            connection.execute("COMMIT")
    except (sqlite3.Error, OSError) as error:
        raise GraphError(f"{directory}: {_FILE} cannot be written ({error}): is there space?") from error


def places_of(directory: Path, statements: Sequence[tuple[str, str]]) -> list[list[Place]]:
    """The cells that statements come from; none for a graph without tables, and for statements of other sources.

    Args:
        directory: of the graph.
        statements: subject and relation of each, ids.

    Raises:
        GraphError: the file is damaged.
    """
    path = directory / _FILE
    if not path.is_file():
        return [[] for _ in statements]
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            sources = {
                number: (file, sheet, dict(json.loads(columns)))
                for number, file, sheet, columns in connection.execute("SELECT * FROM source")
            }
            lists: list[list[Place]] = []
            for subject, relation in statements:
                rows = connection.execute("SELECT source, number FROM row WHERE thing = ?", (subject,)).fetchall()
                places: list[Place] = []
                for source, number in rows:
                    file, sheet, columns = sources[source]
                    if relation == INSTANCE_OF or relation in columns:
                        places.append(Place(file, sheet, number, columns.get(relation)))
                lists.append(places)
    except (sqlite3.Error, ValueError, KeyError) as error:
        raise GraphError(f"{directory}: the graph is damaged ({_FILE}: {error}): build it again") from None
    return lists


@dataclass(frozen=True, slots=True)
class TakenColumn:
    """A column, and what it was taken for.

    Args:
        header: as it stands. relation: the label of its relation; None: left out.
        type: of its values, in words: "number in kg", "link to departments", "text list by ';'".
        role: "key", "name", "key and name" or "".
        values: how many cells hold something. example: the first of them, shortened.
        notes: what a person may want to change.
    """

    header: str
    relation: str | None
    type: str
    role: str
    values: int
    example: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TakenTable:
    """A table, and what it was taken for.

    Args:
        table: its name, which options take. file, sheet: where it stands.
        class_name: of its rows; None: they are no things of their own.
        rows: how many hold something.
        notes: what was done with the lines above the rows.
    """

    table: str
    file: str
    sheet: str | None
    class_name: str | None
    rows: int
    columns: tuple[TakenColumn, ...]
    notes: tuple[str, ...]


def taken(read: ReadTable) -> TakenTable:
    """What a table was taken for."""
    notes = list(read.table.notes)
    if read.pair is not None:
        first, second = (read.columns[at].label for at in read.pair)
        notes.append(f"nothing but links: a row says the “{second}” of a “{first}”, and is no thing of its own")
    elif read.key is None:
        notes.append("no column has a value of its own in every row: rows are known by their number")
    return TakenTable(
        read.table.name,
        read.table.source,
        read.table.sheet,
        read.class_name if read.pair is None else None,
        sum(map(bool, read.ids)),
        tuple(_column(read, at, column) for at, column in enumerate(read.columns)),
        tuple(notes),
    )


def _column(read: ReadTable, at: int, column: Column) -> TakenColumn:
    cells = [cell for cell in read.cells[at] if cell]
    example = " ".join(cells[0].split()) if cells else ""
    left_out = column.type == "empty"
    return TakenColumn(
        column.heading.text,
        None if left_out else column.label,
        "left out" if left_out and cells else _words(column),
        " and ".join(word for word, holds in (("key", at == read.key), ("name", at in read.names)) if holds),
        len(cells),
        example if len(example) <= _EXAMPLE else example[: _EXAMPLE - 1] + "…",
        tuple(column.notes),
    )


def _words(column: Column) -> str:
    words = {"yes_no": "yes or no"}.get(column.type, column.type)
    if column.type == "link":
        words = f"link to {column.target}" if column.target else "link"
    elif column.type == "number" and (column.unit or column.power):
        words += f" in {f'10^{column.power} ' if column.power else ''}{column.unit or ''}".rstrip()
    elif column.type == "date" and column.order:
        words += f" ({'day' if column.order == 'dmy' else 'month'} first)"
    return f"{words} list by {column.separator.strip() or 'line'!r}" if column.separator is not None else words
