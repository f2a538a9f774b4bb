"""Names as sentences write them."""

from __future__ import annotations

import pytest

from toulmin.check_text.judge.sentence_words import SentenceWords, by_short_name, squashed


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
    found = SentenceWords(text).says(name)
    assert found is not None
    assert text[found.start : found.end] == said


def test_other_names_are_not_found() -> None:
    words = SentenceWords("Austin is the capital of Texas.")
    assert words.says("Houston, Texas") is None
    assert words.says("Texas Tech University") is None


def test_short_names_have_all_their_bearers() -> None:
    short = by_short_name(["Heat (film)", "Heat (album)", "N.W. Mühl", "Oslo"])
    assert short[squashed("Heat")] == [0, 1]
    assert short[squashed("NW Muhl")] == [2]
    assert squashed("Oslo") not in short  # its whole name: the linker finds it
