"""Following statements: filters by qualifier and time, walks that do not turn back, classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toulmin.graph.types import Direction
from toulmin.program.graph_source import Edges, GraphSource, Numbers
from toulmin.program.nodes import Follow, QualifierNode, Window
from toulmin.program.periods import holds_in_window
from toulmin.program.value import Nodes

__all__ = ["closure", "follow", "plain_edges", "qualifier", "spread"]


_CHAIN = 11  # steps of a chain of classes, beside that from a thing to its class


def follow(source: GraphSource, node: Follow, of: Nodes) -> Nodes:
    """What a ``follow`` yields; with ``not_back`` ``of`` is what the ``follow`` yields that it goes on from."""
    edges = _filtered(source, node, of.numbers)
    if node.not_back and of.edges is not None:
        unknown, none = source.special(edges.end)  # they are no ends, and stay to be told
        edges = edges.where(_elsewhere(edges, of.edges) | unknown | none)
    return _ends(source, node, of, _Marked.of(source, edges))


def plain_edges(source: GraphSource, node: Follow, of: Numbers) -> Edges | None:
    """The statements that a ``follow`` follows from some nodes; None where one says *unknown value* or *no value*."""
    edges = _filtered(source, node, of)
    return None if any(mask.any() for mask in source.special(edges.end)) else edges


def spread(source: GraphSource, node: Follow, of: Numbers) -> Iterator[Nodes]:
    """What a ``follow`` yields for each of some nodes (ascending) alone; all read at once."""
    edges = _filtered(source, node, of)
    order = np.argsort(edges.origin, kind="stable")
    marked = _Marked.of(source, edges.at(order))
    starts = np.searchsorted(marked.edges.origin, of)
    ends = np.searchsorted(marked.edges.origin, of, side="right")
    for number, start, end in zip(of, starts.tolist(), ends.tolist(), strict=True):
        yield _ends(source, node, Nodes(source, number.reshape(1)), marked.part(slice(start, end)))


@dataclass(frozen=True, slots=True)
class _Marked:
    """Statements, which of them lead to an *unknown value* or to *no value*, and which are preferred."""

    edges: Edges
    unknown: NDArray[np.bool_] | None
    none: NDArray[np.bool_] | None
    preferred: NDArray[np.bool_] | None

    @classmethod
    def of(cls, source: GraphSource, edges: Edges) -> _Marked:
        """With the marks of each; None where no statement has one."""
        masks = (*source.special(edges.end), source.preferred(edges.row))
        return cls(edges, *(mask if mask.any() else None for mask in masks))

    def part(self, at: slice) -> _Marked:
        """Some of them, one after another."""
        masks = (self.unknown, self.none, self.preferred)
        return _Marked(self.edges.at(at), *(None if mask is None else mask[at] for mask in masks))


def _filtered(source: GraphSource, node: Follow, of: Numbers) -> Edges:
    """The statements that are followed, by their relations, qualifiers and time."""
    edges = source.edges(of, node.relations, node.direction, node.graph)
    for condition in node.qualified or ():
        owner, values = source.qualifiers(edges.row, condition.relations)
        holds = np.zeros(len(edges.row), dtype=np.bool_)
        holds[owner[values == source.number(condition.is_)]] = True
        edges = edges.where(holds)
    return edges if node.window is None else edges.where(_window_mask(source, edges.row, node.window))


def _ends(source: GraphSource, node: Follow, of: Nodes, marked: _Marked) -> Nodes:
    """The ends of some statements, with their marks."""
    edges, unknown, none, chosen = marked.edges, marked.unknown, marked.none, marked.preferred
    hole, nothing = of.hole or (unknown is not None and bool(unknown.any())), False
    if none is not None and none.any():
        qualified = np.zeros(len(edges.row), dtype=np.bool_)
        qualified[source.qualifiers(edges.row)[0]] = True
        hole = hole or bool((none & qualified).any())
        if (none & ~qualified).all() and len(of) and not of.open and not hole:
            stated = source.statements(edges.row)
            pairs = {
                (origin, statement.relation.id) for origin, statement in zip(edges.origin.tolist(), stated, strict=True)
            }
            nothing = len(pairs) == len(of) * len(set(node.relations))
    preferred = None if chosen is None or not chosen.any() else np.unique(edges.end[chosen])
    absent = [mask for mask in (unknown, none) if mask is not None]
    if absent:
        is_value = ~np.logical_or.reduce(absent)
        if preferred is not None:
            preferred = np.intersect1d(preferred, edges.end[is_value])
        edges = edges.where(is_value)
    ends = edges.end if len(edges.end) < 2 else np.unique(edges.end)
    return Nodes(source, ends, open=not nothing, hole=hole, none=nothing, preferred=preferred, edges=edges)


def _elsewhere(edges: Edges, before: Edges) -> NDArray[np.bool_]:
    """Which statements do not lead straight back: those from a node that can be entered from something else."""
    pairs = np.unique(np.stack([before.end, before.origin]), axis=1) if len(before.end) else np.empty((2, 0), np.int64)
    entered, first, count = np.unique(pairs[0], return_index=True, return_counts=True)
    at = np.searchsorted(entered, edges.origin)
    elsewhere: NDArray[np.bool_] = (count[at] > 1) | (pairs[1][first[at]] != edges.end)
    return elsewhere


def qualifier(source: GraphSource, node: QualifierNode, of: Nodes) -> Nodes:
    """The values of qualifiers of the statements that a ``follow`` followed."""
    rows = np.unique(of.edges.row) if of.edges is not None else np.empty(0, dtype=np.int64)
    values = np.unique(source.qualifiers(rows, node.relations)[1])
    unknown, none = source.special(values)
    special = unknown | none
    return Nodes(source, values[~special], open=True, hole=of.hole or bool(special.any()))


def closure(source: GraphSource, nodes: Numbers, relations: Sequence[str], direction: Direction) -> Numbers:
    """The nodes, and what is reached from them over some relations, in at most as many steps as a chain of classes."""
    reached = level = nodes
    for _ in range(_CHAIN if relations else 0):
        ends = np.unique(source.edges(level, relations, direction).end)
        level = np.setdiff1d(ends, reached, assume_unique=True)
        if not len(level):
            break
        reached = np.union1d(reached, level)
    return reached


def _window_mask(source: GraphSource, rows: Numbers, window: Window) -> NDArray[np.bool_]:
    """Which statements hold at some time of a window; of which their qualifiers leave it open, as it says."""
    holds = np.full(len(rows), window.unknown == "keep", dtype=np.bool_)
    roles: dict[int, dict[str, list[int]]] = {}
    for role, relations in (("start", window.start), ("end", window.end), ("point", window.point)):
        if relations:
            for place, value in zip(*(ints.tolist() for ints in source.qualifiers(rows, relations)), strict=True):
                roles.setdefault(place, {}).setdefault(role, []).append(value)
    numbers = np.unique(np.array([n for held in roles.values() for ns in held.values() for n in ns], dtype=np.int64))
    node = dict(zip(numbers.tolist(), source.nodes(numbers), strict=True))
    truths: dict[tuple[int | None, int | None, int | None], bool | None] = {}
    for place, held in roles.items():
        start, end, point = (
            ns[0] if len(ns := held.get(role, [])) == 1 else None for role in ("start", "end", "point")
        )
        if (start, end, point) not in truths:
            at, since, until = (None if n is None else node[n] for n in (point, start, end))
            truths[start, end, point] = holds_in_window(at, since, until, window.from_, window.to)
        truth = truths[start, end, point]
        if truth is not None:
            holds[place] = truth
    return holds
