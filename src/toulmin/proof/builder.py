"""Builds proofs and answers step by step, so that a method states what it found and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.metadata import version

from toulmin.errors import InputError
from toulmin.graph.protocol import Graph
from toulmin.graph.types import Entity, Node, ReasoningPath, Relation, Statement
from toulmin.proof.answer import Answer, Usage, answer_text
from toulmin.proof.chains.building import ChainCollector
from toulmin.proof.collecting import NEW
from toulmin.proof.model import (
    Absence,
    AnswerKind,
    Arguments,
    Computation,
    Conclusion,
    Decision,
    Fact,
    Link,
    LinkHow,
    Output,
    Path,
    Policy,
    Proof,
    Query,
    Witness,
)
from toulmin.proof.operators.paths import Walk
from toulmin.proof.queries import query_output, row_hash
from toulmin.proof.reading import reading
from toulmin.proof.registry import OPERATORS
from toulmin.proof.showing import SHOWN, to_show
from toulmin.proof.texts.building import TextCollector
from toulmin.proof.texts.sentences import sentences_of
from toulmin.proof.texts.steps import Claim

__all__ = ["NEW", "ProofBuilder"]


class ProofBuilder(ChainCollector, TextCollector):
    """Collects the steps of one proof; every ``add_…`` returns the id of its step, and the same step is added once.

    Args:
        question: the question's text, to which the offsets of links refer.
        graph: the graph that the answer is made on.
    """

    def __init__(self, question: str, graph: Graph) -> None:
        super().__init__(question, graph)
        self._walks: dict[tuple[str, Arguments], Walk] = {}

    def add_link(self, start: int, end: int, entity: Entity, form: str, score: float, how: LinkHow) -> str:
        """The words ``question[start:end]`` taken for an entity that has the label or alias ``form``."""
        span = self.question[start:end]
        return self.add(Link(id=NEW, span=span, start=start, end=end, entity=entity, form=form, score=score, how=how))

    def add_fact(self, statement: Statement) -> str:
        """A statement of the graph."""
        return self.add(Fact(id=NEW, statement=statement, statement_id=statement.id))

    def add_path(
        self,
        path: ReasoningPath,
        statements: Iterable[Statement],
        *,
        link: str | None = None,
        witnesses: Sequence[tuple[int, Statement]] = (),
    ) -> str:
        """A reasoning path with its statements (in any order), and (position, statement) for each constraint it meets.

        Args:
            link: the step that links the start; None: the link of the path's start entity.

        Raises:
            InputError: the start entity has not been linked.
        """
        facts = [self.add_fact(statement) for statement in (*statements, *(statement for _, statement in witnesses))]
        return self.add(
            Path(
                id=NEW,
                rests_on=tuple(dict.fromkeys((link or self._link_of(path.start), *facts))),
                path=path,
                witnesses=tuple(Witness(position=at, statement=statement.id) for at, statement in witnesses),
            )
        )

    def evaluate(self, operator: str, arguments: Arguments) -> Output:
        """What an operator yields for earlier steps, without adding it to the proof.

        Raises:
            InputError: the operator is not known, or does not apply to these steps.
        """
        walk = self._walk(operator, arguments)
        if walk is not None:
            return Output(values=walk.ends)
        return OPERATORS.get(operator).recompute(arguments, self._steps, self.graph)

    def add_computation(self, operator: str, arguments: Arguments, output: Output | None = None) -> str:
        """An operator applied to earlier steps; without ``output`` it is computed here, by what the check will use.

        Raises:
            InputError: the operator is not known, or does not apply to these steps.
        """
        if output is None:
            output = self.evaluate(operator, arguments)
        return self.add(
            Computation(id=NEW, rests_on=arguments.inputs(), operator=operator, arguments=arguments, output=output)
        )

    def add_witnesses(self, of: str) -> list[str]:
        """The paths that a conclusion of the step ``of`` must show (``to_show``), found by walking the graph."""
        paths: list[str] = []
        for walked, values in to_show(of, self._steps).items():
            step = self._steps[walked]
            walk = self._walk(step.operator, step.arguments) if isinstance(step, Computation) else None
            if walk is not None:
                found = [walk.path_to(value) for value in list(values.values())[:SHOWN]]
                paths.extend(self.add_path(one.path, one.statements, witnesses=one.witnesses) for one in found)
        return list(dict.fromkeys(paths))

    def add_query(self, text: str, witnesses: Iterable[Statement] = (), *, timeout: float = 30.0) -> str:
        """Run a SPARQL query and record what it gave.

        Raises:
            QueryError: malformed, an update, or too slow.
        """
        cited = list(dict.fromkeys(witnesses))
        result = self.graph.query(text, timeout=timeout)
        return self.add(
            Query(
                id=NEW,
                rests_on=tuple(self.add_fact(statement) for statement in cited),
                text=text,
                variables=result.variables,
                row_hash=row_hash(text, result.rows),
                output=query_output(text, result, self.graph),
                witnesses=tuple(statement.id for statement in cited),
            )
        )

    def add_absence(
        self,
        subject: Entity | None,
        relation: Relation,
        object_: Node | None,
        *,
        policy: Policy = "open world",
        fact: Statement | None = None,
    ) -> str:
        """A search without limits that found nothing; with the policy "no value" ``fact`` says that there is none.

        Raises:
            InputError: the subject or object is an entity that has not been linked.
        """
        ends = dict.fromkeys(end for end in (subject, object_) if isinstance(end, Entity))
        premises = [self._link_of(end) for end in ends]
        if fact is not None:
            premises.append(self.add_fact(fact))
        return self.add(
            Absence(
                id=NEW,
                rests_on=tuple(premises),
                subject=subject,
                relation=relation,
                object=object_,
                scope=self.graph.fingerprint,
                policy=policy,
            )
        )

    def add_reading(self, of: str, *, by: str, score: float, decision: Decision = "yes") -> str:
        """The judgement of whether the question asks for what the step ``of`` yields; a conclusion needs one.

        Raises:
            InputError: the step yields nothing that can be asked for.
        """
        claim = reading(self.question, of, self._steps)
        return self.add_judgement(claim, by=by, evidence=(of,), score=score, decision=decision)

    def conclude(self, of: str, *premises: str, confidence: float | None = None) -> Proof:
        """The proof whose answer is what the step ``of`` yields.

        Args:
            premises: the reading, and the paths that show the values.

        Raises:
            InputError: the step yields no answer (then ``abstain``).
        """
        output = self._steps[of].yields()
        if output is None or (not output.values and output.verdict is None):
            raise InputError(f"step {of!r} yields no answer: abstain instead")
        self.add(
            Conclusion(
                id=NEW,
                rests_on=tuple(dict.fromkeys((of, *premises))),
                of=of,
                question=self.question,
                answer_kind="values" if output.verdict is None else "verdict",
                values=output.values,
                verdict=output.verdict,
                at_least=output.at_least,
                confidence=confidence,
            )
        )
        return Proof(steps=tuple(self._steps.values()))

    def abstain(
        self, reason: str, *premises: str, kind: AnswerKind = "values", confidence: float | None = None
    ) -> Proof:
        """The proof of an abstention; ``reason`` says what is missing.

        Args:
            premises: what was tried: links, and steps that yield something, each with its reading.
        """
        self.add(
            Conclusion(
                id=NEW,
                rests_on=premises,
                of=None,
                question=self.question,
                answer_kind=kind,
                abstained=True,
                reason=reason,
                confidence=confidence,
            )
        )
        return Proof(steps=tuple(self._steps.values()))

    def answer(
        self,
        proof: Proof,
        *,
        method: str,
        usage: Usage | None = None,
        model: str | None = None,
        prompts_hash: str | None = None,
    ) -> Answer:
        """The answer that a proof of this builder concludes."""
        said = proof.conclusion()
        if said is None:
            raise InputError("the proof has no conclusion, or more than one")
        steps = proof.by_id()
        claims = [steps[one] for one in said.rests_on] if said.answer_kind == "text" else []
        sentences = sentences_of([one for one in claims if isinstance(one, Claim)], self.question, steps)
        return Answer(
            version=version("toulmin"),
            question=self.question,
            kind=said.answer_kind,
            values=said.values,
            text=answer_text(
                values=said.values,
                verdict=said.verdict,
                at_least=said.at_least,
                abstained=said.abstained,
                reason=said.reason,
                sentences=sentences,
            ),
            sentences=sentences,
            verdict=said.verdict,
            abstained=said.abstained,
            reason=said.reason,
            confidence=said.confidence,
            proof=proof,
            usage=usage or Usage(),
            method=method,
            model=model,
            prompts_hash=prompts_hash,
            graph_fingerprint=self.graph.fingerprint,
        )

    def _walk(self, operator: str, arguments: Arguments) -> Walk | None:
        """The walk of an operator whose values are ends of paths, made once; None of any other operator."""
        made = OPERATORS.get(operator).walk
        if made is not None and (operator, arguments) not in self._walks:
            self._walks[operator, arguments] = made(arguments, self._steps, self.graph)
        return self._walks.get((operator, arguments))

    def _link_of(self, entity: Entity) -> str:
        for step in self._steps.values():
            if isinstance(step, Link) and step.entity.id == entity.id:
                return step.id
        raise InputError(f"{entity.id!r} is used, but no step links it to the question")

    def fork(self) -> ProofBuilder:
        """A builder with the same steps, to try something without keeping it."""
        copy = ProofBuilder(self.question, self.graph)
        copy._steps, copy._ids, copy._walks = dict(self._steps), dict(self._ids), dict(self._walks)
        return copy
