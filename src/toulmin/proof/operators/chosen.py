"""Operators on the values of one step: some of them, chosen by name, and whether there are any."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from toulmin.errors import InputError
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Node, node_key
from toulmin.proof.model import Arguments, Output, Step
from toulmin.proof.operators.nodes import ordered, values_of
from toulmin.proof.reading import name
from toulmin.proof.registry import Operator

__all__ = ["AMONG", "EXISTS", "Among", "Exists"]


class Among(Arguments):
    """Those values of a step that are named here. That the question asks for these is for its reading to say."""

    of: str
    keep: tuple[Node, ...] = Field(min_length=1)

    def inputs(self) -> tuple[str, ...]:
        """The values to choose from."""
        return (self.of,)


class Exists(Arguments):
    """Yes where a step yields values; unknown where it yields none, since a graph need not say everything."""

    of: str

    def inputs(self) -> tuple[str, ...]:
        """The values."""
        return (self.of,)


def _among(arguments: Among, steps: Mapping[str, Step], graph: Graph) -> Output:
    known = {node_key(value): value for value in values_of(arguments.of, steps)}
    if strange := [node for node in arguments.keep if node_key(node) not in known]:
        raise InputError(f"{name(strange[0])} is no value of {arguments.of!r}")
    return Output(values=ordered(known[node_key(node)] for node in arguments.keep))


def _exists(arguments: Exists, steps: Mapping[str, Step], graph: Graph) -> Output:
    return Output(verdict=True if values_of(arguments.of, steps) else None)


AMONG = Operator(Among, _among, lambda one, of: f"{', '.join(map(name, one.keep))} among ({of(one.of)})")
EXISTS = Operator(Exists, _exists, lambda one, of: f"whether there is any ({of(one.of)})")
