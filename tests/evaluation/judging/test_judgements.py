"""Judgements beside the records of a run: read together, resumed, refused where they are damaged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toulmin.errors import SettingsError, SourceError
from toulmin.evaluation.judging.judgements import JUDGEMENTS, Judgement, JudgingFolder, with_judgements

HOW = {"factscore": {"judge": "m", "gamma": 10}}


def folder_of(path: Path, *names: str) -> Path:
    path.mkdir(exist_ok=True)
    lines = [{"id": name, "outcome": "answered", "metrics": {"accuracy": 1.0}, "seconds": 0.5} for name in names]
    (path / "records.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def judged(name: str, score: float | None, **more: object) -> Judgement:
    return Judgement(name, "factscore", score, {"measures": {"responded": 1.0}}, "m", {}, **more)  # type: ignore[arg-type]


def test_records_get_the_last_judgement_of_each_metric(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "run", "a", "b", "c")
    opened = JudgingFolder(folder, HOW)
    for one in (judged("a", 0.25), judged("b", None), judged("a", 0.5)):
        opened.append(one)
    metrics = [record["metrics"] for record in with_judgements(folder)]
    assert metrics == [
        {"accuracy": 1.0, "factscore": 0.5, "responded": 1.0},
        {"accuracy": 1.0, "responded": 1.0},
        {"accuracy": 1.0},
    ]


def test_a_run_without_judgements_is_read_as_it_is(tmp_path: Path) -> None:
    assert [one["metrics"] for one in with_judgements(folder_of(tmp_path / "run", "a"))] == [{"accuracy": 1.0}]


def test_what_failed_is_judged_again_and_a_torn_line_is_cut_off(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "run", "a", "b")
    opened = JudgingFolder(folder, HOW)
    opened.append(judged("a", 1.0))
    opened.append(judged("b", None, error={"type": "ReplyError", "message": "x"}))
    with (folder / JUDGEMENTS).open("a") as stream:
        stream.write('{"id": "b", "metr')
    assert len(list(with_judgements(folder))) == 2
    again = JudgingFolder(folder, HOW)
    assert again.done == {("a", "factscore")}
    again.append(judged("b", 0.0))
    assert JudgingFolder(folder, HOW).done == {("a", "factscore"), ("b", "factscore")}


def test_another_way_of_judging_is_refused_unless_it_is_wanted(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "run", "a")
    JudgingFolder(folder, HOW).append(judged("a", 1.0))
    other = {"factscore": {"judge": "m", "gamma": 5}}
    with pytest.raises(SettingsError, match="gamma was 10, is 5"):
        JudgingFolder(folder, other)
    assert JudgingFolder(folder, other, again=True).done == set()
    assert [one["metrics"] for one in with_judgements(folder)] == [{"accuracy": 1.0}]


@pytest.mark.parametrize(
    "line", ["[]", "x", '{"id": "a"}', '{"id":"a","metric":"m","score":NaN,"details":{},"judge":"j","usage":{}}']
)
def test_a_damaged_line_is_told_by_its_number(tmp_path: Path, line: str) -> None:
    folder = folder_of(tmp_path / "run", "a")
    (folder / JUDGEMENTS).write_text(line + "\n")
    for read in (lambda: list(with_judgements(folder)), lambda: JudgingFolder(folder, HOW)):
        with pytest.raises(SourceError, match=r"judgements.jsonl:1.*delete this line"):
            read()
