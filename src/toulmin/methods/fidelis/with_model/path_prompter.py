"""The model's part, step by step: what it selects is always a number of a list that it was shown."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from typing import Literal as Choice

from toulmin.errors import ReplyError
from toulmin.llm.prompts import data, prompts_of
from toulmin.methods.fidelis.with_model.listing import Listed
from toulmin.methods.fidelis.with_model.settings import GuidedSettings
from toulmin.methods.prompting import Prompter, numbers_schema, object_schema, together
from toulmin.methods.question.unread_words import Asks

__all__ = ["Decision", "PathPrompter", "Ruling", "SearchPlan", "prompts"]

_QUESTION = 1000  # characters of the question, and of the statement, in a prompt
_STEP = 200  # characters of a step of the plan
#: The prompts of the method.
prompts = partial(prompts_of, "toulmin.methods.fidelis.with_model", "fidelis")


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """What the first call gives.

    Args:
        keywords: what relations, and what they lead to, may be called.
        steps: the hops to the answer, in words.
        statement: the question as a statement, with ``*placeholder*`` in place of what is asked for.
        names: what the question names, as a graph may call it.
    """

    keywords: tuple[str, ...]
    steps: tuple[str, ...]
    statement: str
    asks: Asks
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """Which paths lead to the answer, as positions (from 0) in what was listed.

    Args:
        every: the answer is what all paths lead to, not what any leads to.
        values: those that are asked for; none: all.
        without: those that are left out.
        pick: the first or last of them; ``by``: the path to what they are compared by, None: themselves.
        window: years; None: unbounded.
    """

    paths: tuple[int, ...]
    thought: str
    every: bool = False
    values: tuple[int, ...] = ()
    without: tuple[int, ...] = ()
    pick: Choice["all", "first", "last"] = "all"
    by: int | None = None
    window: tuple[str | None, str | None] = (None, None)


@dataclass(frozen=True, slots=True)
class Ruling:
    """How a statement is decided; numbers are positions (from 0) in what was listed.

    Args:
        compare: (path, operator, path).
        reaches: (path, value).
    """

    paths: tuple[int, ...]
    thought: str
    verdict: Choice["yes", "no", "unknown"]
    compare: tuple[int, str, int] | None = None
    reaches: tuple[int, int] | None = None


class PathPrompter:
    """Puts the prompts of one question to the model, within the limits of the settings and of the budget."""

    def __init__(self, prompter: Prompter, settings: GuidedSettings, question: str) -> None:
        self._prompter, self._settings = prompter, settings
        self._question, self._asked = question, data(question, _QUESTION)

    def calls_left(self) -> float:
        """How many more calls this question may take."""
        self._prompter.tell()
        return float("inf") if self._settings.calls is None else self._settings.calls - self._prompter.asked

    async def plan(self, *, claim: bool = False) -> SearchPlan:
        """What to look for; a claim is its own statement, to be decided.

        Where the model searches, that is keywords, plan and statement; where retrieval does, keywords and names, and a
        statement only where there is one to decide.
        """
        values = {"kind": "Claim" if claim else "Question", "question": self._asked}
        reply = await self._ask("plan" if self._settings.search else "keywords", values, after=1)
        keywords, steps, names = (_texts(reply.get(field, ())) for field in ("keywords", "plan", "names"))
        return SearchPlan(
            keywords or (self._question,),
            tuple(data(step, _STEP) for step in steps),
            data("" if claim else reply["statement"], _QUESTION) or self._asked,
            "yes or no" if claim else reply["asks"],
            names,
        )

    async def select(self, plan: SearchPlan, shown: Listed) -> list[int]:
        """The positions of the paths to keep, best first, at most the beam's width."""
        width = self._settings.beam_width
        values = {
            "question": self._asked,
            "plan": "; ".join(plan.steps) or "none",
            "paths": shown.text,
            "width": str(width),
        }
        schema = object_schema({"chosen": numbers_schema(len(shown.trails), width)})
        reply = await self._ask("select", values, schema, after=1)
        return _positions(reply["chosen"])[:width]

    async def verify(self, statement: str, shown: Sequence[Listed]) -> list[list[int] | None]:
        """For each list the positions of its paths that suffice, or entail the statement; None: no usable reply."""
        adequacy = self._settings.verifier == "adequacy"
        name, field = ("adequacy", "sufficient") if adequacy else ("verify", "follows")
        about = {"question": self._asked} if adequacy else {"statement": statement}

        async def verified(part: Listed) -> list[int] | None:
            schema = object_schema({field: numbers_schema(len(part.trails))})
            try:
                reply = await self._ask(name, {**about, "paths": part.text}, schema, after=1)
            except ReplyError:
                return None
            return _positions(reply[field])

        return await together(*map(verified, shown))

    async def decide(self, shown: Listed) -> Decision:
        """Which paths lead to the answer."""
        schema = copy.deepcopy(dict(prompts()["answer"].schema or {}))
        schema["properties"]["paths"] = numbers_schema(len(shown.trails))
        narrow = schema["properties"]["narrow"]["anyOf"][-1]["properties"]
        narrow["values"] = narrow["without"] = numbers_schema(len(shown.values))
        narrow["by"] = {"type": "integer", "enum": list(range(len(shown.trails) + 1))}
        values = {"question": self._asked, "paths": shown.text}
        reply = await self._ask("answer", values, schema)
        decision = Decision(tuple(_positions(reply["paths"])), data(reply["thought"], _QUESTION))
        narrowed = reply["narrow"]
        if narrowed is None:
            return decision
        return replace(
            decision,
            every=narrowed["together"] == "every",
            values=tuple(_positions(narrowed["values"])),
            without=tuple(_positions(narrowed["without"])),
            pick=narrowed["pick"],
            by=narrowed["by"] - 1 if narrowed["by"] else None,
            window=(narrowed["from"] or None, narrowed["to"] or None),
        )

    async def rule(self, statement: str, shown: Listed) -> Ruling:
        """How a statement is decided."""
        path = {"type": "integer", "enum": list(range(len(shown.trails) + 1))}
        schema = object_schema(
            {
                "thought": {"type": "string"},
                "paths": numbers_schema(len(shown.trails)),
                "how": {"type": "string", "enum": ["compare", "reaches", "judge"]},
                "left": path,
                "op": {"type": "string", "enum": ["=", "≠", "<", "≤", ">", "≥"]},
                "right": path,
                "value": {"type": "integer", "enum": list(range(len(shown.values) + 1))},
                "verdict": {"type": "string", "enum": ["yes", "no", "unknown"]},
            }
        )
        values = {"question": self._asked, "statement": statement, "paths": shown.text}
        reply = await self._ask("verdict", values, schema)
        left, right, value = reply["left"] - 1, reply["right"] - 1, reply["value"] - 1
        compared, reached = reply["how"] == "compare", reply["how"] == "reaches"
        return Ruling(
            tuple(_positions(reply["paths"])),
            data(reply["thought"], _QUESTION),
            reply["verdict"],
            (left, reply["op"], right) if compared and left >= 0 and right >= 0 else None,
            (left, value) if reached and left >= 0 and value >= 0 else None,
        )

    async def _ask(
        self,
        name: str,
        values: Mapping[str, str],
        schema: Mapping[str, Any] | None = None,
        *,
        after: int = 0,
    ) -> Any:
        """One reply; a repair call only if ``after`` calls are left for what must still come."""
        settings, prompt, session = self._settings, prompts()[name], self._prompter.session
        prompt = replace(prompt, demonstrations=prompt.demonstrations[: settings.demonstrations])
        options: dict[str, Any] = {
            "schema": schema,
            "temperature": settings.temperature,
            "top_p": settings.top_p,
            "max_tokens": settings.max_tokens,
        }
        try:
            if self.calls_left() >= 2 + after:
                return await session.ask(prompt, values, **options)
            return (await session.sample(prompt, values, n=1, **options))[0]
        finally:
            self._prompter.tell()


def _texts(texts: Sequence[str]) -> tuple[str, ...]:
    """Texts of a reply on one line each, without empty and repeated ones."""
    return tuple(dict.fromkeys(text for raw in texts if (text := " ".join(raw.split())[:_STEP])))


def _positions(numbers: Sequence[int]) -> list[int]:
    return [number - 1 for number in dict.fromkeys(numbers)]
