"""Quantities with units: exact arithmetic, conversion within a dimension through pint, never of currencies.

Which units and currencies there are, and what other vocabularies call them, is in ``units.toml``.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from toulmin.graph.types import Literal

__all__ = [
    "CURRENCIES",
    "CURRENCY_SIGNS",
    "UNITS",
    "UNIT_NAMES",
    "Quantity",
    "canonical_unit",
    "converted",
    "convertible",
    "currency_code",
    "dbpedia_unit",
    "decimal_text",
    "is_known_unit",
    "literal_quantity",
    "parse_quantity",
    "pint_expression",
    "unit_in_label",
    "written_quantity",
]

#: The tables of ``units.toml``.
UNITS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("units.toml").read_text("utf-8"))

_WIKIDATA = "http://www.wikidata.org/entity/"
_QUDT, _QUDT_CURRENCY = "http://qudt.org/vocab/unit/", "http://qudt.org/vocab/currency/"
_QUDT_PART = re.compile(r"(Nano|Micro|Milli|Centi|Deci|Hecto|Kilo|Mega|Giga|Tera)?([A-Z]+(?:_[A-Z])?)(\d)?")
_DIMENSIONLESS = frozenset({"1", _WIKIDATA + "Q199", _QUDT + "UNITLESS", _QUDT + "NUM", "dimensionless"})

#: The units that convert.
UNIT_NAMES = frozenset(
    prefix + name
    for row in UNITS["convertible"]
    for name in row["names"].split()
    for prefix in ("", *row["prefixes"].split())
)
_OFFSET_UNITS = frozenset("degree_Celsius degC °C degree_Fahrenheit degF °F".split())
_POWERS = str.maketrans("²³", "23")
_FACTOR = re.compile(r"(?:(?P<word>square|cubic) )?(?P<name>[A-Za-zµμ°%_ ]+?) ?(?:(?:\*\*|\^)? ?(?P<power>[2-9²³]))?")

CURRENCIES = frozenset(UNITS["currencies"].split())
CURRENCY_SIGNS: dict[str, str] = UNITS["currency-signs"]

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
_BOUNDS = re.compile(rf"({_NUMBER.pattern})\.\.({_NUMBER.pattern})\Z", re.ASCII)
_TEXT = re.compile(
    r"(?P<number>[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?)"
    r"(?:\s*\"?\s*(?P<bracket>\()?(?P<unit>[^\d\s()\"][^()\"]{0,60})(?(bracket)\)))?\Z",
    re.ASCII,
)
_BEFORE = "|".join(map(re.escape, (*sorted(CURRENCY_SIGNS, key=len, reverse=True), "EUR", "USD", "GBP", "CHF")))
_MONEY = re.compile(
    rf"(?P<minus>-)?(?P<currency>{_BEFORE})\s*(?P<number>(?:\d{{1,3}}(?:,\d{{3}})+|\d+)(?:\.\d+)?)\Z", re.ASCII
)
_SPACES = " \t\n\r\f\v"
_LONGEST = 1000  # characters; no number of people is longer, and Python reads none beyond 4,300 digits
_LABEL_WORD = re.compile(r"[^\s()\[\],;:]+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number, or an interval where the source gives bounds.

    Args:
        low, high: the bounds, exact; equal for an exact number.
        unit: its name, of a currency the code; None: dimensionless.
    """

    low: Fraction
    high: Fraction
    unit: str | None = None


def literal_quantity(literal: Literal) -> Quantity | None:
    """The quantity of a quantity literal; None where its value is no number.

    ``precision`` may hold bounds, ``lower..upper``.
    """
    return _quantity(literal.value, literal.unit, literal.precision) if len(literal.value) <= _LONGEST else None


@lru_cache(maxsize=65_536)
def _quantity(value: str, unit: str | None, precision: str | None) -> Quantity | None:
    if not _NUMBER.fullmatch(value):
        return None
    number = low = high = Fraction(value)
    if precision and (bounds := _BOUNDS.match(precision)):
        if max(len(bounds[1]), len(bounds[2])) > _LONGEST:
            return None
        low, high = Fraction(bounds[1]), Fraction(bounds[2])
    return Quantity(low, high, unit and (currency_code(unit) or unit)) if low <= number <= high else None


