"""Numbers in words, of several domains."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.english.numbers import CARDINALS, NUMBER_WORDS, ORDINALS, SCALES, read_number, read_ordinal


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("zero", 0),
        ("seven", 7),
        ("sixty", 60),
        ("Twenty-five", 25),
        ("twenty five", 25),
        ("a hundred", 100),
        ("a hundred and twelve", 112),
        ("two hundred three", 203),
        ("nineteen hundred", 1900),
        ("fifty thousand", 50_000),
        ("a hundred and fifty thousand", 150_000),
        ("one million", 1_000_000),
        ("three million, two hundred and six thousand and forty-one", 3_206_041),
        ("two thousand and nine", 2009),
        ("a dozen", 12),
        ("three dozen", 36),
        ("nineteen ninety-nine", 1999),
        ("twenty twenty-four", 2024),
        ("eighteen twelve", 1812),
    ],
)
def test_numbers_in_words(text: str, number: int) -> None:
    assert read_number(text) == number


@pytest.mark.parametrize(
    "text",
    [
        *("", "a", "an", "and", "50", "twenty-", "twenty twenty twenty", "thousand", "hundreds", "three four", "many"),
        *("two thousand three million", "five kilograms", "second", "twenty eleventh"),
    ],
)
def test_what_is_no_number(text: str) -> None:
    assert read_number(text) is None


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("first", 1), ("third", 3), ("twelfth", 12), ("Twentieth", 20), ("twenty-first", 21), ("21st", 21)),
        *(("ninety-ninth", 99), ("103rd", 103), ("one hundred and second", 102), ("two thousandth", 2000)),
    ],
)
def test_places_in_an_order(text: str, number: int) -> None:
    assert read_ordinal(text) == number


@pytest.mark.parametrize("text", ["", "one", "last", "-first", "big third", "21", "st"])
def test_what_is_no_place_in_an_order(text: str) -> None:
    assert read_ordinal(text) is None


def test_the_tables_agree() -> None:
    assert [ORDINALS[one] for one in ("fifth", "eighth", "ninth", "fortieth")] == [5, 8, 9, 40]
    assert max(CARDINALS.values()) < min(SCALES.values())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("more than twenty-five employees", ["twenty-five"]),
        ("between fifty and sixty patients", ["fifty", "sixty"]),
        ("a budget of two hundred and ten million euros", ["two hundred and ten million"]),
        ("one or two of a dozen eggs, ten tonnes", ["one", "two", "a dozen", "ten"]),
        ("someone weighed his tent in a hundred stones", ["a hundred"]),
    ],
)
def test_the_pattern_finds_the_longest(text: str, found: list[str]) -> None:
    assert [match[0] for match in re.finditer(rf"\b{NUMBER_WORDS}", text)] == found


def _below_hundred(number: int) -> str:
    word = {value: word for word, value in CARDINALS.items()}
    return word.get(number) or f"{word[number // 10 * 10]}-{word[number % 10]}"


def spelt(number: int) -> str:
    """A number in words, the British way."""
    parts = []
    for word, size in [*sorted(SCALES.items(), key=lambda one: -one[1])]:
        if number >= size:
            parts.append(f"{spelt(number // size)} {word}")
            number %= size
    if number or not parts:
        parts.append(("and " if parts else "") + _below_hundred(number))
    return " ".join(parts)


@given(st.integers(0, 10**15 - 1))
def test_every_number_that_is_spelt_out_is_read(number: int) -> None:
    assert read_number(spelt(number)) == number


@given(st.text(max_size=40))
def test_any_text_is_read_or_not(text: str) -> None:
    assert read_number(text) is None or re.fullmatch(NUMBER_WORDS, text.lower())
    read_ordinal(text)
