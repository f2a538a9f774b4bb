"""Where a statement of a built graph comes from: the file, row and column of a table.

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
from toulmin.graph.readers.tables.table_statements import INSTANCE_OF, TableReading

__all__ = ["Place", "places_of", "save_places"]

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
