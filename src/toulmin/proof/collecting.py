"""What all builders of proofs share: steps are collected, numbered, and the same step is added once."""

from __future__ import annotations

from collections.abc import Sequence

from toulmin.graph.protocol import Graph
from toulmin.proof.model import Decision, Judgement, Step

__all__ = ["NEW", "StepCollector"]

NEW = "new"  # the id of a step before it has its own, so that equal steps are equal


class StepCollector:
    """Collects the steps of one proof.

    Args:
        question: the question's text, to which the offsets of links refer.
        graph: the graph that the answer is made on.
    """

    def __init__(self, question: str, graph: Graph) -> None:
        self.question, self.graph = question, graph
        self._steps: dict[str, Step] = {}
        self._ids: dict[Step, str] = {}

    @property
    def steps(self) -> dict[str, Step]:
        """The steps so far, by id."""
        return dict(self._steps)

    def add(self, step: Step) -> str:
        """A step of any kind, made with the id ``NEW``; its id."""
        if step not in self._ids:
            name = f"s{len(self._steps) + 1}"
            self._ids[step] = name
            self._steps[name] = step.model_copy(update={"id": name})
        return self._ids[step]

    def add_judgement(
        self, claim: str, *, by: str, evidence: Sequence[str], score: float, decision: Decision = "yes"
    ) -> str:
        """What a model or an embedder decided, with the ids of the steps that it saw."""
        seen = tuple(evidence)
        return self.add(
            Judgement(id=NEW, rests_on=seen, claim=claim, by=by, evidence=seen, score=score, decision=decision)
        )
