"""From a question to the part of the graph that matters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toulmin.graph.local import LocalGraph
    from toulmin.retrieval.embedders import Embedder

__all__ = ["build_index"]


def build_index(
    work: Path,
    graph: LocalGraph,
    *,
    embedder: Embedder | None = None,
    progress: Callable[[int, int | None, str], None] | None = None,
) -> None:
    """Write what retrieval needs beside a graph: vectors of entities and relations, and the schema.

    Args:
        work: the graph's directory, still being built.
        progress: called with how much is done, of how much, and what.
    """
    from toulmin.retrieval.embedders import get_embedder
    from toulmin.retrieval.schema import GraphSchema
    from toulmin.retrieval.vectors import StoredVectors, build_vectors

    model = embedder or get_embedder()
    build_vectors(work, graph, model, progress)
    vectors = StoredVectors(work, model, graph.fingerprint)
    GraphSchema.of(graph.subgraph([], 0), model, vectors=vectors).save(work)
