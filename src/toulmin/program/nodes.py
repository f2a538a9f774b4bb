"""The nodes of a program, models of docs/certificate.md's, with exactly their fields.

Nodes name others by their place in the program. Everything is frozen; ``as_json`` and ``read_node`` are inverse to each
other. What a node may name, and what it yields, the kernel says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar
from typing import Literal as Choice

from pydantic import Field, StrictBool, StrictInt, StrictStr, TypeAdapter, ValidationError

from toulmin.errors import InputError
from toulmin.graph.types import Direction
from toulmin.program.json_forms import (
    CertificateModel,
    Constant,
    Ids,
    Op,
    Parts,
    Place,
    Several,
    Share,
    SomeIds,
    Span,
    Value,
    one_line,
    value_json,
)
from toulmin.program.said import (
    Chain,
    Choice_,
    Decision,
    Judged,
    Option,
    Passage,
    Query,
    Rule,
    ScoredSentence,
    StatementNode,
    Vote,
)

__all__ = [
    "Aggregate", "Among", "Arithmetic", "Calculation", "Chain", "Choice_", "Compare", "Comparison", "Decision",
    "EntityNode", "Follow", "Group", "Instances", "IsA", "It", "Joined", "Judged", "LiteralNode", "OfOne", "OfSets",
    "Option", "Ordered", "Passage", "Period", "ProgramNode", "Qualified", "QualifierNode", "Query", "Rule",
    "ScoredSentence", "StatementNode", "Table", "Tested", "Vote", "Window", "as_json", "parts", "read_node",
]  # fmt: skip

Comparison = Choice["=", "≠", "<", "≤", ">", "≥", "overlaps", "within", "contains", "starts"]
Calculation = Choice[
    "add", "subtract", "multiply", "divide", "round", "duration", "distance", "convert",
    "year", "month", "day", "century", "decade_of_century",
]  # fmt: skip


class EntityNode(Op):
    """What the question names; ``name`` is one of its names, ``words`` where the question has it."""

    names: ClassVar = ()
    op: Choice["entity"] = "entity"
    id: StrictStr
    words: Span | None = None
    name: StrictStr | None = None


class LiteralNode(Op):
    """A value that the question names."""

    names: ClassVar = ()
    op: Choice["literal"] = "literal"
    value: Constant
    words: Span | None = None


class It(Op):
    """A variable: it stands for each node of ``of`` under the one binder whose ``it`` (or ``members``) it is."""

    op: Choice["it"] = "it"
    of: Place


class Qualified(CertificateModel):
    """Only statements with such a qualifier of this value."""

    relations: SomeIds
    is_: Value = Field(validation_alias="is", serialization_alias="is")


class Window(CertificateModel):
    """Only statements that hold at some time from ``from`` to ``to``, by these qualifiers."""

    from_: Constant | None = Field(default=None, validation_alias="from", serialization_alias="from")
    to: Constant | None = None
    start: Ids = ()
    end: Ids = ()
    point: Ids = ()
    unknown: Choice["keep", "drop"] = "drop"


class Follow(Op):
    """The other ends of statements."""

    op: Choice["follow"] = "follow"
    of: Place
    relations: SomeIds
    direction: Direction = "forward"
    graph: Place | None = None
    qualified: tuple[Qualified, ...] | None = None
    window: Window | None = None
    not_back: StrictBool | None = None


class Instances(Op):
    """All whose class is a node of ``of``, or a subclass of it."""

    op: Choice["instances"] = "instances"
    of: Place
    relations: SomeIds
    sub: Ids | None = None


class OfOne(Op):
    """Of a set the nodes that have a label, or the same as all there are, or how many; whether there is one. Not."""

    op: Choice["named", "complete", "count", "exists", "not"]
    of: Place


class OfSets(Op):
    """What several sets have together, or all have, or the first alone."""

    op: Choice["union", "intersection", "difference"]
    of: Several


class Joined(Op):
    """Kleene's and, or."""

    op: Choice["and", "or"]
    of: Parts


class Tested(Op):
    """The nodes for which a test is yes; whether it is for some, for every, or for the one (or all alike)."""

    names: ClassVar = ("of", "it", "test")
    op: Choice["where", "some", "every", "one"]
    of: Place
    it: Place
    test: Place


