"""The method: show the schema, let the model write a query, run it, let the model look at what it gave."""

from __future__ import annotations

import asyncio
import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar

from toulmin.errors import BudgetError, InputError, QueryError, ReplyError, SettingsError
from toulmin.graph.local import LocalGraph
from toulmin.graph.protocol import QueryResult
from toulmin.graph.types import Entity, Literal, Node
from toulmin.llm.prompts import block, data
from toulmin.methods.answering import Answering, AnsweringMethod
from toulmin.methods.protocol import Event
from toulmin.methods.schema_view.schema_reader import reader_of
from toulmin.methods.schema_view.view import SchemaView
from toulmin.methods.setting_checks import check_least, check_over
from toulmin.methods.sparql.column_sources import check_grounded
from toulmin.program.answer import Answer
from toulmin.program.builder import Builder
from toulmin.program.from_sparql import from_sparql
from toulmin.program.nodes import Decision
from toulmin.program.reasons import Nothing, Other, Reason, Stopped
from toulmin.program.value import Nodes, Result, Rows

__all__ = ["Attempt", "Queried", "Sparql", "SparqlSettings"]

_QUESTION, _QUERY, _SENTENCE, _ERROR = 1000, 2000, 600, 400  # characters in a prompt
_TASKS = {"question": "Question", "claim": "Claim, to be decided by an ASK query"}
_CHECKING = 4.0  # seconds that the kernel may take for a program, of the 10 that it has
_TOKENS = 1500  # of a reply: a thought, what the query means, and the query
_TRUTH = {"true": True, "1": True, "false": False, "0": False}
_UNBOUND = "the rows of the last query hold nothing"
_NONE_KEPT = "the model saw what its queries gave, and kept none of them"
_NOT_THERE = "the model found no relation in the schema that says what is asked for"


@cache
def _storage() -> dict[str, str]:
    """What is told of how each kind of graph stores things."""
    text = (files("toulmin.methods.sparql") / "storage.md").read_text(encoding="utf-8")
    sections = [section.partition("\n") for section in text.split("\n# ")[1:]]
    return {name.strip(): body.strip() for name, _, body in sections}


@dataclass(frozen=True, slots=True)
class SparqlSettings:
    """All defaults are ours: the method is in no paper, though many systems are like it (GRASP, Walter and Bast, 2025).

    Args:
        calls: calls of the model for one question: one writes the query, each further one looks at what it gave, and
            lets it stand or mends it.
        look: whether rows are looked at too; without, only errors, empty results and what is too much are.
        tokens: of the schema that is shown, of 4 bytes each; what does not fit is chosen by the question.
        rows: a query that gives more rows has to be mended.
        shown: rows that the model sees.
        timeout: seconds that a query may run.
        programs: whether a query is read as a program, where one yields the same; only the kernel's own computation
            is as strong. Without, and on endpoints, the store alone vouches for its rows.
        temperature: of all calls.

    Raises:
        SettingsError: a number out of range.
    """

    calls: int = 3
    look: bool = True
    tokens: int = 6000
    rows: int = 5000
    shown: int = 10
    timeout: float = 20.0
    programs: bool = True
    temperature: float = 0.0

    def __post_init__(self) -> None:
        check_over(self, "calls", "tokens", "rows", "shown", "timeout", of="sparql: ")
        check_least(self, "temperature", least=0, of="sparql: ")


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


@dataclass(frozen=True, slots=True)
class Attempt:
    """A query that was run, or refused.

    Args:
        text: the query as the model wrote it.
        whole: with the prefixes that it needs.
        error: why it gave nothing, in one line; None: it ran.
        place: the node of a builder that yields its rows.
        program: whether that node is computed from statements; else it records what the store gave.
        sentence: what the program says in words; "" without one.
        equals: how many more stand at the last place that LIMIT keeps, so that it is chance which of them are given.
    """

    text: str
    meaning: str
    whole: str = ""
    result: QueryResult | None = None
    error: str | None = None
    place: int = -1
    program: bool = False
    sentence: str = ""
    equals: int = 0

    @property
    def asks(self) -> bool:
        """Whether it was an ASK query."""
        return self.result is not None and not self.result.variables

    @property
    def found(self) -> bool:
        """Whether it gave anything at all; what is bound to nothing is nothing."""
        return self.result is not None and any(cell is not None for row in self.result.rows for cell in row)


