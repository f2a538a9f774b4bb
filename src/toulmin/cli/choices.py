"""The commands about what there is to choose from: methods, with what can be set of them, and data sets."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from toulmin.cli.console import error_console, print_json, result_console
from toulmin.cli.options import Json, argument, option
from toulmin.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console

    from toulmin.evaluation.datasets import Dataset
    from toulmin.methods.describing import Description

__all__ = ["datasets", "methods", "tell_problems"]

_PROBLEMS = 5  # of the data set's files, told in full
_LONGEST = 300  # characters of a field of the question that is shown
_KINDS = 20  # types of question that are told


def datasets(
    dataset: Annotated[str | None, argument("[DATASET]", "One of them, or a file of questions of your own.")] = None,
    data: Annotated[Path | None, option("PATH", "Folder of the data set, or of all: count what is in.")] = None,
    json: Json = False,
) -> None:
    """List the data sets that `evaluate` knows, or say all of one: fields, licence, what it needs, counts.

    A file of questions of your own is read and checked: docs/datasets.md says what it may hold.

    \b
    Example:
      toulmin datasets factkg --data data
    """
    from toulmin.evaluation.datasets import dataset_ids, load
    from toulmin.evaluation.datasets.own import is_file_name

    if dataset is not None:
        loaded = load(dataset, data) if data is not None or is_file_name(dataset) else None
        if loaded is not None:
            tell_problems(loaded)
        if json:
            print_json([_described(dataset) | {"counts": None if loaded is None else loaded.counts()}])
        else:
            _print_one(result_console(), dataset, loaded)
        return
    rows = []
    for name in dataset_ids():
        counts: dict[str, Any] | str | None = None
        if data is not None:
            try:
                counts = load(name, data).counts()
            except SourceError as error:
                counts = f"not counted: {error}"
        rows.append(_described(name) | {"counts": counts})
    if json:
        print_json(rows)
    else:
        _print_all(result_console(), rows)


def tell_problems(loaded: Dataset) -> None:
    """Print what of the files could not be used, on stderr."""
    notes = error_console()
    for problem in loaded.problems[:_PROBLEMS]:
        notes.print(str(problem), soft_wrap=True)
    if len(loaded.problems) > _PROBLEMS:
        notes.print(f"… and {len(loaded.problems) - _PROBLEMS:,} more problems in the files of {loaded.id}")


def _described(name: str) -> dict[str, Any]:
    """What is known of a data set without its files."""
    from toulmin.evaluation.datasets import declared
    from toulmin.evaluation.datasets.own import FIELDS, is_file_name

    if is_file_name(name):
        return {"id": name, "title": "questions of your own", "fields": list(FIELDS)}
    declaration = declared(name)
    if declaration is None:
        return {"id": name, "title": "of another package, which says no more of it"}
    return {key: value for key, value in asdict(declaration).items() if key != "read"}


def _print_all(console: Console, described: list[dict[str, Any]]) -> None:
    from rich.padding import Padding
    from rich.text import Text

    for dataset in described:
        counts = dataset["counts"]
        number = f" ({counts['questions']:,})" if isinstance(counts, dict) else f" ({counts})" if counts else ""
        console.print(Text(f"{dataset['id']}:", "bold"), dataset["title"] + number)
        if "fields" in dataset:
            needs = f"; needs {dataset['needs']}" if dataset["needs"] else ""
            console.print(
                Padding(Text(f"{', '.join(dataset['fields'])}; licence: {dataset['licence']}{needs}"), (0, 0, 0, 4))
            )
    console.print("Or a file of questions of your own, .jsonl or .csv (docs/datasets.md).")


def _print_one(console: Console, name: str, loaded: Dataset | None) -> None:
    described = _described(name)
    for key in ("id", "title", "source", "licence", "files", "fields", "needs"):
        if value := described.get(key):
            console.print(f"{key:<10} {', '.join(value) if isinstance(value, tuple | list) else value}")
    if loaded is None:
        console.print(f"{'counts':<10} --data PATH counts the questions")
        return
    for key, value in loaded.counts().items():
        many = sorted(value.items(), key=lambda item: -item[1]) if isinstance(value, dict) else []
        unlisted = f", and {len(many) - _KINDS} more" if len(many) > _KINDS else ""
        listed = ", ".join(f"{kind} {number:,}" for kind, number in many[:_KINDS])
        console.print(f"{key:<10} {listed}{unlisted}" if many else f"{key:<10} {value:,}")
    if graphs := [str(path) for path in loaded.graphs if path.is_file()]:
        console.print(f"{'graph':<10} {' or '.join(graphs)}")
    if loaded.questions:
        first = loaded.questions[0]
        console.print(f"{'first':<10} {first.file}:{first.line}: {first.id}: {first.question[:_LONGEST]}")


def methods(
    method: Annotated[
        str | None, argument("[METHOD]", "One of them, with its forms and settings; or one form, NAME:FORM.")
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
