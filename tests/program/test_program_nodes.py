"""The JSON forms of nodes, and what a program may not be."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_programs import random_graph, random_program

from toulmin.errors import InputError
from toulmin.graph.memory import MemoryGraph
from toulmin.kernel import KernelError
from toulmin.kernel.certificate import read_certificate
from toulmin.program.builder import Builder
from toulmin.program.nodes import as_json, read_node


@settings(max_examples=25)
@given(st.integers(min_value=0, max_value=10**9))
def test_nodes_are_read_as_they_were_written(seed: int) -> None:
    rng = Random(seed)
    with random_graph(rng) as graph:  # type: ignore[attr-defined]
        builder, _ = random_program(rng, graph)
        for place, node in enumerate(builder.program):
            written = json.loads(json.dumps(as_json(node)))
            assert as_json(read_node(written)) == written
            assert None not in written.values()
            assert all(part < place for part in builder.static(place).named)


@settings(max_examples=25)
@given(st.integers(min_value=0, max_value=10**9))
def test_a_program_read_again_is_the_same_program(seed: int) -> None:
    """What a builder takes, another builder takes too, whatever else stands between."""
    rng = Random(seed)
    with random_graph(rng) as graph:  # type: ignore[attr-defined]
        builder, _ = random_program(rng, graph)
        again = Builder("What is it?", graph)
        for node in builder.program:
            again.add(as_json(node))
        assert [as_json(node) for node in again.program] == [as_json(node) for node in builder.program]
        assert [again.static(n) for n in range(len(again.program))] == [
            builder.static(n) for n in range(len(builder.program))
        ]


@pytest.mark.parametrize(
    ("node", "told"),
    [
        ({"op": "nothing"}, "nothing"),
        ({"op": "entity"}, "id"),
        ({"op": "entity", "id": 7}, "id"),
        ({"op": "entity", "id": "a", "more": 1}, "more"),
        ({"op": "follow", "of": 0, "relations": []}, "relations"),
        ({"op": "follow", "of": -1, "relations": ["r"]}, "of"),
        ({"op": "follow", "of": True, "relations": ["r"]}, "of"),
        ({"op": "follow", "of": 0, "relations": ["r"], "direction": "sideways"}, "direction"),
        ({"op": "literal", "value": {"value": "x"}}, "value"),
        ({"op": "literal", "value": {"value": "x", "kind": "thing"}}, "kind"),
        ({"op": "literal", "value": {"value": "x", "kind": "string", "more": "y"}}, "value"),
        ({"op": "literal", "value": "x"}, "literal"),
        ({"op": "union", "of": [0]}, "of"),
        ({"op": "statement", "graph": 0, "statement": ["a", "r", "b"]}, "statement"),
        ({"op": "statement", "graph": 0, "statement": ["a", "r", "b", [], "deprecated"]}, "rank"),
        ({"op": "judged", "says": "x", "by": "y", "score": float("nan"), "decision": "yes"}, "score"),
        ({"op": "among", "of": 0, "keep": ["a"], "by": "x", "score": 1.5}, "score"),
        ("entity", "valid"),
    ],
)
def test_what_is_no_node_is_told_in_one_line(node: Any, told: str) -> None:
    with pytest.raises(InputError) as error:
        read_node(node)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


ENTITY: dict[str, Any] = {"op": "entity", "id": "ada"}
FOLLOW: dict[str, Any] = {"op": "follow", "of": 0, "relations": ["lives"]}
TRUTH: dict[str, Any] = {"op": "exists", "of": 1}


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ([FOLLOW], "does not stand before"),
        ([ENTITY, {"op": "count", "of": 0}], "no evidence"),
        ([ENTITY, {"op": "exists", "of": 0}], "no evidence"),
        ([ENTITY, FOLLOW, {"op": "union", "of": [0, 1]}, {"op": "count", "of": 2}], "no evidence"),
        ([ENTITY, {"op": "named", "of": 0}, {"op": "exists", "of": 1}], "no evidence"),
        ([ENTITY, {"op": "compare", "do": "=", "left": 0, "right": 0}], "both sides"),
        ([ENTITY, FOLLOW, TRUTH, {"op": "count", "of": 2}], "yields truth"),
        ([ENTITY, FOLLOW, {"op": "not", "of": 1}], "yields nodes"),
        ([ENTITY, FOLLOW, {"op": "where", "of": 1, "it": 1, "test": 1}], "no variable"),
        ([ENTITY, FOLLOW, {"op": "table", "of": 1, "it": 0, "columns": []}], "no variable"),
        ([ENTITY, FOLLOW, {"op": "table", "of": 1, "it": 1, "columns": []}], "no variable"),
        ([ENTITY, {"op": "qualifier", "of": 0, "relations": ["r"]}], "statements that were not followed"),
    ],
)
def test_what_is_ill_typed_is_refused_here_and_by_the_kernel(
    people: MemoryGraph, program: list[dict[str, Any]], told: str
) -> None:
    builder = Builder("What is it?", people)
    *before, last = program
    for node in before:
        builder.add(node)
    with pytest.raises(InputError, match=told):
        builder.add(last)
    written = [{"direction": "forward", **node} if node["op"] == "follow" else node for node in program]
    certificate = {
        "format": "toulmin-certificate/1",
        "maker": "a test",
        "question": "What is it?",
        "graphs": [{"name": "people", "root": "0" * 64}],
        "program": written,
        "answer": {"kind": "none", "reasons": [{"code": "other", "says": "x"}]},
    }
    with pytest.raises(KernelError, match="node"):
        read_certificate(certificate)


def test_the_same_node_is_added_once_and_a_variable_every_time(people: MemoryGraph) -> None:
    b = Builder("What is it?", people)
    ada = b.entity("ada")
    assert b.entity("ada") == ada
    home = b.follow(ada, "lives")
    assert b.follow(ada, "lives") == home
    assert b.it(home) != b.it(home)
    copy = b.fork()
    number = copy.count(home)
    assert len(copy.program) == len(b.program) + 1
    value = copy.value(number)
    b.adopt(copy)
    assert b.program == copy.program
    assert b.value(number) is value
    assert b.count(home) == number
