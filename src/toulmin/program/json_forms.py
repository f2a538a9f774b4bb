"""The JSON forms of what a certificate holds: values, statements, ids, numbers; and the base of its models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    StrictFloat,
    StrictInt,
    StrictStr,
    ValidationError,
)

from toulmin.graph.types import Entity, Literal, Node, Qualifier, Relation, Statement

__all__ = [
    "CertificateModel",
    "Constant",
    "Ids",
    "NonEmptyIds",
    "Op",
    "Parts",
    "Place",
    "Several",
    "Share",
    "Span",
    "StatementField",
    "Value",
    "one_line",
    "statement_json",
    "statement_of",
    "value_json",
    "value_of",
]  # fmt: skip

_FIELDS = ("value", "kind", "unit", "precision", "lang", "calendar")
_KINDS = ("string", "quantity", "time", "coordinate", "boolean", "unknown_value", "no_value")


def value_json(node: Node) -> str | dict[str, str]:
    """An entity's id, or the fields of a literal that it has."""
    if isinstance(node, Entity):
        return node.id
    pairs = ((name, getattr(node, name)) for name in _FIELDS)
    return {name: value for name, value in pairs if value is not None}


def value_of(given: object) -> Node:
    """The node that ``value_json`` wrote; nodes are taken as they are.

    Raises:
        ValueError: it is none.
    """
    if isinstance(given, (Entity, Literal)):
        return given
    if isinstance(given, str):
        return Entity(given)
    if not isinstance(given, dict) or not {"value", "kind"} <= given.keys() <= set(_FIELDS):
        raise ValueError("must be the id of an entity, or a literal with value and kind")
    if given["kind"] not in _KINDS or not all(isinstance(one, str) or one is None for one in given.values()):
        raise ValueError(f"a literal is made of texts, and its kind is one of {', '.join(_KINDS)}")
    return Literal(**given)


def statement_json(statement: Statement) -> list[Any]:
    """``[subject, relation, object, qualifiers, rank]``."""
    qualifiers = [[one.relation.id, value_json(one.value)] for one in statement.qualifiers]
    ends = statement.subject.id, statement.relation.id, value_json(statement.object)
    return [*ends, qualifiers, statement.rank]


def statement_of(given: object) -> Statement:
    """The statement that ``statement_json`` wrote, without labels.

    Raises:
        ValueError: it is none.
    """
    if isinstance(given, Statement):
        return given
    if not isinstance(given, (list, tuple)) or len(given) != 5:
        raise ValueError("must be [subject, relation, object, qualifiers, rank]")
    subject, relation, end, pairs, rank = given
    if not isinstance(subject, str) or not isinstance(relation, str) or rank not in ("normal", "preferred"):
        raise ValueError("subject and relation of a statement are ids, its rank is normal or preferred")
    if not isinstance(pairs, (list, tuple)) or any(
        not isinstance(pair, (list, tuple)) or len(pair) != 2 or not isinstance(pair[0], str) for pair in pairs
    ):
        raise ValueError("the qualifiers of a statement are pairs of a relation and a value")
    said = tuple(Qualifier(Relation(one), value_of(value)) for one, value in pairs)
    return Statement(Entity(subject), Relation(relation), value_of(end), said, rank)


def _literal_of(given: object) -> Literal:
    found = value_of(given)
    if isinstance(found, Entity):
        raise ValueError("must be a literal")  # noqa: TRY004  (pydantic tells ValueErrors)
    return found


def _ids_of(given: object) -> object:
    if isinstance(given, (str, Relation)):
        given = [given]
    return (
        tuple(one.id if isinstance(one, Relation) else one for one in given) if isinstance(given, Sequence) else given
    )


Place = Annotated[StrictInt, Field(ge=0)]
Value = Annotated[Entity | Literal, BeforeValidator(value_of), PlainSerializer(value_json)]
Constant = Annotated[Literal, BeforeValidator(_literal_of), PlainSerializer(value_json)]
StatementField = Annotated[Statement, BeforeValidator(statement_of), PlainSerializer(statement_json)]
Ids = Annotated[tuple[StrictStr, ...], BeforeValidator(_ids_of)]
NonEmptyIds = Annotated[Ids, Field(min_length=1)]
Span = tuple[Place, Place]
Share = Annotated[StrictFloat, Field(ge=0, le=1)]
Parts = Annotated[tuple[Place, ...], Field(min_length=1)]
Several = Annotated[tuple[Place, ...], Field(min_length=2)]


class CertificateModel(BaseModel):
    """Base of what a certificate holds: immutable, no unknown fields, no NaN."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, populate_by_name=True)


class Op(CertificateModel):
    """Base of the nodes of a program."""

    #: The fields in which a node names others.
    names: ClassVar[tuple[str, ...]] = ("of",)

    op: str


def one_line(error: ValidationError) -> str:
    """The first problem of a validation error as one line: field and what is wrong."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    what = first["msg"].removeprefix("Value error, ")
    return f"field {where!r}: {what}" if where else what
