"""Entity linking without a language model: the words of a question taken for entities of a graph."""

from __future__ import annotations

from toulmin.retrieval.linking.linker import Candidate, EntityLinker, Mention

__all__ = ["Candidate", "EntityLinker", "Mention"]
