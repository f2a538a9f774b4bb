"""The fast evaluation of programs: as docs/certificate.md has it, over the arrays of a graph.

It shares no code with the kernel's, which is slow and plain, and checks what this one says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy as copy_of
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toulmin.errors import InputError
from toulmin.graph.arithmetic import aggregate, arithmetic
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, Literal, Node, node_key
from toulmin.kernel.certificate import OpNode
from toulmin.program import comparison, following, weighing
from toulmin.program.graph_source import Edges, GraphSource, Numbers, open_source
from toulmin.program.nodes import Follow, It, ProgramNode
from toulmin.program.periods import Period
from toulmin.program.value import Nodes, Result, Rows, Truth

__all__ = ["ArrayEvaluator"]

_DECISIONS: Mapping[str, Truth] = {"yes": True, "no": False, "unknown": None}
_MANY = 4  # nodes from which on it is worth to read for all of them at once
_NO, _UNKNOWN, _YES = range(3)  # truths in a column: Kleene's and is the least, or the greatest
_TRUTHS: Sequence[Truth] = (False, None, True)
_Column = NDArray[np.int8]


@dataclass(slots=True)
class _Frame:
    """A variable's value, and what has been evaluated under it."""

    value: Nodes
    depth: int
    memo: dict[int, Result] = field(default_factory=dict)


_Frames = Mapping[int, _Frame]


