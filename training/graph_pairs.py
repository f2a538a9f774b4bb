"""Statement-sentence pairs of graphs: for training of MetaQA, the bundled graph and made-up statements; for testing of
PathQuestion's genealogies, in wordings that training never uses."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from near_misses import NearMisses, Triple, single_valued
from nli_data import Pair
from relations import Relation, relation_table, relations_by_label
from typed_names import new_object, typed_names
from value_forms import MONTHS

__all__ = ["Triple", "graph_pairs", "made_up_pairs", "single_valued", "training_graph_pairs", "unseen_graph_pairs"]

_FILM_RELATIONS = {"directed_by", "has_genre", "in_language", "release_year", "starred_actors", "written_by"}
_MADE_UP = 0.6  # share of the training pairs
_SUBJECTS, _PER_RELATION = 24, 32  # of each kind, and statements of each relation, in one made-up graph


@lru_cache(maxsize=8)
def _metaqa(root: Path) -> list[Triple]:
    rows = [line.split("|") for line in (root / "metaqa" / "kb.txt").read_text("utf-8").splitlines()]
    kinds = {"release_year": "time"}
    return [Triple(s, r.replace("_", " "), o, kinds.get(r, "entity")) for s, r, o in rows if r in _FILM_RELATIONS]


@lru_cache(maxsize=1)
def _bundled() -> list[Triple]:
    import toulmin.graph.bundled as bundled

    lines = (Path(bundled.__file__).parent / "world.jsonl").read_text("utf-8").splitlines()
    records = [json.loads(line) for line in lines]
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
        return f"{parts[2]} {MONTHS[parts[1] - 1]} {parts[0]}"
    return f"{MONTHS[parts[1] - 1]} {parts[0]}" if len(parts) == 2 else str(parts[0])


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


def graph_pairs(triples: Sequence[Triple], count: int, rng: np.random.Generator, *, test: bool) -> list[Pair]:
    """``count`` pairs of one graph; with ``test``, in the wordings kept for it."""
    table = relations_by_label({triple.relation for triple in triples})
    return _pairs(triples, single_valued(triples), table, count, rng, test=test)


def _pairs(
    triples: Sequence[Triple],
    single: Mapping[str, bool],
    table: Mapping[str, Relation],
    count: int,
    rng: np.random.Generator,
    *,
    test: bool,
) -> list[Pair]:
    maker = NearMisses(triples, single, table, rng, test=test)
    by_relation: dict[str, list[Triple]] = defaultdict(list)
    for triple in triples:
        if triple.subject != triple.object:
            by_relation[triple.relation].append(triple)
    relations = sorted(by_relation)
    weights = np.array([len(by_relation[name]) for name in relations], dtype=float) ** 0.5  # rare relations too
    out: list[Pair] = []
    while len(out) < count:
        chosen = by_relation[relations[rng.choice(len(relations), p=weights / weights.sum())]]
        pair = maker.pair(chosen[int(rng.integers(len(chosen)))])
        if pair is not None:
            out.append(pair)
    return out


def made_up_pairs(root: Path, count: int, rng: np.random.Generator) -> list[Pair]:
    """Pairs of statements that no graph holds: every relation of the table, with names of the right kinds."""
    names = typed_names(root)
    table: dict[str, Relation] = {}
    for relation in rng.permutation(np.array(relation_table(), dtype=object)):
        label = str(rng.choice(relation.labels))
        table.setdefault(label, relation)
    pools = {kind: rng.choice(names[kind], _SUBJECTS) for relation in table.values() for kind in relation.subjects}
    triples: dict[Triple, None] = {}
    for label, relation in table.items():
        objects = [new_object(relation.object, names, rng) for _ in range(_PER_RELATION)]
        for value, kind in objects:
            subject = str(rng.choice(pools[str(rng.choice(relation.subjects))]))
            triples[Triple(subject, label, str(value), kind)] = None
    single = {label: relation.single for label, relation in table.items()}
    return _pairs(list(triples), single, table, count, rng, test=False)


def training_graph_pairs(root: Path, count: int, seed: int) -> list[Pair]:
    """Pairs of made-up statements, of MetaQA's films and of the bundled graph."""
    rng = np.random.default_rng(seed)
    made_up = int(count * _MADE_UP)
    world = (count - made_up) * 6 // 10
    out = graph_pairs(_bundled(), world, rng, test=False)
    out += graph_pairs(_metaqa(root), count - made_up - world, rng, test=False)
    for size in np.diff(np.linspace(0, made_up, 5).astype(int)):  # several made-up graphs: more names
        out += made_up_pairs(root, int(size), rng)
    return out


def unseen_graph_pairs(root: Path, count: int, seed: int) -> list[Pair]:
    """Pairs of PathQuestion's genealogies: neither the graph nor the wordings are in training."""
    return graph_pairs(_pathquestion(root), count, np.random.default_rng(seed), test=True)
