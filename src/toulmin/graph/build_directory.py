"""What is written takes the place of what was there in one step, or not at all: directories, and files of the cache."""

from __future__ import annotations

import ctypes
import json
import os
import re
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

from toulmin.errors import GraphError, SettingsError
from toulmin.graph.store import LABELS, SPARQL, is_graph

__all__ = ["build_directory", "keep", "user_cache"]

_FILES = "files.json"  # of a finished graph: what Toulmin has written into it
_OLD = ".old"  # suffix of the replaced graph where the system cannot swap two directories in one step


def user_cache() -> Path:
    """Where Toulmin keeps what it can make again: in the cache directory of the user."""
    cache = os.environ.get("XDG_CACHE_HOME")
    home = Path(cache) if cache and Path(cache).is_absolute() else Path.home() / ".cache"
    return home / "toulmin"


def keep(path: Path, write: Callable[[Path], None]) -> None:
    """Write a file of the cache, in one step; where the cache cannot be written to, there is none the next time."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as work:
            written = Path(work) / path.name
            write(written)
            written.replace(path)
    except OSError:
        return


@contextmanager
def build_directory(
    out: str | Path, *, recognise: Callable[[Path], bool] = is_graph, what: str = "graph"
) -> Iterator[Path]:
    """A new directory beside ``out`` that takes its place when the block ends; on any error ``out`` stays as it was.

    Left-overs of builds on this machine whose process is gone are removed.

    Args:
        out: the directory.
        recognise: whether a directory is one of those that are built so; only such a one is replaced.
        what: what it is called in messages.

    Raises:
        SettingsError: ``out`` exists and is neither such a directory nor empty, or holds a file that is not of it; or
            its parent is no directory.
        GraphError: the directory cannot be written, or the block left nothing such in it.
    """
    out = Path(out).resolve()
    if not out.parent.is_dir():
        raise SettingsError(f"{out.parent}: no such directory; create it first")
    work = out.with_name(f"{_prefix(out)}{os.getpid()}-{token_hex(4)}")
    try:
        _clean(out)
        if out.exists() and not recognise(out) and not (out.is_dir() and not any(out.iterdir())):
            raise SettingsError(f"{out}: exists and is not a Toulmin {what}; choose another directory or remove it")
        if foreign := _foreign(out):
            raise SettingsError(
                f"{foreign}: is no file of the {what}, and would go with it: move it out of {out} first"
            )
        work.mkdir()
    except OSError as error:
        raise GraphError(f"{out}: cannot be written ({error.strerror}); choose another directory") from error
    try:
        yield work
        if not recognise(work):
            raise GraphError(f"{out}: nothing was built")
        try:
            (work / _FILES).write_text(json.dumps([*_files(work), _FILES]), "utf-8")
        except OSError as error:
            problem = f"the {what} cannot be written ({error.strerror}): is there space?"
            raise GraphError(f"{out.parent}: {problem}") from error
        _swap(work, out)
    finally:
        # What is left here: a build that was interrupted, or the graph that was replaced.
        shutil.rmtree(work, ignore_errors=True)


def _files(graph: Path) -> list[str]:
    """The files of a graph, but for those that its databases add while they are open."""
    names = (path.relative_to(graph).as_posix() for path in graph.rglob("*") if not path.is_dir())
    return sorted(name for name in names if not name.startswith((f"{SPARQL}/", f"{LABELS}-")))


def _foreign(out: Path) -> Path | None:
    """A file in a graph's directory that Toulmin has not written there; None where the graph lists no files."""
    try:
        listed = json.loads((out / _FILES).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return next((out / name for name in _files(out) if name not in listed), None) if isinstance(listed, list) else None


def _prefix(out: Path) -> str:
    return f".{out.name}.building-{socket.gethostname()}-"


def _clean(out: Path) -> None:
    """Remove what builds left behind that were killed; one killed between its two renames left the old graph aside."""
    pattern = re.compile(re.escape(_prefix(out)) + rf"(\d+)-[0-9a-f]{{8}}(?:{re.escape(_OLD)})?")
    for entry in sorted(out.parent.iterdir(), reverse=True):
        match = pattern.fullmatch(entry.name)
        if match is None or _alive(int(match[1])):
            continue
        if entry.suffix == _OLD and not out.exists():
            entry.rename(out)
        else:
            shutil.rmtree(entry, ignore_errors=True)


def _alive(pid: int) -> bool:
    if os.name != "posix":
        return True  # no harmless way to ask; left-overs stay
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _swap(work: Path, out: Path) -> None:
    """Put ``work`` in the place of ``out``; the old graph, if any, is then at ``work``."""
    if not out.exists():
        work.rename(out)
    elif not _exchange(work, out):
        old = work.with_name(work.name + _OLD)
        out.rename(old)
        try:
            work.rename(out)
        except BaseException:
            old.rename(out)
            raise
        old.rename(work)


def _exchange(first: Path, second: Path) -> bool:
    """Swap two directories in one step; False where the system cannot."""
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    if not hasattr(libc, "renameat2"):
        return False
    here, exchange = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    return bool(libc.renameat2(here, os.fsencode(first), here, os.fsencode(second), exchange) == 0)
