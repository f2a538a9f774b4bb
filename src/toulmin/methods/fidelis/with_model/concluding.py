"""From what the model chose to a program: every value and every comparison is computed from the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Entity, Literal, Node, Relation, Statement, node_key
from toulmin.methods.fidelis.starts import Start, add_link_step
from toulmin.methods.fidelis.walking import Walk, end_set, walk
from toulmin.methods.fidelis.with_model.dating import is_time, kind_of, within
from toulmin.methods.fidelis.with_model.listing import Listed
from toulmin.methods.fidelis.with_model.path_prompter import Decision, Ruling
from toulmin.methods.fidelis.with_model.trails import Trail
from toulmin.program.builder import Builder
from toulmin.program.nodes import Comparison, Window
from toulmin.program.value import Nodes

__all__ = ["Computed", "Concluder"]

_SIGNS: dict[str, Comparison] = {"<": "<", "≤": "≤", ">": ">", "≥": "≥", "=": "=", "≠": "≠"}


@dataclass(frozen=True, slots=True)
class Computed:
    """What a decision leads to.

    Args:
        place: of the node that yields it.
        unmet: what of the decision could not be computed, in words, for the trace.
    """

    place: int
    unmet: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _TrailEnds:
    """What a trail leads to.

    Args:
        own: of a trail of unit "entity" where it ends; else all.
    """

    place: int
    nodes: tuple[Node, ...]
    own: tuple[Node, ...]

    @property
    def picked(self) -> bool:
        """Whether the trail ends at some of the nodes only."""
        return len(self.own) < len(self.nodes)


class Concluder:
    """Puts decisions into programs.

    Args:
        builder: of this question's program.
        starts: every linked entity that a node may name.
        by: the model's name.
    """

    def __init__(self, builder: Builder, subgraph: Subgraph, starts: Sequence[Start], by: str) -> None:
        self.builder, self._subgraph, self._starts, self._by = builder, subgraph, tuple(starts), by

    def answer(self, trail: Trail, *, count: bool = False) -> int | None:
        """What a trail leads to, or how many; of unit "entity" its last entity. None where that is nothing."""
        ends = self._ends(trail)
        if ends is None:
            return None
        place = self._picked(ends.place, ends.own, last=not count) if ends.picked else ends.place
        return self._counted(place) if count else place

    def _ends(self, trail: Trail, window: Window | None = None) -> _TrailEnds | None:
        """Everything that a trail's relations lead to; None where that is nothing."""
        path = self._path(trail, window)
        place, nodes = end_set(self.builder, walk(self.builder, path), path.start)
        own = node_key(self._subgraph.node(trail.nodes[-1])) if trail.nodes else None
        kept = nodes if own is None else tuple(node for node in nodes if node_key(node) == own)
        return _TrailEnds(place, nodes, kept) if kept else None

    def _path(self, trail: Trail, window: Window | None = None) -> Walk:
        return Walk(add_link_step(self.builder, trail.start), trail.pattern(self._subgraph), window=window)

    def _picked(self, place: int, nodes: Sequence[Node], *, last: bool) -> int:
        """Some nodes of a set, as the model chose; ``last``: nothing is computed from them."""
        builder = self.builder
        if last:
            return builder.among(place, nodes, by=self._by, score=1.0)
        named = [builder.entity(node) if isinstance(node, Entity) else builder.literal(node) for node in nodes]
        some = builder.intersection(place, builder.union(*named))
        meant = builder.judged("these are asked for", by=self._by, score=1.0, decision="yes", seen=[place])
        return builder.where(some, lambda _: meant)

    def values(self, decision: Decision, shown: Listed, *, count: bool = False) -> Computed:
        """The answer set of a decision, which may be empty. What cannot be computed is left out, and said.

        Args:
            count: whether the number of values is asked for.
        """
        unmet: list[str] = []
        found: list[tuple[Trail, _TrailEnds]] = []
        for trail in (shown.trails[at] for at in decision.paths):
            ends = self._within(trail, decision.window, unmet)
            if ends is not None:
                found.append((trail, ends))
        if not found:
            nothing = [walk(self.builder, self._path(shown.trails[at])) for at in decision.paths]
            return Computed(self.builder.named(self.builder.union(*nothing)))
        final = not count and decision.pick == "all"
        alone = final and len(found) == 1 and not (decision.values or decision.without)
        places = [self._picked(e.place, e.own, last=alone) if e.picked else e.place for _, e in found]
        place = self.builder.intersection(*places) if decision.every else self.builder.union(*places)
        if decision.values or decision.without:
            place = self._chosen(place, decision, shown, unmet, last=final)
        if decision.pick != "all":
            place = self._extreme(place, [trail for trail, _ in found], decision, shown, unmet)
        return Computed(self._counted(place) if count else place, tuple(unmet))

    def compared(self, left: Trail, sign: str, right: Trail) -> int | None:
        """The comparison of the one value of each trail; None where it cannot be made or stays unknown."""
        sides = [self._ends(left), self._ends(right)]
        if sign not in _SIGNS or not all(side is not None and len(side.nodes) == 1 for side in sides):
            return None
        place = self.builder.compare(_SIGNS[sign], *(side.place for side in sides if side is not None))
        return None if self.builder.truth(place) is None else place

    def reaches(self, trail: Trail, node: int) -> int | None:
        """That a trail leads to an entity which the question names; None where it names none, or it does not."""
        value = self._subgraph.node(node)
        asked = next((one for one in self._starts if isinstance(value, Entity) and one.entity.id == value.id), None)
        ends = self._ends(trail) if asked is not None else None
        if asked is None or ends is None or node_key(value) not in map(node_key, ends.own):
            return None
        return self.builder.exists(self.builder.intersection(ends.place, add_link_step(self.builder, asked)))

    def judged(self, statement: str, ruling: Ruling, trails: Sequence[Trail]) -> int:
        """A verdict that is the model's word over what paths lead to, by a rule that is shown; else unknown."""
        seen = list(dict.fromkeys(ends.place for trail in trails if (ends := self._ends(trail)) is not None))
        decision = ruling.verdict if seen else "unknown"
        word = self.builder.judged(statement, by=self._by, score=1.0, decision=decision, seen=seen)
        if not ruling.thought or ruling.thought == statement:
            return word
        return self.builder.rule(ruling.thought, word, by=self._by, direction="both")

    def _last(self, trail: Trail) -> list[tuple[Statement, Node]]:
        """The last statements of a trail with where they lead."""
        found = self.builder.value(walk(self.builder, self._path(trail)))
        if not isinstance(found, Nodes):
            return []
        return [(statement, node) for node in found.nodes for _, statement in found.arrivals[node_key(node)]]

    def _within(self, trail: Trail, window: tuple[str | None, str | None], unmet: list[str]) -> _TrailEnds | None:
        """What a trail leads to, where its last statements held in a window of years, if they say when they hold."""
        if window == (None, None):
            return self._ends(trail)
        roles: dict[str, dict[str, None]] = {"start": {}, "end": {}, "point": {}}
        for statement, _ in self._last(trail):
            for one in statement.qualifiers:
                if is_time(one.value):
                    roles[kind_of(one.relation)][one.relation.id] = None
        if any(roles.values()):
            bounds = dict(zip(("from", "to"), map(_year, window), strict=True))
            told = Window.model_validate(bounds | {role: tuple(some) for role, some in roles.items()})
            path = self._path(trail, told)
            if end_set(self.builder, walk(self.builder, path), path.start)[1]:
                return self._ends(trail, told)
        ends = self._ends(trail)
        if ends is not None and (some := self._dated(trail, ends, window)):
            return _TrailEnds(ends.place, ends.nodes, some)
        unmet.append("the graph does not say when these held, so that the time asked for selects nothing")
        return ends

    def _dated(self, trail: Trail, ends: _TrailEnds, window: tuple[str | None, str | None]) -> tuple[Node, ...]:
        """Those of a trail's ends that held in a window by the node in between; a program has no step for that."""
        entities = [(self._subgraph.index(node.id), node) for node in ends.own if isinstance(node, Entity)]
        numbers = {number: node for number, node in entities if number is not None}
        return tuple(numbers[number] for number in within(self._subgraph, trail, numbers, window) or ())

    def _chosen(self, place: int, decision: Decision, shown: Listed, unmet: list[str], *, last: bool) -> int:
        """Those nodes of a set that the model chose, or did not leave out, by their numbers."""
        known = {node_key(value): value for value in self.builder.nodes(place)}
        named, left_out = (
            {node_key(node) for node in self._subgraph.nodes([shown.values[at][1] for at in numbers])}
            for numbers in (decision.values, decision.without)
        )
        wanted = (named or known.keys()) - left_out
        kept = {key: node for key, node in known.items() if key in wanted}
        if not kept:
            unmet.append("none of the chosen values is one that the chosen paths lead to, so that all are kept")
        if not kept or len(kept) == len(known):
            return place
        return self._picked(place, tuple(kept.values()), last=last)

    def _extreme(self, place: int, trails: Sequence[Trail], decision: Decision, shown: Listed, unmet: list[str]) -> int:
        by: Relation | None = None
        if decision.by is not None:
            longer = shown.trails[decision.by]
            hops = longer.pattern(self._subgraph)
            beyond = [
                hops[-1].relation
                for trail in trails
                if longer.extends(trail) and len(hops) == len(trail.pattern(self._subgraph)) + 1
            ]
            if not beyond or hops[-1].direction != "forward":
                unmet.append("the path to compare by does not go on from a chosen one by one relation")
                return place
            by = beyond[0]
        made = self._first_or_last(place, decision.pick == "last", by)
        if self.builder.nodes(made):
            return made
        unmet.append(f"nothing in the graph tells which is {decision.pick}")
        return place

    def _first_or_last(self, place: int, last: bool, by: Relation | None) -> int:
        builder = self.builder
        key = (lambda it: builder.follow(it, by)) if by is not None else None
        return builder.last(place, key) if last else builder.first(place, key)

    def _counted(self, place: int) -> int:
        """The number of values; a single quantity is a number already."""
        values = self.builder.nodes(place)
        if len(values) == 1 and isinstance(values[0], Literal) and values[0].kind == "quantity":
            return place
        return self.builder.count(place)


def _year(text: str | None) -> Literal | None:
    if text is None:
        return None
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    return Literal(f"{sign}{int(digits):04d}", "time")
