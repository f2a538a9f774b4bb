"""Delimited text, of triples and of tables: its delimiter, and the fields of each line."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain

from toulmin.errors import SourceError
from toulmin.graph.readers.options import ReadOptions
from toulmin.graph.readers.stream import SourceStream

__all__ = [
    "SAMPLE_LINES",
    "Rows",
    "best_delimiter",
    "delimited_rows",
    "looks_delimited",
    "open_lines",
    "sample_rows",
    "split_rows",
    "usual_width",
]

_DELIMITERS = ("\t", "|", ",", ";")  # in the order in which a tie is decided
_QUOTING = (",", ";")
SAMPLE_LINES = 100
_QUOTED_LINES = 100  # a quoted field may span this many lines; beyond that the quote is taken for a slip
_CONTROL = re.compile("[\\x00-\\x08\\x0e-\\x1f]")  # no text holds one

#: The number and fields of each line; a text instead of fields says why the line cannot be split.
Rows = Iterator[tuple[int, list[str] | str]]
Blocks = Iterator[tuple[int, list[str | None]]]


def looks_delimited(lines: list[str]) -> bool:
    """Whether most of the lines split into at least three fields by one of the known delimiters."""
    return bool(lines) and best_delimiter(lines) is not None


def delimited_rows(source: SourceStream, options: ReadOptions) -> Rows:
    """The fields of each line of a table, with its number; a text instead of fields says why it cannot be split.

    Raises:
        SourceError: a line is no text: with rows left out, a table would say something else.
    """
    opened = open_lines(source, options)
    if opened is None:
        return
    sample, blocks = opened
    delimiter = options.delimiter or best_delimiter(sample) or best_delimiter(sample, 2) or "\t"

    def refuse(number: int) -> str:
        raise SourceError(source.undecodable(number), source.path, number)

    yield from split_rows(blocks, delimiter, refuse)


def open_lines(source: SourceStream, options: ReadOptions) -> tuple[list[str], Blocks] | None:
    """The first lines that hold something, and all lines in blocks; None where there is none."""
    blocks = source.line_blocks()
    first = next(blocks, None)
    if first is None:
        return None
    sample = [line for line in first[1][:SAMPLE_LINES] if line and not line.isspace()]
    head = first[1][:SAMPLE_LINES]
    unreadable = [number for number, line in enumerate(head, 1) if line is None or "\0" in line]
    if 2 * len(unreadable) >= len(head):
        if source.holds_control or any(_CONTROL.search(line) for line in head if line is not None):
            what = "is binary: half of its first lines or more are no text; name a file of triples or a table"
            raise SourceError(what, source.path)
        raise SourceError(source.undecodable(unreadable[0]), source.path, unreadable[0])
    return (sample, chain([first], blocks)) if sample else None


def split_rows(
    blocks: Iterator[tuple[int, list[str | None]]], delimiter: str, undecodable: Callable[[int], str] = str
) -> Rows:
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


def _quoted_rows(
    blocks: Iterator[tuple[int, list[str | None]]], delimiter: str, undecodable: Callable[[int], str]
) -> Rows:
    numbered = ((number, line) for first, lines in blocks for number, line in enumerate(lines, first))
    waiting: list[tuple[int, str | None]] = []
    while True:
        item = waiting.pop(0) if waiting else next(numbered, None)
        if item is None:
            return
        number, line = item
        if line is None:
            yield number, undecodable(number)
        elif '"' not in line:
            yield number, line.split(delimiter)
        else:
            taken: list[tuple[int, str | None]] = []
            text: str = line
            row = _parse_quoted(text, delimiter)
            while row is None and len(taken) < _QUOTED_LINES:
                following = waiting.pop(0) if waiting else next(numbered, None)
                if following is None:
                    break
                taken.append(following)
                if following[1] is None:
                    break
                text += "\n" + following[1]
                row = _parse_quoted(text, delimiter)
            if row is None:
                waiting[:0] = taken
                yield number, "a quoted field is not closed"
            else:
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
