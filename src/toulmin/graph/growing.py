"""Making the Merkle trees of a graph in a process of its own, while this one indexes names and loads the SPARQL store.

Hashing millions of leaves keeps an interpreter busy for seconds.
"""

from __future__ import annotations

import gc
import pickle
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from toulmin.graph.merkle import Content, Trees, grow

__all__ = ["Growing", "main"]

_FEW = 100_000  # leaves hashed in less time than a process takes to start
_START = "import sys; sys.path.insert(0, sys.argv[1]); from toulmin.graph.growing import main; main()"


class Growing:
    """Trees in the making; ends its process when it is left."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        if len(self._content.digests) + len(self._content.forms) >= _FEW:
            try:
                self._process = subprocess.Popen(  # noqa: S603
                    [sys.executable, "-P", "-c", _START, str(Path(__file__).parents[2])],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                )
                if self._process.stdin is not None:
                    with self._process.stdin as pipe:
                        pickle.dump(self._content, pipe, protocol=5)
            except OSError:  # no process, or it ended at once: then here
                self._end()
        return self

    def trees(self) -> Trees:
        """The trees, as soon as they are there."""
        if self._process is not None and self._process.stdout is not None:
            try:
                trees: Trees = pickle.load(self._process.stdout)  # noqa: S301
            except (EOFError, pickle.UnpicklingError):  # it ran out of memory, or was killed
                self._end()
            else:
                return trees
        return grow(self._content)

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            if self._process.stdout is not None:
                self._process.stdout.close()
        self._process = None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()


def main() -> None:
    """Read what a graph holds from standard input, write its trees to standard output."""
    gc.disable()  # nothing here is in a cycle
    trees = grow(pickle.load(sys.stdin.buffer))  # noqa: S301
    pickle.dump(trees, sys.stdout.buffer, protocol=5)
    sys.stdout.buffer.flush()
