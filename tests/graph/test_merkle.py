"""The Merkle root of a graph and the proofs of ranges, against a model written from docs/certificate.md alone."""

from __future__ import annotations

import json
import random
import sqlite3
import sys
from base64 import b64decode, b64encode
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from graph_strategies import ids, literals, model, records, relation_ids
from hypothesis import given
from hypothesis import strategies as st
from merkle_model import ALIAS, INVERSE, LABEL, key, leaf_key, proves, root

from toulmin.errors import GraphError, InputError
from toulmin.graph import merkle
from toulmin.graph.assemble import Assembler
from toulmin.graph.build import build_graph
from toulmin.graph.build_directory import build_directory
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.merkle import Edge
from toulmin.graph.ranges import Asked, plain_node, plain_statement
from toulmin.graph.readers.raw_statements import RawName, RawStatement, Record
from toulmin.graph.store import open_graph
from toulmin.graph.types import Literal

EDGES: tuple[Edge, ...] = ("out", "in")
TAMPERED = 10_000


def everything(found: list[Record]) -> list[list[Any]]:
    """All statements and names of a graph of these records."""
    assembler = Assembler()
    for record in found:
        if isinstance(record, RawStatement):
            assembler.add(record)
        elif isinstance(record, RawName):
            assembler.name(record)
    assembly = assembler.finish()
    tables = assembly.tables
    told = [plain_statement(statement) for statement in model(found).values()]
    for owner, form, kind, _ in assembly.names:
        one = tables.keys[owner] if owner >= 0 else tables.relations[-1 - owner].id
        told.append([one, (LABEL, ALIAS, INVERSE)[kind], {"value": form, "kind": "string"}, [], "normal"])
    return told


@given(records)
def test_the_root_is_the_one_of_the_document(found: list[Record]) -> None:
    graph = MemoryGraph.from_records(found)
    assert graph.fingerprint == root(everything(found))


sides = st.sampled_from(EDGES)
plain = st.one_of(ids, relation_ids, literals.map(plain_node), st.just({"value": "a", "kind": "string"}), st.just(""))
asked = st.lists(
    st.tuples(sides, plain, st.none() | relation_ids | st.sampled_from([LABEL, ALIAS, INVERSE])), max_size=6
)


@given(records, asked)
def test_every_range_is_whole_in_order_and_proved(found: list[Record], wanted: list[Asked]) -> None:
    graph = MemoryGraph.from_records(found)
    every = everything(found)
    for side, node, relation in wanted:
        first = key(node) if side == "in" or not isinstance(node, str) else node.encode()
        expected = sorted(
            (leaf_key(side, one), one)
            for one in every
            if leaf_key(side, one)[0] == first and relation in (None, one[1])
        )
        statements = graph.ranges.range(side, node, relation)
        assert [leaf_key(side, one) for one in statements] == [entry for entry, _ in expected]
    evidence = graph.ranges.prove(wanted)
    assert proves(json.loads(json.dumps(evidence)), graph.fingerprint)
    assert sum(len(evidence[side]["ranges"]) for side in EDGES) == len(
        {(side, key(node), relation) for side, node, relation in wanted}
    )


def numbered(n: int) -> MemoryGraph:
    """A graph of ``n`` statements, names among them."""
    facts = (RawStatement("s", "r", Literal(f"{number}")) for number in range(max(n - 2, 0)))
    graph = MemoryGraph.from_records(facts if n > 2 else [RawName("s", "S")] * n)
    assert graph.ranges.size == n
    return graph


@pytest.mark.parametrize("n", [0, 1, 3, 4, 31, 32, 33, 34, 63, 64, 65, 96, 97, 127, 128, 129, 200, 1025])
def test_trees_of_every_shape(n: int) -> None:
    graph = numbered(n)
    names: list[list[Any]] = [["s", LABEL, {"value": "s" if n > 2 else "S", "kind": "string"}, [], "normal"]][:n]
    names += [["r", LABEL, {"value": "r", "kind": "string"}, [], "normal"]] if n > 2 else []
    values = [["s", "r", {"value": f"{number}", "kind": "string"}, [], "normal"] for number in range(max(n - 2, 0))]
    assert graph.fingerprint == root([*names, *values])
    ends: list[Asked] = [("out", "s", None), ("out", "s", "r"), ("in", {"value": "7", "kind": "string"}, None)]
    absent: list[Asked] = [("out", "", None), ("out", "zzz", "r"), ("in", "s", None), ("out", "s", "q")]
    for wanted in ([], *([one] for one in (*ends, *absent)), [*ends, *absent]):
        assert proves(graph.ranges.prove(wanted), graph.fingerprint)
    assert [graph.ranges.range(*one) for one in absent] == [[]] * 4


