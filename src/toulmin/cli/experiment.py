"""The commands about experiments: evaluate, datasets, methods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from toulmin.cli.failures import closest
from toulmin.cli.options import Dialect, Json, Kg
from toulmin.errors import SettingsError

__all__ = ["datasets", "evaluate", "methods"]

_PROBLEMS = 5  # of the data set's files, told in full


def evaluate(
    dataset: Annotated[str, typer.Argument(metavar="DATASET", help="Its id; `toulmin datasets` lists them.")],
    data: Annotated[Path, typer.Option("--data", metavar="PATH", help="Folder of the data set, or of all of them.")],
    method: Annotated[str, typer.Option("--method", metavar="NAME", help="How to answer.")],
    out: Annotated[Path, typer.Option("--out", metavar="RUN", help="Folder of the run; an unfinished run goes on.")],
    kg: Kg = None,
    dialect: Dialect = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, metavar="N", help="Ask a sample of N questions.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Of the sample.")] = 0,
    timeout: Annotated[
        float | None, typer.Option("--timeout", metavar="SECONDS", help="For one question; a later answer is wrong.")
    ] = None,
    json: Json = False,
) -> None:
    """Ask the questions of a data set and measure the answers.

    Each question is recorded as it finishes: the same command goes on where it was stopped. Every answer's proof is
    checked.

    \b
    Example:
      toulmin evaluate metaqa/2-hop/dev --data data --kg films --method fidelis --limit 500 --out runs/metaqa-2
    """
    from toulmin import check
    from toulmin.cli.console import error_console, print_json, result_console
    from toulmin.cli.opened import opened
    from toulmin.evaluation.datasets import dataset_ids, load
    from toulmin.evaluation.records import RECORDS
    from toulmin.evaluation.runner import run
    from toulmin.methods import answerer
    from toulmin.methods.registry import get_method, method_names

    _known("data set", dataset, dataset_ids(), "toulmin datasets")
    _known("method", method, method_names(), "toulmin methods")
    loaded = load(dataset, data)
    notes = error_console()
    for problem in loaded.problems[:_PROBLEMS]:
        notes.print(str(problem), soft_wrap=True)
    if len(loaded.problems) > _PROBLEMS:
        notes.print(f"… and {len(loaded.problems) - _PROBLEMS:,} more problems in the files of {dataset}")
    with opened(kg, dialect) as graph:
        try:
            summary = run(
                loaded,
                answerer(graph, method=method),
                out,
                name=method,
                settings=asdict(get_method(method).settings),
                graph=graph.fingerprint,
                limit=limit,
                seed=seed,
                timeout=timeout,
                check=partial(check, graph=graph),
                console=notes if json else result_console(),
            )
        except KeyboardInterrupt:
            said = f"interrupted; the answers so far are in {out / RECORDS}, and the same command goes on from there"
            raise KeyboardInterrupt(said) from None
    if json:
        print_json(asdict(summary))


def _known(what: str, name: str, known: Sequence[str], command: str) -> None:
    if name not in known:
        raise SettingsError(f"no {what} {name!r}{closest(name, known)} (`{command}` lists them)")


def datasets(json: Json = False) -> None:
    """List the data sets that `evaluate` knows.

    \b
    Example:
      toulmin datasets
    """
    from toulmin.evaluation.datasets import dataset_ids

    _print_names(dataset_ids(), json=json)


def methods(json: Json = False) -> None:
    """List the methods that `ask` and `evaluate` know.

    \b
    Example:
      toulmin methods
    """
    from toulmin.methods.registry import method_names

    _print_names(method_names(), json=json)


def _print_names(names: Sequence[str], *, json: bool) -> None:
    from toulmin.cli.console import print_json

    if json:
        print_json(list(names))
    else:
        for name in names:
            typer.echo(name)
