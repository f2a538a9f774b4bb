"""Which answers are grounded: those whose every premise about the world is a statement of the graph."""

from __future__ import annotations

import json
from typing import Any

import pytest
from small_axioms import clause, entity, graph_of, of, program, reason, said

import toulmin
from toulmin.evaluation.metrics.answers import passes_grounded
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Literal, Relation
from toulmin.methods.r3.axioms.language import axiom_in_words
from toulmin.methods.r3.axioms.meanings import Assumptions
from toulmin.program.answer import Answer
from toulmin.program.builder import Builder
from toulmin.program.reasons import Other

HEAT, MANN = Entity("e:Heat", "Heat"), Entity("e:Michael_Mann", "Michael Mann")
DIRECTED = Relation("r:directed_by", "directed by")
TOLD: dict[str, Any] = {"by": "a model", "score": 1.0, "method": "by hand"}
SHARED = program(
    "Two people have something in common if they have the same profession.",
    [entity("a", "Ada"), entity("b", "Bo"), of("x", "occupation", "a"), of("y", "occupation", "b")],
    [clause("same", "=", "x", "y")],
)
WORKS = (said("Ada", "occupation", "baker"), said("Bo", "occupation", "baker"))


def grounded(answer: Answer, graph: MemoryGraph) -> bool:
    return passes_grounded(answer, answer.check(graph))


def test_an_answer_read_off_the_graph_passes_grounded_until_it_is_altered() -> None:
    with graph_of(said("Heat", "directed by", "Michael Mann")) as graph, graph_of() as empty:
        builder = Builder("Who directed Heat?", graph)
        answer = builder.answer(builder.follow(builder.entity(HEAT, (13, 17), "Heat"), DIRECTED), **TOLD)
        assert grounded(answer, graph)
        assert not grounded(answer, empty)
        altered = answer.to_json().replace('"e:Michael_Mann"\n', '"e:Heat"\n')
        assert altered != answer.to_json()
        assert not grounded(Answer.from_json(altered), graph)


def test_an_abstention_is_not_grounded() -> None:
    with graph_of() as graph:
        builder = Builder("Who directed Heat?", graph)
        assert not grounded(builder.abstain(Other(says="nothing is known"), method="by hand"), graph)


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
        assert answer.check(graph).exit_code == 0
        assert not grounded(answer, graph)


@pytest.mark.parametrize("shown", [True, False])
def test_what_a_model_says_from_memory_is_no_ground(shown: bool) -> None:
    """What is judged must have seen a statement, to be more than memory."""
    with graph_of(said("Heat", "directed by", "Michael Mann")) as graph:
        builder = Builder("Is the director of Heat famous?", graph)
        heat = builder.entity(HEAT, (19, 23), "Heat")
        fact = builder.statement(graph.statements(["e:Heat"])[0][0])
        judged: dict[str, Any] = {"by": "a model", "score": 1.0, "decision": "yes"}
        claim = builder.judged("Michael Mann is famous", seen=[fact if shown else heat], **judged)
        answer = builder.answer(builder.and_(claim, builder.exists(builder.follow(heat, DIRECTED))), **TOLD)
        assert answer.check(graph).exit_code == 0
        assert grounded(answer, graph) is shown


def test_a_value_that_nothing_of_the_graph_gives_is_no_ground() -> None:
    with graph_of(said("Heat", "directed by", "Michael Mann")) as graph:
        builder = Builder("Is Heat famous?", graph)
        claim = builder.judged("Heat is famous", by="a model", score=1.0, decision="yes", seen=[])
        answer = builder.answer(builder.choice([(Literal("yes"), claim)]), **TOLD)
        assert not grounded(Answer.from_json(json.dumps(answer.certificate)), graph)


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
        assert answer.check(graph).exit_code == 0
        assert grounded(answer, graph) is joined


def test_what_most_outputs_of_a_model_say_is_no_ground() -> None:
    """Nor is that the graph knows a thing by the name that they say."""
    with graph_of(said("Heat", "directed by", "Michael Mann")) as graph:
        chains = ["Heat is a film of 1995. So the answer is Michael Mann."] * 2
        answer = toulmin.ask(graph, toulmin.Request("Who directed Heat?", chains=chains), method="rr:self-consistency")
        assert [getattr(value, "label", None) for value in answer.values] == ["Michael Mann"]
        assert answer.check(graph).exit_code == 0
        assert not grounded(answer, graph)
