"""Graphs of a few statements, asked as the kernel asks a graph at hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from naive_merkle import graph_root, prove, range_of

FALSE = Path(__file__).parent / "false"


class SmallGraphs:
    """Graphs with statements in the form of certificates, and documents; notes what it is asked for.

    Attributes:
        asked: of each graph the ranges that were asked for, in order.
    """

    def __init__(
        self,
        graphs: Sequence[Sequence[Any]],
        documents: dict[str, str] | None = None,
        roots: Sequence[str] | None = None,
    ) -> None:
        self.graphs = graphs
        self._roots = roots
        self.documents = documents or {}
        self.asked: list[dict[str, tuple[str, Any, str | None]]] = [{} for _ in graphs]

    def roots(self) -> list[str]:
        """The Merkle root of each."""
        return list(self._roots or map(graph_root, self.graphs))

    def range(self, graph: int, side: str, node: Any, relation: str | None) -> list[Any]:
        """All statements of a range."""
        self.asked[graph][json.dumps([side, node, relation], sort_keys=True)] = (side, node, relation)
        return range_of(self.graphs[graph], side, node, relation)

    def document(self, source: str) -> str | None:
        """The text of a document."""
        return self.documents.get(source)

    def evidence(self) -> list[dict[str, Any]]:
        """What was asked for, with proofs."""
        return [prove(graph, asked.values()) for graph, asked in zip(self.graphs, self.asked, strict=True)]


def small_graphs(names: Sequence[str]) -> SmallGraphs:
    """Graphs of ``false/graphs.json``."""
    data = _data()
    documents = {name: text for graph in names for name, text in data["documents"].get(graph, {}).items()}
    return SmallGraphs([data["graphs"][name] for name in names], documents, [_root(name) for name in names])


@cache
def _data() -> Any:
    return json.loads((FALSE / "graphs.json").read_text("utf-8"))


@cache
def _root(name: str) -> str:
    return graph_root(_data()["graphs"][name])
