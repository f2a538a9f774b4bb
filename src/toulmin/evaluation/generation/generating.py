"""A set of open-ended questions from a graph: candidates are drawn, written, scored, and kept or left out.

Everything but the model's replies is a function of the graph, the settings and those replies. So a run that was stopped
is repeated with the replies that were kept (``llm.cache``), and comes to the same questions without paying them twice.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from toulmin.errors import GraphError, NothingUsableError, ReplyError, SettingsError
from toulmin.evaluation.generation.candidates import (
    CandidateSource,
    QuestionCandidate,
    QuestionType,
    named_by,
    question_types,
)
from toulmin.evaluation.generation.question_file import QuestionFile, Record
from toulmin.evaluation.generation.writing import AXES, Writer, write_values
from toulmin.graph.classes import class_relation
from toulmin.graph.protocol import Graph
from toulmin.graph.subgraph import Subgraph
from toulmin.graph.types import Entity, Statement
from toulmin.llm.prompts import data
from toulmin.retrieval.open_ended.neighbourhood import Neighbourhood, RetrievalSettings
from toulmin.retrieval.retriever import Retriever
from toulmin.retrieval.statement_words import node_words, statement_words

__all__ = [
    "SHOWN",
    "SIZES",
    "GenerationSettings",
    "Generator",
    "LeftOut",
    "around",
    "shortfall",
    "write_set",
]

_PART = 300  # characters of a part of a statement
_UNUSABLE = 10  # candidates in a row without a usable reply, before there is any question, that end a set
_SPARE = 3  # candidates of a type that may be left out for each question wanted, and as many beside


@dataclass(frozen=True, slots=True)
class GenerationSettings:
    """How a set of questions is drawn.

    Args:
        n: how many questions.
        types: of these, as evenly as the graph allows.
        seed: of the order in which entities are drawn.
        alike: cosine of two questions from which on the later one is a near-duplicate.
        least: the least score of an axis with which a question is kept; 1: any.
        repeat: in how many questions one entity may be; in those of one type only once.

    Raises:
        SettingsError: a number out of range.
    """

    n: int
    types: tuple[QuestionType, ...] = ()
    seed: int = 0
    alike: float = 0.92
    least: int = 4
    repeat: int = 2

    def __post_init__(self) -> None:
        object.__setattr__(self, "types", self.types or tuple(question_types().values()))
        for name, low, high in (("n", 1, 1_000_000), ("seed", 0, 2**63), ("least", 1, 10), ("repeat", 1, 1_000_000)):
            if not low <= getattr(self, name) <= high:
                raise SettingsError(f"{name} is {getattr(self, name)}: give {low} to {high:,}")
        if not 0 < self.alike <= 1:
            raise SettingsError(f"alike is {self.alike}: give a number above 0, up to 1")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A candidate of which no question came, and why."""

    candidate: QuestionCandidate
    why: str


_Written = Record | ReplyError | str


