"""The method that chooses a method: by what is asked, by the graph, and by what is at hand."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from toulmin.errors import SettingsError
from toulmin.graph.union import UnionGraph
from toulmin.methods.asking import check_request
from toulmin.methods.fidelis.grammar import Kind, politeness_blanked
from toulmin.methods.fidelis.reading import asks_for, question_word
from toulmin.methods.fidelis.unread import unread
from toulmin.methods.protocol import Context, Event, Method
from toulmin.methods.registry import get_method
from toulmin.methods.request import Request

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
        without_model: questions where there is no language model.
    """

    path: str = "fidelis:frugal"
    axiom: str = "r3"
    computed: str = "sparql"
    text: str = "open-ended"
    chains: str = "rr"
    without_model: str = "fidelis:embedding"


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
        self._opened: dict[str, Method] = {}

    @classmethod
    def forms(cls) -> Mapping[str, AutoSettings]:
        """One."""
        return {"default": AutoSettings()}

    async def run(self, request: Request, context: Context) -> AsyncIterator[Event]:
        """The events of the method that is chosen, after the choice.

        Raises:
            SettingsError: nothing that is at hand answers such a request.
        """
        name, why = await asyncio.to_thread(self._choose, request, context)  # what links may ask an endpoint
        if name not in self._opened:
            self._opened[name] = get_method(name)
        method = self._opened[name]
        check_request(method, request, model=context.model is not None)
        yield Chosen(method=name, why=why)
        async for event in method.run(request, context):
            yield event

    def _choose(self, request: Request, context: Context) -> tuple[str, str]:
        """The name of a method, and the reason."""
        settings = self.settings
        if request.chains or request.knowledge is not None:
            held = "chains of thought" if request.chains else "knowledge"
            return settings.chains, f"there is {held} beside the question"
        if request.options:
            return settings.axiom, "one of several options is to be chosen"
        if request.task == "claim":
            if context.model is None:
                raise SettingsError("a claim needs a language model (--model); toulmin check-text does without one")
            return settings.axiom, "a claim is to be decided"
        if context.model is None:
            return settings.without_model, "there is no language model"
        asked = politeness_blanked(request.question)
        if _TEXT.match(asked.strip()):
            return settings.text, "a text is asked for"
        computed = self._computed(asked, context)
        if computed is None:
            return settings.path, "what a path of relations leads to is asked for"
        name, why = computed
        if name == settings.computed and isinstance(context.graph, UnionGraph):
            return settings.path, f"{why}, and no query spans several graphs"
        return name, why

    def _computed(self, asked: str, context: Context) -> tuple[str, str] | None:
        """The method where more than a path is asked for, and the words that ask for it; None: no word does."""
        settings = self.settings
        if asks_for(asked) == "number":
            return settings.computed, "a number is asked for"
        linked = [mention for mention in context.retriever.linker.link(asked) if mention.candidates]
        names = [(one.start, one.end, one.candidates[0].entity.label or "") for one in linked]
        kinds = {one.kind: one.text for one in unread(asked, names, (), context.retriever.lexicon)}
        # "What can we get from …" asks for things.
        verdicts: tuple[Kind, ...] = ("yes or no", "modality") if question_word(asked) is None else ()
        for kind in verdicts:
            if kind in kinds:
                return settings.axiom, f"“{kinds[kind]}” asks for a verdict"
        for kind, what in _COMPUTED.items():
            if kind in kinds:
                return settings.computed, f"“{kinds[kind]}” {what}"
        return None
