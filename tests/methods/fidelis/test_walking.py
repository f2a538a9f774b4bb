"""Relation paths as programs: what they yield is what walking level by level yields, and each certificate checks."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Direction, Entity, Literal, Qualifier, Relation, Statement
from toulmin.methods.fidelis.walking import DirectedRelation, end_set, walk
from toulmin.program.builder import Builder
from toulmin.program.nodes import Window

DIRECTIONS: tuple[Direction, ...] = ("forward", "backward")

NODES = [Entity(f"e:{letter}", letter) for letter in "abcde"] + [Entity("m.0x1"), Entity("m.0x2")]
START = NODES[0]
RELATIONS = [Relation("r:knows", "knows"), Relation("r:likes", "likes")]
Triple = tuple[int, int, int]

triples = st.sets(
    st.tuples(st.integers(0, len(NODES) - 1), st.integers(0, 1), st.integers(0, len(NODES) - 1)),
    min_size=1,
    max_size=16,
)
hops = st.lists(st.tuples(st.integers(0, 1), st.sampled_from(DIRECTIONS)), min_size=1, max_size=4)


def onward(said: set[Triple], node: int, relation: int, direction: Direction) -> set[int]:
    """Where one relation leads."""
    if direction == "forward":
        return {end for begin, by, end in said if (begin, by) == (node, relation)}
    return {begin for begin, by, end in said if (end, by) == (node, relation)}


def expected(said: set[Triple], path: Sequence[tuple[int, Direction]]) -> set[int]:
    """What a path yields by its definition."""
    level, arrivals = {0}, dict[int, set[int]]()
    for position, (relation, direction) in enumerate(path, 1):
        back = position > 1 and path[position - 2][0] == relation and path[position - 2][1] != direction
        found: dict[int, set[int]] = {}
        for node in level:
            for end in onward(said, node, relation, direction):
                if not back or arrivals[node] - {end}:
                    found.setdefault(end, set()).add(node)
        level, arrivals = set(found), found
    named = {node for node in level if NODES[node].label}
    return named - {0} or named


@settings(max_examples=150, deadline=None)
@given(said=triples, path=hops)
def test_a_path_yields_what_its_definition_says(said: set[Triple], path: list[tuple[int, Direction]]) -> None:
    statements = [Statement(NODES[s], RELATIONS[r], NODES[o]) for s, r, o in sorted(said | {(0, 0, 1)})]
    with MemoryGraph.from_statements(statements) as graph:
        builder = Builder("what does a know?", graph)
        start = builder.entity(START, (10, 11), "a")
        relations = [DirectedRelation(RELATIONS[relation], way) for relation, way in path]
        place, ends = end_set(builder, walk(builder, start, relations), start)
        found = {node.id for node in ends if isinstance(node, Entity)}
        assert found == {NODES[node].id for node in expected(said | {(0, 0, 1)}, path)}
        assert builder.nodes(place) == ends
        if ends:
            assert builder.answer(place, by="test", score=1.0, method="test").check(graph).exit_code == 0


@pytest.mark.parametrize(("year", "ends"), [("1900", {"b"}), ("1905", {"b", "c"}), ("1910", {"c"}), ("1920", set())])
def test_a_window_restricts_the_last_hop(year: str, ends: set[str]) -> None:
    def during(first: str, last: str) -> tuple[Qualifier, ...]:
        pairs = (("r:start", first), ("r:end", last))
        return tuple(Qualifier(Relation(role), Literal(at, "time", precision="year")) for role, at in pairs)

    statements = [
        Statement(NODES[0], RELATIONS[0], NODES[1], during("1900", "1906")),
        Statement(NODES[0], RELATIONS[0], NODES[2], during("1904", "1912")),
        Statement(NODES[0], RELATIONS[0], NODES[3]),
    ]
    time = Literal(year, "time", precision="year")
    window = Window.model_validate({"from": time, "to": time, "start": ["r:start"], "end": ["r:end"]})
    with MemoryGraph.from_statements(statements) as graph:
        builder = Builder("whom does a know?", graph)
        start = builder.entity(START, (10, 11), "a")
        path = [DirectedRelation(RELATIONS[0], "forward")]
        _, found = end_set(builder, walk(builder, start, path, window), start)
        assert {node.label for node in found if isinstance(node, Entity)} == ends
