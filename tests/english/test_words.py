"""The list of stop words and the unions of its parts."""

from __future__ import annotations

from itertools import combinations

import pytest

from toulmin.english.words import (
    ARGUMENT_STOP_WORDS,
    FUNCTION_WORDS,
    PRONOUNS,
    QUESTION_STOP_WORDS,
    RULE_STOP_WORDS,
    word_lists,
)


def test_each_stop_word_stands_in_one_part() -> None:
    parts = list(word_lists("stop_words").values())
    assert all(one.isdisjoint(other) for one, other in combinations(parts, 2))
    assert frozenset().union(*parts) == FUNCTION_WORDS | QUESTION_STOP_WORDS | RULE_STOP_WORDS | ARGUMENT_STOP_WORDS


@pytest.mark.parametrize(
    ("word", "stops"),
    [
        ("the", {"name", "question", "rule", "argument"}),
        ("no", {"name", "rule", "argument"}),  # a question that says "no" asks for something else
        ("same", {"name", "rule", "argument"}),
        ("list", {"question"}),  # the playlist "List" is a name, "list the films" asks
        ("therefore", {"argument"}),
        ("made", {"name"}),
        ("dosage", set()),
        ("director", set()),
    ],
)
def test_what_a_stop_word_is_depends_on_what_is_read(word: str, stops: set[str]) -> None:
    lists = {
        "name": FUNCTION_WORDS,
        "question": QUESTION_STOP_WORDS,
        "rule": RULE_STOP_WORDS,
        "argument": ARGUMENT_STOP_WORDS,
    }
    assert {name for name, members in lists.items() if word in members} == stops


def test_pronouns_are_function_words() -> None:
    assert PRONOUNS < FUNCTION_WORDS
