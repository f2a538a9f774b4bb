"""The model calls of one question: counted, kept within the budget, their replies parsed and repaired once."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from toulmin.errors import BudgetError, InputError, ModelError, NothingUsableError, ReplyError
from toulmin.llm.budget import Bound, Budget, Meter
from toulmin.llm.prompts import Prompt
from toulmin.llm.protocol import Completion, Message, Model, ModelRequest
from toulmin.llm.structured import read_reply
from toulmin.llm.wire import one_line

if TYPE_CHECKING:
    from toulmin.program.answer import Usage

__all__ = ["Call", "Check", "RequestOptions", "Session"]

Check = Callable[[Any], str | None]

_SHOWN = 4000  # characters of an unusable reply that the repair call shows
_BEGINNING = 80  # characters of it that an error shows
_SAMPLED = 0.7  # temperature of several samples: that of papers/rr


class RequestOptions(TypedDict, total=False):
    """How a reply is asked for, as ``ModelRequest`` has it; ``schema`` is in place of the prompt's own."""

    schema: Mapping[str, Any] | None
    temperature: float
    top_p: float | None
    max_tokens: int
    seed: int | None
    logprobs: bool
    top_logprobs: int
    grammar: str | None


@dataclass(frozen=True, slots=True)
class Call:
    """One exchange with the model, as the trace shows it.

    Args:
        step: the prompt's name.
        called: whether a model was run for it; False: the reply came from a cache or a replay.
        problem: why the reply could not be used, or the call failed; None: it is fine.
        reply: the texts of its completions, one below the other; empty where the call failed.
    """

    step: str
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    called: bool
    problem: str | None
    reply: str


