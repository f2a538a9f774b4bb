"""From an axiom and the statements cited for it to a program, and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any
from typing import Literal as Choice

from toulmin.errors import InputError
from toulmin.graph.types import Entity, Literal, Statement
from toulmin.methods.r3.axioms.compiling import Compiler
from toulmin.methods.r3.axioms.formula import Formula, names_of
from toulmin.methods.r3.axioms.language import Program, Take
from toulmin.methods.r3.axioms.meanings import Assumptions, Link
from toulmin.methods.r3.axioms.missing import MissingEvidence, known_of, missing_of
from toulmin.methods.r3.axioms.replies import ClauseJudgement, GroundingReply
from toulmin.methods.r3.axioms.term_binder import Citation, TermBinder, shown_statement
from toulmin.program.answer import Answer
from toulmin.program.builder import Builder
from toulmin.program.reasons import Nothing, Reason, Unknown

__all__ = ["ClauseResult", "Evaluation", "Reasoner", "choose", "conclude", "eliminate"]

_SHOWN = 2  # statements by which a clause was judged that are told in words
How = Choice["computed", "judged", "unknown"]


@dataclass(frozen=True, slots=True)
class ClauseResult:
    """Whether a clause is true, and whether that was computed or judged.

    Attributes:
        by: what it rests on: the statements that it was judged by, or the values it was computed from, in words.
        score: how sure a judgement is; 1 of what was computed.
    """

    name: str
    text: str
    truth: bool | None
    how: How
    by: str = ""
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What follows from an axiom.

    Attributes:
        verdict: the answer that it licenses; None: none.
        truth: of its formula; None: unknown.
        clauses: each by itself.
        judged: whether the formula rests on a judgement.
        missing: what the clauses that are unknown lack.
        refused: groundings that code found wrong, one line each.
        place: of the ``rule`` in the program.
        option: the option that was tried.
        reason: why there is no verdict, in words; of an abstention in ``reasons``.
    """

    verdict: bool | None
    truth: bool | None
    clauses: tuple[ClauseResult, ...]
    judged: bool
    missing: tuple[MissingEvidence, ...]
    refused: tuple[str, ...]
    place: int
    option: str | None
    reason: str
    reasons: tuple[Reason, ...]


#: What was judged of a clause, and the statements that were cited for it.
_Judged = tuple[ClauseJudgement, tuple[Statement, ...]]


@dataclass(slots=True)
class Reasoner:
    """Collects what was said of one axiom's terms and clauses, and evaluates it.

    Args:
        by: who grounds and judges: a model's name, or "caller".
    """

    program: Program
    by: str
    _citations: dict[str, list[Citation]] = field(default_factory=dict)
    _judged: dict[str, _Judged] = field(default_factory=dict)

    def ground(self, reply: GroundingReply, statements: Sequence[Statement]) -> None:
        """Take a reply whose numbers count ``statements`` from 1; what it says of a clause replaces what was said."""
        for grounding in reply.groundings:
            cited = tuple(statements[number - 1] for number in grounding.statements)
            self._citations.setdefault(grounding.term, []).append((grounding, cited))
        for judgement in reply.judgements:
            cited = tuple(dict.fromkeys(statements[number - 1] for number in judgement.statements))
            if cited:
                self._judged[judgement.clause] = judgement, cited

    def evaluate(
        self,
        builder: Builder,
        *,
        links: Sequence[Link] = (),
        option: str | None = None,
        option_entity: Entity | None = None,
        assumptions: Assumptions | None = None,
        stated: bool = True,
    ) -> Evaluation:
        """Add the axiom to a program and say what follows.

        Args:
            builder: ``builder.fork()`` to try without keeping the nodes.
            links: the words of the question that stand for entities.
            option: the option to try; ``option_entity``: the entity that it is, where that is known.
            assumptions: made only where nothing follows without them.
            stated: whether the axiom's own word that lists are complete is taken, where nothing follows, or more is
                left open, without that.

        Raises:
            InputError: the axiom speaks of an option and none is given, or the other way round, or it takes too many
                combinations of values.
        """
        if self.program.has_option and option is None:
            raise InputError("the axiom speaks of an option, and none is given")
        if option is not None and not self.program.tries_option:
            raise InputError("an option is given, and nothing in the axiom depends on it")

        def evaluated(on: Builder, assumed: Assumptions) -> Evaluation:
            binder = TermBinder(on, self.program, self._citations, links, assumed, option, option_entity)
            return _Evaluated(binder, self.by, self._judged).evaluation()

        allowed = assumptions or Assumptions()
        further = [allowed] if assumptions else []
        further += [replace(allowed, stated=True)] if stated and self.program.states_completeness else []
        for assumed in [Assumptions(), *further] if further else []:
            if evaluated(builder.fork(), assumed).verdict is not None:
                return evaluated(builder, assumed)
        # What is assumed complete is no longer asked for, though the rest leaves the whole open.
        least = min([allowed, *further[-1:]], key=lambda assumed: len(evaluated(builder.fork(), assumed).missing))
        return evaluated(builder, least)


