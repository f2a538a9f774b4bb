"""Lexical relations of English: how well a word of a question means a word of a relation's label, in any graph."""

from toulmin.retrieval.lexicon.lexicon import CoarseType, Lexicon, RelatednessSettings, get_lexicon
from toulmin.retrieval.lexicon.tables import WordTables

__all__ = ["CoarseType", "Lexicon", "RelatednessSettings", "WordTables", "get_lexicon"]
