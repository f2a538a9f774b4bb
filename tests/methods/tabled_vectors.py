"""Graphs of named statements, and an embedder whose cosines stand in a table: scores can be worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

import numpy as np

from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers import RawName, RawStatement, Record
from toulmin.retrieval.embedders import Vectors

__all__ = ["TabledEmbedder", "graph_of"]


def graph_of(statements: Sequence[tuple[str, str, str]]) -> MemoryGraph:
    """A graph of statements by names; the id of "pump" is "id:pump"."""
    names = sorted({name for statement in statements for name in statement})
    records: list[Record] = [RawName(f"id:{name}", name) for name in names]
    records += [RawStatement(f"id:{subject}", f"id:{relation}", f"id:{end}") for subject, relation, end in statements]
    return MemoryGraph.from_records(records)


class TabledEmbedder:
    """Vectors of unit length in three dimensions, whose first coordinate is the cosine with the query.

    Args:
        query: the text that has the vector (1, 0, 0).
        cosines: of other texts with it; a text that stands in neither has the cosine 0.
    """

    name = "tabled"
    dimension = 3

    def __init__(self, query: str, cosines: Mapping[str, float]) -> None:
        self._vectors = {text: (cosine, sqrt(1 - cosine * cosine), 0.0) for text, cosine in cosines.items()}
        self._vectors[query] = (1.0, 0.0, 0.0)
        self.embedded: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        """float32[len(texts), 3]."""
        self.embedded += texts
        return np.array([self._vectors.get(text, (0.0, 0.0, 1.0)) for text in texts], dtype=np.float32).reshape(-1, 3)
