"""Knowledge from the statements with a time of the entities that a sentence names (papers/rr 4.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, Statement
from toulmin.retrieval.embedders import Embedder, get_embedder
from toulmin.retrieval.knowledge.passages import ranked
from toulmin.retrieval.knowledge.protocol import Evidence
from toulmin.retrieval.knowledge.temporal_sentences import has_time, is_mediator, mediator_sentence, temporal_sentence
from toulmin.retrieval.linking import EntityLinker

__all__ = ["TemporalKnowledge"]


class TemporalKnowledge:
    """Statements whose object or a qualifier is a time, in sentences; also those that a nameless node holds together.

    Args:
        graph: the graph.
        linker: None: one without vectors.
        k: how many sentences each sentence gets, the most similar first; None: all.
        limit: statements looked at for each entity and direction.
        embedder: None: the one that ships.
    """

    name = "temporal statements"

    def __init__(
        self,
        graph: Graph,
        *,
        linker: EntityLinker | None = None,
        k: int | None = 10,
        limit: int = 500,
        embedder: Embedder | None = None,
    ) -> None:
        self.graph = graph
        self._linker = linker or EntityLinker(graph)
        self._k, self._limit, self._embedder = k, limit, embedder

    def find(self, sentences: Sequence[str], *, about: str = "") -> list[list[Evidence]]:
        """The temporal statements of the entities that each sentence names; ``about`` plays no part."""
        linked = {sentence: self._entities(sentence) for sentence in dict.fromkeys(sentences)}
        told = self._told(dict.fromkeys(entity for found in linked.values() for entity in found))
        evidence = []
        for sentence in sentences:
            # What a nameless node holds together is told once, of the entity that comes first.
            single = {one.statements: one for entity in reversed(linked[sentence]) for one in reversed(told[entity])}
            evidence.append(list(reversed(single.values())))
        return ranked(sentences, evidence, self._embedder or get_embedder(), self._k)

    def document(self, source: str) -> None:
        """There are no documents: the evidence is statements."""

    def _entities(self, sentence: str) -> list[Entity]:
        mentions = self._linker.link(sentence)
        return list(dict.fromkeys(one.candidates[0].entity for one in mentions if one.candidates))

    def _told(self, entities: Iterable[Entity]) -> dict[Entity, list[Evidence]]:
        """What the graph tells of each entity: two calls for all of them."""
        asked = list(entities)
        around = self._statements([entity.id for entity in asked])
        joined = {
            node.id: node
            for found in around
            for one in found
            for node in (one.subject, one.object)
            if isinstance(node, Entity) and is_mediator(node)
        }
        held = dict(zip(joined, self._statements(list(joined)), strict=True))
        return {entity: self._evidence(entity, found, held) for entity, found in zip(asked, around, strict=True)}

    def _statements(self, ids: Sequence[str]) -> list[list[Statement]]:
        return self.graph.statements(ids, side="both", limit=self._limit) if ids else []

    def _evidence(
        self, entity: Entity, statements: Sequence[Statement], held: dict[str, list[Statement]]
    ) -> list[Evidence]:
        found: dict[str, Evidence] = {}
        for statement in statements:
            if has_time(statement) and (text := temporal_sentence(statement)):
                found.setdefault(text, Evidence(text, statements=(statement,)))
        nodes = dict.fromkeys(
            node.id
            for one in statements
            for node in (one.subject, one.object)
            if isinstance(node, Entity) and node.id in held
        )
        for node in nodes:
            if text := mediator_sentence(entity, held[node]):
                found.setdefault(text, Evidence(text, statements=tuple(held[node])))
        return list(found.values())
