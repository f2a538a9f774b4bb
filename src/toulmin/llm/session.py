"""The model calls of one question: counted, kept within the budget, their replies parsed and repaired once.

What one question may cost is its budget; a meter keeps to it.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypedDict, Unpack
from typing import Literal as Choice

from toulmin.errors import BudgetError, InputError, ModelError, NothingUsableError, ReplyError, SettingsError
from toulmin.llm.prompts import Prompt
from toulmin.llm.protocol import Completion, Message, Model, ModelRequest, Reply, Tokens, WrappedModel
from toulmin.llm.structured import read_reply
from toulmin.llm.wire import one_line
from toulmin.program.answer import Usage

__all__ = ["Bound", "Budget", "BudgetedModel", "Call", "Check", "Meter", "RequestOptions", "Session", "Spending"]

#: What a budget bounds.
Bound = Choice["calls", "tokens", "seconds", "cost"]

Check = Callable[[Any], str | None]

_SHOWN = 4000  # characters of an unusable reply that the repair call shows
_BEGINNING = 80  # characters of it that an error shows
_SAMPLED = 0.7  # temperature of several samples: that of papers/rr


@dataclass(frozen=True, slots=True)
class Budget:
    """Upper bounds of what one question may cost; None: no bound.

    Args:
        calls: model calls, repairs included; each of several samples is one.
        tokens: prompt and completion tokens together.
        cost: money, in the currency of the prices.
        seconds: wall time, after which no call begins or goes on; what computes goes on.

    Raises:
        SettingsError: a bound that is negative.
    """

    calls: int | None = None
    tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            bound = getattr(self, field.name)
            if bound is not None and not bound >= 0:
                raise SettingsError(f"a budget of {bound} {field.name}: give 0 or more")


@dataclass(slots=True, kw_only=True, eq=False)
class Spending:
    """What calls have cost so far; ``cost`` None: of none is it known."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None

    def add(self, usage: Tokens) -> None:
        """Take in the tokens and the money of a reply."""
        self.prompt_tokens += usage.prompt
        self.completion_tokens += usage.completion
        if usage.cost is not None:
            self.cost = (self.cost or 0.0) + usage.cost

    def usage(self, seconds: float, failures: Mapping[str, int] | None = None) -> Usage:
        """The sums as an answer holds them, beside the wall time and the failures of steps that were counted."""
        return Usage(
            model_calls=self.calls,
            prompt_tokens=self.prompt_tokens,
            completion_tokens=self.completion_tokens,
            seconds=seconds,
            cost=self.cost,
            failures=dict(sorted((failures or {}).items())),
        )


class Meter(Spending):
    """Counts what calls cost and refuses those that a budget has nothing left for.

    Time runs from the making of the meter and a call in flight is cancelled when it is up. The number of calls is
    never exceeded: of several samples as many are asked for as are left. What a call costs in tokens and money is known
    only after it, so calls in flight may exceed those; the next one is refused. Replies from a cache or a replay count
    as calls and tokens, so that a repeated run stops where the first one did.
    """

    def __init__(self, budget: Budget | None = None) -> None:
        super().__init__()
        self.budget = budget or Budget()
        self.stopped: str | None = None
        self.used_up: Bound | None = None
        self._start = time.monotonic()

    async def complete(self, model: Model, request: ModelRequest) -> Reply:
        """Let a model reply within the budget.

        Raises:
            BudgetError: nothing is left, or time ran out during the call.
            ModelError: what the model raises.
        """
        seconds = self._left(model)
        if self.budget.calls is not None and request.n > self.budget.calls - self.calls:
            request = replace(request, n=self.budget.calls - self.calls)
        self.calls += request.n
        clock = asyncio.timeout(seconds)
        try:
            async with clock:
                reply = await model.complete(request)
        except TimeoutError:
            if not clock.expired():
                raise
            raise self._late() from None
        self.add(reply.usage)
        if reply.usage.cost is None and self.budget.cost is not None:
            raise self._stop("cost", f"the cost of {model.name} is not known: give its prices, or no budget of money")
        return reply

    def _left(self, model: Model) -> float | None:
        """Seconds that are left; None: no bound."""
        budget, tokens = self.budget, self.prompt_tokens + self.completion_tokens
        seconds = None if budget.seconds is None else self._start + budget.seconds - time.monotonic()
        if seconds is not None and seconds <= 0:
            raise self._late()
        if budget.calls is not None and self.calls >= budget.calls:
            raise self._stop("calls", f"the budget of {_counted(budget.calls, 'call')} to {model.name} is used up")
        if budget.tokens is not None and tokens >= budget.tokens:
            raise self._stop(
                "tokens", f"the budget of {_counted(budget.tokens, 'token')} is used up ({tokens:,} taken)"
            )
        if budget.cost is not None and (self.cost or 0.0) >= budget.cost:
            raise self._stop("cost", f"the cost of {budget.cost:g} allowed is used up ({self.cost or 0.0:g} spent)")
        return seconds

    def _late(self) -> BudgetError:
        return self._stop("seconds", f"the budget of {self.budget.seconds:g} s is over")

    def _stop(self, bound: Bound, why: str) -> BudgetError:
        self.stopped, self.used_up = self.stopped or why, self.used_up or bound
        return BudgetError(why)


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


class BudgetedModel(WrappedModel):
    """A model with one budget for all that is asked of it: a whole experiment, where a ``Session`` is one question."""

    def __init__(self, model: Model, budget: Budget) -> None:
        super().__init__(model)
        self.meter = Meter(budget)

    async def complete(self, request: ModelRequest) -> Reply:
        """See ``Model.complete``."""
        return await self.meter.complete(self._model, request)

    part = complete


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
