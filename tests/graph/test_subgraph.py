"""The integer face of a graph: its arrays against its statements, its walks against plain ones and networkx."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import networkx as nx
import numpy as np
import pytest
from graph_strategies import IDS, RELATIONS, content, entities, facts, model, records
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array, diags_array

from toulmin.errors import GraphError, SettingsError
from toulmin.graph.csr import pagerank
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers.raw_statements import RawName, RawStatement, Record
from toulmin.graph.subgraph import Csr, Subgraph
from toulmin.graph.types import Entity, Literal, Relation, Statement

fact_lists = st.lists(facts, min_size=1, max_size=40)


def subgraph(found: Sequence[Record]) -> Subgraph:
    return MemoryGraph.from_records(found).subgraph([], 0)


def edges(csr: Csr) -> list[tuple[int, int, int, int]]:
    """(node, relation, neighbour, statement) in the order of the arrays."""
    node = np.repeat(np.arange(len(csr.indptr) - 1), np.diff(csr.indptr))
    columns = (node, csr.relation, csr.neighbour, csr.statement)
    return list(zip(*(column.tolist() for column in columns), strict=True))


@given(records)
def test_both_directions_hold_every_statement_once_in_order(found: list[Record]) -> None:
    sub = subgraph(found)
    outgoing, incoming = edges(sub.outgoing), edges(sub.incoming)
    assert [edge[:3] for edge in outgoing] == sorted(edge[:3] for edge in outgoing)
    assert [edge[:3] for edge in incoming] == sorted(edge[:3] for edge in incoming)
    assert sorted((o, r, s, row) for s, r, o, row in outgoing) == sorted(incoming)
    assert [row for *_, row in outgoing] == list(range(sub.n_statements))
    statements = sub.statements(range(sub.n_statements))
    assert content(statements) == content(model(found).values())
    for s, r, o, row in outgoing:
        assert sub.statements([row]) == [statements[row]]
        assert (sub.node(s), sub.relations[r], sub.node(o)) == (
            statements[row].subject, statements[row].relation, statements[row].object
        )  # fmt: skip


@given(records)
def test_numbers_and_nodes_match_both_ways(found: list[Record]) -> None:
    sub = subgraph(found)
    assert {sub.node(number).id for number in range(sub.n_entities)} == entities(found)  # type: ignore[union-attr]
    for number in range(sub.n_entities):
        node = sub.node(number)
        assert isinstance(node, Entity)
        assert sub.index(node.id) == number
        assert sub.labels([number]) == [node.label]
    for number in range(sub.n_entities, sub.n_nodes):
        assert isinstance(sub.node(number), Literal)
        assert not sub.machine[number]
    assert sub.nodes(range(sub.n_nodes)) == [sub.node(number) for number in range(sub.n_nodes)]
    assert all(sub.index(entity) is None for entity in set(IDS) - entities(found))
    assert sub.index("\x1f1:l3:1.58:quantity0:0:0:0:") is None


def test_a_literal_reads_with_its_unit() -> None:
    values = [Literal("3", "quantity", "metre"), Literal("4", "quantity", "Q11573"), Literal("", "no_value"),
              Literal("", "unknown_value"), Literal("x", lang="en")]  # fmt: skip
    records: list[Record] = [RawStatement("a", "r", value) for value in values]
    sub = subgraph([*records, RawName("Q11573", "metres")])
    texts = dict(zip(sub.nodes(range(1, sub.n_nodes)), sub.labels(range(1, sub.n_nodes)), strict=True))
    assert [texts[value] for value in values] == ["3 metre", "4 metres", "no value", "unknown value", "x"]


@given(fact_lists, st.lists(st.sampled_from(IDS), max_size=30), st.booleans())
def test_follow_is_one_relation_from_all_nodes(found: list[RawStatement], starts: list[str], backward: bool) -> None:
    sub = subgraph(found)
    nodes = np.array([n for n in map(sub.index, starts) if n is not None], dtype=np.int32)
    for number, relation in enumerate(sub.relations):
        expected = set()
        for statement in model(found).values():
            ends = (statement.subject, statement.object)
            source, target = reversed(ends) if backward else ends
            if statement.relation.id == relation.id and isinstance(source, Entity) and sub.index(source.id) in nodes:
                expected.add(statement.subject.id if backward else target)
        reached = sub.follow(nodes, number, backward=backward)
        assert reached.tolist() == sorted(set(reached.tolist()))
        got = sub.nodes(reached)
        assert {unlabelled(node) for node in got} == {unlabelled(node) for node in expected}


def unlabelled(node: Entity | Literal | str) -> str | Literal:
    return node.id if isinstance(node, Entity) else node


@given(fact_lists, st.lists(st.sampled_from(IDS), max_size=3), st.integers(0, 4))
def test_k_hop_walks_through_machine_nodes_for_nothing(found: list[RawStatement], starts: list[str], hops: int) -> None:
    sub = subgraph(found)
    seeds = [n for n in map(sub.index, starts) if n is not None]
    near: dict[int, set[int]] = {}
    for s, _, o, _ in edges(sub.outgoing):
        near.setdefault(s, set()).add(o)
        near.setdefault(o, set()).add(s)
    distance = dict.fromkeys(seeds, 0)
    queue = deque(seeds)
    while queue:  # breadth first where some edges cost nothing: those go to the front
        node = queue.popleft()
        for other in near.get(node, ()):
            cost = distance[node] + (0 if sub.machine[other] else 1)
            if cost < distance.get(other, 99):
                distance[other] = cost
                queue.appendleft(other) if sub.machine[other] else queue.append(other)
    expected = sorted(node for node, cost in distance.items() if cost <= hops)
    assert sub.k_hop(np.array(seeds, dtype=np.int32), hops).tolist() == expected


def adjacency(sub: Subgraph) -> csr_array:
    """How many edges lie between two nodes, whatever their direction; a self-loop counts once."""
    ones = np.ones(sub.n_statements)
    forward = csr_array((ones, sub.outgoing.neighbour, sub.outgoing.indptr), shape=(sub.n_nodes, sub.n_nodes))
    return csr_array(forward + forward.T - diags_array(forward.diagonal()))


@given(fact_lists, st.lists(st.sampled_from(IDS), min_size=1, max_size=3), st.floats(0.05, 0.95))
def test_pagerank_is_that_of_networkx(found: list[RawStatement], starts: list[str], damping: float) -> None:
    sub = subgraph([*found, RawStatement(starts[0], "r", starts[0])])
    seeds = [n for n in map(sub.index, starts) if n is not None]
    rank = pagerank(adjacency(sub), np.array(seeds, dtype=np.int32), damping=damping, tol=1e-12, max_iter=2000)
    graph = nx.MultiGraph()
    graph.add_nodes_from(range(sub.n_nodes))
    graph.add_edges_from((s, o) for s, _, o, _ in edges(sub.outgoing))
    theirs = nx.pagerank(
        graph, alpha=damping, personalization=dict.fromkeys(seeds, 1), tol=1e-12 / sub.n_nodes, max_iter=2000
    )
    assert rank == pytest.approx([theirs[node] for node in range(sub.n_nodes)], abs=1e-10)
    assert rank.sum() == pytest.approx(1.0)


def test_pagerank_of_an_isolated_seed_stays_there() -> None:
    sub = subgraph([RawName("alone", "alone"), RawStatement("a", "r", "b")])
    alone = sub.index("alone")
    assert alone is not None
    rank = pagerank(adjacency(sub), np.array([alone], dtype=np.int32))
    assert rank[alone] == pytest.approx(1.0)


def test_pagerank_says_what_it_lacks() -> None:
    sub = subgraph([RawStatement("a", "r", "b"), RawStatement("b", "r", "c")])
    none, one = np.array([], dtype=np.int32), np.array([0], dtype=np.int32)
    with pytest.raises(SettingsError, match="seed"):
        pagerank(adjacency(sub), none)
    with pytest.raises(SettingsError, match="damping"):
        pagerank(adjacency(sub), one, damping=1.0)
    with pytest.raises(GraphError, match="max_iter"):
        pagerank(adjacency(sub), one, tol=1e-12, max_iter=10)
    with pytest.raises(SettingsError, match="hops"):
        sub.k_hop(one, -1)
    assert sub.k_hop(none, 3).tolist() == []


@given(records)
def test_from_statements_is_the_same_as_from_records(found: list[Record]) -> None:
    whole = subgraph(found)
    labels = {relation.id: relation.label or "" for relation in whole.relations}
    again = Subgraph.from_statements(whole.statements(range(whole.n_statements)), labels)
    assert sorted(map(repr, again.statements(range(again.n_statements)))) == sorted(
        map(repr, whole.statements(range(whole.n_statements)))
    )


def test_from_statements_keeps_the_graph_of_each() -> None:
    said = Statement(Entity("a", "A"), Relation("r", "R"), Entity("b", "B"))
    of_one, of_other = (Statement(said.subject, said.relation, said.object, graph=name) for name in ("one", "other"))
    sub = Subgraph.from_statements([of_one, of_other, of_one], {"a": "first"})
    assert sub.n_statements == 2
    assert {statement.id for statement in sub.statements([0, 1])} == {of_one.id, of_other.id}
    assert sub.labels([sub.index("a") or 0]) == ["first"]


def test_numbers_are_the_same_for_relations_of_every_frequency() -> None:
    sub = subgraph(
        [RawStatement(str(n), RELATIONS[1], "x") for n in range(3)]
        + [RawStatement("a", RELATIONS[0], "x", ((RELATIONS[2], "q"),))]
    )
    assert [relation.id for relation in sub.relations] == [RELATIONS[1], RELATIONS[0], RELATIONS[2]]
    assert [relation.label for relation in sub.relations] == ["directed by", "knows", "birth place"]
