"""Every metric declared once: ``toulmin metrics`` and docs/metrics.md say what stands here, and nothing else."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import inf
from typing import Any
from typing import Literal as Choice

from toulmin.errors import SettingsError
from toulmin.evaluation.judging.metric import criteria
from toulmin.registry import known

__all__ = ["Metric", "declared", "in_order", "metric"]


@dataclass(frozen=True, slots=True)
class Metric:
    """What a figure means.

    Args:
        name: as records, summaries and ``compare`` have it.
        definition: what it is of one question (of a run, where it is of one), to the last case.
        source: who defined it, and where; "ours" where nobody did.
        needs: which questions, or runs, have it; empty: all.
        of: "question": a number in the record of each, and the run's figure is their mean. "run": of all records.
        high: of its range, which begins at 0; None: it has no end.
        better: which end is the better one; None: neither.
        legacy: it is for comparison with published figures only.
        by_type: a report draws it by type of question, beside the main metric.
    """

    name: str
    definition: str
    source: str
    needs: str = ""
    of: Choice["question", "run"] = "question"
    high: float | None = 1.0
    better: Choice["high", "low"] | None = "high"
    legacy: bool = False
    by_type: bool = False

    @property
    def range(self) -> str:
        """In words: ``0 to 1``."""
        return f"0 to {self.high:g}" if self.high is not None else "from 0"


@cache
def declared() -> dict[str, Metric]:
    """All metrics by name, as ``metrics.toml`` has them; what it has in braces is a criterion of G-Eval."""
    groups = tomllib.loads((files(__package__) / "metrics.toml").read_text("utf-8"))["metrics"]
    metrics = {}
    for group in groups:
        definitions = group.pop("definition")
        fields: dict[str, Any] = {key: None if value in (inf, "") else value for key, value in group.items()}
        for name, definition in definitions.items():
            metrics[name] = Metric(name, definition.format_map(criteria()), **fields)
    return metrics


def in_order(names: Iterable[str]) -> list[str]:
    """Names in the order in which their metrics are declared; those of none come last, by the alphabet."""
    places = {name: place for place, name in enumerate(declared())}
    return sorted(names, key=lambda name: (places.get(name, len(places)), name))


def metric(name: str) -> Metric:
    """The declaration of a metric.

    Raises:
        SettingsError: none has this name.
    """
    if name not in declared():
        raise SettingsError(f"no metric is called {name!r}{known(name, list(declared()))}")
    return declared()[name]
