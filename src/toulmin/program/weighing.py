"""The vote of outputs, each weighed by how far evidence bears its sentences out (papers/rr, eq. 1 and A.2).

Beside the functions of the paper there are two of ours: 1 + the mean entailment of an output's sentences; and a
calibrated one: what its source is worth, the means of its sentences' scores, and what its words tell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Literal as Choice
from typing import NamedTuple

from toulmin.errors import InputError
from toulmin.program.nodes import Chain, Vote

__all__ = [
    "TERMS", "Function", "Scores", "Tally", "Thresholds", "Ties", "counted", "faithfulness", "outcome", "tally",
    "weight",
]  # fmt: skip

#: "equal": each output weighs the same, which is self-consistency; f1, f2, f3: of A.2; the others are ours.
Function = Choice["equal", "f1", "f2", "f3", "mean-entailment", "calibrated"]

#: Between predictions of the same weight. "no": no, where it is among them; "majority": that of most outputs, among
#: several of these no; "first", and where these do not tell: the one that comes first.
Ties = Choice["no", "first", "majority"]

_SAME = 1e-9  # weights that differ by less are the same: the order of adding must not decide


class Scores(NamedTuple):
    """Of one sentence: E, C and M of A.2.

    Attributes:
        entailment, contradiction: probabilities that its evidence says so, or says otherwise.
        similarity: cosine of the sentence and its evidence; 0 where no evidence was found.
    """

    entailment: float
    contradiction: float
    similarity: float


@dataclass(frozen=True, slots=True)
class Thresholds:
    """T_m, T_e and T_c of A.2, and the weights of "calibrated".

    Attributes:
        weights: w, of the means of entailment, similarity and contradiction.
        words: of the grounded and the disputed share.
    """

    similarity: float = 0.5
    entailment: float = 0.6
    contradiction: float = 0.99
    weights: tuple[float, float, float] = (1.0, 0.0, 0.0)
    words: tuple[float, float] = (0.0, 0.0)


_PAPER = Thresholds()


#: By the functions of the paper, what one sentence (E, C, M) adds to the sum, term by term.
TERMS: Mapping[Function, Callable[[Scores, Thresholds], tuple[float, ...]]] = {
    "f1": lambda of, at: (of.similarity if of.similarity >= at.similarity else of.entailment, -of.contradiction),
    "f2": lambda of, _: (of.similarity, of.entailment),
    "f3": lambda of, at: (
        of.entailment if of.entailment >= at.entailment else 0.0,
        -of.contradiction if of.contradiction >= at.contradiction else 0.0,
    ),
}


def faithfulness(
    function: Function,
    sentences: Sequence[Scores],
    at: Thresholds = _PAPER,
    base: float = 1.0,
    shares: tuple[float, float] = (0.0, 0.0),
) -> float:
    """The faithfulness of an output, f(R) of A.2; 1 for "equal". Summed exactly, so that no order changes it.

    Args:
        base: of "mean-entailment" and "calibrated": all that an output without sentences has. Of "calibrated" the log
            odds of its source being right, 1 where that is not known.
        shares: grounded and disputed, for "calibrated".
    """
    if function == "equal":
        return 1.0
    if function in TERMS:
        return fsum(term for scores in sentences for term in TERMS[function](scores, at))
    rows = [(scores.entailment, scores.similarity, scores.contradiction) for scores in sentences]
    means = [fsum(column) / len(rows) for column in zip(*rows, strict=True)] or [0.0] * 3
    if function == "mean-entailment":
        return base + means[0]
    weights, values = (*at.weights, *at.words), (*means, *shares)
    return fsum((base, *(weight * value for weight, value in zip(weights, values, strict=True))))


def weight(vote: Vote, chain: Chain) -> float:
    """How much a chain counts in a vote."""
    usual = _PAPER
    at = Thresholds(
        usual.similarity if vote.T_m is None else vote.T_m,
        usual.entailment if vote.T_e is None else vote.T_e,
        usual.contradiction if vote.T_c is None else vote.T_c,
        vote.w or usual.weights,
        vote.words or usual.words,
    )
    scores = [
        Scores(sentence.entailment, sentence.contradiction, sentence.similarity or 0.0) for sentence in chain.sentences
    ]
    base = 1.0 if chain.base is None else chain.base
    return faithfulness(vote.function, scores, at, base, (chain.grounded or 0.0, chain.disputed or 0.0))


@dataclass(frozen=True, slots=True)
class Tally:
    """The outcome of a vote.

    Args:
        prediction: the winner.
        scores: what each prediction has behind it; the earliest first.
        best: the position of the output of most weight that has the prediction; of several the first.
        tied: several predictions have the same weight, and the tie rule decided.
    """

    prediction: str
    scores: Mapping[str, float]
    best: int
    tied: bool = False


def tally(
    predictions: Sequence[str | None], weights: Sequence[float], ties: Ties = "no", *, voting: bool = True
) -> Tally | None:
    """Eq. 1: the prediction with the greatest sum of weights; None where no output has a prediction.

    Args:
        predictions: equal ones are written equally.
        voting: the weights of equal predictions add up; else the one output of most weight decides (5.3).
    """
    behind: dict[str, list[int]] = {}
    for place, prediction in enumerate(predictions):
        if prediction is not None:
            behind.setdefault(prediction, []).append(place)
    if not behind:
        return None
    scores = {name: (fsum if voting else max)(weights[at] for at in places) for name, places in behind.items()}
    tied = [name for name, score in scores.items() if score >= max(scores.values()) - _SAME]
    even = len(tied) > 1
    if ties == "majority":
        tied = [name for name in tied if len(behind[name]) == max(len(behind[rival]) for rival in tied)]
    winner = "no" if ties != "first" and "no" in tied else tied[0]
    return Tally(winner, scores, max(behind[winner], key=lambda at: weights[at]), even)


def outcome(vote: Vote) -> str | None:
    """The prediction with most weight behind it; None where no chain has one.

    Raises:
        InputError: a sample votes twice, or a sentence does not stand in the text of its chain, in order.
    """
    if len({chain.sample for chain in vote.chains}) < len(vote.chains):
        raise InputError("a sample votes twice")
    for chain in vote.chains:
        at = 0
        for sentence in chain.sentences:
            start = chain.text.find(sentence.text, at)
            if start < 0:
                raise InputError(f"the sentence {sentence.text[:80]!r} does not stand in the text of its chain")
            at = start + len(sentence.text)
    won = counted(vote)
    return won.prediction if won else None


def counted(vote: Vote) -> Tally | None:
    """The count of a vote's chains; None where no chain has a prediction."""
    predictions = [
        None if vote.yes_or_no and chain.prediction not in ("yes", "no") else chain.prediction for chain in vote.chains
    ]
    weights = [weight(vote, chain) for chain in vote.chains]
    return tally(predictions, weights, vote.ties or "no", voting=vote.voting is not False)
