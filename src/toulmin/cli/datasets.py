"""The command about data sets: what there is to choose from, what each holds and needs."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from toulmin.cli.console import error_console, print_json, result_console
from toulmin.cli.options import Json

if TYPE_CHECKING:
    from rich.console import Console

    from toulmin.evaluation.datasets import Dataset

__all__ = ["datasets", "tell_problems"]

_PROBLEMS = 5  # of the data set's files, told in full
_LONGEST = 300  # characters of a field of the question that is shown
_KINDS = 20  # types of question that are told


def datasets(
    dataset: Annotated[
        str | None, typer.Argument(metavar="[DATASET]", help="One of them, or a file of questions of your own.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option("--data", metavar="PATH", help="Folder of the data set, or of all: count what is in.")
    ] = None,
    json: Json = False,
) -> None:
    """List the data sets that `evaluate` knows, or say all of one: fields, licence, what it needs, counts.

    A file of questions of your own is read and checked: docs/datasets.md says what it may hold.

    \b
    Example:
      toulmin datasets factkg --data data
    """
    from toulmin.errors import SourceError
    from toulmin.evaluation.datasets import dataset_ids, load

    if dataset is not None:
        loaded = load(dataset, data) if data is not None or _is_file(dataset) else None
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


def _is_file(name: str) -> bool:
    from toulmin.evaluation.datasets.own import is_file_name

    return is_file_name(name)


def _described(name: str) -> dict[str, Any]:
    """What is known of a data set without its files."""
    from toulmin.evaluation.datasets import declared
    from toulmin.evaluation.datasets.own import FIELDS

    if _is_file(name):
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
    described = _described(name) | {"counts": None}
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
