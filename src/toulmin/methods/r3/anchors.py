"""The entities a question is about: those that the linker finds and those that the model names (papers/r3 eq. 1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from toulmin.graph.labels import normalise, similarity
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity
from toulmin.methods.grounding import nearly_named
from toulmin.methods.protocol import LinkedEntity
from toulmin.methods.r3.axioms.meanings import Link
from toulmin.retrieval.linking import Mention

__all__ = ["Anchor", "anchor_called", "anchors_of_names", "is_left_open", "is_sure", "merged_anchors"]

_NEAR = 0.8  # likeness from which words of the question are nearly a name
_WORD = re.compile(r"(?<!\w)[^\W\d_]\w*")


@dataclass(frozen=True, slots=True)
class Anchor:
    """An entity to look up, and the words of the question that stand for it.

    Args:
        form: the name that matched, as the graph writes it.
        words: where they begin and end; None where the question does not hold them ("I" for the user).
    """

    entity: Entity
    form: str
    score: float
    how: str
    words: tuple[int, int] | None = None

    @classmethod
    def of(cls, mention: Mention) -> Anchor:
        """The first candidate of a mention that the linker found."""
        best = mention.candidates[0]
        return cls(best.entity, best.form, best.score, best.how, (mention.start, mention.end))

    @property
    def link(self) -> Link | None:
        """The words of the question for it, where it has some."""
        return None if self.words is None else Link(self.entity, *self.words, self.form)

    def linked(self, question: str) -> LinkedEntity:
        """As an event tells it."""
        start, end = self.words or (0, 0)
        text = question[start:end] or self.form
        return LinkedEntity(text=text, start=start, end=end, entity=self.entity, score=self.score, how=self.how)


def is_sure(mention: Mention) -> bool:
    """Whether words are nearly a name of their entity; what shares but a word with one, the model has to confirm."""
    best = mention.candidates[0]
    return best.how == "exact" or (best.how == "near" and best.score >= _NEAR)


def is_left_open(question: str, anchors: Iterable[Anchor], mentions: Iterable[Mention]) -> bool:
    """Whether a word that is written as a name, other than the first, is in no anchor, but may be of one of these."""
    linked = [anchor.words for anchor in anchors if anchor.words is not None]
    unsure = [(mention.start, mention.end) for mention in mentions if not is_sure(mention)]
    names = [word.start() for word in _WORD.finditer(question) if word[0][0].isupper() and word[0] != "I"]
    return any(
        any(start <= at < end for start, end in unsure) and not any(start <= at < end for start, end in linked)
        for at in names
        if at
    )


def anchors_of_names(names: Iterable[str], question: str, graph: Graph) -> list[Anchor]:
    """The entities of names that the model gave, exact or near ones, with the words of the question for them."""
    distinct = list(dict.fromkeys(name for name in names if normalise(name)))
    matches = []
    for name, exact in zip(distinct, graph.lookup(distinct) if distinct else [], strict=True):
        place = re.search(re.escape(name), question, re.IGNORECASE)
        match = exact[0] if exact else nearly_named(name, graph)
        if match is not None and (place is not None or exact):
            matches.append((place, match))
    anchors: list[Anchor] = []
    for (place, match), entity in zip(matches, _entities([match.id for _, match in matches], graph), strict=True):
        words = place[0] if place else match.form
        same = normalise(words) == normalise(match.form)
        alike = 1.0 if same else similarity(words, match.form)
        if entity is not None and alike >= _NEAR:
            how = "exact" if same else "near"
            anchors.append(Anchor(entity, match.form, alike, how, place.span() if place else None))
    return anchors


def anchor_called(text: str, graph: Graph) -> Anchor | None:
    """The entity of exactly this name: an option, or the person who speaks; None where there is none."""
    matches = graph.lookup([text])[0] if normalise(text) else []
    entity = _entities([matches[0].id], graph)[0] if matches else None
    return None if entity is None else Anchor(entity, matches[0].form, 1.0, "exact")


def merged_anchors(first: Sequence[Anchor], second: Sequence[Anchor], most: int) -> list[Anchor]:
    """Both, the first ones before the others, each entity once, at most so many."""
    by_entity: dict[str, Anchor] = {}
    for anchor in (*first, *second):
        by_entity.setdefault(anchor.entity.id, anchor)
    return list(by_entity.values())[:most]


def _entities(ids: Sequence[str], graph: Graph) -> list[Entity | None]:
    return [info.entity if info is not None else None for info in graph.describe(ids)] if ids else []