@dataclass(slots=True)
class _Querying(Answering):
    """The queries of one question."""

    settings: SparqlSettings
    _view: SchemaView = field(init=False)
    _attempts: list[Attempt] = field(default_factory=list)
    _not_there: bool = False
    _verdict: bool | None = None  # whether the model kept the last attempt; None: it did not come to judge it

    async def answered(self) -> Answer:
        """The answer to a question, or the decision on a claim.

        Raises:
            SettingsError: a union of graphs, which has no engine.
            GraphError: the graph cannot be asked.
        """
        if hasattr(self.context.graph, "graphs"):
            raise SettingsError("sparql asks one graph, and a union has no engine of its own: give one graph")
        view = reader_of(self.context.retriever).view
        mentions = await self.link()
        self._view = await asyncio.to_thread(view, self.request.question, mentions, tokens=self.settings.tokens)
        try:
            await self._write_and_mend()
        except (BudgetError, ReplyError):  # what was found before stands
            if not self._attempts:
                raise
        return await asyncio.to_thread(self._conclusion)

    async def _write_and_mend(self) -> None:
        """Write a query and mend it as long as it does not stand, and calls are left.

        Raises:
            BudgetError: the budget is used up.
            ReplyError: a reply that cannot be used.
        """
        values = self._values()
        for call in range(self.settings.calls):
            if call == 0:
                reply = await self._ask("write", values)
            else:
                shown = (
                    _shown(at, earlier, self._view, self.settings.shown) for at, earlier in enumerate(self._attempts, 1)
                )
                reply = await self._ask("look", values | {"tried": "\n".join(shown)})
                self._verdict = reply["keep"]
                if self._verdict:
                    return
            text = reply["sparql"].strip()
            if not text:
                self._not_there = True
                return
            if self._attempts and text == self._attempts[-1].text:
                return
            before = {earlier.text: earlier for earlier in self._attempts}  # the model may return to one
            attempt = before.get(text) or await self._ran(text, reply["meaning"])
            if attempt.error is None and self.request.task == "claim" and not attempt.asks:
                why = "a claim is decided by an ASK query"
                attempt = Attempt(attempt.text, attempt.meaning, attempt.whole, error=why)
            self._attempts.append(attempt)
            self._verdict = None
            meaning, rows = attempt.meaning, None if attempt.result is None else len(attempt.result.rows)
            says, error = attempt.sentence, attempt.error
            self.emit(Queried(sparql=text, meaning=meaning, rows=rows, error=error, says=says))
            if attempt.found and not self.settings.look:
                return

    async def _ask(self, step: str, values: Mapping[str, str]) -> Any:
        return await self.prompter.ask(step, values, temperature=self.settings.temperature, max_tokens=_TOKENS)

    # -- what is run ---------------------------------------------------------------------------------------------------

    async def _ran(self, text: str, meaning: str) -> Attempt:
        """A query that was run, bounded in rows and time, and read as a program; what is wrong with it is in there."""
        whole = self._view.prologue + text.strip()
        attempt = Attempt(text, meaning, whole)
        try:
            result = await asyncio.to_thread(self._result, whole)
        except QueryError as error:
            return replace(attempt, error=str(error))
        return await asyncio.to_thread(self._read, replace(attempt, result=result))

    def _result(self, whole: str) -> QueryResult:
        most = self.settings.rows
        result = self.context.graph.query(whole, timeout=self.settings.timeout, limit=most + 1)
        check_grounded(whole)  # afterwards, since what the store says of a malformed query is more exact
        if len(result.rows) > most:
            raise QueryError(f"the query gives more than {most:,} rows: ask for fewer")
        return result

    def _read(self, attempt: Attempt) -> Attempt:
        """The node of a query: a program that yields the same, else what the store gave."""
        assert attempt.result is not None  # noqa: S101
        if self.settings.programs and isinstance(self.context.graph, LocalGraph):
            tried, place = self.builder.fork(), -1  # what does not come to the same leaves nothing behind
            try:
                place = from_sparql(attempt.whole, tried, compared=True)
                value = tried.value(place)
                same = _same(value, attempt.result) and tried.static(place).kind == "evidence"
            except InputError:
                value, same = None, False
            if _ordered(tried, place) and not same:
                mine, given = set(_table(value) or ()), set(map(_row, attempt.result.rows))
                attempt = replace(attempt, equals=len(mine - given) if given <= mine else 0)
            if same:
                place = from_sparql(attempt.whole, self.builder, compared=True)
                return replace(attempt, place=place, program=True, sentence=self.builder.sentence(place))
        try:
            return replace(attempt, place=self.builder.query(attempt.whole, result=attempt.result))
        except InputError as error:
            return replace(attempt, result=None, error=str(error))

    # -- what is shown -----------------------------------------------------------------------------------------------

    def _values(self) -> dict[str, str]:
        view = self._view
        storage = _storage()
        storage_lines = [storage.get(view.kind, storage["rdf"])]
        if view.kind == "local":
            storage_lines += [storage["local-units"]] if any(seen.units for seen in view.relations) else []
            storage_lines += [storage["local-qualified"]] if any(seen.qualifiers for seen in view.relations) else []
        classes, relations = view.left_out
        lines = [block("classes", view.class_lines())] if view.classes else []
        lines.append(block("relations", view.relation_lines()))
        if classes or relations:
            lines.append(f"Left out, as far from the question: {classes:,} classes, {relations:,} relations.")
        names = block("names", view.named_lines()) + "\n" if view.named else ""
        return {
            "prefixes": view.prologue.strip() or "(none beside those that are declared)",
            "storage": "\n".join(storage_lines),
            "schema": "\n".join(lines),
            "names": names,
            "asked": f"{_TASKS[self.request.task]}: {data(self.request.question, _QUESTION)}",
        }

    # -- what comes of it --------------------------------------------------------------------------------------------

    def _conclusion(self) -> Answer:
        """The rows of the last query, unless it gave none or the model did not keep them; else why there are none."""
        ran = [attempt for attempt in self._attempts if attempt.error is None]
        best = self._attempts[-1] if self._attempts else None
        if best is None or self._verdict is False or not best.found:  # what the model saw and did not keep is no answer
            empty = [attempt.place for attempt in ran if attempt.result is not None and not attempt.result.rows]
            return self.abstained(*self._why(ran, empty), tried=empty)
        if best.asks and not best.program:
            return self.answer_of(self._judged(best))
        answer = self.answer_of(best.place)
        if best.program and answer.check(self.context.graph, seconds=_CHECKING).exit_code:
            # The kernel is naive: what takes it too long is better told by the store.
            place = self.builder.query(best.whole, result=best.result)
            return self.answer_of(self._judged(replace(best, place=place)) if best.asks else place)
        return answer

    def _judged(self, attempt: Attempt) -> int:
        """The truth that the store told, as somebody who saw it decides."""
        assert attempt.result is not None  # noqa: S101
        cell = attempt.result.rows[0][0]
        decision: Decision = "yes" if getattr(cell, "value", "") in ("true", "1") else "no"
        says = f"what the query asks is so: {data(attempt.text, _QUERY)}"
        by = self.prompter.model
        return self.builder.judged(says, by=by, score=1.0, decision=decision, seen=[attempt.place])

    def _why(self, ran: Sequence[Attempt], empty: Sequence[int]) -> list[Reason]:
        reasons: list[Reason] = [Nothing(of=place) for place in empty[-1:]]
        if self._not_there:
            reasons.append(Other(says=_NOT_THERE))
        elif self._verdict is not True and any(attempt.found for attempt in ran):
            reasons.append(Other(says=_NONE_KEPT))
        failed = [attempt.error for attempt in self._attempts[-1:] if attempt.error]
        reasons += [Other(says=f"the last query cannot be run: {data(why, _ERROR)}") for why in failed]
        if (used_up := self.prompter.session.used_up) is not None:
            reasons.append(Stopped(what=used_up))
        return reasons or [Other(says=_UNBOUND)]


