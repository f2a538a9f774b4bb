"""What a model completed is read as people read it, and what is read stands in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.methods.rr.chains import normalised, parse_chain, spelled_alike

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
    read = parse_chain(text)
    assert (read.sentences, read.prediction) == (sentences, prediction)


def test_the_facts_of_an_explanation() -> None:
    assert parse_chain(COT).facts == ("Aristotle died in 322 BC.",)
    only = parse_chain("Thus, he used no laptop. So the answer is no.")
    assert only.facts == only.sentences == ("Thus, he used no laptop.",)


@given(st.text())
def test_what_is_read_stands_in_the_text_in_order(text: str) -> None:
    read = parse_chain(text)
    at = 0
    for sentence in read.sentences:
        at = text.index(sentence, at) + len(sentence)
    if read.prediction not in ("yes", "no", None):
        assert read.prediction in text


def test_predictions_are_compared_without_articles_and_punctuation() -> None:
    assert normalised("The  Harry S. Truman!") == normalised("harry s truman")
    assert normalised("!!") == "!!"
    said = ["The Beatles", None, "Queen", "beatles.", "queen"]
    assert spelled_alike(said) == ["The Beatles", None, "Queen", "The Beatles", "Queen"]


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
    assert len(parse_chain(f"{explanation} So the answer is no.").sentences) == sentences


def test_supporting_facts_are_told_from_arguments() -> None:
    chain = parse_chain("It rained. Water is wet. Thus, it was wet. So the answer is yes.")
    assert chain.sentences == ("It rained.", "Water is wet.", "Thus, it was wet.")
    assert (chain.facts, chain.prediction) == (("It rained.", "Water is wet."), "yes")
    alone = parse_chain("Thus, it was wet. So the answer is yes.")
    assert alone.facts == alone.sentences == ("Thus, it was wet.",)


@pytest.mark.parametrize(
    ("text", "facts", "prediction"),
    [
        (
            "\nQ1. When did Bach die?\nBach died in 1750.\nQ2. Was he old?\nNo, he was not.\n"
            "Final answer: Was Bach old?\nThe answer is no.\n\n",
            ("Bach died in 1750.", "he was not."),
            "no",
        ),
        ("Yes, Bach was a composer.", ("Bach was a composer.",), "yes"),
        ("Bach was a composer. So the answer is unclear.", ("Bach was a composer.",), None),
        ("There is no answer.", ("There is no answer.",), None),
        ("Harry S. Truman served. So the answer is Harry S. Truman.", ("Harry S. Truman served.",), "Harry S. Truman"),
        ("It is 1.5 m. The box is 30 cm. So the answer is no.", ("It is 1.5 m.", "The box is 30 cm."), "no"),
        ("", (), None),
    ],
)
def test_forms_of_outputs(text: str, facts: tuple[str, ...], prediction: str | None) -> None:
    chain = parse_chain(text)
    assert (chain.facts, chain.prediction) == (facts, prediction)
