"""Several sources of knowledge as one, whose kinds can be switched (papers/rr, table 4)."""

from __future__ import annotations

from collections.abc import Sequence

from toulmin.errors import SettingsError
from toulmin.retrieval.knowledge.protocol import Evidence, Knowledge

__all__ = ["KnowledgeUnion"]


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
        found = [source.find(sentences, about=about) for source in self.parts]
        return [
            sorted((one for several in parts for one in several), key=_rank)[: self._k]
            for parts in zip(*found, strict=True)
        ]

    def document(self, source: str) -> str | None:
        """The document of the first source that has it."""
        documents = (one.document(source) for one in self.parts)
        return next((text for text in documents if text is not None), None)


def _rank(evidence: Evidence) -> float:
    return 2.0 if evidence.similarity is None else -evidence.similarity
