"""What the words of a question say for and against each relation, and what the question asks for.

Everything is computed once per question and start entity, as arrays over phrases (P), relations in reach (K) and slots.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from toulmin.english.lexicon import Lexicon
from toulmin.english.words import QUESTION_STOP_WORDS, TYPE_OF_QUESTION_WORD
from toulmin.graph.types import Node
from toulmin.methods.fidelis.answer_kinds import SAMPLE, asked_kind, kind_score
from toulmin.methods.fidelis.outward_words import OutwardWords
from toulmin.methods.fidelis.settings import WEIGHTS
from toulmin.methods.question.asked_for import is_content
from toulmin.retrieval.schema import COARSE_TYPES, GraphSchema

__all__ = ["Floats", "RelationScores"]

Floats = NDArray[np.float32]

# Set by hand beside the weights (``weights.toml``), on the same questions.
_SALIENT = 0.5  # a word that is so like some relation, or what it leads to, counts as wholly salient
_EXPLAINED = 0.4  # a relation that a word has so much gain for explains it wholly
_EXTRA_WORD = 0.25  # taken off a phrase for each content word beyond those of the label
_NAMED = 0.3  # the answer phrase names a relation from this likeness on
_NAMED_TYPE = 0.2  # what a named relation is worth at least against its coarse type
_OTHERWISE = 0.3  # of its likeness to a slot's nodes that a noun keeps, where the relation's label is another noun
_SLOT_EXPLAINS = 2.0  # how quickly likeness to a slot's nodes explains a word
_CLASH = 0.4  # share of a clash of coarse types that a phrase for a forward hop pays
_UNRELATED = 0.3  # cosine of unrelated nouns
_WHOLE_SHARE = 1.5  # a noun that two thirds of a slot's nodes bear counts as that of all
_DIFFERENT, _ALIKE = 0.45, 0.4  # labels of so small a cosine mean different things; of so much more, the same
_WHOLE = 0.9  # what a phrase of several words is worth, at least, that the lexicon has as it stands


class RelationScores:
    """What one question says for and against the relations in reach.

    Args:
        words: of the question, outward from its mention.
        relations: their numbers, ascending.

    Attributes:
        gain: float32[P, K], what a phrase is worth for a hop over a relation (before the cost of a hop).
        position: relation number -> its column in the arrays over K.
    """

    def __init__(
        self,
        words: OutwardWords,
        schema: GraphSchema,
        lexicon: Lexicon,
        relations: NDArray[np.integer],
    ) -> None:
        self.words, self._schema, self._lexicon = words, schema, lexicon
        self.relations = relations
        self.position = {int(relation): column for column, relation in enumerate(relations)}
        texts = [phrase.text for phrase in words.phrases]
        labels = [_label_words(schema.texts[relation]) for relation in relations]
        lexical = _lexical(texts, labels, lexicon)
        self._like = schema.likeness(texts, relations) + WEIGHTS.lexical * lexical
        self.gain = self._like - WEIGHTS.rival * self._rivals()
        content = np.array([phrase.content for phrase in words.phrases], dtype=np.float32)[:, None]
        length = np.array([len(label) for label in labels], dtype=np.float32)[None, :]
        beyond = np.where(content > 1, np.maximum(content - np.maximum(length, 1), 0), 0)
        self.gain = (self.gain - _EXTRA_WORD * beyond).astype(np.float32)
        self._words = words.content_words()
        self._word = {word: row for row, word in enumerate(self._words)}
        self._slot_like = schema.slot_likeness(self._words)
        self._single = {phrase.text: row for row, phrase in enumerate(words.phrases) if phrase.content == 1}
        self._coarse = {kind: number for number, kind in enumerate(COARSE_TYPES)}
        self._answer_row, self.answer_head = self._answer()
        named = TYPE_OF_QUESTION_WORD.get(words.question_word or "")
        self.answer_type = named or (lexicon.coarse_type(self.answer_head) if self.answer_head else None)
        self.kind = asked_kind(words, self.answer_type, lexicon)

    def _rivals(self) -> Floats:
        """Per phrase and relation, the likeness of the best other relation that does not mean the same."""
        different = 1 - np.clip((self._schema.alike(self.relations) - _DIFFERENT) / _ALIKE, 0, 1)
        rivals = np.zeros_like(self._like)
        for row, like in enumerate(np.maximum(self._like, 0)):  # row by row: a cube of all would be large
            rivals[row] = (different * like[None, :]).max(axis=1)
        return rivals

    def _answer(self) -> tuple[int | None, str | None]:
        """The phrase that says what is asked for, and its head noun."""
        nouns = [row for row in self.words.answer if self._is_noun_phrase(row)] or self.words.answer[:1]
        candidates = [(float(self.gain[row].max(initial=0)), row) for row in nouns]
        if not candidates:
            return None, None
        row = max(candidates)[1]
        words = self.words.phrases[row].text.split()
        content = [word for word in words if is_content(word)]
        if "of" not in words:
            return row, content[-1]
        generic = self._lexicon.coarse_type(content[0]) == "thing" and self._lexicon.is_a(content[0], "kind")
        return row, content[-1] if generic else content[0]

    def _is_noun_phrase(self, row: int) -> bool:
        words = [word for word in self.words.phrases[row].text.split() if is_content(word)]
        return all(self._lexicon.is_noun(word) for word in words)

    @property
    def chained(self) -> bool:
        """Whether what is asked for is a link of a chain of possessives, and so must be a hop of its own."""
        return self._answer_row is not None and self.words.in_chain(self.words.phrases[self._answer_row])

    def blocked(self, side: int, start: int, end: int) -> bool:
        """Whether these words belong to the phrase that says what is asked for."""
        if self._answer_row is None:
            return False
        phrase = self.words.phrases[self._answer_row]
        return side == phrase.side and start < phrase.end and end > phrase.start

    def best_gain(self) -> Floats:
        """The best gain of any phrase, at least 0, for each relation of the graph (0 for those out of reach)."""
        best = np.zeros(len(self._schema.texts), dtype=np.float32)
        best[self.relations] = self.gain.max(axis=0, initial=0)
        return best

    def named_by_answer(self, slots: NDArray[np.integer]) -> Floats:
        """How far the phrase that says what is asked for names the relation of each slot, walked forward."""
        out = np.zeros(len(slots), dtype=np.float32)
        if self._answer_row is not None:
            for at, slot in enumerate(slots):
                column = self.position[int(slot) // 2]
                if slot % 2 == 0 and self._like[self._answer_row, column] > _NAMED:
                    out[at] = max(float(self.gain[self._answer_row, column]), 0.0)
        return out

    def compatible(self, coarse: str | None, slots: NDArray[np.integer]) -> Floats:
        """How far the nodes of slots are of a coarse type, from -0.5 (none) to 0.5 (all); 0 where no type is given."""
        if coarse is None:
            return np.zeros(len(slots), dtype=np.float32)
        return np.asarray(self._schema.types[slots, self._coarse[coarse]] - 0.5)

    def answer_score(self, slots: NDArray[np.integer]) -> Floats:
        """How well a path that ends in each slot gives what the question asks for."""
        named = self.named_by_answer(slots)
        soft = self.answer_type if self.kind in (None, "name") else None  # else the values themselves tell
        score = WEIGHTS.coarse_type * self.compatible(soft, slots)
        score = np.where(named > _NAMED, np.maximum(score, _NAMED_TYPE), score)
        if self.answer_head is not None:
            like = self._slot_like[self._word[self.answer_head], slots]
            like = np.where(self._named_otherwise(slots), _OTHERWISE * like, like)
            nouns = np.array([self._noun_likeness(int(slot)) for slot in slots], dtype=np.float32)
            score = score + WEIGHTS.answer_type * np.maximum(np.maximum(like, nouns), named)
        return np.asarray(score, dtype=np.float32)

    def value_score(self, nodes: Sequence[Node]) -> float:
        """How well nodes are values of the kind that the question asks for; 0 where it asks for none."""
        if self.kind is None:
            return 0.0
        return WEIGHTS.kind * kind_score(self.kind, nodes[:SAMPLE], self._lexicon)

    def _named_otherwise(self, slots: NDArray[np.integer]) -> NDArray[np.bool_]:
        """For each slot, walked forward, whether its label is a noun for the objects other than the noun asked for."""
        row = self._answer_row
        return np.array(
            [
                slot % 2 == 0
                and self._lexicon.is_noun(self._schema.texts[slot // 2].rsplit(" ", 1)[-1])
                and (row is None or self._like[row, self.position[int(slot) // 2]] <= _NAMED)
                for slot in slots
            ],
            dtype=bool,
        )

    def _noun_likeness(self, slot: int) -> float:
        """The likeness of the noun asked for to the class names that the graph gives a slot's nodes; -1 without any."""
        head = self.answer_head or ""
        best = 0.0 if self._schema.nouns[slot] else -1.0
        vector = self._schema.embedder.embed([head])[0] if self._schema.nouns[slot] else None
        for noun, share in self._schema.nouns[slot]:
            cosine = float(vector @ self._schema.noun_vectors[noun]) - _UNRELATED
            related = max(self._lexicon.relatedness(head, word) for word in noun.split())
            best = max(best, (cosine + related) / 2 * min(1.0, share * _WHOLE_SHARE))
        return best

    def clash(self, row: int, slots: NDArray[np.integer]) -> Floats:
        """The penalty (at most 0) of a phrase for a forward hop to nodes of another coarse type than its noun's."""
        coarse = self._lexicon.coarse_type(self.words.phrases[row].text.split()[-1])
        paid = _CLASH * np.minimum(self.compatible(coarse, slots), 0)
        return np.asarray(np.where(np.asarray(slots) % 2 == 0, paid, 0), dtype=np.float32)

    def unread_cost(self, side: int, hops: Sequence[tuple[int, ...]] | None, around: NDArray[np.integer]) -> Floats:
        """The cost of each word on a side that the last hop leaves unexplained, float32[hops, words].

        Args:
            hops: as slots; None: before the first hop, where the slots ``around`` (those of the start entity) explain.
        """
        outward = self.words.sides[side]
        slots = around if hops is None else np.array([hop[-1] for hop in hops], dtype=np.int64)
        count = 1 if hops is None else len(slots)
        cost = np.zeros((count, len(outward)), dtype=np.float32)
        every = np.unique(np.array([2 * r + end for r in self.relations for end in (0, 1)], dtype=np.int64))
        for at, word in enumerate(outward):
            if word not in self._word or self.blocked(side, at, at + 1):
                continue
            row, single = self._word[word], self._single.get(word)
            best = max(
                float(self.gain[single].max(initial=0)) if single is not None else 0.0,
                float(self._slot_like[row, every].max(initial=0)),
            )
            salience = WEIGHTS.unread * float(np.clip(best / _SALIENT, WEIGHTS.least_unread, 1))
            explained = _SLOT_EXPLAINS * self._slot_like[row, slots]
            if hops is None:
                explained = explained.max(initial=0, keepdims=True)
            elif single is not None:
                by_relation = [max(self.gain[single, self.position[slot // 2]] for slot in hop) for hop in hops]
                explained = np.maximum(explained, np.array(by_relation) / _EXPLAINED)
            cost[:, at] = salience * np.clip(1 - explained, 0, 1)
        return cost


def _label_words(text: str) -> list[str]:
    content = [word for word in text.split() if word not in QUESTION_STOP_WORDS]
    return content or text.split() or [text]


def _lexical(texts: Sequence[str], labels: Sequence[Sequence[str]], lexicon: Lexicon) -> Floats:
    """How the lexicon relates phrases to labels, 0 to 1, float32[P, K].

    Half of a label's score is its best word's, half the mean over its words (a word that many labels share counts
    less); words of the phrase that say nothing of the label take off up to half.
    """
    if not texts or not labels:
        return np.zeros((len(texts), len(labels)), dtype=np.float32)
    shared = Counter(word for label in labels for word in set(label))
    vocabulary = {word: column for column, word in enumerate(shared)}
    longest = max(len(label) for label in labels)
    columns = np.zeros((len(labels), longest), dtype=np.int64)
    weights = np.zeros((len(labels), longest), dtype=np.float32)
    for row, label in enumerate(labels):
        columns[row, : len(label)] = [vocabulary[word] for word in label]
        weights[row, : len(label)] = [1 / (1 + np.log(shared[word])) for word in label]
    rows: dict[str, Floats] = {}

    def related(unit: str) -> Floats:
        if unit not in rows:
            relatedness = np.array([lexicon.relatedness(unit, word) for word in vocabulary], dtype=np.float32)
            rows[unit] = np.where(weights > 0, relatedness[columns], 0)
        return rows[unit]

    out = np.zeros((len(texts), len(labels)), dtype=np.float32)
    for number, text in enumerate(texts):
        content = [word for word in text.split() if is_content(word)]
        per_word = np.stack([related(word) for word in content])
        whole = related(text) if len(content) > 1 else np.zeros_like(weights)
        best = np.maximum(per_word.max(axis=0), whole)
        score = 0.5 * best.max(axis=1) + 0.5 * (best * weights).sum(axis=1) / weights.sum(axis=1)
        matched = per_word.max(axis=2).mean(axis=0)  # of the phrase's words, by each label
        out[number] = np.maximum(0.5 * score + 0.5 * score * matched, _WHOLE * whole.max(axis=1))
    return out
