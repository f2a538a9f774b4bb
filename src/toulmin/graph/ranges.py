"""Ranges of statements and names, and proofs that they are all there are (docs/certificate.md, "Evidence")."""

from __future__ import annotations

from base64 import b64encode
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from toulmin.errors import GraphError, InputError
from toulmin.graph.csr import gather
from toulmin.graph.label_index import LabelIndex, NameRow
from toulmin.graph.merkle import CHUNK, EDGES, HASH, NAMING, Edge, MerkleTree, Trees, fold, leaf_hash, node_hash
from toulmin.graph.tables import RANKS, Tables, canonical, literal_from_key
from toulmin.graph.types import Entity, Literal, Node, Statement, canonical_key, node_key, statement_digest

__all__ = ["Asked", "PlainNode", "Range", "Ranges", "node_of", "plain_node", "plain_statement"]

#: A node as certificates write it: the id of an entity, or the fields of a literal.
PlainNode = str | Mapping[str, str]

#: A range: which end of the statements, the node there, and their relation (None: any).
Asked = tuple[Edge, PlainNode, str | None]

_FIELDS = ("value", "kind", "unit", "precision", "lang", "calendar")


class Range(NamedTuple):
    """The place of the first statement (or where it would be), and the statements as certificates write them."""

    at: int
    statements: list[list[Any]]


def plain_node(node: Node) -> str | dict[str, str]:
    """A node as certificates write it."""
    if isinstance(node, Entity):
        return node.id
    return {name: value for name in _FIELDS if (value := getattr(node, name)) is not None}


def node_of(plain: PlainNode) -> Node:
    """The node that a certificate writes so.

    Raises:
        InputError: it is none.
    """
    if isinstance(plain, str):
        return Entity(plain)
    if not {"value", "kind"} <= set(plain) <= set(_FIELDS):
        raise InputError(f"a literal has a value and a kind, and at most {', '.join(_FIELDS[2:])}: {dict(plain)}")
    return Literal(**plain)  # type: ignore[arg-type]


def plain_statement(statement: Statement) -> list[Any]:
    """A statement as certificates write it; qualifiers in canonical order."""
    ordered = sorted(statement.qualifiers, key=lambda q: (q.relation.id, canonical_key(q.value)))
    qualifiers = [[q.relation.id, plain_node(q.value)] for q in ordered]
    return [statement.subject.id, statement.relation.id, plain_node(statement.object), qualifiers, statement.rank]


class _Leaf(NamedTuple):
    """A statement by keys: ``node_key`` of the object and of each qualifier's value."""

    subject: str
    relation: str
    object: str
    qualifiers: list[tuple[str, str]]
    rank: str

    def place(self, edge: Edge) -> tuple[str, str]:
        """What it is sorted by, before its digest."""
        return (self.subject if edge == "out" else canonical(self.object)), self.relation

    def digest(self) -> bytes:
        """Its digest."""
        qualifiers = [(relation, canonical(value)) for relation, value in self.qualifiers]
        return statement_digest(self.subject, self.relation, canonical(self.object), qualifiers, self.rank)

    def plain(self) -> list[Any]:
        """As certificates write it."""
        ordered = sorted(self.qualifiers, key=lambda pair: (pair[0], canonical(pair[1])))
        qualifiers = [[relation, _plain(value)] for relation, value in ordered]
        return [self.subject, self.relation, _plain(self.object), qualifiers, self.rank]


def _plain(key: str) -> str | dict[str, str]:
    return plain_node(literal_from_key(key)) if key[0] == "\x1f" else key


