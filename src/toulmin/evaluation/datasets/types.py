"""What a data set holds: questions with their gold, and what was wrong with its files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Literal as Choice

from toulmin.graph.types import Direction, Statement

__all__ = ["Dataset", "GoldPath", "PathRelation", "Problem", "Question"]


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
        hops: how many statements a path to the answer has, where the data set says it.
        gold_entities: labels of the entities the question is about, where the data set names them.
        gold_paths: relation sequences that lead from a gold entity to the answers, where the data set has them.
        task: "claim": the text is a claim to be decided, not a question.
        options: of a multiple choice, in a seeded order (``shuffled``): texts, one of which is in ``answers``.
        statements: what this question brings to the graph: of its user, of its options; each says of which graph it is.
        gold_statements: those of them that decide the answer, where the data set names them.
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
    file: str = ""
    line: int = 0

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

    def sample(self, limit: int | None, seed: int = 0) -> tuple[Question, ...]:
        """``limit`` questions in a seeded order; all in file order where ``limit`` is None.

        The order depends on the seed and the ids alone, so that a larger sample begins with the smaller one.
        """
        if limit is None:
            return self.questions
        return tuple(sorted(self.questions, key=lambda question: _key(seed, question.id))[: max(limit, 0)])
