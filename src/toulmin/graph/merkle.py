"""The Merkle trees of a graph: one root over its statements and names in two orders (docs/certificate.md, "Evidence").

Kept are the two orders and the hashes from 32 leaves upwards; leaves are hashed again where they are needed.
"""

from __future__ import annotations

import gc
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import IO, Any, NamedTuple, cast
from typing import Literal as Choice

import numpy as np
from numpy.typing import NDArray

from toulmin.graph.csr import Ints
from toulmin.graph.label_index import NameRow
from toulmin.graph.tables import RANKS, Strings, Tables, canonical
from toulmin.graph.types import Literal, canonical_key, encode

__all__ = [
    "ALIAS",
    "CHUNK",
    "EDGES",
    "HASH",
    "LABEL",
    "NAMING",
    "Content",
    "Edge",
    "MerkleTree",
    "Trees",
    "content_digests",
    "fold",
    "grow",
    "growing",
    "leaf_hash",
    "main",
    "node_hash",
    "tree_length",
]


#: The relations of the statements that names are, in the order of ``NameKind``.
LABEL, ALIAS = "http://www.w3.org/2000/01/rdf-schema#label", "http://www.w3.org/2004/02/skos/core#altLabel"
NAMING = [LABEL, ALIAS, "http://www.w3.org/2002/07/owl#inverseOf"]

#: Which end a statement is sorted by: ``out`` by its subject, ``in`` by its object.
Edge = Choice["out", "in"]

EDGES: tuple[Edge, ...] = ("out", "in")

HASH = 32  # bytes
CHUNK = 32  # leaves whose common hash is the lowest that is kept
_BLOCK = 1024 * CHUNK  # leaves hashed at a time
_TAG = {"out": b"\0", "in": b"\1"}
_FORM = canonical_key(Literal("")).split("0:", 1)  # what a name's key has before the text and after it


@dataclass(frozen=True, slots=True)
class MerkleTree:
    """One order of the leaves and the hashes over them.

    Args:
        order: int32[n]: what stands at each place: a statement, or from ``n_statements`` on a name of the label index.
        hashes: uint8[k, 32]: of every 32 leaves, then of every 64 and so on, end to end; the last is the root.
    """

    order: Ints
    hashes: NDArray[np.uint8]

    @property
    def root(self) -> bytes:
        """The hash over all leaves."""
        return bytes(self.hashes[-1])

    def hash(self, begin: int, end: int) -> bytes:
        """The kept hash over the leaves from ``begin`` to ``end``: a part of the tree with whole chunks."""
        chunk, chunks, start = begin // CHUNK, _chunk_count(len(self.order)), 0
        for _ in range((_chunk_count(end - begin) - 1).bit_length()):
            start, chunk, chunks = start + chunks, chunk // 2, (chunks + 1) // 2
        return bytes(self.hashes[start + chunk])


@dataclass(frozen=True, slots=True)
class Trees:
    """Both trees of a graph: by subject (``out``) and by object (``into``)."""

    out: MerkleTree
    into: MerkleTree

    @property
    def size(self) -> int:
        """How many leaves: statements and names."""
        return len(self.out.order)

    @property
    def root(self) -> str:
        """The root of the graph, 64 hexadecimal digits."""
        head = encode("toulmin graph 1", str(self.size)).encode()
        return sha256(head + self.out.root + self.into.root).hexdigest()

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays by the names of their files."""
        out, into = self.out, self.into
        return {"out_order": out.order, "out_tree": out.hashes, "in_order": into.order, "in_tree": into.hashes}

    @property
    def checksums(self) -> dict[str, str]:
        """The SHA-256 of each of the arrays."""
        return {name: sha256(np.ascontiguousarray(array).data).hexdigest() for name, array in self.arrays.items()}


def _chunk_count(leaves: int) -> int:
    """How many chunks so many leaves make; none make one, of nothing."""
    return max(1, -(-leaves // CHUNK))


def tree_length(leaves: int) -> int:
    """How many hashes ``MerkleTree`` keeps over so many leaves."""
    count = _chunk_count(leaves)
    total = count
    while count > 1:
        count = (count + 1) // 2
        total += count
    return total


def leaf_hash(edge: Edge, first: str, relation: str, digest: bytes) -> bytes:
    """The hash of one leaf; ``first`` is the subject's id or the object's canonical key."""
    return sha256(_TAG[edge] + encode(first, relation).encode() + digest).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash over two parts of a tree."""
    return sha256(b"\2" + left + right).digest()


def fold(level: bytes) -> bytes:
    """The next level of a tree. A last hash without a partner stays, which is RFC 6962's split."""
    whole = len(level) // (2 * HASH) * 2 * HASH
    pairs = np.frombuffer(level, dtype=np.uint8, count=whole).reshape(-1, 2 * HASH)
    prefixed = np.full((len(pairs), 1 + 2 * HASH), 2, dtype=np.uint8)
    prefixed[:, 1:] = pairs
    return b"".join([sha256(pair).digest() for pair in _cut(prefixed)]) + level[whole:]


