"""``toulmin find`` and ``toulmin show``, on a directory, the bundled graph and an endpoint."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from endpoint_servers import RdflibServer

Run = Callable[..., Any]


def test_find_by_alias_and_misspelt(run: Run) -> None:
    result = run("find", "countess of lovelase", "--kg", "bundled")
    assert result.exit_code == 0
    assert "Ada Lovelace  ⟨world:Ada_Lovelace⟩" in result.stdout
    assert "also called" in result.stdout
    found = json.loads(run("find", "Paris", "--kg", "bundled", "--limit", "2", "--json").stdout)
    assert len(found) == 2
    assert {one["label"] for one in found} == {"Paris"}
    assert found[0].keys() == {"id", "label", "matched", "score", "description"}


def test_find_nothing(run: Run, films: Path) -> None:
    result = run("find", "xyzzy", "--kg", films)
    assert (result.exit_code, result.stdout) == (0, "nothing is called 'xyzzy' or nearly so\n")
    assert json.loads(run("find", "xyzzy", "--kg", films, "--json").stdout) == []


def test_show_both_directions_with_qualifiers(run: Run, films: Path) -> None:
    result = run("show", "Al Pacino", "--kg", films)
    assert result.exit_code == 0
    assert "  ◀──starring── Heat  (since: 1995)" in result.stdout.splitlines()
    lines = run("show", "Ada Lovelace", "--kg", "bundled").stdout.splitlines()
    assert "  ──date of birth──▶ 10 December 1815" in lines
    assert "  ──spouse──▶ William King-Noel" in lines
    assert "       (start time: 8 July 1835; end time: 27 November 1852)" in lines
    assert "  ◀──named after── Ada (programming language)" in lines


def test_show_by_id_gives_the_same(run: Run) -> None:
    by_id = run("show", "world:Ada_Lovelace", "--kg", "bundled", "--json")
    by_alias = run("show", "ada byron", "--kg", "bundled", "--json")
    assert json.loads(by_id.stdout) == json.loads(by_alias.stdout)


def test_show_limits_each_direction(run: Run) -> None:
    few = json.loads(run("show", "London", "--kg", "bundled", "--limit", "2", "--json").stdout)
    everything = json.loads(run("show", "London", "--kg", "bundled", "--all", "--json").stdout)
    assert [len(few[side]) for side in ("outgoing", "incoming")] == [2, 2]
    assert few["more"] == {"outgoing": True, "incoming": True}
    assert everything["more"] == {"outgoing": False, "incoming": False}
    assert everything["incoming"][:2] == few["incoming"]
    assert len({one["id"] for one in everything["incoming"]}) == len(everything["incoming"]) > 2
    assert "… and more (--limit N, or --all)" in run("show", "London", "--kg", "bundled", "--limit", "2").stdout


def test_show_only_some_relations(run: Run) -> None:
    shown = json.loads(run("show", "London", "--kg", "bundled", "--relation", "Place of birth", "--json").stdout)
    assert {one["relation"]["id"] for one in shown["incoming"]} == {"world:place_of_birth"}
    assert shown["outgoing"] == []


def test_show_names_others_of_the_same_name(run: Run) -> None:
    result = run("show", "Paris", "--kg", "bundled", "--limit", "1")
    assert "Paris  ⟨world:Paris⟩" in result.stdout.splitlines()
    assert "  Paris  ⟨world:Paris_(Texas)⟩" in result.stdout.splitlines()


def test_show_prefers_the_name_in_its_own_case(run: Run, tmp_path: Path) -> None:
    source, out = tmp_path / "cases.tsv", tmp_path / "cases"
    source.write_text("Polish\tspoken in\tPoland\nPolish\ttype\tlanguage\npolish\tused on\tshoes\n", "utf-8")
    assert run("build", source, "--out", out, "--no-vectors").exit_code == 0
    for name, other in (("Polish", "Poland"), ("polish", "shoes")):
        shown = json.loads(run("show", name, "--kg", out, "--json").stdout)
        assert shown["label"] == name
        assert other in [one["object"]["label"] for one in shown["outgoing"]]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["show", "x", "--kg", ""], "the name of a graph is empty: give --kg DIR"),
        (["show", "Ada Lovelaze", "--kg", "bundled"], "the nearest are 'Ada Lovelace'"),
        (["show", "London", "--kg", "bundled", "--relation", "place of brith"], "did you mean 'place of birth'"),
        (["show", "x", "--kg", "nowhere"], "nowhere: no such directory; build one with: toulmin build"),
        (["find", "x", "--kg", __file__], "is a file, not a graph directory"),
        (["info", str(Path(__file__).parent)], "not a Toulmin graph"),
        (
            ["find", "x", "--kg", "htp://example.org/sparql"],
            "not the address of an endpoint: 'htp://example.org/sparql'",
        ),
        (["find", "x", "--kg", "http://"], "not the address of an endpoint"),
        (["find", "x", "--kg", "http://user@example.org/"], "the endpoint's address holds a user name"),
        (["find", "x", "--kg", "http://127.0.0.1:9/", "--dialect", "klingon"], "klingon"),
        (["find", "x", "--kg", "bundled", "--dialect", "rdf"], "a dialect is of an endpoint"),
        (["find", "x", "--kg", "bundled", "--kg-timeout", "5"], "a timeout is of an endpoint"),
        (["find", "x", "--kg", "http://127.0.0.1:9/", "--kg-timeout", "0"], "timeout is 0.0: must be more than 0"),
        (["info", "bundled", "--refresh"], "--refresh is of an endpoint"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(run: Run, arguments: list[str], problem: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert problem in result.stderr
    assert result.stderr.startswith("toulmin: ")
    assert result.stderr.count("\n") == 1


def test_an_endpoint_is_browsed_like_a_directory(run: Run) -> None:
    turtle = """@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        :heat rdfs:label "Heat" ; :directedBy :mann . :mann rdfs:label "Michael Mann" .
        :directedBy rdfs:label "directed by" ."""
    with RdflibServer() as server:
        server.load(turtle)
        found = json.loads(run("find", "Heat", "--kg", server.url, "--json").stdout)
        assert [one["id"] for one in found] == ["http://example.org/heat"]
        assert "  ──directed by──▶ Michael Mann" in run("show", "Heat", "--kg", server.url).stdout.splitlines()
        info = json.loads(run("info", server.url, "--json").stdout)
        assert (info["address"], info["dialect"], info["schema"]) == (server.url, "rdf", "not asked for yet")
        assert {"id": "http://example.org/directedBy", "label": "directed by", "statements": 1} in info["relations"]
        misspelt = run("find", "Haet", "--kg", server.url)
        assert (misspelt.exit_code, misspelt.stdout) == (0, "nothing is called 'Haet'\n")
        assert "whole names and for names with all these words, not for misspelt ones" in misspelt.stderr
        assert run("find", "mann", "--kg", server.url, "--kg-timeout", "20").stderr == ""


def test_what_is_kept_of_an_endpoint_is_told_and_can_be_forgotten(run: Run) -> None:
    turtle = """@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        :heat rdfs:label "Heat" ; :directedBy :mann . :mann rdfs:label "Michael Mann" .
        :directedBy rdfs:label "directed by" ."""
    with RdflibServer() as server:
        server.load(turtle)
        first = run("check-text", "Michael Mann directed Heat.", "--kg", server.url)
        assert "Michael Mann" in first.stdout and first.stderr == ""
        second = run("check-text", "Michael Mann directed Heat.", "--kg", server.url)
        assert f"toulmin: the schema of {server.url} is of 20" in second.stderr
        assert f"`toulmin info {server.url} --refresh` asks again" in second.stderr
        assert second.stderr.count("\n") == 1
        assert "1 relation, asked 20" in run("info", server.url).stdout
        assert "not asked for yet" in run("info", server.url, "--refresh").stdout
        asked = run("ask", "Who directed Heat?", "--kg", server.url)
        assert "Michael Mann" in asked.stdout and asked.stderr == ""


def test_several_graphs_are_asked_as_one(run: Run, films: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.tsv"
    mine.write_text("me\tliked\tHeat\n", "utf-8")
    assert run("build", mine, "--out", tmp_path / "mine", "--no-vectors").exit_code == 0
    lines = run("show", "Heat", "--kg", films, "--kg", tmp_path / "mine").stdout.splitlines()
    assert "  ──directed by──▶ Michael Mann  (in films)" in lines
    assert "  ◀──liked── me  (in mine)" in lines
    twice = run("show", "Heat", "--kg", films, "--kg", films)
    assert twice.exit_code == 2
    assert "two graphs of the union are named 'films'" in twice.stderr