class Generator:
    """Draws questions from a graph.

    Args:
        writer: None: candidates can be looked at, and nothing is written.

    Raises:
        GraphError: the graph is not at hand as a whole.
    """

    def __init__(self, graph: Graph, writer: Writer | None, settings: GenerationSettings) -> None:
        self.settings, self._writer = settings, writer
        self._retriever = Retriever(graph)
        self._candidates = CandidateSource(graph, self._retriever)
        self._subgraph, self._fingerprint = graph.subgraph([], 0), graph.fingerprint
        self._streams: dict[str, Iterator[QuestionCandidate]] = {}
        self._kept: Counter[str] = Counter()
        self._lost: Counter[str] = Counter()
        self._used: Counter[str] = Counter()
        self._of_type = set[tuple[str, str]]()
        self._vectors = np.empty((0, self._retriever.embedder.dimension), dtype=np.float32)

    def planned(self) -> list[QuestionCandidate]:
        """The candidates of the questions that are missing, spread over the types; empty where the graph has no more.

        Each is given out once.
        """
        planned: Counter[str] = Counter(self._kept)
        spare = _SPARE * (1 - (-self.settings.n // len(self.settings.types)))
        open_types = {kind.name: kind for kind in self.settings.types if self._lost[kind.name] < spare}
        candidates: list[QuestionCandidate] = []
        while open_types and planned.total() < self.settings.n:
            name = min(open_types, key=lambda kind: (planned[kind], kind))
            candidate = self._next(open_types[name])
            if candidate is None:
                del open_types[name]
                continue
            planned[name] += 1
            candidates.append(candidate)
        return candidates

    def _next(self, kind: QuestionType) -> QuestionCandidate | None:
        """The next candidate of a type whose entities have not been in enough questions."""
        stream = self._streams.setdefault(kind.name, self._candidates.of(kind, self.settings.seed))
        for candidate in stream:
            ids = [entity.id for entity in candidate.entities]
            fresh = all(self._used[identifier] < self.settings.repeat for identifier in ids)
            if fresh and not any((kind.name, identifier) in self._of_type for identifier in ids):
                self._used.update(ids)
                self._of_type.update((kind.name, identifier) for identifier in ids)
                return candidate
        return None

    def values(self, candidate: QuestionCandidate) -> dict[str, str]:
        """What the model is shown for a candidate, by the fields of the prompt."""
        return write_values(candidate, around(self._subgraph, candidate.entities)[0])

    async def run(self, concurrency: int = 1) -> AsyncGenerator[Record | LeftOut]:
        """The questions, and what was left out, in the order of the candidates, whichever reply comes first.

        Raises:
            SettingsError: there is no writer.
            BudgetError: the budget is used up.
            ModelError: the model cannot be reached, or gives nothing usable from the start.
        """
        if self._writer is None:
            raise SettingsError("questions are written by a language model: give one, by --model")
        gate = asyncio.Semaphore(concurrency)
        unusable: list[ReplyError] = []
        while self._kept.total() < self.settings.n and (wave := self.planned()):
            tasks = [asyncio.ensure_future(self._asked(self._writer, candidate, gate)) for candidate in wave]
            try:
                for candidate, task in zip(wave, tasks, strict=True):
                    written = await task
                    unusable = [*unusable, written] if isinstance(written, ReplyError) else []
                    if len(unusable) >= _UNUSABLE and not self._kept.total():
                        replies: Counter[str] = Counter()
                        for error in unusable:
                            replies[error.step] += error.replies
                        raise NothingUsableError(replies, unusable[-1].problem, unusable[-1].reply)
                    yield self._judged(candidate, written)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    async def _asked(self, writer: Writer, candidate: QuestionCandidate, gate: asyncio.Semaphore) -> _Written:
        """The record of what the model gives for a candidate; a reply that cannot be used; or why it wrote nothing."""
        async with gate:
            shown, sizes = await asyncio.to_thread(around, self._subgraph, candidate.entities)
            try:
                draft = await writer.write(candidate, shown, lambda text: named_by(self._retriever.linker, text))
                if draft.question is None:
                    return f"not written: {draft.why}"
                names = [node_words(entity) for entity in candidate.entities]
                scores, remark = await writer.score(candidate.type, names, draft.question, shown)
            except ReplyError as error:
                return error
        ids = [entity.id for entity in candidate.entities]
        digest = blake2b("\x1f".join(ids).encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
        return {
            "id": f"{candidate.type.name}-{digest}",
            "question": draft.question,
            "type": candidate.type.name,
            "entities": ids,
            "answers": [],
            "group": candidate.type.group,
            "names": names,
            "difficulty": draft.difficulty,
            "rests_on": [s.id for s in draft.statements],
            "why": draft.why,
            "shown": [
                {"id": s.id, "says": " | ".join(data(part, _PART) for part in statement_words(s))} for s in shown
            ],
            "subgraph": sizes,
            "scores": scores,
            "remark": remark,
            "written_by": writer.name,
            "scored_by": writer.name,
            "made": self.made,
        }

    def _judged(self, candidate: QuestionCandidate, written: _Written) -> Record | LeftOut:
        why = self._fault(written) if isinstance(written, dict) else str(written)
        if isinstance(written, dict) and why is None:
            self._kept[candidate.type.name] += 1
            return written
        self._lost[candidate.type.name] += 1
        self._used.subtract(entity.id for entity in candidate.entities)
        return LeftOut(candidate, str(why))

    def _fault(self, record: Record) -> str | None:
        """Why a question is not kept."""
        question, scores = record["question"], record["scores"]
        low = [axis for axis in AXES if scores[axis] < self.settings.least]
        if low:
            return f"scored below {self.settings.least} for {', '.join(low)}: {question}"
        vector = self._retriever.embedder.embed([question])
        cosines = self._vectors @ vector[0]
        if len(cosines) and float(cosines.max()) >= self.settings.alike:
            return f"a near-duplicate (cosine {cosines.max():.2f}): {question}"
        self._vectors = np.concatenate([self._vectors, vector])
        return None

    @property
    def made(self) -> dict[str, Any]:
        """What a set depends on: the graph, the settings, the prompts."""
        return {
            "graph": self._fingerprint,
            **asdict(self.settings),
            "types": [kind.name for kind in self.settings.types],
            "prompts": self._writer.digest if self._writer else "",
        }


async def write_set(
    generator: Generator, out: Path, concurrency: int, tell: Callable[[Record | LeftOut], None]
) -> tuple[list[Record], list[LeftOut]]:
    """Write the questions to a file as they come; one of the same set that is there already is gone on with.

    Args:
        tell: called with each record and what was left out.

    Raises:
        SettingsError: the file holds another set, or cannot be written.
        BudgetError, ModelError: as ``Generator.run``; what is in the file stays.
    """
    records: list[Record] = []
    left_out: list[LeftOut] = []
    with QuestionFile(out) as file:
        async with aclosing(generator.run(concurrency)) as outcomes:
            async for outcome in outcomes:
                if isinstance(outcome, LeftOut):
                    left_out.append(outcome)
                else:
                    file.add(outcome)
                    records.append(outcome)
                tell(outcome)
    return records, left_out


def shortfall(settings: GenerationSettings, records: Sequence[Record]) -> dict[str, int]:
    """By type, how many questions fewer there are than an even share."""
    counts = Counter(record["type"] for record in records)
    share = settings.n // len(settings.types)
    return {kind.name: share - counts[kind.name] for kind in settings.types if counts[kind.name] < share}


#: How many statements are shown at most.
SHOWN = 30

_OWN = 0.7  # share of these that the entities' own statements may take
_UNPRUNED = RetrievalSettings(threshold=0.0)
#: Of nodes and statements within two hops of the entities, and of what pruning leaves (papers/okgqa, figure 1a).
SIZES = ("nodes", "statements", "kept_nodes", "kept_statements")


def around(subgraph: Subgraph, entities: Sequence[Entity]) -> tuple[list[Statement], dict[str, int]]:
    """The statements to show, at most ``SHOWN``: the entities' own first, then the nearest by PageRank; and ``SIZES``.

    What is near is pruned as papers/okgqa has it (section 3.1 and A.5).

    Raises:
        GraphError: the graph does not hold an entity, or PageRank does not settle.
    """
    numbers = [subgraph.index(entity.id) for entity in entities]
    if None in numbers:
        raise GraphError(f"the graph does not hold {entities[numbers.index(None)].id}")
    seeds = np.array(numbers, dtype=np.int32)
    whole, near = (Neighbourhood.of(subgraph, seeds, settings) for settings in (_UNPRUNED, RetrievalSettings()))
    sizes = dict(zip(SIZES, map(len, (whole.nodes, whole.rows, near.nodes, near.rows)), strict=True))
    kinds = [at for at, relation in enumerate(subgraph.relations) if class_relation(relation) == "instance"]
    direct = np.isin(near.subject, near.seeds) | np.isin(near.object, near.seeds)
    typed = np.isin(near.relation, kinds)
    # What is of the same class is not near for that: the way over a class is no way.
    beside = np.unique(np.concatenate([near.subject[direct & ~typed], near.object[direct & ~typed]]))
    shown = direct | (~typed & (np.isin(near.subject, beside) | np.isin(near.object, beside)))
    degree = np.bincount(np.concatenate([near.subject, near.object]), minlength=len(near.nodes))
    flow = near.nearness / np.maximum(degree, 1)  # of rank, over each statement: a hub's many say little
    # What an entity is said to be comes before what points to it, which of a hub is endless; classes tell little.
    weight = flow[near.subject] + flow[near.object] + np.isin(near.subject, near.seeds)
    order = np.lexsort((near.rows, -weight))
    order = order[shown[order]]
    mine, others = order[direct[order]], order[~direct[order]]
    room = max(int(_OWN * SHOWN), SHOWN - len(others))
    chosen = np.concatenate([mine[:room], others[: SHOWN - min(len(mine), room)]])
    return subgraph.statements(near.rows[chosen]), sizes
