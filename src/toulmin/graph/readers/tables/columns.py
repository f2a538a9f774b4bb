"""What a column's header says: a name, and the unit, currency or scale of its numbers; and what its cells are.

Their type, unit, decimal separator, order of day and month, and separator of lists.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal as Choice

from toulmin.graph.quantities import CURRENCIES, CURRENCY_SIGNS
from toulmin.graph.readers.minting import clean_text, relation_label
from toulmin.graph.readers.tables.cells import (
    CellNumber,
    DayOrder,
    Decimal,
    all_yes_no,
    clean_cell,
    date_literal,
    day_orders,
    decimal_evidence,
    known_unit,
    read_number,
    scaled,
    yes_no,
)
from toulmin.graph.types import Literal

__all__ = [
    "COLUMN_TYPES",
    "EARLIEST_YEAR",
    "YEAR_WORDS",
    "Column",
    "ColumnType",
    "Heading",
    "heading_words",
    "infer_column",
    "is_code_name",
    "labels",
    "name_apart",
    "read_heading",
    "without_code_word",
]

_BRACKETED = re.compile(r"(?P<name>.*?)\s*[(\[](?P<unit>[^()\[\]]{1,30})[)\]]\s*\Z", re.DOTALL)
_AFTER = re.compile(r"(?P<name>.*?)(?:\s*,\s+|\s+/\s+|\s+in\s+)(?P<unit>[^,]{1,30})\Z", re.DOTALL)
_PLURAL = re.compile(r"\w\((?:s|es)\)\Z")  # "Goal(s)" has no seconds
_LAST_WORD = re.compile(r"(?P<name>.+?)[\s_](?P<unit>[^\s_]{1,10})\Z", re.DOTALL)
_SCALED = re.compile(
    r"(?P<before>[^\s\d]{0,4}?)\s*(?:(?P<digits>['’]?000)s?|(?P<word>thousands?|millions?|billions?|mn|mio|bn|m|k|b))"
    r"(?:\s+(?:of\s+)?(?P<after>.+)|(?=\s*\Z))",
    re.IGNORECASE,
)
_SCALES = {"t": 3, "k": 3, "m": 6, "b": 9}  # by the first letter of the word
#: Units that the last word of a header stands for without brackets, "weight kg", "height_cm".
_PLAIN_UNITS = frozenset(
    "kg mg µg km cm mm km² m² km2 m2 m³ ml km/h mph kwh kw mw mhz ghz mb gb tb lbs % € $ £ ¥ ms".split()
) | {
    code.lower() for code in ("EUR", "USD", "GBP", "CHF", "JPY", "CNY", "INR", "CAD", "AUD", "SEK", "NOK", "DKK", "PLN")
}
#: Names of units that a header may be, or end in, as they are: "Area hectares", "metres".
_WORD_UNITS = frozenset(
    """hectare hectares acres metres meters kilometres kilometers feet miles tonnes hours minutes seconds grams
    kilograms litres liters days weeks months years""".split()
)
_SNAKE_UNITS = frozenset("g m l s h v w".split())

_IDS = frozenset({"id", "ids", "code", "key", "uuid", "guid", "sku", "ref", "fk"})
_CODES = _IDS | {"no", "nr", "number", "num", "#"}
YEAR_WORDS = frozenset(
    """year years date since until born died birth death built opened closed founded established introduced released
    published elected started ended start end begin began completed joined hired""".split()
)
_WORD = re.compile(r"[^\W\d_]+|#", re.UNICODE)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

ColumnType = Choice["number", "date", "text", "yes_no", "list", "link", "empty"]
COLUMN_TYPES: tuple[ColumnType, ...] = ("number", "date", "text", "yes_no", "list", "link")

_MOST = 0.75  # the share of a column's cells that have to be of its type; the others stay text
_COMMA = re.compile(r"(?<!\d),|,(?!\d)", re.ASCII)
_YEAR = re.compile(r"[12]\d{3}\Z", re.ASCII)
_SAMPLE = 5_000  # cells of a column that are looked at, spread over it
EARLIEST_YEAR, _LATEST = 1800, 2100  # years of a column whose header says nothing of years
_SEPARATORS = (";", "|", "\n", " / ", ",", "/", " · ", " • ")
_STRONG = frozenset({";", "|", "\n", " · ", " • "})  # hardly ever within a name
_LONGEST_PART = 60  # characters of an item of a list
_UNAVAILABLE = frozenset({"na", "none", "unknown", "tba", "tbd", "nil"})  # no value, in a column of values only


@dataclass(frozen=True, slots=True)
class Heading:
    """A header taken apart.

    Args:
        text: as it stands, on one line.
        name: without its unit.
        unit, power: of the column's numbers, which are to be multiplied by ten to the power; they hold only where the
            column has numbers.
    """

    text: str
    name: str
    unit: str | None = None
    power: int = 0

    @property
    def has_unit(self) -> bool:
        """Whether the header names a unit or a scale."""
        return self.unit is not None or self.power > 0


def read_heading(text: str) -> Heading:
    """Take a header apart: "weight (kg)", "price [EUR]", "height_cm", "revenue in million USD", "% of votes"."""
    text = clean_text(clean_cell(text).replace("\n", " "))
    for pattern in (_BRACKETED, _AFTER):
        match = pattern.match(text)
        if match and not _PLURAL.search(text) and (unit := _unit(match["unit"])) is not None:
            *name, last = match["name"].split() or [""]
            if name and not unit[1] and unit[0] not in CURRENCIES and (first := known_unit(last)) is not None:
                return Heading(text, " ".join(name), first)  # "height m (ft)": the number before the conversion
            return Heading(text, match["name"].strip() or text, *unit)
    if match := _LAST_WORD.match(text):
        unit_text = match["unit"]
        snake = "_" in text and unit_text in _SNAKE_UNITS
        if (snake or unit_text.lower() in _PLAIN_UNITS | _WORD_UNITS) and (plain := _plain_unit(unit_text)) is not None:
            return Heading(text, match["name"].rstrip("_ "), plain)
    if text.lower() in _WORD_UNITS:
        return Heading(text, text, text.lower())
    if text.startswith("%") or text.lower() in ("percent", "percentage"):
        return Heading(text, "percent" if text == "%" else text, "%")
    return Heading(text, text)


def _plain_unit(text: str) -> str | None:
    return text.upper() if text.upper() in CURRENCIES else known_unit(text)


def _unit(text: str) -> tuple[str | None, int] | None:
    """The unit and power of ten that a text names: "kg", "EUR", "in millions of USD", "$m"; None: it names neither."""
    text = text.strip().removeprefix("in ").strip()
    if (plain := _plain_unit(text)) is not None:
        return plain, 0
    if match := _SCALED.fullmatch(text):
        word = match["word"] or "t"
        before, after = match["before"].strip(), (match["after"] or "").strip()
        if before and before not in CURRENCY_SIGNS and before.upper() not in CURRENCIES:
            return None
        if len(word) == 1 and not before and not after:
            return None  # "(m)" is a metre, read above; "(k)" says nothing
        unit = _plain_unit(before) if before else _plain_unit(after) if after else None
        if after and unit is None:
            return None
        if len(word) == 1 and unit not in CURRENCIES:
            return None
        return unit, _SCALES[word[0].lower()]
    words = text.split()  # "USD millions"
    if len(words) == 2 and words[0].upper() in CURRENCIES and (scale := _unit(words[1])) is not None:
        return words[0].upper(), scale[1]
    return None


def labels(headings: Sequence[Heading], numeric: Sequence[bool]) -> list[str]:
    """What people read for each column's relation: distinct, never empty, without the unit that its numbers have."""
    short = [
        relation_label(heading.name if number and heading.has_unit else heading.text)
        for heading, number in zip(headings, numeric, strict=True)
    ]
    distinct: list[str] = []
    for place, label in enumerate(short):
        if short.count(label) > 1:  # "weight (kg)" beside "weight (lb)"
            label = relation_label(headings[place].text)
        distinct.append(name_apart(label or f"column {place + 1}", distinct))
    return distinct


