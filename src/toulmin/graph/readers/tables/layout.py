"""Where a table begins: lines above it, one or more lines of header, or none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from toulmin.graph.readers.tables.cells import clean_cell, date_literal, is_missing, read_number

__all__ = ["Layout", "find_layout"]

_ABOVE = 10  # lines above a header that are looked at
_SAMPLE = 200  # rows below it
_LONGEST_HEADING = 80  # characters
_MOST = 0.75  # the share of a column's cells that have to be values


@dataclass(frozen=True, slots=True)
class Layout:
    """The header, and the place of the first row below it.

    Args:
        header: its texts; empty where there is none.
        first: the place of the first row.
        notes: what was passed over or put together, for people.
    """

    header: tuple[str, ...]
    first: int
    notes: tuple[str, ...] = ()


def find_layout(rows: Sequence[Sequence[str]], *, header: bool | None = None, header_rows: int | None = None) -> Layout:
    """The layout of a table.

    Args:
        rows: all rows.
        header: whether there is one; None: as the first row and those below it say.
        header_rows: of how many lines it is; None: one, or two where the first line spans several columns.
    """
    clean = [[_plain(cell) for cell in row] for row in rows[: _ABOVE + _SAMPLE]]
    first = next((at for at, row in enumerate(clean) if any(row)), len(clean))
    notes: list[str] = []
    if header is not False and header_rows is None:
        above = _above(clean, first)
        if above > first:
            notes.append(f"passed over {above - first} line{'s' if above - first > 1 else ''} above the header")
            first = above
    if first >= len(clean):
        return Layout((), first, tuple(notes))
    below = clean[first + 1 :]
    if header is False or (header is None and header_rows is None and not _is_header(clean[first], below)):
        notes.append("no header: columns are called column 1, column 2 …")
        return Layout((), first, tuple(notes))
    lines = header_rows or (2 if _spans(clean[first], below) else 1)
    if lines > 1:
        notes.append(f"{lines} lines of header put together")
    return Layout(_joined(clean[first : first + lines]), first + lines, tuple(notes))


def _plain(cell: str) -> str:
    return " ".join(clean_cell(cell).split())


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
