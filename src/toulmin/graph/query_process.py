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
_HEAD = 9  # bytes before the content of a reply: status and length


class QueryProcess:
    """Runs queries on a store directory, one at a time; the process starts with the first and is reused.

    Args:
        store: gives the directory of the pyoxigraph store; called as a process starts, counted in no timeout.
    """

    def __init__(self, store: Callable[[], Path]) -> None:
        self._store = store
        self._lock = Lock()
        self._child: _Child | None = None

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
            if self._child is None or self._child.process.poll() is not None:
                self._stop()
                began = monotonic()
                self._child = _Child(self._store())
                until += monotonic() - began
            request = {"query": sparql, "prefixes": PREFIXES, "timeout": timeout, "limit": limit}
            status, content = self._ask(self._child, request, until)
        finally:
            self._lock.release()
        if status == b"S":
            raise GraphError(f"the SPARQL store cannot be opened: build the graph again ({content.decode()})")
        if status == b"E":
            raise QueryError(f"SPARQL query: {' '.join(content.decode().split())}")
        result: dict[str, Any] = json.loads(content)
        return result

    def _ask(self, child: _Child, request: dict[str, Any], until: float) -> tuple[bytes, bytes]:
        late = Event()

        def stop() -> None:
            late.set()
            child.process.kill()

        timer = Timer(max(until - monotonic(), 0), stop)
        timer.daemon = True
        timer.start()
        reply: tuple[bytes, bytes] | None = None
        try:
            reply = child.ask(request)
        finally:
            timer.cancel()
            if reply is None or late.is_set():  # also on Ctrl-C: a query under way cannot be called off otherwise
                self._stop()
        if late.is_set():
            raise QueryError(_too_slow(request["timeout"]))
        if reply is None:
            code = child.process.returncode
            raise QueryError(f"the query's process ended with code {code} (out of memory?): ask for less with LIMIT")
        return reply

    def _stop(self) -> None:
        if self._child is not None:
            self._child.end()
        self._child = None

    def close(self) -> None:
        """Stop the process."""
        with self._lock:
            self._stop()


class _Child:
    """A running worker. It ends with this object at the latest."""

    def __init__(self, path: Path) -> None:
        self.process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-P", str(_WORKER), str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.end = finalize(self, _end, self.process)

    def ask(self, request: dict[str, Any]) -> tuple[bytes, bytes] | None:
        """Status and content of the reply; None if the process ended before it was complete."""
        requests, replies = cast(IO[bytes], self.process.stdin), cast(IO[bytes], self.process.stdout)
        try:
            requests.write(json.dumps(request).encode() + b"\n")
            requests.flush()
        except BrokenPipeError:
            return None
        head = replies.read(_HEAD)
        length = int.from_bytes(head[1:], "big")
        content = replies.read(length) if len(head) == _HEAD else b""
        return (head[:1], content) if len(head) == _HEAD and len(content) == length else None


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(BrokenPipeError), process:  # what was not yet written is of no use to a process that is gone
        process.kill()


def _too_slow(timeout: float) -> str:
    return f"the query was stopped after {timeout:g} s: make it narrower, add LIMIT, or raise the timeout"
