"""Dates and numbers of a fact that qualify a statement it states: "married in 1895" where the spouse has a start time.

Without this, the year would be read as the object of another relation, and held against a date of birth.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from toulmin.check_text.judge.profile import GraphProfile
from toulmin.check_text.judge.readings import Readings
from toulmin.check_text.judge.values import same_value, value_of
from toulmin.graph.types import Entity, Literal
from toulmin.retrieval.linking.words import bare_words, words_of
from toulmin.retrieval.wording import node_words, relation_words

if TYPE_CHECKING:
    from toulmin.check_text.judge.spot import Spot
    from toulmin.graph.types import Statement

__all__ = ["dated", "is_in_qualifiers", "names_in_qualifiers", "qualifies", "without_qualifiers"]

_SAME = 0.6  # agreement of a value with a qualifier's from which on it is that qualifier
#: Words before a time with which something ends, or begins; and words of the labels of qualifiers that say so.
_ENDING, _BEGINNING = re.compile(r"\b(?:until|till|to|through|ended in)\s+$"), re.compile(r"\b(?:since|from)\s+$")
_ENDS = frozenset("end ended until till to expiry left last death dissolved closed".split())
_BEGINS = frozenset("start started since from begin beginning joined first opened".split())


def without_qualifiers(readings: Readings, profile: GraphProfile) -> Readings:
    """The readings less those whose object is a value that qualifies a statement between two names of the fact."""
    spots, text = readings.fact.spots, readings.fact.words.text
    values = [place for place, spot in enumerate(spots) if spot.value is not None]
    joined = readings.held >= 0
    joined &= ~np.isin(readings.object_spot, values) & (readings.object_spot >= 0)
    if not values or not joined.any():
        return readings
    statements = [statement for row in np.flatnonzero(joined).tolist() for statement in _of(readings, row, profile)]
    taken = [
        place
        for place in values
        if any(_qualifies(spots[place], one, text[: spots[place].start]) for one in statements)
    ]
    return readings.take(np.flatnonzero(~np.isin(readings.object_spot, taken))) if taken else readings


def is_in_qualifiers(readings: Readings, row: int, profile: GraphProfile) -> bool:
    """Whether the object said is in a qualifier of the subject's statements: who followed a president, say."""
    place = int(readings.object_spot[row])
    meant = {profile.subgraph.tables.keys[node] for node in readings.fact.spots[place].meant} if place >= 0 else set()
    return bool(meant) and any(
        isinstance(qualifier.value, Entity) and qualifier.value.id in meant
        for statement in _of(readings, row, profile)
        for qualifier in statement.qualifiers
    )


def _of(readings: Readings, row: int, profile: GraphProfile) -> list[Statement]:
    """The statements that a reading is held by; where it is not, those of its subject over its relation."""
    edges = profile.subgraph.outgoing
    node, relation, held = (int(column[row]) for column in (readings.subject, readings.relation, readings.held))
    start, end = int(edges.indptr[node]), int(edges.indptr[node + 1])
    there = (edges.relation[start:end] == relation) & ((held < 0) | (edges.neighbour[start:end] == held))
    return list(profile.subgraph.statements(edges.statement[start:end][there].tolist()))


def qualifies(readings: Readings, row: int, spot: Spot, profile: GraphProfile) -> bool:
    """Whether a value is in a qualifier of a statement that a reading is held by."""
    before = readings.fact.words.text[: spot.start]
    return any(_qualifies(spot, statement, before) for statement in _of(readings, row, profile))


def dated(readings: Readings, row: int, profile: GraphProfile) -> list[Statement]:
    """The statements of a reading's subject and relation that its object, a time, qualifies: "was hired in 1990"."""
    place = int(readings.object_spot[row])
    spot = readings.fact.spots[place] if place >= 0 else None
    if spot is None or spot.value is None or spot.value.time is None or readings.held[row] >= 0:
        return []
    before = readings.fact.words.text[: spot.start]
    return [one for one in _of(readings, row, profile) if _qualifies(spot, one, before)]


def names_in_qualifiers(readings: Readings, row: int, spot: Spot, profile: GraphProfile) -> bool:
    """Whether a name is said by a qualifier of a statement that a reading is held by."""
    said = set(bare_words(spot.text))
    return any(
        said <= set(bare_words(node_words(qualifier.value)))
        for statement in _of(readings, row, profile)
        for qualifier in statement.qualifiers
    )


def _qualifies(spot: Spot, statement: Statement, before: str) -> bool:
    """Whether a value is a qualifier's: not that of an end where the words before it say a beginning, or vice versa."""
    for qualifier in statement.qualifiers:
        held = value_of(qualifier.value.value) if isinstance(qualifier.value, Literal) else None
        agreement = same_value(spot.value, held) if held is not None and spot.value is not None else None
        if agreement is not None and agreement >= _SAME:
            label = {word.lower for word in words_of(relation_words(qualifier.relation))}
            ends, begins = not _ENDS.isdisjoint(label), not _BEGINS.isdisjoint(label)
            if not ((_ENDING.search(before) and not ends) or (_BEGINNING.search(before) and ends and not begins)):
                return True
    return False
