"""The evaluation of a program, node by node, as naively as can be.

Nodes that depend on no variable are evaluated once, in the order of the program; what depends on one is evaluated
under its binder, once for each node that the variable stands for. What a node needs and the certificate does not hold
makes it, and all that needs it, unverifiable: the check goes on.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import product
from time import monotonic
from typing import Any

from .certificate import DEEPEST, Op
from .encoding import ALIAS, LABEL, Statement, order, statement_id
from .errors import KernelError
from .evidence import Evidence, Missing, Source
from .sentence import quoted
from .values import Literal, Node, Period, aggregate, arithmetic, compare, holds_in_window, order_key, period
from .vote import decide

STATUSES = ("holds", "recomputed", "judged", "assumed", "unverifiable", "stale", "fails")
_MOST_STEPS = 5_000_000
_LOST = "what it needs is not known"
_HIGHEST = 12  # statements of a chain of classes
_NO_VALUE = Literal("", "no_value")
_ABSENT = ("unknown_value", "no_value")
_TRUTH = {"yes": True, "no": False, "unknown": None}
_ALL = "that the graph lists all there are"
_MIRRORED = {"<": ">", "≤": "≥", ">": "<", "≥": "≤"}
_WIKIDATA = "http://www.wikidata.org/entity/"
#: Qualifiers whose role is fixed; which others say when is judged.
_ROLES = {
    "start": (f"{_WIKIDATA}P580", "http://schema.org/startDate"),
    "end": (f"{_WIKIDATA}P582", "http://schema.org/endDate"),
    "point": (f"{_WIKIDATA}P585",),
}


@dataclass(frozen=True, slots=True)
class Nodes:
    """A set of nodes in canonical order, with its marks.

    Attributes:
        open: there may be more. hole: an unknown value was among them. none: the graph says that there is none.
        at_least: of a count: there may be more than this.
        preferred: those that a statement of preferred rank leads to.
        arrivals: of what was followed: for each node from where, and by which statement.
    """

    items: tuple[Node, ...] = ()
    open: bool = False
    hole: bool = False
    none: bool = False
    at_least: bool = False
    preferred: frozenset[Node] = frozenset()
    arrivals: dict[Node, list[tuple[Node, Statement]]] = field(default_factory=dict)

    def best(self) -> tuple[Node, ...]:
        """The preferred ones, where there are any."""
        return tuple(item for item in self.items if item in self.preferred) or self.items


Value = Nodes | Period | bool | list[Any] | None


def canonical(nodes: Iterable[Node]) -> tuple[Node, ...]:
    """Distinct nodes in canonical order."""
    return tuple(sorted(set(nodes), key=order))


def either(truths: Iterable[bool | None]) -> bool | None:
    """Kleene's or: yes if any is, else unknown if any is, else no."""
    found = set(truths)
    return True if True in found else None if None in found else False


def negated(truth: bool | None) -> bool | None:
    """Kleene's not."""
    return None if truth is None else not truth


def agreed(truths: Iterable[bool | None]) -> bool | None:
    """What all say; unknown where they differ, or nothing is said."""
    found = set(truths)
    return found.pop() if len(found) == 1 else None


class Evaluator:
    """Evaluates a program.

    Attributes:
        values: of each node that was evaluated; of one under a binder the last.
        status, reason: of each node, the weakest that was found.
        statements: of each node, those that it used.
    """

    def __init__(
        self, program: Sequence[Op], source: Evidence | Source, graphs: int, question: str, seconds: float
    ) -> None:
        self.program, self.source, self.graphs, self.question = program, source, range(graphs), question
        self.values: list[Any] = [None] * len(program)
        self.status: list[str | None] = [None] * len(program)
        self.reason: list[str] = [""] * len(program)
        self.statements: list[dict[Statement, None]] = [{} for _ in program]
        self._steps, self._depth, self._until = 0, 0, monotonic() + seconds
        self._unknown: set[int] = set()  # what has no value to go on with
        self._now: list[int] = []  # the nodes that are being evaluated, the innermost last
        self._plans: dict[int, list[int]] = {}

    def run(self) -> None:
        """Evaluate every node.

        Raises:
            KernelError: it takes too long.
        """
        for at, node in enumerate(self.program):
            if not node.free:
                self._evaluate(at)

    def _note(self, at: int, status: str, reason: str = "") -> None:
        """What was found of a node, if it is weaker than what was found before."""
        before = self.status[at]
        if before is None or STATUSES.index(status) > STATUSES.index(before):
            self.status[at], self.reason[at] = status, reason

    def _label(self, identifier: str) -> str | None:
        found = (self._read(graph, "out", identifier, LABEL) for graph in self.graphs)
        return next((s.object.value for some in found for s in some if isinstance(s.object, Literal)), None)

    def step(self, count: int = 1) -> None:
        self._steps += count
        if self._steps > _MOST_STEPS or monotonic() > self._until:
            raise KernelError("the check takes too long: too many steps, or too much time")

    def _lose(self, at: int, reason: str) -> None:
        self.values[at] = None
        self._unknown.add(at)
        self._note(at, "unverifiable", reason)

    def lost(self, at: int) -> bool:
        """Whether a node has no value to go on with."""
        return at in self._unknown

    def _evaluate(self, at: int) -> None:
        self.step()
        node = self.program[at]
        if node.op == "it":
            return  # its binder sets it
        if any(map(self.lost, node.parts)):
            self._lose(at, _LOST)
            return
        self._now.append(at)
        try:
            self.values[at] = getattr(self, f"op_{node.op}")(node, at)
            if self.status[at] is None:
                self._note(at, "recomputed")
        except Missing as error:
            self._lose(at, str(error))
        self._now.pop()

    def _each(self, at: int, variable: int, items: Iterable[Node | Nodes]) -> Iterator[Any]:
        """What a variable stands for, one after another, each time with all evaluated that depends on it."""
        if self._depth >= DEEPEST:
            raise KernelError(f"node {at}: more than {DEEPEST} binders within each other")
        if variable not in self._plans:
            self._plans[variable] = self._plan(self.program[at], variable)
        self._note(variable, "recomputed")
        for item in items:
            self._depth += 1
            self.values[variable] = item if isinstance(item, Nodes) else Nodes((item,))
            for part in self._plans[variable]:
                self._evaluate(part)
            self._depth -= 1
            if any(map(self.lost, self._plans[variable])):
                raise Missing(_LOST)
            yield item

    def _plan(self, node: Op, variable: int) -> list[int]:
        """The nodes that are evaluated for each value of a variable, in order."""
        found: set[int] = set()
        seen: set[int] = set()
        queue = [part for bound, inner in node.under if bound == variable for part in inner]
        while queue:
            part = queue.pop()
            free = self.program[part].free
            if part in seen or free <= node.free:
                continue
            seen.add(part)
            if free <= node.free | {variable}:
                found.add(part)
            queue += [*self.program[part].parts, *(below for _, inner in self.program[part].under for below in inner)]
        return sorted(found)

    def _read(self, graph: int, side: str, node: Node, relation: str) -> tuple[Statement, ...]:
        found = self.source.statements(graph, side, node, relation)
        self.step(len(found) + 1)
        if not self.source.proved(graph):
            self._note(self._now[-1], "unverifiable", "no root proves what the endpoint said")
        return found

    def _all(
        self, graphs: Iterable[int], side: str, nodes: Iterable[Node], relations: Iterable[str]
    ) -> Iterator[tuple[Node, Node, Statement]]:
        """(node, other end, statement) of the nodes' statements over some relations; "out": the node is the subject."""
        for node, graph, relation in product(nodes, graphs, tuple(relations)):
            if side == "in" or isinstance(node, str):
                for statement in self._read(graph, side, node, relation):
                    yield node, statement.object if side == "out" else statement.subject, statement

    # What the question names

    def op_entity(self, node: Op, at: int) -> Nodes:
        """The entity; that the words are its name is looked up, or judged."""
        if node["name"] is None:
            self._note(at, "judged" if node["words"] else "holds", "given by its id")
            return Nodes((node["id"],))
        try:
            name, names = Literal(node["name"], "string"), (LABEL, ALIAS)
            shown = [
                s
                for _, other, s in self._all(self.graphs, "out", [node["id"]], names)
                if isinstance(other, Literal) and other.value == name.value
            ]
            bearers = {other for _, other, _ in self._all(self.graphs, "in", [name], names)}
        except Missing as error:
            self._note(at, "unverifiable", str(error))
            return Nodes((node["id"],))
        words = self.question[slice(*node["words"])] if node["words"] else name.value
        self.statements[at].update(dict.fromkeys(shown[:1]))
        if not shown:
            self._note(at, "fails", "the graph has no such name of it")
        elif " ".join(words.casefold().split()) != " ".join(name.value.casefold().split()):
            self._note(at, "judged", "other words are taken for its name")
        elif len(bearers) > 1:
            self._note(at, "judged", f"one of {len(bearers)} that bear this name")
        else:
            self._note(at, "holds", "its name")
        return Nodes((node["id"],))

    def op_literal(self, node: Op, at: int) -> Nodes:
        """The literal."""
        self._note(at, "holds", "given")
        return Nodes((node["value"],))

    def _partial(self, at: int, *places: int | None) -> None:
        """What is taken for all there is, though it may be less, is assumed."""
        values = (self.values[place] for place in places if place is not None)
        if any(isinstance(value, Nodes) and (value.at_least or value.hole) for value in values):
            self._note(at, "assumed", _ALL)

    # Sets

    def op_follow(self, node: Op, at: int) -> Nodes:
        """The other ends of statements."""
        of, side = self.values[node["of"]], "out" if node["direction"] == "forward" else "in"
        arrivals: dict[Node, list[tuple[Node, Statement]]] = {}
        hole, denied = of.hole, set()
        graphs = self.graphs if node["graph"] is None else (node["graph"],)
        for origin, end, statement in self._all(graphs, side, of.items, node["relations"]):
            if not self._wanted(statement, node, at):
                continue
            if isinstance(end, Literal) and end.kind in _ABSENT:
                if end.kind == "no_value" and not statement.qualifiers:
                    denied.add((origin, statement.relation))
                else:
                    hole = True
            elif node["not_back"] and all(before == end for before, _ in of.arrivals.get(origin, ())):
                continue
            else:
                arrivals.setdefault(end, []).append((origin, statement))
            self.statements[at][statement] = None
        every = set(product(of.items, node["relations"]))
        none = not (of.open or hole or arrivals) and bool(every) and denied == every
        preferred = frozenset(end for end, ways in arrivals.items() if any(s.rank == "preferred" for _, s in ways))
        return Nodes(canonical(arrivals), not none, hole, none, False, preferred, arrivals)

    def _wanted(self, statement: Statement, node: Op, at: int) -> bool:
        """Whether a statement has the qualifiers that are asked for, and holds in the window."""
        said, window = statement.qualifiers, node["window"]
        self.step(len(said) * len(node["qualified"] or ()))
        for part in node["qualified"] or ():
            if not any(relation in part["relations"] and value == part["is"] for relation, value in said):
                return False
        if window is None:
            return True
        times: dict[str, Node | None] = {}
        for role, fixed in _ROLES.items():
            found = [value for relation, value in said if relation in window[role]]
            times[role] = found[0] if len(found) == 1 else None
            if set(window[role]) - set(fixed):
                self._note(at, "judged", "which qualifiers say when is judged")
        held = holds_in_window(times["point"], times["start"], times["end"], window["from"], window["to"], self._label)
        if held is None and window["unknown"] == "keep":
            self._note(at, "assumed", "what has no date is taken to hold then")
            return True
        return bool(held)

    def op_instances(self, node: Op, at: int) -> Nodes:
        """What is of a class, or of one beneath it."""
        of: Nodes = self.values[node["of"]]
        found: set[Node] = set()
        for _, one, statement in self._all(
            self.graphs, "in", self._climb(of.items, node["sub"], "in", at), node["relations"]
        ):
            found.add(one)
            self.statements[at][statement] = None
        return Nodes(canonical(found), True, of.hole)

    def _climb(
        self, starts: Iterable[Node], relations: Sequence[str] | None, side: str, at: int, most: int = _HIGHEST
    ) -> list[Node]:
        """Nodes, and what is above ("out") or beneath ("in") them by at most 11 of these relations, nearest first."""
        found = dict.fromkeys(starts)
        level = list(found)
        for _ in range(most - 1):
            beyond: dict[Node, None] = {}
            for _, other, statement in self._all(self.graphs, side, level, relations or ()):
                self.statements[at][statement] = None
                if other not in found:
                    beyond[other] = None
            found.update(beyond)
            level = list(beyond)
        return list(found)

    def op_named(self, node: Op, at: int) -> Nodes:
        """What has a label, and literals."""
        of: Nodes = self.values[node["of"]]
        return replace(
            of, items=tuple(one for one in of.items if isinstance(one, Literal) or self._label(one) is not None)
        )

    def op_qualifier(self, node: Op, at: int) -> Nodes:
        """The values of qualifiers of the statements that lead to these nodes."""
        of: Nodes = self.values[node["of"]]
        found: set[Node] = set()
        for _, statement in (way for end in of.items for way in of.arrivals.get(end, ())):
            values = {value for relation, value in statement.qualifiers if relation in node["relations"]}
            found |= values
            if values:
                self.statements[at][statement] = None
        absent = {value for value in found if isinstance(value, Literal) and value.kind in _ABSENT}
        return Nodes(canonical(found - absent), True, of.hole or bool(absent))

    def op_union(self, node: Op, at: int) -> Nodes:
        """Union and intersection; the first without the others."""
        parts = [self.values[part] for part in node["of"]]
        self.step(sum(len(part.items) for part in parts))
        sets, hole = [set(part.items) for part in parts], any(part.hole for part in parts)
        if node.op == "difference":
            if any(part.open or part.hole for part in parts[1:]):
                self._note(at, "assumed", "what the graph does not list is taken not to be so")
            return Nodes(canonical(sets[0].difference(*sets[1:])), parts[0].open, hole, parts[0].none)
        joined, quantified = (set.union, all) if node.op == "union" else (set.intersection, any)
        marks = any(part.open for part in parts), hole, quantified(part.none for part in parts)
        return Nodes(canonical(joined(*sets)), *marks)

    op_intersection = op_difference = op_union

    def op_where(self, node: Op, at: int) -> Nodes:
        """The nodes for which the test is yes."""
        of: Nodes = self.values[node["of"]]
        truths: dict[Node, bool | None] = {}
        for item in self._each(at, node["it"], of.items):
            truths[item] = self.values[node["test"]]
        return replace(
            of, items=tuple(item for item in of.items if truths[item]), hole=of.hole or None in truths.values()
        )

    def op_first(self, node: Op, at: int) -> Nodes:
        """Places by bisection: as many precede a node as have an upper bound below all its lower bounds."""
        of: Nodes = self.values[node["of"]]
        last = node.op == "last"
        bounds, dimensions = {}, set()
        for item in self._each(at, node["it"], of.items):
            self._partial(at, node["by"])
            values = (item,) if node["by"] is None else self.values[node["by"]].items
            if keys := [key for key in (order_key(value, self._label) for value in values) if key is not None]:
                ends = [(-key.high, -key.low) if last else (key.low, key.high) for key in keys]
                bounds[item] = min(low for low, _ in ends), min(high for _, high in ends)
                dimensions |= {key.dimension for key in keys}
        if len(dimensions) > 1:
            raise KernelError(f"node {at}: its keys cannot be compared with each other")
        if (left := len(of.items) - len(bounds)) or of.open or of.hole:
            self._note(at, "assumed", f"{_ALL}{f'; {left} without a key are left out' if left else ''}")
        highs = sorted(high for _, high in bounds.values())
        start = node["from"] or 1
        kept = {
            item for item, (low, _) in bounds.items() if start <= bisect_left(highs, low) + 1 <= (node["to"] or start)
        }
        return replace(of, items=tuple(item for item in of.items if item in kept))

    op_last = op_first

    def op_among(self, node: Op, at: int) -> Nodes:
        """Some of these nodes, chosen."""
        of: Nodes = self.values[node["of"]]
        self._note(at, "judged", f"chosen by {quoted(node['by'])} ({node['score']:.2f})")
        if not set(node["keep"]) <= set(of.items):
            self._note(at, "fails", "keeps what is not among them")
        return replace(of, items=canonical(node["keep"]))

    def op_complete(self, node: Op, at: int) -> Nodes:
        """The same, not open."""
        self._note(at, "assumed", _ALL)
        of: Nodes = self.values[node["of"]]
        return replace(of, open=False)

    # Numbers and rows

    def op_count(self, node: Op, at: int) -> Nodes:
        """How many there are, at least."""
        of: Nodes = self.values[node["of"]]
        return Nodes((Literal(str(len(of.items)), "quantity"),), at_least=of.open or of.hole)

    def op_sum(self, node: Op, at: int) -> Nodes:
        """Over the one value of each."""
        of: Nodes = self.values[node["of"]]
        each: list[tuple[Node, ...]] = []
        for _ in self._each(at, node["it"], of.items):
            self._partial(at, node["by"])
            each.append(self.values[node["by"]].items)
        if (left := each.count(())) or of.open or of.hole:
            self._note(at, "assumed", f"{_ALL}{f'; {left} without a value are left out' if left else ''}")
        values = [value for some in each for value in some]
        result = aggregate(node.op, values, self._label) if values and len(values) == len(each) - left else None
        return Nodes() if result is None else Nodes((result,))

    op_mean = op_min = op_max = op_sum

    def op_arithmetic(self, node: Op, at: int) -> Nodes:
        """What follows from one value, or two."""
        sides = [Nodes((None,)) if node[side] is None else self.values[node[side]] for side in ("left", "right")]  # type: ignore[arg-type]
        if any(len(side.items) != 1 or side.hole for side in sides):
            return Nodes()
        if any(side.at_least for side in sides):
            self._note(at, "assumed", _ALL)
        result = arithmetic(node["do"], sides[0].items[0], sides[1].items[0], self._label)
        return Nodes() if result is None else Nodes((result,))

    def op_table(self, node: Op, at: int) -> list[Any]:
        """A row for each node."""
        each = self._each(at, node["it"], self.values[node["of"]].items)
        return [[(item,), *self._cells(at, node["columns"])] for item in each]

    def _cells(self, at: int, places: Sequence[int]) -> list[tuple[Node, ...]]:
        self.step(len(places))
        self._partial(at, *places)
        return [self.values[place].items for place in places]

    def op_group(self, node: Op, at: int) -> list[Any]:
        """A row for each distinct value."""
        of: Nodes = self.values[node["of"]]
        groups: dict[Node, list[Node]] = {}
        for item in self._each(at, node["it"], of.items):
            for value in self.values[node["by"]].items:
                groups.setdefault(value, []).append(item)
        keys, rows = canonical(groups), []
        members = [replace(of, items=tuple(groups[value])) for value in keys]
        for value, _ in zip(keys, self._each(at, node["members"], members), strict=True):
            if node["having"] is None or self.values[node["having"]]:
                rows.append([(value,), *self._cells(at, node["measures"])])
        return rows

    def op_query(self, node: Op, at: int) -> list[Any]:
        """The rows that are recorded."""
        self._note(at, "unverifiable", "what SPARQL gave")
        return [[() if cell is None else (cell,) for cell in row] for row in node["rows"]]

    # Truth

    def _side(self, place: int) -> list[Any]:
        """The values that a side of a comparison may have; none where that is unknown."""
        value = self.values[place]
        if not isinstance(value, Nodes):
            return [] if value is None else [value]
        return [] if value.hole else list(value.best()) or ([_NO_VALUE] if value.none else [])

    def op_compare(self, node: Op, at: int) -> bool | None:
        """Whether all combinations of both sides agree."""
        left, right = (self._side(node[side]) for side in ("left", "right"))
        bounded = [getattr(self.values[node[side]], "at_least", False) for side in ("left", "right")]
        self.step(len(left) * len(right))
        return agreed(self._compared(node["do"], a, b, *bounded) for a, b in product(left, right))

    def _compared(self, do: str, left: Any, right: Any, low_left: bool, low_right: bool) -> bool | None:
        """Of a number that may be too low only what holds of every higher one is known."""
        if not (low_left or low_right):
            return compare(do, left, right, self._label)
        if do not in (*_MIRRORED, "=", "≠") or (low_left and low_right):
            return None
        if low_right:
            return self._compared(_MIRRORED.get(do, do), right, left, True, False)
        if do in ("=", "≠"):
            return (do == "≠") if compare(">", left, right, self._label) else None
        found = compare(do, left, right, self._label)
        return found if found is (do in (">", "≥")) else None

    def op_period(self, node: Op, at: int) -> Period | None:
        """The time from one to another."""
        sides: list[Node | None] = []
        for value in (Nodes() if node[side] is None else self.values[node[side]] for side in ("left", "right")):
            if len(value.items) > 1 or (value.hole and value.items):
                return None
            sides.append(value.items[0] if value.items else _NO_VALUE if value.none else None)
        return period(sides[0], sides[1], self._label)

    def op_exists(self, node: Op, at: int) -> bool | None:
        """Whether there is a node."""
        of: Nodes = self.values[node["of"]]
        return True if of.items else False if of.none or not (of.open or of.hole) else None

    def op_is_a(self, node: Op, at: int) -> bool | None:
        """Whether all combinations of both sides agree."""
        left, right = self.values[node["left"]], self.values[node["right"]]
        if left.hole or right.hole:
            return None
        return agreed(self._member(one, cls, node, at) for one, cls in product(left.items, right.items))

    def _member(self, one: Node, cls: Node, node: Op, at: int) -> bool | None:
        direct = self._climb([one], node["relations"], "out", at, 2)
        classes = self._climb(direct, node["sub"], "out", at)
        if cls in classes:
            return True
        others = set(self._climb([cls], node["sub"], "out", at))
        for side in ("out", "in"):
            for _, other, statement in self._all(self.graphs, side, classes, node["disjoint"] or ()):
                if other in others:
                    self.statements[at][statement] = None
                    return False
        if node["closed"]:
            self._note(at, "assumed", "that the graph lists all classes")
        return False if node["closed"] else None

    def op_some(self, node: Op, at: int) -> bool | None:
        """Kleene's or over the tests; its dual for "every"."""
        of: Nodes = self.values[node["of"]]
        every = node.op == "every"
        truths = [self.values[node["test"]] for _ in self._each(at, node["it"], of.items)]
        unknown = (of.open and not of.none) or of.hole or not (of.items or self.program[node["of"]].kind == "evidence")
        found = either([*(negated(truth) if every else truth for truth in truths), *([None] if unknown else [])])
        return negated(found) if every else found

    op_every = op_some

    def op_one(self, node: Op, at: int) -> bool | None:
        """What all tests say, of the preferred ones where there are any."""
        of: Nodes = self.values[node["of"]]
        absent = of.none or not (of.open or of.hole or self.program[node["of"]].kind == "named")
        items: Sequence[Node | Nodes] = of.best() or ([Nodes(none=True)] if absent else [])
        return agreed(
            [*(self.values[node["test"]] for _ in self._each(at, node["it"], items)), *([None] if of.hole else [])]
        )

    def op_and(self, node: Op, at: int) -> bool | None:
        """Kleene's and."""
        return negated(either(negated(self.values[part]) for part in node["of"]))

    def op_or(self, node: Op, at: int) -> bool | None:
        """Kleene's or."""
        return either(self.values[part] for part in node["of"])

    def op_not(self, node: Op, at: int) -> bool | None:
        """Kleene's not."""
        return negated(self.values[node["of"]])

    # What is said

    def op_statement(self, node: Op, at: int) -> bool:
        """That the graph has a statement."""
        wanted = node["statement"]._replace(graph=node["graph"])
        self.statements[at][wanted] = None
        found = map(statement_id, self._read(wanted.graph, "out", wanted.subject, wanted.relation))
        has = statement_id(wanted) in found
        self._note(at, "holds" if has else "fails", "the graph has it" if has else "the graph has no such statement")
        return True

    def op_passage(self, node: Op, at: int) -> bool:
        """That a document has a text."""
        document = self.source.document(node["source"])
        if document is None:
            self._note(at, "unverifiable", "its source is not at hand")
        elif sha256(document.encode("utf-8", "surrogatepass")).hexdigest() != node["sha256"]:
            self._note(at, "stale", "its source is not as it was")
        elif not node["text"] or document[node["start"] : node["end"]] != node["text"]:
            self._note(at, "fails", "its source has another text there")
        else:
            self._note(at, "holds", "its source has this text there")
        return True

    def op_judged(self, node: Op, at: int) -> bool | None:
        """What was decided."""
        self._note(at, "judged", f"{quoted(node['by'])} says {node['decision']} ({node['score']:.2f})")
        return _TRUTH[node["decision"]]

    def op_rule(self, node: Op, at: int) -> bool | None:
        """What the direction of an axiom licenses."""
        self._note(at, "judged", f"that this is the rule is said by {quoted(node['by'])}")
        truth = self.values[node["of"]]
        if truth is None or node["direction"] == ("necessary" if truth else "sufficient"):
            return None
        return _TRUTH[(node["if_true"] or "yes") if truth else (node["if_false"] or "no")]

    def op_choice(self, node: Op, at: int) -> Nodes:
        """The options for which it is yes."""
        return Nodes(canonical(part["option"] for part in node["options"] if self.values[part["if"]]))

    def op_vote(self, node: Op, at: int) -> Nodes | bool | None:
        """What the outputs vote for."""
        self._note(at, "judged", "the outputs and their scores are recorded")
        winner = decide(node, at)
        if node["yes_or_no"]:
            return _TRUTH[winner or "unknown"]
        return Nodes() if winner is None else Nodes((Literal(winner, "string"),))
