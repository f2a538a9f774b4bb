"""What relation paths lead to, as a node of a program, and what a model chose of it: for methods that walk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from toulmin.graph.types import Entity, Node, node_key
from toulmin.methods.fidelis.walking import DirectedRelation, Walk, end_set, walk
from toulmin.program.builder import Builder

__all__ = ["Ends", "chosen_nodes", "ends_of"]


@dataclass(frozen=True, slots=True)
class Ends:
    """What relation paths lead to.

    Args:
        place: of the node that yields it.
        nodes: in canonical order; none: the paths lead nowhere.
    """

    place: int
    nodes: tuple[Node, ...]


def ends_of(builder: Builder, start: int, patterns: Iterable[tuple[DirectedRelation, ...]]) -> Ends:
    """The named nodes at the end of any of these paths from a node of the program; the start itself only if alone.

    Args:
        patterns: one or more.
    """
    led = builder.union(*(walk(builder, Walk(start, pattern)) for pattern in patterns))
    return Ends(*end_set(builder, led, start))


def chosen_nodes(builder: Builder, picks: Sequence[tuple[Ends, Sequence[Node]]], *, by: str) -> int:
    """Of several sets the nodes that a model chose, together.

    Args:
        picks: of each set the nodes that are kept; those that it does not hold are no part of it. One at least is.
        by: whose choice it is.
    """
    chosen: dict[int, dict[str, Node]] = {}
    sets: dict[int, Ends] = {}
    for ends, nodes in picks:
        keys = {node_key(node) for node in nodes}
        held = {node_key(node): node for node in ends.nodes if node_key(node) in keys}
        if held:
            sets[ends.place] = ends
            chosen.setdefault(ends.place, {}).update(held)
    if len(sets) == 1:
        ((place, ends),) = sets.items()
        if len(chosen[place]) == len(ends.nodes):
            return place
        return builder.among(place, [n for n in ends.nodes if node_key(n) in chosen[place]], by=by, score=1.0)
    return builder.union(*(_picked(builder, sets[place], chosen[place].values(), by) for place in sets))


def _picked(builder: Builder, ends: Ends, nodes: Iterable[Node], by: str) -> int:
    """Some nodes of a set, in a form from which more is computed, as it is not from ``among``."""
    keys = {node_key(node) for node in nodes}
    picked = [node for node in ends.nodes if node_key(node) in keys]
    if len(picked) == len(ends.nodes):
        return ends.place
    places = [builder.entity(node) if isinstance(node, Entity) else builder.literal(node) for node in picked]
    judged = builder.judged("these are asked for", by=by, score=1.0, decision="yes", seen=[ends.place])
    return builder.where(builder.intersection(ends.place, builder.union(*places)), lambda _: judged)
