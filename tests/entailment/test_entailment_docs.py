"""The code in docs/entailment.md runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs" / "entailment.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```", DOCS.read_text("utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("code", BLOCKS, ids=lambda code: code.splitlines()[0])
def test_it_runs(code: str) -> None:
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout


def test_the_example_of_a_scorer_does_what_is_said_of_it() -> None:
    done = subprocess.run([sys.executable, "-c", BLOCKS[-1]], capture_output=True, text=True, check=True)
    entailment, unknown, contradiction = map(float, re.findall(r"[\d.]+", done.stdout))
    assert (entailment, round(unknown + contradiction, 3)) == (0, 1)
    assert contradiction > 0.5
