"""Questions beside the utterances of what they mean, and of what they do not: what the reader is trained on.

Three sources: the worlds of ``training/domains``, Overnight (canonical utterances of its own grammar), WikiSQL (SQL as
logical forms over a table's columns). Wrong utterances are near misses (``near_forms.py``); of Overnight the nearest of
the same domain, by MiniLM.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from hashlib import blake2b
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np

from asked_relations import asked_draws
from domains import Domain, domains
from listed_questions import listed_questions, mistaken_rows
from near_forms import Surroundings, near_forms, turned_forms
from stated_questions import stated_draws
from toulmin.graph.types import Entity, Literal
from toulmin.graph.values import literal_from_text
from toulmin.methods.reader.forms import (
    Condition,
    Constant,
    Counted,
    Form,
    Hop,
    Join,
    Key,
    Kind,
    Measured,
    Restricted,
    Tabled,
    Things,
    walk,
)
from toulmin.methods.reader.utterances import utterance
from toulmin.retrieval.statement_words import relation_text

__all__ = [
    "OVERNIGHT",
    "Group",
    "Source",
    "listed",
    "offered",
    "overnight",
    "sql_questions",
    "sql_records",
    "stated",
    "table_parts",
    "wikisql",
    "worlds",
]

OVERNIGHT = ("basketball", "blocks", "calendar", "recipes", "restaurants", "socialnetwork")
_TRIES = 60  # near misses drawn for one question, at most
_TURNED = 0.6  # of the forms with a hop the other way
_LISTED = 30  # questions for rows, of each world
_BARE = 0.3  # of the groups that are worded without classes


@dataclass(frozen=True, slots=True)
class Group:
    """A question with utterances, of which the first ``right`` mean it."""

    question: str
    utterances: tuple[str, ...]
    right: int = 1


@dataclass(frozen=True)
class Source:
    """Questions of one kind, each with what draws its group anew."""

    name: str
    draws: Sequence[Callable[[random.Random, int], Group]]


def _drawn(question: str, form: Form, around: Surroundings) -> Callable[[random.Random, int], Group]:
    """A group of the form and near misses."""

    def draw(rng: random.Random, size: int) -> Group:
        bare = rng.random() < _BARE
        right = utterance(without_classes(form) if bare else form)
        wrong: dict[str, None] = {}
        turned = [near for near in turned_forms(form) if rng.random() < _TURNED]
        for near in chain(turned[:3], islice(near_forms(form, around, rng), _TRIES)):
            text = utterance(without_classes(near) if bare else near)
            if text != right:
                wrong[text] = None
            if len(wrong) == size - 1:
                break
        return Group(question, (right, *wrong))

    return draw


def without_classes(part: Any) -> Any:
    """A form as it reads over a graph that says of nothing what it is: "thing whose mentor is X"."""
    if isinstance(part, Hop):
        return replace(part, near="", far="")
    if isinstance(part, tuple):
        return tuple(map(without_classes, part))
    if not is_dataclass(part) or isinstance(part, Entity | Literal | Kind):
        return part
    return replace(part, **{field.name: without_classes(getattr(part, field.name)) for field in fields(part)})  # type: ignore[type-var]


def _unanswerable(question: str, others: Sequence[Form], around: Surroundings) -> Callable[[random.Random, int], Group]:
    """A group of forms of the same world, none of which means the question; those with its names first."""
    named = [form for form in others if any(name.text.lower() in question.lower() for name in _names(form))]

    def draw(rng: random.Random, size: int) -> Group:
        pool = named or list(others)
        wrong: dict[str, None] = {}
        for _ in range(_TRIES):
            form = rng.choice(pool if rng.random() < 0.8 else list(others))
            wrong[utterance(next(near_forms(form, around, rng)) if rng.random() < 0.5 else form)] = None
            if len(wrong) == size:
                break
        return Group(question, tuple(wrong), right=0)

    return draw


def _names(form: Form) -> list[Constant]:
    return [part for part in walk(form) if isinstance(part, Constant)]


def surroundings(domain: Domain) -> Surroundings:
    """What a world has."""
    hops = []
    for row in domain.relations.values():
        far = row.range if row.range in domain.classes else ""
        hop = Hop(relation_text(row.label), False, (row.label,), row.domain, far)
        hops += [hop, hop.turned()] if far else [hop]
    kinds = [Kind(label, Entity(label, label)) for label in domain.classes]
    named = [Constant(name, Entity(name, name), name=name) for name in domain.things]
    return Surroundings(hops, kinds, named, list(domain.qualifiers))


def worlds(folder: Path, keep: Callable[[str], bool] = lambda name: True) -> Source:
    """The questions of made-up worlds."""
    draws = []
    for domain in domains(folder):
        if not keep(domain.name):
            continue
        around = surroundings(domain)
        forms = [example.form for example in domain.examples if example.form is not None]
        for example in domain.examples:
            for question in example.questions:
                if example.form is not None:
                    draws.append(_drawn(question, example.form, around))
                else:
                    draws.append(_unanswerable(question, forms, around))
    return Source("worlds", draws)


def listed(folder: Path, keep: Callable[[str], bool] = lambda name: True) -> Source:
    """Questions for rows of made-up worlds."""
    draws, rng = list[Callable[[random.Random, int], Group]](), random.Random(0)

    def of(question: str, form: Tabled, around: Surroundings) -> Callable[[random.Random, int], Group]:
        kind = form.columns[0].path[0].near

        def draw(rng: random.Random, size: int) -> Group:
            mistaken = mistaken_rows(form, [h for h in around.hops if h.near == kind and not h.backward], rng)
            others = chain(mistaken, islice(near_forms(form, around, rng), _TRIES))
            wrong = dict.fromkeys(utterance(other) for other in others)
            return Group(question, (utterance(form), *islice(wrong, size - 1)))

        return draw

    for domain in domains(folder):
        if keep(domain.name):
            around = surroundings(domain)
            draws += [of(*made, around) for made in islice(listed_questions(domain, rng), _LISTED)]
    return Source("listed", draws)


def stated() -> Source:
    """Questions made of sentences that state a relation."""

    def of(made: Callable[[random.Random, int], tuple[str, tuple[str, ...]]]) -> Callable[[random.Random, int], Group]:
        return lambda rng, size: Group(*made(rng, size))

    return Source("stated", [of(made) for made in stated_draws()])


def asked(folder: Path) -> Source:
    """Questions along relations in either direction, in words of their own."""

    def of(
        made: Callable[[random.Random, int], tuple[str, tuple[str, ...], int]],
    ) -> Callable[[random.Random, int], Group]:
        return lambda rng, size: Group(*made(rng, size))

    return Source("asked", [of(made) for made in asked_draws(folder)])


def offered(path: Path) -> Iterator[tuple[str, Group]]:
    """What the grammar offered for questions (``reader_candidates.py``, ``table_candidates.py``), with their worlds.

    Where it did not offer what a question means, that is put in: nothing else tells that from what nothing means.
    """
    with path.open(encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            gold = [record["gold"]] if record.get("gold") else []
            right, wrong = record["right"][:3] or gold, record["wrong"]
            if len(wrong) > 2:
                yield record["world"], Group(record["question"], (*right, *wrong), right=len(right))


# -- WikiSQL ---------------------------------------------------------------------------------------------------------


def table_parts(header: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[Surroundings, Kind]:
    """What a table has, as logical forms name it."""
    kind = Kind("row")
    hops = [Hop(label, near="row") for label in header]
    cells = [cell for row in rows[:12] for cell in row]
    return Surroundings(hops, [kind], [Constant(cell, Literal(cell)) for cell in cells if cell]), kind


def sql_form(record: dict[str, Any], kind: Kind) -> Form:
    """The logical form of a question's SQL."""
    conditions = []
    for column, do, value in record["conditions"]:
        node = literal_from_text(str(value)) or Literal(str(value))
        conditions.append(Condition(Key((Hop(column, near="row"),)), do, (Constant(str(value), node),)))
    rows: Form = Things(kind)
    if conditions:
        rows = Restricted(rows, tuple(conditions))
    hop = Hop(record["column"], near="row")
    match record["aggregate"]:
        case None:
            return Join(rows, hop)
        case "COUNT":
            return Counted(rows if conditions else Join(rows, hop))
        case name:
            do = {"MAX": "max", "MIN": "min", "AVG": "mean", "SUM": "sum"}[name]
            return Measured(do, rows, (hop,))  # type: ignore[arg-type]


