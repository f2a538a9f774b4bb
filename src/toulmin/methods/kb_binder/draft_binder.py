"""Binds a draft: the likest entities, classes and relations of the graph in the place of its words, best first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from heapq import heappop, heappush

import numpy as np

from toulmin.errors import SettingsError
from toulmin.graph.classes import class_relation
from toulmin.graph.csr import gather
from toulmin.graph.local import LocalGraph
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Entity, Literal, Node, Relation, node_key
from toulmin.graph.values import literal_from_text
from toulmin.methods.kb_binder.logical_forms import SIGNS, LogicalForm, Rel, names, relations
from toulmin.methods.setting_checks import check_least
from toulmin.program.builder import Builder
from toulmin.retrieval.embedders import Scores, Vectors
from toulmin.retrieval.retriever import Retriever
from toulmin.retrieval.schema import spoken_relation
from toulmin.retrieval.scorers import BM25, FittedScorer

__all__ = ["Binding", "DraftBinder", "KBBinderSettings"]

_SEARCHED = 50  # names that a search may give
_KINDS = ("instance", "subclass")  # of relations that say what is of which class
_LONGEST = 200  # characters of a name that is looked up


@dataclass(frozen=True, slots=True)
class KBBinderSettings:
    """KB-BINDER (Li et al. 2023); "code": what its published program does (few_shot_kbqa.py).

    Args:
        drafts: K, logical forms that are sampled (code: 7).
        temperature: of a draft (code, README: 0.3).
        shots: demonstrations in the prompt, at most the 10 that there are (the paper has 40 for GrailQA, of the
            data set's own questions; ours are of invented graphs, since none may be of an evaluation set).
        relations: of the graph that a draft's relation may stand for, the likest first (code: 7).
        fewer: the same, where a draft has three relations or more (code: 4).
        most: relations of a draft; one with more is given up (code: 5).
        entities: of the graph that a draft's name may stand for (code: 15).
        classes: the same of a class (code: 3).
        hops: relations must be so near to an entity that a draft names (code: 2).
        candidates: bindings of one draft that are executed, at most (the paper sets no bound; ours).
        max_tokens: of a draft (code: 256).

    Raises:
        SettingsError: a number out of range.
    """

    drafts: int = 7
    temperature: float = 0.3
    shots: int = 10
    relations: int = 7
    fewer: int = 4
    most: int = 5
    entities: int = 15
    classes: int = 3
    hops: int = 2
    candidates: int = 100
    max_tokens: int = 256

    def __post_init__(self) -> None:
        counts = ("drafts", "relations", "fewer", "most", "entities", "classes", "hops", "candidates", "max_tokens")
        check_least(self, *counts, of="kb-binder: ")
        if self.shots < 0 or not self.temperature >= 0:
            raise SettingsError("kb-binder: shots and temperature are 0 or more")


@dataclass(frozen=True, slots=True)
class Binding:
    """What each name, class and relation of a draft stands for; relations in their order, with whether backward."""

    nodes: Mapping[str, Node]
    classes: Mapping[str, Entity]
    relations: tuple[tuple[Relation, bool], ...]


class DraftBinder:
    """Binds the drafts of one question.

    Args:
        question: its words count for relations, beside those of the draft.
    """

    def __init__(self, question: str, retriever: Retriever, settings: KBBinderSettings) -> None:
        self._question, self._retriever, self._settings = question, retriever, settings
        self._graph = retriever.graph
        self._nodes: dict[str, list[Node]] = {}
        self._fitted: dict[tuple[str, ...], tuple[FittedScorer, Vectors]] = {}

    # -- candidates --------------------------------------------------------------------------------------------------

    def nodes(self, text: str) -> list[Node]:
        """What a name may stand for: those that bear it, else those whose names are like it; values as they stand."""
        if text not in self._nodes:
            most = self._settings.entities
            exact = [match.id for match in self._graph.lookup([text[:_LONGEST]])[0]][:most]
            candidates: list[Node] = list(self._entities(exact))
            candidates += self._values(text)
            if not candidates:
                searched = self._graph.search(text[:_LONGEST], _SEARCHED)
                candidates += self._likest(text, self._entities(list(dict.fromkeys(m.id for m in searched))), most)
            self._nodes[text] = candidates[:most]
        return self._nodes[text]

    def _entities(self, ids: Sequence[str]) -> list[Entity]:
        return [info.entity for info in self._graph.describe(ids) if info] if ids else []

    def _values(self, text: str) -> list[Node]:
        """A number or time, and texts that statements of a local graph lead to."""
        literal = literal_from_text(text)
        values = [Literal(text), Literal(text, lang="en"), *([literal] if literal else [])]
        if not isinstance(self._graph, LocalGraph):
            return [literal] if literal else []
        tables = self._retriever.subgraph([], 0).tables
        return [value for value in values if tables.find(node_key(value)) is not None]

    def _likest(self, text: str, entities: Sequence[Entity], most: int) -> list[Entity]:
        """Entities by BM25 and embedding of their names together."""
        if not entities:
            return []
        order = np.argsort(-self._hybrid(text, [entity.label or entity.id for entity in entities]), kind="stable")
        return [entities[place] for place in order[:most].tolist()]

    def _hybrid(self, query: str, texts: Sequence[str]) -> Scores:
        """The sum of BM25, as a share of its greatest value, and the cosine of embeddings."""
        embedder, key = self._retriever.embedder, tuple(texts)
        if key not in self._fitted:
            self._fitted[key] = BM25().fit(texts), embedder.embed(texts)
        fitted, vectors = self._fitted[key]
        words, cosines = fitted.scores(query), vectors @ embedder.embed([query])[0]
        return np.asarray(words / max(float(words.max(initial=0)), 1e-9) + cosines, dtype=np.float32)

    def classes(self, text: str) -> list[Entity]:
        """The classes of the graph whose names are likest."""
        return self._likest(text, self._classes, self._settings.classes)

    # -- the graph near what a draft names ---------------------------------------------------------------------------

    @cached_property
    def class_relations(self) -> tuple[list[str], list[str]]:
        """The relations of instances, and of subclasses."""
        every = self._around([]).relations
        instance, subclass = ([r.id for r in every if class_relation(r) == kind] for kind in _KINDS)
        return instance, subclass

    @cached_property
    def _classes(self) -> list[Entity]:
        subgraph = self._around([])
        tables = subgraph.tables
        numbers = [number for number, relation in enumerate(subgraph.relations) if class_relation(relation) in _KINDS]
        ends = np.unique(tables.object[np.isin(tables.relation, numbers)])
        return [node for node in subgraph.nodes(ends) if isinstance(node, Entity)]

    def _around(self, entities: Sequence[str]) -> Subgraph:
        return self._retriever.subgraph(entities, self._settings.hops)

    def _near(self, entities: Sequence[Entity]) -> list[Relation]:
        """The relations within some hops of entities; without entities all."""
        subgraph = self._around([entity.id for entity in entities])
        seeds = [number for entity in entities if (number := subgraph.index(entity.id)) is not None]
        plain = [relation for relation in subgraph.relations if class_relation(relation) is None]
        if not seeds:
            return plain
        inner = subgraph.k_hop(np.array(seeds, dtype=np.int32), self._settings.hops - 1)
        sides = (subgraph.outgoing, subgraph.incoming)
        numbers = np.concatenate([side.relation[gather(side.indptr, inner)] for side in sides])
        near = {subgraph.relations[number].id for number in np.unique(numbers).tolist()}
        return [relation for relation in plain if relation.id in near] or plain

    def relations(self, drafted: Sequence[Rel], near: Sequence[Relation], most: int) -> list[list[Relation]]:
        """For each relation of a draft the likest ones of the graph."""
        if not near:
            return [[] for _ in drafted]
        texts = [spoken_relation(relation.label or relation.id) for relation in near]
        candidates = []
        for draft_relation in drafted:
            scores = self._hybrid(f"{draft_relation.text} {self._question}", texts) + self._hybrid(
                draft_relation.text, texts
            )
            order = np.argsort(-scores, kind="stable")[:most]
            candidates.append([near[place] for place in order.tolist()])
        return candidates

    # -- bindings ----------------------------------------------------------------------------------------------------

    def bindings(self, form: LogicalForm) -> Iterator[Binding]:
        """The bindings of a draft, the likest first: those whose places in the lists of candidates sum to least."""
        drafted = relations(form)
        if len(drafted) > self._settings.most:
            return
        entity_names, class_names = list(dict.fromkeys(names(form))), list(dict.fromkeys(names(form, classes=True)))
        nodes = [self.nodes(text) for text in entity_names]
        kinds = [self.classes(text) for text in class_names]
        entities = [node for candidates in nodes for node in candidates if isinstance(node, Entity)]
        most = self._settings.fewer if len(drafted) > 2 else self._settings.relations
        likest = self.relations(drafted, self._near(entities), most)
        slots: list[Sequence[object]] = [*nodes, *kinds]
        for drafted_relation, candidates in zip(drafted, likest, strict=True):
            ways = (drafted_relation.backward, not drafted_relation.backward)
            slots.append([(relation, backward) for relation in candidates for backward in ways])
        for choice in _by_rank(slots, self._settings.candidates):
            of_nodes, beside = choice[: len(entity_names)], choice[len(entity_names) :]
            yield Binding(
                dict(zip(entity_names, of_nodes, strict=True)),  # type: ignore[arg-type]  # slots are of these kinds
                dict(zip(class_names, beside[: len(class_names)], strict=True)),  # type: ignore[arg-type]
                tuple(beside[len(class_names) :]),  # type: ignore[arg-type]
            )

    def built(self, form: LogicalForm, binding: Binding, builder: Builder) -> int:
        """The node of a program that a bound draft is.

        Raises:
            InputError: it is ill typed.
        """
        return _BoundForm(binding, builder, self.class_relations).place(form)


def _by_rank(slots: Sequence[Sequence[object]], most: int) -> Iterator[tuple[object, ...]]:
    """Choices of one from each list, in the order of the sum of their places."""
    if not all(slots):
        return
    start = (0,) * len(slots)
    queue, seen = [(0, start)], {start}
    for _ in range(most):
        if not queue:
            return
        total, places = heappop(queue)
        yield tuple(slot[place] for slot, place in zip(slots, places, strict=True))
        for at, place in enumerate(places):
            after = (*places[:at], place + 1, *places[at + 1 :])
            if place + 1 < len(slots[at]) and after not in seen:
                seen.add(after)
                heappush(queue, (total + 1, after))


class _BoundForm:
    def __init__(self, binding: Binding, builder: Builder, classes: tuple[list[str], list[str]]) -> None:
        self._binding, self._b, self._classes = binding, builder, classes
        self._left = iter(binding.relations)

    def place(self, form: LogicalForm) -> int:
        match form.op:
            case "":
                node = self._binding.nodes[form.text]
                return self._b.entity(node) if isinstance(node, Entity) else self._b.literal(node)
            case "JOIN":
                relation, backward = next(self._left)
                return self._b.follow(self.place(form.parts[0]), relation, "forward" if backward else "backward")
            case "AND":
                return self._both(form.parts)
            case "ARGMAX" | "ARGMIN":
                pick = self._b.last if form.op == "ARGMAX" else self._b.first
                return pick(self._set(form.parts[0]), partial(self._followed, *next(self._left)))
            case _:
                return self._b.count(self._set(form.parts[0]))

    def _set(self, form: LogicalForm) -> int:
        """A set; of a name the instances of that class."""
        if form.op:
            return self.place(form)
        instance, sub = self._classes
        return self._b.instances(self._b.entity(self._binding.classes[form.text]), instance, sub)

    def _followed(self, relation: Relation, backward: bool, it: int) -> int:
        return self._b.follow(it, relation, "backward" if backward else "forward")

    def _both(self, parts: Sequence[LogicalForm]) -> int:
        sets: list[int] = []
        tests: list[partial[int]] = []
        for part in parts:
            if part.op in SIGNS:
                tests.append(partial(self._compared, part, *next(self._left)))
            else:
                sets.append(self._set(part))
        place = self._b.intersection(*sets)
        for test in tests:
            place = self._b.where(place, test)
        return place

    def _compared(self, form: LogicalForm, relation: Relation, backward: bool, it: int) -> int:
        value = form.value
        assert value is not None  # noqa: S101  (a comparison has one)
        there = self._followed(relation, backward, it)
        return self._b.some(there, lambda end: self._b.compare(SIGNS[form.op], end, self._b.literal(value)))
