"""The options about language models, and the model and budget that they name."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from toulmin.cli.options import UpTo, option
from toulmin.errors import SettingsError

if TYPE_CHECKING:
    from toulmin.llm.openai import Prices
    from toulmin.llm.protocol import Model
    from toulmin.llm.session import Budget

__all__ = ["NO_MODEL", "ModelAlone", "ModelChoice", "PricedModel", "Settings", "replies_beside", "settings_given"]

Settings = Annotated[
    list[str] | None, option("NAME=VALUE", "A setting of the method (`toulmin methods` lists them); repeat.", "--set")
]


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """What the options say of the model; a group of options (``takes_groups``)."""

    model: Annotated[str | None, option("KIND:NAME", "A language model: openai:NAME, gguf:FILE.")] = None
    base_url: Annotated[str | None, option("URL", "Of an OpenAI-compatible endpoint, up to /v1.")] = None
    cache: Annotated[Path | None, option("FILE", "Keep the model's replies in this file.")] = None
    record: Annotated[Path | None, option("FILE", "Append every exchange with the model to this file.")] = None
    replay: Annotated[Path | None, option("FILE", "Take replies from a recorded file, and ask no model.")] = None
    prices: Annotated[str | None, option("IN,OUT", "Of a million prompt and completion tokens.")] = None
    budget_calls: Annotated[
        int | None, option("N", "Model calls for one question, at most; each of several samples is one.", min=0)
    ] = None
    budget_tokens: Annotated[int | None, option("N", "Tokens for one question, at most.", min=0)] = None
    budget_seconds: Annotated[
        float | None,
        option(
            "S",
            "Seconds for one question, after which no model call begins or goes on; computing is not stopped.",
            min=0,
        ),
    ] = None
    budget_cost: Annotated[float | None, option("X", "Money for one question, as --prices has it.", min=0)] = None

    @property
    def named(self) -> bool:
        """Whether there is a model."""
        return self.model is not None or self.replay is not None

    def open(self, concurrency: int | None = None) -> Model | None:
        """The model; None where none is named.

        Args:
            concurrency: the most requests in flight, to a model that is asked over the network.

        Raises:
            SettingsError: no such model, or options that do not go together.
            SourceError: a file that cannot be used.
        """
        name = self.model
        if self.replay is not None:
            if name is not None:
                raise SettingsError("--replay asks no model: leave --model out")
            name = f"replay:{self.replay}"
        if name is None:
            idle = next((field.name for field in fields(self) if getattr(self, field.name) is not None), None)
            if idle is not None:
                raise SettingsError(f"--{idle.replace('_', '-')} is about a language model: name one with --model")
            return None
        from toulmin.llm.registry import get_model, is_remote

        return get_model(
            name,
            base_url=self.base_url,
            prices=self.price_list(),
            concurrency=concurrency if is_remote(name) else None,
            cache=self.cache,
            record=self.record,
        )

    def required(self, concurrency: int | None = None) -> Model:
        """As ``open``, where a command does nothing without a model.

        Raises:
            SettingsError: none is named, or as ``open``.
            SourceError: as ``open``.
        """
        model = self.open(concurrency)
        if model is None:
            raise SettingsError("this is done by a language model: give one by --model")
        return model

    def price_list(self) -> Prices | None:
        """What tokens cost; None: it is not known.

        Raises:
            SettingsError: ``--prices`` is not of its form.
        """
        if self.prices is None:
            return None
        from toulmin.llm.openai import Prices

        try:
            prompt, completion = (float(number) for number in self.prices.split(","))
        except ValueError:
            raise SettingsError(f"--prices {self.prices!r}: write two numbers, for example 0.25,2") from None
        return Prices(prompt, completion)

    def budget(self) -> Budget | None:
        """What one question may cost; None: no bound.

        Raises:
            SettingsError: a bound of money without prices.
        """
        if self.budget_cost is not None and self.prices is None and self.replay is None:
            raise SettingsError("--budget-cost needs --prices IN,OUT: what a million tokens cost")
        bounds = (self.budget_calls, self.budget_tokens, self.budget_cost, self.budget_seconds)
        if all(bound is None for bound in bounds):
            return None
        from toulmin.llm.session import Budget

        return Budget(*bounds)


def replies_beside(out: Path, choice: ModelChoice) -> Path | None:
    """Where replies are kept: in ``--cache``, else, where a model is named, beside what is written of them."""
    return choice.cache if choice.model is None else choice.cache or out.with_name(f"{out.name}.replies")


NO_MODEL = ModelChoice()
ModelAlone = Annotated[ModelChoice, UpTo("replay")]
PricedModel = Annotated[ModelChoice, UpTo("prices")]


def settings_given(assignments: list[str] | None) -> dict[str, str]:
    """The settings of ``--set NAME=VALUE``.

    Raises:
        SettingsError: one is not of this form.
    """
    settings = {}
    for assignment in assignments or ():
        name, equals, value = assignment.partition("=")
        if not equals or not name.strip():
            raise SettingsError(f"--set {assignment!r}: write NAME=VALUE")
        settings[name.strip()] = value.strip()
    return settings