class Session:
    """See the module. ``ask`` and ``sample`` may be awaited concurrently.

    Args:
        model: the chat model.
        budget: of this question; its time runs from here. A meter: of all that share it, whose calls ``usage`` counts
            too. None: no bounds.

    Attributes:
        meter: what keeps to the budget.
    """

    def __init__(self, model: Model, budget: Budget | Meter | None = None) -> None:
        self._model = model
        self.meter = budget if isinstance(budget, Meter) else Meter(budget)
        self._new: list[Call] = []
        self.failures: Counter[str] = Counter()
        self._usable: Counter[str] = Counter()  # replies by step
        self._unusable: Counter[str] = Counter()
        self._last = "", ""  # what is wrong with the last unusable reply, and how it begins

    @property
    def model(self) -> str:
        """The model's name, as an answer names it."""
        return self._model.name

    @property
    def used_up(self) -> Bound | None:
        """What of the budget ended the calls; None: it did not."""
        return self.meter.used_up

    def asked(self, *steps: str) -> bool:
        """Whether the model replied to one of these steps, usable or not."""
        return any(self._usable[step] or self._unusable[step] for step in steps)

    def nothing_usable(self, *deciding: Collection[str]) -> NothingUsableError | None:
        """The error that there is no answer for want of a usable reply; None: that is not why.

        It is, where no reply at all could be used, or none to a group of steps of which an answer needs one.

        Args:
            deciding: groups of prompts' names.
        """
        failed = {step: count for step, count in self._unusable.items() if self.failures[step]}
        unmet = [group for group in deciding if not any(self._usable[step] for step in group)]
        if not failed or (self._usable.total() and not any(step in failed for group in unmet for step in group)):
            return None
        return NothingUsableError(failed, *self._last)

    async def ask(
        self,
        prompt: Prompt,
        values: Mapping[str, str],
        *,
        check: Check | None = None,
        **options: Unpack[RequestOptions],
    ) -> Any:
        """One reply to a prompt: the parsed JSON; the text where there is no schema.

        Args:
            check: what a schema cannot say: None, or the problem in one line. A reply with a problem of any kind is
                shown to the model with it, once.

        Raises:
            ReplyError: still unusable after the repair call, or refused; counted in ``failures`` by the prompt's name.
            BudgetError: the budget is used up; ``meter.stopped`` says what of it.
            ModelError: no reply can be had; counted too.
        """
        return (await self.reply(prompt, values, check=check, **options))[0]

    async def reply(
        self,
        prompt: Prompt,
        values: Mapping[str, str],
        *,
        check: Check | None = None,
        **options: Unpack[RequestOptions],
    ) -> tuple[Any, Completion]:
        """As ``ask``, with the completion that was read: its tokens' log-probabilities, where wanted and given."""
        request = _request(prompt, values, options)
        value, problem, completion = (await self._exchange(request, check))[0]
        replies = 1
        if problem is not None and completion.finish != "refusal":
            value, problem, completion = (await self._exchange(_repair(request, completion, problem), check))[0]
            replies = 2
        if problem is not None:
            self.failures[prompt.name] += 1
            raise ReplyError(prompt.name, problem, replies=replies, reply=_beginning(completion.text))
        return value, completion

    async def sample(
        self,
        prompt: Prompt,
        values: Mapping[str, str],
        *,
        n: int,
        check: Check | None = None,
        **options: Unpack[RequestOptions],
    ) -> list[Any]:
        """Several independent replies to a prompt, those that can be used; at temperature 0.7 unless told.

        There is no repair, which would make replies depend on others: each unusable one is counted in ``failures`` and
        left out.

        Raises:
            ReplyError: none can be used.
            BudgetError, ModelError: as ``ask``.
        """
        request = replace(_request(prompt, values, {"temperature": _SAMPLED, **options}), n=n)
        exchanged = await self._exchange(request, check)
        usable = [value for value, problem, _ in exchanged if problem is None]
        self.failures[prompt.name] += len(exchanged) - len(usable)
        self.failures += Counter()  # drops names that count 0
        if not usable:
            problem = f"none of {len(exchanged)} replies can be used: {exchanged[0][1]}"
            raise ReplyError(prompt.name, problem, replies=len(exchanged), reply=_beginning(exchanged[-1][2].text))
        return usable

    def drain(self) -> list[Call]:
        """The calls that ended since the last drain, in the order in which they ended."""
        new, self._new = self._new, []
        return new

    def usage(self, seconds: float) -> Usage:
        """What the calls so far cost, beside the wall time that the method measured."""
        return self.meter.usage(seconds, self.failures)

    async def _exchange(self, request: ModelRequest, check: Check | None) -> list[tuple[Any, str | None, Completion]]:
        """One call; per completion its value, what is wrong with it, and itself."""
        started = time.monotonic()
        try:
            reply = await self.meter.complete(self._model, request)
        except (ModelError, BudgetError) as error:
            if isinstance(error, ModelError):
                self.failures[request.step] += 1
            self._new.append(Call(request.step, 0, 0, time.monotonic() - started, True, str(error), ""))
            raise
        completions = reply.completions or (Completion(""),)
        exchanged = [(*_read(completion, request, check), completion) for completion in completions]
        for _, problem, completion in exchanged:
            (self._usable if problem is None else self._unusable)[request.step] += 1
            if problem is not None:
                self._last = one_line(problem), _beginning(completion.text)
        usage = reply.usage
        self._new.append(
            Call(
                request.step,
                usage.prompt,
                usage.completion,
                time.monotonic() - started,
                reply.called,
                next((problem for _, problem, _ in exchanged if problem is not None), None),
                "\n".join(completion.text for completion in completions),
            )
        )
        return exchanged


def _request(prompt: Prompt, values: Mapping[str, str], options: RequestOptions) -> ModelRequest:
    schema = options.get("schema") or prompt.schema
    return replace(ModelRequest(prompt.fill(values), step=prompt.name, **options), schema=schema)


def _read(completion: Completion, request: ModelRequest, check: Check | None) -> tuple[Any, str | None]:
    """The value of a completion and None, or what is wrong with it."""
    try:
        value = read_reply(completion, request.schema)
    except InputError as error:
        return None, str(error)
    return value, check(value) if check else None


def _beginning(text: str) -> str:
    """How a reply begins, as an error shows it."""
    line = one_line(text[: 20 * _BEGINNING])
    return line if len(line) <= _BEGINNING else f"{line[: _BEGINNING - 1]}…"


def _repair(request: ModelRequest, completion: Completion, problem: str) -> ModelRequest:
    """The request that shows an unusable reply and its problem."""
    text = completion.text.strip()
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]} …"
    again = "Reply again in full" + ("" if request.schema is None else ", with one JSON value and nothing else") + "."
    cut = completion.finish == "length"
    return replace(
        request,
        messages=(
            *request.messages,
            Message("assistant", shown or "(nothing)"),  # endpoints refuse an empty message
            Message("user", f"That reply cannot be used: {problem}. {again}"),
        ),
        max_tokens=request.max_tokens * 2 if cut else request.max_tokens,
    )
