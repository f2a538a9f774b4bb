"""Passages of text: indexed, found for a sentence, and named in such a way that what rests on them can be checked."""

from toulmin.retrieval.passages.build import PassageReport, build_passages
from toulmin.retrieval.passages.excerpts import Excerpt, Passage, digest, excerpt_for
from toulmin.retrieval.passages.index import RETRIEVERS, PassageIndex, RetrieverName

__all__ = [
    "RETRIEVERS",
    "Excerpt",
    "Passage",
    "PassageIndex",
    "PassageReport",
    "RetrieverName",
    "build_passages",
    "digest",
    "excerpt_for",
]
