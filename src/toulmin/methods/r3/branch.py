"""One branch of the search: an axiom, the statements pruned for it, what follows, and what is missing for that."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from toulmin.errors import InputError
from toulmin.graph.types import Entity, Statement
from toulmin.methods.protocol import Event
from toulmin.methods.r3.asking import Asker
from toulmin.methods.r3.axioms.language import Program
from toulmin.methods.r3.axioms.meanings import Assumptions, Link
from toulmin.methods.r3.axioms.missing import Missing
from toulmin.methods.r3.axioms.reasoning import Evaluation, Reasoner
from toulmin.methods.r3.axioms.replies import GroundingReply
from toulmin.methods.r3.events import FellBack, Grounded, Retrieved, Verified
from toulmin.methods.r3.evidence import Evidence, Neighbourhoods
from toulmin.methods.r3.settings import R3Settings
from toulmin.program.builder import Builder
from toulmin.program.reasons import Other
from toulmin.retrieval.pruning import Pruner

__all__ = ["Branch", "Outcome", "Shared"]

_FEW = 5  # statements beyond the first k that are shown without asking which of them help; for options, k of them
_AT_ONCE = 8  # entities that are looked up at once because the axiom lacks a value of each


@dataclass(slots=True)
class Shared:
    """What the branches of one question share.

    Attributes:
        builder: of the program; branches try on forks of it.
        links: the words of the question that stand for entities.
        options: the entities that are options.
        picked: what the model chose of lists that do not depend on the option: by branch and list.
        outcomes: what every branch came to so far, also one that the budget stopped.
    """

    asker: Asker
    settings: R3Settings
    around: Neighbourhoods
    pruner: Pruner
    builder: Builder
    emit: Callable[[Event], None]
    links: list[Link] = field(default_factory=list)
    options: list[Entity] = field(default_factory=list)
    picked: dict[tuple[int, tuple[str, ...]], asyncio.Task[list[Statement]]] = field(default_factory=dict)
    outcomes: list[Outcome] = field(default_factory=list)

    async def pick(self, branch: int, program: Program, statements: list[Statement]) -> list[Statement]:
        """What the model chooses of a list; of the same list, for another option, the same without asking again."""
        key = branch, tuple(one.id for one in statements)
        if key not in self.picked:
            self.picked[key] = asyncio.ensure_future(self.asker.pick(program, statements))
        return await self.picked[key]

    def known(self, option: Entity | None) -> list[Entity]:
        """The entities whose statements a branch begins with: all that were looked up, but for other options."""
        others = {chosen.id for chosen in self.options if chosen != option}
        return [entity for entity in self.around.entities if entity.id not in others and entity != option]

    def evaluated(self, reasoner: Reasoner, builder: Builder, option: str | None, chosen: Entity | None) -> Evaluation:
        """What follows from an axiom, in a program.

        Raises:
            InputError: it cannot be evaluated.
        """
        return reasoner.evaluate(builder, links=self.links, option=option, chosen=chosen, assumptions=self.assumptions)

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
        needs: what the model said is needed, the last at the end.
        read: how many statements were shown to it.
        ended: whether the branch ran to its end.
    """

    branch: int
    program: Program
    option: str | None
    chosen: Entity | None
    reasoner: Reasoner
    evaluation: Evaluation | None = None
    problem: str = "nothing was evaluated"
    needs: list[str] = field(default_factory=list)
    read: int = 0
    ended: bool = False

    @property
    def verdict(self) -> bool | None:
        """The answer that follows; None: none."""
        return self.evaluation.verdict if self.evaluation else None

    @property
    def reason(self) -> str:
        """Why there is no answer; of clauses that were left open, what the statements would have to say."""
        found = self.evaluation
        if found is None:
            return self.problem
        if found.truth is not None or not found.missing:
            return found.reason
        told = "; ".join(f"«{one.text}» is unknown: {self._why(one)}" for one in found.missing)
        return f"{told}; what is needed: {self.needs[-1]}" if self.needs else told

    @property
    def failed(self) -> str:
        """The clauses that an option does not meet, and those that stay unknown."""
        found = self.evaluation
        if found is None:
            return self.problem
        said = {True: "true", False: "false", None: "unknown"}
        return ", ".join(f"{one.name} {said[one.truth]}" for one in found.clauses)

    def _why(self, lacking: Missing) -> str:
        if self.program.clause(lacking.clause).op != "words":
            return lacking.why
        return f"none of the {self.read} statements read says it or rules it out" if self.read else lacking.why

    def settle(self, shared: Shared) -> Evaluation:
        """The evaluation, with its nodes in the program; where nothing follows, with what was missing to the end.

        Raises:
            InputError: it cannot be evaluated.
        """
        settled = shared.evaluated(self.reasoner, shared.builder, self.option, self.chosen)
        if settled.verdict is not None or settled.truth is not None or not settled.missing:
            return settled
        reasons = [reason for one in settled.missing for reason in one.reasons(self._why(one))]
        reasons += [Other(says=f"what is needed: {self.needs[-1]}")] if self.needs else []
        return replace(settled, reasons=tuple(dict.fromkeys(reasons)))


