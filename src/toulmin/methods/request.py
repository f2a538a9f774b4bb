"""What is asked: one value that is made and checked once, and goes through all rooms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args
from typing import Literal as Choice

from toulmin.errors import InputError

if TYPE_CHECKING:
    from toulmin.retrieval.knowledge import Knowledge

__all__ = ["Beside", "Request", "Task"]

Task = Choice["question", "claim"]
#: What a request may hold beside a question; a method says which of it it takes.
Beside = Choice["claim", "options", "chains", "knowledge"]

_LONGEST_QUESTION = 1_000  # characters: what is longer is a text, and reading it takes too long
_LONGEST_CHAIN = 20_000  # characters


@dataclass(frozen=True, slots=True)
class Request:
    """A question, a claim or a multiple choice.

    Args:
        question: its text, or that of the claim.
        task: "claim": the text is a claim to be decided, not a question.
        options: of a multiple choice: texts, one of which is the answer.
        chains: recorded chains of thought, in place of those that a model would sample.
        knowledge: beside the graph: passages, tables … that sentences are looked up in.

    Raises:
        InputError: a question, option or chain that is empty, too long or no Unicode text; a single option; a claim
            with options; no such task.
    """

    question: str
    task: Task = "question"
    options: Sequence[str] = ()
    chains: Sequence[str] = ()
    knowledge: Knowledge | None = None

    def __post_init__(self) -> None:
        if self.task not in get_args(Task):
            raise InputError(f"no task is called {self.task!r} (known: {', '.join(get_args(Task))})")
        _check_text(self.question, "question")
        object.__setattr__(self, "options", _options(self.options, self.question))
        object.__setattr__(self, "chains", _chains(self.chains))
        if self.task == "claim" and self.options:
            raise InputError("a claim has no options: leave them out, or ask a question")

    @classmethod
    def of(cls, asked: str | Request) -> Request:
        """A request as it is; a text as a question."""
        return asked if isinstance(asked, cls) else cls(asked)  # type: ignore[arg-type]  # what else it is, it says

    @property
    def beside(self) -> tuple[Beside, ...]:
        """What it holds beside a question."""
        parts: dict[Beside, object] = {
            "claim": self.task == "claim",
            "options": self.options,
            "chains": self.chains,
            "knowledge": self.knowledge is not None,
        }
        return tuple(name for name, value in parts.items() if value)


def _options(options: Sequence[str], question: str) -> tuple[str, ...]:
    _check_list(options, "options")
    if len(options) == 1:
        raise InputError(f"a multiple choice needs two options or more, {question!r} has one")
    seen: set[str] = set()
    for option in options:
        _check_text(option, "option")
        folded = " ".join(option.split()).casefold()
        if folded in seen:
            raise InputError(f"{option!r} is an option twice")
        seen.add(folded)
    return tuple(options)


def _chains(chains: Sequence[str]) -> tuple[str, ...]:
    _check_list(chains, "chains")
    for chain in chains:
        if chain != "":  # a model may have completed nothing: that is no fault of the record
            _check_text(chain, "chain", _LONGEST_CHAIN)
    return tuple(chains)


def _check_list(texts: object, name: str) -> None:
    if isinstance(texts, str):
        raise InputError(f"the {name} are one text, {texts[:80]!r}: give a list of texts")
    if not isinstance(texts, Sequence):
        raise InputError(f"the {name} are of type {type(texts).__name__}: give a list of texts")


def _check_text(text: object, name: str, longest: int = _LONGEST_QUESTION) -> None:
    if not isinstance(text, str):
        raise InputError(f"the {name} is of type {type(text).__name__}: give a text")
    if not text.strip():
        example = ': ask something, for example "who directed Metropolis?"' if name == "question" else ""
        raise InputError(f"the {name} is empty{example}")
    if len(text) > longest:
        raise InputError(f"the {name} has {len(text):,} characters: give at most {longest:,}")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"the {name} is no Unicode text at character {error.start + 1}: give it in UTF-8") from None
