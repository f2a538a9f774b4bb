"""Variants I and II: a reader concludes from facts that were selected or generated (papers/rr, 5.3, A.4)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from toulmin.entailment.protocol import Scorer
from toulmin.errors import BudgetError
from toulmin.methods.protocol import Event
from toulmin.methods.rr.asking import Asker
from toulmin.methods.rr.events import FactsGenerated, FactsSelected, Generated, Selected
from toulmin.methods.rr.evidence import Entailed, Found, entailed
from toulmin.methods.rr.generation import Statement, generate
from toulmin.methods.rr.proving import Case, Sample
from toulmin.methods.rr.selection import topics
from toulmin.methods.rr.settings import RRSettings
from toulmin.proof.model import Proof
from toulmin.proof.operators.selection import FactSelection
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
        vote: the step of the vote.
    """

    samples: Sequence[Sample]
    best: Sample
    found: Sequence[Found]
    terms: Mapping[str, float]
    vote: str
    scorer: Scorer
    embedder: Embedder


async def from_facts(
    case: Case,
    weighing: Weighing,
    settings: RRSettings,
    asker: Asker | None,
    tell: Callable[[Event], None],
    why: Callable[[str], str],
) -> Proof:
    """Select facts, generate facts where that is wanted, and let the reader conclude.

    Args:
        asker: plays the roles; None: there is no model, and the selected facts are shown.
        why: completes the reason of an abstention.
    """
    terms = weighing.terms
    if not weighing.best.sentences:
        return case.builder.abstain(why("the best output states no fact"), kind=case.answer_kind)
    groups = await asyncio.to_thread(_topics, weighing, settings.topic)
    selection, facts = case.choose(weighing.vote, groups)
    topic = {sentence: group for group in groups for sentence in group}
    tell(
        FactsSelected(
            facts=tuple(
                Selected(
                    fact=fact,
                    instead_of=next((own for own in weighing.best.sentences if own in topic[fact]), fact),
                    faithfulness=terms[fact],
                    topic=tuple(topic[fact]),
                )
                for fact in facts
            )
        )
    )
    if asker is None:
        shown = "; ".join(f"{fact} ({terms[fact]:.2f})" for fact in facts)
        reason = f"no model reads the selected facts (with their faithfulness): {shown}"
        return case.undecided(case.select(selection), reason)
    reason = "the reader concluded nothing from the facts"
    try:
        if settings.variant == "generation":
            made = await _generated(asker, weighing, facts, groups, settings)
            if made:
                selection, facts = _taken(case, weighing.vote, facts, groups, made, asker.session.model, tell)
        reader = await asker.read(facts)
    except BudgetError as error:
        reader, reason = None, f"stopped early: {error}"
    if reader is None:
        return case.undecided(case.select(selection), why(reason))
    return case.conclude(case.read(case.select(selection), reader, asker.session.model))


async def _generated(
    asker: Asker,
    weighing: Weighing,
    facts: Sequence[str],
    groups: Sequence[Sequence[str]],
    settings: RRSettings,
) -> list[tuple[Statement, Entailed]]:
    """Statements that no output makes, generated from the evidence for facts, and scored with it."""
    pieces = {one.sentence: one.evidence[: settings.candidates] for one in weighing.found}
    known = {sentence for group in groups for sentence in group}
    made: dict[str, Statement] = {}
    for one in await generate(asker, facts, [pieces[fact] for fact in facts]):
        if one.text not in known:
            made.setdefault(one.text, one)
    if not made:
        return []
    scored = await asyncio.to_thread(_scored, list(made.values()), weighing, settings)
    return list(zip(made.values(), scored, strict=True))


def _taken(
    case: Case,
    vote: str,
    facts: Sequence[str],
    groups: Sequence[Sequence[str]],
    made: Sequence[tuple[Statement, Entailed]],
    by: str,
    tell: Callable[[Event], None],
) -> tuple[FactSelection, list[str]]:
    """The selection in which generated facts compete with the selected fact that they were asked about.

    The paper has "simple rules based on the entailment and contradiction scores": here the more faithful one stays.
    """
    wider = [[*group, *(one.text for one, _ in made if facts[one.question.fact] in group)] for group in groups]
    selection, kept = case.choose(vote, wider, [scored for _, scored in made], by=by)
    tell(
        FactsGenerated(
            generated=tuple(
                Generated(
                    fact=facts[one.question.fact],
                    question=one.question.text,
                    answer=one.answer,
                    statement=one.text,
                    entailment=said.entailment,
                    contradiction=said.contradiction,
                    kept=one.text in kept,
                )
                for one, said in made
            ),
            facts=tuple(kept),
        )
    )
    return selection, kept


def _scored(made: Sequence[Statement], weighing: Weighing, settings: RRSettings) -> list[Entailed]:
    vectors = weighing.embedder.embed([text for one in made for text in (one.text, one.evidence.text)])
    cosines = (vectors[::2] * vectors[1::2]).sum(axis=1)
    found = [Found(one.text, (one.evidence,), (float(cosine),)) for one, cosine in zip(made, cosines, strict=True)]
    return entailed(found, weighing.scorer, settings)


def _topics(weighing: Weighing, threshold: float) -> list[list[str]]:
    """All sentences by topic; those of the best output open topics first."""
    every = (text for one in (weighing.best, *weighing.samples) for text in one.sentences)
    sentences = list(dict.fromkeys(every))
    vectors = weighing.embedder.embed(sentences)
    return [[sentences[place] for place in group] for group in topics(vectors, threshold)]
