"""Random graphs and random well-typed programs of every op, for runs in which evaluators must agree.

Graphs have missing, several and vague values, cycles, qualifiers, preferred ranks, machine ids, *unknown* and *no
value*; every fourth is a union of two. The same seed gives the same graph and the same program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from typing import Any

from toulmin.errors import InputError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.ranges import plain_node
from toulmin.graph.types import Entity, Literal, Node, Qualifier, Relation, Statement
from toulmin.graph.union import UnionGraph
from toulmin.program.builder import Builder
from toulmin.program.nodes import Calculation, Window
from toulmin.program.periods import compares_periods, comparisons

LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
ALIAS = "http://www.w3.org/2004/02/skos/core#altLabel"
TIMES = (
    *("1903", "1903-04", "1903-04-15", "1904", "-0043-03-15", "1950", "1950-01-01", "2004-04-12T13:20:00Z", "2004-04"),
    *("2004-04-12", "1899-12-31", "2009-00-00", "1903-13-01"),
)
UNITS = (
    None,
    None,
    "metre",
    "kilometre",
    "kilogram",
    "gram",
    "year",
    "USD",
    "EUR",
    "http://example.org/unit",
    "percent",
)
TEXTS = (
    "alpha",
    "Alpha beta",
    "beta",
    "1903",
    "12 km",
    "5 kilogram",
    "18 February 1997",
    "",
    "ALPHA",
    "$5",
    "2004-04-12",
)
LABELS = (None, None, "Alpha", "1903", "12 kilometre", "beta", "Gamma ray", "18 February 1997", "m.0abc12")
LINKS = [f"r{number}" for number in range(3)]  # between entities
VALUES = {"time": "t", "quantity": "q", "text": "x", "any": "y"}
CLASSES, SUB, APART = "type", "sub", "disjoint"
ROLES = {"start": "from", "end": "until", "point": "at", "role": "as"}
RELATIONS = [*LINKS, *VALUES.values(), CLASSES, SUB, APART]
_TWO: tuple[Calculation, ...] = (
    "add",
    "subtract",
    "multiply",
    "divide",
    "round",
    "floor",
    "duration",
    "days",
    "distance",
    "convert",
)
_ONE: tuple[Calculation, ...] = ("year", "month", "day", "century", "decade_of_century")


def random_literal(rng: Random, kind: str = "any") -> Literal:
    """A value of a kind."""
    kind = rng.choice(("time", "quantity", "text", "other")) if kind == "any" else kind
    if kind == "time":
        precision = rng.choice((None, None, None, "year", "month", "decade", "century", "day"))
        return Literal(
            rng.choice(TIMES), "time", precision=precision, calendar=rng.choice((None, None, None, "julian"))
        )
    if kind == "quantity":
        number = rng.choice(("0", "1", "2", "3", "5", "12", "1.5", "-2", "1000", "1e3", "1903", "0.5"))
        bounds = f"{float(number) - 1}..{float(number) + 1}" if rng.random() < 0.2 else None
        return Literal(number, "quantity", unit=rng.choice(UNITS), precision=bounds)
    if kind == "text":
        return Literal(rng.choice(TEXTS), "string", lang=rng.choice((None, None, "en", "de")))
    return rng.choice((Literal("48.86,2.35", "coordinate"), Literal("0,0", "coordinate"), Literal("true", "boolean")))


def random_statements(rng: Random, count: int) -> Iterator[Statement]:
    """Statements about a dozen entities."""
    ids = [*(f"e{number}" for number in range(8)), "m.0abc", "http://example.org/x/E9", "r0"]
    labels = {one: rng.choice(LABELS) for one in ids}

    def entity() -> Entity:
        one = rng.choice(ids)
        return Entity(one, labels[one])

    def value(relation: str) -> Node:
        if rng.random() < 0.08:
            return Literal("", rng.choice(("unknown_value", "no_value")))
        kind = next((kind for kind, name in VALUES.items() if name == relation), None)
        return random_literal(rng, kind) if kind is not None and rng.random() < 0.9 else entity()

    for _ in range(count):
        relation = rng.choice([*RELATIONS, *LINKS, *LINKS])
        pairs = []
        while rng.random() < 0.3:
            role = rng.choice(list(ROLES))
            kind = "time" if role != "role" else "any"
            special = Literal("", rng.choice(("unknown_value", "no_value")))
            said = special if rng.random() < 0.1 else entity() if role == "role" else random_literal(rng, kind)
            pairs.append(Qualifier(Relation(ROLES[role]), said))
        rank = "preferred" if rng.random() < 0.1 else "normal"
        yield Statement(entity(), Relation(relation), value(relation), tuple(pairs), rank)  # type: ignore[arg-type]


def random_graph(rng: Random) -> Graph:
    """A graph, or a union of two."""
    parts = [
        MemoryGraph.from_statements(list(random_statements(rng, rng.randint(0, 70))), name=name)
        for name in ("first", "second")[: 2 if rng.random() < 0.25 else 1]
    ]
    return UnionGraph(parts) if len(parts) > 1 else parts[0]


class Programs:
    """Fills a builder with random nodes; ill-typed attempts are given up, so that all that is there is well typed."""

    def __init__(self, rng: Random, builder: Builder) -> None:
        self.rng, self.b = rng, builder
        self._closed: list[int] = []

    def fill(self, most: int = 5) -> list[int]:
        """Add some nodes that depend on no variable; their places."""
        found = []
        for _ in range(self.rng.randint(1, most)):
            made = self.rng.choice((self.nodes, self.nodes, self.truth, self.truth, self.rows))
            with suppress(InputError):
                found.append(made([], 3))
        with suppress(InputError):
            found.append(self.rng.choice((self._among, self._query, self._passage))())
        return found

    def _among(self) -> int:
        of = self.rng.choice(self._closed or [self._entity()])
        nodes = self.b.nodes(of)
        keep = self.rng.sample(nodes, min(len(nodes), 2)) or [Entity("e1")]
        return self.b.among(of, keep, by="somebody", score=0.5)

    def _query(self) -> int:
        cells = [[plain_node(random_literal(self.rng)), None], ["e1", "e2"]]
        return self.b.add({"op": "query", "graph": 0, "text": "SELECT", "columns": ["x", "y"], "rows": cells})

    def _passage(self) -> int:
        return self.b.not_(self.b.passage("a document", "0" * 64, 0, 5, "words"))

    def _some(self, names: list[str]) -> list[str]:
        return self.rng.sample(names, self.rng.choice((1, 1, 1, 2)))

    def _relations(self) -> list[str]:
        return self._some([LABEL, ALIAS] if self.rng.random() < 0.05 else RELATIONS)

    def _entity(self) -> int:
        return self.b.entity(self.rng.choice([*(f"e{number}" for number in range(8)), "m.0abc", "nobody", "r0"]))

    def _under(self, made: Callable[[list[int], int], int], scope: list[int], depth: int) -> Callable[[int], int]:
        def under(it: int) -> int:
            return made([*scope, it], depth - 1)

        return under

    def nodes(self, scope: list[int], depth: int) -> int:
        """A node that yields nodes."""
        rng, b = self.rng, self.b
        if depth <= 0 or rng.random() < 0.12:
            if scope and rng.random() < 0.75:
                return rng.choice(scope)
            kind = rng.random()
            if kind < 0.6:
                return self._entity()
            if kind < 0.8 and self._closed:
                return rng.choice(self._closed)
            if kind < 0.83:
                return b.literal(Literal("", rng.choice(("unknown_value", "no_value"))))
            return b.literal(random_literal(rng))
        found = rng.choice(_NODES)(self, scope, depth)
        if not b.static(found).free and b.static(found).kind != "chosen":
            self._closed.append(found)
        return found

    def _follow(self, scope: list[int], depth: int) -> int:
        rng, b = self.rng, self.b
        of = self.nodes(scope, depth - 1)
        relations, direction = self._relations(), rng.choice(("forward", "forward", "backward"))
        if rng.random() < 0.15:
            middle = b.follow(of, relations, "forward" if direction == "backward" else "backward")
            return b.follow(middle, relations, direction, not_back=True)  # type: ignore[arg-type]
        window, special = None, Literal("", rng.choice(("unknown_value", "no_value")))
        if rng.random() < 0.15:
            bounds = [rng.choice((None, special, *(random_literal(rng, "time") for _ in range(6)))) for _ in range(2)]
            roles = {role: (ROLES[role],) if rng.random() < 0.8 else () for role in ("start", "end", "point")}
            window = Window(from_=bounds[0], to=bounds[1], unknown=rng.choice(("keep", "drop")), **roles)
        qualified: list[Any] = []
        if rng.random() < 0.1:
            qualified.append(
                (self._some(list(ROLES.values())), rng.choice((Entity("e1"), random_literal(rng, "time"))))
            )
        graph = 0 if rng.random() < 0.1 else None
        return b.follow(of, relations, direction, graph=graph, qualified=qualified, window=window)  # type: ignore[arg-type]

    def _qualifier(self, scope: list[int], depth: int) -> int:
        of = self.b.follow(self.nodes(scope, depth - 1), self._some(LINKS), self.rng.choice(("forward", "backward")))
        return self.b.qualifier(of, self._some(list(ROLES.values())))

    def _sets(self, scope: list[int], depth: int) -> int:
        made = self.rng.choice((self.b.union, self.b.intersection, self.b.difference))
        return made(*(self.nodes(scope, depth - 1) for _ in range(self.rng.choice((2, 2, 3)))))

    def _where(self, scope: list[int], depth: int) -> int:
        return self.b.where(self.nodes(scope, depth - 1), self._under(self.truth, scope, depth))

    def _ordered(self, scope: list[int], depth: int) -> int:
        by = self._under(self.nodes, scope, depth) if self.rng.random() < 0.8 else None
        from_ = self.rng.choice((1, 1, 2))
        made = self.rng.choice((self.b.first, self.b.last))
        return made(self.nodes(scope, depth - 1), by, from_=from_, to=self.rng.choice((None, from_ + 1)))

    def _aggregate(self, scope: list[int], depth: int) -> int:
        op = self.rng.choice(("sum", "mean", "min", "max"))
        return self.b.aggregate(op, self.nodes(scope, depth - 1), self._under(self.nodes, scope, depth))

    def _alone(self, scope: list[int], depth: int) -> int:
        made = self.rng.choice((self.b.named, self.b.complete, self.b.complete, self.b.count, self.b.count))
        return made(self.nodes(scope, depth - 1))

    def _instances(self, scope: list[int], depth: int) -> int:
        return self.b.instances(self.nodes(scope, depth - 1), CLASSES, self.rng.choice(((), SUB)))

    def _arithmetic(self, scope: list[int], depth: int) -> int:
        rng = self.rng
        left = self.nodes(scope, depth - 1)
        if rng.random() < 0.3:
            return self.b.arithmetic(rng.choice(_ONE), left)
        return self.b.arithmetic(rng.choice(_TWO), left, self.nodes(scope, depth - 1))

    def _choice(self, scope: list[int], depth: int) -> int:
        return self.b.choice([(one, self.truth(scope, depth - 1)) for one in ("alpha", "beta")])

    def truth(self, scope: list[int], depth: int) -> int:
        """A node that yields truth."""
        if depth <= 0 or self.rng.random() < 0.1:
            if self.rng.random() < 0.3:
                decision = self.rng.choice(("yes", "no", "unknown"))
                return self.b.judged("so", by="somebody", score=0.5, decision=decision)  # type: ignore[arg-type]
            return self._compare(scope, 1)
        return self.rng.choice(_TRUTHS)(self, scope, depth)

    def _compare(self, scope: list[int], depth: int) -> int:
        rng, b = self.rng, self.b
        do = rng.choice(comparisons())
        sides = [self.nodes(scope, depth - 1) for _ in range(2)]
        if depth == 1 and rng.random() < 0.7:
            sides[0] = b.follow(sides[0], rng.choice(list(VALUES.values())))
        if compares_periods(do):
            for place in range(2):
                sides[place] = self._dated(sides[place])
                if rng.random() < 0.4:
                    other = None if rng.random() < 0.3 else self._dated(self.nodes(scope, depth - 1))
                    sides[place] = b.period(sides[place], other)
        return b.compare(do, *sides)

    def _dated(self, place: int) -> int:
        """Mostly times, so that more than unknown comes of it."""
        kind = self.rng.random()
        if kind < 0.4:
            return self.b.follow(self._entity(), VALUES["time"])
        return self.b.literal(random_literal(self.rng, "time")) if kind < 0.8 else place

    def _exists(self, scope: list[int], depth: int) -> int:
        return self.b.exists(self.nodes(scope, depth - 1))

    def _is_a(self, scope: list[int], depth: int) -> int:
        sides = [self.nodes(scope, depth - 1) for _ in range(2)]
        sub, apart = self.rng.choice(((), SUB)), self.rng.choice(((), APART))
        return self.b.is_a(sides[0], sides[1], CLASSES, sub, apart, closed=self.rng.random() < 0.3)

    def _quantified(self, scope: list[int], depth: int) -> int:
        made = self.rng.choice((self.b.some, self.b.every, self.b.one))
        return made(self.nodes(scope, depth - 1), self._under(self.truth, scope, depth))

    def _logic(self, scope: list[int], depth: int) -> int:
        if self.rng.random() < 0.3:
            return self.b.not_(self.truth(scope, depth - 1))
        made = self.rng.choice((self.b.and_, self.b.or_))
        return made(*(self.truth(scope, depth - 1) for _ in range(self.rng.choice((1, 2, 3)))))

    def _rule(self, scope: list[int], depth: int) -> int:
        rng = self.rng
        return self.b.rule(
            "a rule",
            self.truth(scope, depth - 1),
            by="somebody",
            direction=rng.choice(("sufficient", "necessary", "both")),
            if_true=rng.choice(("yes", "no")),
            if_false=rng.choice(("yes", "no")),
        )

    def _statement(self, scope: list[int], depth: int) -> int:
        start = self.b.follow(self._entity(), self._some(LINKS))
        arrivals = self.b.value(start).arrivals  # type: ignore[union-attr]
        known = [statement for some in arrivals.values() for _, statement in some]
        return self.b.statement(self.rng.choice(known)) if known else self._compare(scope, 1)

    def _vote(self, scope: list[int], depth: int) -> int:
        rng = self.rng
        truths = rng.random() < 0.7
        chains = []
        for sample in range(rng.randint(1, 4)):
            scores = [round(rng.random(), 2) for _ in range(4)]
            names = ("entailment", "unknown", "contradiction", "similarity")
            sentence = {"text": "it is so", "by": "scorer", **dict(zip(names, scores, strict=True))}
            prediction = rng.choice(("yes", "no", None, "perhaps"))
            chain = {"text": "so it is so", "sample": sample, "sentences": [sentence] * rng.choice((0, 1))}
            chains.append(chain | ({"prediction": prediction} if prediction else {}))
        function = rng.choice(("equal", "f1", "f2", "f3", "mean-entailment", "calibrated"))
        vote = {"op": "vote", "function": function, "chains": chains, "yes_or_no": truths}
        vote |= rng.choice(({}, {"ties": "first"}, {"ties": "majority"}, {"voting": False}))
        place = self.b.add(vote)
        return place if truths else self.b.exists(place)

    def rows(self, scope: list[int], depth: int) -> int:
        """A node that yields rows."""
        rng, b = self.rng, self.b
        of = self.nodes(scope, depth - 1)
        under = self._under(self.nodes, scope, depth)
        if rng.random() < 0.5:
            return b.table(of, [under] * rng.choice((0, 1, 2)))
        having = self._under(self.truth, scope, depth - 1) if rng.random() < 0.3 else None
        return b.group(of, under, [rng.choice((b.count, under)) for _ in range(rng.choice((1, 2)))], having)


_NODES: tuple[Callable[[Programs, list[int], int], int], ...] = (
    *(Programs._follow,) * 8,
    *(Programs._sets, Programs._where, Programs._ordered, Programs._aggregate, Programs._alone, Programs._alone),
    *(Programs._instances, Programs._arithmetic, Programs._qualifier, Programs._choice),
)
_TRUTHS: tuple[Callable[[Programs, list[int], int], int], ...] = (
    *(Programs._compare, Programs._compare, Programs._compare, Programs._exists, Programs._is_a, Programs._quantified),
    *(Programs._quantified, Programs._logic, Programs._rule, Programs._statement, Programs._vote),
)


def random_program(rng: Random, graph: Graph) -> tuple[Builder, list[int]]:
    """A builder with a random program, and the places of some of its nodes that depend on no variable."""
    builder = Builder("What is it?", graph)
    return builder, Programs(rng, builder).fill()


def plain(node: Node) -> Any:
    """A node as a certificate writes it."""
    return plain_node(node)
