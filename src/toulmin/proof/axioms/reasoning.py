"""From an axiom and the statements cited for it to steps of a proof, and what follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal as Choice

from toulmin.errors import InputError
from toulmin.graph.types import Statement, node_key
from toulmin.proof.axioms.binder import Assumptions, Binder, Citation
from toulmin.proof.axioms.evaluation import Evaluator, Grounds, units
from toulmin.proof.axioms.formula import Formula, names_of, written
from toulmin.proof.axioms.language import Program
from toulmin.proof.axioms.missing import Missing, missing_of
from toulmin.proof.axioms.replies import GroundingReply
from toulmin.proof.axioms.steps import Axiom, grounds_of, judgement_claim
from toulmin.proof.builder import NEW, ProofBuilder
from toulmin.proof.model import Decision, Link, Proof
from toulmin.proof.operators.axioms import AxiomChoice, AxiomPart, AxiomVerdict

__all__ = ["ClauseResult", "Evaluation", "Reasoner", "choose", "conclude"]

How = Choice["computed", "judged", "unknown"]


@dataclass(frozen=True, slots=True)
class ClauseResult:
    """Whether a clause is true, and whether that was computed or judged."""

    name: str
    text: str
    truth: bool | None
    how: How


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What follows from an axiom.

    Attributes:
        verdict: the answer that it licenses; None: none.
        truth: of its formula; None: unknown.
        clauses: each by itself.
        judged: whether a part of the formula rests on a judgement.
        missing: what the clauses that are unknown lack.
        refused: groundings that code found wrong, one line each.
        step: of the verdict, in the proof; premise of a conclusion.
        option: the option that was tried.
        reason: of an abstention, where the verdict is None.
    """

    verdict: bool | None
    truth: bool | None
    clauses: tuple[ClauseResult, ...]
    judged: bool
    missing: tuple[Missing, ...]
    refused: tuple[str, ...]
    step: str
    option: str | None
    reason: str

    @property
    def recomputed(self) -> bool:
        """Whether nothing was judged: the verdict follows from statements alone, given the axiom and its words."""
        return not self.judged


