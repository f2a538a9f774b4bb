"""A small world, random worlds, and hand-made producers of answers with proofs."""

from __future__ import annotations

from hypothesis import strategies as st

from toulmin.graph.memory import MemoryGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.readers.protocol import Fact, Name
from toulmin.graph.types import Direction, Entity, Literal, Qualifier, Relation, Statement
from toulmin.proof.answer import Answer
from toulmin.proof.builder import ProofBuilder
from toulmin.proof.operators.paths import Constraint, Hop, PathEnds

START, END, POINT = (Relation(f"q:{name}", name) for name in ("start time", "end time", "point in time"))


def entity(label: str) -> Entity:
    """The entity of the small world with this label."""
    return Entity(f"e:{label.replace(' ', '_')}", label)


def relation(label: str) -> Relation:
    """The relation of the small world with this label."""
    return Relation(f"r:{label.replace(' ', '_')}", label)


def time(value: str) -> Literal:
    """A time."""
    return Literal(value, "time")


def said(subject: str, label: str, obj: str | Literal, *qualifiers: tuple[Relation, str]) -> Statement:
    """A statement of the small world."""
    end = entity(obj) if isinstance(obj, str) else obj
    return Statement(
        entity(subject), relation(label), end, tuple(Qualifier(about, time(value)) for about, value in qualifiers)
    )


MEDIATOR = Entity("m.0abc12", None)

STATEMENTS = [
    said("Ruth Negga", "acted in", "Loving"),
    said("Ruth Negga", "acted in", "Passing"),
    said("Joel Edgerton", "acted in", "Loving"),
    said("Joel Edgerton", "acted in", "Warrior"),
    said("Loving", "directed by", "Jeff Nichols"),
    said("Passing", "directed by", "Rebecca Hall"),
    said("Warrior", "directed by", "Gavin O'Connor"),
    said("Rebecca Hall", "acted in", "The Town"),
    said("Loving", "genre", "Drama"),
    said("Passing", "genre", "Drama"),
    said("Warrior", "genre", "Sport"),
    said("Passing", "written by", "Rebecca Hall"),
    said("Loving", "written by", "Jeff Nichols"),
    said("Rebecca Hall", "spouse", "Morgan Spector", (START, "2015-09")),
    said("Ruth Negga", "partner", "Dominic Cooper", (START, "2010"), (END, "2018")),
    said("Ruth Negga", "partner", "A Stranger"),
    said("Jeff Nichols", "award", "A Prize", (POINT, "2016")),
    said("Rebecca Hall", "born", time("1982-05-03")),
    said("Jeff Nichols", "born", time("1978-12-07")),
    said("Ruth Negga", "born", time("1981-05")),
    said("Loving", "running time", Literal("123", "quantity", unit="minute")),
    said("Passing", "running time", Literal("1.65", "quantity", unit="hour")),
    said("Limerick", "lies at", Literal("52.66,-8.63", "coordinate")),
    said("Addis Ababa", "lies at", Literal("9.03,38.74", "coordinate")),
    said("Ruth Negga", "child", Literal("", "no_value")),
    Statement(entity("Loving"), relation("performance"), MEDIATOR),
    Statement(MEDIATOR, relation("actor"), entity("Ruth Negga")),
    Statement(MEDIATOR, relation("role"), entity("Mildred")),
    Statement(Entity("e:other_Loving", "Loving"), relation("genre"), entity("Essay")),
]
ALIASES = [("e:Ruth_Negga", "Negga"), ("e:Gavin_O'Connor", "Gavin O Connor")]


def small_world(leave_out: tuple[Statement, ...] = (), extra: tuple[Statement, ...] = ()) -> MemoryGraph:
    """The small world; without some statements, with others."""
    records: list[Fact | Name] = []
    names: dict[str, str] = {}
    for one in (*STATEMENTS, *extra):
        ends = [one.subject, one.relation, one.object, *(q.relation for q in one.qualifiers)]
        names.update((end.id, end.label) for end in ends if not isinstance(end, Literal) and end.label)
        if one not in leave_out:
            pairs = tuple(
                (q.relation.id, q.value.id if isinstance(q.value, Entity) else q.value) for q in one.qualifiers
            )
            end = one.object.id if isinstance(one.object, Entity) else one.object
            records.append(Fact(one.subject.id, one.relation.id, end, pairs, one.rank))
    records.extend(Name(identifier, label) for identifier, label in names.items())
    records.extend(Name(identifier, alias, "alias") for identifier, alias in ALIASES)
    return MemoryGraph.from_records(records)


