"""What happens in R³ beside the events of every method."""

from __future__ import annotations

from toulmin.graph.types import Entity, Statement
from toulmin.methods.protocol import Event
from toulmin.methods.r3.axioms.language import Program
from toulmin.methods.r3.axioms.reasoning import ClauseResult
from toulmin.methods.r3.axioms.replies import GroundingReply

__all__ = ["AxiomEvaluated", "AxiomSurfaced", "Grounded", "StatementsKept"]


class AxiomSurfaced(Event):
    """A commonsense axiom guides a branch (counted from 1)."""

    event: str = "axiom"
    branch: int
    program: Program


class StatementsKept(Event):
    """Statements that pruning kept for a branch, beside those before them.

    Args:
        entities: that were looked up for it.
        of: how many statements there were to choose from.
    """

    event: str = "retrieved"
    branch: int
    option: str | None = None
    entities: tuple[Entity, ...]
    statements: tuple[Statement, ...]
    of: int


class Grounded(Event):
    """What the model cited; its numbers count ``statements`` from 1."""

    event: str = "grounded"
    branch: int
    option: str | None = None
    reply: GroundingReply
    statements: tuple[Statement, ...]


class AxiomEvaluated(Event):
    """What follows from the axiom with what was cited.

    Args:
        missing: what the clauses that are unknown lack.
        refused: citations that do not say what they were cited for.
    """

    event: str = "verified"
    branch: int
    option: str | None = None
    verdict: bool | None
    clauses: tuple[ClauseResult, ...]
    missing: tuple[str, ...]
    refused: tuple[str, ...]
