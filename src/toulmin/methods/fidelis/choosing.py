"""Words of time that choose among a path's ends: a year ("which award in 1903"), "first" and "last"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from toulmin.graph.protocol import Side
from toulmin.graph.times import literal_interval
from toulmin.graph.types import Entity, Literal, Relation, Statement
from toulmin.methods.fidelis.english import BEGINNING, ENDING, FIRST, LAST
from toulmin.proof.builder import ProofBuilder
from toulmin.proof.model import Output
from toulmin.proof.operators.paths import PathEnds
from toulmin.proof.operators.times import RestrictTime
from toulmin.proof.operators.values import Extreme
from toulmin.retrieval.schema import relation_text

__all__ = ["choose"]

_YEAR = re.compile(r"\b(?:1\d|20)\d\d\b")
_WORD = re.compile(r"\w+")
_MOST = 200  # ends that are chosen from


def choose(builder: ProofBuilder, computed: str, arguments: PathEnds, output: Output, said: str) -> str:
    """The step that yields those ends that the question's words of time choose, or ``computed`` where they choose none.

    Args:
        computed: the step of the path's ends; ``arguments`` and ``output`` are its own.
        said: the question without the mentions of the proof's links.
    """
    if not 1 < len(output.values) <= _MOST:
        return computed
    years = _YEAR.findall(said)
    if len(set(years)) == 1:
        step = _within(builder, computed, arguments, output, Literal(years[0], "time", precision="year"))
        if step is not None:
            return step
    words = set(_WORD.findall(said.lower()))
    for operator, names in (("first", FIRST), ("last", LAST)):
        by = _dated(builder, output) if words & names else None
        if by is not None:
            return builder.add_computation(operator, Extreme(of=computed, by=by))
    return computed


def _within(builder: ProofBuilder, computed: str, arguments: PathEnds, output: Output, year: Literal) -> str | None:
    """The ends whose last statement holds in a year, by its qualifiers; None where none is known to."""
    last = arguments.pattern[-1]
    ends = [value.id for value in output.values if isinstance(value, Entity)]
    side: Side = "incoming" if last.direction == "forward" else "outgoing"
    found = builder.graph.statements(ends, side=side, relations=[last.relation.id]) if ends else []
    starts, finishes, points = _roles(statement for some in found for statement in some)
    if not (starts or finishes or points):
        return None
    restricted = RestrictTime(of=computed, first=year, last=year, starts=starts, ends=finishes, points=points)
    kept = builder.evaluate("restrict_time", restricted)
    return builder.add_computation("restrict_time", restricted, kept) if kept.values else None


def _roles(
    statements: Iterable[Statement],
) -> tuple[tuple[Relation, ...], tuple[Relation, ...], tuple[Relation, ...]]:
    """The qualifiers of statements that are times: since when, until when, and when they hold."""
    starts: dict[str, Relation] = {}
    ends: dict[str, Relation] = {}
    points: dict[str, Relation] = {}
    for statement in statements:
        for qualifier in statement.qualifiers:
            if isinstance(qualifier.value, Literal) and literal_interval(qualifier.value) is not None:
                said = set(relation_text(qualifier.relation.label or qualifier.relation.id).split())
                role = starts if said & BEGINNING else ends if said & ENDING else points
                role[qualifier.relation.id] = qualifier.relation
    return tuple(starts.values()), tuple(ends.values()), tuple(points.values())


def _dated(builder: ProofBuilder, output: Output) -> Relation | None:
    """A relation by which every end has a time."""
    ends = [value.id for value in output.values if isinstance(value, Entity)]
    if len(ends) < len(output.values):
        return None
    had: dict[str, set[str]] = {}
    relations: dict[str, Relation] = {}
    for end, statements in zip(ends, builder.graph.statements(ends, side="outgoing"), strict=True):
        for one in statements:
            if isinstance(one.object, Literal) and literal_interval(one.object) is not None:
                had.setdefault(one.relation.id, set()).add(end)
                relations[one.relation.id] = one.relation
    every = sorted(relation for relation, some in had.items() if len(some) == len(ends))
    return relations[every[0]] if every else None
