"""The evaluation of a program, node by node, as naively as can be.

What depends on a variable is evaluated under its binder, once for each node that the variable stands for; all else
once, in the order of the program. What a node needs and nobody has at hand makes it, and all that needs it,
unverifiable: the check goes on. ``_op_x`` is op ``x`` of format.json, given what its ``of`` yields, or a list of what
all that it takes does.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import compress, product
from math import fsum
from time import monotonic
from types import MappingProxyType
from typing import Any, NamedTuple

from .certificate import DEEPEST, Missing, OpNode, Source, beneath, label_of
from .format import ALIAS, FORMAT, LABEL, GraphStatement, LiteralValue, Node, key, refuse_if, shaped, statement_id, utf8
from .sentence import filled, folded, quoted
from .values import PeriodBounds, aggregate, arithmetic, compare, holds_in_window, negated, order_key, period

STATUSES = ("holds", "recomputed", "judged", "assumed", "unverifiable", "stale", "fails")
_MOST_STEPS, _SAME = 5_000_000, 1e-9  # weights that differ by less are the same
LOST = "what it needs is not known"
_ALL = "that the graph lists all there are"
_NO_VALUE = LiteralValue("", "no_value")
_TRUTH = {"yes": True, "no": False, "unknown": None}
_Way = tuple[Node, Node, GraphStatement]  # whence, whither, by what


class NodeSet(NamedTuple):
    """A set of nodes in canonical order, with its marks."""

    items: tuple[Node, ...] = ()
    open: bool = False  # there may be more
    hole: bool = False  # an unknown value was among them
    none: bool = False  # the graph says that there is none
    at_least: bool = False  # of a count: there may be more than this
    preferred: frozenset[Node] = frozenset()  # those that a statement of preferred rank leads to
    arrivals: Mapping[Node, Sequence[_Way]] = MappingProxyType({})  # of what was followed: by what ways

    def best(self) -> tuple[Node, ...]:
        """The preferred ones, where there are any."""
        return tuple(item for item in self.items if item in self.preferred) or self.items


def canonical(nodes: Iterable[Node]) -> tuple[Node, ...]:
    """Distinct nodes in order: entities by the bytes of their id, then literals by those of their key."""
    return tuple(sorted({*nodes}, key=lambda node: (0, utf8(node)) if isinstance(node, str) else (1, key(node))))


def _either(truths: Iterable[bool | None]) -> bool | None:
    """Kleene's or: yes if any is, else unknown if any is, else no."""
    values = set(truths)
    return True if True in values else None if None in values else False


def _agreed(truths: Iterable[bool | None]) -> bool | None:
    """What all say; unknown where they differ, or nothing is said."""
    values = set(truths)
    return values.pop() if len(values) == 1 else None


def _absent(node: Node) -> bool:
    return isinstance(node, LiteralValue) and node.kind in ("unknown_value", "no_value")


def _only(literal: LiteralValue | None) -> NodeSet:
    return NodeSet() if literal is None else NodeSet((literal,))


def _licensed(rule: OpNode, truth: bool | None) -> bool | None:
    """What the direction of an axiom licenses, given whether its condition is so."""
    if truth is None or rule["direction"] == ("necessary" if truth else "sufficient"):
        return None
    return _TRUTH[(rule["if_true"] or "yes") if truth else (rule["if_false"] or "no")]


#: Ops that need no more than their node and what their ``of`` yields.
_SIMPLE: dict[str, Callable[[OpNode, Any], Any]] = {
    "literal": lambda node, _: NodeSet((node["value"],)),
    "complete": lambda _, of: of._replace(open=False),
    "count": lambda _, of: NodeSet((LiteralValue(str(len(of.items)), "quantity"),), at_least=of.open or of.hole),
    "exists": lambda _, of: True if of.items else False if of.none or not (of.open or of.hole) else None,
    "and": lambda _, of: negated(_either(map(negated, of))),
    "or": lambda _, of: _either(of),
    "not": lambda _, of: negated(of),
    "judged": lambda node, _: _TRUTH[node["decision"]],
    "rule": _licensed,
    "choice": lambda node, of: NodeSet(canonical(compress([part["option"] for part in node["options"]], of))),
}


