"""Faithful inference: which prediction the paths, weighted by their faithfulness, speak for (papers/rr, eq. 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Literal as Choice

from toulmin.methods.rr.chains import normalised

__all__ = ["TIES", "Ties", "Vote", "best_output", "weighted_vote"]

Ties = Choice["no", "first", "majority"]

#: Among predictions of the same score: "no" where it is one of them; that of the first path; that of the most paths.
TIES: tuple[Ties, ...] = ("no", "first", "majority")

_SAME = 1e-9  # sums that differ by less are the same: the order of adding must not decide


@dataclass(frozen=True, slots=True)
class Vote:
    """The outcome.

    Args:
        prediction: as the first path that has it writes it.
        scores: of each prediction, normalised: the sum over its paths (of the best output: its own).
        path: the most faithful path with that prediction, by its position.
    """

    prediction: str
    scores: Mapping[str, float]
    path: int


def weighted_vote(predictions: Sequence[str | None], weights: Sequence[float], ties: Ties = "no") -> Vote | None:
    """Eq. 1: the prediction with the greatest sum of faithfulness; None where no path has a prediction."""
    paths = _paths(predictions)
    scores = {key: fsum(weights[place] for place in places) for key, places in paths.items()}
    return _decide(predictions, weights, scores, ties)


def best_output(predictions: Sequence[str | None], weights: Sequence[float], ties: Ties = "first") -> Vote | None:
    """The most faithful path, without a vote (papers/rr, 5.3); None where no path has a prediction."""
    paths = _paths(predictions)
    scores = {key: max(float(weights[place]) for place in places) for key, places in paths.items()}
    return _decide(predictions, weights, scores, ties)


def _paths(predictions: Sequence[str | None]) -> dict[str, list[int]]:
    """The positions of the paths with each prediction, in the order in which predictions come."""
    found: dict[str, list[int]] = {}
    for place, prediction in enumerate(predictions):
        if prediction is not None:
            found.setdefault(normalised(prediction), []).append(place)
    return found


def _decide(
    predictions: Sequence[str | None], weights: Sequence[float], scores: Mapping[str, float], ties: Ties
) -> Vote | None:
    if not scores:
        return None
    paths = _paths(predictions)
    top = max(scores.values())
    tied = [key for key, score in scores.items() if score >= top - _SAME]
    winner = tied[0]
    if ties == "majority":
        most = max(len(paths[key]) for key in tied)
        tied = [key for key in tied if len(paths[key]) == most]
        winner = tied[0]
    if ties != "first" and "no" in tied:
        winner = "no"
    best = max(paths[winner], key=lambda place: weights[place])  # the first of equals
    return Vote(predictions[paths[winner][0]] or winner, dict(scores), best)
