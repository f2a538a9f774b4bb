"""What the retrieval for open-ended questions is set by, and where each figure comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from toulmin.errors import SettingsError

__all__ = ["RetrievalSettings", "Search"]

Search = Literal["exact", "greedy"]


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """Prizes, costs and sizes. The paper leaves k, the sizes and the length of a path open: those figures are ours.

    Args:
        hops: how far from the linked entities statements are looked for (papers/okgqa, section 3.1: 2).
        damping, tol, max_iter: of personalised PageRank (A.5: 0.85, 1e-6, 100).
        threshold: the PageRank below which a node is left out (A.5: 1e-5).
        nodes, edges: k, the ranks of nodes and of edges that have a prize (section 4.1). All edges of a relation have
            one rank, so that a k beyond the number of relations gives every edge a prize.
        cost: C_e, what an edge costs (section 4.1: 1).
        hubs: whether an edge without a linked entity at its ends costs as many times as much as there are edges of its
            relation at its object, or at its subject: that somebody else is a physicist too joins nobody to a
            physicist, but a hub has a prize, and so have those around it. The paper: no, every edge costs the same.
        filing: whether statements that only file a thing (its category, template, image) are looked at. They are named
            like the thing, and so are most like a question for it. The paper: yes.
        shared: whether the edges of one rank divide its prize among them, as He et al. 2024 (whom section 4.1 follows)
            do: else all statements of a relation that is like the question come in, wherever they are. The formula of
            section 4.1: no.
        linked: whether the linked entities have the highest prize, whatever their rank. The paper: no.
        literals: how many texts that are no entities are embedded, the nearest by PageRank; None: all.
        triplets: how many statements triplet retrieval gives.
        paths: how many paths path retrieval gives.
        depth: the most statements of a path.
        search: ``greedy``, the priority queue of A.6, or ``exact``: no better path of this depth is left out.
        explored: after how many paths the search ends, whatever it has found.
        limit: the most statements of a sub-graph; None: as many as the tree has.
        fill: up to how many statements paths and a sub-graph are filled with those of the linked entities, the most
            like the question first; 0, as in the paper: not at all.
    """

    hops: int = 2
    damping: float = 0.85
    tol: float = 1e-6
    max_iter: int = 100
    threshold: float = 1e-5
    nodes: int = 10
    edges: int = 3
    cost: float = 1.0
    hubs: bool = True
    filing: bool = False
    shared: bool = True
    linked: bool = True
    literals: int | None = 500
    triplets: int = 30
    paths: int = 10
    depth: int = 3
    search: Search = "exact"
    explored: int = 1000
    limit: int | None = 40
    fill: int = 40

    @classmethod
    def paper(cls) -> RetrievalSettings:
        """The paper's own; what it leaves open as its published code has it (k 10, 10 triplets, 5 paths of 6 nodes)."""
        return cls(
            edges=10,
            hubs=False,
            filing=True,
            linked=False,
            shared=False,
            literals=None,
            triplets=10,
            paths=5,
            depth=5,
            search="greedy",
            limit=None,
            fill=0,
        )

    def __post_init__(self) -> None:
        for name in ("nodes", "edges", "triplets", "paths", "depth", "explored", "max_iter"):
            if getattr(self, name) < 1:
                raise SettingsError(f"{name} is {getattr(self, name)}: give 1 or more")
        for name in ("hops", "cost", "threshold", "literals", "limit", "fill"):
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise SettingsError(f"{name} is {value}: give 0 or more")
        if self.search not in ("exact", "greedy"):
            raise SettingsError(f"unknown search {self.search!r}: use exact or greedy")
