"""``toulmin check`` of texts and of answers that rest on passages: a line for each sentence, and exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import toulmin
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity
from toulmin.program.answer import Answer
from toulmin.program.builder import Builder
from toulmin.retrieval.passages.index import PassageIndex

Run = Callable[..., Any]
TEXT = "Ada Lovelace was born in London. She kept a parrot named Poll. Ada Lovelace was born in Paris."


def _claim(builder: Builder, start: int, end: int, seen: list[int], decision: Any) -> tuple[int, int, list[int], None]:
    return start, end, [builder.judged(TEXT[start:end], by="hand", score=0.9, decision=decision, seen=seen)], None


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory, run: Run) -> Path:
    folder = tmp_path_factory.mktemp("parrots")
    (folder / "parrots.txt").write_text("Ada Lovelace kept a parrot named Poll.\n", encoding="utf-8")
    assert run("passages", "build", folder / "parrots.txt", "--out", folder / "index").exit_code == 0
    return folder / "index"


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory, world: Graph, index: Path) -> Path:
    builder = Builder(TEXT, world)
    ada = world.lookup(["Ada Lovelace"])[0][0].id
    born = next(one for one in world.statements([ada])[0] if one.relation.label == "place of birth")
    names = [
        builder.entity(end, (TEXT.index(name), TEXT.index(name) + len(name)), name)
        for name, end in (("Ada Lovelace", born.subject), ("London", born.object))
        if isinstance(end, Entity)
    ]
    fact = builder.statement(born)
    found = PassageIndex.open(index).search(["parrot Poll"], k=1)[0][0][0]
    passage = builder.passage(found.source, found.sha256, found.start, found.end, found.text)
    claims = [
        _claim(builder, 0, 32, [*names, fact], "yes"),
        _claim(builder, 33, 62, [passage], "yes"),
        _claim(builder, 63, len(TEXT), [names[0], fact], "no"),
    ]
    path = tmp_path_factory.mktemp("stored") / "text.json"
    path.write_text(builder.text(claims, by="hand", score=1.0, method="by hand").to_json(), encoding="utf-8")
    return path


def test_a_line_for_each_sentence(run: Run, stored: Path) -> None:
    result = run("check", stored, "--kg", "bundled")
    assert result.exit_code == 0
    shown = " ".join(result.stdout.split())
    for line in (
        "Answer supported: “Ada Lovelace was born in London.”; taken for:",
        "supported: “She kept a parrot named Poll.”; taken for:",
        "contradicted: “Ada Lovelace was born in Paris.”; taken for:",
        "Ada Lovelace — place of birth → London [",
        "passes: unverifiable",
    ):
        assert line in shown


def test_with_its_passages_nothing_is_unverifiable(run: Run, stored: Path, index: Path) -> None:
    result = run("check", stored, "--kg", "bundled", "--passages", index)
    assert result.exit_code == 0
    assert "unverifiable" not in result.stdout
    report = json.loads(run("check", stored, "--kg", "bundled", "--passages", index, "--json").stdout)
    assert {node["status"] for node in report["nodes"]} == {"holds", "judged"}
    assert [line.partition(":")[0] for line in report["answer"]] == ["supported", "supported", "contradicted"]


def test_a_verdict_that_rests_on_nothing_fails(run: Run, stored: Path, tmp_path: Path) -> None:
    told = json.loads(stored.read_text("utf-8"))
    for node in told["program"]:
        if node["op"] == "judged":
            node["seen"] = []
    (tmp_path / "other.json").write_text(json.dumps(told), "utf-8")
    result = run("check", tmp_path / "other.json", "--kg", "bundled")
    assert result.exit_code == 1
    assert "judged by nothing that a statement or passage says" in " ".join(result.stdout.split())
    assert toulmin.check(Answer.read(stored), toulmin.open("bundled")).exit_code == 0


def test_a_sentence_that_is_left_out_is_told(run: Run, stored: Path, tmp_path: Path) -> None:
    told = json.loads(stored.read_text("utf-8"))
    del told["answer"]["sentences"][2]  # the one that is contradicted
    (tmp_path / "other.json").write_text(json.dumps(told), "utf-8")
    result = run("check", tmp_path / "other.json", "--kg", "bundled")
    assert result.exit_code == 1
    assert "the sentences leave out" in " ".join(result.stdout.split())


def test_a_folder_that_is_no_index(run: Run, stored: Path, tmp_path: Path) -> None:
    result = run("check", stored, "--kg", "bundled", "--passages", tmp_path / "nothing")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1


def test_sparql_that_an_answer_rests_on_is_run_again(run: Run, world: Graph, tmp_path: Path) -> None:
    builder = Builder("How many were born where?", world)
    text = "SELECT ?place (COUNT(?who) AS ?n) { ?who <world:place_of_birth> ?place } GROUP BY ?place"
    stored = builder.answer(builder.query(text), by="hand", score=1.0, method="by hand").certificate
    path = tmp_path / "query.json"
    for change, code, told in (
        ({}, 0, "run again by the store: the same rows"),
        ({"text": text.replace("birth", "death")}, 1, "run again by the store: other rows"),
        ({"text": "DROP ALL"}, 0, "not run again: SPARQL query: error at 1:1: DROP: only SELECT and ASK are accepted"),
    ):
        path.write_text(json.dumps(stored | {"program": [stored["program"][0] | change]}), "utf-8")
        result = run("check", path, "--kg", "bundled")
        assert (result.exit_code, told in " ".join(result.stdout.split())) == (code, True), result.stdout
