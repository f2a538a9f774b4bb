"""The nodes of a program, one model for each ``op`` of docs/certificate.md, with exactly its fields.

Nodes name others by their place in the program. Everything is frozen; ``as_json`` and ``read_node`` are inverse to each
other. What a node may name, and what it yields, is in ``static``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar
from typing import Literal as Choice

from pydantic import Field, StrictBool, StrictInt, StrictStr, TypeAdapter, ValidationError

from toulmin.errors import InputError
from toulmin.graph.types import Direction
from toulmin.program.forms import (
    Constant,
    Ids,
    Model,
    Op,
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
from toulmin.program.truths import (
    And,
    Compare,
    Comparison,
    Every,
    Exists,
    IsA,
    Not,
    One,
    Or,
    Period,
    Some,
)

__all__ = [
    "Among",
    "And",
    "Arithmetic",
    "Calculation",
    "Chain",
    "Choice_",
    "Compare",
    "Comparison",
    "Complete",
    "Count",
    "Decision",
    "Difference",
    "EntityNode",
    "Every",
    "Exists",
    "First",
    "Follow",
    "Group",
    "Instances",
    "Intersection",
    "IsA",
    "It",
    "Judged",
    "Last",
    "LiteralNode",
    "Max",
    "Mean",
    "Min",
    "Named",
    "Not",
    "One",
    "Option", "Or",
    "Passage",
    "Period",
    "ProgramNode",
    "Qualified",
    "QualifierNode",
    "Query",
    "Rule",
    "ScoredSentence",
    "Some",
    "StatementNode",
    "Sum",
    "Table",
    "Union",
    "Vote",
    "Where",
    "Window",
    "as_json",
    "parts",
    "read_node",
]  # fmt: skip

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


class Qualified(Model):
    """Only statements with such a qualifier of this value."""

    relations: SomeIds
    is_: Value = Field(validation_alias="is", serialization_alias="is")


class Window(Model):
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


class Named(Op):
    """The nodes that have a label; literals."""

    op: Choice["named"] = "named"
    of: Place


class QualifierNode(Op):
    """The values of qualifiers of the statements that a ``follow`` follows."""

    op: Choice["qualifier"] = "qualifier"
    of: Place
    relations: SomeIds


class Union(Op):
    """Of several sets all nodes."""

    op: Choice["union"] = "union"
    of: Several


class Intersection(Op):
    """The nodes that all sets have."""

    op: Choice["intersection"] = "intersection"
    of: Several


class Difference(Op):
    """The nodes of the first set that no other has."""

    op: Choice["difference"] = "difference"
    of: Several


class Where(Op):
    """The nodes for which a test is yes."""

    names: ClassVar = ("of", "it", "test")
    op: Choice["where"] = "where"
    of: Place
    it: Place
    test: Place


class _Ordered(Op):
    names: ClassVar = ("of", "it", "by")
    of: Place
    it: Place
    by: Place | None = None
    from_: Annotated[StrictInt, Field(ge=1)] | None = Field(
        default=None, validation_alias="from", serialization_alias="from"
    )
    to: Annotated[StrictInt, Field(ge=1)] | None = None


class First(_Ordered):
    """The nodes at places counted from the least."""

    op: Choice["first"] = "first"


class Last(_Ordered):
    """The nodes at places counted from the greatest."""

    op: Choice["last"] = "last"


class Among(Op):
    """Some of the nodes, chosen by somebody."""

    op: Choice["among"] = "among"
    of: Place
    keep: Annotated[tuple[Value, ...], Field(min_length=1)]
    by: StrictStr
    score: Share


class Complete(Op):
    """The same nodes, of which it is assumed that there are no others."""

    op: Choice["complete"] = "complete"
    of: Place


class Count(Op):
    """How many nodes."""

    op: Choice["count"] = "count"
    of: Place


class _Aggregate(Op):
    names: ClassVar = ("of", "it", "by")
    of: Place
    it: Place
    by: Place


class Sum(_Aggregate):
    """The sum of the one value of each node."""

    op: Choice["sum"] = "sum"


class Mean(_Aggregate):
    """Their mean."""

    op: Choice["mean"] = "mean"


class Min(_Aggregate):
    """The least of them."""

    op: Choice["min"] = "min"


class Max(_Aggregate):
    """The greatest of them."""

    op: Choice["max"] = "max"


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


ProgramNode = Annotated[
    EntityNode | LiteralNode | It | Follow | Instances | Named | QualifierNode | Union | Intersection | Difference
    | Where | First | Last | Among | Complete | Count | Sum | Mean | Min | Max | Arithmetic | Table | Group | Compare
    | Period | Exists | IsA | Some | Every | One | And | Or | Not | StatementNode | Passage | Judged | Rule | Choice_
    | Vote | Query,
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
