"""What a method is: a request and a graph in, typed events out, the last of them the answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from toulmin.errors import SettingsError
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, Relation
from toulmin.llm.protocol import Model
from toulmin.llm.session import Budget
from toulmin.methods.request import Beside, Request
from toulmin.program.answer import Answer
from toulmin.program.json_forms import CertificateModel as Frozen
from toulmin.retrieval.linking import Candidate, Mention
from toulmin.retrieval.retriever import Retriever

__all__ = [
    "Answered",
    "Called",
    "Emit",
    "Event",
    "FellBack",
    "Linked",
    "LinkedEntity",
    "Method",
    "QuestionContext",
    "Searched",
    "WalkedPath",
    "Working",
]


@dataclass(frozen=True, slots=True)
class QuestionContext:
    """What a method answers with: the same for many requests.

    Args:
        model: the language model; None: the method must do without.
        budget: of one question; None: no limit.
    """

    graph: Graph
    retriever: Retriever
    model: Model | None = None
    budget: Budget | None = None


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

    @classmethod
    def of(cls, mention: Mention, candidate: Candidate) -> LinkedEntity:
        """A mention that is taken for one of its candidates."""
        entity, score, how = candidate.entity, candidate.score, candidate.how
        return cls(text=mention.text, start=mention.start, end=mention.end, entity=entity, score=score, how=how)


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


class Working(Event):
    """So much is done of something that takes long, and is done once for a graph."""

    event: str = "working"
    what: str
    done: int
    of: int


class FellBack(Event):
    """A step got no usable reply, or could not be taken; what was done in its place."""

    event: str = "fell back"
    step: str
    problem: str
    instead: str


class Answered(Event):
    """The answer; the last event."""

    event: str = "answered"
    answer: Answer


Emit = Callable[[Event], None]


class Method:
    """A way to answer: a subclass says what it is, and either ``answer``s or ``run``s.

    Args:
        settings: of the type of one of its forms; None: those of its default form without a model.

    Raises:
        SettingsError: settings of another type.
    """

    #: The name it is found by.
    name: ClassVar[str]
    #: What it does, in one line.
    title: ClassVar[str]
    #: Where it is from: the paper, with its year.
    source: ClassVar[str]
    #: What it takes beside a question.
    takes: frozenset[Beside] = frozenset()
    #: Whether it needs a language model.
    needs_model: bool = True

    def __init__(self, settings: Any = None) -> None:
        forms = self.forms()
        if settings is None:
            settings = forms[self.default_form(model=False)]
        known = {type(form): None for form in forms.values()}
        if type(settings) not in known:
            names = " or ".join(kind.__name__ for kind in known)
            raise SettingsError(f"{self.name} takes {names}, not {type(settings).__name__}")
        self.settings = settings

    @classmethod
    def forms(cls) -> Mapping[str, Any]:
        """Its settings with a name, frozen dataclasses whose docstrings say what each is and where it is from."""
        raise NotImplementedError

    @classmethod
    def default_form(cls, *, model: bool) -> str:
        """The form where none is named: the first."""
        return next(iter(cls.forms()))

    def most_calls(self, options: int = 0) -> int | None:
        """The most calls of a model for one question, each sample one, without repairs; None: no bound of its own.

        Args:
            options: of a multiple choice, how many.
        """
        return None

    def refusal(self, request: Request) -> str | None:
        """Why it cannot answer such a request, which holds nothing that it does not take; None: it can."""
        return None

    async def answer(self, request: Request, context: QuestionContext, emit: Emit) -> Answer:
        """The answer to a request; what happens on the way is told as it happens.

        Raises:
            ModelError: the model cannot be reached, or gave nothing usable.
        """
        raise NotImplementedError

    async def run(self, request: Request, context: QuestionContext) -> AsyncIterator[Event]:
        """The events of a request in order, the last one ``Answered``."""
        events: asyncio.Queue[Event | None] = asyncio.Queue()
        task = asyncio.create_task(self.answer(request, context, events.put_nowait))
        task.add_done_callback(lambda _: events.put_nowait(None))
        try:
            while (event := await events.get()) is not None:
                yield event
            yield Answered(answer=task.result())
        finally:
            task.cancel()
