"""FiDeLiS with a language model: plan, select by number, verify, decide; the graph gives every candidate and value."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from toulmin.errors import BudgetError, ReplyError
from toulmin.graph.subgraph import Subgraph
from toulmin.llm.prompts import data
from toulmin.methods.answering import Answering
from toulmin.methods.fidelis.walking import Start, Trail
from toulmin.methods.fidelis.with_model.concluding import Concluder
from toulmin.methods.fidelis.with_model.dating import noted
from toulmin.methods.fidelis.with_model.further_starts import planned_starts, spelt_out, sure_starts
from toulmin.methods.fidelis.with_model.listing import Listed, with_values
from toulmin.methods.fidelis.with_model.path_prompter import Decision, PathPrompter, Ruling, SearchPlan
from toulmin.methods.fidelis.with_model.searching import CandidateScorers, Grower, Search, read_trails, walked_paths
from toulmin.methods.fidelis.with_model.settings import GuidedSettings
from toulmin.methods.protocol import Event, FellBack, Searched, WalkedPath
from toulmin.methods.question.unread_words import asks_for, content_words
from toulmin.program.answer import Answer
from toulmin.program.reasons import Nothing, Other, Reason, Stopped, Unknown, Unread

__all__ = ["Decided", "GuidedFidelis", "Planned"]

_OFFERED = 12  # paths in the last step after a search
_VALUES = 15  # values shown of each of them
_FEW_VALUES = 4  # of all but the first, where the last step sees all candidates
_STATEMENT = 1000  # characters of the question where it stands for the statement
_LAST = ("fidelis/answer", "fidelis/verdict")  # the prompts of the last step
_VERIFYING = ("fidelis/verify", "fidelis/adequacy")


class Planned(Event):
    """Keywords, plan and statement, as the model gave them or as the words of the question stand for them."""

    event: str = "planned"
    keywords: tuple[str, ...]
    plan: tuple[str, ...]
    statement: str
    asks: str


class Decided(Event):
    """What the last step decided, and the model's reason in a sentence."""

    event: str = "decided"
    paths: tuple[WalkedPath, ...]
    thought: str


