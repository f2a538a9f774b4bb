"""How the patterns of a query hang together."""

from __future__ import annotations

from typing import Any

from toulmin.errors import QueryError
from toulmin.program.sparql_syntax import GroupPattern, Triple, Var, in_filter, variables

__all__ = ["check_joined", "edges", "has", "way"]


def edges(variable: Var, group: GroupPattern, used: set[int]) -> list[tuple[int, Triple, Any, bool]]:
    """The patterns at a variable: number, pattern, the other end, and whether it leads there forward."""
    found: list[tuple[int, Triple, Any, bool]] = []
    for number, triple in enumerate(group.triples):
        if number not in used and variable in (triple.subject, triple.object):
            forward = triple.subject == variable
            found.append((number, triple, triple.object if forward else triple.subject, forward))
    return found


def way(start: Var, to: Var, group: GroupPattern) -> list[tuple[int, Triple, bool]] | None:
    """The patterns that lead from one variable to another, by their numbers; None where none do."""
    ways: dict[str, list[tuple[int, Triple, bool]]] = {start.name: []}
    queue = [start]
    for variable in queue:
        for number, triple, other, forward in edges(variable, group, set()):
            if isinstance(other, Var) and other.name not in ways:
                ways[other.name] = [*ways[variable.name], (number, triple, forward)]
                queue.append(other)
    return ways.get(to.name)


def _reached(start: Var, group: GroupPattern) -> set[int]:
    """The patterns that are joined with a variable."""
    reached: set[int] = set()
    queue = [start]
    for variable in queue:
        for number, _, other, _ in edges(variable, group, reached):
            reached.add(number)
            if isinstance(other, Var):
                queue.append(other)
    return reached


def check_joined(variable: Var, group: GroupPattern, outside: frozenset[str] = frozenset()) -> None:
    """Refuse what would be left out: a group is read from one variable on, which alone it shares with what is outside.

    Args:
        outside: the variables of what stands around the group.

    Raises:
        QueryError: something would be left out.
    """
    reached = _reached(variable, group)
    if len(reached) < len(group.triples):
        raise QueryError("SPARQL query: some patterns are not joined with what is asked for")
    ends = [end for triple in group.triples for end in (triple.subject, triple.object)]
    mine = {variable.name, *(end.name for end in ends if isinstance(end, Var))}
    if any(not in_filter(one) <= mine for one in group.filters):
        raise QueryError("SPARQL query: a filter is about what is not joined with what is asked for")
    if any(len(in_filter(one)) > 1 for one in group.filters) and outside:
        raise QueryError("SPARQL query: a filter of several variables within a group does not translate")
    if any(one.name not in mine for one, _ in group.values):
        raise QueryError("SPARQL query: VALUES of what is not joined with what is asked for")
    alternatives = (*group.unions, *([inner] for _, inner in group.exists), *([inner] for inner in group.optional))
    for parts in alternatives:
        beside = [variables(part) for others in group.unions if others is not parts for part in others]
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
