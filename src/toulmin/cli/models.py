"""The options about language models, and the model and budget that they name."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toulmin.errors import SettingsError

if TYPE_CHECKING:
    from toulmin.llm.budget import Budget
    from toulmin.llm.openai import Prices
    from toulmin.llm.protocol import Model

__all__ = [
    "BaseUrl",
    "BudgetCalls",
    "BudgetCost",
    "BudgetSeconds",
    "BudgetTokens",
    "Cache",
    "ModelChoice",
    "ModelName",
    "PriceList",
    "Record",
    "Replay",
    "Settings",
    "settings_given",
]

ModelName = Annotated[
    str | None, typer.Option("--model", metavar="KIND:NAME", help="A language model: openai:NAME, gguf:FILE.")
]
BaseUrl = Annotated[
    str | None, typer.Option("--base-url", metavar="URL", help="Of an OpenAI-compatible endpoint, up to /v1.")
]
Cache = Annotated[Path | None, typer.Option("--cache", metavar="FILE", help="Keep the model's replies in this file.")]
Record = Annotated[
    Path | None, typer.Option("--record", metavar="FILE", help="Append every exchange with the model to this file.")
]
Replay = Annotated[
    Path | None, typer.Option("--replay", metavar="FILE", help="Take replies from a recorded file, and ask no model.")
]
PriceList = Annotated[
    str | None, typer.Option("--prices", metavar="IN,OUT", help="Of a million prompt and completion tokens.")
]
BudgetCalls = Annotated[
    int | None,
    typer.Option(
        "--budget-calls",
        min=0,
        metavar="N",
        help="Model calls for one question, at most; each of several samples is one.",
    ),
]
BudgetTokens = Annotated[
    int | None, typer.Option("--budget-tokens", min=0, metavar="N", help="Tokens for one question, at most.")
]
BudgetSeconds = Annotated[
    float | None,
    typer.Option(
        "--budget-seconds",
        min=0,
        metavar="S",
        help="Seconds for one question, after which no model call begins or goes on; computing is not stopped.",
    ),
]
BudgetCost = Annotated[
    float | None, typer.Option("--budget-cost", min=0, metavar="X", help="Money for one question, as --prices has it.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A setting of the method (`toulmin methods` lists them); repeat."),
]


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """What the options say of the model."""

    name: str | None = None
    base_url: str | None = None
    cache: Path | None = None
    record: Path | None = None
    replay: Path | None = None
    prices: str | None = None
    calls: int | None = None
    tokens: int | None = None
    seconds: float | None = None
    cost: float | None = None

    @property
    def named(self) -> bool:
        """Whether there is a model."""
        return self.name is not None or self.replay is not None

    def open(self, concurrency: int | None = None) -> Model | None:
        """The model; None where none is named.

        Raises:
            SettingsError: no such model, or options that do not go together.
            SourceError: a file that cannot be used.
        """
        name = self.name
        if self.replay is not None:
            if name is not None:
                raise SettingsError("--replay asks no model: leave --model out")
            name = f"replay:{self.replay}"
        if name is None:
            given = {
                **{"base-url": self.base_url, "cache": self.cache, "record": self.record, "prices": self.prices},
                **{"budget-calls": self.calls, "budget-tokens": self.tokens},
                **{"budget-seconds": self.seconds, "budget-cost": self.cost},
            }
            idle = next((option for option, value in given.items() if value is not None), None)
            if idle is not None:
                raise SettingsError(f"--{idle} is about a language model: name one with --model")
            return None
        from toulmin.llm.registry import get_model

        if not name.startswith("openai:"):
            concurrency = None
        return get_model(
            name,
            base_url=self.base_url,
            prices=self.price_list(),
            concurrency=concurrency,
            cache=self.cache,
            record=self.record,
        )

    def price_list(self) -> Prices | None:
        """What tokens cost; None: it is not known.

        Raises:
            SettingsError: ``--prices`` is not of its form.
        """
        return None if self.prices is None else _prices(self.prices)

    def budget(self) -> Budget | None:
        """What one question may cost; None: no bound.

        Raises:
            SettingsError: a bound of money without prices.
        """
        if self.cost is not None and self.prices is None and self.replay is None:
            raise SettingsError("--budget-cost needs --prices IN,OUT: what a million tokens cost")
        bounds = (self.calls, self.tokens, self.cost, self.seconds)
        if all(bound is None for bound in bounds):
            return None
        from toulmin.llm.budget import Budget

        return Budget(calls=self.calls, tokens=self.tokens, cost=self.cost, seconds=self.seconds)


def _prices(text: str) -> Prices:
    from toulmin.llm.openai import Prices

    try:
        prompt, completion = (float(number) for number in text.split(","))
    except ValueError:
        raise SettingsError(f"--prices {text!r}: write two numbers, for example 0.25,2") from None
    return Prices(prompt, completion)


def settings_given(assignments: list[str] | None) -> dict[str, str]:
    """The settings of ``--set NAME=VALUE``.

    Raises:
        SettingsError: one is not of this form.
    """
    given = {}
    for one in assignments or ():
        name, equals, value = one.partition("=")
        if not equals or not name.strip():
            raise SettingsError(f"--set {one!r}: write NAME=VALUE")
        given[name.strip()] = value.strip()
    return given
