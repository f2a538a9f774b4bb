"""``toulmin ask`` and ``toulmin check``: what they print, and their exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import toulmin
from toulmin.graph.protocol import Graph
from toulmin.methods.trace import answer_of_json
from toulmin.program.answer import Answer

Run = Callable[..., Any]
QUESTION = "Where was the father of Ada Lovelace born?"


def words(shown: str) -> str:
    """What is printed, however it is wrapped."""
    return " ".join(shown.split())


def test_ask_prints_reading_answer_program_and_check(run: Run) -> None:
    result = run("ask", QUESTION, "--kg", "bundled")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert f"Question      {QUESTION}" in lines
    assert "Read as       the place of birth of the father of Ada Lovelace  (judged by" in lines
    assert "Answer        London" in lines
    shown = words(result.stdout)
    assert "holds “Ada Lovelace” is Ada Lovelace ⟨world:Ada_Lovelace⟩ its name" in shown
    assert "recomputed the place of birth of the father of Ada Lovelace Lord Byron — place of birth → London [" in shown
    assert shown.endswith("passes: judged")


def test_ask_json_is_a_trace_that_holds_the_stored_answer(run: Run, tmp_path: Path, world: Graph) -> None:
    out = tmp_path / "answer.json"
    result = run("ask", QUESTION, "--kg", "bundled", "--json", "--out", out)
    assert result.exit_code == 0
    answer = Answer.read(out)
    assert answer_of_json(result.stdout) == answer
    assert [event["event"] for event in json.loads(result.stdout)["events"]][:3] == ["chosen", "linked", "read"]
    assert run("check", "-", "--kg", "bundled", stdin=result.stdout).exit_code == 0
    assert [getattr(value, "label", None) for value in answer.values] == ["London"]
    assert toulmin.check(answer, world).exit_code == 0


def test_ask_says_where_a_name_is_not_the_only_one(run: Run) -> None:
    shown = words(run("ask", "Where is Paris located?", "--kg", "bundled").stdout)
    assert "judged “Paris” is Paris ⟨world:Paris" in shown
    assert "one of 2 that bear this name" in shown


def test_ask_abstains_in_words_with_exit_code_0(run: Run) -> None:
    result = run("ask", "zzz qqq?", "--kg", "bundled")
    assert result.exit_code == 0
    assert "Not answerable from this graph" in result.stdout


def test_trace_goes_to_stderr(run: Run) -> None:
    result = run("ask", QUESTION, "--kg", "bundled", "--json", "--trace")
    assert answer_of_json(result.stdout).text == "London"
    assert "linked" in result.stderr
    assert "of father of Ada Lovelace" in result.stderr  # a reading
    result = run("ask", QUESTION, "--kg", "bundled", "--json", "--trace", "--method", "fidelis")
    assert "──father──▶ ?1 ──place of birth──▶ ?2" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["ask", " ", "--kg", "bundled"], "the question is empty"),
        (["ask", QUESTION, "--kg", "bundled", "--method", "fidels"], "did you mean 'fidelis'?"),
        (
            ["ask", QUESTION, "--kg", "bundled", "--out", "/nowhere/answer.json"],
            "--out /nowhere/answer.json: its folder does not exist",
        ),
        (["ask", QUESTION, "--kg", "bundled", "--html", "/"], "--html /: is a folder"),
        (["check", "missing.json", "--kg", "bundled"], "missing.json: cannot be read: No such file"),
        (["check", ".", "--kg", "bundled"], "Is a directory"),
        (["check", __file__, "--kg", "bundled"], "not JSON in UTF-8"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(run: Run, arguments: list[str], problem: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert problem in result.stderr
    assert result.stderr.startswith("toulmin: ")
    assert result.stderr.count("\n") == 1


def test_check_passes_and_says_how_each_node_stands(run: Run, answer: Path) -> None:
    result = run("check", answer, "--kg", "bundled")
    assert result.exit_code == 0
    assert "[1] recomputed   the father of Ada Lovelace" in result.stdout
    assert words(result.stdout).endswith("passes: judged")
    report = json.loads(run("check", answer, "--kg", "bundled", "--json").stdout)
    assert (report["exit_code"], report["status"], report["answer"]) == (0, "judged", ["London"])
    assert [node["status"] for node in report["nodes"]] == ["holds", "recomputed", "recomputed"]
    assert json.loads(run("check", "-", "--kg", "bundled", "--json", stdin=answer.read_text("utf-8")).stdout) == report


def test_strict_does_not_pass_what_is_judged(run: Run, answer: Path) -> None:
    result = run("check", answer, "--kg", "bundled", "--strict")
    assert result.exit_code == 1
    assert "does not pass: judged" in result.stdout


def test_an_altered_answer_fails_with_exit_code_1(run: Run, answer: Path, tmp_path: Path) -> None:
    altered = tmp_path / "altered.json"
    altered.write_text(answer.read_text("utf-8").replace("London", "Paris"), "utf-8")
    result = run("check", altered, "--kg", "bundled")
    assert result.exit_code == 1
    assert "the answer is not what follows from the program" in words(result.stdout)
    assert "does not pass: fails" in result.stdout
    assert json.loads(run("check", altered, "--kg", "bundled", "--json").stdout)["exit_code"] == 1


def test_another_graph_does_not_bear_the_answer_out(run: Run, answer: Path, films: Path) -> None:
    result = run("check", answer, "--kg", films)
    assert result.exit_code == 1
    assert "does not pass: stale" in result.stdout
    assert "another graph, or changed since" in words(result.stdout)


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("format", "toulmin-certificate/2", "format"),
        ("question", None, "the field 'question'"),
        ("surprise", 1, "the field 'surprise' is not known"),
        ("program", [{"op": "magic"}], "node 0: must be an object with a 'op' that is known"),
    ],
)
def test_an_answer_of_another_format_is_bad_input(
    run: Run, answer: Path, tmp_path: Path, field: str, value: object, problem: str
) -> None:
    stored = json.loads(answer.read_text("utf-8"))
    other = tmp_path / "other.json"
    other.write_text(json.dumps(stored | {field: value}), "utf-8")
    result = run("check", other, "--kg", "bundled")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"toulmin: {other}: ")
    assert problem in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("graph", [(), ("--kg", "bundled")])
def test_a_stored_answer_cannot_act_on_the_terminal(
    run: Run, proved: Path, tmp_path: Path, graph: tuple[str, ...]
) -> None:
    escape = "\x1b[2J\x9b31m\u202e\nAnswer        Rome\r"
    stored = json.loads(proved.read_text("utf-8"))
    stored["question"] += escape
    stored["program"][0]["name"] += escape
    stored["reading"]["by"] += escape
    stored["graphs"][0]["name"] += escape
    stored |= {"method": escape, "model": escape, "maker": escape}
    stored["trace"] = {"labels": {"world:London": escape, "world:father": escape, "world:Ada_Lovelace": escape}}
    evil = tmp_path / "evil.json"
    evil.write_text(json.dumps(stored), "utf-8")
    result = run("check", evil, *graph)
    assert result.exit_code == 1  # it is no name of her, or the evidence does not say so
    assert not {"\x1b", "\x9b", "\u202e", "\r"} & set(result.stdout)
    assert [line for line in result.stdout.splitlines() if line.startswith("Answer")] == ["Answer        London"]
