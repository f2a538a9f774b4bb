"""``toulmin passages build`` and ``search``."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toulmin.graph.protocol import Graph
from toulmin.program.builder import Builder
from toulmin.retrieval.knowledge import KnowledgeUnion, LexicalKnowledge, PassageKnowledge, TableKnowledge, read_table
from toulmin.retrieval.passages.index import PassageIndex

Run = Callable[..., Any]
TEXT = """Aristotle was a Greek philosopher. He died in 322 BC in Euboea.

The first laptop computer was invented in 1980.
"""


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory, run: Run) -> Path:
    folder = tmp_path_factory.mktemp("texts")
    (folder / "notes.txt").write_text(TEXT, "utf-8")
    result = run("passages", "build", folder / "notes.txt", "--out", folder / "index")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{folder / 'index'}: 2 passages of 1 file, 20 words, in ")
    return folder / "index"


def test_search_prints_the_passage_and_its_id(run: Run, index: Path) -> None:
    result = run("passages", "search", index, "When did Aristotle die?")
    assert result.exit_code == 0
    assert "notes#1 [0:63]" in result.stdout
    assert "Aristotle was a Greek philosopher." in result.stdout
    assert "laptop" not in result.stdout


def test_search_as_json(run: Run, index: Path) -> None:
    found = json.loads(run("passages", "search", index, "the first laptop", "--json").stdout)
    assert [one["source"] for one in found] == ["notes#2"]
    assert found[0]["text"] == "The first laptop computer was invented in 1980."
    assert 0.5 < found[0]["similarity"] <= 1


def test_search_that_finds_nothing(run: Run, index: Path) -> None:
    result = run("passages", "search", index, "xylophone")
    assert (result.exit_code, result.stdout) == (0, "no passage shares a word with it\n")
    assert json.loads(run("passages", "search", index, "xylophone", "--json").stdout) == []


def test_build_with_vectors_and_json(run: Run, index: Path, tmp_path: Path) -> None:
    source = index.parent / "notes.txt"
    result = run("passages", "build", source, source, "--out", tmp_path / "dense", "--vectors", "--json")
    report = json.loads(result.stdout)
    assert (report["passages"], report["duplicates"], report["files"], report["vectors"]) == (2, 2, 2, True)
    found = run("passages", "search", tmp_path / "dense", "notebook machine", "--retriever", "dense", "--limit", "1")
    assert "notes#2" in found.stdout


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["search", "nope", "x"], "toulmin: nope: no such folder; build one with: toulmin passages build"),
        (["build", "nope.txt", "--out", "x"], "toulmin: nope.txt: no such file"),
    ],
)
def test_bad_input_is_one_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], problem: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("passages", *arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith(problem)
    assert result.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_dense_search_needs_vectors(run: Run, index: Path) -> None:
    result = run("passages", "search", index, "x", "--retriever", "bm25+dense")
    assert result.exit_code == 2
    assert "build it with --vectors" in result.stderr


@pytest.fixture(scope="module")
def resting(world: Graph, index: Path) -> Path:
    """A stored answer that rests on a passage of the index, a row of a table, and a lexical relation."""
    table = index.parent / "heat.csv"
    table.write_text("Directed by,Michael Mann\n", "utf-8")
    known = KnowledgeUnion(
        PassageKnowledge(PassageIndex.open(index)),
        TableKnowledge(read_table(table)),
        LexicalKnowledge("He was an actor."),
    )
    builder = Builder("What is known.", world)
    found = known.find(["Aristotle died in 322 BC."], about="an entertainer")[0]
    claims = []
    for one in found:
        assert one.excerpt is not None
        excerpt = one.excerpt
        passage = builder.passage(excerpt.source, excerpt.sha256, excerpt.start, excerpt.end, excerpt.text)
        claims.append(builder.judged(excerpt.text, by="hand", score=1.0, decision="yes", seen=[passage]))
    assert len(found) == 3
    answer = builder.text([(0, 14, claims, None)], by="hand", score=1.0, method="by hand")
    stored = index.parent / "answer.json"
    stored.write_text(answer.to_json(), "utf-8")
    return stored


def statuses(result: Any) -> list[str]:
    return [node["status"] for node in json.loads(result.stdout)["nodes"] if node["op"] == "passage"]


def test_check_finds_the_passages_again(run: Run, index: Path, resting: Path) -> None:
    asked = ["check", resting, "--kg", "bundled", "--json"]
    assert statuses(run(*asked)) == ["unverifiable"] * 3
    result = run(*asked, "--passages", index, "--knowledge", index.parent / "heat.csv", "--knowledge", "lexical")
    assert result.exit_code == 0
    assert statuses(result) == ["holds"] * 3


def test_check_tells_a_passage_that_has_changed(run: Run, resting: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text(TEXT.replace("philosopher", "poet"), "utf-8")
    assert run("passages", "build", tmp_path / "notes.txt", "--out", tmp_path / "other").exit_code == 0
    result = run("check", resting, "--kg", "bundled", "--knowledge", tmp_path / "other", "--json")
    assert result.exit_code == 1
    assert sorted(statuses(result)) == ["stale", "unverifiable", "unverifiable"]


def test_check_refuses_what_is_no_knowledge(run: Run, resting: Path) -> None:
    result = run("check", resting, "--kg", "bundled", "--knowledge", "nowhere")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "no knowledge is called 'nowhere'" in result.stderr


def test_interrupt_leaves_nothing(start: Callable[..., subprocess.Popen[str]], tmp_path: Path) -> None:
    source = tmp_path / "long.txt"
    source.write_text("".join(f"Paragraph {number} of a long text.\n\n" for number in range(300_000)), "utf-8")
    process = start("passages", "build", source, "--out", tmp_path / "index")
    while process.poll() is None and not list(tmp_path.glob(".index.building-*/texts.bin")):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=120)
    assert (process.returncode, stderr) == (130, "toulmin: interrupted\n")
    assert [path.name for path in tmp_path.iterdir()] == ["long.txt"]


def test_help_has_examples(run: Run) -> None:
    for command in ("build", "search"):
        result = run("passages", command, "--help")
        assert result.exit_code == 0
        assert f"toulmin passages {command} " in result.stdout
