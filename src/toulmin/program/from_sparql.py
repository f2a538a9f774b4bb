"""A useful part of SPARQL as a program: what joins to a tree around the variable that is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from toulmin.errors import QueryError
from toulmin.graph.rdf_store import PREFIXES
from toulmin.graph.types import Direction, Entity
from toulmin.program.node_adder import NodeAdder
from toulmin.program.sparql_parser import parse
from toulmin.program.sparql_syntax import (
    Column,
    Filter,
    GroupPattern,
    Measure,
    ParsedQuery,
    Step,
    Triple,
    Var,
    check_joined,
    edges,
    has,
    in_filter,
    variables,
    ways,
)

__all__ = ["from_sparql"]

_DIRECT, _WIKIDATA = "http://www.wikidata.org/prop/direct/P", "http://www.wikidata.org/entity/P"
_WD = {"wd": "http://www.wikidata.org/entity/", "wdt": "http://www.wikidata.org/prop/direct/"}
#: A condition on what a variable of the program stands for.
_Test = Callable[[int], int]
_CYCLE = "SPARQL query: its patterns form a cycle, which does not translate"


def from_sparql(text: str, builder: NodeAdder, *, compared: bool = False) -> int:
    """The node that yields what a query asks for, by the meaning of programs: sets, three truth values, an open world.

    Of those at the last place that a LIMIT allows, all are yielded. NOT EXISTS and MINUS become a ``difference``, which
    assumes that what the graph does not list is not so; orders, sums and means assume that it lists all there are, and
    a count says "at least". Several columns become a ``table`` over the first, in which a cell may hold several nodes,
    or (of OPTIONAL) none; GROUP BY becomes one over the groups, with numbers of what is in each. The prefixes of graphs
    on this machine and of Wikidata count as declared.

    Args:
        compared: what the program yields will be held against the query's rows, and a count of solutions may therefore
            be read as one of distinct nodes.

    Raises:
        QueryError: malformed, or nothing that translates: variables for relations, cycles, groups that share several
            variables with what is around them …
        InputError: the program is ill typed.
    """
    return _SparqlReader(builder, compared=compared).read(parse(text, PREFIXES | _WD))


def _relations(step: Step) -> list[str]:
    return [
        _WIKIDATA + relation.removeprefix(_DIRECT) if relation.startswith(_DIRECT) else relation
        for relation in step.relations
    ]


class _SparqlReader:
    def __init__(self, builder: NodeAdder, *, compared: bool) -> None:
        self._b, self._compared = builder, compared
        self._root: Var | None = None  # to which filters of several variables are read

    def read(self, query: ParsedQuery) -> int:
        if not query.columns:
            return self._ask(query.where)
        first = query.columns[0]
        if query.group_by:
            return self._grouped(query)
        if query.having:
            raise QueryError("SPARQL query: HAVING without GROUP BY does not translate")
        if isinstance(first, Measure):
            if len(query.columns) > 1 or query.limit not in (None, 1) or query.offset:
                raise QueryError("SPARQL query: a number of what is cut off, or beside others, does not translate")
            return self._number(first, query.where)
        return self._columns(first, query)

    def _columns(self, of: Var, query: ParsedQuery) -> int:
        """A set, or a table over one."""
        check_joined(of, query.where)
        self._root = of
        place = self._known(of, query.where)
        for condition in query.having:
            place = self._b.where(place, lambda it, c=condition: self._filter(c, it, of, query.where))  # type: ignore[misc]
        place = self._cut(place, of, query)
        if len(query.columns) == 1:
            return place
        return self._b.table(place, [self._column(column, of, query.where) for column in query.columns[1:]])

    def _column(self, column: Column, of: Var, where: GroupPattern) -> _Test:
        if isinstance(column, Measure):
            if column.name == "count" and column.of is None:
                names = variables(where) - {of.name}
                if len(names) != 1:
                    raise QueryError("SPARQL query: a count of solutions does not translate")
                column = Measure("count", Var(*names))
            return lambda it: self._measure(column, it, of, where)
        return lambda it: self._reach(it, of, column, where)

    def _grouped(self, query: ParsedQuery) -> int:
        """The groups: a set where they alone are asked for, else a table over it."""
        of = query.group_by[0]
        if query.columns[0] != of:
            raise QueryError("SPARQL query: GROUP BY anything but the first column does not translate")
        plain = [column for column in query.columns if isinstance(column, Var)]
        if any(column not in query.group_by for column in plain):
            raise QueryError("SPARQL query: a column that is not grouped by does not translate")
        return self._columns(of, query)

    def _known(self, variable: Var, where: GroupPattern) -> int:
        place = self._members(variable, where, set(), {variable.name})
        if place is None:
            raise QueryError("SPARQL query: nothing named restricts what is asked for, so it does not translate")
        return place

    def _number(self, number: Measure, where: GroupPattern) -> int:
        """A number of all solutions."""
        every = variables(where)
        of = number.of or (Var(*every) if len(every) == 1 else None)
        solutions = number.name == "count" and not number.distinct and len(every) > 1
        if of is None or (solutions and not self._compared):
            raise QueryError("SPARQL query: a count of solutions, not of distinct values, does not translate")
        check_joined(of, where)
        if number.name == "count":
            self._root = of
            return self._b.count(self._known(of, where))
        patterns = edges(of, where, set())
        to_variables = [(triple, end, forward) for _, triple, end, forward in patterns if isinstance(end, Var)]
        distinct = number.distinct and number.name in ("sum", "mean")
        alone = every == {of.name, *(end.name for _, end, _ in to_variables)}
        if distinct or len(patterns) != 1 or len(to_variables) != 1 or not (alone or self._compared):
            raise QueryError("SPARQL query: a number of more than one value of each does not translate")
        ((triple, end, forward),) = to_variables
        self._root = end
        whose = self._known(end, where)
        return self._aggregate(number.name, whose, triple, self._filters(of, where), forward=not forward)

    def _aggregate(self, name: str, whose: int, triple: Triple, tests: Sequence[_Test], *, forward: bool) -> int:
        """Of the one value that each node has."""

        def by(it: int) -> int:
            return reduce(self._b.where, tests, self._walk(it, triple.path, forward=forward))

        return self._b.aggregate(name, whose, by)

    def _measure(self, number: Measure, it: int, of: Var, where: GroupPattern) -> int:
        """A number of what is in one group, or belongs to one thing."""
        assert number.of is not None  # noqa: S101
        if number.name == "count":
            if not (number.distinct or self._compared):
                raise QueryError("SPARQL query: a count of solutions, not of distinct values, does not translate")
            return self._b.count(self._reach(it, of, number.of, where))
        steps = ways(of, where).get(number.of.name)
        if steps is None or len(steps) < 2 or number.distinct:
            raise QueryError("SPARQL query: a number of these values does not translate")
        _, triple, forward = steps[-1]
        holder = triple.subject if forward else triple.object
        assert isinstance(holder, Var)  # noqa: S101
        whose = self._reach(it, of, holder, where)
        return self._aggregate(number.name, whose, triple, self._filters(number.of, where), forward=forward)

    def _ask(self, where: GroupPattern) -> int:
        for triple in where.triples:
            for end in (triple.subject, triple.object):
                if isinstance(end, Var):
                    self._root = end
                    place = self._members(end, where, set(), {end.name})
                    if place is not None:
                        check_joined(end, where)
                        return self._b.exists(place)
        triples = where.triples
        plain = not (where.filters or where.unions or where.exists or where.values or where.optional)
        if len(triples) != 1 or not plain or variables(where):
            raise QueryError("SPARQL query: this ASK does not translate")
        start, goal = self._named(triples[0].subject), self._named(triples[0].object)
        return self._b.exists(self._b.intersection(self._walk(start, triples[0].path, forward=True), goal))

    def _cut(self, place: int, of: Var, query: ParsedQuery) -> int:
        """The first or last of a set; without LIMIT an order is none of a set."""
        if query.limit is None and not query.offset:
            return place
        if len(query.order) != 1 or query.limit is None:
            raise QueryError("SPARQL query: this LIMIT does not translate")
        ((key, last),) = query.order
        if isinstance(key, Measure) and key.of == of:
            raise QueryError("SPARQL query: what it is ordered by does not translate")
        if isinstance(key, Measure) and key.name == "count":
            key = Measure("count", key.of, distinct=True)
        by = None if key == of else self._column(key, of, query.where)
        cut = self._b.last if last else self._b.first
        return cut(place, by, from_=query.offset + 1, to=query.offset + query.limit)

    # -- ways --------------------------------------------------------------------------------------------------------

    def _reach(self, it: int, start: Var, to: Var, group: GroupPattern) -> int:
        """What a variable stands for, given what another one does."""
        if start == to:
            return it
        steps = ways(start, group).get(to.name)
        if steps is not None:
            return self._along(it, steps, group)
        for inner in group.optional:
            shared = variables(inner) & variables(GroupPattern(group.triples))
            if len(shared) == 1 and (inner_steps := ways(Var(*shared), inner).get(to.name)) is not None:
                return self._along(self._reach(it, start, Var(*shared), group), inner_steps, inner)
        raise QueryError(f"SPARQL query: how ?{to.name[:40]} goes with ?{start.name[:40]} does not translate")

    def _along(self, it: int, steps: Sequence[tuple[int, Triple, bool]], group: GroupPattern) -> int:
        """The ends of patterns one after another, each restricted as the group has it."""
        place, used = it, {at for at, _, _ in steps}
        for _, triple, forward in steps:
            place = self._walk(place, triple.path, forward=forward)
            end = triple.object if forward else triple.subject
            assert isinstance(end, Var)  # noqa: S101
            members = self._members(end, group, used, {end.name})
            if members is not None:
                place = self._b.intersection(place, members)
                continue
            place = reduce(self._b.where, self._conditions(end, group, used), place)
        return place

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

    def _members(self, variable: Var, group: GroupPattern, used: set[int], seen: set[str]) -> int | None:
        """What a variable may be, from its side of the tree; None where nothing named restricts it."""
        sets: list[int] = []
        tests: list[_Test] = []
        for number, triple, end, forward in edges(variable, group, used):
            if not isinstance(end, Var):
                sets.append(self._walk(self._named(end), triple.path, forward=not forward))
                continue
            if end.name in seen:
                raise QueryError(_CYCLE)
            seen.add(end.name)
            end_members = self._members(end, group, used | {number}, seen)
            if end_members is not None:
                sets.append(self._walk(end_members, triple.path, forward=not forward))
            else:
                tests.append(self._leads(triple, end, group, used | {number}, forward=forward))
        for bound, nodes in group.values:
            if bound == variable:
                sets.append(self._b.union(*map(self._named, nodes)))
        for parts in group.unions:
            if all(has(part, variable) for part in parts):
                members = [self._members(variable, part, set(), {variable.name}) for part in parts]
                if None in members:
                    raise QueryError("SPARQL query: a part of a UNION has nothing named, and does not translate")
                sets.append(self._b.union(*(place for place in members if place is not None)))
            elif any(has(part, variable) for part in parts):
                raise QueryError("SPARQL query: this UNION does not translate")
        if not sets:
            return None
        place = self._b.intersection(*sets)
        tests += self._filters(variable, group, joint=variable == self._root)
        return self._without(reduce(self._b.where, tests, place), variable, group)

    def _without(self, place: int, variable: Var, group: GroupPattern) -> int:
        """The groups that must, or must not, have a solution."""
        for must_have, inner in group.exists:
            if not has(inner, variable):
                continue
            members = self._members(variable, inner, set(), {variable.name})
            if members is None:
                members = reduce(self._b.where, self._conditions(variable, inner, set()), place)
            place = self._b.intersection(place, members) if must_have else self._b.difference(place, members)
        return place

    # -- tests -------------------------------------------------------------------------------------------------------

    def _leads(self, triple: Triple, end: Var, group: GroupPattern, used: set[int], *, forward: bool) -> _Test:
        """That a statement leads to something that meets the conditions on another variable."""
        conditions = self._conditions(end, group, used)

        def test(it: int) -> int:
            ends = self._walk(it, triple.path, forward=forward)
            if not conditions:
                return self._b.exists(ends)
            return self._b.some(ends, lambda inner: self._b.and_(*(condition(inner) for condition in conditions)))

        return test

    def _conditions(self, variable: Var, group: GroupPattern, used: set[int]) -> list[_Test]:
        tests = self._filters(variable, group)
        for number, triple, end, forward in edges(variable, group, used):
            if not isinstance(end, Var):
                raise QueryError("SPARQL query: this pattern does not translate")
            tests.append(self._leads(triple, end, group, used | {number}, forward=forward))
        if any(has(inner, variable) for _, inner in group.exists):
            tests.append(lambda it: self._b.exists(self._without(it, variable, group)))
        return tests

    def _filters(self, variable: Var, group: GroupPattern, *, joint: bool = False) -> list[_Test]:
        """The filters of one variable, and behind them (``joint``) those of several, read where the query begins."""
        mine = [condition for condition in group.filters if in_filter(condition) == {variable.name}]
        mine += [condition for condition in group.filters if joint and len(in_filter(condition)) > 1]
        if any(not in_filter(condition) for condition in group.filters):
            raise QueryError("SPARQL query: a filter of no variable does not translate")
        if self._root is None and any(len(in_filter(condition)) > 1 for condition in group.filters):
            raise QueryError("SPARQL query: a filter of several variables does not translate here")
        return [lambda it, condition=condition: self._filter(condition, it, variable, group) for condition in mine]  # type: ignore[misc]

    def _filter(self, condition: Filter, it: int, of: Var, group: GroupPattern) -> int:
        operator, parts = condition
        if operator in ("and", "or"):
            joined = self._b.and_ if operator == "and" else self._b.or_
            return joined(*(self._filter(part, it, of, group) for part in parts))
        if operator == "not":
            return self._b.not_(self._filter(parts[0], it, of, group))
        if operator == "bound":
            raise QueryError("SPARQL query: this BOUND does not translate")
        return self._b.compare(operator, *(self._operand(part, it, of, group) for part in parts))

    def _operand(self, part: Any, it: int, of: Var, group: GroupPattern) -> int:
        if isinstance(part, Measure):
            return self._column(part, of, group)(it)
        if isinstance(part, Var):
            return self._reach(it, of, part, group)
        if isinstance(part, tuple):
            return self._b.arithmetic("year", self._reach(it, of, part[1], group))
        return self._named(part)
