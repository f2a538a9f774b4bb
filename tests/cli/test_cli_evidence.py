"""Answers that are checked without the graph: by the evidence that they hold, and by a root from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import toulmin
from toulmin.graph.protocol import Graph
from toulmin.graph.union import UnionGraph
from toulmin.methods.trace import answer_of_json
from toulmin.program.builder import Builder
from toulmin.program.evidence import attach

Run = Callable[..., Any]


def test_an_answer_with_evidence_needs_no_graph(run: Run, proved: Path, world: Graph) -> None:
    result = run("check", proved)
    assert (result.exit_code, result.stderr) == (0, "")
    shown = " ".join(result.stdout.split())
    assert "Lord Byron — place of birth → London [" in shown
    assert f"held against the root that the certificate names, {world.fingerprint} passes: judged" in shown
    report = json.loads(run("check", "-", "--json", stdin=proved.read_text("utf-8")).stdout)
    assert [node["status"] for node in report["nodes"]] == ["holds", "recomputed", "recomputed"]
    assert toulmin.check(toulmin.Answer.read(proved)).nodes == report["nodes"]
    assert run("check", proved, "--strict").exit_code == 1
    assert run("check", proved, "--kg", "bundled").exit_code == 0


def test_the_root_is_the_one_that_the_user_trusts(run: Run, proved: Path, world: Graph) -> None:
    for root in (world.fingerprint, world.fingerprint.upper()):
        result = run("check", proved, "--root", root)
        assert result.exit_code == 0
        assert "held against the root given" in " ".join(result.stdout.split())
    wrong = "0" * 64
    for graph in ((), ("--kg", "bundled")):
        result = run("check", proved, "--root", wrong, *graph)
        assert result.exit_code == 1
        assert "of another root than the one given" in " ".join(result.stdout.split())
    assert toulmin.check(toulmin.Answer.read(proved), root=wrong).exit_code == 1


def test_a_statement_that_is_altered_left_out_or_put_in_is_found(run: Run, proved: Path, tmp_path: Path) -> None:
    stored = json.loads(proved.read_text("utf-8"))
    born = next(one for one in stored["evidence"][0]["out"]["ranges"] if one["relation"] == "world:place_of_birth")
    (statement,) = born["statements"]
    for statements in ([], [statement, statement], [[*statement[:2], "world:Paris", *statement[3:]]]):
        born["statements"] = statements
        (tmp_path / "altered.json").write_text(json.dumps(stored), "utf-8")
        result = run("check", tmp_path / "altered.json")
        assert result.exit_code != 0
        assert "London" not in result.stdout


def test_what_the_evidence_does_not_bear_out_fails(run: Run, proved: Path, tmp_path: Path) -> None:
    stored = json.loads(proved.read_text("utf-8"))
    stored["answer"]["values"] = ["world:Paris"]
    (tmp_path / "altered.json").write_text(json.dumps(stored), "utf-8")
    result = run("check", tmp_path / "altered.json")
    assert result.exit_code == 1
    assert "the answer is not what follows from the program" in " ".join(result.stdout.split())
    stored["answer"]["values"], stored["program"][2]["relations"] = ["world:London"], ["world:place_of_death"]
    (tmp_path / "altered.json").write_text(json.dumps(stored), "utf-8")
    result = run("check", tmp_path / "altered.json")  # no evidence of it is given
    assert (result.exit_code, "unverifiable" in result.stdout) == (1, True)
    assert run("check", tmp_path / "altered.json", "--kg", "bundled").exit_code == 1


def test_the_trace_holds_the_evidence_too(run: Run) -> None:
    result = run("ask", "Who is the father of Ada Lovelace?", "--kg", "bundled", "--evidence", "--json")
    assert toulmin.check(answer_of_json(result.stdout)).status == "judged"
    assert run("check", "-", stdin=result.stdout).exit_code == 0


@pytest.mark.parametrize("command", [("ask", "Who is it?"), ("check-text", "Ada Lovelace was born in London.")])
def test_evidence_that_would_be_stored_nowhere_is_told_before_anything_is_done(
    run: Run, command: tuple[str, str]
) -> None:
    result = run(*command, "--kg", "bundled", "--evidence")
    assert result.exit_code == 2
    assert "--evidence is stored with the answer: name a file with --out" in result.stderr


def test_what_comes_from_stdin_is_named(run: Run) -> None:
    result = run("check", "-", "--kg", "bundled", stdin="no answer")
    assert result.exit_code == 2
    assert result.stderr.startswith("toulmin: stdin: not a stored answer")


def test_an_abstention_has_evidence_too(run: Run, tmp_path: Path) -> None:
    stored = tmp_path / "hair.json"
    question = "What colour is the hair of Ada Lovelace?"
    assert run("ask", question, "--kg", "bundled", "--evidence", "--out", stored).exit_code == 0
    result = run("check", stored)
    assert result.exit_code == 0
    assert "unverifiable" not in result.stdout


def test_a_page_is_written(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "answer.html"
    result = run("ask", "Who is the father of Ada Lovelace?", "--kg", "bundled", "--html", page)
    assert result.exit_code == 0
    text = page.read_text("utf-8")
    assert "Lord Byron" in text
    assert "http-equiv" in text or "<script" in text


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ((), "holds no evidence: name the graph with --kg, or ask again with --evidence"),
        (("--root", "abc"), "--root abc: a root has 64 hexadecimal digits"),
        (("--knowledge", "lexical"), "name it with --kg"),
    ],
)
def test_what_cannot_be_checked_is_told_in_one_line(
    run: Run, answer: Path, proved: Path, options: tuple[str, ...], problem: str
) -> None:
    result = run("check", proved if options else answer, *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert problem in result.stderr and result.stderr.count("\n") == 1


# -- of several graphs -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def members(run: Run, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A harbour's graph, that of its crews, and the latter as it is a year later."""
    folder, found = tmp_path_factory.mktemp("harbour"), {}
    for name, lines in (
        ("harbour", "Petrel\tberthed at\tNorth Quay"),
        ("crews", "Petrel\tskipper\tInes Moll\nInes Moll\tborn in\tVarn"),
        ("later/crews", "Petrel\tskipper\tOlu Brand\nOlu Brand\tborn in\tVarn"),
    ):
        (folder / name).parent.mkdir(exist_ok=True)
        source = folder / f"{name}.tsv"
        source.write_text(f"subject\trelation\tobject\n{lines}\n", "utf-8")
        assert run("build", source, "--out", folder / name, "--no-vectors").exit_code == 0
        found[name] = folder / name
    return found


