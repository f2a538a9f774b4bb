"""The method: sample outputs, look each sentence up, weigh it, and conclude by a vote or from the best facts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from typing import Any

from toulmin.entailment.protocol import Scorer
from toulmin.entailment.registry import get_scorer
from toulmin.errors import BudgetError, SettingsError
from toulmin.graph.labels import normalise
from toulmin.llm.session import Session
from toulmin.methods.protocol import Answered, Called, Context, Event
from toulmin.methods.rr.asking import Asker, prompts
from toulmin.methods.rr.chains import Chain, parse_chain
from toulmin.methods.rr.events import (
    ChainSampled,
    FactsGenerated,
    FactsSelected,
    Generated,
    Retrieved,
    Scored,
    Selected,
    Voted,
    Weighed,
)
from toulmin.methods.rr.evidence import Entailed, Found, entailed, faithfulness_of, look_up
from toulmin.methods.rr.faithfulness import Function
from toulmin.methods.rr.generation import Statement, generate
from toulmin.methods.rr.kinds import answers, asked_kind, called_for, tables_of
from toulmin.methods.rr.proving import Case, Sample
from toulmin.methods.rr.selection import topics
from toulmin.methods.rr.settings import RRSettings
from toulmin.proof.answer import Answer, Usage
from toulmin.proof.builder import ProofBuilder
from toulmin.proof.model import Proof
from toulmin.proof.operators.selection import FactSelection

__all__ = ["RR"]

_RECORDED = "recorded"  # who reasoned, where the outputs are given
_SHOWN = 3  # pieces of evidence that an event tells of a sentence


class RR:
    """Rethinking with retrieval (papers/rr) for yes/no questions, claims and questions with a short answer.

    Args:
        settings: None: the defaults.

    Raises:
        SettingsError: settings of another type.
    """

    name = "rr"

    def __init__(self, settings: Any = None) -> None:
        if settings is not None and not isinstance(settings, RRSettings):
            raise SettingsError(f"rr takes RRSettings, not {type(settings).__name__}")
        self.settings: RRSettings = settings or RRSettings()
        self._scorer: Scorer | None = None

    async def run(self, question: str, context: Context) -> AsyncIterator[Event]:
        """Answer a question; events come as they happen.

        Raises:
            SettingsError: there is neither a model nor a recorded output, or a multiple choice, or no such scorer.
            ModelError: the model cannot be reached.
        """
        if context.options:
            raise SettingsError("rr chooses among no options: take the method r3, with a language model")
        if context.model is None and not context.chains:
            raise SettingsError("rr needs a language model (--model), or recorded outputs in its place (--chains FILE)")
        told: asyncio.Queue[Event | None] = asyncio.Queue()
        run = _Run(self.settings, question, context, self._get_scorer, told.put_nowait)
        task = asyncio.create_task(run.answer())
        task.add_done_callback(lambda _: told.put_nowait(None))
        try:
            while (event := await told.get()) is not None:
                yield event
            yield Answered(answer=task.result())
        finally:
            task.cancel()

    def _get_scorer(self, context: Context) -> Scorer:
        """The scorer, opened once; one that asks the model is of the question that has the model's budget."""
        if self.settings.scorer.partition(":")[0] == "chat":
            return get_scorer(self.settings.scorer, model=context.model, budget=context.budget)
        if self._scorer is None:
            self._scorer = get_scorer(self.settings.scorer)
        return self._scorer


