"""The search of relations and of entities over the arrays of a graph; a path is a chain of single entities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal as Choice

import numpy as np

from toulmin.graph.subgraph import Hop as Slots
from toulmin.graph.subgraph import Subgraph, find_steps
from toulmin.graph.types import DESCRIPTION, Statement
from toulmin.llm.prompts import data
from toulmin.methods.fidelis.walking import Trail
from toulmin.methods.fidelis.with_model.listing import relation_words
from toulmin.methods.setting_checks import check_choices, check_least, check_range

__all__ = ["ExploredNode", "Explorer", "Lead", "Pruning", "ToGSettings"]

_NAME = 60  # characters of one name


Pruning = Choice["model", "random"]


@dataclass(frozen=True, slots=True)
class ToGSettings:
    """A model explores relations, then entities, until what it found suffices (Sun et al., ICLR 2024).

    Args:
        width: N, relations and then entities that are kept at each depth (the paper: 3).
        depth: hops from the question's entities at most (the paper: 3); a node that has only a machine id counts as
            none.
        pruning: of entities. "model": it scores them. "random": so many are drawn, as the paper's variant ToG-R does.
        together: whether one call prunes the relations, and one the entities, of a depth; the paper asks for each
            entity's relations and each relation's entities apart.
        fallback: what comes where the statements found never suffice. "abstain": an abstention (ours). "memory": the
            model answers from what it knows, marked as ungrounded (the paper).
        many: entities from which on those of one relation are sampled (the authors' code: 20).
        sampled: how many of them then are (the authors' code: 5).
        listed: relations in one prompt at most, those whose words are most like the question's (ours: 80).
        starts: entities of the question that are explored, the likeliest first (ours: 3).
        temperature: of what prunes (the paper: 0.4); what decides is asked at 0.
        seed: of sampling and of random pruning.
        max_tokens: of one reply (the paper: 256).
    """

    width: int = 3
    depth: int = 3
    pruning: Pruning = "model"
    together: bool = True
    fallback: Choice["abstain", "memory"] = "abstain"
    many: int = 20
    sampled: int = 5
    listed: int = 80
    starts: int = 3
    temperature: float = 0.0
    seed: int = 0
    max_tokens: int = 1024

    def __post_init__(self) -> None:
        check_least(self, "width", "depth", "many", "sampled", "listed", "starts", "max_tokens", of="tog: ")
        check_choices(self, "tog: unknown {name} {value}: use one of {known}")
        check_range(self, "temperature", most=2, of="tog: ")

    @classmethod
    def paper(cls, pruning: Pruning = "model") -> ToGSettings:
        """The algorithm as the paper has it."""
        return cls(pruning=pruning, together=False, fallback="memory", temperature=0.4, max_tokens=256)


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
