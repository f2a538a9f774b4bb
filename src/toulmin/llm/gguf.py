"""A model in this process, from a GGUF file, run by llama.cpp (xllamacpp, the extra ``gguf``)."""

from __future__ import annotations

import asyncio
import os
import threading
from collections import ChainMap
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from importlib.util import find_spec
from math import inf, log
from pathlib import Path
from typing import Any

from toulmin.errors import MissingExtraError, ModelError, SettingsError, SourceError
from toulmin.llm.protocol import Completion, ModelRequest, Reply, Token, Tokens
from toulmin.llm.wire import Dialect, error_of, likeliest

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
        completions, prompt, generated = [], 0, 0
        for number in range(request.n):
            chunks = self._chunks(_body(request, None if request.seed is None else request.seed + number), stop)
            completions.append(_completion(chunks))
            usage = ChainMap(*(chunk.get("usage") or {} for chunk in reversed(chunks)))  # the last figures hold
            prompt += usage.get("prompt_tokens", 0)
            generated += usage.get("completion_tokens", 0)
        return Reply(tuple(completions), Tokens(prompt, generated, 0.0))

    def _chunks(self, body: dict[str, Any], stop: threading.Event) -> list[Any]:
        """The chunks of one completion, as far as it came before it was stopped."""
        chunks: list[Any] = []

        def take(chunk: Any) -> bool:
            chunks.append(chunk)
            return stop.is_set() or not _is_chunk(chunk)

        server = self._loaded()
        try:
            server.handle_chat_completions(body, take)
        except (RuntimeError, ValueError) as error:  # ValueError: of this schema it can make no grammar
            raise ModelError(f"{self.name}: llama.cpp failed ({error})") from None
        for chunk in chunks:
            if not _is_chunk(chunk):
                problem = error_of(chunk if isinstance(chunk, Mapping) else {}, str(chunk).encode())[0]
                raise ModelError(f"{self.name}: {problem}")
        return chunks

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


def _is_chunk(chunk: Any) -> bool:
    return isinstance(chunk, Mapping) and chunk.get("choices") is not None


def _completion(chunks: list[Any]) -> Completion:
    """What the chunks of a completion bring together."""
    choices = [choice for chunk in chunks for choice in chunk["choices"]]
    texts = [(choice.get("delta") or {}).get("content") or "" for choice in choices]
    finishes = [choice["finish_reason"] for choice in choices if choice.get("finish_reason")]
    tokens = [_token(token) for choice in choices for token in (choice.get("logprobs") or {}).get("content") or ()]
    return Completion("".join(texts), "length" if finishes[-1:] == ["length"] else "stop", tuple(tokens) or None)


def _body(request: ModelRequest, seed: int | None) -> dict[str, Any]:
    """The body of a request for one completion: OpenAI's, and what llama.cpp takes beside."""
    schema = None if request.schema is None else _for_grammar(request.schema)
    body = Dialect().body("", replace(request, n=1, seed=seed, schema=schema), "json_schema")
    body |= {"stream": True, "stream_options": {"include_usage": True}}
    if schema is None and request.grammar is not None:
        body["grammar"] = request.grammar
    if request.logprobs and request.temperature > 0:
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
    probability = float(record["prob"])
    return Token(str(record["token"]), log(probability) if probability > 0 else -inf)
