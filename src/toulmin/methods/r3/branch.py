"""One branch of the search: an axiom, the statements pruned for it, what follows, and what is missing for that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from toulmin.errors import InputError
from toulmin.graph.types import Entity, Statement
from toulmin.methods.protocol import Event
from toulmin.methods.r3.asking import Asker
from toulmin.methods.r3.events import FellBack, Grounded, Retrieved, Verified
from toulmin.methods.r3.evidence import Evidence, Neighbourhoods
from toulmin.methods.r3.settings import R3Settings
from toulmin.proof.axioms.binder import Assumptions
from toulmin.proof.axioms.language import Program
from toulmin.proof.axioms.missing import Missing
from toulmin.proof.axioms.reasoning import Evaluation, Reasoner
from toulmin.proof.axioms.replies import Grounding, GroundingReply
from toulmin.proof.builder import ProofBuilder
from toulmin.retrieval.pruning import Pruner

__all__ = ["Branch", "Outcome", "Shared"]

_FEW = 5  # statements beyond the first k that are shown without asking which of them help; for options, k of them
_AT_ONCE = 8  # entities that are looked up at once because the axiom lacks a value of each


@dataclass(slots=True)
class Shared:
    """What the branches of one question share.

    Attributes:
        builder: of the proof, with the links of the question; branches try on forks of it.
        options: the entities that are options.
        outcomes: what every branch came to so far, also one that the budget stopped.
    """

    asker: Asker
    settings: R3Settings
    around: Neighbourhoods
    pruner: Pruner
    builder: ProofBuilder
    emit: Callable[[Event], None]
    options: list[Entity] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)

    def known(self, option: Entity | None) -> list[Entity]:
        """The entities whose statements a branch begins with: all that were looked up, but for other options."""
        others = {chosen.id for chosen in self.options if chosen != option}
        return [entity for entity in self.around.entities if entity.id not in others and entity != option]

    @property
    def assumptions(self) -> Assumptions | None:
        """What the caller takes for granted."""
        if not self.settings.closed_world and not self.settings.complete:
            return None
        return Assumptions(closed_world=self.settings.closed_world, complete=frozenset(self.settings.complete))


@dataclass(slots=True)
class Outcome:
    """What a branch came to.

    Attributes:
        evaluation: on a fork; None: nothing could be evaluated.
        problem: why not.
    """

    branch: int
    program: Program
    option: str | None
    reasoner: Reasoner
    evaluation: Evaluation | None = None
    problem: str = "nothing was evaluated"

    @property
    def verdict(self) -> bool | None:
        """The answer that follows; None: none."""
        return self.evaluation.verdict if self.evaluation else None

    @property
    def reason(self) -> str:
        """Why there is no answer."""
        return self.evaluation.reason if self.evaluation else self.problem

    def settle(self, builder: ProofBuilder, assumptions: Assumptions | None) -> Evaluation:
        """The evaluation, with its steps in a proof.

        Raises:
            InputError: it cannot be evaluated.
        """
        return self.reasoner.evaluate(builder, option=self.option, assumptions=assumptions)


class Branch:
    """A branch, of one option where there are some.

    Args:
        chosen: the entity that is the option, where the graph has it.
    """

    def __init__(
        self, shared: Shared, number: int, program: Program, option: str | None = None, chosen: Entity | None = None
    ) -> None:
        self._shared, self._number, self._program = shared, number, program
        self._option, self._chosen = option, chosen
        self._evidence = Evidence(shared.around, shared.pruner, shared.settings)
        self._by = shared.asker.session.model
        self.outcome = Outcome(number, program, option, Reasoner(program, self._by))
        shared.outcomes.append(self.outcome)

    async def run(self) -> Outcome:
        """Ground the axiom, and look for missing evidence until something follows or the depth is reached.

        Where the names of the graph alone decide it, no statement has to be retrieved or cited; where they lead to
        entities of which something is needed, these are looked up with those of the question.
        """
        if not self._evaluate(None, ()):
            named = [entity for lacking in self._missing() for entity in lacking.entities][:_AT_ONCE]
            chosen = [self._chosen] if self._chosen else []
            entities = list(dict.fromkeys([*self._shared.known(self._chosen), *named, *chosen]))
            await self._retrieve(entities, _query(self._program))
            await self._deepen()
        return self.outcome

    async def _deepen(self) -> None:
        for depth in range(self._shared.settings.depth + 1):
            if self._evidence.shown:
                notes = self._notes() if depth else []
                reply = await self._shared.asker.ground(self._program, self._option, self._evidence.shown, notes)
                if reply is not None and self._evaluate(reply, tuple(self._evidence.shown)):
                    return
            if depth == self._shared.settings.depth or not await self._look_further():
                return

    async def _retrieve(self, entities: Sequence[Entity], query: str) -> bool:
        """Look entities up and show what pruning keeps of their statements; whether that is anything new."""
        shared, evidence = self._shared, self._evidence
        await shared.around.fetch(entities)
        of = len(evidence.unseen(entities))
        new = evidence.show(evidence.best(query, entities, shared.settings.k))
        settings = shared.settings
        if settings.pruning != "truncation":
            new += evidence.show(evidence.rest_of_groups(new, settings.k))
        if self._chosen is not None and self._chosen in entities:  # what an option is made of is short, and all counts
            new += evidence.show(evidence.best(query, [self._chosen], settings.listed))
        rest = evidence.best(query, entities, settings.listed) if settings.pick else []
        if len(rest) > (_FEW if self._option is None else settings.k):
            rest = await shared.asker.pick(self._program, self._option, rest)
        new += evidence.show(rest)
        shared.emit(
            Retrieved(branch=self._number, option=self._option, entities=tuple(entities), statements=tuple(new), of=of)
        )
        return bool(new)

    def _evaluate(self, reply: GroundingReply | None, shown: tuple[Statement, ...]) -> bool:
        """Evaluate with what was cited, or by the names of the graph alone; whether the branch has ended."""
        shared, program = self._shared, self._program
        reasoner = Reasoner(program, self._by)
        if reply is not None:
            reasoner.ground(reply, shown)
            shared.emit(Grounded(branch=self._number, option=self._option, reply=reply, statements=shown))
        self._name_option(reasoner)
        try:
            evaluation = reasoner.evaluate(shared.builder.fork(), option=self._option, assumptions=shared.assumptions)
        except InputError as error:
            self.outcome.problem = str(error)
            shared.emit(FellBack(step="r3/evaluate", problem=str(error), instead="the axiom stays unknown"))
            return True
        ended = evaluation.verdict is not None or evaluation.truth is not None
        if reply is None and not ended:
            if self.outcome.evaluation is None:
                self.outcome.reasoner, self.outcome.evaluation = reasoner, evaluation
            return False
        self.outcome.reasoner, self.outcome.evaluation = reasoner, evaluation
        shared.emit(
            Verified(
                branch=self._number,
                option=self._option,
                verdict=evaluation.verdict,
                clauses=evaluation.clauses,
                missing=tuple(f"{one.text}: {one.why}" for one in evaluation.missing),
                refused=evaluation.refused,
            )
        )
        return ended

    def _name_option(self, reasoner: Reasoner) -> None:
        """Bind the option to its entity by a statement about it."""
        if self._chosen is None:
            return
        about = self._shared.around.statements([self._chosen])
        term = next((term.name for term in self._program.terms if term.kind == "option"), None)
        for end in ("subject", "object"):
            found = next((one for one in about if getattr(one, end) == self._chosen), None)
            if found is not None and term is not None:
                cited = Grounding(term=term, statements=(1,), qualifier=end)
                reasoner.ground(GroundingReply(groundings=(cited,)), [found])
                return

    def _missing(self) -> Sequence[Missing]:
        return self.outcome.evaluation.missing if self.outcome.evaluation else ()

    def _notes(self) -> list[str]:
        """What the model is told of its last grounding."""
        evaluation = self.outcome.evaluation
        if evaluation is None:
            return []
        refused = [f"refused: {one}" for one in evaluation.refused]
        return [*refused, *(f"still unknown: {one.text} ({one.why})" for one in evaluation.missing)][:8]

    async def _look_further(self) -> bool:
        """Get what is missing: of entities that a clause lacks a value of, else where the model says; whether any."""
        evaluation = self.outcome.evaluation
        if evaluation is None:
            return False
        around = self._shared.around
        new = False
        for lacking in self._missing():
            unknown = [entity for entity in lacking.entities if entity not in around]
            if unknown:
                new |= await self._retrieve(unknown[:_AT_ONCE], f"{lacking.text}; {self._words_of(lacking.term)}")
        return new or await self._ask_further(evaluation)

    async def _ask_further(self, evaluation: Evaluation) -> bool:
        """Missing evidence identification (section 3.2.5): the next k of a known entity, or another entity."""
        shared, evidence = self._shared, self._evidence
        known = [entity for entity in shared.around.entities if evidence.unseen([entity])]
        entities = [(entity, f"{len(evidence.unseen([entity]))} more statements") for entity in known]
        entities += [(entity, "not looked up yet") for entity in evidence.neighbours()[: shared.settings.listed]]
        found = await shared.asker.missing(self._program, self._option, evaluation, evidence.shown, entities)
        if found is None:
            return False
        need, entity = found
        return await self._retrieve([entity], f"{need}; {_query(self._program)}")

    def _words_of(self, term: str | None) -> str:
        return (self._program.term(term).text or "") if term is not None else ""


def _query(program: Program) -> str:
    """What statements are pruned by: the axiom, and what its terms or premises say."""
    said = [term.text for term in program.terms if term.kind in ("property", "qualifier") and term.text]
    premises = [clause.text for clause in program.clauses if clause.op == "words" and clause.text != program.text]
    return "; ".join(dict.fromkeys([program.text, *said, *premises]))
