"""What a data set holds: questions with their gold, and what was wrong with its files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING
from typing import Literal as Choice

from toulmin.graph.types import Direction, Statement

if TYPE_CHECKING:
    from toulmin.retrieval.knowledge import FactTable, Knowledge

__all__ = ["Dataset", "Declared", "Gold", "GoldPath", "Loader", "PathRelation", "Problem", "Question"]

#: What is right: a verdict, a set of answers, one of the options, that the graph does not tell; or nobody says.
Gold = Choice["verdict", "answers", "option", "unknown", "none"]


@dataclass(frozen=True, slots=True)
class PathRelation:
    """One step of a gold path: the relation as the data set writes it, and its direction where the data set says it."""

    relation: str
    direction: Direction | None = None


GoldPath = tuple[PathRelation, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question or claim with its gold.

    Args:
        id: unique within the data set and stable, also between machines.
        question: the text that a method sees; marks that give an entity's span away are removed.
        answers: the gold labels; empty where ``verdict`` holds the gold, and where there is none (open-ended).
        by_id: entities among ``answers`` are given by their ids, numbers by their values, not by labels.
        verdict: the gold of a yes/no question or a claim.
        unknown: the gold is that the graph does not tell: an abstention is right, every answer wrong.
        gold_text: a reference answer in prose, where the data set has one.
        type: of question, as the data set names it: "comparison", "bridge" …
        hops: how many steps lead to the answer, where the data set says it.
        gold_entities: labels of the entities the question is about, where the data set names them.
        gold_paths: relation sequences that lead from a gold entity to the answers, where the data set has them.
        task: "claim": the text is a claim to be decided, not a question.
        options: of a multiple choice, in a seeded order (``shuffled``): texts, one of which is in ``answers``.
        statements: what this question brings to the graph: of its user, of its options; each says of which graph it is.
        gold_statements: those of them, or of the graph, that decide the answer, where the data set names them.
        passages, table: what there is to judge an answer by (``--knowledge own``); None where the data set has none.
        file, line: where the question was read, for a person to look up (line is 1-based).
    """

    id: str
    question: str
    answers: tuple[str, ...] = ()
    verdict: bool | None = None
    by_id: bool = False
    unknown: bool = False
    gold_text: str = ""
    type: str = ""
    hops: int | None = None
    gold_entities: tuple[str, ...] = ()
    gold_paths: tuple[GoldPath, ...] = ()
    task: Choice["question", "claim"] = "question"
    options: tuple[str, ...] = ()
    statements: tuple[Statement, ...] = ()
    gold_statements: tuple[Statement, ...] = ()
    passages: tuple[str, ...] | None = None
    table: FactTable | None = None
    file: str = ""
    line: int = 0

    @property
    def gold(self) -> Gold:
        """What kind of gold it has."""
        if self.unknown:
            return "unknown"
        if self.verdict is not None:
            return "verdict"
        return "none" if not self.answers else "option" if self.options else "answers"

    def knowledge(self) -> Knowledge | None:
        """The passages and the table that it brings."""
        from toulmin.retrieval.knowledge import GivenPassages, KnowledgeUnion, TableKnowledge

        parts: list[Knowledge] = [TableKnowledge(self.table)] if self.table is not None else []
        parts += [GivenPassages(self.passages)] if self.passages is not None else []
        return None if not parts else parts[0] if len(parts) == 1 else KnowledgeUnion(*parts)

    def shuffled(self, seed: int) -> Question:
        """The same question with its options in an order that depends on the seed, the id and the options alone."""
        return replace(self, options=tuple(sorted(self.options, key=lambda option: _key(seed, self.id, option))))


def _key(seed: int, *parts: str) -> bytes:
    return blake2b("\x1f".join((str(seed), *parts)).encode("utf-8", "surrogatepass"), digest_size=16).digest()


@dataclass(frozen=True, slots=True)
class Problem:
    """A record, or a part of one, that could not be used."""

    file: Path
    line: int
    problem: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.problem}"


@dataclass(frozen=True, slots=True)
class Dataset:
    """The questions that could be read, the problems met, and the files of the graph that belongs to them.

    ``graphs`` names files to give to ``toulmin build``, the default first; they need not exist.
    """

    id: str
    questions: tuple[Question, ...]
    problems: tuple[Problem, ...] = ()
    graphs: tuple[Path, ...] = ()

    def counts(self) -> dict[str, int | dict[str, int]]:
        """How many questions and problems there are; the questions by gold, type and hops, those that have them."""
        counters: dict[str, Counter[str]] = {
            "gold": Counter(question.gold for question in self.questions),
            "type": Counter(question.type for question in self.questions if question.type),
            "hops": Counter(str(question.hops) for question in self.questions if question.hops is not None),
        }
        counted = {name: dict(sorted(counter.items())) for name, counter in counters.items() if counter}
        return {"questions": len(self.questions), "problems": len(self.problems), **counted}

    def sample(self, limit: int | None, seed: int = 0) -> tuple[Question, ...]:
        """``limit`` questions in a seeded order; all in file order where ``limit`` is None.

        The order depends on the seed and the ids alone, so that a larger sample begins with the smaller one.
        """
        if limit is None:
            return self.questions
        return tuple(sorted(self.questions, key=lambda question: _key(seed, question.id))[: max(limit, 0)])


Loader = Callable[[Path], Dataset]


@dataclass(frozen=True, slots=True)
class Declared:
    """A data set by its id: what it is, and the function that reads it.

    Args:
        id: what ``evaluate`` takes.
        title: what is asked, in a few words.
        source: the paper, and where the files are published.
        licence: of the data, as published.
        files: what its folder holds, as published.
        fields: those of ``Question`` that it fills beside ``id`` and ``question``.
        read: the questions of a folder: the data set's own, or the one that holds it by its name.
        needs: what a run needs beside these files and a method.
    """

    id: str
    title: str
    source: str
    licence: str
    files: str
    fields: tuple[str, ...]
    read: Loader
    needs: str = ""

    def __call__(self, data: Path) -> Dataset:
        return self.read(data)
