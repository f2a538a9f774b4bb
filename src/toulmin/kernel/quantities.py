"""Quantities: exact numbers or intervals with a unit, how results are written, and the units that format.json has.

A unit is written as names, multiplied, divided and raised to whole powers: ``kilometre / hour``, ``metre ** 2``,
``km/h``, ``m²``, ``kilograms per cubic metre``; one that is in no table compares with itself only. Information and
angles are dimensions of their own, so that 8 is not 1 byte; the radian is left out, as it is no rational number of
degrees. The year is the Julian one of 365.25 days, by which the light year is defined, and the month its twelfth. A
currency is its ISO 4217 code, never converted.
"""

import re
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from .shapes import FORMAT

_GIVEN = FORMAT["units"]
CURRENCIES = frozenset(_GIVEN["currencies"].split())
#: Before or after an amount. "$" and "dollar" are those of the United States, "¥" is the yen (Unicode CLDR).
SIGNS: dict[str, str] = _GIVEN["signs"]


class Unit(NamedTuple):
    """``(value + offset) * factor`` is the value in base units, of which the dimension gives the powers."""

    factor: Fraction
    dimension: tuple[tuple[str, int], ...]
    offset: Fraction = Fraction(0)


def _table() -> dict[str, Unit]:
    plain: dict[str, Unit] = {}
    prefixed: dict[str, Unit] = {}
    for powers, row in _GIVEN["table"].items():
        dimension = tuple(sorted((base, int(power or 1)) for base, power in re.findall(r"([A-Za-z]+)(-?\d)?", powers)))
        for *names, factor in map(str.split, row.split(",")):
            for name in names:
                bare = name.lstrip("*~+")
                plain[bare] = Unit(Fraction(factor), dimension)
                for prefix, power in _GIVEN["prefixes"].get(name[0], {}).items():
                    prefixed[prefix + bare] = Unit(Fraction(factor) * Fraction(power), dimension)
    for together, (factor, offset) in _GIVEN["offsets"].items():
        plain |= dict.fromkeys(together.split(), Unit(Fraction(factor), (("K", 1),), Fraction(offset)))
    return prefixed | plain  # "min" is a minute before it is anything else


#: Every name of a single unit, those with prefixes included.
UNITS = _table()
_PART = re.compile(r"(?:(?P<word>square|cubic) )?(?P<name>[A-Za-zµμ°%_ ]+?) ?(?:\^? ?(?P<power>[2-9]))?")
_LONGEST_UNIT = 60  # characters


@lru_cache(maxsize=4096)
def unit_named(text: str) -> Unit | None:
    """The unit that a text writes; None where the table lacks a part of it."""
    if len(text) > _LONGEST_UNIT:
        return None
    for old, new in (("**", "^"), ("²", "^2"), ("³", "^3"), ("·", "*"), (" per ", "/")):
        text = text.replace(old, new)
    factor, powers = Fraction(1), dict[str, int]()
    pieces = re.split(r"([*/])", text)
    for place in range(0, len(pieces), 2):
        part = _PART.fullmatch(pieces[place].strip(" "))
        unit = _single(part["name"]) if part else None
        if part is None or unit is None or (part["word"] and part["power"]):
            return None
        power = {"square": 2, "cubic": 3}.get(part["word"]) or int(part["power"] or 1)
        if unit.offset:
            return unit if len(pieces) == 1 and power == 1 else None
        power = -power if place and pieces[place - 1] == "/" else power
        factor *= unit.factor**power
        for base, exponent in unit.dimension:
            powers[base] = powers.get(base, 0) + exponent * power
    return Unit(factor, tuple(sorted((base, power) for base, power in powers.items() if power)))


def _single(name: str) -> Unit | None:
    """The unit of a name, in the singular or with an "s"."""
    name = "_".join(name.split(" "))
    return UNITS.get(name) or (UNITS.get(name[:-1]) if name.endswith("s") and len(name) > 3 else None)


def currency(text: str) -> str | None:
    """The code of the currency that a code, a sign or an English name (also with "s") stands for."""
    name = " ".join(re.sub("(?<=[a-z])(?=[A-Z])", " ", text).lower().split(" "))
    named: str | None = _GIVEN["money"].get(name) or _GIVEN["money"].get(name.removesuffix("s"))
    return text if text in CURRENCIES else SIGNS.get(text) or named


