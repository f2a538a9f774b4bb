"""Knowledge behind one protocol: passages, temporal statements, lexical relations, tables (papers/rr 4.2-4.4)."""

from toulmin.retrieval.knowledge.evidence import Evidence, GivenPassages, Knowledge, KnowledgeUnion, PassageKnowledge
from toulmin.retrieval.knowledge.lexical import ConceptNet, LexicalKnowledge
from toulmin.retrieval.knowledge.tables import FactTable, TableKnowledge, read_table
from toulmin.retrieval.knowledge.temporal import TemporalKnowledge

__all__ = [
    "ConceptNet",
    "Evidence",
    "FactTable",
    "GivenPassages",
    "Knowledge",
    "KnowledgeUnion",
    "LexicalKnowledge",
    "PassageKnowledge",
    "TableKnowledge",
    "TemporalKnowledge",
    "read_table",
]
