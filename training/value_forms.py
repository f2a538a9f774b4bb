"""Dates and quantities as people write them, and other ones."""

from __future__ import annotations

import re

import numpy as np

__all__ = ["MONTHS", "another_date", "date_forms", "quantity_forms", "wrong_unit"]

MONTHS = "January February March April May June July August September October November December".split()
_UNITS = {  # forms of a unit, and units that it is not
    "metre": (("metres", "m", "meters", "metre"), ("kilometres", "feet", "miles")),
    "kilometre": (("kilometres", "km", "kilometers"), ("miles", "metres")),
    "kilogram": (("kilograms", "kg", "kilogrammes"), ("tonnes", "pounds", "grams")),
    "metre ** 2": (("square metres",), ("hectares", "square kilometres")),
    "square kilometres": (("square kilometres", "km2", "square kilometers"), ("square miles", "hectares")),
    "minute": (("minutes", "min"), ("hours", "seconds", "days")),
    "day": (("days",), ("years", "hours")),
    "kelvin": (("kelvins", "K", "kelvin"), ("degrees Celsius",)),
    "kilometres per hour": (("kilometres per hour", "km/h", "kilometers per hour"), ("miles per hour", "knots")),
    "US dollars": (("US dollars", "dollars", "USD"), ("euros", "pounds")),
}


def date_forms(date: str) -> list[str]:
    """Ways to write "7 November 1867", "November 1867" or "1867"; the usual ones more than once."""
    parts = date.split(" ")
    if len(parts) != 3 or parts[1] not in MONTHS:
        return [date]
    day, month, year = parts
    ending = "th" if day in ("11", "12", "13") else {"1": "st", "2": "nd", "3": "rd"}.get(day[-1], "th")
    iso = f"{year}-{MONTHS.index(month) + 1:02d}-{int(day):02d}"
    return [date, date, f"{month} {day}, {year}", f"{month} {day}, {year}", iso, f"{month} {day}{ending}, {year}"]


def another_date(date: str, rng: np.random.Generator) -> str:
    """A date that it excludes: another year, or another month."""
    *rest, year = date.split(" ")
    if rest and rng.random() < 0.3:
        return " ".join([*rest[:-1], str(rng.choice([m for m in MONTHS if m != rest[-1]])), year])
    moved = int(year) + int(rng.choice([-1, 1])) * int(rng.choice([1, 2, 3, 7, 10, 20, 50, 100]))
    return " ".join([*rest, str(moved)])


def quantity_forms(quantity: str) -> list[str]:
    """Ways to write "8611 metre": with and without commas, in the forms of its unit, metres also in kilometres."""
    number, _, unit = quantity.partition(" ")
    numbers = [number, *([f"{int(number):,}"] if number.isdigit() and len(number) > 3 else [])]
    units = _UNITS[unit][0] if unit in _UNITS else (unit,)
    forms = [f"{one} {name}".strip() for one in numbers for name in units]
    if unit == "metre" and re.fullmatch(r"\d{4,}", number):
        forms.append(f"{int(number) / 1000:g} kilometres")
    return forms


def wrong_unit(quantity: str) -> str | None:
    """The same number of something else, or None where the unit is not known."""
    number, _, unit = quantity.partition(" ")
    return f"{number} {_UNITS[unit][1][int(float(number)) % len(_UNITS[unit][1])]}" if unit in _UNITS else None
