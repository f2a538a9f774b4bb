"""What lasts, and how it is compared: by the rules that the kernel's format has for periods.

A time is a period too: the whole of its span, or, on the left of a rule whose ``time`` is ``point``, a point somewhere
within it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from toulmin.graph.times import DAY
from toulmin.graph.types import Literal, Node
from toulmin.graph.values import time_of
from toulmin.kernel.format import FORMAT

__all__ = ["ANY_TIME", "Period", "compare_periods", "compares_periods", "comparisons", "holds_in_window", "period"]

#: The least and the greatest that a moment may be, inclusive, in microseconds as in ``TimeInterval``.
Bounds = tuple[int, int]

_FOREVER = 10**30  # microseconds, far beyond any date
_NO_BOUND = 10**31  # greater than any least moment, as its negative is less than any greatest
_UNBOUNDED: Bounds = (-_NO_BOUND, _NO_BOUND)


@dataclass(frozen=True, slots=True)
class Period:
    """Something that lasts from a first to a last moment, each known within bounds.

    Args:
        resolution: the smallest unit told apart, in microseconds.
    """

    start: Bounds
    end: Bounds
    resolution: int


#: From whenever to whenever: nothing is known of how it stands to a time.
ANY_TIME = Period(_UNBOUNDED, _UNBOUNDED, DAY)


def comparisons() -> Sequence[str]:
    """All that ``compare`` can do."""
    return str(FORMAT["nodes"]["compare"]["fields"]["do"]).removeprefix("=").split("|")


def compares_periods(do: str) -> bool:
    """Whether a comparison is one of times and periods."""
    return do in FORMAT["periods"]


def compare_periods(do: str, left: Node | Period, right: Node | Period) -> bool | None:
    """Whether a comparison of the format holds; None: unknown, also of what is no time."""
    rule: dict[str, Any] = FORMAT["periods"][do]
    as_points = rule["time"] == "point"
    first, second = _lasting(left, as_point=as_points), _lasting(right, as_point=False)
    if first is None or second is None:
        return None
    if as_points:
        unit = min(first.resolution, second.resolution)
        first, second = _in_units(first, unit), _in_units(second, unit)
    truth: bool | None = True
    for condition in rule["if"]:
        side, sign, other = condition.split()
        holds = _compared(sign, getattr(first, side), getattr(second, other))
        if holds is False:
            return False
        truth = truth and holds
    return truth


def period(start: Node | None, end: Node | None) -> Period | None:
    """The period from a start time to an end time, such as the qualifiers of a position held.

    A side that is missing (None) or *unknown value* may be anything; *no value* as end: it has not ended. None where a
    side is no time.
    """
    first, last = _bound(start), _bound(end)
    if first is None or last is None:
        return None
    begins, ends = first[0], last[0]
    if begins == _UNBOUNDED:
        begins = -_NO_BOUND, ends[1]
    if isinstance(end, Literal) and end.kind == "no_value":
        ends = _FOREVER, _NO_BOUND
    elif ends == _UNBOUNDED:
        ends = begins[0], _NO_BOUND
    return Period(begins, ends, min(first[1], last[1]))


def holds_in_window(
    point: Node | None, start: Node | None, end: Node | None, first: Node | None, last: Node | None
) -> bool | None:
    """Whether what holds at a point, else from a start to an end, holds at some time from ``first`` to ``last``.

    A side of the window that is None is unbounded; None where the window is no time, or the times leave it open.
    """
    since, until = (time_of(bound) if bound is not None else None for bound in (first, last))
    if (first is not None and since is None) or (last is not None and until is None):
        return None
    begin, finish = since.start if since else -_FOREVER, until.end - 1 if until else _FOREVER
    window = Period((begin, begin), (finish, finish), DAY)
    if point is not None:  # a point is somewhere in its year: in a day of that year it may be, or not
        return compare_periods("within", point, window)
    lasted = period(start, end)
    return compare_periods("overlaps", lasted, window) if lasted is not None else None


def _bound(side: Node | None) -> tuple[Bounds, int] | None:
    """Between which moments a start or end lies, and its resolution."""
    if side is None or (isinstance(side, Literal) and side.kind in ("unknown_value", "no_value")):
        return _UNBOUNDED, DAY
    time = time_of(side)
    return ((time.start, time.end - 1), time.resolution) if time else None


def _lasting(span: Node | Period, *, as_point: bool) -> Period | None:
    if isinstance(span, Period):
        return span
    time = time_of(span)
    if time is None:
        return None
    first, last = time.start, time.end - 1
    if as_point:
        return Period((first, last), (first, last), time.resolution)
    return Period((first, first), (last, last), time.resolution)


def _in_units(span: Period, unit: int) -> Period:
    starts, starts_by, ends, ends_by = (moment // unit for moment in span.start + span.end)
    return Period((starts, starts_by), (ends, ends_by), unit)


def _compared(sign: str, a: Bounds, b: Bounds) -> bool | None:
    """Whether one moment stands so to another: for all that they may be, for none of it, or unknown."""
    if sign in (">", "≥"):
        return _compared("<" if sign == ">" else "≤", b, a)
    if sign == "<":
        return True if a[1] < b[0] else False if b[1] <= a[0] else None
    if sign == "≤":
        return True if a[1] <= b[0] else False if b[1] < a[0] else None
    if a[1] < b[0] or b[1] < a[0]:  # =
        return False
    return True if a[1] <= b[0] and b[1] <= a[0] else None
