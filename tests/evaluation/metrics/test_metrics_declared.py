"""Every metric is declared once, with all that a reader needs; the page and the command say what is declared."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

from toulmin.cli.main import app
from toulmin.evaluation.datasets import Dataset, Question
from toulmin.evaluation.engines import Asking
from toulmin.evaluation.metrics.answers import question_metrics
from toulmin.evaluation.metrics.declared import declared
from toulmin.evaluation.metrics.runs import COSTS, RUN_METRICS
from toulmin.evaluation.runner import run
from toulmin.evaluation.system import System
from toulmin.opening import open_graph

ROOT = Path(__file__).resolve().parents[3]


def test_declarations_are_whole_and_names_are_of_one_metric() -> None:
    listed = [one.name for one in declared().values()]
    assert len(listed) == len(set(listed)) >= 30
    for one in declared().values():
        assert one.definition.endswith("."), one.name
        assert one.source, one.name
        assert one.range.startswith("0 to") or one.range == "from 0", one.name


def test_all_that_a_run_measures_is_declared(tmp_path: Path) -> None:
    questions = (
        Question("1", "where was the father of Ada Lovelace born", ("London",), gold_entities=("Ada Lovelace",)),
        Question("2", "what is nowhere", ("Nothing",)),
    )
    with System(open_graph("bundled"), method="fidelis") as system:
        dataset = Dataset("toy", questions)
        summary = run(dataset, Asking(system.answer, system.check, system.measure), tmp_path, name="fidelis")
    assert summary.metrics.keys() <= declared().keys()
    assert summary.whole.keys() <= declared().keys()
    assert {"hits_at_1", "grounded_accuracy", "linking_top1", "depth"} <= summary.metrics.keys()
    assert {*RUN_METRICS, *COSTS, "abstention_rate"} <= declared().keys()
    for question in (Question("3", "?", verdict=True), Question("4", "?", unknown=True), questions[0]):
        assert question_metrics(question, None).keys() <= declared().keys()


def test_the_page_of_the_documents_is_what_is_declared() -> None:
    code = "import sys; sys.path.insert(0, 'scripts'); import metrics; sys.stdout.write(metrics.markdown())"
    written = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    page = (ROOT / "docs" / "metrics.md").read_text("utf-8")
    assert written.stdout.decode("utf-8") == page, "run python scripts/metrics.py"


def test_the_command_lists_metrics_and_defines_one() -> None:
    command = CliRunner().invoke
    listed = json.loads(command(app, ["metrics", "--json"]).stdout)
    assert [one["name"] for one in listed] == list(declared())
    told = " ".join(command(app, ["metrics", "coverage_ratio"]).stdout.split())
    assert declared()["coverage_ratio"].definition in told
    assert all(name in command(app, ["metrics"]).stdout for name in ("hits_at_1", "legacy_f1"))
    wrong = command(app, ["metrics", "hits_at_one"])
    assert wrong.exit_code == 2
    (line,) = wrong.stderr.strip().splitlines()
    assert "did you mean" in line
