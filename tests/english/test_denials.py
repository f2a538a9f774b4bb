"""What denies, in sentences of several domains."""

from __future__ import annotations

import pytest

from toulmin.english.denials import denials, is_denied, negates, without_denial


@pytest.mark.parametrize(
    "text",
    [
        "Aspirin is not indicated in children.",
        "The firm never paid a dividend.",
        "She wasn't born in Ulm.",
        "She wasn’t born in Ulm.",
        "There are no wards in Building 5.",
        "The patient cannot take ibuprofen.",
        "Neither film was released.",
        "He failed to win the seat.",
        "He refused the prize.",
        "It is false that Oslo lies in Sweden.",
        "The team (not the club) moved.",
    ],
)
def test_denials(text: str) -> None:
    assert denials(text) == 1 and is_denied(text)


@pytest.mark.parametrize(
    "text",
    [
        "Aspirin is indicated in adults.",
        "It is not his only book.",
        "She was not just a poet.",
        "A dose has no more than 9 mg.",
        "The Symphony No. 5 was written in 1804.",
        "Order no 12 was sent.",
        "His health declined in 1960.",
        "Apollo 13 was a failed landing.",
        "Norah noted a notable knot.",
    ],
)
def test_no_denials(text: str) -> None:
    assert denials(text) == 0 and not is_denied(text)


def test_two_denials_deny_nothing() -> None:
    assert denials("It is not without risk.") == 2 and not is_denied("It is not without risk.")


@pytest.mark.parametrize(("word", "expected"), [("not", True), ("isn't", True), ("except", True), ("only", False)])
def test_words_that_deny(word: str, expected: bool) -> None:
    assert negates(word) is expected


def test_a_text_without_its_denial() -> None:
    assert without_denial("She was not born in Ulm.") == "She was born in Ulm."
    assert without_denial("She wasn't born in Ulm.") == "She was born in Ulm."
