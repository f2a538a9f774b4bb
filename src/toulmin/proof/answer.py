"""The answer to a question, with its proof; what is stored, sent and checked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self, get_args
from typing import Literal as Choice

from pydantic import Field, StrictBool, StrictFloat, StrictInt, ValidationError, model_validator

from toulmin.errors import InputError, SourceError
from toulmin.graph.types import Literal, Node
from toulmin.proof.model import AnswerKind, Frozen, Proof, Verdict, one_line
from toulmin.proof.names import OneLine

__all__ = ["Answer", "Sentence", "Usage", "answer_text", "node_text", "shown", "unique_fields"]

_VALUES = 10  # values, and sentences, that ``print`` shows
_LONGEST = 300  # characters of a text there
_JOINERS = "\u200c\u200d"  # invisible, and part of words in several scripts

_SCHEMA: Choice[1] = 1


class Usage(Frozen):
    """What an answer cost: model calls, tokens, wall-clock seconds, and money where a price is known.

    Args:
        failures: how often each step got no usable reply from the model, even after a repair.
    """

    model_calls: StrictInt = Field(default=0, ge=0)
    prompt_tokens: StrictInt = Field(default=0, ge=0)
    completion_tokens: StrictInt = Field(default=0, ge=0)
    seconds: StrictFloat = Field(default=0.0, ge=0)
    cost: StrictFloat | None = Field(default=None, ge=0)
    failures: dict[str, StrictInt] = Field(default_factory=dict)


class Sentence(Frozen):
    """A sentence of an open-ended answer, or of a text that was checked; all of it follows from its claims.

    Args:
        citations: the ids of its claims, steps of the proof.
        start, end: the sentence is ``question[start:end]``; offsets in characters (code points).
        verdict: contradicted where a claim is; else not in the graph where one is, or where a number of the sentence is
            in no claim; else supported where one is.
        score: the lowest of its claims where it is supported, else the highest of those that decide.
        reason: of the claims that decide, in words.
        statements: the ids of the statements that decide.
    """

    text: str
    citations: tuple[str, ...] = ()
    start: StrictInt | None = None
    end: StrictInt | None = None
    verdict: Verdict | None = None
    score: StrictFloat | None = None
    reason: str | None = None
    statements: tuple[str, ...] = ()


class Answer(Frozen):
    """An answer, or an abstention, and the proof of it.

    Args:
        schema_version: of this format.
        version: of the Toulmin that made it.
        kind: "values" (an answer set), "verdict" (yes or no) or "text" (open-ended: ``sentences``).
        question: of the kind "text" the text whose sentences were checked.
        values: the whole answer set, in the order that the concluding step states.
        text: the answer as a person reads it; a function of the other fields (``answer_text``).
        reason: of an abstention: what is missing. None otherwise.
        confidence: the method's calibrated probability of being right; None where it has none.
        model, prompts_hash: the language model and the digest of its prompts, where one was used.
        graph_fingerprint: of the graph it was made on.
    """

    schema_version: Choice[1] = _SCHEMA
    version: str
    question: str
    kind: AnswerKind
    values: tuple[Node, ...] = ()
    text: str
    sentences: tuple[Sentence, ...] = ()
    verdict: StrictBool | None = None
    abstained: StrictBool = False
    reason: str | None = None
    confidence: StrictFloat | None = Field(default=None, ge=0, le=1)
    proof: Proof
    usage: Usage = Usage()
    method: OneLine
    model: OneLine | None = None
    prompts_hash: str | None = None
    graph_fingerprint: str

    @model_validator(mode="before")
    @classmethod
    def _of_this_format(cls, value: Any) -> Any:
        """Another format is told as such, not by the first of its fields that is not ours."""
        found = value.get("schema_version", _SCHEMA) if isinstance(value, dict) else _SCHEMA
        if type(found) is int and found != _SCHEMA:
            maker = value.get("version")
            by = f" (made by Toulmin {maker})" if isinstance(maker, str) else ""
            raise InputError(
                f"it is in format {found} of stored answers{by}, and Toulmin {version('toulmin')} reads format "
                f"{_SCHEMA}: use a Toulmin that reads format {found}"
            )
        return value

    @model_validator(mode="after")
    def _of_its_proof(self) -> Self:
        return self._with_its_proof()

    def _with_its_proof(self) -> Self:
        """This answer, whose proof knows that it is the proof of it."""
        self.__dict__["proof"] = self.proof.of(self)
        return self

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy, with some fields replaced; its proof is of the copy."""
        return super().model_copy(update=update, deep=deep)._with_its_proof()

    def __copy__(self) -> Self:
        return super().__copy__()._with_its_proof()

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        return super().__deepcopy__(memo)._with_its_proof()

    def __str__(self) -> str:
        """What ``print`` shows: the question, the answer, how sure it is, and how the proof is checked."""
        text = self.text
        if len(self.values) > _VALUES:
            text = f"{', '.join(map(node_text, self.values[:_VALUES]))} … ({len(self.values):,} values)"
        lines = [shown(self.question), shown(text)]
        lines += [f"  {one.verdict}: {shown(one.text)}" for one in self.sentences[:_VALUES]]
        if len(self.sentences) > _VALUES:
            lines.append(f"  … and {len(self.sentences) - _VALUES:,} more sentences")
        about = [f"confidence {self.confidence:.2f}"] if self.confidence is not None else []
        about += [f"method {shown(self.method)}", *([f"model {shown(self.model)}"] if self.model else [])]
        steps = f"{len(self.proof.steps):,} step{'' if len(self.proof.steps) == 1 else 's'}"
        return "\n".join([*lines, f"{', '.join(about)}; proof of {steps}, not checked here: answer.proof.check(graph)"])

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        sure = [("confidence", self.confidence)] if self.confidence is not None else []
        return [("question", shown(self.question)), ("text", shown(self.text)), *sure, ("proof", self.proof)]

    def _repr_html_(self) -> str:
        """How a notebook shows it: the answer with its proof drawn."""
        from toulmin.proof.html import answer_html

        return answer_html(self)

    def to_json(self, *, indent: int | None = 2) -> str:
        """The answer as JSON; keys stand in the order of the fields."""
        return self.model_dump_json(indent=indent)

    @classmethod
    def from_json(cls, text: str | bytes) -> Answer:
        """Read what ``to_json`` wrote.

        Raises:
            InputError: not JSON, another format, a missing, unknown or ill-typed field, a field that is given twice, or
                a proof that is no acyclic graph of steps.
        """
        with suppress(ValueError, RecursionError):  # told below, with the place
            json.loads(text, object_pairs_hook=unique_fields)
        try:
            return cls.model_validate_json(text)
        except ValidationError as error:
            raise InputError(f"not a stored answer: {one_line(error)}") from None

    @classmethod
    def read(cls, path: Path | str) -> Answer:
        """Read a stored answer from a file.

        Raises:
            SourceError: the file cannot be read, or does not hold an answer.
        """
        try:
            return cls.from_json(Path(path).read_bytes())
        except OSError as error:
            raise SourceError(f"cannot be read: {error.strerror or error}", path) from None
        except InputError as error:
            raise SourceError(str(error), path) from None


