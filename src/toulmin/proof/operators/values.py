"""Operators over single values: comparison, order, conversion of units, distance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal as Choice

from toulmin.errors import InputError
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, Literal, Node, Relation, node_key
from toulmin.graph.values import compare, convert, distance, quantity_of, time_of
from toulmin.proof.model import Arguments, Computation, Output, Step
from toulmin.proof.operators.chosen import Among
from toulmin.proof.operators.nodes import values_of
from toulmin.proof.reading import name
from toulmin.proof.registry import Operator

__all__ = ["COMPARE", "CONVERT", "DISTANCE", "FIRST", "LAST", "Compare", "Convert", "Distance", "Extreme"]


class Compare(Arguments):
    """Whether the one value of a step stands in a relation to the one value of another: yes, no or unknown."""

    op: Choice["=", "≠", "<", "≤", ">", "≥"]
    left: str
    right: str

    def inputs(self) -> tuple[str, ...]:
        """Both sides."""
        return tuple(dict.fromkeys((self.left, self.right)))


class Extreme(Arguments):
    """Of the values of a step those that nothing else is known to precede (first) or to follow (last).

    Args:
        by: what is compared: the times or quantities that a value has by this relation. None: the values themselves.
    """

    of: str
    by: Relation | None

    def inputs(self) -> tuple[str, ...]:
        """The values to choose from."""
        return (self.of,)


class Convert(Arguments):
    """The quantities of a step in another unit (None: dimensionless)."""

    of: str
    unit: str | None

    def inputs(self) -> tuple[str, ...]:
        """The quantities."""
        return (self.of,)


class Distance(Arguments):
    """The great-circle distance, in kilometres to the metre, of the one coordinate of a step and that of another."""

    left: str
    right: str

    def inputs(self) -> tuple[str, ...]:
        """Both places."""
        return tuple(dict.fromkeys((self.left, self.right)))


def _only(of: str, steps: Mapping[str, Step]) -> Node:
    values = values_of(of, steps)
    step = steps[of]
    if isinstance(step, Computation) and isinstance(step.arguments, Among):
        raise InputError(f"{of!r} was chosen among values, so that it decides nothing")
    if len(values) != 1:
        raise InputError(f"{of!r} yields {len(values)} values, not one")
    return values[0]


def _compare(arguments: Compare, steps: Mapping[str, Step], graph: Graph) -> Output:
    return Output(verdict=compare(arguments.op, _only(arguments.left, steps), _only(arguments.right, steps)))


def _extreme(sign: str) -> Callable[[Extreme, Mapping[str, Step], Graph], Output]:
    def recompute(arguments: Extreme, steps: Mapping[str, Step], graph: Graph) -> Output:
        values = values_of(arguments.of, steps)
        keys = _keys(values, arguments.by, graph)
        distinct = {node_key(key): key for some in keys for key in some}
        beaten = {
            key: {other for other, there in distinct.items() if compare(sign, there, here)}
            for key, here in distinct.items()
        }
        kept: list[Node] = []
        for value, some in zip(values, keys, strict=True):
            mine = {node_key(key) for key in some}
            if any(not beaten[key] - mine for key in mine):
                kept.append(value)
        return Output(values=tuple(kept))

    return recompute


def _keys(values: tuple[Node, ...], by: Relation | None, graph: Graph) -> list[list[Node]]:
    """The times and quantities by which each value is compared; none where none is known."""
    found: list[list[Node]] = [[value] for value in values]
    if by is not None:
        entities = [value.id for value in values if isinstance(value, Entity)]
        some = graph.statements(entities, side="outgoing", relations=[by.id]) if entities else []
        of_entity = {entity: [one.object for one in said] for entity, said in zip(entities, some, strict=True)}
        found = [of_entity[value.id] if isinstance(value, Entity) else [] for value in values]
    return [[key for key in keys if time_of(key) is not None or quantity_of(key) is not None] for keys in found]


def _convert(arguments: Convert, steps: Mapping[str, Step], graph: Graph) -> Output:
    converted: list[Node] = []
    for value in values_of(arguments.of, steps):
        result = convert(value, arguments.unit) if isinstance(value, Literal) else None
        if result is None:
            raise InputError(f"{name(value)} cannot be converted to {arguments.unit or 'a plain number'}")
        converted.append(result)
    return Output(values=tuple(converted))


def _distance(arguments: Distance, steps: Mapping[str, Step], graph: Graph) -> Output:
    places = [_only(side, steps) for side in (arguments.left, arguments.right)]
    here, there = places
    apart = distance(here, there) if isinstance(here, Literal) and isinstance(there, Literal) else None
    if apart is None:
        raise InputError(f"{arguments.left!r} and {arguments.right!r} do not both yield a coordinate")
    return Output(values=(Literal(f"{apart:.3f}", "quantity", unit="kilometre"),))


def _express_extreme(which: str) -> Callable[[Extreme, Callable[[str], str]], str]:
    return lambda one, of: f"the {which} of ({of(one.of)}) by {name(one.by) if one.by else 'value'}"


COMPARE = Operator(Compare, _compare, lambda one, of: f"whether ({of(one.left)}) {one.op} ({of(one.right)})")
_ALL_KNOWN = "the graph knows all values to choose from, and by what to choose"
FIRST = Operator(Extreme, _extreme("<"), _express_extreme("first"), lambda _: _ALL_KNOWN)
LAST = Operator(Extreme, _extreme(">"), _express_extreme("last"), lambda _: _ALL_KNOWN)
CONVERT = Operator(Convert, _convert, lambda one, of: f"({of(one.of)}) in {one.unit or 'plain numbers'}")
DISTANCE = Operator(
    Distance, _distance, lambda one, of: f"the distance in kilometres from ({of(one.left)}) to ({of(one.right)})"
)
