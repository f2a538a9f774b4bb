"""The commands about figures: compare, metrics."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from toulmin.cli.console import print_json, result_console
from toulmin.cli.options import Json

__all__ = ["compare", "metrics"]


def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs, or that hold runs.")],
    metric: Annotated[
        list[str] | None,
        typer.Option("--metric", metavar="NAME", help="By which; repeat it. `toulmin metrics` lists them."),
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option("--baseline", metavar="RUN", help="Compare each other run with this one, not all pairs."),
    ] = None,
    correction: Annotated[
        str,
        typer.Option(
            "--correction", metavar="NAME", help="Of p-values for their number: holm, benjamini-hochberg or none."
        ),
    ] = "holm",
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Of the bootstrap.")] = 0,
    json: Json = False,
) -> None:
    """Compare runs on the same data: the figures of each, and the differences with their tests.

    Over the questions that both runs of a pair have: McNemar's exact test for right or wrong, the paired t-test for
    numbers, and bootstrap intervals; Fisher's and Welch's tests where they have none in common. Without --metric by
    accuracy or Hits@1, F1, and grounded accuracy.

    \b
    Example:
      toulmin compare runs/metaqa-2 runs/metaqa-2-wide
    """
    from toulmin.errors import SettingsError
    from toulmin.evaluation.comparing import compare as compared
    from toulmin.evaluation.comparing import tables
    from toulmin.evaluation.records import runs_in
    from toulmin.evaluation.statistics import CORRECTIONS
    from toulmin.registry import known

    named = next((one for one in CORRECTIONS if one == correction), None)
    if named is None:
        raise SettingsError(f"no correction is called {correction!r}{known(correction, CORRECTIONS)}")
    first = [] if baseline is None else [baseline]
    found = compared(runs_in([*first, *runs]), metric or (), baseline=baseline, correction=named, seed=seed)
    if json:
        print_json(asdict(found))
        return
    console = result_console()
    for table in tables(found):
        console.print(table)


def metrics(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="One of them, in full.")] = None,
    json: Json = False,
) -> None:
    """List the metrics: what each is of one question or of a run, its range, source and strict definition.

    \b
    Example:
      toulmin metrics coverage_ratio
    """
    from toulmin.evaluation.metrics import declared, metric

    found = [metric(name)] if name else list(declared().values())
    if json:
        print_json([{**asdict(one), "range": one.range} for one in found])
        return
    console = result_console()
    if not name:
        from rich.table import Table

        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        for column in ("metric", "of a", "range", "source"):
            table.add_column(column, overflow="fold")
        for one in found:
            table.add_row(one.name, one.of, one.range, one.source)
        console.print(table)
        console.print("toulmin metrics NAME: its definition")
        return
    for one in found:
        better = f", {one.better} is better" if one.better else ""
        console.print(f"{one.name}: of a {one.of}, {one.range}{better}")
        console.print(one.definition)
        console.print(f"Source: {one.source}.")
        if one.needs:
            console.print(f"Of {one.needs}.")
