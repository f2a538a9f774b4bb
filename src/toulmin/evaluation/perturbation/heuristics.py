"""The four heuristics of papers/okgqa 3.2 (Raman et al. 2020; papers/fidelis H has the same).

A level is the share of the edges that are changed, in random order; but for swapping, a lower level picks some of those
of a higher one. Every edge is changed at most once, and into nothing that the graph states or another edge becomes,
so that none is lost; where chance offers nothing else in some tries, an edge stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from toulmin.errors import InputError
from toulmin.evaluation.perturbation.edges import Rows, edges
from toulmin.evaluation.perturbation.edits import Edits
from toulmin.graph.tables import Tables, literal_from_key
from toulmin.graph.types import LiteralKind

__all__ = ["Mask", "chosen", "edge_deletion", "edge_rewiring", "relation_replacement", "relation_swapping", "settled"]

Mask = NDArray[np.bool_]

_TRIES = 30
_KINDS: tuple[str, ...] = get_args(LiteralKind)
_LEAST = 8  # relations from which one is taken in the place of an edge's own


def chosen(possible: Rows, level: float, rng: np.random.Generator, needed: str) -> Rows:
    """A share of what can be changed.

    Args:
        needed: what a graph needs that can be changed so, to be told where there is none.

    Raises:
        InputError: nothing can be changed.
    """
    if not len(possible):
        raise InputError(f"the graph holds nothing to perturb so: it needs {needed}")
    return rng.permutation(possible)[: round(level * len(possible))]


def edge_deletion(edits: Edits, level: float, rng: np.random.Generator) -> int:
    """Remove edges."""
    possible = edges(edits.tables)
    edits.kept[chosen(possible, level, rng, "statements")] = False
    return len(possible)


def settled(wrong: Callable[[], Mask], again: Callable[[Rows], None]) -> Mask:
    """Draw anew what came out wrong, until nothing is or ``_TRIES`` are used up; which draws are right then.

    Args:
        wrong: which draws are wrong as they stand.
        again: draws those at some places anew.
    """
    for _ in range(_TRIES):
        failed = wrong()
        if not failed.any():
            return ~failed
        again(np.flatnonzero(failed))
    return ~wrong()


def relation_swapping(edits: Edits, level: float, rng: np.random.Generator) -> int:
    """Pair edges, and give each the relation of the other; only with entities, or only with values, as objects."""
    tables = edits.tables
    possible = edges(tables)
    shuffled = chosen(possible, 1.0, rng, "statements")
    values = tables.object[shuffled] >= tables.n_entities
    for alike in (shuffled[~values], shuffled[values]):
        pairs = alike[: round(level * len(alike)) // 2 * 2].reshape(-1, 2)  # a view

        def wrong(pairs: Rows = pairs) -> Mask:
            swapped, of = edits.relation[pairs[:, ::-1]], pairs.ravel()
            stated = edits.taken(of, edits.subject[of], swapped.ravel(), edits.object[of])
            return np.asarray((swapped[:, 0] == swapped[:, 1]) | stated.reshape(-1, 2).any(axis=1))

        def again(places: Rows, alike: Rows = alike) -> None:
            partners = rng.integers(0, len(alike) // 2, len(places) + 1)  # right pairs, or edges that are in none yet
            places = 2 * np.union1d(places, partners)
            places = np.concatenate([places, places + 1])
            alike[places] = alike[rng.permutation(places)]

        right = pairs[settled(wrong, again)]
        edits.relation[right] = edits.relation[right[:, ::-1]]
    return len(possible)


def relation_replacement(edits: Edits, level: float, rng: np.random.Generator) -> int:
    """Give edges the relation that the scorer finds least likely between their ends: argmin over r of s(v1, r, v2)."""
    tables = edits.tables
    possible = edges(tables)
    rows = chosen(possible, level, rng, "statements")
    subject, obj, present = edits.subject[rows], edits.object[rows], edits.relation[rows]
    ranked = edits.scorer.least_likely(subject, obj, _LEAST)
    place, every = np.zeros(len(rows), dtype=np.int64), np.arange(len(rows))

    def relation() -> Rows:
        return np.asarray(ranked[every, place % ranked.shape[1]])

    def again(places: Rows) -> None:
        place[places] += 1

    right = settled(lambda: (relation() == present) | edits.taken(rows, subject, relation(), obj), again)
    edits.relation[rows[right]] = relation()[right]
    return len(possible)


def edge_rewiring(edits: Edits, level: float, rng: np.random.Generator) -> int:
    """Give edges another object, which is no neighbour of the subject: an entity, or a value of the same kind."""
    tables = edits.tables
    possible = edges(tables)
    rows = chosen(possible, level, rng, "statements")
    subject = edits.subject[rows]
    kinds, n = _kinds(tables), tables.n_nodes
    ends = (edits.subject, edits.object)
    neighbours = np.unique(np.concatenate([start * n + end for start, end in (ends, ends[::-1])]))
    obj = edits.object[rows]
    kind = kinds[obj]
    among = {number: np.flatnonzero(kinds == number) for number in np.unique(kind).tolist()}

    def wrong() -> Mask:
        keys = subject * n + obj
        beside = neighbours[np.minimum(np.searchsorted(neighbours, keys), len(neighbours) - 1)] == keys
        return np.asarray(beside | (obj == subject) | edits.taken(rows, subject, edits.relation[rows], obj))

    def again(places: Rows) -> None:
        for number, nodes in among.items():
            at = places[kind[places] == number]
            obj[at] = rng.choice(nodes, len(at))

    right = settled(wrong, again)
    edits.object[rows[right]] = obj[right]
    return len(possible)


def _kinds(tables: Tables) -> Rows:
    """A number for the kind of each node, int64[n_nodes]: 0 of entities; -1 of values that no edge leads to."""
    kinds = np.zeros(tables.n_nodes, dtype=np.int64)
    kinds[tables.n_entities :] = -1
    used = np.unique(tables.object[edges(tables)])
    values = used[used >= tables.n_entities]
    kinds[values] = [1 + _KINDS.index(literal_from_key(key).kind) for key in tables.keys.many(values)]
    return kinds
