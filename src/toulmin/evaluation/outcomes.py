"""Asking a question: whatever a method raises is an outcome, and each outcome makes a record."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
import traceback
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass
from inspect import isawaitable
from types import FrameType
from typing import Any, TypeVar

from toulmin.errors import GraphError, ModelError, NothingUsableError, RefusedError, ReplyError, SettingsError
from toulmin.evaluation.datasets.types import Question
from toulmin.evaluation.metrics.answers import passes_grounded, question_metrics
from toulmin.evaluation.records import Outcome
from toulmin.kernel import Report
from toulmin.program.answer import Answer, Usage

__all__ = [
    "OUTAGES",
    "Check",
    "Measure",
    "Method",
    "OutOfTime",
    "Outage",
    "QuestionOutcome",
    "aask",
    "ask",
    "attempt",
    "failure",
    "lasting",
    "record_of",
    "time_limit",
]

Method = Callable[[Question], Answer | Awaitable[Answer]]
T = TypeVar("T")
#: Questions, or judgements, in a row without model or graph, after which a run ends.
OUTAGES = 10
Failure = dict[str, str]
Outage = ModelError | GraphError | RefusedError


@dataclass(frozen=True, slots=True)
class QuestionOutcome:
    """What came of a question: an answer or an error.

    Args:
        seconds: wall time.
        late: whether there is no answer for lack of time.
        outage: the error, where the model or the graph was not to be had, or the method refused the question.
        usage: what there is to pay though there is no answer.
    """

    question: Question
    answer: Answer | None
    error: Failure | None
    seconds: float
    late: bool = False
    outage: Outage | None = None
    usage: Usage | None = None


def ask(question: Question, method: Method, timeout: float | None, runner: asyncio.Runner) -> QuestionOutcome:
    """Ask one question; after ``timeout`` seconds the method is stopped, also where it computes.

    Args:
        runner: of the event loop in which a method runs that has to be awaited.

    Raises:
        SettingsError: the method cannot be asked so, this question or any other. One that it refuses is an outcome.
    """

    def answered() -> Answer:
        returned = method(question)
        if isawaitable(returned) and not asyncio.iscoroutine(returned):
            returned = asyncio.wait_for(returned, None)
        # A coroutine as it is: Ctrl-C before its first step must end it, not leave it unawaited.
        return _answer(runner.run(returned, context=copy_context()) if asyncio.iscoroutine(returned) else returned)

    began = time.perf_counter()
    try:
        with time_limit(timeout):
            answer, error = attempt(answered)
    except OutOfTime:
        runner.run(_give_up())
        return QuestionOutcome(question, None, _late(timeout), time.perf_counter() - began, late=True)
    seconds = time.perf_counter() - began
    return QuestionOutcome(question, answer, None, seconds) if error is None else _failed(question, error, seconds)


def _failed(question: Question, error: Exception, seconds: float) -> QuestionOutcome:
    replied = isinstance(error, NothingUsableError | ReplyError)  # it is there, and that is all that can be said of it
    outage = error if isinstance(error, ModelError | GraphError | RefusedError) and not replied else None
    usage = error.usage if isinstance(error, NothingUsableError) else None
    return QuestionOutcome(question, None, failure(error), seconds, isinstance(error, TimeoutError), outage, usage)


async def _give_up() -> None:
    """Cancel what a question that ran out of time has left behind."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def aask(question: Question, method: Method, timeout: float | None) -> QuestionOutcome:
    """Ask one question among others in an event loop; ``timeout`` ends what waits, and not what computes.

    Raises:
        SettingsError: the method returns answers and nothing to await, or it cannot be asked so at all.
    """
    began = time.perf_counter()
    returned = method(question)
    if not isawaitable(returned):
        raise SettingsError("the method cannot be asked concurrently: leave the concurrency at 1")
    try:
        async with asyncio.timeout(timeout) as limit:
            answer = _answer(await returned)
    except RefusedError as error:
        return _failed(question, error, time.perf_counter() - began)
    except SettingsError:
        raise
    except Exception as error:  # noqa: BLE001  a crash on one question is an outcome of the evaluation: recorded, not hidden
        seconds = time.perf_counter() - began
        if limit.expired():
            return QuestionOutcome(question, None, _late(timeout), seconds, late=True)
        return _failed(question, error, seconds)
    return QuestionOutcome(question, answer, None, time.perf_counter() - began)


