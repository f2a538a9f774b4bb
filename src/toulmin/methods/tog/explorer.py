"""The search of relations and of entities over the arrays of a graph; a path is a chain of single entities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import DESCRIPTION, Statement
from toulmin.llm.prompts import data
from toulmin.methods.fidelis.trails import Trail
from toulmin.methods.fidelis.with_model.listing import relation_words
from toulmin.methods.tog.settings import ToGSettings
from toulmin.retrieval.steps import Hop as Slots
from toulmin.retrieval.steps import find_steps

__all__ = ["ExploredNode", "Explorer", "Lead"]

_NAME = 60  # characters of one name


@dataclass(frozen=True, slots=True)
class ExploredNode:
    """An entity or value that was reached, and how.

    Args:
        rows: the statement numbers of the path.
        score: the model's, of the last relation times that of the entity.
    """

    trail: Trail
    rows: tuple[int, ...] = ()
    score: float = 1.0

    @property
    def node(self) -> int:
        """Its node number."""
        return self.trail.nodes[-1] if self.trail.nodes else self.trail.origin


@dataclass(frozen=True, slots=True)
class Lead:
    """A relation (or two, through a node that has only a machine id) that leads on from what was reached.

    Args:
        ends: the node numbers that it leads to, and ``rows``: of each the statement numbers.
    """

    source: ExploredNode
    hop: Slots
    ends: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]
    score: float = 0.0


class Explorer:
    """Explores from the entities of one question.

    Args:
        question: on which the draws depend, beside the seed.
    """

    def __init__(self, subgraph: Subgraph, question: str, settings: ToGSettings) -> None:
        self.subgraph, self._question, self._settings = subgraph, question, settings
        self._walked = np.array([relation.id != DESCRIPTION for relation in subgraph.relations], dtype=bool)

    def leads(self, source: ExploredNode) -> list[Lead]:
        """All relations that lead on from an entity, in both directions, but not to what its path went through."""
        subgraph, trail = self.subgraph, source.trail
        if source.node >= subgraph.n_entities:
            return []
        steps = find_steps(subgraph, np.array([source.node], dtype=np.int32))
        steps = steps.take(~np.isin(steps.neighbour, np.array((trail.origin, *trail.nodes))))
        steps = steps.take(self._walked[steps.slot >> 1] & ((steps.beyond < 0) | self._walked[steps.beyond >> 1]))
        order = np.lexsort((steps.neighbour, steps.beyond, steps.slot))
        by_hop: dict[Slots, dict[int, tuple[int, ...]]] = {}
        columns = (steps.slot, steps.beyond, steps.neighbour, steps.statement, steps.statement_beyond)
        for slot, beyond, end, row, second in zip(*(column[order].tolist() for column in columns), strict=True):
            by_hop.setdefault((slot, beyond), {}).setdefault(end, (row,) if second < 0 else (row, second))
        return [Lead(source, hop, tuple(ends), tuple(ends.values())) for hop, ends in by_hop.items()]

    def reached(self, lead: Lead) -> list[ExploredNode]:
        """The entities that a relation leads to; where there are many, some of them, drawn by the seed."""
        settings, places = self._settings, list(range(len(lead.ends)))
        if len(places) >= settings.many and len(places) > settings.sampled:
            places = sorted(self._random("sample", self.words(lead)).sample(places, settings.sampled))
        trail, nodes = lead.source.trail, list[ExploredNode]()
        for at in places:
            end, hops = lead.ends[at], (*trail.hops, lead.hop)
            frontier = np.array([end], dtype=np.int32)
            longer = Trail(trail.start, trail.origin, hops, frontier, (*trail.nodes, end))
            nodes.append(ExploredNode(longer, (*lead.source.rows, *lead.rows[at]), lead.score))
        return nodes

    def drawn(self, nodes: Sequence[ExploredNode], depth: int) -> list[ExploredNode]:
        """As many as the width allows, drawn by the seed."""
        if len(nodes) <= self._settings.width:
            return list(nodes)
        places = self._random("prune", str(depth)).sample(range(len(nodes)), self._settings.width)
        return [nodes[at] for at in sorted(places)]

    def _random(self, *parts: str) -> Random:
        return Random("\x1f".join((str(self._settings.seed), self._question, *parts)))  # noqa: S311  (no secret)

    # -- in words ----------------------------------------------------------------------------------------------------

    def name(self, node: int) -> str:
        """What people read for a node."""
        return data(self.subgraph.labels([node])[0], _NAME)

    def hop_words(self, hop: Slots) -> str:
        """A hop, arrows pointing from subject to object."""
        words = [(relation_words(self.subgraph.relations[slot >> 1]), slot & 1) for slot in hop if slot >= 0]
        return " ".join(f"←{word}—" if back else f"—{word}→" for word, back in words)

    def path_words(self, reached: ExploredNode) -> str:
        """The chain to what was reached."""
        trail = reached.trail
        parts = [self.name(trail.origin)]
        for hop, node in zip(trail.hops, trail.nodes, strict=True):
            parts += [self.hop_words(hop), self.name(node)]
        return " ".join(parts)

    def words(self, lead: Lead) -> str:
        """The chain that a relation continues, and the relation."""
        return f"{self.path_words(lead.source)} {self.hop_words(lead.hop)}"

    def statements(self, nodes: Sequence[ExploredNode]) -> list[Statement]:
        """The statements of paths, each once, in the order in which they were found."""
        rows = list(dict.fromkeys(row for node in nodes for row in node.rows))
        return self.subgraph.statements(rows)
