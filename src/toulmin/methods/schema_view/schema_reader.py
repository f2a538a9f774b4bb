"""Reads the schema of a graph, and chooses the part of it that a question may need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from weakref import WeakKeyDictionary

import numpy as np

from toulmin.errors import GraphError, QueryError
from toulmin.graph.endpoint.graph import EndpointGraph
from toulmin.graph.local import LocalGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.rdf_store import PREFIXES
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Entity, Literal, Node, Relation, Statement, node_key
from toulmin.graph.xsd import RDF
from toulmin.methods.schema_view.gathered import Gathered
from toulmin.methods.schema_view.view import ClassSeen, QueryTerms, QuestionName, RelationSeen, SchemaView, direct
from toulmin.retrieval.linking import Mention
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
        self._parts: Sequence[Graph] = list(getattr(self._graph, "graphs", {"": self._graph}).values())  # of a union

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
        named = [candidate.entity for mention in mentions for candidate in mention.candidates[:_CANDIDATES]]
        gathered = self._gathered(question, named)
        near = gathered.near(entity.id for entity in named)
        ranked = self._nearest(question, gathered.relations, near)
        relations = []
        for relation in ranked[:_RELATIONS]:
            examples = map(gathered.statement, near.get(relation.id, ()))  # of what the question names
            relations.append(replace(gathered.relation(relation), near=tuple(filter(None, examples))))
        classes = self._ordered(gathered, relations, named)
        question_names = (*self._mentioned(gathered, mentions), *self._valued(question, gathered))
        named_ids = chain(
            (seen_class.entity.id for seen_class in classes),
            *((direct(seen.relation.id), *_ends(seen)) for seen in relations),
            (node.id for name in question_names for node in name.nodes if isinstance(node, Entity)),
        )
        shown = tuple(classes[:_CLASSES])
        instance, subclass = (
            tuple(relation.id for relation in gathered.saying(saying)) for saying in ("instance", "subclass")
        )
        dialect = self._graph.dialect if isinstance(self._graph, EndpointGraph) else None
        terms = QueryTerms(dialect.prefixes if dialect else PREFIXES, named_ids)
        kind = dialect.name if dialect else "local"
        view = SchemaView(
            kind, terms, shown, tuple(relations), question_names, ids=ids, instance=instance, subclass=subclass
        )
        view = self._described(view)
        view = self._within(view, _BYTES * tokens)
        view = replace(view, left_out=(len(classes) - len(view.classes), len(gathered.relations) - len(view.relations)))
        if view.left_out[1]:
            return view
        # All of it, in the same order for every question: what is sent begins alike, which endpoints keep.
        without_examples = {seen.relation.id: replace(seen, near=()) for seen in view.relations}
        return replace(
            view,
            classes=tuple(sorted(view.classes, key=lambda seen: (-(seen.count or 0), seen.entity.id))),
            relations=tuple(without_examples[relation.id] for relation in gathered.relations),
        )

    # -- what is known -----------------------------------------------------------------------------------------------

    @cached_property
    def _local(self) -> Gathered:
        return Gathered(self._graph.subgraph([], 0), None, whole=True)

    def _gathered(self, question: str, entities: Sequence[Entity]) -> Gathered:
        if all(isinstance(part, LocalGraph) for part in self._parts):
            return self._local
        counts = self._counts
        if counts is None:  # too large to be counted: what is around the entities of the question
            subgraph = self._graph.subgraph([entity.id for entity in entities], 1)
            relations = list(subgraph.relations)
        else:
            relations = [relation for relation, _ in counts]
        nearest = self._nearest(question, relations)[:_ASKED]
        counted = None if counts is None else {relation.id: count for relation, count in counts}
        return Gathered(self._examples(nearest, entities), counted, whole=False, class_counts=self._class_counts)

    @cached_property
    def _counts(self) -> list[tuple[Relation, int]] | None:
        """Every relation of an endpoint; None: it cannot count them in time."""
        if any(isinstance(part, EndpointGraph) and part.dialect.hubs for part in self._parts):
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

    def _examples(self, relations: Sequence[Relation], entities: Sequence[Entity]) -> Subgraph:
        """Examples of relations of an endpoint, or of graphs with one among them, with the classes of their nodes."""
        graph, examples = self._graph, list[Statement]()
        for part in self._parts:
            if isinstance(part, EndpointGraph):
                of_relations = part.examples([relation.id for relation in relations], _EXAMPLES)
                examples += chain.from_iterable(of_relations)
            else:
                examples += _first_statements(part.subgraph([], 0), relations)
        ends = (node for statement in examples for node in (statement.subject, statement.object))
        nodes = dict.fromkeys(node.id for node in ends if isinstance(node, Entity))
        nodes |= dict.fromkeys(entity.id for entity in entities)
        kinds = [RDF + "type", *(relation.id for relation in relations if relation.label == "instance of")]
        class_statements = graph.statements(list(nodes), side="outgoing", relations=kinds, limit=_EXAMPLES)
        return Subgraph.from_statements([*examples, *chain.from_iterable(class_statements)])

    # -- what is chosen ----------------------------------------------------------------------------------------------

    def _nearest(self, question: str, relations: Sequence[Relation], first: Iterable[str] = ()) -> list[Relation]:
        """Relations by how like their words are to the question, and to its nearest word."""
        if not relations:
            return []
        embedder, near = self._embedder, set(first)
        texts_asked = [question, *dict.fromkeys(words(question))]
        texts = unit(embedder.embed([spoken_relation(relation.label or relation.id) for relation in relations]))
        likeness = texts @ unit(embedder.embed(texts_asked)).T
        scores = 0.5 * likeness[:, 0] + 0.5 * likeness.max(axis=1)
        scores += np.array([_NEAR * (relation.id in near) for relation in relations])
        return [relations[place] for place in np.argsort(-scores, kind="stable").tolist()]

    def _ordered(
        self, gathered: Gathered, relations: Sequence[RelationSeen], entities: Sequence[Entity]
    ) -> list[ClassSeen]:
        """Classes: those of what is named, then those that the nearest relations join, then the largest."""
        first = dict.fromkeys(entities)
        first |= dict.fromkeys(kind for entity in entities for kind in gathered.classes_of(entity))
        first |= dict.fromkeys(end for relation in relations for end in (*relation.domains, *relation.ranges))
        place = {entity.id: number for number, entity in enumerate(first)}
        classes = sorted(gathered.classes, key=lambda seen: place.get(seen.entity.id, len(place)))
        below = {above.id for seen in classes for above in seen.above} - {seen.entity.id for seen in classes}
        abstract = [
            ClassSeen(kind, 0)  # nothing is of it but by its subclasses
            for kind in dict.fromkeys(above for seen in classes for above in seen.above if above.id in below)
        ]
        return [*classes, *abstract] if gathered.whole else classes

    def _within(self, view: SchemaView, size: int) -> SchemaView:
        """As many of the first classes and relations as fit."""
        classes = _fitting(view.class_lines(), size // 3)
        used = sum(len(line.encode()) + 1 for line in view.class_lines()[:classes])
        relations = _fitting(view.relation_lines(), size - used)
        return replace(view, classes=view.classes[:classes], relations=view.relations[:relations])

    def _described(self, view: SchemaView) -> SchemaView:
        ids = [*(seen.entity.id for seen in view.classes), *(seen.relation.id for seen in view.relations)]
        infos = iter(self._graph.describe(ids) if ids else ())
        descriptions = [info.description if info else None for info in infos]
        classes = [replace(seen, description=text) for seen, text in zip(view.classes, descriptions, strict=False)]
        of_relations = descriptions[len(view.classes) :]
        relations = [replace(seen, description=text) for seen, text in zip(view.relations, of_relations, strict=True)]
        return replace(view, classes=tuple(classes), relations=tuple(relations))

    # -- what the question names -------------------------------------------------------------------------------------

    def _mentioned(self, gathered: Gathered, mentions: Sequence[Mention]) -> list[QuestionName]:
        names = []
        for mention in mentions:
            nodes: tuple[Node, ...] = tuple(candidate.entity for candidate in mention.candidates[:_CANDIDATES])
            if nodes:
                names.append(QuestionName(mention.text, nodes, tuple(gathered.classes_of(node) for node in nodes)))
        return names

    def _valued(self, question: str, gathered: Gathered) -> list[QuestionName]:
        """Words of the question that are, as they are written, a text that statements of a local graph lead to."""
        if not gathered.whole:
            return []
        tokens = [word.strip(".,;:?!'\"()") for word in question.split()]
        spans = {
            " ".join(tokens[start:end]): None
            for start in range(len(tokens))
            for end in range(start + 1, min(len(tokens), start + _LONGEST_VALUE) + 1)
        }
        forms = {(span, form): None for span in filter(None, spans) for form in (span, span[0].upper() + span[1:])}
        values = [(span, Literal(form, lang=lang)) for span, form in forms for lang in (None, "en")]
        numbers = gathered.subgraph.tables.find_many([node_key(value) for _, value in values])
        names = []
        for (span, value), number in zip(values, numbers.tolist(), strict=True):
            if number >= 0 and (relations := gathered.leading_to(number)):
                names.append(QuestionName(span, (value,), (), tuple(relations)))
        return names


def _first_statements(subgraph: Subgraph, relations: Sequence[Relation]) -> list[Statement]:
    """The first statements of each relation, as far as a sub-graph has it."""
    numbers = subgraph.relation_number
    of = [numbers[relation.id] for relation in relations if relation.id in numbers]
    rows = [np.flatnonzero(subgraph.tables.relation == number)[:_EXAMPLES] for number in of]
    return subgraph.statements(np.concatenate(rows)) if rows else []


def _ends(seen: RelationSeen) -> Iterable[str]:
    """The ids that a line about a relation has, beside its own."""
    yield from (end.id for end in (*seen.domains, *seen.ranges))
    shown = (*seen.values, *chain.from_iterable(seen.near), *(seen.example or ()))
    yield from (node.id for node in shown if isinstance(node, Entity))
    yield from (direct(qualifier.id) for qualifier in seen.qualifiers)


def _fitting(lines: Sequence[str], size: int) -> int:
    """How many of the first lines fit."""
    sizes = np.cumsum([len(line.encode()) + 1 for line in lines])
    return int(np.searchsorted(sizes, size, side="right"))
