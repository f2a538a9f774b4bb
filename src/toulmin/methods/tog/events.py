"""What happens while a model explores, beside the events of every method."""

from __future__ import annotations

from toulmin.graph.types import Node, Statement
from toulmin.methods.protocol import Event

__all__ = ["AnswerDecided", "EntitiesPruned", "RelationsPruned", "SufficiencyAsked"]


class RelationsPruned(Event):
    """Of so many relations that lead on, those kept, as they were shown, with the model's scores."""

    event: str = "relations pruned"
    depth: int
    candidates: int
    kept: tuple[tuple[str, float], ...]


class EntitiesPruned(Event):
    """Of so many entities that they lead to, those kept, with their scores and the statements that led there."""

    event: str = "entities pruned"
    depth: int
    candidates: int
    kept: tuple[tuple[Node, float], ...]
    statements: tuple[Statement, ...]


class SufficiencyAsked(Event):
    """Whether, by the model, all statements found so far suffice."""

    event: str = "sufficiency"
    depth: int
    statements: int
    sufficient: bool


class AnswerDecided(Event):
    """What the model answers, and the statements that it cites."""

    event: str = "decided"
    nodes: tuple[Node, ...]
    verdict: bool | None
    statements: tuple[Statement, ...]
    thought: str
