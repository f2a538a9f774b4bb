"""What a method is: question and graph in, typed events out, the last of them the answer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Protocol
from typing import Literal as Choice

from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, Relation
from toulmin.llm.budget import Budget
from toulmin.llm.protocol import Model
from toulmin.llm.session import Call
from toulmin.program.answer import Answer
from toulmin.program.forms import Model as Frozen
from toulmin.retrieval.retriever import Retriever

if TYPE_CHECKING:
    from toulmin.retrieval.knowledge import Knowledge

__all__ = [
    "Answered",
    "Called",
    "Context",
    "Event",
    "Linked",
    "LinkedEntity",
    "Method",
    "Searched",
    "Task",
    "WalkedPath",
]


Task = Choice["question", "claim"]


@dataclass(frozen=True, slots=True)
class Context:
    """Everything a method needs beside the question.

    Args:
        model: the language model; None: the method must do without, or say that it needs one.
        budget: of one question; None: no limit.
        task: "claim": the text is a claim to be decided, not a question.
        options: of a multiple choice: texts, one of which is the answer.
        knowledge: beside the graph: passages, tables … that sentences are looked up in.
        chains: recorded chains of thought, in place of those that a model would sample.
    """

    graph: Graph
    retriever: Retriever
    model: Model | None = None
    budget: Budget | None = None
    task: Task = "question"
    options: tuple[str, ...] = ()
    knowledge: Knowledge | None = None
    chains: tuple[str, ...] = ()


class Event(Frozen):
    """Something that happened while a question was answered."""

    event: str


class LinkedEntity(Frozen):
    """Words of the question taken for an entity."""

    text: str
    start: int
    end: int
    entity: Entity
    score: float
    how: str


class Linked(Event):
    """The question's words were linked; ``entities`` in the order of preference."""

    event: str = "linked"
    entities: tuple[LinkedEntity, ...]


class WalkedPath(Frozen):
    """A relation path and its score; a relation is walked forward or backward."""

    relations: tuple[tuple[Relation, str], ...]
    score: float


class Searched(Event):
    """Relation paths from one entity were scored, best first."""

    event: str = "searched"
    start: Entity
    paths: tuple[WalkedPath, ...]


class Called(Event):
    """The model was asked for one step; see ``llm.session.Call``."""

    event: str = "called"
    step: str
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    called: bool
    problem: str | None
    reply: str

    @classmethod
    def of(cls, call: Call) -> Called:
        """The event of a call that a session made."""
        return cls(**asdict(call))


class Answered(Event):
    """The answer; the last event."""

    event: str = "answered"
    answer: Answer


class Method(Protocol):
    """A way to answer questions."""

    @property
    def name(self) -> str:
        """The name it is found by."""

    @property
    def settings(self) -> Any:
        """Its settings, a frozen dataclass."""

    def run(self, question: str, context: Context) -> AsyncIterator[Event]:
        """Answer a question: events in order, the last one ``Answered``."""