class _Evaluated:
    """One evaluation: every clause is computed, and judged only where that leaves it open."""

    def __init__(self, binder: TermBinder, by: str, judged: dict[str, _Judged]) -> None:
        self._by, self._judged, self._sets = by, judged, binder.bind()
        self._program, self._builder, self._option = binder.program, binder.builder, binder.option
        self._refused = tuple(binder.refused)
        compiler = Compiler(self._sets)
        self._alone = {clause.name: compiler.clause(clause.name) for clause in binder.program.clauses}
        truths = ((name, place if place is None else self._builder.truth(place)) for name, place in self._alone.items())
        self._computed: dict[str, bool | None] = dict(truths)
        self._known = {
            name: judgement.decision == "yes"
            for name, (judgement, _) in judged.items()
            if judgement.decision != "unknown" and self._computed[name] is None
        }

    def evaluation(self) -> Evaluation:
        """Compute the formula, and judge what that leaves open."""
        program, builder = self._program, self._builder
        open_ = {name: self._judgement(name, decided=False) for name, place in self._alone.items() if place is None}
        replaced = self._replaced(open_)
        condition = Compiler(self._sets, open_ | replaced).formula(program.tree)
        truth = builder.truth(condition)
        rule = builder.rule(
            program.text,
            condition,
            by=self._by,
            direction=program.direction,
            if_true=program.if_true,
            if_false=program.if_false,
        )
        results = tuple(self._result(clause.name) for clause in program.clauses)
        verdict = builder.truth(rule)
        places = {name: place for name, place in self._alone.items() if place is not None} | open_
        unknown = [clause.name for clause in results if clause.truth is None]
        lacking = tuple(missing_of(self._sets, name, places[name], computed=name not in open_) for name in unknown)
        missing = lacking if truth is None else ()
        reasons = tuple(dict.fromkeys(reason for evidence in missing for reason in evidence.reasons()))
        return Evaluation(
            verdict=verdict,
            truth=truth,
            clauses=results,
            judged=bool(replaced),
            missing=missing,
            refused=self._refused,
            place=rule,
            option=self._option,
            reason=_reason(program, truth, lacking),
            reasons=() if verdict is not None else reasons or (Unknown(of=rule),),
        )

    def _replaced(self, open_: dict[str, int]) -> dict[str, int]:
        """The judgements of clauses, in parts of the formula that stay unknown without them."""
        replaced: dict[str, int] = {}
        while True:
            compiler = Compiler(self._sets, open_ | replaced)
            unused = self._known.keys() - replaced.keys()
            units = [unit for unit in compiler.units() if names_of(unit) & unused]
            unknown = [unit for unit in units if self._builder.truth(compiler.formula(unit)) is None]
            names = [name for unit in unknown for name in self._deciding(unit, unused)]
            if not names:
                return replaced
            replaced |= {name: self._judgement(name) for name in names}  # what is left may range over less now

    def _judgement(self, name: str, *, decided: bool = True) -> int:
        """The node of the judgement of a clause; where there is none, of "unknown"."""
        text = self._program.clause(name).text
        says = f"{text} (the option: {self._option})" if self._option is not None else text
        judgement, cited = self._judged.get(name, (None, ()))
        if judgement is None or (not decided and judgement.decision != "unknown"):
            return self._builder.judged(says, by=self._by, score=0.0, decision="unknown")
        seen = [self._builder.statement(statement) for statement in cited]
        return self._builder.judged(says, by=self._by, score=judgement.score, decision=judgement.decision, seen=seen)

    def _deciding(self, unit: Formula, unused: Set[str]) -> list[str]:
        """The clauses of a part that are judged: not those of which a value that is known says the contrary.

        By itself a clause may be open since several values disagree: then it is not for anybody to judge.
        """
        names = sorted(names_of(unit) & unused)
        return [name for name in names if not self._is_disputed(name, alone=unit.op == "is")]

    def _is_disputed(self, name: str, *, alone: bool) -> bool:
        if self._alone[name] is None:
            return False
        yes, clause = self._known[name], self._program.clause(name)
        if clause.op == "exists" and not yes and self._sets.has_hole(str(clause.left)):
            return True  # there is one, not known which
        take: Take = "all" if yes else "some"
        takes: dict[Take, Take] = {"one": take} if alone else {"one": take, "some": take, "all": take}
        place = Compiler(self._sets, takes=takes).clause(name)
        return place is not None and self._builder.truth(place) is not None

    def _result(self, name: str) -> ClauseResult:
        text, truth = self._program.clause(name).text, self._computed[name]
        if truth is None and name in self._known:
            judgement, cited = self._judged[name]
            shown = "; ".join(map(shown_statement, cited[:_SHOWN]))
            return ClauseResult(name, text, self._known[name], "judged", shown, judgement.score)
        if truth is None:
            return ClauseResult(name, text, None, "unknown")
        return ClauseResult(name, text, truth, "computed", known_of(self._sets, name))


