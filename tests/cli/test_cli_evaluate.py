"""``toulmin evaluate``."""

from __future__ import annotations

import importlib.util
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import paid_run
import pytest
from model_server import ModelServer, chat

from toulmin.cli.failures import INTERRUPTED
from toulmin.evaluation.records import runs_in

Run = Callable[..., Any]
Start = Callable[..., "subprocess.Popen[str]"]
ASKED = ["evaluate", "metaqa/2-hop/dev", "--kg", "bundled", "--method", "fidelis"]


def write_questions(folder: Path, times: int) -> Path:
    """Questions about the bundled graph, as MetaQA writes its own."""
    lines = [
        "where was the father of [Ada Lovelace] born\tLondon",
        "where was the mother of [Ada Lovelace] born\tNowhere",
    ]
    (folder / "2-hop").mkdir(parents=True)
    (folder / "2-hop" / "qa_dev.txt").write_text("\n".join(lines * times) + "\nno tab here\n", "utf-8")
    return folder


def test_evaluate_records_each_question_and_goes_on(run: Run, tmp_path: Path) -> None:
    data, out = write_questions(tmp_path / "data", 2), tmp_path / "run"
    first = run(*ASKED, "--data", data, "--out", out, "--limit", 2)
    assert first.exit_code == 0
    assert "hits_at_1" in first.stdout
    assert "qa_dev.txt:5: two fields separated by one tab are expected" in first.stderr
    records = (out / "records.jsonl").read_text("utf-8")
    assert len(records.splitlines()) == 2
    summary = json.loads(run(*ASKED, "--data", data, "--out", out, "--limit", 4, "--json").stdout)
    assert (summary["n"], summary["problems"], summary["checked"]) == (4, 1, 4)
    assert summary["metrics"]["hits_at_1"]["estimate"] == 0.5
    assert summary["run"]["settings"]["depth"] >= 1
    assert (out / "records.jsonl").read_text("utf-8").startswith(records)
    assert json.loads((out / "summary.json").read_text("utf-8")) == summary


def test_recorded_chains_are_evaluated_without_a_model(run: Run, tmp_path: Path) -> None:
    data, out, chains = write_questions(tmp_path / "data", 1), tmp_path / "run", tmp_path / "chains.jsonl"
    said = ["Lord Byron was born in London. So the answer is London.", "So the answer is Paris."]
    chains.write_text(json.dumps({"question": "where was the father of Ada Lovelace born", "chains": said}) + "\n")
    asked = ("evaluate", "metaqa/2-hop/dev", "--kg", "bundled", "--method", "rr", "--data", data, "--json", "--out")
    known = ("--knowledge", "temporal", "--chains", chains)
    summary = json.loads(run(*asked, out, *known).stdout)
    assert (summary["n"], summary["checked"]) == (2, 1)
    assert summary["metrics"]["hits_at_1"]["estimate"] == 0.5
    assert summary["run"]["model"] is None
    records = [json.loads(line) for line in (out / "records.jsonl").read_text("utf-8").splitlines()]
    by_outcome = {record["outcome"]: record for record in records}
    assert "has no chains of the question" in by_outcome["crashed"]["error"]["message"]
    chains.write_text(json.dumps({"id": by_outcome["answered"]["id"], "chains": said[1:]}) + "\n")
    assert "chains" in run(*asked, out, *known).stderr  # another run than the one in the folder
    other = json.loads(run(*asked, tmp_path / "other", *known).stdout)
    assert other["metrics"]["hits_at_1"]["estimate"] == 0.0
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"chains": ["So the answer is Paris."]}\n')
    refused = run(*asked, tmp_path / "third", "--chains", bad)
    assert refused.exit_code == 2
    assert 'bad.jsonl:1: has no text "id" or "question"' in refused.stderr


def test_another_run_in_the_same_folder_is_refused(run: Run, tmp_path: Path) -> None:
    data, out = write_questions(tmp_path / "data", 1), tmp_path / "run"
    assert run(*ASKED, "--data", data, "--out", out, "--limit", 1).exit_code == 0
    result = run(*ASKED, "--data", data, "--out", out, "--limit", 1, "--seed", 7)
    assert result.exit_code == 2
    assert "seed was 0, is 7" in result.stderr


