"""Two things or figures beside each other, and what qualifiers say of a statement."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, reduce
from itertools import combinations, permutations
from typing import Literal as Choice

import numpy as np

from toulmin.methods.reader.drafting import COLUMNS, Drafting
from toulmin.methods.reader.drafts import Draft
from toulmin.methods.reader.forms import (
    Agree,
    Calculated,
    Compared,
    Constant,
    Counted,
    Form,
    Join,
    Key,
    Measured,
    Noted,
    Operator,
    Ranked,
    Sets,
)

__all__ = ["Comparisons"]

#: What is calculated of two values of a kind.
_Calculation = Choice["subtract", "duration", "full years", "days"]
_CALCULATED: dict[str, _Calculation] = {"number": "subtract", "time": "duration"}
#: Of what is counted in years, or is so old, the years that are over count: nobody is 78.8 when she dies.
_FULL_YEARS = re.compile(r"\b(?:(?:full|whole|completed?|how many) years|how old)\b", re.IGNORECASE)
_DAYS = re.compile(r"\bmany days\b", re.IGNORECASE)
_COMPARED: tuple[Operator, ...] = (">", "<", "=")
_SURE = 0.55  # score of a mention from which on it is laid beside another: a first name that one thing has
_SHARED = 60  # hops that two things share and that are looked at, those that words are most like
_VALUED = 5  # numbers, and dates, of one thing that are subtracted from each other
_FIGURES = 24  # numbers and statistics that are laid beside each other in pairs


class Comparisons(Drafting):
    """Two things, or two figures, beside each other; and what qualifiers say of one statement."""

    def compared(self, entities: Sequence[Draft], paths: Sequence[Draft]) -> Iterator[Draft]:
        """Two things that are named, beside each other; and qualifiers and times of what a hop says."""
        sure = [entity for entity in entities if entity.link >= _SURE]
        pairs = list(combinations(sure, 2))
        apart = [pair for pair in pairs if not pair[0].mask & pair[1].mask]
        for pair in apart:
            yield from self._two(*pair)
            yield from self._most(pair)
        if len(sure) > 2 and len(apart) == len(pairs):
            yield from self._most(sure)
        for entity in entities:
            yield from self._between(entity)
        yield from self._qualified(paths)

    def _between(self, entity: Draft) -> Iterator[Draft]:
        """The difference of two numbers of one thing, or the time between two of its dates."""
        if not self.likely("calculate"):
            return
        ways = self.hops_of(entity)
        for kind, do in self._calculated.items():
            valued = [hop for hop in ways if self.schema.leads_to[hop] == kind][:_VALUED]
            for hops in permutations(valued, 2):
                left, right = (Join(entity.form, step) for step in self.path(hops))
                yield entity.grown(Calculated(do, left, right), hops, {"calculate"}, kind="number", nodes=None)

    @cached_property
    def _calculated(self) -> dict[str, _Calculation]:
        """``_CALCULATED``, with the time between two in the unit that is asked for."""
        question = self.asked.question
        apart: _Calculation = "days" if _DAYS.search(question) else "duration"
        return {**_CALCULATED, "time": "full years" if _FULL_YEARS.search(question) else apart}

    def _shared(self, entities: Sequence[Draft]) -> list[int]:
        """The hops that several things have, those to numbers and times first."""
        ways = (self.schema.ways(entity.nodes) for entity in entities if entity.nodes is not None)
        every = self.scoring.nearest(reduce(np.intersect1d, ways), _SHARED)
        valued = [hop for hop in every if self.schema.leads_to[hop] in _CALCULATED]
        others = [hop for hop in every if self.schema.leads_to[hop] not in _CALCULATED]
        return valued[:COLUMNS] + others[:COLUMNS]

    def _two(self, first: Draft, second: Draft) -> Iterator[Draft]:
        pair = first.beside(second)
        for hop in self._shared((first, second)):
            step, kind = self.scoring.hops[hop], self.schema.leads_to[hop]
            left, right = Join(first.form, step), Join(second.form, step)
            if kind in _CALCULATED and self.likely("compare"):
                for do in _COMPARED:
                    yield pair.grown(Compared(left, do, right), (hop,), {"compare", do}, kind="truth", hops=2)
            if kind in _CALCULATED and self.likely("calculate"):
                for operands in ((left, right), (right, left)):
                    made = Calculated(self._calculated[kind], *operands)
                    yield pair.grown(made, (hop,), {"calculate"}, kind="number", hops=2)
            if self.likely("agree"):
                yield pair.grown(Agree(left, right), (hop,), {"agree"}, kind="truth", hops=2)
            yield pair.grown(Sets("intersection", (left, right)), (hop,), {"both"}, kind=kind, hops=2)

    def _most(self, entities: Sequence[Draft]) -> Iterator[Draft]:
        """Which of several things that are named has the most, or the least."""
        every, any_of = reduce(Draft.beside, entities), Sets("union", tuple(entity.form for entity in entities))
        for hop in self._shared(entities):
            key = Key(self.path((hop,)), "value" if self.schema.leads_to[hop] in _CALCULATED else "count")
            for largest, operator in self.superlatives():
                yield every.grown(Ranked(any_of, key, largest), (hop,), {operator, "either"}, hops=2)

    def _qualified(self, paths: Sequence[Draft]) -> Iterator[Draft]:
        if not self.schema.qualifiers:
            return
        times = self.asked.of_kinds("time")
        spans = [(time, time) for time in times] + list(combinations(times, 2))
        for draft in paths:
            form = draft.form
            if not isinstance(form, Join) or not isinstance(form.of, Constant) or draft.nodes is None:
                continue
            qualifiers = self.schema.qualifiers_of(draft.parts[-1])
            if not qualifiers:
                continue
            if self.likely("noted"):
                others = [
                    mention
                    for mention in self.unused(draft, "entity", "text")
                    if np.isin(mention.numbers, draft.nodes).any()
                ]
                for label, ids in qualifiers.items():
                    noted = draft.grown(Noted(form, label, ids), does={"noted"}, kind="noted")
                    yield noted
                    for other in others:
                        yield noted.grown(Noted(form, label, ids, other.named), mask=other.mask)
            for begin, end in spans:
                within = replace(form, within=(begin.named, end.named))
                yield draft.grown(within, does={"during"}, mask=begin.mask | end.mask)

    def figures(self, made: Sequence[Draft]) -> Iterator[Draft]:
        """Two figures of the same kind: their difference, and which of them is larger."""
        if not self.likely("calculate") and not self.likely("compare"):
            return
        figures = [draft for draft in made if isinstance(draft.form, Counted | Measured) and draft.mask]
        for pair in combinations(self.best(figures, _FIGURES), 2):
            first, second = sorted(pair, key=lambda draft: draft.mask)  # in the order of the question
            if first.mask & second.mask or not _alike(first.form, second.form):
                continue
            both = first.beside(second)
            for left, right in ((first, second), (second, first)):
                yield both.grown(Calculated("subtract", left.form, right.form), does={"calculate"}, kind="number")
            for do in _COMPARED[:2]:
                yield both.grown(Compared(first.form, do, second.form), does={"compare", do}, kind="truth")


def _alike(first: Form, second: Form) -> bool:
    """Whether two figures are of the same kind."""
    if isinstance(first, Measured) and isinstance(second, Measured):
        return first.do == second.do and first.path == second.path
    return isinstance(first, Counted) and isinstance(second, Counted)