@pytest.fixture(scope="module")
def of_both(members: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Who sails from North Quay: an answer that each of two graphs says half of, with its evidence."""
    with UnionGraph([toulmin.open(members[name]) for name in ("harbour", "crews")]) as graph:
        builder = Builder("Who is the skipper of the ship at North Quay?", graph)
        quay = builder.entity(graph.lookup(["North Quay"])[0][0].id)
        berth, skipper = (
            next(r for r, _ in graph.relations() if r.label == said) for said in ("berthed at", "skipper")
        )
        ship = builder.follow(quay, berth, "backward")
        answer = builder.answer(builder.follow(ship, skipper), by="hand", score=1.0, method="by hand")
        path = tmp_path_factory.mktemp("both") / "skipper.json"
        path.write_text(attach(answer, graph).to_json(), "utf-8")
    return path


def shown(result: Any) -> str:
    return " ".join(result.stdout.split())


def test_several_roots_are_matched_as_a_set(run: Run, of_both: Path) -> None:
    one, other = (graph["root"] for graph in json.loads(of_both.read_text("utf-8"))["graphs"])
    for roots in ((one, other), (other, one.upper(), one)):
        result = run("check", of_both, *(text for root in roots for text in ("--root", root)))
        assert (result.exit_code, shown(result).count("held against the root given")) == (0, 2)
    for wrong in ([one], [other], [one, other, "0" * 64]):
        result = run("check", of_both, *(text for root in wrong for text in ("--root", root)))
        assert result.exit_code == 1
        assert "of another root than the one given" in shown(result)


@pytest.mark.parametrize("order", [("harbour", "crews"), ("crews", "harbour")])
def test_graphs_are_told_by_their_roots_in_whatever_order(
    run: Run, of_both: Path, members: dict[str, Path], order: tuple[str, ...]
) -> None:
    result = run("check", of_both, *(text for name in order for text in ("--kg", members[name])))
    assert result.exit_code == 0
    assert "Ines Moll" in shown(result)
    assert "by its evidence" not in shown(result)


@pytest.mark.parametrize("name", ["harbour", "crews"])
def test_a_graph_that_is_not_at_hand_is_read_from_the_evidence(
    run: Run, of_both: Path, members: dict[str, Path], tmp_path: Path, name: str
) -> None:
    result = run("check", of_both, "--kg", members[name])
    assert result.exit_code == 0
    other = {"harbour": "crews", "crews": "harbour"}[name]
    assert f"“{other}”: not at hand, so by its evidence: held against the root that the certificate names" in shown(
        result
    )
    assert shown(result).count("by its evidence") == 1
    stored = json.loads(of_both.read_text("utf-8"))
    place = [one["name"] for one in stored["graphs"]].index(other)
    side = next(ranges for ranges in stored["evidence"][place]["out"]["ranges"] if ranges["statements"])
    side["statements"].pop()
    (tmp_path / "altered.json").write_text(json.dumps(stored), "utf-8")
    assert run("check", tmp_path / "altered.json", "--kg", members[name]).exit_code == 2
    del stored["evidence"]
    (tmp_path / "bare.json").write_text(json.dumps(stored), "utf-8")
    result = run("check", tmp_path / "bare.json", "--kg", members[name])
    assert result.exit_code == 1
    assert f"“{other}”: no evidence is given" in shown(result)


def test_one_that_changed_stands_where_its_name_does(run: Run, of_both: Path, members: dict[str, Path]) -> None:
    for more in ((), ("--kg", members["harbour"])):
        result = run("check", of_both, "--kg", members["later/crews"], *more)
        assert result.exit_code == 1
        assert "“crews”: another graph, or changed since" in shown(result)
        assert "does not pass: stale" in shown(result)
