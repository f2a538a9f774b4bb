"""The proof: a directed acyclic graph of steps, each of which names the steps it rests on.

A kind of step is a model (a subclass of ``Step``) and a check, listed in ``registry.KINDS``; a computation has an
operator, listed in ``registry.OPERATORS``. Everything is frozen and serialises to JSON and back exactly.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any
from typing import Literal as Choice

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    SerializeAsAny,
    StrictBool,
    StrictFloat,
    StrictInt,
    ValidationError,
    field_validator,
)

from toulmin.errors import InputError
from toulmin.graph.types import Entity, Node, ReasoningPath, Relation, Statement
from toulmin.proof.names import OneLine, StepId
from toulmin.proof.order import beneath, check_acyclic
from toulmin.proof.proved import Proved
from toulmin.proof.reading import name
from toulmin.proof.registry import KINDS, OPERATORS

if TYPE_CHECKING:
    from toulmin.graph.protocol import Graph
    from toulmin.proof.answer import Answer
    from toulmin.proof.checker import CheckReport

__all__ = [
    "Absence",
    "AnswerKind",
    "Arguments",
    "Computation",
    "Conclusion",
    "Decision",
    "Fact",
    "Frozen",
    "Judgement",
    "Link",
    "LinkHow",
    "Output",
    "Path",
    "Policy",
    "Proof",
    "Query",
    "Step",
    "Verdict",
    "Witness",
    "one_line",
]

AnswerKind = Choice["values", "verdict", "text"]
LinkHow = Choice["exact", "near", "full text", "vector"]
Decision = Choice["yes", "no", "unknown"]
#: Of a sentence of a text, and of a claim in it; "not checked": it states nothing that could be.
Verdict = Choice["supported", "contradicted", "not in the graph", "not checked"]
Policy = Choice["open world", "closed world", "complete relation", "no value"]


class Frozen(BaseModel):
    """Base of all models here: immutable, no unknown fields, no NaN."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Output(Frozen):
    """What a step yields.

    Args:
        values: the answer set, in the order its operator states.
        verdict: of a comparison or a search for one statement: yes, no, or None for unknown.
        at_least: the value is a lower bound (a count over a graph that may be incomplete).
    """

    values: tuple[Node, ...] = ()
    verdict: StrictBool | None = None
    at_least: StrictBool = False


class Step(Frozen):
    """One step of a proof.

    Args:
        kind: which kind of step, a name in ``KINDS``.
        id: unique in its proof; letters, digits and ``_.:-``, so that it can forge no line of a report.
        rests_on: the ids of the steps that this one needs. No kind accepts a premise it does not use.
    """

    kind: str
    id: StepId
    rests_on: tuple[str, ...] = ()

    def yields(self) -> Output | None:
        """What later steps may build on; None for a step that yields no values."""
        return None

    def express(self, of: Callable[[str], str]) -> str:
        """What the step yields, in words and ids; steps with different content have different expressions.

        Args:
            of: the expression of another step, by its id.

        Raises:
            InputError: the step yields nothing that can be asked for.
        """
        raise InputError(f"step {self.id!r} ({self.kind}) yields nothing that a question could ask for")


class Link(Step):
    """The words of the question taken for an entity.

    Args:
        span: ``question[start:end]``, offsets in characters (code points).
        form: the label or alias of the entity that the span was matched with, as the graph writes it.
        score: 1.0 for "exact"; the similarity of the two forms for "near"; the linker's own for the others.
    """

    kind: Choice["link"] = "link"
    span: str
    start: StrictInt
    end: StrictInt
    entity: Entity
    form: str
    score: StrictFloat
    how: LinkHow

    def yields(self) -> Output:
        """The entity."""
        return Output(values=(self.entity,))

    def express(self, of: Callable[[str], str]) -> str:
        """The entity."""
        return name(self.entity)


class Fact(Step):
    """A statement of the graph, with all its qualifiers; ``statement_id`` is the id it was cited by."""

    kind: Choice["fact"] = "fact"
    statement: Statement
    statement_id: str

    def express(self, of: Callable[[str], str]) -> str:
        """The statement by its id, which is a digest of all it says."""
        return f"the statement {self.statement_id}"


