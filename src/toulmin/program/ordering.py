"""Places in an order."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction

from toulmin.graph.quantities import Quantity, in_common_unit
from toulmin.graph.types import Literal, Node
from toulmin.graph.values import quantity_of, time_of

__all__ = ["places"]

_Bounds = tuple[Fraction, Fraction]


def places(keys: Sequence[Sequence[Node]], *, backward: bool) -> list[int | None] | None:
    """The place of each node in an order: 1 and the number of nodes known to precede it; None without a key.

    One precedes another if for each key of the other it has a key that is less (``backward``: greater). Of keys of
    several dimensions there is no order: None.
    """
    scales = _Scales()
    spans: list[dict[int, _Bounds]] = []  # of each node by scale: the least end and the least beginning of its keys
    for some in keys:
        mine: dict[int, _Bounds] = {}
        for key in some:
            placed = scales.of(key)
            if placed is None:
                continue
            scale, low, high = placed
            if backward:
                low, high = -high, -low
            if scale in mine:
                high, low = min(mine[scale][0], high), min(mine[scale][1], low)
            mine[scale] = high, low
        spans.append(mine)
    if len({scale for mine in spans for scale in mine}) > 1:
        return None
    ends: dict[int, list[Fraction]] = {}
    for mine in spans:
        for scale, (high, _) in mine.items():
            ends.setdefault(scale, []).append(high)
    for some_ends in ends.values():
        some_ends.sort()
    found: list[int | None] = []
    for mine in spans:
        if not mine:
            found.append(None)
        else:
            ((scale, (_, low)),) = mine.items()
            found.append(1 + bisect_left(ends[scale], low))
    return found


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
            pair = in_common_unit(quantity, first)
            if pair is not None:
                return scale, pair[0].low, pair[0].high
        self._first.append(quantity)
        return len(self._first) - 1, quantity.low, quantity.high