def test_ctrl_c_keeps_the_records_and_the_run_goes_on(start: Start, run: Run, tmp_path: Path) -> None:
    run("info", "bundled")  # built beforehand, so that only questions are interrupted
    data, out = write_questions(tmp_path / "data", 5000), tmp_path / "run"
    process = start(*ASKED, "--data", data, "--out", out)
    records, deadline = out / "records.jsonl", time.monotonic() + 120
    while not (records.exists() and records.read_bytes().count(b"\n") >= 2) and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=120)
    assert process.returncode == INTERRUPTED
    assert stderr.splitlines()[-1].startswith(f"toulmin: interrupted; the answers so far are in {records}")
    assert "Traceback" not in stderr
    kept = records.read_text("utf-8").splitlines()
    assert 2 <= len(kept) < 10_000
    assert {json.loads(line)["outcome"] for line in kept} <= {"answered", "abstained"}
    assert not (out / "summary.json").exists()
    finished = run(*ASKED, "--data", data, "--out", out, "--limit", len(kept), "--json")
    assert json.loads(finished.stdout)["n"] == len(kept)


def test_ctrl_c_before_the_first_step_of_a_question_is_one_line(tmp_path: Path) -> None:
    program = """
import asyncio, signal
from toulmin.cli.main import main

begin, begun = asyncio.BaseEventLoop.run_until_complete, []

def interrupted(loop, task):
    begun.append(task)
    if len(begun) == 3:
        signal.raise_signal(signal.SIGINT)
    return begin(loop, task)

signal.signal(signal.SIGINT, signal.default_int_handler)
asyncio.BaseEventLoop.run_until_complete = interrupted
main()
"""
    asked = [*ASKED, "--data", str(write_questions(tmp_path / "data", 2)), "--out", str(tmp_path / "run")]
    process = subprocess.run(
        [sys.executable, "-c", program, *asked], capture_output=True, encoding="utf-8", timeout=120
    )
    assert process.returncode == INTERRUPTED
    assert process.stderr.splitlines()[-1].startswith("toulmin: interrupted; the answers so far are in ")
    assert "Warning" not in process.stderr
    assert len((tmp_path / "run" / "records.jsonl").read_text("utf-8").splitlines()) == 2


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["evaluate", "metaqa/2-hops/dev", "--method", "fidelis", "--data", "."], "did you mean 'metaqa/2-hop/dev'"),
        (["evaluate", "metaqa/2-hop/dev", "--method", "fidels", "--data", "."], "did you mean 'fidelis'"),
        (["evaluate", "metaqa/2-hop/dev", "--method", "fidelis", "--data", "nowhere"], "nowhere: no such folder"),
        (["evaluate", "metaqa/2-hop/dev", "--method", "fidelis", "--data", "."], "2-hop/qa_dev.txt: no such file"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(run: Run, tmp_path: Path, arguments: list[str], problem: str) -> None:
    result = run(*arguments, "--kg", "bundled", "--out", tmp_path / "run")
    assert result.exit_code == 2
    assert problem in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "run").exists()


def test_several_methods_are_a_run_each(run: Run, tmp_path: Path) -> None:
    data, out = write_questions(tmp_path / "data", 1), tmp_path / "out"
    asked = ["evaluate", "metaqa/2-hop/dev", "--kg", "bundled", "--data", data, "--out", out]
    shown = run(*asked, "--method", "fidelis,auto")
    assert shown.exit_code == 0
    assert [one.name for one in runs_in([out])] == ["auto", "fidelis"]
    rows = [line.split()[1] for line in shown.stdout.splitlines() if line.startswith(("│ fidelis", "│ auto"))]
    assert rows == ["fidelis", "auto"]
    again = json.loads(run(*asked, "--method", "fidelis,auto", "--json").stdout)
    assert {name: one["n"] for name, one in again.items()} == {"fidelis": 2, "auto": 2}
    twice = run(*asked, "--method", "auto,auto")
    assert (twice.exit_code, twice.stderr.count("\n")) == (2, 1)


def test_what_no_method_can_be_asked_is_told_before_another_one_asks(run: Run, tmp_path: Path) -> None:
    data, out = write_questions(tmp_path / "data", 1), tmp_path / "out"
    shown = run(
        "evaluate", "metaqa/2-hop/dev", "--kg", "bundled", "--data", data, "--out", out, "--method", "fidelis,rr"
    )
    assert (shown.exit_code, shown.stdout) == (2, "")
    assert "rr needs a language model" in shown.stderr
    assert not out.exists()


def test_questions_that_a_method_does_not_take_are_recorded_beside_others(run: Run, tmp_path: Path) -> None:
    questions, out = tmp_path / "mixed.jsonl", tmp_path / "out"
    lines = [
        {"id": "claim", "question": "Ada Lovelace was born in Paris.", "task": "claim", "verdict": False},
        {"id": "birth", "question": "Where was Ada Lovelace born?", "answers": ["London"]},
    ]
    questions.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    summary = json.loads(
        run("evaluate", questions, "--kg", "bundled", "--method", "fidelis", "--out", out, "--json").stdout
    )
    assert (summary["n"], summary["answered"], summary["crashed"]) == (2, 1, 1)
    assert summary["metrics"]["accuracy"]["estimate"] == 0.0
    assert "decides no claims" in (out / "records.jsonl").read_text("utf-8")

    questions.write_text(json.dumps(lines[0]) + "\n", "utf-8")
    refused = run("evaluate", questions, "--kg", "bundled", "--method", "fidelis", "--out", tmp_path / "none")
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
    assert "decides no claims" in refused.stderr


