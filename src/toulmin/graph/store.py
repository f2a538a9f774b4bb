"""A built graph: a directory of memory-mapped arrays, a label index and a SPARQL store.

manifest.json     format version, name, counts, fingerprint (the Merkle root), sources, languages of the labels
relations.json    [[id, label, number of statements], …]
arrays/*.npy      the arrays of ``Tables``, and the Merkle trees: out_order, out_tree, in_order, in_tree
labels.sqlite     the label index
sparql/           the pyoxigraph store
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import fields
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError

from toulmin.errors import GraphError
from toulmin.graph.label_index import LabelIndex
from toulmin.graph.local import LocalGraph
from toulmin.graph.merkle import HASH, MerkleTree, Trees, tree_length
from toulmin.graph.tables import RANKS, Strings, Tables
from toulmin.graph.types import Relation

__all__ = [
    "FORMAT",
    "LABELS",
    "MANIFEST",
    "SPARQL",
    "EmbeddedGraph",
    "GraphManifest",
    "is_graph",
    "open_graph",
    "save",
    "save_trees",
]


FORMAT = 2
MANIFEST, RELATIONS, ARRAYS, LABELS, SPARQL = "manifest.json", "relations.json", "arrays", "labels.sqlite", "sparql"
_KIND = "toulmin graph"
_PLAIN = ("relations", "relation_counts", "graph", "graph_names")  # fields of Tables that are no array file


class GraphManifest(BaseModel):
    """What ``manifest.json`` says of a graph.

    Args:
        leaves: of each Merkle tree: statements, and names that are not statements anyway.
        hashes: the SHA-256 of each array of the trees.
        languages: label language ("" where none is given) -> how many.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    kind: str = _KIND
    format: int = FORMAT
    name: str
    fingerprint: str
    leaves: int
    hashes: dict[str, str]
    entities: int
    literals: int
    statements: int
    relations: int
    qualifiers: int
    names: int
    sources: tuple[str, ...]
    languages: dict[str, int]
    preferred_languages: tuple[str, ...]


class EmbeddedGraph(LocalGraph):
    """A built graph, opened read-only; use ``open_graph``. Opening maps the arrays."""

    def __init__(self, path: Path, manifest: GraphManifest, tables: Tables, trees: Trees, index: LabelIndex) -> None:
        super().__init__(tables, index, manifest.name, manifest.preferred_languages, lambda: trees)
        self.path, self.manifest = path, manifest

    def directory(self) -> Path:
        """The graph's directory, for whatever is read from it after the graph was opened.

        Raises:
            GraphError: it no longer holds the graph that was opened.
        """
        now = _manifest(self.path).fingerprint if is_graph(self.path) else None
        if now != self.fingerprint:
            raise GraphError(f"{self.path}: the graph was built again or removed since it was opened: open it again")
        return self.path

    def _store(self) -> Path:
        return self.directory() / SPARQL


