"""The JSON forms of what a certificate holds: values, statements, ids, numbers; and the base of its models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Annotated, Any, get_args

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

from toulmin.graph.ranges import plain_node
from toulmin.graph.types import Entity, Literal, LiteralKind, Node, Qualifier, Relation, Statement

__all__ = [
    "CertificateModel",
    "Constant",
    "Ids",
    "NonEmptyIds",
    "Op",
    "Parts",
    "Place",
    "Relations",
    "Several",
    "Share",
    "Span",
    "StatementField",
    "Value",
    "ids_of",
    "one_line",
    "statement_json",
    "statement_of",
    "value_of",
]  # fmt: skip

Relations = Relation | str | Sequence[Relation | str]

_FIELDS = tuple(field.name for field in fields(Literal))
_KINDS = get_args(LiteralKind)


def value_of(value: object) -> Node:
    """The node that ``plain_node`` wrote; nodes are taken as they are.

    Raises:
        ValueError: it is none.
    """
    if isinstance(value, (Entity, Literal)):
        return value
    if isinstance(value, str):
        return Entity(value)
    if not isinstance(value, dict) or not {"value", "kind"} <= value.keys() <= set(_FIELDS):
        raise ValueError("must be the id of an entity, or a literal with value and kind")
    if value["kind"] not in _KINDS or not all(isinstance(field, str) or field is None for field in value.values()):
        raise ValueError(f"a literal is made of texts, and its kind is one of {', '.join(_KINDS)}")
    return Literal(**value)


def statement_json(statement: Statement) -> list[Any]:
    """``[subject, relation, object, qualifiers, rank]``."""
    qualifiers = [[qualifier.relation.id, plain_node(qualifier.value)] for qualifier in statement.qualifiers]
    ends = statement.subject.id, statement.relation.id, plain_node(statement.object)
    return [*ends, qualifiers, statement.rank]


def statement_of(record: object) -> Statement:
    """The statement that ``statement_json`` wrote, without labels.

    Raises:
        ValueError: it is none.
    """
    if isinstance(record, Statement):
        return record
    if not isinstance(record, (list, tuple)) or len(record) != 5:
        raise ValueError("must be [subject, relation, object, qualifiers, rank]")
    subject, relation, end, pairs, rank = record
    if not isinstance(subject, str) or not isinstance(relation, str) or rank not in ("normal", "preferred"):
        raise ValueError("subject and relation of a statement are ids, its rank is normal or preferred")
    if not isinstance(pairs, (list, tuple)) or any(
        not isinstance(pair, (list, tuple)) or len(pair) != 2 or not isinstance(pair[0], str) for pair in pairs
    ):
        raise ValueError("the qualifiers of a statement are pairs of a relation and a value")
    qualifiers = tuple(Qualifier(Relation(relation_), value_of(value)) for relation_, value in pairs)
    return Statement(Entity(subject), Relation(relation), value_of(end), qualifiers, rank)


def _literal_of(value: object) -> Literal:
    node = value_of(value)
    if isinstance(node, Entity):
        raise ValueError("must be a literal")  # noqa: TRY004  (pydantic tells ValueErrors)
    return node


def ids_of(relations: Relations) -> tuple[str, ...]:
    """The ids of one relation, or of several."""
    several = [relations] if isinstance(relations, (Relation, str)) else relations
    return tuple(relation.id if isinstance(relation, Relation) else relation for relation in several)


Place = Annotated[StrictInt, Field(ge=0)]
Value = Annotated[Entity | Literal, BeforeValidator(value_of), PlainSerializer(plain_node)]
Constant = Annotated[Literal, BeforeValidator(_literal_of), PlainSerializer(plain_node)]
StatementField = Annotated[Statement, BeforeValidator(statement_of), PlainSerializer(statement_json)]
Ids = Annotated[
    tuple[StrictStr, ...],
    BeforeValidator(lambda given: ids_of(given) if isinstance(given, (Relation, Sequence)) else given),
]
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

    op: str


def one_line(error: ValidationError) -> str:
    """The first problem of a validation error as one line: field and what is wrong."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    message = first["msg"].removeprefix("Value error, ")
    return f"field {where!r}: {message}" if where else message
