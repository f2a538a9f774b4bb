"""R³ with replies that a capable reader gave to its prompts, replayed.

Recorded with truncation in place of pruning, so that no prompt depends on how an embedding was rounded. A changed
prompt or list of statements is a miss, which fails: record again.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from scripted_r3 import answer_of, nodes_of, told

import toulmin
from toulmin.graph.protocol import Graph
from toulmin.llm.stored_replies import ReplayModel
from toulmin.methods.r3 import R3Settings
from toulmin.methods.request import Task

RECORDED = Path(__file__).parents[1] / "replays" / "r3.jsonl"
SETTINGS = {
    "program": R3Settings(pruning="truncation", k=30),
    "words": R3Settings(axiom="words", pruning="truncation", k=30),
}
PEOPLE = ("Isaac Newton", "Albert Einstein", "Mary Shelley")


@pytest.fixture(scope="module")
def graph() -> Graph:
    return toulmin.open("bundled")


@pytest.mark.parametrize(
    ("question", "mode", "task", "options", "expected", "judged"),
    [
        ("Did Marie Curie outlive her husband?", "program", "question", (), "yes", False),
        ("Could Isaac Newton have used a telephone?", "program", "question", (), "no", False),
        ("Would Marie Curie have handled test tubes at work?", "program", "question", (), "yes", True),
        ("Ludwig van Beethoven could have read Frankenstein.", "words", "claim", (), "yes", True),
        ("Who of them could have met Marie Curie?", "program", "question", PEOPLE, "Albert Einstein", False),
        ("Who of them worked on the theory of relativity?", "words", "question", PEOPLE, "Albert Einstein", True),
    ],
)
def test_recorded_answers(
    graph: Graph, question: str, mode: str, task: Task, options: tuple[str, ...], expected: str, judged: bool
) -> None:
    seen = told(question, graph, ReplayModel(RECORDED), SETTINGS[mode], task=task, options=options)
    answer = answer_of(seen)
    assert answer.text == expected
    assert answer.usage.model_calls <= 5
    report = answer.check(graph)
    assert (report.exit_code, report.problems) == (0, [])
    assert any(node["statements"] for node in report.nodes if node["op"] != "entity")
    assert any(node["decision"] != "unknown" for node in nodes_of(answer, "judged")) is judged


def test_a_recorded_abstention(graph: Graph) -> None:
    answer = answer_of(told("Did Mary Shelley own a cat?", graph, ReplayModel(RECORDED), SETTINGS["program"]))
    assert answer.abstained
    assert "cat" in (answer.reason or "")
    assert "Mary Shelley" in (answer.reason or "")
    assert answer.check(graph).exit_code == 0
