"""Variants I and II: a reader concludes from facts that were selected or generated (papers/rr, 5.3, A.4)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from toulmin.entailment.protocol import Scorer
from toulmin.errors import BudgetError
from toulmin.methods.answering import Answering
from toulmin.methods.protocol import Event
from toulmin.methods.rr.chain_prompter import ChainPrompter, FactQuestion
from toulmin.methods.rr.chains import normalised, parse_chain
from toulmin.methods.rr.sentence_scores import Entailed, FoundEvidence, faithfulness_of, score_sentences
from toulmin.methods.rr.voting import Case, Conclusion, Sample
from toulmin.program.json_forms import CertificateModel as Frozen
from toulmin.program.reasons import Other, Reason, Split, Stopped
from toulmin.program.weighing import Thresholds
from toulmin.retrieval.embedders import Vectors

if TYPE_CHECKING:
    from toulmin.retrieval.knowledge import Evidence

__all__ = ["FactReading", "FactsGenerated", "FactsSelected", "GeneratedFact", "SelectedFact", "most_faithful", "topics"]

_BEFORE = re.compile(r"^(?:(?:about|around|at|by|for|from|in|near|of|on|since|to|until|with)\s+)+(?=\S)")


class SelectedFact(Frozen):
    """A supporting fact of the best output and the most faithful fact of its topic."""

    fact: str
    instead_of: str
    faithfulness: float
    topic: tuple[str, ...]

    @property
    def words(self) -> str:
        """As a trace shows it."""
        other = "" if self.fact == self.instead_of else f", in place of: {self.instead_of}"
        return f"{self.fact} ({self.faithfulness:.2f}{other})"


class FactsSelected(Event):
    """Variant I chose the supporting facts."""

    event: str = "facts selected"
    facts: tuple[SelectedFact, ...]


class GeneratedFact(Frozen):
    """A statement that was made from evidence by question and answer.

    Args:
        kept: it stands among the supporting facts now, for the fact it was asked about.
    """

    fact: str
    question: str
    answer: str
    statement: str
    entailment: float
    contradiction: float
    kept: bool

    @property
    def words(self) -> str:
        """As a trace shows it."""
        return f"{self.question} {self.answer}: {self.statement} ({'kept' if self.kept else 'not kept'})"


class FactsGenerated(Event):
    """Variant II generated facts; ``facts`` are the supporting facts now."""

    event: str = "facts generated"
    generated: tuple[GeneratedFact, ...]
    facts: tuple[str, ...]


@dataclass(slots=True)
class FactReading:
    """The last part of variants I and II: facts are selected, generated where that is wanted, and read.

    Args:
        asker: plays the roles; None: there is no model, and the selected facts are shown.
        samples: all outputs.
        best: the one of most weight, whose facts are replaced.
        found: the evidence for each sentence.
        terms: the faithfulness of each sentence.
    """

    run: Answering
    asker: ChainPrompter | None
    case: Case
    samples: Sequence[Sample]
    best: Sample
    found: Sequence[FoundEvidence]
    terms: Mapping[str, float]
    thresholds: Thresholds
    scorer: Scorer

    async def concluded(self) -> Conclusion:
        """Select facts, generate facts where that is wanted, and let the reader conclude.

        The sentences of all outputs by topic, the facts that were selected and those that were generated are told in
        the trace; the answer is the vote of the reader's one output, which holds the facts.
        """
        case, terms, best = self.case, self.terms, self.best.sentences
        if not best:
            return Conclusion(reasons=(Other(says="the best output states no fact"),))
        groups = await asyncio.to_thread(self._topics)
        facts = most_faithful(best, groups, terms)
        topic = {sentence: group for group in groups for sentence in group}
        selected = [
            SelectedFact(
                fact=fact,
                instead_of=next((sentence for sentence in best if sentence in topic[fact]), fact),
                faithfulness=terms[fact],
                topic=tuple(topic[fact]),
            )
            for fact in facts
        ]
        self.run.emit(FactsSelected(facts=tuple(selected)))
        trace: dict[str, Any] = {"topics": groups, "selected": [choice.model_dump(mode="json") for choice in selected]}
        if self.asker is None:
            shown = "; ".join(f"{fact} ({terms[fact]:.2f})" for fact in facts)
            reason = Other(says=f"no model reads the selected facts (with their faithfulness): {shown}")
            return Conclusion(reasons=(reason,), tried=(case.builder.add(case.read(facts, None)),), trace=trace)
        reader, why = None, list[Reason]()
        try:
            if case.settings.variant == "generation":
                scored = await self._generated(self.asker, facts, groups)
                if scored:
                    facts, generated = self._taken(facts, groups, scored)
                    self.run.emit(FactsGenerated(generated=tuple(generated), facts=tuple(facts)))
                    trace["generated"] = [new.model_dump(mode="json") for new in generated]
            reader = await self.asker.read(facts)
        except BudgetError:
            why.append(Stopped(what=self.run.prompter.session.used_up or "calls"))
        vote = case.read(facts, reader)
        if reader is None or reader.prediction is None:
            place = case.builder.add(vote)
            return Conclusion(reasons=(*why, Split(of=place)), tried=(place,), trace=trace)
        return Conclusion(case.answer(vote, reader.prediction), trace=trace)

    def _topics(self) -> list[list[str]]:
        """All sentences by topic; those of the best output open topics first."""
        sentences = list(dict.fromkeys(text for sample in (self.best, *self.samples) for text in sample.sentences))
        vectors = self.run.context.retriever.embedder.embed(sentences)
        return [[sentences[place] for place in group] for group in topics(vectors, self.case.settings.topic)]

    async def _generated(
        self, asker: ChainPrompter, facts: Sequence[str], groups: Sequence[Sequence[str]]
    ) -> list[tuple[_GeneratedStatement, Entailed]]:
        """Statements that no output makes, generated from the evidence for facts, and scored with it."""
        candidates = self.case.settings.candidates
        pieces = {looked_up.sentence: looked_up.evidence[:candidates] for looked_up in self.found}
        known = {sentence for group in groups for sentence in group}
        statements: dict[str, _GeneratedStatement] = {}
        for statement in await _generate_statements(asker, facts, [pieces[fact] for fact in facts]):
            if statement.text not in known:
                statements.setdefault(statement.text, statement)
        scored = await asyncio.to_thread(self._scored, list(statements.values())) if statements else []
        return list(zip(statements.values(), scored, strict=True))

    def _scored(self, statements: Sequence[_GeneratedStatement]) -> list[Entailed]:
        texts = [text for statement in statements for text in (statement.text, statement.evidence.text)]
        vectors = self.run.context.retriever.embedder.embed(texts)
        cosines = (vectors[::2] * vectors[1::2]).sum(axis=1)
        pairs = [
            FoundEvidence(statement.text, (statement.evidence,), (float(cosine),))
            for statement, cosine in zip(statements, cosines, strict=True)
        ]
        return score_sentences(pairs, self.scorer, self.case.settings)

    def _taken(
        self,
        facts: Sequence[str],
        groups: Sequence[Sequence[str]],
        scored: Sequence[tuple[_GeneratedStatement, Entailed]],
    ) -> tuple[list[str], list[GeneratedFact]]:
        """The facts with generated ones that are more faithful than what they were asked about, and all generated ones.

        The paper has "simple rules based on the entailment and contradiction scores": here the more faithful one stays.
        """
        scores = [entailed for _, entailed in scored]
        self.case.add(scores)
        faithful = zip(scores, faithfulness_of(scores, self.case.function, self.thresholds), strict=True)
        terms = {**self.terms, **{entailed.sentence: term for entailed, term in faithful}}
        wider = [
            [*group, *(statement.text for statement, _ in scored if facts[statement.question.fact] in group)]
            for group in groups
        ]
        supporting = most_faithful(self.best.sentences, wider, terms)
        generated = [
            GeneratedFact(
                fact=facts[statement.question.fact],
                question=statement.question.text,
                answer=statement.answer,
                statement=statement.text,
                entailment=entailed.entailment,
                contradiction=entailed.contradiction,
                kept=statement.text in supporting,
            )
            for statement, entailed in scored
        ]
        return supporting, generated


def topics(vectors: Vectors, threshold: float) -> list[list[int]]:
    """Greedy clustering: each sentence joins the topic whose first sentence is most similar to it, or opens one.

    Args:
        vectors: of the sentences, unit length, float32[n, d]; those of the best output first.
        threshold: cosine from which sentences are of one topic.

    Returns:
        Positions of sentences by topic.
    """
    groups: list[list[int]] = []
    for place, vector in enumerate(vectors):
        if groups:
            cosines = vectors[[group[0] for group in groups]] @ vector
            nearest = int(np.argmax(cosines))
            if cosines[nearest] >= threshold:
                groups[nearest].append(place)
                continue
        groups.append([place])
    return groups


def most_faithful(best: Sequence[str], groups: Sequence[Sequence[str]], terms: Mapping[str, float]) -> list[str]:
    """For each sentence of the best output the most faithful of its topic, in order, each once; of equals itself.

    Args:
        best: the sentences of the best output.
        groups: sentences by topic.
        terms: the faithfulness of each.
    """
    topic = {sentence: group for group in groups for sentence in group}
    return list(dict.fromkeys(max((fact, *topic[fact]), key=lambda candidate: terms[candidate]) for fact in best))


@dataclass(frozen=True, slots=True)
class _GeneratedStatement:
    """A statement made from evidence.

    Args:
        question: asked about a fact.
        answer: words of the evidence.
    """

    question: FactQuestion
    answer: str
    evidence: Evidence
    text: str


async def _generate_statements(
    asker: ChainPrompter, facts: Sequence[str], evidence: Sequence[Sequence[Evidence]]
) -> list[_GeneratedStatement]:
    """Ask about facts, keep the questions that their facts answer back, answer them from evidence, state the answers.

    An answer that the fact gives itself is not stated: it would only say the fact in other words.

    Args:
        evidence: for each fact what its questions are answered from.
    """
    questions = await asker.questions(facts)
    # Filtering (Honovich et al., 2021): asked of the fact itself, a good question is answered by the span it is about.
    back = await _answered(asker, questions, [[fact] for fact in facts])
    good = [
        question
        for question, answer in zip(questions, back, strict=True)
        if answer is not None and _bare(answer[1]) == _bare(question.span)
    ]
    answers = await _answered(asker, good, [[piece.text for piece in pieces] for pieces in evidence])
    answered = [(question, *answer) for question, answer in zip(good, answers, strict=True) if answer is not None]
    pairs = [(question, place, answer) for question, place, answer in answered if _bare(answer) != _bare(question.span)]
    if not pairs:
        return []
    stated = await asker.statements([(question.text, answer) for question, _, answer in pairs])
    return [
        _GeneratedStatement(question, answer, evidence[question.fact][place], text)
        for (question, place, answer), text in zip(pairs, stated, strict=True)
        # what does not read as one sentence cannot be weighed as one
        if text and text not in facts and parse_chain(text).sentences == (text,)
    ]


def _bare(span: str) -> str:
    """A span as it is compared: "in Ulm" and "Ulm", "about 30" and "30" answer alike."""
    return _BEFORE.sub("", normalised(span))


async def _answered(
    asker: ChainPrompter, questions: Sequence[FactQuestion], texts: Sequence[Sequence[str]]
) -> list[tuple[int, str] | None]:
    """Answers to questions, each from the texts of its fact: which of them, and the words."""
    answerable = [question for question in questions if texts[question.fact]]
    lines = list(dict.fromkeys(text for question in answerable for text in texts[question.fact]))
    if not lines:
        return [None] * len(questions)
    place = {text: at for at, text in enumerate(lines)}
    allowed = [sorted(place[text] for text in texts[question.fact]) for question in answerable]
    replies = await asker.answers([question.text for question in answerable], lines, allowed)
    spans = {
        question: (list(texts[question.fact]).index(lines[reply[0]]), reply[1])
        for question, reply in zip(answerable, replies, strict=True)
        if reply is not None
    }
    return [spans.get(question) for question in questions]
