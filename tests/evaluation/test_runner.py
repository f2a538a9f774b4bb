"""The runner: what it records, how it goes on after being stopped, what it refuses."""

from __future__ import annotations

import contextlib
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from toulmin.errors import EndpointError, GraphError, ModelError, RefusedError, SettingsError, SourceError
from toulmin.evaluation.datasets import Dataset, Question
from toulmin.evaluation.engines import Asking
from toulmin.evaluation.metrics.answers import question_metrics
from toulmin.evaluation.records import read_records, read_run, runs_in
from toulmin.evaluation.runner import run
from toulmin.evaluation.summary import Summary
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.types import Entity, Relation, Statement
from toulmin.program.answer import Answer, Usage
from toulmin.program.builder import Builder
from toulmin.program.reasons import Other

QUESTIONS = tuple(Question(f"q{n}", f"question {n}?", (f"value {n}", "other"), file="f", line=n) for n in range(24))
DATASET = Dataset("toy", QUESTIONS)


def answer(
    question: str,
    *values: str,
    verdict: bool | None = None,
    abstained: bool = False,
    confidence: float | None = None,
) -> Answer:
    start, relation = Entity("e:start", "start"), Relation("r:r", "r")
    ends = [Entity(f"http://e/{value}", value) for value in values] or [start]
    with MemoryGraph.from_statements([Statement(start, relation, end) for end in ends]) as graph:
        builder = Builder(question, graph)
        usage = Usage(model_calls=1, seconds=0.5)
        if abstained:
            return builder.abstain(Other(says="nothing found"), method="toy", usage=usage)
        found = builder.follow(builder.entity(start), relation)
        if verdict is not None:
            found = builder.exists(found) if verdict else builder.not_(builder.exists(found))
        return builder.answer(found, by="toy", score=1.0, method="toy", usage=usage, confidence=confidence)


def toy(question: str) -> Answer:
    """Right, half right, wrong, abstaining or crashing, by the number in the question."""
    number = int(question.split()[1].rstrip("?"))
    match number % 6:
        case 0:
            return answer(question, f"value {number}", "other")
        case 1:
            return answer(question, f"Value {number}")
        case 2:
            return answer(question, "mistake", "other")
        case 3:
            return answer(question, abstained=True)
        case 4:
            raise EndpointError("no route to the endpoint")
        case _:
            return answer(question, "ther")


def figures(summary: Summary) -> dict[str, Any]:
    """A summary without what depends on the clock."""
    return {key: value for key, value in asdict(summary).items() if "seconds" not in key}


def go(out: Path, method: Callable[[str], Answer] = toy, **options: Any) -> Summary:
    how = {name: options.pop(name) for name in ("check", "measure", "graph", "model") if name in options}
    asking = Asking(lambda asked: method(asked.question), **how)
    return run(options.pop("dataset", DATASET), asking, out, name="toy", **options)


# --- What is recorded


def test_unanswered_questions_count_as_wrong_and_are_counted_apart(tmp_path: Path) -> None:
    summary = go(tmp_path)
    assert (summary.n, summary.answered, summary.abstained, summary.crashed, summary.timed_out) == (24, 16, 4, 4, 0)
    assert summary.metrics["hits_at_1"].estimate == pytest.approx(8 / 24)
    assert summary.metrics["exact"].estimate == pytest.approx(4 / 24)
    assert summary.metrics["f1"].estimate == pytest.approx(4 * (1 + 2 / 3 + 1 / 2) / 24)
    assert summary.metrics["legacy_hit"].estimate == pytest.approx(16 / 24)
    assert summary.legacy_answered_only["hits_at_1"] == pytest.approx(8 / 16)
    assert summary.usage["model_calls"] == 20
    interval = summary.metrics["hits_at_1"]
    assert interval.low < interval.estimate < interval.high
    assert interval.n == 24


def test_a_record_tells_the_whole_story(tmp_path: Path) -> None:
    go(tmp_path)
    records = {record["id"]: record for record in read_records(tmp_path)}
    assert len(records) == 24
    right, crashed = records["q0"], records["q4"]
    assert right["question"] == "question 0?"
    assert right["gold"]["answers"] == ["value 0", "other"]
    assert Answer(right["answer"]) == toy("question 0?")
    assert (right["outcome"], right["error"], right["check"]) == ("answered", None, None)
    assert right["seconds"] >= 0
    assert (crashed["outcome"], crashed["answer"]) == ("crashed", None)
    assert (crashed["error"]["type"], crashed["error"]["message"]) == ("EndpointError", "no route to the endpoint")
    assert "raise EndpointError" in crashed["error"]["traceback"]
    assert set(crashed["metrics"].values()) == {0.0}
    assert records["q3"]["outcome"] == "abstained"


