"""One wording of a statement as a premise, and its ends marked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.entailment.statement_premise import ends_marked, has_several_values, premise_of


def test_the_mark_tells_what_the_graph_knows() -> None:
    assert premise_of("Paris", "country", "France") == "Paris: country: France."
    one, several = premise_of("Paris", "country", "France", True), premise_of("Heat", "actor", "Al Pacino", False)
    assert one == "Paris: country (one value): France."
    assert several == "Heat: actor (several values): Al Pacino."
    assert [has_several_values(text) for text in (one, several, "It has several values.")] == [False, True, False]


@pytest.mark.parametrize(
    ("premise", "hypothesis", "expected"),
    [
        (
            premise_of("Paris", "capital of", "France", True),
            "France has paris as its capital.",
            ("X: capital of (one value): Y.", "Y has X as its capital."),
        ),
        (
            premise_of("Heat", "starred actors", "Al Pacino", False),
            "Robert De Niro acted in Heat, not in Heathers.",
            ("X: starred actors (several values): Al Pacino.", "Robert De Niro acted in X, not in Heathers."),
        ),
        (
            premise_of("Dune: Part Two", "set in", "Dune", True),  # a name within a name
            "Dune: Part Two is set in Dune.",
            ("X: set in (one value): Y.", "X is set in Y."),
        ),
        (
            premise_of("Paris", "state", "Massachusetts", True),  # letters that match, and fold to others
            "Paris lies in Maſſachuſetts.",
            ("X: state (one value): Y.", "X lies in Y."),
        ),
    ],
)
def test_ends_are_marked_where_the_sentence_names_them(
    premise: str, hypothesis: str, expected: tuple[str, str]
) -> None:
    assert ends_marked(premise, hypothesis) == expected


@pytest.mark.parametrize(
    "premise",
    [
        "Paris: country: France.",
        "Paris: It has two parts: a and b.",
        premise_of("Paris", "country", "France", True) + " " + premise_of("Lyon", "country", "France", True),
    ],
)
def test_other_premises_are_left_as_they_are(premise: str) -> None:
    assert ends_marked(premise, "Paris is in France.") == (premise, "Paris is in France.")


_NAMES = st.text("abcdef ", min_size=2, max_size=12).map(str.strip).filter(bool)


@given(subject=_NAMES, value=_NAMES, one=st.booleans())
def test_names_do_not_matter(subject: str, value: str, one: bool) -> None:
    premise, sentence = ends_marked(premise_of(subject, "relation", value, one), f"{subject} - {value}.")
    marks = ("X", "X") if subject == value else ("X", "Y")
    assert sentence == f"{marks[0]} - {marks[1]}."
    assert premise == premise_of(marks[0], "relation", marks[1], one)
