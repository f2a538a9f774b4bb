"""When to try a call again: exponential back-off with jitter, and what the endpoint itself asks for."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from toulmin.errors import SettingsError

__all__ = ["TRANSIENT", "Retries", "retry_after"]

#: HTTP statuses after which the same request may succeed.
TRANSIENT = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})


@dataclass(frozen=True, slots=True)
class Retries:
    """How often and how patiently.

    Args:
        attempts: calls in all, the first included.
        base: seconds before the second one; doubled before each further one.
        longest: the most seconds to wait before one; an endpoint that asks for more is given up.

    Raises:
        SettingsError: out of range.
    """

    attempts: int = 6
    base: float = 0.5
    longest: float = 60.0

    def __post_init__(self) -> None:
        if self.attempts < 1 or not self.base >= 0 or not self.longest >= 0:
            raise SettingsError(f"{self}: give at least 1 attempt, and waits of 0 s or more")

    def wait(self, failures: int, asked: float | None) -> float | None:
        """Seconds to wait after so many failures (1 or more); None: give up.

        Args:
            asked: what the endpoint asks for in Retry-After.
        """
        if failures >= self.attempts or (asked is not None and asked > self.longest):
            return None
        # Half of it is random, so that callers that failed together do not come back together.
        backoff: float = min(self.longest, self.base * 2 ** (failures - 1)) * random.uniform(0.5, 1.0)  # noqa: S311
        return max(asked or 0.0, backoff)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that ``Retry-After`` (seconds or a date) or ``retry-after-ms`` ask for; None: neither does."""
    try:
        return max(0.0, float(headers["retry-after-ms"]) / 1000)
    except (KeyError, ValueError):
        pass  # the other header decides
    value = headers.get("retry-after", "").strip()
    try:
        return max(0.0, float(value))
    except ValueError:
        pass  # a date, or nothing
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None
