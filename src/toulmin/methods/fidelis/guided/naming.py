"""Starts that the plan names more fully than the question does: abbreviations, and candidates that were passed over."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from toulmin.graph.labels import normalise, similarity
from toulmin.methods.fidelis.starts import Start
from toulmin.retrieval.linking import Candidate, EntityLinker, Mention

__all__ = ["planned_starts"]

_NAME = re.compile(r"[A-Z][\w.'’-]*(?: (?:(?:of|the|and|de|for|in) )*[A-Z][\w.'’-]*)*")
_WORD = re.compile(r"[^\W_](?:[\w.]*[^\W_])?")
_DOUBT = 0.1  # what it costs that the plan, not the question, spells the name out
_MOST = 2  # further starts
_WEIGHT = 0.5


def planned_starts(
    question: str, plan: Iterable[str], mentions: Sequence[Mention], starts: Sequence[Start], linker: EntityLinker
) -> list[Start]:
    """Entities that a plan names and that words of the question can stand for, but for the starts there are.

    The words are a mention of which the entity is a candidate, or the initials of its name ("us", "wwii").

    Args:
        mentions: of the question.
    """
    said, taken = f" {normalise(question)} ", {start.entity.id for start in starts}
    names = dict.fromkeys(name for text in plan for name in _NAME.findall(text))
    found: list[Start] = []
    for name in names:
        if len(found) == _MOST:
            break
        if f" {normalise(name)} " in said:
            continue
        for named in linker.link(name):
            candidate = named.candidates[0]
            if candidate.how != "exact" or normalise(named.text) != normalise(name) or candidate.entity.id in taken:
                continue
            start = _mentioned(candidate, mentions) or _abbreviated(candidate, question)
            if start is not None:
                taken.add(candidate.entity.id)
                found.append(start)
    return found


def _mentioned(candidate: Candidate, mentions: Sequence[Mention]) -> Start | None:
    for mention in mentions:
        for other in mention.candidates:
            if other.entity.id == candidate.entity.id:
                return Start(mention, other, _DOUBT)
    return None


def _abbreviated(candidate: Candidate, question: str) -> Start | None:
    """The word of the question that is the initials of the name."""
    words = [word for word in re.split(r"[\s-]+", candidate.form) if word[:1].isupper()]
    initials = "".join(word if word.isupper() and len(word) <= 4 else word[0] for word in words).lower()
    if len(words) < 2:
        return None
    for word in _WORD.finditer(question):
        if word[0].replace(".", "").lower() == initials:
            near = Candidate(candidate.entity, candidate.form, similarity(word[0], candidate.form), "near")
            return Start(Mention(word.start(), word.end(), word[0], (near,), _WEIGHT), near, _DOUBT)
    return None
