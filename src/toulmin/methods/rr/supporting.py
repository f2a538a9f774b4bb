"""Variants I and II: a reader concludes from facts that were selected or generated (papers/rr, 5.3, A.4)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toulmin.entailment.protocol import Scorer
from toulmin.errors import BudgetError
from toulmin.methods.protocol import Event
from toulmin.methods.rr.chain_prompter import ChainPrompter
from toulmin.methods.rr.events import FactsGenerated, FactsSelected, GeneratedFact, SelectedFact
from toulmin.methods.rr.generation import GeneratedStatement, generate
from toulmin.methods.rr.selection import selected, topics
from toulmin.methods.rr.sentence_scores import Entailed, FoundEvidence, entailed, faithfulness_of
from toulmin.methods.rr.settings import RRSettings
from toulmin.methods.rr.voting import Case, Conclusion, Sample
from toulmin.program.reasons import Other, Reason, Split, Stopped
from toulmin.program.weighing import Thresholds
from toulmin.retrieval.embedders import Embedder

__all__ = ["Weighing", "from_facts"]


@dataclass(frozen=True, slots=True)
class Weighing:
    """What was found out about the sentences of all outputs.

    Args:
        samples: all outputs.
        best: the one of most weight, whose facts are replaced.
        found: what was found for each sentence.
        terms: the faithfulness of each sentence.
    """

    samples: Sequence[Sample]
    best: Sample
    found: Sequence[FoundEvidence]
    terms: Mapping[str, float]
    thresholds: Thresholds
    scorer: Scorer
    embedder: Embedder


async def from_facts(
    case: Case,
    weighing: Weighing,
    settings: RRSettings,
    asker: ChainPrompter | None,
    tell: Callable[[Event], None],
    stopped: Callable[[], Stopped],
) -> Conclusion:
    """Select facts, generate facts where that is wanted, and let the reader conclude.

    The sentences of all outputs by topic, the facts that were selected and those that were generated are told in the
    trace; the answer is the vote of the reader's one output, which holds the facts.

    Args:
        asker: plays the roles; None: there is no model, and the selected facts are shown.
        stopped: what of the budget is used up, where it is.
    """
    terms = weighing.terms
    if not weighing.best.sentences:
        return Conclusion(reasons=(Other(says="the best output states no fact"),))
    groups = await asyncio.to_thread(_topics, weighing, settings.topic)
    facts = selected(weighing.best.sentences, groups, terms)
    topic = {sentence: group for group in groups for sentence in group}
    chosen = [
        SelectedFact(
            fact=fact,
            instead_of=next((own for own in weighing.best.sentences if own in topic[fact]), fact),
            faithfulness=terms[fact],
            topic=tuple(topic[fact]),
        )
        for fact in facts
    ]
    tell(FactsSelected(facts=tuple(chosen)))
    trace: dict[str, Any] = {"topics": groups, "selected": [one.model_dump(mode="json") for one in chosen]}
    if asker is None:
        shown = "; ".join(f"{fact} ({terms[fact]:.2f})" for fact in facts)
        reason = Other(says=f"no model reads the selected facts (with their faithfulness): {shown}")
        return Conclusion(reasons=(reason,), tried=(case.builder.add(case.read(facts, None)),), trace=trace)
    reader, why = None, list[Reason]()
    try:
        if settings.variant == "generation":
            made = await _generated(asker, weighing, facts, groups, settings)
            if made:
                facts, generated = _taken(case, weighing, facts, groups, made)
                tell(FactsGenerated(generated=tuple(generated), facts=tuple(facts)))
                trace["generated"] = [one.model_dump(mode="json") for one in generated]
        reader = await asker.read(facts)
    except BudgetError:
        why.append(stopped())
    vote = case.read(facts, reader)
    if reader is None or reader.prediction is None:
        place = case.builder.add(vote)
        return Conclusion(reasons=(*why, Split(of=place)), tried=(place,), trace=trace)
    return Conclusion(case.answer(vote, reader.prediction), trace=trace)


async def _generated(
    asker: ChainPrompter,
    weighing: Weighing,
    facts: Sequence[str],
    groups: Sequence[Sequence[str]],
    settings: RRSettings,
) -> list[tuple[GeneratedStatement, Entailed]]:
    """Statements that no output makes, generated from the evidence for facts, and scored with it."""
    pieces = {one.sentence: one.evidence[: settings.candidates] for one in weighing.found}
    known = {sentence for group in groups for sentence in group}
    made: dict[str, GeneratedStatement] = {}
    for one in await generate(asker, facts, [pieces[fact] for fact in facts]):
        if one.text not in known:
            made.setdefault(one.text, one)
    if not made:
        return []
    scored = await asyncio.to_thread(_scored, list(made.values()), weighing, settings)
    return list(zip(made.values(), scored, strict=True))


def _taken(
    case: Case,
    weighing: Weighing,
    facts: Sequence[str],
    groups: Sequence[Sequence[str]],
    made: Sequence[tuple[GeneratedStatement, Entailed]],
) -> tuple[list[str], list[GeneratedFact]]:
    """The facts, where generated ones compete with the selected fact that they were asked about, and what was made.

    The paper has "simple rules based on the entailment and contradiction scores": here the more faithful one stays.
    """
    scores = [scored for _, scored in made]
    case.add(scores)
    own = zip(scores, faithfulness_of(scores, case.function, weighing.thresholds), strict=True)
    terms = {**weighing.terms, **{one.sentence: term for one, term in own}}
    wider = [[*group, *(one.text for one, _ in made if facts[one.question.fact] in group)] for group in groups]
    kept = selected(weighing.best.sentences, wider, terms)
    generated = [
        GeneratedFact(
            fact=facts[one.question.fact],
            question=one.question.text,
            answer=one.answer,
            statement=one.text,
            entailment=scored.entailment,
            contradiction=scored.contradiction,
            kept=one.text in kept,
        )
        for one, scored in made
    ]
    return kept, generated


def _scored(made: Sequence[GeneratedStatement], weighing: Weighing, settings: RRSettings) -> list[Entailed]:
    vectors = weighing.embedder.embed([text for one in made for text in (one.text, one.evidence.text)])
    cosines = (vectors[::2] * vectors[1::2]).sum(axis=1)
    found = [
        FoundEvidence(one.text, (one.evidence,), (float(cosine),)) for one, cosine in zip(made, cosines, strict=True)
    ]
    return entailed(found, weighing.scorer, settings)


def _topics(weighing: Weighing, threshold: float) -> list[list[str]]:
    """All sentences by topic; those of the best output open topics first."""
    every = (text for one in (weighing.best, *weighing.samples) for text in one.sentences)
    sentences = list(dict.fromkeys(every))
    vectors = weighing.embedder.embed(sentences)
    return [[sentences[place] for place in group] for group in topics(vectors, threshold)]
