"""Units of measure: exact factors and currencies, as format.json has them. Other units compare with themselves only.

A unit is written as names, multiplied, divided and raised to whole powers: ``kilometre / hour``, ``metre ** 2``,
``km/h``, ``m²``, ``kilograms per cubic metre``. Information and angles are dimensions of their own, so that 8 is not 1
byte; the radian is left out, as it is no rational number of degrees. The year is the Julian one of 365.25 days, by
which the light year is defined, and the month its twelfth. A currency is its ISO 4217 code, never converted.
"""

import re
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
_LONGEST = 60  # characters of a unit


@lru_cache(maxsize=4096)
def unit_named(text: str) -> Unit | None:
    """The unit that a text writes; None where the table lacks a part of it."""
    if len(text) > _LONGEST:
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
