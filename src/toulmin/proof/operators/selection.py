"""Selects facts (Rethinking with Retrieval, A.4): for each of the best chain the most faithful of its topic."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pydantic import Field

from toulmin.errors import InputError
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Literal
from toulmin.proof.chains.faithfulness import faithfulness
from toulmin.proof.chains.steps import Chain, Entailment
from toulmin.proof.model import Arguments, Computation, Output, Step
from toulmin.proof.operators.votes import Ballot, WeightedVote, ballots, scores_of
from toulmin.proof.registry import Operator

__all__ = ["FACT_SELECTION", "FactSelection", "best_chain", "selected"]


class FactSelection(Arguments):
    """The facts of the top-ranked chain, each replaced by the most faithful of its topic.

    Args:
        of: the vote, whose function ranks chains and single facts alike.
        groups: the entailments of the sentences of all chains by topic, each in one group. Topics are found by
            embeddings, and only recorded.
        generated: (chain, entailments of its sentences) of facts that a model generated from evidence, which may
            replace others.
    """

    of: str
    groups: tuple[tuple[str, ...], ...] = Field(min_length=1)
    generated: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def inputs(self) -> tuple[str, ...]:
        """The vote, the entailments in the groups, and the chains of generated facts."""
        grouped = (one for group in self.groups for one in group)
        return tuple(dict.fromkeys((self.of, *grouped, *(chain for chain, _ in self.generated))))


def best_chain(vote: WeightedVote, steps: Mapping[str, Step]) -> Ballot:
    """The chain of most weight among those that vote; of several the earliest.

    Raises:
        InputError: none votes.
    """
    cast = [one for one in ballots(vote, steps) if one.prediction is not None]
    if not cast:
        raise InputError("no chain comes to an answer, so none is the best")
    return max(cast, key=lambda one: one.weight)


def _vote_of(arguments: FactSelection, steps: Mapping[str, Step]) -> WeightedVote:
    step = steps.get(arguments.of)
    if not isinstance(step, Computation) or not isinstance(step.arguments, WeightedVote):
        raise InputError(f"{arguments.of!r} is no vote")
    return step.arguments


def _checked_groups(arguments: FactSelection, vote: WeightedVote, steps: Mapping[str, Step]) -> dict[str, int]:
    """The number of the group of each entailment."""
    for chain, scored in arguments.generated:
        step = steps.get(chain)
        said = tuple(one.hypothesis for one in map(steps.get, scored) if isinstance(one, Entailment))
        if not isinstance(step, Chain) or said != step.sentences:
            raise InputError(f"{chain!r} is no chain whose sentences, each once and in order, are those scored")
    every = {one for _, scored in (*vote.chains, *arguments.generated) for one in scored}
    grouped = [one for group in arguments.groups for one in group]
    if len(grouped) != len(set(grouped)) or set(grouped) != every:
        raise InputError("the groups do not hold the entailments of all chains, each once")
    return {one: number for number, group in enumerate(arguments.groups) for one in group}


def selected(arguments: FactSelection, steps: Mapping[str, Step]) -> list[str]:
    """The entailments of the selected facts, in the order of the best chain, each once.

    Raises:
        InputError: the steps are no vote with its chains, or the groups not those of all their sentences.
    """
    vote = _vote_of(arguments, steps)
    best = best_chain(vote, steps)
    group_of = _checked_groups(arguments, vote, steps)

    def faithful(one: str) -> float:
        return faithfulness(vote.function, [scores_of(one, vote, steps)], vote.thresholds)

    own = next(scored for chain, scored in vote.chains if chain == best.chain.id)
    return list(dict.fromkeys(max((fact, *arguments.groups[group_of[fact]]), key=faithful) for fact in own))


def _select(arguments: FactSelection, steps: Mapping[str, Step], graph: Graph) -> Output:
    chosen = [steps[one] for one in selected(arguments, steps)]
    said = dict.fromkeys(one.hypothesis for one in chosen if isinstance(one, Entailment))
    return Output(values=tuple(map(Literal, said)))


def _express(arguments: FactSelection, of: Callable[[str], str]) -> str:
    topics = "; ".join(" or ".join(of(one) for one in group) for group in arguments.groups)
    generated = "".join(f", with {of(chain)}" for chain, _ in arguments.generated)
    return f"the most faithful fact for each of the best chain's topics in ({of(arguments.of)}): {topics}{generated}"


FACT_SELECTION = Operator(FactSelection, _select, _express)
