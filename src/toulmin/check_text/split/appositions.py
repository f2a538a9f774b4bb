"""What nouns say of names beside them: "the film Heat", "shows such as Ferry", "his wife Mileva Marić"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from toulmin.check_text.split.lists import AND, alternatives
from toulmin.check_text.split.tagged_words import FLOATING, POSSESSIVES, TaggedWord, word_at
from toulmin.check_text.split.verbs import IMPLIED, Phrase, glue, indefinite, is_name, trimmed
from toulmin.english.inflection import singular
from toulmin.english.lexicon import get_lexicon

__all__ = ["examples", "has_names", "kinds_of", "listing", "named_by_the_way", "without_years"]

_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_TYPES = ("person", "thing", "event", "organisation", "location")
_RELEASED = frozenset("film movie album single song game series show documentary musical comedy thriller".split())
_NO_KIND = frozenset("former latter late fellow future current lead then part side number".split())
_BOTH = frozenset(("series", "species"))  # singular and plural
_CALLED = frozenset(("called", "named", "namely"))
_NOUNS = ("common", "base", "verb", "participle", "gerund", "adverb")
_MODIFIERS = ("common", "base", "gerund", "participle", "verb")


def kinds_of(words: Sequence[TaggedWord]) -> Iterator[Phrase]:
    """What nouns say of the names right behind them: "the film Heat" that Heat is a film."""
    for place, (noun, name) in enumerate(pairwise(words)):
        if name.tag != "name" or noun.tag not in ("common", "base") or not _is_kind(noun):
            continue
        begin = place
        while begin and words[begin - 1].tag in _MODIFIERS:
            begin -= 1
        before = word_at(words, begin - 1)
        if noun.tag == "base" and before.tag not in ("determiner", "name", "number"):
            continue  # "helped lead Rovers"
        if before.tag == "genitive":
            continue  # told of its owner
        year = before if _YEAR.fullmatch(before.text) else None
        if year is None and (name.text.isupper() or before.tag == "number"):
            continue
        yield _is_a(name, _kind(words[begin : place + 1]))
        if year is not None and noun.lower in _RELEASED:
            yield (name, glue("was", IMPLIED), glue("released", "past"), glue("in", "preposition"), year)


def _is_kind(noun: TaggedWord) -> bool:
    kind = get_lexicon().coarse_type(noun.lower) in _TYPES and noun.lower not in _NO_KIND
    return kind and singular(noun.lower) is None


def _kind(words: Sequence[TaggedWord]) -> Sequence[TaggedWord]:
    """A noun with the nouns that tell of which kind: "television series"; not "various", "famous"."""
    begin = len(words) - 1
    while begin and words[begin - 1].tag in ("common", "base") and get_lexicon().is_noun(words[begin - 1].lower):
        begin -= 1
    return words[begin:]


def examples(before: Sequence[TaggedWord], items: Sequence[Phrase]) -> Iterator[Phrase]:
    """What "shows such as Ferry and Tide" says of each: that it is a show.

    Args:
        before: the words up to the examples.
    """
    kind = _kind(before) if before and before[-1].tag in ("common", "base", "verb") else ()
    noun = singular(kind[-1].lower) or (kind[-1].lower if kind[-1].lower in _BOTH else None) if kind else None
    for item in items:
        if noun is not None and is_name(item):
            yield _is_a(item[0], (*kind[:-1], glue(noun)))


def _is_a(name: TaggedWord, kind: Sequence[TaggedWord]) -> Phrase:
    return (name, glue("is", IMPLIED), indefinite(kind[0].text), *kind)


def without_years(words: Sequence[TaggedWord]) -> tuple[list[TaggedWord], list[Phrase]]:
    """The words without a year in brackets behind a name, and what it says: when this was released."""
    kept: list[TaggedWord] = []
    facts: list[Phrase] = []
    place = 0
    while place < len(words):
        word = words[place]
        year = words[place + 1] if word_at(words, place + 2).text == ")" else None
        if word.text == "(" and kept and kept[-1].tag == "name" and year and _YEAR.fullmatch(year.text):
            facts.append((kept[-1], glue("was", IMPLIED), glue("released", "past"), glue("in", "preposition"), year))
            place += 3
            continue
        kept.append(word)
        place += 1
    return kept, facts


def named_by_the_way(words: Sequence[TaggedWord], subject: Phrase) -> tuple[list[TaggedWord], list[Phrase]]:
    """The words with only the name of "Einstein's wife Mileva Marić", and what that says: that she was his wife.

    Args:
        subject: of the sentence; what "his" stands for where it was left as it is.
    """
    kept: list[TaggedWord] = []
    facts: list[Phrase] = []
    past = any(word.tag == "past" or word.lower in ("was", "were", "had") for word in words)
    place = 0
    while place < len(words):
        word = words[place]
        owner: Phrase = ()
        if word.tag == "genitive" and kept and kept[-1].tag == "name":
            owner = (kept[-1],)
        elif word.tag == "determiner" and word.lower in POSSESSIVES and subject:
            owner = tuple(subject)
        end = place + 1
        while owner and word_at(words, end).tag in _NOUNS:
            end += 1
        head = words[end - 1]
        comma = bool(owner) and end > place + 1 and _set_off(words, end)
        end += comma
        named = word_at(words, end).tag == "name" and not words[end].text.isupper()
        if not owner or end - comma == place + 1 or head.tag != "common" or not named:
            kept.append(word)
            place += 1
            continue
        names, behind = _names(words, end, several=singular(head.lower) is not None)
        behind += comma
        facts += [_is_of(owner, words[place + 1 : end - comma], name, past=past) for name in names]
        if word.tag == "genitive":
            kept.pop()
        kept.extend(words[end : behind - comma])
        place = behind
    return kept, facts


def _set_off(words: Sequence[TaggedWord], place: int) -> bool:
    """Whether a name stands between commas: "his father, Leopold, and …"."""
    nearby = words[place : place + 4]
    marks = len(nearby) == 4 and nearby[0].text == nearby[2].text == "," and nearby[1].tag == "name"
    return marks and (nearby[3].tag in ("be", "have", "past", "verb", "modal") or nearby[3].lower in (*AND, *FLOATING))


def has_names(subject: Phrase, rest: Phrase) -> tuple[list[Phrase], TaggedWord, Phrase, bool] | None:
    """What "had a sister, Clara, who was a pianist" says of names; None where it names nobody.

    Returns:
        the facts ("SUBJECT's sister was Clara"), the last name, the words after the names, and whether a number is said
        beside them that they do not fill ("had four children, including Clara").
    """
    if not rest or (rest[0].lower not in ("a", "an", "several", "many") and rest[0].tag != "number"):
        return None
    end = 1
    while word_at(rest, end).tag in _NOUNS and rest[end].lower not in _CALLED:
        end += 1
    noun = rest[1:end]
    if not noun or noun[-1].tag not in ("common", "base", "verb"):
        return None
    first = end
    part = False
    while first < len(rest) and (rest[first].text in (",", ":") or rest[first].lower in (*_CALLED, "including")):
        part |= rest[first].lower == "including"
        first += 1
    if first >= len(rest) or rest[first].tag != "name":
        return None
    if first == end and get_lexicon().coarse_type(singular(noun[-1].lower) or noun[-1].lower) != "person":
        return None  # "has a career ERA of 2.5"
    single = rest[0].lower in ("a", "an", "one")
    names, behind = _names(rest, first, several=not single)
    owners = alternatives(subject, names_only=True)
    facts = [_is_of(owner, noun, name, past=True) for owner in owners for name in names]
    wanted = 1 if single else rest[0].count
    return facts, names[-1], tuple(rest[behind:]), part or wanted != len(names)


def listing(subject: Phrase, rest: Phrase) -> list[Phrase]:
    """What "films by Mann include Heat and Thief" says of each name; empty where it names none."""
    head = next((place for place, word in enumerate(subject) if singular(word.lower) and word.tag != "name"), None)
    items = alternatives(rest)
    if head is None or any(not is_name(item) for item in items):
        return []
    noun = glue(singular(subject[head].lower) or "")
    if any(word.tag == "genitive" or word.lower in POSSESSIVES for word in subject[:head]):
        owned = (*subject[:head], noun, *subject[head + 1 :], glue("is", "be"))
        return [(*owned, *item) for item in items]
    kept = tuple(word for word in subject[:head] if word.tag in _NOUNS)
    kind = (indefinite((*kept, noun)[0].text), *kept, noun, *subject[head + 1 :])
    return [(*item, glue("is", "be"), *kind) for item in items]


def _names(words: Sequence[TaggedWord], place: int, *, several: bool) -> tuple[list[TaggedWord], int]:
    """The names of a list that begins at a place, and where it ends."""
    names, behind = [words[place]], place + 1
    while several:
        step = behind
        while step < len(words) and (words[step].text == "," or words[step].lower in AND):
            step += 1
        if step == behind or step >= len(words) or words[step].tag != "name":
            break
        names.append(words[step])
        behind = step + 1
    return names, behind


def _is_of(owner: Phrase, noun: Sequence[TaggedWord], name: TaggedWord, *, past: bool) -> Phrase:
    single = singular(noun[-1].lower) if noun[-1].start >= 0 else None
    role = (*noun[:-1], glue(single)) if single is not None else tuple(noun)
    return (*trimmed(owner), glue("'s", "genitive"), *role, glue("was" if past else "is", "be"), name)
