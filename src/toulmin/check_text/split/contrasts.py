"""Clauses that say several things of several: "in London, not in Paris", "in Rome and Bonn, respectively"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from toulmin.check_text.split.clauses import Clause
from toulmin.check_text.split.lists import AND, alternatives, of_one
from toulmin.check_text.split.tagged_words import TaggedWord, word_at
from toulmin.check_text.split.verbs import (
    AUXILIARY,
    Phrase,
    chunks,
    denied,
    denies,
    glue,
    is_copula,
    is_name,
    trimmed,
)
from toulmin.english.inflection import singular

__all__ = ["each_apart"]

#: What stands between what is so and what is not.
_INSTEAD = (("rather", "than"), ("instead", "of"), ("as", "opposed", "to"))


def each_apart(clause: Clause) -> Iterator[Clause]:
    """The clause, or one for each thing that it says: what is so, what is not, each pair of two lists."""
    for paired in _paired(clause):
        for contrasted in _contrasted(paired):
            for predicated in _predicated(contrasted):
                yield from _gapped(predicated)


def _predicated(clause: Clause) -> Iterator[Clause]:
    """Each of several things that a subject is, with its own phrases: "is a member of A and a friend of B"."""
    rest = clause.rest
    if not is_copula(clause.verb) or not rest or rest[0].lower not in ("a", "an"):
        yield clause
        return
    joints = [i for i, word in enumerate(rest[:-1]) if word.lower in AND and rest[i + 1].lower in ("a", "an")]
    if not joints or all(word.tag != "preposition" for word in rest[: joints[0]]):
        yield clause
        return
    for first, last in pairwise([-1, *joints, len(rest)]):
        yield replace(clause, rest=trimmed(rest[first + 1 : last]))


def _contrasted(clause: Clause) -> Iterator[Clause]:
    """What is so, and what is denied beside it: "in London, not in Paris", "not in Paris but in London"."""
    nor = next((place for place, word in enumerate(clause.subject) if word.lower == "nor"), None)
    if nor is not None and clause.subject[0].lower == "neither":
        for part in (clause.subject[1:nor], clause.subject[nor + 1 :]):
            yield replace(clause, subject=trimmed(part), verb=denied(clause.verb))
        return
    subject = _cut(clause.subject)
    if subject is not None and subject[1]:
        yield replace(clause, subject=(*subject[0], *subject[2]))
        yield replace(clause, subject=subject[1], verb=denied(clause.verb))
        return
    if denies(clause.verb):
        but = next((place for place, word in enumerate(clause.rest) if word.lower == "but" and place), None)
        if but is not None and but + 1 < len(clause.rest):
            yield replace(clause, rest=trimmed(clause.rest[:but]))
            verb = tuple(word for word in clause.verb if word.tag != "not")
            yield replace(clause, verb=verb, rest=trimmed(clause.rest[but + 1 :]))
            return
    neither = next((place for place, word in enumerate(clause.rest) if word.lower == "neither"), None)
    if neither is not None and any(word.lower == "nor" for word in clause.rest):
        nor = next(place for place, word in enumerate(clause.rest) if word.lower == "nor")
        shared = clause.rest[:neither]
        for part in (clause.rest[neither + 1 : nor], clause.rest[nor + 1 :]):
            yield replace(clause, verb=denied(clause.verb), rest=(*shared, *trimmed(part)))
        return
    cut = _cut(clause.rest)
    if cut is None:
        yield clause
        return
    so, not_so, after = cut
    if so or after:
        yield replace(clause, rest=(*so, *after))
    if not_so:
        last = chunks(so)[-1] if so else ()
        same = last and last[0].tag == "preposition" and not_so[0].tag != "preposition" and not is_copula(clause.verb)
        yield replace(clause, verb=denied(clause.verb), rest=(*last[:1], *not_so) if same else not_so)


def _cut(words: Phrase) -> tuple[Phrase, Phrase, Phrase] | None:
    """What is so, what is not, and what comes after; None where nothing is contrasted."""
    for place, word in enumerate(words):
        before = word_at(words, place - 1)
        length = _contrast(words, place)
        if not length or (before.tag in (*AUXILIARY, "adverb") and word.tag == "not"):
            continue
        after = words[place + length :]
        if word.tag == "not" and after and after[0].lower == "only":  # not only in Ulm but also in Bern: both
            but = next((i for i, w in enumerate(after) if w.lower == "but"), None)
            if but is None:
                return None
            also = 1 + (word_at(after, but + 1).lower == "also")
            return (*words[:place], *after[1:but], glue("and", "coordinator"), *after[but + also :]), (), ()
        end = next((i for i, w in enumerate(after) if w.text in (",", ")") or w.lower == "but"), len(after))
        if not after or after[0].tag in ("subordinator", "adverb", *AUXILIARY):
            continue
        return trimmed(words[:place]), trimmed(after[:end]), trimmed(after[end:])
    return None


def _contrast(words: Sequence[TaggedWord], place: int) -> int:
    """How many words at a place say that the following is not so; 0: it is."""
    word = words[place]
    if word.tag == "not" and word.lower in ("not", "never"):
        return 1
    opening = tuple(w.lower for w in words[place : place + 3])
    return next((len(phrase) for phrase in _INSTEAD if opening[: len(phrase)] == phrase), 0)


def _paired(clause: Clause) -> Iterator[Clause]:
    """The clauses that "respectively" pairs: the first with the first, the second with the second."""
    if all(word.lower != "respectively" for word in (*clause.rest, *clause.lead)):
        yield clause
        return
    rest = trimmed([word for word in clause.rest if word.lower != "respectively"])
    lead = trimmed([word for word in clause.lead if word.lower != "respectively"])
    subjects = alternatives(clause.subject, names_only=True)
    parts = [_each(chunk) for chunk in chunks(rest)]
    several = [len(options) for options in (subjects, *parts) if len(options) > 1]
    if len(several) < 2 or len(set(several)) > 1:
        yield replace(clause, rest=rest, lead=lead)
        return
    for number in range(several[0]):
        subject, *chosen = (options[number] if len(options) > 1 else options[0] for options in (subjects, *parts))
        verb = of_one(clause.verb) if len(subjects) > 1 else clause.verb
        joined = tuple(word for part in chosen for word in part)
        yield replace(clause, subject=subject, verb=verb, rest=joined, lead=lead)


def _each(chunk: Phrase) -> list[Phrase]:
    """The parts of a list, also of one behind "of": "the capitals of Austria and Germany"."""
    of = next((place for place, word in enumerate(chunk) if word.lower == "of"), None)
    items = alternatives(chunk)
    if len(items) > 1 or not of:
        return items
    noun = singular(chunk[of - 1].lower)
    shared = (*chunk[: of - 1], glue(noun) if noun else chunk[of - 1], chunk[of])
    return [(*shared, *item) for item in alternatives(chunk[of + 1 :])]


def _gapped(clause: Clause) -> Iterator[Clause]:
    """What a verb says of two: "won one prize in 1903 and another in 1911", "A was born in Ulm and B in Bonn"."""
    parts = chunks(clause.rest)
    for place, part in enumerate(parts[:-1]):
        following = parts[place + 1]
        joint = next((i for i, word in enumerate(part) if _joins(part, i) and 1 < i < len(part) - 1), None)
        if part[0].tag != "preposition" or joint is None or following[0].lower != part[0].lower:
            continue
        first, second = trimmed(part[:joint]), trimmed(part[joint + 1 :])
        before = tuple(word for chunk in parts[:place] for word in chunk)
        after = tuple(word for chunk in parts[place + 2 :] for word in chunk)
        named = is_name(second)
        if first[-1].tag != following[-1].tag or second[-1].tag == "number":
            continue
        if place == 0 and named and not after and clause.subject[-1].tag == first[-1].tag == "name":
            yield replace(clause, rest=first)
            yield replace(clause, subject=second, rest=following)
            return
        if before and before[0].tag != "preposition" and (first[-1].tag == "number" or second[0].tag == "determiner"):
            yield replace(clause, rest=(*before, *first))
            yield replace(clause, rest=(*second, *following, *after))
            return
    yield clause


def _joins(words: Sequence[TaggedWord], place: int) -> bool:
    """Whether a word joins two that one verb is said of: "and", or a comma before "the latter"."""
    after = word_at(words, place + 1)
    return words[place].lower in AND or (words[place].text == "," and after.stands is not None)