def sql_records(folder: Path, *, held_out: bool, seed: int = 0) -> list[dict[str, Any]]:
    """WikiSQL's questions in random order; a tenth of the tables, by the digest of their id, is held out."""
    with gzip.open(folder / "questions.jsonl.gz", "rt", encoding="utf-8") as lines:
        records = [record for record in map(json.loads, lines) if is_held_out(record["table"]) == held_out]
    random.Random(seed).shuffle(records)
    return records


def sql_questions(folder: Path, *, held_out: bool) -> Iterator[tuple[str, Form]]:
    """WikiSQL's questions with their forms."""
    for record in sql_records(folder, held_out=held_out):
        yield record["question"], sql_form(record, Kind("row"))


def wikisql(folder: Path, *, held_out: bool, limit: int | None = None, seed: int = 0) -> Source:
    """Questions over tables."""
    with gzip.open(folder / "tables.jsonl.gz", "rt", encoding="utf-8") as lines:
        tables = {table["id"]: table for table in map(json.loads, lines)}
    records = sql_records(folder, held_out=held_out, seed=seed)
    draws = []
    for record in records[:limit]:
        table = tables[record["table"]]
        around, kind = table_parts(table["header"], table["rows"])
        draws.append(_drawn(record["question"], sql_form(record, kind), around))
    return Source("wikisql", draws)


