"""How alike two graphs are: ATS, SC2D and SD2 (papers/okgqa A.7, after Raman et al. 2020).

Nodes are entities and literals, edges all statements but descriptions. Per relation the graph is undirected and simple:
parallel statements are one edge, and a self-loop is none. No loop in Python runs over nodes, statements or relations.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from toulmin.evaluation.perturbation.scorer import Rows, Triples, TripleScorer
from toulmin.graph.csr import row_starts
from toulmin.graph.store import open_graph
from toulmin.graph.tables import Tables

__all__ = ["Similarity", "compared", "similarity", "structure", "vectors"]

Floats = NDArray[np.float64]
_WEDGES = 20_000_000  # pairs of neighbours looked at together: half a gigabyte


@dataclass(frozen=True, slots=True)
class Similarity:
    """How alike a graph and a perturbed one are, each from 0 to 1 (alike).

    Args:
        ats: mean score of the perturbed edges by a scorer of the graph; ``ats_before``: of the graph's own edges.
        auc: of the scorer, on statements held out of its training; None where there are too few.
        sc2d, sd2: of the clustering coefficients, of the degrees.
    """

    ats: float
    ats_before: float
    auc: float | None
    sc2d: float
    sd2: float


def vectors(triples: Triples, n_nodes: int) -> tuple[Floats, Floats]:
    """The mean over the relations of each node's clustering coefficient and of its degree (papers/okgqa A.7: c, d).

    The coefficient of a node with triangles t and degree d is 2t / (d(d-1)), 0 where d < 2. A graph without edges has
    zeros.

    Args:
        n_nodes: the length of the vectors.
    """
    straight = triples.subject != triples.object
    head, tail, relation = triples.subject[straight], triples.object[straight], triples.relation[straight]
    n_relations = len(np.unique(triples.relation))
    # One node for each relation and node that it touches: the graphs of all relations side by side.
    touched, place = np.unique(
        np.concatenate([relation, relation]) * triples.n_nodes + np.concatenate([head, tail]), return_inverse=True
    )
    n = len(touched)
    if not n:
        return np.zeros(n_nodes), np.zeros(n_nodes)
    first, second = place[: len(head)], place[len(head) :]
    pairs = np.unique(np.minimum(first, second) * n + np.maximum(first, second))
    first, second = pairs // n, pairs % n
    degree = np.bincount(first, minlength=n) + np.bincount(second, minlength=n)
    possible = degree * (degree - 1) / 2
    coefficient = np.divide(_triangles(first, second, degree), possible, out=np.zeros(n), where=possible > 0)
    node = touched % triples.n_nodes
    return (
        np.bincount(node, coefficient, minlength=n_nodes) / n_relations,
        np.bincount(node, degree, minlength=n_nodes) / n_relations,
    )


def _triangles(first: Rows, second: Rows, degree: Rows) -> Floats:
    """The triangles through each node of a simple graph.

    Each edge is directed to the end of higher degree, so that few leave any node; two that leave the same one are two
    sides of a triangle where the third is an edge.
    """
    n = len(degree)
    order = np.lexsort((np.arange(n), degree))
    rank = np.empty(n, dtype=np.int64)
    rank[order] = np.arange(n)
    low, high = np.minimum(rank[first], rank[second]), np.maximum(rank[first], rank[second])
    edge = np.sort(low * n + high)
    low, high = edge // n, edge % n
    starts = row_starts(low.astype(np.int32), n)
    # The edge at place p makes a pair with each later edge that leaves the same node.
    later = starts[low + 1] - np.arange(len(low)) - 1
    triangles = np.zeros(n)
    ends = np.cumsum(later)
    bounds = np.searchsorted(ends, np.arange(_WEDGES, ends[-1], _WEDGES)) + 1
    for places in np.split(np.arange(len(low)), bounds):
        count = later[places]
        at = np.repeat(places, count)
        beside = at + 1 + np.arange(len(at)) - np.repeat(np.cumsum(count) - count, count)
        side = high[at] * n + high[beside]
        closed = edge[np.minimum(np.searchsorted(edge, side), len(edge) - 1)] == side
        for corner in (low[at], high[at], high[beside]):
            triangles += np.bincount(corner[closed], minlength=n)
    return triangles[rank]


def structure(graph: Triples, perturbed: Triples) -> tuple[float, float]:
    """SC2D and SD2: 1 - x / (x + 1), x the Euclidean distance of the vectors of the two graphs."""
    n_nodes = max(graph.n_nodes, perturbed.n_nodes)
    pairs = zip(vectors(graph, n_nodes), vectors(perturbed, n_nodes), strict=True)
    distances = [float(np.linalg.norm(before - after)) for before, after in pairs]
    sc2d, sd2 = (1.0 - distance / (distance + 1.0) for distance in distances)
    return sc2d, sd2


def similarity(graph: Tables, perturbed: Tables, scorer: TripleScorer) -> Similarity:
    """How alike a graph and a perturbed one are.

    Args:
        scorer: trained on ``graph``.
    """
    before, after = Triples.of(graph), Triples.numbered_as(perturbed, graph)
    sc2d, sd2 = structure(before, after)
    return Similarity(_ats(scorer, after), _ats(scorer, before), scorer.auc, sc2d, sd2)


def compared(graph: str | Path, perturbed: str | Path) -> Similarity:
    """How alike two built graphs are, by a scorer that is trained on the first one now.

    Raises:
        GraphError: one cannot be opened.
        InputError: the first one has no statements.
    """
    with open_graph(graph) as before, open_graph(perturbed) as after:
        tables = before.subgraph([], 0).tables
        return similarity(tables, after.subgraph([], 0).tables, TripleScorer(Triples.of(tables)))


def _ats(scorer: TripleScorer, triples: Triples) -> float:
    """papers/okgqa A.7: the mean of s over the edges; 0 where there are none."""
    if not len(triples.subject):
        return 0.0
    return float(scorer.score(triples).mean())
