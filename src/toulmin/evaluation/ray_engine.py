"""The engine that asks questions on a Ray cluster.

Each worker opens graph and model itself, in the same place as this process: their files have to be at hand on every
machine, and so has the folder of the run, where a worker keeps the log of its calls. Records come back to this process,
which alone writes them.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toulmin.errors import MissingExtraError, ModelError, SettingsError, ToulminError
from toulmin.evaluation.calls import CallLog, Replies, read_calls
from toulmin.evaluation.datasets.types import Question
from toulmin.evaluation.engines import Asking, Done, Job

__all__ = ["OnRay", "Opener"]

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

    def __call__(self, questions: Iterable[Question], job: Job, keep: Callable[[Done], None]) -> None:
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


def _next(ray: Any, running: dict[Any, Any], free: list[Any], keep: Callable[[Done], None]) -> None:
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
