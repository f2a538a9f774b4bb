"""Sentences of a text: where they end, and that their places are exact."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toulmin.english.sentences import sentence_spans, split_sentences

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
        (
            "The answer is no. Jujutsu is a martial art. It is old.",
            ["The answer is no.", "Jujutsu is a martial art.", "It is old."],
        ),
        (
            "The pea weighs 0.01 g. Bees weigh 2 g. So it goes.",
            ["The pea weighs 0.01 g.", "Bees weigh 2 g.", "So it goes."],
        ),
        ("He is 5'7\" tall. She is 6'. All fit.", ["He is 5'7\" tall.", "She is 6'.", "All fit."]),
        ("They are not sold at McDonald's. Others are.", ["They are not sold at McDonald's.", "Others are."]),
        (
            "She was called Elizabeth I. Queen Anne came later.",
            ["She was called Elizabeth I.", "Queen Anne came later."],
        ),
        (
            "The pyramid was built by I. M. Pei. Tourists like it.",
            ["The pyramid was built by I. M. Pei.", "Tourists like it."],
        ),
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


@pytest.mark.parametrize(
    "expected",
    [
        ["Julia (c. 76 BC – 54 BC) was his daughter.", "She died."],
        ["J. S. Bach lived in St. Thomas, vol. 3 says.", "He was born in 1685."],
        ["He said “No.”", "“Why?” she asked.", "(Nobody knew.)", "It was 3.14 m long!"],
        ["The U.S. Army came.", "Élan vital followed."],
        ["One sentence without an end"],
        ["東京は首都である。", "人口は多い。"],
    ],
)
def test_spans_of_sentences(expected: list[str]) -> None:
    text = "  ".join(expected)
    assert [text[start:end] for start, end in sentence_spans(text)] == expected


def test_spans_of_a_part_of_a_text() -> None:
    text = "- One. Two\nthree. Four."
    assert [text[start:end] for start, end in sentence_spans(text, 7, 17)] == ["Two", "three."]


@given(st.text(alphabet="aB .!?\n“”1é。", max_size=120))
def test_spans_lose_nothing_but_white_space(text: str) -> None:
    assert "".join("".join(text[start:end] for start, end in sentence_spans(text)).split()) == "".join(text.split())
