"""What is asked for, and which faithfulness function the knowledge calls for (papers/rr, A.2)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from toulmin.methods.request import Task
from toulmin.methods.rr.chains import ReasoningChain
from toulmin.methods.rr.settings import Kind
from toulmin.program.weighing import Function

if TYPE_CHECKING:
    from toulmin.retrieval.knowledge import Knowledge

__all__ = ["answers", "asked_kind", "called_for", "tables_of"]

_AUXILIARY = (
    "is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must|isn't|aren't|wasn't|"
    "weren't|don't|doesn't|didn't|hasn't|haven't|hadn't|can't|couldn't|won't|wouldn't|shouldn't"
)
_POLAR = re.compile(rf"\W*(?:{_AUXILIARY})\b", re.IGNORECASE)
_CHOICE = re.compile(r"\bor\b", re.IGNORECASE)
_CLAUSE = re.compile(rf",\s+(?:{_AUXILIARY})\b", re.IGNORECASE)  # "If …, would …?"


def asked_kind(question: str, task: Task, knowledge: Knowledge | None, recorded: Sequence[ReasoningChain]) -> Kind:
    """What is asked for: by the task, by the words of the question, and by what recorded outputs predict."""
    if task == "claim":
        return "table" if tables_of(knowledge) else "yes/no"
    polar = bool(_POLAR.match(question) or _CLAUSE.search(question))
    said = [chain.prediction for chain in recorded if chain.prediction is not None]
    if said and (not polar or _CHOICE.search(question)):  # "Did A or B succeed?" may ask for either
        return "yes/no" if 2 * sum(one in ("yes", "no") for one in said) > len(said) else "short"
    return "yes/no" if polar else "short"


def answers(prediction: str | None, kind: Kind) -> bool:
    """Whether a prediction is of the kind that is asked for."""
    return prediction is not None and (kind == "short" or prediction in ("yes", "no"))


def called_for(knowledge: Knowledge) -> Function:
    """The function for a kind of knowledge: f2 for temporal statements, f3 for given evidence, f1 for all else."""
    from toulmin.retrieval.knowledge import GivenPassages, KnowledgeUnion, TemporalKnowledge

    if isinstance(knowledge, KnowledgeUnion):
        several = {called_for(source) for source in knowledge.parts}
        return several.pop() if len(several) == 1 else "f1"
    if isinstance(knowledge, TemporalKnowledge):
        return "f2"
    return "f3" if isinstance(knowledge, GivenPassages) else "f1"


def tables_of(knowledge: Knowledge | None) -> tuple[str, ...]:
    """The sentences of the tables among the knowledge."""
    from toulmin.retrieval.knowledge import KnowledgeUnion, TableKnowledge

    if isinstance(knowledge, KnowledgeUnion):
        return tuple(sentence for source in knowledge.parts for sentence in tables_of(source))
    return knowledge.table.sentences if isinstance(knowledge, TableKnowledge) else ()
