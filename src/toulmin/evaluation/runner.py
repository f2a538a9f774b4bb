"""Asks a method the questions of a data set and keeps a record of each."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toulmin.errors import GraphError, ModelError, SettingsError
from toulmin.evaluation.asking import Asked, Method, ask, ask_concurrently, attempt, failure
from toulmin.evaluation.datasets.types import Dataset, Question
from toulmin.evaluation.grounding import passes_grounded
from toulmin.evaluation.metrics import question_metrics
from toulmin.evaluation.records import RECORDS, SUMMARY, Outcome, RunFolder, write_json
from toulmin.evaluation.summary import Summary, summarise, table
from toulmin.evaluation.timeouts import time_limit
from toulmin.kernel import Report
from toulmin.program.answer import Answer

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["Check", "Measure", "run"]

Check = Callable[[Question, Answer], Report]
Measure = Callable[[Question, Answer | None], Mapping[str, float]]
_BAD = ("stale", "fails")
_OUTAGES = 10  # questions in a row without model or graph, after which a run ends


def run(
    dataset: Dataset,
    method: Method,
    out: Path,
    *,
    name: str,
    settings: Mapping[str, Any] | None = None,
    graph: str = "",
    model: str | None = None,
    limit: int | None = None,
    seed: int = 0,
    perturbation: Mapping[str, Any] | None = None,
    timeout: float | None = None,
    concurrency: int = 1,
    check: Check | None = None,
    measure: Measure | None = None,
    close: Callable[[], Awaitable[None]] | None = None,
    console: Console | None = None,
) -> Summary:
    """Ask ``method`` the questions of ``dataset``, go on where an earlier run in ``out`` stopped, and summarise.

    Args:
        method: question -> answer. What it raises is recorded and counts as wrong. KeyboardInterrupt and SettingsError
            end the run; so do ten questions in a row, or all, for which the model or the graph was not to be had: they
            are not recorded, and are asked again when the run goes on.
        out: the folder of the run: ``run.json``, ``records.jsonl``, and at the end ``summary.json``.
        name, settings, graph, model: what ``method`` is: its name, its settings as JSON, the fingerprint of its graph,
            its language model. A run goes on only where these, the data and the seed are the same.
        limit, seed: ask a seeded sample of ``limit`` questions; a larger limit goes on with the same sample. The seed
            orders the options of multiple choices, too.
        perturbation: what was done to the graph: kind, level and seed; None: nothing.
        timeout: wall seconds for one question; one that takes longer counts as wrong. With a ``concurrency`` above 1 it
            ends what waits, for a model say, and not what computes.
        concurrency: how many questions are asked at a time, in one event loop.
        check: re-checks every answer and abstention. Adds the metric ``grounded_accuracy``: 1 iff the
            answer is right (accuracy, Hits@1) and grounded (``grounding.passes_grounded``).
        measure: further metrics of a question, by name.
        close: awaited at the end, in the event loop of the questions: it closes connections that belong to it.
        console: where to show progress and the table; None: nowhere.

    Raises:
        SettingsError: ``out`` holds a run of something else, or a setting is out of range.
        SourceError: ``out`` holds a damaged run.
        ModelError, GraphError: the model or the graph is not to be had.
    """
    if limit is not None and limit < 1:
        raise SettingsError(f"the limit must be at least 1 question, not {limit}")
    if concurrency < 1:
        raise SettingsError(f"the concurrency must be at least 1 question, not {concurrency}")
    with time_limit(timeout):
        pass  # a limit that cannot be set is an error of the call, not of every question
    selection = tuple(question.shuffled(seed) for question in dataset.sample(limit, seed))
    if not selection:
        first = f", first {dataset.problems[0]}" if dataset.problems else ""
        raise SettingsError(f"{dataset.id} has no question to ask ({len(dataset.problems)} problems{first})")
    what = {
        "dataset": dataset.id,
        "questions": _digest(dataset.questions),
        "method": name,
        "settings": _as_json(settings or {}),
        "graph": graph,
        "model": model,
        "seed": seed,
        "perturbation": None if perturbation is None else dict(perturbation),
        "timeout": timeout,
        "checked": check is not None,
        "version": version("toulmin"),
    }
    folder = RunFolder(out, what)
    waiting = [question for question in selection if question.id not in folder.scores]
    with _progress(console, f"{dataset.id} {name}", len(selection)) as progress:
        progress(len(selection) - len(waiting))

        told: list[str] = []  # the first question that failed

        outages: list[Asked] = []  # in a row; recorded once another question fares better

        def keep(asked: Asked) -> None:
            if asked.outage is not None:
                outages.append(asked)
                if len(outages) >= _OUTAGES:
                    raise _lasting(outages)
                return
            for one in (*outages, asked):
                write(one)
            outages.clear()

        def write(asked: Asked) -> None:
            folder.append(_record(asked, check, measure))
            progress(1)
            if asked.error is not None and console is not None and not told:
                told.append(asked.question.id)
                said = (
                    f"{asked.question.id}: {asked.error['type']}: {asked.error['message']} (told once; see {RECORDS})"
                )
                console.print(said, markup=False, soft_wrap=True)

        with asyncio.Runner() as runner:
            try:
                if concurrency == 1:
                    for question in waiting:
                        keep(ask(question, method, timeout, runner))
                else:
                    ask_concurrently(waiting, method, timeout, concurrency, keep, runner)
                if outages and not folder.scores:
                    raise _lasting(outages)
                for one in outages:
                    write(one)
            finally:
                if close is not None:
                    runner.run(_wait(close))
    scores = [folder.scores[question.id] for question in selection]
    summary = summarise(what, scores, problems=len(dataset.problems))
    write_json(out / SUMMARY, asdict(summary))
    if console is not None:
        console.print(table(summary))
    return summary


def _lasting(outages: Sequence[Asked]) -> ModelError | GraphError:
    """The error that ends a run."""
    last = outages[-1].outage
    times = f"{len(outages)} questions in a row" if len(outages) > 1 else "the question"
    said = f"{last} (so failed {times}; the same command goes on once that is mended)"
    return GraphError(said) if isinstance(last, GraphError) else ModelError(said)


async def _wait(close: Callable[[], Awaitable[None]]) -> None:
    await close()


def _record(asked: Asked, check: Check | None, measure: Measure | None) -> dict[str, Any]:
    """The record of a question that was asked."""
    question, answer = asked.question, asked.answer
    outcome: Outcome = "answered"
    if answer is None:
        outcome = "timed out" if asked.late else "crashed"
    elif answer.abstained:
        outcome = "abstained"
    metrics = question_metrics(question, answer)
    checked: dict[str, Any] | None = None
    if check is not None:
        grounded = False
        if answer is not None:
            report, error = attempt(lambda: check(question, answer))
            failed = None if error is None else failure(error)
            checked = {"passed": False, "status": None, "error": failed} if report is None else _outline(report)
            grounded = report is not None and passes_grounded(answer, report)
        right = metrics.get("accuracy", metrics.get("hits_at_1"))
        if right is not None:
            metrics["grounded_accuracy"] = right * grounded
    if measure is not None:
        metrics |= measure(question, answer)
    return {
        "id": question.id,
        "question": question.question,
        "file": question.file,
        "line": question.line,
        "type": question.type,
        "hops": question.hops,
        "gold": {
            "answers": question.answers,
            "verdict": question.verdict,
            "unknown": question.unknown,
            "text": question.gold_text,
            "entities": question.gold_entities,
        },
        **({"options": question.options} if question.options else {}),
        "outcome": outcome,
        "confidence": None if answer is None else answer.confidence,
        "metrics": metrics,
        "seconds": asked.seconds,
        "check": checked,
        "error": asked.error,
        **({"usage": asked.usage.model_dump(mode="json")} if asked.usage is not None else {}),
        "answer": None if answer is None else answer.certificate,
    }


def _outline(report: Report) -> dict[str, Any]:
    """What a record keeps of a check."""
    failed = [
        f"node {n['place']} ({n['op']}) {n['status']}: {n['reason']}" for n in report.nodes if n["status"] in _BAD
    ]
    return {"passed": report.exit_code == 0, "status": report.status, "problems": [*report.problems, *failed]}


@contextmanager
def _progress(console: Console | None, label: str, total: int) -> Iterator[Callable[[int], None]]:
    """A function to call with a number of questions that are done, which moves a bar on the console."""
    if console is None:
        yield lambda _: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(label, total=total)
        yield lambda done: bar.advance(task, done)


def _digest(questions: Sequence[Question]) -> str:
    """Names the questions and their gold."""
    digest = blake2b(digest_size=16)
    for question in questions:
        gold: list[Any] = [question.id, question.question, question.answers, question.verdict, question.gold_entities]
        gold += [question.unknown, question.gold_text] if question.unknown or question.gold_text else []
        gold += [sorted(question.options), question.task, [one.id for one in question.statements]]
        digest.update(json.dumps(gold).encode() + b"\n")
    return digest.hexdigest()


def _as_json(settings: Mapping[str, Any]) -> dict[str, Any]:
    try:
        value: dict[str, Any] = json.loads(json.dumps(dict(settings), allow_nan=False))
    except (TypeError, ValueError) as error:
        raise SettingsError(f"the settings of the method cannot be written as JSON: {error}") from None
    return value
