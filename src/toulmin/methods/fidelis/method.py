"""The method: link, search from each likely start, take the best relation path, and prove its whole answer set."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from toulmin.errors import SettingsError
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Entity, Node
from toulmin.methods.fidelis.reading import read
from toulmin.methods.fidelis.search import RelationPath, search
from toulmin.methods.fidelis.settings import FidelisSettings
from toulmin.methods.protocol import Answered, Context, Event, Linked, LinkedEntity, Searched, WalkedPath
from toulmin.proof.answer import Answer, Usage
from toulmin.proof.builder import ProofBuilder
from toulmin.proof.operators.paths import Hop, PathEnds
from toulmin.retrieval.linking import Candidate, Mention

__all__ = ["Fidelis"]

_TRIED = 8  # relation paths whose exact ends are computed, until one has any
_SHOWN = 5  # relation paths in an event


@dataclass(frozen=True, slots=True)
class _Start:
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


@dataclass(frozen=True, slots=True)
class _Option:
    """A relation path from a start, with the score of both."""

    start: _Start
    path: RelationPath
    score: float


class Fidelis:
    """FiDeLiS without a language model: the words of the question are aligned with relation paths by embeddings.

    Args:
        settings: None: the defaults.

    Raises:
        SettingsError: settings of another type.
    """

    name = "fidelis"

    def __init__(self, settings: Any = None) -> None:
        if settings is not None and not isinstance(settings, FidelisSettings):
            raise SettingsError(f"fidelis takes FidelisSettings, not {type(settings).__name__}")
        self.settings: FidelisSettings = settings or FidelisSettings()

    async def run(self, question: str, context: Context) -> AsyncIterator[Event]:
        """Answer a question: what was linked, the relation paths from each start, the answer."""
        began = time.perf_counter()
        retriever, builder = context.retriever, ProofBuilder(question, context.graph)
        mentions = retriever.linker.link(question)
        starts = _starts(mentions, self.settings)
        yield Linked(entities=tuple(_told(start) for start in starts))
        if not starts:
            reason = "nothing in the question is the name of an entity of the graph"
            yield Answered(answer=self._answer(builder, builder.abstain(reason), began))
            return
        subgraph, schema = retriever.around([start.entity.id for start in starts], self.settings.depth)
        options: list[_Option] = []
        for start in starts:
            number = subgraph.index(start.entity.id)
            reading = read(question, start.mention.start, start.mention.end, retriever.lexicon)
            found = (
                search(subgraph, schema, retriever.lexicon, reading, number, self.settings)
                if number is not None
                else []
            )
            yield Searched(
                start=start.entity,
                paths=tuple(WalkedPath(relations=_walked(path, subgraph), score=path.score) for path in found[:_SHOWN]),
            )
            options.extend(_Option(start, path, path.score - start.doubt) for path in found)
        options.sort(key=lambda option: -option.score)
        yield Answered(answer=self._conclude(builder, options, subgraph, starts, began))

    def _conclude(
        self,
        builder: ProofBuilder,
        options: list[_Option],
        subgraph: Subgraph,
        starts: list[_Start],
        began: float,
    ) -> Answer:
        for option in options[:_TRIED]:
            link = _link(builder, option.start)
            computed = _ends(builder, link, option, subgraph)
            if computed is None:
                continue
            reading = builder.add_reading(computed, by=self._judge(subgraph), score=option.score)
            shown = builder.add_witnesses(computed)
            return self._answer(builder, builder.conclude(computed, reading, *shown), began)
        link = _link(builder, starts[0])
        reason = f"no statement leads on from {starts[0].entity.label or starts[0].entity.id!r}"
        return self._answer(builder, builder.abstain(reason, link), began)

    def _judge(self, subgraph: Subgraph) -> str:
        return "fidelis, embedding-scored"

    def _answer(self, builder: ProofBuilder, proof: Any, began: float) -> Answer:
        return builder.answer(proof, method=self.name, usage=Usage(seconds=time.perf_counter() - began))


def _starts(mentions: tuple[Mention, ...], settings: FidelisSettings) -> list[_Start]:
    """The likeliest entities to search from: mentions by how likely they are names, candidates in the linker's order."""
    best = max((mention.weight for mention in mentions), default=1.0) or 1.0
    starts = [
        _Start(mention, candidate, settings.link * (1 - mention.weight / best) + settings.rank * rank)
        for mention in mentions
        for rank, candidate in enumerate(mention.candidates)
    ]
    return sorted(starts, key=lambda start: start.doubt)[: settings.starts]


def _told(start: _Start) -> LinkedEntity:
    mention, candidate = start.mention, start.candidate
    return LinkedEntity(
        text=mention.text,
        start=mention.start,
        end=mention.end,
        entity=candidate.entity,
        score=candidate.score,
        how=candidate.how,
    )


def _walked(path: RelationPath, subgraph: Subgraph) -> tuple[tuple[Any, str], ...]:
    return tuple(
        (subgraph.relations[relation], "backward" if backward else "forward") for relation, backward in path.relations
    )


def _link(builder: ProofBuilder, start: _Start) -> str:
    mention, candidate = start.mention, start.candidate
    return builder.add_link(
        mention.start, mention.end, candidate.entity, candidate.form, candidate.score, candidate.how
    )


def _ends(builder: ProofBuilder, link: str, option: _Option, subgraph: Subgraph) -> str | None:
    """The computation of all ends of a relation path; None where it has none.

    The start itself is no answer, unless it is the only one.
    """
    pattern = tuple(
        Hop(relation=subgraph.relations[relation], direction="backward" if backward else "forward")
        for relation, backward in option.path.relations
    )
    everything = PathEnds(start=(link,), pattern=pattern, no_return=True)
    ends = builder.evaluate("path_ends", everything).values
    if not ends:
        return None
    if len(ends) > 1 and any(_is(end, option.start.entity) for end in ends):
        return builder.add_computation("path_ends", everything.model_copy(update={"exclude_start": True}))
    return builder.add_computation("path_ends", everything, builder.evaluate("path_ends", everything))


def _is(node: Node, entity: Entity) -> bool:
    return isinstance(node, Entity) and node.id == entity.id
