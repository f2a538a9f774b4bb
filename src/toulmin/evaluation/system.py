"""What is evaluated: a method with its settings on a graph, with or without a language model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

from toulmin.errors import SettingsError
from toulmin.evaluation.datasets.types import Question
from toulmin.evaluation.metrics.paths import measured
from toulmin.graph.closing import Closing
from toulmin.graph.memory import MemoryGraph
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Statement
from toulmin.graph.union import UnionGraph
from toulmin.kernel import Report
from toulmin.llm.protocol import Model
from toulmin.llm.session import Budget
from toulmin.methods.asker import Asker
from toulmin.methods.request import Request
from toulmin.program.answer import Answer
from toulmin.retrieval.knowledge import Knowledge
from toulmin.retrieval.retriever import Retriever

__all__ = ["System"]


class System(Closing):
    """A method on a graph, asked the questions of a data set.

    Args:
        graph: None: each question brings its own (``Question.statements``).
        method, settings, model, budget: see ``methods.asker.Asker``.
        knowledge: what there is beside a graph (rr), made of the graph and of what a question brings.
        chains: the recorded chains of thought of a question, by its id and text, in place of those that a model would
            sample (rr).

    Raises:
        SettingsError: no such method, or settings of another type.
    """

    def __init__(
        self,
        graph: Graph | None,
        *,
        method: str,
        settings: Any = None,
        model: Model | None = None,
        budget: Budget | None = None,
        knowledge: Callable[[Graph, Knowledge | None], Knowledge | None] | None = None,
        chains: Callable[[str, str], Sequence[str]] | None = None,
    ) -> None:
        self._graph = graph
        self._asker_on = partial(Asker, method=method, settings=settings, model=model, budget=budget)
        self._knowledge, self._chains = knowledge, chains
        self._known: dict[str, Knowledge | None] = {}
        self._asker = None if graph is None else self._asker_on(graph)
        self._retriever = None if graph is None else Retriever(graph)
        # Of questions that bring statements, until they are released.
        self._brought: dict[str, tuple[Graph, ExitStack]] = {}

    async def answer(self, question: Question) -> Answer:
        """Ask the method a question, with all that the question brings."""
        graph = self.graph_of(question)
        asker = self._asker if self._asker is not None and graph is self._graph else self._asker_on(graph)
        chains = self._chains(question.id, question.question) if self._chains is not None else ()
        return await asker.aask(
            Request(question.question, question.task, question.options, chains, self._known_of(question))
        )

    def check(self, question: Question, answer: Answer) -> Report:
        """Check the answer's certificate against the graph on which it was asked."""
        graph = self.graph_of(question)
        known = self._known_of(question)
        return answer.check(graph, passages=known.document if known is not None else None)

    def measure(self, question: Question, answer: Answer | None) -> dict[str, float]:
        """What the data set names of the way to an answer, as far as it names it: see ``metrics.measured``."""
        graph = self.graph_of(question)
        known = self._retriever if graph is self._graph else None
        return measured(question, answer, graph, lambda: known or Retriever(graph))

    def close(self) -> None:
        """Close the graphs that questions brought; the one that was given stays open."""
        for _, stack in self._brought.values():
            stack.close()
        self._brought.clear()
        self._known.clear()

    def release(self, question: Question) -> None:
        """Close what a question brought: it is asked, checked and measured."""
        self._known.pop(question.id, None)
        if (brought := self._brought.pop(question.id, None)) is not None:
            brought[1].close()

    def graph_of(self, question: Question) -> Graph:
        """The graph on which a question is asked: the given one, with what the question brings beside it.

        Raises:
            SettingsError: there is neither.
        """
        if not question.statements:
            if self._graph is None:
                raise SettingsError(f"the question {question.id!r} brings no graph: name one with --kg")
            return self._graph
        if question.id not in self._brought:
            self._brought[question.id] = self._with(question.statements)
        return self._brought[question.id][0]

    def _known_of(self, question: Question) -> Knowledge | None:
        if self._knowledge is None:
            return None
        graph = self.graph_of(question)
        brought = question.knowledge()
        key = question.id if brought is not None or graph is not self._graph else ""
        if key not in self._known:
            self._known[key] = self._knowledge(graph, brought)
        return self._known[key]

    def _with(self, statements: Sequence[Statement]) -> tuple[Graph, ExitStack]:
        names = list(dict.fromkeys(statement.graph or "question" for statement in statements))
        graphs, stack = list[Graph](), ExitStack()
        for name in names:
            named = [s for s in statements if (s.graph or "question") == name]
            graphs.append(stack.enter_context(MemoryGraph.from_statements(named, name=name)))
        return UnionGraph([*([self._graph] if self._graph is not None else []), *graphs]), stack
