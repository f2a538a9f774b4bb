"""The method: link, surface an axiom, ground it on pruned statements, look for what is missing, try another axiom."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from math import ceil
from typing import ClassVar

from toulmin.errors import BudgetError
from toulmin.graph.labels import normalise
from toulmin.graph.types import Entity, Statement
from toulmin.methods.answering import AnsweringMethod
from toulmin.methods.prompting import together
from toulmin.methods.protocol import Linked
from toulmin.methods.question.missing_names import uncertain_links
from toulmin.methods.question.unread_words import question_word
from toulmin.methods.r3.anchors import Anchor, anchor_called, anchors_of_names, is_left_open, is_sure, merged_anchors
from toulmin.methods.r3.axioms.language import Program
from toulmin.methods.r3.axioms.reasoning import choose, conclude, eliminate
from toulmin.methods.r3.branch import Branch, nearest_options, only_option_left, try_together
from toulmin.methods.r3.outcomes import AxiomSurfaced, Outcome, Shared
from toulmin.methods.r3.settings import ABLATIONS, R3Settings
from toulmin.methods.r3.shown_statements import in_groups
from toulmin.methods.request import Request
from toulmin.program.answer import Answer
from toulmin.program.reasons import Other, Reason, Stopped, Unusable
from toulmin.retrieval.statement_words import is_filing, node_words

__all__ = ["R3"]

_NOTHING = "nothing in it is the name of an entity of the graph"
#: Without a usable reply to one of these, or to one of those, nothing is decided.
_DECIDING = (
    ("r3/axiom", "r3/axiom_option", "r3/words"),
    ("r3/ground", "r3/ground_option", "r3/ground_options", "r3/judge"),
)
_ELIMINATED = 0.3  # how sure it is that the one option which is not ruled out is meant
_CLAUSES = 16  # of an axiom
_LOOKS = 3  # what a reply that grounds may say is missing
_NEAREST = 2  # options that an abstention names as nearest


@dataclass(slots=True)
class _R3Run(Shared):
    """The answering of one question."""

    _anchors: list[Anchor] = field(default_factory=list)
    #: The options in the order in which they are tried, each with its entity where the graph has it.
    _placed: dict[str, Entity | None] = field(default_factory=dict)
    _facts_shown: set[str] = field(default_factory=set)

    async def answered(self) -> Answer:
        """Search, then conclude from what was found, also where the budget ended the search.

        Raises:
            NothingUsableError: nothing follows, and no axiom or no grounding could be used.
        """
        with suppress(BudgetError):  # the answer tells of it, by ``stopped``
            await self._search()
        answer = self._answer()
        if answer.abstained and (error := self.prompter.session.nothing_usable(*_DECIDING)):
            error.usage = answer.usage
            raise error
        return answer

    async def _search(self) -> None:
        settings = self.settings
        mentions = self.context.retriever.linker.link(self.request.question) if settings.linker else ()
        mentions = tuple(mention for mention in mentions if mention.candidates)
        speaker = anchor_called(settings.speaker, self.context.graph) if settings.speaker else None
        anchors = [speaker] if speaker else []  # whom "I" and "my" stand for
        anchors += [Anchor.of(mention) for mention in mentions if is_sure(mention) or not settings.mentions]
        self._place_options()
        anchors = await self._look_up(anchors[: settings.anchors])
        self.mentions, self._anchors = mentions, anchors
        anchored = {anchor.entity.id for anchor in anchors}
        linked = [mention for mention in mentions if mention.candidates[0].entity.id in anchored]
        self.uncertain = uncertain_links(self.request.question, linked, self.context.retriever.lexicon)
        if settings.mentions and self._asks_for_entities():
            await self._name(await self.asker.entities())
        self._emit_links()
        if self._anchors or any(self._placed.values()):
            at_once = settings.breadth if settings.parallel else 1
            await self.around.fetch(self.options)
            surfaced, _ = await together(self._surface((), at_once), self._warm())
            await self._branch_out(surfaced)

    def _asks_for_entities(self) -> bool:
        """Whether the model is asked for entities: always in the paper's form (eq. 1).

        Ours asks where the linker finds nothing, or is not sure of a name; whom else an axiom names is looked up after
        it. Options are entities by themselves.
        """
        if not self.settings.additions or not (self._anchors or any(self._placed.values())):
            return True
        return not self._placed and is_left_open(self.request.question, self._anchors, self.mentions)

    async def _name(self, names: Sequence[str]) -> bool:
        """Look up the entities that the model names, and those of which the linker was not sure; whether any is new."""
        normalised_names = {normalise(name) for name in names}
        confirmed = [Anchor.of(mention) for mention in self.mentions if normalise(mention.text) in normalised_names]
        anchors = [*anchors_of_names(names, self.request.question, self.context.graph), *confirmed]
        before = len(self._anchors)
        self._anchors = await self._look_up(merged_anchors(self._anchors, anchors, self.settings.anchors))
        return len(self._anchors) > before

    async def _surface(self, failed: Sequence[tuple[Program, str]], count: int) -> list[Program]:
        """Axioms, and the entities looked up that they name beside those of the question."""
        programs = await self.asker.axioms(self._facts(failed), self._statements_by_name(), failed, count)
        if self.settings.additions and self.settings.mentions:
            names = [term.text for program in programs for term in program.terms if term.kind == "entity" and term.text]
            if names and await self._name(names):
                self._emit_links()
        return programs

    async def _branch_out(self, programs: Sequence[Program]) -> None:
        failed: list[tuple[Program, str]] = []
        queue = list(programs)
        for number in range(1, self.settings.breadth + 1):
            if not queue and failed:
                queue = await self._surface(failed, 1)
            if not queue:
                return
            at_once = queue if self.settings.parallel else queue[:1]
            queue = queue[len(at_once) :]
            for offset, program in enumerate(at_once):
                self.emit(AxiomSurfaced(branch=number + offset, program=program))
            branches = await together(*(self._grow(number + at, program) for at, program in enumerate(at_once)))
            if any(self._answers(outcome) for outcomes in branches for outcome in outcomes):
                return
            failed += [(outcomes[-1].program, _why_failed(outcomes)) for outcomes in branches if outcomes]
            if len(at_once) > 1:
                return

    async def _grow(self, number: int, program: Program) -> list[Outcome]:
        """A branch; of a multiple choice one for each option, until some satisfy the axiom."""
        if not self._placed:
            return [await Branch(self, number, program).run()]
        options = list(self._placed.items())
        # What one finds is nothing to the others.
        known = {option: self.known(option_entity) for option, option_entity in options}
        at_once = self.settings.options_at_once
        outcomes: list[Outcome] = []
        for start in range(0, len(options), at_once):
            batch = options[start : start + at_once]
            tried = [Branch(self, number, program, option, entity, known[option]) for option, entity in batch]
            if at_once == 1:
                await tried[0].run()
            else:
                await try_together(self, number, program, tried)
            outcomes += [branch.outcome for branch in tried]
            if any(outcome.verdict for outcome in outcomes):
                break
        return outcomes

    def _answers(self, outcome: Outcome) -> bool:
        return bool(outcome.verdict) if self._placed else outcome.verdict is not None

    def _place_options(self) -> None:
        """Find the options. Their random order depends on the seed, the question and the option alone."""
        seed = f"{self.settings.seed}\x1f{self.request.question}\x1f"
        place = {
            option: blake2b(f"{seed}{option}".encode(), digest_size=16).digest() for option in self.request.options
        }
        for option in sorted(self.request.options, key=place.__getitem__):
            anchor = anchor_called(option, self.context.graph)
            self._placed[option] = anchor.entity if anchor else None
        self.options = [entity for entity in self._placed.values() if entity is not None]

    async def _look_up(self, anchors: Sequence[Anchor]) -> list[Anchor]:
        """The same, looked up; in place of a name under which a thing is but filed that thing."""
        await self.around.fetch(anchor.entity for anchor in anchors)
        if not self.settings.additions:
            return list(anchors)
        filed = await self.around.filed(anchor.entity for anchor in anchors)
        await self.around.fetch(filed.values())
        resolved = [
            replace(anchor, entity=filed[anchor.entity], how="near") if anchor.entity in filed else anchor
            for anchor in anchors
        ]
        return merged_anchors(resolved, (), len(resolved))

    def _emit_links(self) -> None:
        self.links = [link for anchor in self._anchors if (link := anchor.link) is not None]
        self.emit(Linked(entities=tuple(anchor.linked(self.request.question) for anchor in self._anchors)))

    def _facts(self, failed: Sequence[tuple[Program, str]]) -> list[Statement]:
        """Statements that show the model, when it surfaces an axiom, what the graph has to say.

        After others failed those that were not shown yet, also of entities looked up since, nearest to their terms.
        """
        statements = self.around.statements(self.known(None))
        pruner, query, most = self.pruner, self.request.question, self.settings.facts
        if self.settings.pruning == "truncation" or not self.settings.additions:
            prune = pruner.named(self.settings.pruning)
            return [statements[place] for place in prune(query, statements, most)]
        query = "; ".join([query, *(term.text for program, _ in failed for term in program.terms if term.text)])
        candidates = [statement for statement in statements if not is_filing(statement.relation)]
        new = [statement for statement in candidates if statement.id not in self._facts_shown]
        shown = [new[place] for place in pruner.quick(query, new, most)]
        before = [statement for statement in candidates if statement.id in self._facts_shown]
        shown += [before[place] for place in pruner.quick(query, before, most - len(shown))]
        self._facts_shown |= {statement.id for statement in shown}
        return in_groups(shown)

    def _statements_by_name(self) -> dict[str, list[Statement]]:
        """What the graph says of each entity that was looked up; of options together."""
        statements_of: dict[str, list[Statement]] = {}
        for entity in self.known(None)[: self.settings.anchors]:
            statements = self.around.statements([entity])
            first = list({statement.relation.id: statement for statement in reversed(statements)}.values())
            order = self.pruner.quick(self.request.question, first, len(first))
            rank = {first[place].relation.id: at for at, place in enumerate(order)}
            statements_of.setdefault(node_words(entity), []).extend(
                sorted(statements, key=lambda statement: rank[statement.relation.id])
            )
        return statements_of | ({"the option": self.around.statements(self.options)} if self.options else {})

    async def _warm(self) -> None:
        """Embed the statements while the model is thinking."""
        statements = self.around.statements(self.known(None))
        if self.settings.pruning == "combined":
            await asyncio.to_thread(self.pruner.prepare, statements)
        else:
            prune = self.pruner.named(self.settings.pruning)
            await asyncio.to_thread(prune, self.request.question, statements, 1)

    def _answer(self) -> Answer:
        """The first answer that follows, else an abstention that names what the best branch lacks."""
        groups: dict[int, list[Outcome]] = {}
        for outcome in self.outcomes:
            tried = groups.setdefault(outcome.branch, [])
            # None is chosen before one that may still fit.
            if not self._placed or all(outcome.ended for outcome in tried):
                tried.append(outcome)
        for outcomes in groups.values():
            if any(self._answers(outcome) for outcome in outcomes):
                return self._settled(outcomes)
        usable = [outcomes for outcomes in groups.values() if any(outcome.evaluation for outcome in outcomes)]
        if usable:
            return self._settled(min(usable, key=_open))
        return self.abstained(*self._nothing(), *self._stopped())

    def _settled(self, outcomes: Sequence[Outcome]) -> Answer:
        builder, told = self.builder, {"by": self.prompter.model, **self.prompter.provenance()}
        fits = [outcome for outcome in outcomes if outcome.verdict]
        surest = max(fits, key=lambda outcome: outcome.score, default=None)  # of several that fit
        usable = [
            outcome
            for outcome in outcomes
            if outcome.evaluation is not None and (outcome is surest or not self._placed or not outcome.verdict)
        ]
        evaluations = [outcome.settle(self) for outcome in usable]
        last = replace(evaluations[-1], reasons=(*evaluations[-1].reasons, *self._stopped()))
        if not self._placed:
            return conclude(builder, last, score=1.0, **told)
        only = only_option_left(usable, len(self._placed)) if self.settings.elimination and not fits else None
        if only is not None:
            return eliminate(builder, evaluations, evaluations[usable.index(only)], score=_ELIMINATED, **told)
        nearest = [] if fits else nearest_options(usable)[:_NEAREST]
        besides = [Other(says=f"nearest is {outcome.option}: {outcome.failed}") for outcome in nearest]
        return choose(builder, [*evaluations[:-1], last], score=1.0, besides=besides, **told)

    def _nothing(self) -> list[Reason]:
        """Why there was nothing to evaluate."""
        problems = [outcome.problem for outcome in self.outcomes]
        if problems:
            return [Other(says=problems[0])]
        failed = self.prompter.session.failures.total()
        if not self.around.entities:
            return [Other(says=_NOTHING)]
        return [] if failed else [Other(says="the model surfaced no axiom that can be used")]

    def _stopped(self) -> list[Reason]:
        """What the budget or failed steps have to do with it."""
        reasons: list[Reason] = []
        if used_up := self.prompter.session.used_up:
            reasons.append(Stopped(what=used_up))
        if failed := self.prompter.session.failures.total():
            reasons.append(Unusable(times=failed))
        return reasons


class R3(AnsweringMethod):
    """R³ (papers/r3) for yes/no questions, claims and multiple choice."""

    name: ClassVar[str] = "r3"
    title: ClassVar[str] = "A commonsense axiom, surfaced by the model and grounded on statements"
    source: ClassVar[str] = "Right for Right Reasons (Toroghi et al., 2024)"
    takes = frozenset({"claim", "options"})
    answering = _R3Run
    settings: R3Settings

    @classmethod
    def forms(cls) -> Mapping[str, R3Settings]:
        """Axioms as programs, as the paper has them in words, and the paper's ablations."""
        return {"program": R3Settings(), **{name.replace(" ", "-"): form for name, form in ABLATIONS.items()}}

    def most_calls(self, options: int = 0) -> int:
        """For entities, and each axiom with its groundings, picks and needs; each ``options_at_once`` by themselves."""
        settings = self.settings
        grounded = settings.depth + 1
        if options and settings.options_at_once > 1:
            tried = ceil(options / settings.options_at_once) * grounded
        else:
            words = settings.axiom == "words"
            asked = int(words or options > 0)  # calls for what is missing, where a grounding does not say it
            looked_up = asked + (0 if words else _CLAUSES + (0 if options else _LOOKS))
            picked = 1 + settings.depth * looked_up if settings.pick else 0
            tried = max(1, options) * (grounded + settings.depth * asked + picked)
        return int(settings.mentions) + settings.breadth * (1 + tried)

    def refusal(self, request: Request) -> str | None:
        """It decides what is so: a question for a name or a number is another method's."""
        word = question_word(request.question)
        if request.task == "claim" or request.options or word is None:
            return None
        return f"answers yes or no, and “{word}” asks for something else: take fidelis, sparql or auto, by --method"


def _why_failed(outcomes: Sequence[Outcome]) -> str:
    """Why an axiom led to no answer: of several options, what each of its clauses came to."""
    if outcomes[0].option is None:
        return outcomes[0].reason
    return "no option satisfies it: " + "; ".join(f"{outcome.option}: {outcome.failed}" for outcome in outcomes)


def _open(outcomes: Sequence[Outcome]) -> tuple[int, int]:
    """How much is unknown in a branch, and its number."""
    lacking = sum(
        len(outcome.evaluation.missing) if outcome.evaluation else len(outcome.program.clauses) for outcome in outcomes
    )
    return lacking, outcomes[0].branch
