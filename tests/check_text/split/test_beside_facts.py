"""What is read beside the facts of a sentence: the sentence as a whole, and its parts from one name to the next."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toulmin.check_text.split.atomic import AtomicFact, split_facts
from toulmin.english.sentences import split_sentences


def beside(text: str) -> list[AtomicFact]:
    """What is read beside the facts of the last sentence."""
    *_, last = split_facts(text, split_sentences(text))
    return list(last.beside)


def texts(text: str) -> list[str]:
    return [fact.text for fact in beside(text)]


def test_a_sentence_that_is_its_only_fact_has_nothing_beside() -> None:
    assert not beside("Heat was directed by Michael Mann.")


def test_names_stand_for_the_pronouns_of_the_whole() -> None:
    said = texts("Heat is a film. It was written by Michael Mann and filmed in California.")
    assert "Heat was written by Michael Mann and filmed in California." in said
    assert "It was written by Michael Mann and filmed in California." in said


def test_parts_lead_from_one_name_to_the_next() -> None:
    said = texts("Ada Lovelace lived in Marylebone, a part of London, with Lord King.")
    assert "Marylebone, a part of London." in said
    assert "London, with Lord King." in said


def test_members_of_a_list_are_no_part_of_a_sentence() -> None:
    assert "Germany and Austria." not in texts("Albert Einstein lived in Germany and Austria and died in Princeton.")


def test_what_is_denied_has_no_parts() -> None:
    said = texts("Ada Lovelace, but not Mary Shelley, was born in London and lived in Marylebone.")
    assert all(len(one) > 60 for one in said)


@given(st.text("Aab ,.(\"n'0 ", max_size=40).map(lambda some: f"Heat was filmed in Paris, {some} by Bo in Rome."))
def test_the_words_of_what_is_beside_stand_in_the_text(text: str) -> None:
    for one in split_facts(text, split_sentences(text)):
        for fact in one.beside:
            for first, last, at in fact.pieces:
                assert fact.text[first:last].casefold() == text[at : at + last - first].casefold()
