"""KAPING and plain vectors: retrieve the statements most like the question, and let the model answer beside them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar
from weakref import WeakKeyDictionary

from toulmin.graph.local import LocalGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Statement
from toulmin.methods.answering import Answering, AnsweringMethod, StatementsRetrieved, step_of
from toulmin.methods.model_answers import statement_lines
from toulmin.methods.protocol import Working
from toulmin.methods.setting_checks import check_least, check_range
from toulmin.program.answer import Answer
from toulmin.retrieval.embedders import Embedder, get_embedder
from toulmin.retrieval.triples import TripleVectors, around, nearest

__all__ = ["Kaping", "KapingSettings", "PlainVectors", "PlainVectorsSettings"]

_DEMONSTRATIONS = 2  # that each prompt has


@dataclass(frozen=True, slots=True)
class KapingSettings:
    """The statements of the linked entities that are most like the question stand in the prompt (Baek et al. 2023).

    Args:
        k: statements in the prompt (the paper: 10).
        hops: from the linked entities up to which statements are candidates (the paper: 1). Nodes that have only a
            machine id count as no hop.
        limit: candidates of each entity and side (not stated).
        entities: linked entities, in the order of the question (not stated).
        demonstrations: examples in the prompt, at most the 2 that there are (the paper: none; with them a reply more
            often cites what it should).
        embedder: that statements and question are compared by (the paper: MPNet, fine-tuned on question and answer
            pairs): "minilm", "sentence-bert", "e5", "openai". None: the retriever's own.
        temperature: of the reply (not stated).
        max_tokens: of the reply.

    Raises:
        SettingsError: a setting out of range.
    """

    k: int = 10
    hops: int = 1
    limit: int = 300
    entities: int = 5
    demonstrations: int = 2
    embedder: str | None = None
    temperature: float = 0.0
    max_tokens: int = 1024

    def __post_init__(self) -> None:
        _check("kaping", self)


@dataclass(frozen=True, slots=True)
class PlainVectorsSettings(KapingSettings):
    """The statements of the whole graph that are most like the question stand in the prompt.

    Args:
        k: statements in the prompt (papers/fidelis section 3.3 names no number; that of KAPING).
        largest: statements of a local graph up to which all of them are embedded, once, which takes a minute for some
            tens of thousands. Of a larger graph, an endpoint or several graphs, only what lies around the linked
            entities is a candidate. 0: always so.
        hops, limit, entities: of the candidates there, as KAPING has them.
        embedder: that statements and question are compared by. None: the retriever's own.

    Raises:
        SettingsError: a setting out of range.
    """

    hops: int = 2
    limit: int = 100
    largest: int = 50_000

    def __post_init__(self) -> None:
        _check("plain-vectors", self)
        check_least(self, "largest", least=0, of="plain-vectors: ")


def _check(method: str, settings: KapingSettings) -> None:
    check_least(settings, "k", "hops", "limit", "entities", "max_tokens", of=f"{method}: ")
    check_range(settings, "demonstrations", most=_DEMONSTRATIONS, of=f"{method}: ")
    check_range(settings, "temperature", most=2, of=f"{method}: ")


class _Prompted(AnsweringMethod):
    """What both share: a retrieval, and one prompt."""

    takes = frozenset({"claim", "options"})
    shots = "demonstrations"
    settings: KapingSettings
    settings_type: ClassVar[type[KapingSettings]] = KapingSettings

    @classmethod
    def forms(cls) -> Mapping[str, KapingSettings]:
        """With examples, and without, as the paper has it."""
        return {"cited": cls.settings_type(), "paper": cls.settings_type(demonstrations=0)}

    def most_calls(self, options: int = 0) -> int:
        """One."""
        return 1

    async def answered(self, run: Answering) -> Answer:
        """The model's answer beside what was retrieved."""
        settings = self.settings
        embedder = get_embedder(settings.embedder) if settings.embedder else run.context.retriever.embedder
        await run.link()
        statements, candidates = await self.retrieved(run, embedder)
        run.emit(StatementsRetrieved(query=run.request.question, statements=tuple(statements), candidates=candidates))
        values = {"statements": statement_lines(statements)}
        answer = await run.reply(step_of(run.request), values, shown=statements, temperature=settings.temperature)
        return run.concluded(answer, shown=statements)

    async def retrieved(self, run: Answering, embedder: Embedder) -> tuple[list[Statement], int]:
        """The statements for the prompt, best first, and out of how many: of those around the linked entities."""
        settings, question = self.settings, run.request.question
        linked = [mention.candidates[0].entity.id for mention in run.mentions]
        entities = list(dict.fromkeys(linked))[: settings.entities]

        def look_up() -> tuple[list[Statement], int]:
            statements = around(run.context.graph, entities, hops=settings.hops, limit=settings.limit)
            return nearest(question, statements, settings.k, embedder), len(statements)

        return await asyncio.to_thread(look_up)


class Kaping(_Prompted):
    """KAPING, for questions, claims and multiple choice."""

    name: ClassVar[str] = "kaping"
    title: ClassVar[str] = "The statements of the linked entities that are most like the question, in the prompt"
    source: ClassVar[str] = "KAPING (Baek, Aji and Saffari, 2023)"


class PlainVectors(_Prompted):
    """The plain vector retriever over triples, for questions, claims and multiple choice."""

    name: ClassVar[str] = "plain-vectors"
    title: ClassVar[str] = "The statements of the graph that are most like the question, in the prompt"
    source: ClassVar[str] = "the vanilla retriever of FiDeLiS (Sui et al., 2024)"
    settings: PlainVectorsSettings
    settings_type = PlainVectorsSettings

    def __init__(self, settings: object = None) -> None:
        super().__init__(settings)
        self._kept: tuple[Graph, str, TripleVectors] | None = None  # of the last graph
        self._locks: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()

    async def retrieved(self, run: Answering, embedder: Embedder) -> tuple[list[Statement], int]:
        """Of all statements of the graph, or of those around the linked entities where it is too large."""
        graph = run.context.graph
        if not isinstance(graph, LocalGraph) or graph.subgraph([], 0).n_statements > self.settings.largest:
            return await super().retrieved(run, embedder)
        if self._kept is None or self._kept[:2] != (graph, embedder.name):
            self._kept = graph, embedder.name, TripleVectors(graph, embedder)
        vectors = self._kept[2]
        async with self._locks.setdefault(asyncio.get_running_loop(), asyncio.Lock()):  # many ask, one makes
            making = iter(()) if vectors.is_made else vectors.make()
            while (made := await asyncio.to_thread(next, making, None)) is not None:
                run.emit(Working(what="embedding statements", done=made[0], of=made[1]))
        return vectors.nearest(run.request.question, self.settings.k), len(vectors)
