"""A graph as the evaluation reads it: nodes and statements by number, whatever the graph.

A graph on this machine gives its arrays, without copying. Any other is asked in batches, and what it said is kept as
long as the source is. Nodes and statements that no array has (computed values, names) get the numbers beyond.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import product
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from toulmin.errors import InputError
from toulmin.graph.csr import gather, over
from toulmin.graph.labels import is_machine_id, is_machine_label, is_nameless
from toulmin.graph.local import LocalGraph
from toulmin.graph.merkle import Edge
from toulmin.graph.protocol import Graph, Side
from toulmin.graph.ranges import node_of, plain_node
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Direction, Entity, Literal, Node, Relation, Statement, node_key
from toulmin.graph.union import UnionGraph
from toulmin.program.ranges import GraphRanges
from toulmin.program.value import Edges, Numbers

__all__ = ["ALIAS", "LABEL", "Source", "open_source"]

LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
ALIAS = "http://www.w3.org/2004/02/skos/core#altLabel"
_NAMES = (LABEL, ALIAS)
T = TypeVar("T")

_NOTHING = np.empty(0, dtype=np.int64)
_SPECIAL = re.compile(b"13:unknown_value|8:no_value")  # as ``node_key`` writes a kind


def open_source(graph: Graph) -> Source:
    """The source of a graph."""
    members = list(graph.graphs.values()) if isinstance(graph, UnionGraph) else [graph]
    if all(isinstance(member, LocalGraph) for member in members):
        return ArraySource(graph)
    return AskedSource(graph)


class Source:
    """Base: the numbers beyond the arrays.

    Attributes:
        graphs: the names of the graphs, in the order in which programs name them.
        batched: whether many reads at once are much cheaper than one after another.
    """

    batched = False

    def __init__(self, graph: Graph, n_nodes: int = 0, n_statements: int = 0) -> None:
        self.graph = graph
        self.graphs = tuple(graph.graphs) if isinstance(graph, UnionGraph) else (graph.name,)
        self._n, self._m = n_nodes, n_statements
        self._nodes: list[Node] = []
        self._number: dict[str, int] = {}
        self._statements: list[Statement] = []
        self._plain_labels: dict[str, str | None] = {}
        self._row: dict[tuple[int, str, str], int] = {}

    def number(self, node: Node) -> int:
        """The number of a node; a new one where it has none."""
        key = node_key(node)
        found = self._number.get(key)
        if found is None:
            found = self._known(key)
            if found is None:
                found = self._n + len(self._nodes)
                self._nodes.append(node)
            self._number[key] = found
        elif found >= self._n and isinstance(node, Entity) and node.label and self._nodes[found - self._n] != node:
            known = self._nodes[found - self._n]
            if isinstance(known, Entity) and not known.label:
                self._nodes[found - self._n] = node
        return found

    def numbers(self, nodes: Iterable[Node]) -> Numbers:
        """The distinct numbers of nodes, ascending."""
        return np.unique(np.array([self.number(node) for node in nodes], dtype=np.int64))

    def _known(self, key: str) -> int | None:
        return None

    def nodes(self, numbers: Numbers) -> list[Node]:
        """The nodes of numbers, with labels."""
        return [self._nodes[number - self._n] for number in numbers.tolist()]

    def statements(self, rows: Numbers) -> list[Statement]:
        """The statements of numbers, with labels."""
        return [self._statements[row - self._m] for row in rows.tolist()]

    def edges(self, nodes: Numbers, relations: Sequence[str], direction: Direction, graph: int | None = None) -> Edges:
        """All statements of any of these relations at any of these nodes.

        Args:
            nodes: distinct.
            graph: only of the graph at this place.

        Raises:
            InputError: there is no such graph.
        """
        if graph is not None and graph >= len(self.graphs):
            raise InputError(f"there is no graph {graph}: the graphs are {', '.join(self.graphs)}")
        others = [one for one in relations if one not in _NAMES]
        found = self._edges(nodes, others, direction, graph) if others else Edges(_NOTHING, _NOTHING, _NOTHING)
        names = [one for one in relations if one in _NAMES]
        return _joined(found, self._names(nodes, names, direction, graph)) if names else found

    @abstractmethod
    def _edges(self, nodes: Numbers, relations: Sequence[str], direction: Direction, graph: int | None) -> Edges:
        """The same of relations that are not of names."""

    def preferred(self, rows: Numbers) -> NDArray[np.bool_]:
        """Which statements are of preferred rank."""
        return np.array([one.rank == "preferred" for one in self.statements(rows)], dtype=np.bool_)

    def qualifiers(self, rows: Numbers, relations: Sequence[str] | None = None) -> tuple[Numbers, Numbers]:
        """The qualifiers (of any of these relations; None: all) of statements: the place in ``rows``, the value."""
        pairs = [
            (place, self.number(qualifier.value))
            for place, statement in enumerate(self.statements(rows))
            for qualifier in statement.qualifiers
            if relations is None or qualifier.relation.id in relations
        ]
        found = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return found[:, 0], found[:, 1]

    def special(self, numbers: Numbers) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which nodes are *unknown value*, and which *no value*."""
        kinds = [node.kind if isinstance(node, Literal) else "" for node in self.nodes(numbers)]
        return tuple(np.array([one == kind for one in kinds], dtype=np.bool_) for kind in ("unknown_value", "no_value"))  # type: ignore[return-value]

    def compared(self, numbers: Numbers) -> list[Node]:
        """The nodes of numbers as comparisons take them: an entity with the label of the first graph that has one."""
        nodes = self.nodes(numbers)
        plain = self._plain_labels
        for at, node in enumerate(nodes):
            if isinstance(node, Entity):
                if node.id not in plain:
                    plain[node.id] = self._label(node.id)
                nodes[at] = Entity(node.id, plain[node.id])
        return nodes

    def _label(self, one: str) -> str | None:
        for place in range(len(self.graphs)):
            if told := self._ranges.range(place, "out", one, LABEL):
                return str(told[0][2]["value"])
        return None

    def labelled(self, numbers: Numbers) -> NDArray[np.bool_]:
        """Which nodes have a label, or are literals."""
        nodes = self.nodes(numbers)
        suspects = [
            node.id
            for node in nodes
            if isinstance(node, Entity)
            and (node.label is None or is_machine_id(node.id) or is_machine_label(node.label))
        ]
        infos = zip(suspects, self.graph.describe(suspects), strict=True) if suspects else ()
        nameless = {one for one, info in infos if info is None or is_nameless(one, info.entity.label)}
        return np.array([not (isinstance(node, Entity) and node.id in nameless) for node in nodes], dtype=np.bool_)

    def _names(self, nodes: Numbers, relations: Sequence[str], direction: Direction, graph: int | None) -> Edges:
        """Statements of names: the label and the other names of entities, or whom a text is a name of."""
        edge: Edge = "out" if direction == "forward" else "in"
        graphs = range(len(self.graphs)) if graph is None else (graph,)
        rows: list[tuple[int, int, int]] = []
        for number, node in zip(nodes.tolist(), self.nodes(nodes), strict=True):
            if direction == "forward" and isinstance(node, Literal):
                continue
            for place, relation in product(graphs, relations):
                for told in self._ranges.range(place, edge, plain_node(node), relation):
                    end = Entity(told[0]) if direction == "backward" else node_of(told[2])
                    rows.append((number, self.number(end), self._named(place, told)))
        origin, end_, row = np.array(rows, dtype=np.int64).reshape(-1, 3).T
        return Edges(origin, end_, row)

    @cached_property
    def _ranges(self) -> GraphRanges:
        return GraphRanges(self.graph)

    def _named(self, graph: int, told: Sequence[Any]) -> int:
        """The number of a statement of a name."""
        key = (graph, told[0], told[1] + told[2]["value"])
        if key not in self._row:
            subject = self.nodes(np.array([self.number(Entity(told[0]))]))[0]
            assert isinstance(subject, Entity)  # noqa: S101  (ids are of entities)
            name = self.graphs[graph] if len(self.graphs) > 1 else None
            literal = node_of(told[2])
            self._row[key] = self._m + len(self._statements)
            self._statements.append(Statement(subject, Relation(told[1]), literal, graph=name))
        return self._row[key]


