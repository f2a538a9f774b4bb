"""Settings of the reader."""

from __future__ import annotations

from dataclasses import dataclass

from toulmin.errors import SettingsError

__all__ = ["ReaderSettings"]


@dataclass(frozen=True, slots=True)
class ReaderSettings:
    """Settings (ours).

    Args:
        read: logical forms that the network reads beside the question, the nearest by likeness of words and operators;
            where it is sure of one of the first twelve, no others.
        run: of these, the likeliest that are run, so that readings with the same answer count as one.
        abstain_below: a confidence below which no answer is given.
        near: which other readings are asked back: those with this share of the likeliest one's probability.
        reading: which of the readings answers, as somebody chose: 1 the likeliest, 2 the next; 0: nobody chose.
        threads: of the network. 0: one per core.
    """

    read: int = 40
    run: int = 8
    abstain_below: float = 0.4
    near: float = 0.5
    reading: int = 0
    threads: int = 0

    def __post_init__(self) -> None:
        for name in ("read", "run"):
            if getattr(self, name) < 1:
                raise SettingsError(f"reader: {name} is {getattr(self, name)}: give 1 or more")
        for name in ("abstain_below", "near"):
            if not 0 <= getattr(self, name) <= 1:
                raise SettingsError(f"reader: {name} is {getattr(self, name)}: give a number from 0 to 1")
