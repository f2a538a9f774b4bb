"""The command about methods: what there is to choose from, and what can be set."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from toulmin.cli.options import Json

if TYPE_CHECKING:
    from rich.console import Console

    from toulmin.methods.describing import Description

__all__ = ["methods"]


def methods(
    method: Annotated[
        str | None, typer.Argument(metavar="[METHOD]", help="One of them, with its forms and settings.")
    ] = None,
    json: Json = False,
) -> None:
    """List the methods that `ask` and `evaluate` know, or the forms and settings of one.

    A form is named by `--method NAME:FORM`, a setting changed by `--set NAME=VALUE`.

    \b
    Example:
      toulmin methods fidelis
    """
    from toulmin.cli.console import print_json, result_console
    from toulmin.methods.describing import describe
    from toulmin.methods.registry import method_names

    described = [describe(name) for name in ([method.partition(":")[0]] if method else method_names())]
    if json:
        print_json([asdict(one) for one in described])
    elif method:
        _print_method(result_console(), described[0])
    else:
        _print_methods(result_console(), described)


def _print_methods(console: Console, described: list[Description]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in ("method", "what it does, and where it is from", "needs", "calls"):
        table.add_column(column, overflow="fold")
    for one in described:
        needs = {"a model" if form.needs_model else "nothing" for form in one.forms}
        calls = sorted({form.most for form in one.forms}, key=lambda text: (text == "n", text.split()[0].zfill(9)))
        table.add_row(
            one.name, f"{one.title}. {one.source}", " or ".join(sorted(needs, reverse=True)), ", ".join(calls)
        )
    console.print(table)
    console.print("calls: of a model for one question, at most, one form after another; n: no bound but --budget-calls")


def _print_method(console: Console, one: Description) -> None:
    from rich.padding import Padding
    from rich.text import Text

    console.print(Text(one.name, "bold"), one.title)
    console.print(one.source)
    shown: set[str] = set()
    for form in one.forms:
        takes = f"; takes {', '.join(form.takes)}" if form.takes else ""
        needs = "needs a model" if form.needs_model else "needs no model"
        console.print()
        console.print(Text(f"{one.name}:{form.name}", "bold"), f"{needs}{takes}; calls at most: {form.most}")
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
