"""Statement-sentence pairs: true wordings of a statement, and near misses of each kind.

A premise is a statement as it is laid before the scorer ("Paris: country (one value): France."), a hypothesis is a
sentence by a template. A changed object or date contradicts only where the relation has one value; elsewhere it leaves
the sentence open.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from nli_data import Pair
from relations import GENERIC, TEST_WORDINGS, Relation, broad, label_wordings, negated, stray_wordings
from toulmin.entailment.statement_premise import premise_of
from value_forms import another_date, date_forms, quantity_forms, wrong_unit

__all__ = ["NearMisses", "Triple", "single_valued"]

_ONE_VALUE = 0.9  # share of subjects with one object from which on a relation counts as having one value
_TEST_KINDS = {"true": 0.36, "object": 0.26, "subject": 0.08, "direction": 0.1, "negation": 0.12, "relation": 0.08}
_TRAINING_KINDS = {
    "true": 0.28,
    "object": 0.18,
    "subject": 0.05,
    "direction": 0.16,
    "negation": 0.07,
    "relation": 0.12,
    "stray": 0.1,
    "denied object": 0.04,
}
_SENTENCES, _UNMARKED = 0.15, 0.35  # shares of training premises that are a sentence, and that have no mark
_COARSER = 0.3  # share of true dates of which only the year is said
_OF_LABEL = 0.15  # share of sentences made of the relation's label, where it has wordings of its own
_DISTRACTED = 0.15  # share of training premises with a second statement


@dataclass(frozen=True, slots=True)
class Triple:
    """A statement in words. ``kind`` of its object: "entity", "time" or "quantity"."""

    subject: str
    relation: str
    object: str
    kind: str = "entity"


def single_valued(triples: Sequence[Triple]) -> dict[str, bool]:
    """For each relation, whether nearly all its subjects have one object."""
    objects = Counter((t.subject, t.relation) for t in set(triples))
    subjects, single = Counter[str](), Counter[str]()
    for (_, relation), number in objects.items():
        subjects[relation] += 1
        single[relation] += number == 1
    return {relation: single[relation] / number >= _ONE_VALUE for relation, number in subjects.items()}


class NearMisses:
    """Makes pairs of a graph's statements.

    Args:
        single: which relations have one value.
        table: the relations that have wordings, by label; others get generic ones.
        test: in the wordings kept for testing, and each statement in its one wording as a premise. Otherwise the mark
            of the premise ("one value") is at times another than the graph's, and the label goes with it.
    """

    def __init__(
        self,
        triples: Sequence[Triple],
        single: Mapping[str, bool],
        table: Mapping[str, Relation],
        rng: np.random.Generator,
        *,
        test: bool,
    ) -> None:
        self._rng, self._test, self._single, self._table = rng, test, single, table
        self._known = {(t.subject, t.relation, t.object) for t in triples}
        self._triples = list(triples)
        self._objects: dict[str, list[str]] = defaultdict(list)
        self._subjects: dict[str, list[str]] = defaultdict(list)
        for t in triples:
            self._objects[t.relation].append(t.object)
            self._subjects[t.relation].append(t.subject)
        self._relations = sorted(self._objects)
        self._kinds = _TEST_KINDS if test else _TRAINING_KINDS
        self._alike: dict[str, list[str]] = {}

    def pair(self, triple: Triple) -> Pair | None:
        """A pair of a random kind, or None where that kind cannot be made of the statement."""
        kind = str(self._rng.choice(list(self._kinds), p=list(self._kinds.values())))
        single, premise = self._premise(triple)
        made = {
            "true": self._true,
            "object": self._other_object,
            "subject": self._other_subject,
            "direction": self._swapped,
            "negation": self._negated,
            "relation": self._other_relation,
            "stray": self._stray,
            "denied object": self._denied_object,
        }[kind](triple, single)
        if made is None:
            return None
        sentence, label = made
        part = "test" if self._test else ("calibrate" if self._rng.random() < 0.04 else "train")
        return Pair(premise, sentence, label, "graph", part)

    def _premise(self, t: Triple) -> tuple[bool, str]:
        single = self._single[t.relation]
        if self._test:
            return single, premise_of(t.subject, t.relation, t.object, single)
        form = self._rng.random()
        if form > 1 - _SENTENCES:
            return single, self._sentence(t)
        if form < 0.12:  # the mark decides, not the relation
            single = not single
        mark = None if form > 1 - _SENTENCES - _UNMARKED else single
        text = premise_of(t.subject, t.relation, self._form(t), mark)
        if self._rng.random() < _DISTRACTED:
            other = self._triples[int(self._rng.integers(len(self._triples)))]
            if other.relation != t.relation and other.subject != t.subject:
                more = premise_of(other.subject, other.relation, other.object, self._single[other.relation])
                text = f"{text} {more}" if self._rng.random() < 0.5 else f"{more} {text}"
        return single, text

    def _form(self, t: Triple) -> str:
        """The object as one may write it; in a test as it is."""
        if self._test or t.kind == "entity":
            return t.object
        forms = date_forms(t.object) if t.kind == "time" else quantity_forms(t.object)
        return str(self._rng.choice(forms))

    def _templates(self, relation: str) -> tuple[str, ...]:
        if self._test:
            return (TEST_WORDINGS.get(relation, GENERIC[-1]),)
        known = self._table.get(relation)
        if known is None:
            return label_wordings(relation) or GENERIC[:-1]
        return (self._rng.random() < _OF_LABEL and label_wordings(relation)) or known.wordings

    def _sentence(self, t: Triple, *, deny: bool = False) -> str:
        template = str(self._rng.choice(self._templates(t.relation)))
        if deny:
            template = negated(template) or f"It is not true that {template[0].lower()}{template[1:]}"
        subject = t.subject
        words = subject.split()
        if not self._test and len(words) == 2 and t.relation in self._table and self._rng.random() < 0.08:
            subject = words[-1] if "person" in self._table[t.relation].subjects else subject
        text = template.format(s=subject, r=t.relation, o=self._form(t))
        return re.sub(r"\b(a|A) (?=[aeioAEIO])", r"\1n ", text)

    def _true(self, t: Triple, single: bool) -> tuple[str, int]:
        if t.kind == "time" and self._rng.random() < _COARSER:  # a day entails its year
            return self._sentence(replace(t, object=t.object.split(" ")[-1])), 0
        return self._sentence(t), 0

    def _other(self, t: Triple) -> Triple | None:
        if t.kind == "time":
            return replace(t, object=another_date(t.object, self._rng))
        if t.kind == "quantity":
            number, _, unit = t.object.partition(" ")
            factor = float(self._rng.choice([0.5, 0.8, 1.1, 1.3, 2, 10]))
            other = f"{max(1, round(float(number) * factor)) + 1}"
            return replace(t, object=f"{other} {unit}".strip())
        other = str(self._rng.choice(self._objects[t.relation]))
        if (t.subject, t.relation, other) in self._known or other.lower() in (t.subject.lower(), t.object.lower()):
            return None
        return replace(t, object=other)

    def _other_object(self, t: Triple, single: bool) -> tuple[str, int] | None:
        changed = wrong_unit(t.object) if t.kind == "quantity" and self._rng.random() < 0.3 else None
        if changed:
            return self._sentence(replace(t, object=changed)), 2
        other = self._other(t)
        return (self._sentence(other), 2 if single else 1) if other else None

    def _denied_object(self, t: Triple, single: bool) -> tuple[str, int] | None:
        other = self._other(t)
        return (self._sentence(other, deny=True), 0 if single else 1) if other else None

    def _other_subject(self, t: Triple, single: bool) -> tuple[str, int] | None:
        other = str(self._rng.choice(self._subjects[t.relation]))
        if (other, t.relation, t.object) in self._known or other in (t.subject, t.object):
            return None
        return self._sentence(replace(t, subject=other)), 1

    def _swapped(self, t: Triple, single: bool) -> tuple[str, int] | None:
        if t.kind != "entity" or (t.object, t.relation, t.subject) in self._known:
            return None
        known = self._table.get(t.relation)
        swapped = Triple(t.object, t.relation, t.subject)
        if known and known.symmetric:
            return None if self._test else (self._sentence(swapped), 0)
        if known and not self._test and known.object not in known.subjects and self._rng.random() < 0.6:
            return None  # nonsense where the ends differ in kind: not too much of it
        return self._sentence(swapped), 2

    def _negated(self, t: Triple, single: bool) -> tuple[str, int]:
        return self._sentence(t, deny=True), 2

    def _other_relation(self, t: Triple, single: bool) -> tuple[str, int] | None:
        """Another relation of the same two ends: it is left open."""
        others = self._confusable(t.relation)
        other = str(self._rng.choice(others if others and self._rng.random() < 0.9 else self._relations))
        if other == t.relation or (t.subject, other, t.object) in self._known:
            return None
        one, two = self._table.get(t.relation), self._table.get(other)
        if one and two and one.may_entail(two):
            return None  # it may follow, or be the same relation the other way round
        if other not in others and t.object not in self._objects[other]:
            return None
        turned = one is not None and two is not None and broad(one.object) == broad(two.subjects[0])
        if turned and t.kind == "entity" and self._rng.random() < 0.5:
            return self._sentence(Triple(t.object, other, t.subject)), 1
        return self._sentence(replace(t, relation=other)), 1

    def _confusable(self, relation: str) -> list[str]:
        """Relations between things of the same kinds."""
        if relation not in self._alike:
            one = self._table.get(relation)
            self._alike[relation] = [
                other
                for other in self._relations
                if one and (two := self._table.get(other)) and other != relation and _kinds_of(one) & _kinds_of(two)
            ]
        return self._alike[relation]

    def _stray(self, t: Triple, single: bool) -> tuple[str, int] | None:
        """A sentence about the same two things that says something else."""
        known = self._table.get(t.relation)
        wordings = [one for kinds in (_kinds_of(known) if known else ()) for one in stray_wordings(*kinds)]
        if self._test or not wordings:
            return None
        return str(self._rng.choice(wordings)).format(s=t.subject, o=self._form(t)), 1


def _kinds_of(relation: Relation) -> set[tuple[str, str]]:
    return {(broad(subject), broad(relation.object)) for subject in relation.subjects}
