"""G-Eval: a form filled in by a model, by steps that it wrote itself, weighted by probability (Liu et al. 2023).

The four criteria are those of papers/okgqa, section 3.3, in our words. score = (Σ p(s) · s - 1) / 4 over the ratings s
from 1 to 5, so that it goes from 0 to 1.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from toulmin.errors import SettingsError
from toulmin.evaluation.judging.facts import QUESTION
from toulmin.evaluation.judging.material import Library, Response, line_of, numbered
from toulmin.evaluation.judging.metric import JudgedMetric, JudgedScore, JudgingSettings, criteria, prompts
from toulmin.llm.prompts import Prompt, block, data
from toulmin.llm.protocol import Completion
from toulmin.llm.session import Session

__all__ = ["AccuracyOfReasons", "Endpoint", "GEval", "ReasoningScore", "probabilities"]

_RATINGS = range(1, 6)
_REPLY = 64  # tokens of a reply, which is one rating
_LIKELIEST = 5  # tokens whose log-probabilities are asked for: as many as there are ratings, and as many as all give
_ANSWER = 6_000  # characters of an answer in a prompt
_SCORE = re.compile(r'"score"\s*:\s*"?([1-5])')


def probabilities(completion: Completion) -> dict[int, float] | None:
    """How likely each rating was where the completion has its own, by the model's log-probabilities.

    They are divided by their sum: what is no rating plays no part. None where the model gives none.
    """
    tokens = completion.tokens or ()
    matches = list(_SCORE.finditer("".join(token.text for token in tokens)))
    if not matches:
        return None
    place, start = matches[-1].start(1), 0
    for token in tokens:
        if start + len(token.text) > place:
            break
        start += len(token.text)
    before, after = token.text[: place - start], token.text[place - start + 1 :]
    mass = dict.fromkeys(_RATINGS, 0.0)
    for text, logprob in dict(token.likeliest).items():
        rating = text.removeprefix(before).removesuffix(after).strip() if text.startswith(before) else ""
        if rating in map(str, _RATINGS) and not math.isnan(logprob):
            mass[int(rating)] += math.exp(min(0.0, logprob))
    total = sum(mass.values())
    return {rating: mass[rating] / total for rating in _RATINGS if mass[rating]} if total else None


@dataclass(slots=True)
class Endpoint:
    """Whether an endpoint has log-probabilities; None until its first reply, which all others wait for."""

    has_logprobs: bool | None = None
    first: asyncio.Lock = field(default_factory=asyncio.Lock)


class GEval(JudgedMetric):
    """One of the four criteria. An answer is rated by a context that the question alone finds, the same for all.

    Where the endpoint has no log-probabilities, ``samples`` replies at temperature 1 are averaged, and the details say
    so (``weighted_by``).

    Args:
        endpoint: what is known of the model's endpoint, by all criteria that are asked of it.
    """

    def __init__(
        self, criterion: str, library: Library, settings: JudgingSettings, endpoint: Endpoint | None = None
    ) -> None:
        super().__init__(
            f"g_eval_{criterion}",
            criterion=criteria()[criterion],
            context=settings.context,
            passages=settings.context_passages,
            samples=settings.samples,
        )
        self._criterion, self._library, self._settings = criteria()[criterion], library, settings
        self._writing, self._endpoint = asyncio.Lock(), endpoint or Endpoint()

    async def judge(self, response: Response, session: Session | None) -> JudgedScore:
        """See ``JudgedMetric.judge``."""
        if session is None:
            raise SettingsError("g-eval needs a language model: name one with --model")
        if not response.responded:
            return JudgedScore(None, {"why": "no answer"})
        steps = await self._steps(session)
        context = await self._library.find(response.question, self._settings.context, self._settings.context_passages)
        written = response.text if response.text == response.answer else f"{response.text}\n{response.answer}"
        values = {
            "criterion": self._criterion,
            "steps": "\n".join(f"{number}. {data(step, 600)}" for number, step in enumerate(steps, 1)),
            "question": data(response.question, QUESTION),
            "context": block("context", map(line_of, context)),
            "answer": block("answer", [data(written, _ANSWER)]),
        }
        prompt = prompts()["rate"]
        if (chances := await self._weighted(prompt, values, session)) is not None:
            return _scored(chances, {"weighted_by": "log-probabilities"})
        replies = await session.sample(prompt, values, n=self._settings.samples, temperature=1.0, max_tokens=_REPLY)
        ratings = [int(reply["score"]) for reply in replies]
        count = Counter(ratings)
        chances = {rating: count[rating] / len(ratings) for rating in sorted(count)}
        return _scored(chances, {"weighted_by": "samples", "samples": ratings})

    async def _weighted(self, prompt: Prompt, values: Mapping[str, str], session: Session) -> dict[int, float] | None:
        """How likely each rating is; None where the endpoint has no log-probabilities."""
        if self._endpoint.has_logprobs is None:
            async with self._endpoint.first:
                if self._endpoint.has_logprobs is None:
                    chances = await self._asked(prompt, values, session)
                    self._endpoint.has_logprobs = chances is not None
                    return chances
        return await self._asked(prompt, values, session) if self._endpoint.has_logprobs else None

    async def _asked(self, prompt: Prompt, values: Mapping[str, str], session: Session) -> dict[int, float] | None:
        _, completion = await session.reply(prompt, values, max_tokens=_REPLY, logprobs=True, top_logprobs=_LIKELIEST)
        return probabilities(completion)

    async def _steps(self, session: Session) -> Sequence[str]:
        async with self._writing:  # many ask, one writes
            if not self.kept.get("steps"):
                reply = await session.ask(prompts()["steps"], {"criterion": self._criterion})
                self.kept["steps"] = list(reply["steps"])
        steps: list[str] = self.kept["steps"]
        return steps


def _scored(chances: Mapping[int, float], details: Mapping[str, Any]) -> JudgedScore:
    mean = sum(rating * chance for rating, chance in chances.items())
    ratings = {str(rating): round(chance, 6) for rating, chance in chances.items()}
    return JudgedScore((mean - 1) / (len(_RATINGS) - 1), {"mean": mean, "ratings": ratings, **details})


_STEPS, _STEP = 60, 2_000  # reasons, and characters of each, in a prompt
_BESIDE_REASONS = 1_000  # characters of an answer that stands beside its reasons


class ReasoningScore(JudgedMetric):
    """1 iff the reasoning has no error of logic, whatever its facts; None where there is no answer or no reasons."""

    def __init__(self) -> None:
        super().__init__("reasoning_score")

    async def judge(self, response: Response, session: Session | None) -> JudgedScore:
        """See ``JudgedMetric.judge``."""
        if session is None:
            raise SettingsError("reasons needs a language model: name one with --model")
        if (why := _nothing(response)) is not None:
            return JudgedScore(None, {"why": why})
        steps = response.reasons[:_STEPS]
        beside = [] if response.answer == response.text else [data(response.answer, _BESIDE_REASONS)]
        values = {
            "question": _question(response),
            "reasoning": numbered("reasoning", (data(step, _STEP) for step in steps)),
            "answer": block("answer", beside),
        }

        def problem(reply: Any) -> str | None:
            wrong = [error["step"] for error in reply["errors"] if not 0 <= error["step"] <= len(steps)]
            return f"there is no step {wrong[0]}" if wrong else None

        reply = await session.ask(prompts()["reasoning"], values, check=problem)
        return JudgedScore(float(not reply["errors"]), {"errors": reply["errors"], "steps": list(steps)})


class AccuracyOfReasons(JudgedMetric):
    """Of the right answers, whether the reasons are right: 1 or 0; None of others, or without gold."""

    def __init__(self, library: Library, settings: JudgingSettings) -> None:
        super().__init__("accuracy_of_reasons", statements=settings.statements, passages=settings.passages)
        self._library, self._settings = library, settings

    async def judge(self, response: Response, session: Session | None) -> JudgedScore:
        """See ``JudgedMetric.judge``."""
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
    question = data(response.question, QUESTION)
    if not response.options:
        return question
    return f"{question}\n{block('options', [data(option, 300) for option in response.options])}"