@dataclass(frozen=True, slots=True)
class _Judged:
    decision: Decision
    statements: tuple[Statement, ...]
    score: float
    by: str


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
        for one in reply.groundings:
            cited = tuple(statements[number - 1] for number in one.statements)
            self._citations.setdefault(one.term, []).append(Citation(cited, one.only, one.qualifier))
        for said in reply.judgements:
            cited = tuple(statements[number - 1] for number in said.statements)
            if cited:
                self._judged[said.clause] = _Judged(said.decision, cited, said.score, self.by)

    def evaluate(
        self, builder: ProofBuilder, *, option: str | None = None, assumptions: Assumptions | None = None
    ) -> Evaluation:
        """Add the steps to a proof and say what follows.

        Args:
            builder: with the links of the question; ``builder.fork()`` to try without keeping the steps.
            option: the option to try.
            assumptions: made only where nothing follows without them.

        Raises:
            InputError: the axiom speaks of an option and none is given, or the other way round, or it takes too many
                combinations of values.
        """
        if self.program.has_option and option is None:
            raise InputError("the axiom speaks of an option, and none is given")
        if option is not None and not self.program.tries_option:
            raise InputError("an option is given, and nothing in the axiom depends on it")
        if assumptions and self._evaluate(builder.fork(), option, Assumptions()).verdict is None:
            return self._evaluate(builder, option, assumptions)
        return self._evaluate(builder, option, Assumptions())

    def _evaluate(self, builder: ProofBuilder, option: str | None, assumptions: Assumptions) -> Evaluation:
        program = self.program
        axiom = builder.add(Axiom(id=NEW, program=program))
        binder = Binder(builder, axiom, program, self._citations, self.by, assumptions, option)
        binder.bind()
        grounds = grounds_of(axiom, binder.all, builder.steps)
        results = [self._result(clause.name, grounds) for clause in program.clauses]
        parts = [self._part(unit, builder, axiom, binder, option) for unit in units(program)]
        verdict = AxiomVerdict(axiom=axiom, parts=tuple(parts), option=option)
        step = builder.add_computation("axiom_verdict", verdict)
        output = builder.steps[step].yields()
        known = {name: said.decision == "yes" for name, said in self._judged.items() if said.decision != "unknown"}
        truth = Evaluator(program, grounds, known).truth(program.tree)
        lacking = missing_of(program, grounds, [result.name for result in results if result.truth is None])
        return Evaluation(
            verdict=output.verdict if output else None,
            truth=truth,
            clauses=tuple(results),
            judged=any(builder.steps[part].arguments.judgements for part in parts),  # type: ignore[attr-defined]
            missing=lacking if truth is None else (),
            refused=tuple(binder.refused),
            step=step,
            option=option,
            reason=_reason(program, truth, lacking),
        )

    def _result(self, name: str, grounds: Grounds) -> ClauseResult:
        said = self._judged.get(name)
        text, truth = self.program.clause(name).text, Evaluator(self.program, grounds).clause(name)
        if truth is None and said is not None and said.decision != "unknown":
            return ClauseResult(name, text, said.decision == "yes", "judged")
        return ClauseResult(name, text, truth, "unknown" if truth is None else "computed")

    def _part(self, unit: Formula, builder: ProofBuilder, axiom: str, binder: Binder, option: str | None) -> str:
        """A part by computation alone where that decides it, else with what was judged of its clauses."""
        arguments = AxiomPart(axiom=axiom, part=written(unit), bindings=binder.of(names_of(unit)), option=option)
        judged = [name for name in sorted(names_of(unit)) if name in self._judged]
        if judged and builder.evaluate("axiom_part", arguments).verdict is None:
            judgements = tuple(self._judgement(name, builder, option) for name in judged)
            arguments = arguments.model_copy(update={"judgements": judgements})
        return builder.add_computation("axiom_part", arguments)

    def _judgement(self, name: str, builder: ProofBuilder, option: str | None) -> str:
        said = self._judged[name]
        ends = {node_key(end) for one in said.statements for end in (one.subject, one.object)}
        links = {one.entity.id: one.id for one in builder.steps.values() if isinstance(one, Link)}
        evidence = [link for entity, link in links.items() if entity in ends]
        evidence += [builder.add_fact(statement) for statement in dict.fromkeys(said.statements)]
        claim = judgement_claim(self.program, name, option)
        return builder.add_judgement(claim, by=said.by, evidence=evidence, score=said.score, decision=said.decision)


def _reason(program: Program, truth: bool | None, lacking: Sequence[Missing]) -> str:
    if truth is not None:
        said, direction = ("hold", "necessary") if truth else ("do not hold", "sufficient")
        return f"the axiom's clauses {said}, from which nothing follows: it is only {direction}"
    told = "; ".join(f"«{one.text}» is unknown: {one.why}" for one in lacking)
    return told or "the values known leave the axiom open"


def conclude(
    builder: ProofBuilder, evaluation: Evaluation, *, by: str, score: float, confidence: float | None = None
) -> Proof:
    """The proof of the answer that an evaluation gives, or of an abstention that names what is missing.

    Args:
        by, score: who says that the axiom answers the question, on that judge's scale.
    """
    judged = builder.add_reading(evaluation.step, by=by, score=score)
    if evaluation.verdict is None:
        return builder.abstain(evaluation.reason, evaluation.step, judged, kind="verdict", confidence=confidence)
    return builder.conclude(evaluation.step, judged, confidence=confidence)


def choose(
    builder: ProofBuilder, tried: Sequence[Evaluation], *, by: str, score: float, confidence: float | None = None
) -> Proof:
    """The proof that chooses, of the options tried (in order), those for which the axiom says yes.

    Raises:
        InputError: none was tried, or one twice.
    """
    if not tried:
        raise InputError("no option was tried")
    arguments = AxiomChoice(verdicts=tuple(one.step for one in tried))
    step = builder.add_computation("axiom_choice", arguments)
    judged = builder.add_reading(step, by=by, score=score)
    if any(one.verdict for one in tried):
        return builder.conclude(step, judged, confidence=confidence)
    told = "; ".join(f"{one.option}: {one.reason}" for one in tried if one.verdict is None)
    reason = f"no option satisfies the axiom ({told})" if told else "no option satisfies the axiom"
    return builder.abstain(reason, step, judged, confidence=confidence)
