"""FiDeLiS with a language model: plan, select by number, verify, decide; the graph gives every candidate and value."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from toulmin.errors import BudgetError, ModelError, ReplyError, SettingsError
from toulmin.graph.subgraph import Subgraph
from toulmin.llm.budget import Budget
from toulmin.llm.prompts import data
from toulmin.llm.session import Session
from toulmin.methods.fidelis.question_words import asks_for, content_words
from toulmin.methods.fidelis.settings import FidelisSettings
from toulmin.methods.fidelis.starts import Start, likely_starts, told
from toulmin.methods.fidelis.with_model.candidate_scorers import Backbones, aligned
from toulmin.methods.fidelis.with_model.concluding import Concluder
from toulmin.methods.fidelis.with_model.dating import noted
from toulmin.methods.fidelis.with_model.events import Decided, Planned
from toulmin.methods.fidelis.with_model.further_starts import planned_starts, spelt_out, sure_starts
from toulmin.methods.fidelis.with_model.listing import Listed, with_values
from toulmin.methods.fidelis.with_model.prompter import Asker, Decision, Plan, Ruling, prompts
from toulmin.methods.fidelis.with_model.searching import Search, walked_paths
from toulmin.methods.fidelis.with_model.settings import GuidedSettings
from toulmin.methods.fidelis.with_model.trails import Grower, Trail, roots
from toulmin.methods.protocol import Answered, Called, Event, FellBack, Linked, QuestionContext, Searched
from toulmin.methods.request import Request
from toulmin.program.answer import Answer
from toulmin.program.builder import Builder
from toulmin.program.reasons import Nothing, Other, Reason, Stopped, Unknown, Unread
from toulmin.retrieval.schema import GraphSchema

__all__ = ["GuidedFidelis"]

_OFFERED = 12  # paths in the last step after a search
_VALUES = 15  # values shown of each of them
_FEW_VALUES = 4  # of all but the first, where the last step sees all candidates
_LAST = ("fidelis/answer", "fidelis/verdict")  # the prompts of the last step
_VERIFYING = ("fidelis/verify", "fidelis/adequacy")


class GuidedFidelis:
    """FiDeLiS with a model that plans, selects, verifies and decides.

    Raises:
        SettingsError: a scorer that is not known.
        MissingExtraError: an embedding model that is not installed.
    """

    name = "fidelis"

    def __init__(self, settings: GuidedSettings) -> None:
        self.settings = settings
        self._backbones = Backbones(self.settings)

    async def run(self, request: Request, context: QuestionContext) -> AsyncIterator[Event]:
        """Answer a question, or decide a claim.

        Raises:
            ModelError: the model cannot be reached, or gave nothing usable.
        """
        if context.model is None:
            raise SettingsError("fidelis in this form needs a language model: give one, on the command line by --model")
        budget = context.budget or Budget()
        bounds = [bound for bound in (budget.calls, self.settings.calls) if bound is not None]
        session = Session(context.model, replace(budget, calls=min(bounds, default=None)))
        asked = _Asked(request, context, self.settings, session)
        try:
            async for event in asked.run(self._backbones):
                for call in asked.asker.new_calls():
                    yield Called.of(call)
                yield event
        except ModelError:
            for call in asked.asker.new_calls():
                yield Called.of(call)
            raise


class _Asked:
    """One question."""

    def __init__(self, request: Request, context: QuestionContext, settings: GuidedSettings, session: Session) -> None:
        self.request, self.context, self.settings, self.session = request, context, settings, session
        self.question = request.question
        self.asker = Asker(session, settings)
        self.builder = Builder(self.question, context.graph)
        self.began = time.perf_counter()

    async def run(self, backbones: Backbones) -> AsyncIterator[Event]:
        retriever, settings = self.context.retriever, self.settings
        mentions = retriever.linker.link(self.question)
        doubtful, most = settings.doubtful_starts, settings.starts
        starts = likely_starts(mentions, FidelisSettings(starts=most)) if doubtful else sure_starts(mentions, most)
        yield Linked(entities=tuple(map(told, starts)))
        if not starts:
            yield self._abstained(Unread(words=((0, len(self.question), "names nothing in the graph"),)))
            return
        # What needs no plan is retrieved while the model makes it.
        planned, found = await asyncio.gather(
            self._plan(), asyncio.to_thread(self._retrieved, starts), return_exceptions=True
        )
        if isinstance(found, BaseException):
            raise found
        subgraph, schema, beside = found
        begin = roots(subgraph, starts)
        if isinstance(planned, ReplyError):
            yield FellBack(step=planned.step, problem=planned.problem, instead="the words of the question")
            planned = self._plain()
        elif isinstance(planned, BudgetError):
            yield self._abstained(self._stopped())
            return
        elif isinstance(planned, BaseException):
            raise planned
        plan = planned
        yield Planned(keywords=plan.keywords, plan=plan.steps, statement=plan.statement, asks=plan.asks)
        if settings.planned_starts:
            further = planned_starts(self.question, plan.steps, mentions, starts, retriever.linker, plan.names)
            further = [start for start in further if subgraph.index(start.entity.id) is not None]
            meant = spelt_out(starts, further, plan.names)
            if meant != starts:
                more = await asyncio.to_thread(self._aligned, further, subgraph, schema)
                beside = sorted((one for one in [*beside, *more] if one.start in meant), key=lambda one: -one.score)
                starts, begin = meant, roots(subgraph, meant)
                yield Linked(entities=tuple(map(told, starts)))
        grower = Grower(
            subgraph,
            backbones.scoring(plan.keywords, self.question, subgraph, retriever),
            settings,
        )
        search = Search(self.question, plan, subgraph, grower, self.asker, settings, beside)
        concluder = Concluder(self.builder, subgraph, starts, self.asker.model)
        offered: list[Trail]
        each = _VALUES
        if settings.search:
            try:
                async for event in search.run(begin):
                    yield event
            except BudgetError as error:
                yield FellBack(step="fidelis", problem=str(error), instead="what was verified so far")
                yield self._without_last_step(plan, search, concluder)
                return
            every = search.kept if settings.verified == "candidates" else [*search.finished, *search.selected]
            offered = every[:_OFFERED]
            if not settings.last_step:
                yield self._without_last_step(plan, search, concluder)
                return
        else:
            offered, each = search.candidates(begin, first=True), _FEW_VALUES
            for trail_start in starts:
                some = [trail for trail in offered if trail.start == trail_start]
                yield Searched(start=trail_start.entity, paths=walked_paths(subgraph, some))
        if not offered:
            yield self._abstained(Other(says="no path leads on from the entities of the question"))
            return
        async for event in self._last_step(plan, search, concluder, subgraph, offered, each):
            yield event

    def _retrieved(self, starts: Sequence[Start]) -> tuple[Subgraph, GraphSchema, list[Trail]]:
        """The sub-graph, its schema, and the paths with which the words of the question align."""
        subgraph, schema = self.context.retriever.around([start.entity.id for start in starts], self.settings.depth)
        return subgraph, schema, self._aligned(starts, subgraph, schema)

    def _aligned(self, starts: Sequence[Start], subgraph: Subgraph, schema: GraphSchema) -> list[Trail]:
        settings = self.settings
        if not settings.aligned or settings.unit == "entity":  # what is aligned are relations, without entities
            return []
        begin = roots(subgraph, starts)
        return aligned(self.question, begin, subgraph, schema, self.context.retriever, settings.depth)

    async def _plan(self) -> Plan:
        return await self.asker.plan(self.question, claim=self._claim) if self.settings.planning else self._plain()

    @property
    def _claim(self) -> bool:
        return self.request.task == "claim"

    def _plain(self) -> Plan:
        """What stands for a plan where there is none: the words of the question."""
        words = content_words(self.question) or (self.question,)
        asks = "yes or no" if self._claim else asks_for(self.question)
        return Plan(words, (), data(self.question, 1000), asks)

    async def _last_step(
        self, plan: Plan, search: Search, concluder: Concluder, subgraph: Subgraph, offered: Sequence[Trail], each: int
    ) -> AsyncIterator[Event]:
        shown = with_values(subgraph, offered, each, partial(noted, subgraph))
        try:
            if plan.asks == "yes or no":
                ruling = await self.asker.rule(self.question, plan.statement, shown)
                chosen, thought = ruling.paths, ruling.thought
                answer = self._ruled(plan, ruling, shown, concluder)
            else:
                decision = await self.asker.decide(self.question, shown)
                chosen, thought = decision.paths, decision.thought
                answer = self._decided(plan, decision, shown, concluder)
        except (ReplyError, BudgetError) as error:
            yield FellBack(step="fidelis", problem=str(error), instead="what was verified so far")
            yield self._without_last_step(plan, search, concluder)
            return
        yield Decided(paths=walked_paths(subgraph, [shown.trails[at] for at in chosen]), thought=thought)
        yield answer

    def _decided(self, plan: Plan, decision: Decision, shown: Listed, concluder: Concluder) -> Answered:
        if not decision.paths:
            said = f"by {self.asker.model} none of {len(shown.trails)} paths answers it: {decision.thought}"
            return self._abstained(Other(says=said))
        place = concluder.values(decision, shown, count=plan.asks == "number").place
        return self._read(place) if self.builder.nodes(place) else self._abstained(Nothing(of=place))

    def _ruled(self, plan: Plan, ruling: Ruling, shown: Listed, concluder: Concluder) -> Answered:
        """A verdict that is recomputed where the ruling says how, else judged over what the paths lead to."""
        place: int | None = None
        if ruling.compare is not None:
            left, sign, right = ruling.compare
            place = concluder.compared(shown.trails[left], sign, shown.trails[right])
        elif ruling.reaches is not None:
            path, value = ruling.reaches
            place = concluder.reaches(shown.trails[path], shown.values[value][1])
        if place is None:
            place = concluder.judged(plan.statement, ruling, [shown.trails[at] for at in ruling.paths])
        return self._read(place)

    def _without_last_step(self, plan: Plan, search: Search, concluder: Concluder) -> Answered:
        """The best checked answer without the last step: what verification found to follow."""
        if plan.asks == "yes or no" and search.finished:
            ruling = Ruling((), "the statement follows from these statements", "yes")
            return self._read(concluder.judged(plan.statement, ruling, search.finished))
        for trail in search.finished:
            place = concluder.answer(trail, count=plan.asks == "number")
            if place is not None:
                return self._read(place)
        return self._abstained(self._stopped())

    def _stopped(self) -> Reason:
        """Why nothing was decided."""
        if self.session.used_up is not None:
            return Stopped(what=self.session.used_up)
        return Other(says="there was no last step, and no path was found from which the answer follows")

    def _read(self, place: int) -> Answered:
        """The answer that a node yields, with the model's word that the question asks for it."""
        builder, told = self.builder, self._told()
        if builder.static(place).yields == "truth" and builder.truth(place) is None:
            unknown = Unknown(of=place)
            return self._answered(builder.abstain(unknown, tried=[place], by=told["model"], score=1.0, **told))
        return self._answered(builder.answer(place, by=told["model"], score=1.0, **told))

    def _abstained(self, reason: Reason) -> Answered:
        told = self._told()
        return self._answered(self.builder.abstain(reason, by=told["model"], **told))

    def _told(self) -> dict[str, Any]:
        """What every answer tells."""
        return {
            "method": GuidedFidelis.name,
            "model": self.asker.model,
            "prompts_hash": prompts().digest,
            "usage": self.session.usage(time.perf_counter() - self.began),
        }

    def _answered(self, answer: Answer) -> Answered:
        """An answer as an event.

        Raises:
            NothingUsableError: it is an abstention for want of a usable reply to what decides.
        """
        # Verification decides where the last step was not reached; there, a reply that says so counts as one.
        if answer.abstained and (error := self.session.nothing_usable(_LAST, *self._unreached())):
            error.usage = answer.usage
            raise error
        return Answered(answer=answer)

    def _unreached(self) -> tuple[tuple[str, ...], ...]:
        """The steps that decide where the last one was not taken."""
        return () if self.session.asked(*_LAST) else (_VERIFYING,)
