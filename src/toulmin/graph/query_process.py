"""SPARQL in a child process that is killed when a query takes too long: the engine itself cannot be stopped."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Timer
from time import monotonic
from typing import IO, Any, cast
from weakref import finalize

from toulmin.errors import GraphError, QueryError
from toulmin.graph.rdf_store import PREFIXES

__all__ = ["QueryProcess"]

_WORKER = Path(__file__).with_name("query_worker.py")


class QueryProcess:
    """Runs queries on a store directory, one at a time; the process starts with the first and is reused.

    Args:
        store: gives the directory of the pyoxigraph store; called as a process starts, counted in no timeout.
    """

    def __init__(self, store: Callable[[], Path]) -> None:
        self._store = store
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._end: finalize[..., QueryProcess] | None = None

    def run(self, sparql: str, timeout: float, limit: int | None = None) -> dict[str, Any]:
        """The result in the SPARQL JSON format, as parsed JSON.

        Raises:
            QueryError: malformed, not read-only, too slow, or its process died.
            GraphError: the store cannot be opened.
        """
        # Here, since it imports pyoxigraph, which a graph that is never queried does not need.
        from toulmin.graph.sparql import check_read_only

        check_read_only(sparql, PREFIXES)
        until = monotonic() + timeout
        if not self._lock.acquire(timeout=max(timeout, 0)):
            raise QueryError(_too_slow(timeout))
        try:
            process = self._process
            if process is None or process.poll() is not None:
                self._stop()
                began = monotonic()
                process = self._start()
                until += monotonic() - began
            request = {"query": sparql, "prefixes": PREFIXES, "timeout": timeout, "limit": limit}
            status, content = self._ask(process, request, until)
        finally:
            self._lock.release()
        if status == b"S":
            raise GraphError(f"the SPARQL store cannot be opened: build the graph again ({json.loads(content)})")
        if status == b"E":
            raise QueryError(f"SPARQL query: {' '.join(json.loads(content).split())}")
        result: dict[str, Any] = json.loads(content)
        return result

    def _start(self) -> subprocess.Popen[bytes]:
        """Start a worker, which ends with this object at the latest."""
        process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-P", str(_WORKER), str(self._store())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._process, self._end = process, finalize(self, _end, process)
        return process

    def _ask(self, process: subprocess.Popen[bytes], request: dict[str, Any], until: float) -> tuple[bytes, bytes]:
        late = Event()

        def stop() -> None:
            late.set()
            process.kill()

        timer = Timer(max(until - monotonic(), 0), stop)
        timer.daemon = True
        timer.start()
        requests, replies = cast(IO[bytes], process.stdin), cast(IO[bytes], process.stdout)
        reply = b""
        try:
            with suppress(BrokenPipeError):
                requests.write(json.dumps(request).encode() + b"\n")
                requests.flush()
                reply = replies.readline()
        finally:
            timer.cancel()
            whole = reply.endswith(b"\n")
            if not whole or late.is_set():  # also on Ctrl-C: a query under way cannot be called off otherwise
                self._stop()
        if late.is_set():
            raise QueryError(_too_slow(request["timeout"]))
        if not whole:
            code = process.returncode
            raise QueryError(f"the query's process ended with code {code} (out of memory?): ask for less with LIMIT")
        return reply[:1], reply[1:]

    def _stop(self) -> None:
        if self._end is not None:
            self._end()
        self._process = self._end = None

    def close(self) -> None:
        """Stop the process."""
        with self._lock:
            self._stop()


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(BrokenPipeError), process:  # what was not yet written is of no use to a process that is gone
        process.kill()


def _too_slow(timeout: float) -> str:
    return f"the query was stopped after {timeout:g} s: make it narrower, add LIMIT, or raise the timeout"
