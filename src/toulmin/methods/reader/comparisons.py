"""Two things or figures beside each other, and what qualifiers say of a statement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations
from math import prod
from operator import or_

import numpy as np

from toulmin.methods.reader.drafting import Drafting
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
    Ranked,
    Sets,
)
from toulmin.methods.reader.mentions import Mentioned

__all__ = ["Comparisons"]

_SURE = 0.7  # score of a mention from which on it is laid beside another
_SHARED = 60  # hops that two things share and that are looked at, those that words are most like
_VALUED = 5  # numbers, and dates, of one thing that are subtracted from each other
_FIGURES = 24  # numbers and statistics that are laid beside each other in pairs


@dataclass
class Comparisons:
    """Two things, or two figures, beside each other; and what qualifiers say of one statement.

    Args:
        of: the question's drafting.
    """

    of: Drafting

    def compared(self, entities: Sequence[Mentioned], paths: Sequence[Draft]) -> Iterator[Draft]:
        """Two things that are named, beside each other; and qualifiers and times of what a hop says."""
        sure = [mention for mention in entities if mention.score >= _SURE]
        for first, second in combinations(sure, 2):
            if not first.mask & second.mask:
                yield from self._two(first, second)
                yield from self._most((first, second))
        if len(sure) > 2 and all(not first.mask & second.mask for first, second in combinations(sure, 2)):
            yield from self._most(sure)
        for mention in entities:
            yield from self._between(mention)
        yield from self._qualified(paths)

    def _between(self, mention: Mentioned) -> Iterator[Draft]:
        """The difference of two numbers of one thing, or the time between two of its dates."""
        if not self.of.likely("calculate"):
            return
        ways = self.of.scoring.nearest(
            self.of.schema.ways(np.array(mention.numbers, dtype=np.int32)), self.of.width.nearest
        )
        for kind, do in (("number", "subtract"), ("time", "duration")):
            valued = [hop for hop in ways if self.of.schema.leads_to[hop] == kind][:_VALUED]
            for first in valued:
                for second in valued:
                    if first != second:
                        left, right = (Join(mention.named, self.of.scoring.hops[hop]) for hop in (first, second))
                        yield Draft(
                            Calculated(do, left, right),  # type: ignore[arg-type]
                            "number",
                            (first, second),
                            mention.mask,
                            frozenset({"calculate"}),
                            link=mention.score,
                            hops=2,
                        )

    def _two(self, first: Mentioned, second: Mentioned) -> Iterator[Draft]:
        both_have = [self.of.schema.ways(np.array(mention.numbers, dtype=np.int32)) for mention in (first, second)]
        every = self.of.scoring.nearest(np.intersect1d(both_have[0], both_have[1]), _SHARED)
        valued = [hop for hop in every if self.of.schema.leads_to[hop] in ("number", "time")]
        others = [hop for hop in every if hop not in valued]
        common = {"mask": first.mask | second.mask, "link": first.score * second.score, "hops": 2}
        for hop in [*valued[: self.of.width.columns], *others[: self.of.width.columns]]:
            step, kind = self.of.scoring.hops[hop], self.of.schema.leads_to[hop]
            left, right = Join(first.named, step), Join(second.named, step)
            if kind in ("number", "time") and self.of.likely("compare"):
                for do in (">", "<", "="):
                    made_truth = Compared(left, do, right)
                    operators = frozenset({"compare", *({do} - {"="})})
                    yield Draft(made_truth, "truth", (hop,), operators=operators, **common)  # type: ignore[arg-type]
            if kind in ("number", "time") and self.of.likely("calculate"):
                do_it = "subtract" if kind == "number" else "duration"
                for operands in ((left, right), (right, left)):
                    calculated = Calculated(do_it, *operands)  # type: ignore[arg-type]
                    yield Draft(calculated, "number", (hop,), operators=frozenset({"calculate"}), **common)  # type: ignore[arg-type]
            if self.of.likely("agree"):
                yield Draft(Agree(left, right), "truth", (hop,), operators=frozenset({"agree"}), **common)  # type: ignore[arg-type]
            both = Sets("intersection", (left, right))
            yield Draft(both, kind, (hop,), operators=frozenset({"both"}), **common)  # type: ignore[arg-type]

    def _most(self, mentions: Sequence[Mentioned]) -> Iterator[Draft]:
        """Which of several things that are named has the most, or the least."""
        common = self.of.schema.ways(np.array(mentions[0].numbers, dtype=np.int32))
        for mention in mentions[1:]:
            common = np.intersect1d(common, self.of.schema.ways(np.array(mention.numbers, dtype=np.int32)))
        every = self.of.scoring.nearest(common, _SHARED)
        valued = [hop for hop in every if self.of.schema.leads_to[hop] in ("number", "time")]
        counted = [hop for hop in every if hop not in valued]
        for hop in [*valued[: self.of.width.columns], *counted[: self.of.width.columns]]:
            key = Key((self.of.scoring.hops[hop],), "value" if hop in valued else "count")
            for largest, operator in ((True, "largest"), (False, "smallest")):
                if self.of.likely(operator):
                    yield Draft(
                        Ranked(Sets("union", tuple(mention.named for mention in mentions)), key, largest),
                        "thing",
                        (hop,),
                        reduce(or_, (mention.mask for mention in mentions)),
                        frozenset({operator, "either"}),
                        link=prod(mention.score for mention in mentions),
                        hops=2,
                    )

    def _qualified(self, paths: Sequence[Draft]) -> Iterator[Draft]:
        if not self.of.schema.qualifiers:
            return
        entities = [mention for mention in self.of.asked.mentioned if mention.kind in ("entity", "text")]
        times = [mention for mention in self.of.asked.mentioned if mention.kind == "time"]
        spans = [(time, time) for time in times] + list(combinations(times, 2))
        for draft in paths:
            form = draft.form
            if not isinstance(form, Join) or not isinstance(form.of, Constant):
                continue
            qualifiers = self.of.schema.qualifiers_of(draft.parts[-1])
            if not qualifiers:
                continue
            if self.of.likely("noted"):
                for label, ids in qualifiers.items():
                    others = [
                        mention
                        for mention in entities
                        if not mention.mask & draft.mask
                        and draft.nodes is not None
                        and np.isin(mention.numbers, draft.nodes).any()
                    ]
                    operators = draft.operators | {"noted"}
                    yield draft.grown(Noted(form, label, ids), kind="noted", operators=operators)
                    for other in others:
                        noted = Noted(form, label, ids, other.named)
                        yield draft.grown(noted, kind="noted", operators=operators, mask=draft.mask | other.mask)
            for begin, end in spans:
                within = replace(form, within=(begin.named, end.named))
                yield draft.grown(
                    within, operators=draft.operators | {"during"}, mask=draft.mask | begin.mask | end.mask
                )

    def figures(self, made: Sequence[Draft]) -> Iterator[Draft]:
        """Two figures of the same kind: their difference, and which of them is larger."""
        if not self.of.likely("calculate") and not self.of.likely("compare"):
            return
        figures = [draft for draft in made if isinstance(draft.form, Counted | Measured) and draft.mask]
        for first, second in combinations(self.of.best(figures, _FIGURES), 2):
            if first.mask & second.mask or not _alike(first.form, second.form):
                continue
            if first.mask > second.mask:  # in the order of the question
                first, second = second, first
            common = {
                "parts": (*first.parts, *second.parts),
                "mask": first.mask | second.mask,
                "link": first.link * second.link,
                "hops": first.hops + second.hops,
            }
            operators = first.operators | second.operators
            for left, right in ((first, second), (second, first)):
                subtracted = Calculated("subtract", left.form, right.form)
                yield first.grown(subtracted, kind="number", operators=operators | {"calculate"}, **common)
            for do in (">", "<"):
                compared = Compared(first.form, do, second.form)
                yield first.grown(compared, kind="truth", operators=operators | {"compare", do}, **common)


def _alike(first: Form, second: Form) -> bool:
    """Whether two figures are of the same kind."""
    if isinstance(first, Measured) and isinstance(second, Measured):
        return first.do == second.do and first.path == second.path
    return isinstance(first, Counted) and isinstance(second, Counted)
