"""Words that say one another, strictly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.check_text.judge.relation_labels import is_same_word, means

WORDS = "manages manager boss father mother buys seller treats cures owner wrote author loves hates wife spouse".split()


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("manages", "manager"),
        ("employee", "employer"),
        ("died", "death"),
        ("wrote", "author"),
        ("wife", "spouse"),
        ("bought", "acquired"),
        ("established", "founded"),
        ("tall", "height"),
    ],
)
def test_one_says_the_other(word: str, other: str) -> None:
    assert means(word, other)


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("causes", "treats"),
        ("father", "mother"),
        ("son", "daughter"),
        ("sold", "bought"),
        ("loves", "hates"),
        ("left", "joined"),
        ("visited", "lived"),
        ("safe", "contraindicated"),
        ("office", "officer"),
        ("general", "genre"),
    ],
)
def test_what_is_only_related_does_not(word: str, other: str) -> None:
    assert not means(word, other)


@given(st.sampled_from(WORDS), st.sampled_from(WORDS))
def test_forms_of_one_word_are_so_both_ways(word: str, other: str) -> None:
    assert is_same_word(word, other) == is_same_word(other, word)
    assert means(word, word)


@given(st.text(max_size=12), st.text(max_size=12))
def test_any_words_may_be_asked(word: str, other: str) -> None:
    assert means(word, other) in (True, False)
