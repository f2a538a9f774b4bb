"""From tables, in one file or in several that belong together, to statements and names, and back to a cell.

And which columns name rows: of the same table (a part's parent) or of another one (an employee's department).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from toulmin.errors import SettingsError
from toulmin.graph.readers.minting import mint_entity, mint_relation, relation_label
from toulmin.graph.readers.raw_statements import RawName, RawStatement, Record
from toulmin.graph.readers.stream import ReadOptions, SourceStream
from toulmin.graph.readers.tables.columns import Column, is_code_name, without_code_word
from toulmin.graph.readers.tables.mapping import TableOptions, TableSettings
from toulmin.graph.readers.tables.rows import (
    RawTable,
    ReadTable,
    call_by_key,
    class_name,
    header_target,
    identify,
    named_by_heading,
    read_table,
)
from toulmin.graph.readers.tables.sources import names_apart, tables_of
from toulmin.graph.types import Literal

__all__ = ["INSTANCE_OF", "ROW_NUMBER", "Cell", "TableReading", "read_table_file", "read_table_files", "read_tables"]


#: The relation from a row to its class (``graph.classes``).
INSTANCE_OF = mint_relation("instance of")
#: The relation from a thing to the number of its row, 1 for the first; only where it is asked for.
ROW_NUMBER = mint_relation("row number")

#: What ids are of in any table.
_SAYS_LITTLE = frozenset("staff personnel emp member item article record entry line reference ref cust".split())
_NEARLY_ALL = 0.9  # the share of a column's distinct values that have to be rows of another table
_MOST = 0.5  # where its header names that table
_SEVERAL = 3  # links of a table to itself from which on they need not come again


@dataclass(frozen=True, slots=True)
class Cell:
    """Where a statement comes from.

    Args:
        source: the file. sheet: in a workbook or database.
        row: its number in the source, as an editor or a spreadsheet counts.
        column: the header; "" for what a row as a whole says (its class).
        text: the cell as the source has it.
    """

    source: str
    sheet: str | None
    row: int
    column: str
    text: str


class _RowIndex:
    """The rows of a table by their key and by their name, where only one row has it."""

    def __init__(self, read: ReadTable) -> None:
        self.read = read
        self._exact: dict[str, str] = {}
        self.ids: dict[str, str] = {}
        ambiguous: set[str] = set()
        for label, identifier in zip(read.row_labels, read.ids, strict=True):
            text = label.casefold()
            if text and self.ids.setdefault(text, identifier) != identifier:
                ambiguous.add(text)
        for text in ambiguous:
            del self.ids[text]
        if read.key is not None:
            self._exact = {key: thing for key, thing in zip(read.cells[read.key], read.ids, strict=True) if key}
            self.ids.update((key.casefold(), thing) for key, thing in self._exact.items())

    @property
    def is_counted(self) -> bool:
        """Whether the keys are 1, 2, 3 …, or nearly so: then numbers of any kind are among them."""
        keys = [int(key) for key in self.ids if key.isdigit()]
        return bool(keys) and max(keys) <= 3 * len(keys)

    def find(self, text: str) -> str | None:
        """The id of the row that a text names."""
        return self._exact.get(text) or self.ids.get(text.casefold())


class TableReading:
    """Tables read together, and what they were taken for."""

    def __init__(self, tables: Sequence[ReadTable], indices: Sequence[_RowIndex]) -> None:
        self.tables = tuple(tables)
        self._index = {read.table.name: index for read, index in zip(tables, indices, strict=True)}
        self._rows: dict[str, list[tuple[ReadTable, int]]] | None = None
        for read in self.tables:  # of nothing but links of two columns, such as which student takes which course
            filled = [at for at, column in enumerate(read.columns) if column.type != "empty"]
            links = [at for at in filled if read.columns[at].type == "link" and read.columns[at].separator is None]
            if read.key is None and len(filled) == 2 == len(links):
                read.pair = (links[0], links[1])
                first = read.columns[links[0]]
                read.ids = [self._linked(first, cell)[0] if cell else "" for cell in read.cells[links[0]]]

    def cells(self, subject: str, relation: str) -> list[Cell]:
        """The cells that what a relation says of a subject comes from; empty where no table says it.

        Args:
            subject, relation: ids, as a statement has them.
        """
        if self._rows is None:
            self._rows = {}
            for read in self.tables:
                for row, thing in enumerate(read.ids):
                    self._rows.setdefault(thing, []).append((read, row))
        cells: list[Cell] = []
        for read, row in self._rows.get(subject, ()):
            table = read.table
            where = (table.source or table.name, table.sheet, table.number(row))
            if relation in (INSTANCE_OF, ROW_NUMBER):
                cells.append(Cell(*where, "", ""))
            for at, column in enumerate(read.columns):
                if column.type != "empty" and read.cells[at][row] and mint_relation(column.label) == relation:
                    header = table.header[at] if at < len(table.header) else column.label
                    cells.append(Cell(*where, header, table.rows[row][at]))
        return cells

    def records(self, *, row_numbers: bool = False) -> Iterator[Record]:
        """Names and facts, row by row.

        Args:
            row_numbers: state the number of each row, from 1 on, as ``ROW_NUMBER``.
        """
        for read in self.tables:
            yield from self.records_of(read, row_numbers=row_numbers)

    def records_of(self, read: ReadTable, *, row_numbers: bool = False) -> Iterator[Record]:
        """The names and facts of one of the tables, and the lines of it that could not be read."""
        yield from read.table.rejected
        yield RawName(INSTANCE_OF, "instance of")
        if row_numbers:
            yield RawName(ROW_NUMBER, "row number")
        if read.pair is not None:
            yield from self._of_pairs(read, *read.pair)
            return
        yield RawName(read.class_id, read.class_name)
        of_table = class_name(read.table.name.rpartition("/")[2])
        if of_table not in {"row", *(other.class_name for other in self.tables)}:
            yield RawName(read.class_id, of_table, "alias")
        yield from self._of_table(read, row_numbers=row_numbers)

    def _of_table(self, read: ReadTable, *, row_numbers: bool) -> Iterator[Record]:
        columns = [(at, column) for at, column in enumerate(read.columns) if column.type != "empty"]
        relations = {at: mint_relation(column.label) for at, column in columns}
        for at, column in columns:
            yield RawName(relations[at], column.label)
            if column.heading.text and column.heading.text != column.label:
                yield RawName(relations[at], column.heading.text, "alias")
        linked: set[str] = set()
        for row, (thing, label) in enumerate(zip(read.ids, read.row_labels, strict=True)):
            if not thing:
                continue
            yield RawName(thing, label)
            key = read.cells[read.key][row] if read.key is not None else ""
            if key and key != label:
                yield RawName(thing, key, "alias")
            yield RawStatement(thing, INSTANCE_OF, read.class_id)
            if row_numbers:
                yield RawStatement(thing, ROW_NUMBER, Literal(str(row + 1), "quantity"))
            for at, column in columns:
                cell = read.cells[at][row]
                if not cell:
                    continue
                for item in column.items(cell):
                    if column.type == "link":
                        identifier, name = self._linked(column, item)
                        if identifier not in linked:
                            linked.add(identifier)
                            if name:
                                yield RawName(identifier, name)
                        yield RawStatement(thing, relations[at], identifier)
                    elif (literal := column.literal(item)) is not None:
                        yield RawStatement(thing, relations[at], literal)

    def _of_pairs(self, read: ReadTable, first: int, second: int) -> Iterator[Record]:
        column = read.columns[second]
        relation = mint_relation(column.label)
        yield RawName(relation, column.label)
        for row, cell in enumerate(read.cells[second]):
            if cell and (subject := read.ids[row]):
                _, subject_name = self._linked(read.columns[first], read.cells[first][row])
                identifier, name = self._linked(column, cell)
                names = (subject, subject_name), (identifier, name)
                yield from (RawName(thing, form) for thing, form in names if form)
                yield RawStatement(subject, relation, identifier)

    def _linked(self, column: Column, item: str) -> tuple[str, str | None]:
        """The id of what a link names, and the name it has to be given, where it is no row of a table."""
        index = self._index.get(column.target) if column.target is not None else None
        if index is None:
            return mint_entity(f"{column.label}/{item}"), item
        known = index.find(item)
        return (known, None) if known is not None else (index.read.thing(item), item)


def _name_by_key(reads: Sequence[ReadTable], all_reads: Sequence[ReadTable]) -> None:
    """Call rows by what the heading of their key or name says: those of "ward.csv" with a "Patient No." are patients.

    Where several tables have such a key, or one of them is called so, the others only say more of its rows. What a
    table in the plural is called says most ("technicians", with a "Staff no."), an abbreviation ("Prod. no.") nothing.
    """
    says: dict[int, str] = {}
    for at, read in enumerate(all_reads):
        table = relation_label(read.table.name.rpartition("/")[2]).casefold()
        if read.class_name != "row" and read.class_name.casefold() != table:
            continue
        header = read.columns[read.key].heading.text if read.key is not None else ""
        stem = without_code_word(header) if is_code_name(header) else ""
        if stem and stem not in _SAYS_LITTLE and f"{stem}." not in header.lower():
            says[at] = class_name(stem)
        elif named := named_by_heading(read):
            says[at] = named
    taken = [read.class_name.casefold() for read in all_reads] + list(says.values())
    for at, named in says.items():
        if any(read is all_reads[at] for read in reads) and taken.count(named) == 1:
            identify(all_reads[at], named)


def read_tables(tables: Sequence[RawTable], settings: Sequence[TableSettings] | None = None) -> TableReading:
    """What tables that belong together are.

    Args:
        settings: of each table, what a person has decided.

    Raises:
        SettingsError: the settings name a column or table that is not there, or a key that is none.
    """
    settings = settings if settings is not None else [TableSettings()] * len(tables)
    reads = [read_table(table, setting) for table, setting in zip(tables, settings, strict=True)]
    for read, setting in zip(reads, settings, strict=True):
        if not setting.name:
            call_by_key(read, reads)
    _name_by_key([read for read, setting in zip(reads, settings, strict=True) if not setting.class_name], reads)
    return TableReading(reads, _find_links(reads, settings))


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


def _find_links(reads: Sequence[ReadTable], settings: Sequence[TableSettings]) -> list[_RowIndex]:
    """Turn the columns that name rows into links, in place; return the index of each table.

    Raises:
        SettingsError: a link to a table that is not there.
    """
    indices = [_RowIndex(read) for read in reads]
    by_name = {name.casefold(): at for at, read in enumerate(reads) for name in (read.class_name, read.table.name)}
    for at, (read, setting) in enumerate(zip(reads, settings, strict=True)):
        declared = {
            header.casefold(): target for header, target in read.table.links.items() if target.casefold() in by_name
        }
        links = declared | {header.casefold(): target for header, target in setting.given("link").items()}
        types = {header.casefold() for header in setting.given("type")}
        for place, column in enumerate(read.columns):
            header = column.heading.text.casefold()
            if (target := links.get(header)) is not None:
                if (linked := by_name.get(target.casefold())) is None:
                    known = ", ".join(read.table.name for read in reads)
                    raise SettingsError(f"link to {target!r}: no such table; the tables are {known}")
            elif column.type == "link" or header in types or (linked := _target(reads, indices, at, place)) is None:
                continue
            _link(read, place, reads[linked])
    return indices


def _link(read: ReadTable, place: int, target: ReadTable) -> None:
    column = read.columns[place]
    column.type, column.target, column.unit, column.notes = "link", target.table.name, None, []
    if not is_code_name(column.heading.text):
        return
    short = relation_label(without_code_word(column.heading.text))
    taken = {other.label.casefold() for other in read.columns if other is not column}
    if short and short.casefold() not in taken and column.label == relation_label(column.heading.text):
        column.label = short


def _target(reads: Sequence[ReadTable], indices: Sequence[_RowIndex], at: int, place: int) -> int | None:
    """The place of the table whose rows a column names; None where it names none."""
    read, column = reads[at], reads[at].columns[place]
    if not (column.type == "text" or (column.type == "number" and column.unit is None and not column.word)):
        return None
    values = {item for cell in read.cells[place] if cell for item in column.items(cell)}
    code = is_code_name(column.heading.text) and bool(without_code_word(column.heading.text))
    choices: list[tuple[bool, float, bool, int]] = []  # whether its header says so, the share, another table, the first
    for other, target in enumerate(reads):
        itself = other == at
        if not values or (itself and (place == read.key or place in read.names)):
            continue
        hits = sum(1 for value in values if indices[other].find(value) is not None)
        share = hits / len(values)
        named = not itself and _names_table(column, target)
        if named:
            enough = share >= _MOST
        elif column.type == "number" or all(value.isdigit() for value in values):
            sure = share >= _NEARLY_ALL if code else share == 1 and not indices[other].is_counted
            enough = itself and sure and _is_hierarchy(read, place, indices[at])
        elif itself:
            enough = share >= _NEARLY_ALL and target.key is not None and _points_elsewhere(read, place, indices[at])
        else:
            enough = share >= _NEARLY_ALL and hits > 1
        if enough and hits:
            choices.append((named, share, not itself, -other))
    return -max(choices)[-1] if choices else None


def _named(read: ReadTable, place: int, index: _RowIndex) -> list[tuple[str, str | None]]:
    """The thing of each row, and what its cell in a column names."""
    items = read.columns[place].items
    return [
        (thing, index.find(item))
        for cell, thing in zip(read.cells[place], read.ids, strict=True)
        if cell
        for item in items(cell)
    ]


def _is_hierarchy(read: ReadTable, place: int, index: _RowIndex) -> bool:
    """Whether numbers are likely to be of rows: some row names none or itself, and from no row one comes back to it.

    An amount or the id of something else is hardly ever so.
    """
    above = {thing: named for thing, named in _named(read, place, index) if named != thing}
    if len(above) == sum(map(bool, read.ids)):
        return False
    rooted: set[str] = set()
    for start in above:
        trail: dict[str, None] = {}
        at: str | None = start
        while at is not None and at in above and at not in rooted:
            if at in trail:
                return False
            trail[at] = None
            at = above[at]
        rooted.update(trail)
    return bool(above)


def _points_elsewhere(read: ReadTable, place: int, index: _RowIndex) -> bool:
    """Whether values name other rows, and come again, as parents do, or are several and never name their own row.

    A capital is not the province of its name, though it may be called as one; a successor is another monarch.
    """
    named = _named(read, place, index)
    itself = sum(1 for thing, target in named if thing == target)
    again = len({target for _, target in named}) < len(named)
    return 5 * itself <= len(named) and (again or (not itself and len(named) >= _SEVERAL))


def _names_table(column: Column, target: ReadTable) -> bool:
    """Whether a header is the name of a table's class ("department_id", "Department"), or of its key."""
    says = class_name(header_target(column)) if header_target(column) else ""
    of = target.class_name.lower()
    if says and (says == of or of.endswith(" " + says) or says.endswith(" " + of)):
        return True
    if target.key is None:
        return False
    key = target.columns[target.key].heading.text
    generic = not without_code_word(key) or key.casefold() in ("name", "title", "label")
    return not generic and key.casefold() == column.heading.text.casefold()
