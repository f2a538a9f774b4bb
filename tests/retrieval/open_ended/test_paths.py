"""Path retrieval against all simple paths of small graphs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from worlds import Triple, everything, node_prizes, prizes_of, relation_prizes, subgraph, triples

from toulmin.retrieval.open_ended.neighbourhood import Neighbourhood, Prizes
from toulmin.retrieval.open_ended.retrieve import FoundPath, find_paths


def every_path(around: Neighbourhood, prizes: Prizes, start: int, depth: int) -> Iterator[FoundPath]:
    """All simple paths of 1 to ``depth`` edges from a node, by S(P) as papers/okgqa, section 4.1, has it."""
    ends = list(zip(around.subject.tolist(), around.object.tolist(), strict=True))

    def further(nodes: tuple[int, ...], edges: tuple[int, ...]) -> Iterator[FoundPath]:
        if edges:
            score = sum(prizes.node[node] for node in nodes)
            yield FoundPath(nodes, edges, float(score + sum(prizes.edge[edge] - prizes.cost[edge] for edge in edges)))
        if len(edges) < depth:
            for edge, (subject, other) in enumerate(ends):
                for here, there in ((subject, other), (other, subject)):
                    if here == nodes[-1] and there not in nodes:
                        yield from further((*nodes, there), (*edges, edge))

    yield from further((start,), ())


@given(triples, node_prizes, relation_prizes, st.integers(1, 4), st.integers(1, 3))
def test_the_exact_search_leaves_no_better_path_out(
    found: list[Triple], nodes: list[float], relations: list[float], depth: int, k: int
) -> None:
    around = everything(subgraph(found))
    prizes = prizes_of(around, nodes, relations)
    starts = [place for place in range(len(around.nodes)) if place % 2 == 0]
    paths = find_paths(around, prizes, starts, search="exact", depth=depth, k=k, most=10**6)
    every = [path for start in starts for path in every_path(around, prizes, start, depth)]
    assert paths.complete
    assert set(paths.found) <= set(every)
    assert [path.score for path in paths.found] == sorted((path.score for path in paths.found), reverse=True)
    if not every:
        assert not paths.found
        return
    assert paths.found[0].score == pytest.approx(max(path.score for path in every))
    last = paths.found[-1].score if len(paths.found) == k else float("-inf")
    for path in every:  # what is better than the last lies within one that is given
        if path.score > last + 1e-9:
            assert any(set(path.edges) <= set(one.edges) and one.score >= path.score for one in paths.found)


@given(triples, node_prizes, relation_prizes, st.integers(1, 4), st.integers(1, 30))
def test_the_greedy_search_gives_paths_and_never_more_than_the_exact_one(
    found: list[Triple], nodes: list[float], relations: list[float], depth: int, most: int
) -> None:
    around = everything(subgraph(found))
    prizes = prizes_of(around, nodes, relations)
    starts = list(range(len(around.nodes)))
    every = {path for start in starts for path in every_path(around, prizes, start, depth)}
    greedy = find_paths(around, prizes, starts, search="greedy", depth=depth, k=3, most=most)
    assert set(greedy.found) <= every and greedy.explored <= most
    if every:
        assert greedy.found[0].score <= max(path.score for path in every) + 1e-9
    if greedy.complete:  # it has looked at everything
        assert bool(greedy.found) == bool(every)
        assert not every or greedy.found[0].score == pytest.approx(max(path.score for path in every))


def test_the_greedy_search_takes_the_highest_score_next() -> None:
    # 0 - 1 is worth more at once, 0 - 2 - 3 in the end
    around = everything(subgraph([(0, 0, 1), (0, 0, 2), (2, 0, 3)]))
    prizes = prizes_of(around, [1.0, 3.0, 0.0, 9.0], [0.0])
    first = find_paths(around, prizes, [0], search="greedy", depth=2, k=1, most=1).found[0]
    assert (first.nodes, first.score) == ((0, 1), 3.0)
    assert find_paths(around, prizes, [0], search="exact", depth=2, k=1, most=100).found[0].nodes == (0, 2, 3)


def test_parallel_statements_are_paths_of_their_own() -> None:
    around = everything(subgraph([(0, 0, 1), (0, 1, 1), (1, 0, 0)]))
    prizes = prizes_of(around, [2.0, 2.0], [1.0, 1.0, 1.0])
    paths = find_paths(around, prizes, [0], search="exact", depth=2, k=5, most=100)
    assert sorted(path.edges for path in paths.found) == [(0,), (1,), (2,)]
