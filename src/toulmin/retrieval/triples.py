"""Statements in words, by their likeness to a text: those around entities, or all of a graph (papers' plain retriever).

A statement is verbalised as the triple "(subject, relation, object)" (KAPING: Baek et al. 2023) and scored
by the cosine of its vector with that of the text. Nodes that have only a machine id say nothing to an embedding model:
they are walked through, and count as no hop.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from toulmin.graph.build_directory import keep, user_cache
from toulmin.graph.labels import is_nameless
from toulmin.graph.local import LocalGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.store import EmbeddedGraph
from toulmin.graph.types import Entity, Statement
from toulmin.retrieval.embedders import Embedder, Vectors, best
from toulmin.retrieval.statement_words import relation_words, statement_words

__all__ = ["TripleVectors", "around", "nearest", "triple_text"]

_CHUNK = 2048  # triples embedded at a time
_FRONTIER = 200  # entities that are looked up for a further hop
_SHORTLIST = 512  # triples that are embedded for one text; of more, those of the likest relations


def triple_text(statement: Statement) -> str:
    """A statement as "(subject, relation, object)"."""
    return f"({', '.join(statement_words(statement)[:3])})"


def around(graph: Graph, entities: Sequence[str], *, hops: int = 1, limit: int = 300) -> list[Statement]:
    """The statements within some hops of entities, each once, those of nearer entities first.

    Args:
        limit: statements of each entity and side.
    """
    by_id: dict[str, Statement] = {}
    seen, frontier = set(entities), list(dict.fromkeys(entities))
    left = hops
    while frontier and left > 0:
        for batch in graph.statements(frontier, side="both", limit=limit):
            by_id.update((statement.id, statement) for statement in batch if statement.id not in by_id)
        ends = {
            end.id: is_nameless(end.id, end.label)
            for statement in by_id.values()
            for end in (statement.subject, statement.object)
            if isinstance(end, Entity) and end.id not in seen
        }
        nameless = [end for end, is_bare in ends.items() if is_bare]
        if not nameless:
            left -= 1
        frontier = (nameless or list(ends))[:_FRONTIER]
        seen.update(frontier)
    return list(by_id.values())


def nearest(text: str, statements: Sequence[Statement], k: int, embedder: Embedder) -> list[Statement]:
    """The ``k`` statements that are most like a text, best first."""
    if not statements or k < 1:
        return []
    vector = embedder.embed([text])[0]
    chosen = list(range(len(statements)))
    if len(statements) > _SHORTLIST:
        words = [relation_words(statement.relation) for statement in statements]
        relations = list(dict.fromkeys(words))
        scores = dict(zip(relations, (embedder.embed(relations) @ vector).tolist(), strict=True))
        chosen = sorted(chosen, key=lambda place: -scores[words[place]])[:_SHORTLIST]
    scored = np.asarray(embedder.embed([triple_text(statements[place]) for place in chosen]) @ vector, dtype=np.float32)
    return [statements[chosen[place]] for place in best(scored, k)[0].tolist()]


class TripleVectors:
    """The vectors of all triples of a local graph, float16; made once, and kept in the user's cache for a built graph.

    Statements at a node that has only a machine id have none.
    """

    def __init__(self, graph: LocalGraph, embedder: Embedder) -> None:
        self._subgraph, self._embedder = graph.subgraph([], 0), embedder
        tables, machine = self._subgraph.tables, self._subgraph.machine
        self._rows = np.flatnonzero(~(machine[tables.subject] | machine[tables.object]))
        self._path: Path | None = None
        if isinstance(graph, EmbeddedGraph):
            digest = blake2b(f"1\x1f{graph.fingerprint}\x1f{embedder.name}".encode(), digest_size=8).hexdigest()
            self._path = user_cache() / "triples" / f"{digest}.npy"
        self._vectors = self._read()

    @property
    def is_made(self) -> bool:
        """Whether all vectors are there."""
        return self._vectors is not None

    def make(self) -> Iterator[tuple[int, int]]:
        """Embed all triples, chunk by chunk: how many are done, of how many. Nothing is kept of what is broken off."""
        made = np.empty((len(self._rows), self._embedder.dimension), dtype=np.float16)
        yield 0, len(self._rows)
        for start in range(0, len(self._rows), _CHUNK):
            rows = self._rows[start : start + _CHUNK]
            made[start : start + len(rows)] = self._embedder.embed(self._texts(rows))
            yield start + len(rows), len(self._rows)
        self._vectors = made
        if self._path is not None:
            keep(self._path, lambda path: np.save(path, made))

    def nearest(self, text: str, k: int) -> list[Statement]:
        """The ``k`` statements of the graph that are most like a text, best first; the vectors must be made."""
        assert self._vectors is not None  # noqa: S101
        vector = self._embedder.embed([text])[0]
        scores = np.empty(len(self._rows), dtype=np.float32)
        for start in range(0, len(self._rows), _CHUNK):
            part: Vectors = np.asarray(self._vectors[start : start + _CHUNK], dtype=np.float32)
            scores[start : start + _CHUNK] = part @ vector
        return self._subgraph.statements(self._rows[best(scores, k)[0]])

    def __len__(self) -> int:
        return len(self._rows)

    def _texts(self, rows: NDArray[np.int64]) -> list[str]:
        tables, subgraph = self._subgraph.tables, self._subgraph
        relations = [relation_words(relation) for relation in subgraph.relations]
        ends = subgraph.labels(tables.subject[rows]), subgraph.labels(tables.object[rows])
        numbers = tables.relation[rows].tolist()
        return [f"({s}, {relations[r]}, {o})" for s, r, o in zip(ends[0], numbers, ends[1], strict=True)]

    def _read(self) -> NDArray[np.float16] | None:
        """What is kept; None where nothing is, or it cannot be read: then it is made again."""
        if self._path is None:
            return None
        try:
            vectors = np.load(self._path, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, EOFError):
            return None
        fits = vectors.shape == (len(self._rows), self._embedder.dimension) and vectors.dtype == np.float16
        return vectors if fits else None
