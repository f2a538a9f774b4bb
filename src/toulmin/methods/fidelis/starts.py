"""The linked entities that a search starts from, and what it costs to doubt the linker's first choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toulmin.graph.types import Entity
from toulmin.methods.fidelis.settings import FidelisSettings
from toulmin.methods.protocol import LinkedEntity
from toulmin.program.builder import Builder
from toulmin.retrieval.linking import Candidate, Mention

__all__ = ["Start", "likely_starts", "link_of", "told"]


@dataclass(frozen=True, slots=True)
class Start:
    """A linked entity to search from.

    Args:
        doubt: what it costs to start here: 0 for the linker's first choice.
    """

    mention: Mention
    candidate: Candidate
    doubt: float

    @property
    def entity(self) -> Entity:
        """The entity."""
        return self.candidate.entity


def likely_starts(mentions: Sequence[Mention], settings: FidelisSettings) -> list[Start]:
    """The likeliest entities to search from: mentions that are surely names, candidates that the linker prefers."""
    best = max((mention.weight for mention in mentions), default=1.0) or 1.0
    starts = [
        Start(mention, candidate, settings.link * (1 - mention.weight / best) + _preference(mention, rank, settings))
        for mention in mentions
        for rank, candidate in enumerate(mention.candidates)
    ]
    return sorted(starts, key=lambda start: start.doubt)[: settings.starts]


def _preference(mention: Mention, rank: int, settings: FidelisSettings) -> float:
    """What a candidate costs: for its rank, and for being less like the words than the first, or not like them."""
    worse = max(0.0, mention.candidates[0].score - mention.candidates[rank].score)
    return settings.rank * rank + worse + settings.unlike * (1 - mention.candidates[rank].score)


def told(start: Start) -> LinkedEntity:
    """What the trace says of a start."""
    mention, candidate = start.mention, start.candidate
    return LinkedEntity(
        text=mention.text,
        start=mention.start,
        end=mention.end,
        entity=candidate.entity,
        score=candidate.score,
        how=candidate.how,
    )


def link_of(builder: Builder, start: Start) -> int:
    """The node of a program that a start is."""
    mention, candidate = start.mention, start.candidate
    return builder.entity(candidate.entity, (mention.start, mention.end), candidate.form)
