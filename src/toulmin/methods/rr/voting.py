"""The votes of outputs as nodes of a program: each sentence with its scores and what it was scored by.

The function "calibrated" also counts words (``Shares``). A chain whose sentences name things that the evidence names,
too, was thinking of what is the case; and what chains of other answers say as well speaks for none of them. Words of
the question tell neither: every chain repeats them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from toulmin.english.words import ARGUMENT_STOP_WORDS
from toulmin.graph.merkle import ALIAS, LABEL
from toulmin.graph.types import Entity
from toulmin.methods.rr.calibration import calibration
from toulmin.methods.rr.chains import ReasoningChain, normalised, spelled_alike
from toulmin.methods.rr.sentence_scores import Entailed
from toulmin.methods.rr.settings import Kind, RRSettings
from toulmin.program import nodes
from toulmin.program.builder import Builder
from toulmin.program.nodes import ScoredSentence, Vote
from toulmin.program.reasons import Reason
from toulmin.program.weighing import Function, Tally, tally, weight

if TYPE_CHECKING:
    from toulmin.retrieval.knowledge import Evidence

__all__ = ["Case", "Cast", "Conclusion", "Sample", "Shares", "content_words", "shares_of"]

_VERDICTS = ("yes", "no")
_WORD = re.compile(r"\d[\d,.]*\d|[^\W_]+")
_ENDINGS = ("ing", "ed", "es", "s", "ly")
_STEM = 4  # letters that an ending leaves at least


@dataclass(frozen=True, slots=True)
class Sample:
    """An output, and the sentences of its explanation that are weighed.

    Args:
        number: from 1.
    """

    number: int
    chain: ReasoningChain
    sentences: tuple[str, ...]

    @classmethod
    def of(cls, number: int, chain: ReasoningChain, settings: RRSettings) -> Sample:
        """The supporting facts, or all sentences where arguments are wanted."""
        return cls(number, chain, chain.sentences if settings.arguments else chain.facts)


@dataclass(frozen=True, slots=True)
class Cast:
    """A vote, not yet a node.

    Args:
        weights: of each output.
        votes: whether each output has a vote.
        tally: None: no output has one.
    """

    node: Vote
    weights: tuple[float, ...]
    votes: tuple[bool, ...]
    tally: Tally | None

    @property
    def best(self) -> int:
        """The position of the output of most weight among those that vote; of several the first."""
        return max((at for at, votes in enumerate(self.votes) if votes), key=lambda at: self.weights[at])


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What follows for a question: the node that answers it, or why none does.

    Args:
        place: None: an abstention.
        reasons: of an abstention.
        tried: nodes of an abstention, which yield no answer.
        trace: what the certificate tells beside, unchecked.
    """

    place: int | None = None
    reasons: tuple[Reason, ...] = ()
    tried: tuple[int, ...] = ()
    trace: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Case:
    """The program of one question in the making.

    Args:
        by: who reasoned in the outputs: the name of the model, or "recorded".
        scorer: the name of the entailment scorer.
    """

    builder: Builder
    settings: RRSettings
    kind: Kind
    function: Function
    by: str
    scorer: str
    _scored: dict[str, ScoredSentence] = field(default_factory=dict)
    _laid: dict[str, None] = field(default_factory=dict)

    def add(self, entailed: Sequence[Entailed]) -> None:
        """Add sentences with their scores, and the passages and statements that they were scored by."""
        for one in entailed:
            self._laid.update(dict.fromkeys(text for piece in one.evidence for text in _evidence_texts(piece)))
            self._scored[one.sentence] = ScoredSentence(
                text=one.sentence,
                by=self.scorer,
                entailment=one.entailment,
                unknown=one.unknown,
                contradiction=one.contradiction,
                similarity=one.similarity,
                seen=self._seen(one),
            )

    def cast(self, samples: Sequence[Sample]) -> Cast:
        """The vote of all outputs (eq. 1, or the best single output)."""
        settings, function = self.settings, self.function
        calibrated = calibration() if function == "calibrated" else None
        shares: list[Any] = [None] * len(samples)
        if calibrated:
            read = [(one.chain.prediction if self._votes(one) else None, one.sentences) for one in samples]
            shares = [*shares_of(self.builder.question, read, self._laid)]
        predictions = spelled_alike([one.chain.prediction for one in samples])
        chains = [
            nodes.Chain(
                text=one.chain.text,
                sample=one.number,
                prediction=prediction,
                base=calibrated.base_of(self.by) if calibrated else None,
                grounded=own and own.grounded,
                disputed=own and own.disputed,
                sentences=() if function == "equal" else self._sentences(one.sentences),
            )
            for one, prediction, own in zip(samples, predictions, shares, strict=True)
        ]
        node = Vote(
            function=function,
            chains=tuple(chains),
            voting=False if settings.variant == "best" else None,
            ties=settings.ties,
            yes_or_no=self.kind != "short" or None,
            T_m=settings.T_m if function == "f1" else None,
            T_e=settings.T_e if function == "f3" else None,
            T_c=settings.T_c if function == "f3" else None,
            w=calibrated.weights if calibrated else None,
            words=calibrated.words if calibrated else None,
        )
        weights, votes = tuple(weight(node, chain) for chain in chains), tuple(map(self._votes, samples))
        counted = [prediction if one else None for prediction, one in zip(predictions, votes, strict=True)]
        return Cast(node, weights, votes, tally(counted, weights, settings.ties, voting=settings.variant != "best"))

    def read(self, facts: Sequence[str], reader: ReasoningChain | None) -> Vote:
        """What a reader concludes from facts, as the vote of its one output; nothing where it concludes nothing.

        Args:
            facts: that were scored. Where they do not stand in what the reader says they are put in front of it.
        """
        text = reader.text if reader else ""
        if not _stand_in(facts, text):
            text = "\n".join([*facts, *filter(None, [text])])
        prediction = reader.prediction if reader else None
        chain = nodes.Chain(text=text, sample=1, prediction=prediction, sentences=self._sentences(facts))
        return Vote(function="equal", chains=(chain,), yes_or_no=self.kind != "short" or None)

    def answer(self, node: Vote, prediction: str) -> int:
        """The node of the answer: what a vote yields, as truth where it is yes or no.

        A short answer that names exactly one entity of the graph becomes that entity; its prediction is then written as
        the graph writes the name.
        """
        if node.yes_or_no:
            return self.builder.add(node)
        if prediction in _VERDICTS:
            return self.builder.compare("=", self.builder.add(node), self.builder.literal("yes"))
        return self._named(node, prediction) or self.builder.add(node)

    def _named(self, node: Vote, prediction: str) -> int | None:
        """The one entity that bears a prediction as its name."""
        builder, found = self.builder, self.builder.graph.lookup([prediction])[0]
        if len({one.id for one in found}) != 1:
            return None
        form = prediction if any(one.form == prediction for one in found) else found[0].form
        chains = [
            one.model_copy(update={"prediction": form}) if one.prediction == prediction else one for one in node.chains
        ]
        place = builder.follow(
            builder.add(node.model_copy(update={"chains": tuple(chains)})), (LABEL, ALIAS), "backward"
        )
        return place if [getattr(one, "id", None) for one in builder.nodes(place)] == [found[0].id] else None

    def _votes(self, sample: Sample) -> bool:
        said = sample.chain.prediction
        return said is not None and (self.kind == "short" or said in _VERDICTS)

    def _sentences(self, sentences: Sequence[str]) -> tuple[ScoredSentence, ...]:
        return tuple(self._scored[one] for one in sentences)

    def _seen(self, one: Entailed) -> tuple[int, ...]:
        places: dict[int, None] = {}
        for piece in one.evidence:
            if piece.excerpt is not None:
                at = piece.excerpt
                places[self.builder.passage(at.source, at.sha256, at.start, at.end, at.text)] = None
            for statement in piece.statements:
                places[self.builder.statement(statement)] = None
        return tuple(places)


