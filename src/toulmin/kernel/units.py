"""Units of measure: the table of exact factors, and currencies. What is not in it is comparable with itself only.

A unit is written as names, multiplied, divided and raised to whole powers: ``kilometre / hour``, ``metre ** 2``,
``km/h``, ``m²``, ``kilograms per cubic metre``. Information and angles are dimensions of their own, so that 8 is not 1
byte; the radian is left out, as it is no rational number of degrees. A currency is its ISO 4217 code, never converted.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

Dimension = tuple[tuple[str, int], ...]


class Unit(NamedTuple):
    """``(value + offset) * factor`` is the value in base units, of which the dimension gives the powers."""

    factor: Fraction
    dimension: Dimension
    offset: Fraction = Fraction(0)


#: Each dimension's units: names, then the factor. ``*`` takes prefixes, ``~`` their symbols, ``+`` k, M, G, T only.
#: The year is the Julian one of 365.25 days, by which the light year is defined, and the month its twelfth.
_TABLE = {
    "": "percent % 1/100",
    "m": "*metre *meter ~m 1, inch inches in 0.0254, foot feet ft 0.3048, yard yd 0.9144, mile mi 1609.344, "
    "nautical_mile nmi 1852, astronomical_unit au 149597870700, light_year ly 9460730472580800, "
    "parsec pc 30856775814913673",
    "m2": "hectare ha 10000, acre 4046.8564224",
    "m3": "*litre *liter ~l ~L 1/1000",
    "kg": "*gram ~g 1/1000, tonne metric_ton t 1000, pound lb lbs 0.45359237, ounce oz 0.028349523125, "
    "stone 6.35029318",
    "s": "*second sec ~s 1, minute min 60, hour hr hrs h 3600, day d 86400, week 604800, month 2629800, "
    "year yr 31557600",
    "m s-1": "knot kn kt 463/900, mph 0.44704, kph 5/18",
    "s-1": "*hertz ~Hz 1",
    "kg m s-2": "*newton ~N 1",
    "kg m-1 s-2": "*pascal ~Pa 1, *bar 100000, mbar 100, atmosphere atm 101325",
    "kg m2 s-2": "*joule ~J 1, *watt_hour ~Wh 3600, *calorie ~cal 4.184, *electron_volt ~eV 1.602176634e-19",
    "kg m2 s-3": "*watt ~W 1",
    "A": "*ampere *amp ~A 1",
    "A s": "*coulomb 1",
    "kg m2 s-3 A-1": "*volt ~V 1",
    "kg m2 s-3 A-2": "*ohm 1",
    "kg-1 m-2 s4 A2": "*farad 1",
    "kg s-2 A-1": "*tesla ~T 1",
    "K": "*kelvin ~K 1",
    "mol": "*mole ~mol 1",
    "cd": "candela cd 1, *lumen ~lm 1",
    "cd m-2": "*lux ~lx 1",
    "bit": "*bit 1, *byte +B 8",
    "deg": "degree deg 1, arcminute arcmin 1/60, arcsecond arcsec 1/3600",
}
_POWERS = (-9, -6, -3, -2, -1, 2, 3, 6, 9, 12)
_WORDS = dict(zip("nano micro milli centi deci hecto kilo mega giga tera".split(), _POWERS, strict=True))
_SIGNS = dict(zip("nµmcdhkMGT", _POWERS, strict=True)) | {"μ": -6}  # micro and mu
_MARKS = {"*": _WORDS, "~": _SIGNS, "+": {sign: _SIGNS[sign] for sign in "kMGT"}}


def _table() -> dict[str, Unit]:
    plain: dict[str, Unit] = {}
    prefixed: dict[str, Unit] = {}
    for powers, row in _TABLE.items():
        dimension = tuple(sorted((base, int(power or 1)) for base, power in re.findall(r"([A-Za-z]+)(-?\d)?", powers)))
        for *names, factor in map(str.split, row.split(",")):
            for name in names:
                bare = name.lstrip("*~+")
                plain[bare] = Unit(Fraction(factor), dimension)
                for prefix, power in _MARKS.get(name[0], {}).items():
                    prefixed[prefix + bare] = Unit(Fraction(factor) * Fraction(10) ** power, dimension)
    celsius = Unit(Fraction(1), (("K", 1),), Fraction("273.15"))
    fahrenheit = Unit(Fraction(5, 9), (("K", 1),), Fraction("459.67"))
    plain |= dict.fromkeys(("degree_Celsius", "degC", "°C"), celsius)
    plain |= dict.fromkeys(("degree_Fahrenheit", "degF", "°F"), fahrenheit)
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


#: ISO 4217, and some codes that the euro replaced.
CURRENCIES = frozenset(
    """AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF
    CLP CNY COP CRC CUP CVE CZK DEM DJF DKK DOP DZD EGP ERN ESP ETB EUR FJD FKP FRF GBP GEL GHS GIP GMD GNF GTQ GYD
    HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK ITL JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD
    LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NLG NOK NPR NZD OMR PAB PEN PGK PHP
    PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP
    TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW""".split()
)
#: Signs before or after an amount. "$" and "dollar" are those of the United States, "¥" is the yen (Unicode CLDR).
SIGNS = {
    "$": "USD", "US$": "USD", "A$": "AUD", "CA$": "CAD", "C$": "CAD", "NZ$": "NZD", "HK$": "HKD", "R$": "BRL",
    "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW", "₽": "RUB", "₺": "TRY", "₴": "UAH", "₪": "ILS",
    "₫": "VND", "₱": "PHP", "₦": "NGN", "฿": "THB",
}  # fmt: skip
_NAMES = {
    "euro": "EUR", "dollar": "USD", "us dollar": "USD", "u.s. dollar": "USD", "american dollar": "USD",
    "canadian dollar": "CAD", "australian dollar": "AUD", "pound sterling": "GBP", "pounds sterling": "GBP",
    "british pound": "GBP", "yen": "JPY", "yuan": "CNY", "renminbi": "CNY", "swiss franc": "CHF", "indian rupee": "INR",
}  # fmt: skip


def currency(text: str) -> str | None:
    """The code of the currency that a code, a sign or an English name (also with "s") stands for."""
    if text in CURRENCIES:
        return text
    name = " ".join(re.sub("(?<=[a-z])(?=[A-Z])", " ", text).lower().split(" "))
    return SIGNS.get(text) or _NAMES.get(name) or _NAMES.get(name.removesuffix("s"))