@dataclass(slots=True)
class GuidedFidelis(Answering):
    """Answers one question with a model that plans, selects, verifies and decides."""

    settings: GuidedSettings
    scorers: CandidateScorers = field(kw_only=True)
    _asker: PathPrompter = field(init=False)

    def __post_init__(self) -> None:
        self._asker = PathPrompter(self.prompter, self.settings, self.request.question)

    async def answered(self) -> Answer:
        """Answer the question, or decide the claim.

        Raises:
            ModelError: the model cannot be reached, or gave nothing usable.
        """
        retriever, settings, question = self.context.retriever, self.settings, self.request.question
        mentions = retriever.linker.link(question)
        of_mentions = Start.likely if settings.doubtful_starts else sure_starts
        starts = of_mentions(mentions, settings.starts)
        self.emit(Start.linked(starts))
        if not starts:
            return self._abstained(Unread(words=((0, len(question), "names nothing in the graph"),)))
        # What needs no plan is retrieved while the model makes it.
        plan, retrieved = await asyncio.gather(
            self._plan(), asyncio.to_thread(self._retrieved, starts), return_exceptions=True
        )
        if isinstance(retrieved, BaseException):
            raise retrieved
        subgraph, beside = retrieved
        begin = Trail.roots(subgraph, starts)
        if isinstance(plan, ReplyError):
            self.emit(FellBack(step=plan.step, problem=plan.problem, instead="the words of the question"))
            plan = self._plain()
        elif isinstance(plan, BudgetError):
            return self._abstained(self._stopped())
        elif isinstance(plan, BaseException):
            raise plan
        self.emit(Planned(keywords=plan.keywords, plan=plan.steps, statement=plan.statement, asks=plan.asks))
        if settings.planned_starts:
            further = planned_starts(question, plan.steps, mentions, starts, retriever.linker, plan.names)
            further = [start for start in further if subgraph.index(start.entity.id) is not None]
            resolved = spelt_out(starts, further, plan.names)
            if resolved != starts:
                more = await asyncio.to_thread(self._read_trails, further, subgraph)
                beside = sorted(
                    (trail for trail in [*beside, *more] if trail.start in resolved), key=lambda trail: -trail.score
                )
                starts, begin = resolved, Trail.roots(subgraph, resolved)
                self.emit(Start.linked(starts))
        grower = Grower(subgraph, self.scorers.step_scorer(plan.keywords, question, subgraph, retriever), settings)
        search = Search(plan, subgraph, grower, self._asker, settings, beside, self.emit)
        concluder = Concluder(self.builder, subgraph, starts, self.prompter.model)
        if settings.search:
            try:
                await search.run(begin)
            except BudgetError as error:
                return self._without_last_step(search, concluder, error)
            every = search.kept if settings.verified == "candidates" else [*search.finished, *search.selected]
            offered, values_shown = every[:_OFFERED], _VALUES
            if not settings.last_step:
                return self._without_last_step(search, concluder)
        else:
            offered, values_shown = search.candidates(begin, first=True), _FEW_VALUES
            for start in starts:
                of_start = [trail for trail in offered if trail.start == start]
                self.emit(Searched(start=start.entity, paths=walked_paths(subgraph, of_start)))
        if not offered:
            return self._abstained(Other(says="no path leads on from the entities of the question"))
        shown = with_values(subgraph, offered, values_shown, partial(noted, subgraph))
        return await self._last_step(search, concluder, shown)

    def _retrieved(self, starts: Sequence[Start]) -> tuple[Subgraph, list[Trail]]:
        """The sub-graph, and the relation paths that the reader takes the question for."""
        subgraph = self.context.retriever.subgraph([start.entity.id for start in starts], self.settings.depth)
        return subgraph, self._read_trails(starts, subgraph)

    def _read_trails(self, starts: Sequence[Start], subgraph: Subgraph) -> list[Trail]:
        settings = self.settings
        if not settings.reader or settings.unit == "entity":  # what is read are relations, without entities
            return []
        return read_trails(self.request.question, Trail.roots(subgraph, starts), subgraph, self.context.retriever)

    async def _plan(self) -> SearchPlan:
        if not self.settings.planning:
            return self._plain()
        return await self._asker.plan(claim=self.request.task == "claim")

    def _plain(self) -> SearchPlan:
        """What stands for a plan where there is none: the words of the question."""
        words = content_words(self.request.question) or (self.request.question,)
        asks = "yes or no" if self.request.task == "claim" else asks_for(self.request.question)
        return SearchPlan(words, (), data(self.request.question, _STATEMENT), asks)

    async def _last_step(self, search: Search, concluder: Concluder, shown: Listed) -> Answer:
        last: Ruling | Decision
        plan = search.plan
        try:
            if plan.asks == "yes or no":
                last = await self._asker.rule(plan.statement, shown)
                answer = self._ruled(plan, last, shown, concluder)
            else:
                last = await self._asker.decide(shown)
                answer = self._decided(plan, last, shown, concluder)
        except (ReplyError, BudgetError) as error:
            return self._without_last_step(search, concluder, error)
        paths = walked_paths(search.subgraph, [shown.trails[at] for at in last.paths])
        self.emit(Decided(paths=paths, thought=last.thought))
        return answer

    def _decided(self, plan: SearchPlan, decision: Decision, shown: Listed, concluder: Concluder) -> Answer:
        if not decision.paths:
            why = f"by {self.prompter.model} none of {len(shown.trails)} paths answers it: {decision.thought}"
            return self._abstained(Other(says=why))
        place = concluder.values(decision, shown, count=plan.asks == "number")
        return self._read(place) if self.builder.nodes(place) else self._abstained(Nothing(of=place))

    def _ruled(self, plan: SearchPlan, ruling: Ruling, shown: Listed, concluder: Concluder) -> Answer:
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

    def _without_last_step(self, search: Search, concluder: Concluder, error: Exception | None = None) -> Answer:
        """The best checked answer without the last step: what verification found to follow.

        Args:
            error: why there was no last step, where it was to be.
        """
        plan = search.plan
        if error is not None:
            self.emit(FellBack(step="fidelis", problem=str(error), instead="what was verified so far"))
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
        if self.prompter.session.used_up is not None:
            return Stopped(what=self.prompter.session.used_up)
        return Other(says="there was no last step, and no path was found from which the answer follows")

    def _read(self, place: int) -> Answer:
        """The answer that a node yields, with the model's word that the question asks for it."""
        builder = self.builder
        if builder.static(place).yields == "truth" and builder.truth(place) is None:
            return self._abstained(Unknown(of=place), tried=[place], score=1.0)
        return self._usable(builder.answer(place, by=self.prompter.model, score=1.0, **self.prompter.provenance()))

    def _abstained(self, reason: Reason, **more: Any) -> Answer:
        return self._usable(self.builder.abstain(reason, **more, by=self.prompter.model, **self.prompter.provenance()))

    def _usable(self, answer: Answer) -> Answer:
        """The answer.

        Raises:
            NothingUsableError: it is an abstention for want of a usable reply to what decides.
        """
        # Verification decides where the last step was not reached; there, a reply that says so counts as one.
        deciding = (_LAST,) if self.prompter.session.asked(*_LAST) else (_LAST, _VERIFYING)
        if answer.abstained and (error := self.prompter.session.nothing_usable(*deciding)):
            error.usage = answer.usage
            raise error
        return answer
