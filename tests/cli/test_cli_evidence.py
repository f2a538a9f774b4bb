"""Answers that are checked without the graph: by the evidence that they hold, and by a root from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import toulmin
from toulmin.graph.protocol import Graph
from toulmin.methods.trace import answer_of_json

Run = Callable[..., Any]


def test_an_answer_with_evidence_needs_no_graph(run: Run, proved: Path, world: Graph) -> None:
    result = run("check", proved)
    assert (result.exit_code, result.stderr) == (0, "")
    shown = " ".join(result.stdout.split())
    assert "Lord Byron — place of birth → London [" in shown
    assert f"held against the root that the certificate names, {world.fingerprint} passes: judged" in shown
    report = json.loads(run("check", "-", "--json", stdin=proved.read_text("utf-8")).stdout)
    assert [node["status"] for node in report["nodes"]] == ["holds", "recomputed", "recomputed"]
    assert toulmin.check(toulmin.Answer.read(proved)).nodes == report["nodes"]
    assert run("check", proved, "--strict").exit_code == 1
    assert run("check", proved, "--kg", "bundled").exit_code == 0


def test_the_root_is_the_one_that_the_user_trusts(run: Run, proved: Path, world: Graph) -> None:
    for root in (world.fingerprint, world.fingerprint.upper()):
        result = run("check", proved, "--root", root)
        assert result.exit_code == 0
        assert "held against the root given" in " ".join(result.stdout.split())
    wrong = "0" * 64
    for graph in ((), ("--kg", "bundled")):
        result = run("check", proved, "--root", wrong, *graph)
        assert result.exit_code == 1
        assert "of another root than the one given" in " ".join(result.stdout.split())
    assert toulmin.check(toulmin.Answer.read(proved), root=wrong).exit_code == 1


def test_a_statement_that_is_altered_left_out_or_put_in_is_found(run: Run, proved: Path, tmp_path: Path) -> None:
    stored = json.loads(proved.read_text("utf-8"))
    born = next(one for one in stored["evidence"][0]["out"]["ranges"] if one["relation"] == "world:place_of_birth")
    (statement,) = born["statements"]
    for statements in ([], [statement, statement], [[*statement[:2], "world:Paris", *statement[3:]]]):
        born["statements"] = statements
        (tmp_path / "altered.json").write_text(json.dumps(stored), "utf-8")
        result = run("check", tmp_path / "altered.json")
        assert result.exit_code != 0
        assert "London" not in result.stdout


def test_what_the_evidence_does_not_bear_out_fails(run: Run, proved: Path, tmp_path: Path) -> None:
    stored = json.loads(proved.read_text("utf-8"))
    stored["answer"]["values"] = ["world:Paris"]
    (tmp_path / "altered.json").write_text(json.dumps(stored), "utf-8")
    result = run("check", tmp_path / "altered.json")
    assert result.exit_code == 1
    assert "the answer is not what follows from the program" in " ".join(result.stdout.split())
    stored["answer"]["values"], stored["program"][2]["relations"] = ["world:London"], ["world:place_of_death"]
    (tmp_path / "altered.json").write_text(json.dumps(stored), "utf-8")
    result = run("check", tmp_path / "altered.json")  # no evidence of it is given
    assert (result.exit_code, "unverifiable" in result.stdout) == (1, True)
    assert run("check", tmp_path / "altered.json", "--kg", "bundled").exit_code == 1


def test_the_trace_holds_the_evidence_too(run: Run) -> None:
    result = run("ask", "Who is the father of Ada Lovelace?", "--kg", "bundled", "--evidence", "--json")
    assert toulmin.check(answer_of_json(result.stdout)).status == "judged"
    assert run("check", "-", stdin=result.stdout).exit_code == 0


def test_an_abstention_has_evidence_too(run: Run, tmp_path: Path) -> None:
    stored = tmp_path / "hair.json"
    question = "What colour is the hair of Ada Lovelace?"
    assert run("ask", question, "--kg", "bundled", "--evidence", "--out", stored).exit_code == 0
    result = run("check", stored)
    assert result.exit_code == 0
    assert "unverifiable" not in result.stdout


def test_a_page_is_written(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "answer.html"
    result = run("ask", "Who is the father of Ada Lovelace?", "--kg", "bundled", "--html", page)
    assert result.exit_code == 0
    text = page.read_text("utf-8")
    assert "Lord Byron" in text
    assert "http-equiv" in text or "<script" in text


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ((), "holds no evidence: name the graph with --kg, or ask again with --evidence"),
        (("--root", "abc"), "--root abc: a root has 64 hexadecimal digits"),
        (("--knowledge", "lexical"), "name it with --kg"),
    ],
)
def test_what_cannot_be_checked_is_told_in_one_line(
    run: Run, answer: Path, proved: Path, options: tuple[str, ...], problem: str
) -> None:
    result = run("check", proved if options else answer, *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert problem in result.stderr and result.stderr.count("\n") == 1
