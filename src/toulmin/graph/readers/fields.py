"""Delimited text: its delimiter, its fields, and whether it is of triples (with a header, or without) or of a table."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain

from toulmin.errors import SourceError
from toulmin.graph.readers.minting import clean_text, is_iri
from toulmin.graph.readers.stream import ReadOptions, SourceStream

__all__ = [
    "OBJECT",
    "RELATION",
    "SUBJECT",
    "WEAK_RELATION",
    "Rows",
    "best_delimiter",
    "delimited_rows",
    "find_heading",
    "is_table",
    "is_triple_header",
    "normal_heading",
    "open_lines",
    "sample_rows",
    "split_rows",
    "usual_width",
]

_DELIMITERS = ("\t", "|", ",", ";")  # in the order in which a tie is decided
_QUOTING = (",", ";")
_SAMPLE_LINES = 100
_QUOTED_LINES = 100  # a quoted field may span this many lines; beyond that the quote is taken for a slip
_CONTROL = re.compile("[\\x00-\\x08\\x0e-\\x1f]")  # no text holds one

SUBJECT = frozenset({"subject", "subj", "s", "head", "h", "source", "from", "start", "start_id", "entity1"})
RELATION = frozenset({"relation", "rel", "predicate", "pred", "property", "relationship"})
WEAK_RELATION = frozenset({"r", "p", "edge", "type"})  # tell a header only beside names of both other columns
OBJECT = frozenset({"object", "obj", "o", "tail", "t", "target", "to", "end", "end_id", "value", "entity2"})
_KEY = frozenset(
    {"id", "name", "title", "key", "code", "number", "no", "nr", "label", "uuid"}
)  # of a table's first column
_LONGEST_HEADING = 40  # characters
_MANY_ROWS = 10  # from which on a relation that does not come again tells
_WIDE, _WIDE_ROWS = 4, 5  # columns and rows from which on a first line that never comes again is taken for a header

#: The number and fields of each line; a text instead of fields says why the line cannot be split.
Rows = Iterator[tuple[int, list[str] | str]]
Blocks = Iterator[tuple[int, list[str | None]]]


def delimited_rows(source: SourceStream, options: ReadOptions) -> Rows:
    """The fields of each line of a table, with its number; a text instead of fields says why it cannot be split.

    Raises:
        SourceError: a line is no text: with rows left out, a table would say something else.
    """
    opened = open_lines(source)
    if opened is None:
        return
    sample, blocks = opened
    delimiter = options.delimiter or best_delimiter(sample) or best_delimiter(sample, 2) or "\t"

    def refuse(number: int) -> str:
        raise SourceError(source.undecodable(number), source.path, number)

    yield from split_rows(blocks, delimiter, refuse)


def open_lines(source: SourceStream) -> tuple[list[str], Blocks] | None:
    """The first lines that hold something, and all lines in blocks; None where there is none."""
    blocks = source.line_blocks()
    first = next(blocks, None)
    if first is None:
        return None
    sample = [line for line in first[1][:_SAMPLE_LINES] if line and not line.isspace()]
    head = first[1][:_SAMPLE_LINES]
    unreadable = [number for number, line in enumerate(head, 1) if line is None or "\0" in line]
    if 2 * len(unreadable) >= len(head):
        if source.holds_control or any(_CONTROL.search(line) for line in head if line is not None):
            what = "is binary: half of its first lines or more are no text; name a file of triples or a table"
            raise SourceError(what, source.path)
        raise SourceError(source.undecodable(unreadable[0]), source.path, unreadable[0])
    return (sample, chain([first], blocks)) if sample else None


def split_rows(blocks: Blocks, delimiter: str, undecodable: Callable[[int], str] = str) -> Rows:
    """The fields of each line; a text instead of fields says why the line cannot be split.

    Args:
        undecodable: says why a line is no text, by its number.
    """
    if delimiter in _QUOTING:
        yield from _quoted_rows(blocks, delimiter, undecodable)
        return
    for first, lines in blocks:
        for number, line in enumerate(lines, first):
            if line is None:
                yield number, undecodable(number)
            elif '"' in line:
                yield number, [_unwrap(field) for field in line.split(delimiter)]
            else:
                yield number, line.split(delimiter)


def _quoted_rows(blocks: Blocks, delimiter: str, undecodable: Callable[[int], str]) -> Rows:
    numbered = ((number, line) for first, lines in blocks for number, line in enumerate(lines, first))
    waiting: list[tuple[int, str | None]] = []  # lines that were no part of a quoted field
    while (item := waiting.pop(0) if waiting else next(numbered, None)) is not None:
        number, line = item
        if line is None:
            yield number, undecodable(number)
            continue
        if '"' not in line:
            yield number, line.split(delimiter)
            continue
        taken: list[tuple[int, str | None]] = []
        row = _parse_quoted(line, delimiter)
        while row is None and len(taken) < _QUOTED_LINES:
            following = waiting.pop(0) if waiting else next(numbered, None)
            if following is None:
                break
            taken.append(following)
            if following[1] is None:
                break
            line += "\n" + following[1]
            row = _parse_quoted(line, delimiter)
        if row is None:
            waiting[:0] = taken
            row = "a quoted field is not closed"
        yield number, row


def _parse_quoted(text: str, delimiter: str) -> list[str] | str | None:
    """The fields, None while a quote is open, or what is wrong."""
    if csv.field_size_limit() <= len(text):
        csv.field_size_limit(2 * len(text))
    try:
        return next(csv.reader([text], delimiter=delimiter, strict=True))
    except csv.Error as error:
        return None if "unexpected end of data" in str(error) else f"badly quoted: {error}"


def _unwrap(field: str) -> str:
    r"""A field of an unquoted format: a pair of quotes around all of it is dropped, ``\"`` and ``""`` are quotes."""
    field = field.replace('\\"', '"') if "\\" in field else field
    inner = field.strip()
    if len(inner) >= 2 and inner[0] == inner[-1] == '"':
        inner = inner[1:-1]
        if '"' not in inner.replace('""', ""):
            return inner.replace('""', '"')
    return field