@lru_cache(maxsize=65_536)
def parse_quantity(text: str) -> Quantity | None:
    """The quantity of a text such as ``8,848.86 metre``, ``120 km/h``, ``$5`` or DBpedia's ``5.6 (kilograms)``.

    None where the text says more or less than that, or of a unit that is no currency and does not convert: "12 Mill
    Lane" is no quantity.
    """
    written = written_quantity(text)
    if written is None:
        return None
    value = Fraction(written[0])
    return Quantity(value, value, written[1])


def written_quantity(text: str) -> tuple[str, str | None] | None:
    """The digits of such a text, without commas between them, and its unit (None: dimensionless); else None."""
    text = text.strip(_SPACES)
    if len(text) > _LONGEST:
        return None
    if money := _MONEY.match(text):
        digits = money["number"].replace(",", "")
        return (money["minus"] or "") + digits, CURRENCY_SIGNS.get(money["currency"], money["currency"])
    match = _TEXT.match(text)
    if match is None:
        return None
    digits = match["number"].replace(",", "")
    if match["unit"] is None:
        return digits, None
    unit = match["unit"].strip(_SPACES)
    if code := currency_code(unit):
        return digits, code
    if _HUMP.search(unit) and not is_known_unit(unit):
        unit = _HUMP.sub(" ", unit).lower()  # kilometrePerSeconds
    return (digits, unit) if is_known_unit(unit) else None


def is_known_unit(unit: str) -> bool:
    """Whether the unit converts into others of its dimension, or is a currency code."""
    return unit in CURRENCIES or pint_expression(unit) is not None


def converted(given: Quantity, unit: str | None) -> Quantity | None:
    """A quantity in another unit; None where their dimensions differ, a unit is unknown or a currency."""
    if given.unit == unit:
        return given
    source, target = _pint_unit(given.unit or "dimensionless"), _pint_unit(unit or "dimensionless")
    if source is None or target is None or source.dimensionality != target.dimensionality:
        return None
    low, high = (Fraction(_registry().Quantity(end, source).to(target).magnitude) for end in (given.low, given.high))
    return Quantity(min(low, high), max(low, high), unit)


@cache
def convertible(unit: str, other: str) -> bool:
    """Whether an amount in one unit can be told in another: metres in kilometres, not euros in dollars."""
    one = Fraction(1)  # whether they convert does not depend on the amount
    return converted(Quantity(one, one, unit), other) is not None


def unit_in_label(label: str, unit: str) -> str | None:
    """The unit that a relation's label ends in and that another converts to: "bore in mm", "price (EUR)"; else None.

    What stands behind "per" is no unit of the value: a price per kilogram is no weight; nor is a "foot length" in feet.
    What is paid for something is an amount of money: "rent (GBP/week)".
    """
    label = label.lower() if label.isupper() else label  # "LOAD_T" is in tonnes, not in teslas
    last = (_LABEL_WORD.findall(label.partition(" per ")[0].replace("_", " ")) or [""])[-1]
    for part in (last, last.partition("/")[0]):
        money = currency_code(part) or (part.upper() if part.upper() in CURRENCIES else None)
        named = money or part
        if (money or part == last) and named != "in" and convertible(unit, named):
            return named
    return None


@cache
def _registry() -> Any:
    import pint

    registry: Any = pint.UnitRegistry(non_int_type=Fraction)
    registry.define("acre = 4840 * yard ** 2")  # not the survey acre
    registry.define("parsec = 30856775814913673 * metre = pc")  # 648000 / pi astronomical units (IAU 2015), to a metre
    registry.define("bit = [information]")  # neither these nor angles are pure numbers
    registry.define("byte = 8 * bit = B")
    registry.define("degree = [angle] = deg")
    registry._build_cache()  # pint keeps the dimensions of what it knew before
    return registry


