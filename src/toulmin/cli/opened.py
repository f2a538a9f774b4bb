"""Opening the graph that an option names, for as long as a command needs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toulmin.graph.protocol import Graph

__all__ = ["opened"]


@contextmanager
def opened(graph: str, dialect: str | None) -> Iterator[Graph]:
    """The graph of ``--kg`` and ``--dialect``; shows progress where it has to be built first."""
    import toulmin
    from toulmin.cli.console import progress

    with progress() as tell:
        found = toulmin.open(graph, dialect=dialect, progress=tell)
    with closing(found):
        yield found
