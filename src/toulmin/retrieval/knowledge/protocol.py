"""Sources of knowledge: for each sentence of a chain of reasoning, what there is to judge it by (papers/rr 4.2-4.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from toulmin.graph.types import Statement
from toulmin.retrieval.passages import Excerpt

__all__ = ["Evidence", "Knowledge"]


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
