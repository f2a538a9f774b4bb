"""``toulmin build`` and ``toulmin info``."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toulmin.methods.trace import answer_of_json

Run = Callable[..., Any]
Start = Callable[..., "subprocess.Popen[str]"]


def test_build_reports_what_it_took_in_and_rejected(run: Run, tmp_path: Path) -> None:
    source = tmp_path / "graph.tsv"
    source.write_text("a\tr\tb\na\tr\tb\nonly two\tfields\nb\tr\tc\n", "utf-8")
    result = run("build", source, "--out", tmp_path / "out", "--no-vectors")
    assert result.exit_code == 0
    assert "2 statements" in result.stdout
    assert "3 entities" in result.stdout
    assert "left out: 1 duplicate," in result.stdout
    assert "rejected: 1 record that" in result.stdout
    assert f"{source}:3: 2 fields where 3 are expected" in result.stdout


def test_a_source_within_the_graph_that_is_replaced_is_kept(run: Run, tmp_path: Path) -> None:
    first, out = tmp_path / "graph.tsv", tmp_path / "out"
    first.write_text("a\tr\tb\n", "utf-8")
    assert run("build", first, "--out", out, "--no-vectors").exit_code == 0
    within = first.rename(out / "graph.tsv")
    result = run("build", within, "--out", out, "--no-vectors")
    assert result.exit_code == 2
    assert f"graph.tsv: is no file of the graph, and would go with it: move it out of {out}" in result.stderr
    assert within.read_text("utf-8") == "a\tr\tb\n"


def test_build_takes_several_sources_and_prints_json(run: Run, tmp_path: Path) -> None:
    one, two = tmp_path / "one.csv.gz", tmp_path / "two.txt"
    one.write_bytes(gzip.compress(b"a;r;b\n"))
    two.write_text("b|r|c\n", "utf-8")
    out = tmp_path / "both"
    result = run("build", one, two, "--out", out, "--name", "pair", "--no-vectors", "--json")
    report = json.loads(result.stdout)
    assert (report["statements"], report["rejected"], report["first_rejected"]) == (2, 0, [])
    info = json.loads(run("info", out, "--json").stdout)
    assert (info["name"], info["statements"], info["entities"]) == ("pair", 2, 3)
    assert info["fingerprint"] == report["fingerprint"]
    assert f"root         {report['fingerprint']}\n" in run("info", out).stdout
    assert [relation["statements"] for relation in info["relations"]] == [2]
    assert info["bytes"] > 0


def test_strict_stops_and_keeps_the_old_graph(run: Run, tmp_path: Path) -> None:
    good, bad, out = tmp_path / "good.tsv", tmp_path / "bad.tsv", tmp_path / "out"
    good.write_text("a\tr\tb\n", "utf-8")
    bad.write_text("a\tr\tb\nc\tr\td\nwrong\n", "utf-8")
    assert run("build", good, "--out", out, "--no-vectors").exit_code == 0
    before = json.loads(run("info", out, "--json").stdout)
    result = run("build", bad, "--out", out, "--no-vectors", "--strict")
    assert result.exit_code == 2
    assert result.stderr == f"toulmin: {bad}:3: 1 fields where 3 are expected\n"
    assert json.loads(run("info", out, "--json").stdout) == before
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["bad.tsv", "good.tsv", "out"]


@pytest.mark.parametrize(
    ("text", "options", "object_"),
    [
        ("a-r-1999\n", ["--delimiter", "-", "--literals", "--format", "triples"], {"value": "1999", "kind": "time"}),
        ("r\t1999\ta\n", ["--delimiter", "tab", "--columns", "relation,object,subject"], {"value": "1999"}),
        ("a\tr\t1999\n", ["--no-literals", "--format", "triples"], {"label": "1999"}),
        ("subject\trelation\tobject\n", ["--no-header", "--format", "triples"], {"label": "object"}),
    ],
)
def test_options_of_delimited_files(
    run: Run, tmp_path: Path, text: str, options: list[str], object_: dict[str, str]
) -> None:
    source, out = tmp_path / "graph.txt", tmp_path / "out"
    source.write_text(text, "utf-8")
    assert run("build", source, "--out", out, "--no-vectors", *options).exit_code == 0
    name = "subject" if "--no-header" in options else "a"
    shown = json.loads(run("show", name, "--kg", out, "--json").stdout)
    assert object_.items() <= shown["outgoing"][0]["object"].items()


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("empty.nt", "", "holds no statement"),
        ("blank.tsv", "\n \n", "holds no statement"),
        ("names.jsonl", '{"id": "my:a", "label": "A"}\n', "holds no statement"),
        ("broken.json", '{"subject": \n', "no statement can be read: 1 rejected, first {source}:1: not JSON"),
        ("broken.jsonl", "nothing\n" * 30, "no statement can be read: 30 rejected, first {source}:1: not JSON"),
        ("wrong.nt", "<a> <b>\n<c>\n", "no statement can be read: 2 rejected, first {source}:1:"),
        ("broken.ttl", "<a:a> <a:b> ", "{source}"),
        ("deprecated.jsonl", '{"subject": "a", "relation": "r", "object": "b", "rank": "deprecated"}\n', "deprecated"),
    ],
)
def test_where_nothing_can_be_read_the_old_graph_stays(
    run: Run, tmp_path: Path, name: str, text: str, problem: str
) -> None:
    good, source, out = tmp_path / "good.tsv", tmp_path / name, tmp_path / "out"
    good.write_text("a\tr\tb\n", "utf-8")
    source.write_text(text, "utf-8")
    assert run("build", good, "--out", out, "--no-vectors").exit_code == 0
    before = run("info", out, "--json").stdout
    result = run("build", source, "--out", out, "--no-vectors")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"toulmin: {source}: ") or result.stderr.startswith(f"toulmin: {source}:1: ")
    assert problem.format(source=source) in result.stderr
    assert result.stderr.count("\n") == 1
    assert run("info", out, "--json").stdout == before
    assert run("build", good, source, "--out", out, "--no-vectors").exit_code == (2 if name == "broken.ttl" else 0)


@pytest.mark.parametrize(
    ("source", "options", "problem"),
    [
        ("missing.tsv", [], "missing.tsv: no such file"),
        (".", [], "is a directory; name the files in it"),
        ("picture.png", [], "unknown kind of file"),
        ("good.tsv", ["--format", "excel"], "no format is called 'excel' (known: ntriples"),
        ("good.tsv", ["--delimiter", "ab"], "delimiter 'ab': must be one character"),
        ("good.tsv", ["--columns", "x,y"], "subject, relation and object must be among them"),
        ("staff.csv", ["--key", "office"], "staff.csv: no column 'office'; its columns are name, department, manager"),
        ("staff.csv", ["--link", "boss=staff"], "no column 'boss'; its columns are name, department, manager"),
        ("staff.csv", ["--link", "manager=persons"], "link to 'persons': no such table; the tables are staff"),
        ("staff.csv", ["--type", "manager=person"], "--type …=person: no such type; use number, date, text"),
        ("staff.csv", ["--type", "manager"], "--type manager: must be TABLE.COLUMN=TYPE"),
        ("twice.csv", ["--key", "name"], "twice.csv: column 'name' is no key: a value is missing or comes twice"),
        ("good.tsv", ["--key", "a"], "--key, --link, --type and --mapping are of tables, and no source is one"),
        ("good.tsv", ["--mapping", "none.toml"], "none.toml: the mapping cannot be read: No such file or directory"),
        ("book.xlsx", [], "book.xlsx: is no workbook that can be read ("),
        ("list.parquet", [], "list.parquet: is no Parquet file that can be read ("),
        ("list.sqlite", [], "list.sqlite: is no SQLite database that can be read (file is not a database)"),
        (
            "latin.csv",
            [],
            "latin.csv:1: not UTF-8: byte 0xE9 at character 4; if the file has another encoding",
        ),
        ("good.tsv", ["--encoding", "klingon"], "encoding 'klingon': unknown; name one such as latin-1"),
        ("cut.nt.gz", [], "the compressed data ends too early"),
    ],
)
def test_bad_sources_are_one_line_and_exit_code_2(
    run: Run, tmp_path: Path, source: str, options: list[str], problem: str
) -> None:
    (tmp_path / "good.tsv").write_text("a\tr\tb\n", "utf-8")
    (tmp_path / "staff.csv").write_text("name,department,manager\nAlice,Finance,Bob\n", "utf-8")
    (tmp_path / "twice.csv").write_text("name,city\nAl,Oslo\nAl,Rome\n", "utf-8")
    for name in ("book.xlsx", "list.parquet", "list.sqlite"):
        (tmp_path / name).write_text("no such file\n" * 99, "utf-8")
    (tmp_path / "latin.csv").write_bytes("café,owner,André\n".encode("latin-1"))
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    (tmp_path / "cut.nt.gz").write_bytes(gzip.compress(b"<a:a> <a:b> <a:c> .\n" * 99)[:-12])
    result = run("build", tmp_path / source, "--out", tmp_path / "out", "--no-vectors", *options)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert problem in result.stderr
    assert result.stderr.startswith("toulmin: ")
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_source_in_another_encoding_is_read_where_it_is_named(run: Run, tmp_path: Path) -> None:
    source, out = tmp_path / "shops.csv", tmp_path / "out"
    source.write_bytes("café,owner,André\n".encode("latin-1"))
    assert run("build", source, "--out", out, "--no-vectors", "--encoding", "latin-1").exit_code == 0
    shown = json.loads(run("show", "café", "--kg", out, "--json").stdout)
    assert shown["outgoing"][0]["object"]["label"] == "André"


def test_what_an_ontology_adds_and_what_of_it_is_left_out_is_said(run: Run, tmp_path: Path) -> None:
    schema, source, out = tmp_path / "schema.ttl", tmp_path / "wards.ttl", tmp_path / "out"
    owl = "@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix h: <http://hospital.example/> .\n"
    schema.write_text(owl + "h:beside a owl:ObjectProperty, owl:SymmetricProperty .", "utf-8")
    source.write_text(owl + "h:north h:beside h:south .", "utf-8")
    result = run("build", schema, source, "--out", out, "--no-vectors")
    assert result.exit_code == 0
    assert "2 statements, in" in result.stdout
    assert "left out: 2 statements on the ontology itself" in result.stdout
    assert "added: 1 statement of symmetric and inverse properties" in result.stdout


def test_a_directory_that_is_no_graph_is_left_alone(run: Run, tmp_path: Path) -> None:
    source, out = tmp_path / "good.tsv", tmp_path / "precious"
    source.write_text("a\tr\tb\n", "utf-8")
    out.mkdir()
    (out / "thesis.txt").write_text("years of work", "utf-8")
    result = run("build", source, "--out", out, "--no-vectors")
    assert result.exit_code == 2
    assert "exists and is not a Toulmin graph" in result.stderr
    assert (out / "thesis.txt").read_text("utf-8") == "years of work"


def test_interrupting_a_build_leaves_the_old_graph_and_nothing_else(run: Run, start: Start, tmp_path: Path) -> None:
    good, source, out = tmp_path / "good.tsv", tmp_path / "long.tsv", tmp_path / "out"
    good.write_text("a\tr\tb\n", "utf-8")
    assert run("build", good, "--out", out, "--no-vectors").exit_code == 0
    before = run("info", out, "--json").stdout
    source.write_text("".join(f"a{n}\tr\tb{n}\n" for n in range(400_000)), "utf-8")
    process = start("build", source, "--out", out, "--no-vectors")
    deadline = time.monotonic() + 60
    while process.poll() is None and len(list(tmp_path.iterdir())) == 3:  # until it has a directory to work in
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert stdout == ""
    assert stderr == "toulmin: interrupted\n"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["good.tsv", "long.tsv", "out"]
    assert run("info", out, "--json").stdout == before


def test_build_with_vectors_can_be_asked(run: Run, tmp_path: Path) -> None:
    source, out = tmp_path / "films.csv", tmp_path / "films"
    source.write_text("Heat,directed by,Michael Mann\nHeat,starring,Al Pacino\n", "utf-8")
    assert run("build", source, "--out", out).exit_code == 0
    result = run("ask", "Who directed Heat?", "--kg", out, "--json")
    assert result.exit_code == 0
    assert answer_of_json(result.stdout).text == "Michael Mann"


def test_info_in_words(run: Run) -> None:
    result = run("info", "bundled")
    assert result.exit_code == 0
    assert "name         world" in result.stdout
    assert "place of birth" in result.stdout
    assert "(--all lists them)" in result.stdout
    assert "(--all lists them)" not in run("info", "bundled", "--all").stdout


EMPLOYEES = """employee_id,name,department_id,salary (EUR),hired,manager_id
17,Alice Anders,10,"5,400",2015-03-01,
18,Bob Berg,20,"3,900",2018-07-15,17
19,Cara Cohn,20,n/a,2019-01-02,18
"""
DEPARTMENTS = "department_id;name;budget\n10;Finance;€ 1.200.000,50\n20;Research;€ 950.000,00\n"


def test_tables_become_a_graph_and_what_they_were_taken_for_is_told(run: Run, tmp_path: Path) -> None:
    employees, departments, out = tmp_path / "employees.csv", tmp_path / "departments.csv", tmp_path / "company"
    employees.write_text(EMPLOYEES, "utf-8")
    departments.write_text(DEPARTMENTS, "utf-8")
    result = run("build", employees, departments, "--out", out, "--no-vectors")
    assert result.exit_code == 0
    assert f"employees ({employees}): 3 rows, each one is: employee" in result.stdout
    lines = {line.split("  ")[0]: " ".join(line.split()) for line in result.stdout.splitlines()}
    assert lines["salary (EUR)"] == "salary (EUR) salary number in EUR 2 5,400"
    assert lines["manager_id"] == "manager_id manager link to employees 2 17"
    assert lines["budget"] == "budget budget number in EUR 2 € 1.200.000,50"

    shown = run("show", "Bob Berg", "--kg", out).stdout
    assert f"from {employees}, row 3\n" in shown
    assert "──department──▶ Research" in shown
    assert "◀──manager── Cara Cohn" in shown
    (statement,) = json.loads(run("show", "18", "--relation", "salary", "--kg", out, "--json").stdout)["outgoing"]
    assert {"value": "3900", "kind": "quantity", "unit": "EUR"}.items() <= statement["object"].items()
    assert statement["cells"] == [{"file": str(employees), "sheet": None, "row": 3, "column": "salary (EUR)"}]


def test_what_tables_are_taken_for_can_be_changed(run: Run, tmp_path: Path) -> None:
    employees, out = tmp_path / "employees.csv", tmp_path / "company"
    employees.write_text(EMPLOYEES, "utf-8")
    options = ["--key", "name", "--type", "employees.salary (EUR)=text", "--type", "department_id=link"]
    result = run("build", employees, "--out", out, "--no-vectors", "--json", *options)
    (table,) = json.loads(result.stdout)["tables"]
    columns = {column["header"]: column for column in table["columns"]}
    assert columns["name"]["role"] == "key and name"
    assert columns["salary (EUR)"]["type"] == "text"
    assert columns["department_id"]["type"] == "link"
    assert columns["manager_id"]["type"] == "text"  # no longer the key of a row


def test_the_format_can_be_named(run: Run, tmp_path: Path) -> None:
    source, out = tmp_path / "rows.csv", tmp_path / "out"
    source.write_text("a,r,b\nc,r,d\n", "utf-8")
    assert "2 statements" in run("build", source, "--out", out, "--no-vectors").stdout
    table = run("build", source, "--out", out, "--no-vectors", "--format", "table", "--no-header").stdout
    assert "rows (" in table
    assert "column 2" in table


def test_build_takes_ones_own_words_and_info_and_show_tell_them(run: Run, tmp_path: Path) -> None:
    source, words, out = tmp_path / "parts.csv", tmp_path / "words.toml", tmp_path / "parts"
    source.write_text("SEAL RING,MADE BY,ACME CORP\nGEARBOX,MADE BY,ACME CORP\n", "utf-8")
    words.write_text("[\"made by\"]\nalso = 'manufacturer'\ninverse = ['makes']\n[colour]\nalso = 'color'\n", "utf-8")
    built = run("build", source, "--out", out, "--words", words, "--no-vectors", "--json")
    report = json.loads(built.stdout)
    assert (report["statements"], report["rejected"], report["first_rejected"][0]["source"]) == (2, 1, str(words))
    (relation,) = json.loads(run("info", out, "--json").stdout)["relations"]
    assert (relation["label"], relation["aliases"], relation["backward"]) == ("MADE BY", ["manufacturer"], ["makes"])
    assert "MADE BY; also called manufacturer; backward makes" in run("info", out).stdout
    shown = run("show", "manufacturer", "--kg", out).stdout
    assert "also called manufacturer\nbackward makes\n" in shown
    result = run("build", source, "--out", out, "--words", tmp_path / "none.toml", "--no-vectors")
    assert (result.exit_code, result.stderr) == (2, f"toulmin: {tmp_path / 'none.toml'}: no such file\n")
