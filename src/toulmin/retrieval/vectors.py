"""The vector index of a graph: one vector for each entity and relation (papers/fidelis, eq. 1).

A built graph holds them in its directory, and they are mapped, not read:

vectors/meta.json        format, embedder, fingerprint of the graph, counts
vectors/entities.npy     float16[n_entities, d]; zero for machine-id entities, which have no words
vectors/relations.npy    float32[n_relations, d]
vectors/entities.hnsw    approximate neighbours (usearch), of graphs with 50,000 entities or more

For other graphs ``LazyVectors`` embeds what is asked for, when it is asked for. Literals have no vector: their
score is 0.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from functools import cached_property
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError

from toulmin.errors import GraphError
from toulmin.graph.build import Progress
from toulmin.graph.local import LocalGraph
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Relation
from toulmin.retrieval.embedders import Embedder, Ranked, Scores, Vectors, best
from toulmin.retrieval.statement_words import relation_text

__all__ = ["FOLDER", "LazyVectors", "StoredVectors", "VectorIndex", "build_vectors", "relation_texts"]

#: Graphs with fewer entities are searched exactly: under 10 ms, where building an approximate index would take 12 s.
EXACT_BELOW = 50_000

FOLDER = "vectors"
_FORMAT = 1
_META, _ENTITIES, _RELATIONS, _NEIGHBOURS = "meta.json", "entities.npy", "relations.npy", "entities.hnsw"
_CHUNK = 4096  # labels embedded at a time
_ROWS = 256  # rows multiplied at a time: they stay in the processor's cache

Numbers = NDArray[np.integer]


class _Meta(BaseModel):
    model_config = ConfigDict(frozen=True)

    format: int
    embedder: str
    fingerprint: str
    dimension: int
    entities: int
    relations: int
    approximate: bool = False


def relation_texts(relations: tuple[Relation, ...]) -> list[str]:
    """The words that stand for each relation."""
    return [relation_text(relation.label or relation.id) for relation in relations]


def build_vectors(work: Path, graph: LocalGraph, embedder: Embedder, progress: Progress | None = None) -> None:
    """Write the vectors of a local graph into ``work``, the graph's directory while it is built.

    Labels are embedded in order of their length, so that a batch holds little padding, and written as they come.
    """
    tell = progress or (lambda _done, _total, _message: None)
    subgraph = graph.subgraph([], 0)
    n_entities, dimension = subgraph.n_entities, embedder.dimension
    folder = work / FOLDER
    folder.mkdir()
    shape = (n_entities, dimension)
    entities = np.lib.format.open_memmap(folder / _ENTITIES, mode="w+", dtype=np.float16, shape=shape)
    labels = subgraph.tables.labels
    lengths = np.diff(labels.offsets)
    named = np.flatnonzero(~subgraph.machine[:n_entities])
    named = named[np.argsort(lengths[named], kind="stable")]
    for start in range(0, len(named), _CHUNK):
        tell(start, len(named), "embedding labels")
        numbers = named[start : start + _CHUNK]
        entities[numbers] = embedder.embed(labels.many(numbers))
    tell(len(named), len(named), "embedding labels")
    entities.flush()
    np.save(folder / _RELATIONS, embedder.embed(relation_texts(subgraph.relations)))
    approximate = n_entities >= EXACT_BELOW
    if approximate:
        _build_neighbours(folder / _NEIGHBOURS, entities, np.sort(named), tell)
    meta = _Meta(
        format=_FORMAT,
        embedder=embedder.name,
        fingerprint=graph.fingerprint,
        dimension=dimension,
        entities=n_entities,
        relations=len(subgraph.relations),
        approximate=approximate,
    )
    (folder / _META).write_text(json.dumps(meta.model_dump(), indent=1), "utf-8")


def _build_neighbours(path: Path, entities: NDArray[np.float16], named: Numbers, tell: Progress) -> None:
    from usearch.index import Index

    index = Index(ndim=entities.shape[1], metric="ip", dtype="f16")
    for start in range(0, len(named), _CHUNK):
        tell(start, len(named), "linking neighbours")
        numbers = named[start : start + _CHUNK]
        index.add(numbers.astype(np.uint64), np.asarray(entities[numbers]))
    tell(len(named), len(named), "linking neighbours")
    index.save(str(path))


class VectorIndex(ABC):
    """Vectors of the entities and relations of one graph, by their numbers, and their cosines with a query's vector.

    Attributes:
        embedder: the model of all vectors; queries must come from it too.
        relations: float32[n_relations, d].
        n_entities: node numbers from here on are literals.
    """

    def __init__(self, embedder: Embedder, relations: Vectors, n_entities: int) -> None:
        self.embedder, self.relations, self.n_entities = embedder, relations, n_entities

    def encode(self, query: str) -> Vectors:
        """The vector of a query, float32[d]."""
        return np.asarray(self.embedder.embed([query])[0])

    @abstractmethod
    def entity_vectors(self, numbers: Numbers) -> Vectors:
        """float32[len(numbers), d] of entity numbers; zero where an entity has no words."""

    def all_entity_scores(self, vector: Vectors) -> Scores:
        """The cosine of every entity, float32[n_entities]."""
        return self.entity_scores(vector, np.arange(self.n_entities))

    def entity_scores(self, vector: Vectors, numbers: Numbers) -> Scores:
        """The cosine of each node, float32[len(numbers)]; 0 for literals and machine-id entities."""
        scores = np.zeros(len(numbers), dtype=np.float32)
        entities = np.flatnonzero(np.asarray(numbers) < self.n_entities)
        for start in range(0, len(entities), _ROWS):
            places = entities[start : start + _ROWS]
            scores[places] = _dot(self.entity_vectors(numbers[places]), vector)
        return scores

    def relation_scores(self, vector: Vectors) -> Scores:
        """The cosine of every relation, float32[n_relations]."""
        return _dot(self.relations, vector)

    def nearest_entities(self, vector: Vectors, k: int) -> Ranked:
        """The ``k`` entities of highest cosine (fewer where there are fewer): numbers and scores, best first."""
        return best(self.all_entity_scores(vector), k)


def _dot(vectors: Vectors, vector: Vectors) -> Scores:
    """The product of each row with a vector. Limited by memory: the threads of BLAS would gain nothing, and wait."""
    return np.asarray(np.einsum("ij,j->i", vectors, vector), dtype=np.float32)


class StoredVectors(VectorIndex):
    """The vectors in a graph's directory.

    Args:
        directory: the graph's, as ``open_graph`` takes it.
        embedder: the model that queries will be embedded with.
        fingerprint: of the opened graph.

    Raises:
        GraphError: there are none, they are damaged, or they are of another embedder or another state of the graph.
    """

    def __init__(self, directory: str | Path, embedder: Embedder, fingerprint: str) -> None:
        directory = Path(directory)
        self._folder, self._fingerprint = directory / FOLDER, fingerprint
        meta = _read_meta(directory)
        again = f"build the graph again: toulmin build SOURCE --out {directory}"
        if meta.embedder != embedder.name or meta.dimension != embedder.dimension:
            raise GraphError(f"{self._folder}: made with the embedder {meta.embedder}, not {embedder.name}; {again}")
        if meta.fingerprint != fingerprint:
            raise GraphError(f"{self._folder}: made of another state of the graph ({meta.fingerprint}); {again}")
        relations = self._array(_RELATIONS, (meta.relations, meta.dimension), np.dtype(np.float32))
        super().__init__(embedder, relations, meta.entities)
        self._entities = self._array(_ENTITIES, (meta.entities, meta.dimension), np.dtype(np.float16))
        self._exact = not meta.approximate
        # Of small graphs the rows in use are kept as float32: converting a row costs three times its product.
        kept = meta.entities if self._exact else 0
        self._rows, self._converted = np.zeros((kept, meta.dimension), np.float32), np.zeros(kept, np.bool_)
        if not self._exact and not (self._folder / _NEIGHBOURS).is_file():
            raise GraphError(f"{self._folder / _NEIGHBOURS}: missing; {again}")

    def _array(self, name: str, shape: tuple[int, int], dtype: np.dtype[Any]) -> NDArray[Any]:
        path = self._folder / name
        try:
            array = np.asarray(np.load(path, mmap_mode="r"))
        except (OSError, ValueError, EOFError, TokenError) as error:  # the last: of a damaged header
            raise GraphError(f"{path}: cannot be read ({error}): build the graph again") from None
        if array.shape != shape or array.dtype != dtype:
            what = f"{array.dtype}{list(array.shape)} where {dtype}{list(shape)} is expected"
            raise GraphError(f"{path}: {what}: build the graph again")
        return array

    @cached_property
    def _neighbours(self) -> Any:
        from usearch.index import Index

        if _read_meta(self._folder.parent).fingerprint != self._fingerprint:
            raise GraphError(f"{self._folder.parent}: the graph was built again since it was opened: open it again")
        return Index.restore(str(self._folder / _NEIGHBOURS), view=True)

    def entity_vectors(self, numbers: Numbers) -> Vectors:
        """float32[len(numbers), d] of entity numbers."""
        if not self._exact:
            return self._entities[numbers].astype(np.float32)
        self._convert(numbers[~self._converted[numbers]])
        return self._rows[numbers]

    def _convert(self, numbers: Numbers) -> None:
        for start in range(0, len(numbers), _ROWS):
            new = numbers[start : start + _ROWS]
            self._rows[new] = self._entities[new]
            self._converted[new] = True

    def all_entity_scores(self, vector: Vectors) -> Scores:
        """The cosine of every entity, float32[n_entities]."""
        if not self._exact:
            return super().all_entity_scores(vector)
        self._convert(np.flatnonzero(~self._converted))
        return _dot(self._rows, vector)

    def nearest_entities(self, vector: Vectors, k: int) -> Ranked:
        """The ``k`` entities of highest cosine, best first.

        From 50,000 entities on they are found approximately (recall@10 0.999) and then scored in float32.
        """
        if self._exact or k <= 0:
            return super().nearest_entities(vector, k)
        matches = self._neighbours.search(vector.astype(np.float32), min(4 * k + 16, self.n_entities))
        numbers = np.sort(matches.keys.astype(np.int64))
        order, scores = best(self.entity_scores(vector, numbers), k)
        return numbers[order], scores


def _read_meta(directory: Path) -> _Meta:
    path = directory / FOLDER / _META
    again = f"build the graph again: toulmin build SOURCE --out {directory}"
    try:
        text = path.read_bytes()
    except OSError:
        raise GraphError(f"{directory}: the graph has no vectors; {again}") from None
    try:
        meta = _Meta.model_validate_json(text)
    except ValidationError as error:
        raise GraphError(f"{path}: not what build writes ({error.errors()[0]['msg']}); {again}") from None
    if meta.format != _FORMAT:
        raise GraphError(f"{path}: vectors of format {meta.format}, this Toulmin reads {_FORMAT}; {again}")
    return meta


class LazyVectors(VectorIndex):
    """Vectors for a graph that has none stored: of relations at once, of an entity when it is first asked for."""

    def __init__(self, subgraph: Subgraph, embedder: Embedder) -> None:
        super().__init__(embedder, embedder.embed(relation_texts(subgraph.relations)), subgraph.n_entities)
        self._labels = subgraph.tables.labels
        self._missing = ~subgraph.machine[: subgraph.n_entities]
        self._row = np.zeros(subgraph.n_entities, dtype=np.int64)  # row 0 is the zero vector
        self._rows: Vectors = np.zeros((256, embedder.dimension), dtype=np.float32)
        self._used = 1

    def entity_vectors(self, numbers: Numbers) -> Vectors:
        """float32[len(numbers), d] of entity numbers; those not seen before are embedded now."""
        missing = np.unique(numbers[self._missing[numbers]])
        if len(missing):
            end = self._used + len(missing)
            if end > len(self._rows):
                grown = np.zeros((max(end, 2 * len(self._rows)), self._rows.shape[1]), dtype=np.float32)
                grown[: self._used] = self._rows[: self._used]
                self._rows = grown
            self._rows[self._used : end] = self.embedder.embed(self._labels.many(missing))
            self._row[missing] = np.arange(self._used, end)
            self._missing[missing], self._used = False, end
        return self._rows[self._row[numbers]]

    def all_entity_scores(self, vector: Vectors) -> Scores:
        """The cosine of every entity: embeds at once all that were not asked for before."""
        self.entity_vectors(np.flatnonzero(self._missing))
        return super().all_entity_scores(vector)
