"""``ask`` and ``evaluate`` with a language model behind a real HTTP server on the loopback."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer, Sent, chat, error

from toulmin.evaluation.records import read_records
from toulmin.methods.trace import answer_of_json

Run = Callable[..., Any]
QUESTION = "Who directed Heat?"


def reply(body: dict[str, Any]) -> Sent:
    """Keywords, then the listed path that says who directed the film, whichever number it has."""
    fields = body["response_format"]["json_schema"]["schema"]["properties"]
    if "keywords" in fields:
        said = {"keywords": ["directed by"], "names": [], "asks": "things", "statement": ""}
        return chat(json.dumps(said), usage=(100, 20))
    listed = body["messages"][-1]["content"].splitlines()
    number = next(int("".join(filter(str.isdigit, line.split()[0]))) for line in listed if "directed by" in line[:60])
    return chat(json.dumps({"thought": "", "paths": [number], "narrow": None}), usage=(200, 10))


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(reply) as server:
        yield server


@pytest.fixture
def asked(films: Path, server: ModelServer) -> list[object]:
    model = ["--model", "openai:m", "--base-url", server.url]
    return ["ask", QUESTION, "--kg", films, "--method", "fidelis:frugal", *model]


def test_ask_with_a_model(run: Run, asked: list[object], server: ModelServer, films: Path) -> None:
    result = run(*asked, "--trace", "--json")
    assert result.exit_code == 0
    assert "asked the model for fidelis/keywords" in result.stderr
    assert "100 + 20 tokens" in result.stderr
    assert "  keywords: directed by\n" in result.stderr
    events = json.loads(result.stdout)["events"]
    calls = [event for event in events if event["event"] == "called"]
    assert [call["prompt_tokens"] for call in calls] == [100, 200]
    answer = answer_of_json(result.stdout)
    assert answer.text == "Michael Mann"
    assert (answer.model, answer.usage.model_calls, len(server.bodies)) == ("openai:m", 2, 2)
    assert run("check", "-", "--kg", films, stdin=result.stdout).exit_code == 0
    shown = " ".join(run(*asked, "--prices", "10,100").stdout.split())
    assert "model openai:m" in shown
    assert "2 model calls, 300 + 30 tokens, 0.0060 $" in shown


def test_what_was_recorded_is_replayed_without_a_model(
    run: Run, asked: list[object], server: ModelServer, films: Path, tmp_path: Path
) -> None:
    recorded = tmp_path / "recorded.jsonl"
    assert run(*asked, "--record", recorded).exit_code == 0
    replayed = run("ask", QUESTION, "--kg", films, "--method", "fidelis:frugal", "--replay", recorded, "--json")
    assert answer_of_json(replayed.stdout).text == "Michael Mann"
    other = run("ask", "Who starred in Heat?", "--kg", films, "--method", "fidelis:frugal", "--replay", recorded)
    assert other.exit_code == 2
    assert "no reply to it is recorded" in other.stderr
    cache = tmp_path / "cache.sqlite"
    before = len(server.bodies)
    assert [run(*asked, "--cache", cache).exit_code for _ in range(2)] == [0, 0]
    assert len(server.bodies) == before + 2


def test_a_budget_that_is_used_up_ends_in_an_answer_that_says_so(run: Run, asked: list[object]) -> None:
    result = run(*asked, "--budget-calls", 0)
    assert result.exit_code == 0
    assert "Not answerable from this graph: stopped early: no calls left" in " ".join(result.stdout.split())


def test_an_endpoint_that_refuses_is_told_in_one_line(run: Run, films: Path) -> None:
    with ModelServer([error(401, "no such key")]) as server:
        model = ["--model", "openai:m", "--base-url", server.url, "--method", "fidelis"]
        result = run("ask", QUESTION, "--kg", films, *model)
    assert result.exit_code == 2
    assert result.stderr.startswith("toulmin: ")
    assert "401" in result.stderr
    assert result.stderr.count("\n") == 1


NEVER_SURE = ["--set", "sure_beside_model=2"]  # so that the model is asked at all


@pytest.mark.parametrize(
    "options",
    [
        NEVER_SURE,
        ["--claim"],
        ["--json", "--trace", *NEVER_SURE],
        ["--method", "fidelis:paper"],
        ["--method", "r3", "--claim"],
        ["--method", "r3:paper", "--claim"],
        ["--method", "r3", "--option", "Michael Mann", "--option", "Al Pacino"],
        ["--method", "rr:self-consistency"],
    ],
)
def test_a_model_that_replies_junk_is_no_abstention_of_the_graph(
    run: Run, films: Path, options: list[str], tmp_path: Path
) -> None:
    out = tmp_path / "answer.json"
    with ModelServer(lambda body: chat("Lorem\x1b[31m ipsum\ndolor")) as server:
        model = ["--model", "openai:m", "--base-url", server.url]
        result = run("ask", QUESTION, "--kg", films, *options, *model, "--out", out)
    assert result.exit_code == 1
    assert result.stdout == ""
    told = result.stderr.splitlines()[-1]
    assert told.startswith("toulmin: the model gave nothing usable: ")
    assert "Lorem[31m ipsum dolor" in told
    assert "Not answerable" not in result.stderr
    assert not out.exists()
    if "--trace" in options:
        assert "not usable" in result.stderr
    else:
        assert result.stderr.count("\n") == 1


def test_a_text_of_which_the_model_makes_nothing_usable(run: Run, films: Path, tmp_path: Path) -> None:
    facts = [{"number": 1, "facts": [{"fact": "Michael Mann directed Heat.", "words": "Michael Mann directed Heat"}]}]

    def reply(body: dict[str, Any]) -> Sent:
        heat = "Michael Mann directed Heat" in body["messages"][-1]["content"]
        return chat(json.dumps({"sentences": facts}) if heat else "Lorem ipsum")

    texts = tmp_path / "texts.jsonl"
    lines = [{"id": "bad", "text": "Heat stars Al Pacino."}, {"id": "good", "text": "Michael Mann directed Heat."}]
    texts.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    with ModelServer(reply) as server:
        model = ["--kg", films, "--model", "openai:m", "--base-url", server.url]
        alone = run("check-text", "Heat stars Al Pacino.", *model)
        both = run("check-text", texts, *model, "--json")
        scored = run("check-text", "Heat stars Al Pacino.", "--scorer", "chat", *model)
    assert (alone.exit_code, alone.stdout) == (1, "")
    assert alone.stderr.startswith("toulmin: the model gave nothing usable: 2 replies cannot be used (check-text/facts")
    assert both.exit_code == 1
    assert [json.loads(line)["id"] for line in both.stdout.splitlines()] == ["good"]
    assert both.stderr.startswith("toulmin: text bad: the model gave nothing usable: ")
    assert scored.exit_code == 1
    assert scored.stderr.startswith("toulmin: the model gave nothing usable: ")


def test_a_scorer_that_judges_nothing_usable_is_one_line(run: Run) -> None:
    with ModelServer(lambda body: chat("Lorem ipsum")) as server:
        model = ["--scorer", "chat", "--model", "openai:m", "--base-url", server.url]
        result = run("entail", "A dog runs.", "A dog sleeps.", *model)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(
        "toulmin: the model gave nothing usable: 2 replies cannot be used (entailment/judge"
    )
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--model", "gpt-7"], "write KIND:NAME"),
        (["--model", "opnai:m"], "did you mean 'openai'"),
        (["--replay", "x", "--model", "openai:m"], "--replay asks no model: leave --model out"),
        (["--cache", "x"], "--cache is about a language model"),
        (["--out", "no/such/folder/answer.json"], "its folder does not exist"),
        (["--out", "."], "is a folder"),
        (["--budget-calls", "3"], "--budget-calls is about a language model"),
        (["--claim", "--method", "fidelis"], "fidelis without a language model decides no claims"),
        (["--claim"], "a claim needs a language model (--model); toulmin check-text does without one"),
        (["--option", "a", "--option", "b"], "r3 needs a language model"),
        (["--option", "a", "--option", "b", "--method", "fidelis"], "chooses among no options: take one that does ("),
        (["--model", "openai:m", "--prices", "much"], "write two numbers"),
        (["--model", "openai:m", "--budget-cost", "1"], "--budget-cost needs --prices"),
        (["--set", "depth"], "write NAME=VALUE"),
        (["--set", "dept=2", "--method", "fidelis"], "did you mean 'depth'"),
        (["--method", "fidelis:papr"], "did you mean 'paper'"),
        (["--method", "fidelis:paper"], "needs a language model"),
        (["--option", "a"], "two options or more"),
        (["--personal", ""], "the name of a graph is empty"),
    ],
)
def test_options_that_do_not_fit_are_one_line(run: Run, films: Path, options: list[str], problem: str) -> None:
    result = run("ask", QUESTION, "--kg", films, *options)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert problem in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_graph_of_ones_own_beside(run: Run, films: Path, tmp_path: Path) -> None:
    source, mine = tmp_path / "mine.tsv", tmp_path / "mine"
    source.write_text("me\tfavourite film\tHeat\n", "utf-8")
    assert run("build", source, "--out", mine, "--no-vectors").exit_code == 0
    result = run("ask", "Who directed Heat?", "--kg", films, "--personal", mine, "--json")
    answer = answer_of_json(result.stdout)
    assert (answer.text, [one["name"] for one in answer.certificate["graphs"]]) == ("Michael Mann", ["films", "mine"])
    assert run("check", "-", "--kg", films, "--kg", mine, stdin=result.stdout).exit_code == 0


def test_evaluate_records_a_model_that_replies_junk_as_an_error(run: Run, films: Path, tmp_path: Path) -> None:
    folder = tmp_path / "data" / "1-hop"
    folder.mkdir(parents=True)
    lines = [f"who directed [Heat]{' then' * number}\tMichael Mann" for number in range(12)]
    (folder / "qa_dev.txt").write_text("\n".join(lines) + "\n", "utf-8")
    (folder / "qa_dev_qtype.txt").write_text("movie_to_director\n" * 12, "utf-8")
    with ModelServer(lambda body: chat("Lorem ipsum")) as server:
        command = ["evaluate", "metaqa/1-hop/dev", "--data", tmp_path / "data", "--kg", films, "--json"]
        command += ["--method", "fidelis:frugal", "--model", "openai:m", "--base-url", server.url]
        result = run(*command, "--out", tmp_path / "run")
    assert result.exit_code == 0
    summary = json.loads(result.stdout)
    assert (summary["crashed"], summary["abstained"], summary["answered"]) == (12, 0, 0)  # each asked: it is no outage
    errors = [record["error"] for record in read_records(tmp_path / "run")]
    assert {error["type"] for error in errors} == {"NothingUsableError"}
    assert all("the model gave nothing usable: 2 replies cannot be used" in error["message"] for error in errors)
    assert summary["usage"]["model_calls"] == 24  # what it cost is counted all the same
    assert summary["failures"] == {"fidelis/answer": 12, "fidelis/keywords": 12}


def test_evaluate_with_a_model_counts_what_it_costs(run: Run, films: Path, server: ModelServer, tmp_path: Path) -> None:
    folder = tmp_path / "data" / "1-hop"
    folder.mkdir(parents=True)
    lines = [f"who directed [{film}]{end}\tMichael Mann" for film in ("Heat", "Collateral") for end in ("", " then")]
    (folder / "qa_dev.txt").write_text("\n".join(lines) + "\n", "utf-8")
    (folder / "qa_dev_qtype.txt").write_text("movie_to_director\n" * 4, "utf-8")
    command = ["evaluate", "metaqa/1-hop/dev", "--data", tmp_path / "data", "--kg", films, "--method", "fidelis:frugal"]
    command += ["--model", "openai:m", "--base-url", server.url, "--prices", "10,100", "--concurrency", 3]
    summary = json.loads(run(*command, "--out", tmp_path / "run", "--json").stdout)
    estimates = {name: interval["estimate"] for name, interval in summary["metrics"].items()}
    assert estimates["hits_at_1"] == estimates["grounded_accuracy"] == 1
    assert estimates["linking_top1"] == estimates["coverage_ratio"] == estimates["validity_ratio"] == 1
    assert summary["usage"]["model_calls"] == 8
    assert summary["usage"]["cost"] == pytest.approx(4 * (300 * 10 + 30 * 100) / 1e6)
    assert summary["usage_per_question"]["prompt_tokens"]["estimate"] == 300
    assert summary["run"]["model"] == "openai:m"
    assert len(list(read_records(tmp_path / "run"))) == 4
    again = run(*command, "--out", tmp_path / "run")
    assert "model_calls per question" in again.stdout
    assert len(server.bodies) == 8
