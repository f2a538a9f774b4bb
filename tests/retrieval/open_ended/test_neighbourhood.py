"""What is looked at around the linked entities: hops and PageRank, against networkx."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from worlds import NODES, Triple, subgraph, triples

from toulmin.retrieval.open_ended.neighbourhood import Neighbourhood, RetrievalSettings


@given(triples, st.sets(st.integers(0, NODES - 1), min_size=1, max_size=2), st.floats(0, 0.2), st.integers(0, 3))
def test_hops_and_pagerank_are_those_of_networkx(
    found: list[Triple], chosen: set[int], threshold: float, hops: int
) -> None:
    sub = subgraph(found)
    seeds = [number for one in chosen if (number := sub.index(f"e:{one}")) is not None]
    if not seeds:
        return
    graph = nx.MultiGraph()
    graph.add_nodes_from(range(sub.n_nodes))
    rows = range(sub.n_statements)
    graph.add_edges_from((int(sub.tables.subject[row]), int(sub.tables.object[row])) for row in rows)
    near = set().union(*(nx.single_source_shortest_path_length(graph, seed, cutoff=hops) for seed in seeds))
    rank = nx.pagerank(
        graph.subgraph(near), alpha=0.85, personalization=dict.fromkeys(seeds, 1), tol=1e-14, max_iter=5000
    )
    if any(abs(score - threshold) < 1e-8 for score in rank.values()):
        return  # which side it falls on is a matter of the last digit
    settings = RetrievalSettings(hops=hops, threshold=threshold, tol=1e-12, max_iter=5000)
    around = Neighbourhood.of(sub, np.array(seeds, dtype=np.int32), settings)
    kept = {node for node, score in rank.items() if score >= threshold} | set(seeds)
    assert set(around.nodes.tolist()) == kept
    assert around.nearness == pytest.approx([rank[node] for node in around.nodes.tolist()], abs=1e-9)
    inside = {row for row in rows if {int(sub.tables.subject[row]), int(sub.tables.object[row])} <= kept}
    assert around.rows.tolist() == sorted(inside)


@given(triples)
def test_arcs_are_every_statement_in_both_directions(found: list[Triple]) -> None:
    around = Neighbourhood.of(subgraph(found), np.empty(0, dtype=np.int32), RetrievalSettings())
    arcs, got = around.arcs, set()
    for node in range(len(around.nodes)):
        for place in range(arcs.start[node], arcs.start[node + 1]):
            got.add((node, int(arcs.end[place]), int(arcs.edge[place])))
    ends = list(zip(around.subject.tolist(), around.object.tolist(), strict=True))
    wanted = {(s, o, edge) for edge, (s, o) in enumerate(ends) if s != o}
    assert got == wanted | {(o, s, edge) for s, o, edge in wanted}
    assert len(arcs.end) == 2 * len(wanted)