def test_summary_json_holds_the_summary(tmp_path: Path) -> None:
    summary = go(tmp_path)
    assert json.loads((tmp_path / "summary.json").read_text()) == json.loads(json.dumps(asdict(summary)))


def test_a_method_that_returns_no_answer_has_crashed(tmp_path: Path) -> None:
    summary = go(tmp_path, lambda _: None, limit=2)  # type: ignore[arg-type,return-value]
    assert summary.crashed == 2


def test_verdicts_are_scored_by_accuracy(tmp_path: Path) -> None:
    dataset = Dataset("yes/no", tuple(Question(str(n), f"claim {n}", verdict=n % 2 == 0) for n in range(6)))
    summary = go(tmp_path, lambda q: answer(q, verdict=True), dataset=dataset)
    assert {name: interval.estimate for name, interval in summary.metrics.items()} == {"accuracy": 0.5}
    unsure = answer("claim 1", abstained=True)
    assert question_metrics(dataset.questions[1], unsure) == {"accuracy": 0.0}


def test_a_label_that_is_no_text_can_be_recorded(tmp_path: Path) -> None:
    broken = Dataset("broken", (Question("1", "what is \ud800?", ("a",)),))
    assert go(tmp_path, lambda _: answer("q", "a"), dataset=broken).n == 1
    assert next(read_records(tmp_path))["question"] == "what is \ud800?"
    assert go(tmp_path, lambda _: answer("q", "b"), dataset=broken).metrics["hits_at_1"].estimate == 1


def test_a_question_out_of_time_counts_as_wrong(tmp_path: Path) -> None:
    def slow(question: str) -> Answer:
        deadline = time.monotonic() + 30
        while question == "question 1?" and time.monotonic() < deadline:
            with contextlib.suppress(Exception):  # as careless methods do
                time.sleep(0.01)
        if question == "question 2?":
            raise TimeoutError
        return answer(question, "other")

    summary = go(tmp_path, slow, dataset=Dataset("toy", QUESTIONS[:4]), timeout=0.2)
    assert (summary.answered, summary.timed_out) == (2, 2)
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    assert "within 0.2 seconds" in next(r["error"]["message"] for r in read_records(tmp_path) if r["error"])


def test_the_console_shows_progress_and_the_table(tmp_path: Path) -> None:
    console = Console(record=True, width=100, file=(tmp_path / "terminal").open("w"))
    go(tmp_path / "run", console=console)
    text = console.export_text()
    console.file.close()
    assert "24/24" in text
    assert "hits_at_1" in text
    assert "0.3333" in text
    assert "4 abstained, 4 crashed" in text


# --- Going on


def test_a_larger_limit_goes_on_with_the_same_sample(tmp_path: Path) -> None:
    asked: list[str] = []

    def method(question: str) -> Answer:
        asked.append(question)
        return toy(question)

    go(tmp_path, method, limit=5, seed=3, retry=False)
    small = list(asked)
    summary = go(tmp_path, method, limit=9, seed=3, retry=False)
    assert asked[:5] == small
    assert len(asked) == len(set(asked)) == 9 == summary.n
    go(tmp_path, method, seed=3, retry=False)
    assert sorted(asked) == sorted(question.question for question in QUESTIONS)
    again = go(tmp_path, method, limit=5, seed=3, retry=False)
    assert again.n == 5
    assert len(asked) == 24


@pytest.mark.parametrize("concurrency", [1, 3])
@pytest.mark.parametrize("broken", [0, 8])
def test_an_outage_ends_the_run_and_its_questions_are_asked_again(
    tmp_path: Path, concurrency: int, broken: int
) -> None:
    asked: list[str] = []

    async def failing(question: Question) -> Answer:
        asked.append(question.id)
        if len(asked) > broken:
            raise ModelError("HTTP 401: no such key")
        return answer(question.question, "other")

    with pytest.raises(ModelError, match=r"^HTTP 401: no such key \(so failed 10 questions in a row; the same command"):
        run(DATASET, Asking(failing), tmp_path, name="toy", concurrency=concurrency)
    assert [record["outcome"] for record in read_records(tmp_path)] == ["answered"] * broken
    again = go(tmp_path, lambda question: answer(question, "other"))
    assert (again.answered, again.crashed) == (24, 0)


