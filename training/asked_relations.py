"""Questions along relations in either direction, in other words than the relations' own (``asked_relations/*.txt``).

Each group of a file is what one trade's data tell, most of it between things of one kind; each question asks for one
end of one relation, and what else the group has, in both directions, is what it may be mistaken for.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from near_forms import Surroundings, near_forms
from toulmin.graph.types import Entity
from toulmin.methods.reader.forms import Constant, Form, Hop, Join, Kind
from toulmin.methods.reader.utterances import utterance
from toulmin.retrieval.statement_words import relation_text

__all__ = ["asked_draws"]

_BARE = 0.35  # of the draws are worded without classes
_NEAR = 6  # of the wrong forms are made of the right one
_UNKNOWN = 0.08  # of the draws lack the relation that is asked for


@dataclass(frozen=True, slots=True)
class _Relation:
    labels: tuple[str, ...]
    subject: str
    object: str
    is_value: bool
    to_object: list[str] = field(default_factory=list)
    to_subject: list[str] = field(default_factory=list)


#: Of a question as it is typed and a number of utterances: these, the right one first, and how many of them are right.
Draw = Callable[[random.Random, int], tuple[str, tuple[str, ...], int]]


def asked_draws(folder: Path) -> Iterator[Draw]:
    """A draw for every question of every group of the files of a folder."""
    for path in sorted(folder.glob("*.txt")):
        for things, relations in _read(path):
            for relation in relations:
                for to_object, templates in ((True, relation.to_object), (False, relation.to_subject)):
                    for template in templates:
                        yield _drawing(template, relation, things, relations, to_object=to_object)


def _read(path: Path) -> Iterator[tuple[dict[str, list[str]], list[_Relation]]]:
    """The things of each kind and the relations, group by group."""
    things, values, relations = dict[str, list[str]](), set[str](), list[_Relation]()
    for line in path.read_text("utf-8").splitlines():
        kind, _, rest = line.strip().partition(" ")
        if kind == "group":
            if relations:
                yield things, relations
            things, values, relations = {}, set(), []
        elif kind in ("things", "values"):
            name, _, names = rest.partition(":")
            things[name.strip()] = [one.strip() for one in names.split(";") if one.strip()]
            values |= {name.strip()} if kind == "values" else set()
        elif kind == "relation":
            labels, _, ends = rest.rpartition(":")
            subject, _, object_ = ends.partition("->")
            called = tuple(relation_text(one.strip()) for one in labels.split(","))
            relations.append(_Relation(called, subject.strip(), object_.strip(), object_.strip() in values))
        elif kind in (">", "<"):
            (relations[-1].to_object if kind == ">" else relations[-1].to_subject).append(rest)
    if relations:
        yield things, relations


def _drawing(
    template: str, relation: _Relation, things: dict[str, list[str]], relations: list[_Relation], *, to_object: bool
) -> Draw:
    def hop_of(one: _Relation, rng: random.Random) -> Hop:
        return Hop(rng.choice(one.labels), False, (one.labels[0],), one.subject, "" if one.is_value else one.object)

    def draw(rng: random.Random, size: int) -> tuple[str, tuple[str, ...], int]:
        kind = relation.subject if to_object else relation.object
        text = rng.choice(things[kind])
        name = Constant(text, Entity(text, text))
        hop = hop_of(relation, rng)
        form = Join(name, hop if to_object else hop.turned())
        others = [hop_of(one, rng) for one in relations if one is not relation]
        rng.shuffle(others)
        ways = [way for other in others for way in (other, other.turned())]
        start = "" if not to_object and relation.is_value else kind
        fitting = sorted((way for way in ways if way.near == start), key=lambda way: way.far != form.hop.far)
        around = Surroundings([hop, hop.turned(), *ways], [Kind(one) for one in things], [name])
        wrong: list[Form] = [Join(name, form.hop.turned()), Join(form, form.hop)]
        wrong += [Join(name, way) for way in fitting]
        wrong += [near for near, _ in zip(near_forms(form, around, rng), range(_NEAR), strict=False)]
        bare = rng.random() < _BARE
        right = _worded(form, bare)
        texts = list(dict.fromkeys(text for text in (_worded(one, bare) for one in wrong) if text != right))
        question = template.replace("{s}", text).replace("{o}", text)
        if rng.random() < _UNKNOWN:
            return question, tuple(texts[:size]), 0
        return question, (right, *texts[: size - 1]), 1

    return draw


def _worded(form: Form, bare: bool) -> str:
    from reader_data import without_classes

    return utterance(without_classes(form) if bare else form)
