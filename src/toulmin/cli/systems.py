"""What `evaluate` asks: a method on a graph with a model, as its options name them; opened here, or by a worker."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toulmin.cli.graphs import GraphChoice
from toulmin.cli.models import ModelChoice
from toulmin.errors import InputError, RefusedError

if TYPE_CHECKING:
    from toulmin.evaluation.datasets.types import Question
    from toulmin.evaluation.engines import Asking

__all__ = ["OpenedSystem", "Systems"]


@dataclass(frozen=True, slots=True)
class OpenedSystem:
    """What was opened.

    Args:
        graph: the fingerprint of the graph; empty where each question brings its own.
        model: the name of the model.
    """

    asking: Asking
    graph: str
    model: str | None


@dataclass(frozen=True, slots=True)
class Systems:
    """A method with its settings, and all that it is asked with. Can be pickled, and opened in another process.

    Args:
        graph: None: each question brings its own.
        concurrency: how many questions are asked at a time.
    """

    method: str
    settings: Any
    graph: GraphChoice | None
    choice: ModelChoice
    knowledge: tuple[str, ...]
    chains: Path | None
    concurrency: int

    @contextmanager
    def opened(self) -> Iterator[OpenedSystem]:
        """Open graph and model.

        Raises:
            SettingsError: options that do not go together.
            GraphError: the graph cannot be opened.
            SourceError: a file cannot be used.
        """
        from toulmin.cli.knowledge import named_knowledge
        from toulmin.evaluation.calls import LoggedModel
        from toulmin.evaluation.engines import Asking
        from toulmin.evaluation.system import System
        from toulmin.methods.rr.recorded import RecordedChains

        recorded = RecordedChains.read(self.chains) if self.chains is not None else None
        with ExitStack() as stack:
            graph = None
            if self.graph is not None:
                graph = stack.enter_context(self.graph.opened())
            named = self.choice.open(concurrency=8 * self.concurrency)
            model = LoggedModel(named) if named is not None else None
            system = System(
                graph,
                method=self.method,
                settings=self.settings,
                model=model,
                budget=self.choice.budget(),
                knowledge=partial(named_knowledge, list(self.knowledge)),
                chains=recorded.of if recorded is not None else None,
            )
            stack.callback(system.close)
            close, name = (model.close, model.name) if model is not None else (None, None)
            asking = Asking(system.answer, system.check, system.measure, close, system.release)
            yield OpenedSystem(asking, "" if graph is None else graph.fingerprint, name)

    @contextmanager
    def asking(self) -> Iterator[Asking]:
        """As ``opened``, for a worker."""
        with self.opened() as system:
            yield system.asking

    def check(self, questions: Iterable[Question]) -> None:
        """See that it can ask a question, before anything is paid for.

        Raises:
            InputError: it can ask none of them: what it lacks, else why it refuses the first.
            SourceError: the recorded chains cannot be read.
        """
        from toulmin.methods.asker import check_request
        from toulmin.methods.registry import get_method
        from toulmin.methods.request import Request
        from toulmin.methods.rr.recorded import RecordedChains

        method = get_method(self.method, self.settings, model=self.choice.named)
        recorded = RecordedChains.read(self.chains) if self.chains is not None else None
        first: InputError | None = None
        for asked in questions:
            chains = recorded.of(asked.id, asked.question) if recorded is not None else ()
            try:
                request = Request(asked.question, asked.task, asked.options, chains)
                check_request(method, request, model=self.choice.named)
            except InputError as error:
                if first is None or (isinstance(first, RefusedError) and not isinstance(error, RefusedError)):
                    first = error
            else:
                return
        if first is not None:
            raise first

    def anywhere(self) -> Systems:
        """The same with absolute paths: a worker has a working directory of its own."""
        choice = self.choice
        return replace(
            self,
            graph=None if self.graph is None else replace(self.graph, kg=list(map(_resolved, self.graph.named))),
            choice=replace(
                choice,
                cache=_absolute(choice.cache),
                record=_absolute(choice.record),
                replay=_absolute(choice.replay),
            ),
            knowledge=tuple(map(_resolved, self.knowledge)),
            chains=_absolute(self.chains),
        )

    def described(self) -> dict[str, Any]:
        """The settings as ``run.json`` has them."""
        from toulmin.methods.rr.recorded import RecordedChains

        budget = self.choice.budget()
        return {
            **asdict(self.settings),
            **({"budget": asdict(budget)} if budget else {}),
            **({"knowledge": list(self.knowledge)} if self.knowledge else {}),
            **({"chains": RecordedChains.read(self.chains).digest} if self.chains is not None else {}),
        }


def _absolute(path: Path | None) -> Path | None:
    return None if path is None else path.absolute()


def _resolved(name: str) -> str:
    """An absolute path, where this names something that is there; else the name, of an endpoint for example."""
    return str(Path(name).absolute()) if Path(name).exists() else name
