"""What the model is asked while it explores: every relation, entity and statement that it names is a number."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from toulmin.errors import ReplyError
from toulmin.graph.types import Statement
from toulmin.llm.prompts import block, data
from toulmin.methods.answering import Answering
from toulmin.methods.model_answers import ModelAnswer, statement_lines
from toulmin.methods.prompting import numbers_schema, object_schema
from toulmin.methods.protocol import FellBack
from toulmin.methods.tog.explorer import ExploredNode, Explorer, Lead, ToGSettings

__all__ = ["Guide"]

_THOUGHT = 1000  # characters of a thought in the trace


class Guide:
    """Asks the model."""

    def __init__(self, run: Answering, explorer: Explorer, settings: ToGSettings) -> None:
        self._run, self._explorer, self._settings = run, explorer, settings

    async def relations(self, groups: Sequence[Sequence[Lead]]) -> list[Lead]:
        """The relations worth following, with the model's scores, the best first, at most the width.

        Args:
            groups: those of each entity.
        """
        if self._settings.together:
            groups = [[lead for group in groups for lead in group]]
        most, hop_words = self._settings.listed, self._explorer.hop_words
        listed = [self._run.likest(group, lambda lead: hop_words(lead.hop), most) for group in groups if group]
        leads = [replace(lead, score=score) for lead, score in await self._each("relations", listed)]
        return sorted(leads, key=lambda lead: -lead.score)[: self._settings.width]

    async def entities(self, groups: Sequence[Sequence[ExploredNode]]) -> list[ExploredNode]:
        """The entities worth keeping, the best first, at most the width; where no more are left, without asking.

        Args:
            groups: those of each relation.
        """
        width = self._settings.width
        if self._settings.together:
            together = [node for group in groups for node in group]
            groups, enough = [together], len(together) <= width
        else:
            enough = False
        sure = [node for group in groups if enough or len(group) == 1 for node in group]
        asked_of = [list(group) for group in groups if not enough and len(group) > 1]
        scored = await self._each("entities", asked_of)
        nodes = [*sure, *(replace(node, score=node.score * score) for node, score in scored)]
        return sorted(nodes, key=lambda node: -node.score)[:width]

    async def sufficient(self, statements: Sequence[Statement]) -> bool:
        """Whether the statements suffice for an answer."""
        schema = object_schema({"sufficient": {"type": "string", "enum": ["yes", "no"]}})
        values = {"asked": self._run.asked, "statements": statement_lines(statements)}
        reply = await self._run.prompter.ask("sufficient", values, schema=schema)
        return bool(reply["sufficient"] == "yes")

    async def conclude(
        self, reached: Sequence[ExploredNode], statements: Sequence[Statement]
    ) -> tuple[list[int], ModelAnswer]:
        """The answer, from statements and from what they lead to: the positions of what it names, and what it says."""
        claim = self._run.request.task == "claim"
        verdict = {"type": "string", "enum": ["yes", "no", "unknown"]}
        numbers = numbers_schema(len(reached))
        schema = object_schema(
            {
                "thought": {"type": "string", "maxLength": 2 * _THOUGHT},
                "statements": numbers_schema(len(statements)),
                "answer": verdict if claim else {"anyOf": [verdict, numbers]},
            }
        )
        values = {"asked": self._run.asked, "statements": statement_lines(statements)}
        if not claim:
            names = [f"#{at} {self._explorer.name(node.node)}" for at, node in enumerate(reached, 1)]
            values["found"] = block("found", names)
        step = "claim" if claim else "answer"
        reply = await self._run.prompter.ask(step, values, schema=schema, check=_uncited)
        answer, thought = reply["answer"], data(reply["thought"], _THOUGHT)
        cited = tuple(statements[number - 1] for number in dict.fromkeys(reply["statements"]))
        if isinstance(answer, str):
            return [], ModelAnswer((), {"yes": True, "no": False}.get(answer), cited, thought)
        return [number - 1 for number in dict.fromkeys(answer)], ModelAnswer((), None, cited, thought)

    async def _each(self, step: str, groups: Sequence[list[Any]]) -> list[tuple[Any, float]]:
        """Those of several lists that the model gives a score above 0; a list without a usable reply counts as none.

        Raises:
            ReplyError: there is no usable reply to any list.
        """
        replies = await asyncio.gather(*(self._scored(step, group) for group in groups), return_exceptions=True)
        scored: list[tuple[Any, float]] = []
        failed: list[ReplyError] = []
        for reply in replies:
            if isinstance(reply, ReplyError):
                failed.append(reply)
            elif isinstance(reply, BaseException):
                raise reply
            else:
                scored += reply
        if failed and len(failed) == len(groups):
            raise failed[0]
        for error in failed:
            self._run.emit(FellBack(step=error.step, problem=error.problem, instead="nothing of that list is kept"))
        return scored

    async def _scored(self, step: str, group: list[Any]) -> list[tuple[Any, float]]:
        explorer, width = self._explorer, self._settings.width
        words = explorer.words if step == "relations" else explorer.path_words
        lines = [f"[{number}] {words(item)}" for number, item in enumerate(group, 1)]
        number = {"type": "integer", "enum": list(range(1, len(group) + 1))}
        part = object_schema({"number": number, "score": {"type": "number", "minimum": 0, "maximum": 1}})
        values = {"asked": self._run.asked, step: block(step, lines), "width": str(width)}
        schema = object_schema({step: {"type": "array", "items": part, "maxItems": width}})
        asker, temperature = self._run.prompter, self._settings.temperature
        reply = await asker.ask(step, values, schema=schema, temperature=temperature)
        scores = {entry["number"]: float(entry["score"]) for entry in reversed(reply[step])}
        return [(group[at - 1], score) for at, score in reversed(scores.items()) if score > 0]


def _uncited(value: Any) -> str | None:
    """A verdict rests on statements."""
    if value["answer"] in ("yes", "no") and not value["statements"]:
        return "a verdict cites the numbers of the statements that it rests on; without any it is unknown"
    return None
