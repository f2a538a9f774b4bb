"""What else a question may mean, on the command line."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


QUESTION = "Who is the supplier of the drive shaft?"
TABLE = """part,supplier,price (EUR),tested by
hex bolt,Veltmann,0.40,Ines Falk
drive shaft,Orsini,38,Marek Dorn
cover plate,Orsini,7.50,Ines Falk
"""


@pytest.fixture(scope="module")
def parts(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("parts")
    source, out = folder / "parts.csv", folder / "parts"
    source.write_text(TABLE, "utf-8")
    assert run("build", source, "--out", out).exit_code == 0
    return out


def test_readings_are_shown(run: Run, parts: Path) -> None:
    result = run("ask", QUESTION, "--kg", parts, "--method", "reader", "--readings")
    assert result.exit_code == 0
    answer, _, readings = result.stdout.partition("Readings")
    assert "Orsini" in answer
    assert re.search(r"\[1\] the supplier of drive shaft +[01]\.\d\d\n +→ Orsini", readings)
    assert "[2]" in readings


def test_another_reading_is_chosen(run: Run, parts: Path) -> None:
    shown = run("ask", QUESTION, "--kg", parts, "--method", "reader", "--readings").stdout
    second = re.search(r"\[2\] .*\n +→ (.*)", shown)
    assert second is not None
    result = run("ask", QUESTION, "--kg", parts, "--method", "reader", "--set", "reading=2")
    assert result.exit_code == 0
    assert second[1].split(", ")[0] in result.stdout


def test_a_reading_that_is_not_there(run: Run, parts: Path) -> None:
    result = run("ask", QUESTION, "--kg", parts, "--method", "reader", "--set", "reading=99")
    assert result.exit_code == 2
    assert "reading is 99" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_method_that_tells_none(run: Run, parts: Path) -> None:
    result = run("ask", QUESTION, "--kg", parts, "--method", "fidelis", "--readings")
    assert "the method tells no other readings" in result.stdout