def content_digests(
    ids: Sequence[str],
    literals: Sequence[str],
    columns: tuple[Iterable[int], Iterable[int], Iterable[int], Iterable[int], Iterable[int]],
    qualifiers: tuple[Sequence[int], Sequence[int]],
) -> NDArray[np.uint8]:
    """``Statement.digest`` of many statements, uint8[n, 32], with each text encoded once.

    Args:
        ids: of entities and relations; literals: ``node_key`` of each. Objects and values are numbers of the former, or
            ~ those of the latter.
        columns: subject, relation, object, rank number, and where the qualifiers of each statement end.
        qualifiers: their relations and values.
    """
    as_id = _encoded(ids)
    keys = [*map(canonical, ids), *map(canonical, reversed(literals))]  # so that ~0 is the first literal's
    as_object = _encoded(keys)
    ranks = [encode(rank).encode() for rank in RANKS]
    digests = bytearray()
    begin = 0
    for subject, relation, obj, rank, end in zip(*columns, strict=True):
        text = as_id[subject] + as_id[relation] + as_object[obj] + ranks[rank]
        if end > begin:
            pairs = [(ids[qualifiers[0][at]], keys[qualifiers[1][at]]) for at in range(begin, end)]
            text += encode(*chain.from_iterable(sorted(pairs))).encode()
            begin = end
        digests += sha256(text).digest()
    return np.frombuffer(digests, dtype=np.uint8).reshape(-1, HASH)


class Content(NamedTuple):
    """What the trees of a graph are made of.

    Args:
        keys, n_entities, subject, relation, object: as in ``Tables``.
        relations: their ids.
        owners, forms, kinds: of the names (``NameRow``), each in a column: these go to another process faster.
        digests: as in ``Assembly``.
    """

    keys: Strings
    n_entities: int
    relations: list[str]
    subject: Ints
    relation: Ints
    object: Ints
    owners: Ints
    forms: list[str]
    kinds: Ints
    digests: NDArray[np.uint8]

    @classmethod
    def of(cls, tables: Tables, names: list[NameRow], digests: NDArray[np.uint8]) -> Content:
        """The content of a graph."""
        relations = [relation.id for relation in tables.relations]
        columns = tables.subject, tables.relation, tables.object
        owners = np.fromiter((name.owner for name in names), np.int32, len(names))
        kinds = np.fromiter((name.kind for name in names), np.int32, len(names))
        forms = [name.form for name in names]
        return cls(tables.keys, tables.n_entities, relations, *columns, owners, forms, kinds, digests)


def grow(content: Content) -> Trees:
    """The trees of a graph."""
    keys, n_entities, relation_ids, subject, relation, obj, owners, texts, kinds, digests = content
    nodes = keys.many(np.arange(len(keys)))
    ids = [*nodes[:n_entities], *relation_ids]
    owners = np.where(owners >= 0, owners, n_entities - 1 - owners).astype(np.int32)
    encoded = (f"{len(text)}:{text}" if text.isascii() else encode(text) for text in texts)
    forms = [f"{_FORM[0]}{text}{_FORM[1]}" for text in encoded]  # canonical keys
    name_digests = _name_digests(_encoded(ids), owners, kinds, forms)
    stated = np.concatenate([digests, np.frombuffer(b"".join(name_digests), dtype=np.uint8).reshape(-1, HASH)])
    numbers = np.arange(len(stated), dtype=np.int32)
    if twice := _also_stated(content, name_digests):
        numbers = np.delete(numbers, np.array(twice) + len(digests))
    relations, place = _ranked([*relation_ids, *NAMING])
    relation_place = place[np.concatenate([relation, len(relation_ids) + kinds])[numbers]]
    tails = _encoded(relations)

    def tree(edge: Edge, texts: Sequence[str], first: Ints) -> MerkleTree:
        """The tree of the leaves ``numbers``; ``first`` says which text each has."""
        firsts, first_place = _ranked(texts)
        key = first_place[first[numbers]] * len(relations) + relation_place
        order = _sorted(key, stated[numbers])
        leaves = numbers[order]
        at, of = np.divmod(key[order], len(relations))
        heads = [_TAG[edge] + text for text in _encoded(firsts)]
        chunks = [] if len(leaves) else [sha256(b"").digest()]
        for start in range(0, len(leaves), _BLOCK):
            block = slice(start, start + _BLOCK)
            columns = (at[block].tolist(), of[block].tolist(), _cut(stated[leaves[block]]))
            leaf_hashes = [sha256(heads[i] + tails[j] + digest).digest() for i, j, digest in zip(*columns, strict=True)]
            level = b"".join(leaf_hashes)
            for _ in range(CHUNK.bit_length() - 1):
                level = fold(level)
            chunks.append(level)
        level = hashes = b"".join(chunks)
        while len(level) > HASH:
            level = fold(level)
            hashes += level
        return MerkleTree(leaves, np.frombuffer(hashes, dtype=np.uint8).reshape(-1, HASH))

    out = tree("out", ids, np.concatenate([subject, owners]))
    objects = np.concatenate([obj, len(nodes) + np.arange(len(forms), dtype=np.int32)])
    return Trees(out, tree("in", [*map(canonical, nodes), *forms], objects))