_LONGEST = 1000  # characters of a number
_SPACES = " \t\n\r\f\v"
_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?"
_WRITTEN = r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?"
_BOUNDS = re.compile(rf"({_NUMBER})\.\.({_NUMBER})", re.ASCII)
_UNIT = r"(?:\s*\"?\s*(?P<bracket>\()?(?P<unit>[^\d\s()\"][^()\"]{0,60})(?(bracket)\)))?"
_TEXT = re.compile(rf"(?P<number>{_WRITTEN}){_UNIT}", re.ASCII)
_BEFORE = "|".join(re.escape(sign) for sign in (*sorted(SIGNS, key=len, reverse=True), "EUR", "USD", "GBP", "CHF"))
_AMOUNT = r"(?P<number>(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)"
_MONEY = re.compile(rf"(?P<minus>-)?(?P<sign>{_BEFORE})\s*{_AMOUNT}", re.ASCII)


class Quantity(NamedTuple):
    """A number, its bounds (equal to it where it is exact), and its unit: as it is written, a currency by its code."""

    value: Fraction
    low: Fraction
    high: Fraction
    unit: str | None = None


def quantity(value: str, bounds: str | None, unit: str | None) -> Quantity | None:
    """The quantity of a literal's fields; None where the value is no number, or outside its bounds."""
    number = _number(value)
    pair = _BOUNDS.fullmatch(bounds or "")
    low, high = (_number(pair[1]), _number(pair[2])) if pair else (number, number)
    if number is None or low is None or high is None or not low <= number <= high:
        return None
    return Quantity(number, low, high, unit and (currency(unit) or unit))


def _number(text: str) -> Fraction | None:
    return Fraction(text) if len(text) <= _LONGEST and re.fullmatch(_NUMBER, text, re.ASCII) else None


@lru_cache(maxsize=65_536)
def quantity_of_text(text: str) -> Quantity | None:
    """The quantity of a text that says one and nothing else: ``8,848.86 metre``, ``$5``, ``5.6 (kilograms)``.

    Any currency's code is read after the number, before it EUR, USD, GBP and CHF ("TOP 10" is no money of Tonga).
    """
    text = text.strip(_SPACES)
    if len(text) > _LONGEST:
        return None
    if money := _MONEY.fullmatch(text):
        return quantity((money["minus"] or "") + money["number"].replace(",", ""), None, currency(money["sign"]))
    parts = _TEXT.fullmatch(text)
    unit = parts["unit"] if parts else None
    if unit is not None:
        unit = unit.strip(_SPACES)
        split = re.sub("(?<=[a-z])(?=[A-Z])", " ", unit)  # kilometrePerSeconds
        unit = unit if unit == split or unit_named(unit) else split.lower()
    if parts is None or (unit is not None and unit_named(unit) is None and currency(unit) is None):
        return None
    return quantity(parts["number"].replace(",", ""), None, unit)


def converted(given: Quantity, unit: str | None) -> Quantity | None:
    """A quantity in another unit; None where dimensions differ, or where a unit that is not the same is in no table."""
    if given.unit == unit:
        return given
    source, target = unit_named(given.unit or "%"), unit_named(unit or "%")
    if source is None or target is None or source.dimension != target.dimension:
        return None
    # The number without a unit is a hundred per cent.
    by = source.factor / target.factor * (1 if given.unit else 100) / (1 if unit else 100)
    value, low, high = ((number + source.offset) * by - target.offset for number in given[:3])
    return Quantity(value, low, high, unit)


def base_bounds(given: Quantity) -> tuple[Fraction, Fraction, str]:
    """Its bounds on one scale per dimension, and that scale's name: two quantities compare if it is the same."""
    unit = unit_named(given.unit) if given.unit else None
    if unit is None:
        return given.low, given.high, given.unit or ""
    low, high = ((number + unit.offset) * unit.factor for number in given[1:3])
    return low, high, " ".join(f"{base}{power}" for base, power in unit.dimension)


def decimal_text(value: Fraction, digits: int = 15) -> str:
    """The number with so many significant digits, half to even; an exponent below 10^-6 and from 10^21 on."""
    context = Context(prec=digits, rounding=ROUND_HALF_EVEN)
    number = context.divide(Decimal(value.numerator), Decimal(value.denominator)).normalize(context)
    return f"{number:f}" if -6 <= number.adjusted() <= 20 else f"{number:E}"
