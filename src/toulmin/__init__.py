"""Question answering over knowledge graphs in which every step of an answer can be checked without a language model.

    import toulmin

    graph = toulmin.open("bundled")
    answer = toulmin.ask(graph, "Who is the father of Ada Lovelace?")
    report = answer.check(graph)

Importing this package imports nothing of its rooms; names load when they are first used.
"""

from __future__ import annotations

from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

# The package has the name of the function below. It is loaded first (it is empty): a package that is imported later
# would be bound here in the function's place.
import_module("toulmin.check_text")

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterable

    from toulmin.check_text.checking import CheckSettings
    from toulmin.entailment.protocol import Scorer
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
    from toulmin.kernel import Report
    from toulmin.llm.protocol import Model
    from toulmin.llm.session import Budget
    from toulmin.methods.protocol import Event
    from toulmin.methods.request import Request
    from toulmin.program.answer import Answer
    from toulmin.retrieval.knowledge import Knowledge

__all__ = [
    "Answer",
    "Budget",
    "Entity",
    "EntityInfo",
    "Event",
    "Graph",
    "Literal",
    "Model",
    "PathStep",
    "Qualifier",
    "ReasoningPath",
    "Relation",
    "Report",
    "Request",
    "Statement",
    "ToulminError",
    "aask",
    "acheck_text",
    "ask",
    "check",
    "check_text",
    "events",
    "open",
]

_HOME = {
    "Answer": "toulmin.program.answer",
    "Budget": "toulmin.llm.session",
    "Event": "toulmin.methods.protocol",
    "Graph": "toulmin.graph.protocol",
    "Model": "toulmin.llm.protocol",
    "Report": "toulmin.kernel",
    "Request": "toulmin.methods.request",
    "ToulminError": "toulmin.errors",
}

P = ParamSpec("P")
T = TypeVar("T")


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME.get(name, "toulmin.graph.types")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def open(
    graph: str | Path,
    *,
    dialect: str | None = None,
    timeout: float | None = None,
    progress: Callable[[int, int | None, str], None] | None = None,
) -> Graph:
    """Open a graph.

    Args:
        graph: the directory that ``toulmin build`` wrote, the URL of a SPARQL endpoint, or ``"bundled"`` for the graph
            that comes with Toulmin (built once, into the cache directory of the user).
        dialect: how an endpoint lays out its statements; None: found out by asking it.
        timeout: seconds for one request to an endpoint; None: 30.
        progress: called with how much is done, of how much, and what, where something has to be built.

    Raises:
        InputError: what is given names no graph: None, an empty text, a number.
        GraphError: no such graph, or it is damaged or of another version.
        SettingsError: a malformed URL, no such dialect, or a dialect or timeout of what is no endpoint.
    """
    from toulmin.opening import open_graph

    return open_graph(graph, dialect=dialect, timeout=timeout, progress=progress)


async def aask(
    graph: Graph,
    request: str | Request,
    *,
    method: str | None = None,
    settings: Any = None,
    model: Model | str | None = None,
    base_url: str | None = None,
    budget: Budget | None = None,
) -> Answer:
    """Answer a question from a graph, or abstain, with a certificate that can be checked.

    Args:
        request: a question; or ``toulmin.Request``: a claim, a multiple choice, or with chains or knowledge beside it.
        method: its name (``toulmin methods`` lists them); None: the one that the settings are of, else ``auto``, which
            chooses one.
        settings: the settings of the method, of its own type; None: its defaults.
        model: a language model, or its name: ``openai:NAME``, ``gguf:FILE``, ``replay:FILE``; None: none is asked.
        base_url: of an OpenAI-compatible endpoint, where ``model`` is the name of one.
        budget: what the question may cost at most; None: no limit.

    Raises:
        InputError: what is asked is no question.
        SettingsError: no such method or model, settings of another type, or a request that the method does not take.
        GraphError: the graph cannot be asked.
        ModelError: the model cannot be reached, or gave nothing usable.
    """
    from toulmin.methods.asker import Asker, opened_model

    async with opened_model(model, base_url=base_url) as opened:
        asker = Asker(graph, method=method, settings=settings, model=opened, budget=budget)
        return await asker.aask(request)


