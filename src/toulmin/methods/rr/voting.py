"""The votes of outputs as nodes of a program: each sentence with its scores and what it was scored by.

The function "calibrated" has fitted weights (``Calibration``), and also counts words (``Shares``). A chain whose
sentences name things that the evidence names, too, was thinking of what is the case; and what chains of other answers
say as well speaks for none of them. Words of the question tell neither: every chain repeats them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from toulmin.english.words import ARGUMENT_STOP_WORDS
from toulmin.graph.merkle import ALIAS, LABEL
from toulmin.graph.types import Entity
from toulmin.methods.rr.chains import ReasoningChain, is_of_kind, normalised, spelled_alike
from toulmin.methods.rr.sentence_scores import Entailed
from toulmin.methods.rr.settings import Kind, RRSettings
from toulmin.program import nodes
from toulmin.program.builder import Builder
from toulmin.program.nodes import ScoredSentence, Vote
from toulmin.program.reasons import Reason
from toulmin.program.weighing import Function, Tally, tally, weight

if TYPE_CHECKING:
    from toulmin.retrieval.knowledge import Evidence

__all__ = ["Calibration", "Case", "Cast", "Conclusion", "Sample", "Shares", "calibration", "content_words", "shares_of"]

_VERDICTS = ("yes", "no")
_WORD = re.compile(r"\d[\d,.]*\d|[^\W_]+")
_ENDINGS = ("ing", "ed", "es", "s", "ly")
_STEM = 4  # letters that an ending leaves at least


@dataclass(frozen=True, slots=True)
class Calibration:
    """What outputs and the scores of their sentences are worth; ``benchmarks/rr.py fit`` writes ``calibration.json``.

    Args:
        base: of an output whose source is not known.
        weights: of the means of entailment, similarity and contradiction over its sentences.
        words: of the shares of it that are grounded and disputed (``Shares``).
        sources: the base of outputs of known sources, by the name of the model: the log odds of its being right.
    """

    base: float
    weights: tuple[float, float, float]
    words: tuple[float, float]
    sources: Mapping[str, float]


@cache
def calibration() -> Calibration:
    """The one that ships."""
    stored = json.loads((files("toulmin.methods.rr") / "calibration.json").read_text("utf-8"))
    weights = (float(stored["entailment"]), float(stored["similarity"]), float(stored["contradiction"]))
    words = (float(stored["grounded"]), float(stored["disputed"]))
    sources = {name: float(base) for name, base in stored["sources"].items()}
    return Calibration(float(stored["base"]), weights, words, sources)


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
        for scored in entailed:
            self._laid.update(dict.fromkeys(text for piece in scored.evidence for text in _evidence_texts(piece)))
            self._scored[scored.sentence] = ScoredSentence(
                text=scored.sentence,
                by=self.scorer,
                entailment=scored.entailment,
                unknown=scored.unknown,
                contradiction=scored.contradiction,
                similarity=scored.similarity,
                seen=self._seen(scored),
            )

    def cast(self, samples: Sequence[Sample]) -> Cast:
        """The vote of all outputs (eq. 1, or the best single output)."""
        settings, function = self.settings, self.function
        votes = tuple(is_of_kind(sample.chain.prediction, self.kind) for sample in samples)
        calibrated = calibration() if function == "calibrated" else None
        shares: list[Any] = [None] * len(samples)
        if calibrated:
            of_votes = zip(samples, votes, strict=True)
            voted = [(sample.chain.prediction if voter else None, sample.sentences) for sample, voter in of_votes]
            shares = [*shares_of(self.builder.question, voted, self._laid)]
        predictions = spelled_alike([sample.chain.prediction for sample in samples])
        chains = [
            nodes.Chain(
                text=sample.chain.text,
                sample=sample.number,
                prediction=prediction,
                base=calibrated.sources.get(self.by, calibrated.base) if calibrated else None,
                grounded=share and share.grounded,
                disputed=share and share.disputed,
                sentences=() if function == "equal" else self._sentences(sample.sentences),
            )
            for sample, prediction, share in zip(samples, predictions, shares, strict=True)
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
        weights = tuple(weight(node, chain) for chain in chains)
        counted = [prediction if is_vote else None for prediction, is_vote in zip(predictions, votes, strict=True)]
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
        builder, matches = self.builder, self.builder.graph.lookup([prediction])[0]
        if len({match.id for match in matches}) != 1:
            return None
        form = prediction if any(match.form == prediction for match in matches) else matches[0].form
        chains = [
            chain.model_copy(update={"prediction": form}) if chain.prediction == prediction else chain
            for chain in node.chains
        ]
        place = builder.follow(
            builder.add(node.model_copy(update={"chains": tuple(chains)})), (LABEL, ALIAS), "backward"
        )
        return place if [getattr(bearer, "id", None) for bearer in builder.nodes(place)] == [matches[0].id] else None

    def _sentences(self, sentences: Sequence[str]) -> tuple[ScoredSentence, ...]:
        return tuple(self._scored[sentence] for sentence in sentences)

    def _seen(self, entailed: Entailed) -> tuple[int, ...]:
        places: dict[int, None] = {}
        for piece in entailed.evidence:
            if piece.excerpt is not None:
                at = piece.excerpt
                places[self.builder.passage(at.source, at.sha256, at.start, at.end, at.text)] = None
            for statement in piece.statements:
                places[self.builder.statement(statement)] = None
        return tuple(places)


def _stand_in(sentences: Sequence[str], text: str) -> bool:
    """Whether sentences stand in a text, one after another."""
    at = 0
    for sentence in sentences:
        start = text.find(sentence, at)
        if start < 0:
            return False
        at = start + len(sentence)
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
    question_words = content_words(question)
    evidence_words = frozenset[str]().union(*map(content_words, evidence))
    answers = [None if prediction is None else normalised(prediction) for prediction, _ in chains]
    sentences = [[content_words(sentence) - question_words for sentence in by_sentence] for _, by_sentence in chains]
    words = [frozenset[str]().union(*by_sentence) for by_sentence in sentences]
    by: dict[str, list[frozenset[str]]] = {}
    for prediction, chain_words in zip(answers, words, strict=True):
        if prediction is not None:
            by.setdefault(prediction, []).append(chain_words)
    shares = []
    for prediction, by_sentence, chain_words in zip(answers, sentences, words, strict=True):
        rivals = (rival for answer, of in by.items() if prediction and answer != prediction for rival in of)
        both = chain_words & frozenset[str]().union(*rivals)
        grounded = sum(not sentence.isdisjoint(evidence_words) for sentence in by_sentence)
        shares.append(
            Shares(
                grounded / len(by_sentence) if by_sentence else 0.0,
                len(both) / len(chain_words) if chain_words else 0.0,
            )
        )
    return shares


def _evidence_texts(piece: Evidence) -> Iterator[str]:
    """What evidence says: the text of a passage, the names and values of statements."""
    if piece.excerpt is not None:
        yield piece.excerpt.text
    for statement in piece.statements:
        nodes = (statement.subject, statement.object, *(qualifier.value for qualifier in statement.qualifiers))
        yield " ".join((node.label or "") if isinstance(node, Entity) else node.value for node in nodes)


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM:
            return word.removesuffix(ending)
    return word
