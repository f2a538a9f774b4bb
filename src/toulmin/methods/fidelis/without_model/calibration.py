"""From what a search yields to the probability that its answer is right: one logistic function for every graph."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["CALIBRATION", "Calibration", "Signals"]

_DECILES = tuple(tenth / 10 for tenth in range(11))


@dataclass(frozen=True, slots=True)
class Signals:
    """What a search says of its best path.

    Args:
        score: of the path.
        margin: how much better it is than the best one that leads to something else, 0 to 1.
        whole: the cosine of the path's words and the question.
    """

    score: float
    margin: float
    whole: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """What the signals are worth.

    Args:
        weights: of score, margin and whole in the logistic function.
        offset: of the same.
        unanswerable: ascending deciles (0 %, 10 %, … 100 %) of the confidence in answers to questions that the graph
            cannot answer.
    """

    weights: tuple[float, float, float]
    offset: float
    unanswerable: tuple[float, ...]

    def confidence(self, signals: Signals) -> float:
        """The probability that the answer is right."""
        logit = float(np.dot(self.weights, (signals.score, signals.margin, signals.whole))) + self.offset
        return float(1 / (1 + np.exp(-np.clip(logit, -60, 60))))

    def least(self, refused: float) -> float:
        """The confidence below which this share of the questions that the graph cannot answer lie."""
        return float(np.interp(refused, _DECILES, self.unanswerable)) if refused > 0 else 0.0


#: Fitted once, by a logistic regression in which no signal may count against an answer, to 160 questions that were
#: generated from the bundled graph, half of which it cannot answer, and what the search yields for them. A fit to each
#: graph's own generated questions is no better on people's questions (``docs/fidelis.md``).
CALIBRATION = Calibration(
    weights=(0.57, 1.594, 2.548),
    offset=-3.11,
    unanswerable=(0.043, 0.057, 0.071, 0.083, 0.099, 0.138, 0.178, 0.267, 0.36, 0.675, 0.862),
)
