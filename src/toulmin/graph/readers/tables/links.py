"""Which columns name rows: of the same table (a part's parent) or of another one (an employee's department)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from toulmin.errors import SettingsError
from toulmin.graph.readers.minting import relation_label
from toulmin.graph.readers.tables.columns import Column, is_code_name, without_code_word
from toulmin.graph.readers.tables.rows import ReadTable, TableSettings, class_name, header_target

__all__ = ["RowIndex", "find_links"]

_NEARLY_ALL = 0.9  # the share of a column's distinct values that have to be rows of another table
_MOST = 0.5  # where its header names that table


class RowIndex:
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

    def thing(self, text: str) -> str:
        """The id of the row that a text names, or that such a row would have."""
        return self.find(text) or self.read.thing(text)


class _Choice(NamedTuple):
    """A table that a column may name rows of: first whether its header says so, then the share, then another table."""

    named: bool
    share: float
    other: bool
    before: int  # minus its place


def find_links(reads: Sequence[ReadTable], settings: Sequence[TableSettings]) -> list[RowIndex]:
    """Turn the columns that name rows into links, in place; return the index of each table.

    Raises:
        SettingsError: a link to a table that is not there.
    """
    indices = [RowIndex(read) for read in reads]
    by_name = {name.casefold(): at for at, read in enumerate(reads) for name in (read.class_name, read.table.name)}
    for at, (read, setting) in enumerate(zip(reads, settings, strict=True)):
        declared = {
            header.casefold(): target for header, target in read.table.links.items() if target.casefold() in by_name
        }
        links = declared | {header.casefold(): target for header, target in setting.links.items()}
        types = {header.casefold() for header in setting.types}
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


def _target(reads: Sequence[ReadTable], indices: Sequence[RowIndex], at: int, place: int) -> int | None:
    read, column = reads[at], reads[at].columns[place]
    if not (column.type == "text" or (column.type == "number" and column.unit is None and not column.word)):
        return None
    values = {item for cell in read.cells[place] if cell for item in column.items(cell)}
    if not values:
        return None
    choices = [choice for other in range(len(reads)) if (choice := _choice(reads, indices, at, place, other, values))]
    best = max(choices, default=None)
    return -best.before if best else None


def _choice(
    reads: Sequence[ReadTable], indices: Sequence[RowIndex], at: int, place: int, other: int, values: set[str]
) -> _Choice | None:
    read, column, target = reads[at], reads[at].columns[place], reads[other]
    itself = other == at
    if itself and (place == read.key or place in read.names):
        return None
    hits = sum(1 for value in values if indices[other].find(value) is not None)
    share = hits / len(values)
    named = not itself and _names_table(column, target)
    code = is_code_name(column.heading.text) and bool(without_code_word(column.heading.text))
    if named:
        enough = share >= _MOST
    elif column.type == "number" or all(value.isdigit() for value in values):
        sure = share >= _NEARLY_ALL if code else share == 1 and not indices[other].is_counted
        enough = itself and sure and _is_hierarchy(read, place, indices[at])
    elif itself:
        enough = share >= _NEARLY_ALL and target.key is not None and _points_elsewhere(read, place, indices[at])
    else:
        enough = share >= _NEARLY_ALL and hits > 1
    return _Choice(named, share, not itself, -other) if enough and hits else None


def _named(read: ReadTable, place: int, index: RowIndex) -> list[tuple[str, str | None]]:
    """The thing of each row, and what its cell in a column names."""
    items = read.columns[place].items
    return [
        (thing, index.find(item))
        for cell, thing in zip(read.cells[place], read.ids, strict=True)
        if cell
        for item in items(cell)
    ]


def _is_hierarchy(read: ReadTable, place: int, index: RowIndex) -> bool:
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


def _points_elsewhere(read: ReadTable, place: int, index: RowIndex) -> bool:
    """Whether values come again, as parents do, and name other rows: a capital is not the province of its name."""
    named = _named(read, place, index)
    itself = sum(1 for thing, target in named if thing == target)
    return 5 * itself <= len(named) and len({target for _, target in named}) < len(named)


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