class Sparql(AnsweringMethod):
    """A query written by a model (see docs/sparql.md), for questions and claims."""

    name: ClassVar[str] = "sparql"
    title: ClassVar[str] = "A query that the model writes over the graph's schema, sees run, and mends"
    source: ClassVar[str] = "ours; systems like it: GRASP (Walter and Bast, 2025)"
    takes = frozenset({"claim"})
    answering = _Querying
    settings: SparqlSettings

    @classmethod
    def forms(cls) -> Mapping[str, SparqlSettings]:
        """With a look at the rows, and without one, which needs a single call where all goes well."""
        return {"mended": SparqlSettings(), "frugal": SparqlSettings(look=False, calls=2)}

    def most_calls(self, options: int = 0) -> int | None:
        """As the settings say."""
        return self.settings.calls


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
    notes = [f"In words: {data(attempt.sentence, _SENTENCE)}"] if attempt.sentence else []
    if attempt.equals:
        notes.append(f"Equals: {attempt.equals:,} more stand at the last place that LIMIT keeps")
    return "\n".join([head, *notes, f"Rows: {len(result.rows):,}", block("rows", lines)])


def _same(value: Result, result: QueryResult) -> bool:
    """Whether a program yields what the store gave: the same nodes or rows, in whatever order."""
    if isinstance(value, bool) or value is None:
        cell = result.rows[0][0] if result.rows and result.rows[0] else None
        truth = _TRUTH.get(cell.value) if isinstance(cell, Literal) else None
        return not result.variables and truth is value
    mine, given = _table(value), [_row(row) for row in result.rows]
    if isinstance(value, Nodes):  # a set, without what is unbound
        given = list(dict.fromkeys(row for row in given if row != (None,)))
        return len(result.variables) == 1 and Counter(mine) == Counter(given)
    return mine is not None and Counter(mine) == Counter(given)


def _ordered(builder: Builder, place: int) -> bool:
    """Whether a node is the first or last of a set, or a table of these."""
    nodes: tuple[Any, ...] = builder.program
    if place >= 0 and nodes[place].op == "table":
        place = nodes[place].of
    return place >= 0 and nodes[place].op in ("first", "last")


def _table(value: Result) -> list[tuple[object, ...]] | None:
    """The rows that a program yields, by their keys; None: it yields none, or a cell of several nodes."""
    if isinstance(value, Nodes):
        return [_row([node]) for node in value.nodes]
    if isinstance(value, Rows) and all(len(cell) < 2 for row in value.rows for cell in row):
        return [_row([cell[0] if cell else None for cell in row]) for row in value.rows]
    return None


def _row(row: Sequence[Node | None]) -> tuple[object, ...]:
    return tuple(None if cell is None else _key(cell) for cell in row)


def _key(node: Node) -> object:
    """The key by which nodes are compared: of quantities the value, to nine digits, since rounding may differ."""
    if isinstance(node, Entity):
        return node.id
    if node.kind == "quantity":
        number = float(node.value)
        return number if number == 0 or not math.isfinite(number) else float(f"{number:.9g}"), node.unit
    return node.kind, node.value, node.lang
