"""``toulmin evaluate``."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toulmin.cli.failures import INTERRUPTED

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
    assert all(json.loads(line)["outcome"] == "answered" for line in kept)
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
