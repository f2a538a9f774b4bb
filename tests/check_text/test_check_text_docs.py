"""docs/check-text.md: the example prints what is shown, the code runs."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from toulmin.check_text.rules import VerdictRule

DOCS = (Path(__file__).parents[2] / "docs" / "check-text.md").read_text("utf-8")


def rounded(text: str) -> list[str]:
    """The words, without scores and times, which differ a little between machines."""
    return re.sub(r"\d+\.\d+", "N", text).split()


@pytest.mark.parametrize("example", re.findall(r"^```\n\$ toulmin (.*?)^```", DOCS, re.MULTILINE | re.DOTALL))
def test_the_examples_print_what_is_shown(example: str) -> None:
    command, _, shown = example.partition("\n")
    done = subprocess.run(
        [sys.executable, "-m", "toulmin.cli.main", *shlex.split(command)], capture_output=True, text=True, check=True
    )
    assert rounded(done.stdout) == rounded(shown)


def test_every_rule_is_told_of() -> None:
    told = re.findall(r"^\| [a-z ]+ \| `([^`]+)` \| (.+) \|$", DOCS, re.MULTILINE)
    assert told == [(str(rule), rule.meaning) for rule in VerdictRule]


def test_the_code_runs() -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```", DOCS, re.MULTILINE | re.DOTALL)
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == "" and done.stdout.startswith("supported ")
