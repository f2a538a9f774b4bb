"""Retrieval for open-ended questions (papers/okgqa, section 4.1): triples, paths or a sub-graph, by prizes."""

from toulmin.retrieval.open_ended.neighbourhood import Neighbourhood, Prizes, RetrievalSettings, dense_ranks
from toulmin.retrieval.open_ended.retrieve import (
    FORMS,
    FoundPath,
    Paths,
    PrizeRetriever,
    RankedStatements,
    Retrieval,
    exact_paths,
    greedy_paths,
)
from toulmin.retrieval.open_ended.steiner import SteinerTree, steiner_tree, worth

__all__ = [
    "FORMS",
    "FoundPath",
    "Neighbourhood",
    "Paths",
    "PrizeRetriever",
    "Prizes",
    "RankedStatements",
    "Retrieval",
    "RetrievalSettings",
    "SteinerTree",
    "dense_ranks",
    "exact_paths",
    "greedy_paths",
    "steiner_tree",
    "worth",
]
