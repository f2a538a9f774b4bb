"""Sentences that turn a relation round: "Byron was the son of Ada" where the graph says that Ada's father is Byron."""

from __future__ import annotations

import re

__all__ = ["are_inverse", "holds_both_ways", "is_turned"]

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


def are_inverse(one: str, two: str) -> bool:
    """Whether two relations say the same the other way round, by their labels: "child" and "mother"."""
    first, second = _singular(one), _singular(two)
    return (first in _CHILDREN and second in _PARENTS) or (first in _PARENTS and second in _CHILDREN)


def holds_both_ways(relation: str) -> bool:
    """Whether a relation holds both ways by its label: "sibling", "married to"."""
    words = [_singular(word) for word in relation.replace("_", " ").split()]
    return any(word in _BOTH_WAYS for word in words)


def _singular(relation: str) -> str:
    label = relation.lower().strip().removesuffix("s")
    return "child" if label == "children" else label
