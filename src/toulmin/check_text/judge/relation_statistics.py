"""What a graph's own statistics say of its relations: how many values, of which kind, with which others they come.

Computed once for a graph, from its arrays; nothing here loops over statements.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from toulmin.check_text.judge.relation_labels import TEXTS
from toulmin.check_text.judge.sentence_words import by_short_name
from toulmin.english.lexicon import get_lexicon
from toulmin.english.words import FUNCTION_WORDS
from toulmin.graph.local import LocalGraph
from toulmin.graph.subgraph import Subgraph
from toulmin.retrieval.linking.mention_words import information, is_dictionary_word, words_of
from toulmin.retrieval.retriever import Retriever
from toulmin.retrieval.schema import GraphSchema, unit

__all__ = ["SHAPES", "RelationStatistics", "log_share", "parts_of_word", "shape_of", "statistics_of", "word_weight"]

Floats = NDArray[np.float32]

#: What the text of a value looks like.
SHAPES = ("date", "year", "integer", "decimal", "code", "name", "words")

_ISO = re.compile(
    r"\d{3,4}-\d\d(-\d\d)?|.*\b(January|February|March|April|May|June|July|August|September|October|"
    r"November|December)\b.*\d{3,4}"
)
_SAME_WORD = 0.85  # from which on they are forms of one: "born", "birth"
_RELATED = 0.6  # from which on two words are taken for related
_HOLDING = 0.5  # objects for each subject, up to which a relation may lead from parts to what holds them
_OVERALL = 5.0  # subjects that the share over all of them counts for beside those of one kind
_UNSEEN = 1.0  # nodes that the share over all of them counts for beside those that were seen
_MUTUAL = 0.05  # share of statements that hold both ways, up to which a relation has a direction
_COMMONEST = 0.2  # weight of a word without information
_NEVER_SEEN = 0.02  # share that stands for none where its logarithm is taken
_SAMPLE = 200  # objects of a relation whose shapes are counted


def shape_of(text: str) -> int:
    """The place in ``SHAPES`` of a text."""
    digits = sum(character.isdigit() for character in text)
    if digits and (_ISO.fullmatch(text) or re.fullmatch(r"\d\d?/\d\d?/\d{4}", text)):
        return 0
    if re.fullmatch(r"[12]\d{3}", text):
        return 1
    if digits and re.match(r"[-−+]?[\d,]+(?![\w/-])", text) and not re.match(r"[-−+]?[\d,]+\.\d*[1-9]", text):
        return 2
    if digits and re.match(r"[-−+]?[\d,]*\.\d+(?![\w/-])", text):
        return 3
    if digits * 3 >= len(text) or re.fullmatch(r"[A-Z0-9/.-]{2,8}", text):
        return 4
    return 5 if any(word[:1].isupper() for word in text.split()) else 6


def word_weight(word: str) -> float:
    """How much a word counts among others, by its information; also the commonest ones a little."""
    return _COMMONEST + information(word)


def log_share(share: Floats) -> Floats:
    """The logarithm of shares, where none counts as one in fifty."""
    return np.asarray(np.log(_NEVER_SEEN + share), dtype=np.float32)


class RelationStatistics:
    """Statistics of the relations of one graph (R: relations).

    Attributes:
        subjects: float32[R], the number of a relation's subjects.
        single: float32[R], the share of them that have one object, or two of which one holds the other.
        seen_shapes: float32[R, len(SHAPES)], the shares of its objects' shapes.
        vectors: float32[R, d], of its words.
        object_share: float32[R], the share of all nodes that are an object of it.
        free_text: bool[R], relations to texts, of which a name is never all.
        mutual: float32[R], the share of its statements whose reverse the graph holds too.
    """

    def __init__(self, subgraph: Subgraph, schema: GraphSchema) -> None:
        self.subgraph, self._lexicon, tables = subgraph, get_lexicon(), subgraph.tables
        count = self.count = len(subgraph.relations)
        pairs = np.unique(tables.subject.astype(np.int64) * max(count, 1) + tables.relation, return_index=True)
        relation = tables.relation[pairs[1]]
        is_single = _one_value(subgraph)
        subjects = np.bincount(relation, minlength=count)
        self.subjects, self.present = subjects.astype(np.float32), subjects > 0
        self.single = (np.bincount(relation[is_single], minlength=count) / np.maximum(subjects, 1)).astype(np.float32)
        self.mutual = _mutual(tables.subject, tables.relation, tables.object, count)
        self._of_subject = _incidence(tables.subject, tables.relation, subgraph.n_nodes, count)
        self._of_object = _incidence(tables.object, tables.relation, subgraph.n_nodes, count)
        self._usually_single = float(is_single.mean()) if len(is_single) else 0.0
        self._of_single = _incidence(tables.subject[pairs[1]][is_single], relation[is_single], subgraph.n_nodes, count)
        self._single_with = _together(self._of_single, self._of_subject)
        self._with_domain = _together(self._of_subject, self._of_subject)
        self._with_range = _together(self._of_object, self._of_object)
        self._range_by_domain = _together(self._of_subject, self._of_object)
        self._per_range = np.asarray(self._of_object.sum(axis=0), dtype=np.float32).ravel()
        nodes = np.float32(max(subgraph.n_nodes, 1))
        self._subject_share, self.object_share = self.subjects / nodes, self._per_range / nodes
        self.seen_shapes = self._shapes()
        self.texts = schema.texts
        self.vectors = schema.embedder.embed([f"{text} of" for text in self.texts])
        self._centre = schema.slots.mean(axis=0) if count else np.zeros(1)
        self.ranges = unit(schema.slots[0::2] - self._centre)
        self.free_text = np.array([text in TEXTS for text in self.texts], dtype=bool)
        self.ends_in_of = np.array([text.split()[-1:] == ["of"] for text in self.texts], dtype=bool)
        self._label_words()
        self._find_opposites()
        self.short = by_short_name(tables.labels.many(np.arange(subgraph.n_entities)))
        self.polarity = lru_cache(20_000)(self._polarity)
        self.word_likeness = lru_cache(20_000)(self._word_likeness)
        self.domain = lru_cache(4096)(self._domain)
        self.range = lru_cache(4096)(self._range)

    def _shapes(self) -> Floats:
        tables, count = self.subgraph.tables, self.count
        order = np.argsort(tables.relation, kind="stable")
        bounds = np.searchsorted(tables.relation[order], np.arange(1, count))
        seen = np.zeros((count, len(SHAPES)), dtype=np.float32)
        for number, rows in enumerate(np.split(order, bounds)[:count]):
            sample = np.unique(tables.object[rows[np.linspace(0, len(rows) - 1, min(_SAMPLE, len(rows))).astype(int)]])
            for text in self.subgraph.labels(sample) if len(sample) else ():
                seen[number, shape_of(text)] += 1
        return np.asarray(seen / np.maximum(seen.sum(axis=1, keepdims=True), 1), dtype=np.float32)

    def _label_words(self) -> None:
        """Weights of the words of each relation's label, float32[R, words]."""
        labels = [[part for word in words_of(text) for part in parts_of_word(word.lower)] for text in self.texts]
        content = [[word for word in words if word not in FUNCTION_WORDS] or words for words in labels]
        self.label_words = sorted({word for words in content for word in words})
        place = {word: number for number, word in enumerate(self.label_words)}
        self.label_weights = np.zeros((self.count, len(place)), dtype=np.float32)
        for number, words in enumerate(content):
            for word in words:
                self.label_weights[number, place[word]] = word_weight(word)
        self.label_weights /= np.maximum(self.label_weights.sum(axis=1, keepdims=True), 1e-6)

    def _find_opposites(self) -> None:
        """Find the relations of each word of a label and an opposite of it that the lexicon knows."""
        self._opposites: dict[tuple[str, str], list[int]] = {}
        for number, text in enumerate(self.texts):
            for word in {lemma for part in words_of(text) for lemma in self._lexicon.lemmas(part.lower)}:
                for other in self._lexicon.antonyms(word):
                    self._opposites.setdefault((word, other), []).append(number)

    def _polarity(self, word: str) -> frozenset[str]:
        """The words with an opposite, and the opposites, that a word means."""
        polar = chain.from_iterable(self._opposites)
        return frozenset(other for other in polar if self._lexicon.relatedness(word, other) >= _SAME_WORD)

    def opposed(self, text: str) -> Floats:
        """1 for each relation of whose label a text has the opposite of a word, and not the word; float32[R]."""
        opposed = np.zeros(self.count, dtype=np.float32)
        spoken = frozenset[str]().union(*(self.polarity(word.lower) for word in words_of(text)))
        for (word, opposite), relations in self._opposites.items() if spoken else ():
            if opposite in spoken and word not in spoken:
                opposed[relations] = 1.0
        return opposed

    def _word_likeness(self, word: str) -> Floats:
        """How well a word means each word of the labels, float32[words]."""
        likeness = np.array([self._lexicon.relatedness(word, other) for other in self.label_words], dtype=np.float32)
        return np.asarray(np.where(likeness >= _RELATED, likeness, 0.0), dtype=np.float32)

    def _domain(self, node: int) -> Floats:
        """How likely a node is a subject of each relation, by the others that lead from and to it; float32[R].

        The node itself is left out of the counts, so that what is said of it makes nothing likelier to be said.
        """
        incoming, outgoing = self._row(self._of_object, node), self.relations_of(node)
        by_outgoing = self._without(self._with_domain, self.subjects, outgoing, outgoing, self._subject_share)
        by_outgoing[np.arange(len(outgoing)), outgoing] = 0.0
        by_incoming = self._without(self._range_by_domain.T, self._per_range, incoming, outgoing, self._subject_share)
        others = len(outgoing) - np.isin(np.arange(self.count), outgoing) + len(incoming)
        total = by_outgoing.sum(axis=0) + by_incoming.sum(axis=0) + self._subject_share
        return np.asarray(total / (others + 1), dtype=np.float32)

    def _range(self, node: int) -> Floats:
        """How likely a node is an object of each relation, by all else that is said of it; float32[R]."""
        incoming, outgoing = self._row(self._of_object, node), self.relations_of(node)
        by_incoming = self._without(self._with_range, self._per_range, incoming, incoming, self.object_share)
        by_incoming[np.arange(len(incoming)), incoming] = 0.0
        by_outgoing = self._without(self._range_by_domain, self.subjects, outgoing, incoming, self.object_share)
        mean = by_outgoing.sum(axis=0) / max(len(outgoing), 1)
        return np.asarray(np.maximum(by_incoming.max(axis=0, initial=0), mean), dtype=np.float32)

    @staticmethod
    def _without(
        together: Floats, per: Floats, given: NDArray[np.int32], has: NDArray[np.int32], prior: Floats
    ) -> Floats:
        """P(r | r') for each r' in ``given``, float32[given, R], a node that has ``has`` left out.

        Where little is seen, near P(r).
        """
        counts = together[given]
        counts[:, has] -= 1.0
        shares = (counts + _UNSEEN * prior) / (per[given] - 1 + _UNSEEN)[:, None]
        return np.asarray(np.maximum(shares, 0.0), dtype=np.float32)

    @staticmethod
    def _row(matrix: Any, node: int) -> NDArray[np.int32]:
        return np.asarray(matrix.indices[matrix.indptr[node] : matrix.indptr[node + 1]])

    def has_direction(self, relation: int) -> bool:
        """Whether few of a relation's statements hold both ways, so that exchanged ends say another thing."""
        return bool(self.mutual[relation] <= _MUTUAL)

    def relations_of(self, node: int) -> NDArray[np.int32]:
        """The relations that a node is a subject of."""
        return self._row(self._of_subject, node)

    def _words(self, relation: int) -> list[str]:
        return [self.label_words[place] for place in np.flatnonzero(self.label_weights[relation] > 0)]

    def kindred(self, relation: int, other: int) -> bool:
        """Whether one relation's label has all words of the other's, or forms of them."""
        short, long = sorted((self._words(relation), self._words(other)), key=len)
        return all(any(self._lexicon.relatedness(word, part) >= _SAME_WORD for part in long) for word in short)

    def says_more(self, relation: int, other: int, text: str) -> bool:
        """Whether a text has all words of a label that has more than another relation's: "internal order number"."""
        words, lemmas_of = self._words(relation), self._lexicon.lemmas
        if len(words) <= len(self._words(other)):
            return False
        said = {lemma for word in words_of(text) for lemma in (word.lower, *lemmas_of(word.lower))}
        return all(not said.isdisjoint((word, *lemmas_of(word))) for word in words)

    def has_one(self, node: int, relation: int) -> bool:
        """Whether a subject has one value over a relation, or two, a town and its county."""
        return bool(np.isin(relation, self._row(self._of_single, node)))

    def single_of(self, node: int, relation: int) -> float:
        """The share of the subjects of a relation, of those of this node's kind above all, that have one value.

        Their kind is told by the other relations that they share with it; the node itself is left out.
        """
        relations = self.relations_of(node)
        itself = np.float32(relation in relations)
        others = relations[relations != relation]
        alone = itself * self.has_one(node, relation)
        single = float(self.single[relation] * self.subjects[relation] - alone)
        overall = (single + self._usually_single) / float(self.subjects[relation] - itself + 1)
        if not len(others):
            return overall
        there = self._with_domain[relation, others] - itself
        alike = self._single_with[relation, others] - alone
        return float(((alike + _OVERALL * overall) / (there + _OVERALL)).mean())

    def nearness(self, vectors: Floats) -> Floats:
        """How like texts are to the objects of each relation, float32[texts, R]; about 0 on average."""
        return np.asarray(unit(vectors - self._centre) @ self.ranges.T)


