"""Which answers are grounded: those whose every premise about the world is a statement of the graph."""

from __future__ import annotations

import pytest
from axiom_worlds import clause, entity, graph_of, of, program, reason, said

from toulmin.evaluation.grounding import is_grounded
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Relation
from toulmin.program.answer import Answer
from toulmin.proof.axioms.binder import Assumptions
from toulmin.proof.axioms.language import axiom_in_words
from toulmin.proof.builder import ProofBuilder
from toulmin.proof.checker import check
from toulmin.proof.operators.paths import Hop, PathEnds

HEAT, MANN = Entity("e:Heat", "Heat"), Entity("e:Michael_Mann", "Michael Mann")
DIRECTED = Relation("r:directed_by", "directed by")
SHARED = program(
    "Two people have something in common if they have the same profession.",
    [entity("a", "Ada"), entity("b", "Bo"), of("x", "occupation", "a"), of("y", "occupation", "b")],
    [clause("same", "=", "x", "y")],
)
WORKS = (said("Ada", "occupation", "baker"), said("Bo", "occupation", "baker"))


def grounded(answer: Answer, graph: MemoryGraph) -> bool:
    return is_grounded(answer, check(answer, graph))


def test_an_answer_read_off_the_graph_is_grounded_until_it_is_altered() -> None:
    with graph_of(said("Heat", "directed by", "Michael Mann")) as graph, graph_of() as empty:
        builder = ProofBuilder("Who directed Heat?", graph)
        link = builder.add_link(13, 17, HEAT, "Heat", 1.0, "exact")
        hop = Hop(relation=DIRECTED, direction="forward")
        ends = builder.add_computation("path_ends", PathEnds(start=(link,), pattern=(hop,)))
        reading = builder.add_reading(ends, by="a model", score=1.0)
        answer = builder.answer(builder.conclude(ends, reading, *builder.add_witnesses(ends)), method="by hand")
        assert grounded(answer, graph)
        assert not grounded(answer, empty)
        assert not grounded(answer.model_copy(update={"text": "Nobody"}), graph)


def test_an_abstention_is_not_grounded() -> None:
    with graph_of() as graph:
        builder = ProofBuilder("Who directed Heat?", graph)
        assert not grounded(builder.answer(builder.abstain("nothing is known"), method="by hand"), graph)


def test_an_axiom_may_be_assumed_but_not_that_the_graph_is_complete() -> None:
    with graph_of(*WORKS) as graph:
        answer, _ = reason("Have Ada and Bo something in common?", SHARED, graph)
        assert answer.verdict is True
        assert grounded(answer, graph)
    with graph_of(WORKS[0], said("Bo", "spouse", "Cy")) as graph:
        answer, _ = reason(
            "Have Ada and Bo something in common?", SHARED, graph, assumptions=Assumptions(closed_world=True)
        )
        assert answer.verdict is False
        assert check(answer, graph).exit_code == 0
        assert not grounded(answer, graph)


@pytest.mark.parametrize("shown", [True, False])
def test_what_a_model_says_from_memory_is_no_ground(shown: bool) -> None:
    """Its evidence must hold a statement, for a judgement to be more than memory."""
    with graph_of(said("Heat", "directed by", "Michael Mann")) as graph:
        builder = ProofBuilder("Who directed Heat?", graph)
        link = builder.add_link(13, 17, HEAT, "Heat", 1.0, "exact")
        hop = Hop(relation=DIRECTED, direction="forward")
        ends = builder.add_computation("path_ends", PathEnds(start=(link,), pattern=(hop,)))
        reading = builder.add_reading(ends, by="a model", score=1.0)
        fact = builder.add_fact(graph.statements(["e:Heat"])[0][0])
        evidence = (fact,) if shown else (link,)
        claim = builder.add_judgement(
            "Michael Mann is famous", by="a model", score=1.0, decision="yes", evidence=evidence
        )
        proof = builder.conclude(ends, reading, *builder.add_witnesses(ends))
        answer = builder.answer(proof, method="by hand")
        report = check(answer, graph)
        used = tuple(step.model_copy(update={"used": True}) for step in report.steps)
        assert claim in {step.id for step in report.steps}
        assert is_grounded(answer, report.model_copy(update={"steps": used})) is shown


@pytest.mark.parametrize(
    ("cited", "joined"), [([1], True), ([2, 3], True), ([3], False), ([1, 4], False), ([4], False)]
)
def test_a_statement_that_is_joined_to_nothing_is_no_ground(cited: list[int], joined: bool) -> None:
    """What lies between the question and the statement would be a premise that nobody states."""
    listed = [
        said("Ann", "diet", "plants"),
        said("Ann", "spouse", "Bob"),
        said("Bob", "religion", "Jainism"),
        said("Heat", "directed by", "Michael Mann"),
    ]
    with graph_of(*listed) as graph:
        axiom = axiom_in_words("Who eats no meat avoids barbecues.")
        reply = {"judgements": [{"clause": "c1", "decision": "yes", "statements": cited}]}
        answer, _ = reason("Does Ann avoid barbecues?", axiom, graph, listed, reply)
        assert check(answer, graph).exit_code == 0
        assert grounded(answer, graph) is joined
