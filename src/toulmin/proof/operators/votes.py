"""The vote of chains of thought, each weighed by its faithfulness (Rethinking with Retrieval, eq. 1)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal as Choice

from pydantic import Field, StrictBool, StrictFloat

from toulmin.errors import InputError
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Literal
from toulmin.proof.chains.completions import normalised
from toulmin.proof.chains.faithfulness import Function, Scores, Thresholds, faithfulness
from toulmin.proof.chains.steps import Chain, Entailment
from toulmin.proof.model import Arguments, Output, Step
from toulmin.proof.registry import Operator

__all__ = ["WEIGHTED_VOTE", "Ballot", "WeightedVote", "ballots", "scores_of", "tally"]

Ties = Choice["no", "first", "majority"]

_VERDICTS = {"yes": True, "no": False}
_SAME = 1e-9  # weights that differ by less are the same


class WeightedVote(Arguments):
    """The prediction with the most weight behind it.

    Args:
        chains: each chain with the entailment of each of its sentences, in order; "equal" needs none.
        function: the weight of a chain.
        T_m, T_e, T_c: thresholds of the function.
        voting: the weights of equal predictions add up (eq. 1); else the prediction of the one chain of most weight.
        ties: between predictions of the same weight. "no": no, where it is among them; "majority": that of most chains,
            among several of these no; "first", and where these do not tell: that of the earliest chain.
        yes_or_no: only yes and no are votes. A chain without a prediction never votes.
    """

    chains: tuple[tuple[str, tuple[str, ...]], ...] = Field(min_length=1)
    function: Function
    T_m: StrictFloat = 0.5
    T_e: StrictFloat = 0.6
    T_c: StrictFloat = 0.99
    voting: StrictBool = True
    ties: Ties = "no"
    yes_or_no: StrictBool = False

    def inputs(self) -> tuple[str, ...]:
        """The chains and the entailments."""
        return tuple(dict.fromkeys(one for chain, scored in self.chains for one in (chain, *scored)))

    @property
    def thresholds(self) -> Thresholds:
        """The thresholds as the functions take them."""
        return Thresholds(self.T_m, self.T_e, self.T_c)


@dataclass(frozen=True, slots=True)
class Ballot:
    """The vote of one chain.

    Attributes:
        chain: its step.
        prediction: as the chain writes it; None where it does not vote.
        weight: its faithfulness.
    """

    chain: Chain
    prediction: str | None
    weight: float


def scores_of(entailment: str, function: Function, steps: Mapping[str, Step]) -> Scores:
    """The scores of a sentence.

    Raises:
        InputError: the step is no entailment, or has no similarity though the function takes one.
    """
    step = steps.get(entailment)
    if not isinstance(step, Entailment):
        raise InputError(f"{entailment!r} is no entailment")
    if step.similarity is None and step.evidence and function in ("f1", "f2"):
        raise InputError(f"{entailment!r} has no similarity, which {function} takes")
    return Scores(step.entailment, step.contradiction, step.similarity or 0.0)


def ballots(arguments: WeightedVote, steps: Mapping[str, Step]) -> list[Ballot]:
    """The vote of each chain, in order.

    Raises:
        InputError: a step is no chain or votes twice, or the entailments are not those of its sentences.
    """
    found: list[Ballot] = []
    for chain, scored in arguments.chains:
        step = steps.get(chain)
        if not isinstance(step, Chain):
            raise InputError(f"{chain!r} is no chain")
        if any(one.chain.id == chain for one in found):
            raise InputError(f"the chain {chain!r} votes twice")
        scores = [scores_of(one, arguments.function, steps) for one in scored]
        judged = tuple(one.hypothesis for one in map(steps.get, scored) if isinstance(one, Entailment))
        if judged != step.sentences and (scored or arguments.function != "equal"):
            raise InputError(f"the entailments for {chain!r} are not those of its sentences, each once and in order")
        votes = step.prediction is not None and (not arguments.yes_or_no or step.prediction in _VERDICTS)
        weight = faithfulness(arguments.function, scores, arguments.thresholds)
        found.append(Ballot(step, step.prediction if votes else None, weight))
    return found


def tally(arguments: WeightedVote, cast: list[Ballot]) -> dict[str, float]:
    """What each prediction, ``normalised``, has behind it: the sum of weights, or the largest; the earliest first."""
    weights: dict[str, list[float]] = {}
    for one in cast:
        if one.prediction is not None:
            weights.setdefault(normalised(one.prediction), []).append(one.weight)
    return {said: math.fsum(some) if arguments.voting else max(some) for said, some in weights.items()}


def _winner(ties: Ties, counted: Mapping[str, float], cast: list[Ballot]) -> str:
    most = max(counted.values())
    tied = [said for said, weight in counted.items() if weight >= most - _SAME]
    if ties == "majority":
        chains = Counter(normalised(one.prediction) for one in cast if one.prediction is not None)
        tied = [said for said in tied if chains[said] == max(chains[one] for one in tied)]
    return "no" if ties != "first" and "no" in tied else tied[0]


def _vote(arguments: WeightedVote, steps: Mapping[str, Step], graph: Graph) -> Output:
    cast = ballots(arguments, steps)
    counted = tally(arguments, cast)
    if not counted:
        return Output()
    winner = _winner(arguments.ties, counted, cast)
    if winner in _VERDICTS:
        return Output(verdict=_VERDICTS[winner])
    written = next(one.prediction for one in cast if one.prediction and normalised(one.prediction) == winner)
    return Output(values=(Literal(written),))


def _express(arguments: WeightedVote, of: Callable[[str], str]) -> str:
    chains = "; ".join(
        f"{of(chain)}, where {' and '.join(of(one) for one in scored) or 'nothing is scored'}"
        for chain, scored in arguments.chains
    )
    voting = "all chains together" if arguments.voting else "the best chain"
    votes = ", of yes and no" if arguments.yes_or_no else ""
    return (
        f"the prediction of {voting} by {arguments.function} (T_m {arguments.T_m!r}, T_e {arguments.T_e!r}, "
        f"T_c {arguments.T_c!r}; ties: {arguments.ties}{votes}): {chains}"
    )


WEIGHTED_VOTE = Operator(WeightedVote, _vote, _express)