class Evaluator:
    """Evaluates a program."""

    def __init__(self, program: Sequence[OpNode], source: Source, graphs: int, question: str, seconds: float) -> None:
        self.program, self.source, self.graphs, self.question = program, source, range(graphs), question
        self.values: list[Any] = [None] * len(program)  # of a node under a binder the last
        self.status: list[str | None] = [None] * len(program)  # of each node the weakest that was found
        self.reason: list[str] = [""] * len(program)
        self.statements: list[dict[GraphStatement, None]] = [{} for _ in program]  # those that it used
        self._steps, self._until = 0, monotonic() + seconds
        self._unknown: set[int] = set()  # what has no value to go on with
        self._now: list[int] = []  # the nodes that are being evaluated, the innermost last
        self._plans: dict[int, list[int]] = {}  # of a variable what is evaluated for each of its values

    def run(self) -> None:
        """Evaluate every node; KernelError if it takes too long."""
        for at in (at for at, node in enumerate(self.program) if not node.free):
            self._evaluate(at)

    def _note(self, status: str, reason: str = "", if_so: object = True) -> None:
        """What was found of the node that is being evaluated, if it is weaker than what was found before."""
        at = self._now[-1]
        before = self.status[at]
        if if_so and (before is None or STATUSES.index(status) > STATUSES.index(before)):
            self.status[at], self.reason[at] = status, reason

    def _use(self, statement: GraphStatement) -> None:
        self.statements[self._now[-1]][statement] = None

    def _label(self, identifier: str) -> str | None:
        return label_of(self._read, self.graphs, identifier)

    def step(self, count: int = 1) -> None:
        """Count what is done; KernelError beyond the limits."""
        self._steps += count
        too_long = self._steps > _MOST_STEPS or monotonic() > self._until
        refuse_if(too_long, "the check takes too long: too many steps, or too much time")

    def lost(self, at: int) -> bool:
        """Whether a node has no value to go on with."""
        return at in self._unknown

    def _need(self, places: Iterable[int]) -> None:
        if any(map(self.lost, places)):
            raise Missing(LOST)

    def _evaluate(self, at: int) -> None:
        self.step()
        node = self.program[at]
        if node.op == "it":
            return  # its binder sets it
        self._now.append(at)
        try:
            self._need(node.parts)
            several, simple = [self.values[part] for part in node.parts], _SIMPLE.get(node.op)
            of = several[0] if isinstance(node.data.get("of"), int) else several
            self.values[at] = simple(node, of) if simple else getattr(self, f"_op_{node.op}")(node, of)
            spec = FORMAT["nodes"][node.op]
            if "note" in spec:
                self._note(spec["note"][0], filled({**spec, "says": spec["note"][1]}, node.data, (), self._label))
            self._note("recomputed", if_so=self.status[at] is None)
        except Missing as error:
            self.values[at] = None
            self._unknown.add(at)
            self._note("unverifiable", str(error))
        self._now.pop()

    def _each(self, items: Iterable[Node | NodeSet], part: int | None, name: str = "it") -> Iterator[Any]:
        """What a variable stands for, one after another, each with what a node under its binder then yields."""
        refuse_if(len(self._now) > DEEPEST, f"more than {DEEPEST} binders within each other")
        binder = self.program[self._now[-1]]
        variable = binder[name]
        plan = self._plans[variable] = self._plans.get(variable) or self._plan(binder, variable)
        self.status[variable] = "recomputed"
        for item in items:
            self.values[variable] = item if isinstance(item, NodeSet) else NodeSet((item,))
            for inner in plan:
                self._evaluate(inner)
            self._need(plan)
            yield item, None if part is None else self.values[part]

    def _plan(self, node: OpNode, variable: int) -> list[int]:
        """The nodes that are evaluated for each value of a variable, in order."""
        needed = beneath(self.program, node.under[variable], lambda below: not below.free <= node.free)
        return sorted(part for part in needed if self.program[part].free <= node.free | {variable})

    def _read(self, graph: int, side: str, node: Node, relation: str) -> tuple[GraphStatement, ...]:
        statements = self.source.statements(graph, side, node, relation)
        self.step(len(statements) + 1)
        self._note("unverifiable", "no root proves what the endpoint said", not self.source.proved(graph))
        return statements

    def _all(self, side: str, of: Iterable[Node], relations: Sequence[str], graph: int | None = None) -> Iterator[_Way]:
        """(node, other end, statement) of the nodes' statements over some relations; "out": the node is the subject."""
        for node, place, relation in product(of, self.graphs if graph is None else [graph], relations):
            if side == "in" or isinstance(node, str):
                for statement in self._read(place, side, node, relation):
                    yield node, statement.object if side == "out" else statement.subject, statement

    def _op_entity(self, node: OpNode, of: object) -> NodeSet:
        """The entity; that the words are its name is looked up, or judged."""
        entity = NodeSet((node["id"],))
        if node["name"] is None:
            self._note("judged" if node["words"] else "holds", "given by its id")
            return entity
        name = LiteralValue(node["name"], "string")
        try:
            named = list(self._all("out", entity.items, (LABEL, ALIAS)))
            bearers = {bearer for _, bearer, _ in self._all("in", [name], (LABEL, ALIAS))}
        except Missing as error:
            self._note("unverifiable", str(error))
            return entity
        words = self.question[slice(*node["words"])] if node["words"] else name.value
        shown = [statement for _, text, statement in named if not isinstance(text, str) and text.value == name.value]
        for statement in shown[:1]:
            self._use(statement)
        self._note("fails", "the graph has no such name of it", not shown)
        other_words = folded(words) != folded(name.value)
        self._note("judged", f"other words are taken for its name: {quoted(words)}", other_words)
        self._note("judged", f"one of {len(bearers)} that bear this name", len(bearers) > 1)
        self._note("holds", "its name")
        return entity

    def _partial(self, *places: int | None) -> None:
        """What is taken for all there is, though it may be less, is assumed."""
        values = (self.values[place] for place in places if place is not None)
        partial = any(isinstance(value, NodeSet) and (value.at_least or value.hole) for value in values)
        self._note("assumed", _ALL, partial)

    def _op_follow(self, node: OpNode, of: NodeSet) -> NodeSet:
        side = "out" if node["direction"] == "forward" else "in"
        arrivals, hole, denied = dict[Node, list[_Way]](), of.hole, set()
        for way in self._all(side, of.items, node["relations"], node["graph"]):
            origin, end, statement = way
            if not self._wanted(statement, node):
                continue
            if _absent(end) and end[1] == "no_value" and not statement.qualifiers:
                denied.add((origin, statement.relation))
            elif _absent(end):
                hole = True
            elif node["not_back"] and all(before == end for before, *_ in of.arrivals.get(origin, ())):
                continue
            else:
                arrivals.setdefault(end, []).append(way)
            self._use(statement)
        every = set(product(of.items, node["relations"]))
        none = not (of.open or hole or arrivals) and bool(every) and denied == every
        preferred = frozenset(end for end, ways in arrivals.items() if any(by.rank == "preferred" for *_, by in ways))
        return NodeSet(canonical(arrivals), not none, hole, none, False, preferred, arrivals)

    def _wanted(self, statement: GraphStatement, node: OpNode) -> bool:
        """Whether a statement has the qualifiers that are asked for, and holds in the window."""
        pairs, window, asked = statement.qualifiers, node["window"], node["qualified"] or ()
        self.step(len(pairs) * len(asked))
        has = all(any(name in part["relations"] and value == part["is"] for name, value in pairs) for part in asked)
        if not has or window is None:
            return has
        times: dict[str, Node | None] = {}
        for role, fixed in FORMAT["times"]["roles"].items():
            values = [value for relation, value in pairs if relation in window[role]]
            times[role] = values[0] if len(values) == 1 else None
            self._note("judged", "which qualifiers say when is judged", set(window[role]) - set(fixed))
        held = holds_in_window(times["point"], times["start"], times["end"], window["from"], window["to"], self._label)
        kept = held is None and window["unknown"] == "keep"
        self._note("assumed", "what has no date is taken to hold then", kept)
        return bool(held) or kept

    def _op_instances(self, node: OpNode, of: NodeSet) -> NodeSet:
        classes = self._climb("in", of.items, node["sub"] or ())
        return NodeSet(canonical(self._walk("in", classes, node["relations"])), True, of.hole)

    def _walk(self, side: str, nodes: Iterable[Node], relations: Sequence[str]) -> Iterator[Node]:
        """The other ends of the nodes' statements over some relations, all of which are used."""
        for _, other, statement in self._all(side, nodes, relations):
            self._use(statement)
            yield other

    def _climb(self, side: str, of: Iterable[Node], relations: Sequence[str], most: int = 12) -> list[Node]:
        """Nodes, and what is above ("out") or beneath ("in") them by at most 11 of these relations, nearest first."""
        reached = level = dict.fromkeys(of)
        for _ in range(most - 1):
            level = dict.fromkeys(other for other in self._walk(side, level, relations) if other not in reached)
            reached = reached | level
        return list(reached)

    def _op_named(self, node: OpNode, of: NodeSet) -> NodeSet:
        named = (item for item in of.items if isinstance(item, LiteralValue) or self._label(item) is not None)
        return of._replace(items=tuple(named))

    def _op_query(self, node: OpNode, of: object) -> list[list[tuple[Node, ...]]]:
        """The rows that are recorded, held against what the store at hand gives now, if there is one."""
        again = self.source.again(node["graph"], node["text"], len(node["rows"]) + 1)
        if isinstance(again, str):
            self._note("unverifiable", f"not run again: {again}")
        elif again is not None:
            now = shaped(again, "rows", "the store")
            same = now["columns"] == node["columns"] and Counter(now["rows"]) == Counter(node["rows"])
            ordered = same and (now["rows"] == node["rows"] or "order" not in node["text"].lower())
            self._note("fails", f"run again by the store: {'another order' if same else 'other rows'}", not ordered)
            self._note("unverifiable", "run again by the store: the same rows")
        return [[() if cell is None else (cell,) for cell in row] for row in node["rows"]]

    def _op_qualifier(self, node: OpNode, of: NodeSet) -> NodeSet:
        values = set[Node]()
        for *_, statement in (way for end in of.items for way in of.arrivals.get(end, ())):
            for relation, value in statement.qualifiers:
                if relation in node["relations"]:
                    self._use(statement)
                    values.add(value)
        absent = set(filter(_absent, values))
        return NodeSet(canonical(values - absent), True, of.hole or bool(absent))

    def _op_union(self, node: OpNode, of: list[NodeSet]) -> NodeSet:
        self.step(sum(len(part.items) for part in of))
        sets, hole = [set(part.items) for part in of], any(part.hole for part in of)
        if node.op == "difference":
            more = any(part.open or part.hole for part in of[1:])
            self._note("assumed", "what the graph does not list is taken not to be so", more)
            return NodeSet(canonical(sets[0].difference(*sets[1:])), of[0].open, hole, of[0].none)
        joined, quantified = (set.union, all) if node.op == "union" else (set.intersection, any)
        marks = any(part.open for part in of), hole, quantified(part.none for part in of)
        return NodeSet(canonical(joined(*sets)), *marks)

    _op_intersection = _op_difference = _op_union

    def _op_where(self, node: OpNode, of: NodeSet) -> NodeSet:
        truths = dict(self._each(of.items, node["test"]))
        return of._replace(items=tuple(filter(truths.get, of.items)), hole=of.hole or None in truths.values())

    def _op_first(self, node: OpNode, of: NodeSet) -> NodeSet:
        """Places by bisection: as many precede a node as have an upper bound below all its lower bounds."""
        bounds, dimensions = {}, set()
        for item, by in self._each(of.items, node["by"]):
            self._partial(node["by"])
            values = (item,) if by is None else by.items
            if keys := [key for value in values if (key := order_key(value, self._label))]:
                ends = [(-key.high, -key.low) if node.op == "last" else (key.low, key.high) for key in keys]
                bounds[item] = min(low for low, _ in ends), min(high for _, high in ends)
                dimensions |= {key.dimension for key in keys}
        if len(dimensions) > 1:  # which come first is unknown
            return of._replace(items=(), hole=True)
        self._note_left(of, len(of.items) - len(bounds), "key")
        highs = sorted(high for _, high in bounds.values())
        start, numbers = node["from"] or 1, {item: bisect_left(highs, low) + 1 for item, (low, _) in bounds.items()}
        kept = (item for item in of.items if start <= numbers.get(item, 0) <= (node["to"] or start))
        return of._replace(items=tuple(kept))

    _op_last = _op_first

    def _note_left(self, of: NodeSet, left: int, without: str) -> None:
        """What is said of some only, or of what may be more, is assumed."""
        reason = f"{_ALL}; {left} without a {without} are left out" if left else _ALL
        self._note("assumed", reason, left or of.open or of.hole)

    def _op_among(self, node: OpNode, of: NodeSet) -> NodeSet:
        self._note("fails", "keeps what is not among them", not set(node["keep"]) <= set(of.items))
        return of._replace(items=canonical(node["keep"]))

    # Numbers and rows

    def _op_sum(self, node: OpNode, of: NodeSet) -> NodeSet:
        cells = [cell for _ in self._each(of.items, None) for cell in self._cells([node["by"]])]
        left, values = cells.count(()), [value for cell in cells for value in cell]
        self._note_left(of, left, "value")
        return _only(aggregate(node.op, values, self._label) if len(values) == len(cells) - left else None)

    _op_mean = _op_min = _op_max = _op_sum

    def _op_arithmetic(self, node: OpNode, of: list[NodeSet]) -> NodeSet:
        if any(len(side.items) != 1 or side.hole for side in of):
            return NodeSet()
        self._partial(*node.parts)
        right = of[1].items[0] if len(of) > 1 else None
        return _only(arithmetic(node["do"], of[0].items[0], right, self._label))

    def _op_table(self, node: OpNode, of: NodeSet) -> list[Any]:
        return [[(item,), *self._cells(node["columns"])] for item, _ in self._each(of.items, None)]

    def _cells(self, places: Sequence[int]) -> list[tuple[Node, ...]]:
        self.step(len(places))
        self._partial(*places)
        return [self.values[place].items for place in places]

    def _op_group(self, node: OpNode, of: NodeSet) -> list[Any]:
        groups: dict[Node, list[Node]] = {}
        for item, by in self._each(of.items, node["by"]):
            for value in by.items:
                groups.setdefault(value, []).append(item)
        keys, rows = canonical(groups), []
        members = [of._replace(items=tuple(groups[value])) for value in keys]
        for value, (_, truth) in zip(keys, self._each(members, node["having"], "members"), strict=True):
            if node["having"] is None or truth:
                rows.append([(value,), *self._cells(node["measures"])])
        return rows

    # Truth

    def _side(self, value: Any, do: str) -> list[Any]:
        """The values that a side of a comparison may have; none where that is unknown."""
        if not isinstance(value, NodeSet):
            return [] if value is None else [value]
        if value.at_least:  # this number, or any higher one
            numbers = [item for item in value.items if not isinstance(item, str) and do not in ("contains", "starts")]
            return [number._replace(precision=f"{number.value}..1e999") for number in numbers]
        return [] if value.hole else list(value.best()) or ([_NO_VALUE] if value.none else [])

    def _op_compare(self, node: OpNode, of: list[Any]) -> bool | None:
        left, right = (self._side(value, node["do"]) for value in of)
        self.step(len(left) * len(right))
        return _agreed(compare(node["do"], a, b, self._label) for a, b in product(left, right))

    def _op_period(self, node: OpNode, of: object) -> PeriodBounds | None:
        sides = [NodeSet() if node[side] is None else self.values[node[side]] for side in ("left", "right")]
        if any(len(side.items) > 1 or (side.hole and side.items) for side in sides):
            return None
        start, end = ((*side.items, _NO_VALUE if side.none else None)[0] for side in sides)
        return period(start, end, self._label)

    def _op_is_a(self, node: OpNode, of: list[NodeSet]) -> bool | None:
        left, right = of
        if left.hole or right.hole:
            return None
        return _agreed(self._member(item, cls, node) for item, cls in product(left.items, right.items))

    def _member(self, item: Node, cls: Node, node: OpNode) -> bool | None:
        direct = self._climb("out", [item], node["relations"], 2)
        classes = self._climb("out", direct, node["sub"] or ())
        if cls in classes:
            return True
        others = set(self._climb("out", [cls], node["sub"] or ()))
        for side in ("out", "in"):
            for _, other, statement in self._all(side, classes, node["disjoint"] or ()):
                if other in others:
                    self._use(statement)
                    return False
        self._note("assumed", "that the graph lists all classes", node["closed"])
        return False if node["closed"] else None

    def _op_some(self, node: OpNode, of: NodeSet) -> bool | None:
        """Kleene's or over the tests; its dual for "every"."""
        turned = negated if node.op == "every" else lambda truth: truth
        truths = [turned(truth) for _, truth in self._each(of.items, node["test"])]
        unsure = (of.open and not of.none) or of.hole or not (of.items or self.program[node["of"]].kind == "evidence")
        return turned(_either([*truths, None] if unsure else truths))

    _op_every = _op_some

    def _op_one(self, node: OpNode, of: NodeSet) -> bool | None:
        """What all tests say, of the preferred ones where there are any."""
        absent = of.none or not (of.open or self.program[node["of"]].kind == "named")
        items: Sequence[Node | NodeSet] = of.best() or ([NodeSet(none=True)] if absent else [])
        truths = [truth for _, truth in self._each(items, node["test"])]
        return _agreed([*truths, None] if of.hole else truths)

    # What is said

    def _op_statement(self, node: OpNode, of: object) -> bool:
        wanted = node["statement"]._replace(graph=node["graph"])
        self._use(wanted)
        there = self._read(wanted.graph, "out", wanted.subject, wanted.relation)
        has = statement_id(wanted) in map(statement_id, there)
        self._note("holds" if has else "fails", "the graph has it" if has else "the graph has no such statement")
        return True

    def _op_passage(self, node: OpNode, of: object) -> bool:
        document = self.source.document(node["source"])
        if document is None:
            self._note("unverifiable", "its source is not at hand")
        elif sha256(utf8(document)).hexdigest() != node["sha256"]:
            self._note("stale", "its source is not as it was")
        elif not node["text"] or document[node["start"] : node["end"]] != node["text"]:
            self._note("fails", "its source has another text there")
        self._note("holds", "its source has this text there")
        return True

    def _op_vote(self, node: OpNode, of: object) -> NodeSet | bool | None:
        """The prediction of most weight, by all the chains that make it."""
        refuse_if(len({chain["sample"] for chain in node["chains"]}) < len(node["chains"]), "a sample votes twice")
        weights: dict[str, list[float]] = {}
        for chain in node["chains"]:
            end = 0
            for text in (sentence["text"] for sentence in chain["sentences"]):
                end = chain["text"].find(text, end) + len(text)
                refuse_if(end < len(text), "a sentence does not stand in the text of its output")
            prediction = chain["prediction"]
            if prediction is not None and (not node["yes_or_no"] or prediction in ("yes", "no")):
                weights.setdefault(prediction, []).append(_weight(node, chain))
        worth = {text: max(each) if node["voting"] is False else fsum(each) for text, each in weights.items()}
        best = [text for text, weight in worth.items() if weight >= max(worth.values()) - _SAME]
        if node["ties"] == "majority":
            best = [text for text in best if len(weights[text]) == max(len(weights[other]) for other in best)]
        winner = None if not best else "no" if node["ties"] != "first" and "no" in best else best[0]
        if node["yes_or_no"]:
            return _TRUTH[winner or "unknown"]
        return _only(None if winner is None else LiteralValue(winner, "string"))


