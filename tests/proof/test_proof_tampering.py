"""Nothing in a stored answer can be altered unnoticed, even where what it is altered to is true."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from evidence_worlds import EVIDENCE_PRODUCERS, documents
from hypothesis import HealthCheck, given, settings
from mutations import leaf_mutations, survivors
from producers import (
    END,
    POINT,
    START,
    entity,
    finish,
    follow,
    hop,
    link,
    produced,
    relation,
    small_world,
    time,
)

from toulmin.graph.labels import similarity
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Literal, Statement
from toulmin.proof.answer import Answer
from toulmin.proof.builder import ProofBuilder
from toulmin.proof.checker import check
from toulmin.proof.operators.paths import PathEnds
from toulmin.proof.operators.sets import Count, Sets
from toulmin.proof.operators.times import RestrictTime
from toulmin.proof.operators.values import Compare, Convert, Distance, Extreme


def _two_hops(graph: Graph) -> Answer:
    question = "Who directed the films that Ruth Negga acted in?"
    return follow(question, "Ruth Negga", hop("acted in"), hop("directed by"), graph=graph)


def _backward(graph: Graph) -> Answer:
    question = "Who acted beside Ruth Negga?"
    return follow(question, "Ruth Negga", hop("acted in"), hop("acted in", "backward"), graph=graph, exclude_start=True)


def _constrained(graph: Graph) -> Answer:
    question = "Who directed the films with Joel Edgerton that are Sport?"
    constraint = (1, hop("genre"), "Sport")
    pattern = (hop("acted in"), hop("directed by"))
    return follow(question, "Joel Edgerton", *pattern, graph=graph, constraint=constraint)


def _constrained_backward(graph: Graph) -> Answer:
    question = "Which films by Rebecca Hall has Ruth Negga acted in?"
    constraint = (1, hop("acted in", "backward"), "Ruth Negga")
    return follow(question, "Rebecca Hall", hop("directed by", "backward"), graph=graph, constraint=constraint)


def _literal(graph: Graph) -> Answer:
    return follow("When was Rebecca Hall born?", "Rebecca Hall", hop("born"), graph=graph)


def _through_mediator(graph: Graph) -> Answer:
    question = "Which role had Ruth Negga?"
    return follow(question, "Ruth Negga", hop("actor", "backward"), hop("role"), graph=graph)


def _ambiguous(graph: Graph) -> Answer:
    return follow("Who directed Loving?", "Loving", hop("directed by"), graph=graph)


def _near(graph: Graph) -> Answer:
    builder = ProofBuilder("Who directed Warior?", graph)
    linked = builder.add_link(13, 19, entity("Warrior"), "Warrior", similarity("Warior", "Warrior"), "near")
    ends = builder.add_computation("path_ends", PathEnds(start=(linked,), pattern=(hop("directed by"),)))
    return finish(builder, ends)


def _alias_and_vector(graph: Graph) -> Answer:
    builder = ProofBuilder("Films both of the British director and Negga?", graph)
    first = link(builder, entity("Ruth Negga"), "Negga")
    second = builder.add_link(14, 30, entity("Rebecca Hall"), "Rebecca Hall", 0.61, "vector")
    acted = builder.add_computation("path_ends", PathEnds(start=(first,), pattern=(hop("acted in"),)))
    hers = PathEnds(start=(second,), pattern=(hop("directed by", "backward"),))
    made = builder.add_computation("path_ends", hers)
    both = builder.add_computation("intersection", Sets(of=(acted, made)))
    return finish(builder, both)


def _sets(operator: str) -> Callable[[Graph], Answer]:
    def produce(graph: Graph) -> Answer:
        builder = ProofBuilder("Films with Ruth Negga, Joel Edgerton?", graph)
        ends = [
            builder.add_computation("path_ends", PathEnds(start=(link(builder, one),), pattern=(hop("acted in"),)))
            for one in (entity("Ruth Negga"), entity("Joel Edgerton"))
        ]
        combined = builder.add_computation(operator, Sets(of=tuple(ends)))
        return finish(builder, combined)

    return produce


def _count(graph: Graph) -> Answer:
    builder = ProofBuilder("How many films has Ruth Negga acted in?", graph)
    arguments = PathEnds(start=(link(builder, entity("Ruth Negga")),), pattern=(hop("acted in"),))
    ends = builder.add_computation("path_ends", arguments)
    return finish(builder, builder.add_computation("count", Count(of=ends)))


def _at_a_time(graph: Graph) -> Answer:
    builder = ProofBuilder("Who was the partner of Ruth Negga in 2012?", graph)
    arguments = PathEnds(start=(link(builder, entity("Ruth Negga")),), pattern=(hop("partner"),))
    ends = builder.add_computation("path_ends", arguments)
    window = RestrictTime(
        of=ends, first=time("2012"), last=time("2012"), starts=(START,), ends=(END,), points=(POINT,), unknown="drop"
    )
    then = builder.add_computation("restrict_time", window)
    return finish(builder, then)


def _look_up(builder: ProofBuilder, label: str, about: str = "born") -> str:
    arguments = PathEnds(start=(link(builder, entity(label)),), pattern=(hop(about),))
    return builder.add_computation("path_ends", arguments)


def _extreme(which: str) -> Callable[[Graph], Answer]:
    def produce(graph: Graph) -> Answer:
        builder = ProofBuilder("Who of those that directed a Drama was born then?", graph)
        directors = PathEnds(
            start=(link(builder, entity("Drama")),), pattern=(hop("genre", "backward"), hop("directed by"))
        )
        found = builder.add_computation("path_ends", directors)
        return finish(builder, builder.add_computation(which, Extreme(of=found, by=relation("born"))))

    return produce


def _compare(graph: Graph) -> Answer:
    builder = ProofBuilder("Is Ruth Negga older than Rebecca Hall?", graph)
    born = [_look_up(builder, label) for label in ("Ruth Negga", "Rebecca Hall")]
    return finish(builder, builder.add_computation("compare", Compare(op="<", left=born[0], right=born[1])))


def _convert(graph: Graph) -> Answer:
    builder = ProofBuilder("How many minutes does Passing run?", graph)
    length = _look_up(builder, "Passing", "running time")
    return finish(builder, builder.add_computation("convert", Convert(of=length, unit="minute")))


def _distance(graph: Graph) -> Answer:
    builder = ProofBuilder("How far is it from Limerick to Addis Ababa?", graph)
    ends = [_look_up(builder, label, "lies at") for label in ("Limerick", "Addis Ababa")]
    return finish(builder, builder.add_computation("distance", Distance(left=ends[0], right=ends[1])))


def _query(graph: Graph) -> Answer:
    builder = ProofBuilder("Who directed Passing?", graph)
    witness = next(one for one in graph.statements(["e:Passing"])[0] if one.relation == relation("directed by"))
    asked = builder.add_query("SELECT ?who WHERE { <e:Passing> <r:directed_by> ?who }", [witness])
    return finish(builder, asked)


def _absent(graph: Graph) -> Answer:
    builder = ProofBuilder("Is Ruth Negga the spouse of Joel Edgerton?", graph)
    ends = entity("Ruth Negga"), entity("Joel Edgerton")
    for end in ends:
        link(builder, end)
    return finish(builder, builder.add_absence(ends[0], relation("spouse"), ends[1], policy="closed world"))


def _no_value(graph: Graph) -> Answer:
    builder = ProofBuilder("Has Ruth Negga a child?", graph)
    link(builder, entity("Ruth Negga"))
    fact = Statement(entity("Ruth Negga"), relation("child"), Literal("", "no_value"))
    return finish(
        builder, builder.add_absence(entity("Ruth Negga"), relation("child"), None, policy="no value", fact=fact)
    )


def _abstention(graph: Graph) -> Answer:
    builder = ProofBuilder("Is Ruth Negga the spouse of Joel Edgerton?", graph)
    ends = entity("Ruth Negga"), entity("Joel Edgerton")
    for end in ends:
        link(builder, end)
    searched = builder.add_absence(ends[0], relation("spouse"), ends[1])
    asked = builder.add_reading(searched, by="embedder", score=0.4)
    proof = builder.abstain("the graph names no spouse of Ruth Negga", searched, asked, kind="verdict", confidence=0.1)
    return builder.answer(proof, method="by hand")


PRODUCERS: dict[str, Callable[[Graph], Answer]] = {
    "two hops": _two_hops,
    "backward": _backward,
    "constrained": _constrained,
    "constrained, backward": _constrained_backward,
    "literal": _literal,
    "through a mediator": _through_mediator,
    "ambiguous": _ambiguous,
    "near": _near,
    "alias and vector": _alias_and_vector,
    "union": _sets("union"),
    "intersection": _sets("intersection"),
    "difference": _sets("difference"),
    "count": _count,
    "at a time": _at_a_time,
    "first": _extreme("first"),
    "last": _extreme("last"),
    "compare": _compare,
    "convert": _convert,
    "distance": _distance,
    "query": _query,
    "absence": _absent,
    "no value": _no_value,
    "abstention": _abstention,
}


@pytest.fixture(scope="module")
def graph() -> Iterator[MemoryGraph]:
    with small_world() as world:
        yield world


@pytest.mark.parametrize("name", PRODUCERS)
def test_every_answer_checks_and_nothing_can_be_altered(name: str, graph: MemoryGraph) -> None:
    answer = PRODUCERS[name](graph)
    report = check(answer, graph)
    assert report.exit_code == 0, [step for step in report.steps if step.status in ("fails", "stale")]
    assert report.unused == ()
    whole = name in ("constrained", "at a time", "absence")  # of the others a sample, for time's sake
    assert survivors(answer, graph, limit=None if whole else 400) == []


@pytest.mark.parametrize("name", EVIDENCE_PRODUCERS)
def test_votes_selections_and_texts_check_and_nothing_can_be_altered(name: str, graph: MemoryGraph) -> None:
    answer = EVIDENCE_PRODUCERS[name](graph)
    report = check(answer, graph, passages=documents)
    assert report.exit_code == 0, [step for step in report.steps if step.status in ("fails", "stale")]
    assert report.unused == ()
    assert survivors(answer, graph, limit=300, passages=documents) == []


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(produced())
def test_on_random_graphs_every_answer_checks_and_nothing_can_be_altered(
    made: tuple[Answer, MemoryGraph, list[Statement]],
) -> None:
    answer, graph, _ = made
    assert check(answer, graph).exit_code == 0
    assert survivors(answer, graph, limit=60) == []


def test_the_tampering_reaches_every_field(graph: MemoryGraph) -> None:
    places = {mutation.place for mutation in leaf_mutations(_constrained(graph), graph)}
    for place in (
        "/proof/steps/computation/arguments/pattern/0/direction",
        "/proof/steps/link/entity/id",
        "/values/0/id",
    ):
        assert place in places
