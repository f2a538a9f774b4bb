"""The method: show the schema, let the model write steps, run them, let it look at what they say and yield."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from toulmin.errors import BudgetError, InputError, ReplyError
from toulmin.graph.labels import normalise
from toulmin.graph.types import Entity, Node
from toulmin.llm.prompts import block, data
from toulmin.methods.answering import Answering, AnsweringMethod
from toulmin.methods.programs.building import build
from toulmin.methods.programs.vocabulary import Vocabulary
from toulmin.methods.prompting import object_schema
from toulmin.methods.protocol import Event
from toulmin.methods.schema_view.schema_reader import reader_of
from toulmin.methods.schema_view.view import SchemaView
from toulmin.methods.setting_checks import check_least, check_over
from toulmin.program.answer import Answer
from toulmin.program.reasons import Nothing, Other, Reason, Stopped, Unknown, Unnamed
from toulmin.program.value import Nodes, Result, Rows
from toulmin.retrieval.linking import Mention

__all__ = ["ProgramWritten", "Programs", "ProgramsSettings"]

_QUESTION, _SENTENCE, _ERROR, _STEPS, _NAME = 1000, 1200, 400, 4000, 60  # characters in a prompt
_SPELT = 4  # names that are spelt out
_SPELLINGS = {"type": "array", "items": object_schema(words={"type": "string"}, name={"type": "string"})}
_TASKS = {"question": "Question", "claim": "Claim, to be decided by yes or no"}
_TOKENS = 3000  # of a reply: a thought, and steps of some 40 tokens each
_NONE_KEPT = "the model saw what its programs yield, and kept none of them"
_NOT_THERE = "the model found no relation in the schema that says what is asked for"


@dataclass(frozen=True, slots=True)
class ProgramsSettings:
    """All defaults are ours: the method is in no paper.

    Args:
        calls: calls of the model for one question: one writes the program, each further one looks at what it says and
            yields, and lets it stand or mends it. One more may go to spelling out what the question abbreviates.
        look: whether a program that yields something is looked at too; without, only faults and empty results are.
        tokens: of the schema that is shown, of 4 bytes each; what does not fit is chosen by the question.
        shown: values or rows that the model sees of what a program yields.
        temperature: of all calls.

    Raises:
        SettingsError: a number out of range.
    """

    calls: int = 3
    look: bool = True
    tokens: int = 4000
    shown: int = 12
    temperature: float = 0.0

    def __post_init__(self) -> None:
        check_over(self, "calls", "tokens", "shown", of="programs: ")
        check_least(self, "temperature", least=0, of="programs: ")


class ProgramWritten(Event):
    """The model wrote a program.

    Args:
        says: its canonical sentence; "": it is none.
        values: how many values or rows it yields; of a truth 1, or 0 where it is unknown.
    """

    event: str = "program written"
    steps: tuple[Mapping[str, Any], ...]
    says: str
    values: int
    error: str | None = None


@dataclass(frozen=True, slots=True)
class _Attempt:
    """A program that was run, or could not be.

    Args:
        place: of its answer in the builder.
        error: why it is no program, in one line.
    """

    steps: Sequence[Mapping[str, Any]]
    answer: int
    place: int = -1
    result: Result = None
    sentence: str = ""
    error: str | None = None

    @property
    def count(self) -> int:
        """How many values or rows it yields; of a truth 1, or 0 where it is unknown."""
        match self.result:
            case Nodes():
                return len(self.result)
            case Rows():
                return len(self.result.rows)
            case bool():
                return 1
            case _:
                return 0


class Programs(AnsweringMethod):
    """A program written by a model in steps that code types, runs and words (docs/programs.md)."""

    name: ClassVar[str] = "programs"
    title: ClassVar[str] = "A program that the model writes in steps, sees in words with what it yields, and mends"
    source: ClassVar[str] = "ours"
    takes = frozenset({"claim"})
    settings: ProgramsSettings

    @classmethod
    def forms(cls) -> Mapping[str, ProgramsSettings]:
        """With a look at what the program yields, and without one, which needs a single call where all goes well."""
        return {"mended": ProgramsSettings(), "frugal": ProgramsSettings(look=False, calls=2)}

    def most_calls(self, options: int = 0) -> int | None:
        """As the settings say."""
        return self.settings.calls

    async def answered(self, run: Answering) -> Answer:
        """The answer to a question, or the decision on a claim.

        Raises:
            GraphError: the graph cannot be asked.
        """
        await run.link()
        writing = _Writing(self.settings, run, await _viewed(run, self.settings))
        try:
            await writing.write_and_mend()
        except (BudgetError, ReplyError):  # what was found before stands
            if not writing.attempts:
                raise
        return await asyncio.to_thread(writing.conclude)


async def _viewed(run: Answering, settings: ProgramsSettings) -> SchemaView:
    view = reader_of(run.context.retriever).view
    return await asyncio.to_thread(view, run.request.question, run.mentions, tokens=settings.tokens, ids=False)


def _spelt_out(run: Answering, spelt: Sequence[Mapping[str, str]]) -> list[Mention]:
    """Words of the question with what the graph calls as the model spells them out: no candidates where it has none."""
    mentions, question = [], run.request.question
    for words, name in ((entry["words"].strip(), entry["name"]) for entry in spelt[:_SPELT]):
        place = re.search(rf"(?<!\w){re.escape(words)}(?!\w)", question, re.I) if words else None
        if place is not None:
            linked = run.context.retriever.linker.link(name[:_QUESTION])
            exact = tuple(
                candidate
                for named in linked
                for candidate in named.candidates
                if candidate.how == "exact" and normalise(named.text) == normalise(name)
            )
            mentions.append(Mention(*place.span(), place[0], exact, 1.0))
    return mentions


class _Writing:
    """The programs of one question."""

    def __init__(self, settings: ProgramsSettings, run: Answering, view: SchemaView) -> None:
        self._settings, self._run, self._view, self._builder = settings, run, view, run.builder
        self._vocabulary = Vocabulary(view, run.mentions)
        self.attempts: list[_Attempt] = []
        self._not_there = False
        self._unnamed: Sequence[Mention] = ()  # what the model spells out, and the graph has not
        self._verdict: bool | None = None  # whether the model kept the last program; None: it did not come to judge it

    async def write_and_mend(self) -> None:
        """Write a program and mend it as long as it does not stand, and calls are left.

        Raises:
            BudgetError: the budget is used up.
            ReplyError: a reply that cannot be used.
        """
        for call in range(self._settings.calls):
            if not self.attempts:
                reply = await self._ask("write", spelt=_SPELLINGS)
                if call == 0 and reply["spelt"] and await self._spelt(reply["spelt"]):
                    continue
            else:
                tried = "\n".join(self._shown(number, earlier) for number, earlier in enumerate(self.attempts, 1))
                reply = await self._ask("look", {"tried": tried}, keep={"type": "boolean"})
                self._verdict = reply["keep"]
                if self._verdict:
                    return
            if not reply["steps"]:
                self._not_there = True
                return
            written = reply["steps"], reply["answer"]
            again = next((earlier for earlier in self.attempts if (earlier.steps, earlier.answer) == written), None)
            if again is not None:
                if again is not self.attempts[-1]:  # back to an earlier one
                    self.attempts.append(again)
                    self._verdict = None
                return
            attempt = await asyncio.to_thread(self._ran, *written)
            self.attempts.append(attempt)
            self._verdict = None
            steps, says, error = tuple(attempt.steps), attempt.sentence, attempt.error
            self._run.emit(ProgramWritten(steps=steps, says=says, values=attempt.count, error=error))
            if attempt.count and not self._settings.look:
                return

    async def _spelt(self, spelt: Sequence[Mapping[str, str]]) -> bool:
        """Whether the graph has what the model spells out; then it is shown, with the schema around it."""
        mentions = await asyncio.to_thread(_spelt_out, self._run, spelt)
        self._unnamed = [mention for mention in mentions if not mention.candidates]
        named = [mention for mention in mentions if mention.candidates]
        if named:
            self._run.mentions = (*named, *self._run.mentions)
            self._view = await _viewed(self._run, self._settings)
            self._vocabulary = Vocabulary(self._view, self._run.mentions)
        return bool(named)

    async def _ask(self, step: str, values: Mapping[str, str] | None = None, **fields: Any) -> Any:
        """A reply with a program, and further fields before it."""
        question = f"{_TASKS[self._run.request.task]}: {data(self._run.request.question, _QUESTION)}"
        program = {"steps": self._vocabulary.schema(), "answer": {"type": "integer"}}
        return await self._run.prompter.ask(
            step,
            {"schema": self._vocabulary.lines(), "asked": question, **(values or {})},
            schema=object_schema(thought={"type": "string"}, **fields, **program),
            temperature=self._settings.temperature,
            max_tokens=_TOKENS,
        )

    def _ran(self, steps: Sequence[Mapping[str, Any]], answer: int) -> _Attempt:
        """A program with what it yields; what is wrong with it is in the attempt."""
        trial = self._builder.fork()  # what is no program leaves nothing behind
        try:
            place = build(steps, answer, trial, self._vocabulary)
            if trial.static(place).yields != "truth":
                trial.check_answer(place)
            if self._run.request.task == "claim" and trial.static(place).yields != "truth":
                return _Attempt(steps, answer, error="a claim is decided by a step that is yes or no")
            trial.value(place)
        except InputError as error:
            return _Attempt(steps, answer, error=str(error))
        place = build(steps, answer, self._builder, self._vocabulary)
        return _Attempt(steps, answer, place, self._builder.value(place), self._builder.explained(place))

    # -- what is shown -----------------------------------------------------------------------------------------------

    def _shown(self, number: int, attempt: _Attempt) -> str:
        """A program with what it says and yields."""
        steps = json.dumps({"steps": attempt.steps, "answer": attempt.answer}, ensure_ascii=False)
        head = f"Program {number}: {steps[:_STEPS]}"
        if attempt.error is not None:
            return f"{head}\nError: {data(attempt.error, _ERROR)}"
        most = self._settings.shown
        match attempt.result:
            case Nodes():
                lines = [self._cell([node]) for node in attempt.result.nodes[:most]]
            case Rows():
                lines = [" | ".join(map(self._cell, row)) for row in attempt.result.rows[:most]]
            case bool():
                lines = ["yes" if attempt.result else "no"]
            case _:
                lines = ["unknown"]
        more = attempt.count - most
        lines += [f"… and {more:,} more"] if more > 0 else []
        sentence = f"It says: {data(attempt.sentence, _SENTENCE)}"
        return "\n".join([head, sentence, f"It yields {attempt.count:,}:", block("yields", lines)])

    def _cell(self, nodes: Sequence[Node]) -> str:
        return ", ".join(
            data(node.label or node.id, _NAME) if isinstance(node, Entity) else self._view.node(node) for node in nodes
        )

    # -- what comes of it --------------------------------------------------------------------------------------------

    def conclude(self) -> Answer:
        """What the last program yields, unless it yields nothing or the model did not keep it; else why not."""
        best = self.attempts[-1] if self.attempts else None
        if best is not None and best.count and self._verdict is not False and not self._not_there:
            return self._run.answer_of(best.place)
        empty = [attempt.place for attempt in self.attempts if attempt.error is None and not attempt.count]
        return self._run.abstained(*self._why(empty), tried=empty)

    def _why(self, empty: Sequence[int]) -> list[Reason]:
        reasons: list[Reason] = []
        for place in empty[-1:]:
            truth = self._builder.static(place).yields == "truth"
            reasons.append(Unknown(of=place) if truth else Nothing(of=place))
        if self._not_there:
            missing = [Unnamed(words=(mention.start, mention.end)) for mention in self._unnamed]
            reasons += missing or [Other(says=_NOT_THERE)]
        elif any(attempt.count for attempt in self.attempts):
            reasons.append(Other(says=_NONE_KEPT))
        failed = [attempt.error for attempt in self.attempts[-1:] if attempt.error]
        reasons += [Other(says=f"the last program cannot be run: {data(why, _ERROR)}") for why in failed]
        if (used_up := self._run.prompter.session.used_up) is not None:
            reasons.append(Stopped(what=used_up))
        return reasons or [Other(says=_NOT_THERE)]
