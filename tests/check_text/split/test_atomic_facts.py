"""Atomic facts by rules: what is taken apart, what is kept together, what is not checked."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toulmin.check_text.split.atomic import AtomicFact, split_facts
from toulmin.english.sentences import split_sentences


def facts(text: str, names: Sequence[str] = ()) -> list[str]:
    known = (lambda forms: [form in names for form in forms]) if names else None
    return [fact.text for one in split_facts(text, split_sentences(text), known) for fact in one.facts]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (  # verbs of one subject, phrases of place and time
            "Albert Einstein was born in Ulm in 1879 and died in Princeton.",
            [
                "Albert Einstein was born in Ulm.",
                "Albert Einstein was born in 1879.",
                "Albert Einstein died in Princeton.",
            ],
        ),
        (  # a participle that shares its auxiliary
            "The airport is owned by Velda and operated by the government.",
            ["The airport is owned by Velda.", "The airport is operated by the government."],
        ),
        (  # objects
            "Nolan directed Memento, Inception and Tenet.",
            ["Nolan directed Memento.", "Nolan directed Inception.", "Nolan directed Tenet."],
        ),
        (  # subjects
            "Lind and Falk are leaders of France.",
            ["Lind is a leader of France.", "Falk is a leader of France."],
        ),
        (  # a relative clause
            "Nora Field, who was born in Lincoln, wrote Ferry.",
            ["Nora Field wrote Ferry.", "Nora Field was born in Lincoln."],
        ),
        (
            "Harrow, whose mayor is Otto Lind, is in Ohio.",
            ["Harrow is in Ohio.", "Harrow's mayor is Otto Lind."],
        ),
        (
            "Rovers play in League D, of which Marl Town are champions.",
            ["Rovers play in League D.", "Marl Town are champions of League D."],
        ),
        (  # an apposition, and a nationality before an occupation
            "Marie Curie, a Polish physicist, discovered radium.",
            ["Marie Curie discovered radium.", "Marie Curie was Polish.", "Marie Curie was a physicist."],
        ),
        ("Ulm is a city in Germany.", ["Ulm is a city.", "Ulm is in Germany."]),  # a place lies there
        (  # a person may have worked there
            "Abraham Lincoln was a lawyer in Illinois.",
            ["Abraham Lincoln was a lawyer.", "Abraham Lincoln was a lawyer in Illinois."],
        ),
        ("Picasso was a painter from Spain.", ["Picasso was a painter.", "Picasso was a painter from Spain."]),
        (
            "Barack Obama was a senator from Illinois.",
            ["Barack Obama was a senator.", "Barack Obama was a senator from Illinois."],
        ),
        (  # participles before and behind
            "Born in Ulm, Einstein moved to Bern, winning the Nobel Prize in 1921.",
            ["Einstein moved to Bern.", "Einstein won the Nobel Prize in 1921.", "Einstein was born in Ulm."],
        ),
        (
            "Inception is a film directed by Christopher Nolan.",
            ["Inception is a film.", "Inception was directed by Christopher Nolan."],
        ),
        ("Tay County is in Texas, with its county seat being Marl.",
         ["Tay County is in Texas.", "Tay County's county seat is Marl."]),
        (  # a leading phrase of time
            "In 2013, Fernandinho signed with Manchester City.",
            ["Fernandinho signed with Manchester City.", "Fernandinho signed in 2013."],
        ),
        (  # a life in brackets
            "Paul Kruger (1825–1904) was a president.",
            ["Paul Kruger was a president.", "Paul Kruger was born in 1825.", "Paul Kruger died in 1904."],
        ),
        (  # examples
            "He has invested in several startups, including OnTruck and Factorial.",
            ["He has invested in several startups.", "He has invested in OnTruck.", "He has invested in Factorial."],
        ),
        ("Seattle is the largest city in Washington.", ["Seattle is the largest city in Washington."]),
        ("The airport lies 23 metres above sea level.", ["The airport lies 23 metres above sea level."]),
        ("Einstein was not born in Bern.", ["Einstein was not born in Bern."]),
        ("It was built between 1990 and 1995.", ["It was built between 1990 and 1995."]),
    ],
)  # fmt: skip
def test_what_is_stated_together_is_stated_apart(text: str, wanted: list[str]) -> None:
    found = facts(text)
    assert sorted(found) == sorted(wanted)


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("Marie Curie was a physicist. She was born in Warsaw.", "Marie Curie was born in Warsaw."),
        ("Marie Curie was a physicist. Her husband was Pierre Curie.", "Marie Curie's husband was Pierre Curie."),
        ("Miguel Díaz is a player. Díaz was born in 1994.", "Miguel Díaz was born in 1994."),
        ("Marl Airport is in Tay. The airport serves Marl.", "Marl Airport serves Marl."),
        ("Otto Lind is an actor in Ferry. It was made by the BBC.", "Ferry was made by the BBC."),
        ("The capital of Texas is Austin. It borders Mexico.", "Texas borders Mexico."),
    ],
)
def test_names_stand_in_place_of_what_refers_to_them(text: str, last: str) -> None:
    assert facts(text)[-1] == last


def test_lines_of_a_list_speak_of_what_stands_above() -> None:
    text = "**Heat** is a film.\n- **Director:** Michael Mann\n- Released: 15 December 1995\n"
    text += "- Stars: Al Pacino, Val Kilmer"
    assert facts(text)[1:] == [
        "Heat's director is Michael Mann.",
        "Heat was released on 15 December 1995.",
        "Heat's star is Al Pacino.",
        "Heat's star is Val Kilmer.",
    ]
    assert facts("Director: Michael Mann") == []


def test_an_unclear_pronoun_stays() -> None:
    assert facts("She was born in Warsaw.") == ["She was born in Warsaw."]
    assert facts("It is known that Ada Lovelace wrote it.")


def test_names_of_the_graph_are_never_taken_apart() -> None:
    text = "Beauty and the Beast stars Emma Watson. Kruger plays for Trinidad and Tobago."
    names = ("Beauty and the Beast", "Trinidad and Tobago")
    assert facts(text, names) == ["Beauty and the Beast stars Emma Watson.", "Kruger plays for Trinidad and Tobago."]


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("Was Ada Lovelace born in London?", "question"),
        ("Please read the article about Ulm.", "request"),
        ("I think Ulm is in Germany.", "said of the writer"),
        ("He may have been born in Ulm.", "hedged"),
        ("Ulm is reportedly in Germany.", "hedged"),
        ("Vera Holt retired in the same year as Bo Lind.", "compares with something else (“the same year as”)"),
        ("Vera Holt was hired three months after Bo Lind.", "compares with something else (“three months after”)"),
        ("The Aar is longer than the Reuss.", "compares with something else (“longer than”)"),
        ("The film is really beautiful.", "opinion"),
        ("It is false that Ulm is in France.", "denied"),
        ("Early life", "no statement"),
    ],
)
def test_what_states_nothing_is_not_checked(sentence: str, why: str) -> None:
    (found,) = split_facts(sentence, split_sentences(sentence))
    assert found.facts == ()
    assert found.unchecked is not None and why in found.unchecked


@pytest.mark.parametrize(
    "sentence", ["May 1990 was hot.", "The best man was Tom.", "Barny cakes may be found in France."]
)
def test_what_only_looks_like_it_is_checked(sentence: str) -> None:
    (found,) = split_facts(sentence, split_sentences(sentence))
    assert found.unchecked is None and found.facts


def check_places(text: str, fact: AtomicFact) -> None:
    opening = fact.text[:1]
    assert fact.text.strip() == fact.text and (opening == opening.upper() or len(opening.upper()) > 1)
    for first, last, at in fact.pieces:
        assert fact.text[first:last].casefold() == text[at : at + last - first].casefold()
    for first, last, start, end in fact.stands:
        assert 0 <= first < last <= len(fact.text) and text[start:end].strip() == text[start:end] != ""


def test_the_words_of_a_fact_are_found_in_the_text() -> None:
    text = "Marie Curie was a physicist. She was born in Warsaw."
    *_, last = split_facts(text, split_sentences(text))
    fact = last.facts[-1]
    assert last.sentence.text == "She was born in Warsaw."
    name = fact.text.index("Marie Curie"), fact.text.index("Marie Curie") + len("Marie Curie")
    assert fact.place(*name) == (0, 11)
    assert (*name, 29, 32) in fact.stands  # the pronoun
    town = fact.text.index("Warsaw")
    place = fact.place(town, town + 6)
    assert place is not None and text[slice(*place)] == "Warsaw"
    assert fact.place(0, len(fact.text)) is None


WORDS = st.lists(
    st.sampled_from(
        "Ada Lovelace , who was is had been born wrote directed films and or the a city of in by with which whose that "
        "where He she it her his its The In 1990 ( ) – \" ' ’s . ; not may being starring including such as between to "
        "because when London's after winning".split()
    ),
    max_size=30,
)


@settings(max_examples=300, deadline=None)
@given(WORDS.map(" ".join) | st.text(max_size=100))
def test_any_words_give_facts_with_exact_places(text: str) -> None:
    sentences = split_sentences(text)
    found = list(split_facts(text, sentences))
    assert [one.sentence for one in found] == sentences
    for one in found:
        assert (one.unchecked is None) == bool(one.facts)
        assert len(one.facts) <= 40
        for fact in one.facts:
            check_places(text, fact)


def test_letters_in_another_order_than_they_stand_are_not_judged() -> None:
    text = "Ada Lovelace was born in \u202emlU\u202c."
    (found,) = split_facts(text, split_sentences(text))
    assert "order of letters" in (found.unchecked or "")
