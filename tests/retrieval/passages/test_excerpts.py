"""The pieces of passages: their spans, and which sentences they are."""

from __future__ import annotations

from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from toulmin.retrieval.passages.excerpts import Excerpt, IndexedPassage, digest, excerpt_for

LAPTOP = (
    "The history of computers is long. Charles Babbage designed an engine in 1837. "
    "The Epson HX-20, the first laptop, was invented in 1980 by Y. Yokozawa of Seiko, i.e. in Japan. "
    "It weighed 1.6 kg. Many others came after it. Their makers were large companies."
)


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