def attempt(call: Callable[[], T]) -> tuple[T | None, Exception | None]:
    """What a call returned, or what it raised; an error of settings is no outcome, and goes on, but for a refusal."""
    try:
        return call(), None
    except Exception as error:
        if isinstance(error, SettingsError) and not isinstance(error, RefusedError):
            raise
        return None, error


def _answer(returned: object) -> Answer:
    if not isinstance(returned, Answer):
        raise TypeError(f"the method returned {type(returned).__name__}, not an Answer")
    return returned


def lasting(last: Exception, count: int, noun: str) -> ModelError | GraphError:
    """The error that ends a run for which the model or the graph is not to be had.

    Args:
        last, count: the last of the errors in a row, and how many there are.
        noun: "question", "judgement".
    """
    times = f"{count} {noun}s in a row" if count > 1 else f"the {noun}"
    message = f"{last} (so failed {times}; the same command goes on once that is mended)"
    return GraphError(message) if isinstance(last, GraphError) else ModelError(message)


def failure(error: Exception) -> Failure:
    """An error as a record has it."""
    text = "".join(traceback.format_exception(error))
    return {"type": type(error).__name__, "message": str(error), "traceback": text}


def _late(timeout: float | None) -> Failure:
    return {"type": "OutOfTime", "message": f"no answer within {timeout} seconds", "traceback": ""}


class OutOfTime(BaseException):
    """The limit was reached. Not an Exception, so that a method that catches those cannot go on."""


_LONGEST = 366 * 24 * 3600  # systems differ in the longest alarm that they can set


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise ``OutOfTime`` in the block when ``seconds`` are over; a call into compiled code first has to return.

    Raises:
        SettingsError: the limit is not above 0 or is above a year, or this is not the main thread of a system that has
            alarms.
    """
    if seconds is None:
        yield
        return
    if not 0 < seconds <= _LONGEST:
        raise SettingsError(f"a time limit must be above 0 and at most {_LONGEST:,} seconds, not {seconds}")
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        raise SettingsError("a time limit works in the main thread of a POSIX system only: leave it out")

    def expire(_number: int, _frame: FrameType | None) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, expire)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


Check = Callable[[Question, Answer], Report]
Measure = Callable[[Question, Answer | None], Mapping[str, float]]
_BAD = ("stale", "fails")


def record_of(question_outcome: QuestionOutcome, check: Check | None, measure: Measure | None) -> dict[str, Any]:
    """The record of a question that was asked.

    Args:
        check: re-checks an answer or abstention, for ``grounded_accuracy``; None: the record says nothing of it.
        measure: further metrics of a question, by name; not of one for which the model or the graph was not to be had.
    """
    question, answer = question_outcome.question, question_outcome.answer
    outcome: Outcome = "answered"
    if answer is None:
        outcome = "timed out" if question_outcome.late else "crashed"
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
    if measure is not None and (question_outcome.outage is None or isinstance(question_outcome.outage, RefusedError)):
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
        "seconds": question_outcome.seconds,
        "check": checked,
        "error": question_outcome.error,
        **({"usage": question_outcome.usage.model_dump(mode="json")} if question_outcome.usage is not None else {}),
        "answer": None if answer is None else answer.certificate,
    }


def _outline(report: Report) -> dict[str, Any]:
    """What a record keeps of a check."""
    failed = [
        f"node {n['place']} ({n['op']}) {n['status']}: {n['reason']}" for n in report.nodes if n["status"] in _BAD
    ]
    return {"passed": report.exit_code == 0, "status": report.status, "problems": [*report.problems, *failed]}
