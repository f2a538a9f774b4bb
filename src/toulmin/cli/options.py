"""Arguments and options that several commands take."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["KG_VARIABLE", "Dialect", "Everything", "Json", "Kg", "KgTimeout"]

#: The environment variable that stands in for ``--kg``.
KG_VARIABLE = "TOULMIN_KG"

Kg = Annotated[
    list[str] | None,
    typer.Option(
        "--kg",
        metavar="GRAPH",
        help="Directory of a built graph, URL of a SPARQL endpoint, or `bundled`; repeat it for a union of graphs. "
        f"Default: ${KG_VARIABLE}.",
        show_default=False,
    ),
]
Dialect = Annotated[
    str | None,
    typer.Option(
        "--dialect", metavar="NAME", help="How an endpoint lays out statements; default: found out by asking."
    ),
]
KgTimeout = Annotated[
    float | None,
    typer.Option("--kg-timeout", metavar="SECONDS", help="For one request to an endpoint; default: 30."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else on stdout.")]
Everything = Annotated[bool, typer.Option("--all", help="Leave nothing out of long lists.")]
