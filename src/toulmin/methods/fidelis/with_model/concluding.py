"""From what the model chose to a program: every value and every comparison is computed from the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Entity, Literal, Node, node_key
from toulmin.methods.fidelis.walking import Ends, Start, Trail, end_set, walk
from toulmin.methods.fidelis.with_model.dating import Years, is_time, kind_of, padded_year, within
from toulmin.methods.fidelis.with_model.listing import Listed
from toulmin.methods.fidelis.with_model.path_prompter import Decision, Ruling
from toulmin.program.builder import Builder
from toulmin.program.nodes import Comparison, Window
from toulmin.program.value import Nodes

__all__ = ["Concluder"]

_SIGNS: dict[str, Comparison] = {"<": "<", "≤": "≤", ">": ">", "≥": "≥", "=": "=", "≠": "≠"}


@dataclass(frozen=True, slots=True)
class _TrailEnds(Ends):
    """What a trail leads to; ``kept``: of unit "entity" where it ends, else all."""

    kept: tuple[Node, ...]


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
        place = self._kept(ends, last=not count)
        return self._counted(place) if count else place

    def values(self, decision: Decision, shown: Listed, *, count: bool = False) -> int:
        """The answer set of a decision, which may be empty. What cannot be computed of the decision is left out.

        Args:
            count: whether the number of values is asked for.
        """
        trails = [shown.trails[at] for at in decision.paths]
        walked = [(trail, ends) for trail in trails if (ends := self._within(trail, decision.window)) is not None]
        if not walked:
            nothing = [self._walked(trail)[1] for trail in trails]
            return self.builder.named(self.builder.union(*nothing))
        final = not count and decision.pick == "all"
        alone = final and len(walked) == 1 and not (decision.values or decision.without)
        places = [self._kept(ends, last=alone) for _, ends in walked]
        place = self.builder.intersection(*places) if decision.every else self.builder.union(*places)
        if decision.values or decision.without:
            place = self._chosen(place, decision, shown, last=final)
        if decision.pick != "all":
            place = self._first_or_last(place, [trail for trail, _ in walked], decision, shown)
        return self._counted(place) if count else place

    def compared(self, left: Trail, sign: str, right: Trail) -> int | None:
        """The comparison of the one value of each trail; None where it cannot be made or stays unknown."""
        sides = [self._ends(left), self._ends(right)]
        if sign not in _SIGNS or not all(side is not None and len(side.nodes) == 1 for side in sides):
            return None
        place = self.builder.compare(_SIGNS[sign], *(side.place for side in sides if side is not None))
        return None if self.builder.truth(place) is None else place

    def reaches(self, trail: Trail, node: int) -> int | None:
        """The truth that a trail leads to an entity of the question; None where none is named, or it does not."""
        value = self._subgraph.node(node)
        named = (start for start in self._starts if isinstance(value, Entity) and start.entity.id == value.id)
        start = next(named, None)
        ends = self._ends(trail) if start is not None else None
        if start is None or ends is None or node_key(value) not in map(node_key, ends.kept):
            return None
        return self.builder.exists(self.builder.intersection(ends.place, start.place(self.builder)))

    def judged(self, statement: str, ruling: Ruling, trails: Sequence[Trail]) -> int:
        """A verdict that is the model's word over what paths lead to, by a rule that is shown; else unknown."""
        seen = list(dict.fromkeys(ends.place for trail in trails if (ends := self._ends(trail)) is not None))
        decision = ruling.verdict if seen else "unknown"
        word = self.builder.judged(statement, by=self._by, score=1.0, decision=decision, seen=seen)
        if not ruling.thought or ruling.thought == statement:
            return word
        return self.builder.rule(ruling.thought, word, by=self._by, direction="both")

    def _walked(self, trail: Trail, window: Window | None = None) -> tuple[int, int]:
        """The places of a trail's start, and of what its relations lead to."""
        start = trail.start.place(self.builder)
        return start, walk(self.builder, start, trail.pattern(self._subgraph), window)

    def _ends(self, trail: Trail, window: Window | None = None) -> _TrailEnds | None:
        """Everything that a trail's relations lead to; None where that is nothing."""
        start, led = self._walked(trail, window)
        place, nodes = end_set(self.builder, led, start)
        last = node_key(self._subgraph.node(trail.nodes[-1])) if trail.nodes else None
        at_end = nodes if last is None else tuple(node for node in nodes if node_key(node) == last)
        return _TrailEnds(place, nodes, at_end) if at_end else None

    def _kept(self, ends: _TrailEnds, *, last: bool) -> int:
        return self._picked(ends.place, ends.kept, last=last) if len(ends.kept) < len(ends.nodes) else ends.place

    def _picked(self, place: int, nodes: Sequence[Node], *, last: bool) -> int:
        """The nodes of a set that the model chose; with ``last``, as a set from which nothing more is computed."""
        builder = self.builder
        if last:
            return builder.among(place, nodes, by=self._by, score=1.0)
        places = [builder.entity(node) if isinstance(node, Entity) else builder.literal(node) for node in nodes]
        both = builder.intersection(place, builder.union(*places))
        judged = builder.judged("these are asked for", by=self._by, score=1.0, decision="yes", seen=[place])
        return builder.where(both, lambda _: judged)

    def _within(self, trail: Trail, years: Years) -> _TrailEnds | None:
        """What a trail leads to, where its last statements held in a window of years, if they say when they hold.

        Where the graph does not say when they held, the years select nothing.
        """
        if years == (None, None):
            return self._ends(trail)
        roles: dict[str, dict[str, None]] = {"start": {}, "end": {}, "point": {}}
        walked = self.builder.value(self._walked(trail)[1])
        arrivals = walked.arrivals if isinstance(walked, Nodes) else {}
        for _, statement in chain.from_iterable(arrivals.values()):
            for qualifier in statement.qualifiers:
                if is_time(qualifier.value):
                    roles[kind_of(qualifier.relation)][qualifier.relation.id] = None
        if any(roles.values()):
            bounds = [Literal(padded_year(year), "time") if year else None for year in years]
            window = Window.model_validate(
                {"from": bounds[0], "to": bounds[1], **{role: tuple(ids) for role, ids in roles.items()}}
            )
            start, led = self._walked(trail, window)
            if end_set(self.builder, led, start)[1]:
                return self._ends(trail, window)
        ends = self._ends(trail)
        dated = self._dated(trail, ends, years) if ends is not None else ()
        return _TrailEnds(ends.place, ends.nodes, dated) if ends is not None and dated else ends

    def _dated(self, trail: Trail, ends: _TrailEnds, years: Years) -> tuple[Node, ...]:
        """Those of a trail's ends that held in these years by the node in between; a program has no step for that."""
        entities = [(self._subgraph.index(node.id), node) for node in ends.kept if isinstance(node, Entity)]
        numbers = {number: node for number, node in entities if number is not None}
        return tuple(numbers[number] for number in within(self._subgraph, trail, numbers, years) or ())

    def _chosen(self, place: int, decision: Decision, shown: Listed, *, last: bool) -> int:
        """Those nodes of a set that the model chose, or did not leave out, by their numbers; all where none is left."""
        values = {node_key(value): value for value in self.builder.nodes(place)}
        named_keys, left_out = (
            {node_key(node) for node in self._subgraph.nodes([shown.values[at][1] for at in numbers])}
            for numbers in (decision.values, decision.without)
        )
        keys = (named_keys or values.keys()) - left_out
        picked = tuple(node for key, node in values.items() if key in keys)
        return self._picked(place, picked, last=last) if 0 < len(picked) < len(values) else place

    def _first_or_last(self, place: int, trails: Sequence[Trail], decision: Decision, shown: Listed) -> int:
        """The first or last of a set, by itself or by the path that the model named; all where nothing tells which.

        That path has to go on from a chosen one by one relation, forward.
        """
        builder, key = self.builder, None
        if decision.by is not None:
            longer = shown.trails[decision.by]
            hops = longer.pattern(self._subgraph)
            further = any(longer.extends(trail) and len(hops) == len(trail.slots) + 1 for trail in trails)
            if not further or hops[-1].direction != "forward":
                return place
            key = partial(builder.follow, relations=hops[-1].relation)
        extreme = (builder.last if decision.pick == "last" else builder.first)(place, key)
        return extreme if builder.nodes(extreme) else place

    def _counted(self, place: int) -> int:
        """The number of values; a single quantity is a number already."""
        values = self.builder.nodes(place)
        if len(values) == 1 and isinstance(values[0], Literal) and values[0].kind == "quantity":
            return place
        return self.builder.count(place)
