"""What the graph says around an entity, as far as it tells candidates apart: how much, and in which words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from toulmin.graph.labels import normalise
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity
from toulmin.retrieval.lexicon import get_lexicon
from toulmin.retrieval.linking.words import FUNCTION_WORDS, information
from toulmin.retrieval.schema import relation_text

__all__ = ["contexts", "prominences"]

_STATEMENTS = 25  # of each entity and side
_PROMINENT = 1000  # statements of an entity that is as prominent as any
_LETTERS = 200  # of a literal


def prominences(graph: Graph, ids: Sequence[str]) -> dict[str, float]:
    """How prominent entities are, 0 to 1, growing with the logarithm of their number of statements.

    Where the graph has no adjacency of them at hand, from at most 25 statements of each side.
    """
    subgraph = graph.subgraph(ids, 0)
    degrees: dict[str, int] = {}
    for identifier in ids:
        number = subgraph.index(identifier)
        if number is not None:
            sides = (subgraph.outgoing.indptr, subgraph.incoming.indptr)
            degrees[identifier] = sum(int(start[number + 1] - start[number]) for start in sides)
    unknown = [identifier for identifier in ids if not degrees.get(identifier)]
    if unknown:
        statements = graph.statements(unknown, limit=_STATEMENTS)
        degrees.update((identifier, len(some)) for identifier, some in zip(unknown, statements, strict=True))
    return {identifier: min(math.log1p(degrees[identifier]) / math.log1p(_PROMINENT), 1.0) for identifier in ids}


def contexts(graph: Graph, ids: Sequence[str], words: Iterable[str]) -> dict[str, float]:
    """The share of the information of lower-cased words that is also told around each entity, 0 to 1.

    Around it: its description, relations and neighbours, of at most 25 statements of each side.
    """
    told = {word: information(word) for word in words if word not in FUNCTION_WORDS}
    total = sum(told.values())
    if not total:
        return dict.fromkeys(ids, 0.0)
    found: dict[str, float] = {}
    for identifier, statements in zip(ids, graph.statements(ids, limit=_STATEMENTS), strict=True):
        texts = {relation_text(s.relation.label or s.relation.id) for s in statements}
        for statement in statements:
            other = statement.object if statement.subject.id == identifier else statement.subject
            texts.add((other.label or "") if isinstance(other, Entity) else other.value[:_LETTERS])
        around = {lemma for text in texts for word in normalise(text).split() for lemma in _lemmas(word)}
        found[identifier] = sum(told[word] for word in told if not around.isdisjoint(_lemmas(word))) / total
    return found


def _lemmas(word: str) -> tuple[str, ...]:
    return get_lexicon().lemmas(word) or (word,)
