"""What the words of a question speak for, before anything reads them together: by likeness of words, and by operators.

Each hop and class is laid beside each phrase of the question; a form is the better, the more of the question's words
its parts and names account for, and the better each of its parts is accounted for by words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toulmin.methods.reader.drafts import Draft
from toulmin.methods.reader.mentions import QuestionParts
from toulmin.methods.reader.schema import ReaderSchema
from toulmin.retrieval.embedders import Embedder
from toulmin.retrieval.schema import unit

__all__ = ["FEATURES", "Scoring", "Weights"]

Floats = NDArray[np.float32]

#: What the weights are of.
FEATURES = ("words covered", "parts supported", "operators", "names", "hops", "least part")

_MOST_PARTS = 8  # parts of a draft that are weighed
_LIKE = 0.6  # cosine from which on a relation or class is like a word
_LIKE_CLASS = 0.25  # cosine above which all things of a class are a set to start from
_ACCOUNTED = 0.35  # cosine of a word's phrase and a part of the reading from which on that accounts for it
_NAMED = 0.8  # least probability of both bounds where a range is named, and of either where "A or B" is
_OTHER_NAME = 0.02  # how much higher the cosine of another name than that of the label must be


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of ``FEATURES``, fitted by ``training/fit_scoring.py``."""

    values: tuple[float, ...] = (11.8, 3.3, 1.15, 2.6, -2.2, 2.0)


