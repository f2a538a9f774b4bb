"""What the method can be told."""

from __future__ import annotations

from dataclasses import dataclass

from toulmin.errors import SettingsError

__all__ = ["ProgramsSettings"]


@dataclass(frozen=True, slots=True)
class ProgramsSettings:
    """All defaults are ours: the method is in no paper.

    Args:
        calls: calls of the model for one question: one writes the program, each further one looks at what it says and
            yields, and lets it stand or mends it.
        look: whether a program that yields something is looked at too; without, only faults and empty results are.
        tokens: of the schema that is shown, of 4 bytes each; what does not fit is chosen by the question.
        shown: values or rows that the model sees of what a program yields.
        temperature: of all calls.

    Raises:
        SettingsError: a number out of range.
    """

    calls: int = 3
    look: bool = True
    tokens: int = 4000
    shown: int = 12
    temperature: float = 0.0

    def __post_init__(self) -> None:
        for name in ("calls", "tokens", "shown"):
            if not getattr(self, name) > 0:
                raise SettingsError(f"programs: {name} is {getattr(self, name)}: give more than 0")
        if not self.temperature >= 0:
            raise SettingsError(f"programs: temperature is {self.temperature}: give 0 or more")