def link(builder: ProofBuilder, one: Entity, form: str | None = None) -> str:
    """Link the words of the question that are the label (or ``form``) of an entity."""
    form = form or one.label or one.id
    start = builder.question.index(form)
    return builder.add_link(start, start + len(form), one, form, 1.0, "exact")


def hop(label: str, direction: Direction = "forward") -> Hop:
    """A hop over a relation of the small world."""
    return Hop(relation=relation(label), direction=direction)


def finish(builder: ProofBuilder, of: str, confidence: float | None = 0.8) -> Answer:
    """Conclude what a step yields."""
    judged = builder.add_reading(of, by="embedder", score=0.7)
    proof = builder.conclude(of, judged, *builder.add_witnesses(of), confidence=confidence)
    return builder.answer(proof, method="by hand")


def follow(
    question: str,
    start: str,
    *pattern: Hop,
    graph: Graph,
    exclude_start: bool = False,
    constraint: tuple[int, Hop, str] | None = None,
) -> Answer:
    """The answer that a pattern of the small world leads to."""
    builder = ProofBuilder(question, graph)
    linked = link(builder, entity(start))
    constraints: tuple[Constraint, ...] = ()
    if constraint:
        position, seen, label = constraint
        other = link(builder, entity(label))
        constraints = (Constraint(position=position, relation=seen.relation, direction=seen.direction, entity=other),)
    arguments = PathEnds(start=(linked,), pattern=pattern, exclude_start=exclude_start, constraints=constraints)
    ends = builder.add_computation("path_ends", arguments)
    return finish(builder, ends)


@st.composite
def worlds(draw: st.DrawFn) -> list[Statement]:
    """Statements over a few entities, some of one name, some with machine ids, with qualifiers."""
    labels = draw(st.lists(st.sampled_from(["Ada", "Bo", "Cy", "Dé", "東京", "Ada", "X Y"]), min_size=3, max_size=7))
    nodes = [Entity(f"e:{n}", f"{label} {n // 2}") for n, label in enumerate(labels)] + [Entity("m.0xyz99", "m.0xyz99")]
    relations = [Relation(f"r:{n}", f"rel {n}") for n in range(3)]
    qualified = st.lists(st.sampled_from([Qualifier(START, time("1995")), Qualifier(END, time("2001-02"))]), max_size=2)
    ends = st.one_of(st.sampled_from(nodes), st.sampled_from([Literal("7", "quantity"), time("1999"), Literal("a b")]))
    one = st.builds(
        lambda s, r, o, q: Statement(s, r, o, tuple(dict.fromkeys(q))),
        st.sampled_from(nodes), st.sampled_from(relations), ends, qualified,
    )  # fmt: skip
    return draw(st.lists(one, min_size=3, max_size=14))


@st.composite
def produced(draw: st.DrawFn) -> tuple[Answer, MemoryGraph, list[Statement]]:
    """A random world and an answer to a question about it, or an abstention where its pattern leads nowhere."""
    statements = draw(worlds())
    graph = MemoryGraph.from_statements(statements)
    named = [one.subject for one in statements if one.subject.label] or [statements[0].subject]
    start = draw(st.sampled_from(named))
    spoken = start.label or start.id
    builder = ProofBuilder(f"what of {spoken}, then?", graph)
    linked = link(builder, start, spoken)
    pattern = draw(
        st.lists(
            st.builds(
                Hop,
                relation=st.sampled_from([one.relation for one in statements]),
                direction=st.sampled_from(["forward", "backward"]),
            ),
            min_size=1,
            max_size=3,
        )
    )
    arguments = PathEnds(start=(linked,), pattern=tuple(pattern), exclude_start=draw(st.booleans()))
    ends = builder.add_computation("path_ends", arguments)
    output = builder.steps[ends].yields()
    if output is None or not output.values:
        judged = builder.add_reading(ends, by="embedder", score=0.5)
        proof = builder.abstain(f"nothing is known of {spoken} by this pattern", ends, judged)
        return builder.answer(proof, method="by hand"), graph, statements
    return finish(builder, ends), graph, statements