class Scoring:
    """Scores drafts of one question.

    Args:
        operators: the probability of each of ``OPERATORS``; empty: not known.
    """

    def __init__(
        self,
        asked: QuestionParts,
        schema: ReaderSchema,
        embedder: Embedder,
        operators: Mapping[str, float],
        weights: Weights,
    ) -> None:
        named = [
            *(("≥", "≤") if any(map(asked.other_ends, asked.of_kinds("number", "time"))) else ()),
            *(("either",) if asked.has_alternatives else ()),
        ]
        if operators:
            operators = {**operators, **{operator: max(operators[operator], _NAMED) for operator in named}}
        self.asked, self.schema, self.operators = asked, schema, operators
        self._embedder, self._weights = embedder, np.array(weights.values, dtype=np.float32)
        self._classes = {class_.kind.label: place for place, class_ in enumerate(schema.classes)}
        count = len(asked.words)
        phrases = asked.phrases()
        texts = [text for text, _ in phrases]
        vectors = unit(embedder.embed(texts)) if texts else np.zeros((0, embedder.dimension), dtype=np.float32)
        labels = np.concatenate([schema.vectors, schema.class_vectors]) if schema.classes else schema.vectors
        likeness = np.maximum(vectors @ labels.T, 0) if texts else np.zeros((0, len(labels)), dtype=np.float32)
        covers = np.zeros((len(labels), count), dtype=np.float32)
        for place in range(count):
            if any(within := [bool(mask >> place & 1) for _, mask in phrases]):
                covers[:, place] = likeness[within].max(axis=0)
        best = likeness.max(axis=0) if texts else np.zeros(len(labels), dtype=np.float32)
        names, named = schema.names
        hops, every = len(schema.hops), len(named)
        numbers = np.array(names, dtype=np.int64)
        by_name = best[:every].copy()
        by_name[hops:] -= _OTHER_NAME
        order = np.lexsort((by_name, numbers))
        chosen = order[np.searchsorted(numbers[order], np.arange(hops), side="right") - 1] if hops else numbers
        #: Of each hop number the hop by the name that words are most like.
        self.hops = [named[place] for place in chosen.tolist()]
        self._support = np.concatenate([best[chosen], best[every:]])
        self._covers = np.concatenate([covers[chosen], covers[every:], np.zeros((1, count), np.float32)])
        self._content = np.array([asked.content >> place & 1 for place in range(count)], dtype=np.float32)
        odds = {name: float(np.log(max(p, 1e-4) / max(1 - p, 1e-4))) for name, p in operators.items()}
        self._odds = odds

    def support(self, hop: int) -> float:
        """How like words of the question are to the best name of a hop, or to a class (2R + its place)."""
        return float(self._support[hop])

    def likeness(self, word: str, parts: Sequence[int]) -> float:
        """How like a word by itself is to the best label of some hops."""
        hops = [part for part in parts if part < len(self.hops)]
        return float((self.schema.vectors[hops] @ unit(self._embedder.embed([word]))[0]).max()) if hops else 0.0

    def likest_part(self, hop: int) -> int:
        """A hop, or the class that it leads to where words are liker to that: "by museum" for "hangs in"."""
        place = self._classes.get(self.schema.hops[hop].far)
        of_class = hop if place is None else len(self.schema.hops) + place
        return max(hop, of_class, key=self.support)

    def nearest(self, hops: NDArray[np.integer], limit: int) -> list[int]:
        """The ``limit`` hops, of distinct ones, whose names words are most like, best first."""
        if not len(hops):
            return []
        ascending = np.sort(hops)
        return list(map(int, ascending[np.argsort(-self._support[ascending], kind="stable")][:limit]))

    def near_classes(self, more: int) -> list[int]:
        """The classes that words are like, and those of the likeliest relations."""
        if not self.schema.classes:
            return []
        offset = len(self.schema.hops)
        support = self._support[offset:]
        chosen = [int(n) for n in np.argsort(-support, kind="stable")[:more] if support[n] > _LIKE_CLASS]
        for hop in np.argsort(-self._support[:offset], kind="stable")[: 4 * more].tolist():
            label = self.schema.hops[hop].near
            place = self._classes.get(label)
            if place is not None and place not in chosen and self.schema.shown[hop]:
                chosen.append(place)
            if len(chosen) >= 2 * more:
                break
        few = len(self.schema.classes) if len(self.schema.classes) <= more + 2 else 2 if not chosen else 0
        return [*chosen, *(n for n in range(few) if n not in chosen)]

    def features(self, drafts: Sequence[Draft]) -> Floats:
        """float32[n, len(FEATURES)]: the ``FEATURES`` of each draft."""
        last = len(self._covers) - 1
        numbers = np.full((len(drafts), _MOST_PARTS), last, dtype=np.int64)
        for row, draft in enumerate(drafts):
            chosen = draft.parts[:_MOST_PARTS]
            numbers[row, : len(chosen)] = chosen
        rows = {mask: row for row, mask in enumerate(dict.fromkeys(draft.mask for draft in drafts))}
        count = len(self.asked.words)
        bits = np.array([[mask >> place & 1 for place in range(count)] for mask in rows], dtype=np.float32)
        masks = bits.reshape(len(rows), count)[[rows[draft.mask] for draft in drafts]]
        covered = np.maximum(self._covers[numbers].max(axis=1), masks)
        total = max(1.0, float(self._content.sum()))
        support = np.concatenate([self._support, [np.nan]])[numbers]
        held = ~np.isnan(support)
        mean = np.where(held, support, 0).sum(axis=1) / np.maximum(1, held.sum(axis=1))
        least = np.where(held, support, 1.0).min(axis=1)
        odds = [sum(self._odds.get(name, 0.0) for name in draft.operators) for draft in drafts]
        return np.stack(
            [
                (covered * self._content).sum(axis=1) / total,
                mean,
                np.array(odds),
                np.array([np.log(max(draft.link, 1e-3)) for draft in drafts]),
                np.array([draft.hops for draft in drafts], dtype=np.float32),
                least,
            ],
            axis=1,
        ).astype(np.float32)

    def covered(self, draft: Draft) -> Floats:
        """float32[words]: how well the parts and names of a draft account for each word."""
        named = np.array([draft.mask >> place & 1 for place in range(len(self.asked.words))], dtype=np.float32)
        numbers = [*draft.parts, len(self._covers) - 1]
        return np.asarray(np.maximum(self._covers[numbers].max(axis=0), named))

    def values_left_out(self, draft: Draft) -> list[int]:
        """The words of the graph's exact values that no part or name of a draft accounts for."""
        exact = [
            mention for mention in self.asked.mentioned if mention.kind in ("entity", "text") and mention.score == 1
        ]
        if not any(mention.mask & ~draft.mask for mention in exact):
            return []
        covered = self.covered(draft)
        words = {
            place
            for mention in exact
            for place in range(mention.first, mention.last)
            if self.asked.content >> place & 1
        }
        return [place for place in sorted(words) if not draft.mask >> place & 1 and covered[place] < _LIKE]

    def accounted(self, draft: Draft, place: int) -> str:
        """What of a draft accounts for a word: a relation, a class, "name" of what is named; "" where nothing does."""
        if draft.mask >> place & 1:
            return "name"
        best = max(draft.parts, key=lambda part: self._covers[part, place], default=None)
        if best is None or self._covers[best, place] < _ACCOUNTED:
            return ""
        hops = len(self.hops)
        return self.hops[best].label if best < hops else self.schema.classes[best - hops].kind.label

    def known(self, place: int) -> bool:
        """Whether a relation or class of the graph is like a word."""
        return bool(self._covers[:, place].max() >= _LIKE)

    def scores(self, drafts: Sequence[Draft]) -> Floats:
        """float32[n], the higher the likelier."""
        return np.asarray(self.features(drafts) @ self._weights)
