"""The proof of an answer: outputs, evidence, entailments, and the vote or selection that follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from toulmin.methods.rr.calibration import calibration
from toulmin.methods.rr.chains import Chain
from toulmin.methods.rr.evidence import Entailed
from toulmin.methods.rr.settings import Kind, RRSettings
from toulmin.proof.builder import ProofBuilder
from toulmin.proof.chains.faithfulness import Function
from toulmin.proof.chains.steps import Entailment
from toulmin.proof.chains.voting import Vote
from toulmin.proof.model import AnswerKind, Proof
from toulmin.proof.operators.chosen import EntityNamed
from toulmin.proof.operators.selection import FactSelection, selected
from toulmin.proof.operators.votes import Ballot, WeightedVote, WordWeights, ballots, outcome

__all__ = ["Case", "Sample"]


@dataclass(frozen=True, slots=True)
class Sample:
    """An output, and the sentences of its explanation that are weighed.

    Args:
        number: from 1.
    """

    number: int
    chain: Chain
    sentences: tuple[str, ...]

    @classmethod
    def of(cls, number: int, chain: Chain, settings: RRSettings) -> Sample:
        """The supporting facts, or all sentences where arguments are wanted."""
        return cls(number, chain, chain.sentences if settings.arguments else chain.facts)


@dataclass(slots=True)
class Case:
    """The proof of one question in the making.

    Args:
        by: who reasoned in the outputs: the name of the model, or "recorded".
        scorer: the name of the entailment scorer.
    """

    builder: ProofBuilder
    settings: RRSettings
    kind: Kind
    function: Function
    by: str
    scorer: str
    _chains: dict[int, str] = field(default_factory=dict)
    _entailments: dict[str, str] = field(default_factory=dict)

    def add(self, samples: Sequence[Sample], entailed: Sequence[Entailed]) -> None:
        """Add outputs, and the entailments of their sentences."""
        for one in entailed:
            self._entailments[one.sentence] = self._entailment(one)
        for sample in samples:
            chain = sample.chain
            self._chains[sample.number] = self.builder.add_chain(
                chain.text, sample.sentences, chain.prediction, self.by, sample=sample.number
            )

    def vote(self, samples: Sequence[Sample]) -> tuple[str, list[Ballot], Vote | None]:
        """The step of the vote (eq. 1, or the best single output), the ballot of each output, and the outcome."""
        equal = self.function == "equal"
        calibrated = calibration() if self.function == "calibrated" else None
        arguments = WeightedVote(
            chains=tuple((self._chains[one.number], () if equal else self._scored(one.sentences)) for one in samples),
            weighed="all" if self.settings.arguments else "facts",
            function=self.function,
            T_m=self.settings.T_m,
            T_e=self.settings.T_e,
            T_c=self.settings.T_c,
            base=(calibrated.base_of(self.by),) * len(samples) if calibrated else (),
            w=calibrated.weights if calibrated else (1.0, 0.0, 0.0),
            words=self._words(*calibrated.words) if calibrated else None,
            voting=self.settings.variant != "best",
            ties=self.settings.ties,
            yes_or_no=self.kind != "short",
        )
        step = self.builder.add_computation("weighted_vote", arguments)
        cast = ballots(arguments, self.builder.steps)
        return step, cast, outcome(arguments, cast)

    def choose(
        self, vote: str, groups: Sequence[Sequence[str]], generated: Sequence[Entailed] = (), *, by: str = ""
    ) -> tuple[FactSelection, list[str]]:
        """Fact selection (A.4), not yet a step: its arguments, and the supporting facts.

        Args:
            groups: sentences by topic; the generated ones among them.
            generated: sentences that ``by`` made from evidence.
        """
        made: tuple[tuple[str, tuple[str, ...]], ...] = ()
        if generated:
            for one in generated:
                self._entailments[one.sentence] = self._entailment(one)
            sentences = tuple(one.sentence for one in generated)
            given = tuple(dict.fromkeys(step for one in generated for step in self._laid(one)))
            chain = self.builder.add_chain("\n".join(sentences), sentences, None, by, given=given)
            made = ((chain, self._scored(sentences)),)
        arguments = FactSelection(of=vote, groups=tuple(self._scored(group) for group in groups), generated=made)
        steps = self.builder.steps
        chosen = [steps[one] for one in selected(arguments, steps)]
        return arguments, [one.hypothesis for one in chosen if isinstance(one, Entailment)]

    def select(self, arguments: FactSelection) -> str:
        """The step of a selection."""
        return self.builder.add_computation("fact_selection", arguments)

    def read(self, selection: str, reader: Chain, by: str) -> str:
        """The step of what a reader concludes from selected facts."""
        chain = self.builder.add_chain(reader.text, (), reader.prediction, by, given=(selection,))
        arguments = WeightedVote(chains=((chain, ()),), function="equal", yes_or_no=self.kind != "short")
        return self.builder.add_computation("weighted_vote", arguments)

    def conclude(self, step: str) -> Proof:
        """The proof whose answer a vote yields; a short answer that names exactly one entity of the graph is that."""
        if self.kind == "short":
            named = EntityNamed(of=step)
            said = self.builder.steps[step].yields()  # "no" is a verdict, and names nobody
            if said is not None and said.values and self.builder.evaluate("entity_named", named).values:
                step = self.builder.add_computation("entity_named", named)
        return self.builder.conclude(step, self.builder.add_reading(step, by=self.by, score=1.0))

    def undecided(self, step: str, reason: str) -> Proof:
        """The proof of an abstention that shows a vote, or supporting facts, from which nothing is concluded."""
        tried = self.builder.add_reading(step, by=self.by, score=1.0, decision="no")
        return self.builder.abstain(reason, step, tried, kind=self.answer_kind)

    @property
    def answer_kind(self) -> AnswerKind:
        """Of the answer."""
        return "values" if self.kind == "short" else "verdict"

    def _words(self, grounded: float, disputed: float) -> WordWeights:
        return WordWeights(grounded=grounded, disputed=disputed, question=self.builder.question)

    def _scored(self, sentences: Sequence[str]) -> tuple[str, ...]:
        return tuple(self._entailments[one] for one in sentences)

    def _laid(self, one: Entailed) -> tuple[str, ...]:
        steps: dict[str, None] = {}
        for piece in one.evidence:
            if piece.excerpt is not None:
                place = piece.excerpt
                steps[self.builder.add_passage(place.source, place.sha256, place.start, place.end, place.text)] = None
            for statement in piece.statements:
                steps[self.builder.add_fact(statement)] = None
        return tuple(steps)

    def _entailment(self, one: Entailed) -> str:
        return self.builder.add_entailment(
            one.sentence,
            self.scorer,
            self._laid(one),
            one.entailment,
            one.unknown,
            one.contradiction,
            one.similarity,
        )
