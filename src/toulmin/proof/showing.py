"""Which paths an answer must show: to each value, by each computation that it follows from."""

from __future__ import annotations

from collections.abc import Mapping

from toulmin.graph.types import Node, node_key
from toulmin.proof.model import Computation, Step
from toulmin.proof.registry import OPERATORS

__all__ = ["SHOWN", "to_show"]

#: Paths must be shown to so many values of a computation, from the first; they may be to the others.
SHOWN = 50


def to_show(of: str, steps: Mapping[str, Step]) -> dict[str, dict[str, Node]]:
    """The values to which paths are shown, by key, for each computation beneath ``of`` whose values are ends of paths.

    Where a step selects from what it builds on, only to what it selects; where it counts or compares, to all of it.
    """
    found: dict[str, dict[str, Node]] = {}
    queue = [(of, _values(of, steps))]
    while queue:
        step_id, wanted = queue.pop()
        step = steps[step_id]
        if not isinstance(step, Computation):
            continue
        if OPERATORS.get(step.operator).shows is not None:
            found.setdefault(step_id, {}).update(wanted)
            continue
        inputs = {premise: _values(premise, steps) for premise in step.arguments.inputs()}
        selects = any(key in values for values in inputs.values() for key in wanted)
        for premise, values in inputs.items():
            queue.append((premise, {k: v for k, v in values.items() if k in wanted} if selects else values))
    return {
        step_id: {key: value for key, value in _values(step_id, steps).items() if key in wanted}
        for step_id, wanted in found.items()
    }


def _values(of: str, steps: Mapping[str, Step]) -> dict[str, Node]:
    output = steps[of].yields()
    return {node_key(value): value for value in output.values} if output else {}
