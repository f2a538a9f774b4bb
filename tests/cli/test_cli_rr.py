"""``toulmin ask --method rr``: knowledge by name, recorded chains of thought, and checking what was stored."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toulmin.program.answer import Answer

Run = Callable[..., Any]
QUESTION = "Could Newton have met Marie Curie?"
RIGHT = "Newton died in 1727. Marie Curie was born in 1867. So the answer is no."
WRONG = "Newton died in 1887. Marie Curie was born in 1867. So the answer is yes."
ASK = ("ask", QUESTION, "--kg", "bundled", "--method", "rr")


def test_chains_of_stdin_are_weighed_by_the_graph(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "answer.json"
    result = run(*ASK, "--knowledge", "temporal", "--chains", "-", "--out", out, stdin=f"{WRONG}\n\n{RIGHT}\n\n{RIGHT}")
    assert result.exit_code == 0
    shown = " ".join(result.stdout.split())
    assert " Answer no " in shown
    assert "vote of recorded outputs, weighed by mean-entailment" in shown
    assert "Isaac Newton — date of death → 1727-03-20" in shown
    assert "Newton died in 1887. (entailed 0." in shown
    assert Answer.read(out).verdict is False
    assert run("check", out, "--kg", "bundled").exit_code == 0


def test_a_trace_shows_what_was_found_and_weighed(run: Run) -> None:
    result = run(*ASK, "--knowledge", "temporal", "--chains", "-", "--trace", stdin=RIGHT)
    shown = " ".join(result.stderr.split())
    assert "sentence: Newton died in 1727. evidence: Isaac Newton died on 20 March 1727." in shown
    assert "Marie Curie was born in 1867. (entailed 0." in shown
    assert "prediction: no" in shown


def test_passages_of_a_file_are_checked_with_it(run: Run, tmp_path: Path) -> None:
    gold, out = tmp_path / "gold.txt", tmp_path / "answer.json"
    gold.write_text("Newton died on 20 March 1727.\nCurie was born in Warsaw on 7 November 1867.\n")
    chains = tmp_path / "chains.jsonl"
    chains.write_text("\n".join(json.dumps({"question": asked, "chains": [RIGHT]}) for asked in ("Else?", QUESTION)))
    known = ("--knowledge", f"given:{gold}")
    result = run(*ASK, *known, "--chains", chains, "--out", out)
    assert result.exit_code == 0
    assert "gold#1" in out.read_text()
    assert run("check", out, "--kg", "bundled", *known).exit_code == 0
    gold.write_text("Newton died on 20 March 1887.\nCurie was born in Warsaw on 7 November 1867.\n")
    assert run("check", out, "--kg", "bundled", *known).exit_code == 1


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ((), "or recorded outputs in its place, by --chains"),
        (("--chains", "nowhere.txt"), "nowhere.txt: cannot be read"),
        (("--chains", "-"), "-: has no chain of thought"),
        (("--knowledge", "nonsense"), "no knowledge is called 'nonsense'"),
        (("--knowledge", "given:nowhere"), "nowhere: there is no such file"),
        (("--set", "N=0"), "N is 0"),
        (("--set", "function=f4"), "rr: function is 'f4'"),
    ],
)
def test_bad_input_is_told_in_one_line(run: Run, options: tuple[str, ...], problem: str) -> None:
    result = run(*ASK, *options, stdin="")
    assert result.exit_code == 2
    (line,) = result.stderr.strip().splitlines()
    assert problem in line


def test_an_answer_is_seen_though_it_cannot_be_stored(run: Run, tmp_path: Path) -> None:
    taken = tmp_path / "taken.json"
    taken.touch()
    taken.chmod(0o400)
    if os.access(taken, os.W_OK):
        pytest.skip("this user may write everywhere")
    result = run(*ASK, "--knowledge", "temporal", "--chains", "-", "--out", taken, stdin=RIGHT)
    assert result.exit_code == 2
    assert " Answer no " in " ".join(result.stdout.split())
    assert "cannot be written" in result.stderr


def test_forms_are_listed(run: Run) -> None:
    methods = json.loads(run("methods", "--json").stdout)
    (rr,) = [one for one in methods if one["name"] == "rr"]
    forms = {form["name"]: {one["name"]: one["value"] for one in form["settings"]} for form in rr["forms"]}
    assert set(forms) == {"basic", "best", "selection", "generation", "self-consistency", "query", "paper"}
    assert forms["paper"]["T_c"] == 0.99
