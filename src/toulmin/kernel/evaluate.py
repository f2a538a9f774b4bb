"""The evaluation of a program, node by node, as naively as can be.

Nodes that depend on no variable are evaluated once, in the order of the program; what depends on one is evaluated under its
binder, once for each node that the variable stands for. What a node needs and the certificate does not hold makes it, and all that
needs it, unverifiable: the check goes on.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import product
from time import monotonic
from typing import Any

from . import values as v
from .certificate import Op
from .encoding import ALIAS, LABEL, Statement, order, statement_id
from .errors import KernelError
from .evidence import Evidence, Missing, Source, label_of
from .values import Literal, Node, Period
from .vote import decide

STATUSES = ("holds", "recomputed", "judged", "assumed", "unverifiable", "stale", "fails")
MOST_STEPS = 5_000_000
_HIGHEST = 12  # statements of a chain of classes
_DEEPEST = 8  # binders within each other
_NO_VALUE = Literal("", "no_value")
_TRUTH = {"yes": True, "no": False, "unknown": None}
#: Dates of qualifiers whose role is fixed; any other role is judged.
_ROLES = {
    "start": ("http://www.wikidata.org/entity/P580", "http://schema.org/startDate"),
    "end": ("http://www.wikidata.org/entity/P582", "http://schema.org/endDate"),
    "point": ("http://www.wikidata.org/entity/P585",),
}


@dataclass(frozen=True, slots=True)
class Nodes:
    """A set of nodes in canonical order, with its marks.

    Attributes:
        open: there may be more. hole: an unknown value was among them. none: the graph says that there is none.
        at_least: of a count: there may be more than this.
        preferred: those that a statement of preferred rank leads to.
        arrivals: of what was followed: for each node from where, and by which statement.
        came: of what was followed: over which relations, and in which direction.
    """

    items: tuple[Node, ...] = ()
    open: bool = False
    hole: bool = False
    none: bool = False
    at_least: bool = False
    preferred: frozenset[Node] = frozenset()
    arrivals: dict[Node, list[tuple[Node, Statement]]] = field(default_factory=dict)
    came: tuple[tuple[str, ...], str] | None = None

    def only(self, kept: Iterable[Node], **marks: bool) -> Nodes:
        """Some of these nodes."""
        return replace(self, items=canonical(kept), **marks)


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


class Evaluator:
    """Evaluates a program.

    Args:
        source: what is asked for statements.
        graphs: how many graphs it has.

    Attributes:
        values: of each node that was evaluated.
        status, reason: of each node, the weakest that was found.
        statements: of each node, those that it read and used.
    """

    def __init__(
        self, program: Sequence[Op], source: Evidence | Source, graphs: int, question: str, seconds: float
    ) -> None:
        self.program, self.source, self.graphs, self.question = program, source, graphs, question
        self.values: list[Value] = [None] * len(program)
        self.status: list[str | None] = [None] * len(program)
        self.reason: list[str] = [""] * len(program)
        self.statements: list[dict[Statement, None]] = [{} for _ in program]
        self._steps, self._until = 0, monotonic() + seconds
        self._plans: dict[tuple[int, int], list[int]] = {}

    def run(self) -> None:
        """Evaluate every node.

        Raises:
            KernelError: it takes too long.
        """
        for place, node in enumerate(self.program):
            if not node.free:
                self._evaluate(place, 0)

    def note(self, place: int, status: str, reason: str) -> None:
        """What was found of a node, if it is weaker than what was found before."""
        before = self.status[place]
        if before is None or STATUSES.index(status) > STATUSES.index(before):
            self.status[place], self.reason[place] = status, reason

    def label(self, identifier: str) -> str | None:
        """The label of an entity or relation."""
        return label_of(self.source, self.graphs, identifier)

    def _step(self, count: int = 1) -> None:
        self._steps += count
        if self._steps > MOST_STEPS or monotonic() > self._until:
            raise KernelError("the check takes too long: too many steps, or too much time")

    def _evaluate(self, place: int, depth: int) -> None:
        self._step()
        node = self.program[place]
        if node.op == "it":
            return None  # its binder sets it
        if any(self.status[part] in ("unverifiable", "fails") and not self._whole(part) for part in node.parts):
            return self.note(place, "unverifiable", "what it needs is not known")
        try:
            self.values[place] = getattr(self, f"_{node.op}_")(node, place, depth)
            if self.status[place] is None:
                self.note(place, "recomputed", "")
        except Missing as error:
            self.values[place] = None
            self.note(place, "unverifiable", str(error))

    def _whole(self, part: int) -> bool:
        """Whether a node has a value all the same: a recorded one, that only cannot be verified."""
        return self.program[part].op in ("query", "passage", "statement", "entity")

    def _each(self, place: int, variable: int, of: Iterable[Any], depth: int) -> Iterable[Any]:
        """What the variable stands for, one after another, each time with all evaluated that depends on it."""
        if depth >= _DEEPEST:
            raise KernelError(f"node {place}: more than {_DEEPEST} binders within each other")
        if (place, variable) not in self._plans:
            self._plans[place, variable] = self._plan(place, variable)
        for value in of:
            self.values[variable] = value if isinstance(value, Nodes) else Nodes((value,))
            self.note(variable, "recomputed", "")
            for part in self._plans[place, variable]:
                self._evaluate(part, depth + 1)
                if self.status[part] in ("unverifiable", "fails") and not self._whole(part):
                    raise Missing("what it needs is not known")
            yield value

    def _plan(self, place: int, variable: int) -> list[int]:
        """The nodes that are evaluated under a binder, in order."""
        node = self.program[place]
        allowed = node.free | {variable}
        found: set[int] = set()
        queue = [part for bound, parts in node.under if bound == variable for part in parts]
        while queue:
            part = queue.pop()
            free = self.program[part].free
            if part in found or (variable not in free and free <= node.free):
                continue
            if variable in free and free <= allowed:
                found.add(part)
            queue += self.program[part].parts + [inner for _, inners in self.program[part].under for inner in inners]
        return sorted(found)

    def _nodes(self, place: int) -> Nodes:
        value = self.values[place]
        if not isinstance(value, Nodes):
            raise Missing("what it needs is not known")
        return value

    def _truth(self, place: int) -> bool | None:
        value = self.values[place]
        assert value is None or isinstance(value, bool)
        return value

    # What the question names

    def _entity_(self, node: Op, place: int, depth: int) -> Nodes:
        found = Nodes((node["id"],))
        if node["name"] is None:
            self.note(place, "judged" if node["words"] else "holds", "given by its id")
            return found
        try:
            names = [s for g in range(self.graphs) for r in (LABEL, ALIAS) for s in self._read(g, "out", node["id"], r)]
            shown = [s for s in names if isinstance(s.object, Literal) and s.object.value == node["name"]]
            name = Literal(node["name"], "string")
            bearers = {
                s.subject for g in range(self.graphs) for r in (LABEL, ALIAS) for s in self._read(g, "in", name, r)
            }
        except Missing as error:
            self.note(place, "unverifiable", str(error))
            return found
        if not shown:
            self.note(place, "fails", "the graph has no such name of it")
            return found
        self.statements[place][shown[0]] = None
        words = self.question[slice(*node["words"])] if node["words"] else node["name"]
        if " ".join(words.casefold().split()) != " ".join(node["name"].casefold().split()):
            self.note(place, "judged", "other words are taken for its name")
        elif len(bearers) > 1:
            self.note(place, "judged", f"one of {len(bearers)} that bear this name")
        else:
            self.note(place, "holds", "its name")
        return found

    def _literal_(self, node: Op, place: int, depth: int) -> Nodes:
        self.note(place, "holds", "given")
        return Nodes((node["value"],))

    # Sets

    def _read(self, graph: int, side: str, node: Node, relation: str) -> tuple[Statement, ...]:
        found = self.source.statements(graph, side, node, relation)
        self._step(len(found) + 1)
        return found

    def _follow_(self, node: Op, place: int, depth: int) -> Nodes:
        of, forward = self._nodes(node["of"]), node["direction"] == "forward"
        arrivals: dict[Node, list[tuple[Node, Statement]]] = {}
        preferred: set[Node] = set()
        hole, denied = of.hole, set()
        graphs = range(self.graphs) if node["graph"] is None else (node["graph"],)
        for origin, graph, relation in product(of.items, graphs, node["relations"]):
            if isinstance(origin, Literal) and forward:
                continue
            for statement in self._read(graph, "out" if forward else "in", origin, relation):
                if not self._wanted(statement, node, place):
                    continue
                end = statement.object if forward else statement.subject
                if node["not_back"] and not any(before != end for before, _ in of.arrivals.get(origin, ())):
                    continue
                if isinstance(end, Literal) and end.kind in ("unknown_value", "no_value"):
                    said_for_good = end.kind == "no_value" and not statement.qualifiers
                    hole |= not said_for_good
                    denied |= {origin} if said_for_good else set()
                    self.statements[place][statement] = None
                    continue
                arrivals.setdefault(end, []).append((origin, statement))
                self.statements[place][statement] = None
                if statement.rank == "preferred":
                    preferred.add(end)
        none = not (of.open or hole or arrivals) and bool(of.items) and denied == set(of.items)
        if self.status[place] is None:
            self.note(place, "recomputed", f"{len(arrivals)} found, by {sum(map(len, arrivals.values()))} statements")
        came = (node["relations"], node["direction"])
        return Nodes(canonical(arrivals), not none, hole, none, False, frozenset(preferred), arrivals, came)

    def _wanted(self, statement: Statement, node: Op, place: int) -> bool:
        """Whether a statement has the qualifiers that are asked for, and holds in the window."""
        for wanted in node["qualified"] or ():
            if not any(
                relation in wanted["relations"] and value == wanted["is"] for relation, value in statement.qualifiers
            ):
                return False
        window = node["window"]
        if window is None:
            return True
        times: list[Node | None] = []
        for role in ("point", "start", "end"):
            found = [value for relation, value in statement.qualifiers if relation in window[role]]
            times.append(found[0] if len(found) == 1 else None)
            if set(window[role]) - set(_ROLES[role]):
                self.note(place, "judged", "which qualifiers say when is judged")
        held = v.holds_in_window(*times, window["from"], window["to"], self.label)
        if held is None and window["unknown"] == "keep":
            self.note(place, "assumed", "what has no date is taken to hold then")
            return True
        return bool(held)

    def _instances_(self, node: Op, place: int, depth: int) -> Nodes:
        of = self._nodes(node["of"])
        classes = self._climb(of.items, node["sub"] or (), "in", place)
        found: dict[Node, list[tuple[Node, Statement]]] = {}
        for cls, graph, relation in product(classes, range(self.graphs), node["relations"]):
            for statement in self._read(graph, "in", cls, relation):
                found.setdefault(statement.subject, []).append((cls, statement))
                self.statements[place][statement] = None
        return Nodes(canonical(found), True, of.hole, arrivals=found)

    def _climb(
        self, starts: Iterable[Node], relations: Iterable[str], side: str, place: int, most: int = _HIGHEST
    ) -> list[Node]:
        """Nodes, and what is above ("out") or beneath ("in") them by these relations, nearest first."""
        found = dict.fromkeys(starts)
        level = list(found)
        for _ in range(most - 1):
            above: dict[Node, None] = {}
            for node, graph, relation in product(level, range(self.graphs), tuple(relations)):
                if side == "in" or isinstance(node, str):
                    for statement in self._read(graph, side, node, relation):
                        above.setdefault(statement.object if side == "out" else statement.subject)
                        self.statements[place][statement] = None
            level = [node for node in above if node not in found]
            found.update(dict.fromkeys(level))
        return list(found)

    def _named_(self, node: Op, place: int, depth: int) -> Nodes:
        of = self._nodes(node["of"])
        return of.only(one for one in of.items if isinstance(one, Literal) or self.label(one) is not None)

    def _qualifier_(self, node: Op, place: int, depth: int) -> Nodes:
        of = self._nodes(node["of"])
        if of.came is None:
            raise KernelError(f"node {place}: qualifiers of what was not followed")
        found: set[Node] = set()
        hole = of.hole
        for _, statement in (arrival for end in of.items for arrival in of.arrivals[end]):
            for relation, value in statement.qualifiers:
                if relation in node["relations"]:
                    missing = isinstance(value, Literal) and value.kind in ("unknown_value", "no_value")
                    hole |= missing
                    found |= set() if missing else {value}
                    self.statements[place][statement] = None
        return Nodes(canonical(found), True, hole)

    def _union_(self, node: Op, place: int, depth: int) -> Nodes:
        parts = [self._nodes(part) for part in node["of"]]
        marks = (any(p.open for p in parts), any(p.hole for p in parts), all(p.none for p in parts))
        return Nodes(canonical(item for part in parts for item in part.items), *marks)

    def _intersection_(self, node: Op, place: int, depth: int) -> Nodes:
        parts = [self._nodes(part) for part in node["of"]]
        marks = (any(p.open for p in parts), any(p.hole for p in parts), any(p.none for p in parts))
        return Nodes(canonical(set.intersection(*(set(part.items) for part in parts))), *marks)

    def _difference_(self, node: Op, place: int, depth: int) -> Nodes:
        first, *others = (self._nodes(part) for part in node["of"])
        taken = {item for other in others for item in other.items}
        if any(other.open or other.hole for other in others):
            self.note(place, "assumed", "what the graph does not list is taken not to be so")
        hole = any(part.hole for part in (first, *others))
        return Nodes(canonical(set(first.items) - taken), first.open, hole, first.none)

    def _where_(self, node: Op, place: int, depth: int) -> Nodes:
        of, kept, hole = self._nodes(node["of"]), [], False
        for item in self._each(place, node["it"], of.items, depth):
            truth = self._truth(node["test"])
            hole |= truth is None
            kept += [item] if truth else []
        return of.only(kept, hole=of.hole or hole)

    def _first_(self, node: Op, place: int, depth: int) -> Nodes:
        """Places by bisection: *a* precedes *b* if the least upper bound of a's keys is below every lower bound of b's."""
        of, sign = self._nodes(node["of"]), 1 if node.op == "first" else -1
        bounds: dict[Node, tuple[Any, Any]] = {}
        dimensions = set()
        for item in self._each(place, node["it"], of.items, depth):
            values = (item,) if node["by"] is None else self._nodes(node["by"]).items
            keys = [key for key in (v.order_key(value, self.label) for value in values) if key is not None]
            if keys:
                dimensions |= {key.dimension for key in keys}
                lows, highs = [key.low for key in keys], [key.high for key in keys]
                bounds[item] = (min(lows), min(highs)) if sign == 1 else (-max(highs), -max(lows))
        if len(dimensions) > 1:
            raise KernelError(f"node {place}: its keys cannot be compared with each other")
        ends = sorted(high for _, high in bounds.values())
        places = {item: bisect_left(ends, low) + 1 for item, (low, _) in bounds.items()}
        if of.open or of.hole or len(bounds) < len(of.items):
            left = len(of.items) - len(bounds)
            self.note(
                place,
                "assumed",
                "that the graph lists all there are" + (f"; {left} without a key are left out" if left else ""),
            )
        kept = [item for item, at in places.items() if (node["from"] or 1) <= at <= (node["to"] or node["from"] or 1)]
        return of.only(kept)

    _last_ = _first_

    def _among_(self, node: Op, place: int, depth: int) -> Nodes:
        of = self._nodes(node["of"])
        if strange := [one for one in node["keep"] if one not in of.items]:
            self.note(place, "fails", f"keeps {len(strange)} that are not among them")
        self.note(place, "judged", f"chosen by {node['by']} ({node['score']:.2f})")
        return of.only(node["keep"])

    def _complete_(self, node: Op, place: int, depth: int) -> Nodes:
        self.note(place, "assumed", "that the graph lists all there are")
        return replace(self._nodes(node["of"]), open=False)

    # Numbers

    def _count_(self, node: Op, place: int, depth: int) -> Nodes:
        of = self._nodes(node["of"])
        return Nodes((Literal(str(len(of.items)), "quantity"),), at_least=of.open or of.hole)

    def _sum_(self, node: Op, place: int, depth: int) -> Nodes:
        of, found, left = self._nodes(node["of"]), [], 0
        for _ in self._each(place, node["it"], of.items, depth):
            values = self._nodes(node["by"]).items
            if len(values) > 1:
                self.note(place, "recomputed", "one of them has several values")
                return Nodes()
            found += values
            left += not values
        result = self._aggregate(node.op, found) if found else None
        if of.open or of.hole or left:
            told = f"; {left} without a value are left out" if left else ""
            self.note(place, "assumed", "that the graph lists all there are" + told)
        return Nodes() if result is None else Nodes((result,))

    _mean_ = _min_ = _max_ = _sum_

    def _aggregate(self, op: str, found: list[Node]) -> Node | None:
        if op in ("sum", "mean"):
            return (v.sum_of if op == "sum" else v.mean_of)(found, self.label)
        keys = [v.order_key(value, self.label) for value in found]
        if None in keys or len({key.dimension for key in keys if key}) > 1:
            return None
        pairs = [
            ((key.low, key.high) if op == "min" else (-key.high, -key.low), order(value), value)
            for key, value in zip(keys, found, strict=True)
            if key
        ]
        return min(pairs)[2]

    def _arithmetic_(self, node: Op, place: int, depth: int) -> Nodes:
        sides = [None if node[side] is None else self._nodes(node[side]) for side in ("left", "right")]
        if any(side is not None and (len(side.items) != 1 or side.hole) for side in sides):
            return Nodes()
        if any(side is not None and side.at_least for side in sides):
            self.note(place, "assumed", "that the graph lists all there are")
        left, right = (None if side is None else side.items[0] for side in sides)
        result = v.arithmetic(node["do"], left, right, self.label)
        return Nodes() if result is None else Nodes((result,))

    # Rows

    def _table_(self, node: Op, place: int, depth: int) -> list[Any]:
        rows = []
        for item in self._each(place, node["it"], self._nodes(node["of"]).items, depth):
            rows.append([(item,), *(self._nodes(column).items for column in node["columns"])])
        return rows

    def _group_(self, node: Op, place: int, depth: int) -> list[Any]:
        of, groups = self._nodes(node["of"]), {}
        for item in self._each(place, node["it"], of.items, depth):
            for value in self._nodes(node["by"]).items:
                groups.setdefault(value, []).append(item)
        members = [replace(of, items=tuple(groups[value])) for value in canonical(groups)]
        rows = []
        for value, _ in zip(canonical(groups), self._each(place, node["members"], members, depth), strict=True):
            if node["having"] is None or self._truth(node["having"]):
                rows.append([(value,), *(self._nodes(measure).items for measure in node["measures"])])
        return rows

    def _query_(self, node: Op, place: int, depth: int) -> list[Any]:
        self.note(place, "unverifiable", "what SPARQL gave")
        return [[() if cell is None else (cell,) for cell in row] for row in node["rows"]]

    # Truth

    def _compare_(self, node: Op, place: int, depth: int) -> bool | None:
        sides = []
        for name in ("left", "right"):
            value = self.values[node[name]]
            if isinstance(value, Nodes):
                shown = [item for item in value.items if item in value.preferred] or list(value.items)
                sides.append([] if value.hole else shown or ([_NO_VALUE] if value.none else []))
            else:
                sides.append([] if value is None else [value])
        counts = [
            isinstance(self.values[node[name]], Nodes) and self._nodes(node[name]).at_least
            for name in ("left", "right")
        ]
        self._step(len(sides[0]) * len(sides[1]))
        found = {self._compared(node["do"], left, right, counts) for left, right in product(*sides)}
        return found.pop() if len(found) == 1 else None

    def _compared(self, do: str, left: Any, right: Any, counts: list[bool]) -> bool | None:
        """Of a number that may be too low only what holds of every higher one is known."""
        if do in ("overlaps", "within"):
            return (v.overlaps if do == "overlaps" else v.within)(left, right, self.label)
        if isinstance(left, Period) or isinstance(right, Period):
            return None
        if not any(counts) or do in ("contains", "starts"):
            return v.compare(do, left, right, self.label)
        if all(counts):
            return None
        if counts[1]:
            return self._compared({"<": ">", "≤": "≥", ">": "<", "≥": "≤"}.get(do, do), right, left, [True, False])
        if do in ("=", "≠"):
            return (do == "≠") if v.compare(">", left, right, self.label) else None
        found = v.compare(do, left, right, self.label)
        return found if found is (do in (">", "≥")) else None

    def _period_(self, node: Op, place: int, depth: int) -> Period | None:
        sides: list[Node | None] = []
        for name in ("left", "right"):
            value = Nodes() if node[name] is None else self._nodes(node[name])
            if len(value.items) > 1 or (value.hole and value.items):
                return None
            sides.append(value.items[0] if value.items else _NO_VALUE if value.none else None)
        return v.period(*sides, self.label)

    def _exists_(self, node: Op, place: int, depth: int) -> bool | None:
        of = self._nodes(node["of"])
        return True if of.items else False if of.none or not (of.open or of.hole) else None

    def _is_a_(self, node: Op, place: int, depth: int) -> bool | None:
        left, right = self._nodes(node["left"]), self._nodes(node["right"])
        if left.hole or right.hole:
            return None
        found = {self._member(one, cls, node, place) for one, cls in product(left.items, right.items)}
        return found.pop() if len(found) == 1 else None

    def _member(self, one: Node, cls: Node, node: Op, place: int) -> bool | None:
        if one == cls:
            return True
        direct = self._climb([one], node["relations"], "out", place, 2)
        classes = [
            *self._climb(direct[1:], node["sub"] or (), "out", place),
            *self._climb([one], node["sub"] or (), "out", place),
        ]
        if cls in classes:
            return True
        others = set(self._climb([cls], node["sub"] or (), "out", place))
        for mine, graph, relation, side in product(
            dict.fromkeys(classes), range(self.graphs), node["disjoint"] or (), ("out", "in")
        ):
            for statement in self._read(graph, side, mine, relation):
                if (statement.object if side == "out" else statement.subject) in others:
                    self.statements[place][statement] = None
                    return False
        if node["closed"]:
            self.note(place, "assumed", "that the graph lists all classes")
            return False
        return None

    def _some_(self, node: Op, place: int, depth: int) -> bool | None:
        of = self._nodes(node["of"])
        turned: Callable[[bool | None], bool | None] = negated if node.op == "every" else lambda truth: truth
        more = [None] if (of.open and not of.none) or of.hole else []
        return turned(either([*(turned(truth) for truth in self._tests(node, place, of.items, depth)), *more]))

    _every_ = _some_

    def _one_(self, node: Op, place: int, depth: int) -> bool | None:
        of = self._nodes(node["of"])
        items: Sequence[Any] = [item for item in of.items if item in of.preferred] or of.items
        if not items:
            if of.hole or (of.open and not of.none):
                return None
            items = [Nodes(none=True)]
        found = {*self._tests(node, place, items, depth), *([None] if of.hole else [])}
        return found.pop() if len(found) == 1 else None

    def _tests(self, node: Op, place: int, items: Iterable[Any], depth: int) -> list[bool | None]:
        return [self._truth(node["test"]) for _ in self._each(place, node["it"], items, depth)]

    def _or_(self, node: Op, place: int, depth: int) -> bool | None:
        return either(self._truth(part) for part in node["of"])

    def _and_(self, node: Op, place: int, depth: int) -> bool | None:
        return negated(either(negated(self._truth(part)) for part in node["of"]))

    def _not_(self, node: Op, place: int, depth: int) -> bool | None:
        return negated(self._truth(node["of"]))

    # What is said

    def _statement_(self, node: Op, place: int, depth: int) -> bool:
        wanted = replace_graph(node["statement"], node["graph"])
        found = self._read(node["graph"], "out", wanted.subject, wanted.relation)
        if statement_id(wanted) in map(statement_id, found):
            self.note(place, "holds", "the graph has it")
            self.statements[place][wanted] = None
        else:
            self.note(place, "fails", "the graph has no such statement")
        return True

    def _passage_(self, node: Op, place: int, depth: int) -> bool:
        document = self.source.document(node["source"])
        if document is None:
            self.note(place, "unverifiable", "its source is not at hand")
        elif sha256(document.encode("utf-8", "surrogatepass")).hexdigest() != node["sha256"]:
            self.note(place, "stale", "its source is not as it was")
        elif document[node["start"] : node["end"]] != node["text"] or not node["text"]:
            self.note(place, "fails", "its source has another text there")
        else:
            self.note(place, "holds", "its source has this text there")
        return True

    def _judged_(self, node: Op, place: int, depth: int) -> bool | None:
        self.note(place, "judged", f"{node['by']} says {node['decision']} ({node['score']:.2f})")
        return _TRUTH[node["decision"]]

    def _rule_(self, node: Op, place: int, depth: int) -> bool | None:
        self.note(place, "judged", f"that this is so is said by {node['by']}")
        truth = self._truth(node["of"])
        if truth is None or node["direction"] == ("necessary" if truth else "sufficient"):
            return None
        return _TRUTH[(node["if_true"] or "yes") if truth else (node["if_false"] or "no")]

    def _choice_(self, node: Op, place: int, depth: int) -> Nodes:
        return Nodes(canonical(part["option"] for part in node["options"] if self._truth(part["if"])))

    def _vote_(self, node: Op, place: int, depth: int) -> Nodes | bool | None:
        self.note(place, "judged", "the outputs and their scores are recorded")
        winner = decide(node, place)
        if node["yes_or_no"]:
            return _TRUTH[winner or "unknown"]
        return Nodes() if winner is None else Nodes((Literal(winner, "string"),))


def replace_graph(statement: Statement, graph: int) -> Statement:
    """The same statement of another graph."""
    return statement._replace(graph=graph)
