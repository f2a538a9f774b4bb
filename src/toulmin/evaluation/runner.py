"""Asks a method the questions of a data set, one by one, and keeps a record of each."""

from __future__ import annotations

import json
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from toulmin.errors import SettingsError
from toulmin.evaluation.datasets.types import Dataset, Question
from toulmin.evaluation.metrics import hits_at_1, legacy_hit, set_scores, value_label, verdict_accuracy
from toulmin.evaluation.records import SUMMARY, Outcome, RunFolder, write_json
from toulmin.evaluation.summary import Summary, summarise, table
from toulmin.evaluation.timeouts import OutOfTime, time_limit
from toulmin.proof.answer import Answer
from toulmin.proof.checker import CheckReport

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["Check", "Method", "question_metrics", "run"]

Method = Callable[[str], Answer]
Check = Callable[[Answer], CheckReport]
T = TypeVar("T")
_BAD = ("stale", "fails")


def question_metrics(question: Question, answer: Answer | None) -> dict[str, float]:
    """Every metric of one question; all are 0 for no answer and for an abstention.

    ``accuracy`` where the gold is a verdict; else ``hits_at_1``, ``precision``, ``recall``, ``f1``, ``exact`` and
    ``legacy_hit``.
    """
    said = answer if answer is not None and not answer.abstained else None
    if question.verdict is not None:
        return {"accuracy": verdict_accuracy(said.verdict, question.verdict) if said else 0.0}
    values = [value_label(value) for value in said.values] if said else []
    return {
        "hits_at_1": hits_at_1(values, question.answers),
        **set_scores(values, question.answers)._asdict(),
        "legacy_hit": legacy_hit(values, question.answers),
    }


def run(
    dataset: Dataset,
    method: Method,
    out: Path,
    *,
    name: str,
    settings: Mapping[str, Any] | None = None,
    graph: str = "",
    limit: int | None = None,
    seed: int = 0,
    timeout: float | None = None,
    check: Check | None = None,
    console: Console | None = None,
) -> Summary:
    """Ask ``method`` the questions of ``dataset``, go on where an earlier run in ``out`` stopped, and summarise.

    Args:
        method: question text -> answer. What it raises is recorded and counts as wrong; KeyboardInterrupt ends the run.
        out: the folder of the run: ``run.json``, ``records.jsonl``, and at the end ``summary.json``.
        name, settings, graph: what ``method`` is: its name, its settings as JSON, the fingerprint of its graph. A run
            goes on only where these, the data and the seed are the same.
        limit, seed: ask a seeded sample of ``limit`` questions; a larger limit goes on with the same sample.
        timeout: wall seconds for one question; one that takes longer counts as wrong.
        check: re-checks the proof of every answer and abstention, e.g. ``partial(checker.check, graph=graph)``. Adds
            the metric ``grounded_accuracy``: 1 iff the answer is right (accuracy, Hits@1) and nothing in it fails, is
            stale or is unverifiable.
        console: where to show progress and the table; None: nowhere.

    Raises:
        SettingsError: ``out`` holds a run of something else, or a setting is out of range.
        SourceError: ``out`` holds a damaged run.
    """
    if limit is not None and limit < 1:
        raise SettingsError(f"the limit must be at least 1 question, not {limit}")
    with time_limit(timeout):
        pass  # a limit that cannot be set is an error of the call, not of every question
    selection = dataset.sample(limit, seed)
    if not selection:
        first = f", first {dataset.problems[0]}" if dataset.problems else ""
        raise SettingsError(f"{dataset.id} has no question to ask ({len(dataset.problems)} problems{first})")
    what = {
        "dataset": dataset.id,
        "questions": _digest(dataset.questions),
        "method": name,
        "settings": _as_json(settings or {}),
        "graph": graph,
        "seed": seed,
        "timeout": timeout,
        "checked": check is not None,
        "version": version("toulmin"),
    }
    folder = RunFolder(out, what)
    with _progress(console, f"{dataset.id} {name}", len(selection)) as progress:
        for question in selection:
            if question.id not in folder.scores:
                folder.append(_record(question, method, timeout, check))
            progress()
    scores = [folder.scores[question.id] for question in selection]
    summary = summarise(what, scores, problems=len(dataset.problems))
    write_json(out / SUMMARY, asdict(summary))
    if console is not None:
        console.print(table(summary))
    return summary


