"""Replies that are kept: in a cache, so that one is paid for once; in a record, to be replayed without a model."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from toulmin.errors import InputError, ModelError, ReplayError, SourceError
from toulmin.llm.protocol import Completion, Message, Model, ModelRequest, Reply, Tokens, WrappedModel, in_parts
from toulmin.llm.records import (
    read_reply_record,
    read_request_record,
    reply_record,
    request_key,
    request_record,
)

__all__ = ["CachedModel", "RecordingModel", "ReplayModel"]


class RecordingModel(WrappedModel):
    """A model whose exchanges are appended to a file of JSON lines, for ``ReplayModel``.

    Raises:
        SourceError: the file cannot be written.
    """

    def __init__(self, model: Model, path: str | Path) -> None:
        super().__init__(model)
        self._path = Path(path)
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.open("a", encoding="utf-8").close()
        except OSError as error:
            raise SourceError(f"cannot be written: {error.strerror or error}", self._path) from None

    async def part(self, request: ModelRequest) -> Reply:
        """The model's reply, recorded.

        Raises:
            ModelError: the file can no longer be written, or what the model raises.
        """
        reply = await self._part(request)
        record = {
            "model": self.name,
            "step": request.step,
            "request": request_record(request),
            "reply": reply_record(reply),
        }
        await asyncio.to_thread(self._append, json.dumps(record) + "\n")
        return reply

    def _append(self, line: str) -> None:
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(line)  # one write: lines of several writers do not mix
        except OSError as error:
            raise ModelError(f"{self._path}: cannot be written: {error.strerror or error}") from None


class ReplayModel:
    """Replies from a recorded file, and from nowhere else.

    A request that was recorded several times gets its replies in the order of recording, then the last one again.
    Reads what ``RecordingModel`` writes, and transcripts of OpenAI-compatible exchanges (one object a line with
    ``request``, a request's body; ``answers``, texts; ``usage``).

    Attributes:
        name: the model whose replies they are; ``replay:FILE`` where there were several.
        takes_grammar: whether it was asked to keep to a grammar.

    Raises:
        SourceError: a file or line that cannot be read.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._replies: dict[str, list[Reply]] = defaultdict(list)
        self.takes_grammar = False
        models: set[str] = set()
        for model, request, reply in _records(self._path):
            models.add(model)
            self.takes_grammar |= request.grammar is not None
            self._replies[request_key(request)].append(reply)
        self.name = models.pop() if len(models) == 1 else f"replay:{self._path.name}"

    async def complete(self, request: ModelRequest) -> Reply:
        """See ``Model.complete``.

        Raises:
            ReplayError: the request was never recorded; the message names the step that asked.
        """
        return await in_parts(request, self._recorded)

    async def _recorded(self, request: ModelRequest) -> Reply:
        replies = self._replies.get(request_key(request))
        if not replies:
            ending = " ".join(request.messages[-1].content.split())[-80:] if request.messages else ""
            raise ReplayError(
                f"{request.step or 'a request'}: no reply to it is recorded in {self._path} (it ends in {ending!r}): "
                "record it again with the model"
            )
        return replies.pop(0) if len(replies) > 1 else replies[0]

    async def close(self) -> None:
        """Nothing is held."""


def _records(path: Path) -> Iterator[tuple[str, ModelRequest, Reply]]:
    """Model, request and reply of every line."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror or error}", path) from None
    except UnicodeDecodeError:
        raise SourceError("is not UTF-8: give a file of recorded replies", path) from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            if isinstance(record, Mapping) and "answers" in record:
                yield _exchange(record)
            elif isinstance(record, Mapping) and isinstance(record.get("model"), str):
                yield record["model"], read_request_record(record["request"]), read_reply_record(record["reply"])
            else:
                raise InputError("no recorded exchange")  # noqa: TRY301
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise SourceError(f"no recorded exchange ({type(error).__name__}: {error})", path, number) from None
        except InputError as error:
            raise SourceError(str(error), path, number) from None


def _exchange(record: Mapping[str, Any]) -> tuple[str, ModelRequest, Reply]:
    """A line of a transcript of OpenAI-compatible exchanges."""
    body, usage = record["request"], record.get("usage") or {}
    shape = body.get("response_format") or {}
    request = ModelRequest(
        messages=tuple(Message(message["role"], message["content"]) for message in body["messages"]),
        schema=shape["json_schema"]["schema"] if shape.get("type") == "json_schema" else None,
        temperature=float(body.get("temperature", 0.0)),
        max_tokens=int(body.get("max_tokens", body.get("max_completion_tokens", 1024))),
        n=int(body.get("n") or 1),
        seed=body.get("seed"),
        logprobs=bool(body.get("logprobs")),
        top_logprobs=int(body.get("top_logprobs") or 0),
        top_p=None if body.get("top_p") is None else float(body["top_p"]),
    )
    tokens = Tokens(int(usage.get("prompt_tokens", 0)), int(usage.get("completion_tokens", 0)), 0.0)
    return f"openai:{body['model']}", request, Reply(tuple(map(Completion, record["answers"])), tokens, called=False)


_FORMAT = 1
_BUSY = 30.0  # seconds to wait for another process that writes
_TABLE = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, step TEXT NOT NULL, request TEXT NOT NULL, reply TEXT NOT NULL,
    made TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
)"""


class CachedModel(WrappedModel):
    """A model whose replies are kept. Several processes may share a file.

    The key is everything that changes the reply: model name and address of the endpoint (the model's ``identity``,
    where it has one), messages, schema, temperature, max_tokens, n, seed, logprobs. Sampled replies are kept as well:
    the same request gives the same samples. Empty replies and refusals are not kept.

    Raises:
        SourceError: the file is no cache, or of another format.
    """

    def __init__(self, model: Model, path: str | Path) -> None:
        super().__init__(model)
        self._path = Path(path)
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._writing() as database:
                version = database.execute("PRAGMA user_version").fetchone()[0]
                tables = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
                if version != _FORMAT and (version != 0 or tables):
                    raise SourceError("is no cache of this version: give another file", self._path)
                database.execute(_TABLE)
                database.execute(f"PRAGMA user_version = {_FORMAT}")
        except (sqlite3.Error, OSError) as error:
            raise SourceError(f"cannot be used as a cache ({error})", self._path) from None

    async def part(self, request: ModelRequest) -> Reply:
        """The reply that is kept, else the model's.

        Raises:
            ModelError: the file can no longer be read or written, or what the model raises.
        """
        key = request_key(request, self.identity)
        stored = await asyncio.to_thread(self._get, key)
        if stored is not None:
            return stored
        reply = await self._part(request)
        if all(completion.text.strip() and completion.finish in ("stop", "length") for completion in reply.completions):
            await asyncio.to_thread(self._put, key, request, reply)
        return reply

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, timeout=_BUSY, isolation_level=None)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that may write: it waits for others at its beginning, where waiting cannot deadlock."""
        with closing(self._open()) as database:
            database.execute("BEGIN IMMEDIATE")
            with database:  # commits, or rolls back
                yield database

    def _get(self, key: str) -> Reply | None:
        try:
            with closing(self._open()) as database:
                row = database.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
            return None if row is None else read_reply_record(json.loads(row[0]))
        except (sqlite3.Error, ValueError, InputError) as error:
            raise ModelError(f"cache {self._path}: cannot be read ({error}): remove it") from None

    def _put(self, key: str, request: ModelRequest, reply: Reply) -> None:
        texts = (json.dumps(request_record(request)), json.dumps(reply_record(reply)))
        try:
            with self._writing() as database:
                database.execute(
                    "INSERT OR IGNORE INTO replies (key, model, step, request, reply) VALUES (?, ?, ?, ?, ?)",
                    (key, self.identity, request.step, *texts),
                )
        except sqlite3.Error as error:
            raise ModelError(f"cache {self._path}: cannot be written ({error})") from None
