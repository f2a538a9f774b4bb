"""Sources of knowledge: for each sentence of a chain of reasoning, what there is to judge it by (papers/rr 4.2-4.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

from toulmin.errors import SettingsError
from toulmin.graph.types import Statement
from toulmin.retrieval.passages import Excerpt

__all__ = ["Evidence", "Knowledge", "KnowledgeUnion"]


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

    @property
    def name(self) -> str:
        """The names of the sources."""
        return " + ".join(source.name for source in self.parts)

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
