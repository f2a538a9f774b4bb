"""Who asks the questions of a run: this process, one or several at a time, or workers on a Ray cluster.

Each worker opens graph and model itself, in the same place as this process: their files have to be at hand on every
machine, and so has the folder of the run, where a worker keeps the log of its calls. Records come back to this process,
which alone writes them.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from toulmin.errors import MissingExtraError, ModelError, SettingsError, ToulminError
from toulmin.evaluation.calls import CallLog, Replies, Spent, read_calls
from toulmin.evaluation.datasets.types import Question
from toulmin.evaluation.outcomes import Check, Measure, Method, Outage, QuestionOutcome, aask, ask, record_of
from toulmin.llm.protocol import gathered

__all__ = ["Asking", "Done", "Engine", "Here", "Job", "OnRay", "Opener"]


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


_Keep = Callable[[Done], None]
#: Asks questions, and hands over each as it finishes; raises SettingsError where they cannot be asked at all.
Engine = Callable[[Iterable[Question], Job, _Keep], None]


@dataclass(frozen=True, slots=True)
class Asking:
    """How a question is asked, and its record made.

    Args:
        method: question -> answer.
        check, measure: see ``outcomes.record_of``. A check adds the metric ``grounded_accuracy``: 1 iff the answer is
            right (accuracy, Hits@1) and grounded (``metrics.answers.passes_grounded``).
        close: awaited at the end, in the event loop of the questions: it closes connections that belong to it.
        release: called with a question whose record is made: what it brought can be closed.
        graph, model: what is asked: the fingerprint of the graph (empty where each question brings its own), and the
            name of the language model.
    """

    method: Method
    check: Check | None = None
    measure: Measure | None = None
    close: Callable[[], Awaitable[None]] | None = None
    release: Callable[[Question], None] | None = None
    graph: str = ""
    model: str | None = None

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
        if outcome.answer is None and outcome.usage is None and spent.calls:
            outcome = replace(outcome, usage=spent.usage(outcome.seconds))
        done = Done(record_of(outcome, self.check, self.measure), outcome.outage)
        if self.release is not None:
            self.release(outcome.question)
        return done


@dataclass(frozen=True, slots=True)
class Here:
    """The engine that asks in this process."""

    asking: Asking

    def __call__(self, questions: Iterable[Question], job: Job, keep: _Keep) -> None:
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

    async def _together(self, questions: Iterable[Question], job: Job, log: CallLog, keep: _Keep) -> None:
        waiting = iter(questions)

        async def work() -> None:
            for question in waiting:
                keep(await self.asking.among(question, job.replies.pop(question.id, {}), job.timeout, log))

        await gathered(work() for _ in range(job.concurrency))


#: Opens what a worker asks; it is sent to the workers.
Opener = Callable[[], AbstractContextManager[Asking]]
_STORE = 100_000_000  # bytes of shared memory of a cluster that is started here: questions and records are small


@dataclass(frozen=True, slots=True)
class OnRay:
    """The engine that asks on a Ray cluster: the one at RAY_ADDRESS, else one that it starts on this machine.

    Args:
        opener: opens what each worker asks.
        workers: how many there are; None: as many as the cluster has processors.

    Raises:
        SettingsError: fewer than one worker.
        MissingExtraError: Ray is not installed.
    """

    opener: Opener
    workers: int | None = None

    def __post_init__(self) -> None:
        if self.workers is not None and self.workers < 1:
            raise SettingsError(f"there must be at least 1 worker, not {self.workers}")
        _ray()

    def __call__(self, questions: Iterable[Question], job: Job, keep: _Keep) -> None:
        """See ``Engine``. Each worker asks as many questions at a time as the job says."""
        ray, waiting = _ray(), list(questions)
        with ExitStack() as stack:
            if not ray.is_initialized():
                _start(ray)
                stack.callback(ray.shutdown)
            # Only now has what an earlier process left running on a cluster come to its end.
            job.replies.update(read_calls(job.folder, {question.id for question in waiting}))
            count = min(self.workers or int(ray.cluster_resources().get("CPU", 1)), len(waiting))
            kind = ray.remote(_Worker if job.concurrency == 1 else _Several)
            folder = job.folder.resolve()
            workers = [
                kind.options(num_cpus=0, max_concurrency=job.concurrency).remote(self.opener, folder, job.timeout)
                for _ in range(count)
            ]
            free, running = workers * job.concurrency, dict[Any, Any]()
            for question in waiting:
                if not free:
                    _next(ray, running, free, keep)
                worker = free.pop(0)
                running[worker.ask.remote(question, job.replies.pop(question.id, {}))] = worker
            while running:
                _next(ray, running, free, keep)
            ray.get([worker.close.remote() for worker in workers])


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise MissingExtraError("asking on a Ray cluster", "ray") from None
    return ray


def _start(ray: Any) -> None:
    """Join the cluster that the environment names, else start one, which reports to nobody how it is used.

    Raises:
        SettingsError: there is no cluster.
    """
    starts = not os.environ.get("RAY_ADDRESS")
    more = {"include_dashboard": False, "object_store_memory": _STORE} if starts else {}
    if starts:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        ray.init(logging_level=logging.ERROR, log_to_driver=False, **more)
    except Exception as error:  # Ray raises plain ones
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise SettingsError(f"the Ray cluster cannot be {'started' if starts else 'joined'}: {reason}") from error


def _next(ray: Any, running: dict[Any, Any], free: list[Any], keep: _Keep) -> None:
    """Hand over a question that is done, and free its worker.

    Raises:
        ToulminError: what ends the run.
    """
    (ready, *_), _ = ray.wait(list(running), num_returns=1)
    free.append(running.pop(ready))
    try:
        done = ray.get(ready)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, ToulminError):
            raise error.cause from None
        raise
    except ray.exceptions.RayActorError as error:
        # Of an error that an actor raised when it was made, Ray gives the traceback: its last line says what it was.
        cause = str(error.__cause__ or error).strip().splitlines()[-1]
        raise ModelError(f"a Ray worker has died ({cause}): the same command goes on without it") from None
    keep(done)


class _Opened:
    """A process that asks questions."""

    def __init__(self, opener: Opener, folder: Path, timeout: float | None) -> None:
        self._timeout, self._stack = timeout, ExitStack()
        self._asking = self._stack.enter_context(opener())
        self._log = self._stack.enter_context(CallLog(folder, f"{socket.gethostname()}-{os.getpid()}"))


class _Worker(_Opened):
    """Asks one question at a time."""

    def __init__(self, opener: Opener, folder: Path, timeout: float | None) -> None:
        super().__init__(opener, folder, timeout)
        self._runner = self._stack.enter_context(asyncio.Runner())

    def ask(self, question: Question, replies: Replies) -> Done:
        """Ask a question."""
        return self._asking.one(question, replies, self._timeout, self._log, self._runner)

    def close(self) -> None:
        """Close graph, model and log."""
        self._runner.run(self._asking.closed())
        self._stack.close()


class _Several(_Opened):
    """Asks several questions at a time, in the event loop that Ray runs."""

    async def ask(self, question: Question, replies: Replies) -> Done:
        """Ask a question."""
        return await self._asking.among(question, replies, self._timeout, self._log)

    async def close(self) -> None:
        """Close graph, model and log."""
        await self._asking.closed()
        self._stack.close()
