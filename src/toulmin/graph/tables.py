"""A graph as arrays: the node table, the relation table, statements with qualifiers, adjacency, digests.

The same arrays serve a graph in memory and a built one, whose arrays are memory-mapped files.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from toulmin.graph.csr import Ints, gather
from toulmin.graph.types import Entity, Literal, LiteralKind, Node, Qualifier, Rank, Relation, Statement, encode

__all__ = [
    "RANKS",
    "Strings",
    "Tables",
    "canonical",
    "hash_keys",
    "literal_from_key",
]

RANKS: tuple[Rank, ...] = ("normal", "preferred")  # a rank's number is its place here


@dataclass(frozen=True, slots=True)
class Strings:
    """Texts end to end in UTF-8: text i is ``blob[offsets[i]:offsets[i+1]]``."""

    blob: NDArray[np.uint8]
    offsets: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Strings:
        """Lay out texts."""
        encoded = [text.encode() for text in texts]
        offsets = np.append(0, np.cumsum(np.fromiter(map(len, encoded), dtype=np.int64, count=len(encoded))))
        return cls(np.frombuffer(b"".join(encoded), dtype=np.uint8), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, number: int) -> str:
        return str(self.blob[self.offsets[number] : self.offsets[number + 1]].data, "utf-8")

    def many(self, numbers: NDArray[np.integer]) -> list[str]:
        """The texts of many numbers."""
        blob = self.blob.data
        starts, ends = self.offsets[numbers].tolist(), self.offsets[np.asarray(numbers, dtype=np.int64) + 1].tolist()
        return [str(blob[start:end], "utf-8") for start, end in zip(starts, ends, strict=True)]


def hash_keys(keys: Iterable[str]) -> NDArray[np.uint64]:
    """A 64-bit hash of each text, the same in every process; also of texts that no graph can hold."""
    hashed = b"".join([blake2b(key.encode(errors="surrogatepass"), digest_size=8).digest() for key in keys])
    return np.frombuffer(hashed, dtype="<u8").astype(np.uint64, copy=False)


def canonical(key: str) -> str:
    """The ``canonical_key`` of the node whose ``node_key`` this is, in a graph."""
    if key[0] == "\x1f":
        return key[1:]
    return f"1:e{len(key)}:{key}" if key.isascii() else encode("e", key)


def literal_from_key(key: str) -> Literal:
    """The literal whose ``node_key`` this is."""
    length, _, rest = key[4:].partition(":")  # after U+001F and "1:l"
    end = int(length)
    if not rest.isascii():
        end = len(rest.encode("utf-8", "surrogatepass")[:end].decode("utf-8", "surrogatepass"))
    return Literal(rest[:end], *_other_fields(rest[end:]))


@lru_cache(4096)
def _other_fields(encoded: str) -> tuple[LiteralKind, str | None, str | None, str | None, str | None]:
    """Kind, unit, precision, language and calendar."""
    left, fields = encoded.encode("utf-8", "surrogatepass"), list[str | None]()
    while left:
        length, _, left = left.partition(b":")
        field, left = left[: int(length)], left[int(length) :]
        fields.append(field.decode("utf-8", "surrogatepass") or None)
    return tuple(fields)  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class Tables:
    """All arrays of a graph.

    Nodes: entities first (0 … n_entities-1), then literals. Statements are sorted by (subject, relation, object), so
    that the outgoing edges of a node are one slice of them. Rank numbers index ``RANKS``.

    Attributes:
        keys: ``node_key`` of each node.
        labels: what people read for each entity (never empty).
        key_hash, key_node: ``hash_keys`` of the nodes, ascending, and whose they are.
        machine: bool[n_nodes].
        relations, relation_counts: most frequent first, with their number of statements (0: of qualifiers only).
        qualifier_start: int64[m+1] into ``qualifier_relation`` and ``qualifier_value`` (node numbers).
        out_start, in_start: int64[n_nodes+1].
        in_relation, in_subject, in_statement: edges sorted by (object, relation, subject).
        digest_high, digest_low, digest_statement: the first 16 bytes of the digests (those of statement ids) as two
            big-endian halves, ascending, and whose they are.
        graph, graph_names: of a union: which graph each statement is of.
    """

    keys: Strings
    labels: Strings
    key_hash: NDArray[np.uint64]
    key_node: Ints
    machine: NDArray[np.bool_]
    relations: tuple[Relation, ...]
    relation_counts: NDArray[np.int64]
    subject: Ints
    relation: Ints
    object: Ints
    rank: NDArray[np.uint8]
    qualifier_start: NDArray[np.int64]
    qualifier_relation: Ints
    qualifier_value: Ints
    out_start: NDArray[np.int64]
    in_start: NDArray[np.int64]
    in_relation: Ints
    in_subject: Ints
    in_statement: Ints
    digest_high: NDArray[np.uint64]
    digest_low: NDArray[np.uint64]
    digest_statement: Ints
    graph: Ints | None = None
    graph_names: tuple[str | None, ...] = (None,)

    @property
    def n_entities(self) -> int:
        """How many nodes are entities."""
        return len(self.labels)

    @property
    def n_nodes(self) -> int:
        """How many entities and literals."""
        return len(self.keys)

    @property
    def n_statements(self) -> int:
        """How many statements."""
        return len(self.subject)

    def find(self, key: str) -> int | None:
        """The number of the node with this ``node_key`` (an entity's id)."""
        hashed = hash_keys([key])
        first, end = (int(self.key_hash.searchsorted(hashed, side)[0]) for side in ("left", "right"))
        return next((number for number in self.key_node[first:end].tolist() if self.keys[number] == key), None)

    def find_many(self, keys: Sequence[str]) -> NDArray[np.int64]:
        """The number of the node with each ``node_key``, int64[len(keys)]; -1 where there is none."""
        numbers = np.full(len(keys), -1, dtype=np.int64)
        if not len(self.key_hash):
            return numbers
        hashed = hash_keys(keys)
        place = np.minimum(np.searchsorted(self.key_hash, hashed), len(self.key_hash) - 1)
        same = np.flatnonzero(self.key_hash[place] == hashed)
        candidates = self.key_node[place[same]]
        for at, number, key in zip(same.tolist(), candidates.tolist(), self.keys.many(candidates), strict=True):
            if key == keys[at]:
                numbers[at] = number
            elif (beside := self.find(keys[at])) is not None:  # another key has its hash too
                numbers[at] = beside
        return numbers

    def nodes(self, numbers: NDArray[np.integer]) -> list[Node]:
        """The entities (with labels) and literals of node numbers."""
        keys = self.keys.many(numbers)
        is_entity = numbers < self.n_entities
        if is_entity.all():
            return list(map(Entity, keys, self.labels.many(numbers)))
        labels = iter(self.labels.many(numbers[is_entity]))
        return [
            Entity(key, next(labels)) if entity else literal_from_key(key)
            for key, entity in zip(keys, is_entity.tolist(), strict=True)
        ]

    def texts(self, numbers: NDArray[np.integer]) -> list[str]:
        """What people read for each node."""
        return [
            (node.label or node.id) if isinstance(node, Entity) else self._literal_text(node)
            for node in self.nodes(numbers)
        ]

    def _literal_text(self, literal: Literal) -> str:
        """A literal's value, with the unit's label where it has one."""
        if literal.kind in ("unknown_value", "no_value"):
            return literal.kind.replace("_", " ")
        if not literal.unit:
            return literal.value
        number = self.find(literal.unit)
        return f"{literal.value} {literal.unit if number is None or number >= self.n_entities else self.labels[number]}"

    def statements(self, rows: NDArray[np.integer]) -> list[Statement]:
        """The statements of statement numbers, labels filled in."""
        subjects, objects = self.subject[rows], self.object[rows]
        starts = self.qualifier_start[rows]
        counts = self.qualifier_start[np.asarray(rows, dtype=np.int64) + 1] - starts
        places = gather(self.qualifier_start, rows) if counts.any() else np.empty(0, dtype=np.int64)
        values = self.qualifier_value[places]
        numbers = np.unique(np.concatenate([subjects, objects, values]))
        node = dict(zip(numbers.tolist(), self.nodes(numbers), strict=True))
        qualifiers: list[tuple[Qualifier, ...]] = [()] * len(rows)
        if len(places):
            stated = zip(self.qualifier_relation[places].tolist(), values.tolist(), strict=True)
            for place in np.flatnonzero(counts).tolist():
                pairs = islice(stated, int(counts[place]))
                qualifiers[place] = tuple(Qualifier(self.relations[r], node[value]) for r, value in pairs)
        graphs = [0] * len(rows) if self.graph is None else self.graph[rows].tolist()
        columns = (subjects, self.relation[rows], objects, self.rank[rows])
        statements: list[Statement] = []
        for s, r, o, rank, said_of, graph in zip(*(c.tolist() for c in columns), qualifiers, graphs, strict=True):
            # Statement(...) without the guarded assignments of a frozen class: a third of the time of a hub.
            statement = object.__new__(Statement)
            parts = statement.__dict__
            parts["subject"], parts["relation"], parts["object"] = node[s], self.relations[r], node[o]
            parts["qualifiers"], parts["rank"], parts["graph"] = said_of, RANKS[rank], self.graph_names[graph]
            statements.append(statement)
        return statements

    def holds(self, digests: Sequence[bytes]) -> list[bool]:
        """Whether a statement has each digest, of which the first 16 bytes count."""
        halves = np.frombuffer(b"".join(digest[:16] for digest in digests), dtype=">u8").astype(np.uint64)
        high, low = halves[::2], halves[1::2].tolist()
        first, end = (self.digest_high.searchsorted(high, side).tolist() for side in ("left", "right"))
        return [one in self.digest_low[start:stop].tolist() for one, start, stop in zip(low, first, end, strict=True)]
