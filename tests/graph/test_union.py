"""Several graphs asked as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toulmin.errors import GraphError, QueryError, SettingsError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.protocol import Graph, LabelMatch, Side
from toulmin.graph.readers.raw_statements import RawName, RawStatement
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import DESCRIPTION, Entity, Literal, Qualifier, Relation, Statement
from toulmin.graph.union import UnionGraph

E = "http://example.org/"
SHARED: list[RawStatement | RawName] = [
    RawStatement(E + "soup", E + "contains", E + "Q7"),
    RawStatement(E + "soup", E + "contains", E + "salt", (((E + "amount"), Literal("2", "quantity", "gram")),)),
    RawStatement(E + "soup", DESCRIPTION, Literal("a dish", lang="en")),
    RawStatement(E + "Q7", E + "kind", E + "nut"),
    RawName(E + "soup", "soup"),
    RawName(E + "Q7", "peanut"),
    RawName(E + "Q7", "groundnut", "alias"),
    RawName(E + "nut", "nut"),
    RawName(E + "contains", "contains"),
]
PERSONAL: list[RawStatement | RawName] = [
    RawStatement(E + "me", E + "allergicTo", E + "Q7"),
    RawStatement(E + "soup", E + "contains", E + "salt", (((E + "amount"), Literal("2", "quantity", "gram")),)),
    RawStatement(E + "soup", E + "likedBy", E + "me"),
    RawName(E + "me", "me"),
    RawName(E + "soup", "Mum's soup"),
]


def graph(records: Sequence[RawStatement | RawName], name: str) -> MemoryGraph:
    return MemoryGraph.from_records(records, name=name)


@pytest.fixture
def both() -> UnionGraph:
    return UnionGraph([graph(PERSONAL, "personal"), graph(SHARED, "shared")])


def test_it_is_a_graph(both: UnionGraph) -> None:
    assert isinstance(both, Graph)
    assert list(both.graphs) == ["personal", "shared"]
    assert both.name == "union"


def test_statements_say_which_graph_holds_them(both: UnionGraph) -> None:
    (soup,) = both.statements([E + "soup"])
    assert [(s.graph, s.relation.id.removeprefix(E)) for s in soup] == [
        ("personal", "contains"), ("personal", "likedBy"), ("shared", "contains"), ("shared", "contains"),
        ("shared", DESCRIPTION),
    ]  # fmt: skip
    assert all(s.id.startswith(f"{s.graph}:") for s in soup)
    salt = [s for s in soup if s.object == Entity(E + "salt", "salt")]
    assert len(salt) == 2
    assert len({s.id.split(":")[1] for s in salt}) == 1


def test_what_one_graph_knows_by_its_id_another_names(both: UnionGraph) -> None:
    (mine,) = both.statements([E + "me"], relations=[E + "allergicTo"])
    assert mine[0].object == Entity(E + "Q7", "peanut")
    (soup,) = both.statements([E + "soup"], relations=[E + "contains"])
    assert {s.relation.label for s in soup} == {"contains"}
    part = both.subgraph([E + "me"], 2)
    peanut = part.index(E + "Q7")
    assert peanut is not None
    assert part.node(peanut) == Entity(E + "Q7", "peanut")
    assert not part.machine[peanut]


def test_contains_asks_the_graph_that_is_named(both: UnionGraph) -> None:
    (soup,) = both.statements([E + "soup"], relations=[E + "contains"])
    assert both.contains(soup) == [True] * 3
    only_shared = next(s for s in soup if s.object == Entity(E + "Q7", "peanut"))
    names = ["shared", None, "personal", "nowhere", ""]
    assert both.contains([replace(only_shared, graph=name) for name in names]) == [True, True, False, False, False]
    both_hold = next(s for s in soup if s.qualifiers)
    assert both.contains([replace(both_hold, graph=name) for name in names]) == [True, True, True, False, False]
    assert both.contains([replace(both_hold, qualifiers=())]) == [False]
    assert both.contains([]) == []


def test_limits_hold_over_all_graphs(both: UnionGraph) -> None:
    for side in ("both", "outgoing", "incoming"):
        for limit in (0, 1, 2):
            (found,) = both.statements([E + "soup"], side=side, limit=limit)
            outgoing = [s for s in found if s.subject.id == E + "soup"]
            assert len(outgoing) == (0 if side == "incoming" else limit)
            assert len(found) <= 2 * limit


def test_names_merge(both: UnionGraph) -> None:
    soup, peanut, me, contains, nothing = both.describe([E + "soup", E + "Q7", E + "me", E + "contains", E + "no"])
    assert soup is not None
    assert (soup.entity.label, soup.aliases, soup.description) == ("Mum's soup", ("soup",), "a dish")
    assert peanut is not None
    assert (peanut.entity.label, peanut.aliases) == ("peanut", ("groundnut",))
    assert me is not None
    assert me.entity.label == "me"
    assert contains is not None
    assert contains.entity.label == "contains"
    assert nothing is None
    assert both.lookup(["soup", "groundnut", "mum s soup", "nobody"]) == [
        [LabelMatch(E + "soup", "soup", alias=False, score=1.0)],
        [LabelMatch(E + "Q7", "groundnut", alias=True, score=1.0)],
        [LabelMatch(E + "soup", "Mum's soup", alias=False, score=1.0)],
        [],
    ]
    found = both.search("soup")
    assert [match.id for match in found] == [E + "soup"]
    assert found[0].score == 1.0
    assert both.search("soup", limit=0) == []


def test_relations_add_up(both: UnionGraph) -> None:
    relations = both.relations()
    assert relations[0] == (Relation(E + "contains", "contains"), 3)
    assert [count for _, count in relations] == sorted((count for _, count in relations), reverse=True)
    assert len(relations) == len({relation.id for relation, _ in relations}) == 5


def test_a_walk_goes_from_one_graph_to_the_other(both: UnionGraph) -> None:
    part = both.subgraph([E + "me"], 2)
    me, nut = part.index(E + "me"), part.index(E + "nut")
    assert me is not None
    assert nut is not None
    import numpy as np

    assert nut in part.k_hop(np.array([me], dtype=np.int32), 2)
    held = part.statements(range(part.n_statements))
    assert {s.graph for s in held} == {"personal", "shared"}
    assert all(both.contains(held))
    assert both.subgraph([E + "soup"], 1) is part  # made once


def test_the_fingerprint_names_content_and_names_in_any_order() -> None:
    one, other = graph(PERSONAL, "personal"), graph(SHARED, "shared")
    assert UnionGraph([one, other]).fingerprint == UnionGraph([other, one]).fingerprint
    different = [
        UnionGraph([one, other]),
        UnionGraph([one]),
        UnionGraph([graph(PERSONAL, "shared"), graph(SHARED, "personal")]),
        UnionGraph([graph(PERSONAL, "a"), other]),
        UnionGraph([graph(PERSONAL[1:], "personal"), other]),
    ]
    assert len({union.fingerprint for union in different}) == len(different)


def test_names_must_be_unique_and_unions_are_taken_apart() -> None:
    with pytest.raises(SettingsError, match="two graphs of the union are named 'a'"):
        UnionGraph([graph(PERSONAL, "a"), graph(SHARED, "a")])
    with pytest.raises(SettingsError, match="at least one graph"):
        UnionGraph([])
    with pytest.raises(SettingsError, match="at least one graph, and each graph a name"):
        UnionGraph([graph(PERSONAL, "")])
    with pytest.raises(SettingsError, match="limit is 0"):
        UnionGraph([graph(PERSONAL, "a")], limit=0)
    nested = UnionGraph([UnionGraph([graph(PERSONAL, "a"), graph(SHARED, "b")]), graph([], "c")])
    assert list(nested.graphs) == ["a", "b", "c"]
    with pytest.raises(SettingsError, match="named 'a'"):
        UnionGraph([nested, graph(PERSONAL, "a")])


def test_sparql_is_for_one_graph(both: UnionGraph) -> None:
    with pytest.raises(QueryError, match=r"ask one of its graphs \(personal, shared\)"):
        both.query("ASK { ?s ?p ?o }")
    assert len(both.graphs["shared"].query("SELECT ?s { ?s ?p ?o }").rows) == 4


class Fetched:
    """A graph that gives only parts of itself, as an endpoint does."""

    def __init__(self, whole: MemoryGraph) -> None:
        self._whole = whole
        self.closed = False

    def __getattr__(self, name: str) -> object:
        return getattr(self._whole, name)

    def subgraph(self, seeds: Sequence[str], hops: int) -> Subgraph:
        return Subgraph.from_statements(s for some in self._whole.statements(seeds if hops else ()) for s in some)

    def close(self) -> None:
        self.closed = True
        raise GraphError("this one does not close")


def test_a_walk_over_a_graph_that_has_to_be_fetched() -> None:
    remote = Fetched(graph(SHARED, "shared"))
    union = UnionGraph([graph(PERSONAL, "personal"), remote])  # type: ignore[list-item]
    assert union.subgraph([E + "me"], 1).index(E + "nut") is None
    part = union.subgraph([E + "me"], 2)
    assert part.index(E + "nut") is not None
    assert part.index(E + "salt") is not None
    assert {s.graph for s in part.statements(range(part.n_statements))} == {"personal", "shared"}


def test_closing_closes_all_whatever_happens() -> None:
    first, second = Fetched(graph(SHARED, "a")), Fetched(graph(PERSONAL, "b"))
    with pytest.raises(GraphError, match="does not close"), UnionGraph([first, second]):  # type: ignore[list-item]
        pass
    assert first.closed
    assert second.closed


nodes = st.sampled_from([Entity(E + name) for name in "abcd"])
relations = st.sampled_from([Relation(E + name) for name in "rs"])
qualifiers = st.lists(st.builds(Qualifier, relations, nodes), max_size=1).map(tuple)
contents = st.lists(st.builds(Statement, nodes, relations, nodes, qualifiers), max_size=8)


@settings(max_examples=60, deadline=None)
@given(contents, contents, st.sampled_from(["both", "outgoing", "incoming"]))
def test_a_union_holds_what_its_graphs_hold_and_no_more(
    one: list[Statement], other: list[Statement], side: Side
) -> None:
    ids = [E + name for name in "abcde"]
    with MemoryGraph.from_statements(one, name="x") as first, MemoryGraph.from_statements(other, name="y") as second:
        union = UnionGraph([first, second])
        apart = zip(first.statements(ids, side=side), second.statements(ids, side=side), strict=True)
        expected = [{f"x:{s.id}" for s in left} | {f"y:{s.id}" for s in right} for left, right in apart]
        found = union.statements(ids, side=side)
        assert [{s.id for s in some} for some in found] == expected
        assert all(union.contains([s for some in found for s in some]))
        probes = [*one, *other]
        assert union.contains(probes) == [True] * len(probes)
        assert sum(count for _, count in union.relations()) == sum(
            count for member in (first, second) for _, count in member.relations()
        )
        whole = union.subgraph([], 0)
        assert {s.id for s in whole.statements(range(whole.n_statements))} == {
            s.id for some in union.statements(ids) for s in some
        }
