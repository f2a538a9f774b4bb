"""Comparisons of sets, membership in classes, Kleene's logic, places in an order."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from toulmin.graph import values
from toulmin.graph.quantities import Quantity, converted
from toulmin.graph.types import Entity, Literal, Node
from toulmin.graph.values import quantity_of, time_of
from toulmin.program.following import closure
from toulmin.program.graph_source import GraphSource, Numbers
from toulmin.program.nodes import IsA
from toulmin.program.periods import Period, compare_periods, compares_periods
from toulmin.program.periods import period as bounded_period
from toulmin.program.value import Nodes, Span, Truth

__all__ = ["between", "between_each", "both", "either", "is_member", "kleene_not", "period", "places_in_order"]

_NOTHING = Literal("", "no_value")
_CHAIN = 11  # steps of a chain of classes, beside that from a thing to its class


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


def between(source: GraphSource, op: str, left: Nodes | Span, right: Nodes | Span) -> Truth:
    """Whether a side stands in a relation to the other: one value each, or all combinations agree."""
    sides = [_combined(source, op, side) for side in (left, right)]
    if sides[0] is None or sides[1] is None:
        return None
    truths: set[Truth] = set()
    for first in sides[0]:
        for second in sides[1]:
            truths.add(_compared(op, first, second))
            if None in truths or len(truths) > 1:
                return None
    return truths.pop()


def between_each(
    source: GraphSource, op: str, nodes: Sequence[Node], other: Nodes | Span, *, first: bool
) -> Iterator[Truth]:
    """The same for each of some nodes by itself; ``first``: it is the left side."""
    side = _combined(source, op, other)
    for node in nodes:
        truths = {_compared(op, *((node, end) if first else (end, node))) for end in side or ()}
        yield truths.pop() if len(truths) == 1 else None


def _combined(source: GraphSource, op: str, side: Nodes | Span) -> Sequence[Node | Span] | None:
    """What is compared of a side; None where that is unknown."""
    if isinstance(side, Span):
        return [side] if side.known else None
    if side.at_least:  # this number, or any higher one
        numbers = [node for node in source.compared(side.numbers) if isinstance(node, Literal)]
        return None if op in ("contains", "starts") else [replace(n, precision=f"{n.value}..1e999") for n in numbers]
    if side.hole:
        return None
    if not len(side):
        return [_NOTHING] if side.none else None
    return source.compared(side.deciding)


def _compared(op: str, left: Node | Span, right: Node | Span) -> Truth:
    if compares_periods(op):
        first, second = _lasting(left), _lasting(right)
        return None if first is None or second is None else compare_periods(op, first, second)
    if isinstance(left, Span) or isinstance(right, Span):
        return None
    if op in ("contains", "starts"):
        return _text(op, left, right)
    return values.compare(op, left, right)


def _lasting(side: Node | Span) -> Node | Period | None:
    return bounded_period(side.start, side.end) if isinstance(side, Span) else side


def _text(op: str, left: Node, right: Node) -> Truth:
    if any(isinstance(side, Literal) and side.kind in ("unknown_value", "no_value") for side in (left, right)):
        return None
    whole, part = _says(left).lower(), _says(right).lower()
    return part in whole if op == "contains" else whole.startswith(part)


def _says(node: Node) -> str:
    return (node.label or node.id) if isinstance(node, Entity) else node.value


def period(source: GraphSource, left: Nodes | None, right: Nodes | None) -> Span:
    """The time from one side to the other."""
    start, end = _bound(source, left), _bound(source, right)
    if start is None or end is None:
        return Span(None, None, known=False)
    return Span(start[0], end[0])


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
    classes = closure(source, np.union1d(start, direct), sub, "forward", _CHAIN)
    if member == cls or cls in classes:
        return True
    if node.disjoint and _apart(source, node.disjoint, classes, closure(source, goal, sub, "forward", _CHAIN)):
        return False
    return False if node.closed else None


def _apart(source: GraphSource, disjoint: Sequence[str], mine: Numbers, theirs: Numbers) -> bool:
    """Whether statements say that a class of the one shares nothing with a class of the other."""
    return any(
        bool(np.isin(source.edges(first, disjoint, "forward").end, second).any())
        for first, second in ((mine, theirs), (theirs, mine))
    )


_Bounds = tuple[Fraction, Fraction]


def places_in_order(keys: Sequence[Sequence[Node]], *, backward: bool) -> list[int | None] | None:
    """The place of each node in an order: 1 and the number of nodes known to precede it; None without a key.

    One precedes another if for each key of the other it has a key that is less (``backward``: greater). Of keys of
    several dimensions there is no order: None.
    """
    scales = _Scales()
    spans: list[dict[int, _Bounds]] = []  # of each node by scale: the least end and the least beginning of its keys
    for node_keys in keys:
        bounds: dict[int, _Bounds] = {}
        for key in node_keys:
            placed = scales.of(key)
            if placed is None:
                continue
            scale, low, high = placed
            if backward:
                low, high = -high, -low
            if scale in bounds:
                high, low = min(bounds[scale][0], high), min(bounds[scale][1], low)
            bounds[scale] = high, low
        spans.append(bounds)
    if len({scale for bounds in spans for scale in bounds}) > 1:
        return None
    ends: dict[int, list[Fraction]] = {}
    for bounds in spans:
        for scale, (high, _) in bounds.items():
            ends.setdefault(scale, []).append(high)
    for scale_ends in ends.values():
        scale_ends.sort()
    places: list[int | None] = []
    for bounds in spans:
        if not bounds:
            places.append(None)
        else:
            ((scale, (_, low)),) = bounds.items()
            places.append(1 + bisect_left(ends[scale], low))
    return places


class _Scales:
    """Times on one scale, quantities on one for each dimension."""

    def __init__(self) -> None:
        self._first: list[Quantity] = []

    def of(self, key: Node) -> tuple[int, Fraction, Fraction] | None:
        """The scale of a key, and its bounds on it; None where it is neither time nor quantity."""
        is_quantity = isinstance(key, Literal) and key.kind == "quantity"
        if not is_quantity and (time := time_of(key)) is not None:
            return -1, Fraction(time.start), Fraction(time.end - 1)
        quantity = quantity_of(key)
        if quantity is None:
            return None
        for scale, first in enumerate(self._first):
            if (alike := converted(quantity, first.unit)) is not None:
                return scale, alike.low, alike.high
        self._first.append(quantity)
        return len(self._first) - 1, quantity.low, quantity.high
