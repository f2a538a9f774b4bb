"""A graph as the kernel asks for it: its roots, the statements of a range, the text of a document; and as evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from time import monotonic
from typing import Any

from toulmin.errors import InputError, QueryError
from toulmin.graph.labels import is_nameless
from toulmin.graph.local import LocalGraph
from toulmin.graph.merkle import ALIAS, EDGES, LABEL, Edge
from toulmin.graph.protocol import Graph
from toulmin.graph.ranges import Asked, PlainNode, node_of, plain_node, plain_statement
from toulmin.graph.sparql import is_iri, literal, node, values
from toulmin.graph.types import Entity, Literal, Relation, Statement, node_key
from toulmin.graph.union import UnionGraph
from toulmin.graph.xsd import XSD

__all__ = ["GraphRanges"]

_NAME_RELATIONS = (LABEL, ALIAS)
_NUMBERS = tuple(XSD + name for name in ("integer", "decimal", "double"))


class GraphRanges:
    """What docs/certificate.md, "The graph at hand", asks of any graph; of a union, each of its graphs by its place.

    Args:
        documents: the text of a source; None where it is not at hand.
        named: the ``graphs`` of a certificate, in whose order these are then; None: their own order.
        seconds: that all queries which are run again may take together.
    """

    def __init__(
        self,
        graph: Graph,
        documents: Callable[[str], str | None] | None = None,
        records: Sequence[Mapping[str, Any]] | None = None,
        seconds: float = 5.0,
    ) -> None:
        graphs = list(graph.graphs.values()) if isinstance(graph, UnionGraph) else [graph]
        self._graphs: list[Graph | None] = list(graphs) if records is None else _in_order(graphs, records)
        self._documents, self._seconds = documents, seconds

    def roots(self) -> list[str | None]:
        """The Merkle root of each graph; of an endpoint its address; None of one that is not at hand."""
        return [None if graph is None else graph.fingerprint for graph in self._graphs]

    def _graph(self, place: int) -> Graph:
        chosen = self._graphs[place] if 0 <= place < len(self._graphs) else None
        if chosen is None:
            raise InputError(f"there is no graph {place}: there are {len(self._graphs)}")
        return chosen

    def range(self, graph: int, side: Edge, node: PlainNode, relation: str | None) -> list[list[Any]]:
        """All statements of a range, in canonical order, as certificates write them.

        Raises:
            InputError: no such graph or side, or no node.
            QueryError, EndpointError, GraphError: the graph cannot be asked.
        """
        chosen = self._graph(graph)
        if isinstance(chosen, LocalGraph):
            return chosen.ranges.range(side, node, relation)
        if side not in EDGES:
            raise InputError(f"no such side of a statement: {side!r}; use out or in")
        return _ask(chosen, side, node, relation)

    def document(self, source: str) -> str | None:
        """The text of a document; None where it is not at hand."""
        return self._documents(source) if self._documents else None

    def query(self, graph: int, text: str, limit: int) -> dict[str, Any] | str:
        """What SPARQL gives now, read only: columns and rows as certificates write them; or why it was not run.

        Args:
            limit: rows after which to stop.

        Raises:
            EndpointError, GraphError: the graph cannot be asked.
        """
        if self._seconds <= 0:
            return "the time for queries is used up"
        began = monotonic()
        try:
            result = self._graph(graph).query(text, timeout=self._seconds, limit=limit)
        except QueryError as error:
            return str(error)
        finally:
            self._seconds -= monotonic() - began
        rows = [[None if cell is None else plain_node(cell) for cell in row] for row in result.rows]
        return {"columns": list(result.variables), "rows": rows}

    def evidence(self, ranges: Iterable[tuple[int, Edge, PlainNode, str | None]]) -> list[dict[str, Any]]:
        """The ``evidence`` of a certificate whose ``graphs`` are these: ranges (graph, side, node, relation).

        With proofs; what is no graph on this machine is asked once more, and has none.

        Raises:
            as ``range``.
        """
        by_graph: list[list[Asked]] = [[] for _ in self._graphs]
        for graph, side, plain, relation in ranges:
            self._graph(graph)
            by_graph[graph].append((side, plain, relation))
        return [
            graph.ranges.prove(asked)
            if isinstance(graph, LocalGraph)
            else {"ranges": self._range_records(place, asked)}
            for place, (graph, asked) in enumerate(zip(self._graphs, by_graph, strict=True))
        ]

    def _range_records(self, graph: int, ranges: Sequence[Asked]) -> list[dict[str, Any]]:
        distinct = {(side, node_key(node_of(node)), relation): node for side, node, relation in ranges}
        return [
            {
                "side": side,
                "node": node,
                "relation": relation,
                "statements": self.range(graph, side, node, relation),
            }
            for (side, _, relation), node in distinct.items()
        ]


def _in_order(graphs: Sequence[Graph], records: Sequence[Mapping[str, Any]]) -> list[Graph | None]:
    """The graph for each that a certificate names: of its root or address, else of its name, else what is left."""
    ordered: list[Graph | None] = [None] * len(records)
    unplaced = list(graphs)
    for fits in (
        lambda graph, record: graph.fingerprint in (record.get("root"), record.get("endpoint")),
        lambda graph, record: graph.name == record["name"],
        lambda graph, record: True,
    ):
        for place, record in enumerate(records):
            fitting = next((graph for graph in unplaced if ordered[place] is None and fits(graph, record)), None)
            if fitting is not None:
                ordered[place] = fitting
                unplaced.remove(fitting)
    return ordered


def _ask(graph: Graph, side: Edge, node: PlainNode, relation: str | None) -> list[list[Any]]:
    """The statements of a range of a graph that has no order of its own, and the names that it tells of."""
    end = node_of(node)
    statements: list[Statement] = []
    if relation is None or relation in _NAME_RELATIONS:
        statements += [name for name in _name_statements(graph, side, end) if relation in (None, name.relation.id)]
    if relation is None or relation not in _NAME_RELATIONS:
        relations = None if relation is None else [relation]
        if isinstance(end, Entity):
            statements += graph.statements(
                [end.id], side="outgoing" if side == "out" else "incoming", relations=relations
            )[0]
        elif side == "in":
            subjects = _subjects(graph, end, relation)
            lists = graph.statements(subjects, side="outgoing", relations=relations)
            statements += [
                statement for group in lists for statement in group if node_key(statement.object) == node_key(end)
            ]
    distinct = {statement.digest: statement for statement in statements}
    return [
        plain_statement(statement)
        for statement in sorted(distinct.values(), key=lambda statement: (statement.relation.id, statement.digest))
    ]


def _name_statements(graph: Graph, side: Edge, end: Entity | Literal) -> Iterator[Statement]:
    """The names of an entity or relation (``out``), or whose name a text is (``in``), as statements."""
    if isinstance(end, Entity):
        ids = [end.id] if side == "out" else []
    else:
        ids = [match.id for match in graph.lookup([end.value])[0]] if side == "in" and end == Literal(end.value) else []
    for info in graph.describe(ids) if ids else ():
        if info is None:
            continue
        entity, label = info.entity, info.entity.label
        names = [(LABEL, label)] if label and not is_nameless(entity.id, label) else []
        names += [(ALIAS, form) for form in info.aliases]
        for relation, form in names:
            if side == "out" or end == Literal(form):
                yield Statement(entity, Relation(relation), Literal(form))


def _subjects(graph: Graph, value: Literal, relation: str | None) -> list[str]:
    """The entities of which something has this value, by a query."""
    terms = [node(value)]
    if value.kind == "quantity" and value.unit is None and value.precision is None:
        terms += [literal(value.value, datatype) for datatype in _NUMBERS]
    predicate = f"<{relation}>" if relation is not None and is_iri(relation) else "?p"
    clause = values(["o"], [[term] for term in dict.fromkeys(terms)])
    rows = graph.query(f"SELECT DISTINCT ?s WHERE {{ {clause} ?s {predicate} ?o }}").rows
    return [subject.id for (subject,) in rows if isinstance(subject, Entity) and not subject.id.startswith("_:")]
