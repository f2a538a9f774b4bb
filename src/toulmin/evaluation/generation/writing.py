"""What a model is asked for a question: to write it, and to score it on five axes (papers/okgqa, A.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from toulmin.errors import SourceError
from toulmin.evaluation.generation.candidates import QuestionCandidate, QuestionType
from toulmin.graph.types import Statement
from toulmin.llm.prompts import Prompt, Prompts, data, prompts_of
from toulmin.llm.protocol import Model
from toulmin.llm.session import Session
from toulmin.methods.model_answers import statement_lines
from toulmin.methods.prompting import object_schema
from toulmin.retrieval.statement_words import node_words

__all__ = ["AXES", "Instructions", "QuestionDraft", "Scores", "Which", "Writer", "prompts", "write_values"]

#: The five axes, in the paper's order.
AXES = ("naturalness", "relevance", "specificity", "novelty", "actionability")

Scores = dict[str, int]
#: The two instructions that can be replaced, by the name of their prompt.
Which = Literal["write", "score"]

_LEAST, _MOST = 1, 10
_QUESTION = 400  # characters
_NAME, _REMARK = 120, 300
_LINE = "\n---\n"  # of a system message: the instruction stands above it, the form of the reply below
_DIFFICULTIES = ["easy", "medium", "hard"]
#: The prompts of the package.
prompts = partial(prompts_of, "toulmin.evaluation.generation")


@dataclass(frozen=True, slots=True)
class Instructions:
    """Instructions in place of those that ship; None: those that ship."""

    write: str | None = None
    score: str | None = None

    @classmethod
    def read(cls, **files: Path | None) -> Instructions:
        """Read them from files.

        Raises:
            SourceError: a file cannot be read, or holds no text.
        """
        return cls(**{name: None if path is None else _read(path) for name, path in files.items()})

    def prompt(self, which: Which) -> Prompt:
        """The prompt with its instruction."""
        prompt, given = prompts()[which], getattr(self, which)
        form = prompt.system.split(_LINE)[1]
        return prompt if given is None else replace(prompt, system=f"{given}\n{_LINE}{form}")

    def text(self, which: Which) -> str:
        """The instruction itself."""
        return self.prompt(which).system.split(_LINE)[0].strip()


def _read(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(
            f"cannot be read as an instruction: {getattr(error, 'strerror', 'not UTF-8')}", path
        ) from None
    if not text or _LINE in text:
        raise SourceError("is no instruction: write a text without a line of three dashes", path)
    return text


@dataclass(frozen=True, slots=True)
class QuestionDraft:
    """What the model wrote: a question, or why there is none.

    Args:
        statements: those of the statements shown that an answer would rest on.
    """

    question: str | None
    statements: tuple[Statement, ...]
    difficulty: str
    why: str


class Writer:
    """Asks a model for questions and for scores.

    Args:
        instructions: None: those that ship.
    """

    def __init__(self, model: Model, instructions: Instructions | None = None) -> None:
        self._model = model
        instructions = instructions or Instructions()
        self._write, self._score = instructions.prompt("write"), instructions.prompt("score")

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._model.name

    @property
    def digest(self) -> str:
        """A hash of what is sent beside the values."""
        return Prompts({"write": self._write, "score": self._score}).digest

    async def write(
        self, candidate: QuestionCandidate, statements: Sequence[Statement], named: Callable[[str], set[str]]
    ) -> QuestionDraft:
        """A question about a candidate.

        Args:
            statements: what is shown.
            named: the ids of the entities that the names in a text stand for; a reply that lacks one is repaired once.

        Raises:
            ReplyError: no usable reply.
            BudgetError, ModelError: see ``Session.ask``.
        """

        def fault(reply: Mapping[str, Any]) -> str | None:
            if reply["question"] is None:
                return None
            question = data(reply["question"], _QUESTION)
            if not any(map(str.isalpha, question)) or question.endswith("…"):
                return f"the question has no words, or more than {_QUESTION} characters"
            if len(set(reply["statements"])) < 2:
                return "name two or more statements that an answer would rest on, or write no question"
            linked = named(question)
            lost = [node_words(entity) for entity in candidate.entities if entity.id not in linked]
            return (
                f"the question must call these by their names as given: {'; '.join(map(data, lost))}" if lost else None
            )

        values = write_values(candidate, statements)
        reply = await Session(self._model).ask(
            self._write, values, schema=_write_schema(len(statements)), check=fault, max_tokens=600
        )
        return QuestionDraft(
            None if reply["question"] is None else data(reply["question"], _QUESTION),
            tuple(statements[number - 1] for number in dict.fromkeys(reply["statements"])),
            reply["difficulty"],
            data(reply["why"], _REMARK),
        )

    async def score(
        self, kind: QuestionType, names: Sequence[str], question: str, statements: Sequence[Statement] | str
    ) -> tuple[Scores, str]:
        """The five scores of a question and a remark.

        Args:
            names: of the entities that it is about.
            statements: what the writer saw; or, as a prompt shows it, what is kept of that.

        Raises:
            ReplyError, BudgetError, ModelError: see ``Session.ask``.
        """
        values = {
            "type": kind.name.replace("-", " "),
            "about": _about(names),
            "question": data(question, _QUESTION),
            "statements": statements if isinstance(statements, str) else statement_lines(statements),
        }
        reply = await Session(self._model).ask(self._score, values, schema=_SCORE_SCHEMA, max_tokens=300)
        return {axis: reply[axis] for axis in AXES}, data(reply["remark"], _REMARK)


def write_values(candidate: QuestionCandidate, statements: Sequence[Statement]) -> dict[str, str]:
    """The values of the prompt for a candidate."""
    kind = candidate.type
    return {
        "type": f"{kind.name.replace('-', ' ')}. {kind.template}",
        "asks": kind.asks,
        "about": _about([node_words(entity) for entity in candidate.entities]),
        "statements": statement_lines(statements),
    }


def _about(names: Sequence[str]) -> str:
    return "; ".join(data(name, _NAME) for name in names)


def _write_schema(count: int) -> dict[str, Any]:
    return object_schema(
        question={"type": ["string", "null"]},
        statements={"type": "array", "items": {"type": "integer", "enum": list(range(1, count + 1))}},
        difficulty={"type": "string", "enum": _DIFFICULTIES},
        why={"type": "string"},
    )


_SCORE_SCHEMA = object_schema(
    **{axis: {"type": "integer", "enum": list(range(_LEAST, _MOST + 1))} for axis in AXES}, remark={"type": "string"}
)
