"""What the answering of open-ended questions is set by, and its forms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from toulmin.errors import SettingsError
from toulmin.methods.setting_checks import check_choices, check_least
from toulmin.retrieval.open_ended.neighbourhood import RetrievalSettings

__all__ = ["FORMS", "OpenEndedSettings", "Reasoning", "RetrievalForm"]

RetrievalForm = Literal["subgraph", "path", "triplet", "none"]
Reasoning = Literal["none", "cot", "cot-sc"]


@dataclass(frozen=True, slots=True)
class OpenEndedSettings(RetrievalSettings):
    """What is retrieved, how the model is asked, and what becomes of sentences (papers/okgqa, section 4 and table 2).

    Args:
        retrieval: ``triplet``, ``path`` or ``subgraph`` (section 4.1); ``none``: the model writes what it knows, and
            every sentence is uncited (table 2: zero-shot, CoT, CoT+SC).
        reasoning: ``none``; ``cot``: the model thinks before it writes; ``cot-sc``: it does so several times, and the
            text most like the others is taken (table 2: CoT, CoT+SC).
        samples: texts of ``cot-sc``. The paper does not say; 5 is ours.
        temperature: of ``cot-sc``; else 0. The paper does not say; 0.7 is that of self-consistency (Wang et al. 2022).
        shots: demonstrations in the prompt (table 2: 4), ours 2.
        statements: the most statements that the model is shown; of more, those first in order.
        tokens: the most tokens of a reply.
        uncited: what becomes of a sentence that cites no statement: ``mark`` it, or ``drop`` it.
        scorer: of entailment, which holds each sentence against what it cites.
        split: who takes the sentences apart into claims before they are held against what they cite: ``rules``, which
            read plain sentences, or the ``model``, by further calls.
        support: the score from which on a single statement bears out a claim that the check of texts leaves open.
    """

    retrieval: RetrievalForm = "subgraph"
    reasoning: Reasoning = "none"
    samples: int = 5
    temperature: float = 0.7
    shots: int = 2
    statements: int = 60
    tokens: int = 2048
    uncited: Literal["mark", "drop"] = "mark"
    scorer: str = "shipped"
    split: Literal["rules", "model"] = "rules"
    support: float = 0.85

    @classmethod
    def paper(cls) -> OpenEndedSettings:
        """The paper's own retrieval with 4 shots; see ``RetrievalSettings.paper``."""
        retrieval = RetrievalSettings.paper()
        taken: dict[str, Any] = {field.name: getattr(retrieval, field.name) for field in fields(retrieval)}
        return cls(**taken, shots=4)

    def __post_init__(self) -> None:
        RetrievalSettings.__post_init__(self)
        check_choices(self, "unknown {name} {value}: use {known}", between=" or ")
        check_least(self, "samples", "statements", "tokens")
        if self.retrieval == "none" and self.uncited == "drop":
            raise SettingsError("uncited is 'drop', and without retrieval no sentence cites: give 'mark'")
        if not 0 <= self.shots <= 4:
            raise SettingsError(f"shots is {self.shots}: give 0 to 4")
        if not 0 < self.support <= 1:
            raise SettingsError(f"support is {self.support}: give a number above 0, up to 1")
        check_least(self, "temperature", least=0)


#: Each retrieval, and the model alone, without reasoning, with a thought, and with several; and the paper's own.
FORMS: Mapping[str, OpenEndedSettings] = {
    ("alone" if kind == "none" else kind) + ("" if how == "none" else f"-{how}"): OpenEndedSettings(
        retrieval=kind, reasoning=how
    )
    for kind in get_args(RetrievalForm)
    for how in get_args(Reasoning)
} | {"paper": OpenEndedSettings.paper()}
