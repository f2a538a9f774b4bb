"""Compressed sparse rows: adjacency as arrays, the edges of nodes in them, and PageRank.

No function here loops over nodes or edges in Python.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from toulmin.errors import GraphError, SettingsError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["Csr", "Ints", "distinct", "gather", "over", "pagerank", "row_starts"]

Ints = NDArray[np.int32]

_SPARSE = 16  # where fewer than one node of so many is given, sorting them is quicker than a mask of all nodes
_FEW = 16  # below this many nodes, a binary search in each is quicker than one mask over all their edges


@dataclass(frozen=True, slots=True)
class Csr:
    """Compressed sparse rows: the edges of node i are ``indptr[i]:indptr[i+1]`` of the three parallel arrays."""

    indptr: NDArray[np.int64]
    relation: Ints
    neighbour: Ints
    statement: Ints

    def edges(self, node: int, relation: int | None = None) -> slice:
        """Where the edges of a node stand in the arrays: all of them, or those over one relation."""
        start, end = int(self.indptr[node]), int(self.indptr[node + 1])
        if relation is None:
            return slice(start, end)
        low, high = np.searchsorted(self.relation[start:end], (relation, relation + 1))
        return slice(start + int(low), start + int(high))

    def follow(self, nodes: Ints, relation: int) -> Ints:
        """The distinct neighbours of ``nodes`` over one relation, ascending."""
        if len(nodes) <= _FEW:
            neighbours = [self.neighbour[self.edges(node, relation)] for node in nodes.tolist()]
            reached = np.concatenate([np.empty(0, dtype=np.int32), *neighbours])
        else:
            edges = gather(self.indptr, nodes)
            reached = self.neighbour[edges[self.relation[edges] == relation]]
        return distinct(reached, len(self.indptr) - 1)


def distinct(nodes: Ints, n_nodes: int) -> Ints:
    """The distinct of some node numbers, ascending: ``np.unique``, which hashes, takes several times as long."""
    if len(nodes) * _SPARSE >= n_nodes:
        marked = np.zeros(n_nodes, dtype=np.bool_)
        marked[nodes] = True
        return np.flatnonzero(marked).astype(np.int32)
    ordered = np.sort(nodes)
    return ordered[np.append(True, ordered[1:] != ordered[:-1])] if len(ordered) else ordered


def row_starts(rows: Ints, n_rows: int) -> NDArray[np.int64]:
    """The ``indptr`` (int64[n_rows + 1]) of entries whose row numbers are ``rows``."""
    return np.append(0, np.cumsum(np.bincount(rows, minlength=n_rows)))


def gather(indptr: NDArray[np.int64], rows: NDArray[np.integer]) -> NDArray[np.int64]:
    """The positions of all entries of ``rows``, row after row."""
    starts = indptr[rows]
    counts = indptr[np.asarray(rows, dtype=np.int64) + 1] - starts
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(starts - (ends - counts), counts) + np.arange(total, dtype=np.int64)


def over(
    csr: Csr, nodes: NDArray[np.integer], relations: Ints | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The edges of nodes over some relations (ascending; None: all), node after node in the order of ``csr``.

    Returns:
        The positions of the edges, and for each its place in ``nodes``.
    """
    if relations is not None and len(nodes) <= _FEW:
        ends = np.stack([relations, relations + 1], axis=1)
        slices = np.empty((len(nodes), *ends.shape), dtype=np.int64)
        for place, node in enumerate(nodes.tolist()):
            start, end = int(csr.indptr[node]), int(csr.indptr[node + 1])
            slices[place] = start + np.searchsorted(csr.relation[start:end], ends)
        owner = np.repeat(np.arange(len(nodes)), (slices[:, :, 1] - slices[:, :, 0]).sum(axis=1))
        return gather(slices.ravel(), np.arange(0, slices.size, 2)), owner
    edges = gather(csr.indptr, nodes)
    owner = np.repeat(np.arange(len(nodes)), csr.indptr[np.asarray(nodes, dtype=np.int64) + 1] - csr.indptr[nodes])
    if relations is None:
        return edges, owner
    wanted = np.isin(csr.relation[edges], relations)
    return edges[wanted], owner[wanted]


def pagerank(
    adjacency: csr_array, seeds: Ints, *, damping: float = 0.85, tol: float = 1e-6, max_iter: int = 100
) -> NDArray[np.float64]:
    """Personalised PageRank, p = d·Aᵀp + (1-d)·s, by power iteration (papers/okgqa A.5, eq. 3).

    ``A`` is ``adjacency`` with rows divided by their sums; ``s`` is uniform over the distinct seeds. From a node
    without edges the walk restarts at ``s``. This is ``networkx.pagerank`` of the undirected multigraph with
    ``personalization`` uniform over the seeds, except that networkx stops at n·tol.

    Raises:
        SettingsError: no seeds, or a parameter out of range.
        GraphError: the L1 change of the last of ``max_iter`` iterations is not below ``tol``.
    """
    chosen = np.unique(seeds)
    if not len(chosen):
        raise SettingsError("PageRank needs at least one seed entity that the graph holds")
    if not 0.0 <= damping < 1.0:
        raise SettingsError(f"damping is {damping}: give a number from 0 up to, but not including, 1")
    start = np.zeros(adjacency.shape[0])
    start[chosen] = 1.0 / len(chosen)
    degree = np.asarray(adjacency.sum(axis=1), dtype=np.float64)
    isolated = np.flatnonzero(degree == 0)
    share = np.divide(1.0, degree, out=np.zeros_like(degree), where=degree > 0)
    rank = start.copy()
    for _ in range(max_iter):
        last = rank
        # the adjacency is symmetric, so that Aᵀ(p / degree) needs no transpose
        rank = damping * (adjacency @ (last * share)) + (1.0 - damping + damping * last[isolated].sum()) * start
        if np.abs(rank - last).sum() < tol:
            return np.asarray(rank / rank.sum(), dtype=np.float64)
    raise GraphError(f"PageRank has not settled to {tol:g} after {max_iter} iterations: raise max_iter or tol")
