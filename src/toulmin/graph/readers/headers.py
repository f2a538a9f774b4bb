"""What the first lines of a delimited file are: triples with or without a header, or a table."""

from __future__ import annotations

import re
from collections import Counter

from toulmin.graph.readers.fields import SAMPLE_LINES, best_delimiter, sample_rows, usual_width
from toulmin.graph.readers.minting import clean_text, is_iri
from toulmin.graph.readers.options import ReadOptions

__all__ = [
    "OBJECT",
    "RELATION",
    "SUBJECT",
    "WEAK_RELATION",
    "find_heading",
    "is_table",
    "is_triple_header",
    "normal_heading",
]

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


def is_table(lines: list[str], options: ReadOptions) -> bool:
    """Whether the first lines of a delimited file are of a table, and not of triples.

    They are where they have two columns; where the first line names columns, none of which is a relation, or has
    nothing in one of its first three cells; and where there are more than three columns and hardly anything in the
    second comes again. Named ``columns`` are of triples.
    """
    sample = [line for line in lines[:SAMPLE_LINES] if line and not line.isspace()]
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
