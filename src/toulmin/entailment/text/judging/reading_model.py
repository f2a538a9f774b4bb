"""How readings are weighed against each other, and then the verdicts: few weights, fitted by
``benchmarks/check_text.py``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np

from toulmin.entailment.text.judging.deciding import VERDICT_FEATURES, Decision
from toulmin.entailment.text.judging.profile import Floats
from toulmin.entailment.text.judging.readings import FEATURES, Readings

__all__ = ["ReadingModel", "reading_model", "scorer_features"]

_VERDICTS = ("supported", "contradicted")
_FILE = "reading_weights.json"
_FLOOR = 1e-3  # of a probability whose log odds are taken


@dataclass(frozen=True, slots=True)
class ReadingModel:
    """Weights of the readings' features.

    Args:
        first: float32[len(FEATURES)], by which readings are chosen for the entailment scorer.
        second: float32[len(FEATURES) + 1], with the scorer's log odds of entailment.
        none: the weight of the reading that none of the graph's relations is stated.
        verdict: float32[2, len(VERDICT_FEATURES) + 1], of supported and contradicted against "not in the graph"; the
            last column stands alone.
    """

    first: Floats
    second: Floats
    none: float
    verdict: Floats

    def probabilities(self, readings: Readings, entailment: Floats) -> Floats:
        """How likely each reading is meant, float32[n]; what is left to 1 is that none is."""
        if not len(readings):
            return np.zeros(0, dtype=np.float32)
        scores = scorer_features(readings, entailment) @ self.second
        top = max(float(scores.max()), self.none)
        weights = np.exp(scores - top)
        return np.asarray(weights / (weights.sum() + np.exp(self.none - top)), dtype=np.float32)

    def verdicts(self, decision: Decision) -> Floats:
        """How likely a fact is supported, contradicted, not in the graph, float32[3].

        What no reading speaks for is impossible.
        """
        scores = np.r_[self.verdict[:, :-1] @ decision.features + self.verdict[:, -1], 0.0]
        scores[:2][[not decision.held.any(), not decision.other.any()]] = -np.inf
        weights = np.exp(scores - scores.max())
        return np.asarray(weights / weights.sum(), dtype=np.float32)


def scorer_features(readings: Readings, entailment: Floats) -> Floats:
    """The features of readings with the log odds of the scorer's entailment, float32[n, len(FEATURES) + 1]."""
    bounded = np.clip(entailment, _FLOOR, 1 - _FLOOR)
    return np.concatenate([readings.features, np.log(bounded / (1 - bounded))[:, None]], axis=1).astype(np.float32)


@lru_cache(maxsize=1)
def reading_model() -> ReadingModel:
    """The model that ships."""
    said = json.loads((files("toulmin.entailment.text.judging") / _FILE).read_text("utf-8"))
    return ReadingModel(
        _weights(said["first"], FEATURES),
        _weights(said["second"], (*FEATURES, "entailment")),
        float(said["none"]),
        np.stack([_weights(said["verdict"][name], (*VERDICT_FEATURES, "always")) for name in _VERDICTS]),
    )


def _weights(said: dict[str, float], names: Sequence[str]) -> Floats:
    return np.array([said[name] for name in names], dtype=np.float32)
