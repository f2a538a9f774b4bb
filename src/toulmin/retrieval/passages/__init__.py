"""Passages of text: indexed, found for a sentence, and named in such a way that what rests on them can be checked."""

from toulmin.retrieval.passages.excerpts import Excerpt, IndexedPassage, digest, excerpt_for
from toulmin.retrieval.passages.index import RETRIEVERS, PassageIndex, RetrieverName
from toulmin.retrieval.passages.indexing import PassageReport, build_passages

__all__ = [
    "RETRIEVERS",
    "Excerpt",
    "IndexedPassage",
    "PassageIndex",
    "PassageReport",
    "RetrieverName",
    "build_passages",
    "digest",
    "excerpt_for",
]
