"""A real HTTP server, and all the ways in which an endpoint disappoints."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from model_server import ModelServer, Sent, chat, error

from toulmin.errors import ModelError, SettingsError
from toulmin.llm.openai import OpenAIModel, Prices, Retries
from toulmin.llm.protocol import Message, ModelRequest, Reply

SCHEMA = {
    "type": "object",
    "properties": {"answer": {"enum": ["yes", "no"]}},
    "required": ["answer"],
    "additionalProperties": False,
}
PLAIN = ModelRequest((Message("system", "Be brief."), Message("user", "Is Paris in France?")), step="test/plain")
SHAPED = replace(PLAIN, schema=SCHEMA)
QUICK = Retries(attempts=3, base=0.01, longest=5.0)
KEY = "sk-secret-0123456789"


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TOULMIN_API_KEY", KEY)


def run(server: ModelServer, use: Callable[[OpenAIModel], Awaitable[Any]], **settings: Any) -> Any:
    async def whole() -> Any:
        model = OpenAIModel("m", base_url=server.url, **{"retries": QUICK, **settings})
        try:
            return await use(model)
        finally:
            await model.close()

    return asyncio.run(whole())


def ask(plan: list[Sent] | Callable[[dict[str, Any]], Sent], request: ModelRequest = PLAIN, **settings: Any) -> Any:
    """The reply to one request and the server that gave it."""
    with ModelServer(plan) as server:
        return run(server, lambda model: model.complete(request), **settings), server


def failure(plan: list[Sent], request: ModelRequest = PLAIN, **settings: Any) -> tuple[str, ModelServer]:
    with ModelServer(plan) as server:
        with pytest.raises(ModelError) as caught:
            run(server, lambda model: model.complete(request), **settings)
        text = str(caught.value)
    assert "\n" not in text
    assert KEY not in text
    return text, server


def test_a_reply_with_its_tokens_and_cost() -> None:
    reply, server = ask([chat("Yes.", usage=(1000, 500))], prices=Prices(2.0, 10.0))
    assert [one.text for one in reply.completions] == ["Yes."]
    assert (reply.usage.prompt, reply.usage.completion) == (1000, 500)
    assert reply.usage.cost == pytest.approx(0.007)
    assert reply.called
    assert server.bodies == [
        {
            "model": "m",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "Is Paris in France?"},
            ],
            "max_tokens": 1024,
            "temperature": 0.0,
        }
    ]
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_no_price_no_cost() -> None:
    reply, _ = ask([chat("Yes.")])
    assert reply.usage.cost is None


def test_tokens_are_estimated_where_the_endpoint_does_not_count() -> None:
    reply, _ = ask([chat("Yes, it is.", usage=None)])
    assert reply.usage.prompt > 0
    assert reply.usage.completion > 0


@pytest.mark.parametrize(
    "bad",
    [
        error(429, "slow down", {"Retry-After": "0.2"}),
        error(429, "slow down", {"retry-after-ms": "200"}),
        error(500, "oops"),
        Sent(503, b"<html>busy</html>", {"Content-Type": "text/html"}),
        Sent(200, b'{"choices": [{"message": {"content": "Ye'),
        Sent(200, b"<html>", {"Content-Type": "text/html"}),
        Sent(200, b'{"choices": []}'),
        Sent(200, b'{"choices": "x"}'),
        Sent(200, b'{"error": {"message": "overloaded", "code": 503}}'),
        Sent(200, chat("Yes.").body, cut=5),
        Sent(200, b""),
        Sent(200, b"[" * 100_000),
    ],
    ids=lambda sent: f"{sent.status} {sent.body[:24]!r} {dict(sent.headers)} {sent.cut}",
)
def test_a_passing_failure_is_tried_again(bad: Sent) -> None:
    started = time.monotonic()
    reply, server = ask([bad, chat("Yes.")])
    assert reply.completions[0].text == "Yes."
    assert len(server.bodies) == 2
    if bad.status == 429:
        assert time.monotonic() - started >= 0.2  # what the endpoint asked for, not only our back-off


@pytest.mark.parametrize(
    ("plan", "words", "tries"),
    [
        ([error(500, "oops")], ["HTTP 500", "oops", "after 3 tries"], 3),
        ([error(429, "slow down", {"Retry-After": "3600"})], ["HTTP 429", "wait 3600 s"], 1),
        ([error(429, "no money", code="insufficient_quota")], ["HTTP 429", "no money"], 1),
        ([error(401, f"Incorrect API key provided: {KEY}")], ["HTTP 401", "***", "TOULMIN_API_KEY"], 1),
        ([error(404, "no model m")], ["HTTP 404", "no model m"], 1),
        ([error(400, "bad\nrequest")], ["HTTP 400", "bad request"], 1),
        ([Sent(200, b"{}")], ["no chat completion"], 3),
    ],
)
def test_a_lasting_failure_is_one_line(plan: list[Sent], words: list[str], tries: int) -> None:
    text, server = failure(plan)
    assert all(word in text for word in words), text
    assert len(server.bodies) == tries


def test_nobody_listens() -> None:
    with ModelServer([]) as server:
        url = server.url
    model = OpenAIModel("m", base_url=url, retries=QUICK)
    with pytest.raises(ModelError, match=r"cannot be reached .*after 2 tries"):
        asyncio.run(model.complete(PLAIN))


def test_slow_bytes_end_at_the_time_limit() -> None:
    text, _ = failure([replace(chat("Yes."), drip=0.05)], timeout=0.3, retries=Retries(attempts=1))
    assert "no whole reply within 0.3 s" in text


def test_cancelling_gives_up_the_call() -> None:
    async def give_up(model: OpenAIModel) -> bool:
        task = asyncio.create_task(model.complete(PLAIN))
        await asyncio.sleep(0.3)
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            return True
        return False

    with ModelServer([replace(chat("Yes."), drip=1.0)]) as server:
        assert run(server, give_up)


def test_cancelling_during_a_wait_gives_up_too() -> None:
    async def give_up(model: OpenAIModel) -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await model.complete(PLAIN)

    with ModelServer([error(429, "later", {"Retry-After": "4"})]) as server:
        run(server, give_up)
        assert len(server.bodies) == 1


def test_concurrency_is_bounded() -> None:
    def slow(body: dict[str, Any]) -> Sent:
        time.sleep(0.02)
        return chat("Yes.")

    async def many(model: OpenAIModel) -> list[Reply]:
        return await asyncio.gather(*(model.complete(PLAIN) for _ in range(12)))

    with ModelServer(slow) as server:
        assert len(run(server, many, concurrency=3)) == 12
        assert 1 <= server.most <= 3


def test_what_one_request_is_told_to_wait_all_wait() -> None:
    arrived: list[float] = []

    def limited(body: dict[str, Any]) -> Sent:
        arrived.append(time.monotonic())
        return error(429, "slow down", {"Retry-After": "0.5"}) if len(arrived) == 1 else chat("Yes.")

    async def two(model: OpenAIModel) -> None:
        first = asyncio.create_task(model.complete(PLAIN))
        while not arrived:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)  # the refusal is back, its time is not over
        await asyncio.gather(first, model.complete(PLAIN))

    with ModelServer(limited) as server:
        run(server, two)
    assert len(arrived) == 3
    assert all(later - arrived[0] >= 0.5 for later in arrived[1:])


def test_one_model_in_several_event_loops() -> None:
    with ModelServer([chat("Yes.")]) as server:
        model = OpenAIModel("m", base_url=server.url, retries=QUICK)

        async def once() -> Reply:
            try:
                return await model.complete(PLAIN)
            finally:
                await model.close()

        assert [asyncio.run(once()).completions[0].text for _ in range(3)] == ["Yes."] * 3


@pytest.mark.parametrize(
    ("sent", "text", "finish"),
    [
        (chat(""), "", "stop"),
        (chat(None), "", "stop"),
        (chat('{"answer": "y', finish="length"), '{"answer": "y', "length"),
        (chat(None, refusal="I cannot help with that."), "I cannot help with that.", "refusal"),
        (chat("", finish="content_filter"), "", "refusal"),
        (error(400, "filtered", code="content_filter"), "filtered", "refusal"),
        (chat("x", finish="tool_calls"), "x", "other"),
    ],
)
def test_what_is_no_plain_reply(sent: Sent, text: str, finish: str) -> None:
    reply, server = ask([sent])
    assert [(one.text, one.finish) for one in reply.completions] == [(text, finish)]
    assert len(server.bodies) == 1


def test_hostile_text_goes_there_and_back() -> None:
    """Half a character, which UTF-8 does not have, from a user or from the model; control characters in an error."""
    hostile = Sent(body=b'{"choices": [{"message": {"content": "a \\ud800 \\u001b[2J"}}]}')
    reply, server = ask([hostile], replace(PLAIN, messages=(Message("user", "b \udfff"),)))
    assert reply.completions[0].text == "a \ufffd \x1b[2J"
    assert server.bodies[0]["messages"][0]["content"] == "b \ufffd"
    text, _ = failure([error(404, "\x1b[2J gone\n\u202e")])
    assert text.endswith("HTTP 404: [2J gone")


def test_several_choices() -> None:
    reply, server = ask([chat("a", "b", "c")], replace(PLAIN, n=3, temperature=0.7, seed=4))
    assert [one.text for one in reply.completions] == ["a", "b", "c"]
    assert (server.bodies[0]["n"], server.bodies[0]["seed"]) == (3, 4)


def test_an_endpoint_that_ignores_n_is_asked_again() -> None:
    reply, server = ask(lambda body: chat(str(body.get("seed"))), replace(PLAIN, n=3, temperature=0.7, seed=4))
    assert sorted(one.text for one in reply.completions) == ["4", "5", "6"]
    assert reply.usage.prompt == 30
    assert len(server.bodies) == 3


def test_logprobs() -> None:
    body = json.loads(chat("Yes").body)
    body["choices"][0]["logprobs"] = {"content": [{"token": "Yes", "logprob": -0.25}]}
    reply, server = ask([Sent(body=json.dumps(body).encode())], replace(PLAIN, logprobs=True))
    assert [(token.text, token.logprob) for token in reply.completions[0].tokens] == [("Yes", -0.25)]
    assert server.bodies[0]["logprobs"] is True
    assert "top_logprobs" not in server.bodies[0]


@pytest.mark.parametrize("junk", [None, "x", [{"token": 1}], [{"token": "a", "logprob": "b"}], {"token": "a"}])
def test_the_likeliest_tokens(junk: object) -> None:
    body = json.loads(chat("4").body)
    others = [{"token": "4", "logprob": -0.5}, {"token": "3", "logprob": -1}]
    for sent, expected in ((others, (("4", -0.5), ("3", -1.0))), (junk, ())):
        body["choices"][0]["logprobs"] = {"content": [{"token": "4", "logprob": -0.5, "top_logprobs": sent}]}
        wanted = replace(PLAIN, logprobs=True, top_logprobs=5)
        reply, server = ask([Sent(body=json.dumps(body).encode())], wanted)
        assert [token.likeliest for token in reply.completions[0].tokens] == [expected]
        assert server.bodies[0]["top_logprobs"] == 5


def test_likeliest_tokens_are_not_asked_for_without_log_probabilities() -> None:
    refusal = error(400, "'logprobs' is not supported by this model")
    wanted = replace(PLAIN, logprobs=True, top_logprobs=5)
    reply, server = ask(lambda body: refusal if "logprobs" in body else chat("4"), wanted)
    assert reply.completions[0].tokens is None
    assert "top_logprobs" not in server.bodies[-1]


def test_a_schema_is_sent_where_the_endpoint_takes_it() -> None:
    _, server = ask([chat('{"answer": "yes"}')], SHAPED)
    sent = server.bodies[0]["response_format"]
    assert sent == {
        "type": "json_schema",
        "json_schema": {"name": "test_plain", "schema": SCHEMA, "strict": True},
    }


def test_what_an_endpoint_refuses_is_learned_once() -> None:
    """json_schema, then json_object, then words with the schema in them; later requests begin there."""

    def older(body: dict[str, Any]) -> Sent:
        form = body.get("response_format")
        if form is not None:
            return error(400, f"response_format type {form['type']} is not supported")
        return chat('{"answer": "yes"}')

    async def twice(model: OpenAIModel) -> None:
        await model.complete(SHAPED)
        await model.complete(SHAPED)
        await model.complete(PLAIN)

    with ModelServer(older) as server:
        run(server, twice)
        forms = [(body.get("response_format") or {}).get("type") for body in server.bodies]
        assert forms == ["json_schema", "json_object", None, None, None]
        words = [body["messages"][-1]["content"] for body in server.bodies]
        assert json.dumps(SCHEMA) in words[2]
        assert words[2] == words[3]
        assert words[4] == "Is Paris in France?"


def test_one_refused_schema_does_not_cost_the_others_theirs() -> None:
    other = replace(SHAPED, schema={**SCHEMA, "title": "unsupported"})

    def picky(body: dict[str, Any]) -> Sent:
        form = body.get("response_format") or {}
        if "title" in form.get("json_schema", {}).get("schema", {}):
            return error(400, "Invalid schema: 'title' is not permitted", param="response_format")
        return chat('{"answer": "yes"}')

    async def several(model: OpenAIModel) -> None:
        for request in (SHAPED, other, SHAPED, other):
            await model.complete(request)

    with ModelServer(picky) as server:
        run(server, several)
        forms = [(body.get("response_format") or {}).get("type") for body in server.bodies]
        assert forms == ["json_schema", "json_schema", "json_object", "json_schema", "json_object"]


def test_a_schema_that_is_no_object_is_not_asked_for_as_an_object() -> None:
    request = replace(PLAIN, schema={"type": "array", "items": {"type": "integer"}})
    _, server = ask(lambda body: error(400, "no") if "response_format" in body else chat("[1]"), request)
    assert len(server.bodies) == 2


def test_too_long_a_prompt_is_not_tried_in_other_shapes() -> None:
    text, server = failure([error(400, "This model's maximum context length is 8192 tokens")], SHAPED)
    assert "maximum context length" in text
    assert len(server.bodies) == 1


@pytest.mark.parametrize(
    ("name", "refusal"),
    [
        ("temperature", error(400, "Unsupported value", param="temperature")),
        ("top_p", error(400, "Unsupported parameter: 'top_p'", param="top_p")),
        ("seed", error(422, "unknown field `seed`")),
        ("logprobs", error(400, "'logprobs' is not supported by this model")),
    ],
)
def test_a_refused_parameter_is_left_out_from_then_on(name: str, refusal: Sent) -> None:
    request = replace(PLAIN, temperature=0.7, top_p=1.0, seed=1, logprobs=True)

    async def twice(model: OpenAIModel) -> None:
        await model.complete(request)
        await model.complete(request)

    with ModelServer(lambda body: refusal if name in body else chat("Yes.")) as server:
        run(server, twice)
        assert [name in body for body in server.bodies] == [True, False, False]


def test_newer_models_name_the_limit_differently() -> None:
    refusal = error(400, "'max_tokens' is not supported: use 'max_completion_tokens'", param="max_tokens")
    _, server = ask(lambda body: refusal if "max_tokens" in body else chat("Yes."))
    assert server.bodies[1]["max_completion_tokens"] == 1024


def test_the_key_is_in_no_name_log_or_representation(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with ModelServer([error(500, "oops"), chat("Yes.")]) as server:
        model = OpenAIModel("m", base_url=server.url, retries=QUICK)

        async def once() -> None:
            await model.complete(PLAIN)
            await model.close()

        asyncio.run(once())
    shown = [model.name, model.identity, repr(model)]
    assert not [text for text in shown if KEY in text]
    logged = [record.getMessage() for record in caplog.records]
    assert any("chat/completions" in line for line in logged)
    assert KEY not in "\n".join(logged)


def test_openais_key_goes_to_openai_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TOULMIN_API_KEY")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    _, server = ask([chat("Yes.")])
    assert KEY not in str(server.headers)
    with ModelServer([chat("Yes.")]) as chosen:
        monkeypatch.setenv("OPENAI_BASE_URL", chosen.url)
        run(chosen, lambda model: model.complete(PLAIN))
        assert KEY in str(chosen.headers)


@pytest.mark.parametrize(
    "url", ["ftp://x/v1", "nonsense", "http://", "http://u:p@x/v1", "http://x/v1?api_key=1", "http://x:99999/v1"]
)
def test_addresses_that_cannot_be_used(url: str) -> None:
    with pytest.raises(SettingsError):
        OpenAIModel("m", base_url=url)


def test_a_key_that_no_header_can_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOULMIN_API_KEY", "a\nb")
    with pytest.raises(SettingsError, match="TOULMIN_API_KEY") as caught:
        OpenAIModel("m", base_url="http://127.0.0.1:1/v1")
    assert "a\nb" not in str(caught.value)


def test_back_off_doubles_and_ends() -> None:
    retries = Retries(attempts=5, base=1.0, longest=6.0)
    for failures, ceiling in [(1, 1.0), (2, 2.0), (3, 4.0), (4, 6.0)]:
        waits = [retries.wait(failures, None) for _ in range(50)]
        assert all(wait is not None and ceiling / 2 <= wait <= ceiling for wait in waits)
        assert len(set(waits)) > 1
    assert retries.wait(5, None) is None
    assert retries.wait(1, 6.5) is None
    assert retries.wait(1, 5.5) == 5.5
