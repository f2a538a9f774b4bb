"""The method: sample outputs, look each sentence up, weigh it, and conclude by a vote or from the best facts."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import compress
from typing import Any, ClassVar

from toulmin.entailment.chat import ChatScorer
from toulmin.entailment.protocol import Scorer
from toulmin.entailment.registry import get_scorer
from toulmin.errors import BudgetError, NothingUsableError, ReplyError
from toulmin.llm.protocol import Model
from toulmin.llm.session import Meter, Session
from toulmin.llm.wire import one_line
from toulmin.methods.answering import Answering, AnsweringMethod
from toulmin.methods.protocol import Emit, Event, QuestionContext
from toulmin.methods.request import Request
from toulmin.methods.rr.chain_prompter import CHAINS, ChainPrompter
from toulmin.methods.rr.chains import is_of_kind, normalised, parse_chain, question_kind, tables_of
from toulmin.methods.rr.sentence_scores import (
    Entailed,
    FoundEvidence,
    faithfulness_of,
    function_for,
    look_up_evidence,
    score_sentences,
)
from toulmin.methods.rr.settings import FORMS, Kind, RRSettings
from toulmin.methods.rr.supporting import FactReading
from toulmin.methods.rr.voting import Case, Conclusion, Sample, calibration
from toulmin.program.answer import Answer
from toulmin.program.json_forms import CertificateModel
from toulmin.program.reasons import Other, Reason, Split, Stopped, Unsure, Unusable
from toulmin.program.weighing import TERMS, Function

__all__ = ["RR", "ChainSampled", "EvidenceRetrieved", "Scored", "Voted", "Weighed"]

_LEAST = 1e-9  # of a weight: what is less is 0
_RECORDED = "recorded"  # who reasoned, where the outputs are given
_HALVES = re.compile("[\ud800-\udfff]")  # of characters: JSON can hold them, and nothing can send or embed them
_SHOWN = 3  # pieces of evidence that an event tells of a sentence
_NO_KNOWLEDGE = "no knowledge is given to weigh the outputs by (passages, tables, temporal, lexical)"
_BEGINNING = 80  # characters of an output that an error shows


class ChainSampled(Event):
    """An output was sampled, or taken from the record.

    Args:
        number: from 1.
        sentences: of its explanation that are weighed.
        prediction: None: none can be read in it, or none of the kind that is asked for; it has no vote.
    """

    event: str = "chain"
    number: int
    text: str
    sentences: tuple[str, ...]
    prediction: str | None


class EvidenceRetrieved(Event):
    """What was found for a sentence, the most similar first.

    Args:
        sentence: that was looked up; the question, in query-based retrieval.
        of: how many pieces of evidence were found; the first ones are shown.
    """

    event: str = "retrieved"
    sentence: str
    evidence: tuple[str, ...]
    of: int


class Weighed(CertificateModel):
    """A sentence with the evidence laid beside it.

    Args:
        evidence: the words laid before the scorer, and where they are from; empty where nothing was found.
        similarity: the cosine of sentence and evidence; None where nothing was found.
        faithfulness: what the sentence adds to the faithfulness of an output.
    """

    sentence: str
    evidence: tuple[str, ...]
    sources: tuple[str, ...]
    similarity: float | None
    entailment: float
    unknown: float
    contradiction: float
    faithfulness: float

    @property
    def words(self) -> str:
        """As a trace shows it."""
        if not self.evidence:
            return f"{self.sentence} (nothing found)"
        return (
            f"{self.sentence} (entailed {self.entailment:.2f}, contradicted {self.contradiction:.2f}, "
            f"similar {self.similarity or 0.0:.2f}, adds {self.faithfulness:.2f})"
        )


class Scored(Event):
    """All sentences were scored in one batch."""

    event: str = "scored"
    scorer: str
    function: str
    sentences: tuple[Weighed, ...]


class Voted(Event):
    """What the outputs speak for.

    Args:
        function: of faithfulness, or "equal".
        weights: f(R) of each output by its number.
        scores: of each prediction.
        prediction: that wins.
        best: the number of the most faithful output that has it.
        tied: several predictions have the same score, and the tie rule decided.
    """

    event: str = "voted"
    function: str
    weights: dict[int, float]
    scores: dict[str, float]
    prediction: str
    best: int
    tied: bool


@dataclass(slots=True)
class _RRRun(Answering):
    """The answering of one question.

    Args:
        opened_scorer: by the model and the meter of all that is asked of it.
    """

    settings: RRSettings
    opened_scorer: Callable[[Model | None, Meter | None], Scorer] = field(kw_only=True)
    _kind: Kind = field(init=False)
    _samples: list[Sample] = field(init=False)
    _asker: ChainPrompter | None = field(init=False)
    _asked_by_scorer: ChatScorer | None = None

    def __post_init__(self) -> None:
        request, settings = self.request, self.settings
        recorded = [parse_chain(_HALVES.sub("\ufffd", text)) for text in request.chains]
        kind = question_kind(request.question, request.task, request.knowledge, recorded)
        self._kind = kind if settings.kind == "auto" else settings.kind
        self._samples = [Sample.of(number, chain, settings) for number, chain in enumerate(recorded, 1)]
        self._asker = ChainPrompter(self, self._kind) if self._session else None

    @property
    def _session(self) -> Session | None:
        """The calls of the model; None: there is none, and outputs are recorded."""
        return self.prompter.session if self.context.model is not None else None

    async def answered(self) -> Answer:
        """Sample, weigh, conclude; where the budget ends that, abstain.

        Raises:
            SettingsError: there is no such scorer.
            NothingUsableError: nothing is concluded, for want of a usable reply.
        """
        unusable: NothingUsableError | None = None
        try:
            concluded = await self._concluded()
        except BudgetError:
            concluded = Conclusion(reasons=(Stopped(what=self.prompter.session.used_up or "calls"),))
        except NothingUsableError as error:
            unusable, concluded = error, Conclusion(reasons=(Unusable(times=sum(error.replies.values())),))
        finally:
            if self._asked_by_scorer is not None:  # its thread ends here
                await asyncio.to_thread(self._asked_by_scorer.close)
        answer = self._answer(concluded)
        deciding = (tuple(f"rr/{name}" for name in CHAINS.values()), ("rr/read",))
        if answer.abstained and self._session is not None:
            unusable = unusable or self._session.nothing_usable(*deciding)
        if unusable is not None:
            unusable.usage = answer.usage
            raise unusable
        return answer

    def _answer(self, concluded: Conclusion) -> Answer:
        """The certificate of a conclusion."""
        made = self._provenance()
        if concluded.place is not None:
            answer = self.builder.answer(concluded.place, by=self._by, score=1.0, **made)
        else:
            failures = self._session.failures.total() if self._session else 0
            reasons: list[Reason] = [*concluded.reasons]
            if failures and not any(isinstance(reason, Unusable) for reason in reasons):
                reasons.append(Unusable(times=failures))
            by = self._by if concluded.tried else None
            answer = self.builder.abstain(reasons, tried=concluded.tried, by=by, score=1.0, **made)
        trace = {**answer.certificate["trace"], **concluded.trace}
        return Answer({**answer.certificate, "trace": trace})

    def _provenance(self) -> dict[str, Any]:
        """As the prompter tells it: its meter has counted also what the scorer asked; no model that nobody asked."""
        made = self.prompter.provenance()
        if (scorer := self._asked_by_scorer) is not None:
            failures = dict(Counter(made["usage"].failures) + Counter(scorer.usage.failures))
            made["usage"] = made["usage"].model_copy(update={"failures": failures})
        elif not self.prompter.asked:
            made = {"method": made["method"], "usage": made["usage"]}
        return made

    @property
    def _by(self) -> str:
        """Who reasoned in the outputs."""
        return self._session.model if self._session and not self.request.chains else _RECORDED

    async def _concluded(self) -> Conclusion:
        knowledge, settings = self.request.knowledge, self.settings
        function = self._function()
        if knowledge is None and function != "equal" and not self._samples:  # no output is paid for
            return _other(_NO_KNOWLEDGE)
        if self._asker is not None and not self._samples:
            outputs = await self._asker.chains(tables_of(knowledge))
            self._samples = [Sample.of(number, parse_chain(text), settings) for number, text in enumerate(outputs, 1)]
        voting = [is_of_kind(sample.chain.prediction, self._kind) for sample in self._samples]
        for sample, votes in zip(self._samples, voting, strict=True):
            self.emit(
                ChainSampled(
                    number=sample.number,
                    text=sample.chain.text,
                    sentences=sample.sentences,
                    prediction=sample.chain.prediction if votes else None,
                )
            )
        if not any(voting):
            if self._samples and not self.request.chains:
                problem = "it states no answer" + ("" if self._kind == "short" else " of yes or no")
                last = one_line(self._samples[-1].chain.text)[:_BEGINNING]
                raise NothingUsableError({f"rr/{CHAINS[self._kind]}": len(self._samples)}, problem, last)
            return self._split()
        if function == "equal":
            return await self._conclude(function, [], [], None)
        if knowledge is None:
            return _other(_NO_KNOWLEDGE)
        sentences = list(dict.fromkeys(sentence for sample in self._samples for sentence in sample.sentences))
        embedder, question = self.context.retriever.embedder, self.request.question
        evidence = await asyncio.to_thread(look_up_evidence, sentences, knowledge, embedder, question, settings)
        for looked_up in evidence:
            texts = tuple(piece.text for piece in looked_up.evidence[:_SHOWN])
            self.emit(EvidenceRetrieved(sentence=looked_up.sentence, evidence=texts, of=len(looked_up.evidence)))
        if function in TERMS and not any(looked_up.evidence for looked_up in evidence):
            return _other(f"{knowledge.name}: nothing was found for any sentence of the outputs")
        meter = self._session.meter if self._session else None
        scorer = await asyncio.to_thread(self.opened_scorer, self.context.model, meter)
        self._asked_by_scorer = scorer if isinstance(scorer, ChatScorer) else None
        try:
            scored = await asyncio.to_thread(score_sentences, evidence, scorer, settings)
        except ReplyError as error:  # of a chat model that scores
            raise NothingUsableError.of(error) from None
        return await self._conclude(function, evidence, scored, scorer)

    def _function(self) -> Function:
        settings, knowledge = self.settings, self.request.knowledge
        if settings.variant == "self-consistency":
            return "equal"
        if settings.function != "auto":
            return settings.function
        return function_for(knowledge) if knowledge is not None else "f1"

    def _case(self, function: Function, scorer: Scorer | None) -> Case:
        return Case(self.builder, self.settings, self._kind, function, self._by, scorer.name if scorer else "")

    def _split(self) -> Conclusion:
        """The abstention where no output has a vote."""
        if not self._samples:
            return _other("there is no output")
        place = self.builder.add(self._case("equal", None).cast(self._samples).node)
        return Conclusion(reasons=(Split(of=place),), tried=(place,))

    async def _conclude(
        self, function: Function, evidence: Sequence[FoundEvidence], scored: Sequence[Entailed], scorer: Scorer | None
    ) -> Conclusion:
        settings, case = self.settings, self._case(function, scorer)
        case.add(scored)
        cast = case.cast(self._samples)
        tally = cast.tally
        assert tally is not None  # noqa: S101  (some output votes)
        thresholds = replace(settings.thresholds, weights=calibration().weights)
        terms = dict(
            zip([entailed.sentence for entailed in scored], faithfulness_of(scored, function, thresholds), strict=True)
        )
        if scorer is not None:
            self.emit(
                Scored(
                    scorer=scorer.name,
                    function=function,
                    sentences=tuple(_weighed(entailed, terms[entailed.sentence]) for entailed in scored),
                )
            )
        self.emit(
            Voted(
                function=function,
                weights=dict(zip([sample.number for sample in self._samples], cast.weights, strict=True)),
                scores={normalised(prediction): score for prediction, score in tally.scores.items()},
                prediction=tally.prediction,
                best=self._samples[tally.best].number,
                tied=tally.tied,
            )
        )
        if settings.abstain and not any(compress(cast.weights, cast.votes)):
            place = self.builder.add(cast.node)
            why = Other(says="the evidence bears out none of the outputs, and contradicts none: all weigh 0")
            return Conclusion(reasons=(why, Unsure(of=place, score=0.0, needed=_LEAST)), tried=(place,))
        if settings.variant not in ("selection", "generation") or scorer is None:
            return Conclusion(case.answer(cast.node, tally.prediction))
        voting = compress(range(len(self._samples)), cast.votes)
        best = self._samples[max(voting, key=cast.weights.__getitem__)]  # of several of most weight the first
        reading = FactReading(self, self._asker, case, self._samples, best, evidence, terms, thresholds, scorer)
        return await reading.concluded()


class RR(AnsweringMethod):
    """Rethinking with retrieval (papers/rr) for yes/no questions, claims and questions with a short answer."""

    name: ClassVar[str] = "rr"
    title: ClassVar[str] = "Sampled chains of thought, weighed by what knowledge bears out"
    source: ClassVar[str] = "Rethinking with Retrieval (He et al., 2022)"
    takes = frozenset({"claim", "chains", "knowledge"})
    settings: RRSettings

    def __init__(self, settings: Any = None) -> None:
        super().__init__(settings)
        self._scorer: Scorer | None = None
        self.answering = partial(_RRRun, opened_scorer=self._opened_scorer)

    @classmethod
    def forms(cls) -> Mapping[str, RRSettings]:
        """See ``FORMS``."""
        return FORMS

    def most_calls(self, options: int = 0) -> int | None:
        """One an output; one more for the last word over selected facts, four more to generate them."""
        if self.settings.scorer.partition(":")[0] == "chat":
            return None  # as many as there are sentences with evidence
        outputs = max(self.settings.samples(kind) for kind in CHAINS)
        return outputs + {"selection": 1, "generation": 5}.get(self.settings.variant, 0)

    async def answer(self, request: Request, context: QuestionContext, emit: Emit) -> Answer:
        """See ``AnsweringMethod.answer``; that a generated fact cannot be scored is told as the scorer tells it."""
        try:
            return await super().answer(request, context, emit)
        except NothingUsableError as error:
            raise error.__cause__ or error from None

    def _opened_scorer(self, model: Model | None, meter: Meter | None) -> Scorer:
        """The scorer, opened once; one that asks the model is of one question, which closes it.

        Args:
            meter: of all that is asked of the model for this question.
        """
        if self.settings.scorer.partition(":")[0] == "chat":
            return get_scorer(self.settings.scorer, model=model, budget=meter)
        if self._scorer is None:
            self._scorer = get_scorer(self.settings.scorer)
        return self._scorer


def _other(says: str) -> Conclusion:
    return Conclusion(reasons=(Other(says=says),))


def _weighed(entailed: Entailed, faithfulness: float) -> Weighed:
    sources: list[str] = []
    for piece in entailed.evidence:
        sources += [piece.excerpt.source] if piece.excerpt else []
        sources += [statement.id for statement in piece.statements]
    return Weighed(
        sentence=entailed.sentence,
        evidence=tuple(piece.text for piece in entailed.evidence),
        sources=tuple(sources),
        similarity=entailed.similarity,
        entailment=entailed.entailment,
        unknown=entailed.unknown,
        contradiction=entailed.contradiction,
        faithfulness=faithfulness,
    )