@dataclass(frozen=True, slots=True)
class _Reached:
    """Pairs of a node and what a path leads to from it; ``open``: there may be more."""

    origin: Numbers
    end: Numbers
    open: bool

    def followed(self, edges: Edges) -> _Reached:
        """With one more step behind it."""
        order = np.argsort(edges.origin, kind="stable")
        starts, stops = (np.searchsorted(edges.origin[order], self.end, side) for side in ("left", "right"))
        counts = stops - starts
        steps = np.repeat(starts - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
        return _Reached(np.repeat(self.origin, counts), edges.end[order[steps]], open=True)


class ArrayEvaluator:
    """Evaluates the nodes of a program that may grow.

    Args:
        graph: what it is evaluated over.
        program, known: the nodes, and as the kernel reads them; lists that the owner extends.
    """

    def __init__(self, graph: Graph, program: Sequence[ProgramNode], known: Sequence[OpNode]) -> None:
        self.graph, self._program, self._known = graph, program, known
        self.source: GraphSource = open_source(graph)
        self._closed: dict[int, Result] = {}
        self._needed: dict[int, frozenset[int]] = {}
        self._tested: dict[int, dict[int, Truth]] = {}  # by test that depends on one variable alone, by its node

    def fork(self, program: Sequence[ProgramNode], known: Sequence[OpNode]) -> ArrayEvaluator:
        """An evaluator of a copy of the program, which knows what this one has evaluated."""
        copy = copy_of(self)
        copy._program, copy._known = program, known
        copy._closed, copy._needed = dict(self._closed), dict(self._needed)
        copy._tested = dict(self._tested)  # what is known of a test that both have is known to both
        return copy

    def value(self, place: int) -> Result:
        """What a node yields that depends on no variable.

        Raises:
            InputError: it depends on one, or what it names is not in the graph.
        """
        if self._known[place].free:
            raise InputError(f"node {place} depends on a variable, and has no value of its own")
        return self._value(place, {})

    def _value(self, place: int, frames: _Frames) -> Result:
        needs = self._needs(place)
        memo = (
            max((frames[variable] for variable in needs), key=lambda variable: variable.depth).memo
            if needs
            else self._closed
        )
        if place not in memo:
            node = self._program[place]
            if isinstance(node, It):
                memo[place] = frames[place].value
            elif simple := _SIMPLE.get(node.op):
                memo[place] = simple(self, node, frames)
            else:
                memo[place] = getattr(self, f"_{node.op}")(node, frames)
        return memo[place]

    def _nodes(self, place: int, frames: _Frames) -> Nodes:
        value = self._value(place, frames)
        assert isinstance(value, Nodes)  # noqa: S101  (static types say so)
        return value

    def _truth(self, place: int, frames: _Frames) -> Truth:
        value = self._value(place, frames)
        assert value is None or isinstance(value, bool)  # noqa: S101
        return value

    def _nodes_of(self, nodes: Sequence[Node], *, none: bool = False, at_least: bool = False) -> Nodes:
        return Nodes(self.source, self.source.numbers(nodes), none=none, at_least=at_least)

    # -- variables ---------------------------------------------------------------------------------------------------

    def _bind(self, variable: int, value: Nodes, frames: _Frames) -> _Frames:
        depth = max((frame.depth for frame in frames.values()), default=0) + 1
        return {**frames, variable: _Frame(value, depth)}

    def _each(self, variable: int, of: Nodes, frames: _Frames, *under: int | None) -> Iterator[tuple[int, _Frames]]:
        """Each node of a set, with the variable bound to it."""
        if self.source.batched and len(of) > 1:
            wide = self._bind(variable, of, frames)
            for place in under:
                if place is not None:
                    self._read_ahead(place, wide)
        ahead = self._spread(variable, of, under) if len(of) >= _MANY else {}
        for number in of.numbers:
            alone = self._bind(variable, Nodes(self.source, number.reshape(1)), frames)
            alone[variable].memo.update((place, next(values)) for place, values in ahead.items())
            yield int(number), alone

    def _tests(self, node: Any, of: Nodes, frames: _Frames) -> Iterator[tuple[int, Truth]]:
        """Whether a test holds for each node of a set; what depends on nothing else is tested once in a program."""
        alone = self._needs(node.test) == {node.it}
        truths = self._tested.setdefault(node.test, {}) if alone else {}
        numbers = of.numbers.tolist()
        new = np.array([number for number in numbers if number not in truths], dtype=np.int64)
        column = self._column(node.test, node.it, new) if alone and len(new) >= _MANY else None
        if column is not None:
            truths.update(zip(new.tolist(), map(_TRUTHS.__getitem__, column.tolist()), strict=True))
            new = new[:0]
        frames_of = self._each(node.it, of.only(new), frames, node.test) if len(new) else iter(())  # begins when asked
        for number in numbers:
            while number not in truths:
                next_number, inner = next(frames_of)
                truths[next_number] = self._truth(node.test, inner)
            yield number, truths[number]

    def _column(self, place: int, variable: int, of: Numbers) -> _Column | None:
        """What a test of one variable says of some nodes (ascending), of all at once; None: each takes its frame."""
        node: Any = self._program[place]
        if self.source.batched or self._needs(place) != {variable}:
            return None
        match node.op:
            case "not":
                column = self._column(node.of, variable, of)
                return None if column is None else (_YES - column).astype(np.int8)
            case "and" | "or":
                columns = [self._column(part, variable, of) for part in node.of]
                known = [column for column in columns if column is not None]
                joined = np.minimum if node.op == "and" else np.maximum
                return joined.reduce(known) if len(known) == len(columns) else None
            case "exists" | "some" | "every" if (reached := self._reached(node.of, variable, of)) is not None:
                return self._column_of_ends(node, reached, of)
            case "compare" if variable in (node.left, node.right):
                first = node.left == variable
                place = node.right if first else node.left
                other = None if self._needs(place) else self._value(place, {})
                if isinstance(other, Nodes | Period):
                    truths = comparison.between_each(self.source, node.do, self.source.compared(of), other, first=first)
                    return np.array([_TRUTHS.index(truth) for truth in truths], dtype=np.int8)
        return None

    def _column_of_ends(self, node: Any, reached: _Reached, of: Numbers) -> _Column | None:
        """Whether a path from each node leads to an end, or some or every end of it passes a test."""
        decisive = _NO if node.op == "every" else _YES
        column = np.full(len(of), _UNKNOWN if reached.open else _YES - decisive, dtype=np.int8)
        truths = np.full(len(reached.end), _YES, dtype=np.int8)
        if node.op != "exists":
            if self._needs(node.test) != {node.it}:
                return None
            ends, at = np.unique(reached.end, return_inverse=True)
            tested = self._tests(node, Nodes(self.source, ends), {})
            truths = np.array([_TRUTHS.index(truth) for _, truth in tested], dtype=np.int8)[at]
        for truth in (_UNKNOWN, decisive):
            column[np.searchsorted(of, reached.origin[truths == truth])] = truth
        return column

    def _reached(self, place: int, variable: int, of: Numbers) -> _Reached | None:
        """What a path leads to from each node; None: what it leads to takes more than its numbers."""
        node: Any = self._program[place]
        if place == variable:
            return _Reached(of, of, open=False)
        if node.op not in ("follow", "complete") or self._needs(place) != {variable}:
            return None
        before = self._reached(node.of, variable, of)
        if before is None or node.op == "complete":
            return before if before is None else replace(before, open=False)
        edges = None if node.not_back else following.plain_edges(self.source, node, np.unique(before.end))
        return None if edges is None else before.followed(edges)

    def _needs(self, place: int) -> frozenset[int]:
        """The variables whose values decide a node: not those that decide which nodes such a variable stands for."""
        if place not in self._needed:
            known = self._known[place]
            inner = frozenset().union(*map(self._needs, known.named)) - known.under.keys()
            self._needed[place] = frozenset({place}) if known.op == "it" else inner
        return self._needed[place]

    def _spread(self, variable: int, of: Nodes, under: Sequence[int | None]) -> dict[int, Iterator[Nodes]]:
        """What each ``follow`` from a variable yields for each node, read at once."""
        queue = [place for place in under if place is not None]
        yields: dict[int, Iterator[Nodes]] = {}
        for place in queue:
            node = self._program[place]
            if variable not in self._known[place].free:
                continue
            if isinstance(node, Follow) and node.of == variable:
                yields.setdefault(place, following.spread(self.source, node, of.numbers))
            else:
                queue.extend(part for part in self._known[place].named if part not in queue)
        return yields

    def _read_ahead(self, place: int, frames: _Frames) -> None:
        """Read what a node needs for all nodes that its variables stand for, in as few requests as there are steps."""
        node, known = self._program[place], self._known[place]
        if not known.free:
            return
        if known.under:
            self._read_ahead(node.of, frames)  # type: ignore[union-attr,arg-type]
            of = self._nodes(node.of, frames)  # type: ignore[union-attr,arg-type]
            for variable, under in known.under.items():
                for part in under:
                    self._read_ahead(part, self._bind(variable, of, frames))
            return
        for part in known.parts:
            self._read_ahead(part, frames)
        if node.op in ("follow", "instances", "is_a", "named"):
            self._value(place, frames)

    # -- sets --------------------------------------------------------------------------------------------------------

    def _instances(self, node: Any, frames: _Frames) -> Nodes:
        of = self._nodes(node.of, frames)
        classes = following.closure(self.source, of.numbers, node.sub or (), "backward")
        edges = self.source.edges(classes, node.relations, "backward")
        return Nodes(self.source, np.unique(edges.end), open=True, hole=of.hole)

    def _named(self, node: Any, frames: _Frames) -> Nodes:
        of = self._nodes(node.of, frames)
        return of.only(of.numbers[self.source.labelled(of.numbers)])

    def _joined(self, sets: Sequence[Nodes], numbers: Numbers, *, none: bool) -> Nodes:
        open_, hole = any(nodes.open for nodes in sets), any(nodes.hole for nodes in sets)
        return Nodes(self.source, numbers, open=open_, hole=hole, none=none)

    def _union(self, node: Any, frames: _Frames) -> Nodes:
        sets = [self._nodes(place, frames) for place in node.of]
        numbers = np.unique(np.concatenate([nodes.numbers for nodes in sets]))
        return self._joined(sets, numbers, none=all(nodes.none for nodes in sets))

    def _intersection(self, node: Any, frames: _Frames) -> Nodes:
        sets = [self._nodes(place, frames) for place in node.of]
        numbers = sets[0].numbers
        for nodes in sets[1:]:
            numbers = np.intersect1d(numbers, nodes.numbers, assume_unique=True)
        return self._joined(sets, numbers, none=any(nodes.none for nodes in sets))

    def _difference(self, node: Any, frames: _Frames) -> Nodes:
        first, *rest = [self._nodes(place, frames) for place in node.of]
        numbers = first.numbers
        for nodes in rest:
            numbers = np.setdiff1d(numbers, nodes.numbers, assume_unique=True)
        hole = first.hole or any(nodes.hole for nodes in rest)
        return Nodes(self.source, numbers, open=first.open, hole=hole, none=first.none)

    def _where(self, node: Any, frames: _Frames) -> Nodes:
        of = self._nodes(node.of, frames)
        numbers: list[int] = []
        unsure = False
        for number, truth in self._tests(node, of, frames):
            unsure |= truth is None
            if truth:
                numbers.append(number)
        return of.only(np.array(numbers, dtype=np.int64), hole=of.hole or unsure)

    def _ordered(self, node: Any, frames: _Frames) -> Nodes:
        of = self._nodes(node.of, frames)
        if node.by is None:
            keys = [[value] for value in self.source.compared(of.numbers)]
        else:
            each = self._each(node.it, of, frames, node.by)
            keys = [self.source.compared(self._nodes(node.by, inner).numbers) for _, inner in each]
        places = comparison.places_in_order(keys, backward=node.op == "last")
        if places is None:  # which come first is unknown
            return of.only(of.numbers[:0], hole=True)
        first = node.from_ or 1
        last = node.to or first
        chosen = [place is not None and first <= place <= last for place in places]
        return of.only(of.numbers[np.array(chosen, dtype=np.bool_)])

    _first = _last = _ordered

    def _among(self, node: Any, frames: _Frames) -> Nodes:
        of = self._nodes(node.of, frames)
        keep = self.source.numbers(node.keep)
        if len(strange := np.setdiff1d(keep, of.numbers)):
            node_ = self.source.nodes(strange[:1])[0]
            raise InputError(f"{node_key(node_)!r} is no node of node {node.of}, among which it was chosen")
        return of.only(keep)

    # -- numbers -----------------------------------------------------------------------------------------------------

    def _count(self, node: Any, frames: _Frames) -> Nodes:
        of = self._nodes(node.of, frames)
        return self._nodes_of([Literal(str(len(of)), "quantity")], at_least=of.open or of.hole)

    def _aggregate(self, node: Any, frames: _Frames) -> Nodes:
        of = self._nodes(node.of, frames)
        by_number: dict[int, list[Node]] = {}
        for number, inner in self._each(node.it, of, frames, node.by):
            by_number[number] = self.source.compared(self._nodes(node.by, inner).numbers)
        order = [self.source.number(member) for member in of.nodes]
        values = [by_number[number] for number in order]
        result = None
        if all(len(group) < 2 for group in values):
            result = aggregate(node.op, [group[0] for group in values if group])
        return self._nodes_of([] if result is None else [result])

    _sum = _mean = _min = _max = _aggregate

    def _arithmetic(self, node: Any, frames: _Frames) -> Nodes:
        sides = [self._nodes(place, frames) for place in (node.left, node.right) if place is not None]
        if any(len(side) != 1 or side.hole for side in sides):
            return self._nodes_of([])
        left, right = (*(self.source.compared(side.numbers)[0] for side in sides), None)[:2]
        result = arithmetic(node.do, left, right) if left is not None else None
        return self._nodes_of([] if result is None else [result])

    # -- rows --------------------------------------------------------------------------------------------------------

    def _table(self, node: Any, frames: _Frames) -> Rows:
        of = self._nodes(node.of, frames)
        rows: dict[int, tuple[tuple[Node, ...], ...]] = {}
        for number, inner in self._each(node.it, of, frames, *node.columns):
            rows[number] = tuple(self._nodes(column, inner).nodes for column in node.columns)
        return Rows(tuple(((member,), *rows[self.source.number(member)]) for member in of.nodes))

    def _group(self, node: Any, frames: _Frames) -> Rows:
        of = self._nodes(node.of, frames)
        members: dict[int, list[int]] = {}
        for number, inner in self._each(node.it, of, frames, node.by):
            for value in self._nodes(node.by, inner).numbers.tolist():
                members.setdefault(value, []).append(number)
        values = Nodes(self.source, np.array(sorted(members), dtype=np.int64))
        rows = []
        for value in values.nodes:
            group = of.only(np.array(members[self.source.number(value)], dtype=np.int64))
            inner = self._bind(node.members, group, frames)
            if node.having is None or self._truth(node.having, inner):
                rows.append(((value,), *(self._nodes(measure, inner).nodes for measure in node.measures)))
        return Rows(tuple(rows))

    # -- truth -------------------------------------------------------------------------------------------------------

    def _compare(self, node: Any, frames: _Frames) -> Truth:
        left, right = self._value(node.left, frames), self._value(node.right, frames)
        assert isinstance(left, Nodes | Period) and isinstance(right, Nodes | Period)  # noqa: S101
        return comparison.between(self.source, node.do, left, right)

    def _period(self, node: Any, frames: _Frames) -> Period:
        sides = [None if place is None else self._nodes(place, frames) for place in (node.left, node.right)]
        return comparison.period(self.source, sides[0], sides[1])

    def _exists(self, node: Any, frames: _Frames) -> Truth:
        of = self._nodes(node.of, frames)
        if len(of):
            return True
        return False if of.none or not (of.open or of.hole) else None

    def _quantified(self, node: Any, frames: _Frames) -> Truth:
        of = self._nodes(node.of, frames)
        if not len(of) and self._known[node.of].kind == "named":
            return None  # nothing that a statement says
        unsure: list[Truth] = [None] if (of.open and not of.none) or of.hole else []
        tests = (truth for _, truth in self._tests(node, of, frames))
        return (comparison.either if node.op == "some" else comparison.both)(tests, unsure)

    _some = _every = _quantified

    def _one(self, node: Any, frames: _Frames) -> Truth:
        of = self._nodes(node.of, frames)
        if not len(of):
            if of.hole or (of.open and not of.none) or self._known[node.of].kind == "named":
                return None
            return self._truth(node.test, self._bind(node.it, self._nodes_of([], none=True), frames))
        if of.hole:
            return None
        deciding = Nodes(self.source, of.deciding)
        truths = {self._truth(node.test, inner) for _, inner in self._each(node.it, deciding, frames, node.test)}
        return truths.pop() if len(truths) == 1 else None

    # -- said --------------------------------------------------------------------------------------------------------

    def _statement(self, node: Any, frames: _Frames) -> Truth:
        if node.graph >= len(self.source.graphs):
            raise InputError(f"there is no graph {node.graph}")
        name = self.source.graphs[node.graph] if len(self.source.graphs) > 1 else None
        if not self.graph.contains([replace(node.statement, graph=name)])[0]:
            raise InputError(f"the graph has no statement {node.statement.id}")
        return True

    def _rule(self, node: Any, frames: _Frames) -> Truth:
        truth = self._truth(node.of, frames)
        if truth is None or node.direction == ("necessary" if truth else "sufficient"):
            return None
        return _DECISIONS[(node.if_true or "yes") if truth else (node.if_false or "no")]

    def _vote(self, node: Any, frames: _Frames) -> Result:
        prediction = weighing.outcome(node)
        if node.yes_or_no:
            return _DECISIONS[prediction or "unknown"]
        return self._nodes_of([] if prediction is None else [Literal(prediction)])


#: Nodes whose values are told in one line; of the others ``ArrayEvaluator._OP`` is what ``OP`` yields.
_SIMPLE: Mapping[str, Callable[[ArrayEvaluator, Any, _Frames], Result]] = {
    "entity": lambda by, node, _: by._nodes_of([Entity(node.id, node.name)]),
    "literal": lambda by, node, _: by._nodes_of([node.value]),
    "follow": lambda by, node, frames: following.follow(by.source, node, by._nodes(node.of, frames)),
    "complete": lambda by, node, frames: (of := by._nodes(node.of, frames)).only(of.numbers, open=False),
    "qualifier": lambda by, node, frames: following.qualifier(by.source, node, by._nodes(node.of, frames)),
    "query": lambda _, node, __: Rows(tuple(tuple((cell,) if cell else () for cell in row) for row in node.rows)),
    "is_a": lambda by, node, frames: comparison.is_member(
        by.source, node, by._nodes(node.left, frames), by._nodes(node.right, frames)
    ),
    "and": lambda by, node, frames: comparison.both(by._truth(place, frames) for place in node.of),
    "or": lambda by, node, frames: comparison.either(by._truth(place, frames) for place in node.of),
    "not": lambda by, node, frames: comparison.kleene_not(by._truth(node.of, frames)),
    "passage": lambda *_: True,
    "judged": lambda _, node, __: _DECISIONS[node.decision],
    "choice": lambda by, node, frames: by._nodes_of([o.option for o in node.options if by._truth(o.if_, frames)]),
}
