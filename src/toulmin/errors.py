"""Every error that Toulmin raises on purpose.

ToulminError                 base: one clear line for a person, exit code 2 in the command line (1 where a model replied
│                            nothing usable)
├── InputError               something the caller gave cannot be used; says where and what to do
│   ├── SourceError          a source file cannot be read as what it claims to be (file, line, field)
│   ├── QueryError           a SPARQL query is malformed, not read-only, or too slow
│   └── SettingsError        a setting, name or option that does not exist or is out of range
├── GraphError               a graph cannot be opened, is damaged, or was built by another version
│   └── EndpointError        a SPARQL endpoint refused, timed out, or answered something unusable
├── ModelError               a language model cannot be reached, or refused
│   ├── ReplyError           a reply that stays unusable after one repair; names the step that needed it
│   ├── NothingUsableError   no reply that an answer needed could be used: the model's failure, no abstention
│   └── ReplayError          replay only, and this request was never recorded
├── BudgetError              the calls, tokens, money or time that a caller allowed are used up
└── MissingExtraError        an optional dependency is needed; names the extra that brings it
"""

from __future__ import annotations

import copyreg
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

__all__ = [
    "BudgetError",
    "EndpointError",
    "GraphError",
    "InputError",
    "MissingExtraError",
    "ModelError",
    "NothingUsableError",
    "QueryError",
    "RefusedError",
    "ReplayError",
    "ReplyError",
    "SettingsError",
    "SourceError",
    "ToulminError",
]


class ToulminError(Exception):
    """Base of all errors raised on purpose. ``str(error)`` is one line that says what to do. Can be pickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Not by its class, which takes other arguments than ``Exception`` keeps.
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class InputError(ToulminError):
    """Something the caller gave cannot be used."""


class SourceError(InputError):
    """A source file is not what it claims to be.

    Args:
        problem: what is wrong and what to do, in one line.
        path: the file, where there is one.
        line: 1-based line number, where known.
        field: the field or column, where known.
    """

    def __init__(
        self, problem: str, path: str | Path | None = None, line: int | None = None, field: str | None = None
    ) -> None:
        self.problem, self.path, self.line, self.field = problem, path, line, field
        where = str(path) if path is not None else ""
        if line is not None:
            where += f":{line}" if where else f"line {line}"
        if field is not None:
            where += f", field {field!r}" if where else f"field {field!r}"
        super().__init__(f"{where}: {problem}" if where else problem)


class QueryError(InputError):
    """A SPARQL query is malformed, not read-only, or took longer than its limit."""


class SettingsError(InputError):
    """A setting, name or option that does not exist or is out of range."""


class RefusedError(SettingsError):
    """A method does not take this request, and would take another."""


class GraphError(ToulminError):
    """A graph cannot be opened, is damaged, or was built by an incompatible version."""


class EndpointError(GraphError):
    """A SPARQL endpoint refused, timed out, or answered something unusable."""


class ModelError(ToulminError):
    """A language model cannot be reached, refused, or failed after all retries."""


class ReplyError(ModelError):
    """A reply that stays unusable after one repair.

    Args:
        step: the step that needed it ("fidelis/plan"), for counting.
        problem: what is wrong with the reply, in one line.
        replies: how many there were, the repair among them.
        reply: how the last one begins, in one line.
    """

    def __init__(self, step: str, problem: str, *, replies: int = 1, reply: str = "") -> None:
        self.step, self.problem, self.replies, self.reply = step, problem, replies, reply
        super().__init__(f"{step}: {problem}")


class NothingUsableError(ModelError):
    """No reply that an answer needed could be used, even after repair: nothing was decided, and the graph not asked.

    Args:
        replies: how many cannot be used, by step.
        problem: what is wrong with the last one, in one line.
        reply: how it begins, in one line.

    Attributes:
        usage: what all calls cost, a ``program.answer.Usage``, where a method tells it.
    """

    usage: Any = None

    def __init__(self, replies: Mapping[str, int], problem: str, reply: str) -> None:
        self.replies, self.problem, self.reply = dict(replies), problem, reply
        total = sum(self.replies.values())
        steps = ", ".join(f"{step} {count}" for step, count in self.replies.items())
        begins = f"; it begins {reply!r}" if reply else ""
        many = f"{total:,} replies cannot" if total != 1 else "the one reply cannot"
        last = "the last: " if total != 1 else ""
        super().__init__(f"the model gave nothing usable: {many} be used ({steps}); {last}{problem}{begins}")

    @classmethod
    def of(cls, error: ReplyError) -> Self:
        """The error of a step that nothing can stand in for."""
        return cls({error.step: error.replies}, error.problem, error.reply)


class ReplayError(ModelError):
    """A request that was never recorded, where only recorded replies may be used."""


class BudgetError(ToulminError):
    """The calls, tokens, money or time that the caller allowed are used up."""


class MissingExtraError(ToulminError):
    """An optional dependency is needed.

    Args:
        needed: the feature that needs it.
        extra: the name of the extra that brings it.
    """

    def __init__(self, needed: str, extra: str) -> None:
        self.needed, self.extra = needed, extra
        super().__init__(f"{needed} needs an optional dependency: pip install 'toulmin[{extra}]'")
