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
from toulmin.proof.answer import Answer
from toulmin.proof.builder import ProofBuilder
from toulmin.retrieval.passages import PassageIndex

Run = Callable[..., Any]
TEXT = "Ada Lovelace was born in London. She kept a parrot named Poll. Ada Lovelace was born in Paris."


def _claim(builder: ProofBuilder, start: int, end: int, premises: list[str], decision: Any) -> str:
    words = TEXT[start:end]
    judged = builder.add_claim_judgement(words, start, end, premises, by="hand", score=0.9, decision=decision)
    return builder.add_claim(words, start, end, judged, premises)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory, run: Run) -> Path:
    folder = tmp_path_factory.mktemp("parrots")
    (folder / "parrots.txt").write_text("Ada Lovelace kept a parrot named Poll.\n", encoding="utf-8")
    assert run("passages", "build", folder / "parrots.txt", "--out", folder / "index").exit_code == 0
    return folder / "index"


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory, world: Graph, index: Path) -> Path:
    builder = ProofBuilder(TEXT, world)
    ada = world.lookup(["Ada Lovelace"])[0][0].id
    born = next(one for one in world.statements([ada])[0] if one.relation.label == "place of birth")
    links = [
        builder.add_link(TEXT.index(name), TEXT.index(name) + len(name), end, name, 1.0, "exact")
        for name, end in (("Ada Lovelace", born.subject), ("London", born.object))
        if isinstance(end, Entity)
    ]
    fact = builder.add_fact(born)
    found = PassageIndex.open(index).search(["parrot Poll"], k=1)[0][0][0]
    passage = builder.add_passage(found.source, found.sha256, found.start, found.end, found.text)
    claims = [
        _claim(builder, 0, 32, [*links, fact], "yes"),
        _claim(builder, 33, 62, [passage], "yes"),
        _claim(builder, 63, len(TEXT), [links[0], fact], "no"),
    ]
    path = tmp_path_factory.mktemp("stored") / "text.json"
    path.write_text(builder.answer(builder.conclude_text(claims), method="by hand").to_json(), encoding="utf-8")
    return path


def test_a_line_for_each_sentence(run: Run, stored: Path) -> None:
    result = run("check", stored, "--kg", "bundled")
    assert result.exit_code == 0
    for line in (
        "Answer      2 sentences supported, 1 contradicted",
        "the graph says: Ada Lovelace — place of birth → London",
        "the graph says otherwise: Ada Lovelace — place of birth → London",
        "1    supported        judged       Ada Lovelace was born in London.",
        "2    supported        unverifiable She kept a parrot named Poll.",
        "3    contradicted     judged       Ada Lovelace was born in Paris.",
        "passes: nothing fails, but not all of it can be verified here",
    ):
        assert line in result.stdout


def test_with_its_passages_nothing_is_unverifiable(run: Run, stored: Path, index: Path) -> None:
    result = run("check", stored, "--kg", "bundled", "--passages", index)
    assert result.exit_code == 0
    assert "unverifiable" not in result.stdout
    report = json.loads(run("check", stored, "--kg", "bundled", "--passages", index, "--json").stdout)
    assert [one["status"] for one in report["sentences"]] == ["judged"] * 3
    assert [one["verdict"] for one in report["sentences"]] == ["supported", "supported", "contradicted"]


def test_another_verdict_than_follows_fails(run: Run, stored: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text(stored.read_text("utf-8").replace('"contradicted"', '"supported"'), encoding="utf-8")
    result = run("check", other, "--kg", "bundled")
    assert result.exit_code == 1
    assert "does not pass" in result.stdout
    assert toulmin.check(Answer.read(stored), toulmin.open("bundled")).exit_code == 0


def test_a_folder_that_is_no_index(run: Run, stored: Path, tmp_path: Path) -> None:
    result = run("check", stored, "--kg", "bundled", "--passages", tmp_path / "nothing")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
