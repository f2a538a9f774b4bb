"""Quantities: exact numbers or intervals with a unit, how results are written, and the units that format.json has.

A unit is written as names, multiplied, divided and raised to whole powers: ``km/h``, ``metre ** 2``, ``kilograms per
cubic metre``; one that is in no table is a dimension of its own, as are information (8 is not 1 byte) and angles. The
year is the Julian one of 365.25 days, the month its twelfth. A currency is its ISO 4217 code, never converted."""

import re
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from .format import FORMAT, LONGEST_NUMBER

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
        for *names, number in map(str.split, row.split(",")):
            factor, _, offset = number.partition("@")
            for name in names:
                bare = name.lstrip("*~+")
                plain[bare] = Unit(Fraction(factor), dimension, Fraction(offset or 0))
                for prefix, power in _GIVEN["prefixes"].get(name[0], {}).items():
                    prefixed[prefix + bare] = Unit(Fraction(factor) * Fraction(power), dimension)
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
    pieces = re.findall(r"(^|[*/])([^*/]*)", text)
    for sign, piece in pieces:
        part = _PART.fullmatch(piece.strip(" "))
        name = part["name"].replace(" ", "_") if part else ""
        unit = UNITS.get(name) or (UNITS.get(name[:-1]) if name.endswith("s") and len(name) > 3 else None)
        if part is None or unit is None or (part["word"] and part["power"]):
            return None
        power = {"square": 2, "cubic": 3}.get(part["word"]) or int(part["power"] or 1)
        if unit.offset:
            return unit if len(pieces) == 1 and power == 1 else None
        power = -power if sign == "/" else power
        factor *= unit.factor**power
        for base, exponent in unit.dimension:
            powers[base] = powers.get(base, 0) + exponent * power
    return Unit(factor, tuple(sorted((base, power) for base, power in powers.items() if power)))


def unit_of(text: str | None) -> Unit:
    """The unit of a quantity's field: without one a plain number; what no table has is its own dimension."""
    return (unit_named(text) or Unit(Fraction(1), ((f"?{text}", 1),))) if text else Unit(Fraction(1), ())


def currency(text: str) -> str | None:
    """The code of the currency that a code, a sign or an English name (also with "s") stands for."""
    name = re.sub("(?<=[a-z])(?=[A-Z])", " ", text).lower()
    named: str | None = _GIVEN["money"].get(name) or _GIVEN["money"].get(name.removesuffix("s"))
    return text if text in CURRENCIES else SIGNS.get(text) or named


_SPACES = " \t\n\r\f\v"
_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?"
_BOUNDS = re.compile(rf"({_NUMBER})\.\.({_NUMBER})", re.ASCII)
_AMOUNT = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_UNIT = r"(?:\s*\"?\s*(?P<bracket>\()?(?P<unit>[^\d\s()\"][^()\"]{0,60})(?(bracket)\)))?"
_TEXT = re.compile(rf"(?P<number>[+-]?{_AMOUNT}(?:[eE][+-]?\d{{1,3}})?){_UNIT}", re.ASCII)
_BEFORE = "|".join(re.escape(sign) for sign in (*sorted(SIGNS, key=len, reverse=True), "EUR", "USD", "GBP", "CHF"))
_MONEY = re.compile(rf"(?P<minus>-?)(?P<unit>{_BEFORE})\s*(?P<number>{_AMOUNT})", re.ASCII)


class Amount(NamedTuple):
    """A number, its bounds (equal to it where it is exact), and its unit: as it is written, a currency by its code."""

    value: Fraction
    low: Fraction
    high: Fraction
    unit: str | None = None


def quantity(value: str, bounds: str | None, unit: str | None) -> Amount | None:
    """The quantity of a literal's fields; None where the value is no number, or outside its bounds."""
    pair = _BOUNDS.fullmatch(bounds or "")
    texts = [value, *(pair.groups() if pair else (value, value))]
    if not all(len(text) <= LONGEST_NUMBER and re.fullmatch(_NUMBER, text, re.ASCII) for text in texts):
        return None
    number, low, high = map(Fraction, texts)
    return Amount(number, low, high, unit and (currency(unit) or unit)) if low <= number <= high else None


@lru_cache(maxsize=65_536)
def quantity_of_text(text: str) -> Amount | None:
    """The quantity of a text that says one and nothing else: ``8,848.86 metre``, ``$5``, ``5.6 (kilograms)``.

    Any currency's code is read after the number, before it EUR, USD, GBP and CHF ("TOP 10" is no money of Tonga)."""
    text = text.strip(_SPACES)
    parts = _MONEY.fullmatch(text) or _TEXT.fullmatch(text) if len(text) <= LONGEST_NUMBER else None
    if parts is None:
        return None
    unit = (parts["unit"] or "").strip(_SPACES)
    split = re.sub("(?<=[a-z])(?=[A-Z])", " ", unit)  # kilometrePerSeconds
    unit = unit if unit == split or unit_named(unit) else split.lower()
    if unit and not (unit_named(unit) or currency(unit)):
        return None
    return quantity(parts.groupdict().get("minus", "") + parts["number"].replace(",", ""), None, unit or None)


def converted(given: Amount, unit: str | None) -> Amount | None:
    """A quantity in another unit; None where dimensions differ."""
    source, target = unit_of(given.unit), unit_of(unit)
    if source.dimension != target.dimension:
        return None
    by = source.factor / target.factor
    value, low, high = ((number + source.offset) * by - target.offset for number in given[:3])
    return Amount(value, low, high, unit)


def decimal_text(value: Fraction, digits: int = 15) -> str:
    """The number with so many significant digits, half to even; an exponent below 10^-6 and from 10^21 on."""
    context = Context(prec=digits, rounding=ROUND_HALF_EVEN)
    number = context.divide(Decimal(value.numerator), Decimal(value.denominator)).normalize(context)
    return f"{number:f}" if -6 <= number.adjusted() <= 20 else f"{number:E}"
