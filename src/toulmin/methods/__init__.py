"""One module or package per method: question + graph -> Answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from toulmin.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from toulmin.graph.local import LocalGraph
    from toulmin.graph.protocol import Graph
    from toulmin.methods.protocol import Event
    from toulmin.proof.answer import Answer

__all__ = ["answerer", "ask", "events", "prepare"]

_LONGEST_QUESTION = 1_000  # characters: what is longer is a text, and reading it takes too long


async def events(question: str, graph: Graph, *, method: str = "fidelis", settings: Any = None) -> AsyncIterator[Event]:
    """What happens while a question is answered; the last event is ``Answered``.

    Raises:
        InputError: a question that is empty or no Unicode text.
        SettingsError: no such method, or settings of another type.
    """
    from toulmin.methods.protocol import Context
    from toulmin.methods.registry import get_method
    from toulmin.retrieval.retriever import Retriever

    async for event in get_method(method, settings).run(_asked(question), Context(graph, Retriever(graph))):
        yield event


def ask(question: str, graph: Graph, *, method: str = "fidelis", settings: Any = None) -> Answer:
    """Answer a question, or abstain. For many questions on one graph take ``answerer``.

    Raises:
        InputError: a question that is empty or no Unicode text.
        SettingsError: no such method, or settings of another type.
    """
    return answerer(graph, method=method, settings=settings)(question)


def answerer(graph: Graph, *, method: str = "fidelis", settings: Any = None) -> Callable[[str], Answer]:
    """A function from question to answer that opens vectors and models once.

    Raises:
        SettingsError: no such method, or settings of another type.
    """
    from toulmin.methods.protocol import Answered, Context
    from toulmin.methods.registry import get_method
    from toulmin.retrieval.retriever import Retriever

    chosen, context = get_method(method, settings), Context(graph, Retriever(graph))

    async def last(question: str) -> Answer:
        async for event in chosen.run(_asked(question), context):
            if isinstance(event, Answered):
                return event.answer
        raise RuntimeError(f"method {chosen.name!r} ended without an answer")

    def answer(question: str) -> Answer:
        coroutine = last(question)
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            try:
                return asyncio.run(coroutine)
            finally:
                coroutine.close()  # an interrupt may come before it has begun
        with ThreadPoolExecutor(1) as pool:  # in a notebook a loop is already running in this thread
            return pool.submit(asyncio.run, coroutine).result()

    return answer


def prepare(work: Path, graph: LocalGraph) -> None:
    """Write what methods keep beside a graph that is being built: the calibration of fidelis.

    Args:
        work: the graph's directory, with the index of ``retrieval.build_index``.
    """
    from toulmin.methods.fidelis.calibration import calibrate
    from toulmin.methods.fidelis.settings import FidelisSettings
    from toulmin.retrieval.lexicon import get_lexicon
    from toulmin.retrieval.retriever import Retriever

    subgraph, schema = Retriever(graph).around([], 0)
    fitted = calibrate(subgraph, schema, get_lexicon(), FidelisSettings())
    if fitted is not None:
        fitted.save(work)


def _asked(question: str) -> str:
    if not question.strip():
        raise InputError('the question is empty: ask something, for example "who directed Metropolis?"')
    if len(question) > _LONGEST_QUESTION:
        raise InputError(f"the question has {len(question):,} characters: ask with at most {_LONGEST_QUESTION:,}")
    try:
        question.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"the question is no Unicode text at character {error.start + 1}: give it in UTF-8") from None
    return question
