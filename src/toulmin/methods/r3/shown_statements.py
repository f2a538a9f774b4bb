"""The statements of a branch: looked up around entities, pruned for an axiom, numbered for the model."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import accumulate

from toulmin.graph.local import LocalGraph
from toulmin.graph.protocol import Graph, Side
from toulmin.graph.types import Entity, Statement
from toulmin.graph.values import literal_from_text
from toulmin.llm.prompts import block, data
from toulmin.methods.model_answers import statement_line
from toulmin.methods.r3.settings import R3Settings
from toulmin.retrieval.pruning import Pruner
from toulmin.retrieval.statement_words import is_filing, node_words, relation_words

__all__ = ["Neighbourhoods", "ShownStatements", "in_groups", "relation_names"]

_LATE = 96  # statements of an entity found in mid-search that are embedded, the best by their relations
_SEVERAL = 2  # statements of one subject and relation from which on the others are shown too
_PART = 160  # characters of a part of a statement in a prompt
_NAME = 60  # characters of the name of a relation where nothing but names is told
_NAMED, _NOTED = 24, 8  # relations of an entity, and qualifiers, that are told by name


def relation_names(around: Mapping[str, Sequence[Statement]], shown: Sequence[Statement]) -> str:
    """What else the graph says of some things, by the names of its relations and qualifiers alone.

    Args:
        around: by the name of each, the statements about it.
        shown: what a prompt shows whole.
    """
    whole = {statement.id for statement in shown}
    shown_pairs = {(statement.subject.id, statement.relation.id) for statement in shown}
    lines = []
    for entity_name, statements in around.items():
        unshown = [
            statement for statement in statements if statement.id not in whole and not is_filing(statement.relation)
        ]
        counts = Counter(relation_words(statement.relation) for statement in unshown)
        begun = {
            relation_words(statement.relation)
            for statement in unshown
            if (statement.subject.id, statement.relation.id) in shown_pairs
        }
        names = [data(name, _NAME) + _how_many(count, name in begun) for name, count in counts.items()]
        noted = dict.fromkeys(
            data(relation_words(node.relation), _NAME) for statement in unshown for node in statement.qualifiers
        )
        listed = "; ".join(names[:_NAMED]) + (f"; {len(names) - _NAMED} more" if len(names) > _NAMED else "")
        if names:
            qualified = f" (qualifiers: {'; '.join(list(noted)[:_NOTED])})" if noted else ""
            lines.append(f"{data(entity_name, _PART)}: {listed}{qualified}")
    return block("relations", lines) if lines else ""


def _how_many(count: int, begun: bool) -> str:
    """How many statements of a relation there are, beside those that are shown."""
    return f" ({count} more)" if begun else f" ({count})" if count > 1 else ""


def in_groups(statements: Iterable[Statement]) -> list[Statement]:
    """Those of one subject and relation beside each other, in the order of the first of each."""
    groups: dict[tuple[str, str], list[Statement]] = {}
    for statement in statements:
        groups.setdefault((statement.subject.id, statement.relation.id), []).append(statement)
    return [statement for group in groups.values() for statement in group]


def _size(number: int, statement: Statement) -> int:
    """Bytes of the line of a statement, and of its end."""
    return len(statement_line(number, statement).encode()) + 1


class Neighbourhoods:
    """The statements of every entity that was looked up for a question, each fetched once."""

    def __init__(self, graph: Graph, settings: R3Settings) -> None:
        self._graph, self._settings = graph, settings
        self._of: dict[str, tuple[Entity, list[Statement]]] = {}

    def __contains__(self, entity: Entity) -> bool:
        return entity.id in self._of

    @property
    def entities(self) -> list[Entity]:
        """Those that were looked up, in order."""
        return [entity for entity, _ in self._of.values()]

    def statements(self, entities: Iterable[Entity]) -> list[Statement]:
        """The statements of entities that were looked up, each once."""
        around = (statement for entity in entities for statement in self._of.get(entity.id, (entity, []))[1])
        return list({statement.id: statement for statement in around}.values())

    async def known(self, entities: Sequence[Entity]) -> list[Entity]:
        """Those of which the graph has statements, without looking them up."""
        samples = await self._statements(entities, 1)
        return [entity for entity, statements in zip(entities, samples, strict=True) if statements]

    async def fetch(self, entities: Iterable[Entity]) -> None:
        """Look entities up, in one request; of a remote graph in a thread."""
        new = [entity for entity in {entity.id: entity for entity in entities}.values() if entity not in self]
        fetched = await self._statements(new, self._settings.limit)
        for entity, statements in zip(new, fetched, strict=True):
            self._of.setdefault(entity.id, (entity, list(statements)))

    async def filed(self, entities: Iterable[Entity]) -> dict[Entity, Entity]:
        """Of entities of which nothing is said but that one other is filed under them (a category): that other."""
        distinct = {entity.id: entity for entity in entities}.values()
        empty = [entity for entity in distinct if not self.statements([entity])]
        pairs = zip(empty, await self._statements(empty, _SEVERAL, "incoming"), strict=True)
        return {
            entity: statements[0].subject
            for entity, statements in pairs
            if len(statements) == 1 and is_filing(statements[0].relation)
        }

    async def _statements(
        self, entities: Sequence[Entity], limit: int, side: Side | None = None
    ) -> Sequence[Sequence[Statement]]:
        ids, side = [entity.id for entity in entities], side or self._settings.side
        if not ids:
            return []
        if isinstance(self._graph, LocalGraph):
            return self._graph.statements(ids, side=side, limit=limit)
        return await asyncio.to_thread(self._graph.statements, ids, side=side, limit=limit)


class ShownStatements:
    """What one branch has seen: ``shown`` grows, and a number stays with its statement."""

    def __init__(self, around: Neighbourhoods, pruner: Pruner, settings: R3Settings) -> None:
        self.around, self._settings = around, settings
        self._pruner = pruner
        self._prune = pruner.named(settings.pruning)
        self.shown: list[Statement] = []
        self._ids: set[str] = set()
        self._offered: set[str] = set()

    def hasten(self) -> None:
        """From now on embed fewer statements: of what is looked up in mid-search, none was embedded ahead."""
        later = Pruner(self._pruner.embedder, self._pruner.lexicon, min(_LATE, self._pruner.shortlist))
        self._prune = later.named(self._settings.pruning)

    def unseen(self, entities: Iterable[Entity]) -> list[Statement]:
        """The statements of entities that are not shown."""
        return [statement for statement in self.around.statements(entities) if statement.id not in self._ids]

    def unread(self, entities: Iterable[Entity], query: str = "") -> list[Statement]:
        """Of these, those that the model was not offered either; with ``additions`` without what only files a thing.

        Args:
            query: what it is wanted for; relations that it names are kept.
        """
        lowered = query.lower()
        return [
            statement
            for statement in self.unseen(entities)
            if statement.id not in self._offered
            and (
                not self._settings.additions
                or not is_filing(statement.relation)
                or relation_words(statement.relation).lower() in lowered
            )
        ]

    def offer(self, query: str, entities: Iterable[Entity], k: int) -> list[Statement]:
        """The best ``k`` of those unread, to choose from; they are offered once in a branch."""
        unread = self.unread(entities, query)
        offered = [unread[place] for place in self._prune(query, unread, k)]
        self._offered.update(statement.id for statement in offered)
        return offered

    def fitting(self, query: str, entities: Iterable[Entity]) -> list[Statement]:
        """As many statements of entities, in the order of ``best``, as the window still holds."""
        ranked = self.best(query, entities, self._settings.limit * len(self.around.entities))
        left = 4 * (self._settings.window or 0) - sum(map(_size, range(1, len(self.shown) + 1), self.shown))
        sizes = accumulate(map(_size, range(len(self.shown) + 1, len(self.shown) + len(ranked) + 1), ranked))
        return ranked[: bisect_right(list(sizes), left)]

    def best(self, query: str, entities: Iterable[Entity], k: int) -> list[Statement]:
        """The ``k`` statements of entities that a text needs most, of those not shown."""
        unseen = self.unseen(entities)
        unread = {statement.id for statement in self.unread(entities, query)} | self._offered
        unseen = [statement for statement in unseen if statement.id in unread]
        return [unseen[place] for place in self._prune(query, unseen, k)]

    def rest_of_groups(self, statements: Iterable[Statement], k: int) -> list[Statement]:
        """The others, at most ``k``, of subjects and relations that several of these statements share.

        What is counted, or judged as a whole, must not be cut in two.
        """
        shared = Counter((statement.subject.id, statement.relation.id) for statement in statements)
        groups = [group for group, count in shared.most_common() if count >= _SEVERAL]
        unseen = self.unseen(
            entity for entity in self.around.entities if entity.id in {subject for subject, _ in groups}
        )
        return [
            statement
            for group in groups
            for statement in unseen
            if (statement.subject.id, statement.relation.id) == group
        ][:k]

    def show(self, statements: Iterable[Statement]) -> list[Statement]:
        """Add statements; those that are new."""
        distinct = {statement.id: statement for statement in statements}
        new = [statement for statement_id, statement in distinct.items() if statement_id not in self._ids]
        new = in_groups(new) if self._settings.additions else new
        self.shown += new
        self._ids.update(statement.id for statement in new)
        return new

    def neighbours(self, known: Collection[Entity]) -> list[Entity]:
        """The entities that shown statements name, other than those known, those named first before others.

        Dates and numbers, which some graphs have as entities, are none of them.
        """
        ends = (
            end
            for statement in self.shown
            for end in (statement.object, statement.subject, *(q.value for q in statement.qualifiers))
        )
        entities = {end.id: end for end in ends if isinstance(end, Entity) and end not in known}
        return [end for end in entities.values() if literal_from_text(node_words(end)) is None]
