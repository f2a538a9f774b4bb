"""Nodes of what is said: by statements, documents, judges, axioms, chains of thought, SPARQL."""

from __future__ import annotations

from typing import Annotated, ClassVar
from typing import Literal as Choice

from pydantic import Field, StrictBool, StrictFloat, StrictStr

from toulmin.program.json_forms import CertificateModel, Constant, Op, Place, Said, Share, Value

__all__ = [
    "Chain", "Choice_", "Decision", "Judged", "Option", "Passage", "Query", "Rule", "ScoredSentence", "StatementNode",
    "Vote",
]  # fmt: skip

Decision = Choice["yes", "no", "unknown"]


class StatementNode(Op):
    """That a graph has a statement."""

    names: ClassVar = ()
    op: Choice["statement"] = "statement"
    graph: Place
    statement: Said


class Passage(Op):
    """That a document has a text at a place."""

    names: ClassVar = ()
    op: Choice["passage"] = "passage"
    source: StrictStr
    sha256: StrictStr
    start: Place
    end: Place
    text: StrictStr


class Judged(Op):
    """What somebody decided, having seen some nodes."""

    names: ClassVar = ("seen",)
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

    names: ClassVar = ()
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

    names: ClassVar = ()
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

    names: ClassVar = ()
    op: Choice["query"] = "query"
    graph: Place
    text: StrictStr
    columns: tuple[StrictStr, ...]
    rows: tuple[tuple[Value | None, ...], ...]
