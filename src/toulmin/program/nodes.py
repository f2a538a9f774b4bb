"""The nodes of a program, models of docs/certificate.md's, with exactly their fields.

Nodes name others by their place in the program. Everything is frozen; ``as_json`` and ``read_node`` are inverse to each
other. What a node may name, and what it yields, the kernel says.
"""

from __future__ import annotations

from typing import Annotated, Any
from typing import Literal as Choice

from pydantic import (
    AfterValidator,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    TypeAdapter,
    ValidationError,
)

from toulmin.errors import InputError
from toulmin.graph.ranges import plain_node
from toulmin.graph.types import Direction
from toulmin.program.json_forms import (
    CertificateModel,
    Constant,
    Ids,
    NonEmptyIds,
    Op,
    Parts,
    Place,
    Several,
    Share,
    Span,
    StatementField,
    Value,
    one_line,
)
from toulmin.program.periods import comparisons

__all__ = [
    "Aggregate", "Among", "Arithmetic", "Calculation", "Chain", "Choice_", "Compare", "Comparison", "Decision",
    "EntityNode", "Follow", "Group", "Instances", "IsA", "It", "Joined", "Judged", "LiteralNode", "OfOne", "OfSets",
    "Option", "Ordered", "Passage", "PeriodNode", "ProgramNode", "Qualified", "QualifierNode", "Query", "Rule",
    "ScoredSentence", "StatementNode", "Table", "Tested", "Vote", "Window", "as_json", "read_node",
]  # fmt: skip


Decision = Choice["yes", "no", "unknown"]


class StatementNode(Op):
    """That a graph has a statement."""

    op: Choice["statement"] = "statement"
    graph: Place
    statement: StatementField


class Passage(Op):
    """That a document has a text at a place."""

    op: Choice["passage"] = "passage"
    source: StrictStr
    sha256: StrictStr
    start: Place
    end: Place
    text: StrictStr


class Judged(Op):
    """What somebody decided, having seen some nodes."""

    op: Choice["judged"] = "judged"
    says: StrictStr
    by: StrictStr
    score: StrictFloat
    decision: Decision
    seen: tuple[Place, ...] = ()


class Rule(Op):
    """An axiom: what follows from a condition."""

    op: Choice["rule"] = "rule"
    says: StrictStr
    by: StrictStr
    of: Place
    direction: Choice["sufficient", "necessary", "both"]
    if_true: Choice["yes", "no"] | None = None
    if_false: Choice["yes", "no"] | None = None


class Option(CertificateModel):
    """An option, and whether it is one that is chosen."""

    option: Constant
    if_: Place = Field(validation_alias="if", serialization_alias="if")


class Choice_(Op):  # noqa: N801  (``Choice`` is typing's)
    """The options whose truth is yes."""

    op: Choice["choice"] = "choice"
    options: Annotated[tuple[Option, ...], Field(min_length=1)]


class ScoredSentence(CertificateModel):
    """A sentence of a chain of thought, with its scores against what was seen."""

    text: StrictStr
    by: StrictStr
    entailment: Share
    unknown: Share
    contradiction: Share
    similarity: StrictFloat | None = None
    seen: tuple[Place, ...] = ()


class Chain(CertificateModel):
    """A chain of thought: its text, what it predicts, and its sentences in their order."""

    text: StrictStr
    sample: Place
    prediction: StrictStr | None = None
    base: StrictFloat | None = None
    grounded: StrictFloat | None = None
    disputed: StrictFloat | None = None
    sentences: tuple[ScoredSentence, ...] = ()


class Vote(Op):
    """The prediction with most weight behind it (papers/rr, eq. 1 and A.2)."""

    op: Choice["vote"] = "vote"
    function: Choice["equal", "f1", "f2", "f3", "mean-entailment", "calibrated"]
    chains: Annotated[tuple[Chain, ...], Field(min_length=1)]
    voting: StrictBool | None = None
    ties: Choice["no", "first", "majority"] | None = None
    yes_or_no: StrictBool | None = None
    T_m: StrictFloat | None = None
    T_e: StrictFloat | None = None
    T_c: StrictFloat | None = None
    w: tuple[StrictFloat, StrictFloat, StrictFloat] | None = None
    words: tuple[StrictFloat, StrictFloat] | None = None


class Query(Op):
    """The rows that SPARQL gave."""

    op: Choice["query"] = "query"
    graph: Place
    text: StrictStr
    columns: tuple[StrictStr, ...]
    rows: tuple[tuple[Value | None, ...], ...]


def _comparison(do: str) -> str:
    if do not in comparisons():
        raise ValueError(f"must be one of {' '.join(comparisons())}")
    return do


