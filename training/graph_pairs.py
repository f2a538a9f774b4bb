"""Statement-sentence pairs made from graphs: true wordings, and near misses of each kind.

A premise is a statement as it is laid before the scorer ("Paris: country: France."), a hypothesis is a sentence by a
template. A changed object or date contradicts only where the graph's own statistics say that the relation has one
value; elsewhere it is neutral. The templates' last wording of each relation is kept for testing.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from nli_data import Pair
from wordings import GENERIC, PASSIVE_NEGATION, WORDINGS

__all__ = ["Triple", "graph_pairs", "single_valued", "training_graph_pairs", "unseen_graph_pairs"]

_ONE_VALUE = 0.9  # share of subjects with one object from which on a relation counts as having one value
_KIND_SHARE = {"true": 0.36, "object": 0.26, "subject": 0.08, "direction": 0.1, "negation": 0.12, "relation": 0.08}
_COARSER = 0.3  # share of true dates of which only the year is said
_UNITS = {"metre": "kilometres", "kilometre": "miles", "kilogram": "tonnes", "metre ** 2": "hectares"}
_MONTHS = "January February March April May June July August September October November December".split()


@dataclass(frozen=True, slots=True)
class Triple:
    """A statement in words. ``kind`` of its object: "entity", "time" or "quantity"."""

    subject: str
    relation: str
    object: str
    kind: str = "entity"


@lru_cache(maxsize=8)
def _metaqa(root: Path) -> list[Triple]:
    rows = [line.split("|") for line in (root / "metaqa" / "kb.txt").read_text("utf-8").splitlines()]
    kinds = {"release_year": "time"}
    return [Triple(s, r.replace("_", " "), o, kinds.get(r, "entity")) for s, r, o in rows if r in _FILM_RELATIONS]


_FILM_RELATIONS = {"directed_by", "has_genre", "in_language", "release_year", "starred_actors", "written_by"}


def _bundled() -> list[Triple]:
    import json

    import toulmin.graph.bundled as bundled

    records = [
        json.loads(line) for line in (Path(bundled.__file__).parent / "world.jsonl").read_text("utf-8").splitlines()
    ]
    labels = {record["id"]: record["label"] for record in records if "label" in record}
    out = []
    for record in records:
        if "relation" not in record or record["subject"] not in labels:
            continue
        worded = _worded(record["object"], labels)
        if worded:
            out.append(Triple(labels[record["subject"]], labels[record["relation"]], *worded))
    return out


def _worded(value: object, labels: Mapping[str, str]) -> tuple[str, str] | None:
    if isinstance(value, str):
        return (labels[value], "entity") if value in labels else None
    if isinstance(value, dict) and "time" in value and re.fullmatch(r"\d{4}(-\d\d){0,2}", str(value["time"])):
        return _date(str(value["time"])), "time"
    if isinstance(value, dict) and "quantity" in value:
        return f"{value['quantity']} {value.get('unit') or ''}".strip(), "quantity"
    return None


def _date(iso: str) -> str:
    parts = [int(part) for part in iso.split("-")]
    if len(parts) == 3:
        return f"{parts[2]} {_MONTHS[parts[1] - 1]} {parts[0]}"
    return f"{_MONTHS[parts[1] - 1]} {parts[0]}" if len(parts) == 2 else str(parts[0])


def _pathquestion(root: Path) -> list[Triple]:
    lines: set[str] = set()
    for name in ("2H-kb.txt", "3H-kb.txt"):
        lines |= set((root / "pathquestion" / name).read_text("utf-8").splitlines())
    rows = [line.split("\t") for line in sorted(lines)]
    return [Triple(_name(s), r.replace("_", " "), _name(o)) for s, r, o in rows]


def _name(identifier: str) -> str:
    small = {"of", "the", "and", "de", "von", "di", "du", "la"}
    words = identifier.split("_")
    return " ".join(w.upper() if set(w) <= set("ivx") else w if w in small else w.capitalize() for w in words)


def single_valued(triples: Sequence[Triple]) -> dict[str, bool]:
    """For each relation, whether nearly all its subjects have one object."""
    objects = Counter((t.subject, t.relation) for t in set(triples))
    subjects, single = Counter[str](), Counter[str]()
    for (_, relation), number in objects.items():
        subjects[relation] += 1
        single[relation] += number == 1
    return {relation: single[relation] / number >= _ONE_VALUE for relation, number in subjects.items()}


def graph_pairs(triples: Sequence[Triple], count: int, rng: np.random.Generator, *, test: bool) -> list[Pair]:
    """``count`` pairs of one graph; with ``test``, in the wordings kept for it."""
    maker = _Maker(triples, rng, test=test)
    by_relation: dict[str, list[Triple]] = defaultdict(list)
    for triple in triples:
        if triple.subject != triple.object:
            by_relation[triple.relation].append(triple)
    relations = sorted(by_relation)
    weights = np.array([len(by_relation[name]) for name in relations], dtype=float) ** 0.5  # rare relations too
    out: list[Pair] = []
    while len(out) < count:
        relation = relations[rng.choice(len(relations), p=weights / weights.sum())]
        triple = by_relation[relation][rng.integers(len(by_relation[relation]))]
        kind = str(rng.choice(list(_KIND_SHARE), p=list(_KIND_SHARE.values())))
        pair = maker.pair(triple, kind)
        if pair is not None:
            out.append(pair)
    return out


class _Maker:
    def __init__(self, triples: Sequence[Triple], rng: np.random.Generator, *, test: bool) -> None:
        self._rng, self._test = rng, test
        self._known = {(t.subject, t.relation, t.object) for t in triples}
        self._one = single_valued(triples)
        self._objects: dict[str, list[str]] = defaultdict(list)
        for t in triples:
            self._objects[t.relation].append(t.object)
        self._subjects = [t.subject for t in triples]
        self._relations = sorted(self._objects)

    def pair(self, triple: Triple, kind: str) -> Pair | None:
        made = {
            "true": self._true,
            "object": self._other_object,
            "subject": self._other_subject,
            "direction": self._swapped,
            "negation": self._negated,
            "relation": self._other_relation,
        }[kind](triple)
        if made is None:
            return None
        sentence, label = made
        part = "test" if self._test else ("calibrate" if self._rng.random() < 0.08 else "train")
        return Pair(self._premise(triple), sentence, label, "graph", part)

    def _premise(self, t: Triple) -> str:
        forms = (f"{t.subject}: {t.relation}: {t.object}.", f"{t.subject} {t.relation} {t.object}.")
        if self._test or self._rng.random() < 0.7:
            return forms[0]
        return forms[1] if self._rng.random() < 0.6 else self._sentence(t)

    def _sentence(self, t: Triple) -> str:
        worded = WORDINGS.get(t.relation, ())
        choices = (*worded[:-1], *GENERIC[:-1]) if not self._test else (worded[-1:] or GENERIC[-1:])
        if not self._test and worded and self._rng.random() < 0.75:
            choices = worded[:-1]
        chosen = str(self._rng.choice(choices))
        return chosen.format(s=t.subject, r=t.relation, o=t.object)

    def _true(self, t: Triple) -> tuple[str, int]:
        if t.kind == "time" and self._rng.random() < _COARSER:  # a day entails its year
            t = Triple(t.subject, t.relation, t.object.split(" ")[-1], t.kind)
        return self._sentence(t), 0

    def _other_object(self, t: Triple) -> tuple[str, int] | None:
        label = 2 if self._one[t.relation] or t.kind == "quantity" else 1
        if t.kind == "time":
            return self._sentence(Triple(t.subject, t.relation, self._other_date(t.object), t.kind)), label
        if t.kind == "quantity":
            number, _, unit = t.object.partition(" ")
            if unit in _UNITS and self._rng.random() < 0.4:
                return self._sentence(Triple(t.subject, t.relation, f"{number} {_UNITS[unit]}", t.kind)), 2
            other = f"{float(number) * float(self._rng.choice([0.5, 0.8, 1.1, 1.3, 2, 10])):.6g}"
            return self._sentence(Triple(t.subject, t.relation, f"{other} {unit}".strip(), t.kind)), 2
        other = str(self._rng.choice(self._objects[t.relation]))
        if (t.subject, t.relation, other) in self._known or other == t.subject:
            return None
        return self._sentence(Triple(t.subject, t.relation, other)), label

    def _other_date(self, date: str) -> str:
        *rest, year = date.split(" ")
        moved = int(year) + int(self._rng.choice([-1, 1])) * int(self._rng.choice([1, 2, 3, 7, 10, 20, 50, 100]))
        if rest and self._rng.random() < 0.3:
            return " ".join([*rest[:-1], str(self._rng.choice([m for m in _MONTHS if m != rest[-1]])), year])
        return " ".join([*rest, str(moved)])

    def _other_subject(self, t: Triple) -> tuple[str, int] | None:
        other = str(self._rng.choice(self._subjects))
        if (other, t.relation, t.object) in self._known or other in (t.subject, t.object):
            return None
        return self._sentence(Triple(other, t.relation, t.object, t.kind)), 1

    def _swapped(self, t: Triple) -> tuple[str, int] | None:
        symmetric = (t.object, t.relation, t.subject) in self._known or t.relation == "spouse"
        if t.kind != "entity" or symmetric:
            return None
        return self._sentence(Triple(t.object, t.relation, t.subject)), 2

    def _negated(self, t: Triple) -> tuple[str, int] | None:
        sentence = self._sentence(t)
        negated = re.sub(PASSIVE_NEGATION, r"\1 not", sentence, count=1)
        return (negated, 2) if negated != sentence else None

    def _other_relation(self, t: Triple) -> tuple[str, int] | None:
        other = str(self._rng.choice(self._relations))
        if other == t.relation or (t.subject, other, t.object) in self._known:
            return None
        if t.object not in self._objects[other] and t.kind != "time":
            return None
        return self._sentence(Triple(t.subject, other, t.object, t.kind)), 1


def training_graph_pairs(root: Path, count: int, seed: int) -> list[Pair]:
    """Pairs of MetaQA's films and of the bundled graph, half of each."""
    rng = np.random.default_rng(seed)
    half = count // 2
    films, world = _metaqa(root), _bundled()
    return graph_pairs(films, half, rng, test=False) + graph_pairs(world, count - half, rng, test=False)


def unseen_graph_pairs(root: Path, count: int, seed: int) -> list[Pair]:
    """Pairs of PathQuestion's genealogies: neither the graph nor the wordings are in training."""
    return graph_pairs(_pathquestion(root), count, np.random.default_rng(seed), test=True)
