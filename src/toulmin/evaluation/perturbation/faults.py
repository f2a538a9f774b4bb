"""Faults that graphs have in use, and that the papers do not try: what a second source, age and strangers do to one.

A level is the share of what a kind can change, in random order: a lower level changes some of that of a higher one.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import replace
from importlib.resources import files
from itertools import pairwise

import numpy as np

from toulmin.evaluation.perturbation.edges import Rows, Triples, edges, groups
from toulmin.evaluation.perturbation.edits import Edits
from toulmin.evaluation.perturbation.heuristics import Mask, chosen, settled
from toulmin.graph.classes import class_relation
from toulmin.graph.tables import Tables, literal_from_key
from toulmin.graph.times import PRECISIONS, TimeInterval, literal_interval
from toulmin.graph.types import Literal

__all__ = ["contradiction", "date_shift", "entity_merge", "hostile_label", "stale_value"]

_ONE_VALUE = 0.95  # share of a relation's subjects that have one value, from which two of them contradict each other
_YEARS = 10  # a date is shifted by at most so many years (of a decade and longer periods: so many periods)
_YEAR = re.compile(r"[+-]?\d+")


def contradiction(edits: Edits, level: float, rng: np.random.Generator) -> int:
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
    picked = chosen(
        possible, level, rng, "relations that give each subject one value, and different ones to different ones"
    )
    # The statements of a relation, end to end.
    order = rows[np.argsort(relation, kind="stable")]
    starts = np.searchsorted(tables.relation[order], np.arange(n + 1))
    relations, obj = edits.relation[picked], edits.object[picked]

    def wrong() -> Mask:
        return edits.taken(picked, edits.subject[picked], relations, obj)

    def again(places: Rows) -> None:
        first, count = starts[relations[places]], starts[relations[places] + 1] - starts[relations[places]]
        obj[places] = tables.object[order[first + (rng.random(len(places)) * count).astype(np.int64)]]

    right = settled(wrong, again)
    edits.add(picked[right], obj[right])
    return len(possible)


def _distinct(relation: Rows, values: Rows, n_relations: int) -> Rows:
    """How many distinct values stand beside each relation."""
    pairs = np.unique(np.stack([relation, values], axis=1), axis=0)
    return np.bincount(pairs[:, 0], minlength=n_relations)


def date_shift(edits: Edits, level: float, rng: np.random.Generator) -> int:
    """Move dates, of objects and of qualifiers, by one to ten years either way, at their own precision."""
    tables = edits.tables
    times = _times(tables)
    objects = np.flatnonzero(np.isin(tables.object, list(times)))
    qualifiers = np.flatnonzero(np.isin(tables.qualifier_value, list(times)))
    places = chosen(np.arange(len(objects) + len(qualifiers)), level, rng, "dates that are values (`build --literals`)")
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


_PERIODS = frozenset(list(PRECISIONS)[list(PRECISIONS).index("year") :])


def stale_value(edits: Edits, level: float, rng: np.random.Generator) -> int:
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
    for place in chosen(
        np.arange(len(stale)), level, rng, "several values of one relation, dated by qualifiers"
    ).tolist():
        (_, _, at), (_, newest, _) = stale[place]
        edits.kept[newest] = False
        if len(at) > 1:
            edits.qualifier_kept[at[-1]] = False
    return len(stale)


def entity_merge(edits: Edits, level: float, rng: np.random.Generator) -> int:
    """Take an entity for another one of its kind that stands beside it in the alphabet, with all that is said of both.

    Two entities are of a kind where they are instances of the same class; of those without a class, where the same
    relation, as its subject or as its object, is the most frequent of each.
    """
    tables = edits.tables
    triples = Triples.of(tables)
    node = np.concatenate([triples.subject, triples.object])
    slot = np.concatenate([triples.relation, triples.relation + triples.n_relations])
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
    for place in chosen(np.arange(len(alike)), level, rng, "two entities of one kind").tolist():
        target, merged = alike[place]
        into[merged] = target
        edits.merged[merged] = target
    edits.subject, edits.object = into[edits.subject], into[edits.object]
    edits.qualifier_value = into[edits.qualifier_value]
    return len(alike)


def hostile_label(edits: Edits, level: float, rng: np.random.Generator) -> int:
    """Write instructions to a language model into labels; the label itself stays in front, and as another name."""
    tables = edits.tables
    possible = np.flatnonzero(~tables.machine[: tables.n_entities])
    picked = chosen(possible, level, rng, "entities with names")
    text = (files(__package__) / "hostile_labels.jsonl").read_text("utf-8")
    forms = [json.loads(line) for line in text.splitlines()]
    named, form = rng.choice(possible, len(picked)), rng.integers(0, len(forms), len(picked))
    labels = zip(picked.tolist(), tables.labels.many(picked), tables.labels.many(named), form.tolist(), strict=True)
    for number, label, name, which in labels:
        edits.renamed[number] = forms[which].replace("{label}", label).replace("{other}", name)
    return len(possible)