class Branch:
    """A branch, of one option where there are some.

    Args:
        chosen: the entity that is the option, where the graph has it.
        known: the entities that it begins with; None: all that were looked up so far.
    """

    def __init__(
        self,
        shared: Shared,
        number: int,
        program: Program,
        option: str | None = None,
        chosen: Entity | None = None,
        known: Sequence[Entity] | None = None,
    ) -> None:
        self._shared, self._number, self._program = shared, number, program
        self._option, self._chosen = option, chosen
        self._known = list(shared.known(chosen) if known is None else known)
        self._fresh: int | None = None  # the place of the first statement that the last lookup added
        self._evidence = Evidence(shared.around, shared.pruner, shared.settings)
        self._by = shared.asker.session.model
        self.outcome = Outcome(number, program, option, chosen, Reasoner(program, self._by))
        shared.outcomes.append(self.outcome)

    async def run(self) -> Outcome:
        """Ground the axiom, and look for missing evidence until something follows or the depth is reached.

        Where the names of the graph alone decide it, no statement has to be retrieved or cited; where they lead to
        entities of which something is needed, these are looked up with those of the question.
        """
        if not self._evaluate(None, ()):
            named = [entity for lacking in self._missing() for entity in lacking.entities][:_AT_ONCE]
            chosen = [self._chosen] if self._chosen else []
            self._known = list(dict.fromkeys([*self._known, *named]))
            await self._retrieve([*(one for one in self._known if one != self._chosen), *chosen], self._query())
            self._evidence.hasten()
            await self._deepen()
        self.outcome.ended = True
        return self.outcome

    async def _deepen(self) -> None:
        for depth in range(self._shared.settings.depth + 1):
            if self._evidence.shown:
                notes = self._notes() if depth else []
                self.outcome.read = len(self._evidence.shown)
                reply = await self._shared.asker.ground(self._program, self._option, self._evidence.shown, notes)
                if reply is not None and self._evaluate(reply, tuple(self._evidence.shown)):
                    return
            if depth == self._shared.settings.depth or not await self._look_further():
                return

    async def _retrieve(self, entities: Sequence[Entity], query: str) -> bool:
        """Look entities up and show what pruning keeps of their statements; whether that is anything new."""
        shared, evidence = self._shared, self._evidence
        self._fresh = len(evidence.shown)
        await shared.around.fetch(entities)
        self._known += [entity for entity in entities if entity not in self._known and entity != self._chosen]
        of = len(evidence.unseen(entities))
        settings = shared.settings
        fills = settings.window is not None
        new = evidence.show(evidence.fitting(query, entities) if fills else evidence.best(query, entities, settings.k))
        if settings.additions and settings.pruning != "truncation":
            new += evidence.show(evidence.rest_of_groups(new, settings.k))
        if settings.additions and self._chosen is not None and self._chosen in entities:
            # what an option is made of is short, and all counts
            new += evidence.show(evidence.best(query, [self._chosen], settings.listed))
        rest = evidence.offer(query, entities, settings.listed) if settings.pick else []
        few = 0 if not settings.additions else _FEW if self._option is None else settings.k
        if len(rest) > few:
            rest = await shared.pick(self._number, self._program, rest)
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
        try:
            evaluation = shared.evaluated(reasoner, shared.builder.fork(), self._option, self._chosen)
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

    def _missing(self) -> Sequence[Missing]:
        return self.outcome.evaluation.missing if self.outcome.evaluation else ()

    def _notes(self) -> list[str]:
        """What the model is told of its last grounding, and of what was found since."""
        evaluation = self.outcome.evaluation
        if evaluation is None:
            return []
        refused = [f"refused: {one}" for one in evaluation.refused]
        unknown = [f"unknown before these: {one.text}" for one in evaluation.missing]
        return [*refused, f"new: the statements from number {(self._fresh or 0) + 1} on", *unknown][:8]

    async def _look_further(self) -> bool:
        """Get what is missing: of entities that a clause lacks a value of, else where the model says; whether any."""
        evaluation = self.outcome.evaluation
        if evaluation is None:
            return False
        around = self._shared.around
        new, fresh = False, len(self._evidence.shown)
        for lacking in self._missing():
            unknown = [entity for entity in lacking.entities if entity not in around or entity not in self._known]
            if unknown:
                query = self._query(f"{lacking.text}; {self._words_of(lacking.term)}", alone=True)
                new |= await self._retrieve(unknown[:_AT_ONCE], query)
        self._fresh = fresh
        return new or await self._ask_further(evaluation)

    async def _ask_further(self, evaluation: Evaluation) -> bool:
        """Missing evidence identification (section 3.2.5): the next k of a known entity, or another entity."""
        shared, evidence = self._shared, self._evidence
        own = [self._chosen] if self._chosen else []
        left = [(entity, len(evidence.unread([entity]))) for entity in dict.fromkeys([*self._known, *own])]
        entities = [(entity, f"{count} more statement{'s' * (count > 1)}") for entity, count in left if count]
        others = evidence.neighbours({*self._known, *own, *shared.options})[: shared.settings.listed]
        entities += [(entity, "not looked up yet") for entity in await shared.around.known(others)]
        found = await shared.asker.missing(self._program, self._option, evaluation, evidence.shown, entities)
        if found is None:
            return False
        need, entity = found
        if need.strip():
            self.outcome.needs.append(need.strip())
        if entity is None:
            return False
        return await self._retrieve([entity], self._query(need))

    def _words_of(self, term: str | None) -> str:
        return (self._program.term(term).text or "") if term is not None else ""

    def _query(self, needed: str = "", *, alone: bool = False) -> str:
        """What statements are pruned by: the axiom (eq. 4), with ``additions`` what its terms or premises say too.

        Args:
            needed: what is missing, before all else; ``alone``: instead of all else.
        """
        program = self._program
        if not self._shared.settings.additions:
            return program.text
        said = [term.text for term in program.terms if term.kind in ("property", "qualifier") and term.text]
        premises = [clause.text for clause in program.clauses if clause.op == "words" and clause.text != program.text]
        query = "; ".join(dict.fromkeys([program.text, *said, *premises]))
        return needed if alone else f"{needed}; {query}" if needed else query
