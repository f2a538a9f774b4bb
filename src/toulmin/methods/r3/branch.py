"""One branch of the search: an axiom, the statements pruned for it, what follows, and what is missing for that.

In a multiple choice there is a branch for each option; one call may try the axiom on several of them
(``try_together``).
"""

from __future__ import annotations

from collections.abc import Sequence

from toulmin.errors import InputError
from toulmin.graph.types import Entity, Statement
from toulmin.methods.protocol import FellBack
from toulmin.methods.r3.axioms.language import Program
from toulmin.methods.r3.axioms.missing import MissingEvidence
from toulmin.methods.r3.axioms.reasoning import Evaluation, Reasoner
from toulmin.methods.r3.axioms.replies import GroundingReply, Look
from toulmin.methods.r3.outcomes import AxiomEvaluated, Grounded, Outcome, Shared, StatementsKept
from toulmin.methods.r3.shown_statements import ShownStatements

__all__ = ["Branch", "nearest_options", "only_option_left", "try_together"]

_FEW = 5  # statements beyond the first k that are shown without asking which of them help
_NEAREST = 3  # statements nearest to a term whose objects are looked up where another term builds on it
_AT_ONCE = 8  # entities that are looked up at once because the axiom lacks a value of each


class Branch:
    """A branch, of one option where there are some.

    Args:
        option_entity: the entity that is the option, where the graph has it.
        known: the entities that it begins with; None: all that were looked up so far.
    """

    def __init__(
        self,
        shared: Shared,
        number: int,
        program: Program,
        option: str | None = None,
        option_entity: Entity | None = None,
        known: Sequence[Entity] | None = None,
    ) -> None:
        self._shared, self._number, self._program = shared, number, program
        self._option, self.option_entity = option, option_entity
        self._known = list(shared.known(option_entity) if known is None else known)
        self._fresh: int | None = None  # the place of the first statement that the last lookup added
        self._evidence = ShownStatements(shared.around, shared.pruner, shared.settings)
        self._by = shared.prompter.model
        self.outcome = Outcome(number, program, option, option_entity, Reasoner(program, self._by))
        shared.outcomes.append(self.outcome)

    async def run(self) -> Outcome:
        """Ground the axiom, and look for missing evidence until something follows or the depth is reached.

        Where the names of the graph alone decide it, no statement has to be retrieved or cited; where they lead to
        entities of which something is needed, these are looked up with those of the question.
        """
        if not self.evaluate(None, ()):
            named = [entity for lacking in self.missing for entity in lacking.entities][:_AT_ONCE]
            option_entities = [self.option_entity] if self.option_entity else []
            self._known = list(dict.fromkeys([*self._known, *named, *self._ahead()]))
            await self._retrieve(
                [*(entity for entity in self._known if entity != self.option_entity), *option_entities], self.query()
            )
            self._evidence.hasten()
            await self._deepen()
        self.end()
        return self.outcome

    def end(self) -> None:
        """End the branch; what follows if lists are complete of which the axiom says so, where nothing else does."""
        outcome, shared = self.outcome, self._shared
        outcome.ended = True
        if outcome.evaluation is None or outcome.truth is not None or not self._program.states_completeness:
            return
        outcome.stated = True
        stated = shared.evaluated(outcome.reasoner, shared.builder.fork(), outcome)
        if stated.verdict is None:
            outcome.stated = False
        else:
            outcome.evaluation = stated
            self._tell_verified(stated)

    def _ahead(self) -> list[Entity]:
        """Whom a term may lead to that has another name in the graph, where further terms ask something of that.

        So that a second hop is shown with the first, which tells whom to ask.
        """
        shared, led_to = self._shared, dict[Entity, None]()
        if not shared.settings.additions:
            return []
        for lacking in self.missing:
            builds = any(term.kind == "property" and term.of == lacking.term for term in self._program.terms)
            if lacking.term is None or not builds:
                continue
            statements = shared.around.statements(lacking.entities)
            nearest = shared.pruner.quick(self._words_of(lacking.term), statements, _NEAREST)
            ends = (statements[place].object for place in nearest)
            led_to |= {end: None for end in ends if isinstance(end, Entity) and end not in shared.options}
        return list(led_to)[:_AT_ONCE]

    async def _deepen(self) -> None:
        for depth in range(self._shared.settings.depth + 1):
            look: Sequence[Look] = ()
            if self._evidence.shown and not self._lacks_all:
                notes = self.notes(self._fresh) if depth else self.left_open
                self.outcome.read = len(self._evidence.shown)
                reply = await self._shared.asker.ground(self._program, self._option, self._evidence.shown, notes)
                if reply is not None and self.evaluate(reply, tuple(self._evidence.shown)):
                    return
                look = reply.look if reply is not None else ()
            if depth == self._shared.settings.depth or not await self._look_further(look):
                return

    async def _retrieve(self, entities: Sequence[Entity], query: str) -> bool:
        """Look entities up and show what pruning keeps of their statements; whether that is anything new."""
        shared, evidence = self._shared, self._evidence
        self._fresh = len(evidence.shown)
        await shared.around.fetch(entities)
        self._known += [entity for entity in entities if entity not in self._known and entity != self.option_entity]
        of = len(evidence.unseen(entities))
        settings = shared.settings
        fills = settings.window is not None
        new = evidence.show(evidence.fitting(query, entities) if fills else evidence.best(query, entities, settings.k))
        if settings.additions and settings.pruning != "truncation":
            new += evidence.show(evidence.rest_of_groups(new, settings.k))
        if settings.additions and self.option_entity is not None and self.option_entity in entities:
            # what an option is made of is short, and all counts
            new += evidence.show(evidence.best(query, [self.option_entity], settings.listed))
        rest = evidence.offer(query, entities, settings.listed) if settings.pick else evidence.unread(entities, query)
        few = _FEW if settings.additions else 0
        if len(rest) > few:
            rest = await shared.pick(self._number, self._program, rest) if settings.pick else []
        new += evidence.show(rest)
        shared.emit(
            StatementsKept(
                branch=self._number, option=self._option, entities=tuple(entities), statements=tuple(new), of=of
            )
        )
        return bool(new)

    def evaluate(self, reply: GroundingReply | None, shown: tuple[Statement, ...]) -> bool:
        """Evaluate with what was cited, or by the names of the graph alone; whether the branch has ended."""
        shared, program = self._shared, self._program
        reasoner = Reasoner(program, self._by)
        if reply is not None:
            reasoner.ground(reply, shown)
            shared.emit(Grounded(branch=self._number, option=self._option, reply=reply, statements=shown))
        try:
            evaluation = shared.evaluated(reasoner, shared.builder.fork(), self.outcome)
        except InputError as error:
            self.outcome.problem = str(error)
            shared.emit(FellBack(step="r3/evaluate", problem=str(error), instead="the axiom stays unknown"))
            return True
        ended = evaluation.verdict is not None or evaluation.truth is not None
        counts = reply is not None or ended
        if counts or self.outcome.evaluation is None:
            self.outcome.reasoner, self.outcome.evaluation = reasoner, evaluation
        if counts:
            self._tell_verified(evaluation)
        return ended

    def _tell_verified(self, evaluation: Evaluation) -> None:
        self._shared.emit(
            AxiomEvaluated(
                branch=self._number,
                option=self._option,
                verdict=evaluation.verdict,
                clauses=evaluation.clauses,
                missing=tuple(f"{lacking.text}: {lacking.why}" for lacking in evaluation.missing),
                refused=evaluation.refused,
            )
        )

    @property
    def missing(self) -> Sequence[MissingEvidence]:
        """What its clauses lack, as far as it was evaluated."""
        return self.outcome.evaluation.missing if self.outcome.evaluation else ()

    @property
    def left_open(self) -> list[str]:
        """Clauses that no grounding will compute, since their values are known and leave them open: to be judged."""
        return [
            f"to be judged, since its values are known and leave it open: {lacking.text}"
            for lacking in self.missing
            if lacking.term is None and self._program.clause(lacking.clause).op != "words"
        ]

    @property
    def _lacks_all(self) -> bool:
        """Whether each clause that is open lacks a value of entities of which the graph says nothing whatever.

        Then nothing can be cited that would decide it.
        """
        shared = self._shared
        return (
            shared.settings.additions
            and all(
                lacking.entities
                and self._program.clause(lacking.clause).op != "words"
                and not shared.around.statements(lacking.entities)
                for lacking in self.missing
            )
            and bool(self.missing)
        )

    def notes(self, fresh: int | None) -> list[str]:
        """What the model is told of its last grounding, and of what was found since: the statements from a place on."""
        evaluation = self.outcome.evaluation
        if evaluation is None:
            return []
        refused = [f"refused: {citation}" for citation in evaluation.refused]
        unknown = [f"unknown before these: {lacking.text}" for lacking in evaluation.missing]
        return [*refused, f"new: the statements from number {(fresh or 0) + 1} on", *unknown, *self.left_open][:8]

    async def _look_further(self, look: Sequence[Look]) -> bool:
        """Get what is missing: of entities that a clause lacks a value of, and where the model says; whether any.

        Args:
            look: what it said when it grounded; where it could not say it there, it is asked.
        """
        evaluation = self.outcome.evaluation
        if evaluation is None:
            return False
        around = self._shared.around
        new, fresh = False, len(self._evidence.shown)
        for lacking in self.missing:
            unknown = [entity for entity in lacking.entities if entity not in around or entity not in self._known]
            if unknown:
                query = self.query(f"{lacking.text}; {self._words_of(lacking.term)}", alone=True)
                new |= await self._retrieve(unknown[:_AT_ONCE], query)
        for hint in look:
            self.outcome.needs.append(hint.need.strip() or "more")
            statement = self._evidence.shown[hint.statement - 1]
            entity = statement.object if hint.end == "object" else statement.subject
            if isinstance(entity, Entity):
                new |= await self._retrieve([entity], self.query(hint.need, alone=True))
        self._fresh = fresh
        if new or (self._shared.settings.axiom == "program" and self._option is None):
            return new  # a reply that grounds a program may say itself what is missing
        return await self._ask_further(evaluation)

    async def _ask_further(self, evaluation: Evaluation) -> bool:
        """Missing evidence identification (section 3.2.5): the next k of a known entity, or another entity."""
        shared, evidence = self._shared, self._evidence
        option_entities = [self.option_entity] if self.option_entity else []
        unread = [
            (entity, len(evidence.unread([entity]))) for entity in dict.fromkeys([*self._known, *option_entities])
        ]
        entities = [(entity, f"{count} more statement{'s' * (count > 1)}") for entity, count in unread if count]
        neighbours = evidence.neighbours({*self._known, *option_entities, *shared.options})[: shared.settings.listed]
        entities += [(entity, "not looked up yet") for entity in await shared.around.known(neighbours)]
        reply = await shared.asker.missing(self._program, self._option, evaluation, evidence.shown, entities)
        if reply is None:
            return False
        need, entity = reply
        if need.strip():
            self.outcome.needs.append(need.strip())
        if entity is None:
            return False
        return await self._retrieve([entity], self.query(need))

    def _words_of(self, term: str | None) -> str:
        return (self._program.term(term).text or "") if term is not None else ""

    def query(self, needed: str = "", *, alone: bool = False) -> str:
        """What statements are pruned by: the axiom (eq. 4), with ``additions`` what its terms or premises say too.

        Args:
            needed: what is missing, before all else; ``alone``: instead of all else.
        """
        program = self._program
        if not self._shared.settings.additions:
            return program.text
        term_words = [term.text for term in program.terms if term.kind in ("property", "qualifier") and term.text]
        premises = [clause.text for clause in program.clauses if clause.op == "words" and clause.text != program.text]
        query = "; ".join(dict.fromkeys([program.text, *term_words, *premises]))
        return needed if alone else f"{needed}; {query}" if needed else query


