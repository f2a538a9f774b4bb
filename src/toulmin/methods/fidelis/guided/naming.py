"""The entities that paths start from: what the question surely names, and what the first reply spells out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from toulmin.graph.labels import normalise, similarity
from toulmin.methods.fidelis.settings import FidelisSettings
from toulmin.methods.fidelis.starts import Start, likely_starts
from toulmin.retrieval.linking import Candidate, EntityLinker, Mention
from toulmin.retrieval.linking.words import is_number

__all__ = ["planned_starts", "spelt_out", "sure_starts"]

_NAME = re.compile(r"[A-Z][\w.'’-]*(?: (?:(?:of|the|and|de|for|in) )*[A-Z][\w.'’-]*)*")
_WORD = re.compile(r"[^\W_](?:[\w.]*[^\W_])?")
_DOUBT = 0.1  # what it costs that the plan, not the question, spells the name out
_MOST = 2  # further starts
_WEIGHT = 0.5
_DOUBTFUL = 0.45  # from which doubt on a mention is no start, where there is another
_NEAR = 0.12  # how much more doubt a second candidate may have where the first has not the words' own name


def sure_starts(mentions: Sequence[Mention], limit: int) -> list[Start]:
    """The starts that a mention most likely means, surest first, at most ``limit``.

    Of a mention that is a name of the graph those of that name, of another the first candidate and what is as near. A
    number by itself ("2011") is a date or a count, and no start where anything else is one.
    """
    named = [mention for mention in mentions if not all(map(is_number, mention.text.split()))] or list(mentions)
    every = likely_starts(named, FidelisSettings(starts=sum(len(mention.candidates) for mention in named) or 1))
    doubt = {id(start.candidate): start.doubt for start in every}
    found: list[Start] = []
    for start in every:
        first = start.mention.candidates[0]
        if start.candidate is first:
            sure = start.doubt <= _DOUBTFUL or not found
        elif first.how == "exact":
            sure = start.candidate.how == "exact"
        else:
            sure = start.candidate.how != "vector" and start.doubt <= doubt[id(first)] + _NEAR
        if sure:
            found.append(start)
    return found[:limit]


def spelt_out(starts: Sequence[Start], further: Sequence[Start]) -> list[Start]:
    """Starts with those that the plan spells out, in the place of others that the same words were taken for."""

    def replaced(start: Start) -> bool:
        return any(
            start.mention.start < other.mention.end and other.mention.start < start.mention.end for other in further
        )

    return [*(start for start in starts if not replaced(start)), *further]


def planned_starts(
    question: str,
    plan: Iterable[str],
    mentions: Sequence[Mention],
    starts: Sequence[Start],
    linker: EntityLinker,
    names: Iterable[str] = (),
) -> list[Start]:
    """Entities that a plan names and that words of the question can stand for, but for the starts there are.

    The words are a mention of which the entity is a candidate, or the initials of its name ("us", "wwii").

    Args:
        plan: texts with names in them.
        mentions: of the question.
        names: further names, each by itself.
    """
    said, taken = f" {normalise(question)} ", {start.entity.id for start in starts}
    names = dict.fromkeys([*names, *(name for text in plan for name in _NAME.findall(text))])
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
