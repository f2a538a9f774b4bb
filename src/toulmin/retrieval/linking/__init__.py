"""Entity linking without a language model: the words of a question taken for entities of a graph."""

from __future__ import annotations

from toulmin.retrieval.linking.linker import EntityLinker
from toulmin.retrieval.linking.mentions import Candidate, Mention

__all__ = ["Candidate", "EntityLinker", "Mention"]
