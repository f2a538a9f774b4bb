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
from typing import Any, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from toulmin.errors import InputError
from toulmin.graph.csr import gather, over
from toulmin.graph.labels import is_machine_id, is_machine_label, is_nameless
from toulmin.graph.local import LocalGraph
from toulmin.graph.merkle import ALIAS, LABEL, Edge
from toulmin.graph.protocol import Graph, Side
from toulmin.graph.ranges import node_of, plain_node
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Direction, Entity, Literal, Node, Relation, Statement, node_key
from toulmin.graph.union import UnionGraph
from toulmin.program.ranges import GraphRanges

__all__ = ["NOTHING", "ArraySource", "AskedSource", "Edges", "GraphSource", "Numbers", "open_source"]

Numbers = NDArray[np.int64]

_NAMES = (LABEL, ALIAS)
NOTHING = np.empty(0, dtype=np.int64)


class Edges(NamedTuple):
    """Statements that were followed, aligned: the node each was followed from, the one it leads to, its number."""

    origin: Numbers
    end: Numbers
    row: Numbers

    @classmethod
    def of(cls, rows: Sequence[tuple[int, int, int]]) -> Edges:
        """From origin, end and number of each."""
        return cls(*np.array(rows, dtype=np.int64).reshape(-1, 3).T)

    def at(self, places: Numbers | NDArray[np.bool_] | slice) -> Edges:
        """Some of them, in the order of the places."""
        return Edges(self.origin[places], self.end[places], self.row[places])

    def where(self, mask: NDArray[np.bool_]) -> Edges:
        """Some of them."""
        return self if mask.all() else self.at(mask)


