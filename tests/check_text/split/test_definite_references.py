"""What "the Institute", "the main ingredients", "there" and "they" stand for in what a text spoke of before."""

from __future__ import annotations

import pytest

from toulmin.check_text.split.atomic import split_facts
from toulmin.english.sentences import split_sentences


def facts(text: str) -> list[str]:
    return [fact.text for one in split_facts(text, split_sentences(text)) for fact in one.facts]


@pytest.mark.parametrize(
    ("text", "last"),
    [
        # A word of a name stands for the whole name.
        (
            "The Max Planck Institute is in Munich. The Institute was founded in 1948.",
            "The Max Planck Institute was founded in 1948.",
        ),
        # What is of no other is of what the text speaks of.
        ("Apple Pie comes from England. The main ingredient is apple.", "The main ingredient of Apple Pie is apple."),
        ("Marl Airport opened in 1943. The order code is EGM.", "The order code of Marl Airport is EGM."),
        # The hall, not the street or state in which it is.
        (
            "Harrow College is the owner of Ford Hall in Virginia. It was completed in 2009.",
            "Ford Hall was completed in 2009.",
        ),
        # A club has a manager: "he" is not the club.
        ("Rovers have had Otto Lind as their manager. He was born in Marl.", "Otto Lind was born in Marl."),
        # No cleft like "it was Ada who".
        ("Heat is a film. It was directed by Mann, who wrote it.", "Mann wrote Heat."),
        ("Paella is a dish. It contains rice which comes from Valencia.", "Paella contains rice."),
        (
            "Ford Hall opened in 2009. The current tenants are Smith & Co.",
            "The current tenants of Ford Hall are Smith & Co.",
        ),
        ("Ada came to Spain. Otto was born there.", "Otto was born in Spain."),
        # Kinds of things.
        ("Oaks belong to the Fagaceae. They grow in Spain.", "Oaks grow in Spain."),
        ("A wool blanket is made in Britain. It comes from London.", "A wool blanket comes from London."),
        ("Paella is from Spain. Rice is one of its ingredients.", "Rice is one of Paella's ingredients."),
        ("Paella is from Spain. This is eaten in Valencia.", "Paella is eaten in Valencia."),
    ],
)
def test_names_stand_in_place_of_what_can_only_mean_them(text: str, last: str) -> None:
    assert facts(text)[-1] == last


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("Ada Lovelace lived in London. There is a museum.", "There is a museum."),
        ("Ada Lovelace lived in London. She wrote notes during her time there.", "her time there"),
        ("Ada Lovelace was a mathematician. The B series is a code.", "The B series is a code."),
        ("Ada Lovelace was a mathematician. The war was fought in Spain.", "The war was fought in Spain."),
        ("Ada Lovelace was a mathematician. The first was Euclid.", "The first was Euclid."),
    ],
)
def test_what_may_be_another_stays(text: str, last: str) -> None:
    assert last in facts(text)[-1]
