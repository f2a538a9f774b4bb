"""The method that chooses a method: by what is asked, by the graph, and by what is at hand."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from toulmin.errors import RefusedError
from toulmin.graph.classes import class_relation
from toulmin.graph.local import LocalGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.union import UnionGraph
from toulmin.methods.asker import check_request
from toulmin.methods.protocol import Answered, Emit, Event, Method, QuestionContext
from toulmin.methods.question.restrictions import Kind, politeness_blanked
from toulmin.methods.question.unread_words import asks_for, question_word, unread_words
from toulmin.methods.registry import get_method
from toulmin.methods.request import Request
from toulmin.program.answer import Answer

__all__ = ["Auto", "AutoSettings", "Chosen"]

#: Words that ask for a text and not for a name, a number or a verdict, where they begin the question.
_TEXT = re.compile(
    r"(?:please\s+)?(?:describe|explain|discuss|summari[sz]e|outline|compare|contrast|elaborate|characteri[sz]e|sketch|"
    r"tell\s+(?:me|us)\s+(?:more\s+|something\s+|everything\s+)?about|give\s+(?:me\s+|us\s+)?an?\s+(?:overview|account|summary)|"
    r"write\s+(?:an?\s|about\b)|why\b|how\s+(?:do|does|did)\b|in\s+what\s+way|"
    r"how\s+(?:is|are|was|were)\b.*\b(?:related|connected|linked)\b|"
    r"what\s+(?:is|are|was|were)\s+the\s+(?:relationships?|differences?|connections?)\s+between\b|"
    r"what\s+(?:is|was)\s+the\s+(?:significance|impact|influence|role)\s+of\b.*\b(?:on|in|for)\b)",
    re.IGNORECASE,
)
_COMPUTED: Mapping[Kind, str] = {
    "negation": "leaves something out",
    "comparison": "compares or bounds",
    "order": "asks for the first or last",
    "count": "counts",
    "number": "bounds by a number",
    "time": "bounds by a time",
}


class Chosen(Event):
    """The method that was chosen, and why."""

    event: str = "chosen"
    method: str
    why: str


@dataclass(frozen=True, slots=True)
class AutoSettings:
    """Which method answers what (ours); each is named as by ``--method``.

    Args:
        path: with a language model, questions for what a path of relations leads to.
        axiom: yes/no questions, claims, multiple choice, and questions for what is advisable or possible.
        computed: with a language model, questions that count, compare, order, bound or leave something out.
        text: with a language model, what asks for a text: describe, explain, compare.
        chains: questions with chains of thought or with knowledge beside the graph.
        reader: answers without a language model; with one it is asked first, since it costs next to nothing.
        sure_beside_model: from which confidence on its answer stands where a language model could be asked.
    """

    path: str = "fidelis:frugal"
    axiom: str = "r3"
    computed: str = "sparql"
    text: str = "open-ended"
    chains: str = "rr"
    reader: str = "reader"
    sure_beside_model: float = 0.8


def _says_classes(graph: Graph) -> bool:
    """Whether a graph at hand says what its things are."""
    if not isinstance(graph, LocalGraph):
        return False
    return any(count and class_relation(relation) == "instance" for relation, count in graph.relations())


def _confidence(answer: Answer) -> float:
    """How sure an answer is; an abstention is not."""
    confidence = answer.confidence
    return 0.0 if answer.abstained else 1.0 if confidence is None else confidence


class Auto(Method):
    """Chooses a method for each question, says which and why, and leaves the answer to it."""

    name: ClassVar[str] = "auto"
    title: ClassVar[str] = "Chooses one of the others by what is asked and by what is at hand"
    source: ClassVar[str] = "Toulmin"
    takes = frozenset({"claim", "options", "chains", "knowledge"})
    needs_model = False
    settings: AutoSettings

    def __init__(self, settings: Any = None) -> None:
        super().__init__(settings)
        self._method = cache(get_method)  # each is opened once for many questions

    @classmethod
    def forms(cls) -> Mapping[str, AutoSettings]:
        """One."""
        return {"default": AutoSettings()}

    async def answer(self, request: Request, context: QuestionContext, emit: Emit) -> Answer:
        """The answer of the method that is chosen; the choice is told before its events.

        Raises:
            SettingsError: nothing that is at hand answers such a request.
        """
        settings = self.settings
        name, why = await asyncio.to_thread(self._choose, request, context)  # what links may ask an endpoint
        if not request.beside and context.model is not None and name != settings.text and _says_classes(context.graph):
            emit(Chosen(method=settings.reader, why="a question is read without a language model first"))
            read = await self._answer_by(settings.reader, request, context, emit)
            if _confidence(read) >= settings.sure_beside_model:
                return read
            why = f"{why}, and the reading is not sure ({_confidence(read):.2f})"
        check_request(self._method(name), request, model=context.model is not None)
        emit(Chosen(method=name, why=why))
        return await self._answer_by(name, request, context, emit)

    async def _answer_by(self, name: str, request: Request, context: QuestionContext, emit: Emit) -> Answer:
        """The answer of a method, its other events passed on."""
        answer: Answer | None = None
        async for event in self._method(name).run(request, context):
            if isinstance(event, Answered):
                answer = event.answer
            else:
                emit(event)
        assert answer is not None  # noqa: S101  a method ends with its answer
        return answer

    def _choose(self, request: Request, context: QuestionContext) -> tuple[str, str]:
        """The name of a method, and the reason."""
        settings = self.settings
        if request.chains or request.knowledge is not None:
            beside = "chains of thought" if request.chains else "knowledge"
            return settings.chains, f"there is {beside} beside the question"
        if request.options:
            return settings.axiom, "one of several options is to be chosen"
        if request.task == "claim":
            if context.model is None:
                raise RefusedError("a claim needs a language model (--model); toulmin check-text does without one")
            return settings.axiom, "a claim is to be decided"
        if context.model is None:
            return settings.reader, "there is no language model"
        question = politeness_blanked(request.question)
        if _TEXT.match(question.strip()):
            return settings.text, "a text is asked for"
        computed = self._computed(question, context)
        if computed is None:
            return settings.path, "what a path of relations leads to is asked for"
        name, why = computed
        if name == settings.computed and isinstance(context.graph, UnionGraph):
            return settings.path, f"{why}, and no query spans several graphs"
        return name, why

    def _computed(self, question: str, context: QuestionContext) -> tuple[str, str] | None:
        """The method where more than a path is asked for, and the words that ask for it; None: no word does."""
        settings = self.settings
        if asks_for(question) == "number":
            return settings.computed, "a number is asked for"
        linked = [mention for mention in context.retriever.linker.link(question) if mention.candidates]
        names = [(mention.start, mention.end, mention.candidates[0].entity.label or "") for mention in linked]
        kinds = {
            restriction.kind: restriction.text
            for restriction in unread_words(question, names, (), context.retriever.lexicon)
        }
        # "What can we get from …" asks for things.
        verdicts: tuple[Kind, ...] = ("yes or no", "modality") if question_word(question) is None else ()
        for kind in verdicts:
            if kind in kinds:
                return settings.axiom, f"“{kinds[kind]}” asks for a verdict"
        for kind, wording in _COMPUTED.items():
            if kind in kinds:
                return settings.computed, f"“{kinds[kind]}” {wording}"
        return None