class GraphSource:
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
        self._compared: dict[int, Node] = {}
        self._row: dict[tuple[int, str, str], int] = {}

    def number(self, node: Node) -> int:
        """The number of a node; a new one where it has none."""
        key = node_key(node)
        number = self._number.get(key)
        if number is None:
            number = self._known(key)
            if number is None:
                number = self._n + len(self._nodes)
                self._nodes.append(node)
            self._number[key] = number
        elif number >= self._n and isinstance(node, Entity) and node.label and self._nodes[number - self._n] != node:
            entity = self._nodes[number - self._n]
            if isinstance(entity, Entity) and not entity.label:
                self._nodes[number - self._n] = node
        return number

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
        stated = [relation for relation in relations if relation not in _NAMES]
        edges = self._edges(nodes, stated, direction, graph) if stated else Edges(NOTHING, NOTHING, NOTHING)
        names = [relation for relation in relations if relation in _NAMES]
        if not names:
            return edges
        of_names = self._names(nodes, names, direction, graph)
        return Edges(*(np.concatenate(columns) for columns in zip(edges, of_names, strict=True)))

    @abstractmethod
    def _edges(self, nodes: Numbers, relations: Sequence[str], direction: Direction, graph: int | None) -> Edges:
        """The same of relations that are not of names."""

    def preferred(self, rows: Numbers) -> NDArray[np.bool_]:
        """Which statements are of preferred rank."""
        return np.array([statement.rank == "preferred" for statement in self.statements(rows)], dtype=np.bool_)

    def qualifiers(self, rows: Numbers, relations: Sequence[str] | None = None) -> tuple[Numbers, Numbers]:
        """The qualifiers (of any of these relations; None: all) of statements: the place in ``rows``, the value."""
        pairs = [
            (place, self.number(qualifier.value))
            for place, statement in enumerate(self.statements(rows))
            for qualifier in statement.qualifiers
            if relations is None or qualifier.relation.id in relations
        ]
        columns = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return columns[:, 0], columns[:, 1]

    def special(self, numbers: Numbers) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which nodes are *unknown value*, and which *no value*."""
        kinds = [node.kind if isinstance(node, Literal) else "" for node in self.nodes(numbers)]
        return tuple(
            np.array([node_kind == kind for node_kind in kinds], dtype=np.bool_)
            for kind in ("unknown_value", "no_value")
        )  # type: ignore[return-value]

    def compared(self, numbers: Numbers) -> list[Node]:
        """The nodes of numbers as comparisons take them: an entity with the label of the first graph that has one."""
        distinct = numbers.tolist()
        missing = [number for number in distinct if number not in self._compared]
        if missing:
            self._compared.update(zip(missing, self._as_compared(np.array(missing, dtype=np.int64)), strict=True))
        return [self._compared[number] for number in distinct]

    def _as_compared(self, numbers: Numbers) -> list[Node]:
        nodes = self.nodes(numbers)
        return [Entity(node.id, self._label(node.id)) if isinstance(node, Entity) else node for node in nodes]

    def _label(self, id_: str) -> str | None:
        for place in range(len(self.graphs)):
            if labels := self._ranges.range(place, "out", id_, LABEL):
                return str(labels[0][2]["value"])
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
        nameless = {id_ for id_, info in infos if info is None or is_nameless(id_, info.entity.label)}
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
                for statement in self._ranges.range(place, edge, plain_node(node), relation):
                    end = Entity(statement[0]) if direction == "backward" else node_of(statement[2])
                    rows.append((number, self.number(end), self._named(place, statement)))
        return Edges.of(rows)

    @cached_property
    def _ranges(self) -> GraphRanges:
        return GraphRanges(self.graph)

    def _named(self, graph: int, statement: Sequence[Any]) -> int:
        """The number of a statement of a name."""
        key = (graph, statement[0], statement[1] + statement[2]["value"])
        if key not in self._row:
            subject = self.nodes(np.array([self.number(Entity(statement[0]))]))[0]
            assert isinstance(subject, Entity)  # noqa: S101  (ids are of entities)
            name = self.graphs[graph] if len(self.graphs) > 1 else None
            literal = node_of(statement[2])
            self._row[key] = self._m + len(self._statements)
            self._statements.append(Statement(subject, Relation(statement[1]), literal, graph=name))
        return self._row[key]


class AskedSource(GraphSource):
    """A graph that is asked; each range once."""

    batched = True

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self._asked: dict[tuple[int, str, Direction], list[tuple[int, int]]] = {}  # where it leads, and by what
        self._statement: dict[str, int] = {}

    def _edges(self, nodes: Numbers, relations: Sequence[str], direction: Direction, graph: int | None) -> Edges:
        missing = [
            (number, node)
            for number, node in zip(nodes.tolist(), self.nodes(nodes), strict=True)
            if any((number, relation, direction) not in self._asked for relation in relations)
        ]
        side: Side = "outgoing" if direction == "forward" else "incoming"
        if entities := [(number, node.id) for number, node in missing if isinstance(node, Entity)]:
            answered = self.graph.statements([id_ for _, id_ in entities], side=side, relations=list(relations))
            for (number, _), statements in zip(entities, answered, strict=True):
                self._keep(number, statements, relations, direction)
        for number, node in missing if direction == "backward" else ():
            if isinstance(node, Literal):
                self._ask_of_literal(number, node, relations)
        edges = Edges.of(
            [
                (number, end, row)
                for number, relation in product(nodes.tolist(), dict.fromkeys(relations))
                for end, row in self._asked.get((number, relation, direction), ())
            ]
        )
        if graph is None or len(self.graphs) == 1:
            return edges
        name = self.graphs[graph]
        return edges.where(
            np.array([statement.graph == name for statement in self.statements(edges.row)], dtype=np.bool_)
        )

    def _ask_of_literal(self, number: int, literal: Literal, relations: Sequence[str]) -> None:
        """The statements whose object is a literal, of the entities that have one."""
        plain = plain_node(literal)
        ranges = [
            self._ranges.range(place, "in", plain, relation)
            for place in range(len(self.graphs))
            for relation in relations
        ]
        subjects = list(dict.fromkeys(statement[0] for range_ in ranges for statement in range_))
        answered = self.graph.statements(subjects, side="outgoing", relations=list(relations)) if subjects else []
        key = node_key(literal)
        matching = [statement for group in answered for statement in group if node_key(statement.object) == key]
        self._keep(number, matching, relations, "backward")

    def _keep(
        self, number: int, statements: Iterable[Statement], relations: Sequence[str], direction: Direction
    ) -> None:
        for relation in relations:
            self._asked[number, relation, direction] = []
        for statement in statements:
            if statement.id not in self._statement:
                self._statement[statement.id] = len(self._statements)
                self._statements.append(statement)
            end = self.number(statement.object if direction == "forward" else statement.subject)
            self._asked[number, statement.relation.id, direction].append((end, self._statement[statement.id]))


_SPECIAL = re.compile(b"13:unknown_value|8:no_value")  # as ``node_key`` writes a kind

T = TypeVar("T")


def open_source(graph: Graph) -> GraphSource:
    """The source of a graph."""
    members = list(graph.graphs.values()) if isinstance(graph, UnionGraph) else [graph]
    if all(isinstance(member, LocalGraph) for member in members):
        return ArraySource(graph)
    return AskedSource(graph)


# What is looked up once for each graph, however many programs there are over it.
_SPECIALS: WeakKeyDictionary[Subgraph, tuple[Numbers, Numbers]] = WeakKeyDictionary()


class ArraySource(GraphSource):
    """The arrays of a graph on this machine, or of a union of such graphs."""

    def __init__(self, graph: Graph) -> None:
        self._subgraph = graph.subgraph((), 0)
        self._tables = self._subgraph.tables
        super().__init__(graph, self._tables.n_nodes, self._tables.n_statements)
        self._relation = self._subgraph.relation_number

    @cached_property
    def _relation_nodes(self) -> Numbers:
        """The relations that statements speak of as well; their names name them as relations."""
        numbers = self._tables.find_many(list(self._relation))
        return numbers[numbers >= 0]

    def _known(self, key: str) -> int | None:
        return self._tables.find(key)

    def nodes(self, numbers: Numbers) -> list[Node]:
        """The nodes of numbers, with labels."""
        return _mixed(numbers, self._n, self._tables.nodes, super().nodes)

    def statements(self, rows: Numbers) -> list[Statement]:
        """The statements of numbers, with labels."""
        return _mixed(rows, self._m, self._tables.statements, super().statements)

    def _edges(self, nodes: Numbers, relations: Sequence[str], direction: Direction, graph: int | None) -> Edges:
        present = [self._relation[relation] for relation in relations if relation in self._relation]
        csr = self._subgraph.outgoing if direction == "forward" else self._subgraph.incoming
        inside = nodes[nodes < self._n]
        if not present or not len(inside):
            return Edges(NOTHING, NOTHING, NOTHING)
        places, owner = over(csr, inside, np.unique(np.array(present, dtype=np.int32)))
        rows = csr.statement[places].astype(np.int64)
        edges = Edges(inside[owner], csr.neighbour[places].astype(np.int64), rows)
        if graph is None or len(self.graphs) == 1:
            return edges
        names, name = self._tables.graph_names, self.graphs[graph]
        if self._tables.graph is None:  # all statements are of one graph
            return edges.where(np.full(len(rows), name in names))
        return edges.where(self._tables.graph[rows] == (names.index(name) if name in names else -1))

    def _as_compared(self, numbers: Numbers) -> list[Node]:
        if len(self.graphs) > 1 or (numbers >= self._n).any():
            return super()._as_compared(numbers)
        nodes = self.nodes(numbers)
        machine = self._tables.machine[numbers]
        for at in np.flatnonzero(machine).tolist():
            nodes[at] = super()._as_compared(numbers[at : at + 1])[0]
        return nodes

    def preferred(self, rows: Numbers) -> NDArray[np.bool_]:
        """Which statements are of preferred rank."""
        preferred = np.zeros(len(rows), dtype=np.bool_)
        inside = rows < self._m
        preferred[inside] = self._tables.rank[rows[inside]] == 1
        return preferred

    def qualifiers(self, rows: Numbers, relations: Sequence[str] | None = None) -> tuple[Numbers, Numbers]:
        """The qualifiers (of any of these relations; None: all) of statements: the place in ``rows``, the value."""
        inside = np.flatnonzero(rows < self._m)
        starts = self._tables.qualifier_start
        counts = starts[rows[inside] + 1] - starts[rows[inside]]
        if not counts.any():
            return NOTHING, NOTHING
        at, owner = gather(starts, rows[inside]), np.repeat(inside, counts)
        if relations is not None:
            numbers = [self._relation[relation] for relation in relations if relation in self._relation]
            chosen = np.isin(self._tables.qualifier_relation[at], numbers)
            at, owner = at[chosen], owner[chosen]
        return owner, self._tables.qualifier_value[at].astype(np.int64)

    def special(self, numbers: Numbers) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which nodes are *unknown value*, and which *no value*."""
        unknown, none = self._specials()
        beyond = numbers >= self._n
        if not len(unknown) and not len(none) and not beyond.any():
            return np.zeros(len(numbers), dtype=np.bool_), np.zeros(len(numbers), dtype=np.bool_)
        masks = np.isin(numbers, unknown), np.isin(numbers, none)
        if beyond.any():
            more = super().special(numbers[beyond])
            masks[0][beyond], masks[1][beyond] = more
        return masks

    def _specials(self) -> tuple[Numbers, Numbers]:
        if self._subgraph not in _SPECIALS:
            keys, first = self._tables.keys, self._tables.n_entities
            begin = int(keys.offsets[first]) if len(keys) > first else 0
            blob = keys.blob[begin:].data if len(keys) > first else b""
            at = np.array([match.start() + begin for match in _SPECIAL.finditer(blob)], dtype=np.int64)
            suspects = np.unique(np.searchsorted(keys.offsets, at, side="right") - 1)
            unknown, none = super().special(suspects)
            _SPECIALS[self._subgraph] = suspects[unknown], suspects[none]
        return _SPECIALS[self._subgraph]

    def labelled(self, numbers: Numbers) -> NDArray[np.bool_]:
        """Which nodes have a label, or are literals."""
        labelled = np.ones(len(numbers), dtype=np.bool_)
        inside = numbers < self._n
        labelled[inside] = ~self._tables.machine[numbers[inside]] | np.isin(numbers[inside], self._relation_nodes)
        if not inside.all():
            labelled[~inside] = super().labelled(numbers[~inside])
        return labelled


def _mixed(
    numbers: Numbers, n: int, inside: Callable[[Numbers], list[T]], beyond: Callable[[Numbers], list[T]]
) -> list[T]:
    """What arrays have by their numbers, and the rest by theirs."""
    base = numbers < n
    if base.all():
        return inside(numbers)
    if not base.any():
        return beyond(numbers)
    first, further = iter(inside(numbers[base])), iter(beyond(numbers[~base]))
    return [next(first) if is_inside else next(further) for is_inside in base.tolist()]
