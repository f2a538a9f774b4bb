"""The linked entities that a search starts from, and what it costs to doubt the linker's first choice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from toulmin.graph.types import Entity
from toulmin.methods.protocol import Linked, LinkedEntity
from toulmin.program.builder import Builder
from toulmin.retrieval.linking import Candidate, Mention

__all__ = ["Start", "add_link_step", "likely_starts", "linked"]

# Set by hand: what it costs to start from the least likely mention, from a name nothing like the words, from each
# candidate that the linker prefers another to.
_UNLIKELY, _UNLIKE, _RANK = 0.6, 0.3, 0.1


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
        """The entity of the candidate."""
        return self.candidate.entity


def likely_starts(mentions: Sequence[Mention], most: int) -> list[Start]:
    """The likeliest entities to search from, at most so many.

    Mentions that are surely names come first, and of each the candidates that the linker prefers.
    """
    best = max((mention.weight for mention in mentions), default=1.0) or 1.0
    starts: list[Start] = []
    for mention in mentions:
        for rank, candidate in enumerate(mention.candidates):
            worse = max(0.0, mention.candidates[0].score - candidate.score)
            preference = _RANK * rank + worse + _UNLIKE * (1 - candidate.score)
            starts.append(Start(mention, candidate, _UNLIKELY * (1 - mention.weight / best) + preference))
    return sorted(starts, key=lambda start: start.doubt)[:most]


def linked(starts: Iterable[Start]) -> Linked:
    """What the trace says of starts."""
    return Linked(entities=tuple(LinkedEntity.of(start.mention, start.candidate) for start in starts))


def add_link_step(builder: Builder, start: Start) -> int:
    """Put a start into a program, as an entity with the words it was read from, and give its place."""
    mention, candidate = start.mention, start.candidate
    return builder.entity(candidate.entity, (mention.start, mention.end), candidate.form)