def _reason(program: Program, truth: bool | None, lacking: Sequence[MissingEvidence]) -> str:
    if truth is not None:
        hold, direction = ("hold", "necessary") if truth else ("do not hold", "sufficient")
        return f"the axiom's clauses {hold}, from which nothing follows: it is only {direction}"
    unknown = "; ".join(f"«{missing.text}» is unknown: {missing.why}" for missing in lacking)
    return unknown or "the values known leave the axiom open"


def conclude(builder: Builder, evaluation: Evaluation, *, by: str, score: float, **provenance: Any) -> Answer:
    """The answer that an evaluation gives, or an abstention that names what is missing.

    Args:
        by, score: who says that the axiom answers the question, and how surely.
        provenance: of the certificate: ``method`` and what else ``Builder.answer`` takes.
    """
    if evaluation.verdict is None:
        tried = [evaluation.place]
        return builder.abstain(evaluation.reasons, tried=tried, by=by, score=score, **provenance)
    return builder.answer(evaluation.place, by=by, score=score, **provenance)


def choose(
    builder: Builder,
    tried: Sequence[Evaluation],
    *,
    by: str,
    score: float,
    besides: Sequence[Reason] = (),
    **provenance: Any,
) -> Answer:
    """The answer that chooses, of the options tried (in order), those for which the axiom says yes.

    Args:
        besides: reasons of an abstention, beside those of the evaluations.

    Raises:
        InputError: none was tried, or one twice.
    """
    options = [(Literal(evaluation.option or ""), evaluation.place) for evaluation in tried]
    if not options or len({option for option, _ in options}) < len(options):
        raise InputError("no option was tried, or one twice")
    place = builder.choice(options)
    if any(evaluation.verdict for evaluation in tried):
        return builder.answer(place, by=by, score=score, **provenance)
    further = [reason for evaluation in tried for reason in evaluation.reasons]
    reasons = tuple(dict.fromkeys([Nothing(of=place), *besides, *further]))
    return builder.abstain(reasons, tried=[place], by=by, score=score, **provenance)


def eliminate(
    builder: Builder, tried: Sequence[Evaluation], remaining: Evaluation, *, by: str, score: float, **provenance: Any
) -> Answer:
    """The answer that is left where the axiom rules every other option out, and of it is open.

    It does not say that the axiom is satisfied: that one of the options is meant is a rule of its own, which is judged.

    Raises:
        InputError: an option was tried twice, or another one is not ruled out.
    """
    ruled_out = [builder.not_(evaluation.place) for evaluation in tried if evaluation is not remaining]
    only = builder.rule(
        "One of the options is meant, and the axiom rules out every other one.",
        builder.and_(*ruled_out) if len(ruled_out) > 1 else ruled_out[0],
        by="r3",
        direction="sufficient",
    )
    places = [
        (evaluation, builder.or_(evaluation.place, only) if evaluation is remaining else evaluation.place)
        for evaluation in tried
    ]
    place = builder.choice([(Literal(evaluation.option or ""), at) for evaluation, at in places])
    return builder.answer(place, by=by, score=score, **provenance)
