"""One module or package per method: question + graph -> Answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from toulmin.graph.local import LocalGraph
    from toulmin.methods.protocol import Event
    from toulmin.proof.answer import Answer

__all__ = ["answer_from", "prepare"]


def answer_from(events: Iterable[Event | Mapping[str, Any]]) -> Answer:
    """The answer that events tell, as a method yielded them or as they were stored in JSON.

    Raises:
        InputError: none of them is the answer.
    """
    from toulmin.methods.asking import answer_from as told

    return told(events)


def prepare(work: Path, graph: LocalGraph) -> None:
    """Write what methods keep beside a graph that is being built: the calibration of fidelis.

    Args:
        work: the graph's directory, with the index of ``retrieval.build_index``.
    """
    from toulmin.methods.fidelis.calibration import calibrate
    from toulmin.methods.fidelis.method import Fidelis
    from toulmin.methods.fidelis.settings import FidelisSettings
    from toulmin.retrieval.retriever import Retriever

    settings, retriever = FidelisSettings(), Retriever(graph)
    calibrate(retriever, settings, Fidelis(settings).observe).save(work, retriever, settings)
