"""The method: link, retrieve, have a text written that cites, hold each sentence against what it cites."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from toulmin.entailment.chat import ChatScorer
from toulmin.entailment.protocol import Scorer
from toulmin.entailment.registry import get_scorer
from toulmin.errors import BudgetError, ReplyError
from toulmin.graph.local import LocalGraph
from toulmin.graph.types import Statement
from toulmin.llm.prompts import data
from toulmin.methods.answering import Answering, AnsweringMethod
from toulmin.methods.model_answers import statement_lines
from toulmin.methods.open_ended.holding import Cited, Holder, all_left_open
from toulmin.methods.open_ended.settings import FORMS, OpenEndedSettings
from toulmin.methods.prompting import numbers_schema, object_schema
from toulmin.methods.protocol import Event, FellBack
from toulmin.program.answer import Answer
from toulmin.program.builder import Builder
from toulmin.program.json_forms import CertificateModel
from toulmin.program.reasons import Other
from toulmin.retrieval.embedders import Embedder
from toulmin.retrieval.open_ended.retrieve import PrizeRetriever, RankedStatements

__all__ = ["UNCITED", "Drafted", "OpenEnded", "StatementsListed", "Written", "most_alike"]

#: Why a sentence that cites nothing is not checked.
UNCITED = "uncited: it names no statement that it rests on"

_STARTS = 8  # linked entities
_LEAST = 0.3  # the weight of a mention from which on its words are taken for a name
_NO_NAME = "nothing in the question is the name of an entity of the graph, and the graph is not at hand as a whole"
_NOTHING = "no statement of the graph has to do with the question"
_QUESTION = 1000  # characters
_PART = 300  # characters of a part of a statement: a description is told in full
_SENTENCE, _THOUGHT = 600, 2000  # characters
_SENTENCES = 24  # of a reply, at most


class Written(CertificateModel):
    """A sentence, and the numbers of the statements that it cites."""

    text: str
    statements: tuple[int, ...]


class StatementsListed(Event):
    """The statements that the model is shown, numbered from 1 in this order.

    Args:
        form: of the retrieval.
        scores: of the statements, by which they were chosen.
        left_out: how many more were retrieved than are shown.
    """

    event: str = "listed"
    form: str
    statements: tuple[Statement, ...]
    scores: tuple[float, ...]
    left_out: int = 0


class Drafted(Event):
    """A text that the model wrote; without sentences where the statements answer nothing.

    Args:
        alike: of several texts, the mean cosine with the others.
        taken: whether it is the one that becomes the answer.
    """

    event: str = "drafted"
    sentences: tuple[Written, ...]
    thought: str = ""
    alike: float | None = None
    taken: bool = True

    @property
    def text(self) -> str:
        """The sentences one after the other."""
        return " ".join(sentence.text for sentence in self.sentences)


class OpenEnded(AnsweringMethod):
    """Open-ended questions (papers/okgqa, section 4): triples, paths or a sub-graph, and a text that cites them."""

    name: ClassVar[str] = "open-ended"
    title: ClassVar[str] = "A paragraph whose sentences cite retrieved statements, each held against what it cites"
    source: ClassVar[str] = "OKGQA (Sui et al., 2024)"
    shots = "shots"
    settings: OpenEndedSettings

    def __init__(self, settings: Any = None) -> None:
        super().__init__(settings)
        self._scorer: Scorer | None = None
        self._retriever: PrizeRetriever | None = None

    @classmethod
    def forms(cls) -> Mapping[str, OpenEndedSettings]:
        """See ``FORMS``."""
        return FORMS

    def most_calls(self, options: int = 0) -> int | None:
        """One, or one a sample. Where the model also splits or scores, there is no bound."""
        asks = self.settings.scorer.partition(":")[0] == "chat" or self.settings.split == "model"
        return None if asks else self.settings.samples if self.settings.reasoning == "cot-sc" else 1

    async def answered(self, run: Answering) -> Answer:
        """The text and what its sentences cite; an abstention where nothing that it says is cited.

        Without retrieval nothing is cited, and it abstains where the model writes nothing.

        Raises:
            SettingsError: there is no such scorer.
        """
        settings = self.settings
        statements: list[Statement] = []
        if settings.retrieval != "none":
            listed = await self._listed(run)
            if isinstance(listed, Answer):
                return listed
            statements = listed
        drafts = await self._drafts(run, statements)
        draft = self._taken(drafts, run)
        if not draft.sentences and settings.retrieval == "none":
            return run.abstained(Other(says=f"{run.prompter.model} knows nothing of what is asked"))
        shown = [sentence for sentence in draft.sentences if sentence.statements or settings.uncited == "mark"]
        if settings.retrieval != "none" and not any(sentence.statements for sentence in shown):
            why = "the text cites no statement" if draft.sentences else "the statements that were found answer nothing"
            return run.abstained(Other(says=f"by {run.prompter.model} {why}"))
        sentences, text = [], ""
        for sentence in shown:
            start = len(text) + (1 if text else 0)
            text = f"{text} {sentence.text}" if text else sentence.text
            sentences.append(Cited(start, len(text), tuple(statements[number - 1] for number in sentence.statements)))
        if settings.retrieval == "none":
            uncited: list[tuple[int, int, list[int], str | None]] = [
                (cited.start, cited.end, [], UNCITED) for cited in sentences
            ]
            by = f"{run.prompter.model}, from what it knows"
            trace = {"asked": run.request.question}
            return Builder(text, run.context.graph).text(
                uncited, by=by, score=1.0, trace=trace, **run.prompter.provenance()
            )
        return await self._certified(run, text, sentences)

    async def _listed(self, run: Answering) -> list[Statement] | Answer:
        """The statements that the model is shown; an abstention where none is found."""
        settings = self.settings
        mentions = await run.link()
        likely = [mention for mention in mentions if mention.weight >= _LEAST] or mentions
        seeds = list(dict.fromkeys(mention.candidates[0].entity.id for mention in likely))[:_STARTS]
        if not seeds and not isinstance(run.context.graph, LocalGraph):
            return run.abstained(Other(says=_NO_NAME))
        ranked = await asyncio.to_thread(self._retrieved, run, seeds)
        if not len(ranked):
            return run.abstained(Other(says=_NOTHING))
        rows = ranked.rows[: settings.statements]
        statements = ranked.subgraph.statements(rows)
        run.emit(
            StatementsListed(
                form=settings.retrieval,
                statements=tuple(statements),
                scores=tuple(ranked.scores[: len(rows)].tolist()),
                left_out=len(ranked) - len(rows),
            )
        )
        return statements

    def _retrieved(self, run: Answering, seeds: Sequence[str]) -> RankedStatements:
        """What is retrieved; the retriever of a local graph, whose sub-graph is always the same one, is kept."""
        context, retriever = run.context, self._retriever
        subgraph = context.graph.subgraph(seeds, self.settings.hops)
        if retriever is None or retriever.subgraph is not subgraph:
            index = context.retriever.vectors if isinstance(context.graph, LocalGraph) else None
            retriever = PrizeRetriever(subgraph, context.retriever.embedder, index=index, settings=self.settings)
            self._retriever = retriever
        return retriever.retrieve(run.request.question, self.settings.retrieval, seeds)

    async def _drafts(self, run: Answering, statements: Sequence[Statement]) -> list[Drafted]:
        """The texts that the model writes, beside what it may cite: one, or as many as can be used of several samples.

        The numbers are an enumeration in the schema of the reply, so that nothing can be cited that was not retrieved;
        without retrieval the model is shown none.
        """
        settings = self.settings
        alone, thought = settings.retrieval == "none", settings.reasoning != "none"
        values = {"question": data(run.request.question, _QUESTION)}
        if not alone:
            values["statements"] = statement_lines(statements, longest=_PART)
        cited = {} if alone else {"statements": numbers_schema(len(statements))}
        sentence = object_schema(text={"type": "string"}, **cited)
        thinking = {"thought": {"type": "string"}} if thought else {}
        schema = object_schema(**thinking, sentences={"type": "array", "items": sentence})
        step = ("alone_thought" if thought else "alone") if alone else "thought" if thought else "answer"
        if settings.reasoning != "cot-sc":
            reply = await run.prompter.ask(step, values, schema=schema, check=_fault, max_tokens=settings.tokens)
            return [_draft(reply)]
        replies = await run.prompter.sample(
            step,
            values,
            n=settings.samples,
            schema=schema,
            check=_fault,
            temperature=settings.temperature,
            max_tokens=settings.tokens,
        )
        return [_draft(reply) for reply in replies]

    def _taken(self, drafts: Sequence[Drafted], run: Answering) -> Drafted:
        """Of several texts the one most like the others; all are told."""
        place, alike = most_alike([draft.text for draft in drafts], run.context.retriever.embedder)
        for number, draft in enumerate(drafts):
            likeness = alike[number] if len(drafts) > 1 else None
            run.emit(draft.model_copy(update={"alike": likeness, "taken": number == place}))
        return drafts[place]

    async def _certified(self, run: Answering, text: str, sentences: Sequence[Cited]) -> Answer:
        """The certificate: the text, its claims, and the statements that each was held against."""
        settings, session = self.settings, run.prompter.session
        scorer = await asyncio.to_thread(self._opened_scorer, run)
        ended: str | None = None
        try:
            holder = Holder(run.context.graph, scorer, settings.support)
            held = await holder.hold(text, sentences, session if settings.split == "model" else None)
        except (BudgetError, ReplyError) as error:
            # The text is written and cites; what judges it is what has no reply.
            ended = str(error)
            run.emit(FellBack(step="hold", problem=ended, instead="every sentence that cites is left open"))
            held = all_left_open(text, sentences, ended)
        finally:
            if isinstance(scorer, ChatScorer):
                await asyncio.to_thread(scorer.close)
        builder = Builder(text, run.context.graph)
        spans: list[tuple[int, int, list[int], str | None]] = []
        for cited, claims in zip(sentences, held, strict=True):
            places = []
            for claim in claims:
                seen = [builder.entity(entity, words, name) for entity, words, name in claim.named]
                seen += [builder.statement(statement) for statement in claim.statements or cited.statements]
                score = min(1.0, claim.score)
                places.append(builder.judged(claim.says, by=claim.by, score=score, decision=claim.decision, seen=seen))
            spans.append((cited.start, cited.end, list(dict.fromkeys(places)), None if cited.statements else UNCITED))
        provenance = run.prompter.provenance()
        if isinstance(scorer, ChatScorer):
            # The meter, which both share, has counted the scorer's calls.
            failures = Counter(session.failures) + Counter(scorer.usage.failures)
            provenance["usage"] = provenance["usage"].model_copy(update={"failures": dict(sorted(failures.items()))})
        by = f"{session.model}, each sentence held against what it cites by {scorer.name}"
        trace = {"asked": run.request.question, **({"ended": ended} if ended is not None else {})}
        return builder.text(spans, by=by, score=1.0, trace=trace, **provenance)

    def _opened_scorer(self, run: Answering) -> Scorer:
        """The scorer, opened once; one that asks the model is of one question, within what is left of its budget."""
        if self.settings.scorer.partition(":")[0] == "chat":
            return get_scorer(self.settings.scorer, model=run.context.model, budget=run.prompter.session.meter)
        if self._scorer is None:
            self._scorer = get_scorer(self.settings.scorer)
        return self._scorer


def most_alike(texts: Sequence[str], embedder: Embedder) -> tuple[int, list[float]]:
    """Which text is most like the others, the first of equal ones, and the mean cosine of each with the others."""
    if len(texts) < 2:
        return 0, [1.0] * len(texts)
    vectors = embedder.embed(texts)
    alike = ((vectors @ vectors.sum(axis=0)) - (vectors * vectors).sum(axis=1)) / (len(texts) - 1)
    return int(np.argmax(np.round(alike, 6))), [float(cosine) for cosine in alike]


def _fault(reply: Mapping[str, Any]) -> str | None:
    """What a schema cannot say of a reply."""
    if len(reply["sentences"]) > _SENTENCES:
        return f"it has {len(reply['sentences'])} sentences: give at most {_SENTENCES}"
    for number, sentence in enumerate(reply["sentences"], 1):
        if not any(map(str.isalnum, data(sentence["text"], _SENTENCE))):
            return f"sentence {number} has no words: {json.dumps(sentence['text'][:40])}"
    return None


def _ended(sentence: str) -> str:
    """A sentence with its full stop, by which it is told from the next."""
    return sentence if sentence.rstrip("\"'”’»)")[-1:] in (".", "!", "?", "…") else f"{sentence}."


def _draft(reply: Mapping[str, Any]) -> Drafted:
    sentences = [
        Written(text=_ended(data(s["text"], _SENTENCE)), statements=tuple(dict.fromkeys(s.get("statements", ()))))
        for s in reply["sentences"]
    ]
    return Drafted(sentences=tuple(sentences), thought=data(reply.get("thought") or "", _THOUGHT))
