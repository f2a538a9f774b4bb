"""The operator that keeps those ends of paths whose last statement holds at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal as Choice

from pydantic import model_validator

from toulmin.errors import InputError
from toulmin.graph.protocol import Graph
from toulmin.graph.times import DAY
from toulmin.graph.types import Literal, Node, Relation, Statement
from toulmin.graph.values import Period, overlaps, period, time_of, within
from toulmin.proof.model import Arguments, Computation, Fact, Output, Path, Step
from toulmin.proof.operators.paths import PathEnds, Walk, walk
from toulmin.proof.operators.paths import shows as shows_ends
from toulmin.proof.reading import name
from toulmin.proof.registry import Operator

__all__ = ["RESTRICT_TIME", "RestrictTime", "holds_within"]

_FOREVER = 10**30  # microseconds, far beyond any date


class RestrictTime(Arguments):
    """The values of a ``path_ends`` step that a path reaches by a last statement which holds at some time of a window.

    Args:
        of: the ``path_ends`` step.
        first, last: times; the window reaches from the beginning of ``first`` to the end of ``last``. None: unbounded.
        starts, ends, points: the qualifiers that say since when, until when, and when a statement holds.
        unknown: what to do with a value of which the qualifiers leave it open.
    """

    of: str
    first: Literal | None
    last: Literal | None
    starts: tuple[Relation, ...]
    ends: tuple[Relation, ...]
    points: tuple[Relation, ...]
    unknown: Choice["keep", "drop"] = "drop"

    @model_validator(mode="after")
    def _is_window(self) -> RestrictTime:
        for bound in (self.first, self.last):
            if bound is not None and time_of(bound) is None:
                raise ValueError(f"{bound.value!r} is no time")
        return self

    def inputs(self) -> tuple[str, ...]:
        """The step whose values are restricted."""
        return (self.of,)


def holds_within(statement: Statement, arguments: RestrictTime) -> bool | None:
    """Whether a statement holds at some time of the window, by its qualifiers; None where they leave it open."""
    first, last = (time_of(bound) if bound is not None else None for bound in (arguments.first, arguments.last))
    begin, finish = first.start if first else -_FOREVER, last.end - 1 if last else _FOREVER
    window = Period(begin, begin, finish, finish, DAY)
    point = _only(statement, arguments.points)
    if point is not None:  # a point is somewhere in its year: in a day of that year it may be, or not
        return within(point, window)
    lasted = period(_only(statement, arguments.starts), _only(statement, arguments.ends))
    return overlaps(lasted, window) if lasted is not None else None


def _only(statement: Statement, relations: tuple[Relation, ...]) -> Node | None:
    """The value of the one qualifier over any of these relations; None where there is none, or several."""
    wanted = {relation.id for relation in relations}
    values = [qualifier.value for qualifier in statement.qualifiers if qualifier.relation.id in wanted]
    return values[0] if len(values) == 1 else None


def _inner(arguments: RestrictTime, steps: Mapping[str, Step]) -> PathEnds:
    step = steps.get(arguments.of)
    if not isinstance(step, Computation) or not isinstance(step.arguments, PathEnds):
        raise InputError(f"{arguments.of!r} is no path_ends step, whose values have a last statement")
    return step.arguments


def _walk(arguments: RestrictTime, steps: Mapping[str, Step], graph: Graph) -> Walk:
    walked = walk(_inner(arguments, steps), steps, graph)
    walked.keep(lambda statement: _kept(statement, arguments))
    return walked


def _kept(statement: Statement, arguments: RestrictTime) -> bool:
    held = holds_within(statement, arguments)
    return arguments.unknown == "keep" if held is None else held


def _shows(arguments: RestrictTime, path: Path, steps: Mapping[str, Step]) -> bool:
    if not shows_ends(_inner(arguments, steps), path, steps):
        return False
    last = path.path.steps[-1].statement
    facts = [step.statement for step in map(steps.get, path.rests_on) if isinstance(step, Fact)]
    return any(statement.id == last and _kept(statement, arguments) for statement in facts)


def _express(arguments: RestrictTime, of: Callable[[str], str]) -> str:
    window = " to ".join("any time" if bound is None else name(bound) for bound in (arguments.first, arguments.last))
    told = "; ".join(
        f"{role} {', '.join(map(name, relations)) or 'unknown'}"
        for role, relations in (("since", arguments.starts), ("until", arguments.ends), ("at", arguments.points))
    )
    return f"({of(arguments.of)}) from {window} ({told}; if unknown: {arguments.unknown})"


RESTRICT_TIME = Operator(
    arguments=RestrictTime,
    recompute=lambda arguments, steps, graph: Output(values=_walk(arguments, steps, graph).ends),
    express=_express,
    assumes=lambda one: "values of unknown time hold at that time" if one.unknown == "keep" else None,
    walk=_walk,
    shows=_shows,
)
