"""What a model completed is read as people read it, and what is read stands in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.proof.chains.completions import normalised, parse

COT = " Aristotle died in 322 BC. Thus, he used no laptop. So the answer is no.\n\n"
LEAST_TO_MOST = (
    "\nQ1. What is the Pantheon?\nThe Pantheon is a temple in Rome.\n"
    "Q2. Who is buried there?\nKings are buried there.\n"
    "Final answer: Will the queen be buried there?\nThe answer is no.\n\n"
)


@pytest.mark.parametrize(
    ("text", "sentences", "prediction"),
    [
        (COT, ("Aristotle died in 322 BC.", "Thus, he used no laptop."), "no"),
        (LEAST_TO_MOST, ("The Pantheon is a temple in Rome.", "Kings are buried there."), "no"),
        ("The statement is old. So the answer is True.", ("The statement is old.",), "yes"),
        ("Yes, most coffee grows there.", ("most coffee grows there.",), "yes"),
        ("It was long ago. So the answer is Harry S. Truman.", ("It was long ago.",), "Harry S. Truman"),
        ("It was long ago. So the answer is unclear.", ("It was long ago.",), None),
        ("It was so very long ago.", ("It was so very long ago.",), None),
        ("", (), None),
    ],
)
def test_chains_as_models_write_them(text: str, sentences: tuple[str, ...], prediction: str | None) -> None:
    read = parse(text)
    assert (read.sentences, read.prediction) == (sentences, prediction)


def test_the_facts_of_an_explanation() -> None:
    assert parse(COT).facts == ("Aristotle died in 322 BC.",)
    only = parse("Thus, he used no laptop. So the answer is no.")
    assert only.facts == only.sentences == ("Thus, he used no laptop.",)


@given(st.text())
def test_what_is_read_stands_in_the_text_in_order(text: str) -> None:
    read = parse(text)
    at = 0
    for sentence in read.sentences:
        at = text.index(sentence, at) + 1
    if read.prediction not in ("yes", "no", None):
        assert read.prediction in text


def test_predictions_are_compared_without_articles_and_punctuation() -> None:
    assert normalised("The  Harry S. Truman!") == normalised("harry s truman")
    assert normalised("!!") == "!!"


@pytest.mark.parametrize(
    ("explanation", "sentences"),
    [
        ("He was born in Ohio, U.S. The occupation is drummer.", 2),
        ("He lived in Washington D.C. He moved later.", 2),
        ("The U.S. Senate met in D.C. Hall.", 1),
        ("J. K. Rowling wrote it.", 1),
    ],
)
def test_initials_end_a_sentence_where_a_word_follows_that_opens_one(explanation: str, sentences: int) -> None:
    assert len(parse(f"{explanation} So the answer is no.").sentences) == sentences
