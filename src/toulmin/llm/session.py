"""The model calls of one question: counted, kept within the budget, their replies parsed and repaired once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toulmin.llm.budget import Budget
from toulmin.llm.prompts import Prompt
from toulmin.llm.protocol import Model, Tokens

__all__ = ["Call", "Session"]


@dataclass(frozen=True, slots=True)
class Call:
    """One exchange with the model, as the trace shows it."""

    step: str
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    called: bool
    problem: str | None
    reply: str


class Session:
    """See the module. ``ask`` may be awaited concurrently."""
