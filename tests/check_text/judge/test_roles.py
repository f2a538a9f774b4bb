"""Which of two names is which end of a statement, by the grammar of a sentence and of a label."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.check_text.judge.roles import ends_of

STATED = [  # sentence, its two names, label, subject
    ("Bob manages Ann.", "Bob", "Ann", "manager", "Ann"),
    ("Ann is managed by Bob.", "Ann", "Bob", "manager", "Ann"),
    ("Bob is Ann's manager.", "Bob", "Ann", "manager", "Ann"),
    ("The manager of Ann is Bob.", "Ann", "Bob", "manager", "Ann"),
    ("Ann's manager is Bob.", "Ann", "Bob", "manager", "Ann"),
    ("Bob is the manager of Ann.", "Bob", "Ann", "manager", "Ann"),
    ("Ann has a manager called Bob.", "Ann", "Bob", "manager", "Ann"),
    ("Bob is the Sales manager.", "Bob", "Sales", "manager", "Sales"),
    ("Nell rides Misty.", "Nell", "Misty", "ridden by", "Misty"),
    ("Misty is ridden by Nell.", "Misty", "Nell", "ridden by", "Misty"),
    ("Acme bought Kemix.", "Acme", "Kemix", "acquired", "Acme"),
    ("Kemix was acquired by Acme.", "Kemix", "Acme", "acquired", "Acme"),
    ("Thirst can be treated with Water.", "Thirst", "Water", "treats", "Water"),
    ("Ann was born in Bonn.", "Ann", "Bonn", "place of birth", "Ann"),
    ("Ann is an employee of Acme.", "Ann", "Acme", "employer", "Ann"),
    ("Sybil is the owner of Long Field.", "Sybil", "Long Field", "owns", "Sybil"),
    ("Ann influenced Bob.", "Ann", "Bob", "influenced", "Ann"),
    ("Oslo is the capital of Norway.", "Oslo", "Norway", "capital", "Norway"),
    ("Oslo is the capital of Norway.", "Oslo", "Norway", "capital of", "Oslo"),
    ("Ann manages Bob.", "Ann", "Bob", "manager of", "Ann"),
    ("Bob is managed by Ann.", "Bob", "Ann", "manager of", "Ann"),
    ("Ann is the manager of Bob.", "Ann", "Bob", "manager of", "Ann"),
    ("Ann owns Misty.", "Ann", "Misty", "owner of", "Ann"),
    ("Misty is owned by Ann.", "Misty", "Ann", "owner of", "Ann"),
    ("Ann wrote Red Barn.", "Ann", "Red Barn", "author of", "Ann"),
    ("Red Barn was written by Ann.", "Red Barn", "Ann", "author of", "Ann"),
    ("Red Barn written by Ann.", "Red Barn", "Ann", "author", "Red Barn"),  # "Red Barn, written by Ann and …"
]
UNKNOWN = [
    ("Ann is in the town of Bonn.", "Ann", "Bonn", "town", "Ann"),  # "of" tells what Bonn is
    ("Ann met Bob.", "Ann", "Bob", "manager", "Ann"),
    ("Ann leads Lynx.", "Ann", "Lynx", "project lead", "Lynx"),  # a lead may be who leads, or what is led
]


def ends(text: str, first: str, second: str, label: str, subject: str) -> str:
    places = [(text.index(name), text.index(name) + len(name)) for name in (first, second)]
    return ends_of(text, places, label, subject=int(subject == second))


@pytest.mark.parametrize("case", STATED, ids=str)
def test_a_sentence_states_a_relation_and_turns_its_reverse(case: tuple[str, str, str, str, str]) -> None:
    text, first, second, label, subject = case
    assert ends(text, first, second, label, subject) == "as stated"
    assert ends(text, first, second, label, second if subject == first else first) == "turned"


@pytest.mark.parametrize("case", UNKNOWN, ids=str)
def test_where_the_grammar_does_not_tell(case: tuple[str, str, str, str, str]) -> None:
    assert ends(*case) == "unknown"


WORDS = st.lists(
    st.sampled_from("the a of is was by manager manages managed 's with in and not has".split()), max_size=6
).map(" ".join)


@given(WORDS, WORDS, WORDS, st.sampled_from(["manager", "manages", "managed by", "part of", "", "in"]))
def test_what_one_reading_states_the_reverse_turns(before: str, between: str, after: str, label: str) -> None:
    text = f"{before} Ann {between} Bob {after}"
    first, second = text.index("Ann"), text.index("Bob")
    names = [(first, first + 3), (second, second + 3)]
    found = {ends_of(text, names, label, subject=subject) for subject in (0, 1)}
    assert "as stated" not in found or found == {"as stated", "turned"}
