"""How a graph's statement is laid before an entailment scorer: one wording, in training, measuring and use."""

from __future__ import annotations

__all__ = ["has_several_values", "premise_of"]

_MARKS = {True: " (one value)", False: " (several values)", None: ""}


def premise_of(subject: str, relation: str, object: str, single_valued: bool | None = None) -> str:
    """The statement in words: "Paris: country (one value): France."

    Args:
        subject, relation, object: labels as a person writes them: "date of birth", not "dateOfBirth".
        single_valued: what the graph's own statistics say of the relation. Another object contradicts the statement
            where its subjects have one value; where they have several, it leaves the sentence open. None: not known.
    """
    return f"{subject}: {relation}{_MARKS[single_valued]}: {object}."


def has_several_values(premise: str) -> bool:
    """Whether it is a statement of a relation with several values: another value is no contradiction."""
    return f"{_MARKS[False]}: " in premise
