"""What a check says of absences and of SPARQL queries."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from producers import STATEMENTS, entity, finish, link, relation, said, small_world, time

from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Literal, Relation, Statement
from toulmin.proof.builder import ProofBuilder
from toulmin.proof.checker import CheckReport, StepReport, check
from toulmin.proof.model import Conclusion, Proof


@pytest.fixture(scope="module")
def graph() -> Iterator[MemoryGraph]:
    with small_world() as world:
        yield world


def _of(report: CheckReport, kind: str) -> list[StepReport]:
    return [step for step in report.steps if step.kind == kind]


@pytest.mark.parametrize(
    ("policy", "verdict", "status"),
    [("open world", None, "holds"), ("closed world", False, "assumed"), ("complete relation", False, "assumed")],
)
def test_an_absence_refutes_only_under_a_policy(
    graph: MemoryGraph, policy: str, verdict: bool | None, status: str
) -> None:
    builder = ProofBuilder("Is Ruth Negga married?", graph)
    link(builder, entity("Ruth Negga"))
    absence = builder.add_absence(entity("Ruth Negga"), relation("spouse"), None, policy=policy)  # type: ignore[arg-type]
    output = builder.steps[absence].yields()
    assert output is not None
    assert output.verdict is verdict
    judged = builder.add_reading(absence, by="caller", score=1.0)
    if verdict is None:
        with pytest.raises(Exception, match="abstain instead"):
            builder.conclude(absence, judged)
        premises = (absence, judged)
        forged = Conclusion(
            id="c", rests_on=premises, of=absence, question=builder.question, answer_kind="verdict", verdict=False
        )
        answer = builder.answer(Proof(steps=(*builder.steps.values(), forged)), method="by hand")
        assert check(answer, graph).exit_code == 1
        answer = builder.answer(builder.abstain("no spouse is known", absence, judged), method="by hand")
    else:
        answer = builder.answer(builder.conclude(absence, judged), method="by hand")
    report = check(answer, graph)
    assert report.exit_code == 0
    assert _of(report, "absence")[0].status == status


def test_an_absence_of_what_is_there_fails(graph: MemoryGraph) -> None:
    builder = ProofBuilder("Is Rebecca Hall married?", graph)
    link(builder, entity("Rebecca Hall"))
    for subject, about, obj in (
        (entity("Rebecca Hall"), relation("spouse"), None),
        (None, relation("directed by"), entity("Rebecca Hall")),
        (entity("Rebecca Hall"), relation("born"), time("1982-05-03")),
        (entity("Rebecca Hall"), Relation("r:unheard of"), None),
        (None, relation("born"), time("1982-05-03")),
    ):
        tried = builder.add_absence(subject, about, obj)
        judged = builder.add_reading(tried, by="caller", score=1.0)
        report = check(builder.answer(builder.abstain("nothing", tried, judged), method="by hand"), graph)
        assert [step.status for step in _of(report, "absence")] == ["fails"]
        builder = ProofBuilder("Is Rebecca Hall married?", graph)
        link(builder, entity("Rebecca Hall"))


def test_no_value_refutes_what_it_speaks_of_and_nothing_else(graph: MemoryGraph) -> None:
    fact = Statement(entity("Ruth Negga"), relation("child"), Literal("", "no_value"))
    for about, code in ((relation("child"), 0), (relation("spouse"), 1)):
        builder = ProofBuilder("Has Ruth Negga one?", graph)
        link(builder, entity("Ruth Negga"))
        absence = builder.add_absence(entity("Ruth Negga"), about, None, policy="no value", fact=fact)
        report = check(finish(builder, absence), graph)
        assert report.exit_code == code


@pytest.mark.parametrize(
    ("sparql", "said_", "status"),
    [
        ("SELECT ?x WHERE { <e:Ruth_Negga> <r:acted_in> ?x }", "Loving, Passing", "assumed"),
        ("SELECT ?x WHERE { <e:Ruth_Negga> <r:acted_in> ?x } ORDER BY DESC(STR(?x))", "Passing, Loving", "assumed"),
        ("ASK { <e:Ruth_Negga> <r:acted_in> <e:Loving> }", "yes", "assumed"),
        ("ASK { <e:Ruth_Negga> <r:acted_in> <e:Warrior> }", "no", "assumed"),
    ],
)
def test_queries_are_run_again(graph: MemoryGraph, sparql: str, said_: str, status: str) -> None:
    builder = ProofBuilder("What of Ruth Negga?", graph)
    asked = finish(builder, builder.add_query(sparql))
    assert (asked.text, check(asked, graph).status) == (said_, status)
    with small_world(leave_out=(STATEMENTS[0],), extra=(said("Ruth Negga", "acted in", "Warrior"),)) as other:
        assert check(asked, other).status == "stale"


def test_a_witness_that_speaks_of_no_row_is_refused(graph: MemoryGraph) -> None:
    for statement, code in ((STATEMENTS[0], 0), (STATEMENTS[3], 1), (STATEMENTS[8], 1)):
        builder = ProofBuilder("What of Ruth Negga?", graph)
        query = builder.add_query("SELECT ?x WHERE { <e:Ruth_Negga> <r:acted_in> ?x }", [statement])
        assert check(finish(builder, query), graph).exit_code == code


def test_a_query_that_cannot_be_run_fails(graph: MemoryGraph) -> None:
    builder = ProofBuilder("What of Ruth Negga?", graph)
    query = builder.add_query("SELECT ?x WHERE { <e:Ruth_Negga> <r:acted_in> ?x }")
    broken = builder.steps[query].model_copy(update={"text": "SELECT ?x WHERE {"})
    proof = Proof(steps=(broken,))
    report = check(finish(builder, query).model_copy(update={"proof": proof}), graph)
    assert _of(report, "query")[0].status == "fails"
    assert "cannot be run" in _of(report, "query")[0].reason
