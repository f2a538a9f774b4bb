"""SAFE: an agent looks each fact of an answer up, search by search (Wei et al. 2024; papers/okgqa 3.3).

Its searches go to the graph and the passages that are at hand, not to the web. The fact itself is the first search.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from toulmin.errors import SettingsError
from toulmin.evaluation.judging.factscore import FACT, QUESTION, atomic_facts, evenly, unfounded
from toulmin.evaluation.judging.library import Library, line_of, numbered
from toulmin.evaluation.judging.metric import JudgedMetric, JudgedScore, prompts
from toulmin.llm.prompts import block, data

if TYPE_CHECKING:
    from toulmin.evaluation.judging.responses import Response
    from toulmin.evaluation.judging.settings import JudgingSettings
    from toulmin.llm.session import Session

__all__ = ["Safe", "f1_at"]

_TEXT = 6_000  # characters of an answer in a prompt
_TOGETHER = 20  # facts that are made readable alone in one request


def f1_at(k: int, supported: int, not_supported: int) -> float:
    """F1@K: precision S / (S + N), recall min(S / K, 1); 0 where nothing is supported (Wei et al. 2024, section 5)."""
    if not supported:
        return 0.0
    precision, recall = supported / (supported + not_supported), min(supported / k, 1.0)
    return 2 * precision * recall / (precision + recall)


class Safe(JudgedMetric):
    """score = S / (S + N) over the facts that are relevant to the question; None where there are none.

    Measures beside: ``safe_responded`` (whether there are such facts), ``safe_f1``, F1@K.
    """

    def __init__(self, library: Library, settings: JudgingSettings) -> None:
        limits = {"statements": settings.statements, "passages": settings.passages}
        super().__init__("safe", searches=settings.searches, K=settings.K, **limits)
        self._library, self._settings = library, settings

    async def judge(self, response: Response, session: Session | None) -> JudgedScore:
        """See ``Metric.judge``."""
        if session is None:
            raise SettingsError("safe needs a language model: name one with --model")
        facts = await atomic_facts(response.text, self._library, session) if response.text.strip() else []
        batches = evenly([fact.text for fact in facts], _TOGETHER)
        alone = await asyncio.gather(*(self._alone(response, batch, session) for batch in batches))
        rated = await asyncio.gather(*(self._rated(fact, session) for batch in alone for fact in batch))
        count = Counter(fact["verdict"] for fact in rated)
        supported, unsupported = count["supported"], count["not supported"]
        measures = {
            "safe_responded": float(supported + unsupported > 0),
            "safe_f1": f1_at(self._settings.K, supported, unsupported),
        }
        details = {"facts": rated, "measures": measures}
        if not supported + unsupported:
            why = "no answer" if not response.responded else "it states no fact that is relevant"
            return JudgedScore(
                None, {**details, "why": why if response.text or not response.responded else "it is no prose"}
            )
        return JudgedScore(supported / (supported + unsupported), details)

    async def _alone(self, response: Response, facts: Sequence[str], session: Session) -> list[dict[str, Any]]:
        """Each fact so that it can be read alone, and whether it is relevant."""
        values = {
            "question": data(response.question, QUESTION),
            "text": block("text", [data(response.text, _TEXT)]),
            "facts": numbered("facts", (data(fact, FACT) for fact in facts)),
        }

        def problem(reply: Any) -> str | None:
            numbers = [fact["number"] for fact in reply["facts"]]
            right = numbers == list(range(1, len(facts) + 1))
            return None if right else f"it has the facts {numbers}: give 1 to {len(facts)}, each once, in order"

        reply = await session.ask(prompts()["self_contained"], values, check=problem, max_tokens=4_096)
        return [
            {"fact": fact, "alone": rewritten["fact"], "relevant": rewritten["relevant"]}
            for fact, rewritten in zip(facts, reply["facts"], strict=True)
        ]

    async def _rated(self, fact: dict[str, Any], session: Session) -> dict[str, Any]:
        if not fact["relevant"]:
            return {**fact, "verdict": "irrelevant"}
        queries, shown, lines = [str(fact["alone"])], list[str](), list[str]()
        while True:
            evidence = await self._library.find(queries[-1], self._settings.statements, self._settings.passages)
            fresh = [line for line in dict.fromkeys(map(line_of, evidence)) if line not in lines]
            shown.append(f"Search {len(queries)}: {data(queries[-1], FACT)}")
            shown += [f"[{len(lines) + number}] {line}" for number, line in enumerate(fresh, 1)] or ["(nothing new)"]
            lines += fresh
            remaining = self._settings.searches - len(queries)
            reply = await self._step(str(fact["alone"]), shown, len(lines), remaining, queries, session)
            if reply["verdict"] != "search":
                cited = [lines[number - 1] for number in dict.fromkeys(reply["evidence"])]
                return {
                    **fact,
                    "verdict": reply["verdict"],
                    "evidence": cited,
                    "searches": queries,
                    "why": reply["thought"],
                }
            queries.append(str(reply["query"]))

    async def _step(
        self, fact: str, shown: Sequence[str], count: int, remaining: int, queries: Sequence[str], session: Session
    ) -> Mapping[str, Any]:
        prompt = prompts()["search"]
        searched = {_plain(query) for query in queries}

        def problem(reply: Any) -> str | None:
            if reply["verdict"] == "search":
                if remaining < 1:
                    return 'no search is left: say "supported" or "not supported"'
                query = _plain(reply["query"])
                return None if query and query not in searched else "query is empty or was made already: write another"
            return unfounded(reply["evidence"], count, needed=reply["verdict"] == "supported")

        values = {"fact": block("fact", [data(fact, FACT)]), "found": block("found", shown), "left": str(remaining)}
        reply: Mapping[str, Any] = await session.ask(prompt, values, check=problem)
        return reply


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .?!")