def test_an_outage_of_all_questions_of_a_small_run(tmp_path: Path) -> None:
    def failing(question: str) -> Answer:
        raise EndpointError("no route")

    with pytest.raises(GraphError, match="so failed 2 questions in a row") as caught:
        go(tmp_path, failing, dataset=Dataset("toy", QUESTIONS[:2]))
    assert "no route" in str(caught.value)


@pytest.mark.parametrize("concurrency", [1, 3])
def test_settings_that_fit_no_question_end_the_run(tmp_path: Path, concurrency: int) -> None:
    async def refusing(question: Question) -> Answer:
        raise SettingsError("needs a model")

    with pytest.raises(SettingsError, match="needs a model"):
        run(DATASET, Asking(refusing), tmp_path, name="toy", concurrency=concurrency)
    assert list(read_records(tmp_path)) == []


@pytest.mark.parametrize("concurrency", [1, 3])
def test_a_question_that_the_method_refuses_is_an_outcome_where_it_takes_others(
    tmp_path: Path, concurrency: int
) -> None:
    async def choosy(question: Question) -> Answer:
        if question.id != "q20":
            raise RefusedError("decides no claims")
        return answer(question.question, "value 20", "other")

    summary = run(DATASET, Asking(choosy), tmp_path, name="toy", concurrency=concurrency)
    assert (summary.n, summary.answered, summary.crashed) == (24, 1, 23)
    assert summary.metrics["f1"].n == 24
    errors = [record["error"] for record in read_records(tmp_path) if record["error"]]
    assert {(error["type"], error["message"]) for error in errors} == {("RefusedError", "decides no claims")}

    none = Dataset("toy", QUESTIONS[:20])
    with pytest.raises(RefusedError, match=r"^decides no claims$"):
        run(none, Asking(choosy), tmp_path / "none", name="toy", concurrency=concurrency)
    assert list(read_records(tmp_path / "none")) == []


@given(st.integers(0, 1 << 30))
@settings(max_examples=25, deadline=None)
def test_records_cut_anywhere_give_the_same_summary(cut: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        whole = go(out)
        path = out / "records.jsonl"
        content = path.read_bytes()
        path.write_bytes(content[: cut % (len(content) + 1)])
        left = content[: cut % (len(content) + 1)].count(b"\n")
        asked: list[str] = []

        def method(question: str) -> Answer:
            asked.append(question)
            return toy(question)

        assert figures(go(out, method, retry=False)) == figures(whole)
        assert len(asked) == 24 - left
        assert len(list(read_records(out))) == 24


RUN_SLOWLY = """
import signal, sys, time
from pathlib import Path
sys.path.insert(0, {tests!r})
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have us ignore it
from test_runner import go, toy
asked = 0
def slow(question):
    global asked
    asked += 1
    time.sleep(0.01 if asked < 20 else 60)  # never done before the kill, however slow the machine
    return toy(question)
go(Path({out!r}), slow)
"""


@pytest.mark.parametrize("kill", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_run_goes_on_to_the_same_summary(tmp_path: Path, kill: signal.Signals) -> None:
    out = tmp_path / "killed"
    code = RUN_SLOWLY.format(tests=str(Path(__file__).parent), out=str(out))
    records, wanted = out / "records.jsonl", random.Random(kill).randint(1, 15)
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE)
    while process.poll() is None and (not records.exists() or records.read_bytes().count(b"\n") < wanted):
        time.sleep(0.002)
    process.send_signal(kill)
    _, stderr = process.communicate()
    assert process.returncode != 0
    assert kill is signal.SIGKILL or b"KeyboardInterrupt" in stderr
    done = records.read_bytes().count(b"\n")
    assert wanted <= done < 24
    assert not (out / "summary.json").exists()
    assert figures(go(out)) == figures(go(tmp_path / "whole"))


def test_an_interrupt_is_not_a_crash(tmp_path: Path) -> None:
    def interrupted(question: str) -> Answer:
        if question == "question 2?":
            raise KeyboardInterrupt
        return toy(question)

    with pytest.raises(KeyboardInterrupt):
        go(tmp_path, interrupted)
    assert [record["id"] for record in read_records(tmp_path)] == ["q0", "q1"]


def test_what_crashed_is_asked_again(tmp_path: Path) -> None:
    asked: list[str] = []

    def mended(question: str) -> Answer:
        asked.append(question)
        return answer(question, "other")

    go(tmp_path)
    before = {record["id"]: record for record in read_records(tmp_path) if record["outcome"] != "crashed"}
    summary = go(tmp_path, mended)
    assert sorted(asked) == sorted(f"question {number}?" for number in (4, 10, 16, 22))
    assert (summary.n, summary.crashed, summary.answered) == (24, 0, 20)
    after = list(read_records(tmp_path))
    assert len(after) == 24
    assert {record["id"]: record for record in after if record["id"] in before} == before


def test_one_process_at_a_time_works_on_a_run(tmp_path: Path) -> None:
    def nested(question: str) -> Answer:
        with pytest.raises(SettingsError, match="worked on by another process"):
            go(tmp_path)
        return toy(question)

    assert go(tmp_path, nested, limit=1).n == 1


# --- What is refused


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"settings": {"beam": {"width": 5}}}, "settings.beam.width was 4, is 5"),
        ({"seed": 1}, "seed was 0, is 1"),
        ({"graph": "other"}, 'graph was "", is "other"'),
        ({"dataset": Dataset("toy", QUESTIONS[1:])}, "questions was"),
        ({"timeout": 9.0}, "timeout was null, is 9.0"),
    ],
)
def test_a_run_of_something_else_is_not_gone_on_with(tmp_path: Path, changes: dict[str, Any], named: str) -> None:
    first: dict[str, Any] = {"limit": 2, "settings": {"beam": {"width": 4}}}
    go(tmp_path, toy, **first)
    with pytest.raises(SettingsError) as caught:
        go(tmp_path, toy, **{**first, **changes})
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_damaged_run_is_named_by_line(tmp_path: Path) -> None:
    go(tmp_path)
    path = tmp_path / "records.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    for broken in (b"{oops\n", b"[]\n", b'{"id": "q1"}\n'):
        path.write_bytes(b"".join([*lines[:3], broken, *lines[3:]]))
        with pytest.raises(SourceError, match=r"records\.jsonl:4: not"):
            go(tmp_path)
    for damage in ("{", "[" * 100_000):
        (tmp_path / "run.json").write_text(damage)
        with pytest.raises(SourceError, match="damaged"):
            go(tmp_path)


def test_a_summary_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "summary.json").mkdir()
    with pytest.raises(SettingsError, match=r"summary\.json cannot be written"):
        go(tmp_path)
    assert not list(tmp_path.glob(".summary*"))


