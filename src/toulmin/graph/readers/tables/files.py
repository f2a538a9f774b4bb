"""Tables of one file or of several that belong together, for the readers and the build."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from toulmin.graph.readers.options import ReadOptions
from toulmin.graph.readers.raw_statements import Record
from toulmin.graph.readers.stream import SourceStream
from toulmin.graph.readers.tables.mapping import TableOptions
from toulmin.graph.readers.tables.rows import RawTable
from toulmin.graph.readers.tables.sources import names_apart, tables_of
from toulmin.graph.readers.tables.table_statements import TableReading, read_tables

__all__ = ["read_table_file", "read_table_files"]


def read_table_file(source: SourceStream, options: ReadOptions) -> Iterator[Record]:
    """Facts and names of the tables of one file, with links between them.

    Raises:
        SourceError: the file is none of tables.
        MissingExtraError: what reads it is not installed.
    """
    yield from _read(tables_of(source, options), TableOptions()).records()


def read_table_files(
    paths: Sequence[Path],
    options: ReadOptions,
    decided: TableOptions | None = None,
    progress: Callable[[int, Path], None] | None = None,
) -> TableReading:
    """The tables of several files, with links between them.

    Args:
        decided: what a person decides of them.
        progress: called with the number of bytes of a file consumed so far.

    Raises:
        SourceError: a file is none of tables.
        SettingsError: something is decided of a table or column that is not there.
        MissingExtraError: what reads a file is not installed.
    """
    decided = decided or TableOptions()
    tables: list[RawTable] = []
    for path in paths:
        tell = (lambda done, path=path: progress(done, path)) if progress is not None else None
        with SourceStream(path, tell, encoding=options.encoding) as stream:
            tables += tables_of(stream, options, decided.header_rows)
    return _read(tables, decided)


def _read(tables: Sequence[RawTable], decided: TableOptions) -> TableReading:
    names = names_apart(tables)
    renamed = [replace(table, name=name) for table, name in zip(tables, names, strict=True)]
    return read_tables(renamed, decided.settings(names))