def is_held_out(table: str) -> bool:
    """Whether a table is not trained on."""
    return blake2b(table.encode(), digest_size=2).digest()[0] < 26


# -- Overnight -------------------------------------------------------------------------------------------------------


def overnight(folder: Path, names: Sequence[str]) -> Source:
    """Questions and canonical utterances; wrong ones are the same domain's, the nearer the oftener."""
    draws: list[Callable[[random.Random, int], Group]] = []
    for name in names:
        lines = (folder / f"{name}.tsv").read_text("utf-8").splitlines()
        pairs = [line.split("\t")[:2] for line in lines if line.count("\t") >= 2]
        canonical = list(dict.fromkeys(pair[1] for pair in pairs))
        near = _nearest(canonical)
        place = {text: number for number, text in enumerate(canonical)}
        for question, right in pairs:
            draws.append(_overnight(question, right, canonical, near[place[right]]))
    return Source("overnight", draws)


def _nearest(texts: Sequence[str]) -> np.ndarray:
    from toulmin.retrieval.embedders import get_embedder

    vectors = get_embedder().embed(list(texts))
    order = np.argsort(-(vectors @ vectors.T), axis=1)
    return np.asarray(order[:, 1:41])


def _overnight(
    question: str, right: str, canonical: Sequence[str], near: Sequence[int]
) -> Callable[[random.Random, int], Group]:
    def draw(rng: random.Random, size: int) -> Group:
        wrong: dict[str, None] = {}
        while len(wrong) < size - 1:
            other = canonical[
                near[int(len(near) * rng.random() ** 1.5)] if rng.random() < 0.85 else rng.randrange(len(canonical))
            ]
            if other != right:
                wrong[other] = None
        return Group(question, (right, *wrong))

    return draw
