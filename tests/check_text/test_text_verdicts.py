"""Verdicts on sentences as people and machines write them, on the bundled graph: what the taking apart is for."""

from __future__ import annotations

import asyncio

import pytest

import toulmin
from toulmin.check_text.checking import TextChecker


@pytest.fixture(scope="module")
def checker() -> TextChecker:
    return TextChecker(toulmin.open("bundled"))


def verdicts(checker: TextChecker, text: str) -> list[str | None]:
    return [one.verdict for one in asyncio.run(checker.check(text)).sentences]


@pytest.mark.parametrize(
    "text",
    [
        "Albert Einstein's wife Mileva Marić was born in Titel and died in Zürich.",
        "Spirited Away was written and directed by Hayao Miyazaki and scored by Joe Hisaishi.",
        "Humphrey Bogart and Hedy Lamarr were born in New York City and Vienna, respectively.",
        "Marie Curie won the Nobel Prize in Physics in 1903 and the Nobel Prize in Chemistry in 1911.",
        "Abbey Road, released in 1969, is an album by the Beatles that was produced by George Martin.",
        "Percy Bysshe Shelley and John Keats are both buried in the Protestant Cemetery in Rome.",
        "Vienna and Berlin are the capitals of Austria and Germany, respectively.",
        "It was Tim Berners-Lee who invented the World Wide Web.",
    ],
)
def test_what_the_graph_says_is_supported_however_it_is_told(checker: TextChecker, text: str) -> None:
    assert verdicts(checker, text) == ["supported"]


@pytest.mark.parametrize(
    "text",
    [
        "Ada Lovelace was born in Paris, not in London.",
        "Ada Lovelace was born in Paris: London.",
        "Humphrey Bogart and Hedy Lamarr were born in Vienna and New York City, respectively.",
        "Frankenstein was written by Mary Shelley, whose mother was Annabella Milbanke.",
        "Casablanca was directed by Fritz Lang, who was born in Vienna.",
        "Angela Merkel was born in Berlin but grew up elsewhere.",
        "Gabriel García Márquez (born in Bogotá; died in Mexico City) was a novelist.",
    ],
)
def test_one_wrong_part_contradicts_a_sentence(checker: TextChecker, text: str) -> None:
    assert verdicts(checker, text) == ["contradicted"]


@pytest.mark.parametrize(
    "text", ["Marie Curie had a sister called Bronisława.", "Ada Lovelace had a sister called Medora."]
)
def test_a_name_beside_a_noun_is_no_place_of_birth(checker: TextChecker, text: str) -> None:
    (sentence,) = asyncio.run(checker.check(text)).sentences
    assert "place of" not in (sentence.reason or "")


def test_what_is_referred_to_is_checked(checker: TextChecker) -> None:
    text = "Hamlet and Macbeth are plays by William Shakespeare. The latter was written by Mary Shelley."
    assert verdicts(checker, text) == ["supported", "contradicted"]
    text = "Sofia Coppola directed Lost in Translation. The film stars Bill Murray."
    assert verdicts(checker, text) == ["supported", "supported"]


def test_what_no_fact_states_is_claimed_once_where_the_graph_says_it(checker: TextChecker) -> None:
    answer = asyncio.run(checker.check("Hayao Miyazaki, as the director of Spirited Away, met Joe Hisaishi."))
    claims = [node["says"] for node in answer.certificate["program"] if node["op"] == "judged"]
    assert claims.count("Spirited Away: director: Hayao Miyazaki.") == 1
    assert not any("composer" in one for one in claims)  # the sentence does not say who composed


def test_the_function_keeps_its_name_beside_the_package() -> None:
    """The package ``toulmin.check_text``, which this module imports from, does not take the function's place."""
    assert toulmin.check_text(toulmin.open("bundled"), "Ada Lovelace was born in London.").sentences
