"""``toulmin datasets``, and ``evaluate`` on a file of one's own and on claims that bring a table."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toulmin.evaluation.datasets import dataset_ids

Run = Callable[..., Any]

QUESTIONS = """id,question,answers,verdict,unknown,type
born,Where was Ada Lovelace born?,London,,,place
parents,Who was the father of Ada Lovelace?,Lord Byron,,,person
shoes,What was the shoe size of Ada Lovelace?,,,yes,person
broken,Who?,a,yes,,
"""


def test_the_list_says_of_each_set_what_it_needs(run: Run, tmp_path: Path) -> None:
    listed = run("datasets").stdout
    said = json.loads(run("datasets", "--json").stdout)
    assert [one["id"] for one in said] == list(dataset_ids())
    for one in said:
        assert f"{one['id']}: {one['title']}"[:60] in listed
        assert all(one[key] for key in ("title", "source", "licence", "files", "needs"))
        assert one["fields"]
        assert one["counts"] is None


def test_counts_are_of_the_files(run: Run, tmp_path: Path) -> None:
    (tmp_path / "factkg").mkdir()
    claims = [{"id": f"c{number}", "claim": "The pier is long.", "label": number > 0} for number in range(3)]
    lines = [*map(json.dumps, claims), json.dumps({"id": "c3"})]
    (tmp_path / "factkg/claims.jsonl").write_text("\n".join(lines), "utf-8")
    said = {one["id"]: one for one in json.loads(run("datasets", "--data", tmp_path, "--json").stdout)}
    assert said["factkg"]["counts"] == {"questions": 3, "problems": 1, "gold": {"verdict": 3}}
    assert "creak/dev.json: no such file" not in said["creak"]["counts"]
    assert "dev.json: no such file" in said["creak"]["counts"]
    one = run("datasets", "factkg", "--data", tmp_path)
    assert "claims.jsonl:4: field 'claim': is missing" in one.stderr
    assert "first      claims.jsonl:1: c0: The pier is long." in one.stdout.splitlines()
    assert "counts     --data PATH counts the questions" in run("datasets", "factkg").stdout.splitlines()


def test_questions_of_ones_own(run: Run, tmp_path: Path) -> None:
    file, out = tmp_path / "mine.csv", tmp_path / "run"
    file.write_text(QUESTIONS, "utf-8")
    shown = run("datasets", file)
    assert "gold       answers 2, unknown 1" in shown.stdout.splitlines()
    assert "mine.csv:5: answers and verdict are given: keep one, the gold" in shown.stderr
    asked = ("evaluate", file, "--kg", "bundled", "--method", "fidelis", "--out", out)
    summary = json.loads(run(*asked, "--json").stdout)
    assert (summary["n"], summary["problems"], summary["run"]["dataset"]) == (3, 1, "mine.csv")
    records = [json.loads(line) for line in (out / "records.jsonl").read_text("utf-8").splitlines()]
    assert [(one["id"], one["outcome"]) for one in records] == [
        ("born", "answered"),
        ("parents", "answered"),
        ("shoes", "abstained"),
    ]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["datasets", "factkgs"], "no data set is called 'factkgs'; did you mean 'factkg'"),
        (["datasets", "factkg", "--data", "nowhere"], "nowhere: no such folder"),
        (["datasets", "nowhere.csv"], "nowhere.csv: no such file"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(run: Run, arguments: list[str], problem: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert problem in result.stderr


def test_rr_weighs_what_a_claim_brings(run: Run, tmp_path: Path) -> None:
    folder, chains, out = tmp_path / "infotabs", tmp_path / "chains.jsonl", tmp_path / "run"
    (folder / "tables").mkdir(parents=True)
    (folder / "tables/T1.json").write_text(json.dumps({"title": ["Ann Hale"], "Born": ["6 May 1902 Cork"]}), "utf-8")
    rows = ["table_id\thypothesis\tlabel", "T1\tAnn Hale was born in Cork.\tE", "T1\tAnn Hale was born in 1950.\tC"]
    (folder / "infotabs_dev.tsv").write_text("\n".join(rows), "utf-8")
    said = ["Ann Hale was born in Cork. So the answer is yes.", "Ann Hale was born on 6 May 1902. So the answer is no."]
    lines = [{"id": f"dev-{line}", "chains": [text]} for line, text in enumerate(said, 2)]
    chains.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    asked = ("evaluate", "infotabs", "--data", tmp_path, "--method", "rr", "--chains", chains, "--json")
    summary = json.loads(run(*asked, "--knowledge", "own", "--knowledge", "lexical", "--out", out).stdout)
    assert (summary["n"], summary["checked"]) == (2, 2)
    assert summary["metrics"]["accuracy"]["estimate"] == 1.0
    records = [json.loads(line) for line in (out / "records.jsonl").read_text("utf-8").splitlines()]
    assert all("T1" in json.dumps(one["answer"]) and one["check"]["passed"] for one in records)
    mine = tmp_path / "mine.jsonl"
    mine.write_text('{"id": "dev-2", "question": "Is the pier long?", "verdict": true}\n', "utf-8")
    mine_asked = ("evaluate", mine, "--kg", "bundled", "--method", "rr", "--chains", chains)
    refused = run(*mine_asked, "--knowledge", "own", "--out", tmp_path / "other")
    assert refused.exit_code == 2
    assert "'own' is what a question of a data set brings, and this one brings nothing" in refused.stderr
