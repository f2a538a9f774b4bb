"""What the graph says around an entity, as far as it tells candidates apart: how much, and in which words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from toulmin.graph.labels import normalise
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity
from toulmin.retrieval.lexicon import get_lexicon
from toulmin.retrieval.linking.words import FUNCTION_WORDS, information
from toulmin.retrieval.schema import relation_text

__all__ = ["Profile", "profiles"]

_STATEMENTS = 25  # of each entity and side: enough to tell the well known from the obscure


@dataclass(frozen=True, slots=True)
class Profile:
    """What is known of an entity.

    Args:
        prominence: 0 to 1, growing with the logarithm of its number of statements.
        lemmas: base forms of the words of its description, relations and neighbours.
    """

    prominence: float
    lemmas: frozenset[str]

    def context(self, words: Iterable[str]) -> float:
        """The share of the information of lower-cased words that the profile has too, 0 to 1."""
        told = {word: information(word) for word in words if word not in FUNCTION_WORDS}
        total = sum(told.values())
        return sum(told[word] for word in told if not self.lemmas.isdisjoint(_lemmas(word))) / total if total else 0.0


def profiles(graph: Graph, ids: Sequence[str]) -> Mapping[str, Profile]:
    """The profiles of entities, from at most 25 statements of each side, in one call."""
    found: dict[str, Profile] = {}
    most = math.log1p(2 * _STATEMENTS)
    for identifier, statements in zip(ids, graph.statements(ids, limit=_STATEMENTS), strict=True):
        texts = {relation_text(s.relation.label or s.relation.id) for s in statements}
        for statement in statements:
            other = statement.object if statement.subject.id == identifier else statement.subject
            texts.add((other.label or "") if isinstance(other, Entity) else other.value[:200])
        words = {word for text in texts for word in normalise(text).split()} - FUNCTION_WORDS
        lemmas = frozenset(lemma for word in words for lemma in _lemmas(word))
        found[identifier] = Profile(min(math.log1p(len(statements)) / most, 1.0), lemmas)
    return found


def _lemmas(word: str) -> tuple[str, ...]:
    return get_lexicon().lemmas(word) or (word,)
