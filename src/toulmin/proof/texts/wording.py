"""What the judgement of a claim must say, word for word, and the reason of its verdict; re-derived by the check.

These words stand in stored answers: other words are another format of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from toulmin.graph.labels import readable_relation
from toulmin.graph.types import Node, Relation, Statement
from toulmin.proof.answer import node_text
from toulmin.proof.model import Absence, Fact, Link, Step, Verdict
from toulmin.proof.passages import Passage
from toulmin.proof.reading import name

__all__ = ["claim_reading", "reason_of", "unchecked_reading"]

_EXCERPT = 200  # characters of a passage in a reason


def claim_reading(text: str, sentence: str, premises: Sequence[str], steps: Mapping[str, Step]) -> str:
    """The judgement of a claim: that what it rests on says so.

    Args:
        premises: the ids of the links, facts, passages and absences that the judge saw.
    """
    within = "" if text == sentence else f", which the sentence «{sentence}» states,"
    said = [_said(steps[one]) for one in premises if isinstance(steps[one], (Fact, Passage, Absence))]
    return f"that «{text}»{within} is said by {' and by '.join(said) or 'the graph'}"


def unchecked_reading(sentence: str, note: str) -> str:
    """The judgement of a sentence that is not checked."""
    return f"«{sentence}» states nothing that could be checked: {note}"


def reason_of(verdict: Verdict, premises: Sequence[str], steps: Mapping[str, Step]) -> str:
    """Why a claim has its verdict, in words."""
    seen = [steps[one] for one in premises]
    told = [_words(one.statement) for one in seen if isinstance(one, Fact)]
    absent = [one for one in seen if isinstance(one, Absence)]
    reasons = [f"the graph says{' otherwise' if verdict == 'contradicted' else ''}: {'; '.join(told)}"] if told else []
    for one in seen:
        if isinstance(one, Passage):
            otherwise = " otherwise" if verdict == "contradicted" else ""
            reasons.append(f"{one.source} says{otherwise}: “{_excerpt(one.text)}”")
    for search in absent:
        assumed = (
            "" if search.policy == "open world" else f", which is taken to mean that it is not so ({search.policy})"
        )
        reasons.append(f"the graph has nothing for {_searched(search)}{assumed}")
    if not reasons:
        named = list(dict.fromkeys(node_text(one.entity) for one in seen if isinstance(one, Link)))
        reasons = [f"the graph does not say this of {', '.join(named)}" if named else "it names nothing of the graph"]
    return "; ".join(reasons)


def _said(step: Step) -> str:
    """One thing that was seen, by all it says, so that no other can stand in its place."""
    if isinstance(step, Fact):
        one = step.statement
        qualifiers = "; ".join(f"{name(q.relation)} {name(q.value)}" for q in one.qualifiers)
        triple = f"{name(one.subject)} —{name(one.relation)}→ {name(one.object)}"
        return f"{triple} ({qualifiers})" if qualifiers else triple
    if isinstance(step, Passage):
        place = f"{json.dumps(step.source, ensure_ascii=False)}, {step.start}-{step.end}"
        return f"{json.dumps(step.text, ensure_ascii=False)} ({place})"
    return f"the graph, searched for {step.express(str)}"


def _words(statement: Statement) -> str:
    qualifiers = ", ".join(f"{_relation(q.relation)}: {node_text(q.value)}" for q in statement.qualifiers)
    triple = f"{node_text(statement.subject)} — {_relation(statement.relation)} → {node_text(statement.object)}"
    return f"{triple} ({qualifiers})" if qualifiers else triple


def _searched(step: Absence) -> str:
    subject, object_ = (_end(end) for end in (step.subject, step.object))
    return f"{subject} — {_relation(step.relation)} → {object_}"


def _end(node: Node | None) -> str:
    return "anything" if node is None else node_text(node)


def _relation(relation: Relation) -> str:
    return relation.label or readable_relation(relation.id)


def _excerpt(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _EXCERPT else f"{line[: _EXCERPT - 1]}…"
