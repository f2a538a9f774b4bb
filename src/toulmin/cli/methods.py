"""The command about methods: what there is to choose from, and what can be set."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from toulmin.cli.console import print_json, result_console
from toulmin.cli.options import Json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console

    from toulmin.methods.describing import Description

__all__ = ["methods"]


def methods(
    method: Annotated[
        str | None,
        typer.Argument(metavar="[METHOD]", help="One of them, with its forms and settings; or one form, NAME:FORM."),
    ] = None,
    json: Json = False,
) -> None:
    """List the methods that `ask` and `evaluate` know, or the forms and settings of one.

    A form is named by `--method NAME:FORM`, a setting changed by `--set NAME=VALUE`.

    \b
    Example:
      toulmin methods fidelis
    """
    from toulmin.methods.describing import describe
    from toulmin.methods.registry import method_names

    described = [describe(name) for name in (method_names() if method is None else [method])]
    if json:
        print_json([asdict(description) for description in described])
    elif method is not None:
        _print_method(result_console(), described[0])
    else:
        _print_methods(result_console(), described)


def _print_methods(console: Console, described: list[Description]) -> None:
    from rich.table import Table

    from toulmin.methods.describing import OPTIONS

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("method", no_wrap=True)
    table.add_column("what it does, and where it is from", overflow="fold")
    table.add_column("needs", overflow="fold", max_width=10)
    table.add_column("calls", overflow="fold", max_width=17)
    for description in described:
        needs = {"a model" if form.needs_model else "nothing" for form in description.forms}
        calls = [_range(form.calls for form in description.forms)]
        choosing = [form.choosing for form in description.forms if form.choosing not in (None, form.calls)]
        calls += [f"{_range(choosing)} for {OPTIONS} options"] if choosing else []
        table.add_row(
            description.name,
            f"{description.title}. {description.source}",
            " or ".join(sorted(needs, reverse=True)),
            "; ".join(calls),
        )
    console.print(table)
    console.print("calls: of a model for one question, at most, by form; n: no bound but --budget-calls")


def _range(calls: Iterable[int | None]) -> str:
    """The least and the greatest: "7 to 25"; "n" where one has no bound."""
    bounds = list(calls)
    numbers = [bound for bound in bounds if bound is not None]
    if len(numbers) < len(bounds):
        return "n"
    least, most = min(numbers), max(numbers)
    return str(most) if least == most else f"{least} to {most}"


def _print_method(console: Console, description: Description) -> None:
    from rich.padding import Padding
    from rich.text import Text

    console.print(Text(description.name, "bold"), description.title)
    console.print(description.source)
    console.print("A setting whose meaning names no source is ours.")
    shown: set[str] = set()
    for form in description.forms:
        takes = f"; takes {', '.join(form.takes)}" if form.takes else ""
        needs = "needs a model" if form.needs_model else "needs no model"
        console.print()
        console.print(Text(f"{description.name}:{form.name}", "bold"), f"{needs}{takes}; calls at most: {form.most}")
        if form.about in shown:
            for name, value in form.differs.items():
                console.print(f"  {name} = {_value(value)}", markup=False)
            continue
        shown.add(form.about)
        console.print(form.about, markup=False, highlight=False)
        for setting in form.settings:
            console.print(Text(f"  {setting.name} = {_value(setting.value)}", "bold"))
            console.print(Padding(Text(setting.meaning), (0, 0, 0, 4)))


def _value(value: object) -> str:
    return "none" if value in (None, ()) else ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