class Ranges:
    """The leaves of a graph's Merkle trees, found by binary search.

    Args:
        index: holds the names, numbered as the trees have them.
        name: of the graph, for messages.
    """

    def __init__(self, tables: Tables, index: LabelIndex, trees: Trees, name: str) -> None:
        self._tables, self._index, self._trees, self._name = tables, index, trees, name
        self._relation = [relation.id for relation in tables.relations]
        self._key = lru_cache(1 << 16)(self._key_at)  # searches meet the same leaves first

    @property
    def size(self) -> int:
        """How many statements, names among them."""
        return self._trees.size

    @property
    def root(self) -> str:
        """The root of the graph, 64 hexadecimal digits."""
        return self._trees.root

    def range(self, edge: Edge, node: PlainNode, relation: str | None) -> Range:
        """All statements and names at a node, in canonical order.

        Raises:
            InputError: no such edge, or no node.
            GraphError: the graph is damaged.
        """
        begin, end = self._find(edge, node, relation)
        return Range(begin, [leaf.plain() for leaf in self._leaves(self._tree(edge).order[begin:end].tolist())])

    def prove(self, asked: Iterable[Asked]) -> dict[str, Any]:
        """One element of a certificate's ``evidence``: these ranges, each once, with a proof for each order.

        Raises:
            InputError: no such edge, or no node.
            GraphError: the graph is damaged.
        """
        wanted = {(edge, node_key(node_of(node)), relation): node for edge, node, relation in asked}
        sides: dict[str, Any] = {}
        for edge in EDGES:
            ranges = [(node, relation) for (of, _, relation), node in wanted.items() if of == edge]
            sides[edge] = _Proof(self, edge, ranges).plain()
        return {"size": self.size, **sides}

    def _tree(self, edge: str) -> MerkleTree:
        if edge not in EDGES:
            raise InputError(f"no such side of a statement: {edge!r}; use out or in")
        return self._trees.out if edge == "out" else self._trees.into

    def _find(self, edge: Edge, node: PlainNode, relation: str | None) -> tuple[int, int]:
        """Where the range begins and ends."""
        places = range(len(self._tree(edge).order))
        parsed = node_of(node)
        first = parsed.id if isinstance(parsed, Entity) and edge == "out" else canonical_key(parsed)
        if relation is not None:
            wanted = first, relation
            begin = bisect_left(places, wanted, key=lambda place: self._key(edge, place))
            return begin, bisect_right(places, wanted, begin, key=lambda place: self._key(edge, place))
        begin = bisect_left(places, first, key=lambda place: self._key(edge, place)[0])
        return begin, bisect_right(places, first, begin, key=lambda place: self._key(edge, place)[0])

    def _key_at(self, edge: Edge, place: int) -> tuple[str, str]:
        number = int(self._tree(edge).order[place])
        tables = self._tables
        if number >= tables.n_statements:
            return self._leaves([number])[0].place(edge)
        if edge == "out":
            return tables.keys[int(tables.subject[number])], self._relation[tables.relation[number]]
        return canonical(tables.keys[int(tables.object[number])]), self._relation[tables.relation[number]]

    def _leaves(self, numbers: Sequence[int]) -> list[_Leaf]:
        """What stands at places of an order."""
        tables, n = self._tables, self._tables.n_statements
        rows = np.array([number for number in numbers if number < n], dtype=np.int64)
        names = self._index.rows([number - n for number in numbers if number >= n])
        ends = [tables.keys.many(column[rows]) for column in (tables.subject, tables.object)]
        counts = tables.qualifier_start[rows + 1] - tables.qualifier_start[rows]
        at = gather(tables.qualifier_start, rows)
        values = tables.keys.many(tables.qualifier_value[at])
        pairs = zip((self._relation[number] for number in tables.qualifier_relation[at].tolist()), values, strict=True)
        columns = (tables.relation[rows].tolist(), tables.rank[rows].tolist(), counts.tolist())
        facts = (
            _Leaf(subject, self._relation[relation], obj, list(islice(pairs, count)), RANKS[rank])
            for subject, obj, relation, rank, count in zip(*ends, *columns, strict=True)
        )
        named = map(self._named, names)
        return [next(facts) if number < n else next(named) for number in numbers]

    def _named(self, name: NameRow) -> _Leaf:
        owner = self._tables.keys[name.owner] if name.owner >= 0 else self._relation[-1 - name.owner]
        return _Leaf(owner, NAMING[name.kind], node_key(Literal(name.form)), [], "normal")


class _Proof:
    """A proof of ranges in one order."""

    def __init__(self, graph: Ranges, edge: Edge, ranges: Sequence[tuple[PlainNode, str | None]]) -> None:
        self._edge: Edge = edge
        self._tree, self._size, self._name = graph._tree(edge), graph.size, graph._name
        spans = [graph._find(edge, node, relation) for node, relation in ranges]
        known = {place for begin, end in spans for place in range(max(begin - 1, 0), min(end + 1, self._size))}
        self._known = sorted(known)
        chunks = sorted({place // CHUNK for place in known})
        places = [p for chunk in chunks for p in range(chunk * CHUNK, min((chunk + 1) * CHUNK, self._size))]
        leaves = graph._leaves(self._tree.order[np.array(places, dtype=np.int64)].tolist())
        self._leaf = dict(zip(places, leaves, strict=True))
        self._digest = {place: leaf.digest() for place, leaf in self._leaf.items()}
        self._hash = {place: leaf_hash(edge, *self._leaf[place].place(edge), self._digest[place]) for place in places}
        self._hashes: list[bytes] = []
        self._ranges = [
            {
                "node": node if isinstance(node, str) else dict(node),
                "relation": relation,
                "at": begin,
                "statements": [self._leaf[place].plain() for place in range(begin, end)],
                "before": self._end(begin - 1),
                "after": self._end(end),
            }
            for (node, relation), (begin, end) in zip(ranges, spans, strict=True)
        ]

    def plain(self) -> dict[str, Any]:
        """As certificates write it.

        Raises:
            GraphError: the leaves do not lead to the root.
        """
        if self._size and self._made(0, self._size, 0, len(self._known)) != self._tree.root:
            raise GraphError(f"{self._name}: the graph is damaged (its Merkle tree is another one's): build it again")
        hashes = b64encode(b"".join(self._hashes)).decode()
        return {"root": self._tree.root.hex(), "hashes": hashes, "ranges": self._ranges}

    def _end(self, place: int) -> list[str] | None:
        """The leaf beside a range."""
        if not 0 <= place < self._size:
            return None
        return [*self._leaf[place].place(self._edge), self._digest[place].hex()]

    def _made(self, begin: int, end: int, low: int, high: int) -> bytes:
        """The hash over the leaves from ``begin`` to ``end``, of which ``known[low:high]`` are known.

        What has none is noted for the proof.
        """
        if low == high:
            self._hashes.append(self._over(begin, end))
            return self._hashes[-1]
        if end - begin == 1:
            return self._hash[begin]
        middle = begin + (1 << (end - begin - 1).bit_length() - 1)
        cut = bisect_left(self._known, middle, low, high)
        return node_hash(self._made(begin, middle, low, cut), self._made(middle, end, cut, high))

    def _over(self, begin: int, end: int) -> bytes:
        if begin not in self._hash:
            return self._tree.hash(begin, end)
        level = b"".join([self._hash[place] for place in range(begin, end)])
        while len(level) > HASH:
            level = fold(level)
        return level