def name_apart(name: str, taken: Sequence[str]) -> str:
    """A name that is not taken: itself, or with a number behind it."""
    number, base = 2, name
    while name in taken:
        name, number = f"{base} ({number})", number + 1
    return name


def heading_words(header: str) -> list[str]:
    """The words of a column's or relation's name, in small letters: "weightKg" has two."""
    return [word.lower() for word in _WORD.findall(_HUMP.sub(" ", header))]


def is_code_name(header: str, codes: frozenset[str] = _CODES) -> bool:
    """Whether a header says that its column holds ids: "id", "department_id", "Part No."."""
    words = heading_words(header)
    return bool(words) and words[-1] in codes


def without_code_word(header: str) -> str:
    """A header without its last "id" or "code": "department" for ``department_id``; "" where nothing else is there."""
    words = heading_words(header)
    while words and words[-1] in _CODES:
        words.pop()
    return " ".join(words)


@dataclass(slots=True)
class Column:
    """What a column was taken for.

    Args:
        heading: its header.
        label: what people read for its relation.
        type: of its cells, or of the items of its lists where ``separator`` is given.
        unit, power: of numbers without a unit of their own.
        decimal, order: how its numbers and dates are written.
        years: four digits are years.
        separator: between the items of a cell.
        target: the table whose rows the values name, of links.
        word: what is written after all numbers, and is no known unit.
        notes: what a person may want to change.
    """

    heading: Heading
    label: str = ""
    type: ColumnType = "text"
    unit: str | None = None
    power: int = 0
    decimal: Decimal = "."
    order: DayOrder | None = None
    years: bool = False
    separator: str | None = None
    target: str | None = None
    word: str = ""
    notes: list[str] = field(default_factory=list)

    def items(self, cell: str) -> list[str]:
        """The texts of a clean cell: itself, or the items of its list, none twice."""
        if self.separator is None:
            return [cell.replace("\n", " ")] if "\n" in cell else [cell]
        return list(dict.fromkeys(_parts(cell, self.separator)))

    def literal(self, item: str) -> Literal | None:
        """The value of an item as this column's type has it; a string where it is of another type.

        None where it says, in a column of numbers or dates, that there is no value ("NA").
        """
        if self.type == "number":
            number = read_number(item, self.decimal)
            if number is not None and number.word in ("", self.word):
                value = scaled(number.value, self.power) if number.unit in (None, self.unit) else number.value
                return Literal(value, "quantity", unit=number.unit or self.unit)
        elif self.type == "date":
            if self.years and _is_year(item):
                return Literal(item, "time")
            if (time := date_literal(item, self.order)) is not None:
                return time
        elif self.type == "yes_no":
            if (truth := yes_no(item)) is not None:
                return truth
        else:
            return Literal(item)
        return None if item.lower() in _UNAVAILABLE else Literal(item)


