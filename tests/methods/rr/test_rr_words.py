"""What words of chains are read, and the shares of chains that are grounded and disputed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.methods.rr.voting import Shares, content_words, shares_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The laptops were invented in 1980.", {"laptop", "invent", "1980"}),
        ("He died in 322BC, with 1,500 others!", {"died", "322", "bc", "1,500"}),
        ("Élodie's café", {"élodie", "café"}),
        ("It is so, and that is all there is.", set()),
    ],
)
def test_content_words(text: str, words: set[str]) -> None:
    assert content_words(text) == words


def test_a_sentence_is_grounded_by_one_word_of_the_evidence_that_the_question_lacks() -> None:
    chains = [("yes", ["Bees eat honey.", "Bees have wings."]), ("yes", ["Bees have legs."]), ("yes", [])]
    found = shares_of("Do bees have wings?", chains, ["Honey is made by bees with wings."])
    assert [one.grounded for one in found] == [0.5, 0.0, 0.0]


def test_words_are_disputed_where_chains_of_another_prediction_say_them_too() -> None:
    chains = [
        ("Paris", ["The capital lies near the Seine."]),
        ("the Paris", ["The Seine has bridges."]),
        ("Rome", ["The capital lies near hills."]),
        (None, ["The Seine has hills."]),
    ]
    found = shares_of("Where?", chains, [])
    assert [one.disputed for one in found] == [0.75, 0.0, 0.75, 0.0]


sides = st.lists(
    st.tuples(st.sampled_from(["yes", "no", None]), st.lists(st.text("ab 1", max_size=9), max_size=3)), max_size=5
)


@given(sides, st.lists(st.text("ab 1", max_size=9), max_size=3))
def test_shares_are_shares_and_agreement_disputes_nothing(
    chains: list[tuple[str | None, list[str]]], evidence: list[str]
) -> None:
    for one in shares_of("ab?", chains, evidence):
        assert 0 <= one.grounded <= 1
        assert 0 <= one.disputed <= 1
    agreed = [("yes", some) for _, some in chains]
    assert all(one.disputed == 0 for one in shares_of("ab?", agreed, evidence))
    assert shares_of("ab?", agreed, []) == [Shares()] * len(agreed)
