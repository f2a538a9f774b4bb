"""Numbers and dates as sentences of several domains write them, beside those of a graph."""

from __future__ import annotations

import pytest

from toulmin.english.text_values import best_value, is_hedged, stated_values, value_of, values_in


@pytest.mark.parametrize(
    ("text", "held", "score"),
    [
        ("It opened on 1 August 1974.", "1974-08-01", 1.0),
        ("It opened on August 1st, 1974.", "1974-08-01", 1.0),
        ("It opened in 1974.", "1974-08-01", 1.0),
        ("It opened on 1974/08/01.", "1974-08-01", 1.0),
        ("It opened on 1974/08/02.", "1974-08-01", 0.0),
        ("It opened in 1975.", "1974-08-01", 0.0),
        ("It is 1,533 long.", "1533.0", 1.0),
        ("It has about 18,000 members.", "18123", 0.95),
        ("It has 18,500 members.", "18123", 0.0),
        ("It cost 75 million dollars.", "75.0 million (dollars)", 1.0),
        ("It is 8.6 km long.", "8600 (metres)", 1.0),
        ("It is 9.6 km long.", "8600 (metres)", 0.0),
        ("It has twelve floors.", "12", 1.0),
        ("The clinic has sixty-five beds.", "65", 1.0),
        ("The clinic has sixty-five beds.", "60", 0.0),
        ("The firm has two hundred and ten employees.", "210", 1.0),
        ("Revenue was seventy-five million euros.", "75000000 EUR", 1.0),
        ("Revenue was about seven million euros.", "7200000 EUR", 0.95),
        ("He was born in nineteen eighty-four.", "1984-05-02", 1.0),
        ("A dose has five hundred milligrams.", "500 mg", 1.0),
        ("It is 70 degrees below.", "71.0", 0.0),
    ],
)
def test_values_agree_as_people_write_them(text: str, held: str, score: float) -> None:
    value = value_of(held)
    assert value is not None
    found = best_value(values_in(text), value)
    assert (found[0] if found else None) == score


@pytest.mark.parametrize("name", ["12 Angry Men", "14B/32C", "0-670-03380-4", "2014–15 League B", "Oslo"])
def test_names_with_digits_are_no_values(name: str) -> None:
    assert value_of(name) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("One of the two dogs is 3 years old.", ["two", "3 years"]),
        ("After a 40-year reign she abdicated.", ["40-year"]),
        ("The band played 1973-1987.", ["1987"]),
        ("He died in the 1800's, not in the 1860's.", ["1860's"]),
        ("The dose is five hundred milligrams twice a day.", ["five hundred milligrams"]),
        ("Nothing is said of anyone here.", []),
    ],
)
def test_values_that_are_stated(text: str, said: list[str]) -> None:
    assert [text[value.start : value.end] for value in stated_values(text)] == said


@pytest.mark.parametrize(
    ("text", "hedged"),
    [
        ("It has about 200 beds.", True),
        ("It opened before the 1990 season.", True),
        ("As of 2013 it is open.", True),
        ("It has at least 40 kg.", True),
        ("It opened in 1990.", False),
        ("The price is 40 euros.", False),
        ("1990 was warm.", False),
    ],
)
def test_hedges(text: str, hedged: bool) -> None:
    assert is_hedged(text, values_in(text)[0].start) is hedged