async def try_together(shared: Shared, number: int, program: Program, branches: Sequence[Branch]) -> None:
    """Ground an axiom for several options at once; what it lacks is looked up, up to ``depth`` times.

    What the names of the graph decide for an option is not asked. The statements about the person and the question come
    first, then those of each option, whole.
    """
    settings, query = shared.settings, branches[0].query()
    open_ = [branch for branch in branches if not branch.evaluate(None, ())]
    evidence = ShownStatements(shared.around, shared.pruner, settings)

    def show(option: str | None, entities: Sequence[Entity], k: int) -> None:
        """Show the best statements of entities, those of an option for it, and tell them."""
        best, of = evidence.best(query, entities, k), len(evidence.unseen(entities))
        new, about = tuple(evidence.show(best)), tuple(entities)
        shared.emit(StatementsKept(branch=number, option=option, entities=about, statements=new, of=of))

    if open_:
        common = list(dict.fromkeys([*shared.known(None), *_lacking(open_, shared)]))
        await shared.around.fetch(common)
        show(None, common, max(settings.k, settings.listed))
        for branch in open_:
            if branch.option_entity is not None:
                show(branch.outcome.option, [branch.option_entity], settings.listed)
    notes: list[str] = []
    for depth in range(settings.depth + 1):
        if not open_ or not evidence.shown:
            break
        names = [str(branch.outcome.option) for branch in open_]
        replies = await shared.asker.ground_options(program, names, evidence.shown, notes)
        for branch, reply in zip(open_, replies or (), strict=False):
            branch.outcome.read = len(evidence.shown)
            own_reply = _without_other_options(reply, evidence.shown, branch.option_entity, shared.options)
            branch.evaluate(own_reply, tuple(evidence.shown))
        open_ = [branch for branch in open_ if branch.outcome.truth is None]
        unknown = [entity for entity in _lacking(open_, shared) if entity not in shared.around][:_AT_ONCE]
        if depth == settings.depth or not unknown:
            break
        fresh = len(evidence.shown)
        await shared.around.fetch(unknown)
        show(None, unknown, settings.k)
        if len(evidence.shown) == fresh:
            break
        notes = list(dict.fromkeys(note for branch in open_ for note in branch.notes(fresh)))
    for branch in branches:
        branch.end()


