"""Comparisons of sets, membership in classes, Kleene's logic, places in an order."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, product
from math import lcm

import numpy as np

from toulmin.graph import values
from toulmin.graph.quantities import Quantity, converted
from toulmin.graph.types import Literal, Node
from toulmin.graph.values import quantity_of, time_of
from toulmin.program.following import closure
from toulmin.program.graph_source import GraphSource, Numbers
from toulmin.program.nodes import IsA
from toulmin.program.periods import ANY_TIME, Period, compare_periods, compares_periods
from toulmin.program.periods import period as bounded_period
from toulmin.program.value import Nodes, Truth

__all__ = ["between", "between_each", "both", "either", "is_member", "kleene_not", "period", "places_in_order"]

_NOTHING = Literal("", "no_value")
_MOMENTS = "\x1f"  # the unit of times, into which no other converts


def both(truths: Iterable[Truth], more: Sequence[Truth] = ()) -> Truth:
    """Kleene's and."""
    conjunction: Truth = True
    for truth in truths:
        if truth is False:
            return False
        conjunction = None if truth is None else conjunction
    return None if conjunction and None in more else conjunction


def either(truths: Iterable[Truth], more: Sequence[Truth] = ()) -> Truth:
    """Kleene's or."""
    return kleene_not(both((kleene_not(truth) for truth in truths), more))


def kleene_not(truth: Truth) -> Truth:
    """Kleene's not."""
    return None if truth is None else not truth


def between(source: GraphSource, op: str, left: Nodes | Period, right: Nodes | Period) -> Truth:
    """Whether a side stands in a relation to the other: one value each, or all combinations agree."""
    sides = [_combined(source, op, side) for side in (left, right)]
    if sides[0] is None or sides[1] is None:
        return None
    truths: set[Truth] = set()
    for first, second in product(sides[0], sides[1]):
        truths.add(_compared(op, first, second))
        if None in truths or len(truths) > 1:
            return None
    return truths.pop()


def between_each(
    source: GraphSource, op: str, nodes: Sequence[Node], other: Nodes | Period, *, first: bool
) -> Iterator[Truth]:
    """The same for each of some nodes by itself; ``first``: it is the left side."""
    side = _combined(source, op, other)
    for node in nodes:
        truths = {_compared(op, *((node, end) if first else (end, node))) for end in side or ()}
        yield truths.pop() if len(truths) == 1 else None


def _combined(source: GraphSource, op: str, side: Nodes | Period) -> Sequence[Node | Period] | None:
    """What is compared of a side; None where that is unknown."""
    if isinstance(side, Period):
        return [side]
    if side.at_least:  # this number, or any higher one
        numbers = [node for node in source.compared(side.numbers) if isinstance(node, Literal)]
        return None if op in ("contains", "starts") else [replace(n, precision=f"{n.value}..1e999") for n in numbers]
    if side.hole:
        return None
    if not len(side):
        return [_NOTHING] if side.none else None
    return source.compared(side.deciding)


def _compared(op: str, left: Node | Period, right: Node | Period) -> Truth:
    if compares_periods(op):
        return compare_periods(op, left, right)
    if isinstance(left, Period) or isinstance(right, Period):
        return None
    return values.compare(op, left, right)


def period(source: GraphSource, left: Nodes | None, right: Nodes | None) -> Period:
    """The time from one side to the other; any time, where a side is in doubt or no time."""
    start, end = _bound(source, left), _bound(source, right)
    lasts = bounded_period(start[0], end[0]) if start is not None and end is not None else None
    return ANY_TIME if lasts is None else lasts


def _bound(source: GraphSource, side: Nodes | None) -> tuple[Node | None] | None:
    if side is None:
        return (None,)
    if not len(side):
        return (_NOTHING,) if side.none else (None,)
    return None if side.hole or len(side) > 1 else (source.compared(side.numbers)[0],)


def is_member(source: GraphSource, node: IsA, left: Nodes, right: Nodes) -> Truth:
    """Whether nodes are of a class; where all combinations agree."""
    if left.hole or right.hole or not len(left) or not len(right):
        return None
    truths = {_is_a(source, node, member, cls) for member in left.numbers for cls in right.numbers}
    return truths.pop() if len(truths) == 1 else None


def _is_a(source: GraphSource, node: IsA, member: np.int64, cls: np.int64) -> Truth:
    sub = node.sub or ()
    start, goal = member.reshape(1), cls.reshape(1)
    direct = np.unique(source.edges(start, node.relations, "forward").end)
    classes = closure(source, np.union1d(start, direct), sub, "forward")
    if member == cls or cls in classes:
        return True
    if node.disjoint and _apart(source, node.disjoint, classes, closure(source, goal, sub, "forward")):
        return False
    return False if node.closed else None


def _apart(source: GraphSource, disjoint: Sequence[str], mine: Numbers, theirs: Numbers) -> bool:
    """Whether statements say that a class of the one shares nothing with a class of the other."""
    return any(
        bool(np.isin(source.edges(first, disjoint, "forward").end, second).any())
        for first, second in ((mine, theirs), (theirs, mine))
    )


def places_in_order(keys: Sequence[Sequence[Node]], *, backward: bool) -> list[int | None] | None:
    """The place of each node in an order: 1 and the number of nodes known to precede it; None without a key.

    One precedes another if for each key of the other it has a key that is less (``backward``: greater). Of keys of
    several dimensions there is no order: None.
    """
    measured = [[amount for key in node_keys if (amount := _measured(key)) is not None] for node_keys in keys]
    first = next(chain.from_iterable(measured), None)
    spans: list[tuple[Fraction, Fraction] | None] = []  # of each node the least end and the least beginning of its keys
    for amounts in measured:
        scaled = [converted(amount, (first or amount).unit) for amount in amounts]
        told = [amount for amount in scaled if amount is not None]
        if len(told) < len(scaled):
            return None
        bounds = [(-amount.low, -amount.high) if backward else (amount.high, amount.low) for amount in told]
        spans.append((min(end for end, _ in bounds), min(begin for _, begin in bounds)) if bounds else None)
    scale = lcm(*{bound.denominator for span in spans for bound in span or ()})  # integers compare far faster
    whole = [
        None if span is None else [bound.numerator * (scale // bound.denominator) for bound in span] for span in spans
    ]
    ends = sorted(span[0] for span in whole if span is not None)
    return [None if span is None else 1 + bisect_left(ends, span[1]) for span in whole]


def _measured(key: Node) -> Quantity | None:
    """The quantity that a key is, a time in a unit of its own; None where it is neither."""
    is_quantity = isinstance(key, Literal) and key.kind == "quantity"
    if not is_quantity and (time := time_of(key)) is not None:
        return Quantity(Fraction(time.start), Fraction(time.end - 1), _MOMENTS)
    return quantity_of(key)