#: What the kernel's format has (``periods.comparisons``).
Comparison = Annotated[StrictStr, AfterValidator(_comparison)]
Calculation = Choice[
    "add", "subtract", "multiply", "divide", "round", "floor", "duration", "days", "distance", "convert",
    "year", "month", "day", "century", "decade_of_century",
]  # fmt: skip


class EntityNode(Op):
    """What the question names; ``name`` is one of its names, ``words`` where the question has it."""

    op: Choice["entity"] = "entity"
    id: StrictStr
    words: Span | None = None
    name: StrictStr | None = None


class LiteralNode(Op):
    """A value that the question names."""

    op: Choice["literal"] = "literal"
    value: Constant
    words: Span | None = None


class It(Op):
    """A variable: it stands for each node of ``of`` under the one binder whose ``it`` (or ``members``) it is."""

    op: Choice["it"] = "it"
    of: Place


class Qualified(CertificateModel):
    """Only statements with such a qualifier of this value."""

    relations: NonEmptyIds
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
    relations: NonEmptyIds
    direction: Direction = "forward"
    graph: Place | None = None
    qualified: tuple[Qualified, ...] | None = None
    window: Window | None = None
    not_back: StrictBool | None = None


class Instances(Op):
    """All whose class is a node of ``of``, or a subclass of it."""

    op: Choice["instances"] = "instances"
    of: Place
    relations: NonEmptyIds
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

    op: Choice["where", "some", "every", "one"]
    of: Place
    it: Place
    test: Place


class Ordered(Op):
    """The nodes at places counted from the least, or from the greatest."""

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

    op: Choice["sum", "mean", "min", "max"]
    of: Place
    it: Place
    by: Place


class QualifierNode(Op):
    """The values of qualifiers of the statements that a ``follow`` follows."""

    op: Choice["qualifier"] = "qualifier"
    of: Place
    relations: NonEmptyIds


class Among(Op):
    """Some of the nodes, chosen by somebody."""

    op: Choice["among"] = "among"
    of: Place
    keep: Annotated[tuple[Value, ...], Field(min_length=1)]
    by: StrictStr
    score: Share


class Arithmetic(Op):
    """A value computed from one or two."""

    op: Choice["arithmetic"] = "arithmetic"
    do: Calculation
    left: Place
    right: Place | None = None


class Table(Op):
    """A row for each node."""

    op: Choice["table"] = "table"
    of: Place
    it: Place
    columns: tuple[Place, ...]


class Group(Op):
    """A row for each distinct value of ``by``."""

    op: Choice["group"] = "group"
    of: Place
    it: Place
    by: Place
    members: Place
    measures: tuple[Place, ...]
    having: Place | None = None


class Compare(Op):
    """Whether one value stands in a relation to another."""

    op: Choice["compare"] = "compare"
    do: Comparison
    left: Place
    right: Place


class PeriodNode(Op):
    """The time from one to another."""

    op: Choice["period"] = "period"
    left: Place | None = None
    right: Place | None = None


class IsA(Op):
    """Whether a node is of a class, or is that class."""

    op: Choice["is_a"] = "is_a"
    left: Place
    right: Place
    relations: NonEmptyIds
    sub: Ids | None = None
    disjoint: Ids | None = None
    closed: StrictBool | None = None


ProgramNode = Annotated[
    EntityNode | LiteralNode | It | Follow | Instances | QualifierNode | OfOne | OfSets | Joined | Tested | Ordered
    | Aggregate | Among | Arithmetic | Table | Group | Compare | PeriodNode | IsA | StatementNode | Passage | Judged
    | Rule | Choice_ | Vote | Query,
    Field(discriminator="op"),
]  # fmt: skip
_NODE: TypeAdapter[ProgramNode] = TypeAdapter(ProgramNode)


def read_node(record: object) -> ProgramNode:
    """The node of its JSON form.

    Raises:
        InputError: an unknown ``op``, a missing, unknown or ill-typed field.
    """
    try:
        return _NODE.validate_python(record)
    except ValidationError as error:
        raise InputError(one_line(error)) from None


def as_json(node: ProgramNode) -> dict[str, Any]:
    """The JSON form of a node, without what it does not say. The ends of a window are written even where open."""
    record: dict[str, Any] = node.model_dump(mode="json", by_alias=True, exclude_none=True)
    if isinstance(node, Follow) and node.window is not None:
        record["window"] = {"from": None, "to": None} | record["window"]
    if isinstance(node, Query):  # a cell without a value is null
        record["rows"] = [[None if cell is None else plain_node(cell) for cell in row] for row in node.rows]
    return record
