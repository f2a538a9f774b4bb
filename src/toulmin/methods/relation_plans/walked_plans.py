"""From relation paths to what they lead to: a walk over the arrays, kept as a program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal as Choice

import numpy as np

from toulmin.graph.csr import Ints
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import DESCRIPTION, Direction, Relation, node_key
from toulmin.methods.fidelis.walking import DirectedRelation, Ends, Start
from toulmin.methods.relation_plans.recorded import RecordedStart
from toulmin.program.builder import Builder

__all__ = ["Origin", "Plan", "Walked", "combined_ends", "plans_of", "walk_plan"]

_PATTERNS = 64  # directed relation paths that one plan may stand for
_EQUAL = 1e-9  # weights that differ by less, as sums of floats may, are equal


#: An entity to walk from.
Origin = Start | RecordedStart


@dataclass(frozen=True, slots=True)
class Plan:
    """A relation path to be walked.

    Args:
        steps: the relations of each hop with their directions, any of which may be walked there; none: the graph has
            no such relation.
        weight: how much it counts beside others.
        origin: where it is walked from; None: wherever it leads on from.
        words: the relations as they were given.
    """

    steps: tuple[tuple[DirectedRelation, ...], ...]
    weight: float
    words: tuple[str, ...]
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Walked:
    """A plan, and what it leads to from an entity.

    Args:
        patterns: the directed relation paths that lead there.
    """

    plan: Plan
    origin: Origin
    patterns: tuple[tuple[DirectedRelation, ...], ...]
    ends: Ends


def plans_of(recorded: Iterable[tuple[tuple[str, ...], float]], subgraph: Subgraph) -> list[Plan]:
    """Recorded paths, with their weights, in the relations of a sub-graph, which are named by their ids and labels."""
    named: dict[str, list[Relation]] = {}
    for relation in subgraph.relations:
        if relation.id != DESCRIPTION:
            for name in filter(None, dict.fromkeys((relation.id, relation.label))):
                named.setdefault(name, []).append(relation)

    def step(word: str) -> tuple[DirectedRelation, ...]:
        name = word.removeprefix("^")
        directions: tuple[Direction, ...] = ("backward",) if name != word else ("forward", "backward")
        return tuple(DirectedRelation(relation, way) for relation in named.get(name, ()) for way in directions)

    return [Plan(tuple(map(step, path)), weight, path) for path, weight in recorded]


def walk_plan(builder: Builder, subgraph: Subgraph, plan: Plan, origins: Sequence[Origin]) -> Walked | None:
    """A plan walked from the first of some entities that it leads on from; None: it leads nowhere."""
    for origin in (plan.origin,) if plan.origin else origins:
        at = subgraph.index(origin.entity.id)
        if at is None:
            continue
        patterns = tuple(_leading(subgraph, np.array([at], dtype=np.int32), plan.steps))[:_PATTERNS]
        if patterns:
            ends = Ends.of(builder, origin.place(builder), patterns)
            if ends.nodes:
                return Walked(plan, origin, patterns, ends)
    return None


def _leading(
    subgraph: Subgraph, nodes: Ints, steps: Sequence[tuple[DirectedRelation, ...]]
) -> Iterator[tuple[DirectedRelation, ...]]:
    """The directed relation paths of a plan that the graph has from some nodes."""
    if not steps:
        yield ()
        return
    for hop in steps[0]:
        backward = hop.direction == "backward"
        ends = subgraph.follow(nodes, subgraph.relation_number[hop.relation.id], backward=backward)
        if len(ends):
            for further in _leading(subgraph, ends, steps[1:]):
                yield (hop, *further)


def combined_ends(
    builder: Builder, walked: Sequence[Walked], how: Choice["first", "agreed", "all"]
) -> tuple[int, float]:
    """What becomes the answer of what several plans lead to: the node of the program, and its weight.

    Args:
        walked: one or more, in the order of the plans.
    """
    if how == "first" or len(walked) == 1:
        return walked[0].ends.place, walked[0].plan.weight
    total = sum(plan.plan.weight for plan in walked)
    everything = builder.union(*(plan.ends.place for plan in walked))
    if how == "all":
        return everything, total
    weights: Counter[str] = Counter()
    sources: dict[str, list[int]] = {}
    for number, plan in enumerate(walked):
        for node in plan.ends.nodes:
            weights[node_key(node)] += plan.plan.weight  # type: ignore[assignment]  # a Counter of numbers
            sources.setdefault(node_key(node), []).append(number)
    most = max(weights.values())
    agreeing = dict.fromkeys(tuple(sources[key]) for key, weight in weights.items() if weight >= most - _EQUAL)
    place = builder.union(
        *(builder.intersection(*(walked[number].ends.place for number in numbers)) for numbers in agreeing)
    )
    return place, float(most)
