"""Conditions that are tested for all things of a set at once mean what they mean for each alone, and to the kernel."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from agreement import disagreement
from random_programs import random_literal

from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Literal, Relation, Statement
from toulmin.program import array_evaluator
from toulmin.program.builder import Builder

IS_A, PART_OF, WEIGHT, MADE = (Relation(name) for name in ("type", "part of", "weight", "made"))
KINDS = {WEIGHT: "quantity", MADE: "time"}
PART = Entity("part", "part")


def random_parts(rng: Random) -> MemoryGraph:
    """Some forty parts, of which a few statements give an *unknown value* or *no value* in half of the graphs."""
    parts = [Entity(f"p{number}", f"Part {number}") for number in range(40)]
    special = 0.05 if rng.random() < 0.5 else 0.0

    def value(relation: Relation) -> Entity | Literal:
        if rng.random() < special:
            return Literal("", rng.choice(("unknown_value", "no_value")))
        return random_literal(rng, KINDS[relation]) if relation in KINDS else rng.choice(parts)

    stated = [Statement(part, IS_A, PART) for part in parts]
    for _ in range(90):
        relation, rank = rng.choice((PART_OF, WEIGHT, MADE)), rng.choice(("normal", "normal", "preferred"))
        stated.append(Statement(rng.choice(parts), relation, value(relation), (), rank))  # type: ignore[arg-type]
    return MemoryGraph.from_statements(stated)


def reached(rng: Random, b: Builder, it: int) -> int:
    """The end of a path from a thing."""
    for _ in range(rng.randint(0, 2)):
        it = b.follow(it, PART_OF, rng.choice(("forward", "backward")))
    return b.complete(it) if rng.random() < 0.3 else it


def condition(rng: Random, b: Builder, it: int, depth: int = 0) -> int:
    """A random test of a thing."""
    kind = rng.choice(
        ("and", "or", "not", "exists", "some", "every", "value", "count", "itself") if depth < 3 else ("value",)
    )
    if kind in ("and", "or"):
        return b.add({"op": kind, "of": [condition(rng, b, it, depth + 1) for _ in range(2)]})
    if kind == "not":
        return b.not_(condition(rng, b, it, depth + 1))
    if kind == "exists":
        return b.exists(b.follow(reached(rng, b, it), rng.choice((PART_OF, WEIGHT, MADE))))
    if kind in ("some", "every"):
        quantified = b.some if kind == "some" else b.every
        outer = it if rng.random() < 0.2 else None  # a test that needs two variables
        return quantified(
            reached(rng, b, it),
            lambda end: b.compare("≠", end, outer) if outer is not None else condition(rng, b, end, depth + 1),
        )
    if kind == "count":
        return b.compare(rng.choice(("≥", "<")), b.count(reached(rng, b, it)), b.literal(Literal("1", "quantity")))
    if kind == "itself":
        return b.compare(rng.choice(("=", "≠")), it, b.entity(Entity(f"p{rng.randint(0, 39)}")))
    relation = rng.choice(list(KINDS))
    wanted = b.literal(random_literal(rng, KINDS[relation]))
    sides: Any = (lambda end: (end, wanted)) if rng.random() < 0.8 else (lambda end: (wanted, end))
    quantified = rng.choice((b.some, b.every))
    do = rng.choice(("=", "≠", "<", "≤", ">", "≥", *(("overlaps", "within") if relation is MADE else ())))
    return quantified(b.follow(reached(rng, b, it), relation), lambda end: b.compare(do, *sides(end)))


@pytest.mark.parametrize("seed", range(30))
def test_all_at_once_or_each_alone(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(seed)
    graph = random_parts(rng)
    for _ in range(4):
        state = rng.getstate()
        chosen = {}
        for least in (1, 1000):  # all at once wherever that can be, and nowhere
            monkeypatch.setattr(array_evaluator, "_MANY", least)
            rng.setstate(state)
            b = Builder("Which parts?", graph)
            place = b.where(b.instances(b.entity(PART), [IS_A.id]), lambda it, b=b: condition(rng, b, it))  # type: ignore[misc]
            nodes = b.nodes(place)
            chosen[least] = nodes, b.value(place).hole  # type: ignore[union-attr]
            if least == 1:
                assert disagreement(b, graph) is None
        assert chosen[1] == chosen[1000]
