"""Sentences of a text: where they end, and that their places are exact."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toulmin.english.sentences import split_sentences

PIECES = st.sampled_from(
    [
        *(
            "He was born in Ulm.",
            "Dr. J. R. R. Tolkien wrote it",
            "3.5",
            "U.S.",
            "No. 5",
            '"Who?"',
            "(see p. 4)",
            "e.g.",
        ),
        *("\n", "\n\n", "\r\n", "- ", "1. ", "# ", " ", "  ", "…", "!", "?", ".", "“", "”", "Ünïcödé", "\u2028", "\t"),
    ]
)


def texts(text: str) -> list[str]:
    return [sentence.text for sentence in split_sentences(text)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "J. R. R. Tolkien was born in Bloemfontein. He wrote a book.",
            ["J. R. R. Tolkien was born in Bloemfontein.", "He wrote a book."],
        ),
        ("It sold 3.5 million copies in 1937. He left.", ["It sold 3.5 million copies in 1937.", "He left."]),
        ("He lives in the U.S. today. She does not.", ["He lives in the U.S. today.", "She does not."]),
        ("He moved to Washington D.C. The rest stayed.", ["He moved to Washington D.C.", "The rest stayed."]),
        ("N.W. Marl play in League A. They won.", ["N.W. Marl play in League A.", "They won."]),
        ("Dr. Smith met Mr. Jones Jr. at St. Paul's.", ["Dr. Smith met Mr. Jones Jr. at St. Paul's."]),
        ("It is No. 5 of the series. It ended.", ["It is No. 5 of the series.", "It ended."]),
        ('He said "I came. I saw." Then he left.', ['He said "I came. I saw."', "Then he left."]),
        ("She (b. 1900. d. 1950) painted. He sang.", ["She (b. 1900. d. 1950) painted.", "He sang."]),
        ("Mamma Mia! is a film. So is Oliver! now.", ["Mamma Mia! is a film.", "So is Oliver! now."]),
        ("Sales rose 3.5%.[1] Profits fell.[2][3]", ["Sales rose 3.5%.[1]", "Profits fell.[2][3]"]),
        ("Is it so? Yes! Well…", ["Is it so?", "Yes!", "Well…"]),
        ("It ended.He left.", ["It ended.", "He left."]),
    ],
)
def test_sentences_end_where_they_do(text: str, wanted: list[str]) -> None:
    assert texts(text) == wanted


def test_list_items_and_headings_are_sentences_without_their_markers() -> None:
    text = "# Life\n\n- Born in Ulm\n- Died in St. Louis, Mo.\n1. First of all. Second!\n(2) Third\n"
    assert texts(text) == ["Life", "Born in Ulm", "Died in St. Louis, Mo.", "First of all.", "Second!", "Third"]


def test_a_wrapped_line_goes_on_and_a_paragraph_does_not() -> None:
    text = "The film was written, directed and in large parts produced by\nChristopher Nolan.\n\nIt won\n\na prize."
    assert texts(text) == [
        "The film was written, directed and in large parts produced by\nChristopher Nolan.",
        "It won",
        "a prize.",
    ]


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=25).map("".join) | st.text(max_size=80))
def test_places_are_exact_in_order_and_leave_out_no_word(text: str) -> None:
    end = 0
    for sentence in split_sentences(text):
        assert text[sentence.start : sentence.end] == sentence.text == sentence.text.strip() != ""
        assert end <= sentence.start
        # what lies between is white space, or the marker of a list item: at most three figures or a letter
        assert sum(character.isalnum() for character in text[end : sentence.start]) <= 3 * text.count("\n") + 3
        end = sentence.end
    assert not any(character.isalnum() for character in text[end:])
