"""Retrieval for open-ended questions (papers/okgqa, section 4.1): triples, paths or a sub-graph, by prizes."""

from toulmin.retrieval.open_ended.neighbourhood import Neighbourhood, Prizes, dense_ranks
from toulmin.retrieval.open_ended.paths import FoundPath, Paths, exact_paths, greedy_paths
from toulmin.retrieval.open_ended.retrieve import FORMS, PrizeRetriever, RankedStatements, Retrieval
from toulmin.retrieval.open_ended.settings import RetrievalSettings
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