async def events(
    graph: Graph,
    request: str | Request,
    *,
    method: str | None = None,
    settings: Any = None,
    model: Model | str | None = None,
    base_url: str | None = None,
    budget: Budget | None = None,
) -> AsyncIterator[Event]:
    """What happens while a question is answered, as typed events; the last one holds the answer. See ``ask``."""
    from toulmin.methods.asker import Asker, opened_model

    async with opened_model(model, base_url=base_url) as opened:
        asker = Asker(graph, method=method, settings=settings, model=opened, budget=budget)
        async for event in asker.events(request):
            yield event


async def acheck_text(
    graph: Graph,
    text: str,
    *,
    scorer: Scorer | str | None = None,
    knowledge: Knowledge | None = None,
    model: Model | str | None = None,
    base_url: str | None = None,
    budget: Budget | None = None,
    settings: CheckSettings | None = None,
) -> Answer:
    """Check each sentence of a text against a graph: supported, contradicted, or not in the graph.

    The answer's ``sentences`` have the verdicts, each with its score, a reason in words and the ids of the statements;
    it is checked as any other.

    Args:
        scorer: of entailment, or its name (``toulmin.entailment.registry``); None: the one that ships.
        knowledge: passages for what the graph says nothing of (``toulmin.retrieval.knowledge``).
        model: a language model, or its name, which takes the sentences apart into facts; None: rules do.
        base_url: of an OpenAI-compatible endpoint, where ``model`` is the name of one.
        budget: what the text may cost at most; None: no limit.
        settings: ``toulmin.check_text.checking.CheckSettings``; None: the defaults.

    Raises:
        InputError: a text that is empty or too long; a graph that is given by its name.
        SettingsError: no such scorer or model.
        GraphError: the graph cannot be asked.
        ModelError: the model cannot be reached, or gave nothing usable.
    """
    from toulmin.check_text.checking import TextChecker
    from toulmin.entailment.registry import get_scorer
    from toulmin.llm.session import Session
    from toulmin.methods.asker import opened_model

    async with opened_model(model, base_url=base_url) as opened:
        judge = get_scorer(scorer, model=opened, budget=budget) if isinstance(scorer, str) else scorer
        checker = TextChecker(graph, scorer=judge, knowledge=knowledge, settings=settings)
        try:
            return await checker.check(text, Session(opened, budget) if opened is not None else None)
        finally:
            if isinstance(scorer, str) and (close := getattr(judge, "close", None)):
                close()


def _waited(function: Callable[P, Coroutine[Any, Any, T]], name: str) -> Callable[P, T]:
    """A function that has to be awaited as one that waits, in notebooks too: with the same parameters and text."""

    @wraps(function)
    def waits(*args: P.args, **kwargs: P.kwargs) -> T:
        from toulmin.methods.asker import wait_for

        return wait_for(function(*args, **kwargs))

    waits.__name__ = waits.__qualname__ = name
    return waits


ask = _waited(aask, "ask")
check_text = _waited(acheck_text, "check_text")


def check(
    answer: Answer,
    graph: Graph | None = None,
    *,
    strict: bool = False,
    passages: Callable[[str], str | None] | None = None,
    root: str | Iterable[str] | None = None,
    seconds: float = 10.0,
    shown: int = 20,
) -> Report:
    """Check an answer with the kernel, with no language model.

    Args:
        graph: None: by the evidence that the answer holds. Of an answer that was made on several graphs the union of
            some, in any order: the statements of the others are those of the evidence.
        strict: what was judged or assumed does not pass either.
        passages: the text of a document by its id (``PassageIndex.open(folder).document``); without it, passages that
            the answer rests on are unverifiable.
        root: the root that the graph must have; of several all of them.
        seconds: that the check may take.
        shown: statements of each node, and values of the answer, that the report lists.

    Raises:
        InputError: no answer, or no graph; a graph that is given by its name.
        GraphError: the graph cannot be asked.
    """
    from toulmin.errors import InputError
    from toulmin.program.answer import Answer

    if not isinstance(answer, Answer):
        raise InputError(
            f"the answer is of type {type(answer).__name__}: give what toulmin.ask returned, or a stored one by "
            "toulmin.Answer.read(path)"
        )
    return answer.check(graph, strict=strict, passages=passages, root=root, seconds=seconds, shown=shown)