def test_a_dry_run_tells_what_is_left_and_asks_nothing(run: Run, tmp_path: Path) -> None:
    data, out = write_questions(tmp_path / "data", 4), tmp_path / "out"
    reply = chat(json.dumps({"thought": "By heart.", "answer": ["London"]}), usage=(1000, 100))
    with ModelServer([reply]) as server:
        asked = ["evaluate", "metaqa/2-hop/dev", "--kg", "bundled", "--data", data, "--out", out, "--json"]
        asked += ["--method", "model-only:cot,model-only:self-consistency", "--prices", "1,10", "--model", "openai:m"]
        asked += ["--base-url", server.url]
        before = json.loads(run(*asked, "--dry-run", "--budget-tokens", 5000).stdout)
        assert (server.bodies, out.exists()) == ([], False)
        assert [(one["left"], one["most_calls"], one["measured"]) for one in before] == [(8, 8, 0), (8, 72, 0)]
        assert [one["calls"] for one in before] == [None, None]
        assert before[0]["most_cost"] == pytest.approx(8 * 5000 * 10 / 1e6)
        run(*asked, "--limit", 2)
        calls = len(server.bodies)
        after = json.loads(run(*asked, "--dry-run").stdout)
        assert len(server.bodies) == calls
        shown = run(*[one for one in asked if one != "--json"], "--dry-run").stdout
    assert calls == 2 + 2 * 9
    assert [(one["left"], one["measured"], one["calls"]) for one in after] == [(6, 2, 6.0), (6, 2, 54.0)]
    assert after[0]["cost"] == pytest.approx(6 * (1000 * 1 + 100 * 10) / 1e6)
    assert after[0]["tokens"] == 6 * 1100
    assert "What is left to ask" in shown


@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="ray is not installed")
def test_the_same_on_ray(run: Run, start: Start, tmp_path: Path) -> None:
    data, here, there = write_questions(tmp_path / "data", 1), tmp_path / "here", tmp_path / "there"
    asked = ["evaluate", "metaqa/2-hop/dev", "--kg", "bundled", "--method", "fidelis", "--data", data]
    assert run(*asked, "--out", here).exit_code == 0
    process = start(*asked, "--out", there, "--engine", "ray", "--workers", 1, "--json")
    stdout, _ = process.communicate()
    assert process.returncode == 0
    assert json.loads(stdout)["n"] == 2
    assert paid_run.records(there) == paid_run.records(here)


def test_options_of_other_engines_and_graphs(run: Run, tmp_path: Path) -> None:
    data = write_questions(tmp_path / "data", 1)
    for more, problem in (
        (["--workers", 2], "--workers is about a Ray cluster"),
        (["--perturb", "edge-deletion"], "edge-deletion"),
        (["--perturb", "edge-deletion:0.5", "--kg", "bundled"], "needs one graph that is built in a folder"),
    ):
        result = run(*ASKED, "--data", data, "--out", tmp_path / "run", *more)
        assert (result.exit_code, result.stderr.splitlines()[-1][:9]) == (2, "toulmin: ")
        assert problem in result.stderr


def test_a_sweep_of_perturbations_is_a_run_for_each_level(run: Run, tmp_path: Path) -> None:
    data, out = write_questions(tmp_path / "data", 1), tmp_path / "out"
    asked = [*ASKED, "--data", data, "--out", out, "--json", "--perturb", "edge-deletion:0,1"]
    summaries = json.loads(run(*asked, "--perturb", "stale-value:0").stdout)
    assert sorted(summaries) == ["fidelis", "fidelis@edge-deletion-1"]
    assert summaries["fidelis"]["run"]["perturbation"] is None
    gone = summaries["fidelis@edge-deletion-1"]
    assert gone["run"]["perturbation"] == {"kind": "edge-deletion", "level": 1.0, "seed": 0}
    assert (gone["n"], gone["answered"]) == (2, 0)
    assert summaries["fidelis"]["run"]["graph"] != gone["run"]["graph"]
    assert json.loads(run(*asked).stdout) == summaries
    titles = [line.strip() for line in run(*asked[:-3], *asked[-2:]).stdout.splitlines() if "2 questions" in line]
    assert titles == [
        "metaqa/2-hop/dev · fidelis · 2 questions",
        "metaqa/2-hop/dev · fidelis @ edge-deletion 1 · 2 questions",
    ]
