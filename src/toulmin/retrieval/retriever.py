"""What a method retrieves with, opened once for a graph; and what of it is written when a graph is built."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from toulmin.english.lexicon import Lexicon, get_lexicon
from toulmin.graph.build import Progress
from toulmin.graph.local import LocalGraph
from toulmin.graph.protocol import Graph, check_opened
from toulmin.graph.store import EmbeddedGraph
from toulmin.graph.subgraph import Subgraph
from toulmin.retrieval.embedders import Embedder, get_embedder
from toulmin.retrieval.linking import EntityLinker
from toulmin.retrieval.schema import EndpointSchema, GraphSchema
from toulmin.retrieval.vectors import FOLDER, StoredVectors, VectorIndex, build_vectors

__all__ = ["Retriever", "build_index"]

_REMOTE_SAMPLE = 12  # labels per slot, where the schema is made anew for each question: of a union with an endpoint


class Retriever:
    """Linker, embedder, lexicon and schema of one graph. Everything is opened when it is first used.

    Args:
        embedder: None: the one that ships.

    Raises:
        InputError: the graph is given by its name.
    """

    def __init__(self, graph: Graph, *, embedder: Embedder | None = None) -> None:
        check_opened(graph)
        self.graph = graph
        self._given = embedder

    @cached_property
    def embedder(self) -> Embedder:
        """The embedding model."""
        return self._given or get_embedder()

    @cached_property
    def lexicon(self) -> Lexicon:
        """Lexical relations of English."""
        return get_lexicon()

    @cached_property
    def linker(self) -> EntityLinker:
        """The entity linker; with vectors where the graph was built with them."""
        return EntityLinker(self.graph, index=self.vectors)

    @cached_property
    def vectors(self) -> VectorIndex | None:
        """The stored vectors; None where there are none."""
        if isinstance(self.graph, EmbeddedGraph) and (directory := self.graph.directory() / FOLDER).is_dir():
            return StoredVectors(directory.parent, self.embedder, self.graph.fingerprint)
        return None

    def subgraph(self, seeds: Sequence[str], hops: int) -> Subgraph:
        """The sub-graph around entities; of a local graph always the whole."""
        return self.graph.subgraph(seeds, hops)

    def around(self, seeds: Sequence[str], hops: int) -> tuple[Subgraph, GraphSchema]:
        """The same with the schema of its relations."""
        subgraph = self.subgraph(seeds, hops)
        if isinstance(self.graph, LocalGraph):
            return subgraph, self._whole_schema
        kept = self._kept_schema
        return subgraph, kept.of(subgraph) if kept else GraphSchema.of(subgraph, self.embedder, sample=_REMOTE_SAMPLE)

    @cached_property
    def _kept_schema(self) -> EndpointSchema | None:
        from toulmin.graph.endpoint.graph import EndpointGraph

        return EndpointSchema(self.graph, self.embedder) if isinstance(self.graph, EndpointGraph) else None

    @cached_property
    def _whole_schema(self) -> GraphSchema:
        stored = (
            GraphSchema.open(self.graph.directory(), self.embedder) if isinstance(self.graph, EmbeddedGraph) else None
        )
        return stored or GraphSchema.of(self.graph.subgraph([], 0), self.embedder)


def build_index(
    work: Path, graph: LocalGraph, *, embedder: Embedder | None = None, progress: Progress | None = None
) -> None:
    """Write what retrieval needs beside a graph: vectors of entities and relations, and the schema.

    Args:
        work: the graph's directory, still being built.
        progress: called with how much is done, of how much, and what.
    """
    model = embedder or get_embedder()
    build_vectors(work, graph, model, progress)
    vectors = StoredVectors(work, model, graph.fingerprint)
    GraphSchema.of(graph.subgraph([], 0), model, vectors=vectors).save(work)
