"""What a metric is that somebody has to judge, and what judging is set by."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cache, partial
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from toulmin.errors import SettingsError
from toulmin.llm.prompts import prompts_of
from toulmin.registry import known

if TYPE_CHECKING:
    from toulmin.evaluation.judging.material import Response
    from toulmin.llm.session import Session

__all__ = ["JudgedMetric", "JudgedScore", "JudgingSettings", "criteria", "prompts"]


@dataclass(frozen=True, slots=True)
class JudgedScore:
    """A score with what it rests on; None: there is nothing to judge."""

    score: float | None
    details: Mapping[str, Any] = field(default_factory=dict)


class JudgedMetric:
    """A metric.

    Args:
        name: under which its score stands in a record.
        how: all that a score depends on beside model, evidence and answer, as JSON.

    Attributes:
        kept: what the judge made for all questions, to be used again when a run goes on.
    """

    def __init__(self, name: str, **how: Any) -> None:
        self.name, self.how = name, how
        self.kept: dict[str, Any] = {}

    async def judge(self, response: Response, session: Session | None) -> JudgedScore:
        """Judge an answer.

        Args:
            session: of the language model; None: there is none.

        Raises:
            ToulminError: it cannot be judged.
        """
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class JudgingSettings:
    """Settings of the metrics; what has no source is ours.

    Args:
        gamma: FActScore's length penalty: answers of fewer facts score less (Min et al. 2023: 10); 0: none.
        together: facts that one request lays before the model.
        statements, passages: of the evidence for a fact, and of what one search of SAFE finds (SAFE: 3 results).
        searches: SAFE's searches for a fact, at most, the fact itself being the first (Wei et al. 2024: 5).
        K: the supported facts from which on an answer has full recall, in SAFE's F1@K (Wei et al. 2024: 64, the median
            number of facts of their long answers, and 178, the largest).
        context, context_passages: statements and passages of the context of G-Eval.
        samples: of G-Eval at temperature 1 where there are no log-probabilities (Liu et al. 2023: 20).
    """

    gamma: int = 10
    together: int = 8
    statements: int = 10
    passages: int = 3
    searches: int = 5
    K: int = 64
    context: int = 40
    context_passages: int = 5
    samples: int = 5

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            least = 1 if name in ("together", "searches", "K", "samples") else 0
            if value < least:
                raise SettingsError(f"{name} is {value}: give {least} or more")

    def given(self, texts: Mapping[str, str]) -> JudgingSettings:
        """These settings with some changed, given as texts by their names.

        Raises:
            SettingsError: no such setting, or no whole number.
        """
        names = list(asdict(self))
        for name, text in texts.items():
            if name not in names:
                raise SettingsError(f"judging has no setting {name!r}{known(name, names)}")
            if not text.isascii() or not text.isdigit():
                raise SettingsError(f"{name} is {text!r}: give a whole number, 0 or more")
        return replace(self, **{name: int(text) for name, text in texts.items()})


#: The prompts of all metrics.
prompts = partial(prompts_of, "toulmin.evaluation.judging")


@cache
def criteria() -> Mapping[str, str]:
    """The criteria of G-Eval by name."""
    file = files("toulmin.evaluation.judging") / "prompts" / "criteria.json"
    texts: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return texts
