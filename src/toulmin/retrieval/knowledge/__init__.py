"""Knowledge behind one protocol: passages, temporal statements, lexical relations, tables (papers/rr 4.2-4.4)."""

from toulmin.retrieval.knowledge.passages import GivenPassages, PassageKnowledge
from toulmin.retrieval.knowledge.protocol import Evidence, Knowledge

__all__ = ["Evidence", "GivenPassages", "Knowledge", "PassageKnowledge"]
