"""What the method can be told."""

from __future__ import annotations

from dataclasses import dataclass

from toulmin.methods.setting_checks import check_least, check_over

__all__ = ["SparqlSettings"]


@dataclass(frozen=True, slots=True)
class SparqlSettings:
    """All defaults are ours: the method is in no paper, though many systems are like it (GRASP, Walter and Bast, 2025).

    Args:
        calls: calls of the model for one question: one writes the query, each further one looks at what it gave, and
            lets it stand or mends it.
        look: whether rows are looked at too; without, only errors, empty results and what is too much are.
        tokens: of the schema that is shown, of 4 bytes each; what does not fit is chosen by the question.
        rows: a query that gives more rows has to be mended.
        shown: rows that the model sees.
        timeout: seconds that a query may run.
        programs: whether a query is read as a program, where one yields the same; only the kernel's own computation
            is as strong. Without, and on endpoints, the store alone vouches for its rows.
        temperature: of all calls.

    Raises:
        SettingsError: a number out of range.
    """

    calls: int = 3
    look: bool = True
    tokens: int = 6000
    rows: int = 5000
    shown: int = 10
    timeout: float = 20.0
    programs: bool = True
    temperature: float = 0.0

    def __post_init__(self) -> None:
        check_over(self, "calls", "tokens", "rows", "shown", "timeout", of="sparql: ")
        check_least(self, "temperature", least=0, of="sparql: ")
