"""What judging is set by, and where each figure comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from toulmin.errors import SettingsError
from toulmin.registry import known

__all__ = ["JudgingSettings"]


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
        for field in fields(self):
            least = 1 if field.name in ("together", "searches", "K", "samples") else 0
            if getattr(self, field.name) < least:
                raise SettingsError(f"{field.name} is {getattr(self, field.name)}: give {least} or more")

    def given(self, texts: Mapping[str, str]) -> JudgingSettings:
        """These settings with some changed, given as texts by their names.

        Raises:
            SettingsError: no such setting, or no whole number.
        """
        names = [field.name for field in fields(self)]
        for name, text in texts.items():
            if name not in names:
                raise SettingsError(f"judging has no setting {name!r}{known(name, names)}")
            if not text.isascii() or not text.isdigit():
                raise SettingsError(f"{name} is {text!r}: give a whole number, 0 or more")
        return replace(self, **{name: int(text) for name, text in texts.items()})
