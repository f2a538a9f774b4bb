"""Operators on the values of one step: some of them chosen, whether there are any, what a text is the name of."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from toulmin.errors import InputError
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Literal, Node, node_key
from toulmin.proof.model import Arguments, Output, Step
from toulmin.proof.operators.nodes import ordered, values_of
from toulmin.proof.reading import name
from toulmin.proof.registry import Operator

__all__ = ["AMONG", "ENTITY_NAMED", "EXISTS", "Among", "EntityNamed", "Exists"]


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


class EntityNamed(Arguments):
    """The entity that alone bears the one text of a step as a name; nothing where none does, or several do."""

    of: str

    def inputs(self) -> tuple[str, ...]:
        """The text."""
        return (self.of,)


def _among(arguments: Among, steps: Mapping[str, Step], graph: Graph) -> Output:
    known = {node_key(value): value for value in values_of(arguments.of, steps)}
    if strange := [node for node in arguments.keep if node_key(node) not in known]:
        raise InputError(f"{name(strange[0])} is no value of {arguments.of!r}")
    return Output(values=ordered(known[node_key(node)] for node in arguments.keep))


def _exists(arguments: Exists, steps: Mapping[str, Step], graph: Graph) -> Output:
    return Output(verdict=True if values_of(arguments.of, steps) else None)


def _entity_named(arguments: EntityNamed, steps: Mapping[str, Step], graph: Graph) -> Output:
    values = values_of(arguments.of, steps)
    if len(values) != 1 or not isinstance(values[0], Literal) or values[0].kind != "string":
        raise InputError(f"{arguments.of!r} does not yield one text")
    bearers = {match.id for match in graph.lookup([values[0].value])[0]}
    info = graph.describe(sorted(bearers))[0] if len(bearers) == 1 else None
    return Output(values=(info.entity,)) if info is not None else Output()


AMONG = Operator(Among, _among, lambda one, of: f"{', '.join(map(name, one.keep))} among ({of(one.of)})")
EXISTS = Operator(Exists, _exists, lambda one, of: f"whether there is any ({of(one.of)})")
ENTITY_NAMED = Operator(EntityNamed, _entity_named, lambda one, of: f"the entity that is called ({of(one.of)})")
