"""What the reader knows of a graph before a question: its hops with their ends, its classes, what its values are.

A *hop* number is twice a relation's number, plus 1 where the relation is walked backward. Everything is counted from
the graph's statements, once, and kept for all questions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain
from typing import Any
from typing import Literal as Choice

import numpy as np
from numpy.typing import NDArray

from toulmin.check_text.judge.relation_labels import holds_both_ways
from toulmin.english.denials import DENYING_PREFIXES
from toulmin.english.inflection import is_past, singular
from toulmin.english.lexicon import get_lexicon
from toulmin.graph.classes import ClassRelation, class_relation
from toulmin.graph.csr import Ints, gather
from toulmin.graph.labels import normalise
from toulmin.graph.relation_forms import RelationForms
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import DESCRIPTION, Entity, Literal, Node, Relation
from toulmin.graph.values import quantity_of
from toulmin.methods.reader.forms import Hop, Kind
from toulmin.methods.reader.programs import ClassRelations, TimeRoles
from toulmin.program.answer import node_text
from toulmin.retrieval.embedders import Embedder, Vectors
from toulmin.retrieval.schema import spoken_relation, time_role, unit
from toulmin.retrieval.statement_words import relation_text

__all__ = ["Class", "ReaderSchema", "ValueKind"]

ValueKind = Choice["thing", "number", "time", "text", "truth"]

_IS_A = ("is a", "is an")
_SAMPLE = 2_000  # nodes of a set that are looked at for where they lead
_VALUES = 200  # ends of a relation that are looked at for what they are
_MAJORITY = 0.5  # share of nodes from which on all are taken for what these are: things, of one class, without a name
_CLASSES = 400  # the largest, that a question may mean; the classes above them come on top
_RECENT = 2_000  # sets of hops and of nodes that are kept, beside those with a key
_ABOVE = 1_000  # classes above a class that are followed, so that a very deep hierarchy ends
_LONGEST_VALUE = 80  # characters of a text that is looked for in a question
_MOST_VALUES = 500_000  # values of a graph that are looked through for such texts
_VALUE_BATCH = 10_000  # of these at a time
_BESIDE = 0.5  # share of the things with one hop that must have another for the graph to state it of the rest, too
_CALLED = 0.9  # share of a column's texts above which they are the labels of its rows: it holds names
_FEW = 40  # different ends, at most, of a relation that sorts things into groups
_REPEATED = 0.7  # different ends of such a relation, below this share of its statements
_MOST_FEW = 600  # ends of all such relations
_LONGEST_FEW = 40  # characters of such an end
_TIME_SAMPLE = 20  # values of a qualifier that are looked at for whether it is a time
_AMOUNTS = ("quantity", "string")  # a text may say an amount: "4.6 kg"
_KINDS: dict[str, ValueKind] = {"quantity": "number", "time": "time", "boolean": "truth"}


@dataclass(frozen=True, slots=True)
class Class:
    """A class of things, with the numbers of its members, ascending."""

    kind: Kind
    members: Ints


class ReaderSchema:
    """Hops, classes and values of a graph.

    Args:
        forms: other names of relations, by id.

    Attributes:
        hops: of each hop number, as forms name it.
        leads_to: of each hop number, what it ends in.
        kinds: what any hop ends in.
        saying: of each relation number, whether it says of which class a thing is ("instance") or a class ("subclass").
        several: bool[2R]: hops by which some node has several ends, among the statements that are looked at.
        shown: bool[2R]: hops that a question may mean (not those that say what is of which class).
    """

    def __init__(
        self, subgraph: Subgraph, embedder: Embedder, forms: Mapping[str, RelationForms] | None = None
    ) -> None:
        self.subgraph, self._embedder, self._forms = subgraph, embedder, forms or {}
        tables = subgraph.tables
        order = np.argsort(tables.relation, kind="stable")
        starts = np.searchsorted(tables.relation[order], np.arange(len(subgraph.relations) + 1))
        self._rows = [order[starts[r] : starts[r + 1]] for r in range(len(subgraph.relations))]
        self.saying = [self._says(number, relation) for number, relation in enumerate(subgraph.relations)]
        self.hops: list[Hop] = []
        self.leads_to: list[ValueKind] = []
        self.several = np.zeros(2 * len(subgraph.relations), dtype=bool)
        self.shown = np.zeros(2 * len(subgraph.relations), dtype=bool)
        #: The words of each relation, also where another relation has the same and ``hops`` tell them apart.
        self._plain = [relation_text(relation.label or relation.id) for relation in subgraph.relations]
        for number, label in enumerate(_labels([relation.label or relation.id for relation in subgraph.relations])):
            self._add(number, label)
        self.kinds = frozenset(self.leads_to)
        self._ways: dict[object, NDArray[np.int64]] = {}
        self._recent: dict[object, NDArray[Any]] = {}
        self._qualified: dict[int, dict[str, tuple[str, ...]]] = {}

    def _says(self, number: int, relation: Relation) -> ClassRelation | None:
        """What a relation says of classes. A column "type" with texts says nothing of them.

        "Is a" says of which class a thing is, unless it says of what classes are, too ("a woman is a person").
        """
        tables, rows = self.subgraph.tables, self._rows[number]
        objects = tables.object[rows]
        if not len(objects) or (objects < self.subgraph.n_entities).mean() < _MAJORITY:
            return None
        flat = normalise(relation.label or "") in _IS_A and not np.isin(objects, tables.subject[rows]).any()
        return class_relation(relation) or ("instance" if flat else None)

    def _ids(self, what: str) -> tuple[str, ...]:
        return tuple(r.id for r, kind in zip(self.subgraph.relations, self.saying, strict=True) if kind == what)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each relation, by its id."""
        return {relation.id: number for number, relation in enumerate(self.subgraph.relations)}

    @cached_property
    def has_nameless(self) -> bool:
        """Whether the graph has nodes without a name, which are no answers."""
        return bool(self.subgraph.machine.any())

    @cached_property
    def class_relations(self) -> ClassRelations:
        """The relations that say of which class a thing is."""
        return ClassRelations(self._ids("instance"), self._ids("subclass"))

    @cached_property
    def qualifiers(self) -> dict[str, tuple[str, ...]]:
        """The labels of qualifiers, with the ids that have each."""
        tables, ids = self.subgraph.tables, dict[str, tuple[str, ...]]()
        for number in np.unique(tables.qualifier_relation).tolist():
            relation = self.subgraph.relations[number]
            label = relation_text(relation.label or relation.id)
            ids[label] = (*ids.get(label, ()), relation.id)
        return ids

    def qualifiers_of(self, hop: int) -> dict[str, tuple[str, ...]]:
        """The qualifiers that statements of a hop's relation have, as in ``qualifiers``."""
        if hop >> 1 not in self._qualified:
            tables, rows = self.subgraph.tables, self._rows[hop >> 1]
            numbers = tables.qualifier_relation[gather(tables.qualifier_start, rows)] if len(self.qualifiers) else ()
            ids = {self.subgraph.relations[number].id for number in np.unique(numbers).tolist()}
            of_relation = {
                label: tuple(qualifier for qualifier in same_label if qualifier in ids)
                for label, same_label in self.qualifiers.items()
            }
            self._qualified[hop >> 1] = {label: kept for label, kept in of_relation.items() if kept}
        return self._qualified[hop >> 1]

    @cached_property
    def times(self) -> TimeRoles:
        """The qualifiers that are times, by their role."""
        tables, roles = self.subgraph.tables, dict[str, list[str]](start=[], end=[], point=[])
        for number in np.unique(tables.qualifier_relation).tolist():
            values = tables.qualifier_value[tables.qualifier_relation == number][:_TIME_SAMPLE]
            nodes = self.subgraph.nodes(values)
            if any(isinstance(node, Literal) and node.kind == "time" for node in nodes):
                relation = self.subgraph.relations[number]
                roles[time_role(relation)].append(relation.id)
        return TimeRoles(tuple(roles["start"]), tuple(roles["end"]), tuple(roles["point"]))

    # -- classes -----------------------------------------------------------------------------------------------------

    @cached_property
    def _class_of(self) -> Ints:
        """The number of the first class of each node, -1 where none is stated."""
        tables, class_of = self.subgraph.tables, np.full(self.subgraph.n_nodes, -1, dtype=np.int32)
        for number, what in enumerate(self.saying):
            if what == "instance":
                rows = self._rows[number][::-1]
                class_of[tables.subject[rows]] = tables.object[rows]
        return class_of

    @cached_property
    def classes(self) -> list[Class]:
        """The classes that things are of, the largest first."""
        tables = self.subgraph.tables
        rows = [self._rows[n] for n, what in enumerate(self.saying) if what == "instance"]
        if not rows:
            return []
        every = np.concatenate(rows)
        members, kinds = tables.subject[every], tables.object[every]
        above = self._above
        numbers, counts = np.unique(kinds, return_counts=True)
        wanted = {int(n): None for n in numbers[np.argsort(-counts, kind="stable")][:_CLASSES]}
        wanted |= dict.fromkeys(parent for child in list(wanted) for parent in above.get(child, ()))
        classes = []
        for number in wanted:
            node = self.subgraph.node(number)
            if isinstance(node, Entity) and not self.subgraph.machine[number]:
                below = [child for child, parents in above.items() if number in parents]
                inside = np.unique(members[np.isin(kinds, [number, *below])])
                classes.append(Class(Kind(relation_text(node.label or node.id), node), inside))
        return sorted(classes, key=lambda class_: -len(class_.members))

    @cached_property
    def class_numbers(self) -> frozenset[int]:
        """The node numbers of the classes."""
        ids = (self.subgraph.index(class_.kind.entity.id) for class_ in self.classes if class_.kind.entity is not None)
        return frozenset(number for number in ids if number is not None)

    @cached_property
    def label_words(self) -> frozenset[str]:
        """The longer words of relations and classes, in small letters, with their plurals."""
        labels = (hop.label for hop in self.hops[::2]), (class_.kind.label for class_ in self.classes)
        words = {word for label in chain(*labels) for word in label.lower().split() if len(word) > 3 and word.isalpha()}
        return frozenset(words | {f"{word}s" for word in words})

    @cached_property
    def class_labels(self) -> frozenset[str]:
        """The labels of the classes, normalised."""
        return frozenset(normalise(class_.kind.label) for class_ in self.classes)

    @cached_property
    def denied(self) -> dict[str, str]:
        """The words that deny what a relation tells to be so or not, with its word: "unpaid" with "paid"."""
        hops = (hop for hop, kind in zip(self.hops[::2], self.leads_to[::2], strict=True) if kind == "truth")
        words = {word for hop in hops for word in hop.label.lower().split() if len(word) > 3}
        said = [word for word in words if is_past(word) or get_lexicon().is_adjective(word)]
        denied = {prefix + word: word for word in said for prefix in DENYING_PREFIXES}
        return {word: of for word, of in denied.items() if word not in self.label_words and word not in self.texts}

    @cached_property
    def counted(self) -> frozenset[str]:
        """The plurals in the labels of relations to numbers, in small letters: what is told by its number."""
        numbers = (hop for hop, kind in zip(self.hops[::2], self.leads_to[::2], strict=True) if kind == "number")
        return frozenset(word for hop in numbers for word in hop.label.lower().split() if singular(word))

    @cached_property
    def _above(self) -> dict[int, set[int]]:
        """The classes above each class, all of them."""
        tables, direct = self.subgraph.tables, dict[int, set[int]]()
        for number, what in enumerate(self.saying):
            if what == "subclass":
                for row in self._rows[number].tolist():
                    direct.setdefault(int(tables.subject[row]), set()).add(int(tables.object[row]))
        closed: dict[int, set[int]] = {}
        for child in direct:
            seen, queue = set[int](), [child]
            while queue and len(seen) < _ABOVE:
                for parent in direct.get(queue.pop(), ()):
                    if parent not in seen and parent != child:
                        seen.add(parent)
                        queue.append(parent)
            closed[child] = seen
        return closed

    def class_label(self, nodes: Ints) -> str:
        """The label of the class that at least half of the nodes are of; "" where there is none."""
        kinds = self._class_of[nodes]
        numbers, counts = np.unique(kinds[kinds >= 0], return_counts=True)
        if not len(numbers) or counts.max() < _MAJORITY * len(nodes):
            return ""
        return relation_text(self.subgraph.labels([int(numbers[counts.argmax()])])[0])

    # -- hops --------------------------------------------------------------------------------------------------------

    def _add(self, number: int, label: str) -> None:
        relation, tables = self.subgraph.relations[number], self.subgraph.tables
        rows = self._rows[number]
        sample = rows if len(rows) <= _SAMPLE else rows[:: len(rows) // _SAMPLE]
        subjects, objects = tables.subject[sample], tables.object[sample]
        things = objects[objects < self.subgraph.n_entities]
        near = self.class_label(subjects) if len(sample) else ""
        kind = self._value_kind(objects)
        far = self.class_label(things) if kind == "thing" and len(things) else ""
        between = self._nameless(subjects) or self._nameless(things)
        hop = Hop(label, False, (relation.id,), near, far, between=between)
        self.hops += _both_directions(hop, mutual=holds_both_ways(label))
        self.leads_to += [kind, "thing"]
        usable = bool(len(rows)) and self.saying[number] is None and relation.id != DESCRIPTION
        usable = usable and not (kind == "text" and self._names(subjects[:_VALUES], objects[:_VALUES]))
        self.shown[2 * number : 2 * number + 2] = usable
        self.several[2 * number] = len(np.unique(subjects)) < len(sample)
        self.several[2 * number + 1] = len(np.unique(objects)) < len(sample)

    def _nameless(self, nodes: Ints) -> bool:
        """Whether most nodes have no name."""
        return bool(len(nodes)) and bool(self.subgraph.machine[nodes].mean() > _MAJORITY)

    def _names(self, subjects: Ints, objects: Ints) -> bool:
        """Whether the objects are what the subjects are called, as in the column with the names of rows."""
        pairs = list(zip(self.subgraph.labels(subjects), self.subgraph.labels(objects), strict=True))
        return bool(pairs) and sum(label == text for label, text in pairs) > _CALLED * len(pairs)

    def _value_kind(self, objects: Ints) -> ValueKind:
        """What most ends of a relation are."""
        if not len(objects) or (objects < self.subgraph.n_entities).mean() >= _MAJORITY:
            return "thing"
        literals = self.subgraph.nodes(np.unique(objects[objects >= self.subgraph.n_entities])[:_VALUES])
        kinds = Counter[ValueKind]()
        for node in literals:
            if isinstance(node, Literal):
                number = node.kind == "string" and quantity_of(node) is not None
                kinds["number" if number else _KINDS.get(node.kind, "text")] += 1
        return kinds.most_common(1)[0][0] if kinds else "text"

    def ways(self, nodes: Ints, key: object = None) -> NDArray[np.int64]:
        """The hops that can be taken from any of some nodes, those that most can take first.

        Args:
            key: under which the result is kept; None: it is not.
        """
        if key is not None and key in self._ways:
            return self._ways[key]
        sample = nodes if len(nodes) <= _SAMPLE else nodes[:: len(nodes) // _SAMPLE]
        kept = self._lately("ways", sample, self._ways_from)
        if key is not None:
            self._ways[key] = kept
        return kept

    def _ways_from(self, nodes: Ints) -> NDArray[np.int64]:
        hops = [np.empty(0, dtype=np.int64)]
        for backward, edges in enumerate((self.subgraph.outgoing, self.subgraph.incoming)):
            hops.append(2 * edges.relation[gather(edges.indptr, nodes)].astype(np.int64) + backward)
        counts = np.bincount(np.concatenate(hops))
        numbers = np.flatnonzero(counts)
        kept = numbers[np.argsort(-counts[numbers], kind="stable")]
        return kept[self.shown[kept]]

    def _lately(self, what: object, nodes: Ints, compute: Callable[[Ints], NDArray[Any]]) -> NDArray[Any]:
        """What was computed, or is: four of five times a question's forms ask for what another has asked for."""
        key = what, nodes.dtype.char, nodes.tobytes()
        kept = self._recent.get(key)
        if kept is None:
            if len(self._recent) >= _RECENT:
                self._recent.clear()
            kept = self._recent[key] = compute(nodes)
        return kept

    def beyond(self, hop: int) -> NDArray[np.int64]:
        """The hops from the ends of a hop, where these have no name and only hold statements together; else none."""
        key = ("beyond", hop)
        if key not in self._ways:
            ends = self._having(hop ^ 1)[:_SAMPLE].astype(np.int32)
            self._ways[key] = self.ways(ends) if self._nameless(ends) else np.empty(0, dtype=np.int64)
        return self._ways[key]

    def follow(self, nodes: Ints, hop: int) -> Ints:
        """The distinct ends of a hop."""
        follow = partial(self.subgraph.follow, relation=hop >> 1, backward=bool(hop & 1))
        return follow(nodes) if len(nodes) > _SAMPLE else self._lately(hop, nodes, follow)

    def beside(self, hop: int, others: Iterable[int]) -> bool:
        """Whether enough of the things with one of the other hops have this one: it may be asked of the rest, too."""
        having = self._having(hop)
        return any(np.isin(self._having(other), having).mean() >= _BESIDE for other in others)

    def _having(self, hop: int) -> NDArray[np.int64]:
        """The nodes from which a hop can be taken."""
        key = ("having", hop)
        if key not in self._ways:
            tables, rows = self.subgraph.tables, self._rows[hop >> 1]
            self._ways[key] = np.unique((tables.object if hop & 1 else tables.subject)[rows])
        return self._ways[key]

    @cached_property
    def names(self) -> tuple[list[int], list[Hop]]:
        """The names of hops: of each name the number of its hop, and the hop by that name; labels first."""
        numbers, named = list(range(len(self.hops))), list(self.hops)
        for relation, forward in enumerate(self.hops[::2]):
            forms = self._forms.get(forward.ids[0])
            bare = [forward.label.removeprefix("has ")]  # "hasManager" is a manager
            ahead, back = (forms.forward, forms.backward) if forms else ((), ())
            for inverse, texts in ((False, (*bare, *ahead)), (True, back)):
                for text in dict.fromkeys(map(relation_text, texts)):
                    if inverse or text not in (forward.label, self._plain[relation]):
                        hop = replace(forward, label=text, inverse=inverse)
                        numbers += [2 * relation, 2 * relation + 1]
                        named += _both_directions(hop, mutual=holds_both_ways(forward.label))
        return numbers, named

    @cached_property
    def vectors(self) -> Vectors:
        """The vectors of the names of hops, float32[names, d]."""
        _, named = self.names
        texts = list(dict.fromkeys(hop.label for hop in named))
        place = {text: row for row, text in enumerate(texts)}
        return unit(self._embedder.embed(texts))[[place[hop.label] for hop in named]]

    @cached_property
    def class_vectors(self) -> Vectors:
        """The vectors of the classes' labels."""
        return unit(self._embedder.embed([class_.kind.label for class_ in self.classes]))

    # -- values ------------------------------------------------------------------------------------------------------

    @cached_property
    def texts(self) -> dict[str, list[int]]:
        """The numbers of texts by what they say, normalised."""
        by_text: dict[str, list[int]] = {}
        last = min(self.subgraph.n_nodes, self.subgraph.n_entities + _MOST_VALUES)
        for start in range(self.subgraph.n_entities, last, _VALUE_BATCH):
            numbers = np.arange(start, min(last, start + _VALUE_BATCH))
            for number, node in zip(numbers.tolist(), self.subgraph.nodes(numbers), strict=True):
                if isinstance(node, Literal) and node.kind == "string" and len(node.value) <= _LONGEST_VALUE:
                    by_text.setdefault(normalise(node.value), []).append(number)
        return by_text

    @cached_property
    def plural_texts(self) -> dict[str, list[int]]:
        """The numbers of texts that are a word in the plural, by its singular."""
        by_singular: dict[str, list[int]] = {}
        for text, numbers in self.texts.items():
            if text.isalpha() and (single := singular(text)) is not None:
                by_singular.setdefault(single, []).extend(numbers)
        return by_singular

    @cached_property
    def text_words(self) -> dict[str, list[int]]:
        """The numbers of the texts of several words that hold a word."""
        by_word: dict[str, list[int]] = {}
        for text, numbers in self.texts.items():
            if len(words := set(text.split())) > 1:
                for word in words:
                    by_word.setdefault(word, []).extend(numbers)
        return by_word

    @cached_property
    def few_values(self) -> list[int]:
        """The numbers of the ends of relations that lead to few different texts or things, over and over."""
        tables, values = self.subgraph.tables, dict[int, None]()
        for number, kind in enumerate(self.leads_to[::2]):
            if self.shown[2 * number] and kind in ("text", "thing"):
                ends = np.unique(tables.object[self._rows[number]])
                if len(ends) <= _FEW and len(ends) < _REPEATED * len(self._rows[number]):
                    values |= dict.fromkeys(ends.tolist())
        return [number for number in values if not self.subgraph.machine[number]][:_MOST_FEW]

    @cached_property
    def few_vectors(self) -> tuple[list[str], list[int], Vectors]:
        """The texts, numbers and vectors of ``few_values``."""
        texts = self.subgraph.labels(self.few_values)
        kept = [
            (text, number) for text, number in zip(texts, self.few_values, strict=True) if len(text) <= _LONGEST_FEW
        ]
        return (
            [t for t, _ in kept],
            [n for _, n in kept],
            unit(self._embedder.embed([text.lower() for text, _ in kept])),
        )

    def is_measured(self, hop: Hop) -> bool:
        """Whether a hop leads to amounts with a unit, or to things."""
        number = self._numbers.get((hop.ids, hop.backward))
        return bool(self.units_of(hop)) or (number is not None and self.leads_to[number] == "thing")

    def units_of(self, hop: Hop) -> Sequence[str]:
        """The units of the quantities that a hop leads to, the most frequent first."""
        return self.units(self._numbers[hop.ids, hop.backward]) if (hop.ids, hop.backward) in self._numbers else ()

    def is_other_than(self, noun: str, values: Sequence[Node]) -> bool:
        """Whether a noun is the label of relations of these things that lead neither to them nor to their names."""
        names = {noun, singular(noun) or noun}
        leading = [2 * number for number, hop in enumerate(self.hops[::2]) if hop.label.lower() in names]
        numbers = [self.subgraph.index(value.id) for value in values if isinstance(value, Entity)]
        ends = np.array([number for number in numbers if number is not None], dtype=np.int32)
        if not leading or not len(ends) or np.isin(self.ways(ends) ^ 1, leading).any():
            return False
        label = self.subgraph.labels([int(ends[0])])[0]
        called = [node_text(self.subgraph.node(int(end))) for hop in leading for end in self.follow(ends[:1], hop)]
        return bool(called) and label not in called

    @cached_property
    def _numbers(self) -> dict[tuple[tuple[str, ...], bool], int]:
        return {(hop.ids, hop.backward): number for number, hop in enumerate(self.hops)}

    def units(self, hop: int) -> Sequence[str]:
        """The units of the quantities that a hop leads to, the most frequent first."""
        key = ("units", hop)
        if key not in self._ways:
            rows = self._rows[hop >> 1][:_VALUES]
            nodes = self.subgraph.nodes(self.subgraph.tables.object[rows])
            amounts = (quantity_of(node) for node in nodes if isinstance(node, Literal) and node.kind in _AMOUNTS)
            counts = Counter(amount.unit for amount in amounts if amount is not None and amount.unit)
            self._ways[key] = [name for name, _ in counts.most_common()]  # type: ignore[assignment]
        return self._ways[key]  # type: ignore[return-value]


def _labels(names: Sequence[str]) -> list[str]:
    """The words of relations; where two with different names have the same, with those of their domains (Freebase)."""
    texts = [relation_text(name) for name in names]
    alike = Counter(text for _, text in set(zip(names, texts, strict=True)))
    return [spoken_relation(name) if alike[text] > 1 else text for name, text in zip(names, texts, strict=True)]


def _both_directions(hop: Hop, *, mutual: bool) -> list[Hop]:
    """A hop forward and backward; a relation that holds both ways ("spouse") is called the same from either end."""
    return [replace(hop, inverse=False), replace(hop.turned(), inverse=True)] if mutual else [hop, hop.turned()]
