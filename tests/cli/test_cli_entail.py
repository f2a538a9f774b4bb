"""``toulmin entail``: with a chat model on the loopback, and with a scorer of another package."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer, Sent, chat

Run = Callable[..., Any]
PLUGIN = """
import numpy as np
from toulmin.entailment.value_check import corrected

class Certain:
    name = "certain+values"

    def __init__(self, argument, options):
        pass

    def score(self, pairs):
        return corrected(pairs, np.array([[0.7, 0.2, 0.1]] * len(pairs), dtype=np.float32))
"""


@pytest.fixture
def certain(distribution: Callable[..., None]) -> None:
    """A package with a scorer that supports everything."""
    distribution("certain-scorer", PLUGIN, "toulmin.entailment", ["certain = Certain"])


def test_one_pair(run: Run, certain: None) -> None:
    result = run("entail", "A man sleeps.", "A man rests.", "--scorer", "certain")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "supports     0.700",
        "leaves open  0.200",
        "contradicts  0.100",
        "scorer: certain+values",
    ]


def test_it_says_when_code_compared_a_date(run: Run, certain: None) -> None:
    lines = run("entail", "Ada was born in 1815.", "Ada was born in 1816.", "--scorer", "certain").stdout.splitlines()
    assert lines[:3] == ["supports     0.000", "leaves open  0.200", "contradicts  0.800"]
    assert lines[3] == (
        "numbers and dates, compared by code: one of the sentence's differs from the evidence's, so that it is not "
        "supported"
    )
    same = run("entail", "Ada was born in 1815.", "In 1815 Ada was born.", "--scorer", "certain").stdout
    assert "compared by code: each of the sentence's is in the evidence\n" in same
    one = run("entail", "Ada was born in 1815.", "Ada was born in 1816.", "--scorer", "certain", "--json").stdout
    assert json.loads(one) == {
        "premise": "Ada was born in 1815.",
        "hypothesis": "Ada was born in 1816.",
        "verdict": "contradicts",
        "entailment": 0.0,
        "unknown": 0.2,
        "contradiction": 0.8,
        "values": "differ",
        "scorer": "certain+values",
    }


def test_pairs_of_a_file(run: Run, certain: None, tmp_path: Path) -> None:
    pairs = [("Ada was born in 1815.", "Ada was born\nin 1816."), ("A man sleeps.", "A man \u202erests.")]
    records = [json.dumps({"premise": premise, "hypothesis": said, "id": 1}) for premise, said in pairs]
    (tmp_path / "pairs.jsonl").write_text("\n\n".join(records), "utf-8")
    result = run("entail", "--pairs", tmp_path / "pairs.jsonl", "--scorer", "certain")
    assert result.stdout.splitlines() == [
        "contradicts  0.000  0.200  0.800  Ada was born in 1816.",
        "supports     0.700  0.200  0.100  A man \ufffdrests.",
    ]
    found = json.loads(run("entail", "--pairs", "-", "--scorer", "certain", "--json", stdin=records[1]).stdout)
    assert [one["verdict"] for one in found] == ["supports"]
    assert json.loads(run("entail", "--pairs", "-", "--scorer", "certain", "--json", stdin="").stdout) == []


def test_labelled_pairs_are_measured(run: Run, certain: None) -> None:
    labels = ["entailment"] * 8 + ["SUPPORTS", "neutral", "NOT ENOUGH INFO", "contradiction"]
    pairs = [json.dumps({"premise": "a", "hypothesis": f"b {place}", "label": x}) for place, x in enumerate(labels)]
    stdin = "\n".join(pairs)
    lines = run("entail", "--pairs", "-", "--scorer", "certain", stdin=stdin).stdout.splitlines()
    assert len(lines) == 14
    assert re.fullmatch(r"accuracy 0\.750 \[0\.\d\d\d, 1\.000\] of 12 pairs", lines[12])
    fitted = re.fullmatch(r"log loss 0\.(\d\d\d); least with --temperature (\S+), fitted on these pairs", lines[13])
    assert fitted
    again = run("entail", "--pairs", "-", "--scorer", "certain", "--temperature", fitted[2], stdin=stdin).stdout
    assert "least with --temperature 1.00, " in again
    assert float(re.findall(r"log loss (\S+);", again)[0]) <= float(f"0.{fitted[1]}")
    few = run("entail", "--pairs", "-", "--scorer", "certain", stdin=pairs[0]).stdout.splitlines()
    assert few[1] == "accuracy 1.000 [1.000, 1.000] of 1 pair"
    assert "certain+values/T=2" in run("entail", "a", "b", "--scorer", "certain", "--temperature", "2").stdout


def judge(body: dict[str, Any]) -> Sent:
    """Supports each pair that is shown."""
    numbers = re.findall(r"^\[(\d+)\] sentence", body["messages"][-1]["content"], re.MULTILINE)
    return chat(
        json.dumps({"verdicts": [{"pair": int(one), "verdict": "supports", "probability": 0.9} for one in numbers]})
    )


def test_a_chat_model(run: Run, tmp_path: Path) -> None:
    with ModelServer(judge) as server:
        asked = ("--scorer", "chat", "--model", "openai:m", "--base-url", server.url)
        recorded = tmp_path / "said.jsonl"
        result = run("entail", "A man sleeps.", "A man rests.", *asked, "--record", recorded)
        assert result.stdout.startswith("supports     0.900\n")
        assert "scorer: chat:openai:m@" in result.stdout
        many = "\n".join(json.dumps({"premise": "a", "hypothesis": f"b{place}"}) for place in range(20))
        result = run("entail", "--pairs", "-", *asked, "--budget-calls", "2", stdin=many)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == "toulmin: the budget of 2 calls to openai:m is used up\n"
    again = run("entail", "A man sleeps.", "A man rests.", "--scorer", "chat", "--replay", recorded, "--json")
    assert json.loads(again.stdout)["entailment"] == 0.9


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["only one"], "give EVIDENCE and SENTENCE, or --pairs FILE"),
        (["one", "two", "--pairs", "x"], "give EVIDENCE and SENTENCE, or --pairs FILE"),
        (["one", "--pairs", "x"], "give EVIDENCE and SENTENCE, or --pairs FILE"),
        (["caf\udce9", "two"], "the evidence or the sentence is no Unicode text"),
        (["", "two"], "the evidence or the sentence is empty"),
        (["one", "two", "--scorer", "shiped"], "did you mean 'shipped'?"),
        (["one", "two", "--scorer", "chat"], "the scorer 'chat' needs a language model"),
        (["one", "two", "--model", "openai:m"], "--scorer shipped asks no language model"),
        (["one", "two", "--scorer", "onnx:x", "--model", "openai:m"], "--scorer onnx:x asks no language model"),
        (["one", "two", "--scorer", "onnx:/nowhere"], "/nowhere/calibration.json: no entailment model is there"),
        (["one", "two", "--scorer", "onnx:/nowhere", "--temperature", "0"], "no entailment model is there"),
        (["--pairs", "/nowhere"], "/nowhere: cannot be read: No such file"),
    ],
)
def test_bad_input_is_one_line(run: Run, arguments: list[str], words: str) -> None:
    result = run("entail", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "-:2: is no JSON"),
        ("[1]", "-:2: is no object"),
        ('{"premise": "a"}', "-:2, field 'hypothesis': is missing, empty or no text"),
        ('{"premise": "a", "hypothesis": "b", "label": "maybe"}', "-:2, field 'label': is \"maybe\": write entailment"),
        ('{"premise": "a", "hypothesis": "\\ud800"}', "-:2, field 'hypothesis': holds half a character"),
        ('{"premise": 1, "hypothesis": "a"}', "-:2, field 'premise': is missing, empty or no text"),
    ],
)
def test_lines_that_are_no_pair(run: Run, line: str, words: str) -> None:
    result = run("entail", "--pairs", "-", stdin=f"\n{line}\n")
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr
