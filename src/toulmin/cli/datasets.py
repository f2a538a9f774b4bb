"""The command datasets."""

from __future__ import annotations

import typer

from toulmin.cli.options import Json

__all__ = ["datasets"]


def datasets(json: Json = False) -> None:
    """List the data sets that `evaluate` knows.

    \b
    Example:
      toulmin datasets
    """
    from toulmin.cli.console import print_json
    from toulmin.evaluation.datasets import dataset_ids

    names = dataset_ids()
    if json:
        print_json(list(names))
    else:
        for name in names:
            typer.echo(name)