def nearest_options(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Of options that do not satisfy an axiom those from which the least keeps it."""
    least = min((outcome.near for outcome in outcomes), default=(0, 0))
    return [outcome for outcome in outcomes if outcome.near == least]


def only_option_left(outcomes: Sequence[Outcome], count: int) -> Outcome | None:
    """The one option of ``count`` that an axiom leaves open, where it rules out all others; None: there is none."""
    undecided = [outcome for outcome in outcomes if outcome.verdict is None]
    if len(outcomes) != count or count < 2 or len(undecided) != 1:
        return None
    return undecided[0] if undecided[0].evaluation is not None and undecided[0].truth is None else None


def _lacking(branches: Sequence[Branch], shared: Shared) -> list[Entity]:
    """The entities of which the axiom lacks a value, for any of the options; options are shown by themselves."""
    entities = dict.fromkeys(entity for branch in branches for lacking in branch.missing for entity in lacking.entities)
    return [entity for entity in entities if entity not in shared.options][:_AT_ONCE]


def _without_other_options(
    reply: GroundingReply, shown: Sequence[Statement], own_option: Entity | None, options: Sequence[Entity]
) -> GroundingReply:
    """A reply without citations for terms that speak of other options."""
    other_ids = {option.id for option in options if option != own_option}
    groundings = []
    for grounding in reply.groundings:
        numbers = tuple(number for number in grounding.statements if shown[number - 1].subject.id not in other_ids)
        groundings += [grounding.model_copy(update={"statements": numbers})] if numbers else []
    return reply.model_copy(update={"groundings": tuple(groundings)})
