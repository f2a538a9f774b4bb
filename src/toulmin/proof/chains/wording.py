"""Votes, selections, chains and their sentences in words, for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toulmin.errors import InputError
from toulmin.proof.chains.steps import Chain, Entailment
from toulmin.proof.chains.voting import Ties
from toulmin.proof.model import Computation, Step
from toulmin.proof.operators.selection import FactSelection
from toulmin.proof.operators.votes import Ballot, WeightedVote, ballots, outcome

__all__ = ["chain_words", "chosen_words", "concludes", "sentence_words"]

_TIES: Mapping[Ties, str] = {
    "no": "a tie: no decides",
    "first": "a tie: the first chain decides",
    "majority": "a tie: the number of chains decides",
}


def chosen_words(step: Computation, steps: Mapping[str, Step]) -> str | None:
    """What a vote counts, or a selection chooses from; None of any other computation.

    ``the vote of 9 chains, each weighed by f1 (no 3.21, yes 1.10)``
    """
    arguments = step.arguments
    if isinstance(arguments, WeightedVote):
        how = "the vote" if arguments.voting else "the best"
        weighed = (
            "each with the same weight" if arguments.function == "equal" else f"each weighed by {arguments.function}"
        )
        if len(arguments.chains) == 1:
            return f"what the one chain {arguments.chains[0][0]} answers"
        return f"{how} of {len(arguments.chains)} chains, {weighed}{_tallied(arguments, steps)}"
    if isinstance(arguments, FactSelection):
        return f"the facts of the best chain of {arguments.of}, each the most faithful of its topic"
    return None


def _tallied(arguments: WeightedVote, steps: Mapping[str, Step]) -> str:
    try:
        vote = outcome(arguments, ballots(arguments, steps))
    except InputError:  # a proof that was tampered with is shown all the same; the check says what is wrong
        return ""
    if vote is None:
        return " (none comes to an answer)"
    said = ", ".join(f"{prediction} {weight:.2f}" for prediction, weight in vote.scores.items())
    return f" ({said}{f'; {_TIES[arguments.ties]}' if vote.tied else ''})"


def concludes(step: Chain, steps: Mapping[str, Step]) -> bool:
    """Whether a chain was written from facts that were selected: it says how the answer follows from them."""
    return any(
        isinstance(one := steps.get(of), Computation) and isinstance(one.arguments, FactSelection) for of in step.given
    )


def chain_words(step: Chain, steps: Mapping[str, Step]) -> str:
    """What a chain comes to, and its weight in a vote: ``no, weight 2.15 (by text-davinci-003, sample 2)``."""
    given = ", ".join(step.given)
    said = "no answer" if step.prediction is None else step.prediction
    if concludes(step, steps):
        return f"{said}, concluded from {given} (by {step.by})"
    if any(step.id == chain for one in _selections(steps) for chain, _ in one.generated):
        return f"facts made from {given} (by {step.by})"
    found = [ballot for one in steps.values() if (ballot := _ballot(step.id, one, steps)) is not None]
    weighed = f", weight {found[0].weight:.2f}" if found else ""
    if found and (shares := found[0].shares):
        weighed += f", grounded {shares.grounded:.2f}, disputed {shares.disputed:.2f}"
    return f"{said}{weighed} (by {step.by}, sample {step.sample}{f', given {given}' if given else ''})"


def _selections(steps: Mapping[str, Step]) -> list[FactSelection]:
    computed = [one.arguments for one in steps.values() if isinstance(one, Computation)]
    return [one for one in computed if isinstance(one, FactSelection)]


def _ballot(chain: str, step: Step, steps: Mapping[str, Step]) -> Ballot | None:
    vote = step.arguments if isinstance(step, Computation) else None
    if not isinstance(vote, WeightedVote) or all(one != chain for one, _ in vote.chains):
        return None
    try:
        return next(one for one in ballots(vote, steps) if one.chain.id == chain)
    except InputError:  # as above
        return None


def sentence_words(step: Chain, steps: Mapping[str, Step]) -> list[str]:
    """The sentences of a chain, where they are scored with their scores; of a chain that concludes, its whole text.

    ``entailed 0.93, contradicted 0.02: Aristotle died … [s1]``
    """
    if concludes(step, steps):
        return [step.text]
    votes = [one.arguments for one in steps.values() if isinstance(one, Computation)]
    lists: list[Sequence[str]] = [
        some for vote in votes if isinstance(vote, WeightedVote) for one, some in vote.chains if one == step.id
    ]
    lists += [some for one in _selections(steps) for chain, some in one.generated if chain == step.id]
    scored = [steps.get(one) for one in lists[0]] if lists else []
    return [_scored(one) for one in scored if isinstance(one, Entailment)] or list(step.sentences)


def _scored(step: Entailment) -> str:
    if not step.evidence:
        return f"no evidence: {step.hypothesis}"
    alike = f", similar {step.similarity:.2f}" if step.similarity is not None else ""
    scores = f"entailed {step.entailment:.2f}, contradicted {step.contradiction:.2f}{alike}"
    return f"{scores}: {step.hypothesis} [{', '.join(step.evidence)}]"
