"""What is judged fact by fact (papers/okgqa 3.3): FActScore and SAFE.

FActScore is the share of an answer's atomic facts that evidence supports (Min et al. 2023). Of SAFE an agent looks each
fact of an answer up, search by search (Wei et al. 2024); its searches go to the graph and the passages that are at
hand, not to the web. The fact itself is the first search.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any, TypeVar

from toulmin.check_text.judge.verdicts import judge
from toulmin.check_text.split.atomic import AtomicFact, split_facts
from toulmin.check_text.split.model_facts import ask_facts
from toulmin.english.sentences import split_sentences
from toulmin.entailment.protocol import Scorer
from toulmin.errors import SettingsError
from toulmin.evaluation.judging.material import Library, Response, line_of, numbered
from toulmin.evaluation.judging.metric import JudgedMetric, JudgedScore, JudgingSettings, prompts
from toulmin.llm.prompts import block, data
from toulmin.llm.session import Session
from toulmin.retrieval.statement_words import statement_words

__all__ = ["QUESTION", "FActScore", "Safe", "evenly", "f1_at", "length_penalty"]

T = TypeVar("T")
QUESTION, _FACT, _TEXT = 1_000, 600, 6_000  # characters in a prompt
_TOGETHER = 20  # facts that SAFE makes readable alone in one request


def length_penalty(facts: int, gamma: int) -> float:
    """exp(1 - gamma / facts) for fewer than ``gamma`` facts, else 1 (Min et al. 2023, their published code)."""
    return 1.0 if facts >= gamma or facts < 1 else math.exp(1 - gamma / facts)


async def _atomic_facts(text: str, library: Library, session: Session | None) -> list[AtomicFact]:
    """The facts that a text states, in order: by the rules of check-text; where there is a session, by its model.

    Sentences of which the model gives nothing usable are taken apart by the rules, and counted in its failures.

    Raises:
        NothingUsableError: of no sentence it gave anything.
        ModelError: the model cannot be reached.
    """
    if not text.strip():
        return []
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
        """See ``JudgedMetric.judge``."""
        facts = await _atomic_facts(response.text, self._library, session)
        if session is not None:
            batches = evenly(facts, self._settings.together)
            verified = await asyncio.gather(*(self._verified(response.question, batch, session) for batch in batches))
            verdicts = [verdict for batch in verified for verdict in batch]
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
        said = [fact.text for fact in facts]
        verdicts = judge(text, said, library.retriever, self._scorer, library.knowledge)
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

    async def _verified(self, question: str, facts: Sequence[AtomicFact], session: Session) -> list[dict[str, Any]]:
        limits = self._settings.statements, self._settings.passages
        by_fact = [await self._library.find(fact.text, *limits) for fact in facts]
        lines = list(dict.fromkeys(line_of(piece) for evidence in by_fact for piece in evidence))
        values = {
            "question": data(question, QUESTION),
            "evidence": numbered("evidence", lines),
            "facts": numbered("facts", (data(fact.text, _FACT) for fact in facts)),
        }

        def problem(reply: Any) -> str | None:
            if fault := _misnumbered(len(facts), reply):
                return fault
            for fact in reply["facts"]:
                if fault := _unfounded(fact["evidence"], len(lines), needed=fact["verdict"] != "not found"):
                    return f"fact {fact['number']}: {fault}"
            return None

        reply = await session.ask(prompts()["verify"], values, check=problem, max_tokens=2_048)
        return [
            {
                "fact": fact.text,
                "verdict": verdict["verdict"],
                "evidence": [lines[number - 1] for number in verdict["evidence"] if verdict["verdict"] != "not found"],
            }
            for fact, verdict in zip(facts, reply["facts"], strict=True)
        ]


def evenly(items: Sequence[T], most: int) -> list[Sequence[T]]:
    """Batches of at most so many items, no smaller than need be."""
    count = -(-len(items) // most)
    ends = [len(items) * number // count for number in range(1, count + 1)] if count else []
    return [items[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def _misnumbered(count: int, reply: Any) -> str | None:
    numbers = [fact["number"] for fact in reply["facts"]]
    right = numbers == list(range(1, count + 1))
    return None if right else f"it has the facts {numbers}: give 1 to {count}, each once, in order"


def _unfounded(cited: Sequence[int], count: int, *, needed: bool) -> str | None:
    """What is wrong with the numbers of lines that a verdict cites."""
    if wrong := [number for number in cited if not 1 <= number <= count]:
        return f"there is no line {wrong[0]}" + (f": there are 1 to {count}" if count else ": there is no evidence")
    return "a verdict that the evidence decides needs the number of a line" if needed and not cited else None


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
        """See ``JudgedMetric.judge``."""
        if session is None:
            raise SettingsError("safe needs a language model: name one with --model")
        facts = await _atomic_facts(response.text, self._library, session)
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
            why = "it states no fact that is relevant" if response.text else "it is no prose"
            return JudgedScore(None, {**details, "why": why if response.responded else "no answer"})
        return JudgedScore(supported / (supported + unsupported), details)

    async def _alone(self, response: Response, facts: Sequence[str], session: Session) -> list[dict[str, Any]]:
        """Each fact so that it can be read alone, and whether it is relevant."""
        values = {
            "question": data(response.question, QUESTION),
            "text": block("text", [data(response.text, _TEXT)]),
            "facts": numbered("facts", (data(fact, _FACT) for fact in facts)),
        }

        reply = await session.ask(
            prompts()["self_contained"], values, check=partial(_misnumbered, len(facts)), max_tokens=4_096
        )
        return [
            {"fact": fact, "alone": rewritten["fact"], "relevant": rewritten["relevant"]}
            for fact, rewritten in zip(facts, reply["facts"], strict=True)
        ]

    async def _rated(self, fact: dict[str, Any], session: Session) -> dict[str, Any]:
        if not fact["relevant"]:
            return {**fact, "verdict": "irrelevant"}
        queries, shown, lines = [str(fact["alone"])], list[str](), list[str]()

        def problem(reply: Any) -> str | None:
            if reply["verdict"] != "search":
                return _unfounded(reply["evidence"], len(lines), needed=reply["verdict"] == "supported")
            if len(queries) >= self._settings.searches:
                return 'no search is left: say "supported" or "not supported"'
            query = _plain(reply["query"])
            made = query in map(_plain, queries)
            return None if query and not made else "query is empty or was made already: write another"

        while True:
            evidence = await self._library.find(queries[-1], self._settings.statements, self._settings.passages)
            fresh = [line for line in dict.fromkeys(map(line_of, evidence)) if line not in lines]
            shown.append(f"Search {len(queries)}: {data(queries[-1], _FACT)}")
            shown += [f"[{len(lines) + number}] {line}" for number, line in enumerate(fresh, 1)] or ["(nothing new)"]
            lines += fresh
            values = {
                "fact": block("fact", [data(str(fact["alone"]), _FACT)]),
                "found": block("found", shown),
                "left": str(self._settings.searches - len(queries)),
            }
            reply = await session.ask(prompts()["search"], values, check=problem)
            if reply["verdict"] != "search":
                cited = [lines[number - 1] for number in dict.fromkeys(reply["evidence"])]
                found = {"evidence": cited, "searches": queries, "why": reply["thought"]}
                return {**fact, "verdict": reply["verdict"], **found}
            queries.append(str(reply["query"]))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .?!")
