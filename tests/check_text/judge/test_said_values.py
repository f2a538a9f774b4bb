"""Values and names as sentences write them."""

from __future__ import annotations

import pytest

from toulmin.check_text.judge.sentence_words import SentenceWords, ShortNames
from toulmin.check_text.judge.values import best_value, value_of, values_in
from toulmin.english.lexicon import get_lexicon


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
    ("text", "name", "said"),
    [
        ("Austin is the capital of Texas.", "Austin, Texas", "Austin"),
        ("He is American.", "United States", "American"),
        ("It lies in the U.S.", "United States", "U.S."),
        ("The sauce includes tomatoes.", "Tomato", "tomatoes"),
        ("It is led by the Academy of Fine Arts.", "Academy of Fine Arts", "Academy of Fine Arts"),
        ("It was published by the IAU.", "International Astronomical Union", "IAU"),
        ("AEK FC won.", "A.E.K. F.C.", "AEK FC"),
    ],
)
def test_names_are_found_in_other_forms(text: str, name: str, said: str) -> None:
    found = SentenceWords(text, get_lexicon()).says(name)
    assert found is not None
    assert text[found.start : found.end] == said


def test_other_names_are_not_found() -> None:
    words = SentenceWords("Austin is the capital of Texas.", get_lexicon())
    assert words.says("Houston, Texas") is None
    assert words.says("Texas Tech University") is None


def test_short_names_have_all_their_bearers() -> None:
    short = ShortNames(["Heat (film)", "Heat (album)", "N.W. Mühl", "Oslo"])
    assert short.bearers("Heat") == [0, 1]
    assert short.bearers("NW Muhl") == [2]
    assert short.bearers("Oslo") == []  # its whole name: the linker finds it
