"""What a text spoke of, what it said that this is, and what of it "the film", "the Institute", "there" stand for."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from toulmin.check_text.split.clauses import Clause
from toulmin.check_text.split.tagged_words import NO_WORD, POSSESSIVES, Words, listed, word_at
from toulmin.check_text.split.verbs import Phrase, glue, is_copula, put, run_end
from toulmin.english.inflection import singular
from toulmin.english.lexicon import get_lexicon

__all__ = ["Referent", "Spoken", "definite_at", "is_place", "learn", "learn_what", "owner_of"]

Kind = Literal["person", "thing", "unknown"]

# Kinds of what a text may call its only subject by a noun alone, whatever that has been said to be.
_THINGS = ("artifact", "organization", "social group", "food", "event", "organism", "writing", "music", "message")
# What a text calls a place that it spoke of, whichever it is.
_REGIONS = frozenset("country nation state province county city town village island".split())
_KIND = 0.7  # relatedness of a name and a noun from which on it is one of them
_FOLLOWS = ("be", "have", "do", "modal", "past", "verb", "genitive", "mark", "coordinator", "adverb")
_WORD = re.compile(r"\w+")
_LONGEST = 5  # words of a noun with what tells of which kind
_NO_PART = frozenset("same first last other former latter most one only rest following reason man woman".split())
_TOLD = ("determiner", "name", "number", "common", "base", "adverb", "gerund")
_NOUNS = ("common", "base", "verb")
_CALLED = frozenset("called named known titled".split())

_PEOPLE_VERBS = frozenset("born died married graduated educated studied wrote starred raised divorced".split())
_AFTER_NOUN = ("preposition", "mark", "relative", "past", "participle", "coordinator", "have", "be")
_MADE = listed("made")
_DONE = frozenset("directed wrote composed painted founded discovered invented studied taught".split())


@dataclass
class Referent:
    """A subject of the text.

    Args:
        nouns: what it is said to be: "film", "city".
        also: other names of it.
        gender: of the pronouns that stood for it.
        located: something is said to be there, or to be from there.
    """

    phrase: Phrase
    kind: Kind = "unknown"
    gender: str | None = None
    nouns: set[str] = field(default_factory=set)
    also: set[str] = field(default_factory=set)
    plural: bool = False
    located: bool = False

    @property
    def name(self) -> str:
        """Its words."""
        return " ".join(word.text for word in self.phrase)


def is_place(referent: Referent) -> bool:
    """Whether what is mentioned bears the name of a place, by WordNet."""
    return get_lexicon().coarse_type(referent.name.lower()) == "location"


def learn(referent: Referent, clause: Clause, *, whole: bool) -> None:
    """What a clause tells of its subject: a person, or a film, a city, another name."""
    before = [word.lower for word in clause.subject if word.tag in ("common", "base", "verb")]
    referent.nouns.update(before[-1:])
    if not whole:
        return
    if is_copula(clause.verb):
        learn_what(referent, clause.rest)
    elif clause.verb[-1].lower in ("known", "called", "nicknamed", "named"):
        called = clause.rest[1:2] if clause.rest[:1] and clause.rest[0].lower == "as" else clause.rest[:1]
        referent.also.update(word.text for word in called if word.tag == "name")
    elif referent.kind == "unknown":
        first, last = clause.verb[0], clause.verb[-1].lower
        acts = last in ("stars", "starred", "acted", "plays") and clause.rest[:1] and clause.rest[0].lower == "in"
        does = first.tag == "past" and first.lower in _DONE
        if acts or does or any(word.lower in _PEOPLE_VERBS for word in clause.verb):
            referent.kind = "person"
        elif (first.tag == "be" and last in _MADE) or (first.lower == "have" and not referent.plural):
            referent.kind = "thing"  # "Rovers have …": a team


def learn_what(referent: Referent, predicate: Words) -> None:
    """What a referent is said to be: "a film", "the capital"."""
    if not predicate or predicate[0].tag not in ("determiner", "common"):
        return
    end = next((i for i, word in enumerate(predicate) if word.tag in _AFTER_NOUN), len(predicate))
    head = word_at(predicate, end - 1)
    if head.tag not in ("common", "base", "verb", "gerund"):
        return
    referent.nouns.add(head.lower)
    if referent.kind == "unknown":
        referent.kind = "person" if get_lexicon().coarse_type(head.lower) == "person" else "thing"


def owner_of(subject: Phrase) -> Phrase:
    """The entity that a subject is about: of "the capital of France" and "France's capital" it is France."""
    while subject and subject[-1].tag in ("adverb", "mark"):
        subject = subject[:-1]
    for place, word in enumerate(subject):
        if word.tag in ("genitive", "mark", "relative"):
            return subject[:place]
        if word.lower in ("of", "for") and place and subject[place - 1].tag in ("common", "base", "verb"):
            return subject[place + 1 :]
    return subject


@dataclass
class Spoken:
    """What a text spoke of before some words.

    Args:
        referents: subjects, the last one last.
        others: names that were no subject.
        pair: "A and B", of which it spoke last.
        subject: of the sentence itself, where it is a name and stands before the words.
    """

    referents: list[Referent] = field(default_factory=list)
    others: list[Referent] = field(default_factory=list)
    pair: tuple[Phrase, Phrase] | None = None
    subject: Referent | None = None

    @property
    def known(self) -> list[Referent]:
        """All of them, the last subject first."""
        return [*reversed(self.referents), *reversed(self.others)]


def definite_at(words: Words, place: int, resolved: Words, spoken: Spoken) -> tuple[Phrase, int] | None:
    """What words at a place stand for, and how many they are; None where that is not known.

    Args:
        resolved: the words before, with names for what stands for them.
    """
    there = _there(words, place, resolved, spoken)
    if there:
        return there, 1
    this = words[place].lower in ("the", "this") or (words[place].lower == "that" and words[place].tag == "determiner")
    if not this or place + 1 >= len(words):
        return None
    named = _definite(words, place, resolved, spoken)
    return (named, 2) if named else _part(words, place, spoken)


def _definite(words: Words, place: int, resolved: Words, spoken: Spoken) -> Phrase:
    """What "the film" stands for among what the text spoke of before."""
    noun = words[place + 1]
    after = word_at(words, place + 2)
    bare = after is NO_WORD or after.tag in _FOLLOWS
    stands, lower, known = (words[place].start, noun.end), noun.lower, spoken.known
    if lower in ("former", "latter") and spoken.pair is not None:
        return put(spoken.pair[lower == "latter"], stands) if after.tag not in ("common", "base") else ()
    plays = after.tag == "base" and word_at(words, place + 3).tag == "preposition"
    if noun.tag == "name" and bare:  # "the Institute", of "Harrow Institute of Optics"
        whole = next((whole for whole in known if lower in _words(whole.name) and lower != whole.name.lower()), None)
        if whole is None or whole.kind == "person":
            return ()
        article = words[place : place + 1] if whole.phrase[0].tag == "name" else ()
        return (*article, *put(whole.phrase, stands))
    if noun.tag not in ("common", "base", "verb") or not (bare or (plays and _is_thing(lower))):
        return ()
    names = [word for word in resolved if word.tag == "name" and _is_kind(word.text, lower)]
    if names:  # "Warsaw is the capital of Poland, and the country's currency …"
        return put(names[-1:], stands)
    for referent in known:
        called = lower in referent.nouns or lower in _words(referent.name)
        if called or (len(referent.phrase) == 1 and _is_kind(referent.name, lower)):
            return put(referent.phrase, stands)
    things = [referent for referent in spoken.referents if referent.kind != "person" and not referent.plural]
    if not things:
        things = [referent for referent in spoken.others if referent.kind == "unknown" and not is_place(referent)][-1:]
    if _is_thing(lower) and things:
        last = things[-1]  # of several only what the text has not said to be something else
        if len(things) == 1 or not (last.nouns or is_place(last)):
            return put(last.phrase, stands)
    if lower in _REGIONS or (lower in ("area", "region") and words[place].lower != "the"):
        return put(_place(resolved, spoken), stands)
    return ()


def _part(words: Words, place: int, spoken: Spoken) -> tuple[Phrase, int] | None:
    """ "The main ingredients" as those of what the text speaks of, and how many words it is."""
    before = word_at(words, place - 1)
    opens = before is NO_WORD or before.tag == "coordinator" or before.text in (",", ";", ".")
    of_that = before.lower == "of" and place > 1 and words[place - 2].tag in ("common", "number")
    if words[place].lower != "the" or not (opens or of_that):
        return None
    end = min(run_end(words, place + 1, (*_NOUNS, "gerund", "name")), place + 1 + _LONGEST)
    noun, verb, after = words[place + 1 : end], word_at(words, end), word_at(words, end + 1)
    if any(word.tag == "name" and not (word.text.isupper() and len(word.text) > 1) for word in noun):
        return None  # "the B series"; "the PIN number" of what the text speaks of
    if not noun or noun[-1].tag not in _NOUNS or any(word.lower in _NO_PART for word in noun):
        return None
    head = singular(noun[-1].lower) or noun[-1].lower
    copula = verb.tag == "be" and (after.tag in _TOLD or after.lower in _CALLED)
    owning = verb.tag == "have" and after.tag in ("determiner", "number")
    about = spoken.subject or next(reversed(spoken.referents), None)
    if _is_thing(head) or head in _REGIONS or not (copula or owning) or about is None or about.plural:
        return None
    stands = (words[place].start, noun[-1].end)
    return (words[place], *noun, glue("of", "preposition"), *put(about.phrase, stands)), end - place


def _there(words: Words, place: int, resolved: Words, spoken: Spoken) -> Phrase:
    """The place that "there" is, where it does not begin "there is"."""
    word, before, after = (word_at(words, at) for at in (place, place - 1, place + 1))
    begins = before.tag in ("mark", "coordinator", "subordinator", "relative", "adverb", "preposition")
    begins = begins and after.tag in ("be", "have", "modal", "verb")
    owned = any(w.lower in POSSESSIVES for w in words[max(place - 3, 0) : place])  # "his time there"
    if word.lower != "there" or not place or begins or owned:
        return ()
    of = _place(resolved, spoken)
    return (glue("in", "preposition"), *put(of, (word.start, word.end))) if of else ()


def _place(resolved: Words, spoken: Spoken) -> Phrase:
    """The place that the text spoke of last: one in which something is, which owns something, or the lexicon knows."""
    names = [number for number, word in enumerate(resolved) if word.tag == "name"]
    for number in reversed(names):
        owning = word_at(resolved, number + 1).tag == "genitive"
        if owning or (number and resolved[number - 1].lower in ("in", "from", "near", "of")):
            return (resolved[number],)
    before = next((referent.phrase for referent in spoken.known if is_place(referent) or referent.located), ())
    return before or next((name for number in names[::-1] if is_place(Referent(name := (resolved[number],)))), ())


def _words(name: str) -> list[str]:
    return _WORD.findall(name.lower())


@lru_cache(4096)
def _is_thing(noun: str) -> bool:
    """Whether a noun is one of a thing that a text may speak of at length: "film", "company", "tractor"."""
    lexicon = get_lexicon()
    return lexicon.coarse_type(noun) == "thing" and any(lexicon.is_a(noun, kind) for kind in _THINGS)


def _is_kind(name: str, noun: str) -> bool:
    """Whether the lexicon knows a name as one of a kind: Poland is a country."""
    lexicon = get_lexicon()
    place = lexicon.coarse_type(noun) == "location" and lexicon.coarse_type(name.lower()) == "location"
    return place and lexicon.relatedness(name.lower(), noun) >= _KIND
