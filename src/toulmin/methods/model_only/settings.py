"""What a model alone can be told."""

from __future__ import annotations

from dataclasses import dataclass

from toulmin.errors import SettingsError

__all__ = ["MOST", "ModelOnlySettings"]

#: Demonstrations that each prompt has.
MOST = 5


@dataclass(frozen=True, slots=True)
class ModelOnlySettings:
    """The model answers from what it has learnt; the graph is not asked.

    Args:
        k: demonstrations in the prompt, 0 to 5 (papers/fidelis table 1: 5; papers/r3 section 4: 2; papers/okgqa table
            2: 4).
        thought: whether the model reasons before it answers: chain of thought (Wei et al. 2022; with k = 0 Kojima et
            al. 2022).
        N: replies that are sampled, whose most frequent answer is taken: self-consistency (Wang et al. 2022; papers/rr
            section 4.4: 9 for commonsense, 10 else). 1: one reply.
        T: temperature (papers/rr section 4.4: 0 for one reply, 0.7 for samples).
        seed: of the samples, where the model takes one.
        max_tokens: of a reply (papers/rr: 256, of text; ours are JSON).

    Raises:
        SettingsError: a setting out of range.
    """

    k: int = 0
    thought: bool = False
    N: int = 1
    T: float = 0.0
    seed: int | None = None
    max_tokens: int = 1024

    def __post_init__(self) -> None:
        if not 0 <= self.k <= MOST:
            raise SettingsError(f"model-only: k is {self.k}: give a number from 0 to {MOST}")
        for name in ("N", "max_tokens"):
            if getattr(self, name) < 1:
                raise SettingsError(f"model-only: {name} is {getattr(self, name)}: give 1 or more")
        if not 0 <= self.T <= 2:
            raise SettingsError(f"model-only: T is {self.T}: give a number from 0 to 2")
