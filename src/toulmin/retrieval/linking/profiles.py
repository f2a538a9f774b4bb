"""What the graph says around an entity, as far as it tells candidates apart: how much, and in which words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from toulmin.english.lexicon import get_lexicon
from toulmin.english.words import FUNCTION_WORDS
from toulmin.graph.labels import normalise
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity
from toulmin.retrieval.linking.mention_words import information
from toulmin.retrieval.schema import relation_text

__all__ = ["contexts", "prominences"]

_STATEMENTS = 25  # of each entity and side
_PROMINENT = 0.02  # share of a graph's statements that makes an entity as prominent as any
_LEAST, _MOST = 20, 1000  # statements that this share is between
_RELATED = 0.6  # from which on a word of the question means one of a relation
_ASKED = 40  # entities
_LETTERS = 200  # of a literal


def prominences(graph: Graph, ids: Sequence[str]) -> dict[str, float]:
    """How prominent entities are, 0 to 1, growing with the logarithm of their number of statements.

    Where the graph has no adjacency of them at hand, the first 40 are judged by at most 25 statements of each side.
    """
    subgraph = graph.subgraph(ids, 0)
    degrees: dict[str, int] = {}
    for identifier in ids:
        number = subgraph.index(identifier)
        if number is not None:
            sides = (subgraph.outgoing.indptr, subgraph.incoming.indptr)
            degrees[identifier] = sum(int(start[number + 1] - start[number]) for start in sides)
    unknown = [identifier for identifier in ids if not degrees.get(identifier)][:_ASKED]
    if unknown:
        statements = graph.statements(unknown, limit=_STATEMENTS)
        degrees.update((identifier, len(some)) for identifier, some in zip(unknown, statements, strict=True))
    most = min(max(_PROMINENT * subgraph.n_statements, _LEAST), _MOST) if not unknown else 2 * _STATEMENTS
    return {identifier: min(math.log1p(degrees.get(identifier, 0)) / math.log1p(most), 1.0) for identifier in ids}


def contexts(graph: Graph, ids: Sequence[str], words: Iterable[str]) -> dict[str, float]:
    """The share of the information of lower-cased words that is also told around each entity, 0 to 1.

    Around it: its description, relations and neighbours, of at most 25 statements of each side.
    """
    told = {word: information(word) for word in words if word not in FUNCTION_WORDS}
    total = sum(told.values())
    if not total:
        return dict.fromkeys(ids, 0.0)
    lexicon = get_lexicon()
    base = {word: lexicon.lemmas(word) or (word,) for word in told}
    found: dict[str, float] = {}
    for identifier, statements in zip(ids, graph.statements(ids, limit=_STATEMENTS), strict=True):
        relations = {statement.relation for statement in statements}
        related = {word for r in relations for word in relation_text(r.label or r.id).split()} - FUNCTION_WORDS
        nodes = {s.object if s.subject.id == identifier else s.subject for s in statements}
        texts = [(node.label or "") if isinstance(node, Entity) else node.value[:_LETTERS] for node in nodes]
        around = {
            lemma for text in texts for word in normalise(text).split() for lemma in lexicon.lemmas(word) or (word,)
        }
        shares = 0.0
        for word, weight in told.items():
            meant = max((lexicon.relatedness(word, other) for other in related), default=0.0)
            shares += weight * max(meant if meant >= _RELATED else 0.0, float(not around.isdisjoint(base[word])))
        found[identifier] = shares / total
    return found