def _record(question: Question, method: Method, timeout: float | None, check: Check | None) -> dict[str, Any]:
    """Ask one question."""

    def ask() -> Answer:
        answer = method(question.question)
        if not isinstance(answer, Answer):
            raise TypeError(f"the method returned {type(answer).__name__}, not an Answer")
        return answer

    start = time.perf_counter()
    answer, error, late = _attempt(ask, timeout)
    seconds = time.perf_counter() - start
    outcome: Outcome = "answered"
    if answer is None:
        outcome = "timed out" if late else "crashed"
    elif answer.abstained:
        outcome = "abstained"
    metrics = question_metrics(question, answer)
    checked: dict[str, Any] | None = None
    if check is not None:
        grounded = False
        if answer is not None:
            report, check_error, _ = _attempt(lambda: check(answer), None)
            checked = {"passed": False, "status": None, "error": check_error} if report is None else _outline(report)
            grounded = checked["passed"] and checked["status"] != "unverifiable"
        metrics["grounded_accuracy"] = metrics.get("accuracy", metrics.get("hits_at_1", 0.0)) * grounded
    return {
        "id": question.id,
        "question": question.question,
        "file": question.file,
        "line": question.line,
        "gold": {"answers": question.answers, "verdict": question.verdict, "entities": question.gold_entities},
        "outcome": outcome,
        "metrics": metrics,
        "seconds": seconds,
        "check": checked,
        "error": error,
        "answer": None if answer is None else answer.model_dump(mode="json"),
    }


def _outline(report: CheckReport) -> dict[str, Any]:
    """What a record keeps of a check."""
    failed = [f"{step.id} ({step.kind}) {step.status}: {step.reason}" for step in report.steps if step.status in _BAD]
    return {"passed": report.exit_code == 0, "status": report.status, "problems": [*report.problems, *failed]}


def _attempt(call: Callable[[], T], timeout: float | None) -> tuple[T | None, dict[str, str] | None, bool]:
    """What a call returned, or what it raised, and whether that was for lack of time."""
    try:
        with time_limit(timeout):
            return call(), None, False
    except OutOfTime:
        message = f"no answer within {timeout} seconds"
        return None, {"type": "OutOfTime", "message": message, "traceback": ""}, True
    except Exception as error:  # noqa: BLE001  a crash on one question is an outcome of the evaluation: recorded, not hidden
        text = "".join(traceback.format_exception(error))
        failure = {"type": type(error).__name__, "message": str(error), "traceback": text}
        return None, failure, isinstance(error, TimeoutError)


@contextmanager
def _progress(console: Console | None, label: str, total: int) -> Iterator[Callable[[], None]]:
    """A function to call after each question, which moves a bar on the console."""
    if console is None:
        yield lambda: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(label, total=total)
        yield lambda: bar.advance(task)


def _digest(questions: Sequence[Question]) -> str:
    """Names the questions and their gold."""
    digest = blake2b(digest_size=16)
    for question in questions:
        gold = [question.id, question.question, question.answers, question.verdict, question.gold_entities]
        digest.update(json.dumps(gold).encode() + b"\n")
    return digest.hexdigest()


def _as_json(settings: Mapping[str, Any]) -> dict[str, Any]:
    try:
        value: dict[str, Any] = json.loads(json.dumps(dict(settings), allow_nan=False))
    except (TypeError, ValueError) as error:
        raise SettingsError(f"the settings of the method cannot be written as JSON: {error}") from None
    return value
