"""What the drafts of one question are made of, and how many of them each step keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from toulmin.graph.quantities import convertible
from toulmin.graph.types import Literal
from toulmin.methods.reader.drafts import Draft
from toulmin.methods.reader.forms import Constant, Path
from toulmin.methods.reader.mentions import Mentioned, QuestionParts
from toulmin.methods.reader.schema import ReaderSchema
from toulmin.methods.reader.scoring import Scoring

__all__ = ["Drafting", "Width"]


@dataclass(frozen=True, slots=True)
class Width:
    """How many forms each step keeps.

    Args:
        first, second, third: of paths of that many hops from what is named.
        nearest: hops from a set that are looked at, those that words are most like.
        hops: taken from a set at most.
        columns: relations that a set is ordered, measured or grouped by.
        classes: that words are like; up to twice as many with those that the likeliest relations start from.
        sets: kept after each condition; something is asked of twice as many.
        turns: hops of each step of a condition over two hops.
        conditions: of a set at most.
        ranked: superlatives of a set of which something is asked.
        groups: hops by whose ends a set may fall into groups.
        others: hops by which things are compared with one that is named.
        through: hops to things that values are looked for behind.
        ends: values behind each of these.
        behind: values behind any of them.
        sample: things of a set from which they are looked for.
        silent: hops that the graph does not have at what is named.
        likely: least probability of an operator that is tried.
        said: least likeness of words to a relation that is asked for by itself ("sponsored", "without a phone").
    """

    first: int = 40
    second: int = 24
    third: int = 12
    nearest: int = 40
    hops: int = 14
    columns: int = 12
    classes: int = 4
    sets: int = 40
    turns: int = 9
    conditions: int = 3
    ranked: int = 8
    groups: int = 6
    others: int = 8
    silent: int = 8
    through: int = 12
    ends: int = 3
    behind: int = 15
    sample: int = 300
    likely: float = 0.012
    said: float = 0.3


@dataclass
class Drafting:
    """What the drafts of one question are made of, and what is asked of it again and again."""

    asked: QuestionParts
    schema: ReaderSchema
    scoring: Scoring
    width: Width = field(default_factory=Width)
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
        return self.scoring.operators.get(operator, 1.0) >= self.width.likely

    def ways(self, draft: Draft) -> np.ndarray:
        """The hops from the things of a set."""
        assert draft.nodes is not None  # noqa: S101  sets without nodes are not restricted
        return self.schema.ways(draft.nodes, draft.key)

    def hops_of(self, draft: Draft) -> list[int]:
        """The hops from a set."""
        if draft.nodes is None or not len(draft.nodes):
            return []
        return self.scoring.nearest(self.ways(draft), self.width.nearest)

    def valued(self, draft: Draft, kinds: Sequence[str]) -> list[tuple[int, ...]]:
        """The paths of one and two hops from the things of a set to such values, those nearest to words first."""
        if draft.nodes is None or not len(draft.nodes) or self.schema.kinds.isdisjoint(kinds):
            return []
        of, key = draft.key or draft.nodes.tobytes(), tuple(kinds)
        if (of, key) not in self._valued:
            if of not in self._reached:
                self._reached[of] = self._ways_of(draft)
            ways, behind_hops = self._reached[of]
            single = [hop for hop in ways if self.schema.leads_to[hop] in kinds]
            paths: list[tuple[int, ...]] = [(hop,) for hop in single[: self.width.columns]]
            behind = list[tuple[int, ...]]()
            for hop, further in behind_hops:
                ends = [end for end in further if end != hop ^ 1 and self.schema.leads_to[end] in kinds]
                behind += [(hop, end) for end in ends[: self.width.ends]]
            behind.sort(key=lambda hops: -self.scoring.support(hops[-1]))
            self._valued[of, key] = paths + behind[: self.width.behind]
        return self._valued[of, key]

    def _ways_of(self, draft: Draft) -> tuple[list[int], list[tuple[int, list[int]]]]:
        """The hops from a set, and those behind each that leads to things, those nearest to words first."""
        assert draft.nodes is not None  # noqa: S101  ``valued`` asks
        ways, behind = self.scoring.nearest(self.ways(draft), self.width.nearest), list[tuple[int, list[int]]]()
        for hop in [hop for hop in ways if self.schema.leads_to[hop] == "thing"][: self.width.through]:
            middle = self.schema.follow(draft.nodes[: self.width.sample], hop)
            behind.append((hop, self.scoring.nearest(self.schema.ways(middle), self.width.nearest)))
        return ways, behind

    def path(self, hops: Sequence[int]) -> Path:
        """Hops as forms name them."""
        return tuple(self.scoring.hops[hop] for hop in hops)

    @staticmethod
    def is_count(mention: Mentioned) -> bool:
        """Whether a mention is a number without a unit, as a count is."""
        return mention.kind == "number" and isinstance(mention.named.node, Literal) and mention.named.node.unit is None

    def comparable(self, named: Constant, hop: int) -> bool:
        """Whether a value can be compared with what a hop leads to: kilograms with grams, not with euros or numbers."""
        unit = named.node.unit if isinstance(named.node, Literal) else None
        units = self.schema.units(hop)
        return unit is None or any(convertible(unit, other) for other in units)

    def in_unit(self, named: Constant, hop: int) -> Constant:
        """A bare number in the unit of what it is compared with, where there is one unit."""
        units = self.schema.units(hop)
        if (
            isinstance(named.node, Literal)
            and named.node.kind == "quantity"
            and named.node.unit is None
            and len(units) == 1
        ):
            return replace(named, node=replace(named.node, unit=units[0]))
        return named
