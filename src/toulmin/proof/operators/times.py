"""The operator that keeps those ends of paths whose last statement holds at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal as Choice

from pydantic import model_validator

from toulmin.errors import InputError
from toulmin.graph.protocol import Graph
from toulmin.graph.times import TimeInterval, literal_interval
from toulmin.graph.types import Literal, Relation, Statement
from toulmin.proof.model import Arguments, Computation, Fact, Output, Path, Step
from toulmin.proof.operators.paths import PathEnds, Walk, walk
from toulmin.proof.operators.paths import shows as shows_ends
from toulmin.proof.reading import name
from toulmin.proof.registry import Operator

__all__ = ["RESTRICT_TIME", "RestrictTime", "holds_within"]

_Span = tuple[float, float]
_ALWAYS = float("inf")


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
            if bound is not None and literal_interval(bound) is None:
                raise ValueError(f"{bound.value!r} is no time")
        return self

    def inputs(self) -> tuple[str, ...]:
        """The step whose values are restricted."""
        return (self.of,)


def holds_within(statement: Statement, arguments: RestrictTime) -> bool | None:
    """Whether a statement holds at some time of the window, by its qualifiers; None where they leave it open."""
    first = literal_interval(arguments.first) if arguments.first else None
    last = literal_interval(arguments.last) if arguments.last else None
    window = (first.start if first else -_ALWAYS, last.end if last else _ALWAYS)
    begin = _bound(statement, arguments.starts, min)
    end = _bound(statement, arguments.ends, max)
    if point := _bound(statement, arguments.points, min):
        begin, end = begin or point, end or _bound(statement, arguments.points, max)
    if (begin and begin[0] >= window[1]) or (end and end[1] <= window[0]):
        return False
    if any(bound and _inside(bound, window) for bound in (begin, end)):
        return True
    return True if begin and end and begin[1] <= window[1] and end[0] >= window[0] else None


def _inside(span: _Span, window: _Span) -> bool:
    return window[0] <= span[0] and span[1] <= window[1]


def _bound(
    statement: Statement, relations: tuple[Relation, ...], of: Callable[[Iterable[_Span]], _Span]
) -> _Span | None:
    """The span of time in which a bound lies; of several qualifiers the outermost. No value means for ever."""
    wanted = {relation.id for relation in relations}
    values = [q.value for q in statement.qualifiers if q.relation.id in wanted and isinstance(q.value, Literal)]
    spans: list[_Span] = []
    for value in values:
        interval: TimeInterval | None = literal_interval(value)
        if interval is not None:
            spans.append((interval.start, interval.end))
        elif value.kind == "no_value":
            spans.append((-_ALWAYS, -_ALWAYS) if of is min else (_ALWAYS, _ALWAYS))
    return of(spans) if spans else None


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
