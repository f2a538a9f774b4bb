"""What the tests of the command line share: running commands, graphs, and stored answers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import toulmin
from toulmin.cli.main import app
from toulmin.graph.protocol import Graph

Run = Callable[..., Any]
FILMS = """subject\trelation\tobject\tsince
Heat\tdirected by\tMichael Mann\t
Collateral\tdirected by\tMichael Mann\t
Heat\tstarring\tAl Pacino\t1995
Heat\tstarring\tVal Kilmer\t1995
broken line
龍門客棧\tdirected by\t胡金銓\t
龍門客棧\tstarring\t上官靈鳳\t1967
"""


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The cache of a user who has never run Toulmin; also what subprocesses see."""
    with pytest.MonkeyPatch.context() as patch:
        cache = tmp_path_factory.mktemp("cache")
        patch.setenv("XDG_CACHE_HOME", str(cache))
        for name in ("COLUMNS", "FORCE_COLOR", "NO_COLOR", "PYTHONIOENCODING", "TOULMIN_KG", "TTY_COMPATIBLE"):
            patch.delenv(name, raising=False)
        yield cache


@pytest.fixture(scope="session")
def run() -> Run:
    """Runs a command in this process: ``run("find", "Heat", "--kg", directory)``; the result has stdout and stderr."""
    runner = CliRunner()

    def invoke(*args: object, stdin: str | None = None) -> Any:
        return runner.invoke(app, [str(arg) for arg in args], input=stdin, catch_exceptions=False)

    return invoke


@pytest.fixture(scope="session")
def start() -> Callable[..., subprocess.Popen[str]]:
    """Starts a command in a process of its own."""

    def popen(*args: object, **settings: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "toulmin.cli.main", *map(str, args)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=os.environ | {"PYTHONIOENCODING": "utf-8"} | settings,
            preexec_fn=_hear_interrupts,
        )

    return popen


def _hear_interrupts() -> None:
    """What a shell starts in the background ignores Ctrl-C, and so would its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture(scope="session")
def films(tmp_path_factory: pytest.TempPathFactory, run: Run) -> Path:
    """A small graph with qualifiers and names in Chinese."""
    folder = tmp_path_factory.mktemp("films")
    source, out = folder / "films.tsv", folder / "films"
    source.write_text(FILMS, "utf-8")
    assert run("build", source, "--out", out, "--no-vectors").exit_code == 0
    return out


@pytest.fixture(scope="session")
def world() -> Iterator[Graph]:
    """The bundled graph."""
    graph = toulmin.open("bundled")
    yield graph
    graph.close()


@pytest.fixture(scope="session")
def answer(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stored answer of the bundled graph."""
    path = tmp_path_factory.mktemp("answers") / "answer.json"
    result = run("ask", "Where was the father of Ada Lovelace born?", "--kg", "bundled", "--out", path)
    assert result.exit_code == 0
    return path


@pytest.fixture(scope="session")
def proved(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same answer with its evidence."""
    path = tmp_path_factory.mktemp("answers") / "proved.json"
    question = "Where was the father of Ada Lovelace born?"
    result = run("ask", question, "--kg", "bundled", "--evidence", "--out", path)
    assert result.exit_code == 0
    return path
