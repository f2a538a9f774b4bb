"""What a query of the part of SPARQL that is read as programs is made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from toulmin.graph.types import Node

__all__ = [
    "Column",
    "Filter",
    "GroupPattern",
    "Measure",
    "ParsedQuery",
    "Step",
    "Triple",
    "Var",
    "in_filter",
    "variables",
]

#: ``(operator, operands)``: "and", "or", "not" of filters, "bound" of a variable, or a comparison of variables, nodes,
#: ``("year", variable)`` and numbers of a group.
Filter = tuple[str, list[Any]]


@dataclass(frozen=True, slots=True)
class Var:
    """A variable."""

    name: str


@dataclass(frozen=True, slots=True)
class Measure:
    """A number of what a variable stands for: "count", "sum", "mean", "min" or "max"; ``of`` None: of solutions."""

    name: str
    of: Var | None
    distinct: bool = False


#: What is selected.
Column = Var | Measure


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a path: any of some relations, forward or (``^``) backward, once or (``*``) as often as one likes."""

    relations: tuple[str, ...]
    backward: bool = False
    star: bool = False


@dataclass(frozen=True, slots=True)
class Triple:
    """A pattern; ends are variables or nodes."""

    subject: Var | Node
    path: tuple[Step, ...]
    object: Var | Node


@dataclass(slots=True)
class GroupPattern:
    """What stands between braces: triples, filters, values, alternatives, groups that must (not) or may match."""

    triples: list[Triple] = field(default_factory=list)
    filters: list[Filter] = field(default_factory=list)
    values: list[tuple[Var, list[Node]]] = field(default_factory=list)
    unions: list[list[GroupPattern]] = field(default_factory=list)
    exists: list[tuple[bool, GroupPattern]] = field(default_factory=list)
    optional: list[GroupPattern] = field(default_factory=list)

    def inner(self) -> Iterator[GroupPattern]:
        """The groups within it."""
        for parts in self.unions:
            yield from parts
        yield from (part for _, part in self.exists)
        yield from self.optional


@dataclass(slots=True)
class ParsedQuery:
    """A query.

    Attributes:
        columns: what is selected; none of ASK.
        names: the numbers that go by a name.
        having: conditions on groups.
        order: what to order by, each with whether from the greatest.
    """

    where: GroupPattern
    columns: list[Column] = field(default_factory=list)
    names: dict[str, Measure] = field(default_factory=dict)
    group_by: list[Var] = field(default_factory=list)
    having: list[Filter] = field(default_factory=list)
    order: list[tuple[Column, bool]] = field(default_factory=list)
    limit: int | None = None
    offset: int = 0


def variables(group: GroupPattern) -> set[str]:
    """The names of the variables of its patterns, and of those of groups within it."""
    found = {end.name for one in group.triples for end in (one.subject, one.object) if isinstance(end, Var)}
    found |= {variable.name for variable, _ in group.values}
    return found.union(*map(variables, group.inner()))


def in_filter(condition: Filter) -> set[str]:
    """The names of the variables of a filter."""
    operator, parts = condition
    if operator in ("and", "or", "not"):
        return set().union(*(in_filter(part) for part in parts))
    ends = [part[1] if isinstance(part, tuple) else part for part in parts]
    return {end.name for end in ends if isinstance(end, Var)}
