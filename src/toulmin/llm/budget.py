"""What one question may cost."""

from __future__ import annotations

from dataclasses import dataclass, fields

from toulmin.errors import SettingsError

__all__ = ["Budget"]


@dataclass(frozen=True, slots=True)
class Budget:
    """Upper bounds of what one question may cost; None: no bound.

    Args:
        calls: model calls, repairs included.
        tokens: prompt and completion tokens together.
        cost: money, in the currency of the prices.
        seconds: wall time.

    Raises:
        SettingsError: a bound that is negative.
    """

    calls: int | None = None
    tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            bound = getattr(self, field.name)
            if bound is not None and not bound >= 0:
                raise SettingsError(f"a budget of {bound} {field.name}: give 0 or more")