class Witness(Frozen):
    """A statement of the node at ``position`` of a path (k: after k steps), as a constraint of the pattern demands."""

    position: StrictInt = Field(ge=1)
    statement: str


class Path(Step):
    """A reasoning path; rests on the link of its start and on the facts of its steps and witnesses."""

    kind: Choice["path"] = "path"
    path: ReasoningPath
    witnesses: tuple[Witness, ...] = ()


class Query(Step):
    """A SPARQL query; rests on its witness statements, if any.

    Args:
        variables: of the result, in order.
        row_hash: digest of the rows (``queries.row_hash``): in order where the query says ORDER BY, else as a multiset.
        output: the distinct values of the first variable, or the verdict of an ASK.
        witnesses: the ids of statements, among the facts it rests on, that show where the rows come from.
    """

    kind: Choice["query"] = "query"
    text: str
    variables: tuple[str, ...]
    row_hash: str
    output: Output
    witnesses: tuple[str, ...] = ()

    def yields(self) -> Output:
        """The recorded output."""
        return self.output

    def express(self, of: Callable[[str], str]) -> str:
        """The query."""
        return f"({', '.join(self.variables)}) of the query {json.dumps(self.text, ensure_ascii=False)}"


class Absence(Step):
    """A search without limits that found no statement (subject, relation, object); None matches anything.

    Args:
        scope: the fingerprint of the graph that was searched.
        policy: why finding nothing may refute. "open world": it may not. "closed world" and "complete relation" are
            assumptions of the caller, and shown. "no value": rests on a fact that says so.
    """

    kind: Choice["absence"] = "absence"
    subject: Entity | None
    relation: Relation
    object: Node | None
    scope: str
    policy: Policy = "open world"

    def yields(self) -> Output:
        """No, unless the world is open: then unknown."""
        return Output(verdict=None if self.policy == "open world" else False)

    def express(self, of: Callable[[str], str]) -> str:
        """The search, and the policy under which finding nothing is a no."""
        subject, object_ = ("anything" if end is None else name(end) for end in (self.subject, self.object))
        return f"whether {subject} —{name(self.relation)}→ {object_} ({self.policy})"


class Arguments(Frozen):
    """Base of the arguments of an operator. Every argument that is a step id is named in ``inputs``."""

    def inputs(self) -> tuple[str, ...]:
        """The ids of the steps that the operator takes."""
        return ()


class Computation(Step):
    """An operator applied to earlier steps; the check applies it again."""

    kind: Choice["computation"] = "computation"
    operator: str
    arguments: SerializeAsAny[Arguments]
    output: Output

    @field_validator("arguments", mode="wrap")
    @classmethod
    def _of_the_operator(cls, value: Any, _: Any, info: Any) -> Arguments:
        name = info.data.get("operator")
        if name is None:  # the missing operator is reported by itself
            return Arguments()
        model = OPERATORS.get(name).arguments
        arguments = value if type(value) is model else model.model_validate(value)
        if unsaid := [step for step in arguments.inputs() if step not in info.data.get("rests_on", ())]:
            raise ValueError(f"applies to {unsaid[0]!r}, on which the step does not rest")
        return arguments

    def yields(self) -> Output:
        """The recorded output."""
        return self.output

    def express(self, of: Callable[[str], str]) -> str:
        """The operator with all its arguments."""
        return OPERATORS.get(self.operator).express(self.arguments, of)


class Judgement(Step):
    """What a model, an embedder or a person decided; no program can check it, and it is shown as such.

    Args:
        claim: in words. Where a conclusion rests on it, it is what ``reading.reading`` gives.
        by: who decided: the name of a model, of an embedder, or "caller".
        evidence: the ids of the steps that it saw; the same as ``rests_on``.
        score: on the judge's own scale.
    """

    kind: Choice["judgement"] = "judgement"
    claim: str
    by: OneLine
    evidence: tuple[str, ...]
    score: StrictFloat
    decision: Decision


