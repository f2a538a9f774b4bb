"""``toulmin generate`` and ``toulmin questions``: from the command to the file, and what is told of bad input."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer, chat
from workshop import replies

import toulmin
from toulmin.evaluation.generation.candidates import types_named
from toulmin.evaluation.generation.generating import GenerationSettings, Generator
from toulmin.evaluation.generation.question_file import read_questions
from toulmin.evaluation.generation.writing import Writer
from toulmin.llm.scripted import ScriptedModel
from toulmin.llm.stored_replies import RecordingModel

Run = Callable[..., Any]
TYPES = "character-description,contrast-analysis"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Replies to all that a set of four asks."""
    path = tmp_path_factory.mktemp("recorded") / "replies.jsonl"

    async def run(generator: Generator, model: RecordingModel) -> None:
        async for _ in generator.run():
            pass
        await model.close()

    model = RecordingModel(ScriptedModel(replies()), path)
    with closing(toulmin.open("bundled")) as graph:
        settings = GenerationSettings(4, types_named(TYPES.split(",")))
        asyncio.run(run(Generator(graph, Writer(model), settings), model))
    return path


def test_questions_are_generated_resumed_scored_and_described(run: Run, recorded: Path, tmp_path: Path) -> None:
    out = tmp_path / "questions.jsonl"
    arguments = ("generate", "--kg", "bundled", "--n", 4, "--types", TYPES, "--replay", recorded, "--out", out)
    done = run(*arguments)
    assert (done.exit_code, len(read_questions(out))) == (0, 4), done.stderr
    before = out.read_bytes()
    out.write_bytes(before[: len(before) // 2])  # a kill, in the middle of a line
    assert run(*arguments).exit_code == 0
    assert out.read_bytes() == before

    sheet = tmp_path / "ines.csv"
    assert run("questions", "sheet", out, "--rater", "ines", "--out", sheet).exit_code == 0
    sheet.write_text(sheet.read_text("utf-8").replace(",ines,,,,,,", ",ines,4,3,5,2,4,long,"), "utf-8")
    rated = run("questions", "rate", out, "--scores", sheet, "--scale", "1,5")
    assert (rated.exit_code, "4 questions" in rated.stdout) == (0, True)
    told = json.loads(run("questions", "stats", out, "--json").stdout)
    assert (told["questions"], told["scored_by_people"]) == (4, 4)
    assert "contrast-analysis 2" in run("questions", "stats", out).stdout


def test_a_dry_run_asks_no_model(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "questions.jsonl"
    asked = ("generate", "--kg", "bundled", "--n", 6, "--types", TYPES, "--out", out, "--dry-run", "--json")
    told = json.loads(run(*asked).stdout)
    assert (told["questions"], told["calls"]) == (6, 12)
    assert told["by_type"] == {"character-description": 3, "contrast-analysis": 3}
    assert told["prompt_tokens"] > 1000
    assert not out.exists()


def test_a_model_that_gives_nothing_usable_ends_it_with_one_line(run: Run, tmp_path: Path) -> None:
    with ModelServer([chat("Certainly!")]) as server:
        asked = ("generate", "--kg", "bundled", "--n", 20, "--out", tmp_path / "q.jsonl", "--concurrency", 1)
        done = run(*asked, "--model", "openai:m", "--base-url", server.url)
    assert (done.exit_code, len(done.stderr.strip().splitlines())) == (1, 1)
    assert "the model gave nothing usable" in done.stderr
    assert len(server.bodies) < 40


def test_a_graph_that_bears_no_question_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "few.tsv").write_text("a\tlikes\tb\nb\tlikes\tc\n", "utf-8")
    assert run("build", tmp_path / "few.tsv", "--out", tmp_path / "few", "--no-vectors").exit_code == 0
    done = run("generate", "--kg", tmp_path / "few", "--n", 3, "--dry-run", "--out", tmp_path / "q.jsonl")
    assert (done.exit_code, len(done.stderr.strip().splitlines())) == (2, 1)
    assert "bears no question of these types" in done.stderr


def test_a_sheet_that_is_there_is_not_written_over(run: Run, tmp_path: Path) -> None:
    one = {"id": "a", "question": "Why?", "type": "cause-explanation"}
    (tmp_path / "one.jsonl").write_text(json.dumps(one) + "\n", "utf-8")
    asked = ("questions", "sheet", tmp_path / "one.jsonl", "--out", tmp_path / "ines.csv", "--rater")
    assert run(*asked, " ").exit_code == 2
    assert run(*asked, "ines").exit_code == 0
    before = (tmp_path / "ines.csv").read_bytes()
    again = run(*asked, "odo")
    assert (again.exit_code, len(again.stderr.strip().splitlines())) == (2, 1)
    assert "is there already" in again.stderr
    assert (tmp_path / "ines.csv").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--out", "q.jsonl"), "written by a language model"),
        (("--out", "q.jsonl", "--types", "rhyme", "--dry-run"), "unknown type of question 'rhyme'"),
        (("--out", "q.jsonl", "--replay", "nowhere.jsonl"), "nowhere.jsonl"),
        (("--out", "q.jsonl", "--instruction", "nowhere.md", "--dry-run"), "cannot be read as an instruction"),
        (("--out", "q.jsonl", "--budget-cost", "3", "--model", "openai:x"), "--budget-cost needs --prices"),
        ((), "missing option '--out'"),
    ],
)
def test_bad_input_ends_in_one_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("generate", "--kg", "bundled", *arguments)
    assert done.exit_code == 2
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "q.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("stats", "nowhere.jsonl"), "cannot be read"),
        (("stats", "broken.jsonl"), "broken.jsonl:2: not JSON"),
        (("stats", "empty.jsonl"), "holds no questions"),
        (("rate", "one.jsonl", "--scores", "one.jsonl"), "lacks the columns"),
        (("rate", "one.jsonl", "--scores", "one.jsonl", "--scale", "best"), "write two numbers"),
        (("tune", "one.jsonl", "--of", "write", "--versions", "v"), "give one by --model"),
    ],
)
def test_bad_files_of_questions_end_in_one_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    one = {"id": "a", "question": "Why?", "type": "cause-explanation"}
    Path("one.jsonl").write_text(json.dumps(one) + "\n", "utf-8")
    Path("broken.jsonl").write_text(json.dumps(one) + "\n{\n", "utf-8")
    Path("empty.jsonl").write_text("\n", "utf-8")
    done = run("questions", *arguments)
    assert done.exit_code == 2
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
