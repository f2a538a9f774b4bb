"""The settings of RR, and its forms with a name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal as Choice

from toulmin.errors import SettingsError
from toulmin.methods.setting_checks import check_choices, check_least, check_range
from toulmin.program.weighing import Function, Thresholds, Ties

__all__ = ["FORMS", "Kind", "RRSettings"]

Kind = Choice["yes/no", "short", "table"]


@dataclass(frozen=True, slots=True)
class RRSettings:
    """See papers/rr; "not stated" is what the paper leaves open.

    Args:
        variant: "basic": the vote of eq. 1. "best": the most faithful output, without a vote. "selection",
            "generation": variants I and II (5.3). "self-consistency": every output counts the same; no knowledge.
        retrieval: "decomposition": by the sentences of the explanations; "query": by the question (table 3).
        function: of faithfulness. "mean-entailment" (ours): 1 + the mean entailment of its sentences. "calibrated"
            (ours): what an output of its source is worth, the weighted means of its sentences' scores, and what its
            words tell. The paper's (A.2) by name, or "auto": f1 for passages and tables, f2 for temporal statements, f3
            for given evidence. "equal": every output counts the same.
        kind: what is asked for: "yes/no", a "short" answer, whether a claim about a "table" is true. "auto": by the
            words of the question, and by the knowledge.
        N: outputs that are sampled. None: 9 for yes/no questions, 10 for others (the paper).
        temperature, max_tokens: of an output.
        seed: of the samples, where the model takes one.
        T_m, T_e, T_c: thresholds of similarity, entailment and contradiction.
        laid: which evidence is laid before the scorer: the most "similar" (the paper); of the ``candidates`` most
            similar the one that is most "decisive" (largest entailment or contradiction); or these "joined".
        candidates: pieces of evidence that "decisive" and "joined" look at.
        arguments: whether sentences that chain others ("Thus, …") are weighed too, or the supporting facts alone.
        ties: of equal scores "no", the "first" output's, or that of the "majority" (then no, then the first).
        abstain: whether to give no answer where every output weighs 0, so that the evidence bears none out and the tie
            rule alone would decide (the paper: no).
        topic: cosine from which sentences are of one topic (A.4; not stated).
        questions: that are generated for a fact, at most (variant II; not stated).
        scorer: of entailment, as ``entailment.registry.get_scorer`` names it.

    Raises:
        SettingsError: a setting out of range.
    """

    variant: Choice["basic", "best", "selection", "generation", "self-consistency"] = "basic"
    retrieval: Choice["decomposition", "query"] = "decomposition"
    function: Choice["auto"] | Function = "mean-entailment"
    kind: Choice["auto"] | Kind = "auto"
    N: int | None = None
    temperature: float = 0.7
    max_tokens: int = 256
    seed: int | None = None
    T_m: float = 0.5
    T_e: float = 0.6
    T_c: float = 0.99
    laid: Choice["similar", "decisive", "joined"] = "similar"
    candidates: int = 5
    arguments: bool = False
    ties: Ties = "majority"
    abstain: bool = False
    topic: float = 0.7
    questions: int = 3
    scorer: str = "shipped"

    def __post_init__(self) -> None:
        check_choices(self, "{name} is {value}: give one of {known}")
        check_least(self, "max_tokens", "candidates", "questions")
        if self.N is not None and not self.N >= 1:
            raise SettingsError(f"N is {self.N}: give 1 or more, or none for the paper's 9 and 10")
        check_range(self, "temperature", most=2)
        check_range(self, "T_m", "T_e", "T_c", "topic", most=1)
        if self.function == "equal" and self.variant in ("best", "selection", "generation"):
            raise SettingsError(f"variant {self.variant} needs a faithfulness: give function f1, f2, f3 or auto")

    @property
    def thresholds(self) -> Thresholds:
        """The thresholds of the faithfulness functions."""
        return Thresholds(self.T_m, self.T_e, self.T_c)

    def samples(self, kind: Kind) -> int:
        """N: how many outputs a question of this kind gets."""
        return self.N if self.N is not None else 9 if kind == "yes/no" else 10


#: Forms by name, the default first. "paper" and the variants that select facts take the paper's functions.
FORMS: Mapping[str, RRSettings] = MappingProxyType(
    {
        "basic": RRSettings(),
        "best": RRSettings(variant="best"),
        "selection": RRSettings(variant="selection", function="auto"),
        "generation": RRSettings(variant="generation", function="auto"),
        "self-consistency": RRSettings(variant="self-consistency"),
        "query": RRSettings(retrieval="query"),
        "paper": RRSettings(function="auto", ties="first"),
    }
)
