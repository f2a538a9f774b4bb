"""The figures and plots of a report: those of the runs, where the runs hold them, and no others."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from harbour_runs import HOSTILE, make_run

from toulmin.errors import SettingsError, SourceError
from toulmin.evaluation.comparing import compare
from toulmin.evaluation.report.charts import MOST_LINES, charts
from toulmin.evaluation.report.figures import as_csv, as_markdown, figure, tables
from toulmin.evaluation.report.read_runs import read_runs
from toulmin.evaluation.statistics import bootstrap_interval


def test_runs_are_named_by_what_sets_them_apart(plain_runs: Path, swept_runs: Path, tmp_path: Path) -> None:
    assert [run.name for run in read_runs([plain_runs])] == ["anchor", "buoy", "chart"]
    names = {run.path.name: run.name for run in read_runs([swept_runs])}
    assert names["4-1"] == "anchor, width 4, depth 1"
    assert names["deleted-0.2"] == "anchor, width 4, depth 2 @ edge-deletion 0.2"
    again = [shutil.copytree(plain_runs / "anchor", tmp_path / name) for name in ("monday", "tuesday")]
    assert [run.name for run in read_runs(again)] == ["anchor (monday)", "anchor (tuesday)"]
    assert len(read_runs([plain_runs, plain_runs / "buoy"])) == 3


def test_every_question_is_in_the_denominator(plain_runs: Path) -> None:
    run = read_runs([plain_runs / "buoy"])[0]
    outcomes = next(iter(tables([run])))
    said = dict(zip(outcomes.head, outcomes.rows[0], strict=True))
    assert run.summary.answered < run.summary.n == 20
    assert said["questions"] == "20"
    assert sum(int(said[name]) for name in ("answered", "abstained", "crashed", "timed out")) == 20
    rights = [float(one.right or False) for one in run.asked.values()]
    assert said["hits_at_1"] == figure(bootstrap_interval(rights))


def test_differences_are_those_of_compare(plain_runs: Path) -> None:
    runs = read_runs([plain_runs])
    (shown,) = [one for one in tables(runs) if one.title.startswith("Differences")]
    found = compare([run.path for run in runs], ["hits_at_1"])
    assert [row[2] for row in shown.rows] == [figure(one.difference) for one in found.compared]
    assert [row[:2] for row in shown.rows] == [("anchor", "buoy"), ("anchor", "chart"), ("buoy", "chart")]
    assert "Holm for 3 tests" in shown.note


def test_a_plot_is_there_where_the_runs_hold_what_it_shows(plain_runs: Path, swept_runs: Path) -> None:
    def drawn(*paths: Path) -> dict[str, list[str]]:
        return {one.title: [panel.kind for panel in one.panels] for one in charts(read_runs(paths))}

    always = {"The main metric": ["rows"], "By hops": ["lines"], "Risk and coverage": ["steps"]}
    judged = ["radar", "radar", "radar"]  # the main metric, and two that a model judged
    assert drawn(plain_runs) == always | {"By type of question": judged, "Cost against accuracy": ["points"]}
    kinds = drawn(swept_runs)
    assert kinds["By settings"] == ["grid"]
    assert kinds["On perturbed graphs"] == ["lines"]
    assert "By settings" not in drawn(swept_runs / "1-1", swept_runs / "4-2")
    assert drawn(swept_runs / "1-1", swept_runs / "1-2")["By settings"] == ["lines"]


def test_a_curve_begins_at_the_graph_as_it_is(swept_runs: Path) -> None:
    (chart,) = [one for one in charts(read_runs([swept_runs])) if one.title == "On perturbed graphs"]
    (line,) = chart.panels[0].lines
    assert [point.x for point in line.points] == [0, 0.2, 0.6]
    assert all(point.low <= point.y <= point.high for point in line.points)


def test_too_many_lines_leave_the_best(tmp_path: Path) -> None:
    for number in range(MOST_LINES + 2):
        make_run(tmp_path / f"m{number}", method=f"m{number}", right=number / (MOST_LINES + 2), count=9)
    runs = read_runs([tmp_path])
    worst = sorted(runs, key=lambda run: run.summary.metrics["hits_at_1"].estimate)[:2]
    (hops,) = [one.panels[0] for one in charts(runs) if one.title == "By hops"]
    assert len(hops.lines) == MOST_LINES
    assert not {run.system for run in worst} & {line.name for line in hops.lines}


def test_another_metric_stands_for_the_runs(plain_runs: Path) -> None:
    assert {run.main for run in read_runs([plain_runs], "factscore")} == {"factscore"}
    with pytest.raises(SettingsError, match=r"'hits'.*hits_at_1"):
        read_runs([plain_runs], "hits")


def test_csv_is_one_long_table(plain_runs: Path) -> None:
    found = list(csv.DictReader(StringIO(as_csv(read_runs([plain_runs])))))
    (mean,) = [row for row in found if (row["run"], row["group"], row["metric"]) == ("anchor", "all", "hits_at_1")]
    assert float(mean["low"]) <= float(mean["estimate"]) <= float(mean["high"])
    by_hops = [row for row in found if (row["run"], row["group"], row["metric"]) == ("anchor", "hops", "hits_at_1")]
    assert [row["value"] for row in by_hops] == ["1", "2", "3"]
    assert sum(int(row["questions"]) for row in by_hops) == int(mean["questions"]) == 20


def test_hostile_names_are_text_in_markdown_and_csv(hostile_runs: Path) -> None:
    runs = read_runs([hostile_runs])
    text, rows = as_markdown(runs), list(csv.reader(StringIO(as_csv(runs))))
    assert not re.search(r"(?<!\\)[<`]", text)
    for block in re.split(r"\n\n(?=\|)", text)[1:]:
        lines = [line for line in block.splitlines() if line.startswith("|")]
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) == 1
    assert {len(row) for row in rows} == {12}
    assert not [cell for row in rows for cell in row[:-4] if cell.startswith(("=", "+", "-", "@"))]
    assert any(HOSTILE[4] in cell for row in rows for cell in row)


def no_folder(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


def torn(folder: Path) -> None:
    (folder / "records.jsonl").write_text('{"id": "q1", "outcome": "answered"}\n', "utf-8")


def unasked(folder: Path) -> None:
    (folder / "records.jsonl").write_text("", "utf-8")


def another_kind(folder: Path) -> None:
    what = json.loads((folder / "run.json").read_text("utf-8")) | {"perturbation": {"kind": 1}}
    (folder / "run.json").write_text(json.dumps(what), "utf-8")


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (no_folder, "there is no run.json"),
        (torn, r"records\.jsonl:1: not a record"),
        (unasked, "no question has been asked yet"),
        (another_kind, "'perturbation' is of another kind"),
    ],
)
def test_what_is_no_run_is_told_in_one_line(
    plain_runs: Path, tmp_path: Path, damage: Callable[[Path], None], said: str
) -> None:
    folder = shutil.copytree(plain_runs / "anchor", tmp_path / "run")
    damage(folder)
    with pytest.raises(SourceError, match=said) as caught:
        read_runs([folder])
    assert "\n" not in str(caught.value)
