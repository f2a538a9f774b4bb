"""Evidence by which sentences of a chain of reasoning are judged, and sources of it: passages, and unions (papers/rr).

The protocol of a source of knowledge, several sources as one, and passages as such a source (4.2-4.4).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.resources import files
from itertools import chain
from typing import Protocol

import numpy as np

from toulmin.errors import SettingsError
from toulmin.graph.labels import is_unicode
from toulmin.graph.types import Statement
from toulmin.retrieval.embedders import best, get_embedder
from toulmin.retrieval.passages.excerpts import Excerpt, IndexedPassage, excerpt_for
from toulmin.retrieval.passages.index import PassageIndex, RetrieverName

__all__ = ["Evidence", "GivenPassages", "Knowledge", "KnowledgeUnion", "PassageKnowledge", "ranked", "wording"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Something to hold against a sentence, and where it is from: an excerpt, or statements of a graph.

    Args:
        text: as it is laid before a scorer.
        excerpt: the piece of a document that it is: of a passage, a table, a list of lexical relations.
        statements: what it words, where it is from a graph.
        similarity: the cosine of the sentence and the text by embedding, where the source computed it.
    """

    text: str
    excerpt: Excerpt | None = None
    statements: tuple[Statement, ...] = ()
    similarity: float | None = None


class Knowledge(Protocol):
    """A source of knowledge."""

    @property
    def name(self) -> str:
        """What it is called in answers and reports."""

    def find(self, sentences: Sequence[str], *, about: str = "") -> list[list[Evidence]]:
        """The evidence for each sentence, best first; an empty list where there is none.

        Args:
            sentences: of one or several chains.
            about: the question, or the hypothesis that is to be judged.
        """

    def document(self, source: str) -> str | None:
        """The document of which ``Excerpt.source`` is the id; None where there is none. For the check of a proof."""


class KnowledgeUnion:
    """What several sources find, the most similar first; what has no similarity keeps its order, after the others.

    The kinds of table 4 are a table (background), lexical relations (external), and ``KnowledgeUnion`` of the two.

    Args:
        parts: at least one; an attribute too.
        k: how many each sentence gets; None: all.

    Raises:
        SettingsError: there is no source.
    """

    def __init__(self, *parts: Knowledge, k: int | None = None) -> None:
        if not parts:
            raise SettingsError("no source of knowledge was given to join; give at least one")
        self.parts, self._k = parts, k
        self.name = " + ".join(source.name for source in parts)

    def find(self, sentences: Sequence[str], *, about: str = "") -> list[list[Evidence]]:
        """The evidence of all sources for each sentence, best first."""

        def rank(evidence: Evidence) -> float:
            return 2.0 if evidence.similarity is None else -evidence.similarity

        by_source = [source.find(sentences, about=about) for source in self.parts]
        return [sorted(chain(*parts), key=rank)[: self._k] for parts in zip(*by_source, strict=True)]

    def document(self, source: str) -> str | None:
        """The document of the first source that has it."""
        documents = (part.document(source) for part in self.parts)
        return next((text for text in documents if text is not None), None)


class PassageKnowledge:
    """Paragraphs of an index: of the ten that a retriever proposes the most similar (papers/rr 4.2).

    Args:
        index: the index.
        k, retriever: as ``PassageIndex.nearest`` takes them.
        least: similarity below which a passage is not evidence at all.
    """

    def __init__(
        self,
        index: PassageIndex,
        *,
        k: int = 1,
        retriever: RetrieverName = "bm25",
        least: float = -1.0,
    ) -> None:
        self.index, self._least = index, least
        self._nearest = partial(index.nearest, k=k, retriever=retriever)
        self.name = f"passages ({retriever})"

    def find(self, sentences: Sequence[str], *, about: str = "") -> list[list[Evidence]]:
        """The ``k`` most similar passages of each sentence; ``about`` plays no part."""
        return [
            [Evidence(excerpt.told, excerpt, similarity=cosine) for excerpt, cosine in hits if cosine >= self._least]
            for hits in self._nearest(sentences)
        ]

    def document(self, source: str) -> str | None:
        """A passage of the index."""
        return self.index.document(source)


class GivenPassages:
    """Passages that are known to matter, such as gold evidence; each sentence gets all of them, most similar first.

    Args:
        passages: texts, or ids and texts. Texts without an id are called "given#1", "given#2" …
        k: how many each sentence gets; None: all.

    Raises:
        SettingsError: two passages have one id, or one holds what is no text.
    """

    name = "given passages"

    def __init__(
        self,
        passages: Iterable[str | IndexedPassage] | Mapping[str, str],
        *,
        k: int | None = None,
    ) -> None:
        self._passages: dict[str, IndexedPassage] = {}
        given: Iterable[str | IndexedPassage] = (
            [IndexedPassage(*pair) for pair in passages.items()] if isinstance(passages, Mapping) else passages
        )
        for number, item in enumerate(given, 1):
            passage = IndexedPassage(f"given#{number}", item) if isinstance(item, str) else item
            if not all(map(is_unicode, (passage.source, passage.text, passage.title))):
                raise SettingsError(f"given passage {number} holds half of a surrogate pair, which is no text")
            if self._passages.setdefault(passage.source, passage) != passage:
                raise SettingsError(f"two given passages have the id {passage.source!r}; give each its own")
        self._k = k

    def find(self, sentences: Sequence[str], *, about: str = "") -> list[list[Evidence]]:
        """The passages, most similar first; ``about`` plays no part."""
        passages = [passage for passage in self._passages.values() if passage.text.strip()]
        by_sentence = [[excerpt_for(passage, sentence) for passage in passages] for sentence in sentences]
        evidence = [[Evidence(piece.told, piece) for piece in pieces] for pieces in by_sentence]
        return ranked(sentences, evidence, self._k)

    def document(self, source: str) -> str | None:
        """A given passage."""
        passage = self._passages.get(source)
        return passage.text if passage else None


@cache
def wording(kind: str) -> dict[str, str]:
    """A table of ``wording.toml``: names or patterns of relations of some kind, and how each is worded."""
    tables: dict[str, dict[str, str]] = tomllib.loads((files(__package__) / "wording.toml").read_text("utf-8"))
    return tables[kind]


def ranked(
    sentences: Sequence[str], evidence: Sequence[Sequence[Evidence]], k: int | None = None
) -> list[list[Evidence]]:
    """The ``k`` (None: all) pieces of evidence of each sentence that are most similar to it, best first."""
    texts = list(dict.fromkeys([*sentences, *(piece.text for pieces in evidence for piece in pieces)]))
    vectors = dict(zip(texts, get_embedder().embed(texts), strict=True)) if texts else {}
    out: list[list[Evidence]] = []
    for sentence, pieces in zip(sentences, evidence, strict=True):
        scores = np.array([vectors[piece.text] @ vectors[sentence] for piece in pieces], dtype=np.float32)
        places, cosines = best(scores, len(pieces) if k is None else k)
        ordered = zip(places.tolist(), cosines.tolist(), strict=True)
        out.append([replace(pieces[place], similarity=cosine) for place, cosine in ordered])
    return out
