"""What the branches of a question share, what each of them came to, and the events that tell it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace

from toulmin.graph.types import Entity, Statement
from toulmin.methods.answering import Answering
from toulmin.methods.protocol import Event
from toulmin.methods.r3.axiom_prompter import AxiomPrompter
from toulmin.methods.r3.axioms.formula import against
from toulmin.methods.r3.axioms.language import Program
from toulmin.methods.r3.axioms.meanings import Assumptions, Link
from toulmin.methods.r3.axioms.missing import MissingEvidence
from toulmin.methods.r3.axioms.reasoning import ClauseResult, Evaluation, Reasoner
from toulmin.methods.r3.axioms.replies import GroundingReply
from toulmin.methods.r3.settings import R3Settings
from toulmin.methods.r3.shown_statements import Neighbourhoods
from toulmin.program.builder import Builder
from toulmin.program.reasons import Other
from toulmin.retrieval.pruning import Pruner

__all__ = ["AxiomEvaluated", "AxiomSurfaced", "Grounded", "Outcome", "Shared", "StatementsKept"]


class AxiomSurfaced(Event):
    """A commonsense axiom guides a branch (counted from 1)."""

    event: str = "axiom"
    branch: int
    program: Program


class StatementsKept(Event):
    """Statements that pruning kept for a branch, beside those before them.

    Args:
        entities: that were looked up for it.
        of: how many statements there were to choose from.
    """

    event: str = "retrieved"
    branch: int
    option: str | None = None
    entities: tuple[Entity, ...]
    statements: tuple[Statement, ...]
    of: int


class Grounded(Event):
    """What the model cited; its numbers count ``statements`` from 1."""

    event: str = "grounded"
    branch: int
    option: str | None = None
    reply: GroundingReply
    statements: tuple[Statement, ...]


class AxiomEvaluated(Event):
    """What follows from the axiom with what was cited.

    Args:
        missing: what the clauses that are unknown lack.
        refused: citations that do not say what they were cited for.
    """

    event: str = "verified"
    branch: int
    option: str | None = None
    verdict: bool | None
    clauses: tuple[ClauseResult, ...]
    missing: tuple[str, ...]
    refused: tuple[str, ...]


@dataclass(slots=True)
class Shared(Answering):
    """What the branches of one question share; they try on forks of its builder.

    Attributes:
        links: the words of the question that stand for entities.
        options: the entities that are options.
        picked: what the model chose of lists that do not depend on the option: by branch and list.
        outcomes: what every branch came to so far, also one that the budget stopped.
    """

    settings: R3Settings
    asker: AxiomPrompter = field(init=False)
    around: Neighbourhoods = field(init=False)
    pruner: Pruner = field(init=False)
    links: list[Link] = field(default_factory=list)
    options: list[Entity] = field(default_factory=list)
    picked: dict[tuple[int, tuple[str, ...]], asyncio.Task[list[Statement]]] = field(default_factory=dict)
    outcomes: list[Outcome] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.asker, self.around = AxiomPrompter(self), Neighbourhoods(self.context.graph, self.settings)
        self.pruner = Pruner(self.context.retriever.embedder, self.context.retriever.lexicon)

    async def pick(self, branch: int, program: Program, statements: list[Statement]) -> list[Statement]:
        """What the model chooses of a list; of the same list, for another option, the same without asking again."""
        key = branch, tuple(statement.id for statement in statements)
        if key not in self.picked:
            self.picked[key] = asyncio.ensure_future(self.asker.pick(program, statements))
        return await self.picked[key]

    def known(self, option: Entity | None) -> list[Entity]:
        """The entities whose statements a branch begins with: all that were looked up, but for other options."""
        others = {entity.id for entity in self.options if entity != option}
        return [entity for entity in self.around.entities if entity.id not in others and entity != option]

    def evaluated(self, reasoner: Reasoner, builder: Builder, outcome: Outcome) -> Evaluation:
        """What follows from an axiom, in a program.

        Raises:
            InputError: it cannot be evaluated.
        """
        # What the caller takes for granted.
        assumed = Assumptions(self.settings.closed_world, frozenset(self.settings.complete))
        return reasoner.evaluate(
            builder,
            links=self.links,
            option=outcome.option,
            option_entity=outcome.option_entity,
            assumptions=assumed if assumed != Assumptions() else None,
            stated=outcome.stated,
        )


@dataclass(slots=True)
class Outcome:
    """What a branch came to.

    Attributes:
        evaluation: on a fork; None: nothing could be evaluated.
        problem: why not.
        needs: what the model said is needed, the last at the end.
        read: how many statements were shown to it.
        stated: whether the axiom's word that lists are complete is taken: at the end, where nothing follows without it.
        ended: whether the branch ran to its end.
    """

    branch: int
    program: Program
    option: str | None
    option_entity: Entity | None
    reasoner: Reasoner
    evaluation: Evaluation | None = None
    problem: str = "nothing was evaluated"
    needs: list[str] = field(default_factory=list)
    read: int = 0
    stated: bool = False
    ended: bool = False

    @property
    def verdict(self) -> bool | None:
        """The answer that follows; None: none."""
        return self.evaluation.verdict if self.evaluation else None

    @property
    def truth(self) -> bool | None:
        """Whether the axiom's clauses hold; None: unknown."""
        return self.evaluation.truth if self.evaluation else None

    @property
    def reason(self) -> str:
        """Why there is no answer; of clauses that were left open, what the statements would have to say."""
        evaluation = self.evaluation
        if evaluation is None:
            return self.problem
        if evaluation.truth is not None or not evaluation.missing:
            return "; ".join(
                [evaluation.reason, *(_told(clause) for clause in evaluation.clauses if clause.truth is not None)]
            )
        unknown = "; ".join(f"«{lacking.text}» is unknown: {self._why(lacking)}" for lacking in evaluation.missing)
        return f"{unknown}; what is needed: {self.needs[-1]}" if self.needs else unknown

    @property
    def failed(self) -> str:
        """The clauses that keep an axiom from holding, each with what it rests on, and those that stay unknown."""
        if self.evaluation is None:
            return self.problem
        return "; ".join(_told(clause) for clause in self.evaluation.clauses if clause.name in self.against)

    @property
    def against(self) -> list[str]:
        """The names of the clauses that keep the axiom from holding."""
        if self.evaluation is None:
            return [clause.name for clause in self.program.clauses]
        return against(self.program.tree, {clause.name: clause.truth for clause in self.evaluation.clauses})

    @property
    def near(self) -> tuple[int, int]:
        """How far the axiom is from holding, to sort by: clauses that are false, that are open."""
        clauses = self.evaluation.clauses if self.evaluation else ()
        false = [clause for clause in clauses if clause.name in self.against and clause.truth is not None]
        return len(false), len(self.against) - len(false)

    @property
    def score(self) -> float:
        """How sure the least sure judgement is."""
        clauses = self.evaluation.clauses if self.evaluation else ()
        return min((clause.score for clause in clauses if clause.truth is not None), default=1.0)

    def _why(self, lacking: MissingEvidence) -> str:
        if self.program.clause(lacking.clause).op != "words":
            return lacking.why
        return f"none of the {self.read} statements read says it or rules it out" if self.read else lacking.why

    def settle(self, shared: Shared) -> Evaluation:
        """The evaluation, with its nodes in the program; where nothing follows, with what was missing to the end.

        Raises:
            InputError: it cannot be evaluated.
        """
        settled = shared.evaluated(self.reasoner, shared.builder, self)
        if settled.verdict is not None or settled.truth is not None or not settled.missing:
            return settled
        reasons = [reason for lacking in settled.missing for reason in lacking.reasons(self._why(lacking))]
        reasons += [Other(says=f"what is needed: {self.needs[-1]}")] if self.needs else []
        return replace(settled, reasons=tuple(dict.fromkeys(reasons)))


def _told(result: ClauseResult) -> str:
    """Whether a clause holds, and by what."""
    truth = {True: "true", False: "false", None: "unknown"}[result.truth]
    return f"«{result.text}» is {truth}" + (f", by {result.by}" if result.by else "")
