"""A program as a SPARQL query, so that a store by others says what it yields.

Sets, tests, counts, aggregates and orders translate; what does not is refused. SPARQL knows no open world, no vague
values and no several values of one thing: a query may say yes or no where the program says unknown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from toulmin.errors import QueryError
from toulmin.graph import sparql
from toulmin.graph.rdf_store import BASE_IRI
from toulmin.graph.types import Entity, Literal, Node
from toulmin.program.nodes import Follow, ProgramNode

__all__ = ["to_sparql"]

_WIKIDATA, _DIRECT = "http://www.wikidata.org/entity/P", "http://www.wikidata.org/prop/direct/P"
_SIGNS = {"=": "=", "≠": "!=", "<": "<", "≤": "<=", ">": ">", "≥": ">="}
_AGGREGATES = {"sum": "SUM", "mean": "AVG", "min": "MIN", "max": "MAX"}
_TRUTHS = ("compare", "exists", "some", "every", "and", "or", "not")


def to_sparql(program: Sequence[ProgramNode], place: int) -> str:
    """The query for what a node yields: a SELECT of its nodes (``?x``) or an ASK.

    Raises:
        QueryError: the node, or one that it needs, does not translate.
    """
    return _SparqlWriter(program).query(place)


def _term(node: Node) -> str:
    if isinstance(node, Literal) or sparql.is_iri(node.id):
        return sparql.node(node)
    return sparql.iri(BASE_IRI + quote(node.id, safe=""))  # as the store of a graph on this machine has it


def _predicate(relations: Sequence[str]) -> str:
    terms = [_term(Entity(_DIRECT + r[len(_WIKIDATA) :] if r.startswith(_WIKIDATA) else r)) for r in relations]
    return terms[0] if len(terms) == 1 else f"({'|'.join(terms)})"


class _SparqlWriter:
    def __init__(self, program: Sequence[ProgramNode]) -> None:
        self._program = program
        self._count = 0

    def query(self, place: int) -> str:
        node: Any = self._program[place]
        if node.op in _TRUTHS:
            return f"ASK {{ FILTER({self._test(place, {})}) }}"
        if node.op == "count":
            return f"SELECT (COUNT(DISTINCT ?v) AS ?x) WHERE {{ {self._pattern(node.of, '?v', {})} }}"
        if node.op in _AGGREGATES:
            by = self._pattern(node.by, "?k", {node.it: "?v"})
            inner = f"SELECT DISTINCT ?v ?k WHERE {{ {self._pattern(node.of, '?v', {})} {by} }}"
            return f"SELECT ({_AGGREGATES[node.op]}(?k) AS ?x) WHERE {{ {{ {inner} }} }}"
        if node.op in ("first", "last"):
            return self._ordered(node)
        return f"SELECT DISTINCT ?x WHERE {{ {self._pattern(place, '?x', {})} }}"

    def _ordered(self, node: Any) -> str:
        """SPARQL picks one of those at the same place; the program yields all of them."""
        key = "?x" if node.by is None else "?k"
        by = "" if node.by is None else self._pattern(node.by, "?k", {node.it: "?x"})
        best = "MIN" if node.op == "first" else "MAX"
        order = f"ORDER BY {'ASC' if node.op == 'first' else 'DESC'}({best}({key}))"
        start = node.from_ or 1
        count = (node.to or start) - start + 1
        where = f"{self._pattern(node.of, '?x', {})} {by}"
        return f"SELECT ?x WHERE {{ {where} }} GROUP BY ?x {order} LIMIT {count} OFFSET {start - 1}"

    def _new(self) -> str:
        self._count += 1
        return f"?v{self._count}"

    def _pattern(self, place: int, variable: str, bound: Mapping[int, str]) -> str:
        """A pattern whose solutions bind a variable to the nodes that a node yields.

        Args:
            bound: the variables of SPARQL that stand for variables of the program.
        """
        node = self._program[place]
        writer = getattr(self, f"_{node.op}", None)
        if writer is None or node.op in _TRUTHS:
            raise QueryError(f"node {place} ({node.op}) does not translate to SPARQL")
        pattern: str = writer(node, variable, bound)
        return pattern

    def _end(self, place: int, bound: Mapping[int, str]) -> tuple[str, str]:
        """A term that stands for the nodes of a node, and the pattern that binds it."""
        node: Any = self._program[place]
        if place in bound:
            return bound[place], ""
        if node.op in ("entity", "literal"):
            return _term(Entity(node.id) if node.op == "entity" else node.value), ""
        variable = self._new()
        return variable, self._pattern(place, variable, bound)

    def _it(self, node: Any, variable: str, bound: Mapping[int, str]) -> str:
        term = next(term for place, term in bound.items() if self._program[place] is node)
        return f"FILTER({variable} = {term})"

    def _entity(self, node: Any, variable: str, bound: Mapping[int, str]) -> str:
        return sparql.values([variable[1:]], [[_term(Entity(node.id))]])

    def _literal(self, node: Any, variable: str, bound: Mapping[int, str]) -> str:
        return sparql.values([variable[1:]], [[_term(node.value)]])

    def _follow(self, node: Follow, variable: str, bound: Mapping[int, str]) -> str:
        if node.qualified or node.window or node.graph is not None:
            raise QueryError("qualifiers, windows of time and single graphs do not translate to SPARQL")
        if not node.not_back:
            start, pattern = self._end(node.of, bound)
            return f"{pattern} {self._edge(node, start, variable)}"
        before: Any = self._program[node.of]  # a node may be entered from the end too, if from another as well
        origin, pattern = self._end(before.of, bound)
        middle = self._new()
        steps = f"{self._edge(before, origin, middle)} {self._edge(node, middle, variable)}"
        return f"{pattern} {steps} FILTER({origin} != {variable})"

    def _edge(self, node: Follow, start: str, end: str) -> str:
        first, last = (start, end) if node.direction == "forward" else (end, start)
        return f"{first} {_predicate(node.relations)} {last} ."

    def _instances(self, node: Any, variable: str, bound: Mapping[int, str]) -> str:
        cls, pattern = self._end(node.of, bound)
        up = f"/{_predicate(node.sub)}*" if node.sub else ""
        return f"{pattern} {variable} {_predicate(node.relations)}{up} {cls} ."

    def _complete(self, node: Any, variable: str, bound: Mapping[int, str]) -> str:
        return self._pattern(node.of, variable, bound)

    def _union(self, node: Any, variable: str, bound: Mapping[int, str]) -> str:
        return " UNION ".join(f"{{ {self._pattern(place, variable, bound)} }}" for place in node.of)

    def _intersection(self, node: Any, variable: str, bound: Mapping[int, str]) -> str:
        return " ".join(f"{{ {self._pattern(place, variable, bound)} }}" for place in node.of)

    def _difference(self, node: Any, variable: str, bound: Mapping[int, str]) -> str:
        first, *rest = node.of
        without = " ".join(f"FILTER NOT EXISTS {{ {self._pattern(place, variable, bound)} }}" for place in rest)
        return f"{self._pattern(first, variable, bound)} {without}"

    def _where(self, node: Any, variable: str, bound: Mapping[int, str]) -> str:
        test = self._test(node.test, {**bound, node.it: variable})
        return f"{self._pattern(node.of, variable, bound)} FILTER({test})"

    def _test(self, place: int, bound: Mapping[int, str]) -> str:
        """An expression for the truth of a node."""
        node: Any = self._program[place]
        if node.op in ("and", "or"):
            sign = " && " if node.op == "and" else " || "
            return "(" + sign.join(self._test(part, bound) for part in node.of) + ")"
        if node.op == "not":
            return f"(!{self._test(node.of, bound)})"
        if node.op == "exists":
            return f"EXISTS {{ {self._pattern(node.of, self._new(), bound)} }}"
        if node.op in ("some", "every"):
            variable = self._new()
            test = self._test(node.test, {**bound, node.it: variable})
            negation, sign = ("", "") if node.op == "some" else ("NOT ", "!")
            return f"{negation}EXISTS {{ {self._pattern(node.of, variable, bound)} FILTER({sign}{test}) }}"
        if node.op != "compare":
            raise QueryError(f"node {place} ({node.op}) does not translate to SPARQL")
        (left, first), (right, second) = self._end(node.left, bound), self._end(node.right, bound)
        test = self._compared(node.do, left, right)
        return f"EXISTS {{ {first} {second} FILTER({test}) }}" if first or second else f"({test})"

    def _compared(self, do: str, left: str, right: str) -> str:
        if do in _SIGNS:
            return f"{left} {_SIGNS[do]} {right}"
        if do in ("contains", "starts"):
            function = "CONTAINS" if do == "contains" else "STRSTARTS"
            return f"{function}(LCASE(STR({left})), LCASE(STR({right})))"
        raise QueryError(f"the comparison {do!r} does not translate to SPARQL")
