"""FActScore: the share of an answer's atomic facts that evidence supports (Min et al. 2023; papers/okgqa 3.3)."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from toulmin.check_text.judge.verdicts import judge
from toulmin.check_text.split.atomic import AtomicFact, split_facts
from toulmin.check_text.split.model_facts import ask_facts
from toulmin.english.sentences import split_sentences
from toulmin.evaluation.judging.library import Library, line_of, numbered
from toulmin.evaluation.judging.metric import JudgedMetric, JudgedScore, prompts
from toulmin.llm.prompts import data
from toulmin.retrieval.statement_words import statement_words

if TYPE_CHECKING:
    from toulmin.entailment.protocol import Scorer
    from toulmin.evaluation.judging.responses import Response
    from toulmin.evaluation.judging.settings import JudgingSettings
    from toulmin.llm.session import Session

__all__ = ["FACT", "QUESTION", "FActScore", "atomic_facts", "evenly", "length_penalty", "unfounded"]

T = TypeVar("T")
QUESTION, FACT = 1_000, 600  # characters in a prompt


def length_penalty(facts: int, gamma: int) -> float:
    """exp(1 - gamma / facts) for fewer than ``gamma`` facts, else 1 (Min et al. 2023, their published code)."""
    return 1.0 if facts >= gamma or facts < 1 else math.exp(1 - gamma / facts)


async def atomic_facts(text: str, library: Library, session: Session | None) -> list[AtomicFact]:
    """The facts that a text states, in order: by the rules of check-text; where there is a session, by its model.

    Sentences of which the model gives nothing usable are taken apart by the rules, and counted in its failures.

    Raises:
        NothingUsableError: of no sentence it gave anything.
        ModelError: the model cannot be reached.
    """
    by_rules = await asyncio.to_thread(lambda: list(split_facts(text, split_sentences(text), library.names)))
    if session is None:
        return [fact for sentence in by_rules for fact in sentence.facts]
    return [fact async for sentence in ask_facts(text, by_rules, session) for fact in sentence.facts]


class FActScore(JudgedMetric):
    """score = (supported facts / facts) · length penalty. An answer without facts did not respond, and has none.

    Without a model, facts are found by rules and judged as ``check-text`` judges them; what is said by the way ("in
    Ulm, Germany": that Ulm is in Germany) then counts only where the evidence supports or contradicts it. Measures
    beside: ``factscore_responded`` (whether there are facts; its mean is the respond ratio), ``fact_precision`` (the
    score without penalty), ``facts_contradicted`` (a share of the facts), ``facts`` (how many).

    Args:
        scorer: of entailment, for a judge without a model.
    """

    def __init__(self, library: Library, settings: JudgingSettings, scorer: Scorer | None = None) -> None:
        model = {"together": settings.together, "statements": settings.statements, "passages": settings.passages}
        super().__init__("factscore", gamma=settings.gamma, **({"by": scorer.name} if scorer is not None else model))
        self._library, self._settings, self._scorer = library, settings, scorer

    async def judge(self, response: Response, session: Session | None) -> JudgedScore:
        """See ``Metric.judge``."""
        facts = await atomic_facts(response.text, self._library, session) if response.text.strip() else []
        if session is not None:
            verdicts = await self._by_model(response.question, facts, session)
        else:
            verdicts = await asyncio.to_thread(self._by_rules, response.text, facts)
        if not verdicts:
            why = "no answer" if not response.responded else "it states no fact" if response.text else "it is no prose"
            return JudgedScore(None, {"why": why, "measures": {"factscore_responded": 0.0}})
        count = Counter(verdict["verdict"] for verdict in verdicts)
        precision = count["supported"] / len(verdicts)
        penalty = length_penalty(len(verdicts), self._settings.gamma)
        measures = {
            "factscore_responded": 1.0,
            "fact_precision": precision,
            "facts_contradicted": count["contradicted"] / len(verdicts),
            "facts": float(len(verdicts)),
        }
        return JudgedScore(precision * penalty, {"facts": verdicts, "penalty": penalty, "measures": measures})

    def _by_rules(self, text: str, facts: Sequence[AtomicFact]) -> list[dict[str, Any]]:
        library = self._library
        assert self._scorer is not None  # noqa: S101
        if not facts:
            return []
        verdicts = judge(text, facts, library.graph, library.retriever, self._scorer, library.knowledge)
        return [
            {
                "fact": fact.text,
                "verdict": "not found" if judged.verdict == "not in the graph" else judged.verdict,
                "evidence": [
                    *(" | ".join(statement_words(statement)) for statement in judged.statements),
                    *(f"(passage) {excerpt.text}" for excerpt in judged.excerpts),
                ],
                "why": judged.reason,
            }
            for fact, judged in zip(facts, verdicts, strict=True)
            if not (fact.implied and judged.verdict == "not in the graph")
        ]

    async def _by_model(self, question: str, facts: Sequence[AtomicFact], session: Session) -> list[dict[str, Any]]:
        batches = evenly(facts, self._settings.together)
        verified = await asyncio.gather(*(self._verified(question, batch, session) for batch in batches))
        return [verdict for batch in verified for verdict in batch]

    async def _verified(self, question: str, facts: Sequence[AtomicFact], session: Session) -> list[dict[str, Any]]:
        limits = self._settings.statements, self._settings.passages
        by_fact = [await self._library.find(fact.text, *limits) for fact in facts]
        lines = list(dict.fromkeys(line_of(piece) for evidence in by_fact for piece in evidence))
        values = {
            "question": data(question, QUESTION),
            "evidence": numbered("evidence", lines),
            "facts": numbered("facts", (data(fact.text, FACT) for fact in facts)),
        }

        def problem(reply: Any) -> str | None:
            numbers = [fact["number"] for fact in reply["facts"]]
            if numbers != list(range(1, len(facts) + 1)):
                return f"it has the facts {numbers}: give 1 to {len(facts)}, each once, in order"
            for fact in reply["facts"]:
                if fault := unfounded(fact["evidence"], len(lines), needed=fact["verdict"] != "not found"):
                    return f"fact {fact['number']}: {fault}"
            return None

        reply = await session.ask(prompts()["verify"], values, check=problem, max_tokens=2_048)
        return [
            {
                "fact": fact.text,
                "verdict": verdict["verdict"],
                "evidence": [lines[number - 1] for number in verdict["evidence"]]
                if verdict["verdict"] != "not found"
                else [],
            }
            for fact, verdict in zip(facts, reply["facts"], strict=True)
        ]


def evenly(items: Sequence[T], most: int) -> list[Sequence[T]]:
    """Batches of at most so many items, no smaller than need be."""
    count = -(-len(items) // most)
    ends = [len(items) * number // count for number in range(1, count + 1)] if count else []
    return [items[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def unfounded(cited: Sequence[int], count: int, *, needed: bool) -> str | None:
    """What is wrong with the numbers of lines that a verdict cites."""
    if wrong := [number for number in cited if not 1 <= number <= count]:
        return f"there is no line {wrong[0]}" + (f": there are 1 to {count}" if count else ": there is no evidence")
    return "a verdict that the evidence decides needs the number of a line" if needed and not cited else None
