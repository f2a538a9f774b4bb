"""Runs judged through the command line, with a real endpoint: what is kept, resumed, refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from judged_runs import QUESTION, TEXT, abstention, harbour, prose, run_of, thought, verified
from model_server import ModelServer, Sent, chat, error
from typer.testing import CliRunner

from toulmin.cli.main import app
from toulmin.evaluation.judging.judgements import JUDGEMENTS, JUDGING, read_judgements, with_judgements
from toulmin.evaluation.records import read_records

Reply = Callable[[dict[str, Any]], Sent]
LINES = [("Runa Vik", "place of birth", "Grey Port"), ("Runa Vik", "place of death", "Northsound")]


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOULMIN_API_KEY", "x")
    monkeypatch.delenv("TOULMIN_KG", raising=False)


@pytest.fixture(scope="module")
def kg(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kg")
    source = folder / "harbour.tsv"
    source.write_text("".join("\t".join(line) + "\n" for line in LINES))
    done = CliRunner().invoke(app, ["build", str(source), "--out", str(folder / "graph")])
    assert done.exit_code == 0, done.stderr
    return folder / "graph"


def judge(*args: object, server: ModelServer | None = None) -> Any:
    model = [] if server is None else ["--model", "openai:m", "--base-url", server.url]
    return CliRunner().invoke(app, ["judge", *map(str, args), *model], catch_exceptions=False)


def step_of(body: dict[str, Any]) -> str:
    return str(body["response_format"]["json_schema"]["name"]).rpartition("_")[2]


def good(body: dict[str, Any]) -> Sent:
    """Replies of a judge that does its work; it has log-probabilities."""
    step, asked = step_of(body), body["messages"][-1]["content"]
    count = asked.rpartition("<facts>")[2].count("[")
    if step == "facts":
        lines = asked.partition("<sentences>")[2].partition("</sentences>")[0].strip().splitlines()
        facts = [line.partition("] ")[2] for line in lines]
        found = [{"number": n, "facts": [{"fact": one, "words": one}]} for n, one in enumerate(facts, 1)]
        return chat(json.dumps({"sentences": found}))
    if step == "verify":
        return chat(json.dumps(verified("supported", *["not found"] * (count - 1))))
    if step == "contained":
        return chat(
            json.dumps({"facts": [{"number": n, "fact": f"fact {n}", "relevant": True} for n in range(1, count + 1)]})
        )
    if step == "search":
        return chat(json.dumps({"thought": "so", "evidence": [], "verdict": "not supported", "query": ""}))
    if step == "rate":
        return rated("4", {"4": -0.6931471805599453, "2": -0.6931471805599453})
    replies: dict[str, Any] = {
        "steps": {"steps": ["Look."]},
        "reasoning": {"errors": []},
        "reasons": {"thought": "so", "right": True},
    }
    return chat(json.dumps(replies[step]))


def rated(score: str, likely: dict[str, float]) -> Sent:
    body = json.loads(chat(f'{{"score": {score}}}').body)
    top = [{"token": token, "logprob": number} for token, number in likely.items()]
    body["choices"][0]["logprobs"] = {
        "content": [
            {"token": '{"score": ', "logprob": 0.0, "top_logprobs": []},
            {"token": score, "logprob": likely[score], "top_logprobs": top},
            {"token": "}", "logprob": 0.0, "top_logprobs": []},
        ]
    }
    return Sent(body=json.dumps(body).encode())


def scores(folder: Path) -> dict[tuple[str, str], float | None]:
    return {(one.id, one.metric): one.score for one in read_judgements(folder)}


def test_all_metrics_of_a_run(tmp_path: Path, kg: Path) -> None:
    graph = harbour()
    answers = {
        "a": prose(TEXT, graph),
        "b": thought("yes", "Runa Vik was born in Grey Port.", graph),
        "c": None,
        "d": abstention(graph),
    }
    folder = run_of(tmp_path / "runs" / "one", answers, right=True)
    metrics = "factscore,safe,g-eval,reasons"
    with ModelServer(good) as server:
        done = judge(tmp_path / "runs", "--metric", metrics, "--kg", kg, "--prices", "1,2", "--json", server=server)
        assert done.exit_code == 0, done.stderr
        calls = len(server.bodies)
        again = judge(folder, "--metric", metrics, "--kg", kg, "--json", server=server)
        assert len(server.bodies) == calls
    assert (done.exit_code, again.exit_code) == (0, 0), done.stderr
    found = scores(folder)
    assert found["a", "g_eval_correctness"] == found["b", "g_eval_correctness"] == (3 - 1) / 4
    assert found["a", "safe"] == 0.0
    assert (found["a", "reasoning_score"], found["b", "accuracy_of_reasons"]) == (1.0, 1.0)
    assert {found[name, metric] for name in "cd" for _, metric in found if (name, metric) in found} == {None}
    records = {record["id"]: record["metrics"] for record in with_judgements(folder)}
    assert records["a"]["fact_precision"] == pytest.approx(1 / 3)
    assert records["c"] == {"accuracy": 1.0, "factscore_responded": 0.0, "safe_responded": 0.0, "safe_f1": 0.0}
    (one,) = [one for one in read_judgements(folder) if (one.id, one.metric) == ("a", "factscore")]
    assert (one.judge, one.usage["model_calls"], one.error) == ("openai:m", 2, None)
    assert one.usage["cost"] == pytest.approx((2 * 10 * 1 + 2 * 5 * 2) / 1e6)
    told = json.loads(done.stdout)[str(folder)]
    assert [row["metric"] for row in told][:2] == ["factscore", "safe"]
    assert told[0] | {"measures": 0, "usage": 0} == {
        "metric": "factscore", "n": 4, "unscored": 2, "failed": 0, "left": 0, "measures": 0, "usage": 0, "errors": [],
    }  # fmt: skip


def test_without_a_model_and_in_a_table(tmp_path: Path, kg: Path) -> None:
    folder = run_of(tmp_path / "run", {"a": prose(TEXT, harbour())})
    done = judge(folder, "--metric", "factscore", "--kg", kg, "--set", "gamma=0")
    assert done.exit_code == 0, done.stderr
    assert "fact_precision" in done.stdout
    (one,) = read_judgements(folder)
    assert one.judge == json.loads((folder / JUDGING).read_text())["factscore"]["by"]
    assert next(fact["verdict"] for fact in one.details["facts"]) == "supported"
    assert judge(folder, "--metric", "factscore", "--kg", kg, "--set", "gamma=0").exit_code == 0
    changed = judge(folder, "--metric", "factscore", "--kg", kg)
    assert (changed.exit_code, changed.stderr.count("\n")) == (2, 1)
    assert "gamma was 0, is 10" in changed.stderr
    assert judge(folder, "--metric", "factscore", "--kg", kg, "--again").exit_code == 0
    assert len(list(read_judgements(folder))) == 1


@pytest.mark.parametrize(
    "junk",
    [
        chat("I would rather not."),
        chat(None),
        chat('{"facts": [{"number": 1, "evidence": [1], "verdict": "supported"}'),
        chat("</facts>" * 2_000),
        chat("no", finish="content_filter"),
        chat(json.dumps({"facts": [{"number": 10**30, "evidence": [-1], "verdict": "supported"}]})),
    ],
)
def test_junk_is_recorded_as_an_error_and_judged_again(tmp_path: Path, kg: Path, junk: Sent) -> None:
    folder = run_of(tmp_path / "run", {"a": prose(TEXT, harbour()), "b": None})
    with ModelServer(lambda body: junk if step_of(body) == "verify" else good(body)) as server:
        done = judge(folder, "--metric", "factscore", "--kg", kg, server=server)
    assert done.exit_code == 1
    assert "not judged: a: " in done.stderr
    by_id = {one.id: one for one in read_judgements(folder)}
    assert by_id["a"].score is None
    assert by_id["a"].error is not None
    assert by_id["a"].error["type"] == "ReplyError"
    assert by_id["b"].error is None
    with ModelServer(good) as server:
        assert judge(folder, "--metric", "factscore", "--kg", kg, server=server).exit_code == 0
        assert [step_of(body) for body in server.bodies] == ["facts", "verify"]
    assert scores(folder)["a", "factscore"] is not None


def test_a_judgement_that_was_broken_off_pays_for_nothing_twice(tmp_path: Path, kg: Path) -> None:
    """The endpoint dies between the two calls of a judgement: it ends, and goes on with the second one."""
    folder = run_of(tmp_path / "run", {"a": prose(TEXT, harbour())})
    with ModelServer(lambda body: error(401, "no more") if step_of(body) == "verify" else good(body)) as server:
        done = judge(folder, "--metric", "factscore", "--kg", kg, server=server)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "no more" in done.stderr
    assert list(read_judgements(folder)) == []
    with ModelServer(good) as server:
        assert judge(folder, "--metric", "factscore", "--kg", kg, server=server).exit_code == 0
        assert [step_of(body) for body in server.bodies] == ["verify"]
    (one,) = read_judgements(folder)
    assert one.usage["model_calls"] == 2


def test_a_torn_line_is_judged_again_and_steps_are_kept(tmp_path: Path, kg: Path) -> None:
    folder = run_of(tmp_path / "run", {name: prose(TEXT, harbour()) for name in "ab"})
    with ModelServer(good) as server:
        assert judge(folder, "--metric", "g-eval", "--kg", kg, "--concurrency", 1, server=server).exit_code == 0
        assert [step_of(body) for body in server.bodies].count("steps") == 4
    path = folder / JUDGEMENTS
    path.write_bytes(path.read_bytes()[:-20])
    with ModelServer(good) as server:
        assert judge(folder, "--metric", "g-eval", "--kg", kg, server=server).exit_code == 0
        assert server.bodies == []  # the reply was kept
    assert len(scores(folder)) == 8


def test_an_endpoint_without_log_probabilities_is_sampled(tmp_path: Path, kg: Path) -> None:
    folder = run_of(tmp_path / "run", {"a": prose(TEXT, harbour())})

    def plain(body: dict[str, Any]) -> Sent:
        if "logprobs" in body:
            return error(400, "'logprobs' is not supported by this model")
        return chat(*['{"score": 2}'] * body.get("n", 1)) if step_of(body) == "rate" else good(body)

    with ModelServer(plain) as server:
        done = judge(folder, "--metric", "g-eval", "--kg", kg, "--set", "samples=3", server=server)
        assert done.exit_code == 0
        assert sum("logprobs" in body for body in server.bodies) == 1
    details = [one.details for one in read_judgements(folder)]
    assert [(one["weighted_by"], one["samples"]) for one in details] == [("samples", [2, 2, 2])] * 4


def test_a_budget_is_of_one_judgement(tmp_path: Path, kg: Path) -> None:
    folder = run_of(tmp_path / "run", {name: prose(TEXT, harbour()) for name in "ab"})
    with ModelServer(good) as server:
        done = judge(folder, "--metric", "safe", "--kg", kg, "--budget-calls", 2, server=server)
    assert done.exit_code == 1
    assert [one.error["type"] for one in read_judgements(folder) if one.error] == ["BudgetError"] * 2


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--metric", "bleu", "--kg", "KG"], "no metric that is judged is called 'bleu'"),
        (["--metric", "safe", "--kg", "KG"], "safe needs a language model"),
        (["--metric", "factscore"], "factscore needs something to judge by"),
        (["--metric", ",", "--kg", "KG"], "no metric that is judged is called ''"),
        (["--metric", "factscore", "--kg", "KG", "--set", "gama=1"], "gamma"),
        (["--metric", "factscore", "--kg", "KG", "--set", "gamma=-1"], "give a whole number"),
        (["--metric", "factscore", "--kg", "KG", "--knowledge", "nowhere"], "no knowledge is called 'nowhere'"),
        (["--metric", "factscore", "--kg", "nowhere"], "nowhere"),
        (["--metric", "factscore", "--kg", "KG", "--cache", "x"], "--cache is about a language model"),
    ],
)
def test_bad_input_is_one_line(tmp_path: Path, kg: Path, args: list[str], said: str) -> None:
    folder = run_of(tmp_path / "run", {"a": None})
    done = judge(folder, *[str(kg) if one == "KG" else one for one in args])
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert said in done.stderr


@pytest.mark.parametrize("damage", ["no run", "no object", "an answer that is none"])
def test_a_damaged_run_is_one_line(tmp_path: Path, kg: Path, damage: str) -> None:
    folder = tmp_path / "run"
    if damage != "no run":
        run_of(folder, {"a": None})
        record = next(read_records(folder)) | {"answer": {"kind": "none"}}
        (folder / "records.jsonl").write_text("[]\n" if damage == "no object" else json.dumps(record) + "\n")
    done = judge(folder, "--metric", "factscore", "--kg", kg)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def test_the_question_is_shown(tmp_path: Path, kg: Path) -> None:
    folder = run_of(tmp_path / "run", {"a": prose(TEXT, harbour())})
    with ModelServer(good) as server:
        judge(folder, "--metric", "factscore", "--kg", kg, server=server)
        assert server.bodies[-1]["messages"][-1]["content"].startswith(
            f"Question: {QUESTION}\n<evidence>\n[1] Runa Vik |"
        )
