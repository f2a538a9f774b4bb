"""What tables were taken for, for people and as JSON."""

from __future__ import annotations

from dataclasses import dataclass

from toulmin.graph.readers.tables.columns import Column
from toulmin.graph.readers.tables.rows import ReadTable

__all__ = ["TakenColumn", "TakenTable", "taken"]

_EXAMPLE = 24  # characters


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
