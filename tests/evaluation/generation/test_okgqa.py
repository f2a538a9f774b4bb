"""The data set: what ``toulmin generate`` writes, the published table, the questions recorded of the bundled graph."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

import toulmin
from toulmin.errors import SourceError
from toulmin.evaluation.datasets import load
from toulmin.evaluation.generation.candidates import named_by, question_types
from toulmin.evaluation.generation.question_file import read_questions
from toulmin.retrieval.retriever import Retriever

RECORDED = Path(__file__).resolve().parents[3] / "benchmarks" / "recorded"
HEADER = ",question,type,placeholders,naturalness,difficulty,dbpedia_entities,id"


def test_the_published_table_is_read(tmp_path: Path) -> None:
    rows = [
        "0,How do the quays of Harbury and Ostray compare?,comparative,"
        "\"{'entity A': 'Harbury', 'entity B': 'Ostray', 'aspect': 'size'}\",high,easy,{},17",
        "1,\"Describe Tilda Brask, the keeper.\",descriptive,{'person': 'Tilda Brask'},high,easy,{},4",
        "2,Why?,critical,__import__('os'),high,easy,{},5",
        "3,,critical,{'person': 'Odo Lenz'},high,easy,{},6",
    ]
    (tmp_path / "okgqa").mkdir()
    (tmp_path / "okgqa" / "filtered_questions_v3.csv").write_text("\n".join([HEADER, *rows]) + "\n", "utf-8")
    found = load("okgqa", tmp_path)
    assert [(one.id, one.type, one.gold_entities, one.answers) for one in found.questions] == [
        ("17", "comparative", ("Harbury", "Ostray"), ()),
        ("4", "descriptive", ("Tilda Brask",), ()),
    ]
    assert [(one.line, "placeholders" in str(one) or "question" in str(one)) for one in found.problems] == [
        (4, True),
        (5, True),
    ]


def test_a_malformed_line_is_told_and_the_others_are_read(tmp_path: Path) -> None:
    good = {"id": "a", "question": "Why?", "type": "cause-explanation", "entities": ["x"], "answers": []}
    lines = [json.dumps(good), "{", json.dumps({**good, "id": "b", "type": 3}), json.dumps(good)]
    (tmp_path / "questions.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    found = load("okgqa", tmp_path)
    assert [one.id for one in found.questions] == ["a"]
    assert [one.line for one in found.problems] == [2, 3, 4]


def test_a_folder_without_questions_is_told(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"neither questions\.jsonl"):
        load("okgqa", tmp_path)
    with pytest.raises(SourceError):
        load("okgqa", tmp_path / "nowhere")


def test_the_recorded_questions_are_about_the_bundled_graph_and_link_back() -> None:
    records = read_questions(RECORDED / "okgqa_bundled.jsonl")
    assert len(records) == len({one["id"] for one in records}) == 50
    assert {one["type"] for one in records} == set(question_types())
    with closing(toulmin.open("bundled")) as graph:
        linker = Retriever(graph).linker
        for one in records:
            assert set(one["entities"]) <= named_by(linker, one["question"]), one["question"]
            known = {found.id for some in graph.statements(one["entities"]) for found in some}
            assert known & set(one["rests_on"]), one["question"]


def test_the_twenty_are_two_of_each_type_of_the_fifty() -> None:
    fifty = {one["id"] for one in read_questions(RECORDED / "okgqa_bundled.jsonl")}
    twenty = read_questions(RECORDED / "okgqa_bundled_20.jsonl")
    assert {one["id"] for one in twenty} < fifty
    assert Counter(one["type"] for one in twenty) == dict.fromkeys(question_types(), 2)
    assert len(load("okgqa", RECORDED / "okgqa_bundled_20.jsonl").questions) == 20
