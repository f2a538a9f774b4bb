"""Questions that bring options and a graph of their user: loading, shuffling, asking, measuring."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from toulmin.errors import SettingsError
from toulmin.evaluation.datasets import Dataset, Question, load
from toulmin.evaluation.engines import Asking
from toulmin.evaluation.metrics.answers import question_metrics
from toulmin.evaluation.records import read_records
from toulmin.evaluation.runner import run
from toulmin.evaluation.system import System
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, Literal, Relation, Statement
from toulmin.graph.union import UnionGraph
from toulmin.program.answer import Answer
from toulmin.program.builder import Builder

SHARED = Path(os.environ.get("TOULMIN_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")
OPTIONS = {"r1": "Oyster soup", "r2": "Clam chowder", "r3": "Onion tart"}


def record(**changes: object) -> dict[str, object]:
    recipes = {
        name: {"ingredients": "1 cup cream, whipped, 2 onions, salt, ", "instructions": "Cook."} for name in OPTIONS
    }
    return {
        "query": "a warm dish with oysters",
        "options": OPTIONS,
        "answer": "r1",
        "correctness_explanation": {"oysters": "oyster", "relevant triple": "(user, religion, Islam)"},
        "triples": ["(user, religion, Islam)", "user, lives in, Cork, Ireland", "(user, age, 23)"],
        "recipes": recipes,
        **changes,
    }


def loaded(folder: Path, *records: dict[str, object]) -> Dataset:
    (folder / "queries.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records), "utf-8")
    return load("recipe_mpr_personal", folder)


def test_a_question_brings_its_user_and_its_options(tmp_path: Path) -> None:
    dataset = loaded(tmp_path, record())
    assert dataset.problems == ()
    (question,) = dataset.questions
    assert question.answers == ("Oyster soup",)
    assert set(question.options) == set(OPTIONS.values())
    personal = [one for one in question.statements if one.graph == "personal"]
    assert [(one.subject.label, one.relation.label) for one in personal] == [
        ("user", "religion"),
        ("user", "lives in"),
        ("user", "age"),
    ]
    assert [one.object for one in personal][1:] == [
        Entity("urn:toulmin:e:Cork%2C%20Ireland".replace("%2C", ","), "Cork, Ireland"),
        Literal("23", "quantity"),
    ]
    assert question.gold_statements == (personal[0],)
    soup = [one.object for one in question.statements if one.subject.label == "Oyster soup"]
    assert soup == [Literal("1 cup cream, whipped"), Literal("2 onions, salt")]


def test_options_are_shuffled_by_the_seed_whatever_their_order(tmp_path: Path) -> None:
    turned = dict(reversed(OPTIONS.items()))
    one, other = loaded(tmp_path, record(), record(options=turned)).questions
    assert set(one.options) == set(other.options)
    for seed in range(4):
        assert one.shuffled(seed) == one.shuffled(seed + 1).shuffled(seed)
    assert len({one.shuffled(seed).options for seed in range(40)}) == 6


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"answer": "r9"}, "the answer is none of them"),
        ({"options": {"r1": "a", "r2": "a"}}, "two different options"),
        ({"options": {"r1": "a", "r2": 7}}, "not an object of texts"),
        ({"triples": ["(user, religion)"]}, "not of the form (subject, relation, object)"),
        ({"recipes": {"r1": {}}}, "no ingredients of the option"),
        ({"query": ""}, "holds no text"),
    ],
)
def test_a_malformed_record_is_a_problem(tmp_path: Path, changes: dict[str, object], problem: str) -> None:
    dataset = loaded(tmp_path, record(**changes))
    assert dataset.questions == ()
    assert problem in dataset.problems[0].problem


@pytest.mark.skipif(not SHARED.is_dir(), reason="the development data is not beside the repository")
def test_the_real_file() -> None:
    dataset = load("recipe_mpr_personal", SHARED)
    assert (len(dataset.questions), len(dataset.problems)) == (54, 0)
    assert all(len(question.options) == 6 and question.answers[0] in question.options for question in dataset.questions)
    places = {question.options.index(question.answers[0]) for question in dataset.questions}
    assert places == set(range(6))
    assert sum(bool(question.gold_statements) for question in dataset.questions) == 6


def chosen(*values: str) -> Answer:
    with MemoryGraph.from_statements([Statement(Entity("e:x"), Relation("r:r"), Entity("e:y"))]) as graph:
        builder = Builder("?", graph)
        judged = [(value, builder.judged(value, by="toy", score=1.0, decision="yes", seen=[])) for value in values]
        return builder.answer(builder.choice(judged), by="toy", score=1.0, method="toy")


def test_a_choice_is_right_if_it_is_the_one_option() -> None:
    question = Question("q", "?", ("a",), options=("a", "b"))
    assert question_metrics(question, chosen("a")) == {"accuracy": 1.0}
    for wrong in (chosen("b"), chosen("a", "b"), None):
        assert question_metrics(question, wrong) == {"accuracy": 0.0}


class Likes(System):
    """A system whose method says what the user likes."""

    async def answer(self, question: Question) -> Answer:
        graph: Graph = self.graph_of(question)
        assert isinstance(graph, UnionGraph)
        builder = Builder(question.question, graph)
        ends = builder.follow(builder.entity("e:user", (0, 4), "user"), "r:likes")
        return builder.answer(ends, by="toy", score=1.0, method="toy")


def question(name: str, likes: str) -> Question:
    user, tea = Entity("e:user", "user"), Entity(f"e:{likes}", likes)
    said = Statement(user, Relation("r:likes", "likes"), tea, graph="personal")
    other = Statement(user, Relation("r:age", "age"), Literal("23", "quantity"), graph="personal")
    gold = (said,) if likes == "tea" else (other,)
    return Question(
        name, "user likes?", ("tea",), options=("tea", "milk"), statements=(said, other), gold_statements=gold
    )


@pytest.mark.parametrize("beside", [True, False])
def test_each_question_is_asked_on_its_own_graph(tmp_path: Path, beside: bool) -> None:
    dataset = Dataset("toy", (question("1", "tea"), question("2", "milk")))
    shared = MemoryGraph.from_statements([Statement(Entity("e:x", "x"), Relation("r:r", "r"), Entity("e:y", "y"))])
    with shared, Likes(shared if beside else None, method="fidelis") as system:
        asking = Asking(system.answer, system.check, system.measure)
        summary = run(dataset, asking, tmp_path, name="toy", concurrency=2)
    estimates = {name: interval.estimate for name, interval in summary.metrics.items()}
    halves = ("accuracy", "grounded_accuracy", "gold_statement_used", "statement_precision", "statement_recall")
    assert estimates == {**dict.fromkeys(halves, 0.5), "validity_ratio": 1.0, "depth": 1.0}
    assert (summary.checks, summary.checked) == (2, 2)
    by_id = {one["id"]: one for one in read_records(tmp_path)}
    assert "personal" in [one["name"] for one in by_id["1"]["answer"]["graphs"]]
    assert by_id["1"]["answer"]["answer"]["values"] == ["e:tea"]


def test_a_question_without_a_graph_needs_one() -> None:
    with System(None, method="fidelis") as system, pytest.raises(SettingsError, match="name one with --kg"):
        system.measure(Question("q", "?", ("a",)), None)
