"""What happens beside the events of every method."""

from __future__ import annotations

from toulmin.methods.protocol import Event, WalkedPath

__all__ = ["Decided", "DeductionsVerified", "Planned", "Selected"]


class Planned(Event):
    """Keywords, plan and statement, as the model gave them or as the words of the question stand for them."""

    event: str = "planned"
    keywords: tuple[str, ...]
    plan: tuple[str, ...]
    statement: str
    asks: str


class Selected(Event):
    """The paths that one step of the beam search kept, best first, of so many candidates."""

    event: str = "selected"
    candidates: int
    paths: tuple[WalkedPath, ...]


class DeductionsVerified(Event):
    """Of the paths that were verified those from which the statement follows (C = 1), by their positions from 0."""

    event: str = "deductions verified"
    follows: tuple[int, ...]
    of: int


class Decided(Event):
    """What the last step decided, and the model's reason in a sentence."""

    event: str = "decided"
    paths: tuple[WalkedPath, ...]
    thought: str
