"""Conditions: the things of a set that lead to what is named, whose values compare, that have or lack something."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import permutations
from operator import or_
from typing import Any

import numpy as np

from toulmin.graph.csr import Ints
from toulmin.graph.types import Literal
from toulmin.graph.values import compare
from toulmin.methods.reader.drafting import COLUMNS, NEAREST, ORDERS, SAID, SETS, Drafting
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

_EQUAL: tuple[Operator, ...] = ("=",)
_STRICT: tuple[Operator, ...] = (">", "<")
_HOLDING: tuple[Operator, ...] = ("contains", "starts")
_HAVING: tuple[Operator, ...] = ("has", "lacks")
_BESIDE_ZERO: dict[Operator, str] = {"=": "lacks", ">": "has"}  # what zero of something says, and more than zero
_LOWER, _UPPER = frozenset({">", "≥"}), frozenset({"<", "≤"})
_COMPARED_VALUES = 4  # values of one thing that are compared with one another
_NAMED = 0.6  # likeness of words to a class below which nothing that is asked for is left out for not being of it
_MIDDLE = 500  # things on the way of a condition over two hops that are looked at
_CONDITIONS = 3  # of a set at most
_TURNS = 9  # hops of each step of a condition over two hops
_OTHERS = 8  # hops by which things are compared with one that is named
_YES, _NO = Constant("yes", Literal("true", "boolean")), Constant("no", Literal("false", "boolean"))
_ZERO = Constant("0", Literal("0", "quantity"))


@dataclass
class Conditions(Drafting):
    """Restricts sets by conditions on their things."""

    _leading: dict[Mentioned, list[tuple[tuple[int, ...], Ints]]] = field(default_factory=dict)

    def restricted(self, sets: Sequence[Draft]) -> Iterator[Draft]:
        """Sets with one to three conditions."""
        level = [draft for draft in sets if draft.kind == "thing" and draft.nodes is not None and len(draft.nodes) > 1]
        for _ in range(_CONDITIONS):
            grown = [further for draft in level for further in self._conditioned(draft)]
            level = self.best(_distinct(grown), SETS)
            yield from level

    def _conditioned(self, draft: Draft) -> Iterator[Draft]:
        ways = self.hops_of(draft)
        for mention in self.asked.mentioned:
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
        for hop in ways[:COLUMNS]:
            yield from self._having(draft, hop)
        for hops in self.valued(draft, "truth"):
            if len(hops) > 1 and self.scoring.support(hops[-1]) >= SAID:
                yield from self._true(draft, hops)

    def _equal(self, draft: Draft, mention: Mentioned, ways: Sequence[int]) -> Iterator[Draft]:
        """Things that lead to what is named, or that do not."""
        assert draft.nodes is not None  # noqa: S101
        available = set(ways)
        unasked = isinstance(draft.form, Things) and self.scoring.support(draft.parts[0]) < _NAMED
        for hops, reaching in self._ways_to(mention):
            if hops[0] in available:
                inside = np.intersect1d(draft.nodes, reaching, assume_unique=True)
                if len(inside) and not (unasked and len(inside) < len(reaching)):
                    yield from self._inside_or_not(draft, [mention], hops, inside)
                    if self.likely("or"):
                        yield from self._or(draft, mention, hops)
        yield from self._as_another(draft, mention, ways)

    def _inside_or_not(
        self, draft: Draft, mentions: Sequence[Mentioned], hops: tuple[int, ...], inside: Ints
    ) -> Iterator[Draft]:
        """The things of a set that lead to one of what is named, and the others."""
        assert draft.nodes is not None  # noqa: S101
        does, mask = {"or"} if len(mentions) > 1 else set[str](), reduce(or_, (mention.mask for mention in mentions))
        condition = Condition(Key(self.path(hops)), "=", tuple(mention.named for mention in mentions))
        more = {"mask": mask, "link": mentions[0].score}
        yield _with(draft, condition, hops, does, nodes=inside, **more)
        if self.likely("≠") and len(inside) < len(draft.nodes):
            others = np.setdiff1d(draft.nodes, inside, assume_unique=True)
            yield _with(draft, replace(condition, do="≠"), hops, does | {"≠"}, nodes=others, **more)

    def _ways_to(self, mention: Mentioned) -> list[tuple[tuple[int, ...], Ints]]:
        """The paths of one and two hops that lead to what is named, with all that they lead from."""
        if mention not in self._leading:
            target, paths = mention.nodes, list[tuple[tuple[int, ...], Ints]]()
            for last in self.scoring.nearest(self.schema.ways(target) ^ 1, NEAREST):
                paths.append(((last,), self.schema.follow(target, last ^ 1)))
            for (last,), middle in paths[:_TURNS]:
                for first in self.scoring.nearest(self.schema.ways(middle[:_MIDDLE]) ^ 1, _TURNS):
                    if first != last ^ 1:
                        paths.append(((first, last), self.schema.follow(middle[:_MIDDLE], first ^ 1)))
            self._leading[mention] = paths
        return self._leading[mention]

    def _or(self, draft: Draft, mention: Mentioned, hops: tuple[int, ...]) -> Iterator[Draft]:
        """Things that lead to the one or the other of two that are named: "in Rome or Milan"."""
        assert draft.nodes is not None  # noqa: S101
        for other in self.unused(draft, mention.kind):
            if other.first >= mention.last and np.isin(draft.nodes, self._reaching([other], hops)).any():
                inside = np.intersect1d(draft.nodes, self._reaching([mention, other], hops))
                yield from self._inside_or_not(draft, [mention, other], hops, inside)

    def _reaching(self, mentions: Iterable[Mentioned], hops: Sequence[int]) -> Ints:
        reaching = np.unique(np.concatenate([mention.nodes for mention in mentions]))
        for hop in reversed(hops):
            reaching = self.schema.follow(reaching, hop ^ 1)
        return reaching

    def _as_another(self, draft: Draft, mention: Mentioned, ways: Sequence[int]) -> Iterator[Draft]:
        """Things with the same value as one that is named, or with a larger or smaller one."""
        if mention.kind != "entity" or not self.likely("as another"):
            return
        mention_hops = set(self.schema.ways(mention.nodes).tolist())
        for hop in [hop for hop in ways if hop in mention_hops and not hop & 1][:_OTHERS]:
            step = self.scoring.hops[hop]
            if _holds(draft.form, (step,)):
                continue
            orders = _STRICT if self.schema.leads_to[hop] in ("number", "time") else ()
            for do in _EQUAL + orders:
                condition = Condition(Key((step,)), do, (Join(mention.named, step),))
                does = {do, "as another"}
                yield _with(draft, condition, (hop,), does, mask=mention.mask, link=mention.score, hops=2)

    def _own(self, draft: Draft) -> Iterator[Draft]:
        """Things with a number or time that is larger or smaller than another of their own."""
        conditions = draft.form.conditions if isinstance(draft.form, Restricted) else ()
        if any(isinstance(value, Own) for condition in conditions for value in condition.values):
            return
        for kind in ("number", "time"):
            valued = [hops for hops in self.valued(draft, kind) if len(hops) == 1]
            said = [hop for (hop,) in valued if self.scoring.support(hop) >= SAID]
            for first, second in permutations(said[:_COMPARED_VALUES], 2):
                if self.schema.units(first) == self.schema.units(second):
                    for do in self.likely_orders():
                        condition = Condition(Key(self.path((first,))), do, (Own(self.path((second,))),))
                        yield _with(draft, condition, (first, second), {do})

    def _bounded(self, draft: Draft, mention: Mentioned, ways: Sequence[int]) -> Iterator[Draft]:
        """Things whose numbers or times compare with a value, or that lead to so many."""
        more = {"mask": mention.mask, "link": mention.score}
        for hops in self.valued(draft, "time" if mention.kind == "time" else "number"):
            if (value := self.comparable(mention.named, hops[-1])) is not None:
                for do in (*_EQUAL, *self.likely_orders()):
                    condition = Condition(Key(self.path(hops)), do, (value,))
                    if _bounds_anew(draft.form, condition, self.asked.other_ends(mention)):
                        yield _with(draft, condition, hops, {do}, **more)
        if self.is_count(mention) and self.likely("count condition"):
            for hop in [hop for hop in ways if self.schema.several[hop]][:COLUMNS]:
                for do in _EQUAL + ORDERS:
                    condition = Condition(Key(self.path((hop,)), "count"), do, (mention.named,))
                    if _bounds_anew(draft.form, condition, self.asked.other_ends(mention)):
                        yield _with(draft, condition, (hop,), {do, "count condition"}, **more)

    def _within(self, draft: Draft, mention: Mentioned, ways: Sequence[int]) -> Iterator[Draft]:
        """Things with a text that holds what the question quotes, or a word of it, or begins with it."""
        texts = [hop for hop in ways if self.schema.leads_to[hop] == "text"]
        if mention.kind == "within":
            reaching = self.schema.ways(mention.nodes) ^ 1
            texts = [hop for hop in texts if hop in reaching]
        for hop in texts[:COLUMNS]:
            for do in _HOLDING:
                condition = Condition(Key(self.path((hop,))), do, (mention.named,))
                yield _with(draft, condition, (hop,), mask=mention.mask)

    def _having(self, draft: Draft, hop: int) -> Iterator[Draft]:
        path, kind, part = self.path((hop,)), self.schema.leads_to[hop], self.scoring.likest_part(hop)
        if self.scoring.support(part) < SAID or _holds(draft.form, path):
            return
        if kind == "truth":
            yield from self._true(draft, (hop,))
            return
        key, tried = Key(path), list[tuple[Condition, set[str]]]()
        if kind == "number":
            mean, zero = (Measured("mean", draft.form, path),), (self.comparable(_ZERO, hop) or _ZERO,)
            if self.likely("mean"):
                tried += [(Condition(key, do, mean), {"mean", do, "as another"}) for do in _STRICT if self.likely(do)]
            for do, operator in _BESIDE_ZERO.items():
                if self.likely(operator) or self.likely("≠"):
                    tried.append((Condition(key, do, zero), {operator}))
        tried += [(Condition(key, do), {do}) for do in _HAVING if self.likely(do)]
        for condition, does in tried:
            yield _with(draft, condition, (part,), does)

    def _true(self, draft: Draft, hops: tuple[int, ...]) -> Iterator[Draft]:
        """Things of which a yes or a no is said, or of what they lead to: "in a flooded shaft"."""
        path = self.path(hops)
        if not _holds(draft.form, path):
            for named in (_YES, _NO):
                does = {"≠"} if named is _NO else ()
                yield _with(draft, Condition(Key(path), "=", (named,)), hops, does)


def _holds(form: Form, path: Path) -> bool:
    """Whether a condition of a form is over a path already."""
    return isinstance(form, Restricted) and any(condition.key.path == path for condition in form.conditions)


def _bounds_anew(form: Form, condition: Condition, ends: Collection[object]) -> bool:
    """Whether a bound may stand beside those of a form: over its key there is none, or one is a lower, one an upper.

    Args:
        ends: where the other end of a range stands, which has to bound the same key.
    """
    if not isinstance(form, Restricted):
        return True
    for other in form.conditions:
        if other.key != condition.key and any(isinstance(v, Constant) and v.words in ends for v in other.values):
            return False
        if other.key == condition.key and other.do in _HAVING:
            return False
        if other.key != condition.key or other.do not in _EQUAL + ORDERS:
            continue
        low, high = (other, condition) if other.do in _LOWER else (condition, other)
        if low.do not in _LOWER or high.do not in _UPPER:
            return False
        nodes = [value.node for bound in (low, high) for value in bound.values if isinstance(value, Constant)]
        if len(nodes) == 2 and None not in nodes and compare(">", nodes[0], nodes[1]):  # type: ignore[arg-type]
            return False
    return True


def _with(draft: Draft, condition: Condition, parts: Iterable[int], does: Iterable[str] = (), **more: Any) -> Draft:
    """The things of a set for which a condition holds, too; the rest as of ``Draft.grown``."""
    form = draft.form
    if isinstance(form, Restricted):
        return draft.grown(replace(form, conditions=(*form.conditions, condition)), parts, does, **more)
    return draft.grown(Restricted(form, (condition,)), parts, does, **more)


def _distinct(drafts: Iterable[Draft]) -> list[Draft]:
    """The drafts, of those that differ in the order of conditions alone the first."""
    distinct: dict[object, Draft] = {}
    for draft in drafts:
        form = draft.form
        key = (form.of, frozenset(form.conditions)) if isinstance(form, Restricted) else form
        distinct.setdefault(key, draft)
    return list(distinct.values())