def _weight(node: OpNode, chain: Any) -> float:
    """The weight of an output: how far evidence bears its sentences out (Rethinking with Retrieval, A.2)."""
    defaults = {"T_m": 0.5, "T_e": 0.6, "T_c": 0.99}
    at_m, at_e, at_c = (default if node[name] is None else node[name] for name, default in defaults.items())
    scores = [(part["entailment"], part["similarity"] or 0.0, part["contradiction"]) for part in chain["sentences"]]
    means = [fsum(column) / len(scores) for column in zip(*scores, strict=True)] or [0.0] * 3
    rates, base = [*(node["w"] or (1.0, 0.0, 0.0)), *(node["words"] or (0.0, 0.0))], chain["base"]
    base = 1.0 if base is None else base
    parts = [*means, chain["grounded"] or 0.0, chain["disputed"] or 0.0]
    terms = {
        "equal": [1.0],
        "f1": [term for e, m, c in scores for term in (m if m >= at_m else e, -c)],
        "f2": [term for e, m, _ in scores for term in (m, e)],
        "f3": [term for e, _, c in scores for term in (e if e >= at_e else 0.0, -c if c >= at_c else 0.0)],
        "mean-entailment": [base, means[0]],
        "calibrated": [base, *(rate * part for rate, part in zip(rates, parts, strict=True))],
    }
    return fsum(terms[node["function"]])
