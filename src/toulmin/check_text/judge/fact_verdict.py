"""What is decided of an atomic fact, and the settings by which."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol
from typing import Literal as Choice

from toulmin.check_text.rules import VerdictRule
from toulmin.graph.types import Entity, Statement

if TYPE_CHECKING:
    from toulmin.retrieval.passages import Excerpt

__all__ = ["FactLink", "FactVerdict", "JudgeSettings", "Stated", "Verdict"]

Verdict = Choice["supported", "contradicted", "not in the graph"]


class Stated(Protocol):
    """A fact to judge: a sentence that can be read alone."""

    @property
    def text(self) -> str:
        """Its words."""


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """Settings of the judge.

    Args:
        single: the share of a relation's subjects with one object from which on another object may contradict; the
            greater the share, the likelier.
        scored: the likeliest hypotheses of each fact, which are looked at beside those that the graph holds.
        passage_support, passage_contradiction: entailment scores from which on a passage decides.
        sure: the least score, 0 to 1, of a verdict that a fact is supported or contradicted; below it nothing is said.
    """

    single: float = 1 / 3
    scored: int = 8
    passage_support: float = 0.5
    passage_contradiction: float = 0.85
    sure: float = 0.0


@dataclass(frozen=True, slots=True)
class FactLink:
    """Words of a fact, ``text = fact.text[start:end]``, taken for an entity."""

    start: int
    end: int
    text: str
    entity: Entity
    form: str
    score: float
    how: str


@dataclass(frozen=True, slots=True)
class FactVerdict:
    """What is decided of a fact.

    Args:
        score: how sure the verdict is, 0 to 1.
        rule: which decided.
        reason: in words.
        links: what the words were taken for.
        statements: what the verdict rests on: what supports or what contradicts; empty where the graph is silent.
        excerpts: passages it rests on, where no statement decides.
        despite: a passage that says so although a statement contradicts, with its score.
        unsure: the verdict that is not given because it is not sure enough, in words; empty where there is none.
    """

    fact: Stated
    verdict: Verdict
    score: float
    rule: VerdictRule
    reason: str
    links: tuple[FactLink, ...] = ()
    statements: tuple[Statement, ...] = ()
    excerpts: tuple[Excerpt, ...] = ()
    despite: tuple[Excerpt, float] | None = None
    unsure: str = ""

    def if_sure(self, least: float) -> FactVerdict:
        """The same, or "not in the graph" where it is supported or contradicted with a lower score than this."""
        if self.verdict == "not in the graph" or self.score >= least:
            return self
        unsure = f"{self.verdict} at {self.score:.3g}, less sure than {least:g}: {self.reason}"
        rule = VerdictRule.NOT_SURE
        return FactVerdict(self.fact, "not in the graph", 1 - self.score, rule, unsure, self.links, unsure=unsure)