@lru_cache(maxsize=4096)
def parts_of_word(word: str) -> tuple[str, ...]:
    """A word of a label; its two parts where it is none by itself: "ordernumber"."""
    if is_dictionary_word(word) or not word.isalpha():
        return (word,)
    cuts = ((word[:cut], word[cut:]) for cut in range(3, len(word) - 2))
    return next((both for both in cuts if all(map(is_dictionary_word, both))), (word,))


def _one_value(subgraph: Subgraph) -> NDArray[np.bool_]:
    """Whether each (subject, relation), in ascending order, has one object, or two of which one holds the other."""
    tables, nodes = subgraph.tables, subgraph.n_nodes
    order = np.lexsort((tables.object, tables.relation, tables.subject))
    s, r, o = tables.subject[order], tables.relation[order], tables.object[order].astype(np.int64)
    if not len(s):
        return np.zeros(0, dtype=bool)
    new = np.r_[True, (s[1:] != s[:-1]) | (r[1:] != r[:-1]) | (o[1:] != o[:-1])]
    s, r, o = s[new], r[new], o[new]
    at = np.flatnonzero(np.r_[True, (s[1:] != s[:-1]) | (r[1:] != r[:-1])])
    objects = np.diff(at, append=len(s))
    two = np.flatnonzero(objects == 2)
    first, second = o[at[two]], o[at[two] + 1]
    # "country", "part of": many subjects, few objects.
    subjects = np.bincount(r[at], minlength=len(subgraph.relations))
    ends = np.unique(r.astype(np.int64) * nodes + o) // nodes
    holding = np.bincount(ends, minlength=len(subgraph.relations)) <= _HOLDING * subjects
    within = np.unique(s.astype(np.int64)[holding[r]] * nodes + o[holding[r]])
    single = objects == 1
    single[two[np.isin(first * nodes + second, within) | np.isin(second * nodes + first, within)]] = True
    return np.asarray(single, dtype=bool)


