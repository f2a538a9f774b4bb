"""The pieces of passages: their spans, and which sentences they are."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.retrieval.passages import Excerpt, IndexedPassage, digest, excerpt_for
from toulmin.retrieval.passages.excerpts import sentence_spans

LAPTOP = (
    "The history of computers is long. Charles Babbage designed an engine in 1837. "
    "The Epson HX-20, the first laptop, was invented in 1980 by Y. Yokozawa of Seiko, i.e. in Japan. "
    "It weighed 1.6 kg. Many others came after it. Their makers were large companies."
)


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    "expected",
    [
        ["Julia (c. 76 BC – 54 BC) was his daughter.", "She died."],
        ["J. S. Bach lived in St. Thomas, vol. 3 says.", "He was born in 1685."],
        ["He said “No.”", "“Why?” she asked.", "(Nobody knew.)", "It was 3.14 m long!"],
        ["The U.S. Army came.", "Élan vital followed."],
        ["One sentence without an end"],
    ],
)
def test_sentences(expected: list[str]) -> None:
    assert sentences("  ".join(expected)) == expected


def test_the_piece_that_shares_most_with_the_query() -> None:
    passage = IndexedPassage("Laptop#1", LAPTOP, "Laptop")
    piece = excerpt_for(passage, "When was the first laptop invented?", longest=110)
    assert piece.text.startswith("The Epson HX-20") and piece.text.endswith("Japan.")
    assert piece.sha256 == sha256(LAPTOP.encode()).hexdigest() == digest(LAPTOP)
    assert excerpt_for(passage, "Charles Babbage", longest=110).text.startswith("The history of computers")
    assert excerpt_for(passage, "nothing in common", longest=None).text == LAPTOP


def test_rare_words_weigh_more_where_weights_are_given() -> None:
    passage = IndexedPassage("a", "The red car of the man was old. Zymurgy was his trade and it paid.", "")
    query = "red car man zymurgy"
    assert excerpt_for(passage, query, longest=35).text.startswith("The red")
    weighted = excerpt_for(passage, query, longest=35, weight=lambda word: 9.0 if word == "zymurgy" else 1.0)
    assert weighted.text.startswith("Zymurgy")


def test_the_title_is_told_where_the_text_does_not_say_it() -> None:
    assert Excerpt.of(IndexedPassage("A#1", "He died.", "Aristotle")).told == "Aristotle: He died."
    assert Excerpt.of(IndexedPassage("A#1", "ARISTOTLE died.", "Aristotle")).told == "ARISTOTLE died."
    assert Excerpt.of(IndexedPassage("A#1", "He died.")).told == "He died."


@given(st.text(max_size=300), st.text(max_size=60), st.integers(1, 80))
def test_every_piece_is_a_span_of_its_document(text: str, query: str, longest: int) -> None:
    text = text.encode("utf-8", "ignore").decode()
    piece = excerpt_for(IndexedPassage("a", text or "."), query, longest=longest)
    document = text or "."
    if document.strip():
        assert piece.text == document[piece.start : piece.end]
        assert len(piece.text) <= longest or len(document) <= longest
        assert piece.text.strip()


@given(st.text(alphabet="aB .!?\n“”1é", max_size=120))
def test_sentences_lose_nothing_but_white_space(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())
