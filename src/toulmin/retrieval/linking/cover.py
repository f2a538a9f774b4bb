"""The best choice of spans that do not overlap."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

__all__ = ["best_cover"]


def best_cover(spans: Sequence[tuple[int, int, float]]) -> list[int]:
    """The places in ``spans`` of those whose weights sum to the most, none overlapping; in order of their start.

    Args:
        spans: (start, end, weight) with start < end; those of weight 0 or less are never chosen.
    """
    order = sorted(
        (place for place, span in enumerate(spans) if span[2] > 0), key=lambda place: (spans[place][1], spans[place][0])
    )
    ends = [spans[place][1] for place in order]
    best = [0.0] * (len(order) + 1)  # best[k]: of the first k spans in order
    taken = [False] * len(order)
    before = [0] * len(order)
    for k, place in enumerate(order):
        start, _, weight = spans[place]
        before[k] = bisect_right(ends, start, 0, k)
        with_it = best[before[k]] + weight
        taken[k] = with_it > best[k]
        best[k + 1] = max(with_it, best[k])
    chosen: list[int] = []
    k = len(order)
    while k:
        if taken[k - 1]:
            chosen.append(order[k - 1])
            k = before[k - 1]
        else:
            k -= 1
    return chosen[::-1]
