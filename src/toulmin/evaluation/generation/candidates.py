"""The ten types of open-ended questions (papers/okgqa, table 1), and which entities can bear a question of one.

A type is a file of ``types/`` with its template. What an entity, or a pair of them, can bear is told by its classes and
its statements.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from typing import Any
from typing import Literal as Choice

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from toulmin.errors import GraphError, SettingsError
from toulmin.graph.classes import class_relation
from toulmin.graph.csr import Ints, over
from toulmin.graph.labels import normalise
from toulmin.graph.local import LocalGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.times import is_time
from toulmin.graph.types import DESCRIPTION, Entity, Literal, Node, Relation, Statement
from toulmin.retrieval.linking import EntityLinker
from toulmin.retrieval.retriever import Retriever
from toulmin.retrieval.statement_words import node_words, relation_words

__all__ = ["CandidateSource", "QuestionCandidate", "QuestionType", "named_by", "question_types", "types_named"]

_NEAREST = 300  # statements of one side of an entity that are looked at
_BARREN = 1000  # entities in a row that bear no question of a type, after which no further one is looked at
_PARTNERS = 200  # entities that one is compared with
_SHARED = 3  # relations that two things of one kind must share to be compared
_HUB = 0.99, 20  # a node of a degree above this quantile, and above this number, joins nothing
_YEARS = 1000, 2100  # what a bare number may mean as a year
_NAME = 2, 80  # characters of a name that a question can hold
_PHRASE_ENDS = re.compile(r"[,;:(–—]| (?:as|at|between|by|for|from|in|of|on|that|to|under|when|where|which|who|with)\b")


@dataclass(frozen=True, slots=True)
class QuestionType:
    """A type, its template, and what an entity must have to bear it.

    Args:
        name: "contrast-analysis"; the name of its file.
        group: "comparative": the paper's five.
        template: the shape of the question, with its places in brackets.
        asks: what its answer does, and when no such question can be written.
        ends: what it is about: one entity, two that statements join, or two of one kind that share relations.
        kinds: nouns, of one of which the entity's class or description has to be a kind; empty: of any.
        hints: words of which a relation or qualifier from the entity must have one; empty: none.
        without: words that no relation from the entity may have: what is over has no future.
        relations: least number of different relations from the entity, class and description aside.
        statements: least number of statements about it, in either direction.
        dated: least number of different times that are told of it or of what points to it.
        excluded: nouns of which it may be no kind.
    """

    name: str
    group: str
    template: str
    asks: str
    ends: Choice["one", "joined", "alike"] = "one"
    kinds: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    hints: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()
    relations: int = 0
    statements: int = 0
    dated: int = 0


@cache
def question_types() -> dict[str, QuestionType]:
    """All types by name, in the order of their names."""
    adapter, types = TypeAdapter(QuestionType), {}
    for entry in sorted((files(__package__) / "types").iterdir(), key=lambda file: file.name):
        if (name := entry.name.removesuffix(".toml")) != entry.name:
            types[name] = adapter.validate_python({"name": name, **tomllib.loads(entry.read_text("utf-8"))})
    return types


def types_named(names: Sequence[str]) -> tuple[QuestionType, ...]:
    """The types of these names; all where none is named.

    Raises:
        SettingsError: there is no such type.
    """
    known = question_types()
    for name in names:
        if name not in known:
            raise SettingsError(f"unknown type of question {name!r}: use {', '.join(known)}")
    return tuple(known[name] for name in dict.fromkeys(names)) or tuple(known.values())


@dataclass(frozen=True, slots=True)
class QuestionCandidate:
    """A type and the entities that a question of it may be about: one, or two in the order of the template."""

    type: QuestionType
    entities: tuple[Entity, ...]


def named_by(linker: EntityLinker, text: str) -> set[str]:
    """The ids of the entities that the linker ranks first for the names in a text."""
    return {mention.candidates[0].entity.id for mention in linker.link(text)}


class CandidateSource:
    """The candidates of a graph.

    Raises:
        GraphError: the graph is not at hand as a whole.
    """

    def __init__(self, graph: Graph, retriever: Retriever) -> None:
        if not isinstance(graph, LocalGraph):
            raise GraphError("questions are drawn from all of a graph: build it first (`toulmin build`)")
        self._subgraph, self._retriever = graph.subgraph([], 0), retriever
        self._sides, relations = (self._subgraph.outgoing, self._subgraph.incoming), self._subgraph.relations
        numbers = [number for number, relation in enumerate(relations) if class_relation(relation) == "instance"]
        self._instance = np.array(numbers, dtype=np.int32)
        self._used = np.bincount(self._subgraph.outgoing.relation, minlength=len(relations))
        self._surroundings = lru_cache(4096)(self._find_surroundings)

    def of(self, kind: QuestionType, seed: int) -> Iterator[QuestionCandidate]:
        """The candidates of a type in an order that hangs on the graph, the type and the seed alone."""
        draw = np.random.default_rng([seed, *kind.name.encode()])
        pairs = set[frozenset[int]]()
        if not self._possible(kind):
            return
        barren = 0
        for number in draw.permutation(self._subgraph.n_entities).tolist():
            if (barren := barren + 1) > _BARREN:
                return
            if not self._bears(number, kind):
                continue
            barren = 0
            if kind.ends == "one":
                if self._can_be_named(number):
                    yield QuestionCandidate(kind, (self._entity(number),))
                continue
            partners = self._joined(number) if kind.ends == "joined" else self._alike(number, draw)
            for partner in partners:
                pair = frozenset((number, partner))
                if pair not in pairs and self._bears(partner, kind) and all(map(self._can_be_named, pair)):
                    pairs.add(pair)
                    yield QuestionCandidate(kind, (self._entity(number), self._entity(partner)))
                    break  # one pair for an entity, so that a set is not about a few of them

    def _possible(self, kind: QuestionType) -> bool:
        """Whether the relations of the graph can tell at all what the type asks of an entity."""
        relations = self._subgraph.relations
        can_tell = not kind.hints or bool(kind.hints & _words(relations))
        return can_tell and (not kind.kinds or any(map(_tells_kind, relations)))

    def _entity(self, number: int) -> Entity:
        node = self._subgraph.node(number)
        assert isinstance(node, Entity)  # noqa: S101  no candidate is a literal
        return node

    def _bears(self, number: int, kind: QuestionType) -> bool:
        degree = sum(int(csr.indptr[number + 1] - csr.indptr[number]) for csr in self._sides)
        if degree < max(kind.statements, kind.relations) or self._classes[number] or self._subgraph.machine[number]:
            return False
        surroundings = self._surroundings(number)
        return (
            len(surroundings.relations) >= kind.relations
            and surroundings.statements >= kind.statements
            and surroundings.times >= kind.dated
            and not kind.without & surroundings.relation_words
            and (not kind.hints or bool(kind.hints & surroundings.words))
            and (not kind.kinds or self._is_kind(surroundings.nouns, kind.kinds))
            and not self._is_kind(surroundings.nouns, kind.excluded)
        )

    def _can_be_named(self, number: int) -> bool:
        """Whether the name of an entity, by itself, is linked to that entity."""
        entity = self._entity(number)
        name = node_words(entity)
        can = _NAME[0] <= len(name) <= _NAME[1] and any(map(str.isalpha, name))
        return can and entity.id in named_by(self._retriever.linker, name)

    def _is_kind(self, nouns: frozenset[str], kinds: tuple[str, ...]) -> bool:
        return any(noun == kind or self._retriever.lexicon.is_a(noun, kind) for noun in nouns for kind in kinds)

    @cached_property
    def _classes(self) -> NDArray[np.bool_]:
        """bool[n_nodes]: classes, which have instances; no question is about one, and none joins two entities."""
        classes = np.zeros(self._subgraph.n_nodes, dtype=np.bool_)
        classes[self._subgraph.outgoing.neighbour[np.isin(self._subgraph.outgoing.relation, self._instance)]] = True
        return classes

    @cached_property
    def _joining(self) -> NDArray[np.bool_]:
        """bool[n_nodes]: entities that are neither classes nor hubs."""
        outgoing, incoming = self._sides
        degree = np.diff(outgoing.indptr) + np.diff(incoming.indptr)
        most = max(float(np.quantile(degree[: self._subgraph.n_entities], _HUB[0])), _HUB[1])
        joining = (degree <= most) & ~self._classes
        joining[self._subgraph.n_entities :] = False
        # Dates and numbers join nothing either; where a graph has no types, they are entities.
        near = np.flatnonzero(joining)
        joining[near] = [any(map(str.isalpha, label)) for label in self._subgraph.labels(near)]
        return joining

    def _around(self, number: int) -> Ints:
        """The distinct neighbours of an entity, without classes and hubs."""
        ends = np.concatenate([csr.neighbour[csr.edges(number)] for csr in self._sides])
        near: Ints = np.unique(ends)
        joining: NDArray[np.bool_] = self._joining[near] & (near != number)
        return near[joining]

    def _joined(self, number: int) -> list[int]:
        """Entities that this one is joined to in two or more ways, by way of at most one third.

        The closest first, by the index of Adamic and Adar (2003): a third joins the less, the more it joins.
        """
        near = self._around(number).tolist()
        ways: dict[int, list[float]] = {end: [1.0] for end in near}
        for middle in near:
            beside = self._around(middle).tolist()
            for end in beside:
                if end != number:
                    ways.setdefault(end, []).append(1 / math.log(1 + len(beside)))
        # One way alone gives a question of one fact; with another, there is something to explain.
        closeness = {end: sum(weights) for end, weights in ways.items() if len(weights) > 1}
        return sorted(closeness, key=lambda end: (-closeness[end], end))[:_PARTNERS]

    def _alike(self, number: int, draw: np.random.Generator) -> list[int]:
        """Entities of the same class, or with the same relations, by what they share with this one."""
        outgoing, incoming = self._sides
        span = outgoing.edges(number)
        relations, ends = outgoing.relation[span], outgoing.neighbour[span]
        typed = np.isin(relations, self._instance)
        if typed.any():
            pool = [incoming.neighbour[over(incoming, ends[typed], self._instance)[0]]]
        else:
            rarest = sorted(set(relations.tolist()), key=lambda relation: (int(self._used[relation]), relation))[:1]
            rows_of = [np.flatnonzero(outgoing.relation == relation) for relation in rarest]
            pool = [(np.searchsorted(outgoing.indptr, rows, side="right") - 1).astype(np.int32) for rows in rows_of]
        pool_ = np.unique(np.concatenate([np.empty(0, dtype=np.int32), *pool]))
        pool_ = draw.permutation(pool_[pool_ != number])[:_PARTNERS]
        mine = self._surroundings(number)
        least = min(_SHARED, len(mine.relations))
        scored = []
        for candidate in pool_.tolist():
            theirs = self._surroundings(int(candidate))
            if len(mine.relations & theirs.relations) >= least:
                # What makes a comparison natural: two chemists, two books of one author, two pumps of one plant.
                alike = _jaccard(mine.relations, theirs.relations) + _jaccard(mine.nouns, theirs.nouns)
                scored.append((-alike - _jaccard(mine.values, theirs.values), int(candidate)))
        return [candidate for _, candidate in sorted(scored)]

    def _find_surroundings(self, number: int) -> _Surroundings:
        rows = [csr.statement[csr.edges(number)][:_NEAREST] for csr in self._sides]
        outgoing, incoming = (self._subgraph.statements(span) for span in rows)
        plain = [statement for statement in outgoing if not _tells_kind(statement.relation)]
        times = {_time(statement) for statement in plain} | {_time(statement) for statement in incoming}
        pointing = self._subgraph.tables.subject[rows[1]][:_NEAREST]
        for subject in np.unique(pointing).tolist():
            dates = map(_date, self._subgraph.nodes(self._subgraph.objects(subject)[:_NEAREST]))
            times.add(next((date for date in dates if date is not None), None))  # of what a thing made or had: when
        own_words = _words(statement.relation for statement in plain)
        return _Surroundings(
            relations=frozenset(statement.relation.id for statement in plain),
            values=frozenset((statement.relation.id, node_words(statement.object)) for statement in plain),
            words=own_words | _words(more.relation for statement in plain for more in statement.qualifiers),
            relation_words=own_words,
            nouns=frozenset(
                noun
                for statement in outgoing
                if _tells_kind(statement.relation)
                for noun in _nouns(node_words(statement.object))
            ),
            times=len(times - {None}),
            statements=len(plain) + len(incoming),
        )


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """What the statements of an entity hold, summed up to tell which questions it can bear."""

    relations: frozenset[str]
    values: frozenset[tuple[str, str]]
    words: frozenset[str]
    relation_words: frozenset[str]
    nouns: frozenset[str]
    times: int
    statements: int


def _words(relations: Iterable[Relation]) -> frozenset[str]:
    return frozenset(word for relation in relations for word in normalise(relation_words(relation)).split())


def _jaccard(first: frozenset[Any], second: frozenset[Any]) -> float:
    either = len(first | second)
    return len(first & second) / either if either else 0.0


def _tells_kind(relation: Relation) -> bool:
    return relation.id == DESCRIPTION or class_relation(relation) == "instance"


def _nouns(phrase: str) -> list[str]:
    """What a class or description says that a thing is: "state of the United States" - state; also two words."""
    words = [normalise(word) for word in _PHRASE_ENDS.split(phrase, maxsplit=1)[0].split()]
    return [" ".join(words[-count:]) for count in (1, 2) if len(words) >= count]


def _date(node: Node) -> str | None:
    """The time that a node is: a literal, or in a graph without types what is written like a date or a recent year."""
    if isinstance(node, Literal):
        return node.value if node.kind == "time" or (node.kind == "string" and _dated(node.value)) else None
    return node.label if node.label is not None and _dated(node.label) else None


def _dated(text: str) -> bool:
    return is_time(text) and (not text.isdigit() or _YEARS[0] <= int(text) <= _YEARS[1])


def _time(statement: Statement) -> str | None:
    """The first time among the object and the qualifiers of a statement."""
    nodes = (statement.object, *(qualifier.value for qualifier in statement.qualifiers))
    return next((date for node in nodes if (date := _date(node)) is not None), None)
