"""Operators over answer sets: union, intersection, difference, count."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pydantic import Field, StrictBool, field_validator

from toulmin.graph.protocol import Graph
from toulmin.graph.types import Literal, Node, node_key
from toulmin.proof.model import Arguments, Output, Step
from toulmin.proof.operators.nodes import ordered, values_of
from toulmin.proof.registry import Operator

__all__ = ["COUNT", "DIFFERENCE", "INTERSECTION", "UNION", "Count", "Sets"]


class Sets(Arguments):
    """The answer sets of at least two earlier steps; a difference takes the others from the first."""

    of: tuple[str, ...] = Field(min_length=2)

    @field_validator("of")
    @classmethod
    def _distinct(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if len(set(value)) < len(value):
            raise ValueError("names a set twice")
        return value

    def inputs(self) -> tuple[str, ...]:
        """The sets."""
        return self.of


class Count(Arguments):
    """How many distinct values a step yields: a lower bound, unless the caller declares the graph complete in this."""

    of: str
    complete: StrictBool = False

    def inputs(self) -> tuple[str, ...]:
        """The set that is counted."""
        return (self.of,)


def _keyed(of: str, steps: Mapping[str, Step]) -> dict[str, Node]:
    return {node_key(node): node for node in values_of(of, steps)}


def _union(arguments: Sets, steps: Mapping[str, Step], graph: Graph) -> Output:
    return Output(values=ordered(node for of in arguments.of for node in values_of(of, steps)))


def _intersection(arguments: Sets, steps: Mapping[str, Step], graph: Graph) -> Output:
    first, *others = [_keyed(of, steps) for of in arguments.of]
    return Output(values=ordered(node for key, node in first.items() if all(key in other for other in others)))


def _difference(arguments: Sets, steps: Mapping[str, Step], graph: Graph) -> Output:
    first, *others = [_keyed(of, steps) for of in arguments.of]
    return Output(values=ordered(node for key, node in first.items() if not any(key in other for other in others)))


def _count(arguments: Count, steps: Mapping[str, Step], graph: Graph) -> Output:
    number = len(_keyed(arguments.of, steps))
    return Output(values=(Literal(str(number), "quantity"),), at_least=not arguments.complete)


def _express(joint: str) -> Callable[[Sets, Callable[[str], str]], str]:
    return lambda arguments, of: f" {joint} ".join(f"({of(one)})" for one in arguments.of)


UNION = Operator(Sets, _union, _express("or"))
INTERSECTION = Operator(Sets, _intersection, _express("and"))
DIFFERENCE = Operator(
    Sets, _difference, _express("without"), lambda _: "what the graph does not say of a value is taken to be false"
)
COUNT = Operator(
    Count,
    _count,
    lambda arguments, of: f"how many {'(all are known) ' if arguments.complete else ''}in ({of(arguments.of)})",
    lambda arguments: "the graph knows all of what is counted" if arguments.complete else None,
)
