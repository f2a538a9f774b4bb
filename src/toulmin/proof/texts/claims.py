"""What a claim may rest on, and its check: links of its words, the ends of its facts, its values, its judgement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toulmin.graph.types import Entity, Node
from toulmin.proof.context import Context, Finding
from toulmin.proof.model import Absence, Fact, Judgement, Link, Step, Verdict
from toulmin.proof.passages import Passage
from toulmin.proof.reading import name
from toulmin.proof.registry import Kind
from toulmin.proof.texts.steps import Claim
from toulmin.proof.texts.values import denies, value_not_given
from toulmin.proof.texts.wording import claim_reading, reason_of, unchecked_reading

__all__ = ["CLAIM", "VERDICTS", "problem"]

#: The verdict that follows from the decision of a claim's judgement.
VERDICTS: Mapping[str, Verdict] = {"yes": "supported", "no": "contradicted", "unknown": "not in the graph"}


def problem(claim: Claim, question: str, steps: Mapping[str, Step]) -> str | None:
    """What is wrong with a claim, in one line; None where its verdict follows from what it rests on."""
    if not 0 <= claim.start < claim.end <= len(question):
        return f"{claim.start}-{claim.end} is no sentence of the text"
    sentence = question[claim.start : claim.end]
    judged = steps.get(claim.judgement)
    if not isinstance(judged, Judgement) or claim.judgement not in claim.rests_on:
        return f"{claim.judgement!r} is no judgement that it rests on"
    premises = tuple(one for one in claim.rests_on if one != claim.judgement)
    if judged.evidence != premises:
        return f"rests on {_list(premises)}, but {judged.id} judges by {_list(judged.evidence)}"
    if claim.score != judged.score:
        return f"has the score {claim.score}, but {judged.id} gives {judged.score}"
    if claim.verdict == "not checked":
        return _unchecked_problem(claim, sentence, judged, premises)
    if judged.claim != claim_reading(claim.text, sentence, premises, steps):
        return f"{judged.id} does not judge what the claim says by what it rests on"
    if claim.verdict != VERDICTS[judged.decision]:
        return f"{judged.id} says {judged.decision}, from which {VERDICTS[judged.decision]!r} follows"
    if claim.reason != reason_of(claim.verdict, premises, steps):
        return "its reason is not what it rests on, in words"
    return _premises_problem(claim, [steps[one] for one in premises])


def _unchecked_problem(claim: Claim, sentence: str, judged: Judgement, premises: Sequence[str]) -> str | None:
    if premises or claim.text != sentence or not claim.reason.strip():
        return "a sentence that is not checked stands for itself, rests on nothing, and says why"
    if judged.decision != "yes" or judged.claim != unchecked_reading(sentence, claim.reason):
        return f"{judged.id} does not say that the sentence states nothing: {claim.reason}"
    return None


def _premises_problem(claim: Claim, seen: list[Step]) -> str | None:
    links = [one for one in seen if isinstance(one, Link)]
    facts = [one for one in seen if isinstance(one, Fact)]
    absences = [one for one in seen if isinstance(one, Absence)]
    passages = [one for one in seen if isinstance(one, Passage)]
    if others := [one.id for one in seen if not isinstance(one, (Link, Fact, Absence, Passage))]:
        return f"{others[0]} is no link, fact, passage or search"
    if far := [one.id for one in links if one.end > claim.end]:
        return f"the words of {far[0]} come after its sentence"
    if unlike := [one.id for one in links if one.how == "vector"]:
        return f"the words of {unlike[0]} do not say its name: a nearness of meaning takes any name for any other"
    named = {one.entity for one in links}
    for search in absences:
        if unnamed := [end for end in (search.subject, search.object) if isinstance(end, Entity) and end not in named]:
            return f"{search.id} searches for {name(unnamed[0])}, which no link that it rests on says"
    if claim.verdict == "not in the graph":
        told = [one.id for one in (*facts, *passages)]
        if told:
            return f"rests on {told[0]}, and is yet not in the graph"
        refuting = [one.id for one in absences if one.policy != "open world"]
        return f"{refuting[0]} would refute it, and it is yet not in the graph" if refuting else None
    if claim.verdict == "supported" and absences:
        return f"is supported by {absences[0].id}, a search that found nothing"
    if open_ := [one.id for one in absences if one.policy == "open world"]:
        return f"is contradicted by {open_[0]}, which in an open world proves nothing"
    if not facts and not passages and not absences:
        return f"is {claim.verdict} by nothing"
    return _facts_problem(claim, facts, links, passages)


def _facts_problem(
    claim: Claim, facts: Sequence[Fact], links: Sequence[Link], passages: Sequence[Passage]
) -> str | None:
    """The ends of each fact are what the words were taken for; of a contradiction one end is."""
    named: set[Node] = {one.entity for one in links}
    between = _between(facts)
    for fact in facts:
        ends: list[Node] = [fact.statement.subject, fact.statement.object]
        entities = [end for end in ends if isinstance(end, Entity)]
        unnamed = [end for end in entities if end not in named and end not in between]
        if claim.verdict == "contradicted":
            if len(unnamed) == len(entities):
                return f"no link that it rests on says what {fact.id} speaks of"
            continue
        if unnamed:
            return f"no link that it rests on says {name(unnamed[0])}, of which {fact.id} speaks"
    if claim.verdict == "supported" and facts:
        spoken: set[Node] = {end for one in facts for end in (one.statement.subject, one.statement.object)}
        for one in facts:
            spoken |= {q.value for q in one.statement.qualifiers}
        if idle := [one.id for one in links if one.entity not in spoken]:
            return f"rests on {idle[0]}, of which no fact speaks"
        statements = [one.statement for one in facts]
        spans, told = [one.span for one in links], " ".join(one.text for one in passages)
        if denies(claim.text, statements, spans) and not denies(told, (), ()):
            return "is supported, though its words deny something and its facts do not"
        other = value_not_given(claim.text, statements, spans)
        if other is not None and other not in told:
            return f"is supported, though no fact that it rests on gives {other!r}"
    return None


def _between(facts: Sequence[Fact]) -> set[Node]:
    """Entities that join two facts about different things: a marriage, a role, a term of office."""
    others: dict[Node, set[Node]] = {}
    for fact in facts:
        subject, value = fact.statement.subject, fact.statement.object
        others.setdefault(subject, set()).add(value)
        others.setdefault(value, set()).add(subject)
    return {node for node, ends in others.items() if len(ends) > 1}


def _list(steps: Sequence[str]) -> str:
    return ", ".join(steps) or "nothing"


def _check_claim(step: Claim, context: Context) -> Finding:
    if wrong := problem(step, context.answer.question, context.steps):
        return Finding("fails", wrong)
    return Finding("recomputed", f"{step.verdict}: {step.reason}")


CLAIM = Kind(Claim, _check_claim)
