"""The evidence of an answer: every range of statements that its check reads, with a proof that these are all."""

from __future__ import annotations

from typing import Any

from toulmin.graph.merkle import Edge
from toulmin.graph.protocol import Graph
from toulmin.graph.ranges import PlainNode
from toulmin.kernel import check
from toulmin.program.answer import Answer
from toulmin.program.ranges import GraphRanges

__all__ = ["attach"]


class _Recorder(GraphRanges):
    """A graph at hand that remembers what it was asked."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self.asked: list[tuple[int, Edge, PlainNode, str | None]] = []

    def range(self, graph: int, side: Edge, node: PlainNode, relation: str | None) -> list[list[Any]]:
        """All statements of a range."""
        self.asked.append((graph, side, node, relation))
        return super().range(graph, side, node, relation)


def attach(answer: Answer, graph: Graph, *, seconds: float = 60.0) -> Answer:
    """The same answer with its evidence, so that it is checked without the graph.

    Every range that the kernel reads is stored, labels among them, and proved against the root of its graph; of an
    endpoint, which has no root, what it said.

    Args:
        graph: the one that the answer was made on.
        seconds: that the check which tells the ranges may take.

    Raises:
        GraphError, QueryError, EndpointError: the graph cannot be asked.
    """
    recorder = _Recorder(graph)
    source: Any = recorder  # the kernel knows none of our types
    check(answer.certificate, source, seconds=seconds)
    evidence = recorder.evidence(recorder.asked)
    return Answer(answer.certificate | {"evidence": evidence})
