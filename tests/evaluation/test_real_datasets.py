"""Samples of data sets, and the loaders on the real files where they are."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toulmin.evaluation.datasets import Dataset, Question, declared, load
from toulmin.evaluation.datasets.factscore import labelled_facts

SHARED = Path(os.environ.get("TOULMIN_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")
COUNTS = {
    "metaqa/1-hop/dev": (9_992, 0),
    "metaqa/2-hop/dev": (14_872, 0),
    "metaqa/3-hop/dev": (14_274, 0),
    "pathquestion/2": (1_908, 0),
    "pathquestion/3": (5_198, 0),
    "webqsp": (773, 0),
    "cwq": (1_742, 0),
    "crlt/qa": (110, 1),
    "crlt/claims": (80, 0),
    "ck25": (22, 0),
    "creak": (676, 0),
    "factkg": (13_266, 0),
    "factscore/bios": (183, 0),
    "infotabs": (1_200, 0),
    "infotabs/neutral": (1_800, 0),
    "longfact": (2_280, 0),
    "longfact/concepts": (1_140, 0),
    "longfact/objects": (1_140, 0),
    "recipe_mpr_personal": (54, 0),
    "strategyqa": (2_061, 0),
    "strategyqa/retrieved": (2_061, 0),
    "tempquestions": (617, 0),
    "tempquestions/implicit": (81, 0),
    "webnlg": (12_665, 0),
}


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 3))
def test_a_larger_sample_begins_with_the_smaller_one(one: int, other: int, seed: int) -> None:
    dataset = Dataset("d", tuple(Question(str(number), "?", ("a",)) for number in range(30)))
    small, large = sorted((one, other))
    assert dataset.sample(large, seed)[:small] == dataset.sample(small, seed)[: len(dataset.sample(large, seed))]
    assert len(set(dataset.sample(large, seed))) == min(large, 30)


def test_samples_of_different_seeds_differ_and_all_is_in_file_order() -> None:
    dataset = Dataset("d", tuple(Question(str(number), "?", ("a",)) for number in range(30)))
    assert dataset.sample(10, 1) != dataset.sample(10, 2)
    assert dataset.sample(None, 1) == dataset.questions


@pytest.mark.skipif(not SHARED.is_dir(), reason="the development data is not beside the repository")
@pytest.mark.parametrize("name", COUNTS)
def test_counts_of_the_real_files(name: str) -> None:
    dataset = load(name, SHARED)
    assert (len(dataset.questions), len(dataset.problems)) == COUNTS[name]
    assert all(graph.is_file() for graph in dataset.graphs)
    nothing = Question("", "")
    filled = {
        one.name
        for one in fields(Question)
        for q in dataset.questions
        if getattr(q, one.name) != getattr(nothing, one.name)
    }
    found = declared(name)
    assert found is not None
    assert filled - {"id", "question", "file", "line"} == set(found.fields)
    if name == "crlt/qa":
        assert "Ilary Blasi" in str(dataset.problems[0])
    if name.startswith(("metaqa", "pathquestion")):
        assert all(len(question.gold_paths) == 1 for question in dataset.questions)


def _follow(triples: Path, separator: str, questions: tuple[Question, ...]) -> float:
    """The share of questions whose gold path leads to exactly the gold set (without its start)."""
    forward: dict[tuple[str, str], set[str]] = {}
    backward: dict[tuple[str, str], set[str]] = {}
    for line in triples.read_text(encoding="utf-8").splitlines():
        head, relation, tail = line.split(separator)
        forward.setdefault((head, relation), set()).add(tail)
        backward.setdefault((tail, relation), set()).add(head)
    right = 0
    for question in questions:
        reached = set(question.gold_entities)
        for step in question.gold_paths[0]:
            edges = forward if step.direction == "forward" else backward
            reached = set().union(*(edges.get((node, step.relation), set()) for node in reached))
        right += reached == set(question.answers) or reached - set(question.gold_entities) == set(question.answers)
    return right / len(questions)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the development data is not beside the repository")
@pytest.mark.parametrize(
    ("name", "separator", "least"),
    [("metaqa/1-hop/dev", "|", 0.94), ("metaqa/2-hop/dev", "|", 1.0), ("pathquestion/2", "\t", 1.0)],
)
def test_gold_paths_of_the_real_files_lead_to_the_gold_answers(name: str, separator: str, least: float) -> None:
    dataset = load(name, SHARED)
    assert _follow(dataset.graphs[0], separator, dataset.sample(2_000)) >= least


@pytest.mark.skipif(not SHARED.is_dir(), reason="the development data is not beside the repository")
def test_labels_of_the_real_atomic_facts() -> None:
    labelled = labelled_facts(SHARED)
    assert labelled.problems == ()
    counts = Counter((text.model, fact.label) for text in labelled.texts for fact in text.facts or ())
    assert counts == {
        ("ChatGPT", "S"): 3_194,
        ("ChatGPT", "NS"): 1_692,
        ("ChatGPT", "IR"): 540,
        ("InstructGPT", "S"): 2_100,
        ("InstructGPT", "NS"): 1_971,
        ("InstructGPT", "IR"): 655,
    }
    refused = Counter(text.model for text in labelled.texts if text.facts is None)
    assert refused == {"ChatGPT": 26, "InstructGPT": 1}
