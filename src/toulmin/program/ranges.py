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

_NAMES = (LABEL, ALIAS)
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
        named: Sequence[Mapping[str, Any]] | None = None,
        seconds: float = 5.0,
    ) -> None:
        given = list(graph.graphs.values()) if isinstance(graph, UnionGraph) else [graph]
        self._graphs: list[Graph | None] = list(given) if named is None else _in_order(given, named)
        self._documents, self._seconds = documents, seconds

    def roots(self) -> list[str | None]:
        """The Merkle root of each graph; of an endpoint its address; None of one that is not at hand."""
        return [None if graph is None else graph.fingerprint for graph in self._graphs]

    def _graph(self, place: int) -> Graph:
        found = self._graphs[place] if 0 <= place < len(self._graphs) else None
        if found is None:
            raise InputError(f"there is no graph {place}: there are {len(self._graphs)}")
        return found

    def range(self, graph: int, side: Edge, node: PlainNode, relation: str | None) -> list[list[Any]]:
        """All statements of a range, in canonical order, as certificates write them.

        Raises:
            InputError: no such graph or side, or no node.
            QueryError, EndpointError, GraphError: the graph cannot be asked.
        """
        asked = self._graph(graph)
        if isinstance(asked, LocalGraph):
            return asked.ranges.range(side, node, relation).statements
        if side not in EDGES:
            raise InputError(f"no such side of a statement: {side!r}; use out or in")
        return _ask(asked, side, node, relation)

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
            found = self._graph(graph).query(text, timeout=self._seconds, limit=limit)
        except QueryError as error:
            return str(error)
        finally:
            self._seconds -= monotonic() - began
        rows = [[None if cell is None else plain_node(cell) for cell in row] for row in found.rows]
        return {"columns": list(found.variables), "rows": rows}

    def evidence(self, asked: Iterable[tuple[int, Edge, PlainNode, str | None]]) -> list[dict[str, Any]]:
        """The ``evidence`` of a certificate whose ``graphs`` are these: ranges (graph, side, node, relation).

        With proofs; what is no graph on this machine is asked once more, and has none.

        Raises:
            as ``range``.
        """
        wanted: list[list[Asked]] = [[] for _ in self._graphs]
        for graph, side, given, relation in asked:
            self._graph(graph)
            wanted[graph].append((side, given, relation))
        return [
            graph.ranges.prove(ranges) if isinstance(graph, LocalGraph) else {"ranges": self._told(place, ranges)}
            for place, (graph, ranges) in enumerate(zip(self._graphs, wanted, strict=True))
        ]

    def _told(self, graph: int, ranges: Sequence[Asked]) -> list[dict[str, Any]]:
        distinct = {(side, node_key(node_of(given)), relation): given for side, given, relation in ranges}
        return [
            {
                "side": side,
                "node": given,
                "relation": relation,
                "statements": self.range(graph, side, given, relation),
            }
            for (side, _, relation), given in distinct.items()
        ]


def _in_order(given: Sequence[Graph], named: Sequence[Mapping[str, Any]]) -> list[Graph | None]:
    """The graph for each that a certificate names: of its root or address, else of its name, else what is left."""
    found: list[Graph | None] = [None] * len(named)
    left = list(given)
    for fits in (
        lambda graph, told: graph.fingerprint in (told.get("root"), told.get("endpoint")),
        lambda graph, told: graph.name == told["name"],
        lambda graph, told: True,
    ):
        for place, told in enumerate(named):
            fitting = next((graph for graph in left if found[place] is None and fits(graph, told)), None)
            if fitting is not None:
                found[place] = fitting
                left.remove(fitting)
    return found


def _ask(graph: Graph, side: Edge, given: PlainNode, relation: str | None) -> list[list[Any]]:
    """The statements of a range of a graph that has no order of its own, and the names that it tells of."""
    end = node_of(given)
    found: list[Statement] = []
    if relation is None or relation in _NAMES:
        found += [name for name in _names(graph, side, end) if relation in (None, name.relation.id)]
    if relation is None or relation not in _NAMES:
        wanted = None if relation is None else [relation]
        if isinstance(end, Entity):
            found += graph.statements([end.id], side="outgoing" if side == "out" else "incoming", relations=wanted)[0]
        elif side == "in":
            subjects = _subjects(graph, end, relation)
            lists = graph.statements(subjects, side="outgoing", relations=wanted)
            found += [one for some in lists for one in some if node_key(one.object) == node_key(end)]
    distinct = {one.digest: one for one in found}
    return [plain_statement(one) for one in sorted(distinct.values(), key=lambda one: (one.relation.id, one.digest))]


def _names(graph: Graph, side: Edge, end: Entity | Literal) -> Iterator[Statement]:
    """The names of an entity or relation (``out``), or whose name a text is (``in``), as statements."""
    if isinstance(end, Entity):
        ids = [end.id] if side == "out" else []
    else:
        ids = [match.id for match in graph.lookup([end.value])[0]] if side == "in" and end == Literal(end.value) else []
    for info in graph.describe(ids) if ids else ():
        if info is None:
            continue
        one, label = info.entity, info.entity.label
        told = [(LABEL, label)] if label and not is_nameless(one.id, label) else []
        told += [(ALIAS, form) for form in info.aliases]
        for relation, form in told:
            if side == "out" or end == Literal(form):
                yield Statement(one, Relation(relation), Literal(form))


def _subjects(graph: Graph, value: Literal, relation: str | None) -> list[str]:
    """The entities of which something has this value, by a query."""
    terms = [node(value)]
    if value.kind == "quantity" and value.unit is None and value.precision is None:
        terms += [literal(value.value, datatype) for datatype in _NUMBERS]
    predicate = f"<{relation}>" if relation is not None and is_iri(relation) else "?p"
    given = values(["o"], [[term] for term in dict.fromkeys(terms)])
    rows = graph.query(f"SELECT DISTINCT ?s WHERE {{ {given} ?s {predicate} ?o }}").rows
    return [subject.id for (subject,) in rows if isinstance(subject, Entity) and not subject.id.startswith("_:")]
