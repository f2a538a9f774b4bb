"""Conditions: the things of a set that lead to what is named, whose values compare, that have or lack something."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations

import numpy as np

from toulmin.graph.csr import Ints
from toulmin.graph.types import Literal
from toulmin.graph.values import compare
from toulmin.methods.reader.drafting import Drafting
from toulmin.methods.reader.drafts import Draft
from toulmin.methods.reader.forms import (
    Condition,
    Constant,
    Form,
    Join,
    Key,
    Measured,
    Operator,
    Own,
    Path,
    Restricted,
    Things,
)
from toulmin.methods.reader.mentions import Mentioned

__all__ = ["Conditions"]

_ORDERS: tuple[Operator, ...] = (">", "<", "≥", "≤")
_LOWER, _UPPER = frozenset({">", "≥"}), frozenset({"<", "≤"})
_COMPARED_VALUES = 4  # values of one thing that are compared with one another
_NAMED = 0.6  # likeness of words to a class below which nothing that is asked for is left out for not being of it
_MIDDLE = 500  # things on the way of a condition over two hops that are looked at
_TRUTH = {True: Literal("true", "boolean"), False: Literal("false", "boolean")}


@dataclass
class Conditions:
    """Restricts sets by conditions on their things.

    Args:
        of: the question's drafting.
    """

    of: Drafting
    _leading: dict[Mentioned, list[tuple[tuple[int, ...], Ints]]] = field(default_factory=dict)

    def restricted(self, sets: Sequence[Draft]) -> Iterator[Draft]:
        """Sets with one to three conditions."""
        level = [draft for draft in sets if draft.kind == "thing" and draft.nodes is not None and len(draft.nodes) > 1]
        for _ in range(self.of.width.conditions):
            grown = [further for draft in level for further in self._conditioned(draft)]
            level = self.of.best(_distinct(grown), self.of.width.sets)
            yield from level

    def _conditioned(self, draft: Draft) -> Iterator[Draft]:
        ways = self.of.scoring.nearest(self.of.ways(draft), self.of.width.nearest)
        for mention in self.of.asked.mentioned:
            if mention.mask & draft.mask:
                if "as another" in draft.operators:  # "smaller than Malta and on the same continent"
                    yield from self._as_another(draft, mention, ways)
                continue
            if mention.kind in ("entity", "text"):
                yield from self._equal(draft, mention, ways)
            elif mention.kind in ("quoted", "within"):
                yield from self._within(draft, mention, ways)
            else:
                yield from self._bounded(draft, mention, ways)
        yield from self._own(draft)
        for hop in ways[: self.of.width.columns]:
            yield from self._having(draft, hop)
        for hops in self.of.valued(draft, ("truth",)):
            if len(hops) > 1 and self.of.scoring.support(hops[-1]) >= self.of.width.said:
                yield from self._true(draft, hops)

    def _equal(self, draft: Draft, mention: Mentioned, ways: Sequence[int]) -> Iterator[Draft]:
        """Things that lead to what is named, or that do not."""
        assert draft.nodes is not None  # noqa: S101
        available, paths = set(ways), list[tuple[tuple[int, ...], Ints]]()
        for hops, reaching in self._ways_to(mention):
            if hops[0] in available:
                inside = np.intersect1d(draft.nodes, reaching, assume_unique=True)
                unasked = isinstance(draft.form, Things) and self.of.scoring.support(draft.parts[0]) < _NAMED
                if len(inside) and not (unasked and len(inside) < len(reaching)):
                    paths.append((hops, inside))
        for hops, inside in paths:
            path = tuple(self.of.scoring.hops[hop] for hop in hops)
            changes = {
                "parts": (*draft.parts, *hops),
                "mask": draft.mask | mention.mask,
                "link": draft.link * mention.score,
            }
            condition = Condition(Key(path), "=", (mention.named,))
            yield draft.grown(_with(draft.form, condition), nodes=inside, hops=draft.hops + len(hops), **changes)
            if self.of.likely("≠") and len(inside) < len(draft.nodes):
                others = np.setdiff1d(draft.nodes, inside, assume_unique=True)
                unequal = replace(condition, do="≠")
                yield draft.grown(
                    _with(draft.form, unequal),
                    nodes=others,
                    operators=draft.operators | {"≠"},
                    hops=draft.hops + len(hops),
                    **changes,
                )
            if self.of.likely("or"):
                yield from self._or(draft, mention, hops, condition, changes)
        yield from self._as_another(draft, mention, ways)

    def _ways_to(self, mention: Mentioned) -> list[tuple[tuple[int, ...], Ints]]:
        """The paths of one and two hops that lead to what is named, with all that they lead from."""
        if mention not in self._leading:
            target, paths = np.array(mention.numbers, dtype=np.int32), list[tuple[tuple[int, ...], Ints]]()
            for last in self.of.scoring.nearest(self.of.schema.ways(target) ^ 1, self.of.width.nearest):
                middle = self.of.schema.follow(target, last ^ 1)
                paths.append(((last,), middle))
            for (last,), middle in paths[: self.of.width.turns]:
                for first in self.of.scoring.nearest(self.of.schema.ways(middle[:_MIDDLE]) ^ 1, self.of.width.turns):
                    if first != last ^ 1:
                        paths.append(((first, last), self.of.schema.follow(middle[:_MIDDLE], first ^ 1)))
            self._leading[mention] = paths
        return self._leading[mention]

    def _or(
        self, draft: Draft, mention: Mentioned, hops: tuple[int, ...], condition: Condition, changes: dict[str, object]
    ) -> Iterator[Draft]:
        """Things that lead to the one or the other of two that are named: "in Rome or Milan"."""
        assert draft.nodes is not None  # noqa: S101
        for other in self.of.asked.mentioned:
            if other.first < mention.last or other.kind != mention.kind or other.mask & draft.mask:
                continue
            reaching = np.array(other.numbers, dtype=np.int32)
            for hop in reversed(hops):
                reaching = self.of.schema.follow(reaching, hop ^ 1)
            if not np.isin(draft.nodes, reaching).any():
                continue
            either = replace(condition, values=(mention.named, other.named))
            inside = np.intersect1d(draft.nodes, self._reaching((mention, other), hops))
            grown = draft.grown(
                _with(draft.form, either),
                hops=draft.hops + len(hops),
                operators=draft.operators | {"or"},
                **(changes | {"mask": draft.mask | mention.mask | other.mask, "nodes": inside}),
            )
            yield grown
            if self.of.likely("≠") and len(inside) < len(draft.nodes):
                yield grown.grown(
                    _with(draft.form, replace(either, do="≠")),
                    nodes=np.setdiff1d(draft.nodes, inside, assume_unique=True),
                    operators=grown.operators | {"≠"},
                )

    def _reaching(self, mentions: Iterable[Mentioned], hops: Sequence[int]) -> Ints:
        reaching = np.unique(np.array([n for mention in mentions for n in mention.numbers], dtype=np.int32))
        for hop in reversed(hops):
            reaching = self.of.schema.follow(reaching, hop ^ 1)
        return reaching

    def _as_another(self, draft: Draft, mention: Mentioned, ways: Sequence[int]) -> Iterator[Draft]:
        """Things with the same value as one that is named, or with a larger or smaller one."""
        if mention.kind != "entity" or not self.of.likely("as another"):
            return
        mention_hops = set(self.of.schema.ways(np.array(mention.numbers, dtype=np.int32)).tolist())
        for hop in [hop for hop in ways if hop in mention_hops and not hop & 1][: self.of.width.others]:
            if _holds(draft.form, (self.of.scoring.hops[hop],)):
                continue
            orders: tuple[Operator, ...] = (">", "<") if self.of.schema.leads_to[hop] in ("number", "time") else ()
            for do in ("=", *orders):
                value = Join(mention.named, self.of.scoring.hops[hop])
                condition = Condition(Key((self.of.scoring.hops[hop],)), do, (value,))
                yield draft.grown(
                    _with(draft.form, condition),
                    parts=(*draft.parts, hop),
                    mask=draft.mask | mention.mask,
                    link=draft.link * mention.score,
                    operators=draft.operators | {"as another", *({do} - {"="})},
                    hops=draft.hops + 2,
                )

    def _own(self, draft: Draft) -> Iterator[Draft]:
        """Things with a number or time that is larger or smaller than another of their own."""
        conditions = draft.form.conditions if isinstance(draft.form, Restricted) else ()
        if any(isinstance(value, Own) for condition in conditions for value in condition.values):
            return
        for kind in ("number", "time"):
            valued = [hops for hops in self.of.valued(draft, (kind,)) if len(hops) == 1]
            said = [hop for (hop,) in valued if self.of.scoring.support(hop) >= self.of.width.said]
            for first, second in permutations(said[:_COMPARED_VALUES], 2):
                if self.of.schema.units(first) != self.of.schema.units(second):
                    continue
                for do in [do for do in _ORDERS if self.of.likely(do)]:
                    condition = Condition(Key(self.of.path((first,))), do, (Own(self.of.path((second,))),))
                    yield draft.grown(
                        _with(draft.form, condition),
                        parts=(*draft.parts, first, second),
                        operators=draft.operators | {do},
                        hops=draft.hops + 2,
                    )

    def _bounded(self, draft: Draft, mention: Mentioned, ways: Sequence[int]) -> Iterator[Draft]:
        """Things whose numbers or times compare with a value, or that lead to so many."""
        wanted = "time" if mention.kind == "time" else "number"
        common = {"mask": draft.mask | mention.mask, "link": draft.link * mention.score}
        for hops in self.of.valued(draft, (wanted,)):
            if not self.of.comparable(mention.named, hops[-1]):
                continue
            for do in ("=", *_ORDERS):
                if do != "=" and not self.of.likely(do):
                    continue
                value = self.of.in_unit(mention.named, hops[-1])
                condition = Condition(Key(self.of.path(hops)), do, (value,))
                if not _bounds_anew(draft.form, condition):
                    continue
                yield draft.grown(
                    _with(draft.form, condition),
                    parts=(*draft.parts, *hops),
                    operators=draft.operators | ({do} - {"="}),
                    hops=draft.hops + len(hops),
                    **common,
                )
        if self.of.is_count(mention) and self.of.likely("count condition"):
            for hop in [hop for hop in ways if self.of.schema.several[hop]][: self.of.width.columns]:
                for do in ("=", *_ORDERS):
                    condition = Condition(Key((self.of.scoring.hops[hop],), "count"), do, (mention.named,))
                    yield draft.grown(
                        _with(draft.form, condition),
                        parts=(*draft.parts, hop),
                        operators=draft.operators | ({do} - {"="}) | {"count condition"},
                        hops=draft.hops + 1,
                        **common,
                    )

    def _within(self, draft: Draft, mention: Mentioned, ways: Sequence[int]) -> Iterator[Draft]:
        """Things with a text that holds what the question quotes, or a word of it, or begins with it."""
        texts = [hop for hop in ways if self.of.schema.leads_to[hop] == "text"]
        if mention.kind == "within":
            reaching = self.of.schema.ways(np.array(mention.numbers, dtype=np.int32)) ^ 1
            texts = [hop for hop in texts if hop in reaching]
        for hop in texts[: self.of.width.columns]:
            for do in ("contains", "starts"):
                condition = Condition(Key((self.of.scoring.hops[hop],)), do, (mention.named,))
                yield draft.grown(
                    _with(draft.form, condition),
                    parts=(*draft.parts, hop),
                    mask=draft.mask | mention.mask,
                    hops=draft.hops + 1,
                )

    def _having(self, draft: Draft, hop: int) -> Iterator[Draft]:
        step, kind = self.of.scoring.hops[hop], self.of.schema.leads_to[hop]
        part = self.of.scoring.likest_part(hop)
        if self.of.scoring.support(part) < self.of.width.said or _holds(draft.form, (step,)):
            return
        changes = {"parts": (*draft.parts, part), "hops": draft.hops + 1}
        if kind == "truth":
            yield from self._true(draft, (hop,))
            return
        if kind == "number" and self.of.likely("mean"):
            for do in (">", "<"):
                if self.of.likely(do):
                    condition = Condition(Key((step,)), do, (Measured("mean", draft.form, (step,)),))
                    operators = draft.operators | {"mean", do, "as another"}
                    yield draft.grown(_with(draft.form, condition), operators=operators, **changes)
        if kind == "number":
            zero = Constant("0", Literal("0", "quantity"))
            for do, operator in (("=", "lacks"), (">", "has")):
                if self.of.likely(operator) or self.of.likely("≠"):
                    condition = Condition(Key((step,)), do, (self.of.in_unit(zero, hop),))  # type: ignore[arg-type]
                    yield draft.grown(_with(draft.form, condition), operators=draft.operators | {operator}, **changes)
        for do in ("has", "lacks"):
            if self.of.likely(do):
                condition = Condition(Key((step,)), do)  # type: ignore[arg-type]
                yield draft.grown(_with(draft.form, condition), operators=draft.operators | {do}, **changes)

    def _true(self, draft: Draft, hops: tuple[int, ...]) -> Iterator[Draft]:
        """Things of which a yes or a no is said, or of what they lead to: "in a flooded shaft"."""
        path = self.of.path(hops)
        if _holds(draft.form, path):
            return
        for value in (True, False):
            named = Constant("yes" if value else "no", _TRUTH[value])
            yield draft.grown(
                _with(draft.form, Condition(Key(path), "=", (named,))),
                parts=(*draft.parts, *hops),
                operators=draft.operators | (frozenset() if value else {"≠"}),
                hops=draft.hops + len(hops),
            )


def _holds(form: Form, path: Path) -> bool:
    """Whether a condition of a form is over a path already."""
    return isinstance(form, Restricted) and any(condition.key.path == path for condition in form.conditions)


def _bounds_anew(form: Form, condition: Condition) -> bool:
    """Whether a bound adds to those of a form over the same key: there is none, or the two are a lower and an upper."""
    if not isinstance(form, Restricted):
        return True
    for other in form.conditions:
        if other.key == condition.key and other.do in ("has", "lacks"):
            return False
        if other.key != condition.key or other.do not in ("=", *_ORDERS):
            continue
        low, high = (other, condition) if other.do in _LOWER else (condition, other)
        if low.do not in _LOWER or high.do not in _UPPER:
            return False
        nodes = [value.node for bound in (low, high) for value in bound.values if isinstance(value, Constant)]
        if len(nodes) == 2 and None not in nodes and compare(">", nodes[0], nodes[1]):  # type: ignore[arg-type]
            return False
    return True


def _with(form: Form, condition: Condition) -> Form:
    if isinstance(form, Restricted):
        return replace(form, conditions=(*form.conditions, condition))
    return Restricted(form, (condition,))


def _distinct(drafts: Iterable[Draft]) -> list[Draft]:
    """The drafts, of those that differ in the order of conditions alone the first."""
    distinct: dict[object, Draft] = {}
    for draft in drafts:
        form = draft.form
        key = (form.of, frozenset(form.conditions)) if isinstance(form, Restricted) else form
        distinct.setdefault(key, draft)
    return list(distinct.values())
