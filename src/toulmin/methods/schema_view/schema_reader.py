"""Reads the schema of a graph, and chooses the part of it that a question may need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from weakref import WeakKeyDictionary

import numpy as np

from toulmin.errors import GraphError, QueryError
from toulmin.graph.endpoint.graph import EndpointGraph
from toulmin.graph.local import LocalGraph
from toulmin.graph.rdf_store import PREFIXES
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Entity, Literal, Node, Relation, node_key
from toulmin.graph.xsd import RDF
from toulmin.methods.schema_view.gathered import Gathered
from toulmin.methods.schema_view.query_terms import QueryTerms, direct
from toulmin.methods.schema_view.view import ClassSeen, QuestionName, RelationSeen, SchemaView
from toulmin.retrieval.linking.mentions import Mention
from toulmin.retrieval.retriever import Retriever
from toulmin.retrieval.schema import spoken_relation, unit, words

__all__ = ["SchemaReader", "reader_of"]

_BYTES = 4  # of a token
_CLASSES = 60  # shown at most; a third of the tokens at most
_RELATIONS = 400  # shown at most
_CANDIDATES = 3  # shown of what words may stand for
_LONGEST_VALUE = 6  # words of a text that the question may hold
_NEAR = 0.25  # what a relation of an entity that the question names has before others
_EXAMPLES = 4  # statements of each relation of an endpoint
_ASKED = 80  # relations of an endpoint that are asked for examples
_COUNTING = 10.0  # seconds that an endpoint may take to count
_COUNTED = "SELECT ?c (COUNT(?x) AS ?n) WHERE {{ ?x {} ?c }} GROUP BY ?c ORDER BY DESC(?n) LIMIT 100"


_READERS: WeakKeyDictionary[Retriever, SchemaReader] = WeakKeyDictionary()


def reader_of(retriever: Retriever) -> SchemaReader:
    """The one reader of a graph that is open."""
    return _READERS.setdefault(retriever, SchemaReader(retriever))


class SchemaReader:
    """The schema of one graph, for one question after another. What is not of a question is read once.

    Args:
        retriever: of the graph.
    """

    def __init__(self, retriever: Retriever) -> None:
        self._embedder, self._graph = retriever.embedder, retriever.graph

    def view(
        self, question: str, mentions: Sequence[Mention] = (), *, tokens: int = 6000, ids: bool = True
    ) -> SchemaView:
        """What is shown for a question: all of the schema where it fits, else what is nearest to the question.

        Near is a relation whose words are like the question's, or that an entity which it names has, be it by a node
        without a name. Of the latter statements of that entity are the examples.

        Args:
            mentions: what the question names, as the linker has it.
            tokens: of the lines of classes and relations together, of 4 bytes each.
            ids: see ``SchemaView``.

        Raises:
            GraphError: the graph cannot be asked.
        """
        named = [candidate.entity for one in mentions for candidate in one.candidates[:_CANDIDATES]]
        gathered = self._gathered(question, named)
        near = gathered.near(one.id for one in named)
        ranked = self._nearest(question, gathered.relations, near)
        relations = [_beside(gathered, gathered.relation(one), near.get(one.id, ())) for one in ranked[:_RELATIONS]]
        classes = self._ordered(gathered, relations, named)
        told = (*self._mentioned(gathered, mentions), *self._valued(question, gathered))
        named_ids = chain(
            (one.entity.id for one in classes),
            *((direct(one.relation.id), *_ends(one)) for one in relations),
            (node.id for one in told for node in one.nodes if isinstance(node, Entity)),
        )
        shown = tuple(classes[:_CLASSES])
        instance, subclass = (tuple(one.id for one in gathered.saying(what)) for what in ("instance", "subclass"))
        terms = QueryTerms(self.declared, named_ids)
        view = SchemaView(
            self.kind, terms, shown, tuple(relations), told, ids=ids, instance=instance, subclass=subclass
        )
        view = self._described(view)
        view = self._within(view, _BYTES * tokens)
        view = replace(view, left_out=(len(classes) - len(view.classes), len(gathered.relations) - len(view.relations)))
        if view.left_out[1]:
            return view
        # All of it, in the same order for every question: what is sent begins alike, which endpoints keep.
        known = {one.relation.id: replace(one, near=()) for one in view.relations}
        return replace(
            view,
            classes=tuple(sorted(view.classes, key=lambda one: (-(one.count or 0), one.entity.id))),
            relations=tuple(known[one.id] for one in gathered.relations),
        )

    @property
    def kind(self) -> str:
        """How the graph stores statements: "local", or the dialect of an endpoint."""
        return self._graph.dialect.name if isinstance(self._graph, EndpointGraph) else "local"

    @property
    def declared(self) -> Mapping[str, str]:
        """The prefixes that count as declared in every query on the graph."""
        return self._graph.dialect.prefixes if isinstance(self._graph, EndpointGraph) else PREFIXES

    # -- what is known -----------------------------------------------------------------------------------------------

    @cached_property
    def _local(self) -> Gathered:
        return Gathered(self._graph.subgraph([], 0), None, whole=True)

    def _gathered(self, question: str, named: Sequence[Entity]) -> Gathered:
        if isinstance(self._graph, LocalGraph):
            return self._local
        counts = self._counts
        if counts is None:  # too large to be counted: what is around the entities of the question
            subgraph = self._graph.subgraph([one.id for one in named], 1)
            relations = list(subgraph.relations)
        else:
            relations = [one for one, _ in counts]
        chosen = self._nearest(question, relations)[:_ASKED]
        known = None if counts is None else {one.id: count for one, count in counts}
        return Gathered(self._examples(chosen, named), known, whole=False, class_counts=self._class_counts)

    @cached_property
    def _counts(self) -> list[tuple[Relation, int]] | None:
        """Every relation of an endpoint; None: it cannot count them in time."""
        if isinstance(self._graph, EndpointGraph) and self._graph.dialect.hubs:
            return None
        try:
            return self._graph.relations()
        except GraphError:
            return None

    @cached_property
    def _class_counts(self) -> dict[Entity, int] | None:
        """The largest classes of an endpoint; None: it cannot count them in time."""
        if isinstance(self._graph, EndpointGraph) and self._graph.dialect.hubs:
            return None
        try:
            rows = self._graph.query(_COUNTED.format("a"), timeout=_COUNTING).rows
        except (QueryError, GraphError):
            return None
        return {
            kind: int(number.value)
            for kind, number in rows
            if isinstance(kind, Entity) and isinstance(number, Literal) and number.value.isdecimal()
        }

    def _examples(self, relations: Sequence[Relation], named: Sequence[Entity]) -> Subgraph:
        """Examples of relations of an endpoint, with the classes of their nodes."""
        graph = self._graph
        assert isinstance(graph, EndpointGraph)  # noqa: S101  others are local
        found = [one for some in graph.examples([one.id for one in relations], _EXAMPLES) for one in some]
        ends = (node for one in found for node in (one.subject, one.object))
        nodes = dict.fromkeys(node.id for node in ends if isinstance(node, Entity))
        nodes |= dict.fromkeys(one.id for one in named)
        kinds = [RDF + "type", *(one.id for one in relations if one.label == "instance of")]
        said = graph.statements(list(nodes), side="outgoing", relations=kinds, limit=_EXAMPLES)
        return Subgraph.from_statements([*found, *chain.from_iterable(said)])

    # -- what is chosen ----------------------------------------------------------------------------------------------

    def _nearest(self, question: str, relations: Sequence[Relation], first: Iterable[str] = ()) -> list[Relation]:
        """Relations by how like their words are to the question, and to its nearest word."""
        if not relations:
            return []
        embedder, near = self._embedder, set(first)
        asked = [question, *dict.fromkeys(words(question))]
        texts = unit(embedder.embed([spoken_relation(one.label or one.id) for one in relations]))
        likeness = texts @ unit(embedder.embed(asked)).T
        scores = 0.5 * likeness[:, 0] + 0.5 * likeness.max(axis=1)
        scores += np.array([_NEAR * (one.id in near) for one in relations])
        return [relations[place] for place in np.argsort(-scores, kind="stable").tolist()]

    def _ordered(
        self, gathered: Gathered, relations: Sequence[RelationSeen], named: Sequence[Entity]
    ) -> list[ClassSeen]:
        """Classes: those of what is named, then those that the nearest relations join, then the largest."""
        wanted = dict.fromkeys(named)
        wanted |= dict.fromkeys(kind for one in named for kind in gathered.classes_of(one))
        wanted |= dict.fromkeys(end for one in relations for end in (*one.domains, *one.ranges))
        place = {one.id: number for number, one in enumerate(wanted)}
        found = sorted(gathered.classes, key=lambda one: place.get(one.entity.id, len(place)))
        below = {above.id for one in found for above in one.above} - {one.entity.id for one in found}
        abstract = [
            ClassSeen(kind, 0)  # nothing is of it but by its subclasses
            for kind in dict.fromkeys(above for one in found for above in one.above if above.id in below)
        ]
        return [*found, *abstract] if gathered.whole else found

    def _within(self, view: SchemaView, size: int) -> SchemaView:
        """As many of the first classes and relations as fit."""
        classes = _fitting(view.class_lines(), size // 3)
        used = sum(len(line.encode()) + 1 for line in view.class_lines()[:classes])
        relations = _fitting(view.relation_lines(), size - used)
        return replace(view, classes=view.classes[:classes], relations=view.relations[:relations])

    def _described(self, view: SchemaView) -> SchemaView:
        ids = [*(one.entity.id for one in view.classes), *(one.relation.id for one in view.relations)]
        found = iter(self._graph.describe(ids) if ids else ())
        told = [info.description if info else None for info in found]
        classes = [replace(one, description=text) for one, text in zip(view.classes, told, strict=False)]
        rest = told[len(view.classes) :]
        relations = [replace(one, description=text) for one, text in zip(view.relations, rest, strict=True)]
        return replace(view, classes=tuple(classes), relations=tuple(relations))

    # -- what the question names -------------------------------------------------------------------------------------

    def _mentioned(self, gathered: Gathered, mentions: Sequence[Mention]) -> list[QuestionName]:
        found = []
        for one in mentions:
            nodes: tuple[Node, ...] = tuple(candidate.entity for candidate in one.candidates[:_CANDIDATES])
            if nodes:
                found.append(QuestionName(one.text, nodes, tuple(gathered.classes_of(node) for node in nodes)))
        return found

    def _valued(self, question: str, gathered: Gathered) -> list[QuestionName]:
        """Words of the question that are, as they are written, a text that statements of a local graph lead to."""
        if not gathered.whole:
            return []
        said = [word.strip(".,;:?!'\"()") for word in question.split()]
        spans = {
            " ".join(said[start:end]): None
            for start in range(len(said))
            for end in range(start + 1, min(len(said), start + _LONGEST_VALUE) + 1)
        }
        forms = {(span, form): None for span in filter(None, spans) for form in (span, span[0].upper() + span[1:])}
        values = [(span, Literal(form, lang=lang)) for span, form in forms for lang in (None, "en")]
        numbers = gathered.subgraph.tables.find_many([node_key(value) for _, value in values])
        found = []
        for (span, value), number in zip(values, numbers.tolist(), strict=True):
            if number >= 0 and (relations := gathered.leading_to(number)):
                found.append(QuestionName(span, (value,), (), tuple(relations)))
        return found


def _beside(gathered: Gathered, one: RelationSeen, ends: Iterable[tuple[int, int]]) -> RelationSeen:
    """A relation with statements of what the question names as examples."""
    return replace(one, near=tuple(filter(None, map(gathered.statement, ends))))


def _ends(one: RelationSeen) -> Iterable[str]:
    """The ids that a line about a relation has, beside its own."""
    yield from (end.id for end in (*one.domains, *one.ranges))
    shown = (*one.values, *chain.from_iterable(one.near), *(one.example or ()))
    yield from (node.id for node in shown if isinstance(node, Entity))
    yield from (direct(other.id) for other in one.qualifiers)


def _fitting(lines: Sequence[str], size: int) -> int:
    """How many of the first lines fit."""
    sizes = np.cumsum([len(line.encode()) + 1 for line in lines])
    return int(np.searchsorted(sizes, size, side="right"))
