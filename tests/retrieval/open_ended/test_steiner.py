"""The prize-collecting Steiner tree against pcst_fast itself, and against every connected sub-graph of small ones."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pcst_fast
import pytest
from hypothesis import given
from numpy.typing import NDArray
from worlds import Triple, at_random, everything, node_prizes, prizes_of, relation_prizes, subgraph, triples

from toulmin.retrieval.open_ended.neighbourhood import Neighbourhood, Prizes
from toulmin.retrieval.open_ended.steiner import steiner_tree, worth


def directly(around: Neighbourhood, prizes: Prizes, pruning: str) -> float:
    """The score of what pcst_fast gives on the construction of He et al.: virtual nodes for edges of high prize."""
    net = prizes.edge - prizes.cost
    plain, rich = np.flatnonzero(net <= 0), np.flatnonzero(net > 0)
    virtual = len(around.nodes) + np.arange(len(rich))
    ends = np.concatenate(
        [
            np.stack([around.subject[plain], around.object[plain]], axis=1),
            np.stack([around.subject[rich], virtual], axis=1),
            np.stack([virtual, around.object[rich]], axis=1),
        ]
    )
    costs = np.concatenate([-net[plain], np.zeros(2 * len(rich))])
    nodes, edges = pcst_fast.pcst_fast(ends, np.concatenate([prizes.node, net[rich]]), costs, -1, 1, pruning, 0)
    taken = np.concatenate(
        [plain[edges[edges < len(plain)]], rich[nodes[nodes >= len(around.nodes)] - len(around.nodes)]]
    )
    real = nodes[nodes < len(around.nodes)]
    return worth(prizes, np.unique(np.concatenate([real, around.subject[taken], around.object[taken]])), taken)


def is_connected(around: Neighbourhood, nodes: NDArray[np.int64], edges: NDArray[np.int64]) -> bool:
    graph = nx.Graph()
    graph.add_nodes_from(nodes.tolist())
    graph.add_edges_from(zip(around.subject[edges].tolist(), around.object[edges].tolist(), strict=True))
    return len(graph) == len(nodes) and (not len(nodes) or nx.is_connected(graph))


@pytest.mark.parametrize("seed", range(10))
def test_never_worth_less_than_what_pcst_fast_gives(seed: int) -> None:
    around, prizes = at_random(seed)
    tree = steiner_tree(around, prizes)
    assert is_connected(around, tree.nodes, tree.edges)
    assert tree.score == pytest.approx(worth(prizes, tree.nodes, tree.edges))
    for pruning in ("gw", "strong"):
        assert tree.score >= directly(around, prizes, pruning) - 1e-6


def best_of_all(around: Neighbourhood, prizes: Prizes) -> float:
    """The highest score of any connected set of statements, and of a node alone."""
    best = float(prizes.node.max())
    places = np.arange(len(around.rows))
    for size in range(1, len(places) + 1):
        for chosen in combinations(places.tolist(), size):
            edges = np.array(chosen)
            nodes = np.unique(np.concatenate([around.subject[edges], around.object[edges]]))
            score = worth(prizes, nodes, edges)
            if score > best and is_connected(around, nodes, edges):
                best = score
    return best


@given(triples.filter(lambda found: len(found) <= 9), node_prizes, relation_prizes)
def test_within_what_is_possible(found: list[Triple], nodes: list[float], relations: list[float]) -> None:
    around = everything(subgraph(found))
    prizes = prizes_of(around, nodes, relations)
    tree = steiner_tree(around, prizes)
    assert is_connected(around, tree.nodes, tree.edges)
    assert tree.score == pytest.approx(worth(prizes, tree.nodes, tree.edges))
    assert float(prizes.node.max()) - 1e-9 <= tree.score <= best_of_all(around, prizes) + 1e-9
    for pruning in ("gw", "strong"):
        assert tree.score >= directly(around, prizes, pruning) - 1e-6


@given(triples, node_prizes, relation_prizes)
def test_a_limit_is_kept_and_leaves_it_connected(
    found: list[Triple], nodes: list[float], relations: list[float]
) -> None:
    around = everything(subgraph(found))
    prizes = prizes_of(around, nodes, relations)
    whole = steiner_tree(around, prizes)
    for limit in range(4):
        tree = steiner_tree(around, prizes, limit)
        assert len(tree.edges) <= limit  # fewer where no part so small is worth its cost
        assert set(tree.edges.tolist()) <= set(whole.edges.tolist())
        assert is_connected(around, tree.nodes, tree.edges)


def test_parallel_statements_and_both_directions_are_all_kept() -> None:
    found = [(0, 0, 1), (0, 1, 1), (1, 0, 0)]
    around = everything(subgraph(found))
    tree = steiner_tree(around, prizes_of(around, [3.0, 3.0], [2.0, 2.0, 2.0]))
    said = {(s.subject.id, s.relation.label) for s in around.subgraph.statements(around.rows[tree.edges])}
    assert said == {("e:0", "moors at"), ("e:0", "built by"), ("e:1", "moors at")}


def test_without_prizes_there_is_nothing() -> None:
    around = everything(subgraph([(0, 0, 1)]))
    tree = steiner_tree(around, prizes_of(around, [0.0, 0.0], [0.0]))
    assert not len(tree.nodes) and not len(tree.edges) and tree.score == 0
