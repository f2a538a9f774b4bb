"""Runs a query that a model wrote: checked first, read-only, bounded in rows and time, and read as a program."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from toulmin.errors import InputError, QueryError
from toulmin.graph.local import LocalGraph
from toulmin.graph.protocol import Graph, QueryResult
from toulmin.graph.types import Entity, Literal, Node
from toulmin.methods.schema_view import SchemaView
from toulmin.methods.sparql.column_sources import check_grounded
from toulmin.methods.sparql.settings import SparqlSettings
from toulmin.program.builder import Builder
from toulmin.program.from_sparql import from_sparql
from toulmin.program.value import Nodes, Result, Rows

__all__ = ["Attempt", "Runner"]

_TRUTH = {"true": True, "1": True, "false": False, "0": False}


@dataclass(frozen=True, slots=True)
class Attempt:
    """A query that was run, or refused.

    Args:
        text: the query as the model wrote it.
        whole: with the prefixes that it needs.
        error: why it gave nothing, in one line; None: it ran.
        place: the node of a builder that yields its rows.
        program: whether that node is computed from statements; else it records what the store gave.
        sentence: what the program says in words; "" without one.
        equals: how many more stand at the last place that LIMIT keeps, so that it is chance which of them are given.
    """

    text: str
    meaning: str
    whole: str = ""
    result: QueryResult | None = None
    error: str | None = None
    place: int = -1
    program: bool = False
    sentence: str = ""
    equals: int = 0

    @property
    def asks(self) -> bool:
        """Whether it was an ASK query."""
        return self.result is not None and not self.result.variables

    @property
    def found(self) -> bool:
        """Whether it gave anything at all; what is bound to nothing is nothing."""
        return self.result is not None and any(cell is not None for row in self.result.rows for cell in row)


class Runner:
    """Runs the queries of one question.

    Args:
        builder: gets a node for each query that ran.
    """

    def __init__(self, graph: Graph, view: SchemaView, settings: SparqlSettings, builder: Builder) -> None:
        self._graph, self._view, self._settings, self._builder = graph, view, settings, builder

    async def run(self, text: str, meaning: str) -> Attempt:
        """Run a query. What is wrong with it is in the attempt.

        Raises:
            GraphError: the graph cannot be asked.
        """
        whole = self._view.prologue + text.strip()
        attempt = Attempt(text, meaning, whole)
        try:
            result = await asyncio.to_thread(self._result, whole)
        except QueryError as error:
            return replace(attempt, error=str(error))
        return await asyncio.to_thread(self._read, replace(attempt, result=result))

    def _result(self, whole: str) -> QueryResult:
        most = self._settings.rows
        result = self._graph.query(whole, timeout=self._settings.timeout, limit=most + 1)
        check_grounded(whole)  # afterwards, since what the store says of a malformed query is more exact
        if len(result.rows) > most:
            raise QueryError(f"the query gives more than {most:,} rows: ask for fewer")
        return result

    def _read(self, attempt: Attempt) -> Attempt:
        """The node of a query: a program that yields the same, else what the store gave."""
        assert attempt.result is not None  # noqa: S101
        if self._settings.programs and isinstance(self._graph, LocalGraph):
            tried, place = self._builder.fork(), -1  # what does not come to the same leaves nothing behind
            try:
                place = from_sparql(attempt.whole, tried, compared=True)
                value = tried.value(place)
                same = _same(value, attempt.result) and tried.static(place).kind == "evidence"
            except InputError:
                value, same = None, False
            if _ordered(tried, place) and not same:
                attempt = replace(attempt, equals=_more(value, attempt.result))
            if same:
                place = from_sparql(attempt.whole, self._builder, compared=True)
                return replace(attempt, place=place, program=True, sentence=self._builder.sentence(place))
        try:
            return replace(attempt, place=self._builder.query(attempt.whole, result=attempt.result))
        except InputError as error:
            return replace(attempt, result=None, error=str(error))


def _same(value: Result, result: QueryResult) -> bool:
    """Whether a program yields what the store gave: the same nodes or rows, in whatever order."""
    if isinstance(value, bool) or value is None:
        return not result.variables and _truth(result) is value
    mine, given = _table(value), [_row(row) for row in result.rows]
    if isinstance(value, Nodes):  # a set, without what is unbound
        given = list(dict.fromkeys(row for row in given if row != (None,)))
        return len(result.variables) == 1 and Counter(mine) == Counter(given)
    return mine is not None and Counter(mine) == Counter(given)


def _ordered(builder: Builder, place: int) -> bool:
    """Whether a node is the first or last of a set, or a table of these."""
    nodes: tuple[Any, ...] = builder.program
    if place >= 0 and nodes[place].op == "table":
        place = nodes[place].of
    return place >= 0 and nodes[place].op in ("first", "last")


def _more(value: Result, result: QueryResult) -> int:
    """How many rows a program yields beside those that the store gave; 0 where it lacks one of these."""
    mine, given = set(_table(value) or ()), {_row(row) for row in result.rows}
    return len(mine - given) if given <= mine else 0


def _truth(result: QueryResult) -> bool | None:
    cell = result.rows[0][0] if result.rows and result.rows[0] else None
    return _TRUTH.get(cell.value) if isinstance(cell, Literal) else None


def _table(value: Result) -> list[tuple[object, ...]] | None:
    """The rows that a program yields, by their keys; None: it yields none, or a cell of several nodes."""
    if isinstance(value, Nodes):
        return [_row([node]) for node in value.nodes]
    if isinstance(value, Rows) and all(len(cell) < 2 for row in value.rows for cell in row):
        return [_row([cell[0] if cell else None for cell in row]) for row in value.rows]
    return None


def _row(row: Sequence[Node | None]) -> tuple[object, ...]:
    return tuple(None if cell is None else _key(cell) for cell in row)


def _key(node: Node) -> object:
    """The key by which nodes are compared: of quantities the value, to nine digits, since rounding may differ."""
    if isinstance(node, Entity):
        return node.id
    if node.kind == "quantity":
        number = float(node.value)
        return number if number == 0 or not math.isfinite(number) else float(f"{number:.9g}"), node.unit
    return node.kind, node.value, node.lang