def _encoded(texts: Sequence[str]) -> list[bytes]:
    """``encode`` of each text, in bytes; most are ASCII, and not worth a call."""
    return [(f"{len(text)}:{text}" if text.isascii() else encode(text)).encode() for text in texts]


def _name_digests(ids: Sequence[bytes], owners: Ints, kinds: Ints, forms: Sequence[str]) -> list[bytes]:
    """The digests of names as statements; ``ids`` and ``forms``: encoded, and canonical keys."""
    relations, rank = _encoded(NAMING), encode("normal").encode()
    columns = owners.tolist(), kinds.tolist(), _encoded(forms)
    return [
        sha256(ids[owner] + relations[kind] + form + rank).digest() for owner, kind, form in zip(*columns, strict=True)
    ]


def _also_stated(content: Content, name_digests: Sequence[bytes]) -> list[int]:
    """The names that are statements as well, and count once."""
    naming = [number for number, relation in enumerate(content.relations) if relation in NAMING]
    rows = np.flatnonzero(np.isin(content.relation, naming)) if naming else ()
    known = {content.digests[row].tobytes() for row in rows}
    return [place for place, digest in enumerate(name_digests) if digest in known] if known else []


def _ranked(texts: Sequence[str]) -> tuple[list[str], NDArray[np.int64]]:
    """The distinct texts by their bytes (which is the order of their characters), and each text's place there."""
    distinct = sorted(set(texts))
    place = dict(zip(distinct, range(len(distinct)), strict=True))
    return distinct, np.fromiter(map(place.__getitem__, texts), dtype=np.int64, count=len(texts))


def _sorted(key: NDArray[np.int64], digests: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The order by (key, digest)."""
    order = np.argsort(key, kind="stable")
    same = np.diff(key[order]) == 0
    crowded = np.flatnonzero(np.append(same, False) | np.insert(same, 0, False))  # where a key is there more than once
    if len(crowded):
        rows = order[crowded]
        parts = np.ascontiguousarray(digests[rows]).view(">u8").astype(np.uint64)
        order[crowded] = rows[np.lexsort((parts[:, 3], parts[:, 2], parts[:, 1], parts[:, 0], key[rows]))]
    return order


def _cut(rows: NDArray[np.uint8]) -> list[bytes]:
    """The rows of an array, each as bytes."""
    pieces: list[bytes] = rows.view(f"V{rows.shape[1]}").ravel().tolist()
    return pieces


_FEW = 100_000  # leaves hashed in less time than a process takes to start
_START = "import sys; sys.path.insert(0, sys.argv[1]); from toulmin.graph.merkle import main; main()"


@contextmanager
def growing(content: Content) -> Iterator[Callable[[], Trees]]:
    """Makes the trees in a process of its own, while this one indexes names and loads the SPARQL store.

    Hashing millions of leaves keeps an interpreter busy for seconds. The process ends when the block is left.

    Yields:
        What gives the trees, as soon as they are there.
    """
    process: subprocess.Popen[bytes] | None = None

    def grown() -> Trees:
        if process is not None:
            with suppress(EOFError, pickle.UnpicklingError):  # it ran out of memory, or was killed
                trees: Trees = pickle.load(cast(IO[bytes], process.stdout))  # noqa: S301
                return trees
        return grow(content)

    with ExitStack() as stack:
        if len(content.digests) + len(content.forms) >= _FEW:
            with suppress(OSError):  # no process, or it ended at once: then here
                command = [sys.executable, "-P", "-c", _START, str(Path(__file__).parents[2])]
                pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
                process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nothing)  # noqa: S603
                stack.enter_context(process)
                stack.callback(process.kill)
                with cast(IO[bytes], process.stdin) as content_pipe:
                    pickle.dump(content, content_pipe, protocol=5)
        yield grown


def main() -> None:
    """Read what a graph holds from standard input, write its trees to standard output."""
    gc.disable()  # nothing here is in a cycle
    trees = grow(pickle.load(sys.stdin.buffer))  # noqa: S301
    pickle.dump(trees, sys.stdout.buffer, protocol=5)
    sys.stdout.buffer.flush()
