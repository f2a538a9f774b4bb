"""What the evaluation asks of a real graph: checks of answers, validity of paths, linking."""

from __future__ import annotations

from pathlib import Path

import pytest

from linking import evaluate_linking
from toulmin.errors import SettingsError
from toulmin.evaluation.datasets import Dataset, Question
from toulmin.evaluation.engines import Asking
from toulmin.evaluation.records import read_records
from toulmin.evaluation.runner import run
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.readers.raw_statements import RawName, RawStatement
from toulmin.graph.types import Entity, Literal, PathStep, ReasoningPath, Relation
from toulmin.program.answer import Answer
from toulmin.program.builder import Builder
from toulmin.program.reasons import Other

ADA, BO, CY = Entity("e:ada", "Ada"), Entity("e:bo", "Bo"), Entity("e:cy", "Cy")
CHILD = Relation("r:child", "child")


@pytest.fixture
def graph() -> MemoryGraph:
    return MemoryGraph.from_records(
        [
            RawStatement("e:ada", "r:child", "e:bo"),
            RawStatement("e:bo", "r:child", "e:cy"),
            RawStatement("e:bo", "r:born", Literal("1950", "time")),
            RawStatement("e:ada2", "r:child", "e:cy"),
            RawName("e:ada", "Ada"),
            RawName("e:ada2", "Ada"),
            RawName("e:bo", "Bo"),
            RawName("e:cy", "Cy"),
            RawName("e:cy", "Cyrus", "alias"),
            RawName("r:child", "child"),
            RawName("r:born", "date of birth"),
        ]
    )


def path(start: Entity, *steps: PathStep) -> ReasoningPath:
    return ReasoningPath(start, steps)


def test_linking(graph: MemoryGraph) -> None:
    questions = [
        Question("1", "ada and cyrus", verdict=True, gold_entities=("Ada", "Cyrus")),
        Question("2", "bo", verdict=True, gold_entities=("Bo",)),
        Question("3", "eve", verdict=True, gold_entities=("Eve", "Bo")),
        Question("4", "none named", verdict=True),
    ]
    found = {"ada and cyrus": [["e:ada2"], ["e:bo", "e:cy"]], "bo": [["e:bo"]]}
    result = evaluate_linking(questions, found.__getitem__, graph, cutoffs=(1, 3))
    assert {k: interval.estimate for k, interval in result.success.items()} == {1: 0.5, 3: 1.0}
    assert result.missed == {1: ("1",), 3: ()}
    assert result.outside == ("3", "4")
    assert result.mentions == 1.5
    with pytest.raises(SettingsError, match="in the graph"):
        evaluate_linking(questions[2:], found.__getitem__, graph)
    with pytest.raises(SettingsError, match="cutoffs"):
        evaluate_linking(questions, found.__getitem__, graph, cutoffs=())


def test_every_answer_is_checked_again(graph: MemoryGraph, tmp_path: Path) -> None:
    def method(asked: Question) -> Answer:
        question = asked.question
        builder = Builder(question, graph)
        if "Bo" not in question:
            return builder.abstain(Other(says="no entity of the question is in the graph"), method="toy")
        start = question.index("Bo")
        ends = builder.follow(builder.entity(BO, (start, start + 2), "Bo"), CHILD)
        if "crashed" in question:
            raise ValueError
        answer = builder.answer(ends, by="caller", score=1.0, method="toy")
        altered = answer.certificate | {"answer": answer.certificate["answer"] | {"at_least": True}}
        return Answer(altered) if "altered" in question else answer

    texts = [
        "who is the child of Bo?",
        "who is the child of Eve?",
        "altered: the child of Bo?",
        "crashed: the child of Bo?",
    ]
    dataset = Dataset("toy", tuple(Question(text, text, ("Cy",)) for text in texts))
    asking = Asking(method, lambda _, a: a.check(graph), graph=graph.fingerprint)
    summary = run(dataset, asking, tmp_path, name="toy")
    assert summary.metrics["hits_at_1"].estimate == 0.5
    assert summary.metrics["grounded_accuracy"].estimate == 0.25
    assert summary.abstention_rate.estimate == 0.25
    assert (summary.checked, summary.checks) == (3, 2)
    assert summary.statuses["fails"] == 1
    right, abstained, altered, crashed = (record["check"] for record in read_records(tmp_path))
    assert (right["passed"], right["problems"]) == (True, [])
    assert abstained["passed"]
    assert not altered["passed"]
    assert altered["problems"] == ["the answer is not what follows from the program"]
    assert crashed is None
