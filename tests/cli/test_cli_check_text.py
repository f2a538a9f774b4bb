"""check-text from a text to a certificate: the command and the API, on the bundled graph with the scorer."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import toulmin
from toulmin.check_text.checking import CheckSettings, TextChecker
from toulmin.errors import InputError, SettingsError
from toulmin.graph.protocol import Graph
from toulmin.llm.scripted import ScriptedModel
from toulmin.program.answer import Answer
from toulmin.retrieval.knowledge import GivenPassages

TEXT = "Ada Lovelace was born in London. She died in Paris. She owned a parrot. Was she happy?"
VERDICTS = ["supported", "contradicted", "not in the graph", "not checked"]


@pytest.fixture(scope="module")
def checked(world: Graph) -> Answer:
    return toulmin.check_text(world, TEXT)


def test_each_sentence_has_its_verdict_and_why(checked: Answer) -> None:
    assert checked.kind == "text" and checked.question == TEXT and checked.method == "check-text"
    assert [one.verdict for one in checked.sentences] == VERDICTS
    assert [TEXT[one.start : one.end] for one in checked.sentences] == [one.text for one in checked.sentences]
    born, died, owned, happy = checked.sentences
    assert "place of birth → London" in (born.reason or "") and len(born.statements) == 1
    assert "otherwise: Ada Lovelace — place of death → London" in (died.reason or "")
    assert owned.statements == () and "a question" in (happy.reason or "")
    assert all(one.score is not None and 0 <= one.score <= 1 for one in checked.sentences[:3])
    assert happy.score is None


def test_the_certificate_checks_and_a_changed_one_does_not(checked: Answer, world: Graph) -> None:
    report = toulmin.check(checked, world)
    assert (report.exit_code, report.status, report.problems) == (0, "judged", [])
    assert [line.partition(":")[0].partition(" (")[0] for line in report.answer] == VERDICTS
    assert Answer.from_json(checked.to_json()) == checked
    told = json.loads(checked.to_json())
    dropped = told["answer"]["sentences"].pop(1)  # the one that is contradicted
    assert toulmin.check(Answer.from_json(json.dumps(told)), world).exit_code == 1
    told["answer"]["sentences"].insert(1, dropped)
    for node in told["program"]:
        if node["op"] == "judged" and node["decision"] == "no":
            node["seen"] = []
    assert toulmin.check(Answer.from_json(json.dumps(told)), world).exit_code == 1


def test_of_several_that_bear_a_name_the_most_connected_is_meant(checked: Answer, world: Graph) -> None:
    bearers = [match.id for match in world.lookup(["Paris"])[0]]
    assert len(bearers) > 1  # the capital, and towns that are named after it
    statements = dict(zip(bearers, map(len, world.statements(bearers)), strict=True))
    linked = [
        node["id"] for node in checked.certificate["program"] if node["op"] == "entity" and node["name"] == "Paris"
    ]
    assert linked == [max(bearers, key=statements.__getitem__)]


def test_passages_decide_what_the_graph_lacks(world: Graph) -> None:
    known = GivenPassages({"diary": "Ada Lovelace owned a parrot, which she called Polly."})
    answer = toulmin.check_text(world, "Ada Lovelace owned a parrot.", knowledge=known)
    assert [one.verdict for one in answer.sentences] == ["supported"]
    assert "diary says" in (answer.sentences[0].reason or "")
    assert toulmin.check(answer, world, passages=known.document).exit_code == 0
    assert toulmin.check(answer, world).status == "unverifiable"


def test_numbers_of_list_items_and_odd_texts_are_accounted_for(world: Graph) -> None:
    for text in ("1. Ada Lovelace was born in London.\n2. She died in 1852.", "12 of 13? (a) Yes\n\n3)", "Ada İ. ß"):
        answer = toulmin.check_text(world, text)
        assert toulmin.check(answer, world).exit_code == 0
        assert answer.question == text
    listed = toulmin.check_text(world, "1. Ada Lovelace was born in London.")
    assert [one.verdict for one in listed.sentences] == ["supported"]  # the number states nothing


def test_a_model_takes_the_sentences_apart(world: Graph) -> None:
    said = {"number": 1, "facts": [{"fact": "Ada Lovelace was born in London.", "words": "born in London"}]}
    model = ScriptedModel([json.dumps({"sentences": [said]})])
    answer = toulmin.check_text(world, "Born in London, Ada Lovelace wrote notes.", model=model)
    assert [one.verdict for one in answer.sentences] == ["supported"]
    assert (answer.model, answer.usage.model_calls) == ("scripted", 1) and answer.prompts_hash
    assert toulmin.check(answer, world).exit_code == 0


def test_what_cannot_be_checked_is_refused(world: Graph) -> None:
    for text, why in (("", "empty"), (" \n", "empty"), ("...", "no words"), ("a\0b", "NUL"), ("x" * 11, "at most 10")):
        with pytest.raises(InputError, match=why):
            toulmin.check_text(world, text, settings=CheckSettings(longest=10))
    with pytest.raises(InputError, match="no Unicode"):
        toulmin.check_text(world, "Ada \ud800 was here.")
    with pytest.raises(SettingsError, match="together"):
        TextChecker(world, settings=CheckSettings(together=0))
    with pytest.raises(SettingsError, match="no entailment scorer"):
        toulmin.check_text(world, "Ada was here.", scorer="best")


def test_an_ended_check_holds_what_was_done(world: Graph) -> None:
    begun = TextChecker(world, settings=CheckSettings(together=1)).start(TEXT)

    async def some() -> None:
        running = begun.run()
        async for done in running:
            if done == 2:
                break
        await running.aclose()  # type: ignore[attr-defined]

    asyncio.run(some())
    answer = begun.answer(ended="enough")
    assert [one.verdict for one in answer.sentences] == [*VERDICTS[:2], "not checked", "not checked"]
    assert answer.sentences[2].reason == "not reached: enough"
    assert toulmin.check(answer, world).exit_code == 0


def test_the_command_says_it_in_words(run: Callable[..., Any]) -> None:
    result = run("check-text", TEXT, "--kg", "bundled")
    shown = " ".join(result.stdout.split())
    assert result.exit_code == 0
    for part in ("✓ Ada Lovelace was born in London.", "✗ She died in Paris.", "? She owned a parrot.", "– Was she"):
        assert part in shown
    assert "Ada Lovelace — place of birth → London [" in shown
    assert "4 sentences, 3 facts: 1 supported, 1 contradicted, 1 not in the graph, 1 not checked" in shown
    assert "its certificate checks" in shown and "\x1b" not in result.stdout


def test_several_facts_are_listed_each_with_its_reason(run: Callable[..., Any]) -> None:
    shown = run("check-text", "Ada Lovelace was born in London and died in Paris.", "--kg", "bundled").stdout
    assert "✗ Ada Lovelace was born in London and died in Paris." in shown
    assert "    ✓ Ada Lovelace was born in London." in shown
    assert "    ✗ Ada Lovelace died in Paris." in shown


def test_json_is_an_answer_that_check_verifies(run: Callable[..., Any], tmp_path: Path) -> None:
    source, stored = tmp_path / "text.txt", tmp_path / "r.json"
    source.write_text(f"\ufeff{TEXT}", "utf-8")
    result = run("check-text", source, "--kg", "bundled", "--json", "--fail-on", "contradicted")
    assert result.exit_code == 1
    stored.write_text(result.stdout, "utf-8")
    assert [one.verdict for one in Answer.read(stored).sentences] == VERDICTS
    assert run("check", stored, "--kg", "bundled").exit_code == 0


@pytest.mark.parametrize(
    ("text", "option", "code"),
    [
        ("Ada Lovelace was born in London.", "unsupported", 0),
        ("Was Ada Lovelace born in London?", "unsupported", 0),
        ("Ada Lovelace owned a parrot.", "unsupported", 1),
        ("Ada Lovelace owned a parrot.", "contradicted", 0),
        ("Ada Lovelace died in Paris.", "contradicted", 1),
        ("Perhaps Ada Lovelace died in Paris.", "contradicted", 0),
        ("Perhaps Ada Lovelace died in Paris.", "unsupported", 1),
        ("I think Ada Lovelace died in Paris.", "unsupported", 1),
        ("It is false that Ada Lovelace died in London.", "unsupported", 1),
    ],
)
def test_exit_codes(run: Callable[..., Any], text: str, option: str, code: int) -> None:
    assert run("check-text", "-", "--kg", "bundled", "--fail-on", option, stdin=text).exit_code == code


def test_only_what_is_sure_fails(run: Callable[..., Any]) -> None:
    asked = (
        "check-text",
        "The occupation of Charles Darwin was geologist. Ada Lovelace died in Paris.",
        "--kg",
        "bundled",
    )
    result = run(*asked, "--sure", 0.9)
    shown = " ".join(result.stdout.split())
    assert "1 contradicted, 1 not in the graph" in shown
    assert (
        "no verdict is given: contradicted at 0." in shown
        and "the graph says Charles Darwin: occupation: naturalist" in shown
    )
    assert run(*asked, "--sure", 1, "--fail-on", "contradicted").exit_code == 0
    for wrong in ("2", "-1", "nan", "high"):
        told = run(*asked, "--sure", wrong)
        assert told.exit_code == 2 and len(told.stderr.strip().splitlines()) == 1 and "sure" in told.stderr


def test_many_texts_give_a_line_each(run: Callable[..., Any], tmp_path: Path) -> None:
    source = tmp_path / "texts.jsonl"
    lines = [{"id": "a", "text": "Ada Lovelace was born in London."}, {"id": 2, "text": "Ada Lovelace died in Paris."}]
    source.write_text("\n".join(map(json.dumps, lines)) + "\n\n", "utf-8")
    told = [json.loads(line) for line in run("check-text", source, "--kg", "bundled", "--json").stdout.splitlines()]
    assert [one["id"] for one in told] == ["a", "2"]
    answers = [Answer.from_json(json.dumps(one["answer"])) for one in told]
    assert [one.sentences[0].verdict for one in answers] == ["supported", "contradicted"]
    result = run("check-text", source, "--kg", "bundled", "--fail-on", "contradicted")
    assert result.exit_code == 1 and "[a]" in result.stdout and "[2]" in result.stdout


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('{"id": 1, "text": "A."}\nnonsense\n', ":2: is no JSON"),
        ("[1]\n", ":1: is no object"),
        ('{"id": 1}\n', "field 'text': is missing or empty"),
        ('{"id": 1, "text": "Ada \\ud800"}\n', "texts.jsonl:1, field 'text': holds half a character"),
        ('{"text": "A."}\n', "field 'id': is missing"),
        ('{"id": 1, "text": "A."}\n{"id": "1", "text": "B."}\n', "stands in line 1 already"),
    ],
)
def test_bad_lines_are_told_before_anything_is_checked(
    run: Callable[..., Any], tmp_path: Path, content: str, problem: str
) -> None:
    source = tmp_path / "texts.jsonl"
    source.write_text(content, "utf-8")
    result = run("check-text", source, "--kg", "bundled")
    assert (result.exit_code, result.stdout) == (2, "")
    assert problem in result.stderr and result.stderr.count("\n") == 1


def test_a_pipe_is_read_as_a_file(run: Callable[..., Any]) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"Ada Lovelace died in Paris.")
    os.close(writing)
    try:
        result = run("check-text", f"/dev/fd/{reading}", "--kg", "bundled", "--fail-on", "contradicted")
    finally:
        os.close(reading)
    assert result.exit_code == 1 and "contradicted" in result.stdout


def bad_inputs(folder: Path) -> Iterator[tuple[list[object], str]]:
    (folder / "binary").write_bytes(bytes(range(256)))
    (folder / "nul").write_bytes(b"Ada\0Lovelace")
    (folder / "empty").write_text("")
    yield [""], "the text is empty"
    yield [folder / "binary"], "is no text in UTF-8"
    yield [folder / "nul"], "NUL"
    yield [folder / "empty"], "is empty"
    yield [folder], "is a folder"
    yield [folder / "missing.txt"], "there is no such file"
    yield ["Ada was here.", "--scorer", "best"], "no entailment scorer"
    yield ["Ada was here.", "--passages", folder], "toulmin passages build"
    yield ["Ada was here.", "--budget-calls", "3"], "--model"
    yield ["Ada was here.", "--kg", folder / "missing"], "no such directory"


def test_bad_input_is_one_line_and_exit_code_2(run: Callable[..., Any], tmp_path: Path) -> None:
    for arguments, problem in bad_inputs(tmp_path):
        graph = () if "--kg" in arguments else ("--kg", "bundled")
        result = run("check-text", *arguments, *graph)
        assert (result.exit_code, result.stdout) == (2, ""), arguments
        assert problem in result.stderr and result.stderr.count("\n") == 1, (arguments, result.stderr)


def test_ctrl_c_prints_what_was_checked(start: Callable[..., Any], tmp_path: Path, world: Graph) -> None:
    source = tmp_path / "long.txt"
    source.write_text("Ada Lovelace was born in London. She died in Paris. " * 1_900, "utf-8")
    with start("check-text", source, "--kg", "bundled", "--json") as process:
        time.sleep(6)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    if not stdout:  # it had not come to the first sentences
        assert stderr == "toulmin: interrupted\n"
        return
    assert stderr.startswith("toulmin: interrupted: ") and stderr.count("\n") == 1
    answer = Answer.from_json(stdout)
    assert answer.sentences[0].verdict == "supported"
    assert answer.sentences[-1].reason == "not reached: the check was interrupted"
    assert toulmin.check(answer, world).exit_code == 0


def test_it_is_stored_with_its_evidence_and_as_a_page(run: Callable[..., Any], world: Graph, tmp_path: Path) -> None:
    stored, page = tmp_path / "text.json", tmp_path / "text.html"
    options = ("--kg", "bundled", "--out", stored, "--evidence", "--html", page)
    result = run("check-text", TEXT, *options)
    assert (result.exit_code, "contradicted" in result.stdout) == (0, True)
    assert [one.verdict for one in Answer.read(stored).sentences] == VERDICTS
    checked = run("check", stored, "--root", world.fingerprint)  # without the graph
    assert checked.exit_code == 0
    assert "held against the root given" in " ".join(checked.stdout.split())
    assert world.fingerprint in page.read_text("utf-8") and "She owned a parrot" in page.read_text("utf-8")
    printed = run("check-text", TEXT, "--kg", "bundled", "--evidence", "--json")
    assert run("check", "-", stdin=printed.stdout).exit_code == 0


def test_without_evidence_no_statement_is_stored(run: Callable[..., Any], tmp_path: Path) -> None:
    stored = tmp_path / "text.json"
    assert run("check-text", "Ada Lovelace was born in London.", "--kg", "bundled", "--out", stored).exit_code == 0
    assert "evidence" not in Answer.read(stored).certificate
    assert run("check", stored, "--kg", "bundled").exit_code == 0


@pytest.mark.parametrize("name", ["--out", "--html"])
def test_where_it_cannot_be_stored_is_told_in_one_line(run: Callable[..., Any], tmp_path: Path, name: str) -> None:
    lines = tmp_path / "texts.jsonl"
    lines.write_text('{"id": 1, "text": "Ada Lovelace was born in London."}\n', "utf-8")
    for text, path, problem in (
        ("Ada Lovelace was born in London.", tmp_path, "is a folder"),
        ("Ada Lovelace was born in London.", tmp_path / "none" / "a.json", "its folder does not exist"),
        (lines, tmp_path / "a.json", f"{name} is for one text: with several, --json prints a line for each"),
    ):
        result = run("check-text", text, "--kg", "bundled", name, path)
        assert (result.exit_code, result.stdout) == (2, "")
        assert problem in result.stderr and result.stderr.count("\n") == 1
