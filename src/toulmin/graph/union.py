"""Several graphs asked as one: a personal graph beside a shared one.

Entities are the same where their ids are. Statements say which graph holds them, so that an answer can be checked
against each; one that two graphs hold is two statements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from hashlib import blake2b
from itertools import chain
from types import MappingProxyType
from typing import TypeVar

import numpy as np

from toulmin.errors import QueryError, SettingsError
from toulmin.graph.closing import Closing
from toulmin.graph.labels import is_machine_id, is_nameless, normalise, readable_id, readable_relation
from toulmin.graph.local import LocalGraph
from toulmin.graph.protocol import Graph, LabelMatch, QueryResult, Side, check_asked, crawl
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Entity, EntityInfo, Relation, Statement, parts_of, relabelled

__all__ = ["UnionGraph"]

_Part = TypeVar("_Part", Entity, Relation)


class UnionGraph(Closing):
    """A union of graphs, which are asked in the order given; the first one's names win.

    Args:
        graphs: their names must differ. A union among them is taken apart.
        name: of the union.
        limit: statements taken for each node and side, where a sub-graph has to be fetched.

    Attributes:
        graphs: by name, in order.

    Raises:
        SettingsError: no graph, a graph without a name, or two of one name.
    """

    def __init__(self, graphs: Iterable[Graph], *, name: str = "union", limit: int = 200) -> None:
        members: list[Graph] = []
        for graph in graphs:
            members.extend(graph.graphs.values() if isinstance(graph, UnionGraph) else [graph])
        names = [graph.name for graph in members]
        if not members or not all(names):
            raise SettingsError("a union needs at least one graph, and each graph a name")
        twice = next((member for place, member in enumerate(names) if member in names[:place]), None)
        if twice is not None:
            raise SettingsError(f"two graphs of the union are named {twice!r}: give one another name")
        if limit < 1:
            raise SettingsError(f"limit is {limit}: must be at least 1")
        self.name, self._limit = name, limit
        self.graphs: Mapping[str, Graph] = MappingProxyType(dict(zip(names, members, strict=True)))
        self._merged: tuple[tuple[Subgraph, ...], Subgraph] | None = None

    @property
    def fingerprint(self) -> str:
        """32 hexadecimal digits of the names and fingerprints of the graphs, whatever their order."""
        lines = sorted(f"{name}\x1f{graph.fingerprint}" for name, graph in self.graphs.items())
        return blake2b("\x1e".join(lines).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    def statements(
        self,
        entities: Sequence[str],
        *,
        side: Side = "both",
        relations: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> list[list[Statement]]:
        """The statements of each entity in all graphs, each with its graph's name; outgoing ones first."""
        check_asked(side, limit)
        lists: list[list[Statement]] = [[] for _ in entities]
        for name, graph in self.graphs.items():
            parts = graph.statements(entities, side=side, relations=relations, limit=limit)
            for statements, part in zip(lists, parts, strict=True):
                statements.extend(replace(statement, graph=name) for statement in part)
        for entity, statements in zip(entities, lists, strict=True):
            if side == "both":
                outgoing = [statement for statement in statements if statement.subject.id == entity]
                incoming = [statement for statement in statements if statement.subject.id != entity]
                statements[:] = outgoing[:limit] + incoming[:limit]
            else:
                statements[:] = statements[:limit]
        return self._named(lists)

    def contains(self, statements: Sequence[Statement]) -> list[bool]:
        """Whether the graph that each statement names holds it; any graph, where it names none."""
        held = [False] * len(statements)
        bare = [replace(statement, graph=None) for statement in statements]
        for name, graph in self.graphs.items():
            places = [
                place
                for place, statement in enumerate(statements)
                if statement.graph == name or (statement.graph is None and not held[place])
            ]
            for place, holds in zip(places, graph.contains([bare[place] for place in places]), strict=True):
                held[place] = held[place] or holds
        return held

    def describe(self, entities: Sequence[str]) -> list[EntityInfo | None]:
        """The first graph's label that is more than an id, all other names as aliases, the first description."""
        lists = [graph.describe(entities) for graph in self.graphs.values()]
        return [_merge_infos(infos) for infos in zip(*lists, strict=True)]

    def lookup(self, forms: Sequence[str]) -> list[list[LabelMatch]]:
        """Entities having these names in any graph: labels before aliases, each graph's order kept."""
        by_graph = [graph.lookup(forms) for graph in self.graphs.values()]
        merged: list[list[LabelMatch]] = []
        for lists in zip(*by_graph, strict=True):
            placed = [(match.alias, place, match) for matches in lists for place, match in enumerate(matches)]
            merged.append(_best_of_each([match for _, _, match in sorted(placed, key=lambda row: row[:2])]))
        return merged

    def search(self, text: str, limit: int = 10) -> list[LabelMatch]:
        """The best matches of all graphs."""
        matches = [match for graph in self.graphs.values() for match in graph.search(text, limit)]
        return _best_of_each(sorted(matches, key=lambda match: (-match.score, match.alias)))[:limit]

    def relations(self) -> list[tuple[Relation, int]]:
        """Every relation with its number of statements in all graphs, most frequent first."""
        counts: dict[str, int] = {}
        labels: dict[str, str | None] = {}
        for graph in self.graphs.values():
            for relation, count in graph.relations():
                counts[relation.id] = counts.get(relation.id, 0) + count
                labels[relation.id] = _better(relation.id, labels.get(relation.id), relation.label, readable_relation)
        ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        return [(Relation(identifier, labels[identifier]), count) for identifier, count in ordered]

    def subgraph(self, seeds: Sequence[str], hops: int) -> Subgraph:
        """All graphs in one (kept), where each gives all of itself; else what a walk over all of them meets.

        On such a walk at most ``limit`` statements are taken for each node and side.
        """
        wholes = tuple(graph.subgraph((), 0) for graph in self.graphs.values())
        for graph, whole in zip(self.graphs.values(), wholes, strict=True):
            if not whole.n_statements and not isinstance(graph, LocalGraph):  # that gives everything without a seed
                return crawl(self, seeds, hops, self._limit)
        if self._merged is None or any(old is not new for old, new in zip(self._merged[0], wholes, strict=True)):
            self._merged = wholes, self._merge(wholes)
        return self._merged[1]

    def query(self, sparql: str, *, timeout: float = 30.0, limit: int | None = None) -> QueryResult:
        """No engine spans the graphs, and rows put together from each would be wrong wherever a query joins or counts.

        Raises:
            QueryError: always; ask one of ``graphs``.
        """
        raise QueryError(f"SPARQL cannot be asked of a union: ask one of its graphs ({', '.join(self.graphs)})")

    def close(self) -> None:
        """Close all graphs, whatever one of them raises."""
        with ExitStack() as stack:
            for graph in self.graphs.values():
                stack.callback(graph.close)

    def _merge(self, parts: Sequence[Subgraph]) -> Subgraph:
        statements: list[Statement] = []
        labels: dict[str, str | None] = {}
        for name, part in zip(self.graphs, parts, strict=True):
            rows = part.statements(np.arange(part.n_statements, dtype=np.int32))
            statements.extend(replace(statement, graph=name) for statement in rows)
            for relation in part.relations:
                labels[relation.id] = _better(relation.id, labels.get(relation.id), relation.label, readable_relation)
            for node in part.nodes(np.arange(part.n_entities, dtype=np.int32)):
                if isinstance(node, Entity):
                    labels[node.id] = _better(node.id, labels.get(node.id), node.label, readable_id)
        known = {identifier: label for identifier, label in labels.items() if label}
        return Subgraph.from_statements(statements, known)

    def _named(self, lists: list[list[Statement]]) -> list[list[Statement]]:
        """The same statements; what one graph knows by a machine's id only gets the name that another has for it."""
        if len(self.graphs) == 1:
            return lists
        labels = {part.id: part.label for statement in chain.from_iterable(lists) for part in parts_of(statement)}
        nameless = [identifier for identifier, label in labels.items() if is_nameless(identifier, label)]
        names = {
            info.entity.id: info.entity.label
            for info in (self.describe(nameless) if nameless else ())
            if info is not None and not is_nameless(info.entity.id, info.entity.label)
        }
        if not names:
            return lists

        def named(part: _Part) -> _Part:
            return replace(part, label=names.get(part.id, part.label))

        return [[relabelled(statement, named, named) for statement in statements] for statements in lists]


def _better(identifier: str, known: str | None, other: str | None, fallback: Callable[[str], str]) -> str | None:
    """The known label, unless it only repeats the id."""
    made = known is not None and normalise(known) == normalise(fallback(identifier))
    return other if known is None or (made and other is not None) else known


def _merge_infos(infos: Sequence[EntityInfo | None]) -> EntityInfo | None:
    known = [info for info in infos if info is not None]
    if not known:
        return None
    identifier = known[0].entity.id
    label: str | None = None
    for info in known:
        label = _better(identifier, label, info.entity.label, readable_id)
    others = [form for info in known for form in (info.entity.label, *info.aliases) if form is not None]
    no_names = (label, *([readable_id(identifier)] if is_machine_id(identifier) else []))
    aliases = dict.fromkeys(form for form in others if form not in no_names)
    description = next((info.description for info in known if info.description), None)
    return EntityInfo(Entity(identifier, label), tuple(aliases), description)


def _best_of_each(matches: Iterable[LabelMatch]) -> list[LabelMatch]:
    """The first match of each entity."""
    first: dict[str, LabelMatch] = {}
    for match in matches:
        first.setdefault(match.id, match)
    return list(first.values())
