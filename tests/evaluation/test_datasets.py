"""Loaders on small files of each format, whole and broken."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crlt_graph import GoldStatement, gold_statements
from toulmin.errors import SourceError
from toulmin.evaluation.datasets import Dataset, PathRelation, Question, dataset_ids, load


def write(path: Path, *lines: str | Mapping[str, object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = (line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines)
    path.write_text("".join(f"{line}\n" for line in text), encoding="utf-8")


def problems(dataset: Dataset) -> list[tuple[str, int, str]]:
    return [(problem.file.name, problem.line, problem.problem) for problem in dataset.problems]


# --- MetaQA


def test_metaqa(tmp_path: Path) -> None:
    write(
        tmp_path / "metaqa/2-hop/qa_dev.txt",
        "which years were the films by [Agnès Varda] released in\t1962|1985|1962",
        "who wrote the films that share actors with [Alien³]\tWalter Hill",
    )
    write(tmp_path / "metaqa/2-hop/qa_dev_qtype.txt", "director_to_movie_to_year", "movie_to_actor_to_movie")
    dataset = load("metaqa/2-hop/dev", tmp_path)
    assert dataset.questions[0] == Question(
        id="2-hop-dev-1",
        question="which years were the films by Agnès Varda released in",
        answers=("1962", "1985"),
        hops=2,
        gold_entities=("Agnès Varda",),
        gold_paths=((PathRelation("directed_by", "backward"), PathRelation("release_year", "forward")),),
        file="2-hop/qa_dev.txt",
        line=1,
    )
    assert dataset.questions[1].gold_paths == (
        (PathRelation("starred_actors", "forward"), PathRelation("starred_actors", "backward")),
    )
    assert dataset.problems == ()
    assert dataset.graphs == (tmp_path / "metaqa/kb.txt",)
    assert load("metaqa/2-hop/dev", tmp_path / "metaqa") == dataset


def test_metaqa_reads_the_test_split(tmp_path: Path) -> None:
    write(tmp_path / "1-hop/qa_test.txt", "what films did [A] star in\tB")
    (question,) = load("metaqa/1-hop/test", tmp_path).questions
    assert (question.id, question.gold_paths) == ("1-hop-test-1", ())


def test_metaqa_broken_lines(tmp_path: Path) -> None:
    write(
        tmp_path / "1-hop/qa_dev.txt",
        "no brackets\tA",
        "two [A] and [B]\tC",
        "no tab [A]",
        "three\tfields [A]\tB",
        "no answer [A]\t|",
        "fine [A]\tB",
    )
    dataset = load("metaqa/1-hop/dev", tmp_path)
    assert [question.line for question in dataset.questions] == [6]
    assert [line for _, line, _ in problems(dataset)] == [1, 2, 3, 4, 5]
    assert "[topic entity]" in problems(dataset)[0][2]
    assert "found 3" in problems(dataset)[3][2]


def test_metaqa_unknown_and_misaligned_types(tmp_path: Path) -> None:
    write(tmp_path / "1-hop/qa_dev.txt", "a [A]\tB", "b [B]\tC")
    write(tmp_path / "1-hop/qa_dev_qtype.txt", "actor_to_movie", "actor_to_writer")
    dataset = load("metaqa/1-hop/dev", tmp_path)
    assert [len(question.gold_paths) for question in dataset.questions] == [1, 0]
    assert problems(dataset) == [
        ("qa_dev_qtype.txt", 2, "no relation leads from 'actor' to 'writer' in the type 'actor_to_writer'")
    ]
    write(tmp_path / "1-hop/qa_dev_qtype.txt", "actor_to_movie")
    dataset = load("metaqa/1-hop/dev", tmp_path)
    assert [question.gold_paths for question in dataset.questions] == [(), ()]
    assert problems(dataset) == [("qa_dev_qtype.txt", 1, "ends here, the questions at line 2: gold paths are left out")]


# --- PathQuestion


def test_pathquestion(tmp_path: Path) -> None:
    write(
        tmp_path / "pathquestion/PQ-2H.txt",
        "what sex is ada_of_x 's child ?\tfemale(male/female/)\tada_of_x#children#bo_y#gender#female#<end>#female",
    )
    (question,) = load("pathquestion/2", tmp_path).questions
    assert question == Question(
        id="PQ-2H-1",
        question="what sex is ada of x 's child ?",
        answers=("male", "female"),
        hops=2,
        gold_entities=("ada_of_x",),
        gold_paths=((PathRelation("children", "forward"), PathRelation("gender", "forward")),),
        file="PQ-2H.txt",
        line=1,
    )
    assert load("pathquestion/2", tmp_path).graphs[0].name == "2H-kb.txt"


def test_pathquestion_broken_lines(tmp_path: Path) -> None:
    good = "a#r#b#s#c#t#d#<end>#d"
    write(
        tmp_path / "PQ-3H.txt",
        f"q ?\td\t{good}",
        f"q ?\te(d/)\t{good}",
        "q ?\td(d/)\ta#r#b#s#d#<end>#d",
        "q ?\td(d/)",
        f"q ?\td(d/)\t{good}",
    )
    dataset = load("pathquestion/3", tmp_path)
    assert [question.line for question in dataset.questions] == [5]
    assert [line for _, line, _ in problems(dataset)] == [1, 2, 3, 4]


# --- WebQSP and CWQ


def freebase(**changes: object) -> dict[str, object]:
    record: dict[str, object] = {
        "id": "W-1",
        "question": "who wrote it",
        "answers": ["Ana", "Ana", "Bo"],
        "path_start_entities": ["It"],
        "ground_paths": [["book.author"], [], ["book.author"], ["a.b", "c.d"]],
    }
    return {key: value for key, value in {**record, **changes}.items() if value != "absent"}


@pytest.mark.parametrize("name", ["webqsp", "cwq"])
def test_freebase_union(tmp_path: Path, name: str) -> None:
    write(tmp_path / f"freebase_union/{name}_questions.jsonl", freebase())
    dataset = load(name, tmp_path)
    assert dataset.questions == (
        Question(
            id="W-1",
            question="who wrote it",
            answers=("Ana", "Bo"),
            gold_entities=("It",),
            gold_paths=((PathRelation("book.author"),), (PathRelation("a.b"), PathRelation("c.d"))),
            file=f"{name}_questions.jsonl",
            line=1,
        ),
    )
    assert dataset.graphs == (tmp_path / f"freebase_union/{name}_kg.tsv",)


def test_freebase_union_broken_records(tmp_path: Path) -> None:
    write(
        tmp_path / "webqsp_questions.jsonl",
        freebase(),
        freebase(),
        freebase(id="2", answers=[]),
        freebase(id="3", answers="absent"),
        freebase(id="4", ground_paths=["book.author"]),
        freebase(id="5", question=7),
        '{"id": "6", "question": ',
        "[1, 2]",
        "",
        freebase(id="10"),
    )
    dataset = load("webqsp", tmp_path)
    assert [question.id for question in dataset.questions] == ["W-1", "10"]
    said = {line: text for _, line, text in problems(dataset)}
    assert set(said) == {2, 3, 4, 5, 6, 7, 8}
    assert "stands at line 1 already" in said[2]
    assert said[4] == "field 'answers': is missing"
    assert said[6] == "field 'question': holds no text"
    assert said[7].startswith("not JSON")


# --- CR-LT


def crlt(**changes: object) -> dict[str, object]:
    record: dict[str, object] = {
        "id": "S1",
        "query": "Could Ada have met Bo?",
        "answer": False,
        "KG Entities": {"Ada": "Q1", "Bo": "Q2"},
    }
    return {key: value for key, value in {**record, **changes}.items() if value != "absent"}


def test_crlt(tmp_path: Path) -> None:
    write(tmp_path / "crlt/qa.jsonl", crlt(), crlt(id="S2", answer=True))
    write(tmp_path / "crlt/claims.jsonl", crlt(id="C1", query="Ada met Bo.", answer=True))
    write(tmp_path / "crlt/question_entities.jsonl", {"id": "S2", "q_entity": ["Ada L."]})
    questions = load("crlt/qa", tmp_path).questions
    assert [(q.id, q.verdict, q.gold_entities) for q in questions] == [
        ("S1", False, ("Ada", "Bo")),
        ("S2", True, ("Ada L.",)),
    ]
    (claim,) = load("crlt/claims", tmp_path / "crlt").questions
    assert (claim.question, claim.verdict, claim.answers) == ("Ada met Bo.", True, ())
    assert (claim.task, questions[0].task) == ("claim", "question")


def test_crlt_an_answer_that_holds_a_question_text_is_reported(tmp_path: Path) -> None:
    text = "Did Ada celebrate a silver anniversary?"
    write(
        tmp_path / "qa.jsonl",
        crlt(answer=text),
        crlt(id="S2", answer="absent"),
        crlt(id="S3", answer=1),
        crlt(id="S4", **{"KG Entities": "absent"}),
        crlt(id="S5"),
    )
    write(tmp_path / "question_entities.jsonl", {"id": "S5"})
    dataset = load("crlt/qa", tmp_path)
    assert [question.id for question in dataset.questions] == ["S5"]
    assert problems(dataset) == [
        ("question_entities.jsonl", 1, "field 'q_entity': is missing"),
        ("qa.jsonl", 1, f"field 'answer': is not true or false but {text!r}"),
        ("qa.jsonl", 2, "field 'answer': is missing"),
        ("qa.jsonl", 3, "field 'answer': is not true or false but 1"),
        ("qa.jsonl", 4, "field 'KG Entities': is missing or is not an object of labels and ids"),
    ]


def test_crlt_gold_statements(tmp_path: Path) -> None:
    held = {"subject": "Ada", "relation": "spouse", "object": "Bo", "qualifiers": [["start time", "2005"]]}
    write(tmp_path / "crlt/gold_statements.jsonl", held, {**held, "qualifiers": ["x"]}, {**held, "object": ""})
    gold = gold_statements(tmp_path)
    assert gold.statements == (GoldStatement("Ada", "spouse", "Bo", (("start time", "2005"),)),)
    assert [problem.line for problem in gold.problems] == [2, 3]


# --- Files


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "metaqa").mkdir()
    with pytest.raises(SourceError) as caught:
        load("metaqa/3-hop/test", tmp_path)
    assert str(tmp_path / "metaqa/3-hop/qa_test.txt") in str(caught.value)
    assert "\n" not in str(caught.value)
    with pytest.raises(SourceError, match="no such folder"):
        load("webqsp", tmp_path / "nowhere")


def test_a_line_that_is_not_utf8_is_reported_and_a_byte_order_mark_is_not_part_of_the_text(tmp_path: Path) -> None:
    (tmp_path / "1-hop").mkdir()
    (tmp_path / "1-hop/qa_dev.txt").write_bytes("\ufeffa [Ä]\tB\r\n".encode() + b"b [\xff]\tC\n" + b"c [C]\tD")
    dataset = load("metaqa/1-hop/dev", tmp_path)
    assert [(q.question, q.answers) for q in dataset.questions] == [("a Ä", ("B",)), ("c C", ("D",))]
    assert problems(dataset) == [("qa_dev.txt", 2, "not UTF-8 at byte 4")]


def test_an_empty_file_holds_no_questions(tmp_path: Path) -> None:
    for name, file in [
        ("crlt/qa", "qa.jsonl"),
        ("pathquestion/2", "PQ-2H.txt"),
        ("metaqa/1-hop/dev", "1-hop/qa_dev.txt"),
    ]:
        write(tmp_path / file)
        assert load(name, tmp_path).questions == ()


def _filled(line: bytes, *, first: bool) -> bool:
    try:
        return bool(line.decode("utf-8-sig" if first else "utf-8").strip())
    except UnicodeDecodeError:
        return True


@given(st.binary(max_size=300) | st.text('[]|\t#/()<end>{}":,a\n', max_size=80).map(str.encode))
@settings(max_examples=100, deadline=None)
def test_every_line_is_a_question_or_a_problem(content: bytes) -> None:
    filled = sum(_filled(line, first=number == 0) for number, line in enumerate(content.split(b"\n")))
    files = {"webqsp": "webqsp_questions.jsonl", "pathquestion/2": "PQ-2H.txt", "metaqa/1-hop/dev": "1-hop/qa_dev.txt"}
    with tempfile.TemporaryDirectory() as folder:
        for name, file in files.items():
            path = Path(folder, file)
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
            dataset = load(name, folder)
            told = len(dataset.questions) + len(dataset.problems)
            # A file that begins as a JSON list has no lines of its own; its rest is one problem.
            broken = any("not JSON from here on" in one.problem for one in dataset.problems)
            assert told == filled or (broken and 0 < told <= filled)


# --- Registry


def test_ids() -> None:
    assert set(dataset_ids()) >= {
        *(f"metaqa/{hops}-hop/{split}" for hops in (1, 2, 3) for split in ("dev", "test")),
        "pathquestion/2",
        "pathquestion/3",
        "webqsp",
        "cwq",
        "crlt/qa",
        "crlt/claims",
    }
