"""The examples of docs/extending.md, installed as they stand there and run by the command line.

Of the two that are a change of Toulmin itself a copy of the package is changed.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import toulmin
from toulmin.cli.main import app
from toulmin.evaluation.datasets import MODULES
from toulmin.graph.readers import formats
from toulmin.methods.registry import OWN

ROOT = Path(toulmin.__file__).parent
PAGE = (Path(__file__).parents[1] / "docs" / "extending.md").read_text("utf-8")

Install = Callable[[str, str, str, Sequence[str]], None]
Commands = Callable[[], list[Any]]


def blocks_of(heading: str) -> dict[str, str]:
    """The code below a heading of the page, by its language."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return dict(re.findall(r"^```(\w*)\n(.*?)^```$", section, re.S | re.M))


@pytest.fixture
def example(distribution: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Commands]:
    """Installs the example below a heading; what it returns runs the commands there, and gives their results."""
    monkeypatch.chdir(tmp_path)

    def install(heading: str) -> Commands:
        blocks = blocks_of(heading)
        found = re.fullmatch(r'\[project\.entry-points\."(\S+)"\]\n(\w+) = "(\w+):(\w+)"\n', blocks["toml"])
        assert found
        group, name, module, attribute = found.groups()
        assert blocks["python"].startswith(f"# {module}.py\n")
        distribution(module.replace("_", "-"), blocks["python"], group, [f"{name} = {attribute}"])
        words = [shlex.split(line)[1:] for line in blocks[""].splitlines()]
        return lambda: [CliRunner().invoke(app, line, catch_exceptions=False) for line in words]

    return install


def test_a_data_set(example: Callable[[str], Commands], tmp_path: Path) -> None:
    (tmp_path / "data" / "fete").mkdir(parents=True)
    lines = ["Who is the father of Ada Lovelace? | Lord Byron", "How many beans?"]
    (tmp_path / "data" / "fete" / "quiz.txt").write_text("\n".join(lines), "utf-8")
    told, evaluated = example("A data set")()
    assert "questions of a village fete" in told.stdout
    assert evaluated.exit_code == 0, evaluated.output
    assert "quiz.txt:2: no bar between the question and its answers" in " ".join(evaluated.stderr.split())
    assert re.search(r"hits_at_1 +1\.0000", evaluated.stdout.replace("│", " "))
    assert (tmp_path / "run" / "records.jsonl").read_text("utf-8").count("\n") == 1


def test_a_reader(example: Callable[[str], Commands], tmp_path: Path) -> None:
    (tmp_path / "family.ped").write_text("Anne < Zara, Peter\nnobody\n", "utf-8")
    built, shown = example("A reader of files")()
    assert built.exit_code == 0, built.output
    assert "2 statements" in built.stdout
    assert "1 record that could not be read" in built.stdout
    assert "parent of" in shown.stdout
    assert "Zara" in shown.stdout


def test_a_method(example: Callable[[str], Commands]) -> None:
    told, answered = example("A method")()
    assert "how sure it is that the question is read so" in told.stdout
    assert answered.exit_code == 0, answered.output
    assert "Lord Byron" in answered.stdout
    assert "passes" in answered.stdout


def test_each_of_ours_is_one_file_and_one_line() -> None:
    """No name of a data set, format or method stands in another table of the package."""
    tables = ("evaluation/datasets/__init__.py", "graph/readers/registry.py", "methods/registry.py")
    for table, names in zip(tables, (MODULES, formats(), OWN), strict=True):
        text = (ROOT / table).read_text("utf-8")
        assert [name for name in names if len(re.findall(rf'^    "{name}"[,:]', text, re.M)) != 1] == []


@pytest.fixture
def change(tmp_path: Path) -> Callable[[str], list[str]]:
    """Makes a change on a copy of the package, ``tmp_path / "src" / "toulmin"``; what it returns are its files."""

    def copy(source: str, target: str) -> None:
        if Path(source).stat().st_size > 1 << 20:  # models
            Path(target).symlink_to(source)
        else:
            shutil.copy2(source, target)

    def make(diff: str) -> list[str]:
        shutil.copytree(ROOT, tmp_path / "src" / "toulmin", copy_function=copy)
        subprocess.run(["git", "apply", "-"], input=diff.encode(), cwd=tmp_path, check=True)
        return re.findall(r"^\+\+\+ b/(\S+)$", diff, re.M)

    return make


def run_by(source: Path, code: str, *words: str) -> str:
    """What code prints with the package of a folder, or its error."""
    environment = os.environ | {"PYTHONPATH": str(source), "PYTHONUTF8": "1"}
    command = [sys.executable, "-c", code, *words]
    done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=False)
    return " ".join((done.stdout + done.stderr).split())


def test_a_verdict_is_two_files(change: Callable[[str], list[str]], tmp_path: Path) -> None:
    blocks = blocks_of("A verdict of check-text")
    assert len(change(blocks["diff"])) == 2
    words = shlex.split(blocks[""])[1:]
    before, after = (
        run_by(source, "from toulmin.cli.main import main; main()", *words)
        for source in (ROOT.parent, tmp_path / "src")
    )
    assert before.startswith("✓")
    assert after.startswith("?")
    assert "rule “no other”: that there is no other" in after
    assert "its certificate checks" in after


def test_a_comparison_of_times_is_one_file(change: Callable[[str], list[str]], tmp_path: Path) -> None:
    blocks = blocks_of("A comparison of times")
    assert change(blocks["diff"]) == ["src/toulmin/kernel/format.json"]
    before, after = (run_by(source, blocks["python"]) for source in (ROOT.parent, tmp_path / "src"))
    assert "must be one of = ≠ <" in before
    assert after == (
        "yes whether the time from the date of birth of Ada Lovelace to the date of death of Ada Lovelace precedes 1860"
    )