def is_graph(path: Path) -> bool:
    """Whether a directory holds a manifest of ours, of whatever format version."""
    try:
        manifest = json.loads((path / MANIFEST).read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(manifest, dict) and manifest.get("kind") == _KIND


def open_graph(path: str | Path) -> EmbeddedGraph:
    """Open a built graph.

    Raises:
        GraphError: no such directory, not a graph, another format version, or a file is missing or damaged.
    """
    path = Path(path)
    if not path.is_dir():
        what = "is a file, not a graph directory" if path.exists() else "no such directory"
        raise GraphError(f"{path}: {what}; build one with: toulmin build SOURCE --out {path}")
    if not is_graph(path):
        raise GraphError(
            f"{path}: not a Toulmin graph (no manifest of ours); give the directory of `toulmin build --out`"
        )
    manifest = _manifest(path)
    tables, trees = _load(path, manifest)
    if not (path / SPARQL).is_dir():
        raise _damaged(path, f"{SPARQL}/ is missing")
    try:
        index = LabelIndex.open(path / LABELS)
    except sqlite3.Error as error:
        raise _damaged(path, f"{LABELS}: {error}") from None
    return EmbeddedGraph(path, manifest, tables, trees, index)


def _manifest(path: Path) -> GraphManifest:
    manifest: dict[str, Any] = json.loads((path / MANIFEST).read_text("utf-8"))
    if manifest.get("format") != FORMAT:
        version = manifest.get("format")
        raise GraphError(f"{path}: graph of format {version}, this Toulmin reads format {FORMAT}: build it again")
    try:
        return GraphManifest.model_validate(manifest)
    except ValidationError as error:
        first = error.errors()[0]
        raise _damaged(path, f"{MANIFEST}, field {'.'.join(map(str, first['loc']))!r}: {first['msg']}") from None


def _damaged(path: Path, problem: str) -> GraphError:
    return GraphError(f"{path}: the graph is damaged ({problem}): build it again")


def save(tables: Tables, path: Path) -> None:
    """Write the relation table and the arrays into a graph directory."""
    relations = [
        [relation.id, relation.label, count]
        for relation, count in zip(tables.relations, tables.relation_counts.tolist(), strict=True)
    ]
    (path / RELATIONS).write_text(json.dumps(relations, ensure_ascii=False), "utf-8")
    (path / ARRAYS).mkdir()
    for field in fields(Tables):
        value = getattr(tables, field.name)
        if isinstance(value, Strings):
            np.save(path / ARRAYS / f"{field.name}_blob.npy", value.blob)
            np.save(path / ARRAYS / f"{field.name}_offsets.npy", value.offsets)
        elif field.name not in _PLAIN:
            np.save(path / ARRAYS / f"{field.name}.npy", value)


def save_trees(trees: Trees, path: Path) -> None:
    """Write the Merkle trees into the arrays of a graph directory."""
    for name, array in trees.arrays.items():
        np.save(path / ARRAYS / f"{name}.npy", array)


def _load(path: Path, manifest: GraphManifest) -> tuple[Tables, Trees]:
    try:
        relations = json.loads((path / RELATIONS).read_text("utf-8"))
        counts = np.array([count for _, _, count in relations], dtype=np.int64)
        table = tuple(Relation(identifier, label) for identifier, label, _ in relations)
    except (OSError, ValueError, TypeError) as error:
        raise _damaged(path, f"{RELATIONS}: {error}") from None

    def array(name: str, *shape: int, below: int | None = None) -> NDArray[Any]:
        """An array of this shape (none: of any), whose numbers name things of which there are so many."""
        try:
            # a plain array over the map: slicing np.memmap costs several times as much
            values = np.asarray(np.load(path / ARRAYS / f"{name}.npy", mmap_mode="r"))
        except (OSError, ValueError, EOFError, TokenError) as error:  # the last: of a damaged header
            raise _damaged(path, f"{ARRAYS}/{name}.npy: {error}") from None
        problem = f"shape {values.shape} where {shape} is expected" if shape and values.shape != shape else None
        if problem or (below is not None and (problem := _type(values) or _range(values, below))):
            raise _damaged(path, f"{ARRAYS}/{name}.npy: {problem}")
        return values

    def starts(name: str, rows: int, end: int) -> NDArray[Any]:
        """Where each of so many rows begins in another array, and at last where that ends."""
        values = array(name, rows + 1)
        if problem := _type(values) or _starts(values, end):
            raise _damaged(path, f"{ARRAYS}/{name}.npy: {problem}")
        return values

    def strings(name: str, count: int) -> Strings:
        blob = array(f"{name}_blob")
        return Strings(blob, starts(f"{name}_offsets", count, len(blob)))

    # One pass over each array: about 10 ms for a million statements.
    entities, m, qualifiers = manifest.entities, manifest.statements, manifest.qualifiers
    nodes = entities + manifest.literals
    tables = Tables(
        keys=strings("keys", nodes),
        labels=strings("labels", entities),
        key_hash=array("key_hash", nodes),
        key_node=array("key_node", nodes, below=nodes),
        machine=array("machine", nodes),
        relations=table,
        relation_counts=counts,
        subject=array("subject", m, below=entities),
        relation=array("relation", m, below=len(table)),
        object=array("object", m, below=nodes),
        rank=array("rank", m, below=len(RANKS)),
        qualifier_start=starts("qualifier_start", m, qualifiers),
        qualifier_relation=array("qualifier_relation", qualifiers, below=len(table)),
        qualifier_value=array("qualifier_value", qualifiers, below=nodes),
        out_start=starts("out_start", nodes, m),
        in_start=starts("in_start", nodes, m),
        in_relation=array("in_relation", m, below=len(table)),
        in_subject=array("in_subject", m, below=entities),
        in_statement=array("in_statement", m, below=m),
        digest_high=array("digest_high", m),
        digest_low=array("digest_low", m),
        digest_statement=array("digest_statement", m, below=m),
    )
    leaves, hashes = manifest.leaves, tree_length(manifest.leaves)
    out = MerkleTree(array("out_order", leaves), array("out_tree", hashes, HASH))
    trees = Trees(out, MerkleTree(array("in_order", leaves), array("in_tree", hashes, HASH)))
    for name, digest in trees.checksums.items():
        if manifest.hashes.get(name) != digest:
            raise _damaged(path, f"{ARRAYS}/{name}.npy: not as it was written")
    if trees.root != manifest.fingerprint:
        raise _damaged(path, f"{ARRAYS}/out_tree.npy, in_tree.npy: their root is not the fingerprint")
    return tables, trees


def _type(array: NDArray[Any]) -> str | None:
    return None if array.dtype.kind in "iu" else f"holds {array.dtype}, not whole numbers"


def _starts(array: NDArray[Any], end: int) -> str | None:
    if array[0] != 0 or array[-1] != end:
        return f"goes from {array[0]} to {array[-1]}, not from 0 to {end}"
    falls = np.flatnonzero(array[1:] < array[:-1])
    return f"falls after place {falls[0]}" if len(falls) else None


def _range(array: NDArray[Any], limit: int) -> str | None:
    if not len(array):
        return None
    low, high = int(array.min()), int(array.max())
    return f"holds {low if low < 0 else high}, where 0 to {limit - 1} are known" if low < 0 or high >= limit else None
