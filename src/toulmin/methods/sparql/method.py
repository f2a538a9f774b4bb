"""The method: show the schema, let the model write a query, run it, let the model look at what it gave."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar

from toulmin.errors import BudgetError, NothingUsableError, ReplyError, SettingsError
from toulmin.llm.prompts import Prompts, block, data
from toulmin.methods.prompting import Prompter
from toulmin.methods.protocol import Context, Emit, Event, Linked, LinkedEntity, Method
from toulmin.methods.request import Request
from toulmin.methods.schema_view import SchemaView, reader_of
from toulmin.methods.sparql.running import Attempt, Runner
from toulmin.methods.sparql.settings import SparqlSettings
from toulmin.program.answer import Answer
from toulmin.program.builder import Builder
from toulmin.program.reasons import Nothing, Other, Reason, Stopped
from toulmin.retrieval.linking.mentions import Mention

__all__ = ["Queried", "Sparql"]

_QUESTION, _QUERY, _SENTENCE, _ERROR = 1000, 2000, 600, 400  # characters in a prompt
_TASKS = {"question": "Question", "claim": "Claim, to be decided by an ASK query"}
_NOT_THERE = "the model found no relation in the schema that says what is asked for"


@cache
def prompts() -> Prompts:
    """The prompts of the method."""
    return Prompts.of("toulmin.methods.sparql")


@cache
def _storage() -> dict[str, str]:
    """What is told of how each kind of graph stores things."""
    text = (files("toulmin.methods.sparql") / "storage.md").read_text(encoding="utf-8")
    sections = [section.partition("\n") for section in text.split("\n# ")[1:]]
    return {name.strip(): body.strip() for name, _, body in sections}


class Queried(Event):
    """A query was run.

    Args:
        sparql, meaning: as the model wrote them.
        rows: how many it gave; None: it failed.
        says: what it means, where it could be read as a program.
    """

    event: str = "queried"
    sparql: str
    meaning: str
    rows: int | None
    error: str | None = None
    says: str = ""


class Sparql(Method):
    """A query written by a model (see docs/sparql.md), for questions and claims.

    Args:
        settings: None: the defaults.

    Raises:
        SettingsError: settings of another type.
    """

    name: ClassVar[str] = "sparql"
    title: ClassVar[str] = "A query that the model writes over the graph's schema, sees run, and mends"
    source: ClassVar[str] = "ours; systems like it: GRASP (Walter and Bast, 2025)"
    takes = frozenset({"claim"})
    settings: SparqlSettings

    @classmethod
    def forms(cls) -> Mapping[str, SparqlSettings]:
        """With a look at the rows, and without one, which needs a single call where all goes well."""
        return {"mended": SparqlSettings(), "frugal": SparqlSettings(look=False, calls=2)}

    def most_calls(self) -> int | None:
        """As the settings say."""
        return self.settings.calls

    async def answer(self, request: Request, context: Context, emit: Emit) -> Answer:
        """Answer a question or decide a claim.

        Raises:
            SettingsError: no model, or a union of graphs, which has no engine.
            ModelError: the model cannot be reached, or gave nothing usable.
            GraphError: the graph cannot be asked.
        """
        if hasattr(context.graph, "graphs"):
            raise SettingsError("sparql asks one graph, and a union has no engine of its own: give one graph")
        return await _Run(self.settings, request, context, emit).answer()


class _Run:
    """The answering of one question."""

    def __init__(self, settings: SparqlSettings, request: Request, context: Context, emit: Emit) -> None:
        self._settings, self._request, self._context, self._emit = settings, request, context, emit
        self._prompter = Prompter("sparql", prompts(), context, emit)
        self._builder = Builder(request.question, context.graph)
        self._attempts: list[Attempt] = []
        self._not_there = False
        self._view: SchemaView | None = None

    async def answer(self) -> Answer:
        retriever, question = self._context.retriever, self._request.question
        mentions = [one for one in retriever.linker.link(question) if one.candidates]
        self._emit(Linked(entities=tuple(_linked(one) for one in mentions)))
        view = self._view = reader_of(retriever).view(question, mentions, tokens=self._settings.tokens)
        runner = Runner(self._context.graph, view, self._settings, self._builder)
        try:
            await self._write_and_mend(runner)
        except BudgetError:  # what was found before stands; else the answer tells of it
            pass
        except ReplyError as error:
            if not self._attempts:
                failed = NothingUsableError.of(error)
                failed.usage = self._prompter.told()["usage"]
                raise failed from None
        return self._conclude()

    async def _write_and_mend(self, runner: Runner) -> None:
        values = self._values()
        for call in range(self._settings.calls):
            if call == 0:
                reply = await self._ask("write", values)
            else:
                reply = await self._ask("look", values | {"tried": self._tried()})
                if reply["keep"]:
                    return
            text = reply["sparql"].strip()
            if not text:
                self._not_there = True
                return
            if any(text == one.text for one in self._attempts):
                return
            attempt = self._fitting(await runner.run(text, reply["meaning"]))
            self._attempts.append(attempt)
            self._tell(attempt)
            if attempt.found and not self._settings.look:
                return

    async def _ask(self, step: str, values: Mapping[str, str]) -> Any:
        return await self._prompter.ask(step, values, temperature=self._settings.temperature, max_tokens=1500)

    def _fitting(self, attempt: Attempt) -> Attempt:
        """A claim is decided by an ASK query."""
        if attempt.error is None and self._request.task == "claim" and not attempt.asks:
            return Attempt(attempt.text, attempt.meaning, attempt.whole, error="a claim is decided by an ASK query")
        return attempt

    def _tell(self, attempt: Attempt) -> None:
        rows = None if attempt.result is None else len(attempt.result.rows)
        says = attempt.sentence
        self._emit(Queried(sparql=attempt.text, meaning=attempt.meaning, rows=rows, error=attempt.error, says=says))

    # -- what is shown -----------------------------------------------------------------------------------------------

    def _values(self) -> dict[str, str]:
        view = self._view
        assert view is not None  # noqa: S101
        storage = _storage()
        told = [storage[view.kind] if view.kind in storage else storage["rdf"]]
        told += [storage["local-units"]] if view.kind == "local" and view.units else []
        told += [storage["local-qualified"]] if view.kind == "local" and view.qualified else []
        classes, relations = view.left_out
        lines = [block("classes", view.class_lines())] if view.classes else []
        lines.append(block("relations", view.relation_lines()))
        if classes or relations:
            lines.append(f"Left out, as far from the question: {classes:,} classes, {relations:,} relations.")
        names = block("names", view.named_lines()) + "\n" if view.named else ""
        return {
            "prefixes": view.prologue.strip() or "(none beside those that are declared)",
            "storage": "\n".join(told),
            "schema": "\n".join(lines),
            "names": names,
            "asked": f"{_TASKS[self._request.task]}: {data(self._request.question, _QUESTION)}",
        }

    def _tried(self) -> str:
        """Every query so far, with what it gave."""
        assert self._view is not None  # noqa: S101
        return "\n".join(
            _shown(number, one, self._view, self._settings.shown) for number, one in enumerate(self._attempts, 1)
        )

    # -- what comes of it --------------------------------------------------------------------------------------------

    def _conclude(self) -> Answer:
        told, by = self._prompter.told(), self._prompter.session.model
        ran = [one for one in self._attempts if one.error is None]
        found = [one for one in ran[-1:] if one.found] or [one for one in ran if one.found][-1:]
        if self._not_there and not (ran and ran[-1].found):
            found = []
        if not found:
            return self._builder.abstain(self._why(ran), tried=[one.place for one in ran], **told)
        best = found[0]
        if best.asks and not best.program:
            return self._builder.answer(self._judged(best, by), by=by, score=1.0, **told)
        return self._builder.answer(best.place, by=by, score=1.0, **told)

    def _judged(self, asked: Attempt, by: str) -> int:
        """The truth that the store told, as somebody who saw it decides."""
        assert asked.result is not None  # noqa: S101
        cell = asked.result.rows[0][0]
        decision = "yes" if getattr(cell, "value", "") in ("true", "1") else "no"
        says = f"what the query asks is so: {data(asked.text, _QUERY)}"
        return self._builder.judged(says, by=by, score=1.0, decision=decision, seen=[asked.place])

    def _why(self, ran: Sequence[Attempt]) -> list[Reason]:
        reasons: list[Reason] = [Nothing(of=one.place) for one in ran[-1:]]
        if self._not_there:
            reasons.append(Other(says=_NOT_THERE))
        failed = [one.error for one in self._attempts[-1:] if one.error]
        reasons += [Other(says=f"the last query cannot be run: {data(why, _ERROR)}") for why in failed]
        if (used_up := self._prompter.session.used_up) is not None:
            reasons.append(Stopped(what=used_up))
        return reasons


def _linked(mention: Mention) -> LinkedEntity:
    best = mention.candidates[0]
    return LinkedEntity(
        text=mention.text, start=mention.start, end=mention.end, entity=best.entity, score=best.score, how=best.how
    )


def _shown(number: int, attempt: Attempt, view: SchemaView, most: int) -> str:
    """A query with its rows: columns, then one line for each."""
    head = f"Query {number}: {json.dumps(attempt.text, ensure_ascii=False)}"
    if attempt.error is not None or attempt.result is None:
        return f"{head}\nError: {data(attempt.error or '', _ERROR)}"
    result = attempt.result
    if attempt.asks:
        lines = [data(getattr(row[0], "value", ""), 10) for row in result.rows]
    else:
        lines = [" | ".join(f"?{name}" for name in result.variables)]
        lines += [" | ".join("(unbound)" if c is None else view.node(c) for c in row) for row in result.rows[:most]]
        more = len(result.rows) - most
        lines += [f"… and {more:,} more rows"] if more > 0 else []
    said = [f"In words: {data(attempt.sentence, _SENTENCE)}"] if attempt.sentence else []
    return "\n".join([head, *said, f"Rows: {len(result.rows):,}", block("rows", lines)])
