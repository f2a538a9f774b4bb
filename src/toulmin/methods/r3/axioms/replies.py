"""What a model replies when it grounds an axiom: for each term numbers from a list of statements, and nothing else.

A citation outside the list is impossible by construction: the schema has the numbers, and ``read`` checks them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar
from typing import Literal as Choice

from pydantic import Field, StrictBool, StrictInt, ValidationError

from toulmin.errors import InputError
from toulmin.methods.prompting import number_schema
from toulmin.methods.r3.axioms.language import AxiomClause, Program, Term, schema_of
from toulmin.program.json_forms import CertificateModel, one_line
from toulmin.program.nodes import Decision

__all__ = ["ClauseJudgement", "Grounding", "GroundingReply", "JudgedOption", "Look", "OptionsReply"]


class Grounding(CertificateModel):
    """Which statements say what a term asks for.

    Args:
        term: a property, a qualifier, or an entity or option whose words are no name in the graph.
        statements: numbers from the list, the first is 1. Those of a property show which relation is meant, and code
            then takes all statements over it; of a qualifier, the statements whose qualifier is meant.
        only: exactly these statements are meant, not all over this relation: the council seats, not every position.
        qualifier: of a qualifier, its name where it is not the words of the term; of an entity, the end of the
            statement that it is: "subject" or "object".
    """

    term: str
    statements: tuple[StrictInt, ...] = Field(default=(), max_length=40)
    only: StrictBool = False
    qualifier: str | None = Field(default=None, max_length=100)


class ClauseJudgement(CertificateModel):
    """What the statements say of a clause that cannot be computed; at least one statement must be cited."""

    clause: str
    decision: Decision
    statements: tuple[StrictInt, ...] = Field(default=(), max_length=40)
    score: float = Field(default=1.0, ge=0, le=1)


class Look(CertificateModel):
    """What is missing, and the entity whose statements would say it (papers/r3, section 3.2.5).

    Args:
        statement, end: the entity is this end of the statement of this number.
    """

    need: str = Field(max_length=300)
    statement: StrictInt
    end: Choice["subject", "object"] = "object"


class GroundingReply(CertificateModel):
    """A whole reply; what it leaves out stays unknown."""

    groundings: tuple[Grounding, ...] = Field(default=(), max_length=40)
    judgements: tuple[ClauseJudgement, ...] = Field(default=(), max_length=20)
    look: tuple[Look, ...] = Field(default=(), max_length=3)

    @classmethod
    def read(cls, value: Any, program: Program, count: int) -> GroundingReply:
        """A reply about a program, whose statements are numbered 1 to ``count``.

        Raises:
            InputError: it is none, or names a term, a clause or a number that does not exist; in one line.
        """
        reply = _validated(cls, value)
        _check(program, count, reply.groundings, reply.judgements)
        _check_numbers([look.statement for look in reply.look], count)
        return reply

    @classmethod
    def schema_for(cls, program: Program, count: int, *, look: bool = True) -> dict[str, Any]:
        """The JSON schema of replies about a program: its names and the numbers of the list are enumerated.

        Args:
            look: whether it may say what is missing.
        """
        made = schema_of(cls)
        properties = made["properties"]
        _enumerate(properties["groundings"]["items"]["properties"], "term", program.terms, count)
        _enumerate(properties["judgements"]["items"]["properties"], "clause", program.clauses, count)
        if look:
            properties["look"]["items"]["properties"]["statement"] = number_schema(count)
        else:
            del properties["look"]
        return made


class JudgedOption(CertificateModel):
    """What the statements say of the clauses for one option, which goes by its letter."""

    option: str
    judgements: tuple[ClauseJudgement, ...] = Field(default=(), max_length=20)


class OptionsReply(CertificateModel):
    """A reply about several options at once.

    Args:
        groundings: of terms, for every option alike: what a relation means for one it means for the others.
    """

    groundings: tuple[Grounding, ...] = Field(default=(), max_length=40)
    options: tuple[JudgedOption, ...] = Field(default=(), max_length=40)

    @classmethod
    def read(cls, value: Any, program: Program, count: int, letters: Sequence[str]) -> OptionsReply:
        """A reply about a program and options that go by these letters, each at most once.

        Raises:
            InputError: as ``GroundingReply.read``, or no such option.
        """
        reply = _validated(cls, value)
        _check(
            program, count, reply.groundings, [judgement for judged in reply.options for judgement in judged.judgements]
        )
        letters_judged = [judged.option for judged in reply.options]
        if strange := [letter for letter in letters_judged if letter not in letters]:
            raise InputError(f"{strange[0]!r} is no option; they are {', '.join(letters)}")
        if len(set(letters_judged)) < len(letters_judged):
            raise InputError("an option is judged twice")
        return reply

    @classmethod
    def schema_for(cls, program: Program, count: int, letters: Sequence[str]) -> dict[str, Any]:
        """The JSON schema of replies: letters, names and numbers are enumerated."""
        reply_schema = schema_of(cls)
        properties = reply_schema["properties"]
        _enumerate(properties["groundings"]["items"]["properties"], "term", program.terms, count)
        option = properties["options"]["items"]["properties"]
        option["option"] = {"type": "string", "enum": list(letters)}
        _enumerate(option["judgements"]["items"]["properties"], "clause", program.clauses, count)
        return reply_schema

    def of(self, letter: str) -> GroundingReply:
        """What it says of one option."""
        judgements = next((judged.judgements for judged in self.options if judged.option == letter), ())
        return GroundingReply(groundings=self.groundings, judgements=judgements)


M = TypeVar("M", bound=CertificateModel)


def _validated(model: type[M], value: Any) -> M:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise InputError(f"not a grounding: {one_line(error)}") from None


def _check(
    program: Program, count: int, groundings: Sequence[Grounding], judgements: Sequence[ClauseJudgement]
) -> None:
    for used, parts, part_kind in (
        ([grounding.term for grounding in groundings], program.terms, "term"),
        ([judgement.clause for judgement in judgements], program.clauses, "clause"),
    ):
        defined = [part.name for part in parts]
        if strange := [name for name in used if name not in defined]:
            raise InputError(f"{strange[0]!r} is no {part_kind} of the axiom; it has {', '.join(sorted(defined))}")
    _check_numbers([number for grounding in groundings for number in grounding.statements], count)
    _check_numbers([number for judgement in judgements for number in judgement.statements], count)
    if uncited := [
        judgement.clause for judgement in judgements if judgement.decision != "unknown" and not judgement.statements
    ]:
        raise InputError(f"the judgement of {uncited[0]!r} cites no statement")


def _check_numbers(numbers: Iterable[int], count: int) -> None:
    if outside := [number for number in numbers if not 1 <= number <= count]:
        raise InputError(f"statement {outside[0]} is not in the list, which is numbered 1 to {count}")


def _enumerate(items: dict[str, Any], field: str, parts: Sequence[Term | AxiomClause], count: int) -> None:
    """Allow a field these names alone (any text where there is none), and statements their numbers."""
    if parts:
        items[field] = {"type": "string", "enum": [part.name for part in parts]}
    items["statements"]["items"] = number_schema(count)
