"""What a run has paid for: every reply is written down before it is used, so that no resumed run asks for it again.

A reply belongs to its question, its request, and the how-many-eth time it is that the question makes this request: the
nth sample of a prompt comes back as the nth. A line is handed to the operating system before the reply is: it survives
the death of the process at any moment, though not that of the machine.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path

from toulmin.errors import InputError, SettingsError, SourceError
from toulmin.evaluation.records import cut_torn_line, whole_lines, writing
from toulmin.graph.closing import Closing
from toulmin.llm.protocol import ModelRequest, Reply, WrappedModel
from toulmin.llm.records import read_reply_record, reply_record, request_key
from toulmin.llm.session import Spending

__all__ = ["CallLog", "LoggedModel", "Replies", "Spent", "read_calls"]

#: The replies to a question so far: by the key of the request, and which of the same requests it is, from 0.
Replies = Mapping[tuple[str, int], Reply]


@dataclass(slots=True)
class Spent(Spending):
    """The question that is being asked: what it has cost so far, replies read again included, and what it requested.

    Args:
        question: its id.
        replies: those that an earlier attempt has paid for.
        log: where further ones are written down.
        made: how often it has made each request.
    """

    question: str
    replies: Replies
    log: CallLog
    made: Counter[str] = field(default_factory=Counter)


_ASKING: ContextVar[Spent | None] = ContextVar("asking", default=None)


class CallLog(Closing):
    """A file of JSON lines to which one process appends the replies that it gets.

    Args:
        folder: of the run.
        worker: which of several processes this is; each has a file of its own.

    Raises:
        SettingsError: it cannot be written.
    """

    def __init__(self, folder: Path, worker: str = "") -> None:
        path = folder / (f"calls.{worker}.jsonl" if worker else "calls.jsonl")
        with writing(path):
            cut_torn_line(path)
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    @contextmanager
    def asking(self, question: str, replies: Replies) -> Iterator[Spent]:
        """While a question is asked: ``LoggedModel`` takes the replies that there are, and writes down the others."""
        spent = Spent(question, replies, self)
        token = _ASKING.set(spent)
        try:
            yield spent
        finally:
            _ASKING.reset(token)

    def append(self, question: str, key: str, nth: int, step: str, reply: Reply) -> None:
        """Write a reply down."""
        record = {"question": question, "key": key, "nth": nth, "step": step, "cost": reply.usage.cost}
        line = json.dumps({**record, "reply": reply_record(reply)}, separators=(",", ":")) + "\n"
        data = line.encode()
        while data:  # a write may be partial, on a full disk above all, where the next one says so
            data = data[os.write(self._file, data) :]


class LoggedModel(WrappedModel):
    """A model whose replies are kept for the question that is being asked (``CallLog.asking``)."""

    async def part(self, request: ModelRequest) -> Reply:
        """The reply that an earlier attempt at the question has paid for, as it was; else the model's, written down.

        Raises:
            ModelError: what the model raises.
            SettingsError: it cannot be written down.
        """
        asking = _ASKING.get()
        if asking is None:
            return await self._part(request)
        key = request_key(request, self.name)
        nth = asking.made[key]
        asking.made[key] += 1
        reply = asking.replies.get((key, nth))
        if reply is None:
            reply = await self._part(request)
            try:
                asking.log.append(asking.question, key, nth, request.step, reply)
            except OSError as error:
                raise SettingsError(f"the reply of a model cannot be written down: {error.strerror}") from None
        asking.calls += len(reply.completions)
        asking.add(reply.usage)
        return reply


def read_calls(folder: Path, questions: Collection[str]) -> dict[str, Replies]:
    """What a run has paid for, by question, for those questions that are still to be asked.

    Raises:
        SourceError: a line is not one of a log.
    """
    replies: dict[str, dict[tuple[str, int], Reply]] = {}
    for path in sorted(folder.glob("calls*.jsonl")):
        for number, line in whole_lines(path):
            try:
                record = json.loads(line)
                question = record["question"]
                if question in questions:
                    reply, cost = read_reply_record(record["reply"]), record["cost"]
                    usage = replace(reply.usage, cost=None if cost is None else float(cost))
                    at = str(record["key"]), int(record["nth"])
                    replies.setdefault(question, {})[at] = replace(reply, usage=usage, called=True)
            except (ValueError, KeyError, TypeError, RecursionError, InputError) as error:
                raise SourceError(f"no reply of a run ({error}); delete this line", path, number) from None
    return dict(replies)
