"""What a column's header says: a name, and the unit, currency or scale of its numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from toulmin.graph.readers.minting import clean_text, relation_label
from toulmin.graph.readers.tables.cells import clean_cell, known_unit
from toulmin.graph.units import CURRENCIES, CURRENCY_SIGNS

__all__ = ["Heading", "is_code_name", "is_id_name", "is_year_name", "labels", "read_heading", "without_code_word"]

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
_YEARS = frozenset(
    """year years date since until born died birth death built opened closed founded established introduced released
    published elected started ended start end begin began completed joined hired""".split()
)
_WORD = re.compile(r"[^\W\d_]+|#", re.UNICODE)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


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
        label = label or f"column {place + 1}"
        number, base = 2, label
        while label in distinct:
            label, number = f"{base} ({number})", number + 1
        distinct.append(label)
    return distinct


def _words(header: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(_HUMP.sub(" ", header))]


def is_code_name(header: str) -> bool:
    """Whether a header says that its column holds ids: "id", "department_id", "Part No."."""
    words = _words(header)
    return bool(words) and words[-1] in _CODES


def is_id_name(header: str) -> bool:
    """Whether a header says that its column holds ids and no numbers: "id", "department_id", but not "No."."""
    words = _words(header)
    return bool(words) and words[-1] in _IDS


def without_code_word(header: str) -> str:
    """A header without its last "id" or "code": "department" for ``department_id``; "" where nothing else is there."""
    words = _words(header)
    while words and words[-1] in _CODES:
        words.pop()
    return " ".join(words)


def is_year_name(header: str) -> bool:
    """Whether a header speaks of years or dates."""
    return bool(_YEARS.intersection(_words(header)))
