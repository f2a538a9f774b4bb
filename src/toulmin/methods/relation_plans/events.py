"""What happens while plans are made and walked, beside the events of every method."""

from __future__ import annotations

from toulmin.graph.types import Entity, Node
from toulmin.methods.protocol import Event, WalkedPath

__all__ = ["ChosenEnds", "PlanWalked", "PlansProposed"]


class PlansProposed(Event):
    """Relation paths were proposed, the surest first.

    Args:
        by: the model, or the file that they are recorded in.
        plans: as they are written.
        how: "grammar", "list", "hop by hop" or "recorded".
    """

    event: str = "planned"
    by: str
    plans: tuple[str, ...]
    how: str


class PlanWalked(Event):
    """A plan was walked: from where, over which directed relation paths, and what they lead to; all empty: nowhere.

    Args:
        ends: how many nodes.
        shown: the first of them.
    """

    event: str = "walked"
    plan: str
    start: Entity | None = None
    paths: tuple[WalkedPath, ...] = ()
    ends: int = 0
    shown: tuple[Node, ...] = ()


class ChosenEnds(Event):
    """The model chose among what the plans lead to, and its reason in a sentence."""

    event: str = "chosen"
    nodes: tuple[Node, ...]
    thought: str