def _stand_in(sentences: Sequence[str], text: str) -> bool:
    """Whether sentences stand in a text, one after another."""
    at = 0
    for one in sentences:
        found = text.find(one, at)
        if found < 0:
            return False
        at = found + len(one)
    return True


class Shares(NamedTuple):
    """Of one chain, each from 0 to 1.

    Attributes:
        grounded: of its sentences, those with a word that stands in the evidence.
        disputed: of its words, those that also stand in a chain of another prediction.
    """

    grounded: float = 0.0
    disputed: float = 0.0


@lru_cache(8192)
def content_words(text: str) -> frozenset[str]:
    """The words of a text without case, endings, function words and single letters; numbers as they stand."""
    words = (word for word in _WORD.findall(text.casefold()) if len(word) > 1)
    return frozenset(_stem(word) for word in words if word not in ARGUMENT_STOP_WORDS)


def shares_of(
    question: str, chains: Sequence[tuple[str | None, Sequence[str]]], evidence: Iterable[str]
) -> list[Shares]:
    """The shares of each chain.

    Args:
        chains: the prediction of each, None where it does not vote, and its sentences.
        evidence: all that was laid beside a sentence of any of them.
    """
    asked = content_words(question)
    found = frozenset[str]().union(*map(content_words, evidence))
    said = [None if prediction is None else normalised(prediction) for prediction, _ in chains]
    sentences = [[content_words(one) - asked for one in some] for _, some in chains]
    words = [frozenset[str]().union(*some) for some in sentences]
    by: dict[str, list[frozenset[str]]] = {}
    for prediction, own in zip(said, words, strict=True):
        if prediction is not None:
            by.setdefault(prediction, []).append(own)
    shares = []
    for prediction, some, own in zip(said, sentences, words, strict=True):
        others = [one for other, them in by.items() if other != prediction for one in them] if prediction else []
        both = own & frozenset[str]().union(*others)
        grounded = sum(not one.isdisjoint(found) for one in some)
        shares.append(Shares(grounded / len(some) if some else 0.0, len(both) / len(own) if own else 0.0))
    return shares


def _evidence_texts(piece: Evidence) -> Iterator[str]:
    """What evidence says: the text of a passage, the names and values of statements."""
    if piece.excerpt is not None:
        yield piece.excerpt.text
    for one in piece.statements:
        nodes = (one.subject, one.object, *(qualifier.value for qualifier in one.qualifiers))
        yield " ".join((node.label or "") if isinstance(node, Entity) else node.value for node in nodes)


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM:
            return word.removesuffix(ending)
    return word