def crowd(n: int = 400, seed: int = 3) -> list[Record]:
    draw = random.Random(seed)
    made: list[Record] = [
        RawStatement(
            f"e{draw.randrange(40)}",
            f"r{draw.randrange(5)}",
            f"e{draw.randrange(40)}" if draw.random() < 0.7 else Literal(f"{draw.randrange(30)}", "quantity"),
            (("since", Literal(f"{draw.randrange(1900, 2000)}", "time")),) if draw.random() < 0.2 else (),
            "preferred" if draw.random() < 0.1 else "normal",
        )
        for _ in range(n)
    ]
    return [*made, *(RawName(f"e{number}", f"Name {number % 30}") for number in range(40)), RawName("e1", "É", "alias")]


def drawn(draw: random.Random) -> Asked:
    side = draw.choice(EDGES)
    node: Any = f"e{draw.randrange(44)}"
    if side == "in" and draw.random() < 0.5:
        node = {"value": f"{draw.randrange(33)}", "kind": "quantity"}
        if draw.random() < 0.4:
            node = {"value": f"Name {draw.randrange(33)}", "kind": "string"}
    return side, node, draw.choice([None, LABEL, "r0", "r1", "r2", "r4", "r7"])


WAYS = (
    *("changed", "left out", "added", "order", "edge", "no edge", "hash", "hashes swapped", "fewer", "more", "place"),
    *("size", "key", "relation"),
)


def test_a_tampered_range_is_refused() -> None:
    graph = MemoryGraph.from_records(crowd())
    draw = random.Random(11)
    every = [s for number in range(40) for s in graph.ranges.range("out", f"e{number}", None)]
    done = dict.fromkeys(WAYS, 0)
    while sum(done.values()) < TAMPERED:
        evidence = graph.ranges.prove([drawn(draw) for _ in range(draw.choice([1, 1, 2, 4]))])
        assert proves(evidence, graph.fingerprint)
        for _ in range(25):
            changed, what = deepcopy(evidence), draw.choice(WAYS)
            tamper(changed, what, draw, every)
            if changed != evidence:
                done[what] += 1
                assert not proves(changed, graph.fingerprint), what
    assert min(done.values()) > 100, done


def tamper(evidence: Any, what: str, draw: random.Random, every: list[list[Any]]) -> None:
    """Change one thing, if there is such a thing."""
    side = evidence[draw.choice(EDGES)]
    joined = b64decode(side["hashes"])
    hashes = [joined[at : at + 32] for at in range(0, len(joined), 32)]
    one = draw.choice(side["ranges"]) if side["ranges"] else None
    told = one["statements"] if one else []
    if what == "size":
        evidence["size"] += draw.choice([-1, 1])
    elif what == "more":
        hashes.insert(draw.randrange(len(hashes) + 1), draw.randbytes(32))
    elif what == "hash" and hashes:
        hashes[draw.randrange(len(hashes))] = draw.randbytes(32)
    elif what == "hashes swapped" and hashes:
        hashes[0], hashes[-1] = hashes[-1], hashes[0]
    elif what == "fewer" and hashes:
        hashes.pop(draw.randrange(len(hashes)))
    elif one and what == "changed" and told:
        statement = draw.choice(told)
        part = draw.randrange(5)
        rank = "preferred" if statement[4] == "normal" else "normal"
        statement[part] = ["e1", "r1", "e2", [*statement[3], ["q", "v"]], rank][part]
    elif one and what == "left out" and told:
        told.pop(draw.randrange(len(told)))
        one["at"] += draw.randrange(2)
    elif one and what == "added":
        told.insert(draw.randrange(len(told) + 1), draw.choice(every))
        one["at"] -= draw.randrange(2)
    elif one and what == "order" and told:
        told[0], told[-1] = told[-1], told[0]
    elif one and what == "edge" and (edge := one[draw.choice(["before", "after"])]):
        part = draw.randrange(3)
        edge[part] = ["e9", "r3", draw.randbytes(32).hex()][part]
    elif one and what == "no edge":
        one[draw.choice(["before", "after"])] = None
    elif one and what == "place":
        one["at"] += draw.choice([-1, 1, 32])
    elif one and what == "key":
        one["node"] = draw.choice(["e5", "e6", {"value": "3", "kind": "quantity"}])
    elif one and what == "relation" and told:
        one["relation"] = next(
            of for of in ("r1", "r2", LABEL, ALIAS) if of not in {statement[1] for statement in told}
        )
    side["hashes"] = b64encode(b"".join(hashes)).decode()


