"""What one question may cost, and the meter that keeps to it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING
from typing import Literal as Choice

from toulmin.errors import BudgetError, SettingsError
from toulmin.llm.protocol import Model, ModelRequest, Reply, Tokens, WrappedModel

if TYPE_CHECKING:
    from toulmin.program.answer import Usage

__all__ = ["Bound", "Budget", "BudgetedModel", "Meter", "Spending"]

#: What a budget bounds.
Bound = Choice["calls", "tokens", "seconds", "cost"]


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
        from toulmin.program.answer import Usage

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
