"""Files of one's own questions: what they may hold, and every way in which a record is refused."""

from __future__ import annotations

import csv
import json
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toulmin.errors import SettingsError, SourceError
from toulmin.evaluation.datasets import Dataset, Question, dataset_ids, declared, load
from toulmin.evaluation.datasets.own import FIELDS
from toulmin.graph.types import Entity, Literal


def lines(folder: Path, *records: object, name: str = "mine.jsonl") -> Dataset:
    path = folder / name
    path.write_text("".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in records), "utf-8")
    return load(str(path))


def said(dataset: Dataset) -> list[tuple[int, str]]:
    return [(one.line, one.problem) for one in dataset.problems]


def test_every_field(tmp_path: Path) -> None:
    dataset = lines(
        tmp_path,
        {
            "id": 7,
            "question": "Which of them moors at North Quay?",
            "answers": "the Heron",
            "options": ["the Heron", "the Tern"],
            "type": "choice",
            "hops": 1,
            "entities": ["North Quay"],
            "gold_text": "The Heron moors there.",
            "statements": [["the Heron", "berth", "North Quay"], ["the Heron", "length", "12 m"]],
            "passages": ["The Heron lies at North Quay."],
        },
        {"question": "Is it long?", "verdict": False, "by_id": False},
        {"question": "The Heron is blue.", "task": "claim", "unknown": True},
        {"question": "Tell of the Heron.", "type": None},
        {"question": "Which boats are there?", "answers": ["urn:a", "urn:b", "urn:a"], "by_id": True},
    )
    assert dataset.problems == ()
    first, second, third, fourth, fifth = dataset.questions
    assert (first.id, first.answers, first.gold, first.type, first.hops) == ("7", ("the Heron",), "option", "choice", 1)
    assert (first.gold_entities, first.gold_text) == (("North Quay",), "The Heron moors there.")
    assert [one.object for one in first.statements] == [
        Entity("urn:toulmin:e:North%20Quay", "North Quay"),
        Literal("12", "quantity", unit="m"),
    ]
    assert (second.id, second.verdict, second.gold, second.passages) == ("line-2", False, "verdict", ())
    assert (third.task, third.gold) == ("claim", "unknown")
    assert (fourth.gold, fourth.type) == ("none", "")
    assert (fifth.answers, fifth.by_id, fifth.gold) == (("urn:a", "urn:b"), True, "answers")
    assert dataset.counts() == {
        "questions": 5,
        "problems": 0,
        "gold": {"answers": 1, "none": 1, "option": 1, "unknown": 1, "verdict": 1},
        "type": {"choice": 1},
        "hops": {"1": 1},
    }


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        ({"question": " "}, "field 'question': holds no text"),
        ({"answers": ["a"]}, "field 'question': is missing"),
        ({"question": "q", "anwsers": ["a"]}, "field 'anwsers': no such field; did you mean 'answers'?"),
        (
            {"group": "x", "question": "q", "rests_on": []},
            "field 'rests_on': this is of `toulmin generate`: give `okgqa",
        ),
        ({"question": "q", "zzz": 1}, f"field 'zzz': no such field; there are {', '.join(FIELDS)}"),
        ({"question": "q", "answers": []}, "field 'answers': is empty: leave it out, or give a text"),
        ({"question": "q", "answers": [3]}, "field 'answers': is not a list of texts"),
        ({"question": "q", "answers": ["a", ""]}, "field 'answers': is not a list of texts"),
        ({"question": "q", "verdict": "true"}, "field 'verdict': is not true or false but 'true'"),
        ({"question": "q", "hops": True}, "field 'hops': is True: give a whole number, 0 or more"),
        ({"question": "q", "hops": -1}, "field 'hops': is -1: give a whole number, 0 or more"),
        ({"question": "q", "id": ""}, "field 'id': holds no text"),
        ({"question": "q", "task": "riddle"}, "no task is called 'riddle' (known: question, claim)"),
        ({"question": "q", "answers": ["a"], "verdict": True}, "answers and verdict are given: keep one, the gold"),
        ({"question": "q", "answers": ["a"], "unknown": True}, "answers and unknown are given: keep one, the gold"),
        ({"question": "q", "task": "claim", "answers": ["a"]}, "field 'answers': a claim has none"),
        ({"question": "q", "options": ["a", "b"]}, "field 'answers': is not one of the options"),
        ({"question": "q", "options": ["a", "b"], "answers": ["c"]}, "field 'answers': is not one of the options"),
        ({"question": "q", "options": ["a", "b"], "answers": ["a", "b"]}, "field 'answers': is not one of the options"),
        ({"question": "q", "options": ["a"], "answers": ["a"]}, "a multiple choice needs two options or more"),
        ({"question": "q" * 1001}, "the question has 1,001 characters"),
        ({"question": "half \ud800"}, "the question is no Unicode text"),
        ({"question": "q", "statements": []}, "field 'statements': is not a list of [subject, relation, object]"),
        ({"question": "q", "statements": [["a", "b"]]}, "field 'statements': ['a', 'b'] is not [subject, relation"),
        ({"question": "q", "statements": [["a", "b", ""]]}, "field 'statements': ['a', 'b', ''] is not [subject"),
        ({"question": "first", "id": "good"}, "the id 'good' stands at line 1 already"),
        ("[1, 2]", "a JSON object is expected, not list"),
        ('{"question": "q"', "not JSON: Expecting ',' delimiter"),
    ],
)
def test_a_malformed_record_is_told_and_the_others_are_kept(tmp_path: Path, record: object, problem: str) -> None:
    dataset = lines(tmp_path, {"question": "good", "id": "good"}, record, {"question": "also good"})
    assert [one.id for one in dataset.questions] == ["good", "line-3"]
    ((line, text),) = said(dataset)
    assert line == 2
    assert text.startswith(problem)