def _mutual(subject: NDArray[np.int32], relation: NDArray[np.int32], objects: NDArray[np.int32], count: int) -> Floats:
    size = int(max(subject.max(initial=0), objects.max(initial=0))) + 1
    there = (subject.astype(np.int64) * max(count, 1) + relation) * size + objects
    back = (objects.astype(np.int64) * max(count, 1) + relation) * size + subject
    both = np.bincount(relation[np.isin(back, there)], minlength=count)
    return np.asarray(both / np.maximum(np.bincount(relation, minlength=count), 1), dtype=np.float32)


def _incidence(nodes: NDArray[np.int32], relations: NDArray[np.int32], n_nodes: int, count: int) -> Any:
    from scipy.sparse import csr_array

    made = csr_array((np.ones(len(nodes), dtype=np.float32), (nodes, relations)), shape=(n_nodes, count))
    made.sum_duplicates()
    made.data[:] = 1.0
    return made


def _together(given: Any, wanted: Any) -> Floats:
    """How many nodes have both ``given`` r' and ``wanted`` r, float32[R given, R wanted]."""
    return np.asarray((given.T @ wanted).toarray(), dtype=np.float32)


_STATISTICS: WeakKeyDictionary[Retriever, RelationStatistics] = WeakKeyDictionary()


def statistics_of(retriever: Retriever, seeds: Sequence[str] = ()) -> RelationStatistics:
    """The statistics of a retriever's graph: of a local one made once; of a remote one for what is around ``seeds``."""
    if retriever in _STATISTICS:
        return _STATISTICS[retriever]
    made = RelationStatistics(*retriever.around(seeds, 1))
    if isinstance(retriever.graph, LocalGraph):
        _STATISTICS[retriever] = made
    return made
