"""Tables: rows become things, columns relations, cells typed values or links (docs/tables.md)."""

from __future__ import annotations

from collections.abc import Sequence

from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers.tables.rows import RawTable, ReadTable
from toulmin.graph.readers.tables.table_statements import ROW_NUMBER, TableReading, read_tables

__all__ = ["ROW_NUMBER", "RawTable", "ReadTable", "TableReading", "read_tables", "table_graph"]


def table_graph(
    name: str, header: Sequence[str], rows: Sequence[Sequence[str]], *, row_numbers: bool = False
) -> MemoryGraph:
    """A graph in memory of one table.

    Args:
        name: of the table: its rows are instances of the class that this names ("employees" -> "employee").
        header: the texts over the columns.
        rows: the cells as texts.
        row_numbers: state the number of each row, from 1 on, as the relation "row number".
    """
    reading = read_tables([RawTable(name, header, rows)])
    return MemoryGraph.from_records(reading.records(row_numbers=row_numbers), name=name)