class Ordered(Op):
    """The nodes at places counted from the least, or from the greatest."""

    names: ClassVar = ("of", "it", "by")
    op: Choice["first", "last"]
    of: Place
    it: Place
    by: Place | None = None
    from_: Annotated[StrictInt, Field(ge=1)] | None = Field(
        default=None, validation_alias="from", serialization_alias="from"
    )
    to: Annotated[StrictInt, Field(ge=1)] | None = None


class Aggregate(Op):
    """The sum of the one value of each node, and so on."""

    names: ClassVar = ("of", "it", "by")
    op: Choice["sum", "mean", "min", "max"]
    of: Place
    it: Place
    by: Place


class QualifierNode(Op):
    """The values of qualifiers of the statements that a ``follow`` follows."""

    op: Choice["qualifier"] = "qualifier"
    of: Place
    relations: SomeIds


class Among(Op):
    """Some of the nodes, chosen by somebody."""

    op: Choice["among"] = "among"
    of: Place
    keep: Annotated[tuple[Value, ...], Field(min_length=1)]
    by: StrictStr
    score: Share


class Arithmetic(Op):
    """A value computed from one or two."""

    names: ClassVar = ("left", "right")
    op: Choice["arithmetic"] = "arithmetic"
    do: Calculation
    left: Place
    right: Place | None = None


class Table(Op):
    """A row for each node."""

    names: ClassVar = ("of", "it", "columns")
    op: Choice["table"] = "table"
    of: Place
    it: Place
    columns: tuple[Place, ...]


class Group(Op):
    """A row for each distinct value of ``by``."""

    names: ClassVar = ("of", "it", "by", "members", "measures", "having")
    op: Choice["group"] = "group"
    of: Place
    it: Place
    by: Place
    members: Place
    measures: tuple[Place, ...]
    having: Place | None = None


class Compare(Op):
    """Whether one value stands in a relation to another."""

    names: ClassVar = ("left", "right")
    op: Choice["compare"] = "compare"
    do: Comparison
    left: Place
    right: Place


class Period(Op):
    """The time from one to another."""

    names: ClassVar = ("left", "right")
    op: Choice["period"] = "period"
    left: Place | None = None
    right: Place | None = None


class IsA(Op):
    """Whether a node is of a class, or is that class."""

    names: ClassVar = ("left", "right")
    op: Choice["is_a"] = "is_a"
    left: Place
    right: Place
    relations: SomeIds
    sub: Ids | None = None
    disjoint: Ids | None = None
    closed: StrictBool | None = None


ProgramNode = Annotated[
    EntityNode | LiteralNode | It | Follow | Instances | QualifierNode | OfOne | OfSets | Joined | Tested | Ordered
    | Aggregate | Among | Arithmetic | Table | Group | Compare | Period | IsA | StatementNode | Passage | Judged | Rule
    | Choice_ | Vote | Query,
    Field(discriminator="op"),
]  # fmt: skip
_NODE: TypeAdapter[ProgramNode] = TypeAdapter(ProgramNode)


def read_node(given: object) -> ProgramNode:
    """The node of its JSON form.

    Raises:
        InputError: an unknown ``op``, a missing, unknown or ill-typed field.
    """
    try:
        return _NODE.validate_python(given)
    except ValidationError as error:
        raise InputError(one_line(error)) from None


def as_json(node: ProgramNode) -> dict[str, Any]:
    """The JSON form of a node, without what it does not say. The ends of a window are written even where open."""
    found: dict[str, Any] = node.model_dump(mode="json", by_alias=True, exclude_none=True)
    if isinstance(node, Follow) and node.window is not None:
        found["window"] = {"from": None, "to": None} | found["window"]
    if isinstance(node, Query):  # a cell without a value is null
        found["rows"] = [[None if cell is None else value_json(cell) for cell in row] for row in node.rows]
    return found


def parts(node: ProgramNode) -> Iterator[int]:
    """The places that a node names, what it has seen among them."""
    for name in node.names:
        found = getattr(node, name)
        if isinstance(found, int):
            yield found
        elif found is not None:
            yield from found
    if isinstance(node, Choice_):
        yield from (one.if_ for one in node.options)
    if isinstance(node, Vote):
        yield from (place for chain in node.chains for sentence in chain.sentences for place in sentence.seen)
