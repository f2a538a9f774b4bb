"""Methods whose model answers in its own words: what they share around the prompts of each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, ClassVar, TypeVar

from toulmin.errors import BudgetError, NothingUsableError, ReplyError
from toulmin.graph.local import LocalGraph
from toulmin.graph.types import Statement
from toulmin.llm.prompts import Prompts
from toulmin.llm.session import RequestOptions
from toulmin.methods.model_answers import ModelAnswer, judged, place_of, reply_schema, request_lines
from toulmin.methods.prompting import Prompter
from toulmin.methods.protocol import Emit, Event, Linked, LinkedEntity, Method, QuestionContext
from toulmin.methods.question.missing_names import uncertain_links, uncertainty_lines
from toulmin.methods.request import Request
from toulmin.program.answer import Answer
from toulmin.program.builder import Builder
from toulmin.program.reasons import Other, Reason, Stopped, Unknown
from toulmin.retrieval.embedders import likest
from toulmin.retrieval.linking import Mention

__all__ = ["Answering", "AnsweringMethod", "StatementsRetrieved", "step_of"]

T = TypeVar("T")


class StatementsRetrieved(Event):
    """Statements were retrieved for a text, the likest first."""

    event: str = "retrieved"
    query: str
    statements: tuple[Statement, ...]
    candidates: int


def step_of(request: Request, *, thought: bool = False) -> str:
    """The short name of the prompt for what is asked: ``question``, ``claim`` or ``choice``, and ``_thought``."""
    name = "choice" if request.options else "claim" if request.task == "claim" else "question"
    return f"{name}_thought" if thought else name


@cache
def _prompts_of(package: str, method: str, demonstrations: int | None) -> Prompts:
    """The prompts of a package, whose steps are named after a method."""
    every = Prompts.of(package, method).items()
    return Prompts({name: replace(one, demonstrations=one.demonstrations[:demonstrations]) for name, one in every})


@dataclass(slots=True)
class Answering:
    """The answering of one request: what the steps of a method work with; a method may have a subclass that answers.

    Attributes:
        mentions: what the question names, once it is linked; those by a merely near name last.
        uncertain: these, with the words of the question that are no name.
    """

    request: Request
    context: QuestionContext
    prompter: Prompter
    builder: Builder
    emit: Emit
    settings: Any
    mentions: tuple[Mention, ...] = field(default=())
    uncertain: Mapping[Mention, str] = field(default_factory=dict)

    @property
    def asked(self) -> str:
        """What is asked, as prompts show it, and which links are uncertain."""
        return request_lines(self.request) + uncertainty_lines(self.uncertain)

    async def answered(self) -> Answer:
        """The answer; see ``AnsweringMethod.answered``."""
        raise NotImplementedError

    async def link(self) -> tuple[Mention, ...]:
        """What the question names; told as an event."""
        named = [mention for mention in await self.link_quietly() if mention.candidates]
        self.mentions = (*(mention for mention in named if mention not in self.uncertain), *self.uncertain)
        self.emit(Linked(entities=tuple(LinkedEntity.of(mention, mention.candidates[0]) for mention in self.mentions)))
        return self.mentions

    async def link_quietly(self) -> Sequence[Mention]:
        """As the linker finds it, told by no event; which links are uncertain is noted."""
        retriever, question = self.context.retriever, self.request.question
        if isinstance(self.context.graph, LocalGraph):
            mentions = retriever.linker.link(question)
        else:
            mentions = await asyncio.to_thread(retriever.linker.link, question)
        with_candidates = [mention for mention in mentions if mention.candidates]
        self.uncertain = uncertain_links(question, with_candidates, retriever.lexicon)
        return mentions

    def likest(self, items: Sequence[T], words: Callable[[T], str], most: int) -> list[T]:
        """As many things as a prompt may list: those whose words are most like the question."""
        if len(items) <= most:
            return list(items)
        places = likest(self.context.retriever.embedder, self.request.question, list(map(words, items)), most)
        return [items[at] for at in places]

    async def reply(
        self,
        step: str,
        values: Mapping[str, str] | None = None,
        *,
        shown: Sequence[Statement] = (),
        thought: bool = False,
        **options: Any,
    ) -> ModelAnswer:
        """What the model says to a prompt that has the field ``asked``, and ``values``.

        Args:
            shown: the statements that it may cite.
            options: how the reply is asked for: those of ``RequestOptions`` but its schema.
        """
        schema = reply_schema(self.request, len(shown), thought=thought)
        value = await self.prompter.ask(step, {"asked": self.asked, **(values or {})}, schema=schema, **options)
        return ModelAnswer.read(value, self.request, shown)

    def concluded(
        self,
        model_answer: ModelAnswer,
        *,
        shown: Sequence[Statement] = (),
        score: float = 1.0,
        trace: Mapping[str, Any] | None = None,
        reasons: Sequence[Reason] = (),
    ) -> Answer:
        """The answer that the model gives, or an abstention where it gives none.

        Args:
            shown: the statements that were listed: a name in no cited statement is looked for among their entities.
            score: how surely it is the answer: of several samples the share that agree.
            trace: what the certificate tells beside; the model's thought and ``grounded`` are added.
            reasons: of an abstention, beside that the model does not know.
        """
        builder, request, by = self.builder, self.request, self.prompter.model
        noted: dict[str, Any] = {**({"thought": model_answer.thought} if model_answer.thought else {}), **(trace or {})}
        if not model_answer.decided:
            place = judged(builder, request.question, "unknown", model_answer.cited, by, 0.0)
            says = "finds no answer in the statements shown" if shown else "says that it does not know"
            claim, made = request.task == "claim", self.prompter.provenance()
            why = Unknown(of=place) if claim else Other(says=f"the model {says}")
            return builder.abstain([why, *reasons], tried=[place] * claim, by=by, trace=noted, **made)
        place, grounded = place_of(builder, request, model_answer, shown, self.mentions, by, score)
        noted["grounded"] = grounded and bool(self.answer_of(place, score=score).grounded)
        return self.answer_of(place, score=score, trace=noted)

    def answer_of(
        self, place: int, *, by: str | None = None, score: float = 1.0, trace: Mapping[str, Any] | None = None
    ) -> Answer:
        """The answer that a node of the program yields.

        Args:
            by, score: who says that it answers the question (None: the model), and how surely.
        """
        by = self.prompter.model if by is None else by
        return self.builder.answer(place, by=by, score=score, trace=trace, **self.prompter.provenance())

    def abstained(self, *reasons: Reason, trace: Mapping[str, Any] | None = None, tried: Sequence[int] = ()) -> Answer:
        """An abstention; ``tried``: nodes that yield no answer."""
        return self.builder.abstain(reasons, tried=tried, trace=trace, **self.prompter.provenance())


class AnsweringMethod(Method):
    """A method that says how the model is brought to its answer, by ``answered``; what may go wrong is seen to here.

    Its prompts are those of the package that its module is in; no reply is longer than its setting ``max_tokens`` says,
    where it has one.
    """

    #: The setting that says how many demonstrations each of its prompts shows at most; None: all are shown.
    shots: ClassVar[str | None] = None
    #: What a request is answered with.
    answering: Callable[..., Answering] = Answering

    def prompts(self) -> Prompts:
        """The prompts that its settings call for."""
        demonstrations = None if self.shots is None else getattr(self.settings, self.shots)
        return _prompts_of(type(self).__module__.rpartition(".")[0], self.name, demonstrations)

    async def answered(self, run: Answering) -> Answer:
        """The answer to a request.

        Raises:
            BudgetError: the budget is used up: the answer is an abstention that says so.
            ReplyError: a step that nothing can stand in for got no usable reply.
        """
        return await run.answered()

    async def answer(self, request: Request, context: QuestionContext, emit: Emit) -> Answer:
        """The answer to a request.

        Raises:
            NothingUsableError: the model gave nothing usable.
            ModelError: it cannot be reached.
        """
        most = getattr(self.settings, "max_tokens", None)
        defaults: RequestOptions = {} if most is None else {"max_tokens": most}
        asks = self.needs_model and (context.model is not None or not request.chains)  # which take its place
        prompter = Prompter(self.name, self.prompts(), context, emit, asks=asks, **defaults)
        builder = Builder(request.question, context.graph)
        run = self.answering(request, context, prompter, builder, emit, self.settings)
        try:
            return await self.answered(run)
        except BudgetError:
            return run.abstained(Stopped(what=prompter.session.used_up or "calls"))
        except ReplyError as error:
            failed = NothingUsableError.of(error)
            failed.usage = prompter.provenance()["usage"]
            raise failed from error
