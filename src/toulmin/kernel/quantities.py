"""Quantities: exact numbers or intervals with a unit, and how results are written."""

import re
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from .units import SIGNS, currency, unit_named

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
        unit = currency(unit) or (unit if unit == split or unit_named(unit) else split.lower())
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
