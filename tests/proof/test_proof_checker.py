"""What a check says of sound, stale, forged and foreign proofs, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from producers import STATEMENTS, entity, finish, follow, hop, link, said, small_world

from toulmin.graph.labels import similarity
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import DESCRIPTION, Entity, Literal, PathStep, ReasoningPath, Relation, Statement
from toulmin.graph.union import UnionGraph
from toulmin.proof.answer import Answer
from toulmin.proof.builder import ProofBuilder
from toulmin.proof.checker import CheckReport, StepReport, check
from toulmin.proof.context import STATUSES, weakest
from toulmin.proof.model import Conclusion, Fact, Judgement, LinkHow, Output, Path, Proof, Query, Step
from toulmin.proof.operators.paths import PathEnds
from toulmin.proof.operators.sets import Sets
from toulmin.proof.reading import reading
from toulmin.proof.showing import SHOWN


@pytest.fixture(scope="module")
def graph() -> Iterator[MemoryGraph]:
    with small_world() as world:
        yield world


@pytest.fixture
def answer(graph: MemoryGraph) -> Answer:
    question = "Who directed the films that Ruth Negga acted in?"
    return follow(question, "Ruth Negga", hop("acted in"), hop("directed by"), graph=graph)


def _of(report: CheckReport, kind: str) -> list[StepReport]:
    return [step for step in report.steps if step.kind == kind]


def _with_steps(answer: Answer, change: Callable[[Step], Step | None]) -> Answer:
    """The answer with every step replaced by what ``change`` makes of it, or left out."""
    steps = [changed for step in answer.proof.steps if (changed := change(step)) is not None]
    return answer.model_copy(update={"proof": Proof(steps=tuple(steps))})


def test_a_sound_answer(answer: Answer, graph: MemoryGraph) -> None:
    report = check(answer, graph)
    assert (report.status, report.exit_code, report.problems, report.graph_changed) == ("judged", 0, (), False)
    assert report.counts == {"holds": 5, "recomputed": 4, "judged": 1}
    assert [step.status for step in _of(report, "fact")] == ["holds"] * 4
    assert [step.status for step in _of(report, "path")] == ["recomputed"] * 2
    assert all(step.used and "\n" not in step.reason for step in report.steps)
    assert CheckReport.model_validate_json(report.model_dump_json()) == report


def test_strict_passes_only_what_is_looked_up_or_recomputed(answer: Answer, graph: MemoryGraph) -> None:
    assert check(answer, graph, strict=True).exit_code == 1
    proof = ProofBuilder(answer.question, graph).abstain("no film is known")
    nothing = ProofBuilder(answer.question, graph).answer(proof, method="by hand")
    assert (check(nothing, graph).status, check(nothing, graph).exit_code) == ("unverifiable", 0)
    assert check(nothing, graph, strict=True).exit_code == 1


def test_the_order_of_statuses() -> None:
    assert STATUSES == ("holds", "recomputed", "judged", "assumed", "unverifiable", "stale", "fails")
    assert weakest(["holds", "judged", "recomputed"]) == "judged"
    assert weakest([]) == "holds"


def test_a_graph_that_grew_elsewhere_bears_the_answer_out_and_says_that_it_changed(answer: Answer) -> None:
    with small_world(extra=(said("Rebecca Hall", "award", "A Medal"),)) as grown:
        report = check(answer, grown)
    assert (report.status, report.exit_code, report.graph_changed) == ("judged", 0, True)


def test_an_answer_that_is_no_longer_all_of_it_is_stale(answer: Answer) -> None:
    with small_world(
        extra=(said("Ruth Negga", "acted in", "Ad Astra"), said("Ad Astra", "directed by", "James Gray"))
    ) as grown:
        report = check(answer, grown)
    assert (report.status, report.exit_code) == ("stale", 1)
    assert "1 that follow are missing; the graph has changed" in _of(report, "computation")[0].reason


def test_a_statement_that_is_gone_is_stale_and_not_a_failure(answer: Answer) -> None:
    with small_world(leave_out=(STATEMENTS[5],)) as shrunk:
        report = check(answer, shrunk)
    assert sorted(step.status for step in _of(report, "fact")) == ["holds", "holds", "holds", "stale"]
    assert (report.status, report.exit_code) == ("stale", 1)


def test_a_label_that_is_not_the_graphs_fails(answer: Answer, graph: MemoryGraph) -> None:
    renamed = [
        Statement(
            Entity(one.subject.id, "R. Negga") if one.subject.id == "e:Ruth_Negga" else one.subject,
            one.relation, one.object, one.qualifiers,
        )
        for one in STATEMENTS
    ]  # fmt: skip
    with MemoryGraph.from_statements(renamed) as other:
        assert other.fingerprint != graph.fingerprint  # names are a part of it
        report = check(answer, other)
    assert (report.status, report.exit_code) == ("stale", 1)
    assert "the graph calls it 'R. Negga'" in _of(report, "link")[0].reason


def test_nothing_passes_on_a_wholly_other_graph(answer: Answer) -> None:
    with MemoryGraph.from_statements([said("Cork", "lies in", "Ireland")]) as other:
        report = check(answer, other)
    assert {step.status for step in report.steps if step.kind in ("link", "fact", "computation")} == {"stale"}
    assert (report.status, report.exit_code, report.graph_changed) == ("stale", 1, True)


def test_a_forged_start_of_which_everything_said_is_true(graph: MemoryGraph) -> None:
    question = "Who directed the films that Ruth Negga acted in?"
    builder = ProofBuilder(question, graph)
    other = entity("Joel Edgerton")
    linked = builder.add_link(28, 38, other, "Joel Edgerton", 1.0, "exact")
    arguments = PathEnds(start=(linked,), pattern=(hop("acted in"), hop("directed by")))
    forged = finish(builder, builder.add_computation("path_ends", arguments))
    report = check(forged, graph)
    assert [step.kind for step in report.steps if step.status == "fails"] == ["link"]
    assert report.exit_code == 1


def test_unused_steps_are_reported_and_support_nothing(answer: Answer, graph: MemoryGraph) -> None:
    true, false = STATEMENTS[10], said("Warrior", "genre", "Drama")
    for statement, code in ((true, 0), (false, 1)):
        extra = Fact(id="more", statement=statement, statement_id=statement.id)
        padded = answer.model_copy(update={"proof": Proof(steps=(*answer.proof.steps, extra))})
        report = check(padded, graph)
        assert report.unused == ("more",)
        assert report.counts == check(answer, graph).counts
        assert (report.status, report.exit_code) == ("judged", code)


def test_a_true_statement_that_is_not_used_is_no_premise(answer: Answer, graph: MemoryGraph) -> None:
    extra = Fact(id="more", statement=STATEMENTS[10], statement_id=STATEMENTS[10].id)
    for target in (step.id for step in answer.proof.steps):
        steps = [
            step.model_copy(update={"rests_on": (*step.rests_on, "more")}) if step.id == target else step
            for step in answer.proof.steps
        ]
        report = check(answer.model_copy(update={"proof": Proof(steps=(*steps, extra))}), graph)
        assert [step.id for step in report.steps if step.status == "fails"] == [target]


def test_one_conclusion(answer: Answer, graph: MemoryGraph) -> None:
    none = _with_steps(answer, lambda step: None if isinstance(step, Conclusion) else step)
    report = check(none, graph)
    assert report.problems == ("the proof has no conclusions, not one",)
    assert (report.status, report.exit_code) == ("fails", 1)
    assert len(report.unused) == len(report.steps)
    second = answer.proof.steps[-1].model_copy(update={"id": "again"})
    two = answer.model_copy(update={"proof": Proof(steps=(*answer.proof.steps, second))})
    assert check(two, graph).problems == ("the proof has 2 conclusions, not one",)


def test_the_text_must_say_what_is_concluded(answer: Answer, graph: MemoryGraph) -> None:
    report = check(answer.model_copy(update={"text": "Rebecca Hall"}), graph)
    assert report.exit_code == 1
    assert "'Jeff Nichols, Rebecca Hall'" in report.problems[0]


def _linked(graph: MemoryGraph, span: str, one: Entity, form: str, score: float, how: LinkHow) -> StepReport:
    """The check of one link, on which an abstention rests."""
    builder = ProofBuilder(f"who made {span}?", graph)
    step = builder.add_link(9, 9 + len(span), one, form, score, how)
    report = check(builder.answer(builder.abstain("no reason", step), method="by hand"), graph)
    return _of(report, "link")[0]


_NEAR = similarity("Warior", "Warrior")


@pytest.mark.parametrize(
    ("span", "label", "form", "score", "how", "status"),
    [
        ("Warrior", "Warrior", "Warrior", 1.0, "exact", "holds"),
        ("WARRIOR", "Warrior", "Warrior", 1.0, "exact", "holds"),
        ("Negga", "Ruth Negga", "Negga", 1.0, "exact", "holds"),
        ("Warior", "Warrior", "Warrior", _NEAR, "near", "recomputed"),
        ("Wa", "Warrior", "Warrior", similarity("Wa", "Warrior"), "near", "judged"),
        ("Warior", "Warrior", "Warrior", _NEAR - 0.1, "near", "fails"),
        ("Warior", "Warrior", "Warrior", 1.0, "exact", "fails"),
        ("Warrior", "Warrior", "Warrior", 1.0, "near", "fails"),
        ("Warrior", "Warrior", "Warrior", 1.0, "vector", "fails"),
        ("Warrior", "Warrior", "Warrior", 0.9, "exact", "fails"),
        ("Warrior", "Passing", "Warrior", 1.0, "exact", "fails"),
        ("the Warrior film", "Warrior", "Warrior", 0.4, "full text", "judged"),
        ("the fighter", "Warrior", "Warrior", 0.4, "full text", "fails"),
        ("the fighter", "Warrior", "Warrior", 0.4, "vector", "judged"),
        ("nobody", "Nobody", "Nobody", 1.0, "exact", "fails"),
    ],
)
def test_links(graph: MemoryGraph, span: str, label: str, form: str, score: float, how: LinkHow, status: str) -> None:
    assert _linked(graph, span, entity(label), form, score, how).status == status


def test_a_name_that_several_bear_leaves_a_choice_to_the_linker(graph: MemoryGraph) -> None:
    step = _linked(graph, "Loving", entity("Loving"), "Loving", 1.0, "exact")
    assert step.status == "judged"
    assert "one of 2 that bear this name" in step.reason


@pytest.mark.parametrize(("shown", "code"), [("both", 0), ("both and another", 1), ("one and another", 1), ("one", 1)])
def test_a_path_of_true_statements_by_another_relation_is_refused(graph: MemoryGraph, shown: str, code: int) -> None:
    builder = ProofBuilder("Who directed the films that Ruth Negga acted in?", graph)
    arguments = PathEnds(start=(link(builder, entity("Ruth Negga")),), pattern=(hop("acted in"), hop("directed by")))
    ends = builder.add_computation("path_ends", arguments)
    acted, written = said("Ruth Negga", "acted in", "Passing"), said("Passing", "written by", "Rebecca Hall")
    steps = tuple(PathStep(one.relation, "forward", one.object, one.id) for one in (acted, written))
    paths = builder.add_witnesses(ends)
    if shown.startswith("one"):
        paths = paths[:1]  # to Jeff Nichols
    if shown.endswith("another"):
        paths.append(builder.add_path(ReasoningPath(entity("Ruth Negga"), steps), [acted, written]))
    judged = builder.add_reading(ends, by="embedder", score=0.7)
    report = check(builder.answer(builder.conclude(ends, judged, *paths), method="by hand"), graph)
    assert {step.status for step in _of(report, "path")} == {"recomputed"}
    assert report.exit_code == code


def test_paths_need_not_be_shown_to_more_than_so_many_values() -> None:
    many = [said("Hub", "has", f"part {n:03d}") for n in range(SHOWN + 30)]
    with MemoryGraph.from_statements(many) as graph:
        made = follow("What has Hub?", "Hub", hop("has"), graph=graph)
        assert len(made.values) == SHOWN + 30
        assert sum(isinstance(step, Path) for step in made.proof.steps) == SHOWN
        assert check(made, graph).exit_code == 0
        gone = next(step.id for step in made.proof.steps if isinstance(step, Path))
        fewer = _with_steps(
            made,
            lambda step: (
                None
                if step.id == gone
                else step.model_copy(update={"rests_on": tuple(one for one in step.rests_on if one != gone)})
            ),
        )
        assert check(fewer, graph).exit_code == 1


def test_an_entity_of_the_question_is_no_answer(graph: MemoryGraph) -> None:
    builder = ProofBuilder("What of Ruth Negga?", graph)
    assert check(finish(builder, link(builder, entity("Ruth Negga"))), graph).exit_code == 1


def test_an_abstention_against_its_own_evidence(graph: MemoryGraph) -> None:
    for decision, code in (("yes", 1), ("no", 0), ("unknown", 0)):
        builder = ProofBuilder("What did Ruth Negga act in?", graph)
        arguments = PathEnds(start=(link(builder, entity("Ruth Negga")),), pattern=(hop("acted in"),))
        ends = builder.add_computation("path_ends", arguments)
        judged = builder.add_reading(ends, by="embedder", score=0.2, decision=decision)  # type: ignore[arg-type]
        proof = builder.abstain("nothing is like the question", ends, judged, confidence=0.1)
        assert check(builder.answer(proof, method="by hand"), graph).exit_code == code


def test_a_node_with_only_a_machine_id_is_no_answer(graph: MemoryGraph) -> None:
    builder = ProofBuilder("Which performance of Loving?", graph)
    asked = builder.add_query("SELECT ?p WHERE { <e:Loving> <r:performance> ?p }")
    query = builder.steps[asked]
    assert isinstance(query, Query)
    assert query.output == Output()
    forged = query.model_copy(update={"output": Output(values=(Entity("m.0abc12", "m.0abc12"),))})
    judged = Judgement(
        id="j", rests_on=(query.id,), claim=reading(builder.question, query.id, {query.id: forged}), by="x",
        evidence=(query.id,), score=1.0, decision="yes",
    )  # fmt: skip
    said_ = Conclusion(
        id="c", rests_on=(query.id, "j"), of=query.id, question=builder.question, answer_kind="values",
        values=forged.output.values,
    )  # fmt: skip
    report = check(builder.answer(Proof(steps=(forged, judged, said_)), method="by hand"), graph)
    assert [step.kind for step in report.steps if step.status == "fails"] == ["query", "conclusion"]
    assert "only a machine id" in report.steps[-1].reason


def test_steps_that_would_take_for_ever_to_state_are_refused(graph: MemoryGraph) -> None:
    builder = ProofBuilder("What did Ruth Negga act in?", graph)
    start = (link(builder, entity("Ruth Negga")),)
    patterns = ((hop("acted in"),), (hop("acted in"), hop("acted in", "backward"), hop("acted in")))
    sets = [builder.add_computation("path_ends", PathEnds(start=start, pattern=pattern)) for pattern in patterns]
    for _ in range(40):
        sets = [builder.add_computation(name, Sets(of=tuple(sets))) for name in ("union", "intersection")]
    with pytest.raises(Exception, match="characters to state"):
        builder.add_reading(sets[0], by="embedder", score=0.5)


def test_a_union_checks_each_statement_in_its_own_graph() -> None:
    shared = MemoryGraph.from_statements([said("Ada", "likes", "Tea")], name="shared")
    mine = MemoryGraph.from_statements([said("Tea", "costs", "Little")], name="mine")
    with shared, mine:
        both = UnionGraph([shared, mine])
        made = follow("What does Ada like?", "Ada", hop("likes"), hop("costs"), graph=both)
        facts = [step.statement for step in made.proof.steps if isinstance(step, Fact)]
        assert [fact.graph for fact in facts] == ["shared", "mine"]
        assert check(made, both).exit_code == 0
        assert check(made, shared).exit_code == 1
        moved = (
            made.to_json().replace('"graph":"mine"', '"graph":"shared"').replace('"graph": "mine"', '"graph": "shared"')
        )
        assert check(Answer.from_json(moved), both).exit_code == 1


def test_descriptions_are_statements_like_any_other() -> None:
    fact = Statement(entity("Ada"), Relation(DESCRIPTION, "description"), Literal("a mathematician", lang="en"))
    with MemoryGraph.from_statements([fact, said("Ada", "likes", "Tea")]) as graph:
        builder = ProofBuilder("Who is Ada?", graph)
        pattern = (hop("likes").model_copy(update={"relation": Relation(DESCRIPTION, "description")}),)
        ends = builder.add_computation("path_ends", PathEnds(start=(link(builder, entity("Ada")),), pattern=pattern))
        made = finish(builder, ends)
        assert made.text == "a mathematician"
        assert check(made, graph).exit_code == 0