@lru_cache(maxsize=4096)
def _pint_unit(unit: str) -> Any:
    """The unit in pint's registry; None where it does not convert."""
    expression = "dimensionless" if unit == "dimensionless" else pint_expression(unit)
    return _registry().parse_units(expression) if expression else None


def decimal_text(value: Fraction, digits: int = 15) -> str:
    """The number in decimal notation: exact where ``digits`` significant digits suffice, else rounded to them."""
    from decimal import Context, Decimal

    number = Context(prec=digits).divide(Decimal(value.numerator), Decimal(value.denominator))
    number = number.normalize()
    return f"{number:f}" if -6 <= number.adjusted() <= 20 else f"{number:E}"


def canonical_unit(unit: str | None) -> str | None:
    """A unit by the name pint has for it, where it is a common one of Wikidata or QUDT; a currency by its code."""
    if unit is None or unit in _DIMENSIONLESS:
        return None
    if unit.startswith(_WIKIDATA):
        return str(UNITS["wikidata"].get(unit[len(_WIKIDATA) :], unit))
    if unit.startswith(_QUDT):
        return _qudt_unit(unit[len(_QUDT) :]) or unit
    if unit.startswith(_QUDT_CURRENCY) and unit[len(_QUDT_CURRENCY) :] in CURRENCIES:
        return unit[len(_QUDT_CURRENCY) :]
    return currency_code(unit) or unit


@lru_cache(maxsize=4096)
def dbpedia_unit(name: str) -> str | None:
    """What pint calls the unit of a datatype of DBpedia, or the code of a currency; None: not one of those known."""
    if name in UNITS["dbpedia"]["worded"].split():
        return currency_code(name) or pint_expression(_HUMP.sub(" ", name).lower())
    unit: str | None = UNITS["dbpedia"]["others"].get(name)
    return unit


@lru_cache(maxsize=4096)
def pint_expression(unit: str) -> str | None:
    """What pint reads as this unit ("km/h", "m²", "pounds per square inch"); None: does not convert.

    Its parts are names of ``UNIT_NAMES``, also with "s", raised to powers of 2 to 9, multiplied and divided.
    """
    if len(unit) > 60:
        return None
    pieces = re.split(r"((?<!\*)\*(?!\*)|/)", unit.replace("·", "*").replace(" per ", "/"))
    for place in range(0, len(pieces), 2):
        part = _FACTOR.fullmatch(pieces[place].strip(" "))
        if part is None or (part["word"] and part["power"]):
            return None
        name = part["name"].replace(" ", "_")
        if name not in UNIT_NAMES:
            name = name.removesuffix("s") if len(name) > 3 else ""
        power = part["power"] or {"square": "2", "cubic": "3"}.get(part["word"], "")
        if name not in UNIT_NAMES or (name in _OFFSET_UNITS and (power or len(pieces) > 1)):
            return None
        pieces[place] = name + (f" ** {power.translate(_POWERS)}" if power else "")
    return " ".join(pieces)


def _qudt_unit(name: str) -> str | None:
    """What pint calls a unit of QUDT, "metre / second ** 2" for "M-PER-SEC2"; None where a part of it is unknown."""
    if name in CURRENCIES:
        return name
    sides = [[_qudt_part(part) for part in side.split("-")] for side in name.split("-PER-")]
    if not all(part for side in sides for part in side):
        return None
    above, below = sides[0], [part for side in sides[1:] for part in side]
    return " / ".join([" * ".join(map(str, above)), *map(str, below)])


def _qudt_part(name: str) -> str | None:
    match = _QUDT_PART.fullmatch(name)
    base: str | None = UNITS["qudt"].get(match[2]) if match else None
    if match is None or base is None:
        return None
    return (match[1] or "").lower() + base + (f" ** {match[3]}" if match[3] else "")


def currency_code(text: str) -> str | None:
    """The code of the currency that a sign or an English name stands for; None where it is neither."""
    if code := CURRENCY_SIGNS.get(text):
        return code
    name = " ".join(_HUMP.sub(" ", text).lower().split(" "))
    names: dict[str, str] = UNITS["currency-names"]
    return names.get(name) or names.get(name.removesuffix("s"))
