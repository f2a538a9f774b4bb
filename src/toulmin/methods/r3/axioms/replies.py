"""What a model replies when it grounds an axiom: for each term numbers from a list of statements, and nothing else.

A citation outside the list is impossible by construction: the schema has the numbers, and ``read`` checks them.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field, StrictBool, StrictInt, ValidationError

from toulmin.errors import InputError
from toulmin.methods.r3.axioms.language import Program, schema_of
from toulmin.program.forms import Model, one_line
from toulmin.program.said import Decision

__all__ = ["ClauseJudgement", "Grounding", "GroundingReply"]


class Grounding(Model):
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


class ClauseJudgement(Model):
    """What the statements say of a clause that cannot be computed; at least one statement must be cited."""

    clause: str
    decision: Decision
    statements: tuple[StrictInt, ...] = Field(default=(), max_length=40)
    score: float = Field(default=1.0, ge=0, le=1)


class GroundingReply(Model):
    """A whole reply; what it leaves out stays unknown."""

    groundings: tuple[Grounding, ...] = Field(default=(), max_length=40)
    judgements: tuple[ClauseJudgement, ...] = Field(default=(), max_length=20)

    @classmethod
    def read(cls, value: Any, program: Program, count: int) -> GroundingReply:
        """A reply about a program, whose statements are numbered 1 to ``count``.

        Raises:
            InputError: it is none, or names a term, a clause or a number that does not exist; in one line.
        """
        try:
            reply = cls.model_validate(value)
        except ValidationError as error:
            raise InputError(f"not a grounding: {one_line(error)}") from None
        terms, clauses = {term.name for term in program.terms}, {clause.name for clause in program.clauses}
        for named, known, what in (
            ([one.term for one in reply.groundings], terms, "term"),
            ([one.clause for one in reply.judgements], clauses, "clause"),
        ):
            if strange := [name for name in named if name not in known]:
                raise InputError(f"{strange[0]!r} is no {what} of the axiom; it has {', '.join(sorted(known))}")
        cited = [number for one in reply.groundings for number in one.statements]
        cited += [number for one in reply.judgements for number in one.statements]
        if outside := [number for number in cited if not 1 <= number <= count]:
            raise InputError(f"statement {outside[0]} is not in the list, which is numbered 1 to {count}")
        if uncited := [one.clause for one in reply.judgements if one.decision != "unknown" and not one.statements]:
            raise InputError(f"the judgement of {uncited[0]!r} cites no statement")
        return reply

    @classmethod
    def schema_for(cls, program: Program, count: int) -> dict[str, Any]:
        """The JSON schema of replies about a program: its names and the numbers of the list are enumerated."""
        made = schema_of(cls)
        for listed, field, names in (
            ("groundings", "term", [term.name for term in program.terms]),
            ("judgements", "clause", [clause.name for clause in program.clauses]),
        ):
            items = made["properties"][listed]["items"]["properties"]
            items[field] = {"type": "string", "enum": names} if names else items[field]
            items["statements"]["items"] = {"type": "integer", "minimum": 1, "maximum": count}
        return made
