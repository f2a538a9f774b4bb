"""Sub-graph retrieval: a prize-collecting Steiner tree (papers/okgqa, section 4.1, after He et al. 2024).

    S = sum of p_v over the nodes + sum of (p_e - c_e) over the edges, of a connected sub-graph

pcst_fast knows no prizes of edges. An edge that is worth more than it costs becomes a virtual node, of the prize
p_e - c_e, between its two ends, to which it is joined at no cost; any other edge costs c_e - p_e. What is joined at no
cost is taken together or not at all, so that in large graphs it is handed over as one node with the sum of the prizes.
Each edge is one statement: of parallel ones that cost something, the tree has the cheapest, and all that are worth
something are in.

pcst_fast is within a factor of two of the best, and which of several trees it finds hangs on the order of the edges.
Small graphs are asked about in several orders. What a tree leaves out but could be joined to it for less than it is
worth is joined; then the tree is made the cheapest over its nodes, and branches that cost more than they are worth go.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components, dijkstra, minimum_spanning_tree

from toulmin.errors import SettingsError
from toulmin.retrieval.open_ended.neighbourhood import Floats, Neighbourhood, Prizes

__all__ = ["SteinerTree", "steiner_tree", "worth"]

Places = NDArray[np.int64]

_NONE: Places = np.empty(0, dtype=np.int64)
_SMALL = 20_000  # edges up to which pcst_fast is asked several times: milliseconds each
_AGAIN = 3
_LEAST = 1e-9  # of a cost: a sparse matrix has no zeros


@dataclass(frozen=True, slots=True)
class SteinerTree:
    """A connected sub-graph in the numbers of a neighbourhood.

    Args:
        nodes, edges: int64, ascending.
        score: S.
    """

    nodes: Places
    edges: Places
    score: float


def worth(prizes: Prizes, nodes: Places, edges: Places) -> float:
    """S of nodes and edges."""
    return float(prizes.node[nodes].sum() + (prizes.edge[edges] - prizes.cost[edges]).sum())


def steiner_tree(around: Neighbourhood, prizes: Prizes, limit: int | None = None) -> SteinerTree:
    """The connected sub-graph of the highest score that is found; nothing where nothing has a prize.

    Args:
        limit: the most edges. What is too large is cut down to those that join the nodes of high prize, and to those
            beside them that are worth most, the nearest to the linked entities first.
    """
    whole = _best(around, prizes)
    if limit is None or len(whole.edges) <= limit:
        return whole
    core = whole
    if prizes.edge.any():
        core = _best(around, replace(prizes, edge=np.zeros_like(prizes.edge)), whole.edges)
    if len(core.edges) > limit or not np.isin(core.nodes, whole.nodes).all():
        core = SteinerTree(whole.nodes[[np.argmax(prizes.node[whole.nodes])]], _NONE, 0.0)
    return _grown(around, prizes, core, whole, limit)


def _best(around: Neighbourhood, prizes: Prizes, among: Places | None = None) -> SteinerTree:
    """The best tree of the edges ``among`` (None: of all)."""
    among = np.arange(len(around.rows)) if among is None else among
    first, second, net = around.subject[among], around.object[among], prizes.edge[among] - prizes.cost[among]
    free = net > 0
    n, ones = len(around.nodes), np.ones(np.count_nonzero(free))
    joined = csr_array((ones, (first[free], second[free])), shape=(n, n))
    group = np.asarray(connected_components(joined, directed=False)[1], dtype=np.int64)
    size = int(group.max(initial=-1)) + 1
    value: Floats = np.bincount(group, prizes.node, minlength=size).astype(np.float64)
    value += np.bincount(group[first[free]], net[free], minlength=size)
    if not value.any():
        return SteinerTree(_NONE, _NONE, 0.0)
    joins = _Joins.of(among[~free], group[first[~free]], group[second[~free]], -net[~free])
    choices = [joins.by_pcst(value)]
    if len(among) <= _SMALL:
        rng = np.random.default_rng(0)
        choices += [joins.by_pcst(value, rng.permutation(len(joins.edge))) for _ in range(_AGAIN)]
        choices.append(np.unique(group[_with_virtual_nodes(prizes.node, first, second, net)]))
    groups, edges = joins.best(value, choices)
    inside = np.zeros(size, dtype=np.bool_)
    inside[groups] = True
    nodes = np.flatnonzero(inside[group])
    every = np.union1d(among[free & inside[group[first]]], edges)
    return SteinerTree(nodes, every, worth(prizes, nodes, every))


@dataclass(frozen=True, slots=True)
class _Joins:
    """Edges that cost something, between groups: of parallel ones the cheapest, and none within a group.

    ``edge`` is the number of each in the neighbourhood, ``low`` < ``high`` are groups, ``cost`` > 0.
    """

    edge: Places
    low: Places
    high: Places
    cost: Floats

    @classmethod
    def of(cls, edge: Places, first: Places, second: Places, cost: Floats) -> _Joins:
        low, high = np.minimum(first, second), np.maximum(first, second)
        key = low * (high.max(initial=0) + 1) + high
        cheap = np.argsort(cost, kind="stable") if len(cost) and np.ptp(cost) else np.arange(len(cost))
        order = cheap[np.unique(key[cheap], return_index=True)[1]]
        order = order[low[order] != high[order]]
        return cls(edge[order], low[order], high[order], cost[order])

    def best(self, value: Floats, choices: Sequence[Places]) -> tuple[Places, Places]:
        """The best of the trees over given sets of groups, each extended by what is worth its way: groups, edges.

        The edges are in the neighbourhood's numbers.
        """
        size = len(value)
        matrix = csr_array((np.maximum(self.cost, _LEAST), (self.low, self.high)), shape=(size, size))
        keys = self.low * size + self.high  # ascending
        trees: list[tuple[float, int, Places, Places]] = []
        for members in dict.fromkeys(tuple(choice.tolist()) for choice in choices):
            chosen, edges = _pruned(value, self._extended(value, np.array(members), matrix), matrix, keys, self.cost)
            trees.append((float(value[chosen].sum() - self.cost[edges].sum()), -len(edges), chosen, edges))
        _, _, groups, edges = max(trees, key=lambda tree: tree[:2])
        return groups, np.sort(self.edge[edges])

    def by_pcst(self, value: Floats, order: Places | None = None) -> Places:
        """The groups that pcst_fast chooses, or the best one alone.

        Args:
            order: of the edges as pcst_fast gets them, by which it settles on one of equal trees.
        """
        kept = self._without_leaves(value)
        best = np.array([int(np.argmax(value))])
        if not len(kept):
            return best
        if order is not None:
            kept = order[np.isin(order, kept)]
        used = np.zeros(len(value), dtype=np.bool_)
        used[self.low[kept]] = used[self.high[kept]] = True
        groups, number = np.flatnonzero(used), np.cumsum(used) - 1
        ends = number[np.stack([self.low[kept], self.high[kept]], axis=1)]
        chosen, edges = _pcst(ends, value[groups], self.cost[kept])
        inside = np.sort(groups[chosen])
        return inside if value[inside].sum() - self.cost[kept[edges]].sum() >= value[best].sum() else best

    def _without_leaves(self, value: Floats) -> Places:
        """The places of the edges but those to an end without other edges that is worth no more than the edge."""
        kept = np.arange(len(self.edge))
        while len(kept):
            degree = np.bincount(np.concatenate([self.low[kept], self.high[kept]]), minlength=len(value))
            cost = self.cost[kept]
            drop = np.zeros(len(kept), dtype=np.bool_)
            for ends in (self.low[kept], self.high[kept]):
                drop |= (degree[ends] == 1) & (value[ends] <= cost)
            if not drop.any():
                break
            kept = kept[~drop]
        return kept

    def _extended(self, value: Floats, groups: Places, matrix: csr_array) -> Places:
        """The groups with those others that are worth more than the way to them, taken best first, and these ways."""
        inside = np.zeros(len(value), dtype=np.bool_)
        inside[groups] = True
        while len(left := np.flatnonzero(~inside & (value > 0))):
            distance, before, _ = dijkstra(
                matrix,
                directed=False,
                indices=np.flatnonzero(inside),
                min_only=True,
                return_predecessors=True,
                limit=float(value[left].max()),
            )
            gain = value[left] - distance[left]
            if not gain.max() > _LEAST:
                break
            node = int(left[np.argmax(gain)])
            while not inside[node]:
                inside[node], node = True, int(before[node])
        return np.flatnonzero(inside)


def _pruned(value: Floats, groups: Places, matrix: csr_array, keys: Places, cost: Floats) -> tuple[Places, Places]:
    """The cheapest spanning tree of connected groups, without the branches that are worth less than they cost."""
    spanning = minimum_spanning_tree(matrix[groups][:, groups])
    order, above = breadth_first_order(spanning + spanning.T, int(np.argmax(value[groups])))
    below = order[1:]
    ends = np.sort(groups[np.stack([below, above[below]])], axis=0)
    way = np.full(len(groups), -1)  # the edge to the group above; of the root none
    way[below] = np.searchsorted(keys, ends[0] * len(value) + ends[1])
    total = value[groups].astype(np.float64)
    alive = np.ones(len(groups), dtype=np.bool_)
    for node in reversed(below):
        gain = total[node] - cost[way[node]]
        alive[node] = gain > 0
        total[above[node]] += max(gain, 0)
    for node in below:
        alive[node] &= alive[above[node]]
    return groups[alive], np.sort(way[alive & (way >= 0)])


def _with_virtual_nodes(node: Floats, first: Places, second: Places, net: Floats) -> Places:
    """The nodes that pcst_fast chooses where each edge of high prize is a node between its ends (He et al. 2024)."""
    plain, rich = np.flatnonzero(net <= 0), np.flatnonzero(net > 0)
    virtual = len(node) + np.arange(len(rich))
    start = np.concatenate([first[plain], first[rich], virtual])
    end = np.concatenate([second[plain], virtual, second[rich]])
    costs = np.concatenate([-net[plain], np.zeros(2 * len(rich))])
    chosen, _ = _pcst(np.stack([start, end], axis=1), np.concatenate([node, net[rich]]), costs)
    ends = rich[chosen[chosen >= len(node)] - len(node)]
    return np.concatenate([chosen[chosen < len(node)], first[ends], second[ends]])


def _pcst(ends: Places, value: Floats, cost: Floats) -> tuple[Places, Places]:
    """What pcst_fast chooses: nodes and edges.

    Raises:
        SettingsError: the installed pcst_fast was built for NumPy 1, and gives one number again and again.
    """
    import pcst_fast

    solve: Any = pcst_fast.pcst_fast
    nodes, edges = solve(np.ascontiguousarray(ends, dtype=np.int64), value, cost, -1, 1, "strong", 0)
    if len(np.unique(nodes)) != len(nodes):
        raise SettingsError(
            "the installed pcst_fast does not work with this NumPy: uninstall the package pcst_fast, "
            "and install pcst-fast2"
        )
    return np.asarray(nodes, dtype=np.int64), np.asarray(edges, dtype=np.int64)


def _grown(around: Neighbourhood, prizes: Prizes, core: SteinerTree, whole: SteinerTree, limit: int) -> SteinerTree:
    """The core, and of the whole what adds most to it, edge by edge; of equal ones the nearest, then the most alike."""
    inside = np.zeros(len(around.nodes), dtype=np.bool_)
    allowed = np.zeros(len(around.rows), dtype=np.bool_)
    allowed[whole.edges] = True
    taken = set(core.edges.tolist())
    nearness = np.maximum(around.nearness[around.subject], around.nearness[around.object])
    like = prizes.node_similarity[around.subject] + prizes.node_similarity[around.object]
    queue: list[tuple[float, float, float, int, int]] = []
    arcs = around.arcs

    def enter(node: int) -> None:
        inside[node] = True
        here = slice(int(arcs.start[node]), int(arcs.start[node + 1]))
        edges, ends = arcs.edge[here], arcs.end[here]
        usable = allowed[edges]
        edges, ends = edges[usable], ends[usable]
        gain = prizes.edge[edges] - prizes.cost[edges] + np.where(inside[ends], 0, prizes.node[ends])
        if len(edges) > limit:  # no more of them can be taken
            best = np.lexsort((-like[edges], -nearness[edges], -gain))[:limit]
            edges, ends, gain = edges[best], ends[best], gain[best]
        for edge, end, most in zip(edges.tolist(), ends.tolist(), gain.tolist(), strict=True):
            heappush(queue, (-most, -float(nearness[edge]), -float(like[edge]), edge, end))

    for node in core.nodes.tolist():
        enter(int(node))
    while queue and len(taken) < limit:
        *_, edge, end = heappop(queue)
        if edge in taken:
            continue
        taken.add(edge)
        if not inside[end]:
            enter(end)
    edges = np.array(sorted(taken), dtype=np.int64)
    nodes = np.unique(np.concatenate([around.subject[edges], around.object[edges], core.nodes]))
    return SteinerTree(nodes, edges, worth(prizes, nodes, edges))
