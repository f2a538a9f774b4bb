"""Dates and numbers of a fact that qualify a statement it states: "married in 1895" where the spouse has a start time.

Without this, the year would be read as the object of another relation, and held against a date of birth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from toulmin.entailment.text.judging.profile import GraphProfile
from toulmin.entailment.text.judging.readings import Readings
from toulmin.entailment.text.judging.values import same_value, value_of
from toulmin.graph.types import Entity, Literal

if TYPE_CHECKING:
    from toulmin.entailment.text.judging.spot import Spot
    from toulmin.graph.types import Statement

__all__ = ["is_in_qualifiers", "qualifies", "without_qualifiers"]

_SAME = 0.6  # agreement of a value with a qualifier's from which on it is that qualifier


def without_qualifiers(readings: Readings, profile: GraphProfile) -> Readings:
    """The readings less those whose object is a value that qualifies a statement between two names of the fact."""
    spots = readings.fact.spots
    values = [place for place, spot in enumerate(spots) if spot.value is not None]
    joined = readings.held >= 0
    joined &= ~np.isin(readings.object_spot, values) & (readings.object_spot >= 0)
    if not values or not joined.any():
        return readings
    statements = [statement for row in np.flatnonzero(joined).tolist() for statement in _of(readings, row, profile)]
    taken = [place for place in values if any(_qualifies(spots[place], statement) for statement in statements)]
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
    return any(_qualifies(spot, statement) for statement in _of(readings, row, profile))


def _qualifies(spot: Spot, statement: Statement) -> bool:
    for qualifier in statement.qualifiers:
        held = value_of(qualifier.value.value) if isinstance(qualifier.value, Literal) else None
        agreement = same_value(spot.value, held) if held is not None and spot.value is not None else None
        if agreement is not None and agreement >= _SAME:
            return True
    return False
