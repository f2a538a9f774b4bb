"""What a query of the part of SPARQL that is read as programs is made of, and how its patterns hang together."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from toulmin.errors import QueryError
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
    "check_joined",
    "edges",
    "has",
    "in_filter",
    "variables",
    "ways",
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


@dataclass(slots=True)
class ParsedQuery:
    """A query.

    Attributes:
        columns: what is selected; none of ASK.
        having: conditions on groups.
        order: what to order by, each with whether from the greatest.
    """

    where: GroupPattern
    columns: list[Column] = field(default_factory=list)
    group_by: list[Var] = field(default_factory=list)
    having: list[Filter] = field(default_factory=list)
    order: list[tuple[Column, bool]] = field(default_factory=list)
    limit: int | None = None
    offset: int = 0


def variables(group: GroupPattern) -> set[str]:
    """The names of the variables of its patterns, and of those of groups within it."""
    names = {end.name for triple in group.triples for end in (triple.subject, triple.object) if isinstance(end, Var)}
    names |= {variable.name for variable, _ in group.values}
    inner = chain(*group.unions, (part for _, part in group.exists), group.optional)
    return names.union(*map(variables, inner))


def in_filter(condition: Filter) -> set[str]:
    """The names of the variables of a filter."""
    operator, parts = condition
    if operator in ("and", "or", "not"):
        return set().union(*(in_filter(part) for part in parts))
    ends = [part[1] if isinstance(part, tuple) else part for part in parts]
    return {end.name for end in ends if isinstance(end, Var)}


def edges(variable: Var, group: GroupPattern, used: set[int]) -> list[tuple[int, Triple, Any, bool]]:
    """The patterns at a variable: number, pattern, the other end, and whether it leads there forward."""
    patterns: list[tuple[int, Triple, Any, bool]] = []
    for number, triple in enumerate(group.triples):
        if number not in used and variable in (triple.subject, triple.object):
            forward = triple.subject == variable
            patterns.append((number, triple, triple.object if forward else triple.subject, forward))
    return patterns


def ways(start: Var, group: GroupPattern) -> dict[str, list[tuple[int, Triple, bool]]]:
    """The patterns that lead from one variable to each that is joined with it, by its name; numbers them."""
    found: dict[str, list[tuple[int, Triple, bool]]] = {start.name: []}
    queue = [start]
    for variable in queue:
        for number, triple, end, forward in edges(variable, group, set()):
            if isinstance(end, Var) and end.name not in found:
                found[end.name] = [*found[variable.name], (number, triple, forward)]
                queue.append(end)
    return found


def check_joined(variable: Var, group: GroupPattern, outside: frozenset[str] = frozenset()) -> None:
    """Refuse what would be left out: a group is read from one variable on, which alone it shares with what is outside.

    Args:
        outside: the variables of what stands around the group.

    Raises:
        QueryError: something would be left out.
    """
    mine = set(ways(variable, group))
    if any(mine.isdisjoint(variables(GroupPattern([triple]))) for triple in group.triples):
        raise QueryError("SPARQL query: some patterns are not joined with what is asked for")
    if any(not in_filter(condition) <= mine for condition in group.filters):
        raise QueryError("SPARQL query: a filter is about what is not joined with what is asked for")
    if any(len(in_filter(condition)) > 1 for condition in group.filters) and outside:
        raise QueryError("SPARQL query: a filter of several variables within a group does not translate")
    if any(bound.name not in mine for bound, _ in group.values):
        raise QueryError("SPARQL query: VALUES of what is not joined with what is asked for")
    alternatives = (*group.unions, *([inner] for _, inner in group.exists), *([inner] for inner in group.optional))
    for parts in alternatives:
        beside = [variables(part) for alternative in group.unions if alternative is not parts for part in alternative]
        around = mine.union(outside, *beside)
        for part in parts:
            shared = variables(part) & around
            if len(shared) != 1 or not shared <= mine:
                raise QueryError("SPARQL query: a group shares several variables, or none, with what is around it")
            check_joined(Var(*shared), part, frozenset(around))


def has(group: GroupPattern, variable: Var) -> bool:
    """Whether a group is about a variable."""
    ends = (end for triple in group.triples for end in (triple.subject, triple.object))
    return variable in ends or any(has(part, variable) for parts in group.unions for part in parts)
