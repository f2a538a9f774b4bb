"""The entities that paths start from: what the question surely names, and what the first reply spells out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from toulmin.graph.labels import normalise, similarity
from toulmin.methods.fidelis.walking import Start
from toulmin.retrieval.linking import Candidate, EntityLinker, Mention
from toulmin.retrieval.linking.mention_words import is_common, is_dictionary_word

__all__ = ["planned_starts", "spelt_out", "sure_starts"]

_NAME = re.compile(r"[A-Z][\w.'’-]*(?: (?:(?:of|the|and|de|for|in) )*[A-Z][\w.'’-]*)*")
_WORD = re.compile(r"[^\W_](?:[\w.]*[^\W_])?")
_DOUBT = 0.1  # what it costs that the plan, not the question, spells the name out
_MOST = 2  # further starts
_WEIGHT = 0.5  # of a mention by initials: it may as well be no name
_DOUBTFUL = 0.45  # from which doubt on a mention is no start, where there is another
_COMMON = 0.2  # the same of a common noun
_NEAR = 0.12  # how much more doubt a second candidate may have where the first has not the words' own name


def sure_starts(mentions: Sequence[Mention], limit: int) -> list[Start]:
    """The starts that a mention most likely means, surest first, at most ``limit``.

    Of a mention that is a name of the graph those of that name, of another the first candidate and what is as near. A
    number by itself ("2011") is a date or a count, and no start where anything else is one; nor are common
    words in lower case, for which some graph has a title.
    """
    named = [mention for mention in mentions if not all(map(str.isdecimal, mention.text.split()))] or list(mentions)
    every = Start.likely(named, sum(len(mention.candidates) for mention in named) or 1)
    doubt = {id(start.candidate): start.doubt for start in every}
    starts: list[Start] = []
    for start in every:
        first = start.mention.candidates[0]
        if starts and _is_plain(start):
            continue
        if start.candidate is first:
            sure = start.doubt <= _DOUBTFUL or not starts
        elif first.how == "exact":
            sure = start.candidate.how == "exact"
        else:
            sure = start.candidate.how != "vector" and start.doubt <= doubt[id(first)] + _NEAR
        if sure:
            starts.append(start)
    return starts[:limit]


def _is_plain(start: Start) -> bool:
    """Whether a start was read from plain English: a common noun, or words of a dictionary that are no name here."""
    text = start.mention.text
    if text != text.lower():
        return False
    if start.candidate.how != "exact":
        return all(map(is_dictionary_word, text.split()))
    return start.doubt > _COMMON and " " not in text and is_common(text)


def spelt_out(starts: Sequence[Start], further: Sequence[Start], names: Iterable[str]) -> list[Start]:
    """Starts with those that were spelt out, in the place of others that the same words were taken for.

    Args:
        further: starts that are added.
        names: what was spelt out; a start of such a name stays.
    """
    spelt_names = set(map(normalise, names))
    certain = [*further, *(start for start in starts if normalise(start.entity.label or "") in spelt_names)]

    def replaced(start: Start) -> bool:
        here = start.mention
        return start not in certain and any(
            here.start < certain_start.mention.end and certain_start.mention.start < here.end
            for certain_start in certain
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

    The words are a mention of which the entity is a candidate, or the initials of its name ("us", "wwii"), or, for
    ``names``, the likeliest mention that no name of the graph is spelt like.

    Args:
        plan: texts with names in them.
        mentions: of the question.
        names: further names, each by itself.
    """
    question_words, start_ids = f" {normalise(question)} ", {start.entity.id for start in starts}
    spelt = tuple(names)
    names = dict.fromkeys([*spelt, *(name for text in plan for name in _NAME.findall(text))])
    further: list[Start] = []
    for name in names:
        if len(further) == _MOST:
            break
        if f" {normalise(name)} " in question_words and name not in spelt:
            continue
        for mention in linker.link(name):
            candidate = mention.candidates[0]
            if (
                candidate.how != "exact"
                or normalise(mention.text) != normalise(name)
                or candidate.entity.id in start_ids
            ):
                continue
            same = (
                Start(mention, named, _DOUBT)
                for mention in mentions
                for named in mention.candidates
                if named.entity.id == candidate.entity.id
            )
            start = next(same, None) or _abbreviated(candidate, question)
            if start is None and name in spelt:
                start = _unnamed(candidate, mentions)
            if start is not None:
                start_ids.add(candidate.entity.id)
                further.append(start)
    return further


def _unnamed(candidate: Candidate, mentions: Sequence[Mention]) -> Start | None:
    """The likeliest mention that is no name of the graph, so that it may mean what is called otherwise there."""
    open_ones = [mention for mention in mentions if mention.candidates[0].how != "exact"]
    if not open_ones:
        return None
    mention = max(open_ones, key=lambda mention: mention.weight)
    near = Candidate(candidate.entity, candidate.form, similarity(mention.text, candidate.form), "near")
    return Start(mention, near, _DOUBT)


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
