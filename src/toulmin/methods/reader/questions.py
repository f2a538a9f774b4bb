"""What may be asked of a set: its things' other ends, their number, statistics, superlatives, rows, truths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from toulmin.graph.types import Literal
from toulmin.methods.reader.drafting import COLUMNS, ORDERS, Drafting
from toulmin.methods.reader.drafts import Draft
from toulmin.methods.reader.forms import (
    Compared,
    Constant,
    Counted,
    Exists,
    Grouped,
    Join,
    Key,
    Measured,
    Membership,
    Ranked,
    Restricted,
    Sets,
    Statistic,
    Tabled,
    Things,
)

__all__ = ["Questions"]

_MOST_PLACES = 50  # the last place in an order that is asked for: "the 50 largest"
_NAMED = 0.6  # likeness of words to a class from which on they ask whether there is any of it
_HOPS = 14  # taken from a set at most
_BEYOND = 8  # hops from ends that have no name
_RANKED, _BEHIND_RANKED = 8, 6  # superlatives of a set of which something is asked; hops from what one picks out
_COLUMNS, _MOST_COLUMNS = 6, 3  # hops that columns of a table are chosen from; columns beside the things
_GROUPS = 6  # hops by whose ends a set may fall into groups
_GROUP_MEASURES = 3  # hops to numbers by which each group is measured
_STATISTICS: tuple[Statistic, ...] = ("sum", "mean", "max", "min")


class Questions(Drafting):
    """What may be asked of a set: projections, numbers, superlatives, rows and truths."""

    def asked_of(self, draft: Draft) -> Iterator[Draft]:
        """Projections, numbers, superlatives, rows and truths of a set."""
        if draft.is_empty:
            return
        if draft.kind != "thing":
            yield from self._of_values(draft)
            return
        ways = self.hops_of(draft)
        projected = list(self._projected(draft, ways))
        yield from projected
        single = draft.nodes is not None and len(draft.nodes) == 1
        for candidate in (draft, *projected[:COLUMNS]):
            yield from self._counted(candidate)
        yield from self._others(draft)
        named = not isinstance(draft.form, Things) or self.scoring.support(draft.parts[0]) >= _NAMED
        if named and self.likely("exists"):
            yield draft.grown(Exists(draft.form), does={"exists"}, kind="truth")
        if not single:
            yield from self._ranked(draft, ways)
            yield from self._ranked_ends(draft, ways)
            yield from self._rows(draft, ways)
        if not single or isinstance(draft.form, Restricted):  # "the highest week when …" may be the only one
            yield from self._measured(draft)
        yield from self._truths(draft)

    def _others(self, draft: Draft) -> Iterator[Draft]:
        """The things of a set but for one that is named: "what else", "other"."""
        if not self.likely("≠") or draft.nodes is None:
            return
        for mention in self.asked.of_kinds("entity"):
            if all((draft.nodes == number).any() for number in mention.numbers):
                yield draft.grown(Sets("difference", (draft.form, mention.named)), does={"≠"}, mask=mention.mask)

    def _counted(self, draft: Draft) -> Iterator[Draft]:
        """How many there are, and how that compares with a number."""
        if not self.likely("count") and not self.likely("compare"):
            return
        value = draft.kind in ("number", "time", "truth") and draft.hops == 1
        if value and not self.schema.several[draft.parts[-1]]:
            return  # one number is not counted
        counted = draft.grown(Counted(draft.form), does={"count"}, kind="number")
        yield counted
        if self.likely("compare"):
            for mention in self.unused_counts(draft):
                for do in ("=", *ORDERS):
                    compared = Compared(counted.form, do, mention.named)
                    yield counted.grown(compared, does={"compare", do}, kind="truth", mask=mention.mask)

    def _projected(self, draft: Draft, ways: Sequence[int]) -> Iterator[Draft]:
        form = draft.form
        taken = form.hop if isinstance(form, Join) and isinstance(form.of, Constant) else None
        for hop in ways[:_HOPS]:
            step = self.scoring.hops[hop]
            if taken is not None and step.ids == taken.ids and step.backward != taken.backward:
                continue  # straight back: what else leads there is a path of the grammar (``Grammar._hopped``)
            projected, beyond = self.joined(draft, hop, None), self.schema.beyond(hop)
            if not len(beyond):
                yield projected
            for further in self.scoring.nearest(beyond[beyond != hop ^ 1], _BEYOND):
                yield self.joined(projected, further)

    def _of_values(self, draft: Draft) -> Iterator[Draft]:
        """Of a set of values: their number, statistics, and how they compare with a value."""
        form = draft.form
        yield from self._counted(draft)
        if not isinstance(form, Join):
            return
        yield from self._truths(draft)
        if draft.kind not in ("number", "time"):
            return
        if draft.nodes is None or len(draft.nodes) > 1:
            for statistic in self._statistics(draft.kind):
                yield draft.grown(Measured(statistic, form.of, (form.hop,)), does={statistic})
        if self.likely("compare"):
            for mention in self.unused(draft, draft.kind):
                if (value := self.comparable(mention.named, draft.parts[-1])) is None:
                    continue
                for do in self.likely_orders():
                    yield draft.grown(Compared(form, do, value), does={"compare", do}, kind="truth", mask=mention.mask)

    def _statistics(self, kind: str) -> list[Statistic]:
        """The statistics of numbers, or of times, that are likely enough to be tried."""
        return [do for do in _STATISTICS if self.likely(do) and (kind == "number" or do in ("min", "max"))]

    def _ranked(self, draft: Draft, ways: Sequence[int]) -> Iterator[Draft]:
        keys = [(hops, Key(self.path(hops))) for hops in self.valued(draft, "number", "time")]
        counted = [hop for hop in ways if self.schema.several[hop]]
        if self.likely("rank by count"):
            keys += [((hop,), Key(self.path((hop,)), "count")) for hop in counted[:COLUMNS]]
        places, superlatives = self._places(draft), list[Draft]()
        for hops, key in keys:
            for largest, operator in self.superlatives():
                does = {operator, "rank by count"} if key.measure == "count" else {operator}
                for first, last, mask in places:
                    made = Ranked(draft.form, key, largest, first, last)
                    superlatives.append(draft.grown(made, hops, does | {"places"} if mask else does, mask=mask))
        yield from superlatives
        for ranked in self.best(superlatives, _RANKED):
            for other in [way for way in ways if way not in ranked.parts[len(draft.parts) :]][:_BEHIND_RANKED]:
                yield self.joined(ranked, other)

    def _ranked_ends(self, draft: Draft, ways: Sequence[int]) -> Iterator[Draft]:
        """The ends of a hop that most or fewest things of a set lead to: "which department has the most people"."""
        if not self.likely("rank by count"):
            return
        shared = [hop for hop in ways if not hop & 1 and self.schema.leads_to[hop] in ("text", "thing")]
        for hop in [hop for hop in shared if self.schema.several[hop ^ 1]][:COLUMNS]:
            step, kind = self.scoring.hops[hop], self.schema.leads_to[hop]
            for largest, operator in self.superlatives():
                made = Ranked(Join(draft.form, step), Key((step.turned(),), "count"), largest)
                yield draft.grown(made, (hop,), {operator, "rank by count"}, kind=kind, hops=2)

    def _places(self, draft: Draft) -> list[tuple[int, int, int]]:
        """The places that are asked for, with the words that say so: the first, the first n, the nth."""
        places = [(1, 1, 0)]
        if not self.likely("places"):
            return places
        for mention in self.unused_counts(draft):
            text = mention.named.node.value if isinstance(mention.named.node, Literal) else ""
            if text.isdigit() and 1 < int(text) <= _MOST_PLACES:
                places.append((int(text) if mention.ordinal else 1, int(text), mention.mask))
        return [*places, (2, 2, 0), (3, 3, 0)]

    def _measured(self, draft: Draft) -> Iterator[Draft]:
        for hops in self.valued(draft, "number", "time"):
            kind = self.schema.leads_to[hops[-1]]
            for statistic in self._statistics(kind):
                yield draft.grown(Measured(statistic, draft.form, self.path(hops)), hops, {statistic}, kind=kind)

    def _rows(self, draft: Draft, ways: Sequence[int]) -> Iterator[Draft]:
        if self.likely("table"):
            for count in range(1, _MOST_COLUMNS + 1):
                for chosen in combinations(ways[:_COLUMNS], count):
                    columns = tuple(Key((self.scoring.hops[hop],)) for hop in chosen)
                    yield draft.grown(Tabled(draft.form, columns), chosen, {"table"}, kind="rows")
        if self.likely("group"):
            numbers = [way for way in ways[:COLUMNS] if self.schema.leads_to[way] == "number"][:_GROUP_MEASURES]
            for by in self._grouping(ways):
                made = Grouped(draft.form, self.path((by,)), Key((), "count"))
                counted = draft.grown(made, (by,), {"group", "count"}, kind="rows")
                yield counted
                for mention in self.unused_counts(draft):
                    for do in self.likely_orders():
                        having = replace(made, having=(do, mention.named))
                        yield counted.grown(having, does={do}, mask=mention.mask)
                for hop in numbers:
                    for statistic in self._statistics("number"):
                        measured = replace(made, key=Key(self.path((hop,)), statistic))
                        yield draft.grown(measured, (by, hop), {"group", statistic}, kind="rows", hops=1)

    def _grouping(self, ways: Sequence[int]) -> list[int]:
        """The hops by whose ends a set may fall into groups, those first whose name or class of ends words are like."""
        shared = [
            hop
            for hop in ways
            if not hop & 1 and (self.schema.leads_to[hop] in ("thing", "text") or self.schema.several[hop ^ 1])
        ]
        shared.sort(key=lambda hop: -self.scoring.support(self.scoring.likest_part(hop)))
        return shared[:_GROUPS]

    def _truths(self, draft: Draft) -> Iterator[Draft]:
        """Whether a set holds another thing that is named."""
        if self.likely("in") and draft.kind in ("thing", "text"):
            for mention in self.unused(draft, "entity" if draft.kind == "thing" else "text"):
                made = Membership(mention.named, draft.form)
                yield draft.grown(made, does={"in"}, kind="truth", mask=mention.mask, link=mention.score)
