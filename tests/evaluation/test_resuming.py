"""A run that is killed goes on to the same records, and pays for no reply twice."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import paid_run
import pytest
from model_server import ModelServer, Sent, chat, error

from toulmin.errors import MissingExtraError, ModelError, SettingsError, SourceError
from toulmin.evaluation.calls import CallLog, LoggedModel, read_calls
from toulmin.evaluation.engines import OnRay
from toulmin.llm.openai import OpenAIModel
from toulmin.llm.protocol import Completion, Message, ModelRequest, Reply, Tokens
from toulmin.llm.scripted import ScriptedModel

TOTAL = paid_run.QUESTIONS * paid_run.SAMPLES
ON_THE_WAY = 3 * paid_run.SAMPLES  # replies at a time, of each worker
with_ray = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="ray is not installed")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that nothing interrupted."""
    folder = tmp_path_factory.mktemp("whole")
    paid_run.go(folder / "run", folder / "bill", "local", 0.0)
    assert len(paid_run.bill_of(folder / "bill")) == TOTAL
    return folder / "run"


def killed(out: Path, bill: Path, engine: str, after: int, delay: float) -> dict[str, int]:
    """Start the run, kill it when so many replies are paid for; of each that had come, how often it was paid for."""
    command = [sys.executable, paid_run.__file__, str(out), str(bill), engine, str(delay)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    while process.poll() is None and (not bill.exists() or bill.read_bytes().count(b"\n") < after):
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    paid = paid_run.bill_of(bill)
    return {key: paid[key] for key in paid_run.logged(out)}


def paid_once(bill: Path, come: dict[str, int]) -> None:
    """No reply that had come at a kill was paid for again, nor was any but the few that were on their way."""
    paid = paid_run.bill_of(bill)
    assert len(paid) == TOTAL
    assert [key for key, before in come.items() if paid[key] != before] == []
    assert paid.total() - TOTAL <= 2 * ON_THE_WAY


def same(out: Path, whole: Path) -> None:
    """Records and sums are those of the whole run, whatever the order in which questions finished."""
    found, wanted = paid_run.records(out), paid_run.records(whole)
    assert found == wanted
    sums = [json.loads((folder / "summary.json").read_text())["usage"] for folder in (out, whole)]
    assert [sums[0][key] for key in ("model_calls", "prompt_tokens", "cost")] == [TOTAL, TOTAL * 10, TOTAL * 0.25]
    assert sums[1]["cost"] == sums[0]["cost"]


@pytest.mark.parametrize("moment", [0.1, 0.5, 0.9])
def test_a_run_killed_twice_pays_for_nothing_twice(tmp_path: Path, whole: Path, moment: float) -> None:
    out, bill = tmp_path / "run", tmp_path / "bill"
    first = max(1, int(TOTAL * moment * random.Random(moment).random()))
    come: dict[str, int] = {}
    for after in (first, first + (TOTAL - first) // 2):
        come = killed(out, bill, "local", after, 0.02) | come
        assert not (out / "summary.json").exists()
    paid_run.go(out, bill, "local", 0.0)
    same(out, whole)
    paid_once(bill, come)


@with_ray
def test_a_run_on_ray_is_the_local_run_also_when_it_was_killed(tmp_path: Path, whole: Path) -> None:
    out, bill = tmp_path / "run", tmp_path / "bill"
    come = killed(out, bill, "ray", TOTAL // 3, 0.1)
    assert len(paid_run.records(out)) < paid_run.QUESTIONS
    subprocess.run(
        [sys.executable, paid_run.__file__, str(out), str(bill), "ray", "0"], check=True, capture_output=True
    )
    same(out, whole)
    paid_once(bill, come)


def test_what_crashed_is_asked_again_without_paying(tmp_path: Path) -> None:
    out, bill = tmp_path / "run", tmp_path / "bill"
    for _ in range(2):
        paid_run.go(out, bill, "local", 0.0)
        assert [one["id"] for one in paid_run.records(out).values() if one["outcome"] == "crashed"] == ["q5"]
        assert paid_run.records(out)["q5"]["usage"]["model_calls"] == paid_run.SAMPLES
    assert set(paid_run.bill_of(bill).values()) == {1}


def test_samples_that_an_endpoint_gives_one_by_one_are_kept_one_by_one(tmp_path: Path) -> None:
    request = ModelRequest((Message("user", "Which berth?"),), temperature=0.7, n=4)

    async def asked(model: LoggedModel) -> Reply:
        replies = read_calls(tmp_path, {"q"}).get("q", {})
        with CallLog(tmp_path) as log, log.asking("q", replies):
            try:
                return await model.complete(request)
            finally:
                await model.close()

    def until_broke(body: dict[str, Any]) -> Sent:
        number = len(server.bodies)
        if number <= 3:
            return chat(f"berth {number}")
        time.sleep(0.3)  # the others have come by then
        return error(402, "no money left")

    with ModelServer(until_broke) as server:
        with pytest.raises(ModelError, match="no money left"):
            asyncio.run(asked(LoggedModel(OpenAIModel("m", base_url=server.url))))
        assert len(server.bodies) == 4
    with ModelServer([chat("berth 4")]) as server:
        reply = asyncio.run(asked(LoggedModel(OpenAIModel("m", base_url=server.url))))
        assert len(server.bodies) == 1
    assert sorted(one.text for one in reply.completions) == [f"berth {number}" for number in (1, 2, 3, 4)]
    assert reply.usage == Tokens(40, 20, None)


def test_the_same_request_again_is_another_reply(tmp_path: Path) -> None:
    request = ModelRequest((Message("user", "Which berth?"),), temperature=0.7)

    async def asked(model: LoggedModel, times: int) -> list[str]:
        replies = read_calls(tmp_path, {"q"}).get("q", {})
        with CallLog(tmp_path) as log, log.asking("q", replies) as spent:
            told = [(await model.complete(request)).completions[0].text for _ in range(times)]
            assert spent.calls == times
        return told

    assert asyncio.run(asked(LoggedModel(ScriptedModel(["one", "two"])), 2)) == ["one", "two"]
    assert asyncio.run(asked(LoggedModel(ScriptedModel(["three"])), 3)) == ["one", "two", "three"]


def test_a_torn_line_is_no_reply_and_a_damaged_one_is_named(tmp_path: Path) -> None:
    reply = Reply((Completion("yes"),), Tokens(3, 1, None))
    for _ in range(2):  # the second opening cuts off what the first left torn
        with CallLog(tmp_path) as log:
            log.append("q1", "key", 0, "step", reply)
            log.append("q2", "key", 1, "step", reply)
        with (tmp_path / "calls.jsonl").open("ab") as file:
            file.write(b'{"question":"q1","key":"other')
        assert read_calls(tmp_path, {"q1"}) == {"q1": {("key", 0): reply}}
    with CallLog(tmp_path, "worker") as log:
        log.append("q1", "key", 1, "step", reply)
    assert set(read_calls(tmp_path, {"q1", "q2"})["q1"]) == {("key", 0), ("key", 1)}
    (tmp_path / "calls.worker.jsonl").write_text("[]\n")
    with pytest.raises(SourceError, match=r"calls\.worker\.jsonl:1: no reply of a run"):
        read_calls(tmp_path, {"q1"})


def test_without_ray_its_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"toulmin\[ray\]"):
        OnRay(lambda: None)  # type: ignore[arg-type,return-value]


@with_ray
def test_no_workers() -> None:
    with pytest.raises(SettingsError, match="at least 1 worker"):
        OnRay(lambda: None, workers=0)  # type: ignore[arg-type,return-value]
