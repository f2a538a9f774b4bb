"""One wording of a statement as a premise."""

from __future__ import annotations

from toulmin.entailment.statement_premise import has_several_values, premise_of


def test_the_mark_tells_what_the_graph_knows() -> None:
    assert premise_of("Paris", "country", "France") == "Paris: country: France."
    one, several = premise_of("Paris", "country", "France", True), premise_of("Heat", "actor", "Al Pacino", False)
    assert one == "Paris: country (one value): France."
    assert several == "Heat: actor (several values): Al Pacino."
    assert [has_several_values(text) for text in (one, several, "It has several values.")] == [False, True, False]
