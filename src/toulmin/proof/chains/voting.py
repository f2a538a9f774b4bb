"""Which prediction outputs speak for, weighted by their faithfulness (Rethinking with Retrieval, eq. 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Literal as Choice

from toulmin.proof.chains.completions import normalised

__all__ = ["TIES", "Ties", "Vote", "best_output", "weighted_vote"]

Ties = Choice["no", "first", "majority"]

#: Between predictions of the same weight. "no": no, where it is among them; "majority": that of most outputs, among
#: several of these no; "first", and where these do not tell: the one that comes first.
TIES: tuple[Ties, ...] = ("no", "first", "majority")

_SAME = 1e-9  # weights that differ by less are the same: the order of adding must not decide


@dataclass(frozen=True, slots=True)
class Vote:
    """The outcome.

    Args:
        prediction: as the first output that has it writes it.
        scores: what each prediction, ``normalised``, has behind it; the earliest first.
        path: the position of the output of most weight that has the prediction; of several the first.
        tied: several predictions have the same weight, and the tie rule decided.
    """

    prediction: str
    scores: Mapping[str, float]
    path: int
    tied: bool = False


def weighted_vote(predictions: Sequence[str | None], weights: Sequence[float], ties: Ties = "no") -> Vote | None:
    """Eq. 1: the prediction with the greatest sum of weights; None where no output has a prediction."""
    places = _places(predictions)
    return _decided(
        predictions, weights, places, {said: fsum(weights[at] for at in places[said]) for said in places}, ties
    )


def best_output(predictions: Sequence[str | None], weights: Sequence[float], ties: Ties = "first") -> Vote | None:
    """The prediction of the output of most weight (5.3, without voting); None where no output has a prediction."""
    places = _places(predictions)
    return _decided(
        predictions, weights, places, {said: max(weights[at] for at in places[said]) for said in places}, ties
    )


def _places(predictions: Sequence[str | None]) -> dict[str, list[int]]:
    """The positions of the outputs with each prediction."""
    found: dict[str, list[int]] = {}
    for at, prediction in enumerate(predictions):
        if prediction is not None:
            found.setdefault(normalised(prediction), []).append(at)
    return found


def _decided(
    predictions: Sequence[str | None],
    weights: Sequence[float],
    places: Mapping[str, Sequence[int]],
    scores: Mapping[str, float],
    ties: Ties,
) -> Vote | None:
    if not scores:
        return None
    most = max(scores.values())
    tied = [said for said, score in scores.items() if score >= most - _SAME]
    even = len(tied) > 1
    if ties == "majority":
        tied = [said for said in tied if len(places[said]) == max(len(places[one]) for one in tied)]
    winner = "no" if ties != "first" and "no" in tied else tied[0]
    backing = places[winner]
    return Vote(predictions[backing[0]] or winner, scores, max(backing, key=lambda at: weights[at]), even)
