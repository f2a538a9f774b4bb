"""The method: sample drafts, bind each to the graph, execute, let the answers vote."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from typing import ClassVar

from toulmin.errors import InputError
from toulmin.graph.types import node_key
from toulmin.llm.prompts import data
from toulmin.methods.answering import Answering, AnsweringMethod
from toulmin.methods.kb_binder.draft_binder import DraftBinder, KBBinderSettings
from toulmin.methods.kb_binder.logical_forms import LogicalForm, parse
from toulmin.methods.prompting import fault_of
from toulmin.methods.protocol import Event
from toulmin.program.answer import Answer
from toulmin.program.builder import Builder
from toulmin.program.reasons import Nothing, Other
from toulmin.program.value import Nodes

__all__ = ["Bound", "KBBinder"]

_QUESTION = 1000  # characters in a prompt


class Bound(Event):
    """A draft, and what it was bound to.

    Args:
        says: the sentence of the first binding that yields something; "": none does.
        tried: how many bindings were executed.
        values: how many values it yields.
    """

    event: str = "bound"
    draft: str
    says: str
    tried: int
    values: int


class KBBinder(AnsweringMethod):
    """KB-BINDER (Li et al. 2023) for questions.

    A draft is executed in one binding after another, until one yields something that is no part of the question; the
    answers of the drafts vote, each draft once, and between answers of as many votes the first draft's decides."""

    name: ClassVar[str] = "kb-binder"
    title: ClassVar[str] = "Drafts of a logical form, bound to the graph by words and embedding; the majority decides"
    source: ClassVar[str] = "KB-BINDER (Li et al., 2023)"
    shots = "shots"
    settings: KBBinderSettings

    @classmethod
    def forms(cls) -> Mapping[str, KBBinderSettings]:
        """The paper's."""
        return {"paper": KBBinderSettings()}

    def most_calls(self, options: int = 0) -> int | None:
        """One a draft."""
        return self.settings.drafts

    async def answered(self, run: Answering) -> Answer:
        """The answer that most drafts come to.

        Raises:
            GraphError: the graph cannot be asked.
        """
        question, settings = run.request.question, self.settings
        replies = await run.prompter.sample(
            "draft",
            {"question": data(question, _QUESTION)},
            n=settings.drafts,
            check=lambda reply: fault_of(lambda: parse(reply["form"])),
            temperature=settings.temperature,
        )
        binder = DraftBinder(question, run.context.retriever, settings)
        bound: dict[str, tuple[int, frozenset[str]] | None] = {}
        empty: list[int] = []
        for reply in replies:
            draft = reply["form"]
            if draft not in bound:
                bound[draft] = await asyncio.to_thread(self._bound, parse(draft), draft, binder, run, empty)
        executable = [bound_draft for reply in replies if (bound_draft := bound[reply["form"]]) is not None]
        if not executable:
            why = f"none of {len(bound)} drafts can be bound to the graph so that it yields something"
            return run.abstained(*(Nothing(of=place) for place in empty), Other(says=why))
        votes = Counter(answer for _, answer in executable)
        most = max(votes.values())
        best = next(place for place, answer in executable if votes[answer] == most)
        trace = {"drafts": [reply["form"] for reply in replies], "votes": most}
        return run.answer_of(best, score=most / len(replies), trace=trace)

    def _bound(
        self, form: LogicalForm, draft: str, binder: DraftBinder, run: Answering, empty: list[int]
    ) -> tuple[int, frozenset[str]] | None:
        """The first binding of a draft that yields something: its place, and its answer as the vote compares it."""
        tried = 0
        for binding in binder.bindings(form):
            attempt = run.builder.fork()  # what yields nothing leaves nothing behind
            try:
                place = binder.built(form, binding, attempt)
                answer = _answer(attempt, place)
            except InputError:
                continue  # ill typed: not executable
            tried += 1
            if not empty and answer == frozenset():
                empty.append(binder.built(form, binding, run.builder))
            if answer:
                place = binder.built(form, binding, run.builder)
                says = run.builder.sentence(place)
                run.emit(Bound(draft=draft, says=says, tried=tried, values=len(run.builder.nodes(place))))
                return place, answer
        run.emit(Bound(draft=draft, says="", tried=tried, values=0))
        return None


def _answer(builder: Builder, place: int) -> frozenset[str] | None:
    """What a node yields, as it is compared; None where that is the number 0, or what the question names."""
    value = builder.value(place)
    if builder.static(place).kind != "evidence" or not isinstance(value, Nodes):
        return None
    if not len(value):
        return frozenset()
    keys = frozenset(map(node_key, value.nodes))
    count = builder.program[place].op == "count"
    return None if count and value.nodes[0].value == "0" else keys  # type: ignore[union-attr]  # a count is a literal
