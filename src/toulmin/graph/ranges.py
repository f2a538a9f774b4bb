"""Ranges of statements and names, and proofs that they are all there are (docs/certificate.md, "Evidence")."""

from __future__ import annotations

from base64 import b64encode
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from toulmin.errors import GraphError, InputError
from toulmin.graph.label_index import LabelIndex, NameRow
from toulmin.graph.merkle import CHUNK, EDGES, HASH, NAMING, Edge, MerkleTree, Trees, fold, leaf_hash, node_hash
from toulmin.graph.tables import Tables, canonical
from toulmin.graph.types import Entity, Literal, Node, Relation, Statement, canonical_key, node_key

__all__ = ["Asked", "PlainNode", "Ranges", "node_of", "plain_node", "plain_statement"]

#: A node as certificates write it: the id of an entity, or the fields of a literal.
PlainNode = str | Mapping[str, str]

#: A range: which end of the statements, the node there, and their relation (None: any).
Asked = tuple[Edge, PlainNode, str | None]

_FIELDS = ("value", "kind", "unit", "precision", "lang", "calendar")


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


def _place(statement: Statement, edge: Edge) -> tuple[str, str]:
    """What a statement is sorted by, before its digest."""
    return statement.subject.id if edge == "out" else canonical_key(statement.object), statement.relation.id


class Ranges:
    """The leaves of a graph's Merkle trees, found by binary search.

    Args:
        index: holds the names, numbered as the trees have them.
        name: of the graph, for messages.

    Attributes:
        size: how many statements, names among them.
        root: of the graph, 64 hexadecimal digits.
    """

    def __init__(self, tables: Tables, index: LabelIndex, trees: Trees, name: str) -> None:
        self._tables, self._index, self._trees, self._name = tables, index, trees, name
        self.size, self.root = trees.size, trees.root
        self._relation = [relation.id for relation in tables.relations]
        self._key = lru_cache(1 << 16)(self._key_at)  # searches meet the same leaves first

    def range(self, edge: Edge, node: PlainNode, relation: str | None) -> list[list[Any]]:
        """All statements and names at a node, as certificates write them, in canonical order.

        Raises:
            InputError: no such edge, or no node.
            GraphError: the graph is damaged.
        """
        begin, end = self._find(edge, node, relation)
        return list(map(plain_statement, self._leaves(self._tree(edge).order[begin:end].tolist())))

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
            sides[edge] = self._proof(edge, ranges)
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
        wanted: tuple[str, ...] = (first,) if relation is None else (first, relation)

        def key(place: int) -> tuple[str, ...]:
            return self._key(edge, place)[: len(wanted)]

        begin = bisect_left(places, wanted, key=key)
        return begin, bisect_right(places, wanted, begin, key=key)

    def _key_at(self, edge: Edge, place: int) -> tuple[str, str]:
        number = int(self._tree(edge).order[place])
        tables = self._tables
        if number >= tables.n_statements:
            return _place(self._leaves([number])[0], edge)
        if edge == "out":
            return tables.keys[int(tables.subject[number])], self._relation[tables.relation[number]]
        return canonical(tables.keys[int(tables.object[number])]), self._relation[tables.relation[number]]

    def _leaves(self, numbers: Sequence[int]) -> list[Statement]:
        """What stands at places of an order."""
        n = self._tables.n_statements
        names = self._index.rows([number - n for number in numbers if number >= n])
        rows = np.array([number for number in numbers if number < n], dtype=np.int64)
        try:
            facts = iter(self._tables.statements(rows))
        except ValueError as error:  # a text that is none, or the key of no literal
            raise GraphError(f"{self._name}: the graph is damaged ({error}): build it again") from None
        named = map(self._named, names)
        return [next(facts) if number < n else next(named) for number in numbers]

    def _named(self, name: NameRow) -> Statement:
        owner = self._tables.keys[name.owner] if name.owner >= 0 else self._relation[-1 - name.owner]
        return Statement(Entity(owner), Relation(NAMING[name.kind]), Literal(name.form))

    def _proof(self, edge: Edge, ranges: Sequence[tuple[PlainNode, str | None]]) -> dict[str, Any]:
        """A proof of ranges in one order, as certificates write it."""
        tree, size = self._tree(edge), self.size
        spans = [self._find(edge, node, relation) for node, relation in ranges]
        known = sorted({at for begin, end in spans for at in range(max(begin - 1, 0), min(end + 1, size))})
        chunks = sorted({place // CHUNK for place in known})
        places = [p for chunk in chunks for p in range(chunk * CHUNK, min((chunk + 1) * CHUNK, size))]
        leaves = self._leaves(tree.order[np.array(places, dtype=np.int64)].tolist())
        leaf = dict(zip(places, leaves, strict=True))
        hash_of = {at: leaf_hash(edge, *_place(one, edge), one.digest) for at, one in leaf.items()}
        hashes: list[bytes] = []  # over what is not known

        def beside(place: int) -> list[str] | None:
            return [*_place(leaf[place], edge), leaf[place].digest.hex()] if 0 <= place < size else None

        def made(begin: int, end: int, low: int, high: int) -> bytes:
            """The hash over the leaves from ``begin`` to ``end``, of which ``known[low:high]`` are known."""
            if low == high:
                hashes.append(_folded(hash_of, begin, end) if begin in hash_of else tree.hash(begin, end))
                return hashes[-1]
            if end - begin == 1:
                return hash_of[begin]
            middle = begin + (1 << (end - begin - 1).bit_length() - 1)
            cut = bisect_left(known, middle, low, high)
            return node_hash(made(begin, middle, low, cut), made(middle, end, cut, high))

        if size and made(0, size, 0, len(known)) != tree.root:
            raise GraphError(f"{self._name}: the graph is damaged (its Merkle tree is another one's): build it again")
        told = [
            {
                "node": node if isinstance(node, str) else dict(node),
                "relation": relation,
                "at": begin,
                "statements": [plain_statement(leaf[place]) for place in range(begin, end)],
                "before": beside(begin - 1),
                "after": beside(end),
            }
            for (node, relation), (begin, end) in zip(ranges, spans, strict=True)
        ]
        return {"root": tree.root.hex(), "hashes": b64encode(b"".join(hashes)).decode(), "ranges": told}


def _folded(hash_of: Mapping[int, bytes], begin: int, end: int) -> bytes:
    """The hash over the leaves from ``begin`` to ``end``, all of whose hashes are given."""
    level = b"".join([hash_of[place] for place in range(begin, end)])
    while len(level) > HASH:
        level = fold(level)
    return level
