"""From what a user calls a graph (a directory, the URL of an endpoint, "bundled") to the graph."""

from __future__ import annotations

import os
import re
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from toulmin.errors import GraphError, InputError, SettingsError

if TYPE_CHECKING:
    from toulmin.graph.build import Progress
    from toulmin.graph.protocol import Graph

__all__ = ["BUNDLED", "bundled_directory", "is_url", "open_graph"]

#: The name of the graph that comes with Toulmin.
BUNDLED = "bundled"

_CONTENT = 4  # raised when what is built beside the bundled graph changes (vectors, schema)


def is_url(graph: str | Path) -> bool:
    """Whether this names an endpoint. One letter and a colon are a drive, not a scheme."""
    return isinstance(graph, str) and re.match(r"[A-Za-z][A-Za-z0-9+.-]+:/", graph) is not None


def open_graph(
    graph: str | Path, *, dialect: str | None = None, timeout: float | None = None, progress: Progress | None = None
) -> Graph:
    """Open a graph; see ``toulmin.open``."""
    if not isinstance(graph, str | os.PathLike) or not str(graph).strip():
        given = f"of type {type(graph).__name__}" if not isinstance(graph, str) else "empty"
        raise InputError(
            f"the name of the graph is {given}: give the directory of `toulmin build --out`, the address of an "
            f"endpoint, or {BUNDLED!r}"
        )
    if is_url(graph):
        from toulmin.graph.endpoint.graph import open_endpoint

        return open_endpoint(str(graph), dialect=dialect, timeout=timeout)
    for setting, option in ((dialect, "dialect"), (timeout, "timeout")):
        if setting is not None:
            raise SettingsError(f"{graph}: a {option} is of an endpoint; leave it out, or give an http(s) address")
    from toulmin.graph.store import open_graph as open_directory

    return open_directory(graph) if graph != BUNDLED else _open_bundled(progress)


def bundled_directory() -> Path:
    """Where the built bundled graph is kept: in the user's cache, by the content of its file and our version."""
    from toulmin.graph.build_directory import user_cache
    from toulmin.graph.bundled import bundled_path
    from toulmin.graph.store import FORMAT

    digest = blake2b(bundled_path().read_bytes(), digest_size=6).hexdigest()
    return user_cache() / f"world-{version('toulmin')}-{FORMAT}-{_CONTENT}-{digest}"


def _open_bundled(progress: Progress | None) -> Graph:
    from toulmin.graph.store import open_graph as open_directory

    directory = bundled_directory()
    try:
        return open_directory(directory)
    except GraphError:  # not built yet, or damaged: it is a cache, and built again
        _build_bundled(directory, progress)
    return open_directory(directory)


def _build_bundled(directory: Path, progress: Progress | None) -> None:
    from toulmin.graph.build import build_graph
    from toulmin.graph.build_directory import build_directory
    from toulmin.graph.bundled import bundled_path
    from toulmin.graph.readers import read
    from toulmin.graph.store import open_graph as open_directory
    from toulmin.retrieval.retriever import build_index

    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise GraphError(
            f"{directory.parent}: cannot be made ({error.strerror}); set XDG_CACHE_HOME to a directory you can write to"
        ) from None
    with build_directory(directory) as work:
        build_graph([(bundled_path().name, read(bundled_path(), strict=True))], work, name="world", progress=progress)
        with open_directory(work) as graph:
            build_index(work, graph, progress=progress)
