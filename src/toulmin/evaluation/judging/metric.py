"""What a metric is that somebody has to judge."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Protocol

from toulmin.llm.prompts import Prompts

if TYPE_CHECKING:
    from toulmin.evaluation.judging.responses import Response
    from toulmin.llm.session import Session

__all__ = ["JudgedMetric", "JudgedScore", "criteria", "prompts"]


@dataclass(frozen=True, slots=True)
class JudgedScore:
    """A score with what it rests on; None: there is nothing to judge."""

    score: float | None
    details: Mapping[str, Any] = field(default_factory=dict)


class JudgedMetric(Protocol):
    """A metric.

    Attributes:
        name: under which its score stands in a record.
        how: all that a score depends on beside model, evidence and answer, as JSON.
        kept: what the judge made for all questions, to be used again when a run goes on.
    """

    name: str
    how: Mapping[str, Any]
    kept: dict[str, Any]

    async def judge(self, response: Response, session: Session | None) -> JudgedScore:
        """Judge an answer.

        Args:
            session: of the language model; None: there is none.

        Raises:
            ToulminError: it cannot be judged.
        """


@cache
def prompts() -> Prompts:
    """The prompts of all metrics."""
    return Prompts.of("toulmin.evaluation.judging")


@cache
def criteria() -> Mapping[str, str]:
    """The criteria of G-Eval by name."""
    file = files("toulmin.evaluation.judging") / "prompts" / "criteria.json"
    found: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return found
