"""Cache, recording and replay, and models by name."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from toulmin.errors import ModelError, ReplayError, SettingsError, SourceError
from toulmin.llm.openai import OpenAIModel, Prices
from toulmin.llm.prompts import Prompt
from toulmin.llm.protocol import Completion, Message, Model, ModelRequest, Reply, Token, Tokens
from toulmin.llm.registry import _KINDS, get_model
from toulmin.llm.scripted import ScriptedModel
from toulmin.llm.session import Session
from toulmin.llm.stored_replies import CachedModel, RecordingModel, ReplayModel

REQUEST = ModelRequest((Message("user", "Is Paris in France? é\ud800"),), {"type": "object"}, step="t/one")
OTHERS = [
    replace(REQUEST, messages=(Message("user", "Is Rome in France?"),)),
    replace(REQUEST, messages=(Message("system", "Is Paris in France? é\ud800"),)),
    replace(REQUEST, schema={"type": "array"}),
    replace(REQUEST, schema=None),
    replace(REQUEST, temperature=0.5),
    replace(REQUEST, max_tokens=5),
    replace(REQUEST, n=2),
    replace(REQUEST, seed=1),
    replace(REQUEST, logprobs=True),
    replace(REQUEST, logprobs=True, top_logprobs=2),
    replace(REQUEST, top_p=1.0),
]


class Counting:
    """Replies with the number of the call; may belong to an address."""

    def __init__(self, identity: str = "counting") -> None:
        self.calls = 0
        self.identity = identity

    name = "counting"

    async def complete(self, request: ModelRequest) -> Reply:
        self.calls += 1
        tokens = (Token("a", -0.5, (("a", -0.5), ("b", -1.0))), Token("\n", 0.0)) if request.logprobs else None
        texts = [Completion(f"reply {self.calls}", "length", tokens)] * request.n
        return Reply(tuple(texts), Tokens(7, 3, 0.25))

    async def close(self) -> None:
        pass


def complete(model: Model, request: ModelRequest = REQUEST) -> Reply:
    return asyncio.run(model.complete(request))


def test_a_cached_reply_survives_a_restart_and_costs_nothing(tmp_path: Path) -> None:
    inner = Counting()
    first = complete(CachedModel(inner, tmp_path / "deep" / "c.sqlite"))
    again = complete(CachedModel(inner, tmp_path / "deep" / "c.sqlite"), replace(REQUEST, step="t/other"))
    assert inner.calls == 1
    assert again == replace(first, called=False, usage=Tokens(7, 3, 0.0))


def test_everything_that_changes_the_reply_is_in_the_key(tmp_path: Path) -> None:
    inner = Counting()
    model = CachedModel(inner, tmp_path / "c.sqlite")
    for request in [REQUEST, *OTHERS] * 2:
        kept = complete(model, request)
        assert len(kept.completions) == request.n
        assert (kept.completions[0].tokens is not None) == request.logprobs
    assert inner.calls == 1 + len(OTHERS)
    elsewhere = Counting("counting elsewhere")
    complete(CachedModel(elsewhere, tmp_path / "c.sqlite"))
    assert elsewhere.calls == 1


def test_the_address_tells_models_of_one_name_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    models = [OpenAIModel("m"), OpenAIModel("m", base_url="http://127.0.0.1:1/v1"), OpenAIModel("n")]
    assert len({model.identity for model in models}) == 3


def test_empty_replies_and_refusals_are_not_kept(tmp_path: Path) -> None:
    model = CachedModel(ScriptedModel(["", "good", "never"]), tmp_path / "c.sqlite")
    assert [complete(model).completions[0].text for _ in range(3)] == ["", "good", "good"]


def test_several_processes_share_a_cache(tmp_path: Path) -> None:
    code = """
import asyncio, sys
from toulmin.llm.stored_replies import CachedModel
from toulmin.llm.protocol import Message, ModelRequest
from toulmin.llm.scripted import ScriptedModel

async def main():
    model = CachedModel(ScriptedModel(lambda request: request.messages[0].content), sys.argv[1])
    texts = [f"text {number}" for number in range(30)]
    replies = await asyncio.gather(*(model.complete(ModelRequest((Message("user", text),))) for text in texts))
    assert [reply.completions[0].text for reply in replies] == texts

