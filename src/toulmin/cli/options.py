"""Arguments and options that several commands take."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["Dialect", "Everything", "Json", "Kg"]

Kg = Annotated[
    str,
    typer.Option(
        "--kg",
        metavar="GRAPH",
        envvar="TOULMIN_KG",
        show_envvar=True,
        help="Directory of a built graph, URL of a SPARQL endpoint, or `bundled`.",
    ),
]
Dialect = Annotated[
    str | None,
    typer.Option(
        "--dialect", metavar="NAME", help="How an endpoint lays out statements; default: found out by asking."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else on stdout.")]
Everything = Annotated[bool, typer.Option("--all", help="Leave nothing out of long lists.")]