def _joined(first: Edges, second: Edges) -> Edges:
    return Edges(
        np.concatenate([first.origin, second.origin]),
        np.concatenate([first.end, second.end]),
        np.concatenate([first.row, second.row]),
    )


_SPECIALS: WeakKeyDictionary[Subgraph, tuple[Numbers, Numbers]] = WeakKeyDictionary()


class ArraySource(Source):
    """The arrays of a graph on this machine, or of a union of such graphs."""

    def __init__(self, graph: Graph) -> None:
        self._subgraph = graph.subgraph((), 0)
        self._tables = self._subgraph.tables
        super().__init__(graph, self._tables.n_nodes, self._tables.n_statements)
        self._relation = {relation.id: number for number, relation in enumerate(self._tables.relations)}

    @cached_property
    def _relation_nodes(self) -> Numbers:
        """The relations that statements speak of as well; their names name them as relations."""
        found = self._tables.find_many(list(self._relation))
        return found[found >= 0]

    def _known(self, key: str) -> int | None:
        return self._tables.find(key)

    def nodes(self, numbers: Numbers) -> list[Node]:
        """The nodes of numbers, with labels."""
        return _mixed(numbers, self._n, self._tables.nodes, super().nodes)

    def statements(self, rows: Numbers) -> list[Statement]:
        """The statements of numbers, with labels."""
        return _mixed(rows, self._m, self._tables.statements, super().statements)

    def _edges(self, nodes: Numbers, relations: Sequence[str], direction: Direction, graph: int | None) -> Edges:
        known = [self._relation[one] for one in relations if one in self._relation]
        csr = self._subgraph.outgoing if direction == "forward" else self._subgraph.incoming
        inside = nodes[nodes < self._n]
        if not known or not len(inside):
            return Edges(_NOTHING, _NOTHING, _NOTHING)
        places, owner = over(csr, inside, np.unique(np.array(known, dtype=np.int32)))
        rows = csr.statement[places].astype(np.int64)
        found = Edges(inside[owner], csr.neighbour[places].astype(np.int64), rows)
        if graph is None or len(self.graphs) == 1:
            return found
        names, wanted = self._tables.graph_names, self.graphs[graph]
        if self._tables.graph is None:  # all statements are of one graph
            return found.where(np.full(len(rows), wanted in names))
        return found.where(self._tables.graph[rows] == (names.index(wanted) if wanted in names else -1))

    def compared(self, numbers: Numbers) -> list[Node]:
        """The nodes of numbers as comparisons take them: an entity with the label of the first graph that has one."""
        if len(self.graphs) > 1 or (numbers >= self._n).any():
            return super().compared(numbers)
        nodes = self.nodes(numbers)
        machine = self._tables.machine[numbers]
        if machine.any():
            mine = iter(super().compared(numbers[machine]))
            nodes = [next(mine) if one else node for one, node in zip(machine.tolist(), nodes, strict=True)]
        return nodes

    def preferred(self, rows: Numbers) -> NDArray[np.bool_]:
        """Which statements are of preferred rank."""
        found = np.zeros(len(rows), dtype=np.bool_)
        inside = rows < self._m
        found[inside] = self._tables.rank[rows[inside]] == 1
        return found

    def qualifiers(self, rows: Numbers, relations: Sequence[str] | None = None) -> tuple[Numbers, Numbers]:
        """The qualifiers (of any of these relations; None: all) of statements: the place in ``rows``, the value."""
        inside = np.flatnonzero(rows < self._m)
        starts = self._tables.qualifier_start
        counts = starts[rows[inside] + 1] - starts[rows[inside]]
        if not counts.any():
            return _NOTHING, _NOTHING
        at, owner = gather(starts, rows[inside]), np.repeat(inside, counts)
        if relations is not None:
            wanted = [self._relation[one] for one in relations if one in self._relation]
            kept = np.isin(self._tables.qualifier_relation[at], wanted)
            at, owner = at[kept], owner[kept]
        return owner, self._tables.qualifier_value[at].astype(np.int64)

    def special(self, numbers: Numbers) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which nodes are *unknown value*, and which *no value*."""
        unknown, none = self._specials()
        beyond = numbers >= self._n
        if not len(unknown) and not len(none) and not beyond.any():
            return np.zeros(len(numbers), dtype=np.bool_), np.zeros(len(numbers), dtype=np.bool_)
        found = np.isin(numbers, unknown), np.isin(numbers, none)
        if beyond.any():
            more = super().special(numbers[beyond])
            found[0][beyond], found[1][beyond] = more
        return found

    def _specials(self) -> tuple[Numbers, Numbers]:
        if self._subgraph not in _SPECIALS:
            keys, first = self._tables.keys, self._tables.n_entities
            begin = int(keys.offsets[first]) if len(keys) > first else 0
            blob = keys.blob[begin:].data if len(keys) > first else b""
            at = np.array([match.start() + begin for match in _SPECIAL.finditer(blob)], dtype=np.int64)
            suspects = np.unique(np.searchsorted(keys.offsets, at, side="right") - 1)
            kinds = [getattr(node, "kind", "") for node in self._tables.nodes(suspects)]
            _SPECIALS[self._subgraph] = tuple(  # type: ignore[assignment]
                suspects[[one == kind for one in kinds]] if len(suspects) else _NOTHING
                for kind in ("unknown_value", "no_value")
            )
        return _SPECIALS[self._subgraph]

    def labelled(self, numbers: Numbers) -> NDArray[np.bool_]:
        """Which nodes have a label, or are literals."""
        found = np.ones(len(numbers), dtype=np.bool_)
        inside = numbers < self._n
        found[inside] = ~self._tables.machine[numbers[inside]] | np.isin(numbers[inside], self._relation_nodes)
        if not inside.all():
            found[~inside] = super().labelled(numbers[~inside])
        return found


def _mixed(
    numbers: Numbers, n: int, inside: Callable[[Numbers], list[T]], beyond: Callable[[Numbers], list[T]]
) -> list[T]:
    """What arrays have by their numbers, and the rest by theirs."""
    base = numbers < n
    if base.all():
        return inside(numbers)
    if not base.any():
        return beyond(numbers)
    mine, others = iter(inside(numbers[base])), iter(beyond(numbers[~base]))
    return [next(mine) if one else next(others) for one in base.tolist()]


class AskedSource(Source):
    """A graph that is asked; each range once."""

    batched = True

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self._asked: dict[tuple[int, str, Direction], tuple[list[int], list[int]]] = {}
        self._statement: dict[str, int] = {}

    def _edges(self, nodes: Numbers, relations: Sequence[str], direction: Direction, graph: int | None) -> Edges:
        missing = [
            (number, node)
            for number, node in zip(nodes.tolist(), self.nodes(nodes), strict=True)
            if any((number, one, direction) not in self._asked for one in relations)
        ]
        if entities := [(number, node.id) for number, node in missing if isinstance(node, Entity)]:
            self._ask(entities, relations, direction)
        for number, node in missing if direction == "backward" else ():
            if isinstance(node, Literal):
                self._ask_of_literal(number, node, relations)
        origin, end, row = list[int](), list[int](), list[int]()
        for number in nodes.tolist():
            for relation in dict.fromkeys(relations):
                ends, rows = self._asked.get((number, relation, direction), ((), ()))
                origin.extend([number] * len(ends))
                end.extend(ends)
                row.extend(rows)
        found = Edges(*(np.array(column, dtype=np.int64) for column in (origin, end, row)))
        if graph is None or len(self.graphs) == 1:
            return found
        name = self.graphs[graph]
        return found.where(np.array([one.graph == name for one in self.statements(found.row)], dtype=np.bool_))

    def _ask(self, missing: Sequence[tuple[int, str]], relations: Sequence[str], direction: Direction) -> None:
        side: Side = "outgoing" if direction == "forward" else "incoming"
        found = self.graph.statements([one for _, one in missing], side=side, relations=list(relations))
        for (number, _), statements in zip(missing, found, strict=True):
            self._keep(number, statements, relations, direction)

    def _ask_of_literal(self, number: int, literal: Literal, relations: Sequence[str]) -> None:
        """The statements whose object is a literal, of the entities that have one."""
        plain = plain_node(literal)
        found = [self._ranges.range(place, "in", plain, one) for place in range(len(self.graphs)) for one in relations]
        subjects = list(dict.fromkeys(statement[0] for some in found for statement in some))
        asked = self.graph.statements(subjects, side="outgoing", relations=list(relations)) if subjects else []
        wanted = node_key(literal)
        mine = [one for some in asked for one in some if node_key(one.object) == wanted]
        self._keep(number, mine, relations, "backward")

    def _keep(
        self, number: int, statements: Iterable[Statement], relations: Sequence[str], direction: Direction
    ) -> None:
        for relation in relations:
            self._asked[number, relation, direction] = [], []
        for statement in statements:
            if statement.id not in self._statement:
                self._statement[statement.id] = len(self._statements)
                self._statements.append(statement)
            ends, rows = self._asked[number, statement.relation.id, direction]
            ends.append(self.number(statement.object if direction == "forward" else statement.subject))
            rows.append(self._statement[statement.id])
