"""One module or package per method: question + graph -> Answer."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from toulmin.graph.local import LocalGraph
    from toulmin.graph.protocol import Graph
    from toulmin.llm.budget import Budget
    from toulmin.llm.protocol import Model
    from toulmin.methods.protocol import Event, Task
    from toulmin.proof.answer import Answer

__all__ = ["aask", "answer_from", "answerer", "ask", "events", "prepare"]


async def events(
    question: str,
    graph: Graph,
    *,
    method: str = "fidelis",
    settings: Any = None,
    model: Model | None = None,
    budget: Budget | None = None,
    task: Task = "question",
    options: Sequence[str] = (),
) -> AsyncIterator[Event]:
    """What happens while a question is answered; the last event is ``Answered``.

    Args:
        method: its name.
        settings: of the method's own type; None: its defaults.
        model: the language model; None: the method does without, or says that it needs one.
        budget: of this question; None: no limit.
        task: "claim": the text is a claim to be decided, not a question.
        options: of a multiple choice: texts, one of which is the answer.

    Raises:
        InputError: a question or option that is empty, too long or no Unicode text.
        SettingsError: no such method, or settings of another type.
        ModelError: the model cannot be reached.
    """
    from toulmin.methods.asking import Asker

    asker = Asker(graph, method=method, settings=settings, model=model, budget=budget)
    async for event in asker.events(question, task=task, options=options):
        yield event


async def aask(
    question: str,
    graph: Graph,
    *,
    method: str = "fidelis",
    settings: Any = None,
    model: Model | None = None,
    budget: Budget | None = None,
    task: Task = "question",
    options: Sequence[str] = (),
) -> Answer:
    """Answer a question, or abstain; see ``events``."""
    from toulmin.methods.asking import Asker

    asker = Asker(graph, method=method, settings=settings, model=model, budget=budget)
    return await asker.aask(question, task=task, options=options)


def ask(
    question: str,
    graph: Graph,
    *,
    method: str = "fidelis",
    settings: Any = None,
    model: Model | None = None,
    budget: Budget | None = None,
    task: Task = "question",
    options: Sequence[str] = (),
) -> Answer:
    """Answer a question, or abstain; see ``events``. For many questions on one graph take ``asking.Asker``."""
    from toulmin.methods.asking import Asker

    asker = Asker(graph, method=method, settings=settings, model=model, budget=budget)
    return asker.ask(question, task=task, options=options)


def answerer(graph: Graph, *, method: str = "fidelis", settings: Any = None) -> Callable[[str], Answer]:
    """A function from question to answer that opens vectors once, for a method that needs no model.

    Raises:
        SettingsError: no such method, or settings of another type.
    """
    from toulmin.methods.asking import Asker

    return Asker(graph, method=method, settings=settings).ask


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