def table(folder: Path, text: str, name: str = "mine.csv") -> Dataset:
    (folder / name).write_text(text, "utf-8", newline="")
    return load(str(folder / name))


def test_csv(tmp_path: Path) -> None:
    dataset = table(
        tmp_path,
        "\ufeffid,question,answers,verdict,unknown,hops,by_id\r\n"
        'a,"Who, of the\ncrew, sings?",Ann | Bo|,,,2,\r\n'
        "\r\n"
        "b,Is it long?,,No,,,\r\n"
        "c,Is it long?,,perhaps,,,\r\n"
        "d,Is it long?,,,YES,,\r\n"
        "e,Is it long?,,,\r\n"
        "f,How long?,12,,,two,\r\n",
    )
    assert [(one.id, one.answers, one.gold, one.line) for one in dataset.questions] == [
        ("a", ("Ann", "Bo"), "answers", 2),
        ("b", (), "verdict", 5),
        ("d", (), "unknown", 7),
    ]
    assert (dataset.questions[0].question, dataset.questions[0].hops) == ("Who, of the\ncrew, sings?", 2)
    assert said(dataset) == [
        (6, "field 'verdict': is not true or false but 'perhaps'"),
        (8, "5 cells where the first line names 7: quote a cell with the delimiter"),
        (9, "field 'hops': is 'two': give a whole number, 0 or more"),
    ]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_csv_with_other_delimiters(tmp_path: Path, delimiter: str) -> None:
    text = f"question{delimiter}answers\nWho sings?{delimiter}Ann|Bo\n"
    assert table(tmp_path, text).questions[0].answers == ("Ann", "Bo")


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("mine.csv", b"", "mine.csv:1: names no column 'question'"),
        ("mine.csv", b"id,answers\n1,a\n", "mine.csv:1: names no column 'question'"),
        ("mine.csv", b"question,question\na,b\n", "mine.csv:1: names no column 'question', or one twice"),
        ("mine.csv", b"question,answer\nq,a\n", "mine.csv:1, field 'answer': no such field; did you mean 'answers'?"),
        ("mine.csv", b'question\n"open\n', "mine.csv:2: is no CSV: unexpected end of data"),
        ("mine.csv", b"question\ncaf\xe9\n", "is not UTF-8 here or later: convert the file to UTF-8 first"),
        ("mine.csv", b"question\n", "mine.csv: holds no questions"),
        ("mine.jsonl", b"", "mine.jsonl: holds no questions"),
        ("mine.jsonl", b"{}\n{}\n", "mine.jsonl:1: field 'question': is missing (and no other question can be used)"),
        ("mine.jsonl", b"\xff\n", "mine.jsonl:1: not UTF-8 at byte 1"),
    ],
)
def test_a_file_without_any_usable_question_is_one_error(
    tmp_path: Path, name: str, content: bytes, problem: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SourceError) as error:
        load(str(tmp_path / name))
    assert problem in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there_and_an_id_without_a_folder(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        load(str(tmp_path / "none.csv"))
    with pytest.raises(SettingsError, match="name their folder with --data"):
        load("creak")


def test_the_page_lists_all_fields_and_data_sets_and_its_examples_are_read(tmp_path: Path) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "datasets.md").read_text("utf-8")
    assert all(f"\n| `{name}` | " in page for name in FIELDS)
    for name in dataset_ids():
        one = declared(name)
        if one is not None:
            assert f"\n| `{name}` | {one.title} | {one.source} | {one.licence} | {one.needs} |\n" in page
    (of_json,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    (of_csv,) = re.findall(r"```csv\n(.*?)```", page, re.DOTALL)
    by_lines, by_rows = lines(tmp_path, of_json.strip()), table(tmp_path, of_csv)
    assert by_lines.problems == by_rows.problems == ()
    assert [one.gold for one in by_lines.questions] == ["answers", "verdict", "unknown", "none"]
    assert [(one.id, one.gold, one.type) for one in by_rows.questions] == [
        (one.id, one.gold, one.type) for one in by_lines.questions[:3]
    ]


WORDS = st.text(st.characters(exclude_categories=["C"], exclude_characters="|"), min_size=1, max_size=12)
TEXT = WORDS.map(str.strip).filter(bool)
TEXTS = st.lists(TEXT, min_size=1, max_size=4, unique=True)
RECORD: st.SearchStrategy[dict[str, Any]] = st.builds(
    lambda question, gold, more: {"question": question, **gold, **more},
    TEXT,
    st.one_of(
        st.builds(dict, answers=TEXTS, by_id=st.booleans()),
        st.builds(dict, verdict=st.booleans(), task=st.sampled_from(["question", "claim"])),
        st.just({"unknown": True}),
        st.just({}),
    ),
    st.fixed_dictionaries(
        {}, optional={"type": TEXT, "hops": st.integers(0, 9), "entities": TEXTS, "gold_text": TEXT, "passages": TEXTS}
    ),
)


def _cell(value: object) -> str:
    return "|".join(value) if isinstance(value, list) else str(value)


@settings(max_examples=60, deadline=None)
@given(st.lists(RECORD, min_size=1, max_size=5))
def test_json_lines_and_csv_say_the_same(records: list[dict[str, Any]]) -> None:
    numbered = [{"id": f"q{number}", **record} for number, record in enumerate(records)]
    names = list(dict.fromkeys(name for record in numbered for name in record))
    with tempfile.TemporaryDirectory() as folder:
        by_lines = lines(Path(folder), *numbered)
        with (Path(folder) / "mine.csv").open("w", encoding="utf-8", newline="") as stream:
            rows = csv.writer(stream)
            rows.writerow(names)
            rows.writerows([_cell(record[name]) if name in record else "" for name in names] for record in numbered)
        by_rows = load(f"{folder}/mine.csv")
        array = Path(folder) / "mine.json"
        array.write_text(json.dumps(numbered, indent=2), "utf-8")
        by_array = load(str(array))
    assert by_lines.problems == by_rows.problems == by_array.problems == ()

    def told(dataset: Dataset) -> list[dict[str, Any]]:
        held = [{name: getattr(one, field) for name, (field, _) in FIELDS.items()} for one in dataset.questions]
        return [{key: list(value) if isinstance(value, tuple) else value for key, value in one.items()} for one in held]

    assert told(by_lines) == told(by_rows) == told(by_array)
    nothing = Question("", "")
    bare = {name: getattr(nothing, field) for name, (field, _) in FIELDS.items()}
    for found, record in zip(told(by_lines), numbered, strict=True):
        for name in FIELDS.keys() - {"passages"}:
            wanted = bare[name]
            assert found[name] == record.get(name, list(wanted) if isinstance(wanted, tuple) else wanted)
        assert (found["passages"] or []) == record.get("passages", [])
