"""Sentences that turn a relation round: "Byron was the son of Ada" where the graph says that Ada's father is Byron."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["holds_both_ways", "is_turned", "says_inverse"]

#: Who is the first to the second, by English words; "X was the A of Y" denies that the graph's B of Y is X.
_CHILDREN = frozenset({"son", "daughter", "child"})
_PARENTS = frozenset({"father", "mother", "parent"})
_STUDENTS = frozenset({"student", "pupil", "disciple", "doctoral student"})
_TEACHERS = frozenset({"teacher", "mentor", "tutor", "doctoral advisor"})
_OPPOSITES = ((_CHILDREN, _PARENTS), (_PARENTS, _CHILDREN), (_STUDENTS, _TEACHERS), (_TEACHERS, _STUDENTS))
#: These hold both ways, also where a graph says them one way.
_BOTH_WAYS = frozenset(
    "sibling spouse married partner cousin twin friend neighbour neighbor colleague relative rival synonym border "
    "adjacent".split()
)
_IS_OF = re.compile(
    r"\s+(?:is|was|are|were|became)\s+(?:the|a|an)\s+(?P<role>[\w -]{2,40}?)\s+of\s+(?:the\s+)?", re.ASCII
)
_OWNED = re.compile(r"['’]s?\s+(?P<role>[\w -]{2,40}?)\s+(?:is|was)\s+", re.ASCII)
_IS = re.compile(r"\s+(?:is|was)\s+", re.ASCII)
_OWNER = re.compile(r"['’]s?\s+(?P<role>[\w-]{2,40})\b", re.ASCII)


def is_turned(first: str, relation: str, *, subject_first: bool) -> bool:
    """Whether the words between two names say the opposite of a statement that joins them.

    Args:
        first: the words between the names, as in "X was the son of Y".
        relation: the label of the statement's relation.
        subject_first: whether the name that comes first is the statement's subject.
    """
    match = _IS_OF.fullmatch(first)
    if match is None:
        return False
    role, label = match["role"].lower().strip(), _singular(relation)
    if label in _BOTH_WAYS:
        return False
    # "student": the object is one of the subject; "student of": the subject of the object
    label, is_of_first = label.removesuffix(" of"), label.endswith(" of") == subject_first
    if role == label or {role, label} <= _CHILDREN or (role in _PARENTS and label == "parent"):
        return not is_of_first  # "X was the father of Y" says Y: father: X; "X was a daughter of Y" says Y: child: X
    return is_of_first and any(role in first and label in second for first, second in _OPPOSITES)


def says_inverse(text: str, names: Sequence[tuple[int, int]], relation: str, *, subject: int) -> bool:
    """Whether the words say a relation by its inverse: "A is the son of B", "B's son is A" where B is A's father.

    Args:
        names: the characters of the two names, in the order of the text.
        relation: the label of the relation.
        subject: which of the names is its subject, 0 or 1.
    """
    between, after = text[names[0][1] : names[1][0]], text[names[1][1] :]
    of, owned, owner = _IS_OF.fullmatch(between), _OWNED.fullmatch(between), _IS.fullmatch(between)
    behind = _OWNER.match(after) if owner else None
    role = (of and of["role"]) or (owned and owned["role"]) or (behind and behind["role"]) or ""
    first, second = _singular(role), _singular(relation)
    inverse = any(first in some and second in others for some, others in _OPPOSITES)
    return inverse and subject == (1 if owned else 0)


def holds_both_ways(relation: str) -> bool:
    """Whether a relation holds both ways by its label: "sibling", "married to"."""
    words = [_singular(word) for word in relation.replace("_", " ").split()]
    return any(word in _BOTH_WAYS for word in words)


def _singular(relation: str) -> str:
    label = relation.lower().strip().removesuffix("s")
    return "child" if label == "children" else label
