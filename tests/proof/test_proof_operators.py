"""What operators compute, against plain re-implementations and by hand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from producers import END, MEDIATOR, POINT, START, entity, hop, link, relation, said, small_world, time, worlds

from toulmin.errors import InputError
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Literal, Node, Statement, node_key
from toulmin.proof.builder import ProofBuilder
from toulmin.proof.model import Arguments, Link, Output, Step
from toulmin.proof.operators.paths import Constraint, Hop, PathEnds, walk
from toulmin.proof.operators.sets import Count, Sets
from toulmin.proof.operators.times import RestrictTime, holds_within
from toulmin.proof.operators.values import Compare, Convert, Distance, Extreme
from toulmin.proof.registry import OPERATORS


@pytest.fixture(scope="module")
def graph() -> Iterator[MemoryGraph]:
    with small_world() as world:
        yield world


def _linked(step: str, one: Entity) -> Link:
    label = one.label or one.id
    return Link(id=step, span=label, start=0, end=len(label), entity=one, form=label, score=1.0, how="exact")


def _reached(statements: list[Statement], start: Entity, arguments: PathEnds, other: Entity | None) -> set[str]:
    """Path by path, over a plain list of statements."""
    paths: list[tuple[Node, ...]] = [(start,)]
    for one in arguments.pattern:
        longer: list[tuple[Node, ...]] = []
        for path in paths:
            for statement in statements:
                ends: tuple[Node, Node] = (statement.subject, statement.object)
                here, there = ends if one.direction == "forward" else ends[::-1]
                if statement.relation == one.relation and here == path[-1] and isinstance(here, Entity):
                    longer.append((*path, there))
        paths = longer
        back = len(paths[0]) - 1 if paths else 0
        if arguments.no_return and back > 1:
            before, now = arguments.pattern[back - 2 : back]
            if before.relation == now.relation and before.direction != now.direction:
                paths = [path for path in paths if path[-1] != path[-3]]
    for constraint in arguments.constraints:
        assert other is not None
        forward = constraint.direction == "forward"
        paths = [
            path
            for path in paths
            if any(
                statement.relation == constraint.relation
                and (statement.subject, statement.object)
                == ((path[constraint.position], other) if forward else (other, path[constraint.position]))
                for statement in statements
            )
        ]
    ends_ = {path[-1] for path in paths} - ({start} if arguments.exclude_start else set())
    return {node_key(end) for end in ends_ if not (isinstance(end, Entity) and end.id.startswith("m."))}


@settings(max_examples=150, deadline=None)
@given(st.data(), worlds())
def test_path_ends_are_all_ends_of_all_paths(data: st.DataObject, statements: list[Statement]) -> None:
    graph = MemoryGraph.from_statements(statements)
    nodes = {node.id: node for s in statements for node in (s.subject, s.object) if isinstance(node, Entity)}
    entities = st.sampled_from([nodes[one] for one in sorted(nodes)])
    relations = st.sampled_from([statement.relation for statement in statements])
    directions = st.sampled_from(["forward", "backward"])
    pattern = data.draw(
        st.lists(st.builds(Hop, relation=relations, direction=directions), min_size=1, max_size=3), label="pattern"
    )
    start, other = data.draw(entities, label="start"), data.draw(entities, label="constraint")
    constraint = st.builds(
        Constraint,
        position=st.integers(1, len(pattern)),
        relation=relations,
        direction=directions,
        entity=st.just("s2"),
    )
    arguments = PathEnds(
        start=("s1",),
        pattern=tuple(pattern),
        exclude_start=data.draw(st.booleans()),
        no_return=data.draw(st.booleans()),
        constraints=tuple(data.draw(st.lists(constraint, max_size=2))),
    )
    steps: dict[str, Step] = {"s1": _linked("s1", start), "s2": _linked("s2", other)}
    walked = walk(arguments, steps, graph)
    assert {node_key(end) for end in walked.ends} == _reached(statements, start, arguments, other)
    keys = [(isinstance(end, Literal), node_key(end)) for end in walked.ends]
    assert keys == sorted(keys)
    for end in walked.ends:
        found = walked.path_to(end)
        assert found.path.end == end
        assert all(graph.contains([*found.statements, *(one for _, one in found.witnesses)]))
        assert [step.statement for step in found.path.steps] == [statement.id for statement in found.statements]


class _World:
    """Steps over the small world."""

    def __init__(self, question: str, graph: MemoryGraph) -> None:
        self.builder = ProofBuilder(question, graph)

    def ends(self, start: str, *pattern: Hop) -> str:
        arguments = PathEnds(start=(link(self.builder, entity(start)),), pattern=pattern)
        return self.builder.add_computation("path_ends", arguments)

    def apply(self, operator: str, arguments: Arguments) -> Output:
        step = self.builder.add_computation(operator, arguments)
        output = self.builder.steps[step].yields()
        assert output is not None
        return output


def _labels(output: Output) -> list[str]:
    return [value.label or value.id if isinstance(value, Entity) else value.value for value in output.values]


def test_a_node_with_only_a_machine_id_is_walked_through_and_no_end(graph: MemoryGraph) -> None:
    steps: dict[str, Step] = {"s1": _linked("s1", entity("Loving"))}
    one = PathEnds(start=("s1",), pattern=(hop("performance"),))
    two = PathEnds(start=("s1",), pattern=(hop("performance"), hop("role")))
    assert walk(one, steps, graph).ends == ()
    assert [end.label for end in walk(two, steps, graph).ends if isinstance(end, Entity)] == ["Mildred"]
    assert walk(two, steps, graph).path_to(entity("Mildred")).path.steps[0].node == Entity(MEDIATOR.id, MEDIATOR.id)


def test_no_value_is_no_end(graph: MemoryGraph) -> None:
    steps: dict[str, Step] = {"s1": _linked("s1", entity("Ruth Negga"))}
    assert walk(PathEnds(start=("s1",), pattern=(hop("child"),)), steps, graph).ends == ()


def test_several_starts_are_one_set_of_starts(graph: MemoryGraph) -> None:
    steps: dict[str, Step] = {
        "s1": _linked("s1", entity("Loving")),
        "s2": _linked("s2", Entity("e:other_Loving", "Loving")),
    }
    walked = walk(PathEnds(start=("s1", "s2"), pattern=(hop("genre"),)), steps, graph)
    assert [end.label for end in walked.ends if isinstance(end, Entity)] == ["Drama", "Essay"]


def test_a_constraint_beyond_the_end_is_refused() -> None:
    constraint = Constraint(position=2, relation=relation("genre"), direction="forward", entity="s1")
    with pytest.raises(ValueError, match="beyond the end"):
        PathEnds(start=("s1",), pattern=(hop("genre"),), constraints=(constraint,))


def test_sets(graph: MemoryGraph) -> None:
    world = _World("Ruth Negga and Joel Edgerton", graph)
    of = (world.ends("Ruth Negga", hop("acted in")), world.ends("Joel Edgerton", hop("acted in")))
    assert _labels(world.apply("union", Sets(of=of))) == ["Loving", "Passing", "Warrior"]
    assert _labels(world.apply("intersection", Sets(of=of))) == ["Loving"]
    assert _labels(world.apply("difference", Sets(of=of))) == ["Passing"]
    assert _labels(world.apply("difference", Sets(of=of[::-1]))) == ["Warrior"]


def test_a_count_is_a_lower_bound_unless_all_is_known(graph: MemoryGraph) -> None:
    world = _World("Ruth Negga", graph)
    films = world.ends("Ruth Negga", hop("acted in"))
    two = Literal("2", "quantity")
    assert world.apply("count", Count(of=films)) == Output(values=(two,), at_least=True)
    assert world.apply("count", Count(of=films, complete=True)) == Output(values=(two,))
    assert OPERATORS.get("count").assumes(Count(of=films)) is None
    assert OPERATORS.get("count").assumes(Count(of=films, complete=True))


@pytest.mark.parametrize(
    ("op", "left", "right", "verdict"),
    [
        ("<", "Ruth Negga", "Rebecca Hall", True),
        (">", "Ruth Negga", "Rebecca Hall", False),
        ("≤", "Jeff Nichols", "Ruth Negga", True),
        ("=", "Ruth Negga", "Ruth Negga", None),
    ],
)
def test_comparison(graph: MemoryGraph, op: str, left: str, right: str, verdict: bool | None) -> None:
    world = _World("Ruth Negga, Rebecca Hall, Jeff Nichols", graph)
    born = {name: world.ends(name, hop("born")) for name in (left, right)}
    arguments = Compare.model_validate({"op": op, "left": born[left], "right": born[right]})
    assert world.apply("compare", arguments) == Output(verdict=verdict)


def test_comparison_needs_one_value_on_each_side(graph: MemoryGraph) -> None:
    world = _World("Ruth Negga", graph)
    films = world.ends("Ruth Negga", hop("acted in"))
    with pytest.raises(InputError, match="yields 2 values, not one"):
        world.apply("compare", Compare(op="=", left=films, right=films))


def test_first_and_last(graph: MemoryGraph) -> None:
    world = _World("Drama", graph)
    directors = world.ends("Drama", hop("genre", "backward"), hop("directed by"))
    by = Extreme(of=directors, by=relation("born"))
    assert _labels(world.apply("first", by)) == ["Jeff Nichols"]
    assert _labels(world.apply("last", by)) == ["Rebecca Hall"]
    times = world.ends("Drama", hop("genre", "backward"), hop("directed by"), hop("born"))
    assert _labels(world.apply("first", Extreme(of=times, by=None))) == ["1978-12-07"]
    lengths = world.ends("Drama", hop("genre", "backward"))
    longest = Extreme(of=lengths, by=relation("running time"))
    assert _labels(world.apply("last", longest)) == ["Loving"]  # 123 minutes against 1.65 hours
    assert world.apply("last", Extreme(of=lengths, by=relation("born"))) == Output()


_YEARS = st.integers(1990, 1996).map(str)
_TIMES = st.one_of(_YEARS, st.tuples(_YEARS, st.integers(1, 12)).map(lambda pair: f"{pair[0]}-{pair[1]:02d}"))


@settings(max_examples=60, deadline=None)
@given(st.lists(_TIMES, min_size=1, max_size=6))
def test_first_are_those_before_which_nothing_is_known_to_be(times: list[str]) -> None:
    graph = MemoryGraph.from_statements(
        [said("all", "has", f"n{n}") for n in range(len(times))]
        + [said(f"n{n}", "born", time(value)) for n, value in enumerate(times)]
    )
    world = _World("all", graph)
    first = world.apply("first", Extreme(of=world.ends("all", hop("has")), by=relation("born")))
    months = [(f"{t}-01", f"{t}-12") if len(t) == 4 else (t, t) for t in times]
    expected = [f"n{n}" for n, (low, _) in enumerate(months) if not any(high < low for _, high in months)]
    assert _labels(first) == expected


def test_conversion_and_distance(graph: MemoryGraph) -> None:
    world = _World("Passing, Loving, Limerick, Addis Ababa, Ruth Negga", graph)
    length = world.ends("Passing", hop("running time"))
    in_minutes = world.apply("convert", Convert(of=length, unit="minute"))
    assert in_minutes.values == (Literal("99", "quantity", unit="minute"),)
    with pytest.raises(InputError, match="cannot be converted to metre"):
        world.apply("convert", Convert(of=length, unit="metre"))
    places = [world.ends(name, hop("lies at")) for name in ("Limerick", "Addis Ababa")]
    apart = world.apply("distance", Distance(left=places[0], right=places[1])).values[0]
    assert isinstance(apart, Literal)
    assert apart.unit == "kilometre"
    assert float(apart.value) == pytest.approx(6445, abs=2)
    with pytest.raises(InputError, match="coordinate"):
        world.apply("distance", Distance(left=places[0], right=length))


def _window(first: str | None, last: str | None, unknown: str = "drop") -> RestrictTime:
    bounds = {"first": first and time(first), "last": last and time(last)}
    roles = {"starts": (START,), "ends": (END,), "points": (POINT,)}
    return RestrictTime.model_validate({"of": "s1", "unknown": unknown, **bounds, **roles})


@pytest.mark.parametrize(
    ("qualifiers", "first", "last", "held"),
    [
        (((START, "2010"), (END, "2018")), "2012", "2012", True),
        (((START, "2010"), (END, "2018")), "2018-06", "2019", None),
        (((START, "2010"), (END, "2018")), "2019", "2020", False),
        (((START, "2010"), (END, "2018")), None, "2009", False),
        (((START, "2010"),), "2010", "2010", True),
        (((START, "2010"),), "2012", "2012", None),
        (((START, "2010"),), "2000", "2005", False),
        (((END, "2018"),), None, "2018", True),
        (((END, "2018"),), "2018", None, True),
        (((END, "2018"),), "2019", None, False),
        (((POINT, "2016-05"),), "2016", "2016", True),
        (((POINT, "2016"),), "2016-05", "2016-05", None),
        (((POINT, "2016"),), "2017", None, False),
        ((), "2012", "2012", None),
    ],
)
def test_what_qualifiers_say_of_a_window(
    qualifiers: tuple[tuple[object, str], ...], first: str | None, last: str | None, held: bool | None
) -> None:
    statement = said("A", "held", "B", *qualifiers)  # type: ignore[arg-type]
    assert holds_within(statement, _window(first, last)) is held


def test_restriction_to_a_time(graph: MemoryGraph) -> None:
    world = _World("Ruth Negga", graph)
    partners = world.ends("Ruth Negga", hop("partner"))

    def during(first: str, unknown: str) -> list[str]:
        return _labels(world.apply("restrict_time", _window(first, first, unknown).model_copy(update={"of": partners})))

    assert during("2012", "drop") == ["Dominic Cooper"]
    assert during("2012", "keep") == ["A Stranger", "Dominic Cooper"]
    assert during("2005", "keep") == ["A Stranger"]
    assert during("2005", "drop") == []
    linked = link(world.builder, entity("Ruth Negga"))
    with pytest.raises(InputError, match="no path_ends step"):
        world.apply("restrict_time", _window("2012", None).model_copy(update={"of": linked}))
    with pytest.raises(ValueError, match="'soon' is no time"):
        _window("soon", None)
