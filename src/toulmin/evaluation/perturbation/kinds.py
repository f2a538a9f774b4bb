"""The ways to perturb a graph.

The first four are the heuristics of papers/okgqa 3.2 (Raman et al. 2020; papers/fidelis H has the same), the others
faults that graphs have in use, and that the papers do not try: what a second source, age and strangers do to one.

A level is the share of what a kind can change, in random order; but for swapping, a lower level changes some of that of
a higher one. Every edge is changed at most once, and into nothing that the graph states or another edge becomes, so
that none is lost; where chance offers nothing else in some tries, an edge stays as it is.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from itertools import pairwise
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from toulmin.errors import InputError
from toulmin.evaluation.perturbation.edits import Edits
from toulmin.evaluation.perturbation.scorer import Rows, Triples, edges, groups
from toulmin.graph.classes import class_relation
from toulmin.graph.tables import Tables, literal_from_key
from toulmin.graph.times import PRECISIONS, TimeInterval, literal_interval
from toulmin.graph.types import Literal, LiteralKind

__all__ = ["KINDS"]

_Mask = NDArray[np.bool_]

_TRIES = 30
_LITERAL_KINDS: tuple[str, ...] = get_args(LiteralKind)
_LEAST = 8  # relations from which one is taken in the place of an edge's own
_ONE_VALUE = 0.95  # share of a relation's subjects that have one value, from which two of them contradict each other
_YEARS = 10  # a date is shifted by at most so many years (of a decade and longer periods: so many periods)
_YEAR = re.compile(r"[+-]?\d+")
_PERIODS = frozenset(list(PRECISIONS)[list(PRECISIONS).index("year") :])


def _chosen(possible: Rows, level: float, rng: np.random.Generator, needed: str) -> Rows:
    """A share of what can be changed.

    Args:
        needed: what a graph needs that can be changed so, to be told where there is none.

    Raises:
        InputError: nothing can be changed.
    """
    if not len(possible):
        raise InputError(f"the graph holds nothing to perturb so: it needs {needed}")
    return rng.permutation(possible)[: round(level * len(possible))]


def _edge_deletion(edits: Edits, level: float, rng: np.random.Generator) -> int:
    """Remove edges."""
    possible = edges(edits.tables)
    edits.kept[_chosen(possible, level, rng, "statements")] = False
    return len(possible)


def _settled(wrong: Callable[[], _Mask], again: Callable[[Rows], None]) -> _Mask:
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


def _relation_swapping(edits: Edits, level: float, rng: np.random.Generator) -> int:
    """Pair edges, and give each the relation of the other; only with entities, or only with values, as objects."""
    tables = edits.tables
    possible = edges(tables)
    shuffled = _chosen(possible, 1.0, rng, "statements")
    values = tables.object[shuffled] >= tables.n_entities
    for alike in (shuffled[~values], shuffled[values]):
        pairs = alike[: round(level * len(alike)) // 2 * 2].reshape(-1, 2)  # a view

        def wrong(pairs: Rows = pairs) -> _Mask:
            swapped, of = edits.relation[pairs[:, ::-1]], pairs.ravel()
            stated = edits.taken(of, edits.subject[of], swapped.ravel(), edits.object[of])
            return np.asarray((swapped[:, 0] == swapped[:, 1]) | stated.reshape(-1, 2).any(axis=1))

        def again(places: Rows, alike: Rows = alike) -> None:
            partners = rng.integers(0, len(alike) // 2, len(places) + 1)  # right pairs, or edges that are in none yet
            places = 2 * np.union1d(places, partners)
            places = np.concatenate([places, places + 1])
            alike[places] = alike[rng.permutation(places)]

        right = pairs[_settled(wrong, again)]
        edits.relation[right] = edits.relation[right[:, ::-1]]
    return len(possible)


def _relation_replacement(edits: Edits, level: float, rng: np.random.Generator) -> int:
    """Give edges the relation that the scorer finds least likely between their ends: argmin over r of s(v1, r, v2)."""
    possible = edges(edits.tables)
    rows = _chosen(possible, level, rng, "statements")
    subject, obj, present = edits.subject[rows], edits.object[rows], edits.relation[rows]
    ranked = edits.scorer.least_likely(subject, obj, _LEAST)
    place, every = np.zeros(len(rows), dtype=np.int64), np.arange(len(rows))

    def relation() -> Rows:
        return np.asarray(ranked[every, place % ranked.shape[1]])

    def again(places: Rows) -> None:
        place[places] += 1

    right = _settled(lambda: (relation() == present) | edits.taken(rows, subject, relation(), obj), again)
    edits.relation[rows[right]] = relation()[right]
    return len(possible)


def _edge_rewiring(edits: Edits, level: float, rng: np.random.Generator) -> int:
    """Give edges another object, which is no neighbour of the subject: an entity, or a value of the same kind."""
    tables = edits.tables
    possible = edges(tables)
    rows = _chosen(possible, level, rng, "statements")
    subject = edits.subject[rows]
    kinds, n = _node_kinds(tables), tables.n_nodes
    ends = (edits.subject, edits.object)
    neighbours = np.unique(np.concatenate([start * n + end for start, end in (ends, ends[::-1])]))
    obj = edits.object[rows]
    kind = kinds[obj]
    among = {number: np.flatnonzero(kinds == number) for number in np.unique(kind).tolist()}

    def wrong() -> _Mask:
        keys = subject * n + obj
        beside = neighbours[np.minimum(np.searchsorted(neighbours, keys), len(neighbours) - 1)] == keys
        return np.asarray(beside | (obj == subject) | edits.taken(rows, subject, edits.relation[rows], obj))

    def again(places: Rows) -> None:
        for number, nodes in among.items():
            at = places[kind[places] == number]
            obj[at] = rng.choice(nodes, len(at))

    right = _settled(wrong, again)
    edits.object[rows[right]] = obj[right]
    return len(possible)


def _node_kinds(tables: Tables) -> Rows:
    """A number for the kind of each node, int64[n_nodes]: 0 of entities; -1 of values that no edge leads to."""
    kinds = np.zeros(tables.n_nodes, dtype=np.int64)
    kinds[tables.n_entities :] = -1
    used = np.unique(tables.object[edges(tables)])
    values = used[used >= tables.n_entities]
    kinds[values] = [1 + _LITERAL_KINDS.index(literal_from_key(key).kind) for key in tables.keys.many(values)]
    return kinds


def _contradiction(edits: Edits, level: float, rng: np.random.Generator) -> int:
    """Beside statements add another one of another value, taken from elsewhere, with the same qualifiers.

    Of relations that give (nearly) every subject one value, such as a date of birth; of others it would contradict
    nothing. The statement itself stays.
    """
    tables = edits.tables
    rows = edges(tables)
    relation = edits.relation[rows]
    slot = groups(relation, edits.subject[rows])
    values = np.bincount(slot)
    n = len(tables.relations)
    alone = values[slot] == 1
    share = np.bincount(relation[alone], minlength=n) / np.maximum(_distinct(relation, slot, n), 1)
    possible = rows[
        alone & (share >= _ONE_VALUE)[relation] & (_distinct(relation, edits.object[rows], n) > 1)[relation]
    ]
    picked = _chosen(
        possible, level, rng, "relations that give each subject one value, and different ones to different ones"
    )
    # The statements of a relation, end to end.
    order = rows[np.argsort(relation, kind="stable")]
    starts = np.searchsorted(tables.relation[order], np.arange(n + 1))
    relations, obj = edits.relation[picked], edits.object[picked]

    def again(places: Rows) -> None:
        first, count = starts[relations[places]], starts[relations[places] + 1] - starts[relations[places]]
        obj[places] = tables.object[order[first + (rng.random(len(places)) * count).astype(np.int64)]]

    right = _settled(lambda: edits.taken(picked, edits.subject[picked], relations, obj), again)
    edits.add(picked[right], obj[right])
    return len(possible)


def _distinct(relation: Rows, values: Rows, n_relations: int) -> Rows:
    """How many distinct values stand beside each relation."""
    pairs = np.unique(np.stack([relation, values], axis=1), axis=0)
    return np.bincount(pairs[:, 0], minlength=n_relations)


def _date_shift(edits: Edits, level: float, rng: np.random.Generator) -> int:
    """Move dates, of objects and of qualifiers, by one to ten years either way, at their own precision."""
    tables = edits.tables
    times = _times(tables)
    objects = np.flatnonzero(np.isin(tables.object, list(times)))
    qualifiers = np.flatnonzero(np.isin(tables.qualifier_value, list(times)))
    places = _chosen(
        np.arange(len(objects) + len(qualifiers)), level, rng, "dates that are values (`build --literals`)"
    )
    years = rng.integers(1, _YEARS + 1, len(places)) * rng.choice([-1, 1], len(places))
    for place, by in zip(places.tolist(), years.tolist(), strict=True):
        if place < len(objects):
            row = objects[place]
            edits.object[row] = edits.value(_shifted(times[int(tables.object[row])][0], by))
        else:
            at = qualifiers[place - len(objects)]
            edits.qualifier_value[at] = edits.value(_shifted(times[int(tables.qualifier_value[at])][0], by))
    return len(objects) + len(qualifiers)


def _times(tables: Tables) -> dict[int, tuple[Literal, TimeInterval]]:
    """The dates among the nodes."""
    numbers = np.arange(tables.n_entities, tables.n_nodes)
    literals = map(literal_from_key, tables.keys.many(numbers))
    numbered = zip(numbers.tolist(), literals, strict=True)
    return {
        number: (literal, interval)
        for number, literal in numbered
        if literal.kind == "time" and (interval := literal_interval(literal)) is not None
    }


def _shifted(literal: Literal, by: int) -> Literal:
    period = PRECISIONS[literal.precision] if literal.precision in _PERIODS else 1

    def year(match: re.Match[str]) -> str:
        new = int(match[0]) + by * period
        return f"{'-' if new < 0 else ''}{abs(new):04}"

    text = _YEAR.sub(year, literal.value, count=1)
    moved = replace(literal, value=text)
    if literal_interval(moved) is None:  # 29 February
        moved = replace(literal, value=text.replace("-02-29", "-02-28"))
    return moved


def _stale_value(edits: Edits, level: float, rng: np.random.Generator) -> int:
    """Take the newest of several dated values away; the one before it no longer ends.

    Statements of one subject and relation are ordered by the first date of their qualifiers; an end is the last of
    several dates.
    """
    tables = edits.tables
    times, starts = _times(tables), tables.qualifier_start
    dated: dict[tuple[int, int], list[tuple[int, int, list[int]]]] = defaultdict(list)
    for row in np.flatnonzero(np.diff(starts)).tolist():
        at = [place for place in range(starts[row], starts[row + 1]) if int(tables.qualifier_value[place]) in times]
        if at:
            at.sort(key=lambda place: times[int(tables.qualifier_value[place])][1].start)
            begin = times[int(tables.qualifier_value[at[0]])][1].start
            dated[int(tables.subject[row]), int(tables.relation[row])].append((begin, row, at))
    stale = [sorted(values)[-2:] for values in dated.values() if len({begin for begin, *_ in values}) > 1]
    stale = [pair for pair in stale if pair[0][0] < pair[1][0]]
    for place in _chosen(
        np.arange(len(stale)), level, rng, "several values of one relation, dated by qualifiers"
    ).tolist():
        (_, _, at), (_, newest, _) = stale[place]
        edits.kept[newest] = False
        if len(at) > 1:
            edits.qualifier_kept[at[-1]] = False
    return len(stale)


def _entity_merge(edits: Edits, level: float, rng: np.random.Generator) -> int:
    """Take an entity for another one of its kind that stands beside it in the alphabet, with all that is said of both.

    Two entities are of a kind where they are instances of the same class; of those without a class, where the same
    relation, as its subject or as its object, is the most frequent of each.
    """
    tables = edits.tables
    triples = Triples.of(tables)
    node, slot = triples.ends()
    pairs, count = np.unique(np.stack([node, slot], axis=1), axis=0, return_counts=True)
    order = np.lexsort((-count, pairs[:, 0]))
    node, first = np.unique(pairs[order, 0], return_index=True)
    kind = dict(zip(node.tolist(), pairs[order[first], 1].tolist(), strict=True))
    classes = [number for number, relation in enumerate(tables.relations) if class_relation(relation) == "instance"]
    typed = np.isin(triples.relation, classes)
    kind.update(zip(triples.subject[typed].tolist(), (-1 - triples.object[typed]).tolist(), strict=True))
    relations = {relation.id for relation in tables.relations}
    entities = np.array(
        [number for number in kind if number < tables.n_entities and not tables.machine[number]], np.int64
    )
    labels, ids = tables.labels.many(entities), tables.keys.many(entities)
    in_order = sorted(
        (kind[number], label.casefold(), number)
        for number, label, identifier in zip(entities.tolist(), labels, ids, strict=True)
        if identifier not in relations
    )
    alike = [(left_[2], right[2]) for left_, right in list(pairwise(in_order))[::2] if left_[0] == right[0]]
    into = np.arange(tables.n_nodes)
    for place in _chosen(np.arange(len(alike)), level, rng, "two entities of one kind").tolist():
        target, merged = alike[place]
        into[merged] = target
        edits.merged[merged] = target
    edits.subject, edits.object = into[edits.subject], into[edits.object]
    edits.qualifier_value = into[edits.qualifier_value]
    return len(alike)


def _hostile_label(edits: Edits, level: float, rng: np.random.Generator) -> int:
    """Write instructions to a language model into labels; the label itself stays in front, and as another name."""
    tables = edits.tables
    possible = np.flatnonzero(~tables.machine[: tables.n_entities])
    picked = _chosen(possible, level, rng, "entities with names")
    text = (files(__package__) / "hostile_labels.jsonl").read_text("utf-8")
    forms = [json.loads(line) for line in text.splitlines()]
    named, form = rng.choice(possible, len(picked)), rng.integers(0, len(forms), len(picked))
    labels = zip(picked.tolist(), tables.labels.many(picked), tables.labels.many(named), form.tolist(), strict=True)
    for number, label, name, which in labels:
        edits.renamed[number] = forms[which].replace("{label}", label).replace("{other}", name)
    return len(possible)


#: Each writes into edits, and returns how many things could be changed so. The random numbers of a perturbation depend
#: on the place of its kind here.
KINDS: dict[str, Callable[[Edits, float, np.random.Generator], int]] = {
    "relation-swapping": _relation_swapping,
    "relation-replacement": _relation_replacement,
    "edge-rewiring": _edge_rewiring,
    "edge-deletion": _edge_deletion,
    "contradiction": _contradiction,
    "date-shift": _date_shift,
    "stale-value": _stale_value,
    "entity-merge": _entity_merge,
    "hostile-label": _hostile_label,
}