def sample_rows(sample: list[str], delimiter: str) -> list[list[str]]:
    """The fields of the first lines; of a line that cannot be split none."""
    rows = split_rows(iter([(1, list[str | None](sample))]), delimiter)
    return [row if isinstance(row, list) else [] for _, row in rows]


def usual_width(rows: list[list[str]], least: int = 3) -> int:
    """How many columns most rows have, of those that have enough; the smaller number in a tie."""
    widths = Counter(len(row) for row in rows if len(row) >= least)
    return max(widths, key=lambda width: (widths[width], -width)) if widths else least


def best_delimiter(sample: list[str], least: int = 3) -> str | None:
    """The delimiter that gives most lines the same number of columns; None where none does for half of them.

    Args:
        least: columns that there have to be.
    """

    def share(delimiter: str) -> float:
        rows = sample_rows(sample, delimiter)
        width = usual_width(rows, least)
        return sum(len(row) == width for row in rows) / len(rows)

    best = max(_DELIMITERS, key=share)
    return best if share(best) >= 0.5 else None


def is_table(lines: list[str], options: ReadOptions) -> bool:
    """Whether the first lines of a delimited file are of a table, and not of triples.

    They are where they have two columns; where the first line names columns, none of which is a relation, or has
    nothing in one of its first three cells; and where there are more than three columns and hardly anything in the
    second comes again. Named ``columns`` are of triples.
    """
    sample = [line for line in lines[:_SAMPLE_LINES] if line and not line.isspace()]
    if not sample or options.columns is not None:
        return False
    delimiter = options.delimiter or best_delimiter(sample)
    if delimiter is None:
        return best_delimiter(sample, 2) is not None
    rows = sample_rows(sample, delimiter)
    while rows and len(rows[0]) == 1 < len(rows[-1]):  # a title above a table
        rows = rows[1:]
    if options.header is not False and _has_headings(rows):
        return True
    width = usual_width(rows)
    if len(rows[0]) > 2 and not all(map(str.strip, rows[0][:3])):
        return True
    second = [row[1] for row in rows if len(row) == width]
    return width >= _WIDE and len(second) >= _WIDE_ROWS and len(set(second)) > 0.9 * len(second)


def _has_headings(rows: list[list[str]]) -> bool:
    """Whether the first row names the columns of a table.

    No cell of it comes again in its column or is a value; and the first column is a key by its name, or a column but
    the third holds nothing but values, or all that the second column holds comes again but its first cell, or nothing
    in it is written like its first cell (in small letters where that has a capital, or the other way round): relations
    come again and look alike, a column's name and content do not. Of four columns and five rows, that no cell of the
    first row comes again is enough.
    """
    headings, *others = ([clean_text(cell) for cell in row] for row in rows if row)
    if not others or len(headings) < 3 or is_triple_header([normal_heading(cell) for cell in headings]):
        return False
    columns = [[row[place] for row in others if place < len(row) and row[place]] for place in range(len(headings))]
    distinct = len({heading.casefold() for heading in headings}) == len(headings)
    if not distinct or not all(map(_is_heading, headings, columns)):
        return False
    if re.split(r"[_\W]+|(?<=[a-z])(?=[A-Z])", headings[0])[-1].casefold() in _KEY:
        return True
    if len(others) < 2:
        return False
    if len(headings) >= _WIDE and len(others) >= _WIDE_ROWS:
        return True
    values = any(column and all(map(_is_value, column)) for place, column in enumerate(columns) if place != 2)
    if values or (len(columns[1]) >= _MANY_ROWS and min(Counter(columns[1]).values()) > 1):
        return True
    small = headings[1][0].islower()
    return bool(columns[1]) and all(cell[0].isalpha() and cell[0].islower() != small for cell in columns[1])


def _is_heading(text: str, column: list[str]) -> bool:
    short = 0 < len(text) <= _LONGEST_HEADING and text[0].isalpha() and not is_iri(text)
    return short and all(cell.casefold() != text.casefold() for cell in column)


def _is_value(text: str) -> bool:
    """Whether a text begins like a number, an amount of money or a date."""
    return text.lstrip("+-$€£¥ ")[:1].isdigit()


def normal_heading(cell: str) -> str:
    """A heading in small letters, with an underscore between its words."""
    return re.sub(r"[\s-]+", "_", clean_text(cell).lstrip("#:").casefold())


def is_triple_header(names: list[str]) -> bool:
    """Whether normal headings name a relation and an end of it."""
    ends = [find_heading(names, known) is not None for known in (SUBJECT, OBJECT)]
    return (any(ends) and find_heading(names, RELATION) is not None) or (
        all(ends) and find_heading(names, WEAK_RELATION) is not None
    )


def find_heading(names: list[str], known: frozenset[str]) -> int | None:
    """The place of the first heading that is among the known ones; None where none is."""
    return next((place for place, name in enumerate(names) if name in known), None)
