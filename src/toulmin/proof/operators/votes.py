"""The vote of chains of thought, each weighed by its faithfulness (Rethinking with Retrieval, eq. 1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from typing import Literal as Choice

from pydantic import Field, SerializerFunctionWrapHandler, StrictBool, StrictFloat, model_serializer

from toulmin.errors import InputError
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, Literal
from toulmin.proof.chains.completions import parse
from toulmin.proof.chains.faithfulness import Function, Scores, Thresholds, faithfulness
from toulmin.proof.chains.steps import Chain, Entailment
from toulmin.proof.chains.voting import Ties, Vote, best_output, weighted_vote
from toulmin.proof.chains.words import Shares, shares_of
from toulmin.proof.model import Arguments, Computation, Conclusion, Fact, Frozen, Output, Step
from toulmin.proof.passages import Passage
from toulmin.proof.registry import Operator

__all__ = ["WEIGHTED_VOTE", "Ballot", "WeightedVote", "WordWeights", "ballots", "outcome", "scores_of"]

_VERDICTS = {"yes": True, "no": False}


class WordWeights(Frozen):
    """What the words of chains weigh in "calibrated".

    Args:
        grounded, disputed: the weights of the shares (``words.Shares``).
        question: the one that is answered, whose own words tell nothing.
    """

    grounded: StrictFloat
    disputed: StrictFloat
    question: str


class WeightedVote(Arguments):
    """The prediction with the most weight behind it.

    Args:
        chains: each chain with the entailment of each of its sentences, in order; "equal" needs none. They are all the
            chains of the proof that were given the same, but for generated facts; no sample is left out.
        function: the weight of a chain.
        weighed: which sentences of each chain: its "facts" (``completions.Completion``), or "all".
        T_m, T_e, T_c: thresholds of the function.
        base: for "calibrated", what each chain's source is worth; empty: 1 each.
        w: for "calibrated", the weights of the means of entailment, similarity and contradiction.
        words: for "calibrated", what words weigh; None: nothing, and it is not written down.
        voting: the weights of equal predictions add up (eq. 1); else the prediction of the one chain of most weight.
        ties: between predictions of the same weight; see ``voting.TIES``.
        yes_or_no: only yes and no are votes. A chain without a prediction never votes.
    """

    chains: tuple[tuple[str, tuple[str, ...]], ...] = Field(min_length=1)
    function: Function
    weighed: Choice["facts", "all"] = "facts"
    T_m: StrictFloat = 0.5
    T_e: StrictFloat = 0.6
    T_c: StrictFloat = 0.99
    base: tuple[StrictFloat, ...] = ()
    w: tuple[StrictFloat, StrictFloat, StrictFloat] = (1.0, 0.0, 0.0)
    voting: StrictBool = True
    ties: Ties = "no"
    yes_or_no: StrictBool = False
    words: WordWeights | None = None

    @model_serializer(mode="wrap")
    def _written(self, written: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = written(self)
        if self.words is None:
            del fields["words"]
        return fields

    def inputs(self) -> tuple[str, ...]:
        """The chains and the entailments."""
        return tuple(dict.fromkeys(one for chain, scored in self.chains for one in (chain, *scored)))

    @property
    def thresholds(self) -> Thresholds:
        """The thresholds as the functions take them."""
        words = (self.words.grounded, self.words.disputed) if self.words else (0.0, 0.0)
        return Thresholds(self.T_m, self.T_e, self.T_c, self.w, words)


@dataclass(frozen=True, slots=True)
class Ballot:
    """The vote of one chain.

    Attributes:
        chain: its step.
        prediction: as the chain writes it; None where it does not vote.
        weight: its faithfulness.
        shares: what its words tell; None where that plays no part.
    """

    chain: Chain
    prediction: str | None
    weight: float
    shares: Shares | None = None


def scores_of(entailment: str, vote: WeightedVote, steps: Mapping[str, Step]) -> Scores:
    """The scores of a sentence.

    Raises:
        InputError: the step is no entailment, or has no similarity though the function takes one.
    """
    step = steps.get(entailment)
    if not isinstance(step, Entailment):
        raise InputError(f"{entailment!r} is no entailment")
    takes = vote.function in ("f1", "f2") or (vote.function == "calibrated" and vote.w[1] != 0)
    if step.similarity is None and step.evidence and takes:
        raise InputError(f"{entailment!r} has no similarity, which {vote.function} takes")
    return Scores(step.entailment, step.contradiction, step.similarity or 0.0)


def ballots(arguments: WeightedVote, steps: Mapping[str, Step]) -> list[Ballot]:
    """The vote of each chain, in order.

    Raises:
        InputError: a step is no chain or votes twice, the entailments are not those of its sentences, or the bases not
            one for each chain.
    """
    cast: list[tuple[Chain, str | None, list[Scores]]] = []
    bases = (arguments.base if arguments.function == "calibrated" else ()) or (1.0,) * len(arguments.chains)
    if len(bases) != len(arguments.chains):
        raise InputError(f"{len(bases)} bases for {len(arguments.chains)} chains: give one each, or none")
    for chain, scored in arguments.chains:
        step = steps.get(chain)
        if not isinstance(step, Chain):
            raise InputError(f"{chain!r} is no chain")
        if any(one.id == chain for one, _, _ in cast):
            raise InputError(f"the chain {chain!r} votes twice")
        scores = [scores_of(one, arguments, steps) for one in scored]
        if scored or arguments.function != "equal":
            _check_scored(arguments, step, scored, steps)
        votes = step.prediction is not None and (not arguments.yes_or_no or step.prediction in _VERDICTS)
        cast.append((step, step.prediction if votes else None, scores))
    shares: list[Shares | None] = [None] * len(cast)
    if arguments.words is not None:
        read = [(prediction, step.sentences) for step, prediction, _ in cast]
        shares = [*shares_of(arguments.words.question, read, _evidence(arguments, steps))]
    return [
        Ballot(
            step,
            prediction,
            faithfulness(arguments.function, scores, arguments.thresholds, base, own or Shares()),
            own,
        )
        for (step, prediction, scores), base, own in zip(cast, bases, shares, strict=True)
    ]


def _evidence(arguments: WeightedVote, steps: Mapping[str, Step]) -> list[str]:
    """The words of all that was laid beside a sentence: of passages, and the names and values of statements."""
    scored = dict.fromkeys(one for _, some in arguments.chains for one in some)
    laid = dict.fromkeys(
        piece for one in map(steps.get, scored) if isinstance(one, Entailment) for piece in one.evidence
    )
    return [_text(step) for step in map(steps.get, laid) if isinstance(step, (Passage, Fact))]


def _text(step: Passage | Fact) -> str:
    if isinstance(step, Passage):
        return step.text
    said = step.statement
    nodes = (said.subject, said.object, *(one.value for one in said.qualifiers))
    return " ".join((node.label or "") if isinstance(node, Entity) else node.value for node in nodes)


def _check_scored(arguments: WeightedVote, chain: Chain, scored: Sequence[str], steps: Mapping[str, Step]) -> None:
    read = parse(chain.text)
    if chain.sentences != (read.facts if arguments.weighed == "facts" else read.sentences):
        raise InputError(f"the sentences of {chain.id!r} are not {arguments.weighed} of its explanation")
    judged = tuple(one.hypothesis for one in map(steps.get, scored) if isinstance(one, Entailment))
    if judged != chain.sentences:
        raise InputError(f"the entailments for {chain.id!r} are not those of its sentences, each once and in order")


def _check_complete(cast: Sequence[Ballot], steps: Mapping[str, Step]) -> None:
    """No chain that could vote is left out."""
    computed = [step.arguments for step in steps.values() if isinstance(step, Computation)]
    generated = {chain for arguments in computed for chain, _ in getattr(arguments, "generated", ())}
    given = cast[0].chain.given
    every = {one.id for one in steps.values() if isinstance(one, Chain) and one.given == given} - generated
    if odd := sorted(every ^ {one.chain.id for one in cast}):
        raise InputError(f"the vote is not of all chains that were given the same: see {odd[0]!r}")
    samples = {one.chain.sample for one in cast}
    if len(samples) <= max(samples) - min(samples):
        raise InputError(f"a sample before number {max(samples)} has no vote")


def outcome(arguments: WeightedVote, cast: Sequence[Ballot]) -> Vote | None:
    """The vote, or the best single output; None where no chain votes."""
    decide = weighted_vote if arguments.voting else best_output
    return decide([one.prediction for one in cast], [one.weight for one in cast], arguments.ties)


def _vote(arguments: WeightedVote, steps: Mapping[str, Step], graph: Graph) -> Output:
    if arguments.words is not None:
        about = arguments.words.question
        if any(isinstance(one, Conclusion) and one.question != about for one in steps.values()):
            raise InputError(f"the vote leaves out the words of {about!r}, which is not the question")
    cast = ballots(arguments, steps)
    _check_complete(cast, steps)
    vote = outcome(arguments, cast)
    if vote is None:
        return Output()
    if vote.prediction in _VERDICTS:
        return Output(verdict=_VERDICTS[vote.prediction])
    return Output(values=(Literal(vote.prediction),))


def _express(arguments: WeightedVote, of: Callable[[str], str]) -> str:
    chains = "; ".join(
        f"{of(chain)}, where {' and '.join(of(one) for one in scored) or 'nothing is scored'}"
        for chain, scored in arguments.chains
    )
    voting = "all chains together" if arguments.voting else "the best chain"
    votes = ", of yes and no" if arguments.yes_or_no else ""
    parameters = ", ".join(f"{one} {getattr(arguments, one)!r}" for one in ("T_m", "T_e", "T_c", "base", "w"))
    if words := arguments.words:
        parameters += f", words {words.grounded!r} {words.disputed!r} beyond those of {words.question!r}"
    return (
        f"the prediction of {voting} by {arguments.function} of {arguments.weighed} ({parameters}; "
        f"ties: {arguments.ties}{votes}): {chains}"
    )


WEIGHTED_VOTE = Operator(WeightedVote, _vote, _express)
