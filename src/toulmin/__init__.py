"""Question answering over knowledge graphs in which every step of an answer can be checked without a language model.

    import toulmin

    graph = toulmin.open("bundled")
    answer = toulmin.ask(graph, "Who is the father of Ada Lovelace?")
    report = toulmin.check(answer, graph)

Importing this package imports nothing else of it; names load when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from toulmin.errors import ToulminError
    from toulmin.graph.protocol import Graph
    from toulmin.graph.types import (
        Entity,
        EntityInfo,
        Literal,
        PathStep,
        Qualifier,
        ReasoningPath,
        Relation,
        Statement,
    )
    from toulmin.proof.answer import Answer
    from toulmin.proof.checker import CheckReport
    from toulmin.proof.model import Proof

__all__ = [
    "Answer",
    "CheckReport",
    "Entity",
    "EntityInfo",
    "Graph",
    "Literal",
    "PathStep",
    "Proof",
    "Qualifier",
    "ReasoningPath",
    "Relation",
    "Statement",
    "ToulminError",
    "ask",
    "check",
    "open",
]

_HOME = {
    "Answer": "toulmin.proof.answer",
    "CheckReport": "toulmin.proof.checker",
    "Graph": "toulmin.graph.protocol",
    "Proof": "toulmin.proof.model",
    "ToulminError": "toulmin.errors",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME.get(name, "toulmin.graph.types")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def open(
    graph: str | Path, *, dialect: str | None = None, progress: Callable[[int, int | None, str], None] | None = None
) -> Graph:
    """Open a graph.

    Args:
        graph: the directory that ``toulmin build`` wrote, the URL of a SPARQL endpoint, or ``"bundled"`` for the graph
            that comes with Toulmin (built once, into the cache directory of the user).
        dialect: how an endpoint lays out its statements; None: found out by asking it.
        progress: called with how much is done, of how much, and what, where something has to be built.

    Raises:
        GraphError: no such graph, or it is damaged or of another version.
        SettingsError: a malformed URL, or no such dialect.
    """
    from toulmin.opening import open_graph

    return open_graph(graph, dialect=dialect, progress=progress)


def ask(graph: Graph, question: str, *, method: str = "fidelis", settings: Any = None) -> Answer:
    """Answer a question from a graph, or abstain; the answer carries its proof.

    Args:
        method: the name of a method (``toulmin methods`` lists them).
        settings: the settings of the method, of its own type; None: its defaults.

    Raises:
        SettingsError: no such method, or settings of another type.
        GraphError: the graph cannot be asked.
    """
    from toulmin import methods

    return methods.ask(question, graph, method=method, settings=settings)


def check(answer: Answer, graph: Graph, *, strict: bool = False) -> CheckReport:
    """Check an answer and its proof against a graph, with no language model.

    Args:
        strict: what was judged or assumed does not pass either.

    Raises:
        GraphError: the graph cannot be asked.
    """
    from toulmin.proof.checker import check as check_proof

    return check_proof(answer, graph, strict=strict)
