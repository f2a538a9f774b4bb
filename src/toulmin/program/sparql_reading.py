"""A useful part of SPARQL as a program: what joins to a tree around the variable that is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from toulmin.errors import QueryError
from toulmin.graph.rdf_store import PREFIXES
from toulmin.graph.types import Direction, Entity
from toulmin.program.making import Making
from toulmin.program.sparql_parser import Group, Query, Step, Triple, Var, parse, variables

__all__ = ["from_sparql"]

_DIRECT, _WIKIDATA = "http://www.wikidata.org/prop/direct/P", "http://www.wikidata.org/entity/P"
_WD = {"wd": "http://www.wikidata.org/entity/", "wdt": "http://www.wikidata.org/prop/direct/"}
#: A condition on what a variable of the program stands for.
_Test = Callable[[int], int]


def from_sparql(text: str, builder: Making, prefixes: Mapping[str, str] | None = None) -> int:
    """The node that yields what a query asks for, by the meaning of programs: sets, three truth values, an open world.

    Of those at the last place that a LIMIT allows, all are yielded. NOT EXISTS and MINUS become a ``difference``, which
    assumes that what the graph does not list is not so; orders, sums and means assume that it lists all there are, and
    a count says "at least".

    Args:
        prefixes: names that count as declared, beside those of graphs on this machine and Wikidata's.

    Raises:
        QueryError: malformed, or nothing that translates: OPTIONAL, variables for relations, cycles, groups that share
            several variables with what is around them …
        InputError: the program is ill typed.
    """
    return _Reader(builder).read(parse(text, {**PREFIXES, **_WD, **(prefixes or {})}))


def _relations(step: Step) -> list[str]:
    return [_WIKIDATA + one.removeprefix(_DIRECT) if one.startswith(_DIRECT) else one for one in step.relations]


class _Reader:
    def __init__(self, builder: Making) -> None:
        self._b = builder

    def read(self, query: Query) -> int:
        if query.of is None:
            return self._ask(query.where)
        if query.group_by not in (None, query.of) or (query.limit is not None and query.order is None):
            raise QueryError("SPARQL query: this GROUP BY or LIMIT does not translate")
        if query.number is not None and (query.group_by or query.limit is not None or query.offset):
            raise QueryError("SPARQL query: a number of what is grouped or cut off does not translate")
        _check_joined(query.of, query.where)
        if query.number not in (None, "count"):
            return self._aggregate(query.number, query.of, query)
        found = self._known(query.of, query.where)
        if query.limit is not None:
            found = self._ordered(found, query)
        return self._b.count(found) if query.number else found

    def _known(self, variable: Var, where: Group) -> int:
        found = self._members(variable, where, set(), {variable.name})
        if found is None:
            raise QueryError("SPARQL query: nothing named restricts what is asked for, so it does not translate")
        return found

    def _aggregate(self, name: str, of: Var, query: Query) -> int:
        """Of the one value that each node of the other variable has."""
        edges = _edges(of, query.where, set())
        others = [(triple, other, forward) for _, triple, other, forward in edges if isinstance(other, Var)]
        distinct = query.distinct and name in ("sum", "mean")
        if distinct or len(edges) != 1 or len(others) != 1 or variables(query.where) != {of.name, others[0][1].name}:
            raise QueryError("SPARQL query: a number of more than one value of each does not translate")
        ((triple, other, forward),) = others
        tests = self._filters(of, query.where)

        def by(it: int) -> int:
            place = self._walk(it, triple.path, forward=not forward)
            for test in tests:
                place = self._b.where(place, test)
            return place

        made: int = getattr(self._b, name)(self._known(other, query.where), by)
        return made

    def _ask(self, where: Group) -> int:
        for triple in where.triples:
            for end in (triple.subject, triple.object):
                if isinstance(end, Var):
                    found = self._members(end, where, set(), {end.name})
                    if found is not None:
                        _check_joined(end, where)
                        return self._b.exists(found)
        triples = where.triples
        if len(triples) != 1 or where.filters or where.unions or where.exists or _variable_ends(triples[0]):
            raise QueryError("SPARQL query: this ASK does not translate")
        start, goal = self._named(triples[0].subject), self._named(triples[0].object)
        return self._b.exists(self._b.intersection(self._walk(start, triples[0].path, forward=True), goal))

    def _ordered(self, found: int, query: Query) -> int:
        assert query.of is not None and query.limit is not None  # noqa: S101
        counted = isinstance(query.order, tuple)
        to = query.order[1] if counted else query.order
        way = _way(query.of, to, query.where)
        if way is None or (counted and to == query.of):
            raise QueryError("SPARQL query: what it is ordered by does not translate")

        def by(it: int) -> int:
            place = it
            for triple, forward in way:
                place = self._walk(place, triple.path, forward=forward)
            return self._b.count(place) if counted else place

        made = self._b.last if query.last else self._b.first
        from_ = query.offset + 1
        return made(found, by if way else None, from_=from_, to=query.offset + query.limit)

    # -- sets --------------------------------------------------------------------------------------------------------

    def _named(self, end: Any) -> int:
        return self._b.entity(end) if isinstance(end, Entity) else self._b.literal(end)

    def _walk(self, place: int, path: Sequence[Step], *, forward: bool) -> int:
        step = path[0]
        if len(path) == 2:
            if forward or step.backward or path[1].backward:
                raise QueryError("SPARQL query: this path does not translate")
            return self._b.instances(place, _relations(step), _relations(path[1]))
        direction: Direction = "forward" if forward != step.backward else "backward"
        return self._b.follow(place, _relations(step), direction)

    def _members(self, variable: Var, group: Group, used: set[int], seen: set[str]) -> int | None:
        """What a variable may be, from its side of the tree; None where nothing named restricts it."""
        sets: list[int] = []
        tests: list[_Test] = []
        for number, triple, other, forward in _edges(variable, group, used):
            if not isinstance(other, Var):
                sets.append(self._walk(self._named(other), triple.path, forward=not forward))
                continue
            if other.name in seen:
                raise QueryError("SPARQL query: its patterns form a cycle, which does not translate")
            seen.add(other.name)
            there = self._members(other, group, used | {number}, seen)
            if there is not None:
                sets.append(self._walk(there, triple.path, forward=not forward))
            else:
                tests.append(self._leads(triple, other, group, used | {number}, forward=forward))
        for parts in group.unions:
            if all(_has(part, variable) for part in parts):
                found = [self._members(variable, part, set(), {variable.name}) for part in parts]
                if None in found:
                    raise QueryError("SPARQL query: a part of a UNION has nothing named, and does not translate")
                sets.append(self._b.union(*(place for place in found if place is not None)))
            elif any(_has(part, variable) for part in parts):
                raise QueryError("SPARQL query: this UNION does not translate")
        if not sets:
            return None
        place = self._b.intersection(*sets)
        for test in (*tests, *self._filters(variable, group)):
            place = self._b.where(place, test)
        return self._without(place, variable, group)

    def _without(self, place: int, variable: Var, group: Group) -> int:
        """The groups that must, or must not, have a solution."""
        for wanted, inner in group.exists:
            if not _has(inner, variable):
                continue
            found = self._members(variable, inner, set(), {variable.name})
            if found is None:
                held = place
                for test in self._conditions(variable, inner, set()):
                    held = self._b.where(held, test)
                found = held
            place = self._b.intersection(place, found) if wanted else self._b.difference(place, found)
        return place

    # -- tests -------------------------------------------------------------------------------------------------------

    def _leads(self, triple: Triple, other: Var, group: Group, used: set[int], *, forward: bool) -> _Test:
        """That a statement leads to something that meets the conditions on another variable."""
        conditions = self._conditions(other, group, used)

        def test(it: int) -> int:
            there = self._walk(it, triple.path, forward=forward)
            if not conditions:
                return self._b.exists(there)
            return self._b.some(there, lambda inner: self._b.and_(*(one(inner) for one in conditions)))

        return test

    def _conditions(self, variable: Var, group: Group, used: set[int]) -> list[_Test]:
        tests = self._filters(variable, group)
        for number, triple, other, forward in _edges(variable, group, used):
            if not isinstance(other, Var):
                raise QueryError("SPARQL query: this pattern does not translate")
            tests.append(self._leads(triple, other, group, used | {number}, forward=forward))
        if any(_has(inner, variable) for _, inner in group.exists):
            tests.append(lambda it: self._b.exists(self._without(it, variable, group)))
        return tests

    def _filters(self, variable: Var, group: Group) -> list[_Test]:
        for one in group.filters:
            if len(_in_filter(one)) != 1:
                raise QueryError("SPARQL query: a filter of several variables, or of none, does not translate")
        mine = [one for one in group.filters if _in_filter(one) == {variable.name}]
        return [lambda it, one=one: self._filter(one, it) for one in mine]  # type: ignore[misc]

    def _filter(self, condition: tuple[str, list[Any]], it: int) -> int:
        operator, parts = condition
        if operator in ("and", "or"):
            made = self._b.and_ if operator == "and" else self._b.or_
            return made(*(self._filter(part, it) for part in parts))
        if operator == "not":
            return self._b.not_(self._filter(parts[0], it))
        return self._b.compare(operator, *(self._operand(part, it) for part in parts))  # type: ignore[arg-type]

    def _operand(self, part: Any, it: int) -> int:
        if isinstance(part, Var):
            return it
        return self._b.arithmetic("year", it) if isinstance(part, tuple) else self._named(part)


def _variable_ends(triple: Triple) -> bool:
    return isinstance(triple.subject, Var) or isinstance(triple.object, Var)


def _edges(variable: Var, group: Group, used: set[int]) -> list[tuple[int, Triple, Any, bool]]:
    """The patterns at a variable: number, pattern, the other end, and whether it leads there forward."""
    found: list[tuple[int, Triple, Any, bool]] = []
    for number, triple in enumerate(group.triples):
        if number not in used and variable in (triple.subject, triple.object):
            forward = triple.subject == variable
            found.append((number, triple, triple.object if forward else triple.subject, forward))
    return found


def _reached(start: Var, group: Group) -> set[int]:
    """The patterns that are joined with a variable."""
    reached: set[int] = set()
    queue = [start]
    for variable in queue:
        for number, _, other, _ in _edges(variable, group, reached):
            reached.add(number)
            if isinstance(other, Var):
                queue.append(other)
    return reached


def _way(start: Var, to: Var, group: Group) -> list[tuple[Triple, bool]] | None:
    """The patterns that lead from one variable to another."""
    ways: dict[str, list[tuple[Triple, bool]]] = {start.name: []}
    queue = [start]
    for variable in queue:
        for _, triple, other, forward in _edges(variable, group, set()):
            if isinstance(other, Var) and other.name not in ways:
                ways[other.name] = [*ways[variable.name], (triple, forward)]
                queue.append(other)
    return ways.get(to.name)


def _check_joined(variable: Var, group: Group, outside: frozenset[str] = frozenset()) -> None:
    """Refuse what would be left out: a group is read from one variable on, which alone it shares with what is outside.

    Args:
        outside: the variables of what stands around the group.
    """
    reached = _reached(variable, group)
    if len(reached) < len(group.triples):
        raise QueryError("SPARQL query: some patterns are not joined with what is asked for")
    ends = [end for triple in group.triples for end in (triple.subject, triple.object)]
    mine = {variable.name, *(end.name for end in ends if isinstance(end, Var))}
    if any(not _in_filter(one) <= mine for one in group.filters):
        raise QueryError("SPARQL query: a filter is about what is not joined with what is asked for")
    for parts in (*group.unions, *([inner] for _, inner in group.exists)):
        beside = [variables(part) for others in group.unions if others is not parts for part in others]
        around = mine.union(outside, *beside)
        for part in parts:
            shared = variables(part) & around
            if len(shared) != 1 or not shared <= mine:
                raise QueryError("SPARQL query: a group shares several variables, or none, with what is around it")
            _check_joined(Var(*shared), part, frozenset(around))


def _has(group: Group, variable: Var) -> bool:
    ends = (end for triple in group.triples for end in (triple.subject, triple.object))
    return variable in ends or any(_has(part, variable) for parts in group.unions for part in parts)


def _in_filter(condition: tuple[str, list[Any]]) -> set[str]:
    operator, parts = condition
    if operator in ("and", "or", "not"):
        return set().union(*(_in_filter(part) for part in parts))
    ends = [part[1] if isinstance(part, tuple) else part for part in parts]
    return {end.name for end in ends if isinstance(end, Var)}
