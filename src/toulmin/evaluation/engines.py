"""Who asks the questions of a run: this process, one or several at a time. ``ray_engine`` has another."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from toulmin.evaluation.calls import CallLog, Replies, Spent
from toulmin.evaluation.datasets.types import Question
from toulmin.evaluation.outcomes import Check, Measure, Method, Outage, QuestionOutcome, aask, ask, gathered, record_of

__all__ = ["Asking", "Done", "Engine", "Here", "Job"]


@dataclass(frozen=True, slots=True)
class Done:
    """A question that was asked.

    Args:
        outage: see ``QuestionOutcome``: it may be asked again.
    """

    record: Mapping[str, Any]
    outage: Outage | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """What an engine is to do, beside the questions.

    Args:
        folder: of the run, for the log of calls.
        timeout: wall seconds for one question.
        concurrency: how many questions one event loop asks at a time.
        replies: by question, what an earlier attempt has paid for; an entry is taken out when it is used.
    """

    folder: Path
    timeout: float | None
    concurrency: int
    replies: dict[str, Replies]


class Engine(Protocol):
    """Asks questions, and hands over each as it finishes."""

    def __call__(self, questions: Iterable[Question], job: Job, keep: Callable[[Done], None]) -> None:
        """Ask them all.

        Raises:
            SettingsError: they cannot be asked at all.
        """


@dataclass(frozen=True, slots=True)
class Asking:
    """How a question is asked, and its record made.

    Args:
        method: question -> answer.
        check, measure: see ``marking.record_of``.
        close: awaited at the end, in the event loop of the questions: it closes connections that belong to it.
        release: called with a question whose record is made: what it brought can be closed.
    """

    method: Method
    check: Check | None = None
    measure: Measure | None = None
    close: Callable[[], Awaitable[None]] | None = None
    release: Callable[[Question], None] | None = None

    def one(
        self, question: Question, replies: Replies, timeout: float | None, log: CallLog, runner: asyncio.Runner
    ) -> Done:
        """Ask one question; after ``timeout`` seconds the method is stopped, also where it computes."""
        with log.asking(question.id, replies) as spent:
            return self._done(ask(question, self.method, timeout, runner), spent)

    async def among(self, question: Question, replies: Replies, timeout: float | None, log: CallLog) -> Done:
        """Ask one question among others in an event loop; ``timeout`` ends what waits, and not what computes."""
        with log.asking(question.id, replies) as spent:
            return self._done(await aask(question, self.method, timeout), spent)

    async def closed(self) -> None:
        """Close what belongs to the event loop."""
        if self.close is not None:
            await self.close()

    def _done(self, outcome: QuestionOutcome, spent: Spent) -> Done:
        if outcome.answer is None and outcome.usage is None:
            outcome = replace(outcome, usage=spent.usage(outcome.seconds))
        done = Done(record_of(outcome, self.check, self.measure), outcome.outage)
        if self.release is not None:
            self.release(outcome.question)
        return done


@dataclass(frozen=True, slots=True)
class Here:
    """The engine that asks in this process."""

    asking: Asking

    def __call__(self, questions: Iterable[Question], job: Job, keep: Callable[[Done], None]) -> None:
        """See ``Engine``. Several questions at a time share one event loop."""
        with CallLog(job.folder) as log, asyncio.Runner() as runner:
            try:
                if job.concurrency > 1:
                    runner.run(self._together(questions, job, log, keep))
                    return
                for question in questions:
                    keep(self.asking.one(question, job.replies.pop(question.id, {}), job.timeout, log, runner))
            finally:
                runner.run(self.asking.closed())

    async def _together(
        self, questions: Iterable[Question], job: Job, log: CallLog, keep: Callable[[Done], None]
    ) -> None:
        waiting = iter(questions)

        async def work() -> None:
            for question in waiting:
                keep(await self.asking.among(question, job.replies.pop(question.id, {}), job.timeout, log))

        await gathered(work() for _ in range(job.concurrency))
