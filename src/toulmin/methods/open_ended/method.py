"""The method: link, retrieve, have a text written that cites, hold each sentence against what it cites."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from toulmin.entailment.chat import ChatScorer
from toulmin.entailment.protocol import Scorer
from toulmin.entailment.registry import get_scorer
from toulmin.errors import BudgetError, NothingUsableError, ReplyError
from toulmin.graph.local import LocalGraph
from toulmin.graph.subgraph import Subgraph
from toulmin.methods.open_ended.drafting import Draft, drafts, most_alike, prompts_for
from toulmin.methods.open_ended.events import Drafted, Retrieved
from toulmin.methods.open_ended.holding import Cited, Holder
from toulmin.methods.open_ended.settings import FORMS, OpenEndedSettings
from toulmin.methods.prompting import Prompter
from toulmin.methods.protocol import Context, Emit, Linked, LinkedEntity, Method
from toulmin.methods.request import Request
from toulmin.program.answer import Answer, Usage
from toulmin.program.builder import Builder
from toulmin.program.reasons import Other, Reason, Stopped
from toulmin.retrieval.linking import Mention
from toulmin.retrieval.open_ended import PrizeRetriever
from toulmin.retrieval.open_ended import Retrieved as Found

__all__ = ["UNCITED", "OpenEnded"]

#: Why a sentence that cites nothing is not checked.
UNCITED = "uncited: it names no statement that it rests on"

_STARTS = 8  # linked entities
_LEAST = 0.3  # the weight of a mention from which on its words are taken for a name


class OpenEnded(Method):
    """Open-ended questions (papers/okgqa, section 4): triples, paths or a sub-graph, and a text that cites them.

    Args:
        settings: None: the defaults.

    Raises:
        SettingsError: settings of another type.
    """

    name: ClassVar[str] = "open-ended"
    title: ClassVar[str] = "A paragraph whose sentences cite retrieved statements, each held against what it cites"
    source: ClassVar[str] = "OKGQA (Sui et al., 2024)"
    settings: OpenEndedSettings

    def __init__(self, settings: Any = None) -> None:
        super().__init__(settings)
        self._scorer: Scorer | None = None
        self._retriever: PrizeRetriever | None = None

    @classmethod
    def forms(cls) -> Mapping[str, OpenEndedSettings]:
        """See ``FORMS``."""
        return FORMS

    def most_calls(self) -> int | None:
        """One: several samples are one request. Where the model also splits or scores, there is no bound."""
        asks = self.settings.scorer.partition(":")[0] == "chat" or self.settings.split == "model"
        return None if asks else 1

    async def answer(self, request: Request, context: Context, emit: Emit) -> Answer:
        """Answer a question; events come as they happen.

        Raises:
            SettingsError: there is no model, or no such scorer.
            ModelError: the model cannot be reached, or gave nothing usable.
        """
        settings, question = self.settings, request.question
        prompter = Prompter(self.name, prompts_for(settings.shots), context, emit)
        found = await asyncio.to_thread(self._retrieved, question, context, emit)
        if found is None or not len(found):
            why = "no statement of the graph has to do with the question" if found is not None else _NO_NAME
            return _abstained(question, context, Other(says=why), prompter)
        rows = found.rows[: settings.statements]
        statements = found.subgraph.statements(rows)
        emit(
            Retrieved(
                form=settings.retrieval,
                statements=tuple(statements),
                scores=tuple(found.scores[: len(rows)].tolist()),
                among=found.subgraph.n_statements,
                left_out=len(found) - len(rows),
            )
        )
        try:
            written = await drafts(prompter, settings, question, statements)
        except BudgetError:
            return _abstained(question, context, Stopped(what=prompter.session.used_up or "calls"), prompter)
        except ReplyError as error:
            unusable = NothingUsableError.of(error)
            unusable.usage = prompter.told()["usage"]
            raise unusable from None
        draft = self._taken(written, context, emit)
        cited = [one for one in draft.sentences if one.statements or settings.uncited == "mark"]
        if not any(one.statements for one in cited):
            why = "the text cites no statement" if draft.sentences else "the statements that were found answer nothing"
            says = f"by {prompter.session.model} {why}"
            return _abstained(question, context, Other(says=says), prompter)
        sentences, text = [], ""
        for one in cited:
            start = len(text) + (1 if text else 0)
            text = f"{text} {one.text}" if text else one.text
            sentences.append(Cited(start, len(text), tuple(statements[number - 1] for number in one.statements)))
        return await self._certified(question, text, sentences, context, prompter)

    def _retrieved(self, question: str, context: Context, emit: Emit) -> Found | None:
        """What is retrieved; None where nothing is linked and the graph is not at hand as a whole."""
        linked = _names(context.retriever.linker.link(question))
        emit(Linked(entities=tuple(_told(one) for one in linked)))
        seeds = list(dict.fromkeys(one.candidates[0].entity.id for one in linked))[:_STARTS]
        if not seeds and not isinstance(context.graph, LocalGraph):
            return None
        retriever = self._opened(context.graph.subgraph(seeds, self.settings.hops), context)
        return retriever.retrieve(question, self.settings.retrieval, seeds)

    def _opened(self, subgraph: Subgraph, context: Context) -> PrizeRetriever:
        """A retriever for a sub-graph; that of a local graph, which is always the same one, is kept."""
        kept = self._retriever
        if kept is None or kept.subgraph is not subgraph:
            index = context.retriever.vectors if isinstance(context.graph, LocalGraph) else None
            kept = PrizeRetriever(subgraph, context.retriever.embedder, index=index, settings=self.settings)
            self._retriever = kept
        return kept

    def _taken(self, written: Sequence[Draft], context: Context, emit: Emit) -> Draft:
        """Of several texts the one most like the others; one that says nothing only if most do."""
        place, alike = most_alike([draft.text for draft in written], context.retriever.embedder)
        for number, draft in enumerate(written):
            emit(
                Drafted(
                    sentences=draft.sentences,
                    thought=draft.thought if self.settings.reasoning != "none" else "",
                    alike=alike[number] if len(written) > 1 else None,
                    taken=number == place,
                )
            )
        return written[place]

    async def _certified(
        self,
        question: str,
        text: str,
        sentences: Sequence[Cited],
        context: Context,
        prompter: Prompter,
    ) -> Answer:
        """The certificate: the text, its claims, and the statements that each was held against."""
        scorer = await asyncio.to_thread(self._opened_scorer, context)
        try:
            held = await Holder(context.graph, scorer, self.settings.support).hold(
                text, sentences, prompter.session if self.settings.split == "model" else None
            )
        finally:
            if isinstance(scorer, ChatScorer):
                await asyncio.to_thread(scorer.close)
        builder = Builder(text, context.graph)
        told: list[tuple[int, int, list[int], str | None]] = []
        for one, claims in zip(sentences, held, strict=True):
            seen = [builder.statement(statement) for statement in one.statements]
            places = [
                builder.judged(claim.says, by=claim.by, score=min(1.0, claim.score), decision=claim.decision, seen=seen)
                for claim in claims
            ]
            told.append((one.start, one.end, list(dict.fromkeys(places)), None if one.statements else UNCITED))
        by = f"{prompter.session.model}, each sentence held against what it cites by {scorer.name}"
        known = prompter.told()
        if isinstance(scorer, ChatScorer):
            known["usage"] = _added(known["usage"], scorer.usage)
        answer = builder.text(told, by=by, score=1.0, **known)
        certificate = answer.certificate
        return Answer({**certificate, "trace": {**certificate["trace"], "asked": question}})

    def _opened_scorer(self, context: Context) -> Scorer:
        """The scorer, opened once; one that asks the model is of one question."""
        if self.settings.scorer.partition(":")[0] == "chat":
            return get_scorer(self.settings.scorer, model=context.model, budget=context.budget)
        if self._scorer is None:
            self._scorer = get_scorer(self.settings.scorer)
        return self._scorer


_NO_NAME = "nothing in the question is the name of an entity of the graph, and the graph is not at hand as a whole"


def _names(mentions: Sequence[Mention]) -> list[Mention]:
    """What is likely meant as a name; where nothing is, whatever may be one."""
    able = [one for one in mentions if one.candidates]
    return [one for one in able if one.weight >= _LEAST] or able


def _told(mention: Mention) -> LinkedEntity:
    best = mention.candidates[0]
    return LinkedEntity(
        text=mention.text, start=mention.start, end=mention.end, entity=best.entity, score=best.score, how=best.how
    )


def _added(one: Usage, other: Usage) -> Usage:
    """What two parties asked of the model."""
    costs = [part.cost for part in (one, other) if part.cost is not None]
    return Usage(
        model_calls=one.model_calls + other.model_calls,
        prompt_tokens=one.prompt_tokens + other.prompt_tokens,
        completion_tokens=one.completion_tokens + other.completion_tokens,
        seconds=one.seconds,
        cost=sum(costs) if costs else None,
        failures=dict(Counter(one.failures) + Counter(other.failures)),
    )


def _abstained(question: str, context: Context, reason: Reason, prompter: Prompter) -> Answer:
    return Builder(question, context.graph).abstain(reason, **prompter.told())