class Conclusion(Step):
    """The answer: exactly what the step ``of`` yields, or an abstention (``of`` is None) that says what is missing.

    Rests on ``of``, on the judgement that the question asks for it, and on a path for each value it shows a path for.
    Of the kind "text" it rests on the claims of the text, from which each sentence's verdict follows; ``of`` is None.
    """

    kind: Choice["conclusion"] = "conclusion"
    of: str | None
    question: str
    answer_kind: AnswerKind
    values: tuple[Node, ...] = ()
    verdict: StrictBool | None = None
    at_least: StrictBool = False
    abstained: StrictBool = False
    reason: str | None = None
    confidence: StrictFloat | None = None


def one_line(error: ValidationError) -> str:
    """The first problem of a validation error as one line: field and what is wrong."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    what = first["msg"].removeprefix("Value error, ")
    return f"field {where!r}: {what}" if where else what


def _step(value: Any, position: int) -> Step:
    if isinstance(value, Step):
        return value
    if not isinstance(value, dict) or not isinstance(value.get("kind"), str):
        raise InputError(f"step {position} of the proof is not an object with a 'kind'")
    named = f"step {value.get('id', position)!r} ({value['kind']})"
    try:
        return KINDS.get(value["kind"]).model.model_validate(value)
    except ValidationError as error:
        raise InputError(f"{named}: {one_line(error)}") from None
    except InputError as error:
        raise InputError(f"{named}: {error}") from None


class Proof(Frozen):
    """Steps that form a directed acyclic graph.

    Raises:
        InputError: an unknown kind of step, a wrong field, two steps of one id, a premise that is no step or is named
            twice, a cycle.
    """

    steps: tuple[SerializeAsAny[Step], ...] = ()
    _proved: Proved = PrivateAttr(default_factory=Proved)

    def of(self, answer: Answer) -> Proof:
        """The same proof, known to be of this answer."""
        proof = self.model_copy()
        proof._proved = Proved(answer)
        return proof

    def check(
        self, graph: Graph, *, strict: bool = False, passages: Callable[[str], str | None] | None = None
    ) -> CheckReport:
        """Check the answer that this is the proof of: the same as ``checker.check`` of that answer.

        Raises:
            InputError: it is the proof of no answer.
            GraphError: the graph cannot be asked.
        """
        from toulmin.proof.checker import check

        if self._proved.answer is None:
            raise InputError("this proof is of no answer: take the one in answer.proof")
        return check(self._proved.answer, graph, strict=strict, passages=passages)

    @field_validator("steps", mode="before")
    @classmethod
    def _by_kind(cls, value: Any) -> tuple[Step, ...]:
        if not isinstance(value, Sequence) or isinstance(value, (str, bytes)):
            raise InputError("the steps of the proof are not a list")
        steps = tuple(_step(item, position) for position, item in enumerate(value, 1))
        by_id: dict[str, Step] = {}
        for step in steps:
            if step.id in by_id:
                raise InputError(f"step {step.id!r} occurs twice in the proof")
            by_id[step.id] = step
        for step in steps:
            if len(set(step.rests_on)) < len(step.rests_on):
                raise InputError(f"step {step.id!r} rests twice on the same step")
            for premise in step.rests_on:
                if premise not in by_id:
                    raise InputError(f"step {step.id!r} rests on {premise!r}, which is no step of the proof")
        check_acyclic({step.id: step.rests_on for step in steps})
        return steps

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        """How many steps there are, and of which kinds: all of them would fill pages."""
        return [("steps", len(self.steps)), *Counter(step.kind for step in self.steps).items()]

    def by_id(self) -> dict[str, Step]:
        """The steps by their id."""
        return {step.id: step for step in self.steps}

    def conclusion(self) -> Conclusion | None:
        """The conclusion, where the proof has exactly one."""
        found = [step for step in self.steps if isinstance(step, Conclusion)]
        return found[0] if len(found) == 1 else None

    def reachable(self) -> set[str]:
        """The ids of the steps that the conclusion rests on, itself included: the necessary ones."""
        conclusion = self.conclusion()
        return beneath([conclusion.id], {step.id: step.rests_on for step in self.steps}) if conclusion else set()
