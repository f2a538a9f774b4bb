"""The options that name graphs and knowledge beside them, and opening graphs for as long as a command needs them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from toulmin.cli.console import error_console, progress
from toulmin.cli.options import UpTo, option
from toulmin.errors import SettingsError

if TYPE_CHECKING:
    from toulmin.graph.protocol import Graph

__all__ = ["KG_VARIABLE", "NO_GRAPH", "Dialect", "GraphChoice", "KgAlone", "KgTimeout", "KnowledgeNames", "tell_schema"]

#: The environment variable that stands in for ``--kg``.
KG_VARIABLE = "TOULMIN_KG"

Dialect = Annotated[str | None, option("NAME", "How an endpoint lays out statements; default: found out by asking.")]
KgTimeout = Annotated[float | None, option("SECONDS", "For one request to an endpoint; default: 30.")]
KnowledgeNames = Annotated[
    list[str] | None,
    option(
        "WHAT",
        "For --method rr: folder of a passage index, table (.json, .csv), temporal, lexical, "
        "lexical:CONCEPTNET.tsv, given:FILE, own (what a data set's questions bring); repeat.",
    ),
]


@dataclass(frozen=True, slots=True)
class GraphChoice:
    """What the options say of the graph; a group of options (``takes_groups``)."""

    kg: Annotated[
        list[str] | None,
        option(
            "GRAPH",
            "Directory of a built graph, URL of a SPARQL endpoint, or `bundled`; repeat it for a union of graphs. "
            f"Default: ${KG_VARIABLE}.",
            show_default=False,
        ),
    ] = None
    dialect: Dialect = None
    kg_timeout: KgTimeout = None

    @property
    def named(self) -> list[str]:
        """The graphs of ``--kg``, or else of the environment."""
        return list(self.kg or [name for name in [os.environ.get(KG_VARIABLE)] if name])

    @contextmanager
    def opened(self, personal: str | None = None) -> Iterator[Graph]:
        """The graph of ``--kg``, or the union of several; shows progress where one has to be built first.

        Args:
            personal: a graph beside them.

        Raises:
            SettingsError: no graph is named.
            GraphError: one cannot be opened.
        """
        import toulmin
        from toulmin.graph.union import UnionGraph
        from toulmin.opening import is_url

        names = self.named
        if not names:
            raise SettingsError(f"no graph is named: give --kg DIR, --kg URL or --kg bundled, or set {KG_VARIABLE}")
        names += [personal] if personal is not None else []
        if not all(name.strip() for name in names):
            raise SettingsError("the name of a graph is empty: give --kg DIR, --kg URL or --kg bundled")
        of_endpoints: dict[str, Any] = {"dialect": self.dialect, "timeout": self.kg_timeout}
        with ExitStack() as stack:
            graphs = []
            with progress() as tell:
                for name in names:
                    asked = of_endpoints if is_url(name) or len(names) == 1 else {}
                    graphs.append(stack.enter_context(closing(toulmin.open(name, **asked, progress=tell))))
            yield graphs[0] if len(graphs) == 1 else UnionGraph(graphs)


NO_GRAPH = GraphChoice()
KgAlone = Annotated[GraphChoice, UpTo("kg")]


def tell_schema(graph: Graph) -> None:
    """Say on stderr where the schema of an endpoint is kept that sentences are judged by, and how to have it anew."""
    from toulmin.graph.endpoint.graph import EndpointGraph

    if isinstance(graph, EndpointGraph):
        from shlex import quote

        from toulmin.retrieval.schema import kept_file

        kept = kept_file(graph)
        if kept.asked is not None:
            error_console().print(
                f"toulmin: the schema of {graph.fingerprint} is of {kept.asked:%Y-%m-%d %H:%M} UTC "
                f"(kept in {kept.path}; `toulmin info {quote(graph.fingerprint)} --refresh` asks again)",
                style="dim",
                soft_wrap=True,
            )
