"""The vote of chains of thought, each weighed by its faithfulness (Rethinking with Retrieval, eq. 1)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal as Choice

from pydantic import Field, StrictBool, StrictFloat

from toulmin.errors import InputError
from toulmin.graph.labels import normalise
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Literal
from toulmin.proof.chains.faithfulness import Function, Scores, Thresholds, faithfulness
from toulmin.proof.chains.steps import Chain, Entailment
from toulmin.proof.model import Arguments, Output, Step
from toulmin.proof.registry import Operator

__all__ = ["WEIGHTED_VOTE", "Ballot", "WeightedVote", "ballots", "scores_of", "tally"]

_VERDICTS = {"yes": True, "no": False}


class WeightedVote(Arguments):
    """The prediction with the most weight behind it.

    Args:
        chains: each chain with the entailment of each of its sentences, in order; "equal" needs none.
        function: the weight of a chain.
        T_m, T_e, T_c: thresholds of the function.
        voting: the weights of equal predictions add up (eq. 1); else the prediction of the one chain of most weight.
        ties: between several predictions: "no" where one of them is yes or no, else (and for "first") that of the
            earliest chain.
        yes_or_no: only yes and no are votes. A chain without a prediction never votes.
    """

    chains: tuple[tuple[str, tuple[str, ...]], ...] = Field(min_length=1)
    function: Function
    T_m: StrictFloat = 0.5
    T_e: StrictFloat = 0.6
    T_c: StrictFloat = 0.99
    voting: StrictBool = True
    ties: Choice["no", "first"] = "no"
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
    """What each prediction has behind it, as the earliest chain writes it: the sum of weights, or the largest one."""
    written: dict[str, str] = {}
    weights: dict[str, list[float]] = {}
    for one in cast:
        if one.prediction is not None:
            key = normalise(one.prediction)
            weights.setdefault(written.setdefault(key, one.prediction), []).append(one.weight)
    return {said: math.fsum(some) if arguments.voting else max(some) for said, some in weights.items()}


def _vote(arguments: WeightedVote, steps: Mapping[str, Step], graph: Graph) -> Output:
    counted = tally(arguments, ballots(arguments, steps))
    if not counted:
        return Output()
    most = max(counted.values())
    best = [said for said, weight in counted.items() if weight == most]
    said = "no" if len(best) > 1 and arguments.ties == "no" and _VERDICTS.keys() & set(best) else best[0]
    if said in _VERDICTS:
        return Output(verdict=_VERDICTS[said])
    return Output(values=(Literal(said),))


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
