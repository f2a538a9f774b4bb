"""Whether answers are right for the right reasons (papers/r3, section 4.3): there judged by people, here by a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from toulmin.errors import SettingsError
from toulmin.evaluation.judging.factscore import QUESTION
from toulmin.evaluation.judging.library import Library, line_of, numbered
from toulmin.evaluation.judging.metric import JudgedScore, prompts
from toulmin.llm.prompts import block, data

if TYPE_CHECKING:
    from toulmin.evaluation.judging.responses import Response
    from toulmin.evaluation.judging.settings import JudgingSettings
    from toulmin.llm.session import Session

__all__ = ["AccuracyOfReasons", "ReasoningScore"]

_STEPS, _STEP = 60, 2_000  # reasons, and characters of each, in a prompt
_ANSWER = 1_000


class ReasoningScore:
    """1 iff the reasoning has no error of logic, whatever its facts; None where there is no answer or no reasons."""

    def __init__(self) -> None:
        self.name = "reasoning_score"
        self.how: Mapping[str, Any] = {}
        self.kept: dict[str, Any] = {}

    async def judge(self, response: Response, session: Session | None) -> JudgedScore:
        """See ``Metric.judge``."""
        if session is None:
            raise SettingsError("reasons needs a language model: name one with --model")
        if (why := _nothing(response)) is not None:
            return JudgedScore(None, {"why": why})
        steps = response.reasons[:_STEPS]
        values = {
            "question": _question(response),
            "reasoning": numbered("reasoning", (data(step, _STEP) for step in steps)),
            "answer": block("answer", [] if response.answer == response.text else [data(response.answer, _ANSWER)]),
        }

        def problem(reply: Any) -> str | None:
            wrong = [one["step"] for one in reply["errors"] if not 0 <= one["step"] <= len(steps)]
            return f"there is no step {wrong[0]}" if wrong else None

        reply = await session.ask(prompts()["reasoning"], values, check=problem)
        return JudgedScore(float(not reply["errors"]), {"errors": reply["errors"], "steps": list(steps)})


class AccuracyOfReasons:
    """Of the right answers, whether the reasons are right: 1 or 0; None of others, or without gold."""

    def __init__(self, library: Library, settings: JudgingSettings) -> None:
        self.name = "accuracy_of_reasons"
        self._library, self._settings = library, settings
        self.how: Mapping[str, Any] = {"statements": settings.statements, "passages": settings.passages}
        self.kept: dict[str, Any] = {}

    async def judge(self, response: Response, session: Session | None) -> JudgedScore:
        """See ``Metric.judge``."""
        if session is None:
            raise SettingsError("reasons needs a language model: name one with --model")
        if not response.right:
            return JudgedScore(None, {"why": "no gold answer" if response.right is None else "the answer is not right"})
        if (why := _nothing(response)) is not None:
            return JudgedScore(None, {"why": why})
        steps = response.reasons[:_STEPS]
        asked = " ".join((response.question, response.answer, *steps))
        evidence = await self._library.find(asked, self._settings.statements, self._settings.passages)
        values = {
            "question": _question(response),
            "right": block("right-answer", [data(response.gold, _STEP)]),
            "reasons": numbered("reasons", (data(step, _STEP) for step in steps)),
            "evidence": numbered("evidence", map(line_of, evidence)),
        }
        reply = await session.ask(prompts()["reasons"], values)
        return JudgedScore(float(reply["right"]), {"why": reply["thought"], "reasons": list(steps)})


def _nothing(response: Response) -> str | None:
    if not response.responded:
        return "no answer"
    return None if response.reasons else "it gives no reasons"


def _question(response: Response) -> str:
    said = data(response.question, QUESTION)
    if not response.options:
        return said
    return f"{said}\n{block('options', [data(option, 300) for option in response.options])}"
