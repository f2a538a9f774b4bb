"""Replies kept in an SQLite file, so that the same request is paid for once."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from toulmin.errors import InputError, ModelError, SourceError
from toulmin.llm.protocol import Model, ModelRequest, Reply
from toulmin.llm.records import read_reply_record, reply_record, request_key, request_record
from toulmin.llm.wrapping import WrappedModel

__all__ = ["CachedModel"]

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
                found = database.execute("PRAGMA user_version").fetchone()[0]
                tables = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
                if found != _FORMAT and (found != 0 or tables):
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
        known = await asyncio.to_thread(self._get, key)
        if known is not None:
            return known
        reply = await self._part(request)
        if all(one.text.strip() and one.finish in ("stop", "length") for one in reply.completions):
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
