"""The program as a process: help, version, usage errors, closed pipes, terminals that lack characters."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from toulmin.cli.failures import BAD_INPUT, CLOSED_PIPE

Run = Callable[..., Any]
Start = Callable[..., "subprocess.Popen[str]"]
COMMANDS = ("build", "info", "find", "show", "ask", "check", "evaluate", "datasets", "methods")


def test_help_lists_every_command(run: Run) -> None:
    result = run("--help")
    assert result.exit_code == 0
    for command in COMMANDS:
        assert f"  {command} " in result.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_each_command_has_an_example(run: Run, command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert f"  Example:\n    toulmin {command}" in result.stdout


def test_version(run: Run) -> None:
    assert run("--version").stdout == f"toulmin {version('toulmin')}\n"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["aks"], "no such command 'aks'"),
        (["find", "x"], "no graph is named: give --kg DIR"),
        (["find", "x", "--kg", "bundled", "--limit", "0"], "--limit"),
        (["find", "x", "--kg", "bundled", "--limit", "many"], "--limit"),
        (["show", "--kg", "bundled"], "missing argument 'ENTITY'; `"),
        (["--loud"], "no such option: --loud; `"),
        (["passages", "build", "", "--out", "index"], "a source has an empty name"),
    ],
)
def test_usage_errors_have_exit_code_2(run: Run, arguments: list[str], problem: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert problem in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_kg_may_come_from_the_environment(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOULMIN_KG", "bundled")
    assert "Ada Lovelace" in run("find", "Ada Lovelace").stdout


@pytest.mark.parametrize("option", ["--all", "--json"])
def test_a_closed_pipe_is_quiet(start: Start, option: str) -> None:
    process = start("show", "London", "--kg", "bundled", option)
    assert process.stdout is not None
    process.stdout.close()  # before anything is printed, as `| head -0` would
    assert process.stderr is not None
    assert process.stderr.read() == ""
    assert process.wait(timeout=60) == CLOSED_PIPE
    process.stderr.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize("option", ["--all", "--json"])
def test_a_full_disk_is_told_in_one_line(option: str) -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "toulmin.cli.main", "show", "London", "--kg", "bundled", option]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == BAD_INPUT
    assert done.stderr == "toulmin: the output cannot be written: No space left on device\n"


def test_an_error_message_is_of_bounded_length(run: Run) -> None:
    result = run("ask", "Who?", "--kg", "bundled", "--method", "x" * 100_000)
    assert result.exit_code == BAD_INPUT
    assert len(result.stderr) < 2_000


def test_a_terminal_without_unicode(start: Start) -> None:
    process = start("show", "Ada Lovelace", "--kg", "bundled", PYTHONIOENCODING="ascii")
    stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr) == (0, "")
    assert "  --father--> Lord Byron" in stdout.splitlines()
    assert "  <--named after-- Ada (programming language)" in stdout.splitlines()


def test_output_that_is_no_terminal_has_no_colours(start: Start) -> None:
    process = start("ask", "Who is the father of Ada Lovelace?", "--kg", "bundled")
    stdout, stderr = process.communicate(timeout=120)
    assert (process.returncode, stderr) == (0, "")
    assert "\x1b" not in stdout
    assert "Lord Byron" in stdout
