"""A model in this process, from a GGUF file, run by llama.cpp (xllamacpp, the extra ``gguf``)."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from toulmin.errors import MissingExtraError, ModelError, SettingsError, SourceError
from toulmin.llm.protocol import Completion, ModelRequest, Reply, Token, Tokens
from toulmin.llm.wire import error_of, likeliest

__all__ = ["GgufModel"]

_MAGIC = b"GGUF"
_SAMPLE = 1 << 20  # bytes at both ends of the file that tell it from another


class GgufModel:
    """A GGUF file. It is loaded at the first request; requests run in threads, one at a time per slot.

    A schema becomes a grammar, so that a reply that is not cut off is JSON; a grammar is taken as it is. Patterns with
    look-around are left out of the grammar, which would otherwise allow any string there without a word; the reply is
    validated in any case.
    Several completions are made one after the other, with consecutive seeds. Log-probabilities at temperature 0 are the
    model's before the grammar; above 0 no other filter is applied and they are those of the sampling, grammar included.

    Args:
        path: the file.
        concurrency: slots, requests that run at once.
        context: tokens of one request with its reply; each slot has as many.
        threads: of the processor; None: one per core that this process may use.

    Raises:
        SourceError: no GGUF file.
        SettingsError: a number out of range.
        MissingExtraError: the extra is not installed.
    """

    takes_grammar = True

    def __init__(
        self, path: str | Path, *, concurrency: int = 1, context: int = 8192, threads: int | None = None
    ) -> None:
        self._path = Path(path)
        if concurrency < 1 or context < 1 or (threads is not None and threads < 1):
            raise SettingsError("a GGUF model needs a concurrency, a context and threads of 1 or more")
        try:
            with self._path.open("rb") as file:
                magic = file.read(len(_MAGIC))
        except OSError as error:
            raise SourceError(f"cannot be read: {error.strerror or error}", self._path) from None
        if magic != _MAGIC:
            raise SourceError("is no GGUF file", self._path)
        if find_spec("xllamacpp") is None:
            raise MissingExtraError("a GGUF model", "gguf")
        self._slots, self._context = concurrency, context
        # By itself, as many as the cores that this process may use.
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self._threads = threads or cores
        self._workers = ThreadPoolExecutor(concurrency, thread_name_prefix="gguf")
        self._loading = threading.Lock()
        self._server: Any = None

    @property
    def name(self) -> str:
        """``gguf:FILE``, without the folder."""
        return f"gguf:{self._path.name}"

    @cached_property
    def identity(self) -> str:
        """Name, size and a hash of both ends of the file: what a cached reply belongs to."""
        size = self._path.stat().st_size
        with self._path.open("rb") as file:
            ends = file.read(_SAMPLE)
            file.seek(max(0, size - _SAMPLE))
            ends += file.read(_SAMPLE)
        return f"{self.name} {size} {sha256(ends).hexdigest()[:16]}"

    async def complete(self, request: ModelRequest) -> Reply:
        """See ``Model.complete``. Cancelling stops the generation at the next token.

        Raises:
            ModelError: the file cannot be loaded, or the request does not fit into the context.
        """
        stop = threading.Event()
        running = self._workers.submit(self._complete, request, stop)
        try:
            return await asyncio.wrap_future(running)
        finally:
            stop.set()

    async def close(self) -> None:
        """Let what runs end, and free the memory."""
        await asyncio.to_thread(self._workers.shutdown, cancel_futures=True)
        self._server = None

    def _complete(self, request: ModelRequest, stop: threading.Event) -> Reply:
        server = self._loaded()
        completions, prompt, completion = [], 0, 0
        for number in range(request.n):
            body = _body(request, None if request.seed is None else request.seed + number)
            stream = _Stream(stop)
            try:
                server.handle_chat_completions(body, stream)
            except RuntimeError as error:
                raise ModelError(f"{self.name}: llama.cpp failed ({error})") from None
            if stream.problem is not None:
                raise ModelError(f"{self.name}: {stream.problem}")
            completions.append(stream.completion())
            prompt, completion = prompt + stream.prompt, completion + stream.generated
        return Reply(tuple(completions), Tokens(prompt, completion, 0.0))

    def _loaded(self) -> Any:
        with self._loading:
            if self._server is None:
                import xllamacpp

                params = xllamacpp.CommonParams()
                params.model.path = str(self._path)
                params.n_ctx = self._context * self._slots  # it is split among the slots
                params.n_parallel = self._slots
                params.cpuparams.n_threads = params.cpuparams_batch.n_threads = self._threads
                params.warmup = False
                params.verbosity = -1
                try:
                    self._server = xllamacpp.Server(params)
                except RuntimeError as error:
                    raise ModelError(f"{self._path}: llama.cpp cannot load it ({error})") from None
            return self._server


class _Stream:
    """Collects the chunks of one completion; called with each, it returns whether to stop."""

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop
        self._parts: list[str] = []
        self._tokens: list[Token] | None = None
        self._finish: str | None = None
        self.prompt = 0
        self.generated = 0
        self.problem: str | None = None

    def __call__(self, chunk: Any) -> bool:
        choices = chunk.get("choices") if isinstance(chunk, Mapping) else None
        if choices is None:
            self.problem = error_of(chunk if isinstance(chunk, Mapping) else {}, str(chunk).encode())[0]
            return True
        usage = chunk.get("usage") or {}
        self.prompt = usage.get("prompt_tokens", self.prompt)
        self.generated = usage.get("completion_tokens", self.generated)
        for choice in choices:
            self._parts.append((choice.get("delta") or {}).get("content") or "")
            self._finish = choice.get("finish_reason") or self._finish
            for token in (choice.get("logprobs") or {}).get("content") or ():
                self._tokens = self._tokens or []
                self._tokens.append(_token(token))
        return self._stop.is_set()

    def completion(self) -> Completion:
        """What was collected."""
        tokens = None if self._tokens is None else tuple(self._tokens)
        return Completion("".join(self._parts), "length" if self._finish == "length" else "stop", tokens)


def _body(request: ModelRequest, seed: int | None) -> dict[str, Any]:
    body: dict[str, Any] = {
        "messages": [{"role": message.role, "content": message.content} for message in request.messages],
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    body |= {name: value for name, value in (("seed", seed), ("top_p", request.top_p)) if value is not None}
    if request.schema is not None:
        schema = {"name": "reply", "schema": _for_grammar(request.schema)}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif request.grammar is not None:
        body["grammar"] = request.grammar
    if request.logprobs:
        body["logprobs"] = True
        if request.top_logprobs:
            body["top_logprobs"] = request.top_logprobs
        if request.temperature > 0:
            body |= {"top_k": 0, "top_p": 1.0, "min_p": 0.0, "post_sampling_probs": True}
    return body


def _for_grammar(schema: Any) -> Any:
    """A schema without the patterns that llama.cpp would silently take for "any string"."""
    if isinstance(schema, list):
        return [_for_grammar(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    return {
        key: _for_grammar(part)
        for key, part in schema.items()
        if not (key == "pattern" and isinstance(part, str) and "(?" in part)
    }


def _token(record: Mapping[str, Any]) -> Token:
    """A token; after sampling llama.cpp gives its probability in place of the logarithm."""
    if "logprob" in record:
        return Token(str(record["token"]), float(record["logprob"]), likeliest(record.get("top_logprobs")))
    from math import inf, log

    probability = float(record["prob"])
    return Token(str(record["token"]), log(probability) if probability > 0 else -inf)
