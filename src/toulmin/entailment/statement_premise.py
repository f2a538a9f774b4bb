"""How a graph's statement is laid before an entailment scorer: one wording, in training, measuring and use."""

from __future__ import annotations

import re

__all__ = ["ends_marked", "has_several_values", "is_marked_statement", "premise_of"]

_MARKS = {True: " (one value)", False: " (several values)", None: ""}
_MARKED = re.compile(
    r"(?P<subject>.+?)(?P<relation>: [^:]+ \((?:one value|several values)\): )(?P<object>.+)\.", re.DOTALL
)
_MARK_OF_SUBJECT, _MARK_OF_OBJECT = "X", "Y"


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


def is_marked_statement(premise: str) -> bool:
    """Whether it is one statement with a mark of ``single_valued``, and nothing else."""
    return _marked(premise) is not None


def _marked(premise: str) -> re.Match[str] | None:
    match = _MARKED.fullmatch(premise)
    several = match is not None and any(f"{mark}: " in match["object"] for mark in _MARKS.values() if mark)
    return None if several else match


def ends_marked(premise: str, hypothesis: str) -> tuple[str, str]:
    """Both texts with X for the statement's subject and Y for its object, where the hypothesis names them.

    A small network then reads who stands where from the words of the sentence, whatever the names. Only for one
    statement with a mark of ``single_valued``; other texts are returned as they are.
    """
    match = _marked(premise)
    if match is None:
        return premise, hypothesis
    marks = {match["object"].lower(): _MARK_OF_OBJECT, match["subject"].lower(): _MARK_OF_SUBJECT}
    names = "|".join(f"(?P<{marks[name]}>{re.escape(name)})" for name in sorted(marks, key=len, reverse=True))
    marked: set[str] = set()

    def mark(name: re.Match[str]) -> str:
        group = str(name.lastgroup)  # not by the words: "ſ" is matched by "s", and is no capital of it
        marked.add(group)
        return group

    sentence = re.sub(rf"(?<!\w)(?:{names})(?!\w)", mark, hypothesis, flags=re.IGNORECASE)
    ends = [marks[end.lower()] if marks[end.lower()] in marked else end for end in (match["subject"], match["object"])]
    return f"{ends[0]}{match['relation']}{ends[1]}.", sentence
