"""Binds a draft: the likest entities, classes and relations of the graph in the place of its words, best first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from heapq import heappop, heappush

import numpy as np

from toulmin.graph.classes import class_relation
from toulmin.graph.local import LocalGraph
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Entity, Literal, Node, Relation, node_key
from toulmin.graph.values import literal_from_text
from toulmin.methods.kb_binder.logical_forms import (
    And,
    Arg,
    Count,
    Form,
    NameForm,
    Rel,
    RelationJoin,
    ValueTest,
    names,
    relations,
)
from toulmin.methods.kb_binder.settings import KBBinderSettings
from toulmin.program.builder import Builder
from toulmin.retrieval.bm25 import BM25, FittedBM25
from toulmin.retrieval.embedders import Vectors
from toulmin.retrieval.ranking import Scores
from toulmin.retrieval.retriever import Retriever
from toulmin.retrieval.schema import spoken_relation

__all__ = ["Binding", "DraftBinder"]

_SEARCHED = 50  # names that a search may give
_LONGEST = 200  # characters of a name that is looked up


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
        self._fitted: dict[tuple[str, ...], tuple[FittedBM25, Vectors]] = {}

    # -- candidates --------------------------------------------------------------------------------------------------

    def nodes(self, text: str) -> list[Node]:
        """What a name may stand for: those that bear it, else those whose names are like it; values as they stand."""
        if text not in self._nodes:
            most = self._settings.entities
            exact = [one.id for one in self._graph.lookup([text[:_LONGEST]])[0]][:most]
            found: list[Node] = list(self._entities(exact))
            found += self._values(text)
            self._nodes[text] = (found or list(self._like(text, most)))[:most]
        return self._nodes[text]

    def _entities(self, ids: Sequence[str]) -> list[Entity]:
        return [info.entity for info in self._graph.describe(ids) if info] if ids else []

    def _values(self, text: str) -> list[Node]:
        """A number or time, and texts that statements of a local graph lead to."""
        found = literal_from_text(text)
        values = [Literal(text), Literal(text, lang="en"), *([found] if found else [])]
        tables = self._retriever.around([], 0)[0].tables if self._local else None
        if tables is None:
            return [found] if found else []
        return [one for one in values if tables.find(node_key(one)) is not None]

    @property
    def _local(self) -> bool:
        return isinstance(self._graph, LocalGraph)

    def _like(self, text: str, most: int) -> list[Entity]:
        """Entities found by words, ordered by BM25 and embedding of their names together."""
        ids = list(dict.fromkeys(one.id for one in self._graph.search(text[:_LONGEST], _SEARCHED)))
        found = self._entities(ids)
        if not found:
            return []
        order = np.argsort(-self._hybrid(text, [one.label or one.id for one in found]), kind="stable")
        return [found[place] for place in order[:most].tolist()]

    def _hybrid(self, query: str, texts: Sequence[str]) -> Scores:
        """BM25 as a share of the greatest, and the cosine of embeddings, added."""
        embedder, key = self._retriever.embedder, tuple(texts)
        if key not in self._fitted:
            self._fitted[key] = BM25().fit(texts), embedder.embed(texts)
        fitted, vectors = self._fitted[key]
        words, cosines = fitted.scores(query), vectors @ embedder.embed([query])[0]
        return np.asarray(words / max(float(words.max(initial=0)), 1e-9) + cosines, dtype=np.float32)

    def classes(self, text: str) -> list[Entity]:
        """The classes of the graph whose names are likest."""
        if not self._classes:
            return []
        order = np.argsort(-self._hybrid(text, [one.label or one.id for one in self._classes]), kind="stable")
        return [self._classes[place] for place in order[: self._settings.classes].tolist()]

    # -- the graph near what a draft names ---------------------------------------------------------------------------

    @cached_property
    def class_relations(self) -> tuple[list[str], list[str]]:
        """The relations of instances, and of subclasses."""
        every = self._around([])[0].relations
        told = {kind: [one.id for one in every if class_relation(one) == kind] for kind in ("instance", "subclass")}
        return told["instance"], told["subclass"]

    @cached_property
    def _classes(self) -> list[Entity]:
        subgraph = self._around([])[0]
        tables = subgraph.tables
        kinds = ("instance", "subclass")
        wanted = [number for number, one in enumerate(subgraph.relations) if class_relation(one) in kinds]
        ends = np.unique(tables.object[np.isin(tables.relation, wanted)])
        return [one for one in subgraph.nodes(ends) if isinstance(one, Entity)]

    def _around(self, entities: Sequence[str]) -> tuple[Subgraph, object]:
        return self._retriever.around(entities, self._settings.hops)

    def _near(self, entities: Sequence[Entity]) -> list[Relation]:
        """The relations within some hops of entities; without entities all."""
        subgraph, _ = self._around([one.id for one in entities])
        seeds = [number for one in entities if (number := subgraph.index(one.id)) is not None]
        plain = [one for one in subgraph.relations if class_relation(one) is None]
        if not seeds:
            return plain
        inner = subgraph.k_hop(np.array(seeds, dtype=np.int32), self._settings.hops - 1)
        held = np.concatenate(
            [
                edges.relation[edges.indptr[node] : edges.indptr[node + 1]]
                for edges in (subgraph.outgoing, subgraph.incoming)
                for node in inner.tolist()
            ]
            or [np.empty(0, dtype=np.int32)]
        )
        near = {subgraph.relations[number].id for number in np.unique(held).tolist()}
        return [one for one in plain if one.id in near] or plain

    def relations(self, wanted: Sequence[Rel], near: Sequence[Relation], most: int) -> list[list[Relation]]:
        """For each relation of a draft the likest ones of the graph."""
        if not near:
            return [[] for _ in wanted]
        texts = [spoken_relation(one.label or one.id) for one in near]
        found = []
        for one in wanted:
            scores = self._hybrid(f"{one.text} {self._question}", texts) + self._hybrid(one.text, texts)
            order = np.argsort(-scores, kind="stable")[:most]
            found.append([near[place] for place in order.tolist()])
        return found

    # -- bindings ----------------------------------------------------------------------------------------------------

    def bindings(self, form: Form) -> Iterator[Binding]:
        """The bindings of a draft, the likest first: those whose places in the lists of candidates sum to least."""
        wanted = list(relations(form))
        if len(wanted) > self._settings.most:
            return
        named, classed = list(dict.fromkeys(names(form))), list(dict.fromkeys(names(form, classes=True)))
        nodes = [self.nodes(text) for text in named]
        kinds = [self.classes(text) for text in classed]
        entities = [one for some in nodes for one in some if isinstance(one, Entity)]
        most = self._settings.fewer if len(wanted) > 2 else self._settings.relations
        likest = self.relations(wanted, self._near(entities), most)
        slots: list[Sequence[object]] = [*nodes, *kinds]
        for one, some in zip(wanted, likest, strict=True):
            slots.append([(relation, turned) for relation in some for turned in (one.backward, not one.backward)])
        for chosen in _by_rank(slots, self._settings.candidates):
            of_nodes, rest = chosen[: len(named)], chosen[len(named) :]
            yield Binding(
                dict(zip(named, of_nodes, strict=True)),  # type: ignore[arg-type]  # slots are of these kinds
                dict(zip(classed, rest[: len(classed)], strict=True)),  # type: ignore[arg-type]
                tuple(rest[len(classed) :]),  # type: ignore[arg-type]
            )

    def built(self, form: Form, binding: Binding, builder: Builder) -> int:
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

    def place(self, form: Form) -> int:
        match form:
            case NameForm(text):
                node = self._binding.nodes[text]
                return self._b.entity(node) if isinstance(node, Entity) else self._b.literal(node)
            case RelationJoin(_, of):
                relation, backward = next(self._left)
                return self._b.follow(self.place(of), relation, "forward" if backward else "backward")
            case And(parts):
                return self._both(parts)
            case Arg(of, _, last):
                made = self._b.last if last else self._b.first
                found = self._set(of)
                relation, backward = next(self._left)
                return made(found, lambda it: self._b.follow(it, relation, "backward" if backward else "forward"))
            case Count(of):
                return self._b.count(self._set(of))
            case _:
                raise AssertionError("a comparison stands within AND")

    def _set(self, form: Form) -> int:
        """A set; of a name the instances of that class."""
        if not isinstance(form, NameForm):
            return self.place(form)
        instance, sub = self._classes
        return self._b.instances(self._b.entity(self._binding.classes[form.text]), instance, sub)

    def _both(self, parts: Sequence[Form]) -> int:
        sets: list[int] = []
        tests: list[tuple[ValueTest, Relation, bool]] = []
        for part in parts:
            if isinstance(part, ValueTest):
                tests.append((part, *next(self._left)))
            else:
                sets.append(self._set(part))
        found = self._b.intersection(*sets)
        for test in tests:
            found = self._b.where(found, partial(self._compared, *test))
        return found

    def _compared(self, one: ValueTest, relation: Relation, backward: bool, it: int) -> int:
        there = self._b.follow(it, relation, "backward" if backward else "forward")
        return self._b.some(there, lambda value: self._b.compare(one.do, value, self._b.literal(one.value)))
