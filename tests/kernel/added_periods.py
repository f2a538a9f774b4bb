"""Comparisons of periods that the format does not have: what it takes to add one is shown with them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any

import pytest

from toulmin.kernel.format import FORMAT

_MOMENTS = ("start", "end")

#: Every condition that can be written, each way; and some of several conditions.
RULES: dict[str, dict[str, Any]] = {
    f"{side} {sign} {other} ({time})": {"time": time, "if": [f"{side} {sign} {other}"]}
    for side, sign, other, time in product(_MOMENTS, ("<", "≤", "=", "≥", ">"), _MOMENTS, ("whole", "point"))
} | {
    "precedes": {"time": "whole", "if": ["end < start"]},
    "during": {"time": "point", "if": ["start > start", "end < end"]},
    "equals": {"time": "point", "if": ["start = start", "end = end"]},
    "leads": {"time": "whole", "if": ["start < start", "end ≥ start", "end < end"]},
}


@contextmanager
def added_periods() -> Iterator[None]:
    """The format has these comparisons too; it alone is changed."""
    compare = FORMAT["nodes"]["compare"]["fields"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(FORMAT, "periods", FORMAT["periods"] | RULES)
        patch.setitem(compare, "do", "|".join([compare["do"], *RULES]))
        yield