def unique_fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, as ``object_pairs_hook``: what says two things under one name says neither.

    Raises:
        InputError: a field is given twice.
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in found if names.count(name) > 1)
        raise InputError(f"the field {shown(twice)!r} is given twice in one object: leave one of the two out")
    return found


def shown(text: str) -> str:
    """A text as ``print`` shows it: one line that nothing in it can break or hide, cut off where it is very long."""
    line = " ".join("".join(one for one in text if one.isprintable() or one.isspace() or one in _JOINERS).split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def node_text(node: Node) -> str:
    """What a person reads for a node: an entity's label (its id where it has none), a literal's value with its unit."""
    if not isinstance(node, Literal):
        return node.label or node.id
    if node.kind in ("unknown_value", "no_value"):
        return node.kind.replace("_", " ")
    return f"{node.value} {node.unit}" if node.unit else node.value


def _counted(sentences: tuple[Sentence, ...]) -> str:
    """How many sentences have each verdict: ``2 sentences supported, 1 contradicted``."""
    counts = [(verdict, sum(one.verdict == verdict for one in sentences)) for verdict in get_args(Verdict)]
    (verdict, first), *others = [(verdict, count) for verdict, count in counts if count] or [
        ("unknown", len(sentences))
    ]
    return ", ".join(
        [f"{first} sentence{'s' if first > 1 else ''} {verdict}", *(f"{count} {verdict}" for verdict, count in others)]
    )


def answer_text(
    *,
    values: tuple[Node, ...] = (),
    verdict: bool | None = None,
    at_least: bool = False,
    abstained: bool = False,
    reason: str | None = None,
    sentences: tuple[Sentence, ...] = (),
) -> str:
    """The text of an answer: a function of what it says, so that it cannot say anything else."""
    if abstained:
        return f"Not answerable from this graph: {reason}"
    if sentences:
        return _counted(sentences)
    if verdict is not None:
        return "yes" if verdict else "no"
    text = ", ".join(node_text(value) for value in values)
    return f"at least {text}" if at_least else text
