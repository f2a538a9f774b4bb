"""What may be asked of a set: its things' other ends, their number, statistics, superlatives, rows, truths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from toulmin.graph.types import Literal
from toulmin.methods.reader.drafting import Drafting
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
    Operator,
    Ranked,
    Restricted,
    Sets,
    Statistic,
    Tabled,
    Things,
)

__all__ = ["Questions"]

_ORDERS: tuple[Operator, ...] = (">", "<", "≥", "≤")
_MOST_PLACES = 50  # the last place in an order that is asked for: "the 50 largest"
_NAMED = 0.6  # likeness of words to a class from which on they ask whether there is any of it
_BEYOND = 8  # hops from ends that have no name
_BEHIND_RANKED = 6  # hops from what a superlative picks out
_COLUMNS, _MOST_COLUMNS = 6, 3  # hops that columns of a table are chosen from; columns beside the things
_GROUP_MEASURES = 3  # hops to numbers by which each group is measured
_STATISTICS: tuple[Statistic, ...] = ("sum", "mean", "max", "min")


@dataclass
class Questions:
    """What may be asked of a set: projections, numbers, superlatives, rows and truths.

    Args:
        of: the question's drafting.
    """

    of: Drafting

    def asked_of(self, draft: Draft) -> Iterator[Draft]:
        """Projections, numbers, superlatives, rows and truths of a set."""
        if draft.nodes is not None and not len(draft.nodes):
            return
        if draft.kind != "thing":
            yield from self._of_values(draft)
            return
        ways = self.of.hops_of(draft)
        projected = list(self._projected(draft, ways))
        yield from projected
        single = draft.nodes is not None and len(draft.nodes) == 1
        for candidate in (draft, *projected[: self.of.width.columns]):
            yield from self._counted(candidate)
        yield from self._others(draft)
        named = not isinstance(draft.form, Things) or self.of.scoring.support(draft.parts[0]) >= _NAMED
        if named and self.of.likely("exists"):
            yield draft.grown(Exists(draft.form), kind="truth", operators=draft.operators | {"exists"})
        if not single:
            yield from self._ranked(draft, ways)
            yield from self._ranked_ends(draft, ways)
            yield from self._rows(draft, ways)
        if not single or isinstance(draft.form, Restricted):  # "the highest week when …" may be the only one
            yield from self._measured(draft)
        yield from self._truths(draft)

    def _others(self, draft: Draft) -> Iterator[Draft]:
        """The things of a set but for one that is named: "what else", "other"."""
        if not self.of.likely("≠") or draft.nodes is None:
            return
        for mention in self.of.asked.mentioned:
            if mention.kind == "entity" and all((draft.nodes == number).any() for number in mention.numbers):
                made = Sets("difference", (draft.form, mention.named))
                yield draft.grown(made, mask=draft.mask | mention.mask, operators=draft.operators | {"≠"})

    def _counted(self, draft: Draft) -> Iterator[Draft]:
        """How many there are, and how that compares with a number."""
        if not self.of.likely("count") and not self.of.likely("compare"):
            return
        if (
            draft.kind in ("number", "time", "truth")
            and not self.of.schema.several[draft.parts[-1]]
            and draft.hops == 1
        ):
            return  # one number is not counted
        counted = draft.grown(Counted(draft.form), kind="number", operators=draft.operators | {"count"})
        yield counted
        if self.of.likely("compare"):
            for mention in self.of.asked.mentioned:
                if self.of.is_count(mention) and not mention.mask & draft.mask:
                    for do in ("=", *_ORDERS):
                        yield counted.grown(
                            Compared(counted.form, do, mention.named),
                            kind="truth",
                            mask=draft.mask | mention.mask,
                            operators=counted.operators | {"compare", *({do} - {"="})},
                        )

    def _projected(self, draft: Draft, ways: Sequence[int]) -> Iterator[Draft]:
        form = draft.form
        taken = form.hop if isinstance(form, Join) and isinstance(form.of, Constant) else None
        for hop in ways[: self.of.width.hops]:
            step = self.of.scoring.hops[hop]
            if taken is not None and step.ids == taken.ids and step.backward != taken.backward:
                continue  # straight back: what else leads there is a path of the grammar (``Grammar._hopped``)
            projected = draft.grown(
                Join(draft.form, step),
                kind=self.of.schema.leads_to[hop],
                parts=(*draft.parts, hop),
                nodes=None,
                hops=draft.hops + 1,
            )
            beyond = self.of.schema.beyond(hop)
            if not len(beyond):
                yield projected
            for further in self.of.scoring.nearest(beyond[beyond != hop ^ 1], _BEYOND):
                yield projected.grown(
                    Join(projected.form, self.of.scoring.hops[further]),
                    kind=self.of.schema.leads_to[further],
                    parts=(*projected.parts, further),
                    hops=projected.hops + 1,
                )

    def _of_values(self, draft: Draft) -> Iterator[Draft]:
        """Of a set of values: their number, statistics, and how they compare with a value."""
        form = draft.form
        yield from self._counted(draft)
        if not isinstance(form, Join):
            return
        yield from self._truths(draft)
        if draft.kind in ("number", "time") and (draft.nodes is None or len(draft.nodes) > 1):
            for statistic in _STATISTICS:
                if self.of.likely(statistic) and (draft.kind == "number" or statistic in ("min", "max")):
                    made = Measured(statistic, form.of, (form.hop,))
                    yield draft.grown(made, operators=draft.operators | {statistic})
        for mention in self.of.asked.mentioned:
            if mention.kind in ("number", "time") and not mention.mask & draft.mask and draft.kind == mention.kind:
                for do in _ORDERS:
                    if self.of.likely(do) and self.of.likely("compare"):
                        yield draft.grown(
                            Compared(form, do, self.of.in_unit(mention.named, draft.parts[-1])),
                            kind="truth",
                            mask=draft.mask | mention.mask,
                            operators=draft.operators | {"compare", do},
                        )

    def _ranked(self, draft: Draft, ways: Sequence[int]) -> Iterator[Draft]:
        keys = [(hops, Key(self.of.path(hops))) for hops in self.of.valued(draft, ("number", "time"))]
        counted = [hop for hop in ways if self.of.schema.several[hop]]
        if self.of.likely("rank by count"):
            keys += [((hop,), Key(self.of.path((hop,)), "count")) for hop in counted[: self.of.width.columns]]
        places, superlatives = self._places(draft), list[Draft]()
        for hops, key in keys:
            for largest in (True, False):
                operator = "largest" if largest else "smallest"
                if not self.of.likely(operator):
                    continue
                more = {"rank by count"} if key.measure == "count" else set()
                for first, last, mask in places:
                    ranked = draft.grown(
                        Ranked(draft.form, key, largest, first, last),
                        parts=(*draft.parts, *hops),
                        mask=draft.mask | mask,
                        operators=draft.operators | {operator, *more, *({"places"} if mask else ())},
                        hops=draft.hops + len(hops),
                    )
                    superlatives.append(ranked)
        yield from superlatives
        for ranked in self.of.best(superlatives, self.of.width.ranked):
            for other in [way for way in ways if way not in ranked.parts[len(draft.parts) :]][:_BEHIND_RANKED]:
                yield ranked.grown(
                    Join(ranked.form, self.of.scoring.hops[other]),
                    kind=self.of.schema.leads_to[other],
                    parts=(*ranked.parts, other),
                    hops=ranked.hops + 1,
                )

    def _ranked_ends(self, draft: Draft, ways: Sequence[int]) -> Iterator[Draft]:
        """The ends of a hop that most or fewest things of a set lead to: "which department has the most people"."""
        if not self.of.likely("rank by count"):
            return
        shared = [hop for hop in ways if not hop & 1 and self.of.schema.leads_to[hop] in ("text", "thing")]
        for hop in [hop for hop in shared if self.of.schema.several[hop ^ 1]][: self.of.width.columns]:
            step = self.of.scoring.hops[hop]
            for largest, operator in ((True, "largest"), (False, "smallest")):
                if self.of.likely(operator):
                    yield draft.grown(
                        Ranked(Join(draft.form, step), Key((step.turned(),), "count"), largest),
                        kind=self.of.schema.leads_to[hop],
                        parts=(*draft.parts, hop),
                        operators=draft.operators | {operator, "rank by count"},
                        hops=draft.hops + 2,
                    )

    def _places(self, draft: Draft) -> list[tuple[int, int, int]]:
        """The places that are asked for, with the words that say so: the first, the first n, the nth."""
        places = [(1, 1, 0)]
        if not self.of.likely("places"):
            return places
        for mention in self.of.asked.mentioned:
            node = mention.named.node
            whole = (
                mention.kind == "number" and isinstance(node, Literal) and node.unit is None and node.value.isdigit()
            )
            if (
                whole
                and isinstance(node, Literal)
                and 1 < int(node.value) <= _MOST_PLACES
                and not mention.mask & draft.mask
            ):
                number = int(node.value)
                places.append((number if mention.ordinal else 1, number, mention.mask))
        return [*places, (2, 2, 0), (3, 3, 0)]

    def _measured(self, draft: Draft) -> Iterator[Draft]:
        for hops in self.of.valued(draft, ("number", "time")):
            kind = self.of.schema.leads_to[hops[-1]]
            for statistic in _STATISTICS:
                if self.of.likely(statistic) and (kind == "number" or statistic in ("min", "max")):
                    yield draft.grown(
                        Measured(statistic, draft.form, self.of.path(hops)),
                        kind=kind,
                        parts=(*draft.parts, *hops),
                        operators=draft.operators | {statistic},
                        hops=draft.hops + len(hops),
                    )

    def _rows(self, draft: Draft, ways: Sequence[int]) -> Iterator[Draft]:
        forward = ways[: self.of.width.columns]
        if self.of.likely("table"):
            for count in range(1, _MOST_COLUMNS + 1):
                for chosen in combinations(forward[:_COLUMNS], count):
                    yield draft.grown(
                        Tabled(draft.form, tuple(Key((self.of.scoring.hops[hop],)) for hop in chosen)),
                        kind="rows",
                        parts=(*draft.parts, *chosen),
                        operators=draft.operators | {"table"},
                        hops=draft.hops + count,
                    )
        if self.of.likely("group"):
            for by in self._grouping(ways):
                path = (self.of.scoring.hops[by],)
                operators = draft.operators | {"group"}
                counted = Grouped(draft.form, path, Key((), "count"))
                common = {"kind": "rows", "hops": draft.hops + 1}
                yield draft.grown(counted, parts=(*draft.parts, by), operators=operators | {"count"}, **common)
                for mention in self.of.asked.mentioned:
                    if self.of.is_count(mention) and not mention.mask & draft.mask:
                        for do in _ORDERS:
                            if self.of.likely(do):
                                yield draft.grown(
                                    replace(counted, having=(do, mention.named)),
                                    parts=(*draft.parts, by),
                                    operators=operators | {"count", do},
                                    mask=draft.mask | mention.mask,
                                    **common,
                                )
                for hop in [way for way in forward if self.of.schema.leads_to[way] == "number"][:_GROUP_MEASURES]:
                    for statistic in _STATISTICS:
                        if self.of.likely(statistic):
                            made = Grouped(draft.form, path, Key((self.of.scoring.hops[hop],), statistic))
                            yield draft.grown(
                                made, parts=(*draft.parts, by, hop), operators=operators | {statistic}, **common
                            )

    def _grouping(self, ways: Sequence[int]) -> list[int]:
        """The hops by whose ends a set may fall into groups, those first whose name or class of ends words are like."""
        shared = [
            hop
            for hop in ways
            if not hop & 1 and (self.of.schema.leads_to[hop] in ("thing", "text") or self.of.schema.several[hop ^ 1])
        ]
        scoring = self.of.scoring
        shared.sort(key=lambda hop: -scoring.support(scoring.likest_part(hop)))
        return shared[: self.of.width.groups]

    def _truths(self, draft: Draft) -> Iterator[Draft]:
        """Whether a set holds another thing that is named."""
        if not self.of.likely("in"):
            return
        for mention in self.of.asked.mentioned:
            wanted = "thing" if mention.kind == "entity" else mention.kind
            if mention.kind in ("entity", "text") and wanted == draft.kind and not mention.mask & draft.mask:
                yield draft.grown(
                    Membership(mention.named, draft.form),
                    kind="truth",
                    mask=draft.mask | mention.mask,
                    link=draft.link * mention.score,
                    operators=draft.operators | {"in"},
                )
