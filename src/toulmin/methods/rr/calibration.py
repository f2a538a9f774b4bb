"""The weights of the function "calibrated", which ``benchmarks/rr.py fit`` writes into ``calibration.json``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from toulmin.program.weighing import Thresholds

__all__ = ["Calibration", "calibration"]


@dataclass(frozen=True, slots=True)
class Calibration:
    """What outputs and the scores of their sentences are worth.

    Args:
        base: of an output whose source is not known.
        weights: of the means of entailment, similarity and contradiction over its sentences.
        words: of the shares of it that are grounded and disputed (``words.Shares``).
        sources: the base of outputs of known sources, by the name of the model: the log odds of its being right.
    """

    base: float
    weights: tuple[float, float, float]
    words: tuple[float, float]
    sources: Mapping[str, float]

    @property
    def thresholds(self) -> Thresholds:
        """The weights as the function takes them."""
        return Thresholds(weights=self.weights, words=self.words)

    def base_of(self, source: str) -> float:
        """The base of a source."""
        return self.sources.get(source, self.base)


@cache
def calibration() -> Calibration:
    """The one that ships."""
    stored = json.loads((files("toulmin.methods.rr") / "calibration.json").read_text("utf-8"))
    weights = (float(stored["entailment"]), float(stored["similarity"]), float(stored["contradiction"]))
    words = (float(stored["grounded"]), float(stored["disputed"]))
    sources = {name: float(base) for name, base in stored["sources"].items()}
    return Calibration(float(stored["base"]), weights, words, sources)
