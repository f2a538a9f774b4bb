"""Literals in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.cli.console import shorten
from toulmin.cli.drawing import literal_words, node_words, relation_words
from toulmin.graph.times import literal_interval, parse_time
from toulmin.graph.types import Entity, Literal, Relation


@pytest.mark.parametrize(
    ("literal", "words"),
    [
        (Literal("1815-12-10", "time"), "10 December 1815"),
        (Literal("1995-03", "time"), "March 1995"),
        (Literal("-0043-03-15", "time"), "15 March 44 BCE"),
        (Literal("0079", "time"), "79 CE"),
        (Literal("1150", "time", precision="century"), "12th century"),
        (Literal("-0420", "time", precision="century"), "5th century BCE"),
        (Literal("2000", "time", precision="millennium"), "2nd millennium"),
        (Literal("1995-00-00", "time", precision="decade"), "1990s"),
        (Literal("-13798000000", "time", precision="million_years"), "13,798,000,001 BCE (to million years)"),
        (Literal("1582-10-04", "time", calendar="julian"), "4 October 1582 (Julian)"),
        (Literal("2004-04-12T13:20:00Z", "time"), "12 April 2004, 13:20:00 UTC"),
        (Literal("2004-04-12T00:00:00Z", "time"), "12 April 2004"),
        (Literal("soon", "time"), "soon"),
        (Literal("+8848.86", "quantity", unit="metre"), "8,848.86 metre"),
        (Literal("-40", "quantity", unit="degree_Celsius"), "-40 degree Celsius"),
        (Literal("357022", "quantity", unit="kilometre ** 2"), "357,022 kilometre²"),
        (Literal("12", "quantity", unit="http://example.org/Barrel"), "12 Barrel"),
        (Literal("1.5E3", "quantity"), "1.5E3"),
        (Literal("48.8567,-2.3522", "coordinate"), "48.8567° N, 2.3522° W"),
        (Literal("nowhere", "coordinate"), "nowhere"),
        (Literal("", "unknown_value"), "unknown value"),
        (Literal("true", "boolean"), "true"),
        (Literal("two\n lines", "string", lang="en"), "two lines"),
    ],
)
def test_literals(literal: Literal, words: str) -> None:
    assert literal_words(literal) == words
    assert node_words(literal) == words


@given(
    year=st.integers(-2999, 9899),
    month=st.integers(1, 12),
    day=st.integers(1, 28),
    precision=st.sampled_from(["day", "month", "year", "decade", "century", "millennium"]),
)
def test_the_words_of_a_time_mean_the_same_time(year: int, month: int, day: int, precision: str) -> None:
    sign = "-" if year < 0 else ""
    literal = Literal(f"{sign}{abs(year):04d}-{month:02d}-{day:02d}", "time", precision=precision)
    historical = year if year > 0 else 1 - year
    if historical >= 100 or precision in ("day", "year"):  # "May 44 BCE" and "90s" are read by people only
        assert parse_time(literal_words(literal)) == literal_interval(literal)


def test_names() -> None:
    assert node_words(Entity("http://example.org/New_York")) == "New York"
    assert node_words(Entity("m.0abc12")) == "m.0abc12"
    assert relation_words(Relation("http://example.org/birthPlace")) == "birth place"
    assert relation_words(Relation("r", "born\tin")) == "born in"


@given(st.text(max_size=400))
def test_shortened_texts_are_one_short_line(text: str) -> None:
    short = shorten(text)
    assert len(short) <= 300
    assert len(short.splitlines()) <= 1