def build(out: Path, found: list[Record]) -> str:
    with build_directory(out) as work:
        return build_graph([("records", found)], work, name="test").fingerprint


def test_a_built_graph_has_the_root_whatever_the_order_and_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = crowd()
    expected = MemoryGraph.from_records(found).fingerprint
    assert build(tmp_path / "one", found) == expected == root(everything(found))
    random.Random(5).shuffle(found)
    monkeypatch.setattr(merkle, "_FEW", 1)  # as a graph of many statements is hashed: in a process of its own
    assert build(tmp_path / "two", found) == expected
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert build(tmp_path / "three", found) == expected
    monkeypatch.setattr(sys, "executable", "/bin/true")
    assert build(tmp_path / "four", found) == expected
    with open_graph(tmp_path / "two") as graph:
        assert graph.fingerprint == graph.ranges.root == expected
        draw = random.Random(2)
        assert proves(graph.ranges.prove([drawn(draw) for _ in range(40)]), expected)


def test_names_that_are_statements_as_well_count_once(tmp_path: Path) -> None:
    found: list[Record] = [
        RawName("a", "A"),
        RawStatement("a", LABEL, Literal("A")),
        RawStatement("a", LABEL, Literal("B")),
        RawName("b", "B"),
    ]
    assert build(tmp_path / "graph", found) == root(everything(found))
    with open_graph(tmp_path / "graph") as graph:
        assert graph.ranges.size == 4  # and the label of the relation
        labels = [statement[2]["value"] for statement in graph.ranges.range("out", "a", LABEL)]
        assert sorted(labels) == ["A", "B"]
        assert proves(graph.ranges.prove([("out", "a", None), ("in", labels_of("A"), None)]), graph.fingerprint)


def labels_of(text: str) -> dict[str, str]:
    return {"value": text, "kind": "string"}


def test_names_are_statements() -> None:
    found: list[Record] = [
        RawStatement("a", "r", "m.0abc1"),
        RawName("a", "A"),
        RawName("a", "Ay", "alias"),
        RawName("r", "is beside"),
    ]
    ranges = MemoryGraph.from_records(found).ranges
    assert ranges.range("out", "a", LABEL) == [["a", LABEL, labels_of("A"), [], "normal"]]
    assert ranges.range("in", labels_of("Ay"), None) == [["a", ALIAS, labels_of("Ay"), [], "normal"]]
    assert ranges.range("out", "r", None) == [["r", LABEL, labels_of("is beside"), [], "normal"]]
    assert ranges.range("out", "m.0abc1", None) == []


@pytest.mark.parametrize("damage", ["keys_blob", "subject", "labels"])
def test_a_proof_from_damaged_files_is_refused(tmp_path: Path, damage: str) -> None:
    build(tmp_path / "graph", crowd())
    if damage == "labels":
        with sqlite3.connect(tmp_path / "graph" / "labels.sqlite") as names:
            names.execute("UPDATE name SET form = form || 'x'")
    else:
        path = tmp_path / "graph" / "arrays" / f"{damage}.npy"
        array = np.load(path)
        array[:] = ord("e") if damage == "keys_blob" else 3
        np.save(path, array)
    with open_graph(tmp_path / "graph") as graph, pytest.raises(GraphError, match="damaged"):
        graph.ranges.prove([("out", "e3", None)])


def test_what_cannot_be_asked_is_refused() -> None:
    ranges = MemoryGraph.from_records(crowd()).ranges
    with pytest.raises(InputError, match="no such side"):
        ranges.range("outgoing", "e1", None)  # type: ignore[arg-type]
    for node in ({"value": "x"}, {"value": "x", "kind": "string", "more": "y"}):
        with pytest.raises(InputError, match="a literal has"):
            ranges.range("in", node, None)
