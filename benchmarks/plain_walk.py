"""Recorded relation paths walked with nothing but dictionaries, from the graph's own file: what the method is held to.

Nothing of Toulmin is used here. A relation is walked in either direction, but not straight back over the statement that
was just walked; of the ends those count that have a name, and the start only where there is no other.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = ["PlainGraph", "plain_answer"]

_MACHINE = re.compile(r"[mg]\.[0-9a-z_]+")


class PlainGraph:
    """The triples of a file: subject, relation and object, divided by tabs; what follows is not read."""

    def __init__(self, path: Path) -> None:
        self.out: dict[tuple[str, str], set[str]] = defaultdict(set)
        self.into: dict[tuple[str, str], set[str]] = defaultdict(set)
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                subject, relation, end = line.rstrip("\n").replace('\\"', '"').split("\t")[:3]
                self.out[subject, relation].add(end)
                self.into[end, relation].add(subject)

    def walked(self, start: str, path: Sequence[str]) -> set[str]:
        """The names at the end of a relation path."""
        states: set[tuple[str, str | None, tuple[str, bool] | None]] = {(start, None, None)}
        for relation in path:
            longer: set[tuple[str, str | None, tuple[str, bool] | None]] = set()
            for node, before, how in states:
                for back, ends in ((False, self.out), (True, self.into)):
                    for end in ends.get((node, relation), ()):
                        if how != (relation, not back) or end != before:
                            longer.add((end, node, (relation, back)))
            states = longer
        named = {node for node, _, _ in states if not _MACHINE.fullmatch(node)}
        return named - {start} or named


def plain_answer(graph: PlainGraph, record: Mapping[str, Any], starts: Sequence[str], take: str) -> set[str]:
    """The answer to a recorded question, by its three first plans.

    Args:
        starts: names; each plan is walked from the first that it leads on from.
        take: "first", "agreed" or "all", as the method has it.
    """
    found: list[tuple[float, set[str]]] = []
    plans = record["rog_predicted_relation_paths"]
    for path, weight in list(zip(plans, record["rog_scores"], strict=False))[:3]:
        led = (graph.walked(start, path) for start in starts) if path else ()
        ends = next((some for some in led if some), None)
        if ends:
            found.append((weight, ends))
    if not found or take == "first":
        return found[0][1] if found else set()
    weights: dict[str, float] = defaultdict(float)
    for weight, ends in found:
        for end in ends:
            weights[end] += weight
    most = max(weights.values()) if take == "agreed" else 0.0
    return {end for end, weight in weights.items() if weight >= most - 1e-9}