def test_other_refusals(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="limit"):
        go(tmp_path, limit=0)
    with pytest.raises(SettingsError, match="no question to ask"):
        go(tmp_path, dataset=Dataset("empty", ()))
    with pytest.raises(SettingsError, match="JSON"):
        go(tmp_path, settings={"graph": object()})
    for timeout in (0, float("nan"), float("inf"), 1e300):
        with pytest.raises(SettingsError, match="above 0"):
            go(tmp_path, timeout=timeout)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "records.jsonl").write_text("{}\n")
    with pytest.raises(SettingsError, match=r"no run\.json"):
        go(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError, match="cannot be written"):
        go(tmp_path / "file" / "run")


# --- Finding runs


def test_runs_are_found_in_folders_that_hold_them(tmp_path: Path) -> None:
    for name in ("fidelis", "fidelis@edge-deletion-0.3", "rr"):
        go(tmp_path / "out" / name, limit=1)
    (tmp_path / "empty").mkdir()
    out = tmp_path / "out"
    assert [one.name for one in runs_in([out / "rr", out])] == ["rr", "fidelis", "fidelis@edge-deletion-0.3"]
    for none in (tmp_path / "empty", tmp_path / "missing"):
        with pytest.raises(SourceError, match="nor one that holds runs"):
            runs_in([out, none])


def test_a_record_says_type_hops_confidence_and_its_run_the_perturbation(tmp_path: Path) -> None:
    dataset = Dataset("toy", (Question("1", "which is longer?", ("a",), type="comparison", hops=2),))
    graph = {"kind": "edge-deletion", "level": 0.3, "seed": 0}
    go(tmp_path, lambda question: answer(question, "a", confidence=0.75), dataset=dataset, perturbation=graph)
    record = next(read_records(tmp_path))
    assert (record["type"], record["hops"], record["confidence"]) == ("comparison", 2, 0.75)
    assert read_run(tmp_path)["perturbation"] == graph
    with pytest.raises(SettingsError, match="perturbation was"):
        go(tmp_path, dataset=dataset)


def test_a_question_without_gold_has_no_metrics_and_one_that_nothing_answers_wants_an_abstention() -> None:
    open_ended, unknown = (
        Question("1", "how do tides work?", gold_text="By the moon."),
        Question("2", "?", unknown=True),
    )
    assert question_metrics(open_ended, answer("?", "a")) == {}
    assert question_metrics(unknown, answer("?", abstained=True)) == {"accuracy": 1.0}
    assert question_metrics(unknown, answer("?", "a")) == question_metrics(unknown, None) == {"accuracy": 0.0}
