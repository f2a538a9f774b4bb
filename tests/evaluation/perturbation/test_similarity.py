"""Similarities of two graphs, beside networkx and numbers worked out by hand."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lied import workshop

from toulmin.errors import InputError
from toulmin.evaluation.perturbation import Perturbation, perturbed
from toulmin.evaluation.perturbation import similarity as module
from toulmin.evaluation.perturbation.scorer import Triples, TripleScorer
from toulmin.evaluation.perturbation.similarity import compared, similarity, structure, vectors
from toulmin.graph.store import open_graph

Edge = tuple[int, int, int]


def triples(edges: list[Edge], n_nodes: int = 8, n_relations: int = 3) -> Triples:
    columns = np.array(edges, dtype=np.int64).reshape(-1, 3).T
    return Triples(columns[0], columns[1], columns[2], n_nodes, n_relations)


def edges_of(found: Triples) -> set[Edge]:
    return set(zip(found.subject.tolist(), found.relation.tolist(), found.object.tolist(), strict=True))


def by_networkx(edges: list[Edge], n_nodes: int) -> tuple[list[float], list[float]]:
    """Mean clustering coefficient and degree of each node over the relations."""
    clustering, degree = np.zeros(n_nodes), np.zeros(n_nodes)
    relations = {relation for _, relation, _ in edges}
    for relation in relations:
        graph: nx.Graph[int] = nx.Graph()
        graph.add_nodes_from(range(n_nodes))
        graph.add_edges_from((s, o) for s, r, o in edges if r == relation and s != o)
        coefficients = nx.clustering(graph)
        for node in range(n_nodes):
            clustering[node] += coefficients[node] / len(relations)
            degree[node] += graph.degree(node) / len(relations)
    return clustering.tolist(), degree.tolist()


edges = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 2), st.integers(0, 7)), max_size=60)


@given(edges, st.sampled_from([1, 3, 10, 1000]))
@settings(deadline=None, max_examples=200)
def test_coefficients_and_degrees_are_those_of_networkx(made: list[Edge], wedges: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_WEDGES", wedges)  # also in many small steps
        clustering, degree = vectors(triples(made), 8)
    expected = by_networkx(made, 8)
    assert clustering == pytest.approx(expected[0])
    assert degree == pytest.approx(expected[1])


@given(edges, edges)
@settings(deadline=None, max_examples=100)
def test_both_similarities_are_those_of_the_vectors_of_networkx(one: list[Edge], other: list[Edge]) -> None:
    found = structure(triples(one), triples(other))
    pairs = zip(by_networkx(one, 8), by_networkx(other, 8), strict=True)
    distances = [float(np.linalg.norm(np.subtract(first, second))) for first, second in pairs]
    assert found == pytest.approx([1 - distance / (distance + 1) for distance in distances])
    assert structure(triples(one), triples(one)) == (1.0, 1.0)


def test_by_hand() -> None:
    # A triangle of one relation; then its third side is of another relation.
    triangle, opened = [(0, 0, 1), (1, 0, 2), (2, 0, 0)], [(0, 0, 1), (1, 0, 2), (2, 1, 0)]
    # c: (1, 1, 1) against (0, 0, 0), distance sqrt 3; d: (2, 2, 2) against (1 + 1, 2, 1 + 1) / 2, distance sqrt 3.
    assert structure(triples(triangle), triples(opened)) == pytest.approx((1 / (1 + 3**0.5),) * 2)
    # One edge less of a path of two: d (1, 2, 1) against (1, 1, 0), distance sqrt 2.
    assert structure(triples([(0, 0, 1), (1, 0, 2)]), triples([(0, 0, 1)])) == pytest.approx((1.0, 1 / (1 + 2**0.5)))
    # Swapping relations leaves the sum of degrees, so that SD2 does not see it.
    assert structure(triples([(0, 0, 1), (2, 1, 3)]), triples([(0, 1, 1), (2, 0, 3)])) == (1.0, 1.0)


def test_a_scorer_tells_edges_from_corrupted_ones_and_is_the_same_twice() -> None:
    rng = np.random.default_rng(0)
    # Relation 0 leads from people to cities, 1 from people to years, 2 from cities to years.
    people, cities, years = rng.integers(0, 300, 900), rng.integers(300, 340, 900), rng.integers(340, 400, 900)
    made = [(int(p), 0, int(c)) for p, c in zip(people, cities, strict=True)]
    made += [(int(p), 1, int(y)) for p, y in zip(people, years, strict=True)]
    made += [(int(c), 2, int(y)) for c, y in zip(cities, years, strict=True)]
    graph = triples(made, 400)
    scorer = TripleScorer(graph)
    assert scorer.auc is not None
    assert scorer.auc > 0.8
    right = scorer.score(graph)
    wrong = scorer.score(Triples(graph.object, graph.relation, graph.subject, 400, 3))
    assert right.mean() > 0.7 > 0.2 > wrong.mean()
    assert ((right >= 0) & (right <= 1)).all()
    assert (TripleScorer(graph).score(graph) == right).all()
    least = scorer.least_likely(np.array([5, 5]), np.array([310, 350]), 9)
    assert least.shape == (2, 3)
    assert (least[:, -1] == [0, 1]).all()  # person to city, person to year


def test_many_relations_are_reduced_and_what_a_graph_lacks_is_scored() -> None:
    rng = np.random.default_rng(1)
    made = [(int(s), int(r), int(o)) for s, r, o in zip(*rng.integers(0, 60, (3, 500)), strict=True)]
    scorer = TripleScorer(triples(made, 60, 60))
    beyond = triples([(70, 0, 1), (0, 0, 99), (0, 65, 1)], 100, 66)
    scores = scorer.score(beyond)
    assert scores[2] == 0
    assert ((scores >= 0) & (scores <= 1)).all()


def test_a_graph_without_statements_has_no_scorer() -> None:
    with pytest.raises(InputError, match="no statements"):
        TripleScorer(triples([]))
    assert TripleScorer(triples([(0, 0, 1)])).auc is None


def test_similarities_of_built_graphs(tmp_path: Path) -> None:
    source = workshop(tmp_path)
    found = {}
    for kind, level in (("edge-deletion", 0.0), ("edge-deletion", 0.5), ("edge-deletion", 1.0), ("edge-rewiring", 0.5)):
        out = tmp_path / f"{kind}-{level}"
        perturbed(source, Perturbation(kind, level), out)
        found[kind, level] = compared(source, out)
    same = found["edge-deletion", 0.0]
    assert (same.ats, same.sc2d, same.sd2) == (same.ats_before, 1.0, 1.0)
    assert found["edge-deletion", 1.0].ats == 0.0
    assert found["edge-deletion", 0.5].sd2 > found["edge-deletion", 1.0].sd2
    assert found["edge-rewiring", 0.5].ats < same.ats


def test_nodes_are_matched_by_what_they_are_not_by_number(tmp_path: Path) -> None:
    source = workshop(tmp_path)
    perturbed(source, Perturbation("entity-merge", 1.0), tmp_path / "merged")
    with open_graph(source) as one, open_graph(tmp_path / "merged") as other:
        tables = one.subgraph([], 0).tables
        numbered = Triples.numbered_as(other.subgraph([], 0).tables, tables)
        own = set(
            zip(*(column.tolist() for column in (numbered.subject, numbered.relation, numbered.object)), strict=True)
        )
        true = Triples.of(tables)
        before = set(zip(*(column.tolist() for column in (true.subject, true.relation, true.object)), strict=True))
        assert own & before
        scorer = TripleScorer(true)
        assert 0 < similarity(tables, other.subgraph([], 0).tables, scorer).sd2 < 1