def infer_column(heading: Heading, cells: Sequence[str], decimal: Decimal = ".", wanted: str | None = None) -> Column:
    """What the cells of a column are.

    Args:
        cells: clean and not missing.
        decimal: the separator of the table's other numbers, for "1,234".
        wanted: the type that a person has given it; None: as the cells say.
    """
    column = Column(heading)
    cells = cells[:: 1 + len(cells) // _SAMPLE]
    if wanted is None:
        column.type = "empty" if not cells else "yes_no" if all_yes_no(cells) else _valued_type(column, cells, decimal)
    elif wanted == "date":
        column.type, column.years = "date", True
        _read_dates(column, cells)
    elif wanted == "number":
        column.type = "number"
        _read_numbers(column, cells, decimal)
    elif wanted in ("yes_no", "link"):
        column.type = "yes_no" if wanted == "yes_no" else "link"
    if column.type == "text" and wanted in (None, "list"):
        column.separator = _separator(cells, asked=wanted is not None)
        if column.separator is not None:
            items = [item for cell in cells for item in column.items(cell)]
            inner = Column(heading)
            column.type = _valued_type(inner, items, decimal)
            column.unit, column.power, column.decimal = inner.unit, inner.power, inner.decimal
            column.order, column.years = inner.order, inner.years
    return column


def _valued_type(column: Column, cells: Sequence[str], decimal: Decimal) -> ColumnType:
    """Whether cells are dates, numbers, or texts; how the former are written goes into the column."""
    return "date" if _is_date(column, cells) else "number" if _is_number(column, cells, decimal) else "text"


def _parts(cell: str, separator: str) -> list[str]:
    """The items of a list, as often as they stand in it; a comma between digits separates nothing."""
    texts = _COMMA.split(cell) if separator == "," else cell.split(separator)
    return [part for text in texts if (part := text.strip())]


def _share(cells: Sequence[str], matches: Callable[[str], object]) -> float:
    return sum(1 for cell in cells if matches(cell)) / len(cells) if cells else 0.0


def _is_year(text: str) -> bool:
    return _YEAR.match(text) is not None and int(text) <= _LATEST


def _is_date(column: Column, cells: Sequence[str]) -> bool:
    valued = [cell for cell in cells if cell.lower() not in _UNAVAILABLE]
    if not valued:
        return False
    named = not YEAR_WORDS.isdisjoint(heading_words(column.heading.text))
    years = _share(valued, _is_year)
    if years >= _MOST and not column.heading.has_unit:
        within = _share(valued, lambda cell: _is_year(cell) and int(cell) >= EARLIEST_YEAR) >= _MOST
        whole = years == 1.0 or named or all(_is_year(cell) or _looks_dated(cell) for cell in valued)
        if named or (within and whole):
            _read_dates(column, valued)
            column.years = True
            return True
    if not any(_looks_dated(cell) for cell in valued[:50]):
        return False
    _read_dates(column, valued)
    dates = _share(valued, lambda cell: date_literal(cell, column.order) is not None)
    column.years = bool(dates) and years + dates >= _MOST
    return dates >= _MOST or column.years


def _looks_dated(text: str) -> bool:
    """Whether it may be a date: digits, and a separator or a month beside them."""
    return text[:1].isalnum() and any(map(str.isdigit, text)) and not text.isdigit() and len(text) <= 60


def _read_dates(column: Column, cells: Sequence[str]) -> None:
    orders = [possible for cell in cells if (possible := day_orders(cell))]
    if not orders:
        return
    sure = Counter(next(iter(possible)) for possible in orders if len(possible) == 1)
    if sure:
        column.order = sure.most_common(1)[0][0]
    elif any("." in cell for cell in cells if day_orders(cell)):
        column.order = "dmy"  # nobody writes the month first with full stops
    else:
        column.notes.append('day and month can be either way round: kept as text; say "date:dmy" or "date:mdy"')


def _is_number(column: Column, cells: Sequence[str], decimal: Decimal) -> bool:
    valued = [cell for cell in cells if cell.lower() not in _UNAVAILABLE]
    if not valued or not any(any(map(str.isdigit, cell)) for cell in valued):
        return False
    numbers = _read_numbers(column, valued, decimal)
    good = sum(1 for number in numbers if number is not None and number.word in ("", column.word))
    if any(number is not None and number.padded for number in numbers):
        column.word = ""
        return False  # codes, telephone numbers
    if is_code_name(column.heading.text, _IDS) and all(map(str.isdigit, valued)):
        return False
    return good / len(valued) >= _MOST


def _read_numbers(column: Column, cells: Sequence[str], decimal: Decimal) -> list[CellNumber | None]:
    evidence = Counter(separator for cell in cells if (separator := decimal_evidence(cell)))
    column.decimal = evidence.most_common(1)[0][0] if evidence else decimal
    numbers = [read_number(cell, column.decimal) for cell in cells]
    words = Counter(number.word for number in numbers if number is not None)
    word, count = words.most_common(1)[0] if words else ("", 0)
    counted = [number.value for number in numbers if number is not None and number.word]
    if word and " " not in word and count > 1 and count >= 0.9 * len(cells) and not all(map(_is_year, counted)):
        column.word = word
    units = Counter(number.unit for number in numbers if number is not None)
    if column.heading.has_unit:
        column.unit, column.power = column.heading.unit, column.heading.power
    elif len(units) == 1 and cells and len(cells) > 1:
        column.unit = next(iter(units))
    return numbers


def _separator(cells: Sequence[str], *, asked: bool) -> str | None:
    """The separator of the lists in a column; None where its cells are no lists.

    Cells that always have as many parts, of which none stands at another place elsewhere, are no lists; with a comma
    or a slash most parts have to come again in other cells: "Paris, France" is none.
    """
    best: str | None = None
    most = 0
    for separator in _SEPARATORS:
        split = [parts for cell in cells if separator in cell and len(parts := _parts(cell, separator)) > 1]
        if not split or len(split) <= most:
            continue
        if not asked and not _are_lists(split, cells, separator):
            continue
        best, most = separator, len(split)
    return best


def _are_lists(split: list[list[str]], cells: Sequence[str], separator: str) -> bool:
    if any(len(part) > _LONGEST_PART or part.startswith("http") for parts in split for part in parts):
        return False
    single = [cell for cell in cells if len(_parts(cell, separator)) == 1]
    lengths = {len(parts) for parts in split} | ({1} if single else set())
    counts = Counter(part for parts in split for part in set(parts))
    counts.update(set(single))
    again = sum(1 for parts in split for part in parts if counts[part] > 1)
    total = sum(len(parts) for parts in split)
    places: dict[str, set[int]] = {}
    for parts in split:
        for place, part in enumerate(parts):
            places.setdefault(part, set()).add(place)
    moves = sum(1 for part, where in places.items() if len(where) > 1 or part in single)
    if separator in _STRONG:
        wrapped = separator == "\n" and 5 * sum(map(_is_wrapped, split)) >= len(split)
        often = 5 * len(split) >= len(cells) or 2 * again >= total
        return not wrapped and often and (len(lengths) > 1 or moves >= 2)
    twice = sum(1 for parts in split if len(set(parts)) < len(parts))
    scores = sum(1 for parts in split for part in parts if not any(map(str.isalpha, part)) and not read_number(part))
    if 10 * twice > len(split) or 2 * scores > total:
        return False  # "6–4, 6–4": what comes twice in a cell is not the same thing
    return len(split) >= 2 and again >= 0.6 * total and moves >= 2 and len(lengths) > 1


def _is_wrapped(lines: Sequence[str]) -> bool:
    """Whether a line of a cell goes on in the next one: it ends in a comma, or the next begins in small letters."""
    return any(line[-1] in ",/&-–(" or after[0] in "(#" or after[0].islower() for line, after in pairwise(lines))