asyncio.run(main())
"""
    path = tmp_path / "c.sqlite"
    running = [subprocess.Popen([sys.executable, "-c", code, str(path)], stderr=subprocess.PIPE) for _ in range(3)]
    assert [(process.communicate()[1], process.returncode) for process in running] == [(b"", 0)] * 3
    database = sqlite3.connect(path)
    assert database.execute("SELECT count(*) FROM replies").fetchone() == (30,)
    database.close()


@pytest.mark.parametrize("content", [b"no database at all, but text", b"\x00" * 5000])
def test_a_file_that_is_no_cache(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "c.sqlite"
    path.write_bytes(content)
    with pytest.raises(SourceError, match="cache"):
        CachedModel(Counting(), path)
    assert path.read_bytes() == content


def test_another_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE mine (x)")
    database.commit()
    database.close()
    with pytest.raises(SourceError, match="is no cache of this version"):
        CachedModel(Counting(), path)


def test_a_cache_that_was_damaged_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    model = CachedModel(Counting(), path)
    complete(model)
    database = sqlite3.connect(path)
    database.execute("UPDATE replies SET reply = '{'")
    database.commit()
    database.close()
    with pytest.raises(ModelError, match="cannot be read"):
        complete(model)


def test_what_is_recorded_is_replayed(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "run.jsonl"
    recording = RecordingModel(Counting(), path)
    made = [complete(recording, request) for request in [REQUEST, *OTHERS, REQUEST]]
    replay = ReplayModel(path)
    assert replay.name == "counting"
    replayed = [complete(replay, request) for request in [REQUEST, *OTHERS, REQUEST]]
    assert replayed == [replace(reply, called=False, usage=Tokens(7, 3, 0.0)) for reply in made]
    assert complete(replay) == replayed[-1]
    assert [json.loads(line)["step"] for line in path.read_text("utf-8").splitlines()] == ["t/one"] * (len(OTHERS) + 2)


def test_a_miss_fails_loudly_and_names_the_step(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    complete(RecordingModel(Counting(), path))
    session = Session(ReplayModel(path))
    with pytest.raises(ReplayError, match=r"^r3/decide: no reply to it is recorded in .* \(it ends in 'Why\?'\)"):
        asyncio.run(session.ask(Prompt("r3/decide", "s", (), "Why?", None), {}))


def test_a_transcript_of_an_endpoint_is_replayed(tmp_path: Path) -> None:
    body = {
        "model": "operator",
        "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}],
        "max_tokens": 1024,
        "temperature": 0.0,
        "response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object"}}},
    }
    usage = {"prompt_tokens": 3, "completion_tokens": 2}
    path = tmp_path / "transcript.jsonl"
    path.write_text(json.dumps({"id": "1", "request": body, "answers": ["{}"], "usage": usage}) + "\n")
    replay = ReplayModel(path)
    assert replay.name == "openai:operator"
    request = ModelRequest((Message("system", "s"), Message("user", "u")), {"type": "object"})
    assert complete(replay, request) == Reply((Completion("{}"),), Tokens(3, 2, 0.0), called=False)


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "{}",
        '{"model": 1}',
        '{"model": "m", "request": {}, "reply": {}}',
        '{"model": "m", "request": [], "reply": []}',
        '{"answers": [], "request": {}}',
        '{"answers": 5, "request": 7}',
        "[" * 100_000,
    ],
    ids=lambda line: line[:40],
)
def test_lines_that_are_no_exchange(tmp_path: Path, line: str) -> None:
    path = tmp_path / "run.jsonl"
    complete(RecordingModel(Counting(), path))
    with path.open("a") as file:
        file.write(f"\n{line}\n")
    with pytest.raises(SourceError, match=r"run\.jsonl:3: ") as caught:
        ReplayModel(path)
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    for bad in (tmp_path / "absent", tmp_path, tmp_path / "binary"):
        with pytest.raises(SourceError):
            ReplayModel(bad)
    with pytest.raises(SourceError):
        RecordingModel(Counting(), tmp_path)


def test_models_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    model = get_model("openai:org/some:name", base_url="http://127.0.0.1:1/v1", prices=Prices(1.0, 2.0), concurrency=2)
    assert model.name == "openai:org/some:name"
    path = tmp_path / "run.jsonl"
    complete(RecordingModel(Counting(), path))
    wrapped = get_model(f"replay:{path}", cache=tmp_path / "c.sqlite", record=tmp_path / "again.jsonl")
    assert complete(wrapped).completions[0].text == "reply 1"
    assert (tmp_path / "again.jsonl").read_text("utf-8").count("\n") == 1
    asyncio.run(wrapped.close())


@pytest.mark.parametrize(
    ("spec", "options", "problem"),
    [
        ("gpt-9", {}, "model 'gpt-9': write KIND:NAME"),
        ("openai:", {}, "write KIND:NAME"),
        (":x", {}, "no kind of model is called ''"),
        ("openia:x", {}, "did you mean 'openai'?"),
        ("openai:x", {"context": 5}, "openai: models have no context"),
        ("openai:x", {"base_url": "x"}, "no http or https address"),
        ("openai:x", {"concurrency": 0}, "concurrency of 1 or more"),
        ("replay:x", {"base_url": "http://x"}, "replay: models have no base url"),
        ("replay:/does/not/exist", {}, "/does/not/exist: cannot be read"),
        ("gguf:/does/not/exist", {}, "/does/not/exist: cannot be read"),
    ],
)
def test_specifications_that_cannot_be_used(spec: str, options: dict[str, Any], problem: str) -> None:
    with pytest.raises((SettingsError, SourceError)) as caught:
        get_model(spec, **options)
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


SHOUTING = """
from toulmin.llm.scripted import ScriptedModel

def shouting(name, options):
    options.only("shout", "threads")
    return ScriptedModel(lambda request: request.messages[-1].content.upper(), name=f"shout:{name}")
"""


def test_kinds_of_packages(distribution: Callable[..., None]) -> None:
    distribution("shout", SHOUTING, "toulmin.models", ["shout = shouting"])
    assert _KINDS.names() == ("openai", "gguf", "replay", "shout")
    model = get_model("shout:x", threads=1)
    assert (model.name, complete(model, ModelRequest((Message("user", "hm"),))).completions[0].text) == (
        "shout:x",
        "HM",
    )
    with pytest.raises(SettingsError, match="shout: models have no context"):
        get_model("shout:x", context=5)
