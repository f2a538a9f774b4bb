"""What the drafts of one question are made of, and how many of them each step keeps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import EllipsisType

import numpy as np

from toulmin.english.inflection import singular
from toulmin.graph.csr import Ints
from toulmin.graph.quantities import Quantity, converted, convertible, decimal_text, literal_quantity, unit_in_label
from toulmin.graph.types import Literal
from toulmin.methods.reader.drafts import Draft
from toulmin.methods.reader.forms import Constant, Join, Operator, Path
from toulmin.methods.reader.mentions import Mentioned, QuestionParts
from toulmin.methods.reader.schema import ReaderSchema
from toulmin.methods.reader.scoring import Scoring

__all__ = ["COLUMNS", "NEAREST", "ORDERS", "SAID", "SETS", "Drafting"]

NEAREST = 40  # hops from a set that are looked at, those that words are most like
COLUMNS = 12  # relations that a set is ordered, measured or grouped by
SETS = 40  # sets that are kept after each condition, and of which something is asked
SAID = 0.3  # least likeness of words to a relation that is asked for by itself ("sponsored", "without a phone")
ORDERS: tuple[Operator, ...] = (">", "<", "≥", "≤")

_PER = re.compile(r"(?:/|\bper )(\w+)")  # of "rent (GBP/week)"
_FOR_EACH = re.compile(r"\s*(?:an?|per|each|every|the|/)\s*(\w+)", re.IGNORECASE)
_LIKELY = 0.012  # least probability of an operator that is tried
_THROUGH = 12  # hops to things that values are looked for behind
_SAMPLE = 300  # things of a set from which they are looked for
_ENDS, _BEHIND = 3, 15  # values behind each of these, and behind any of them


@dataclass
class Drafting:
    """What the drafts of one question are made of, and what is asked of it again and again."""

    asked: QuestionParts
    schema: ReaderSchema
    scoring: Scoring
    _valued: dict[object, list[tuple[int, ...]]] = field(default_factory=dict)
    _reached: dict[object, tuple[list[int], list[tuple[int, list[int]]]]] = field(default_factory=dict)

    def best(self, drafts: Sequence[Draft], count: int) -> list[Draft]:
        """The ``count`` drafts that words speak for most."""
        if len(drafts) <= count:
            return list(drafts)
        scores = self.scoring.scores(drafts)
        return [drafts[place] for place in np.argsort(-scores, kind="stable")[:count].tolist()]

    def likely(self, operator: str) -> bool:
        """Whether an operator is likely enough to be tried."""
        return self.scoring.operators.get(operator, 1.0) >= _LIKELY

    def likely_orders(self) -> list[Operator]:
        """The orders of ``ORDERS`` that are likely enough to be tried."""
        return [do for do in ORDERS if self.likely(do)]

    def superlatives(self) -> list[tuple[bool, str]]:
        """Whether the largest is meant or the smallest, as far as likely enough to be tried, with the operator."""
        return [(operator == "largest", operator) for operator in ("largest", "smallest") if self.likely(operator)]

    def unused(self, draft: Draft, *kinds: str) -> list[Mentioned]:
        """What the question names of some kinds by other words than a draft's."""
        return [mention for mention in self.asked.of_kinds(*kinds) if not mention.mask & draft.mask]

    def unused_counts(self, draft: Draft) -> list[Mentioned]:
        """The numbers without a unit that the question states by other words than a draft's."""
        return [mention for mention in self.unused(draft, "number") if self.is_count(mention)]

    def hops_of(self, draft: Draft) -> list[int]:
        """The hops from the things of a set, those nearest to words first."""
        if draft.nodes is None or not len(draft.nodes):
            return []
        return self.scoring.nearest(self.schema.ways(draft.nodes, draft.key), NEAREST)

    def valued(self, draft: Draft, *kinds: str) -> list[tuple[int, ...]]:
        """The paths of one and two hops from the things of a set to such values, those nearest to words first."""
        if draft.nodes is None or not len(draft.nodes) or self.schema.kinds.isdisjoint(kinds):
            return []
        of = draft.key or draft.nodes.tobytes()
        if (of, kinds) not in self._valued:
            if of not in self._reached:
                self._reached[of] = self._ways_of(draft, draft.nodes[:_SAMPLE])
            ways, behind_hops = self._reached[of]
            single = [hop for hop in ways if self.schema.leads_to[hop] in kinds]
            paths: list[tuple[int, ...]] = [(hop,) for hop in single[:COLUMNS]]
            behind = list[tuple[int, ...]]()
            for hop, further in behind_hops:
                ends = [end for end in further if end != hop ^ 1 and self.schema.leads_to[end] in kinds]
                behind += [(hop, end) for end in ends[:_ENDS]]
            behind.sort(key=lambda hops: -self.scoring.support(hops[-1]))
            self._valued[of, kinds] = paths + behind[:_BEHIND]
        return self._valued[of, kinds]

    def _ways_of(self, draft: Draft, sample: Ints) -> tuple[list[int], list[tuple[int, list[int]]]]:
        """The hops from a set, and those behind each that leads to things, those nearest to words first."""
        ways, behind = self.hops_of(draft), list[tuple[int, list[int]]]()
        for hop in [hop for hop in ways if self.schema.leads_to[hop] == "thing"][:_THROUGH]:
            middle = self.schema.follow(sample, hop)
            behind.append((hop, self.scoring.nearest(self.schema.ways(middle), NEAREST)))
        return ways, behind

    def path(self, hops: Sequence[int]) -> Path:
        """Hops as forms name them."""
        return tuple(self.scoring.hops[hop] for hop in hops)

    def joined(self, draft: Draft, hop: int, nodes: Ints | EllipsisType | None = ...) -> Draft:
        """What a hop from the things of a set leads to."""
        form = Join(draft.form, self.scoring.hops[hop])
        return draft.grown(form, (hop,), kind=self.schema.leads_to[hop], nodes=nodes)

    @staticmethod
    def is_count(mention: Mentioned) -> bool:
        """Whether a mention is a number without a unit, as a count is."""
        return mention.kind == "number" and isinstance(mention.named.node, Literal) and mention.named.node.unit is None

    def _is_per(self, named: Constant, unit: str) -> bool:
        """Whether an amount is one for such a unit ("90 pounds a week"), as far as the question says for which."""
        asked = None if named.words is None else _FOR_EACH.match(self.asked.question, named.words[1])
        if asked is None:
            return True
        one, each = (Quantity(Fraction(1), Fraction(1), name) for name in (singular(asked[1]) or asked[1], unit))
        alike = converted(one, each.unit)
        return alike is not None and alike.low == 1

    def comparable(self, named: Constant, hop: int) -> Constant | None:
        """A value as it is compared with what a hop leads to; None: it cannot be, as kilograms not with euros.

        A bare number is in the unit there, where there is one; and an amount is a bare number where the hop leads to
        such, and its label names their unit: "less than 1 m" of "bore in mm".
        """
        node, units = named.node, self.schema.units(hop)
        if not isinstance(node, Literal) or node.kind != "quantity":
            return named
        if node.unit is None:
            return replace(named, node=replace(node, unit=units[0])) if len(units) == 1 else named
        if units:
            return named if any(convertible(node.unit, other) for other in units) else None
        label = self.scoring.hops[hop].label
        if (per := _PER.search(label)) is not None and not self._is_per(named, per[1]):
            return None
        amount, bare = literal_quantity(node), unit_in_label(label, node.unit)
        of = converted(amount, bare) if amount and bare else None
        return replace(named, node=Literal(decimal_text(of.low), "quantity")) if of else None