class _Run:
    """The answering of one question."""

    def __init__(
        self,
        settings: RRSettings,
        question: str,
        context: Context,
        scorer: Callable[[Context], Scorer],
        emit: Callable[[Event], None],
    ) -> None:
        self._began = time.perf_counter()
        self._settings, self._question, self._context = settings, question, context
        self._get_scorer, self._emit = scorer, emit
        self._session = Session(context.model, context.budget) if context.model is not None else None
        self._builder = ProofBuilder(question, context.graph)
        recorded = [parse_chain(text) for text in context.chains]
        self._kind = (
            asked_kind(question, context.task, context.knowledge, recorded)
            if settings.kind == "auto"
            else settings.kind
        )
        self._samples = [Sample.of(number, chain, settings) for number, chain in enumerate(recorded, 1)]
        self._asker = (
            Asker(self._session, settings, question, self._kind, self._tell) if self._session is not None else None
        )

    def _tell(self, event: Event) -> None:
        """Pass an event on, after the calls that led to it."""
        for call in self._session.drain() if self._session else ():
            self._emit(Called.of(call))
        self._emit(event)

    async def answer(self) -> Answer:
        """Sample, weigh, conclude; where the budget ends that, abstain."""
        proof: Proof | None = None
        with suppress(BudgetError):  # the answer tells of it, by ``stopped``
            proof = await self._proof()
        if proof is None:
            proof = self._abstain("the budget ended the search before anything was concluded")
        session = self._session
        for call in session.drain() if session else ():
            self._emit(Called.of(call))
        seconds = time.perf_counter() - self._began
        return self._builder.answer(
            proof,
            method=RR.name,
            usage=session.usage(seconds) if session else Usage(seconds=seconds),
            model=session.model if session else None,
            prompts_hash=prompts().digest if session else None,
        )

    async def _proof(self) -> Proof:
        knowledge, settings = self._context.knowledge, self._settings
        if self._asker is not None and not self._samples:
            texts = await self._asker.chains(tables_of(knowledge))
            self._samples = [Sample.of(number, parse_chain(text), settings) for number, text in enumerate(texts, 1)]
        voting = [answers(one.chain.prediction, self._kind) for one in self._samples]
        for one, votes in zip(self._samples, voting, strict=True):
            self._tell(
                ChainSampled(
                    number=one.number,
                    text=one.chain.text,
                    sentences=one.sentences,
                    prediction=one.chain.prediction if votes else None,
                )
            )
        if not any(voting):
            wanted = "" if self._kind == "short" else " of yes or no"
            return self._abstain(f"none of {len(self._samples)} outputs has a prediction{wanted}")
        function = self._function()
        if function == "equal":
            return await self._conclude(function, [], [], None)
        if knowledge is None:
            return self._abstain("no knowledge is given to weigh the outputs by (passages, tables, temporal, lexical)")
        sentences = list(dict.fromkeys(sentence for one in self._samples for sentence in one.sentences))
        embedder = self._context.retriever.embedder
        found = await asyncio.to_thread(look_up, sentences, knowledge, embedder, self._question, settings)
        self._tell_found(found)
        if not any(one.evidence for one in found):
            return self._abstain(f"{knowledge.name}: nothing was found for any sentence of the outputs")
        scorer = await asyncio.to_thread(self._get_scorer, self._context)
        scored = await asyncio.to_thread(entailed, found, scorer, settings)
        return await self._conclude(function, found, scored, scorer)

    def _function(self) -> Function:
        settings, knowledge = self._settings, self._context.knowledge
        if settings.variant == "self-consistency":
            return "equal"
        if settings.function != "auto":
            return settings.function
        return called_for(knowledge) if knowledge is not None else "f1"

    async def _conclude(
        self, function: Function, found: Sequence[Found], scored: Sequence[Entailed], scorer: Scorer | None
    ) -> Proof:
        settings = self._settings
        by = self._session.model if self._session and not self._context.chains else _RECORDED
        case = Case(self._builder, settings, self._kind, function, by, scorer.name if scorer else "")
        case.add(self._samples, scored)
        vote, arguments, cast = case.vote(self._samples)
        weights = dict(zip([one.number for one in self._samples], [one.weight for one in cast], strict=True))
        terms = dict(
            zip(
                [one.sentence for one in scored],
                faithfulness_of(scored, function, settings.thresholds),
                strict=True,
            )
        )
        if scorer is not None:
            self._tell(
                Scored(
                    scorer=scorer.name,
                    function=function,
                    sentences=tuple(_weighed(one, terms[one.sentence]) for one in scored),
                )
            )
        prediction = case.said(vote)
        counted = [one for one, ballot in zip(self._samples, cast, strict=True) if ballot.prediction is not None]
        backing = [one for one in counted if normalise(one.chain.prediction or "") == normalise(prediction)]
        self._tell(
            Voted(
                function=function,
                weights=weights,
                scores=case.scores(arguments, cast),
                prediction=prediction,
                best=max(backing, key=lambda one: weights[one.number]).number,
            )
        )
        if settings.variant not in ("selection", "generation") or scorer is None:
            return case.conclude(vote)
        best = max(counted, key=lambda one: weights[one.number])
        return await self._from_facts(case, vote, best, found, terms, scorer)

    async def _from_facts(
        self,
        case: Case,
        vote: str,
        best: Sample,
        found: Sequence[Found],
        terms: dict[str, float],
        scorer: Scorer,
    ) -> Proof:
        """Variants I and II: a reader concludes from the supporting facts (papers/rr, 5.3)."""
        groups = await asyncio.to_thread(self._topics, best)
        selection, facts = case.choose(vote, groups)
        topic = {sentence: group for group in groups for sentence in group}
        self._tell(
            FactsSelected(
                facts=tuple(
                    Selected(
                        fact=fact,
                        instead_of=next((own for own in best.sentences if own in topic[fact]), fact),
                        faithfulness=terms[fact],
                        topic=tuple(topic[fact]),
                    )
                    for fact in facts
                )
            )
        )
        if self._asker is None:
            shown = "; ".join(f"{fact} ({terms[fact]:.2f})" for fact in facts)
            reason = f"no model reads the selected facts (with their faithfulness): {shown}"
            return case.unread(case.select(selection), reason)
        reader: Chain | None = None
        with suppress(BudgetError):  # the answer tells of it, by ``stopped``
            if self._settings.variant == "generation":
                made = await self._generated(self._asker, facts, groups, found, scorer)
                if made:
                    selection, facts = self._taken(case, vote, facts, groups, made, self._asker.session.model)
            reader = await self._asker.read(facts)
        if reader is None:
            return case.unread(case.select(selection), self._why("the reader concluded nothing from the facts"))
        return case.conclude(case.read(case.select(selection), reader, self._asker.session.model))

    async def _generated(
        self,
        asker: Asker,
        facts: Sequence[str],
        groups: Sequence[Sequence[str]],
        found: Sequence[Found],
        scorer: Scorer,
    ) -> list[tuple[Statement, Entailed]]:
        """Statements that no output makes, generated from the evidence for facts, and scored with it."""
        pieces = {one.sentence: one.evidence[: self._settings.candidates] for one in found}
        known = {sentence for group in groups for sentence in group}
        made: dict[str, Statement] = {}
        for one in await generate(asker, facts, [pieces[fact] for fact in facts]):
            if one.text not in known:
                made.setdefault(one.text, one)
        scored = await asyncio.to_thread(self._score_made, list(made.values()), scorer) if made else []
        return list(zip(made.values(), scored, strict=True))

    def _taken(
        self,
        case: Case,
        vote: str,
        facts: Sequence[str],
        groups: Sequence[Sequence[str]],
        made: Sequence[tuple[Statement, Entailed]],
        by: str,
    ) -> tuple[FactSelection, list[str]]:
        """The selection in which generated facts compete with the selected fact that they were asked about."""
        wider = [[*group, *(one.text for one, _ in made if facts[one.question.fact] in group)] for group in groups]
        selection, kept = case.choose(vote, wider, [scored for _, scored in made], by=by)
        self._tell(
            FactsGenerated(
                generated=tuple(
                    Generated(
                        fact=facts[one.question.fact],
                        question=one.question.text,
                        answer=one.answer,
                        statement=one.text,
                        entailment=said.entailment,
                        contradiction=said.contradiction,
                        kept=one.text in kept,
                    )
                    for one, said in made
                ),
                facts=tuple(kept),
            )
        )
        return selection, kept

    def _score_made(self, made: Sequence[Statement], scorer: Scorer) -> list[Entailed]:
        vectors = self._context.retriever.embedder.embed(
            [text for one in made for text in (one.text, one.evidence.text)]
        )
        cosines = (vectors[::2] * vectors[1::2]).sum(axis=1)
        found = [Found(one.text, (one.evidence,), (float(cosine),)) for one, cosine in zip(made, cosines, strict=True)]
        return entailed(found, scorer, self._settings)

    def _topics(self, best: Sample) -> list[list[str]]:
        """All sentences by topic; those of the best output open topics first."""
        sentences = list(dict.fromkeys([*best.sentences, *(text for one in self._samples for text in one.sentences)]))
        vectors = self._context.retriever.embedder.embed(sentences)
        return [[sentences[place] for place in group] for group in topics(vectors, self._settings.topic)]

    def _abstain(self, reason: str) -> Proof:
        return self._builder.abstain(self._why(reason), kind="values" if self._kind == "short" else "verdict")

    def _why(self, reason: str) -> str:
        """The reason of an abstention, with what the budget or failed steps have to do with it."""
        parts, session = [reason], self._session
        if session is not None and session.stopped:
            parts.append(f"stopped early: {session.stopped}")
        if session is not None and session.failures:
            failures = ", ".join(f"{name} {count}" for name, count in sorted(session.failures.items()))
            parts.append(f"steps without a usable reply: {failures}")
        return "; ".join(parts)

    def _tell_found(self, found: Sequence[Found]) -> None:
        for one in found:
            self._tell(
                Retrieved(
                    sentence=one.sentence,
                    evidence=tuple(piece.text for piece in one.evidence[:_SHOWN]),
                    of=len(one.evidence),
                )
            )


def _weighed(one: Entailed, faithfulness: float) -> Weighed:
    sources = [
        source
        for piece in one.evidence
        for source in (
            *([piece.excerpt.source] if piece.excerpt else ()),
            *(statement.id for statement in piece.statements),
        )
    ]
    return Weighed(
        sentence=one.sentence,
        evidence=tuple(piece.text for piece in one.evidence),
        sources=tuple(sources),
        similarity=one.similarity,
        entailment=one.entailment,
        unknown=one.unknown,
        contradiction=one.contradiction,
        faithfulness=faithfulness,
    )
