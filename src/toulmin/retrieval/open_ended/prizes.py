"""Prizes of nodes and edges for a question (papers/okgqa, section 4.1).

    p_v = max(0, k - rank(v) + 1),    p_e = max(0, k - rank(e) + 1)

by the cosine of their words with the question. All edges of one relation have the same words, and entities may share a
name, so that ranks are dense: equal similarities have one rank, and the next lower one has the next.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toulmin.retrieval.open_ended.neighbourhood import Neighbourhood
from toulmin.retrieval.open_ended.settings import RetrievalSettings
from toulmin.retrieval.ranking import Scores

__all__ = ["Prizes", "dense_ranks"]

Floats = NDArray[np.float64]

_DIGITS = 5  # of a similarity: beyond, equal words may differ by how they were multiplied


@dataclass(frozen=True, slots=True)
class Prizes:
    """Prizes and costs, and what they come from, by the numbers of a neighbourhood.

    Args:
        node, edge: float64[n], float64[m].
        cost: float64[m], of each edge.
        node_similarity, edge_similarity: float32[n], float32[m], the cosines; 0 where there are no words.
    """

    node: Floats
    edge: Floats
    cost: Floats
    node_similarity: Scores
    edge_similarity: Scores

    @classmethod
    def of(
        cls,
        around: Neighbourhood,
        node_similarity: Scores,
        relation_similarity: Scores,
        settings: RetrievalSettings,
    ) -> Prizes:
        """The prizes of a neighbourhood.

        Args:
            node_similarity: float32[n]; NaN for nodes without words, which have no rank.
            relation_similarity: float32[number of relations].
        """
        node = _by_rank(dense_ranks(node_similarity), settings.nodes)
        if settings.linked:
            node[around.seeds] = settings.nodes
        edge_similarity = relation_similarity[around.relation]
        ranks = dense_ranks(edge_similarity)
        edge = _by_rank(ranks, settings.edges)
        if settings.shared and len(edge):
            edge = edge / np.bincount(ranks)[ranks]
        cost = settings.cost * (_beside(around) if settings.hubs else np.ones(len(edge)))
        return cls(node, edge, cost, np.nan_to_num(node_similarity), edge_similarity)


def dense_ranks(similarity: Scores) -> NDArray[np.int64]:
    """The rank of each, 1 for the highest; equal ones share a rank, and none is left out. 0 for NaN."""
    ranks = np.zeros(len(similarity), dtype=np.int64)
    known = ~np.isnan(similarity)
    ranks[known] = np.unique(-np.round(similarity[known], _DIGITS), return_inverse=True)[1] + 1
    return ranks


def _beside(around: Neighbourhood) -> Floats:
    """How many edges have the relation of each at its subject or its object, the greater; 1 at a linked entity."""
    many = np.ones(len(around.rows))
    for end in (around.subject, around.object):
        rows = np.stack([around.relation, end])
        _, groups, counts = np.unique(rows, axis=1, return_inverse=True, return_counts=True)
        many = np.maximum(many, counts[groups.reshape(-1)])
    many[np.isin(around.subject, around.seeds) | np.isin(around.object, around.seeds)] = 1.0
    return many


def _by_rank(ranks: NDArray[np.int64], k: int) -> Floats:
    return np.where(ranks > 0, np.maximum(0, k - ranks + 1), 0).astype(np.float64)
