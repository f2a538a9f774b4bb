"""The part of a sub-graph around the linked entities in which statements are looked for (papers/okgqa, 3.1 and A.5).

Its nodes and edges have prizes for a question (section 4.1):

    p_v = max(0, k - rank(v) + 1),    p_e = max(0, k - rank(e) + 1)

by the cosine of their words with the question. All edges of one relation have the same words, and entities may share a
name, so that ranks are dense: equal similarities have one rank, and the next lower one has the next.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from toulmin.graph.csr import Ints, gather, pagerank
from toulmin.graph.subgraph import Subgraph
from toulmin.retrieval.open_ended.settings import RetrievalSettings
from toulmin.retrieval.ranking import Scores
from toulmin.retrieval.statement_words import is_filing

__all__ = ["Arcs", "Neighbourhood", "Prizes", "dense_ranks"]

Floats = NDArray[np.float64]

_DIGITS = 5  # of a similarity: beyond, equal words may differ by how they were multiplied


@dataclass(frozen=True, slots=True)
class Arcs:
    """Every edge in both directions: those from node i are ``start[i]:start[i+1]`` of ``end`` and ``edge``."""

    start: NDArray[np.int64]
    end: NDArray[np.int64]
    edge: NDArray[np.int64]


@dataclass(frozen=True)
class Neighbourhood:
    """Nodes and statements in numbers of their own: node i is ``nodes[i]`` of the sub-graph, edge j ``rows[j]``.

    Every statement is one edge, so that parallel ones and their directions are kept.

    Args:
        nodes: int32[n], ascending.
        rows: int32[m], statement numbers, ascending (and with them ``subject``).
        subject, object: int64[m], in own numbers.
        relation: int32[m], the sub-graph's relation numbers.
        nearness: float64[n], personalised PageRank; 0 where no entity was linked.
        seeds: int64[...], the linked entities, in own numbers.
    """

    subgraph: Subgraph
    nodes: Ints
    rows: Ints
    subject: NDArray[np.int64]
    object: NDArray[np.int64]
    relation: Ints
    nearness: Floats
    seeds: NDArray[np.int64]

    @classmethod
    def of(cls, subgraph: Subgraph, seeds: Ints, settings: RetrievalSettings) -> Neighbourhood:
        """All within ``hops`` of the seeds whose PageRank reaches ``threshold``; without seeds, all.

        What only files a thing is left out unless ``filing``. The walk of PageRank keeps to what is within
        the hops.

        Raises:
            GraphError: PageRank does not settle.
        """
        seeds = np.unique(np.asarray(seeds, dtype=np.int32))
        if not len(seeds):
            every = np.arange(subgraph.n_nodes, dtype=np.int32)
            return cls._induced(subgraph, every, seeds, filing=settings.filing)
        near = cls._induced(subgraph, subgraph.k_hop(seeds, settings.hops), seeds, filing=settings.filing)
        rank = pagerank(
            near.adjacency,
            near.seeds.astype(np.int32),
            damping=settings.damping,
            tol=settings.tol,
            max_iter=settings.max_iter,
        )
        kept = rank >= settings.threshold
        kept[near.seeds] = True
        pruned = near if kept.all() else cls._induced(subgraph, near.nodes[kept], seeds, filing=settings.filing)
        pruned.nearness[:] = rank[np.isin(near.nodes, pruned.nodes)]
        return pruned

    @classmethod
    def _induced(cls, subgraph: Subgraph, nodes: Ints, seeds: Ints, *, filing: bool) -> Neighbourhood:
        place = np.full(subgraph.n_nodes, -1, dtype=np.int64)
        place[nodes] = np.arange(len(nodes))
        edges = gather(subgraph.outgoing.indptr, nodes)
        ends = place[subgraph.outgoing.neighbour[edges]]
        edges, ends = edges[ends >= 0], ends[ends >= 0]
        rows = subgraph.outgoing.statement[edges]
        starts = place[subgraph.tables.subject[rows]]
        relation = subgraph.outgoing.relation[edges]
        if not filing and (files := [r for r in np.unique(relation) if is_filing(subgraph.relations[r])]):
            kept = ~np.isin(relation, files)
            rows, starts, ends, relation = rows[kept], starts[kept], ends[kept], relation[kept]
            used = np.zeros(len(nodes), dtype=np.bool_)
            used[starts] = used[ends] = used[place[seeds]] = True
            number = np.cumsum(used) - 1
            place[nodes], nodes = np.where(used, number, -1), nodes[used]
            starts, ends = number[starts], number[ends]
        return cls(subgraph, nodes, rows, starts, ends, relation, np.zeros(len(nodes)), place[seeds])

    @property
    def adjacency(self) -> csr_array:
        """The symmetric matrix of edge counts; a self-loop counts once."""
        ones, n = np.ones(len(self.rows)), len(self.nodes)
        loops = self.subject == self.object
        forward = csr_array((ones, (self.subject, self.object)), shape=(n, n))
        straight = ~loops
        backward = csr_array((ones[straight], (self.object[straight], self.subject[straight])), shape=(n, n))
        return csr_array(forward + backward)

    @cached_property
    def arcs(self) -> Arcs:
        """Both directions of every edge but self-loops, by the node that they leave."""
        n = len(self.nodes)
        straight = np.flatnonzero(self.subject != self.object)
        outgoing = straight  # by subject already
        incoming = straight[np.argsort(self.object[straight], kind="stable")]
        out_count = np.bincount(self.subject[outgoing], minlength=n)
        in_count = np.bincount(self.object[incoming], minlength=n)
        start = np.zeros(n + 1, dtype=np.int64)
        np.cumsum(out_count + in_count, out=start[1:])
        # Two sorted lists are put into one by counting: of each node, the outgoing edges and then the incoming ones.
        out_first, in_first = np.cumsum(out_count) - out_count, np.cumsum(in_count) - in_count
        out_place = (start[:-1] - out_first)[self.subject[outgoing]] + np.arange(len(outgoing))
        in_place = (start[:-1] + out_count - in_first)[self.object[incoming]] + np.arange(len(incoming))
        end, edge = np.empty(2 * len(straight), dtype=np.int64), np.empty(2 * len(straight), dtype=np.int64)
        end[out_place], edge[out_place] = self.object[outgoing], outgoing
        end[in_place], edge[in_place] = self.subject[incoming], incoming
        return Arcs(start, end, edge)


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
