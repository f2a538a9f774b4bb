"""The part of a sub-graph around the linked entities in which statements are looked for (papers/okgqa, 3.1 and A.5).

Its nodes and edges have prizes for a question (section 4.1):

    p_v = max(0, k - rank(v) + 1),    p_e = max(0, k - rank(e) + 1)

by the cosine of their words with the question. All edges of one relation have the same words, and entities may share a
name, so that ranks are dense: equal similarities have one rank, and the next lower one has the next.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from toulmin.errors import SettingsError
from toulmin.graph.csr import Ints, gather, pagerank, row_starts
from toulmin.graph.subgraph import Subgraph
from toulmin.retrieval.embedders import Scores
from toulmin.retrieval.statement_words import is_filing

__all__ = ["Arcs", "Neighbourhood", "Prizes", "RetrievalSettings", "Search", "dense_ranks"]

Search = Literal["exact", "greedy"]
Floats = NDArray[np.float64]

_DIGITS = 5  # of a similarity: beyond, equal words may differ by how they were multiplied


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """Prizes, costs and sizes. The paper leaves k, the sizes and the length of a path open: those figures are ours.

    Args:
        hops: how far from the linked entities statements are looked for (papers/okgqa, section 3.1: 2).
        damping, tol, max_iter: of personalised PageRank (A.5: 0.85, 1e-6, 100).
        threshold: the PageRank below which a node is left out (A.5: 1e-5).
        nodes, edges: k, the ranks of nodes and of edges that have a prize (section 4.1). All edges of a relation have
            one rank, so that a k beyond the number of relations gives every edge a prize.
        cost: C_e, what an edge costs (section 4.1: 1).
        hubs: whether an edge without a linked entity at its ends costs as many times as much as there are edges of its
            relation at its object, or at its subject: that somebody else is a physicist too joins nobody to a
            physicist, but a hub has a prize, and so have those around it. The paper: no, every edge costs the same.
        filing: whether statements that only file a thing (its category, template, image) are looked at. They are named
            like the thing, and so are most like a question for it. The paper: yes.
        shared: whether the edges of one rank divide its prize among them, as He et al. 2024 (whom section 4.1 follows)
            do: else all statements of a relation that is like the question come in, wherever they are. The formula of
            section 4.1: no.
        linked: whether the linked entities have the highest prize, whatever their rank. The paper: no.
        literals: how many texts that are no entities are embedded, the nearest by PageRank; None: all.
        triplets: how many statements triplet retrieval gives.
        paths: how many paths path retrieval gives.
        depth: the most statements of a path.
        search: ``greedy``, the priority queue of A.6, or ``exact``: no better path of this depth is left out.
        explored: after how many paths the search ends, whatever it has found.
        limit: the most statements of a sub-graph; None: as many as the tree has.
        fill: up to how many statements paths and a sub-graph are filled with those of the linked entities, the most
            like the question first; 0, as in the paper: not at all.
    """

    hops: int = 2
    damping: float = 0.85
    tol: float = 1e-6
    max_iter: int = 100
    threshold: float = 1e-5
    nodes: int = 10
    edges: int = 3
    cost: float = 1.0
    hubs: bool = True
    filing: bool = False
    shared: bool = True
    linked: bool = True
    literals: int | None = 500
    triplets: int = 30
    paths: int = 10
    depth: int = 3
    search: Search = "exact"
    explored: int = 1000
    limit: int | None = 40
    fill: int = 40

    @classmethod
    def paper(cls) -> RetrievalSettings:
        """The paper's own; what it leaves open as its published code has it (k 10, 10 triplets, 5 paths of 6 nodes)."""
        return cls(
            edges=10,
            hubs=False,
            filing=True,
            linked=False,
            shared=False,
            literals=None,
            triplets=10,
            paths=5,
            depth=5,
            search="greedy",
            limit=None,
            fill=0,
        )

    def __post_init__(self) -> None:
        for name in ("nodes", "edges", "triplets", "paths", "depth", "explored", "max_iter"):
            if getattr(self, name) < 1:
                raise SettingsError(f"{name} is {getattr(self, name)}: give 1 or more")
        for name in ("hops", "cost", "threshold", "literals", "limit", "fill"):
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise SettingsError(f"{name} is {value}: give 0 or more")
        if self.search not in ("exact", "greedy"):
            raise SettingsError(f"unknown search {self.search!r}: use exact or greedy")


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
        straight, n = self.subject != self.object, len(self.nodes)
        first = np.concatenate([self.subject, self.object[straight]])
        second = np.concatenate([self.object, self.subject[straight]])
        return csr_array((np.ones(len(first)), (first, second)), shape=(n, n))

    @cached_property
    def arcs(self) -> Arcs:
        """Both directions of every edge but self-loops, by the node that they leave."""
        straight = np.flatnonzero(self.subject != self.object)
        first = np.concatenate([self.subject[straight], self.object[straight]])
        second = np.concatenate([self.object[straight], self.subject[straight]])
        order = np.argsort(first, kind="stable")  # of each node, the outgoing edges and then the incoming ones
        return Arcs(row_starts(first, len(self.nodes)), second[order], np.tile(straight, 2)[order])


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
